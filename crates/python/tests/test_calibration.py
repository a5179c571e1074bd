"""Values of `Player.evaluate` in games of strangers.

The network has learnt from its own games, so it believes that all play as it does. Strangers do not: after its own turn's
first actions a stranger has less than the network expects, and a lead that the network holds for won is lost more often.
docs/measurements/python.md says how much; here the values stay within that.
"""

import numpy as np
import pytest

import contestants as ct
from strangers import table

GAMES = 200
#: The part of the positions that is valued.
SHARE = 0.25
#: The largest difference between mean value and share won of any number of players, by the actions left: measured over
#: 1,500 games for each number of players.
MEASURED = {1: 0.053, 2: 0.028, 3: 0.033}
#: The tolerance beyond it, in standard errors. The test has fixed seeds, so it fails by a change alone.
ERRORS = 4


def valued(players):
    """Positions of games of strangers: game, actions left, the mover's value, and whether the mover has won."""
    game = ct.Game("cartagena", players=players)
    player = ct.Player("runme", nodes=1)
    rows = []
    for number in range(GAMES):
        rng = np.random.default_rng([7, players, number])
        state, seats, asked = game.new_game(seed=number), table(game, rng), []
        seat = left = None
        while not state.is_over:
            mover = state.current_player
            left = left - 1 if mover == seat and left > 1 else 3
            seat = mover
            if rng.random() < SHARE and len(state.legal_ids()) > 1:
                asked.append((left, mover, player.evaluate(state)[mover]))
            state.apply(seats[mover].choose(state))
        if not state.is_stopped:
            winner = int(np.argmax(state.returns()))
            rows += [(number, left, value, mover == winner) for left, mover, value in asked]
    return np.array(rows, float)


def bias(rows):
    """Mean value less share won, and its standard error. The positions of one game are no independent ones, so the error
    is from the spread of games."""
    difference = rows[:, 2] - rows[:, 3]
    mean, games = difference.mean(), rows[:, 0].astype(int)
    by_game = np.bincount(games, difference - mean, minlength=GAMES)
    return mean, np.sqrt((by_game**2).sum()) / len(rows)


@pytest.mark.parametrize("players", range(2, 7))
def test_values_of_strangers_games_are_in_order_and_nearly_true(players):
    rows = valued(players)
    for left, measured in MEASURED.items():
        mean, error = bias(rows[rows[:, 1] == left])
        # With 200 games the standard error is about 0.01.
        assert error < 0.015
        assert abs(mean) < measured + ERRORS * error, (left, mean, error)
    # Fifths of the positions by value: a higher value has won more often.
    order = rows[rows[:, 2].argsort()]
    shares = [fifth[:, 3].mean() for fifth in np.array_split(order, 5)]
    assert shares == sorted(shares) and shares[-1] - shares[0] > 0.3, shares
