"""The smallest program for Cartagena that stays: it answers every question that its input holds.

It advances the pirate farthest back by its first card; without cards it retreats the foremost that can.
"""

import sys
from itertools import chain

PIRATES = 6


def answer(lines):
    """The action for a game so far; an empty line ends the turn."""
    board = lines[1 : lines.index("boat") + 1]  # the symbol of every place, from the cell on
    boat = len(board) - 1
    pirates = {player: [0] * PIRATES for player in range(1, int(lines[0]) + 1)}
    rest = [line.split() for line in lines[1 + len(board) :]]
    while len(rest[0]) > 1:  # a move; its card is gone
        player, start, end = map(int, rest.pop(0)[:3])
        pirates[player].remove(start)
        pirates[player].append(end)
    player, hand = int(rest[0][0]), [card for (card,) in rest[1:]]
    if any(min(places) == boat for places in pirates.values()):
        return ""  # the game is over
    standing = [place for places in pirates.values() for place in places]
    own = sorted(pirates[player])
    if hand:
        # The first empty space ahead with the card's symbol, else the boat.
        free = (place for place in range(own[0] + 1, boat) if board[place] == hand[0] and place not in standing)
        return f"{player} {own[0]} {next(free, boat)} {hand[0]}"
    for start in reversed(own):
        # The nearest space behind with one or two pirates.
        for end in range(start - 1, 0, -1):
            if 1 <= standing.count(end) <= 2:
                return f"{player} {start} {end}"
    return ""


lines = []
for line in chain(sys.stdin, [""]):
    if line.strip():
        lines.append(line.strip())
    elif lines:
        print(answer(lines), flush=True)
        lines = []
