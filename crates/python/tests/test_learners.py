"""What learners need: last observations, opponents, copies, forks, information as numbers."""

import copy
import gc
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import contestants as ct


def random_batch(game, games=64, **options):
    return ct.Batch(game, games, seed=3, **options)


def test_the_last_observation_is_that_of_the_end():
    """In Cartagena the winner's pirates are all on the boat, and it sees its own first; in Hearts all points have been
    won."""
    game = ct.Game("cartagena", players=3, board="hgkbds" * 2, max_turns=50)
    batch = random_batch(game, final_observations=True)
    won = stopped = 0
    for _ in range(400):
        batch.step(batch.random_actions())
        for row in np.flatnonzero(batch.terminated):
            winner = batch.rewards[row].argmax()
            home = batch.final_observations[row, :, game.slices["pirates"]].reshape(3, 3, 6) == 13
            assert home[winner, 0].all() and home[(winner + 1) % 3, 2].all()
            won += 1
        stopped += batch.truncated.sum()
    assert won > 10 and stopped > 10
    hearts = ct.Game("hearts", players=4)
    batch = random_batch(hearts, final_observations=True)
    ended = 0
    for _ in range(60):
        batch.step(batch.random_actions())
        points = batch.final_observations[batch.terminated][..., hearts.slices["points"]]
        ended += len(points)
        assert np.isin(points.sum(axis=-1), (26, 78)).all()
    assert ended > 10
    assert ct.Batch(hearts, 2).final_observations is None


def test_no_value_is_larger_than_the_highest(game):
    batch = random_batch(game)
    for _ in range(100):
        batch.step(batch.random_actions())
        for name, part in game.slices.items():
            assert batch.observations[:, part].max() <= game.highest[name], name
    hot = ct.one_hot(game, batch.observations)
    assert set(np.unique(hot)) == {0, 1} and (hot.sum(axis=1) == game.observation_size).all()
    assert ct.one_hot(game, batch.observations[0]).shape == hot[0].shape
    back = [part.argmax(axis=1) for part in np.split(hot, np.cumsum(widths(game))[:-1], axis=1)]
    assert (np.stack(back, axis=1) == batch.observations).all()


def widths(game):
    return [game.highest[name] + 1 for name, size in game.fields for _ in range(size)]


@pytest.mark.parametrize("name, opponents", [("cartagena", ["greedy", "random"]), ("hearts", ["duck"] * 3)])
def test_opponents_have_the_other_seats(name, opponents):
    game = ct.Game(name, players=len(opponents) + 1)
    players = [ct.Player(one, game=name) for one in opponents]
    one, two = (ct.Batch(game, 30, seed=2, threads=threads, opponents=players) for threads in (1, 2))
    assert one.rewards.shape == (30, 1) and set(one.seats) == set(range(game.players))
    ended = 0
    for _ in range(300):
        actions = one.random_actions().copy()
        assert one.masks[np.arange(30), actions].all()
        one.step(actions)
        two.step(actions)
        for array in ("observations", "masks", "seats", "rewards", "terminated", "truncated"):
            assert (getattr(one, array) == getattr(two, array)).all(), array
        # It is always the learner's turn, so its own number comes first.
        assert (one.observations[:, game.slices["to_move"]] == 0).all()
        ended += one.terminated.sum()
    assert ended > 5
    with pytest.raises(ValueError, match="opponents cannot be stored"):
        pickle.dumps(one)
    fixed = ct.Batch(game, 5, seed=1, opponents=players, seat=1)
    assert (fixed.seats == 1).all()
    with pytest.raises(ValueError, match="expected"):
        ct.Batch(game, 5, opponents=players[1:])

    def wrong(view):
        return 99

    with pytest.raises(ValueError, match="game 0: .*99"):
        ct.Batch(game, 5, opponents=[wrong] * len(players))


def test_a_copy_goes_on_to_the_same_games(game):
    batch = random_batch(game, threads=2, final_observations=True)
    for _ in range(40):
        batch.step(batch.random_actions())
    for other in (copy.copy(batch), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))):
        one = pickle.loads(pickle.dumps(batch))
        for array in ("rewards", "terminated", "truncated", "final_observations"):
            assert (getattr(one, array) == getattr(other, array)).all()
        for _ in range(40):
            actions = one.random_actions().copy()
            assert (actions == other.random_actions()).all()
            one.step(actions)
            other.step(actions)
            assert (one.observations == other.observations).all() and (one.rewards == other.rewards).all()


def test_views_actions_and_players_can_be_pickled(game):
    state = game.new_game(seed=2)
    for _ in range(6):
        state.apply(state.legal_ids()[0])
    view = state.view()
    for other in (copy.copy(view), copy.deepcopy(view), pickle.loads(pickle.dumps(view))):
        assert (other.seat, str(other), other.to_dict()) == (view.seat, str(view), view.to_dict())
        assert [a.text for a in other.legal_actions()] == [a.text for a in view.legal_actions()]
    action = state.legal_actions()[0]
    assert pickle.loads(pickle.dumps(action)) == action == copy.deepcopy(action)
    for name in ct.players(game.name):
        player = ct.Player(name, game=game.name, seed=5)
        assert repr(pickle.loads(pickle.dumps(player))) == repr(player) == repr(copy.copy(player))


def test_a_players_settings_are_pickled():
    for player in (
        ct.Player("runme", nodes=300, seed=4),
        ct.Player("search", game="hearts", nodes=20, blind=True),
        ct.Player("search", game="hearts", policy="careful", nodes=20),
    ):
        assert repr(pickle.loads(pickle.dumps(player))) == repr(player)


def test_a_pickled_view_has_no_card_that_its_seat_does_not_see():
    """Games that look the same to a seat make the same bytes, whatever the others hold."""
    for name in ("hearts", "eights", "challenge"):
        state = ct.Game(name).new_game(seed=2)
        for _ in range(4):
            state.apply(state.legal_ids()[0])
        pickles = {pickle.dumps(state.resample(0, draw).view(0)) for draw in range(20)}
        assert len({str(state.resample(0, draw)) for draw in range(20)}) > 10
        assert pickles == {pickle.dumps(state.view(0))}, name


def test_a_forked_child_goes_on():
    """A batch with threads, and a player that uses several: these threads do not exist in the child."""
    game = ct.Game("cartagena")
    batch = ct.Batch(game, 600, seed=1, threads=2)
    batch.step(batch.random_actions())
    duel = ct.Game("challenge").new_game(seed=1)
    player = ct.Player("equilibrium", game="challenge")
    player.choose(duel)
    # The last tricks of a hand are solved on the global pool.
    solo = ct.Batch(ct.Game("challenge"), 1, seed=1, opponents=[ct.Player("equilibrium")])
    for _ in range(10):
        solo.step(solo.random_actions())
    child = os.fork()
    if child == 0:
        # The child must not return into pytest, whatever happens; the alarm ends it if it hangs.
        status = 1
        try:
            signal.alarm(120)
            for _ in range(3):
                batch.step(batch.random_actions())
            # More than a hand, so that both seats solve its last tricks.
            for _ in range(16):
                duel.apply(player.choose(duel))
            for _ in range(10):
                solo.step(solo.random_actions())
            status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    batch.step(batch.random_actions())


def test_a_learner_without_a_turn_is_refused():
    game = ct.Game("cartagena", max_turns=1)
    with pytest.raises(ValueError, match="no turn in 100 games"):
        ct.Batch(game, 1, opponents=[ct.Player("random")], seat=1)


def test_actions_are_whole_numbers():
    batch = ct.Batch(ct.Game("cartagena"), 4, seed=2)

    def actions():
        return batch.random_actions().copy()

    for kind in (np.int8, np.uint8, np.int32, np.uint64):
        batch.step(actions().astype(kind))
    batch.step(actions().tolist())
    batch.step(np.repeat(actions(), 2)[::2])
    for wrong in (actions().astype(np.float64), actions() + 0.5, actions() > 3, ["a"] * 4):
        with pytest.raises(TypeError, match="whole numbers"):
            batch.step(wrong)
    with pytest.raises(ValueError, match="0 actions for 4 games"):
        batch.step([])
    with pytest.raises(ValueError, match="one dimension"):
        batch.step(actions().reshape(2, 2))
    state = ct.Game("cartagena").new_game(seed=1)
    state.apply(np.int64(state.legal_ids()[0]))
    with pytest.raises(TypeError):
        state.apply(1.5)


def test_a_resized_array_is_refused():
    batch = ct.Batch(ct.Game("cartagena"), 4, seed=2)
    batch.rewards.resize((2, 2), refcheck=False)
    with pytest.raises(ValueError, match="rewards has 4 values, not 8"):
        batch.step(batch.random_actions())
    batch.actions.resize(2, refcheck=False)
    with pytest.raises(ValueError, match="actions has 2 values, not 4"):
        batch.random_actions()


def test_numbers_out_of_range_are_named():
    game = ct.Game("cartagena", players=np.int64(3))
    assert game.players == 3
    for make, told in (
        (lambda: ct.Batch(game, 4, threads=2_000), "threads = 2000: expected 1 to 256"),
        (lambda: ct.Batch(game, 4, threads=-1), "threads = -1"),
        (lambda: ct.Batch(game, 0), "games = 0"),
        (lambda: ct.Batch(game, 4, opponents=[ct.Player("greedy")] * 2, seat=3), "^seat = 3: expected 0 to 2 or None"),
        (lambda: ct.Batch(game, 4, opponents=[]), "^0 opponents: expected 2$"),
        (lambda: ct.Batch(game, 4, seed=-1), r"seed = -1: expected a whole number from 0 to 2\*\*64 - 1"),
        (lambda: game.new_game(seed=2**64), "seed = "),
        (lambda: game.new_game(seed=1).view(-1), "seat = -1"),
        (lambda: ct.Player("greedy", seed=-3), "seed = -3"),
    ):
        with pytest.raises(ValueError, match=told):
            make()
    with pytest.raises(TypeError, match="seed = 1.5"):
        game.new_game(seed=1.5)
    over = ct.Game("hearts").new_game(seed=1)
    while not over.is_over:
        over.apply(over.legal_ids()[0])
    with pytest.raises(ValueError, match="the game is over"):
        over.apply("2C")
    result = ct.match(ct.Game("cartagena", max_turns=4), [ct.Player("greedy"), ct.Player("random")], 2)
    with pytest.raises(ValueError, match="no participant is called 'nobody', only 'greedy', 'random'"):
        result.share("nobody")


def test_a_new_game_without_a_seed_has_a_board_by_chance():
    game = ct.Game("cartagena")
    boards = {tuple(game.new_game().observation(0)[game.slices["board"]]) for _ in range(20)}
    assert len(boards) > 10
    state = game.new_game()
    assert state.is_chance and ct.loads(state.to_bytes()) == state
    fixed = ct.Game("cartagena", board="hgkbds" * 6)
    assert fixed.new_game() == fixed.new_game()


def test_a_batch_is_used_by_one_thread_at_a_time():
    entered, leave = threading.Event(), threading.Event()

    def thinking(view):
        entered.set()
        leave.wait()
        return view.legal_ids()[0]

    leave.set()
    batch = ct.Batch(ct.Game("cartagena"), 2, seed=1, seat=1, opponents=[thinking])
    actions = batch.random_actions().copy()
    leave.clear()
    entered.clear()
    # Three actions end the learner's turn, after which the opponent is asked.
    stepping = threading.Thread(target=lambda: [batch.step(batch.masks.argmax(axis=1)) for _ in range(3)])
    stepping.start()
    entered.wait()
    with pytest.raises(RuntimeError, match="this Batch is in another call: of another thread"):
        batch.step(actions)
    leave.set()
    stepping.join()


def test_an_opponent_cannot_use_the_batch_that_asks_it():
    batches = []

    def nested(view):
        for batch in batches:
            batch.random_actions()
        return view.legal_ids()[0]

    batches.append(ct.Batch(ct.Game("cartagena"), 1, seed=1, seat=0, opponents=[nested]))
    with pytest.raises(RuntimeError, match="or of the function that it has called"):
        for _ in range(4):
            batches[0].step(batches[0].masks.argmax(axis=1))


def test_an_agent_with_an_environment_of_its_own_is_freed():
    class Agent:
        def act(self, view):
            return view.legal_ids()[0]

    agent = Agent()
    agent.batch = ct.Batch(ct.Game("hearts"), 2, seed=1, threads=2, opponents=[agent.act, agent.act, ct.Player("duck")])
    gc.collect()
    agent.batch.step(agent.batch.random_actions())
    gone = weakref.ref(agent)
    del agent
    gc.collect()
    assert gone() is None


def test_an_event_that_breaks_the_rules_is_named():
    state = ct.Game("hearts").new_game(seed=2)
    for _ in range(5):
        state.apply(state.legal_ids()[0])
    stored = json.loads(state.to_bytes())
    stored["events"][54]["i"] = 63
    with pytest.raises(ValueError, match="event 55: action 63 is not legal"):
        ct.loads(json.dumps(stored).encode())


def test_information_is_the_same_for_all_games_that_look_the_same():
    for name, options in (("hearts", {}), ("eights", {}), ("challenge", {"max_hands": 2})):
        game = ct.Game(name, **options)
        rows, columns = game.information_shape
        state = game.new_game(seed=4)
        seen = set()
        while not state.is_over:
            for seat in range(game.players):
                tensor = state.information_tensor(seat)
                assert tensor.shape == (rows, columns) and set(np.unique(tensor)) <= {0, 1}
                # Each event is one row, which at least names the seat that acted.
                assert tensor.any(axis=1).sum() == len(state.history())
                assert (state.resample(seat, 5).information_tensor(seat) == tensor).all()
                seen.add(tensor.tobytes())
            state.apply(state.legal_ids()[0])
        assert len(seen) > 8
    with pytest.raises(ValueError, match="too many for a tensor"):
        ct.Game("cartagena").new_game(seed=1).information_tensor(0)


INTERRUPTED = """
import os, signal, threading
import contestants as ct

signal.signal(signal.SIGINT, signal.default_int_handler)
calls = 0

def first(view):
    # Three actions a game: the eleventh game is never finished.
    global calls
    calls += 1
    if calls > 30:
        print("thinking", flush=True)
        threading.Event().wait()
    return view.legal_ids()[0]

participants = {"first": first, "greedy": ct.Player("greedy")}
try:
    ct.PLAY(ct.Game("cartagena", max_turns=2), participants, 1000, record=True)
except KeyboardInterrupt as error:
    assert isinstance(error, ct.Interrupted), error
    print(error, len(error.result.records), flush=True)
    os._exit(7)
"""


@pytest.mark.parametrize("play", ["match", "tournament"])
def test_an_interrupt_ends_a_match_at_once_and_keeps_what_was_played(play):
    """The interrupt also ends a match in which a player never answers."""
    script = [sys.executable, "-c", INTERRUPTED.replace("PLAY", play)]
    with subprocess.Popen(script, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "thinking\n"
        child.send_signal(signal.SIGINT)
        assert child.stdout.read() == "interrupted after 10 games; the exception's `result` has them 10\n"
        assert child.wait() == 7


STEPPING = """
import signal, threading
import contestants as ct

signal.signal(signal.SIGINT, signal.default_int_handler)
asked = threading.Lock()

def first(view):
    # One line, though several threads may come here.
    if asked.acquire(blocking=False):
        print("thinking", flush=True)
    return view.legal_ids()[0]

slow = ct.Player("search", game="eights", nodes=20000, threads=1)
game = ct.Game("eights", dealer=0)
# All games of a step would take half an hour.
batch = ct.Batch(game, 2000, seed=1, seat=0, opponents=[first, slow, slow], threads=THREADS)
before = batch.observations.copy()
try:
    batch.step(batch.random_actions())
except KeyboardInterrupt:
    print((batch.observations[-1] == before[-1]).all())
    batch.reset(1)
    print((batch.observations == before).all())
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_a_step_between_actions_of_opponents(threads):
    script = [sys.executable, "-c", STEPPING.replace("THREADS", str(threads))]
    with subprocess.Popen(script, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout.readline() == "thinking\n"
        child.send_signal(signal.SIGINT)
        assert child.stdout.read() == "True\nTrue\n"
        assert child.wait() == 0


def test_an_interrupt_is_raised_although_another_game_has_failed_before():
    raised = iter([ValueError("of the first game"), KeyboardInterrupt("of the second game")])

    def fails(view):
        raise next(raised)

    batch = ct.Batch(ct.Game("eights", dealer=0), 3, seed=1, seat=0, opponents=[fails] * 3)
    with pytest.raises(KeyboardInterrupt, match="of the second game"):
        batch.step(batch.random_actions())


def test_names_of_the_package_are_its_own():
    import typing

    assert not {name for name in dir(ct) if not name.startswith("_")} & set(dir(typing))
    assert "annotations" not in dir(ct)
