"""Games and helpers for several tests."""

import os
import random
from pathlib import Path

import pytest

import contestants as ct

# The tests use the checkout's tables, wherever the package is installed.
os.environ.setdefault("CONTESTANTS_TABLES", str(Path(__file__).resolve().parents[3] / "support"))

#: Games with options of interest, short ones.
OPTIONS = [
    ("cartagena", {"max_turns": 30}),
    ("cartagena", {"players": 3, "deal": 6, "board": "hgkbds" * 3, "early_pass": True, "max_turns": 30}),
    ("challenge", {"goal": 3}),
    ("challenge", {"goal": 1, "cards": 2, "ranks": 3, "copies": 2}),
    ("eights", {"dealer": 1}),
    ("hearts", {}),
    ("hearts", {"players": 3}),
    ("hearts", {"players": 4, "passing": "right", "clean_first_trick": False}),
    ("cartagena", {"players": 3, "pirates": 4, "open_hands": True, "max_turns": 30, "deal": 3}),
]


@pytest.fixture(params=OPTIONS, ids=lambda one: f"{one[0]}-{len(one[1])}")
def game(request):
    """Every game."""
    name, options = request.param
    return ct.Game(name, **options)


@pytest.fixture
def play():
    """A function that plays at random until a game is over, or until `events` events have been added."""

    def played(state, rng=None, events=None):
        rng = rng or random.Random(1)
        while not state.is_over and events != 0:
            if state.is_chance:
                ids, chances = zip(*state.chance_outcomes())
                state.apply(rng.choices(ids, chances)[0])
            else:
                state.apply(rng.choice(state.legal_ids()))
            events = None if events is None else events - 1
        return state

    return played
