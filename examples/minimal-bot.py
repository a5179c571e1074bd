#!/usr/bin/env python3
"""The smallest sensible contestant for Cartagena: reads the game so far from standard input and
prints one legal action.

It plays the longest jump; with fewer than three cards it retreats where it draws most. To enter a
contest with a bot like this, call it `runme` and make it executable. The interface and the rules
are in docs/rules/cartagena.md.
"""

import sys

SYMBOLS = {"bottle", "dagger", "gun", "hat", "keys", "skull"}
PIRATES = 6
MOST_ON_A_SPACE = 3  # pirates


def read(text):
    """The board, everyone's pirates, the player to move and that player's hand."""
    lines = [line.lower().split() for line in text.splitlines() if line.strip()]
    players = int(lines[0][0])
    board = []  # the symbol of every place, from the cell (0) to the boat (the last)
    rest = iter(lines[1:])
    for (name,) in rest:
        board.append("keys" if name == "key" else name)
        if name == "boat":
            break
    pirates = {player: [0] * PIRATES for player in range(1, players + 1)}
    for line in rest:
        if len(line) == 1:  # after the moves: who is to move, then a card a line
            return board, pirates, int(line[0]), [card for (card,) in rest]
        # A move. If it names a card, that does not matter here: the card has been played.
        player, start, end = map(int, line[:3])
        pirates[player].remove(start)
        pirates[player].append(end)
    raise ValueError("the input ends before the player to move")


def legal_actions(board, pirates, player, hand):
    """Every action as (from, to, card); a retreat has no card."""
    boat = len(board) - 1
    standing = [0] * len(board)  # how many pirates stand at each place
    for places in pirates.values():
        for place in places:
            standing[place] += 1
    for start in sorted(set(pirates[player])):
        if start != boat:
            for card in sorted(set(hand)):
                # The first empty space ahead with the card's symbol, else the boat.
                ahead = range(start + 1, boat)
                free = (p for p in ahead if board[p] == card and standing[p] == 0)
                yield start, next(free, boat), card
        # The nearest space behind that holds one or two pirates, anyone's; never the cell.
        behind = range(start - 1, 0, -1)
        target = next((p for p in behind if 0 < standing[p] < MOST_ON_A_SPACE), None)
        if target is not None:
            yield start, target, None


def choose(board, pirates, player, hand):
    """An action, or None if there is none."""
    boat = len(board) - 1
    everywhere = [place for places in pirates.values() for place in places]
    last = pirates[player].count(boat) == PIRATES - 1

    def worth(action):
        start, end, card = action
        if card is not None:
            wins = last and end == boat
            return (3 if wins else 1, end - start)
        # With few cards collect more: as many as can be had, for the fewest steps back.
        drawn = everywhere.count(end)
        return (2 if len(hand) < 3 else 0, 100 * drawn - (start - end))

    return max(legal_actions(board, pirates, player, hand), key=worth, default=None)


def answer(text):
    """The line that answers an input; an empty one ends the turn, or says that the game is over."""
    board, pirates, player, hand = read(text)
    hand = ["keys" if card == "key" else card for card in hand]
    unknown = set(hand) - SYMBOLS
    if unknown:
        sys.exit(f"not a card: {', '.join(sorted(unknown))}")
    boat = len(board) - 1
    is_over = any(set(places) == {boat} for places in pirates.values())
    action = None if is_over else choose(board, pirates, player, hand)
    if action is None:
        return ""
    start, end, card = action
    return " ".join(map(str, [player, start, end, *([card] if card else [])]))


def main():
    line = answer(sys.stdin.read())
    if line:
        print(line)


if __name__ == "__main__":
    main()
