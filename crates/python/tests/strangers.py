"""Players of Cartagena that the network has never met: no training, hypothesis or choice of parameters has seen them.

A stranger takes the action after which a weighted sum of a few numbers is largest. Its manner gives the weights, and each
game disturbs them by noise.
"""

import numpy as np

#: For each manner the weights of the own pirates' progress, of the rearmost pirate's place, of the cards in hand up to a
#: number, of own pirates on spaces with others' pirates, and of the distance between the first and the last own pirate.
MANNERS = {
    "sprinter": (1.0, 0.1, 0.4, 4, 0.0, 0.0),
    "hoarder": (0.45, 0.5, 3.0, 9, 0.0, -0.05),
    "blocker": (0.6, 0.6, 1.4, 6, 1.5, -0.3),
}


class Stranger:
    """One player of a manner, with a seat's noise."""

    def __init__(self, game, manner, rng):
        self.game = game
        *weights, self.enough, beside, spread = MANNERS[manner]
        self.weights = np.array([*weights, beside, spread]) * np.exp(rng.normal(0, 0.3, 5))
        self.rng = rng

    def choose(self, state):
        """The number of the action that it takes."""
        ids, seen, ended = state.afterstates()
        pirates = seen[:, self.game.slices["pirates"]].astype(int)
        own, others = pirates[:, :6], pirates[:, 6:]
        boat = self.game.slices["board"].stop + 1
        cards = np.minimum(seen[:, self.game.slices["hand_sizes"].start], self.enough)
        beside = ((own[:, :, None] == others[:, None, :]).any(axis=2) & (own > 0) & (own < boat)).sum(axis=1)
        rear = own.min(axis=1)
        worth = np.stack([own.sum(axis=1) / 3, rear / 2, cards, beside, own.max(axis=1) - rear], axis=1) @ self.weights
        # The action that wins is better than any other; equal ones are drawn.
        worth += np.where(np.isnan(ended), 0, 1e6) + self.rng.random(len(ids)) / 1e3
        return int(ids[worth.argmax()])


def table(game, rng):
    """A stranger for every seat: manners are drawn, and so is the noise."""
    return [Stranger(game, rng.choice(list(MANNERS)), rng) for _ in range(game.players)]
