"""Cartagena against the same rules in plain Python."""

import os
import random

import contestants as ct
from reference import SYMBOLS, Cartagena

#: The number of steps compared. With more time, use a million (docs/measurements/python.md).
STEPS = int(os.environ.get("CONTESTANTS_ORACLE_STEPS", "20000"))
NAMES = {"b": "bottle", "d": "dagger", "g": "gun", "h": "hat", "k": "keys", "s": "skull"}


def names(cards):
    return [NAMES[symbol] for symbol in SYMBOLS for _ in range(cards[symbol])]


def compare(plain, state):
    seen = state.to_dict()
    assert [sorted(pirates) for pirates in plain.pirates] == seen["pirates"]
    assert names(plain.discards) == seen["discards"]
    assert sum(plain.pile.values()) == seen["pile"]
    assert plain.legal() == state.legal_ids()
    assert plain.to_move == seen["to_move"] and plain.turns == seen["turns"]
    assert [names(hand) for hand in plain.hands] == seen["hands"]
    assert plain.is_over() == state.is_over and plain.winner() == seen["winner"]


def test_a_plain_game_is_the_same_game():
    rng = random.Random(2)
    steps, games, reshuffles = 0, 0, 0
    while steps < STEPS:
        players, deal = rng.randrange(2, 6), rng.choice([3, 6])
        board = "".join(rng.choice(SYMBOLS) for _ in range(rng.choice([6, 18, 36, 70])))
        plain = Cartagena(board, players, deal, max_turns=300)
        game = ct.Game("cartagena", players=players, deal=deal, board=board, max_turns=300)
        state = game.new_game()
        games += 1
        while not plain.is_over():
            steps += 1
            if plain.drawing:
                cards = plain.outcomes()
                ids, chances = zip(*state.chance_outcomes())
                assert [SYMBOLS[id] for id in ids] == list(cards)
                total = sum(cards.values())
                assert all(abs(c - n / total) < 1e-9 for c, n in zip(chances, cards.values()))
                symbol = rng.choices(list(cards), list(cards.values()))[0]
                reshuffles += not any(plain.pile.values())
                plain.draw(symbol)
                state.apply(SYMBOLS.index(symbol))
            else:
                action = rng.choice(plain.legal())
                plain.act(action)
                state.apply(action)
            if not plain.drawing:
                compare(plain, state)
        compare(plain, state)
        assert state.is_over
    assert games > 3 and reshuffles > 0
