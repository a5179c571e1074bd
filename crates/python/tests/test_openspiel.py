"""OpenSpiel's own test, and its algorithms."""

import pickle

import pytest

pyspiel = pytest.importorskip("pyspiel")
import numpy as np  # noqa: E402
from open_spiel.python.algorithms import cfr, exploitability, ismcts, mcts  # noqa: E402

import contestants.openspiel as ours  # noqa: E402

GAMES = [
    "contestants_cartagena(max_turns=12,spaces=12)",
    "contestants_challenge(goal=2)",
    "contestants_challenge(cards=1,ranks=3,copies=2,goal=1,max_hands=1)",
    "contestants_eights",
    "contestants_hearts(players=3)",
]


#: Every game with every number of players, as they are by default.
DEFAULTS = (
    [f"contestants_cartagena(players={players})" for players in range(2, 7)]
    + ["contestants_challenge", "contestants_eights"]
    + [f"contestants_hearts(players={players})" for players in range(3, 7)]
)


@pytest.mark.parametrize("name", GAMES)
def test_random_play(name):
    game = pyspiel.load_game(name)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize("name", DEFAULTS)
def test_random_play_by_default(name):
    """Among other things OpenSpiel checks that returns sum to zero within its epsilon."""
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=8, serialize=False, verbose=False)


@pytest.mark.parametrize("name", GAMES)
def test_games_and_states_can_be_pickled(name):
    game = pyspiel.load_game(name)
    again = pickle.loads(pickle.dumps(game))
    assert str(again) == str(game) and again.num_players() == game.num_players()
    state = game.new_initial_state()
    for _ in range(4):
        state.apply_action(state.legal_actions()[0])
    assert str(pickle.loads(pickle.dumps(state))) == str(state)


def test_an_information_state_as_a_tensor_is_all_that_was_seen():
    """The tensor keeps a card that was played and is gone, which the plain observation does not show."""
    game = pyspiel.load_game("contestants_hearts(players=3)")
    shape = game.information_state_tensor_shape()
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    before = state.information_state_tensor(0)
    assert len(before) == np.prod(shape)
    state.apply_action(state.legal_actions()[0])
    after = state.information_state_tensor(0)
    # One more event: the seat that acted, and its action.
    assert sum(after) - sum(before) == 3 and all(a >= b for a, b in zip(after, before))
    long = pyspiel.load_game("contestants_cartagena")
    assert not long.get_type().provides_information_state_tensor
    with pytest.raises(Exception, match="information_state"):
        long.new_initial_state().information_state_tensor(0)


def test_an_action_that_is_not_possible_has_a_name():
    game = pyspiel.load_game("contestants_challenge(cards=1,ranks=3,copies=2,goal=1,max_hands=1)")
    state = game.new_initial_state()
    while not state.is_terminal():
        action = state.legal_actions()[0]
        assert state.action_to_string(state.current_player(), action) == state.native.id_to_text(action)
        state.apply_action(action)
    assert state.action_to_string(0, 1) == "action 1"
    assert state.action_to_string(pyspiel.PlayerId.CHANCE, 1) == "outcome 1"


def test_an_observation_of_a_part_is_refused():
    game = pyspiel.load_game("contestants_hearts(players=3)")
    kinds = pyspiel.PrivateInfoType
    for public, private in ((True, kinds.NONE), (False, kinds.SINGLE_PLAYER), (True, kinds.ALL_PLAYERS)):
        asked = pyspiel.IIGObservationType(public_info=public, perfect_recall=False, private_info=private)
        with pytest.raises(ValueError, match=f"public_info = {public}, private_info = .*: expected True and SINGLE_PLAYER"):
            game.make_py_observer(asked)


def bots(game, make):
    return [make(game) for _ in range(game.num_players())]


def play(game, players, seed):
    rng = np.random.RandomState(seed)
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            ids, chances = zip(*state.chance_outcomes())
            state.apply_action(rng.choice(ids, p=chances))
        else:
            action = players[state.current_player()].step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
    return state.returns()


def test_monte_carlo_tree_search_plays():
    game = pyspiel.load_game("contestants_cartagena(max_turns=6,spaces=6,pirates=1,board=hgkbds)")
    rng = np.random.RandomState(1)

    def make(game):
        evaluator = mcts.RandomRolloutEvaluator(1, rng)
        return mcts.MCTSBot(game, 2.0, 10, evaluator, random_state=rng)

    assert abs(sum(play(game, bots(game, make), 1))) < 1e-6


@pytest.mark.parametrize("name", ["contestants_challenge(cards=2,ranks=4,goal=1,max_hands=1)", "contestants_hearts(players=3)"])
def test_information_set_search_plays(name):
    game = pyspiel.load_game(name)
    rng = np.random.RandomState(1)
    resample = ours.resampler(3)

    def make(game):
        bot = ismcts.ISMCTSBot(
            game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 3, random_state=rng
        )
        bot.set_resampler(resample)
        return bot

    assert abs(sum(play(game, bots(game, make), 1))) < 1e-4


def test_counterfactual_regret_minimisation_solves_a_hand():
    game = pyspiel.load_game("contestants_challenge(cards=1,ranks=3,copies=2,goal=1,max_hands=1)")
    solver = cfr.CFRPlusSolver(game)
    values = []
    for iteration in range(40):
        solver.evaluate_and_update_policy()
        if iteration in (0, 39):
            values.append(exploitability.nash_conv(game, solver.average_policy()))
    assert values[1] < values[0] / 4


def test_a_resampled_game_looks_the_same():
    game = pyspiel.load_game("contestants_cartagena(max_turns=20)")
    state = game.new_initial_state()
    rng = np.random.RandomState(2)
    for _ in range(30):
        if state.is_chance_node():
            ids, chances = zip(*state.chance_outcomes())
            state.apply_action(rng.choice(ids, p=chances))
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    resample = ours.resampler(1)
    for player in range(2):
        other = resample(state, player)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.observation_tensor(player) == state.observation_tensor(player)
        assert other.observation_string(player) == state.observation_string(player)
