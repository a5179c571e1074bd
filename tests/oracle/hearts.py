#!/usr/bin/env python3
"""Audits Hearts Server: a server of its own for `hearts`, programs of its own at `contest hearts serve`.

    python3 tests/oracle/hearts.py --bin target/release [--seed N] [--games ROUNDS]
"""

import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import Checks, Ended, GUARD, Reader, arguments, ended, environment, pieces, rng, stop  # noqa: E402

HEARTS, CLUBS, DIAMONDS, SPADES = 1, 2, 3, 4


def card_of(suit, rank):
    """The number of a card; `rank` is 2 to 14, where 14 is the ace."""
    return 14 * suit + rank - 1


TWO_OF_CLUBS, QUEEN_OF_SPADES = card_of(CLUBS, 2), card_of(SPADES, 12)


def suit_of(card):
    return card // 14


def points_of(card):
    return 13 if card == QUEEN_OF_SPADES else int(suit_of(card) == HEARTS)


def deck_of(players):
    """The cards that divide evenly among the players: low clubs are left out, but never the two."""
    cards = [card_of(suit, rank) for suit in (1, 2, 3, 4) for rank in range(2, 15)]
    rank = 3
    while len(cards) % players:
        cards.remove(card_of(CLUBS, rank))
        rank += 1
    return cards


class Round:
    """The rules of a round. With `strict`, a hand plays no points on the first trick if it has anything else."""

    def __init__(self, hands, strict):
        self.hands = [set(hand) for hand in hands]
        self.players, self.strict = len(hands), strict
        self.size = len(hands[0])
        self.turn = next(player for player, hand in enumerate(hands) if TWO_OF_CLUBS in hand)
        self.trick, self.broken, self.tricks = [], False, 0
        self.taken = [0] * self.players

    def legal(self, strict=None):
        """The cards that the player to act may play."""
        hand = self.hands[self.turn]
        strict = self.strict if strict is None else strict
        if not self.trick:
            if self.tricks == 0:
                return {TWO_OF_CLUBS}
            others = {card for card in hand if suit_of(card) != HEARTS}
            return set(hand) if self.broken or not others else others
        following = {card for card in hand if suit_of(card) == suit_of(self.trick[0][1])}
        if following:
            return following
        harmless = {card for card in hand if not points_of(card)}
        return harmless if strict and self.tricks == 0 and harmless else set(hand)

    def play(self, card):
        self.hands[self.turn].remove(card)
        self.trick.append((self.turn, card))
        self.broken = self.broken or points_of(card) > 0
        self.turn = (self.turn + 1) % self.players
        if len(self.trick) == self.players:
            suit = suit_of(self.trick[0][1])
            _, self.turn = max((card, player) for player, card in self.trick if suit_of(card) == suit)
            self.taken[self.turn] += sum(points_of(card) for _, card in self.trick)
            self.trick = []
            self.tricks += 1

    def scores(self):
        """Each player's points. If one player has taken all points, each of the others gets 26 instead."""
        total = sum(self.taken)
        if total and total in self.taken:
            return [0 if points == total else 26 for points in self.taken]
        return list(self.taken)


def length_of(count, r=None):
    """A length as a variable-length quantity. With a generator, it is longer than necessary now and then."""
    groups = [count & 127]
    while count > 127:
        count >>= 7
        groups.append(count & 127)
    if r and r.random() < 0.1:
        groups += [0] * r.randint(1, 2)
    return bytes([group | 128 for group in groups[:-1]] + groups[-1:])


def frame(text):
    return length_of(len(text) + 1) + text.encode("ascii") + b"\0"


class Frames:
    """Reads frames from a file descriptor."""

    def __init__(self, fd):
        self.reader = Reader(fd)

    def next(self):
        """The next frame: as many bytes as its length says."""
        count, shift = 0, 0
        while True:
            octet, = self.reader.take(1)
            count += (octet & 127) << shift
            shift += 7
            if octet < 128:
                return self.reader.take(count)

    def text(self):
        """The next frame's text, if it ends with its only NUL; else the bytes as they are."""
        data = self.next()
        if data[-1:] != b"\0" or b"\0" in data[:-1]:
            return data
        return data[:-1].decode("ascii", "replace")


class Ends:
    """Two pipes, and this side's ends of them. Opening never blocks: the writing end is opened for both directions,
    which needs no process at the other end."""

    def __init__(self, folder, name):
        self.told, self.heard = (os.path.join(folder, f"{name}-{end}") for end in ("told", "heard"))
        self.open = []
        for path in (self.told, self.heard):
            os.mkfifo(path)

    def connect(self, reads, writes):
        self.input = os.open(reads, os.O_RDONLY | os.O_NONBLOCK)
        self.output = os.open(writes, os.O_RDWR)
        self.open = [self.input, self.output]
        self.frames = Frames(self.input)

    def write(self, r, data, most=4):
        for part in pieces(r, data, most):
            os.write(self.output, part)

    def close(self):
        for fd in self.open:
            os.close(fd)
        self.open = []


# --- the player `hearts` under a server of this file ------------------------------------------------------------------

def padded(r, text):
    """A message in one of the forms that a player must be able to read."""
    if "," in text and r.random() < 0.3:
        text += ","
    data = text.encode("ascii") + b"\0"
    if r.random() < 0.3:
        data += bytes(r.randrange(256) for _ in range(r.choice([1, 3, 150])))
    return length_of(len(data), r) + data


class Player:
    """The program under audit at its pipes."""

    def __init__(self, given, r, folder, players):
        self.r, self.waiting, self.sent = r, b"", []
        self.ends = Ends(folder, f"player{players}")
        self.ends.connect(self.ends.heard, self.ends.told)
        self.name = r.choice(["A", "Moon Bot", "x" * 15, "more than fifteen characters"])
        command = [os.path.join(given.bin, "hearts"), "--name", self.name, "--nodes", str(r.randint(1, 3)), "--seed",
                   str(r.randint(1, 99)), "--in", self.ends.told, "--out", self.ends.heard]
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors,
                                        env=environment())

    def tell(self, text):
        """Queues a message. It is sent, without a gap, with those that follow up to the next question."""
        self.sent.append(text)
        self.waiting += padded(self.r, text)
        if self.r.random() < 0.3:
            self.flush()

    def flush(self):
        data, self.waiting = self.waiting, b""
        self.ends.write(self.r, data, self.r.choice([1, 4, 40]))

    def ask(self, text):
        self.tell(text)
        self.flush()
        return self.ends.frames.text()

    def said(self):
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")[-600:]

    def stop(self):
        stop(self.process)
        self.errors.close()
        self.ends.close()


def deal(r, players):
    cards = deck_of(players)
    r.shuffle(cards)
    size = len(cards) // players
    return [cards[size * player:size * (player + 1)] for player in range(players)]


def player(checks, given, players, rounds):
    """Plays rounds of `hearts` with random players in the other seats."""
    r = rng(checks.seed, "hearts player", players)
    with tempfile.TemporaryDirectory() as folder:
        program = Player(given, r, folder, players)
        try:
            checks.equal(program.ask("0"), program.name[:15], "the name", stderr=program.said())
            me, whole = r.randrange(players), r.random() < 0.6
            for _ in range(rounds):
                program.sent.clear()
                hands = deal(r, players)
                round_ = Round(hands, strict=r.random() < 0.5)
                program.tell(f"3{players},{me},{round_.turn}," + ",".join(map(str, hands[me])))
                while round_.tricks < round_.size - (not whole):
                    turn = round_.turn
                    if turn != me:
                        card = r.choice(sorted(round_.legal()))
                        program.tell(f"2{turn},{card}")
                    else:
                        # The program plays by the strict rule, which every server accepts.
                        legal = round_.legal(strict=True)
                        answer = program.ask("1")
                        allowed = {str(hands[me].index(card)): card for card in legal}
                        if not checks.check(answer in allowed, "a legal card's index in the hand as dealt",
                                            input=program.sent, answer=answer, expected=sorted(allowed),
                                            stderr=program.said()):
                            answer = r.choice(sorted(allowed))
                        card = allowed[answer]
                    round_.play(card)
            program.tell("4")
            program.flush()
            checks.equal(program.ends.frames.reader.rest(), b"", "nothing is sent that was not asked for")
            checks.equal(program.process.stdout.read(), b"", "nothing on standard output")
            checks.equal(ended(program.process), 0, "the exit status after the end", stderr=program.said())
        finally:
            program.stop()


# --- `contest hearts serve` with programs of this file ----------------------------------------------------------------

class Server:
    """`contest hearts serve` and the programs at its pipes."""

    def __init__(self, checks, given, r, folder, total, group, rounds, options):
        self.checks, self.r, self.group, self.rounds, self.options = checks, r, group, rounds, options
        self.programs = [Ends(folder, f"program{number}") for number in range(total)]
        paths = [path for ends in self.programs for path in (ends.told, ends.heard)]
        self.command = [os.path.join(given.bin, "contest"), "hearts", "serve", str(total), str(group), str(rounds),
                        *paths, "--seed", str(r.randint(1, 10 ** 6)), *options]
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
                                        env=environment())
        self.output = Reader(self.process.stdout.fileno())
        order = list(self.programs)
        r.shuffle(order)
        for ends in order:
            ends.connect(ends.told, ends.heard)
        while f"{total} of {total} are here" not in self.line():
            pass
        self.type("")

    def line(self):
        return self.output.line().decode("utf-8")

    def type(self, command):
        os.write(self.process.stdin.fileno(), command.encode() + b"\n")

    def results(self, number):
        """The next printed result of a group: rounds, the player whose fault ended it, and each program's name and
        points."""
        while True:
            found = re.fullmatch(r"group (\d+): (\d+) of (\d+) rounds?(?:, ended: player (\d) .*)?\n", self.line())
            if found and int(found[1]) == number:
                break
        lines = [self.line().rstrip("\n") for _ in range(self.group)]
        read = []
        for place, line in enumerate(lines):
            # number, name, points, mean
            words = re.fullmatch(r"\s*(\d+)  (.{1,15}?)\s+(\d+)(?:\s+([0-9.]+|-) a round)?", line)
            if not self.checks.check(words is not None and int(words[1]) == place, "a line of the result", answer=line):
                return None
            read.append((words[2], int(words[3])))
        return int(found[2]), int(found[3]), found[4] and int(found[4]), read

    def stop(self):
        stop(self.process)
        self.errors.close()
        for ends in self.programs:
            ends.close()


class Group:
    """A group of programs at the server under audit. Every message that they get is compared with the rules of this
    file."""

    def __init__(self, server, number):
        self.server, self.checks, self.r = server, server.checks, server.r
        self.number = number
        self.programs = server.programs[server.group * (number - 1):server.group * number]
        self.names, self.scores, self.finished = [], [0] * server.group, 0
        self.log = []

    def check(self, holds, what, **details):
        return self.checks.check(holds, what, command=self.server.command[1:], log=self.log[-20:], **details)

    def hear(self, player):
        text = self.programs[player].frames.text()
        self.log.append((player, text))
        return text

    def expect(self, player, text):
        answer = self.hear(player)
        if not self.check(answer == text, "a message", answer=answer, expected=text, player=player):
            raise Ended("messages differ: the round cannot be followed")

    def say(self, player, text):
        self.log.append((player, "<", text))
        self.programs[player].write(self.r, frame(text))

    def introduce(self):
        letters = "abcdefghijklmnopqrstuvwxyzABCXYZ0123456789-_.!"
        for player in range(self.server.group):
            self.expect(player, "0")
            name = "".join(self.r.choice(letters) for _ in range(self.r.randint(1, 15)))
            if len(name) > 4 and self.r.random() < 0.3:
                name = name[:2] + " " + name[3:]
            self.names.append(name)
            self.say(player, name)

    def start(self):
        """Checks the messages that start a round."""
        players, hands, turns = self.server.group, [], set()
        for player in range(players):
            text = self.hear(player)
            form = re.fullmatch(rf"3{players},{player},(\d)((?:,\d+)+)", text) if isinstance(text, str) else None
            if not self.check(form is not None, "the start of a round", answer=text, player=player):
                raise Ended("no start of a round: it cannot be followed")
            hands.append([int(card) for card in form[2][1:].split(",")])
            turns.add(int(form[1]))
        cards = sorted(card for hand in hands for card in hand)
        self.check(cards == sorted(deck_of(players)) and len({len(hand) for hand in hands}) == 1,
                   "every card is dealt once, and to all as many", answer=hands)
        round_ = Round(hands, "--strict" in self.server.options)
        self.check(turns == {round_.turn}, "who has the two of clubs leads", answer=turns, expected=round_.turn)
        return hands, round_

    def tricks(self, round_):
        return round_.size - ("--original" in self.server.options)

    def play(self, fault=None):
        """Plays all rounds. A `fault` (round, card, what) ends the play at the first chance from there on; a number
        ends it before the first card of that round."""
        for number in range(self.server.rounds):
            hands, round_ = self.start()
            if number == fault:
                return
            count = 0
            while round_.tricks < self.tricks(round_):
                player = round_.turn
                self.expect(player, "1")
                if isinstance(fault, tuple) and number == fault[0] and count >= fault[1] and fault[2](self, round_, player, hands):
                    return
                card = self.r.choice(sorted(round_.legal()))
                if round_.tricks and self.r.random() < 0.3:
                    # One player always plays its highest card and the others their lowest, so that somebody shoots
                    # the moon now and then.
                    card = max(round_.legal()) if player == number % round_.players else min(round_.legal())
                self.say(player, str(hands[player].index(card)))
                round_.play(card)
                for other in range(round_.players):
                    if other != player:
                        self.expect(other, f"2{player},{card}")
                count += 1
            self.scores = [a + b for a, b in zip(self.scores, round_.scores())]
            self.finished += 1

    def end(self, gone=()):
        """Checks that every program is sent the end, and nothing after it."""
        there = [(player, ends) for player, ends in enumerate(self.programs) if player not in gone]
        for player, ends in there:
            self.expect(player, "4")
            os.close(ends.open.pop())
        for player, ends in there:
            rest = ends.frames.reader.rest()
            self.check(rest == b"", "nothing after the end", answer=rest, player=player)

    def result(self, offender=None):
        expected = (self.finished, self.server.rounds, offender, list(zip(self.names, self.scores)))
        answer = self.server.results(self.number)
        self.check(answer == expected, "the result", answer=answer, expected=expected)


def finish(group_server):
    group_server.process.stdin.close()
    group_server.errors.seek(0)
    group_server.checks.equal(ended(group_server.process), 0, "the server's exit status",
                              stderr=group_server.errors.read())


OPTIONS = [[], ["--strict"], ["--original"], ["--strict", "--original"]]


def games(checks, given, number, group, rounds):
    """Plays rounds without faults, in one or two groups that play one after the other here."""
    r = rng(checks.seed, "hearts server", number)
    with tempfile.TemporaryDirectory() as folder:
        groups = r.choice([1, 1, 2])
        options = OPTIONS[number % 2 and 1 + number // 2 % 3]
        server = Server(checks, given, r, folder, group * groups, group, rounds, ["--time", str(GUARD), *options])
        try:
            # All programs of all groups give their names first. After that a group can wait, as each has enough
            # time.
            playing = [Group(server, which + 1) for which in range(groups)]
            for play in playing:
                play.introduce()
            for play in playing:
                play.play()
                play.end()
            for play in playing:
                play.result()
            finish(server)
        finally:
            server.stop()


# The faults that a program can make when it is asked. Each function returns whether its fault was possible.

def illegal(group, round_, player, hands):
    """The answer is a card of the hand that must not be played."""
    wrong = sorted(set(round_.hands[player]) - round_.legal())
    if wrong:
        group.say(player, str(hands[player].index(group.r.choice(wrong))))
    return bool(wrong)


def played(group, round_, player, hands):
    """The answer is a card that was played before."""
    gone = [place for place, card in enumerate(hands[player]) if card not in round_.hands[player]]
    if gone:
        group.say(player, str(group.r.choice(gone)))
    return bool(gone)


def no_index(group, round_, player, hands):
    group.say(player, group.r.choice([str(len(hands[player])), "-1", "x", "", "99999999999999999999", "1,2", "0.5"]))
    return True


def unasked(group, round_, player, hands):
    """Another program answers."""
    group.say((player + 1) % round_.players, "0")
    return True


def no_frame(group, round_, player, hands):
    """The answer is an empty frame, or one with an endless length."""
    group.programs[player].write(group.r, group.r.choice([b"\x00", b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f"]))
    return True


def hung_up(group, round_, player, hands):
    """The program closes its pipes."""
    group.programs[player].close()
    return True


def mute(group, round_, player, hands):
    """The program does not answer until its time is up."""
    return True


FAULTS = [illegal, played, no_index, unasked, no_frame, hung_up, mute]


def faults(checks, given, fault):
    """One program makes a fault. Its group ends, and the points up to then are reported."""
    r = rng(checks.seed, "hearts fault", fault.__name__)
    with tempfile.TemporaryDirectory() as folder:
        # With the short time only names are answered before it is up: a busy machine could be late with a card.
        options = ["--time", "2" if fault is mute else str(GUARD), *(["--strict"] if r.random() < 0.5 else [])]
        server = Server(checks, given, r, folder, 4, 4, 3, options)
        offenders = []

        def remember(group, round_, player, hands):
            done = fault(group, round_, player, hands)
            if done:
                offenders.append((player + 1) % round_.players if fault is unasked else player)
            return done

        try:
            group = Group(server, 1)
            group.introduce()
            group.play((0, 0, remember) if fault is mute else (1, r.randrange(30), remember))
            group.end(offenders if fault is hung_up else ())
            group.result(*offenders)
            server.process.stdin.close()
            ended(server.process)
        finally:
            server.stop()


def commands(checks, given):
    """Types the commands `scores` and `stop` between two rounds."""
    r = rng(checks.seed, "hearts commands")
    with tempfile.TemporaryDirectory() as folder:
        server = Server(checks, given, r, folder, 5, 5, 4, ["--time", str(GUARD)])
        try:
            group = Group(server, 1)
            group.introduce()
            group.play(2)
            server.type("scores")
            group.result()
            server.type("stop")
            for player in range(server.group):
                text = group.hear(player)
                # The player who leads has been asked already.
                text = group.hear(player) if text == "1" else text
                group.check(text == "4", "the end after `stop`", answer=text, player=player)
            group.result()
            finish(server)
        finally:
            server.stop()


def main():
    given = arguments(__doc__.splitlines()[0], 24, "rounds of the player, and of the server")
    checks = Checks(given.seed)
    share = max(1, given.games // 4)
    for players in (3, 4, 5, 6):
        checks.part(player, given, players, share)
    for number, players in enumerate((3, 4, 5, 6, 4, 3, 6, 5)[:max(2, min(8, given.games // 2))]):
        checks.part(games, given, number, players, max(1, share // 2))
    for fault in FAULTS:
        checks.part(faults, given, fault)
    checks.part(commands, given)
    checks.finish()


if __name__ == "__main__":
    main()
