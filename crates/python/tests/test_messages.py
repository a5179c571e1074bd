"""Errors name the argument, its value as Python writes it, and what was expected."""

import re

import numpy as np
import pytest

import contestants as ct

CARTAGENA = ct.Game("cartagena", max_turns=4)
GREEDY, RANDOM = ct.Player("greedy"), ct.Player("random", game="cartagena")


def begun():
    return CARTAGENA.new_game(seed=1)


def match(**options):
    return ct.match(CARTAGENA, [GREEDY, RANDOM], **options)


WRONG = [
    (lambda: ct.Game("cartagena", players=3.0), TypeError, "players = 3.0: expected a whole number, 0 or more"),
    (lambda: ct.Game("cartagena", players=float("nan")), TypeError, "players = nan: expected a whole number"),
    (lambda: ct.Game("cartagena", players="three"), TypeError, "players = 'three': expected a whole number"),
    (lambda: ct.Game("cartagena", players=True), TypeError, "players = True: expected a whole number"),
    (lambda: ct.Game("cartagena", players=None), TypeError, "players = None: expected a whole number"),
    (lambda: ct.Game("cartagena", players=-1), ValueError, "players = -1: expected a whole number, 0 or more"),
    (lambda: ct.Game("cartagena", players=2**70), ValueError, f"players = {2**70}: expected a whole number"),
    (lambda: ct.Game("cartagena", early_pass=1), TypeError, "early_pass = 1: expected True or False"),
    (lambda: ct.Game("cartagena", board=["h"]), TypeError, r"board = \['h'\]: expected a text or None"),
    (lambda: ct.Game("challenge", lead_after_tie=2), TypeError, "lead_after_tie = 2: expected a text"),
    (lambda: ct.Game("challenge", goal=256), ValueError, "goal = 256: expected 1 to 10"),
    (lambda: ct.Game("challenge", max_hands=2**40), ValueError, f"max_hands = {2**40}: expected 1 to 10000"),
    (lambda: ct.Game("challenge", lead_after_tie="x"), ValueError, 'lead_after_tie = "x": .*expected `opener`'),
    (lambda: ct.Game("cartagena", max_turns=2**40), ValueError, f"max_turns = {2**40}: expected 1 to 10000"),
    (lambda: ct.Player("runme", memory=0), ValueError, "memory=0: expected True or False"),
    (lambda: GREEDY.evaluate(begun()), ValueError, "greedy has no evaluation to ask"),
    (lambda: ct.Player("runme", nodes=20.0), ValueError, "nodes=20.0: expected a whole number, 0 or more"),
    (lambda: ct.Player("runme", nodes=None), TypeError, "nodes = None: expected a number, a text, True or False"),
    (lambda: ct.Player("search", game="hearts", blind="yes"), TypeError, "blind = 'yes': expected True or False"),
    (lambda: GREEDY.choose("x"), TypeError, "expected a State or a View, not str"),
    (lambda: begun().apply(None), TypeError, "action = None: expected an Action, its number, or its words"),
    (lambda: begun().apply(1.5), TypeError, "action = 1.5: expected an Action"),
    (lambda: begun().apply(2**70), ValueError, f"action = {2**70}: expected an Action"),
    (lambda: begun().id_to_text(300), ValueError, "action 300 is not legal here"),
    (lambda: begun().id_to_text(-1), ValueError, "action -1 is not legal here"),
    (lambda: ct.Action(300, "x"), ValueError, "id = 300: expected a whole number from 0 to 255"),
    (lambda: ct.State.from_record({}, actions=-1), ValueError, "actions = -1: expected a whole number, 0 or more"),
    (lambda: ct.State.from_record({}, round=0), ValueError, "round = 0: expected None"),
    (lambda: ct.loads(b"x"), ValueError, "not a stored game"),
    (lambda: ct.Batch(CARTAGENA, "3"), TypeError, "games = '3': expected a whole number of at least 1"),
    (lambda: ct.Batch(CARTAGENA, 2**40), ValueError, f"games = {2**40}: expected 1 to {2**22}"),
    (lambda: ct.Batch(CARTAGENA, 1).step(np.full(1, 2**63, np.uint64)), ValueError, f"{2**63} is no action"),
    (lambda: match(games=0), ValueError, "games = 0: expected a whole number of at least 1"),
    (lambda: match(games=2, jobs=0), ValueError, "jobs = 0: expected a whole number of at least 1"),
    (lambda: ct.one_hot(CARTAGENA, np.zeros(3)), ValueError, r"shape \(3,\): expected 65 numbers"),
    (lambda: ct.one_hot(CARTAGENA, np.full(65, 200)), ValueError, "beyond those of game.highest"),
]


@pytest.mark.parametrize("call, error, told", WRONG, ids=lambda part: part if isinstance(part, str) else "")
def test_an_argument_that_is_none_is_named(call, error, told):
    with pytest.raises(error, match=told):
        call()


class Number:
    """A number whose value is found by a function."""

    def __init__(self, value):
        self.value = value

    def __index__(self):
        return self.value()


def test_what_a_number_raises_comes_out():
    def failing():
        raise KeyError("mine")

    calls = [
        lambda number: begun().apply(number),
        lambda number: begun().view(number),
        lambda number: CARTAGENA.new_game(seed=number),
        lambda number: ct.Batch(CARTAGENA, number),
    ]
    for call in calls:
        with pytest.raises(KeyError, match="mine"):
            call(Number(failing))


def test_a_number_may_use_the_game_that_it_is_for():
    state, player = begun(), ct.Player("greedy")
    action = player.choose(state).id
    state.apply(Number(lambda: player.choose(state).id))
    assert [id for seat, id in state.history() if seat >= 0] == [action]


def test_numbers_and_truths_of_numpy_are_values_of_options_and_settings():
    game = ct.Game("cartagena", players=np.int32(3), max_turns=np.uint8(9), early_pass=np.bool_(True))
    assert (game.players, game.options["max_turns"], game.options["early_pass"]) == (3, 9, True)
    player = ct.Player("search", game="hearts", nodes=np.int64(20), blind=np.bool_(True))
    assert repr(player) == 'Player("search", nodes=20, blind=True, seed=1)'


def test_a_setting_may_have_a_comma(tmp_path):
    """Such as the name of a folder. A comma separates settings on a command line alone."""
    folder = tmp_path / "one, two"
    with pytest.raises(ValueError, match=re.escape(str(folder))):
        ct.Player("runme", game="cartagena", network=folder)


def test_a_function_that_raises_stop_iteration_is_named():
    """The exception must not end a loop of the caller without a word."""

    def empty(view):
        return next(iter([]))

    with pytest.raises(RuntimeError, match="a player's function raised StopIteration") as raised:
        ct.match(CARTAGENA, [empty, GREEDY], 2)
    assert isinstance(raised.value.__cause__, StopIteration)


def test_help_shows_defaults():
    """`help` would show an ellipsis for a default that Rust does not write as Python does."""
    for thing in (ct.Batch, ct.Batch.afterstates, ct.State.afterstates, ct.View.afterstates):
        assert "observation='plain'" in thing.__text_signature__, thing
    for thing in (ct.Game, ct.Batch, ct.State, ct.View, ct.Player):
        for member in vars(thing).values():
            assert "Ellipsis" not in (getattr(member, "__text_signature__", None) or ""), member
