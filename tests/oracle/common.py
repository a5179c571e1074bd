"""What the four auditors share: arguments, counting checks, reading with a guard against hanging."""

import argparse
import os
import random
import select
import subprocess
import sys
import traceback

# Longest wait for anything, in seconds. It measures nothing: a process that needs longer hangs.
GUARD = 300.0
# The number of failures that are printed in full.
SHOWN = 10


class Hung(Exception):
    """Nothing came for `GUARD` seconds."""


class Ended(Exception):
    """The other side has closed its end of the stream."""


def cut(value, most=1500):
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


class Checks:
    """Counts checks, and prints those that failed with all that is needed to repeat them."""

    def __init__(self, seed):
        self.seed = seed
        self.count = 0
        self.failed = 0

    def check(self, holds, what, **details):
        """Counts a check. `details` (input, answer, expected, …) are printed if it does not hold."""
        self.count += 1
        if not holds:
            self.failed += 1
            if self.failed <= SHOWN:
                print(f"FAILED: {what} (seed {self.seed})")
                for name, value in details.items():
                    print(f"  {name}: {cut(value)}")
                sys.stdout.flush()
        return holds

    def equal(self, answer, expected, what, **details):
        return self.check(answer == expected, what, answer=answer, expected=expected, **details)

    def part(self, function, *arguments):
        """Runs a part of the audit. If it hangs, meets a closed stream or cannot read an input, that is a failed
        check."""
        try:
            function(self, *arguments)
        except Exception as error:
            self.check(False, f"{function.__name__} ended: {type(error).__name__}: {error}",
                       traceback=traceback.format_exc())

    def finish(self):
        print(f"{self.count} checks, {self.failed} failed")
        sys.exit(1 if self.failed else 0)


def arguments(about, games, what):
    """The command line of every auditor: where the programs are, a seed, how many games."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--bin", default="target/release", help="folder of the programs [target/release]")
    parser.add_argument("--seed", type=int, default=1, help="seed of everything random [1]")
    parser.add_argument("--games", type=int, default=games, help=f"{what} [{games}]")
    given = parser.parse_args()
    given.bin = os.path.abspath(given.bin)
    return given


def rng(seed, *parts):
    """A separate generator for each part of an audit, so that no part depends on the numbers that another draws."""
    return random.Random(":".join(str(part) for part in (seed, *parts)))


def environment(**more):
    """The environment, without the variables that change the programs' settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("RUNME_", "CHALLENGE_"))}
    return {**kept, **more}


def pieces(random_numbers, data, most=4):
    """`data` cut at random places into one to `most` pieces."""
    cuts = sorted(random_numbers.randrange(len(data) + 1) for _ in range(random_numbers.randrange(most)))
    edges = [0, *cuts, len(data)]
    return [data[a:b] for a, b in zip(edges, edges[1:]) if a < b]


class Reader:
    """Reads a file descriptor, waiting at most `GUARD` seconds for more."""

    def __init__(self, fd):
        self.fd = fd
        self.buffer = b""

    def more(self):
        """Waits for data, and appends it to the buffer."""
        ready, _, _ = select.select([self.fd], [], [], GUARD)
        if not ready:
            raise Hung(f"nothing after {self.buffer[-200:]!r}")
        try:
            data = os.read(self.fd, 65536)
        except ConnectionResetError:
            # A connection that is closed while it has unread data is reset: for the reader that is its end.
            data = b""
        if not data:
            raise Ended(f"the end of the stream after {self.buffer[-200:]!r}")
        self.buffer += data

    def take(self, count):
        """The next `count` bytes."""
        while len(self.buffer) < count:
            self.more()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def line(self):
        """The next line, with its end."""
        while b"\n" not in self.buffer:
            self.more()
        end = self.buffer.index(b"\n") + 1
        return self.take(end)

    def rest(self):
        """Everything up to the end of the stream."""
        try:
            while True:
                self.more()
        except Ended:
            pass
        taken, self.buffer = self.buffer, b""
        return taken


def ended(process):
    """Waits for a process to end, and returns its exit status. One that does not end is killed, and has the status
    None."""
    try:
        return process.wait(GUARD)
    except subprocess.TimeoutExpired:
        return None
    finally:
        stop(process)


def stop(process):
    """Kills a process if it still runs, and closes its streams."""
    if process.poll() is None:
        process.kill()
        process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream and not stream.closed:
            try:
                stream.close()
            except OSError:
                pass
