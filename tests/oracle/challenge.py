#!/usr/bin/env python3
"""Audits the challenge card game: a server of its own for `challenge`, clients of its own at `contest challenge serve`.

    python3 tests/oracle/challenge.py --bin target/release [--seed N] [--games N]
"""

import decimal
import json
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from common import Checks, Ended, GUARD, Hung, Reader, arguments, ended, environment, pieces, rng, stop  # noqa: E402

RANKS = range(1, 14)


class Game:
    """The rules, for both directions of the audit. Player 0 leads first. `deal()` returns two hands, or None if the
    hands only become known from what the server shows. An action returns the results that both players are sent: a list
    of (player, result)."""

    def __init__(self, deal, lead_after_tie="opener", tell_lost_tricks=False):
        self.deal, self.lead_after_tie, self.tell_lost_tricks = deal, lead_after_tie, tell_lost_tricks
        self.points, self.hand_id, self.winner, self.moves = [0, 0], 0, None, [0, 0]
        self.next_hand(0)

    def next_hand(self, lead):
        self.hand_id += 1
        self.opener = self.lead = self.turn = lead
        self.hands = self.deal() or [None, None]
        self.unseen_losses = [0, 0]  # cards taken from hands that are not known
        self.tricks, self.total = [0, 0], 0
        self.table, self.challenger, self.in_challenge, self.answered = None, None, False, False

    def asked(self):
        """The player who is to act, and the name of its request."""
        if self.challenger is not None and not self.answered:
            return 1 - self.challenger, "challenge_offered"
        return self.turn, "request_card"

    def may_offer(self):
        return self.challenger is None

    def state(self, player):
        """The state that a player is shown, without the hand and the identifiers."""
        state = {
            "hand_id": self.hand_id,
            "your_tricks": self.tricks[player],
            "their_tricks": self.tricks[1 - player],
            "total_tricks": self.total,
            "your_points": self.points[player],
            "their_points": self.points[1 - player],
            "can_challenge": self.may_offer(),
            "in_challenge": self.in_challenge,
            "player_number": player,
        }
        if self.table is not None:
            state["card"] = self.table
        return state

    def respond(self, response):
        """Applies a legal response of the player who is asked."""
        player, _ = self.asked()
        self.moves[player] += 1
        kind = response["type"]
        if kind == "play_card":
            return self.play(player, response["card"])
        if kind == "offer_challenge":
            self.challenger = player
            return [(player, {"type": "accepted"})]
        self.answered = True
        if kind == "accept_challenge":
            self.in_challenge = True
            return [(player, {"type": "accepted"})]
        return self.end_hand(self.challenger)

    def play(self, player, card):
        if self.table is None:
            self.table, self.turn = card, 1 - player
            return [(player, {"type": "accepted"})]
        for who, played in ((self.lead, self.table), (player, card)):
            self.hands[who].remove(played)
        result = {"type": "trick_tied"}
        if card != self.table:
            self.lead = player if card > self.table else self.lead
            self.tricks[self.lead] += 1
            result = {"type": "trick_won", "by": self.lead, "card": card}
        return self.both(result) + self.end_trick()

    def fault(self):
        """Applies the penalty for a fault of the player who is asked."""
        player, kind = self.asked()
        told = [(player, {"type": "error"})]
        if kind == "challenge_offered":
            self.answered = True
            return told + self.end_hand(self.challenger)
        other = 1 - player
        for who, which in ((player, max), (other, min)):
            if self.hands[who] is None:
                self.unseen_losses[who] += 1
            else:
                self.hands[who].remove(which(self.hands[who]))
        self.lead = other
        self.tricks[other] += 1
        if self.tell_lost_tricks:
            told += self.both({"type": "trick_won", "by": other})
        return told + self.end_trick()

    def end_trick(self):
        self.table, self.turn = None, self.lead
        self.total += 1
        if self.total < 5:
            return []
        a, b = self.tricks
        return self.end_hand(None if a == b else int(b > a))

    def end_hand(self, by):
        if by is None:
            first = self.opener if self.lead_after_tie == "opener" else 1 - self.opener
            self.next_hand(first)
            return self.both({"type": "hand_done"})
        told = self.both({"type": "hand_done", "by": by})
        self.points[by] += 1
        if self.in_challenge or self.points[by] == 10:
            self.winner = by
            return told + self.both({"type": "game_won", "by": by})
        self.next_hand(by)
        return told

    @staticmethod
    def both(result):
        return [(0, result), (1, result)]


def frame(text):
    data = text if isinstance(text, bytes) else text.encode("ascii")
    return struct.pack(">I", len(data)) + data


def written(r, value):
    """JSON text of a value, in one of the forms that a reader must accept."""
    def shuffled(value):
        if isinstance(value, dict):
            items = list(value.items())
            r.shuffle(items)
            return {key: shuffled(inner) for key, inner in items}
        return value

    if r.random() < 0.5:
        value = shuffled(value)
    text = json.dumps(value, indent=r.choice([None, None, 1]), separators=r.choice([(", ", ": "), (",", ":")]))
    if r.random() < 0.1:
        # The same name, written with an escape.
        text = text.replace('"type"', '"t\\u0079pe"')
    return text


class Wire:
    """A connection: sends frames, cut into pieces, and receives them."""

    def __init__(self, connection, r):
        self.socket, self.r = connection, r
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.reader = Reader(connection.fileno())

    def send(self, *frames, most=4):
        for part in pieces(self.r, b"".join(frames), most):
            self.socket.sendall(part)

    def receive(self):
        """The next message. Its numbers keep the form in which they were written."""
        length, = struct.unpack(">I", self.reader.take(4))
        return json.loads(self.reader.take(length).decode("ascii"), parse_float=decimal.Decimal)

    def close(self):
        self.socket.close()


# --- the player `challenge` under a server of this file ---------------------------------------------------------------

STRANGE = [{"type": "weather", "cards": [1, 2]}, {"type": "result", "your_player_num": 0}, {"type": "request_"},
           {"type": "result", "result": {"type": "applause", "by": 1}, "your_player_num": 1}]


class Player:
    """The program under audit, and the messages that this file's server sends it."""

    def __init__(self, checks, given, r, name):
        self.checks, self.r, self.sent = checks, r, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(GUARD)
        self.errors = tempfile.TemporaryFile()
        address = f"127.0.0.1:{self.listener.getsockname()[1]}"
        command = [os.path.join(given.bin, "challenge"), address, "--wait", "0.01", "--threads", "1", "--seed",
                   str(r.randint(1, 999)), "--player", name]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.errors,
                                        env=environment())
        self.name, self.wire, self.waiting = name, None, []

    def connect(self):
        """Waits for the program's connection, and greets it."""
        if self.wire:
            self.wire.close()
        self.wire = Wire(self.listener.accept()[0], self.r)
        self.tell({"type": "greetings_program", "team_id": self.number(7), "motd": "hello"})

    def refuse(self):
        """Turns the program away once, as a server does that does not know its team."""
        wire = Wire(self.listener.accept()[0], self.r)
        wire.send(frame(json.dumps({"type": "error", "seen_host": "127.0.0.1", "message": "who is this?"})))
        wire.close()

    def number(self, value):
        """A whole number, with or without a decimal point."""
        return float(value) if self.r.random() < 0.15 else value

    def tell(self, message):
        """Queues a message, to be sent together with the next request."""
        if self.r.random() < 0.1:
            message = {**message, "comment": {"type": "move", "hand": [99]}}
        text = written(self.r, message)
        self.sent = self.sent[-11:] + [text]
        self.waiting.append(frame(text))
        if self.r.random() < 0.05:
            self.waiting.append(frame(written(self.r, self.r.choice(STRANGE))))

    def flush(self):
        frames, self.waiting = self.waiting, []
        self.wire.send(*frames, most=self.r.choice([1, 3, 8]))

    def stop(self):
        stop(self.process)
        self.listener.close()
        self.errors.close()
        if self.wire:
            self.wire.close()

    def said(self):
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")[-600:]


def identifiers(r):
    """Endless identifiers of requests, any JSON values. The form stays the same for some requests, then changes."""
    forms = [lambda n: n, lambda n: n, lambda n: decimal.Decimal(f"{n}.0"), lambda n: str(n), lambda n: f"move \\ \"{n}\"",
             lambda n: 2 ** 63 + n, lambda n: 10 ** 30 + n, lambda n: -n, lambda n: [n, None], lambda n: {"n": n},
             lambda n: decimal.Decimal(n) + decimal.Decimal("0.5"), lambda n: None if n % 2 else True]
    form, n = r.choice(forms), r.choice([0, 1, 10 ** 6])
    while True:
        n += 1
        if r.random() < 0.05:
            form = r.choice(forms)
        yield form(n)


def same(a, b):
    """Whether two JSON values are equal; numbers are compared by value."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, (list, dict)) and type(a) is type(b) and len(a) == len(b):
        keys = a if isinstance(a, dict) else range(len(a))
        return all((key in b if isinstance(b, dict) else True) and same(a[key], b[key]) for key in keys)
    return a == b


def request_for(player, game, style, identifier, hand):
    """A request to the program. It is true, and varies in all that a server may do differently."""
    r = player.r
    me, kind = game.asked()
    state = {**game.state(me), "hand": hand, "game_id": style["game"], "opponent_id": 12}
    for key in ("hand_id", "your_tricks", "their_tricks", "total_tricks", "your_points", "their_points",
                "player_number", "card", "game_id", "opponent_id"):
        if key in state:
            state[key] = player.number(state[key])
    state["hand"] = [player.number(card) for card in hand]
    if style["strings"]:
        state["game_id"], state["opponent_id"] = "game 7", "twelve"
    if r.random() < style["missing"]:
        for key in [key for key in state if key not in ("hand", "card") and r.random() < 0.4]:
            del state[key]
    message = {"type": "request", "request": kind, "request_id": float(identifier) if isinstance(
        identifier, decimal.Decimal) else identifier, "remaining": round(r.uniform(0.3, 3), 4), "state": state}
    if r.random() < style["missing"]:
        del message["remaining"]
    return message


def answer_to(checks, player, game, identifier, hand, request):
    """Reads and checks the program's answer. Returns its response if that is legal, else None."""
    me, kind = game.asked()
    message = player.wire.receive()
    about = dict(player=player.name, input=player.sent, answer=message, stderr=player.said())
    good = checks.check(isinstance(message, dict) and set(message) == {"type", "request_id", "response"}
                        and message["type"] == "move", "the form of a move", **about)
    if not good:
        return None
    checks.check(same(message["request_id"], request["request_id"]), "the number of the request", **about)
    if kind == "challenge_offered":
        expected = [{"type": "accept_challenge"}, {"type": "reject_challenge"}]
    else:
        expected = [{"type": "play_card", "card": card} for card in sorted(set(hand))]
        if game.may_offer():
            expected.append({"type": "offer_challenge"})
    response = message["response"]
    whole = not isinstance(response, dict) or type(response.get("card", 1)) is int
    good = checks.check(response in expected and whole, f"a legal answer to {kind}", **about, expected=expected)
    return response if good else None


def deck_of(r):
    """A function that deals from two packs, shuffled anew after ten hands."""
    cards = []

    def deal():
        nonlocal cards
        if len(cards) < 10:
            cards = [rank for rank in RANKS for _ in range(8)]
            r.shuffle(cards)
        hand = [cards.pop() for _ in range(10)]
        return [sorted(hand[:5], reverse=True), sorted(hand[5:], reverse=True)]

    return deal


def at_random(r, game, hand, offers=0.1, accepts=0.5):
    """A random legal response of the player who is asked."""
    _, kind = game.asked()
    if kind == "challenge_offered":
        return {"type": "accept_challenge" if r.random() < accepts else "reject_challenge"}
    if game.may_offer() and r.random() < offers:
        return {"type": "offer_challenge"}
    return {"type": "play_card", "card": r.choice(hand)}


def player(checks, given, name, games):
    """Plays games of `challenge` against a random opponent."""
    r = rng(checks.seed, "challenge player", name)
    program = Player(checks, given, r, name)
    numbers = identifiers(r)
    try:
        if r.random() < 0.5:
            program.refuse()
        program.connect()
        for number in range(games):
            game = Game(deck_of(r), r.choice(["opener", "other"]), r.random() < 0.3)
            me = r.randrange(2)
            style = {"game": 100 + number, "strings": r.random() < 0.3, "missing": r.choice([0, 0, 0.3]),
                     "left out": r.random() < 0.3, "shuffled": r.random() < 0.3, "offers": r.choice([0, 0.05, 0.3])}
            while game.winner is None:
                asked, kind = game.asked()
                if asked != me:
                    # The opponent, too, makes a fault now and then.
                    if r.random() < 0.03:
                        results = game.fault()
                    else:
                        results = game.respond(at_random(r, game, game.hands[asked], style["offers"]))
                else:
                    hand = list(game.hands[me])
                    if kind == "challenge_offered" and game.table is not None and style["left out"]:
                        hand.remove(game.table)
                    if style["shuffled"]:
                        r.shuffle(hand)
                    request = request_for(program, game, style, next(numbers), hand)
                    again = r.random() < 0.02
                    if r.random() < 0.05:
                        program.tell({"type": "result", "result": {"type": "error", "reason": "a copy"},
                                      "your_player_num": me})
                    program.tell(request)
                    program.flush()
                    if again:
                        # The connection is lost after the request, which is sent again on the next one.
                        program.connect()
                        program.tell(request)
                        program.flush()
                    response = answer_to(checks, program, game, None, hand, request)
                    # If the answer was no legal one, the penalty keeps the game going.
                    results = game.fault() if response is None else game.respond(response)
                for to, result in results:
                    if to == me:
                        if result["type"] == "error":
                            result = {**result, "reason": "no legal move"}
                        result = {key: program.number(value) if key in ("by", "card") else value
                                  for key, value in result.items()}
                        program.tell({"type": "result", "result": result, "your_player_num": program.number(me)})
        program.flush()
        program.process.send_signal(signal.SIGTERM)
        checks.equal(program.wire.reader.rest(), b"", "no message that was not asked for", input=program.sent)
        out = program.process.stdout.read()
        checks.equal(out, b"", "nothing on standard output")
        checks.equal(ended(program.process), 0, "the exit status after SIGTERM", stderr=program.said())
    finally:
        program.stop()


# --- `contest challenge serve` with clients of this file --------------------------------------------------------------

# Limit, in seconds, on the time that a player may have used, before what its moves add. The server's clock has 2 s:
# beyond this limit it may have run out by chance.
SLOW = 1.8


class Starved(Exception):
    """This process got so little time that clocks of the server may have run out, so its messages prove nothing."""


class Client:
    """A team's connection to the server under audit."""

    def __init__(self, server, r, number):
        self.server, self.r, self.number = server, r, number
        self.wire, self.queue = None, []
        self.owed = 0  # errors that are to come for copies
        self.old = []  # answers to settled requests, with the number of their game
        self.connect()

    def connect(self):
        if self.wire:
            self.wire.close()
        self.wire = Wire(socket.create_connection(("127.0.0.1", self.server.port), GUARD), self.r)
        self.wire.send(frame(json.dumps({"type": "token", "token": f"secret{self.number}"})))
        greeting = self.wire.receive()
        self.server.checks.check(greeting.get("type") == "greetings_program" and greeting.get("team_id") == self.number,
                                 "a greeting", answer=greeting)

    def pull(self):
        message = self.wire.receive()
        self.server.log.append((self.number, message))
        return message

    def settle(self):
        """Waits for the errors that the server still owes for copies of answers."""
        while self.owed:
            message = self.pull()
            if is_error(message):
                self.owed -= 1
            else:
                self.queue.append(message)

    def next(self, error=False):
        """The next message. Errors that are owed for copies are left out, unless an error is expected."""
        while True:
            message = self.queue.pop(0) if self.queue else self.pull()
            if is_error(message) and self.owed and not error:
                self.owed -= 1
                continue
            return message

    def send(self, *texts, most=4):
        for text in texts:
            self.server.log.append((self.number, "<", text))
        self.wire.send(*map(frame, texts), most=most)


def is_error(message):
    return message.get("type") == "result" and isinstance(message.get("result"), dict) and (
        message["result"].get("type") == "error")


def move(r, identifier, response):
    """An answer in one of the forms that the server must accept."""
    def number(value):
        return float(value) if r.random() < 0.15 else value

    if "card" in response:
        response = {**response, "card": number(response["card"])}
    if r.random() < 0.1:
        response = {**response, "thought": [1, {"type": "play_card"}]}
    message = {"type": "move", "request_id": number(identifier), "response": response}
    if r.random() < 0.1:
        message["comment"] = None
    return written(r, message)


def faulty(r, kind, identifier, hand, may_offer):
    """A faulty answer: whether it carries the number of the request, so that a copy of it can be recognised, and its
    text."""
    others = [card for card in range(-1, 20) if card not in hand]
    wrong = [{"type": "play_card", "card": r.choice(others)}, {"type": "play_card", "card": str(hand[0] if hand else 1)},
             {"type": "play_card"}, {"type": "play_card", "card": 9.5}, {"type": "play_card", "card": None},
             {"type": "play_card", "card": 10 ** 30}, {"type": "dance"}, {}, "play_card", None, 7]
    if kind == "request_card":
        wrong += [{"type": "accept_challenge"}, {"type": "reject_challenge"}]
    if kind != "request_card" or not may_offer:
        wrong += [{"type": "offer_challenge"}] * 4
    if kind != "request_card" and hand:
        wrong += [{"type": "play_card", "card": hand[0]}]
    good = {"type": "accept_challenge"} if kind != "request_card" else {"type": "play_card", "card": hand[0]}
    text = json.dumps({"type": "move", "request_id": identifier, "response": good})
    never = [text.replace(str(identifier), other, 1) for other in
             (str(identifier + 10 ** 6), f'"{identifier}"', "null", "-1", str(2 ** 64 + 1), "0.5")]
    unreadable = ["", "{", "[]", "7", text[:-1], text + "}", '{"type": "move"}', "\x00\x01", text.replace(":", "=")]
    if r.random() < 0.6:
        return True, json.dumps({"type": "move", "request_id": identifier, "response": r.choice(wrong)})
    return False, r.choice(never + unreadable)


class Server:
    """`contest challenge serve`, with random options."""

    def __init__(self, checks, given, r, folder, number):
        self.checks, self.r, self.log, self.games = checks, r, [], 0
        self.since = None  # when a clock of a player began to run, or earlier
        self.leave_out, self.tell_lost, self.other, self.keep = (
            r.random() < chance for chance in (0.3, 0.3, 0.3, 0.3))
        options = [option for option, wanted in (
            ("--leave-out-played", self.leave_out), ("--tell-lost-tricks", self.tell_lost),
            ("--keep-deck", self.keep)) if wanted] + (["--lead-after-tie", "other"] if self.other else [])
        teams = os.path.join(folder, "teams.toml")
        with open(teams, "w") as file:
            for team in (1, 2):
                file.write(f'[[team]]\nid = {team}\nname = "team {team}"\ntoken = "secret{team}"\n')
        self.command = [os.path.join(given.bin, "contest"), "challenge", "serve", "--bind", "127.0.0.1", "--port", "0",
                        "--test-port", "0", "--teams", teams, "--state", os.path.join(folder, f"games{number}.jsonl"),
                        "--seed", str(r.randint(1, 999)), "--wait", "0", *options]
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                        stderr=self.errors, env=environment())
        output = Reader(self.process.stdout.fileno())
        words = output.line().decode().replace(",", "").split()
        self.port, self.test_port = int(words[1]), int(words[4])

    def stop(self):
        stop(self.process)
        self.errors.close()


class Deck:
    """Keeps the cards that were seen since the last shuffle."""

    def __init__(self):
        self.hands, self.seen = 0, []

    def next_hand(self):
        if self.hands == 10:
            self.__init__()
        self.hands += 1


class Round:
    """A round of games between two clients, counted by this file."""

    def __init__(self):
        self.wins, self.first = {}, None

    def over(self):
        a, b = (self.wins.get(team, 0) for team in (1, 2))
        return abs(a - b) == 5 or max(a, b) == 21


class Table:
    """A game at the server under audit. All that both clients receive is compared with the rules of this file."""

    def __init__(self, server, clients, deck, first):
        self.server, self.checks, self.r, self.deck = server, server.checks, server.r, deck
        self.clients = [clients[first], clients[1 - first]]
        self.game = Game(self.deal, "other" if server.other else "opener", server.tell_lost)
        self.game_id, self.numbers = None, set()
        self.silent = None  # whose clock has run out
        self.used = [0.0, 0.0]
        r = self.r
        self.offers, self.faults = r.choice([0, 0.02, 0.1, 0.4]), r.choice([0, 0.01, 0.05, 0.3])
        server.log.clear()
        for client in clients:
            # The server recognises copies of answers only of this game and the one before.
            client.old = [(game, text) for game, text in client.old if game == server.games]
        server.games += 1

    def deal(self):
        self.deck.next_hand()

    def check(self, holds, what, **details):
        if not holds:
            self.starved(time.monotonic() - self.server.since)
        return self.checks.check(holds, what, command=self.server.command[1:], log=self.server.log[-14:], **details)

    def expect(self, results):
        """Checks that both clients receive these results, and nothing before them."""
        for to, result in results:
            client = self.clients[to]
            message = client.next(error=result["type"] == "error")
            told = message.get("result", {})
            if result["type"] == "error" and isinstance(told, dict):
                told = {key: value for key, value in told.items() if key != "reason" or not isinstance(value, str)}
            good = (message.get("type") == "result" and told == result and message.get("your_player_num") == to)
            if not self.check(good, "a result", answer=message, expected=(result, to)):
                raise Ended("results differ: the game cannot be followed")

    def request(self):
        """Reads the request of the player who is to act, and compares it field by field."""
        game = self.game
        player, kind = game.asked()
        message = self.clients[player].next()
        state = message.get("state", {})
        if not self.check(message.get("type") == "request" and message.get("request") == kind, "a request",
                          answer=message, expected=kind):
            raise Ended("another message than a request: the game cannot be followed")
        hand = state.get("hand")
        own = self.shown(player, hand, kind)
        if self.game_id is None:
            self.game_id = state.get("game_id")
        expected = {**game.state(player), "hand": own, "game_id": self.game_id,
                    "opponent_id": self.clients[1 - player].number}
        answer = {key: value for key, value in state.items() if key in expected or key == "card"}
        whole = all(type(value) in (int, bool) for key, value in answer.items() if key != "hand")
        self.check(answer == expected and whole, "the state", answer=answer, expected=expected)
        identifier = message.get("request_id")
        self.check(type(identifier) is int and identifier not in self.numbers, "a new number for a request",
                   answer=message)
        self.numbers.add(identifier)
        remaining = message.get("remaining")
        most = 2 + 0.05 * min(100, game.moves[player])
        self.check(isinstance(remaining, (int, decimal.Decimal)) and 0 < remaining <= decimal.Decimal(most + 0.001),
                   "the time that remains", answer=remaining, expected=f"at most {most}")
        return player, kind, identifier

    def shown(self, player, hand, kind):
        """The hand that the server must show: the one known so far. If none is known yet, the hand shown is checked and
        taken over."""
        game = self.game
        if game.hands[player] is None:
            size = 5 - game.unseen_losses[player]
            good = isinstance(hand, list) and len(hand) == size and all(card in RANKS for card in hand)
            if not self.check(good, "a hand", answer=hand, expected=f"{size} cards"):
                raise Ended("no hand: the game cannot be followed")
            game.hands[player] = list(hand)
            self.deck.seen += hand
            self.check(all(self.deck.seen.count(card) <= 8 for card in hand), "at most eight cards of a rank in a deck",
                       answer=sorted(self.deck.seen))
        own = sorted(game.hands[player], reverse=True)
        if kind == "challenge_offered" and game.table is not None and self.server.leave_out:
            own.remove(game.table)
        return own

    def disturb(self, player):
        """The player who is not asked sends copies and noise now and then, which must cost nothing."""
        other = self.clients[1 - player]
        if other.old and self.r.random() < 0.2:
            other.send(self.r.choice(other.old)[1])
            other.owed += 1
        if self.r.random() < 0.05:
            other.send(self.r.choice(["{", '{"type": "move"}', json.dumps(
                {"type": "move", "request_id": 10 ** 7, "response": {"type": "play_card", "card": 3}})]))
            other.owed += 1
        # Two connections have no common order: wait, so that later messages do not overtake these.
        other.settle()

    def reconnect(self, player, identifier):
        """The client connects anew and is asked again."""
        client = self.clients[player]
        client.settle()
        client.connect()
        _, _, again = self.request_again(player, identifier)
        return again

    def request_again(self, player, identifier):
        self.numbers.discard(identifier)
        found = self.request()
        if found[2] != identifier:
            self.clients[player].old.append((self.server.games, json.dumps(
                {"type": "move", "request_id": identifier, "response": {"type": "dance"}})))
        return found

    def starved(self, more):
        """Gives up on the round if a clock may have run out, counting this many seconds more."""
        if any(used + more > SLOW + 0.05 * min(100, moves) for used, moves in zip(self.used, self.game.moves)):
            raise Starved()

    def clock(self, player):
        """Adds the time that the player may have used of its clock. It is measured from too early, never too late."""
        now = time.monotonic()
        self.used[player] += now - self.server.since
        self.server.since = now
        self.starved(0)

    def play(self, late=False):
        """Plays the game to its end. With `late`, the first player who is asked lets its clock run out."""
        r, game = self.r, self.game
        while game.winner is None:
            player, kind = game.asked()
            if self.silent == player:
                self.expect(game.fault())
                continue
            player, kind, identifier = self.request()
            client = self.clients[player]
            self.disturb(player)
            if r.random() < 0.02:
                identifier = self.reconnect(player, identifier)
            hand = sorted(game.hands[player], reverse=True)
            response = at_random(r, game, hand, self.offers)
            if late and self.silent is None:
                self.silent = player
                self.server.since += GUARD  # what is waited for is no clock that ran out by chance
                self.expect(game.fault())
                self.server.since = time.monotonic()
                # The answer comes too late, and twice.
                text = move(r, identifier, response)
                client.send(text, text)
                client.owed += 2
                client.settle()
                continue
            copies, is_fault = 1, r.random() < self.faults
            if is_fault:
                has_number, text = faulty(r, kind, identifier, hand, game.may_offer())
                copies = 1 if has_number else 0
            else:
                text = move(r, identifier, response)
            # An answer is sent twice if the server can recognise the second one as a copy.
            before = [r.choice(client.old)[1]] if client.old and r.random() < 0.2 else []
            client.send(*before, *[text] * (1 + copies))
            client.owed += len(before) + copies
            results = game.fault() if is_fault else game.respond(response)
            self.expect(results)
            if copies:
                client.old.append((self.server.games, text))
            self.clock(player)
        for client in self.clients:
            client.settle()


def server(checks, given, number, games, late):
    """Plays games of two clients of this file at `contest challenge serve`. If the machine is too busy for the
    contest's clock, there are two more attempts."""
    for attempt in range(3):
        r = rng(checks.seed, "challenge server", number)
        with tempfile.TemporaryDirectory() as folder:
            contest = Server(checks, given, r, folder, number)
            try:
                contest.since = time.monotonic()
                clients = [Client(contest, r, team) for team in (1, 2)]
                play_round(checks, r, contest, clients, games, late)
                contest.process.send_signal(signal.SIGTERM)
                contest.errors.seek(0)
                checks.equal(ended(contest.process), 0, "the exit status after SIGTERM", stderr=contest.errors.read())
                for client in clients:
                    client.wire.close()
                return
            except Starved:
                print(f"attempt {attempt + 1}: a clock of the contest may have run out")
            finally:
                contest.stop()
    # This is no failure: the clocks may have run out because the machine was busy, not because of the server.
    print("left out: three times a clock of the contest ran out on this machine")


def first_asked(clients):
    """The index of the client that gets the first request of a game."""
    while True:
        for index, client in enumerate(clients):
            if client.queue:
                return index
        ready, _, _ = select.select([client.wire.socket for client in clients if not client.wire.reader.buffer], [], [],
                                    0 if any(client.wire.reader.buffer for client in clients) else GUARD)
        found = [client for client in clients if client.wire.reader.buffer or client.wire.socket in ready]
        if not found:
            raise Hung("no game begins")
        for client in found:
            client.queue.append(client.pull())


def play_round(checks, r, contest, clients, games, late):
    deck, match, ids = Deck(), Round(), []
    for number in range(games):
        first = first_asked(clients)
        if match.first is not None:
            checks.equal(first, 1 - match.first, "the first lead of a round's games alternates", command=contest.command)
        match.first = first
        if not contest.keep:
            deck = Deck()
        table = Table(contest, clients, deck, first)
        table.play(late and number == 0)
        checks.check(table.game_id not in ids, "a new number for a game", answer=table.game_id, expected=ids)
        ids.append(table.game_id)
        team = table.clients[table.game.winner].number
        match.wins[team] = match.wins.get(team, 0) + 1
        if match.over():
            match, deck = Round(), Deck()


def at_test_port(checks, given):
    """Plays a game at the test port. Its opponent never challenges, and the states must add up."""
    r = rng(checks.seed, "challenge test port")
    with tempfile.TemporaryDirectory() as folder:
        contest = Server(checks, given, r, folder, "test")
        try:
            wire = Wire(socket.create_connection(("127.0.0.1", contest.test_port), GUARD), r)
            greeting = wire.receive()
            checks.equal(greeting.get("type"), "greetings_program", "a greeting at the test port")
            points = None
            while True:
                message = wire.receive()
                if message["type"] == "result":
                    if message["result"]["type"] == "game_won":
                        checks.check(message["result"]["by"] in (0, 1), "a winner", answer=message)
                        break
                    checks.check(message["result"]["type"] in ("accepted", "trick_won", "trick_tied", "hand_done"),
                                 "a result of a legal move", answer=message)
                    continue
                state = message["state"]
                checks.equal(message["request"], "request_card", "the test opponent never challenges", input=message)
                checks.equal(len(state["hand"]), 5 - state["total_tricks"], "the size of the hand", input=message)
                checks.check(state["total_tricks"] >= state["your_tricks"] + state["their_tricks"], "tricks add up",
                             input=message)
                before, points = points, state["your_points"] + state["their_points"]
                checks.check(before is None or before <= points <= before + 1, "points add up", input=message)
                wire.send(frame(move(r, message["request_id"], {"type": "play_card", "card": r.choice(state["hand"])})))
            wire.close()
        finally:
            contest.stop()


def main():
    given = arguments(__doc__.splitlines()[0], 40, "games at the server; the player: half as many")
    checks = Checks(given.seed)
    share = max(1, given.games // 4)
    for number in range(4):
        checks.part(server, given, number, share, number == 0)
    checks.part(at_test_port, given)
    names = ["blueprint", "equilibrium", "need", "bully"]
    for number, name in enumerate(names[:max(1, min(4, given.games // 4))]):
        checks.part(player, given, name, max(1, given.games // 8))
    checks.finish()


if __name__ == "__main__":
    main()
