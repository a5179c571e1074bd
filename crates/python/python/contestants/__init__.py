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
from dataclasses import dataclass as _dataclass
from pathlib import Path as _Path
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Union

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
    "players",
    "read_records",
    "tournament",
    "write_records",
]

#: The games there are.
GAMES = ("cartagena", "challenge", "eights", "hearts")

#: Who can take part: a built-in player, or a function from what it sees to an action.
Participant = Union[Player, Callable[[View], Union[Action, int, str]]]


def _game(name: str, options: Dict[str, Any]) -> Game:
    """The game that was pickled."""
    return Game(name, **options)


@_dataclass(frozen=True)
class MatchResult:
    """What a match came to. Margins are half the width of 95 % intervals, from the spread of blocks."""

    #: Games played.
    games: int
    #: Blocks played: one deal in every rotation of the seats.
    blocks: int
    #: Games stopped undecided.
    stopped: int
    #: The mean number of actions of a game.
    actions: float
    #: The share of the games won from each seat.
    seat_wins: List[float]
    #: A row for each participant: label, share, margin, fair, rank, returns, times and so on.
    rows: List[Dict[str, Any]]
    #: The games as a referee records them, if they were asked for.
    records: List[Dict[str, Any]]

    def share(self, label: str) -> float:
        """The share of the games that a participant has won."""
        return float(next(row["share"] for row in self.rows if row["label"] == label))

    def __str__(self) -> str:
        return _table(self.games, self.rows)


@_dataclass(frozen=True)
class TournamentResult:
    """What a tournament came to."""

    #: The result of every line-up.
    line_ups: List[MatchResult]
    #: Ratings in Elo points, the best first, with their 95 % intervals.
    ratings: List[Dict[str, Any]]
    #: The games as a referee records them, if they were asked for.
    records: List[Dict[str, Any]]

    def __str__(self) -> str:
        lines = []
        for row in self.ratings:
            rating = "unknown" if row["rating"] is None else f"{row['rating']:7.0f}"
            low, high = row["low"], row["high"]
            between = "" if low is None or high is None else f"  ({low:.0f} to {high:.0f})"
            lines.append(f"{row['label']:<16} {rating}{between}  {row['games']} games")
        return "\n".join(lines)


def _table(games: int, rows: List[Dict[str, Any]]) -> str:
    lines = [f"{games} games"]
    for row in rows:
        margin = "" if row["margin"] is None else f" ± {100 * row['margin']:.2f}"
        returns = f"returns {row['returns']:+.3f}"
        lines.append(f"{row['label']:<16} {100 * row['share']:6.2f} %{margin}  {returns}")
    return "\n".join(lines)


def _labelled(
    participants: Union[Mapping[str, Participant], Sequence[Participant]],
) -> List[Any]:
    if isinstance(participants, Mapping):
        return list(participants.items())
    labels: List[str] = []
    for one in participants:
        name = one.name if isinstance(one, Player) else getattr(one, "__name__", "function")
        number = 2
        label = name
        while label in labels:
            label, number = f"{name}-{number}", number + 1
        labels.append(label)
    return list(zip(labels, participants))


def _result(value: Dict[str, Any], records: List[Dict[str, Any]]) -> MatchResult:
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
    participants: Union[Mapping[str, Participant], Sequence[Participant]],
    games: int = 200,
    *,
    seed: int = 1,
    jobs: int = 1,
    record: bool = False,
) -> MatchResult:
    """Plays a match: every deal in every rotation of the seats, so that luck falls on everyone alike.

    There is one participant for each seat: by label, or in a sequence, which gives them their names.
    ``games`` is rounded up to whole blocks. The result does not depend on ``jobs`` as long as nobody
    has a clock.
    """
    entered = _labelled(participants)
    value = _play(game, entered, tournament=False, games=games, seed=seed, jobs=jobs, record=record)
    return _result(value["line_ups"][0], value["records"])


def tournament(
    game: Game,
    participants: Union[Mapping[str, Participant], Sequence[Participant]],
    games: int = 100,
    *,
    seed: int = 1,
    jobs: int = 1,
    record: bool = False,
) -> TournamentResult:
    """Plays so many games of every line-up of the participants, and rates them."""
    entered = _labelled(participants)
    value = _play(game, entered, tournament=True, games=games, seed=seed, jobs=jobs, record=record)
    line_ups = [_result(line_up, []) for line_up in value["line_ups"]]
    return TournamentResult(line_ups, value["ratings"]["rows"], value["records"])


def read_records(path: Union[str, "_Path"]) -> Iterator[Dict[str, Any]]:
    """The games of a file that a referee or :func:`write_records` wrote, a line of JSON each."""
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                try:
                    yield _json.loads(line)
                except ValueError as error:
                    raise ValueError(f"{path}, line {number}: {error}") from None


def write_records(path: Union[str, "_Path"], records: Iterable[Mapping[str, Any]]) -> int:
    """Writes games, a line of JSON each, after checking that they replay; returns how many."""
    count = 0
    with open(path, "w", encoding="utf-8") as out:
        for record in records:
            check_record(record)
            out.write(_json.dumps(record, separators=(",", ":"), ensure_ascii=False) + "\n")
            count += 1
    return count
