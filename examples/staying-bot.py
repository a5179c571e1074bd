#!/usr/bin/env python3
"""The same player as minimal-bot.py, as a program that stays: it is started once a game and asked again
and again. An input ends with an empty line, and its answer is one line, an empty one to end the turn.

To enter a contest with it, call it `runme`, make it executable, and put `minimal_bot.py` (the other
example) and a file `participant.toml` with the line `stays = true` beside it.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from minimal_bot import answer  # noqa: E402


def questions():
    """Every input until there are no more."""
    lines = []
    for line in sys.stdin:
        if line.strip():
            lines.append(line)
        elif lines:
            yield "".join(lines)
            lines = []
    # The last input may end with the stream, as it does for a program that is started for every action.
    if lines:
        yield "".join(lines)


def main():
    for text in questions():
        print(answer(text), flush=True)


if __name__ == "__main__":
    main()
