"""The four games of the contests: rules, players, referees, and fast environments.

>>> import contestants as ct
>>> state = ct.Game("cartagena").new_game(seed=7)
>>> state.current_player
0
>>> action = ct.Player("runme", nodes=200).choose(state)
>>> _ = state.apply(action)
"""

from __future__ import annotations

import json as _json
import operator as _operator
import os as _os
import typing as _t
from dataclasses import dataclass as _dataclass
from pathlib import Path as _Path

import numpy as _np

from ._native import (
    CHANCE,
    TERMINAL,
    Action,
    Batch,
    Candidate,
    Game,
    Player,
    State,
    View,
    __version__,
    check_record,
    loads,
    players,
)
from ._native import play as _play

__all__ = [
    "CHANCE",
    "GAMES",
    "TERMINAL",
    "Action",
    "Batch",
    "Candidate",
    "Game",
    "Interrupted",
    "MatchResult",
    "Participant",
    "Player",
    "State",
    "TournamentResult",
    "View",
    "__version__",
    "check_record",
    "loads",
    "match",
    "one_hot",
    "players",
    "read_records",
    "tournament",
    "write_records",
]

#: The games there are.
GAMES = ("cartagena", "challenge", "eights", "hearts")

#: Who can take part: a built-in player, or a function from what it sees to an action.
Participant = _t.Union[Player, _t.Callable[[View], _t.Union[Action, _t.SupportsIndex, str]]]


def _game(name: str, options: _t.Dict[str, _t.Any]) -> Game:
    """The game that was pickled."""
    return Game(name, **options)


def _player(name: str, game: _t.Optional[str], seed: int, settings: _t.Dict[str, _t.Any]) -> Player:
    """The player that was pickled, before its first game."""
    return Player(name, game=game, seed=seed, **settings)


def _view(data: bytes, seat: int) -> View:
    """The view that was pickled."""
    return loads(data).view(seat)


def _batch(game: Game, games: int, observation: _t.Any, threads: int, final_observations: bool) -> Batch:
    """A batch like the one that was pickled, which brings its games with it."""
    return Batch(game, games, observation=observation, threads=threads, final_observations=final_observations)


def _tables() -> _t.Optional[str]:
    """The folder with the tables of the challenge game's players: the one that the user names, the package
    contestants-tables, or that of the checkout in which this package was built; None if there is none."""
    named = _os.environ.get("CONTESTANTS_TABLES")
    if named:
        return named
    try:
        from contestants_tables import FOLDER  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError:
        # In a checkout this file is in crates/python/python/contestants.
        support = _Path(__file__).resolve().joinpath(*[".."] * 5, "support").resolve()
        return str(support) if (support / "challenge.values").exists() else None
    return str(FOLDER)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C has ended a match or a tournament. ``result`` has the blocks that were complete."""

    #: The result so far, or None if no block was complete.
    result: _t.Union[MatchResult, TournamentResult, None]

    def __init__(self, result: _t.Union[MatchResult, TournamentResult, None]):
        games = 0
        if isinstance(result, MatchResult):
            games = result.games
        elif result is not None:
            games = sum(one.games for one in result.line_ups)
        told = "before a block was complete"
        if result is not None:
            told = f"after {games} games; the exception's `result` has them"
        super().__init__(f"interrupted {told}")
        self.result = result

    def __reduce__(self) -> _t.Tuple[_t.Any, ...]:
        # By default a copy is made from the message.
        return Interrupted, (self.result,)


@_dataclass(frozen=True)
class MatchResult:
    """The result of a match. Margins are half the width of 95 % intervals, from the spread of blocks."""

    #: Games played.
    games: int
    #: Blocks played: one deal in every order of two or three seats, or every rotation of more.
    blocks: int
    #: Games stopped undecided.
    stopped: int
    #: The mean number of actions of a game.
    actions: float
    #: The share of the games won from each seat.
    seat_wins: _t.List[float]
    #: A row for each participant: label, share, margin, fair, rank, returns, times and so on.
    rows: _t.List[_t.Dict[str, _t.Any]]
    #: The games as a referee records them, if they were asked for; without those that have no record.
    records: _t.List[_t.Dict[str, _t.Any]]

    def share(self, label: str) -> float:
        """The share of the games that a participant has won."""
        shares = {row["label"]: float(row["share"]) for row in self.rows}
        if label not in shares:
            raise ValueError(f"no participant is called {label!r}, only {', '.join(map(repr, shares))}")
        return shares[label]

    def __str__(self) -> str:
        return _table(self.games, self.rows)


@_dataclass(frozen=True)
class TournamentResult:
    """The result of a tournament."""

    #: The result of every line-up.
    line_ups: _t.List[MatchResult]
    #: Ratings in Elo points, the best first, with their 95 % intervals.
    ratings: _t.List[_t.Dict[str, _t.Any]]
    #: The games as a referee records them, if they were asked for; without those that have no record.
    records: _t.List[_t.Dict[str, _t.Any]]

    def __str__(self) -> str:
        lines = []
        for row in self.ratings:
            rating = "unknown" if row["rating"] is None else f"{row['rating']:7.0f}"
            low, high = row["low"], row["high"]
            between = "" if low is None or high is None else f"  ({low:.0f} to {high:.0f})"
            lines.append(f"{row['label']:<16} {rating}{between}  {row['games']} games")
        return "\n".join(lines)


def _table(games: int, rows: _t.List[_t.Dict[str, _t.Any]]) -> str:
    lines = [f"{games} games"]
    for row in rows:
        margin = "" if row["margin"] is None else f" ± {100 * row['margin']:.2f}"
        returns = f"returns {row['returns']:+.3f}"
        lines.append(f"{row['label']:<16} {100 * row['share']:6.2f} %{margin}  {returns}")
    return "\n".join(lines)


def _labelled(
    participants: _t.Union[_t.Mapping[str, Participant], _t.Sequence[Participant]],
) -> _t.List[_t.Any]:
    if isinstance(participants, _t.Mapping):
        return list(participants.items())
    participants = list(participants)
    labels: _t.List[str] = []
    for one in participants:
        name = one.name if isinstance(one, Player) else getattr(one, "__name__", "function")
        number = 2
        label = name
        while label in labels:
            label, number = f"{name}-{number}", number + 1
        labels.append(label)
    return list(zip(labels, participants))


def _result(value: _t.Dict[str, _t.Any], records: _t.List[_t.Dict[str, _t.Any]]) -> MatchResult:
    return MatchResult(
        games=value["games"],
        blocks=value["blocks"],
        stopped=value["stopped"],
        actions=value["actions"],
        seat_wins=value["seat_wins"],
        rows=value["rows"],
        records=records,
    )


def match(
    game: Game,
    participants: _t.Union[_t.Mapping[str, Participant], _t.Sequence[Participant]],
    games: int = 200,
    *,
    seed: int = 1,
    jobs: int = 1,
    record: bool = False,
) -> MatchResult:
    """Plays a match: every deal in every order of two or three seats, or in every rotation of more.

    There is one participant for each seat: by label, or in a sequence, which gives them their names.
    ``games`` is rounded up to whole blocks. The result does not depend on ``jobs`` as long as nobody
    has a clock. Ctrl-C ends the match at once with :class:`Interrupted`, which has what was played.
    """
    entered = _labelled(participants)
    value = _play(game, entered, tournament=False, games=games, seed=seed, jobs=jobs, record=record)
    played = value["line_ups"][0]
    result = _result(played, value["records"]) if played["games"] else None
    if value["interrupted"] or result is None:
        raise Interrupted(result)
    return result


def tournament(
    game: Game,
    participants: _t.Union[_t.Mapping[str, Participant], _t.Sequence[Participant]],
    games: int = 100,
    *,
    seed: int = 1,
    jobs: int = 1,
    record: bool = False,
) -> TournamentResult:
    """Plays this number of games of every line-up of the participants, and rates them.

    Ctrl-C ends the tournament at once with :class:`Interrupted`, which has what was played.
    """
    entered = _labelled(participants)
    value = _play(game, entered, tournament=True, games=games, seed=seed, jobs=jobs, record=record)
    line_ups = [_result(line_up, []) for line_up in value["line_ups"] if line_up["games"]]
    result = TournamentResult(line_ups, value["ratings"]["rows"], value["records"])
    if value["interrupted"]:
        raise Interrupted(result if line_ups else None)
    return result


def one_hot(game: Game, observations: _np.ndarray) -> _np.ndarray:
    """Plain observations as zeros and ones: for each byte as many columns as it can have values.

    The last axis is that of the bytes; the others stay. ``hgkbds`` as a board of six spaces becomes 36 columns
    with six ones.
    """
    highest = _np.concatenate([_np.full(size, game.highest[name], _np.int64) for name, size in game.fields])
    starts = _np.concatenate([[0], _np.cumsum(highest + 1)])
    observations = _np.asarray(observations)
    if observations.shape[-1:] != highest.shape:
        raise ValueError(f"observations of shape {observations.shape}: expected {len(highest)} numbers in the last axis")
    if not ((observations >= 0) & (observations <= highest)).all():
        raise ValueError("observations have values beyond those of game.highest")
    if (observations != _np.floor(observations)).any():
        raise ValueError("observations have fractions: expected whole numbers")
    rows = observations.reshape(-1, len(highest)).astype(_np.int64)
    hot = _np.zeros((len(rows), starts[-1]), _np.uint8)
    hot[_np.arange(len(rows))[:, None], starts[:-1] + rows] = 1
    return hot.reshape(*observations.shape[:-1], starts[-1])


def read_records(path: _t.Union[str, "_Path"]) -> _t.Iterator[_t.Dict[str, _t.Any]]:
    """The games of a file that a referee or :func:`write_records` wrote, a line of JSON each.

    A last line without a line end is left out: a referee may be writing it. Unpack compressed files first.
    """
    with open(path, encoding="utf-8-sig") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip() and line.endswith("\n"):
                try:
                    yield _json.loads(line)
                except ValueError as error:
                    raise ValueError(f"{path}, line {number}: {error}") from None


def write_records(path: _t.Union[str, "_Path"], records: _t.Iterable[_t.Mapping[str, _t.Any]]) -> int:
    """Writes games, a line of JSON each, after checking that they replay; returns how many.

    If one of them does not, the file stays as it was.
    """
    lines = []
    for record in records:
        check_record(record)
        text = _json.dumps(record, separators=(",", ":"), ensure_ascii=False, default=_operator.index)
        lines.append(text + "\n")
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(lines)
    return len(lines)


# `annotations` comes from the import from `__future__` and is no name of this package.
del annotations
