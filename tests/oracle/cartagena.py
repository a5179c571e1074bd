#!/usr/bin/env python3
"""Audits `runme`: random games of Cartagena to random positions, by rules of its own.

    python3 tests/oracle/cartagena.py --bin target/release [--seed N] [--games POSITIONS]
"""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import Checks, GUARD, arguments, environment, rng  # noqa: E402

SYMBOLS = ["bottle", "dagger", "gun", "hat", "keys", "skull"]
PIRATES = 6


class Game:
    """The board and its pirates: which actions are possible, given a hand. `Dealt` adds the cards."""

    def __init__(self, players, board):
        self.players = players
        self.board = board  # board[i] is the symbol of space i + 1
        self.boat = len(board) + 1
        self.pirates = [[0] * PIRATES for _ in range(players)]

    def on(self, space):
        return sum(own.count(space) for own in self.pirates)

    def advance(self, start, symbol):
        """The place to which this card takes a pirate from `start`."""
        for space in range(start + 1, self.boat):
            if self.board[space - 1] == symbol and self.on(space) == 0:
                return space
        return self.boat

    def retreat(self, start):
        """The place to which a pirate from `start` retreats, or None."""
        for space in range(min(start, self.boat) - 1, 0, -1):
            if self.on(space) in (1, 2):
                return space
        return None

    def actions(self, player, hand):
        """All actions: (from, to, card), without a card for a retreat."""
        found = set()
        if self.won():
            return found
        for start in set(self.pirates[player]):
            if start < self.boat:
                for card in set(hand):
                    found.add((start, self.advance(start, card), card))
            back = self.retreat(start)
            if back is not None:
                found.add((start, back, None))
        return found

    def move(self, player, start, to):
        """Moves a pirate. Returns how many pirates stood at its goal before."""
        stood = self.on(to)
        own = self.pirates[player]
        own[own.index(start)] = to
        return stood

    def won(self):
        return any(all(at == self.boat for at in own) for own in self.pirates)


class Dealt(Game):
    """A game with its cards."""

    def __init__(self, players, board, deal, random_numbers):
        super().__init__(players, board)
        self.rng = random_numbers
        self.pile = [symbol for symbol in SYMBOLS for _ in range(17)]
        self.rng.shuffle(self.pile)
        self.discards = []
        self.shuffles = 0
        self.hands = [[self.pile.pop() for _ in range(deal)] for _ in range(players)]
        self.history = []
        self.turn = 0
        self.taken = 0  # actions of this turn

    def draw(self, player):
        if not self.pile and self.discards:
            self.pile, self.discards = self.discards, []
            self.rng.shuffle(self.pile)
            self.shuffles += 1
        if self.pile:
            self.hands[player].append(self.pile.pop())

    def act(self, action):
        start, to, card = action
        stood = self.move(self.turn, start, to)
        if card is None:
            for _ in range(stood):
                self.draw(self.turn)
        else:
            self.hands[self.turn].remove(card)
            self.discards.append(card)
        self.history.append((self.turn, start, to, card))
        self.taken += 1
        if self.taken == 3 and not self.won():
            self.end_turn()

    def end_turn(self):
        self.turn = (self.turn + 1) % self.players
        self.taken = 0


def random_game(random_numbers):
    """A game after some random actions. Boards, deals and habits differ from game to game, so that all kinds of
    positions come up."""
    r = random_numbers
    players = r.randint(2, 6)
    spaces = r.choice([36, 36, r.randint(1, 12), r.randint(1, 126), 126])
    kinds = SYMBOLS if r.random() < 0.7 else r.sample(SYMBOLS, r.randint(1, 6))
    if spaces == 36 and r.random() < 0.7:
        board = [symbol for _ in range(6) for symbol in r.sample(SYMBOLS, 6)]
    else:
        board = [r.choice(kinds) for _ in range(spaces)]
    game = Dealt(players, board, r.choice([3, 3, 6]), r)
    retreats, stops = r.choice([0.2, 0.5, 0.55, 0.8]), r.choice([0.0, 0.1, 0.5])
    for _ in range(r.choice([r.randint(0, 12), r.randint(0, 120), r.randint(100, 500)])):
        actions = sorted(game.actions(game.turn, game.hands[game.turn]), key=repr)
        if game.won():
            # Reached by few games: most stop below, before the action that wins, so that the program is asked for
            # it.
            break
        if not actions:
            # It may happen that no player has a legal action; then the game cannot go on.
            if all(not game.actions(p, game.hands[p]) for p in range(players)):
                break
            game.end_turn()
            continue
        if game.taken and r.random() < stops:
            game.end_turn()
            continue
        back = [a for a in actions if a[2] is None]
        forth = [a for a in actions if a[2] is not None]
        wanted = back if back and (not forth or r.random() < retreats) else forth
        if wanted is back:
            # Any pirate may retreat, so that crowds and empty spaces form.
            action = r.choice(back)
        else:
            action = r.choice(forth) if r.random() < 0.7 else min(forth, key=lambda a: a[0])
        last = game.pirates[game.turn].count(game.boat) == PIRATES - 1
        if last and action[1] == game.boat and r.random() < 0.6:
            break
        game.act(action)
    return game


def text_of(game, random_numbers):
    """The contest's text, in one of the forms that are to be read."""
    r = random_numbers
    odd = r.random() < 0.6
    omit = r.choice([0.0, 0.5, 1.0])
    lines = [str(game.players), "cell", *game.board, "boat"]
    for player, start, to, card in game.history:
        if card is not None and to != game.boat and r.random() < omit:
            card = None
        lines.append(f"{player + 1} {start} {to}" + (f" {card}" if card else ""))
    lines.append(str(game.turn + 1))
    hand = list(game.hands[game.turn])
    r.shuffle(hand)
    lines += hand
    if not odd:
        return "\n".join(lines) + "\n"
    upper, key, blanks, empty = (r.random() < 0.4 for _ in range(4))
    end = r.choice(["\n", "\r\n"])
    text = ""
    for line in lines:
        if key and r.random() < 0.5:
            line = line.replace("keys", "key")
        if upper:
            line = r.choice([line, line.upper(), line.title()])
        if blanks:
            line += r.choice(["", " ", "  ", "\t"])
        text += line + end
        if empty and r.random() < 0.1:
            text += end
    return text.rstrip("\r\n") if r.random() < 0.3 else text


class Unreadable(Exception):
    pass


def read(text):
    """Reads a text that may be damaged: (game, player, hand, fits). `fits`: every move was possible, and turns were in
    order. Raises `Unreadable` unless every reader would read the text in this way."""
    words = [line.split() for line in text.lower().split("\n")]
    words = [line for line in words if line]

    def number(word):
        if not re.fullmatch(r"[0-9]{1,4}", word):
            raise Unreadable(word)
        return int(word)

    try:
        if len(words[0]) != 1 or words[1] != ["cell"] or not 2 <= number(words[0][0]) <= 6:
            raise Unreadable("the beginning")
        players = number(words[0][0])
        boat = words.index(["boat"])
        board = []
        for line in words[2:boat]:
            symbol = "keys" if line == ["key"] else line[0]
            if len(line) != 1 or symbol not in SYMBOLS:
                raise Unreadable(line)
            board.append(symbol)
        if not 1 <= len(board) <= 126:
            raise Unreadable("the board's length")
        game = Game(players, board)
        at = boat + 1
        fits, previous, run = True, None, 0
        while len(words[at]) in (3, 4):
            player, start, to = (number(word) for word in words[at][:3])
            player -= 1
            card = words[at][3] if len(words[at]) == 4 else None
            card = "keys" if card == "key" else card
            if card is not None and card not in SYMBOLS or not 0 <= player < players:
                raise Unreadable(words[at])
            fits = fits and not game.won() and start in game.pirates[player] and 0 <= to <= game.boat
            if fits and to > start:
                symbol = board[to - 1] if to < game.boat else card
                fits = symbol is not None and card in (None, symbol) and game.advance(start, symbol) == to
            elif fits:
                fits = card is None and game.retreat(start) == to
            if fits:
                game.move(player, start, to)
            run = run + 1 if player == previous else 1
            # A longer run is possible only if the others could do nothing, which the history does not show: then only
            # the form of the answer can be judged.
            fits = fits and run <= 3
            previous = player
            at += 1
        if len(words[at]) != 1:
            raise Unreadable(words[at])
        player = number(words[at][0]) - 1
        if not 0 <= player < players:
            raise Unreadable("the player")
        hand = []
        for line in words[at + 1:]:
            symbol = "keys" if line == ["key"] else line[0]
            if len(line) != 1 or symbol not in SYMBOLS:
                raise Unreadable(line)
            hand.append(symbol)
        return game, player, hand, fits
    except (IndexError, ValueError) as error:
        raise Unreadable(str(error)) from None


def call(given, text, random_numbers, *more):
    """Runs the program on bytes: (arguments, status, output, errors); no status if it hung."""
    r = random_numbers
    budget = ["--time", "0.03"] if r.random() < 0.25 else ["--nodes", str(r.choice([1, 50, 400]))]
    options = [*budget, "--threads", r.choice(["1", "2"]), "--seed", str(r.randint(1, 99)), *more]
    command = [os.path.join(given.bin, "runme"), *options]
    try:
        done = subprocess.run(command, input=text, capture_output=True, timeout=GUARD,
                              env=environment(RUNME_SUPPORT="none"))
        return options, done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired as hung:
        return options, None, hung.stdout, hung.stderr


def answer_is_legal(answer, player, actions):
    """Whether the output is one of the actions, or empty because there is none. If `actions` is None, only the form of
    the output counts."""
    if answer == b"":
        return not actions
    found = re.fullmatch(rb"([1-6]) ([0-9]+) ([0-9]+)(?: ([a-z]+))?\n", answer)
    if not found or int(found[1]) != player + 1:
        return False
    card = found[4].decode() if found[4] else None
    action = (int(found[2]), int(found[3]), card)
    if actions is None:
        return card in (None, *SYMBOLS)
    return action in actions


def positions(checks, given):
    """Audits the program's answers to inputs that a contest would send."""
    seen = {"reshuffled": 0, "over": 0, "nothing legal": 0}
    for number in range(given.games):
        r = rng(checks.seed, "position", number)
        game = random_game(r)
        text = text_of(game, r).encode()
        actions = game.actions(game.turn, game.hands[game.turn])
        seen["reshuffled"] += game.shuffles > 0
        seen["over"] += game.won()
        seen["nothing legal"] += not actions and not game.won()
        # These games keep all rules: `--strict` refuses none of them.
        options, status, output, errors = call(given, text, r, *r.choice([[], ["--strict"]]))
        about = dict(position=number, options=options, input=text, answer=output, stderr=errors)
        checks.check(status == 0, "exit status 0", **about, status=status)
        checks.check(answer_is_legal(output, game.turn, actions), "a legal action", **about,
                     expected=sorted(map(repr, actions)))
    print(", ".join(f"{count} {name}" for name, count in seen.items()) + f" of {given.games} positions")


def spoil(text, random_numbers):
    """The text, cut off or with changed bytes."""
    r = random_numbers
    kind = r.choice(["cut", "byte", "bytes", "lines", "delete", "noise"])
    data = bytearray(text)
    if kind == "cut":
        return bytes(data[:r.randrange(len(data))])
    if kind == "noise":
        return bytes(r.randrange(256) for _ in range(r.randrange(60)))
    if kind == "lines":
        lines = bytes(data).split(b"\n")
        a, b = r.randrange(len(lines)), r.randrange(len(lines))
        lines[a], lines[b] = lines[b], lines[a]
        return b"\n".join(lines)
    for _ in range(1 if kind == "byte" else r.randint(1, 5)):
        at = r.randrange(len(data))
        if kind == "delete":
            del data[at]
        else:
            data[at] = r.choice([r.randrange(256), ord(r.choice("0123456789 \nk"))])
    return bytes(data)


def spoilt(checks, given):
    """Audits inputs that a broken harness would send: the program names the place of the error, or answers with a legal
    action."""
    errors_seen = 0
    count = max(1, given.games // 3)
    for number in range(count):
        r = rng(checks.seed, "spoilt", number)
        text = spoil(text_of(random_game(r), r).encode(), r)
        options, status, output, errors = call(given, text, r)
        about = dict(number=number, options=options, input=text, answer=output, stderr=errors, status=status)
        if not checks.check(status in (0, 2), "an answer or exit status 2", **about):
            continue
        try:
            # This reader takes carriage returns for blanks; the program may see an error in a stray one.
            game, player, hand, fits = read(text.decode("ascii"))
        except (Unreadable, UnicodeDecodeError):
            game = None
        if status == 2:
            errors_seen += 1
            checks.check(output == b"" and re.search(rb"line [0-9]+, column [0-9]+", errors) is not None,
                         "an error with line and column, and no output", **about)
            if game and fits and b"\r" not in text:
                checks.check(False, "a readable position is answered", **about)
        elif game and fits:
            actions = game.actions(player, hand)
            checks.check(answer_is_legal(output, player, actions), "a legal action of what is left", **about,
                         expected=sorted(map(repr, actions)))
        else:
            # The program plays on as well as it can. In a history that does not fit, only the form of its answer is
            # certain.
            checks.check(output == b"" or answer_is_legal(output, player, None) if game else
                         re.fullmatch(rb"(?:[1-6] [0-9]+ [0-9]+(?: [a-z]+)?\n)?", output) is not None,
                         "an action or nothing", **about)
    print(f"{errors_seen} errors of {count} spoilt inputs")


def main():
    given = arguments(__doc__.splitlines()[0], 300, "positions")
    checks = Checks(given.seed)
    checks.part(positions, given)
    checks.part(spoilt, given)
    checks.finish()


if __name__ == "__main__":
    main()
