#!/usr/bin/env python3
"""A player of Cartagena that stays and looks one action ahead, through the package `contestants`
(docs/python.md): it takes the action after which the network likes the game best, on average over some
games that look the same to it.

To enter a contest with it, call it `runme`, make it executable, and put a file `participant.toml` with
the line `stays = true` beside it. Python must find the package.
"""

import sys

import contestants as ct

WORLDS = 8
JUDGE = ct.Player("runme", nodes=1)


def worth(view, action):
    """How much an action is worth: the mean chance to win after it."""
    total = 0.0
    for draw in range(WORLDS):
        after = view.sample(draw).apply(action.id)
        if after.is_over:
            return 2.0  # It wins.
        total += JUDGE.evaluate(after)[view.seat]
    return total / WORLDS


def answer(text):
    """The line for an input."""
    state = ct.Game.from_text(text, seed=0)  # With a seed the package draws the cards of a retreat.
    if state.is_over:
        return ""
    view = state.view()
    best = max(view.legal_actions(), key=lambda action: worth(view, action))
    return "" if best.text == "pass" else best.text


def main():
    lines = []
    for line in sys.stdin:
        if line.strip():
            lines.append(line)
        elif lines:
            print(answer("".join(lines)), flush=True)
            lines = []
    # The last input may end with the stream, as it does for a program that is started for every action.
    if lines:
        print(answer("".join(lines)), flush=True)


if __name__ == "__main__":
    main()
