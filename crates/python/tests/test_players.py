"""Built-in players, matches and tournaments."""

import copy
import pickle
import subprocess
import sys
import threading

import pytest

import contestants as ct


@pytest.mark.parametrize("name", ct.GAMES)
def test_every_player_of_every_game_plays_legally(name):
    game = ct.Game(name, **({"max_turns": 20} if name == "cartagena" else {}))
    for player in ct.players(name):
        limits = {}
        if player == "runme" or (player == "search" and name != "challenge"):
            limits = {"nodes": 20}
        elif player == "search":
            limits = {"worlds": 3}
        elif player == "mcts":
            limits = {"iterations": 10}
        one = ct.Player(player, game=name, seed=3, **limits)
        state = game.new_game(seed=4)
        for _ in range(40):
            if state.is_over:
                break
            action = one.choose(state)
            assert action.id in state.legal_ids(), player
            state.apply(action)


def test_a_player_sees_the_view_alone():
    state = ct.Game("cartagena").new_game(seed=2)
    for draw in range(4):
        other = state.resample(0, draw)
        players = [ct.Player("runme", nodes=300) for _ in range(3)]
        answers = {players[0](state), players[1](state.view()), players[2](other.view())}
        assert len(answers) == 1
    with pytest.raises(ValueError, match="not to move"):
        ct.Player("greedy").choose(state.view(1))


def test_candidates_have_chances_the_best_first():
    state = ct.Game("cartagena").new_game(seed=2)
    player = ct.Player("runme", nodes=2000)
    found = player.candidates(state)
    assert found[0].action == player.choose(state)
    assert {one.action.id for one in found} <= set(state.legal_ids())
    assert all(0 <= one.value <= 1 for one in found)
    assert repr([pickle.loads(pickle.dumps(one)) for one in found]) == repr(found) == repr(copy.deepcopy(found))
    chances = player.evaluate(state)
    assert len(chances) == 2 and sum(chances) == pytest.approx(1)
    with pytest.raises(ValueError, match="does not say"):
        ct.Player("greedy").candidates(state)
    duel = ct.Game("challenge").new_game(seed=2)
    tried = ct.Player("search", game="challenge", worlds=50).candidates(duel)
    assert len(tried) == len(duel.legal_ids())
    assert tried == sorted(tried, key=lambda one: -one.value)
    hearts = ct.Game("hearts").new_game(seed=2)
    search = ct.Player("search", game="hearts", nodes=200)
    while len(hearts.legal_ids()) < 3:
        hearts.apply(hearts.legal_ids()[0])
    assert search.candidates(hearts)[0].action == search.choose(hearts)


@pytest.mark.parametrize("players", [2, 3, 6])
def test_an_evaluation_is_true_whatever_is_left_of_the_turn(players):
    game = ct.Game("cartagena", players=players)
    said, won = {left: [] for left in (1, 2, 3)}, {left: [] for left in (1, 2, 3)}
    # Few games are enough: in each one the winner had about its share of the turns.
    for seed in range(120 // players):
        state, moves, turn = game.new_game(seed=seed), [], 0
        # Finding out how the others play would take most of the time, and changes nothing here.
        player = ct.Player("runme", nodes=1, models=False, seed=seed)
        seat, left = None, 0
        while not state.is_over:
            seat, left = (seat, left - 1) if state.current_player == seat and left > 1 else (state.current_player, 3)
            if len(state.legal_ids()) > 1:
                moves.append((left, seat, player.evaluate(state)[seat]))
            state.apply(player.choose(state).id)
        winner = max(range(players), key=lambda one: state.returns()[one])
        for left_then, mover, chance in moves:
            said[left_then].append(chance)
            won[left_then].append(mover == winner)
    for left in (1, 2, 3):
        mean = sum(said[left]) / len(said[left])
        share = sum(won[left]) / len(won[left])
        assert abs(mean - share) < 0.05, (left, mean, share)


def test_the_lock_is_released_while_a_player_thinks():
    state = ct.Game("cartagena").new_game(seed=2)
    player = ct.Player("runme", nodes=300_000)
    # Two plain choices, then one that takes some tenths of a second.
    for _ in range(2):
        state.apply(player.choose(state))
    calls, seen = [0], threading.Event()

    def think():
        # Again and again, as a busy machine may give the other thread no time during a call.
        while calls[0] < 100 and not seen.is_set():
            calls[0] += 1
            player.choose(state)

    thread = threading.Thread(target=think)
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        thread.start()
        turns, call = 0, 0
        while thread.is_alive() and turns < 30_000:
            turns = turns + 1 if calls[0] == call else 0
            call = calls[0]
    finally:
        seen.set()
        thread.join()
        sys.setswitchinterval(interval)
    # If the lock were held, this loop would turn a few thousand times at most before each call begins.
    assert turns == 30_000


def test_a_search_that_never_ends_can_be_interrupted():
    """In a process of its own, with which the search ends."""
    script = """
import _thread, signal, threading
import contestants as ct

# Also where a shell has put the tests into the background, without SIGINT.
signal.signal(signal.SIGINT, signal.default_int_handler)
state = ct.Game("cartagena").new_game(seed=2)
for call in (ct.Player.choose, ct.Player.candidates):
    player = ct.Player("runme", nodes=10**15)

    def interrupt():
        # Some turns of the other thread, so that the call has most likely begun.
        for _ in range(100_000):
            pass
        _thread.interrupt_main()

    try:
        threading.Thread(target=interrupt).start()
        call(player, state)
    except KeyboardInterrupt:
        print("interrupted")
player = ct.Player("runme", nodes=20)
print(player.choose(state).id in state.legal_ids())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("interrupted\ninterrupted\nTrue\n", 0), done.stderr


def test_who_does_not_exist_is_named():
    with pytest.raises(ValueError, match="no built-in player .*there are runme"):
        ct.Player("nobody", game="cartagena")
    with pytest.raises(ValueError, match="no built-in player .*cartagena has runme.*hearts has search"):
        ct.Player("nobody")
    with pytest.raises(ValueError, match="policy = \"wild\": expected one of .*duck"):
        ct.Player("search", game="hearts", policy="wild")
    with pytest.raises(ValueError, match='runme has no setting "policy"'):
        ct.Player("runme", policy="duck")
    with pytest.raises(ValueError, match="no setting"):
        ct.Player("runme", speed=3)
    with pytest.raises(ValueError, match="asked about hearts"):
        ct.Player("runme", game="cartagena").choose(ct.Game("hearts").new_game(seed=1))
    with pytest.raises(TypeError):
        ct.Player("greedy").choose("state")


def first(view):
    """The first legal action."""
    return view.legal_actions()[0]


def test_a_match_is_blocks_of_one_deal():
    game = ct.Game("cartagena", max_turns=100)
    seen = []

    def watcher(view):
        assert view.current_player == view.seat and view.game == game
        seen.append(view.seat)
        return view.legal_ids()[-1]

    result = ct.match(game, {"greedy": ct.Player("greedy"), "watcher": watcher}, 6, seed=2, record=True)
    assert (result.games, result.blocks, len(result.records)) == (6, 3, 6)
    assert set(seen) == {0, 1}
    assert [row["label"] for row in result.rows] == ["greedy", "watcher"]
    assert sum(row["share"] for row in result.rows) == pytest.approx(1)
    assert result.share("greedy") > 0.5 and "greedy" in str(result)
    for one, two in zip(result.records[::2], result.records[1::2]):
        assert one["hands"] == two["hands"] and one["board"] == two["board"]
        assert one["players"] == two["players"][::-1]
        ct.check_record(one)
    again = ct.match(game, [ct.Player("greedy"), watcher], 6, seed=2, jobs=2, record=True)
    results = [record["result"] for record in again.records]
    assert results == [record["result"] for record in result.records]


def test_matches_of_all_games_are_recorded():
    for name in ct.GAMES:
        game = ct.Game(name)
        seats = [first] + [ct.Player("random", game=name)] * (game.players - 1)
        result = ct.match(game, seats, 1, record=True)
        assert result.games == result.blocks * game.players
        for record in result.records:
            assert ct.State.from_record(record).is_over


def test_what_a_function_does_wrong_is_told():
    game = ct.Game("hearts")
    others = {f"p{n}": ct.Player("duck") for n in range(3)}
    with pytest.raises(ValueError, match="wrong, game 1-1-1: .*99"):
        ct.match(game, {"wrong": lambda view: 99, **others}, 4)

    def failing(view):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        ct.match(game, {"failing": failing, **others}, 4)
    with pytest.raises(ValueError, match="2 participants for 4 seats"):
        ct.match(game, [first, first], 4)


def test_a_tournament_rates():
    players = {"need": ct.Player("need"), "plain": ct.Player("plain"), "first": first}
    result = ct.tournament(ct.Game("challenge"), players, 60, seed=3)
    assert len(result.line_ups) == 3 and sum(one.games for one in result.line_ups) == 180
    assert result.ratings[0]["label"] == "need"
    assert "need" in str(result)
