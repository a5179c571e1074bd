#!/usr/bin/env python3
"""Audits Tricky Eights: a referee of its own for `eights`, and programs of its own at `contest eights`.

    python3 tests/oracle/eights.py --bin target/release [--seed N] [--games ROUNDS]
"""

import os
import random
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import Checks, GUARD, Reader, arguments, ended, environment, pieces, rng, stop  # noqa: E402

SEATS = "nesw"
NAMES = {"n": "north", "e": "east", "s": "south", "w": "west"}
RANKS = "23456789tjqka"
DECK = [suit + rank for suit in "cdhs" for rank in RANKS]


def taker(trick):
    """The seat that wins a trick, a list of (seat, card) with the leader first."""
    suit = trick[0][1][0]
    following = [(RANKS.index(card[1]), seat) for seat, card in trick if card[0] == suit]
    return max(following)[1]


def points(trick, number):
    """The points of a trick; `number` counts from 0."""
    return (3 if number in (0, 12) else 1) + 2 * sum(card[1] == "8" for _, card in trick)


def may_play(hand, led):
    """The cards that may be played: after the card `led`, or to lead."""
    following = [card for card in hand if led and card[0] == led[0]]
    return following or list(hand)


def after(seat):
    return SEATS[(SEATS.index(seat) + 1) % 4]


def pairs(done):
    return "".join(f" {seat} {card}" for seat, card in done)


class Round:
    """A round as a referee keeps it. `answer(seat, what, done, allowed)` gives each card; `report(line)` sends a line
    to every seat."""

    def __init__(self, dealer, hands, pool, answer, report):
        self.dealer, self.hands, self.pool = dealer, hands, pool
        self.answer, self.report = answer, report
        self.points = dict.fromkeys(SEATS, 0)

    def circle(self, leader, what):
        done, seat = [], leader
        for _ in SEATS:
            led = done[0][1] if done else None
            allowed = list(self.pool) if what == "take" else may_play(self.hands[seat], led)
            card = self.answer(seat, what, done, allowed)
            if what == "take":
                self.pool.remove(card)
                self.hands[seat].append(card)
            else:
                self.hands[seat].remove(card)
            done.append((seat, card))
            seat = after(seat)
        self.report(("aftertake" if what == "take" else "result") + pairs(done))
        return done

    def play(self):
        for _ in range(3):
            self.circle(self.dealer, "take")
        leader = self.dealer
        for number in range(13):
            trick = self.circle(leader, "play")
            leader = taker(trick)
            self.points[leader] += points(trick, number)
        self.report("endround")


def winner(scores):
    """The seat that has won the game, or None."""
    best = max(scores.values())
    return [seat for seat in SEATS if scores[seat] == best][0] if (
        best >= 300 and list(scores.values()).count(best) == 1) else None


def told(line, r):
    """A line in one of the forms that a player must be able to read."""
    words = line.split(" ")
    if words[0] == "result" and r.random() < 0.3:
        words[0] = "resultoftrick"
    if words[0] == "endround" and r.random() < 0.3:
        words = ["end", "6", "3", "11", "5"]
    if words[0] in ("take", "play") and r.random() < 0.2:
        # In the page's examples the player's reply stands behind its own seat.
        words.append(r.choice(DECK))
    if words[0] == "starthand" and r.random() < 0.3:
        words += ["sa", "c6"]
    form = r.random()
    if form < 0.2:
        words = [word[0] + "10" if len(word) == 2 and word[1] == "t" and word in DECK else word for word in words]
    elif form < 0.4:
        words = [word.upper() for word in words]
    blank = (lambda: r.choice([" ", "  ", "\t"])) if r.random() < 0.2 else (lambda: " ")
    text = "".join(word + blank() for word in words[:-1]) + words[-1]
    if r.random() < 0.1:
        text = blank() + text + blank()
    strange = r.choice(["hello", "# a comment", "", "scores 1 2 3 4", "takes n", "12"]) + "\n"
    return (strange if r.random() < 0.1 else "") + text + r.choice(["\n", "\n", "\r\n"])


class Program:
    """The player under audit, behind its pipes."""

    def __init__(self, given, r):
        command = [os.path.join(given.bin, "eights"), "--nodes", "3", "--seed", str(r.randint(1, 999))]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
        self.reader = Reader(self.process.stdout.fileno())
        self.r = r
        self.lines = []

    def tell(self, line):
        text = told(line, self.r)
        self.lines.append(text)
        for part in pieces(self.r, text.encode()):
            os.write(self.process.stdin.fileno(), part)

    def card(self):
        return self.reader.line().decode("ascii", "replace")


def player(checks, given):
    """Plays rounds of `eights` under a referee of this file, with random players in the other seats."""
    r = rng(checks.seed, "eights player")
    program = Program(given, r)
    try:
        dealer, scores = "n", dict.fromkeys(SEATS, 0)
        for number in range(given.games):
            if number == 0 or winner(scores) or r.random() < 0.1:
                # A new game for the same program, which may get another seat.
                seat, scores = r.choice(SEATS), dict.fromkeys(SEATS, 0)
            deck = r.sample(DECK, 52)
            hands = {s: deck[10 * i:10 * i + 10] for i, s in enumerate(SEATS)}
            program.lines.clear()
            program.tell(f"starthand {seat} " + " ".join(hands[seat] + deck[40:]))

            def answer(who, what, done, allowed):
                if who != seat:
                    return r.choice(allowed)
                program.tell(f"{what}{pairs(done)} {seat}")
                card = program.card()
                good = checks.check(card.endswith("\n") and card[:-1] in allowed, f"a legal card for {what}",
                                    input=list(program.lines), answer=card, expected=allowed)
                # The card that the referee reports counts, even if the program played another one.
                return card[:-1] if good and r.random() < 0.95 else r.choice(allowed)

            round_ = Round(dealer, hands, deck[40:], answer, program.tell)
            round_.play()
            for who in SEATS:
                scores[who] += round_.points[who]
            checks.equal(sum(round_.points.values()), 25, "points of a round")
            dealer = after(dealer)
        program.process.stdin.close()
        checks.equal(program.reader.rest(), b"", "nothing is printed that was not asked for")
        checks.equal(ended(program.process), 0, "the exit status at the end of the input")
    finally:
        stop(program.process)


class Judge:
    """`contest eights serve` behind its pipes, which carry the lines of four seats."""

    def __init__(self, given, seed):
        self.process = subprocess.Popen([os.path.join(given.bin, "contest"), "eights", "serve", "--log", "none", "--time",
                                         str(GUARD), str(seed)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=environment())
        self.reader = Reader(self.process.stdout.fileno())
        self.waiting = {seat: [] for seat in SEATS}

    def line(self, seat):
        """The next line for a seat. Lines for other seats are kept for them; lines for no seat are dropped."""
        while not self.waiting[seat]:
            text = self.reader.line().decode("ascii")
            if text[:1] in self.waiting and text[1:2] == " ":
                self.waiting[text[0]].append(text[2:].rstrip("\n"))
        return self.waiting[seat].pop(0)


def judge(checks, given, number, cheats):
    """Plays a game at `contest eights serve` with four players of this file. With `cheats`, one of them plays a wrong
    card once."""
    r = rng(checks.seed, "eights judge", number, cheats)
    server = Judge(given, r.randint(0, 10 ** 6))
    lost = None
    wrong = (r.randrange(20), r.choice(SEATS)) if cheats else None
    scores = dict.fromkeys(SEATS, 0)
    try:
        dealer, rounds = "n", 0
        while True:
            hands, pools = {}, []
            honest = [seat for seat in SEATS if seat != lost]
            for seat in honest:
                words = server.line(seat).split(" ")
                checks.check(words[:2] == ["starthand", seat] and len(words) == 24, "a start of a round", answer=words)
                hands[seat], pool = words[2:12], words[12:]
                pools.append(pool)
            checks.check(all(pool == pools[0] for pool in pools), "the same pool for everybody", answer=pools)
            seen = [card for hand in hands.values() for card in hand] + pools[0]
            if lost:
                # No line shows the hand of a disqualified seat: it has the remaining cards.
                hands[lost] = [card for card in DECK if card not in seen]
                seen += hands[lost]
            checks.equal(sorted(seen), sorted(DECK), "every card is dealt once")

            def answer(seat, what, done, allowed):
                nonlocal lost
                if seat == lost:
                    return stand_in(seat, done, allowed)
                line = server.line(seat)
                checks.equal(line, f"{what}{pairs(done)} {seat}", "what is asked", seed_of_game=server.process.args[-1])
                card = r.choice(allowed)
                if wrong and lost is None and wrong[0] <= rounds and wrong[1] == seat:
                    lost = seat
                    bad = r.choice([other for other in DECK if other not in allowed] + ["xx", "", "c10"])
                    say(f"{seat} {bad}\n")
                    return stand_in(seat, done, allowed)
                say(f"{seat} {card}\n")
                return card

            def stand_in(seat, done, allowed):
                """The card that the judge plays for a disqualified seat, read from the next line to another seat."""
                other = after(seat)
                if not server.waiting[other]:
                    server.waiting[other].insert(0, server.line(other))
                words = server.waiting[other][0].split(" ")
                card = words[words.index(seat, 1) + 1]
                checks.check(card in allowed, "a legal card for a disqualified seat", answer=card, expected=allowed)
                return card

            def say(text):
                for part in pieces(r, text.encode(), 3):
                    os.write(server.process.stdin.fileno(), part)

            def report(line):
                for seat in SEATS:
                    if seat != lost:
                        checks.equal(server.line(seat), line, "what is reported", seed_of_game=server.process.args[-1])

            round_ = Round(dealer, hands, list(pools[0]), answer, report)
            round_.play()
            rounds += 1
            for seat in SEATS:
                scores[seat] += round_.points[seat]
            dealer = after(dealer)
            counted = {seat: scores[seat] if seat != lost else -1 for seat in SEATS}
            if winner(counted):
                break
        checks.equal(server.reader.rest(), b"", "nothing is said after the game")
        errors = server.process.stderr.read().decode()
        result(checks, errors, scores, winner(counted), rounds, lost)
        checks.equal(ended(server.process), 0, "the judge's exit status", stderr=errors)
    finally:
        stop(server.process)


def result(checks, errors, scores, first, rounds, lost=None):
    """Checks the result that the judge prints."""
    found = {}
    for line in errors.splitlines():
        words = line.split()
        if len(words) >= 2 and words[0] in NAMES.values() and words[1].isdigit():
            found[words[0]] = int(words[1])
    for seat in SEATS:
        if seat != lost:
            checks.equal(found.get(NAMES[seat]), scores[seat], f"the points of {NAMES[seat]}", stderr=errors)
    checks.check(f"{NAMES[first]} has won after {rounds} rounds" in errors, "the winner", answer=errors,
                 expected=(NAMES[first], rounds))
    if lost:
        checks.check("disqualified" in errors, "the disqualification is told", answer=errors)


def dispatched(checks, given):
    """Plays under `contest eights dispatch` with four processes of this file, each of which checks the lines that it
    receives."""
    r = rng(checks.seed, "eights dispatch")
    contest = os.path.join(given.bin, "contest")
    seats = [f"{sys.executable} {os.path.abspath(__file__)} --seat {r.randint(0, 999)}" for _ in SEATS]
    # Python itself needs more files and memory than the contest allows a player, and on a loaded machine more than the
    # contest's 4 s for a card.
    options = ["--isolate", "none", "--memory", "1000", "--time", str(GUARD)]
    done = subprocess.run([contest, "eights", "dispatch", *options, f"{contest} eights serve --log none --time {GUARD}", *seats,
                           str(r.randint(0, 10 ** 6))], capture_output=True, timeout=4 * GUARD, env=environment())
    errors = done.stderr.decode()
    checks.equal(done.returncode, 0, "the dispatcher's exit status", stderr=errors)
    last = {}
    for line in errors.splitlines():
        if "oracle " in line:
            words = line[line.index("oracle ") + 7:].split(" ")
            last[words[0]] = words[1:]
    checks.equal(sorted(last), sorted(SEATS), "all four programs saw the end", stderr=errors)
    for seat, words in last.items():
        checks.count += int(words[0])
        checks.equal(words[1], "0", f"faults that {NAMES[seat]} saw", stderr=errors)
    if len({tuple(words[2:]) for words in last.values()}) == 1 and last:
        counted = list(last.values())[0]
        scores = dict(zip(SEATS, map(int, counted[3:])))
        checks.check(winner(scores) is not None, "the game ends when it is won", answer=scores)
        if winner(scores):
            result(checks, errors, scores, winner(scores), int(counted[2]))
    else:
        checks.check(False, "all programs count the same points", answer=last)


def seat_of_dispatch(seed):
    """A program for the dispatcher. It plays at random, follows the round by the lines that it receives, and writes at
    the end to standard error what it counted: seat, lines, faults, rounds, points."""
    r = random.Random(seed)
    scores, rounds, faults, lines, me = dict.fromkeys(SEATS, 0), 0, 0, 0, "?"
    dealer, leader, hand, pool, number, last = "n", "n", [], [], 0, []

    def expect(holds, line):
        nonlocal faults
        if not holds:
            faults += 1
            print(f"oracle-fault {me}: {line!r}", file=sys.stderr, flush=True)

    for line in sys.stdin:
        lines += 1
        words = line.rstrip("\n").split(" ")
        kind, rest = words[0], words[1:]
        if kind == "starthand":
            me, hand, pool, number, leader = rest[0], rest[1:11], rest[11:], -3, dealer
            expect(len(set(hand + pool)) == 22, line)
        elif kind in ("take", "play"):
            done = list(zip(rest[0:-1:2], rest[1:-1:2]))
            order = [leader, after(leader), after(after(leader)), after(after(after(leader)))]
            expect(rest[-1] == me and [seat for seat, _ in done] == order[:order.index(me)], line)
            expect((kind == "take") == (number < 0), line)
            gone = [card for _, card in done]
            if kind == "take":
                card = r.choice([card for card in pool if card not in gone])
            else:
                card = r.choice(may_play(hand, gone[0] if gone else None))
            last = done + [(me, card)]
            print(card, flush=True)
        elif kind in ("aftertake", "result"):
            done = list(zip(rest[0::2], rest[1::2]))
            expect(len(done) == 4 and done[:len(last)] == last and (kind == "aftertake") == (number < 0), line)
            card = dict(done)[me]
            if kind == "aftertake":
                pool = [other for other in pool if other not in rest]
                hand.append(card)
            else:
                hand.remove(card)
                leader = taker(done)
                scores[leader] += points(done, number)
            number += 1
        elif kind == "endround":
            expect(number == 13 and not hand, line)
            dealer, rounds = after(dealer), rounds + 1
        else:
            expect(False, line)
    print(f"oracle {me} {lines} {faults} {rounds} " + " ".join(str(scores[seat]) for seat in SEATS), file=sys.stderr,
          flush=True)


def main():
    if sys.argv[1:2] == ["--seat"]:
        seat_of_dispatch(int(sys.argv[2]))
        return
    given = arguments(__doc__.splitlines()[0], 60, "rounds of the player; games of the judge: a thirtieth")
    checks = Checks(given.seed)
    checks.part(player, given)
    for number in range(max(1, given.games // 30)):
        checks.part(judge, given, number, False)
    checks.part(judge, given, 0, True)
    checks.part(dispatched, given)
    checks.finish()


if __name__ == "__main__":
    main()
