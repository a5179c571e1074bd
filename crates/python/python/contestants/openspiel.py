"""The games for OpenSpiel: importing this module registers ``contestants_cartagena``,
``contestants_challenge``, ``contestants_eights`` and ``contestants_hearts``.

>>> import pyspiel
>>> import contestants.openspiel
>>> game = pyspiel.load_game("contestants_challenge(cards=1,ranks=3,copies=2,goal=1,max_hands=1)")

Every card that is dealt or drawn is a turn of chance. Without a board of its own Cartagena is played on
the board of seed 0, the same in every game.

An information state is all that a player has seen, except in Cartagena: there its text does not say in which
order the player's own retreats drew their cards, so Cartagena has imperfect recall. As a tensor it has a row
for each event, and so there is one only where the length of a game has a bound that is not too large
(``Game.information_shape``).
"""

from __future__ import annotations

import random
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

try:
    import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]
except ImportError as error:
    raise ImportError(f"{error}: contestants.openspiel needs `pip install contestants[openspiel]` or `pip install open_spiel`") from error

from . import GAMES, Game
from . import State as NativeState

__all__ = ["OpenSpielGame", "OpenSpielState", "Observer", "resampler"]

_LONG = {
    "cartagena": "Cartagena",
    "challenge": "The challenge card game",
    "eights": "Tricky Eights, one round",
    "hearts": "Hearts, one round",
}
_PLAYERS = {"cartagena": (2, 6), "challenge": (2, 2), "eights": (4, 4), "hearts": (3, 6)}
#: The most that a game can bring a player.
_UTILITY = {"cartagena": 1.0, "challenge": 1.0, "eights": 25.0, "hearts": 26.0}


def _parameters(name: str) -> Dict[str, Any]:
    """The options with their defaults; a board that is left out is an empty word."""
    options = Game(name).options
    return {key: "" if value is None else value for key, value in options.items()}


def _game_type(name: str) -> pyspiel.GameType:
    least, most = _PLAYERS[name]
    return pyspiel.GameType(
        short_name=f"contestants_{name}",
        long_name=_LONG[name],
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=least,
        provides_information_state_string=True,
        # One type stands for all games of a name; with options a game may still have tensors.
        provides_information_state_tensor=Game(name).information_shape is not None,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_parameters(name),
    )


_TYPES = {name: _game_type(name) for name in GAMES}


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc,unused-ignore]
    """A game with its parameters."""

    #: Of which game; set by the classes that are registered.
    name = ""

    def __init__(self, params: Optional[Dict[str, Any]] = None):
        params = dict(params or {})
        given = {key: value for key, value in params.items() if value != ""}
        self.native = Game(self.name, **given)
        if self.name == "cartagena" and "board" not in given:
            # OpenSpiel rebuilds a state from its actions alone, so every game must begin alike.
            symbols = "bdghks"
            size = dict(self.native.fields)["board"]
            board = self.native.new_game(seed=0).observation(0)[:size]
            self.native = Game(self.name, **given, board="".join(symbols[symbol] for symbol in board))
        limit = _UTILITY[self.name]
        info = pyspiel.GameInfo(
            num_distinct_actions=self.native.num_actions,
            max_chance_outcomes=self.native.num_outcomes,
            num_players=self.native.players,
            min_utility=-limit,
            max_utility=limit,
            utility_sum=0.0,
            max_game_length=self.native.max_length,
        )
        super().__init__(_TYPES[self.name], info, params)

    def new_initial_state(self) -> "OpenSpielState":
        return OpenSpielState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: Optional[Dict[str, Any]] = None
    ) -> "Observer":
        return Observer(self.native, iig_obs_type, params)


class OpenSpielState(pyspiel.State):  # type: ignore[misc,unused-ignore]
    """A game that is played."""

    def __init__(self, game: OpenSpielGame):
        super().__init__(game)
        #: The game of this package.
        self.native: NativeState = game.native.new_game()

    def current_player(self) -> int:
        return self.native.current_player

    def _legal_actions(self, player: int) -> List[int]:
        return self.native.legal_ids()

    def chance_outcomes(self) -> List[Tuple[int, float]]:
        return self.native.chance_outcomes()

    def _apply_action(self, action: int) -> None:
        self.native.apply(action)

    def _action_to_string(self, player: int, action: int) -> str:
        try:
            return self.native.id_to_text(action)
        except ValueError:
            # The words of an action depend on the position, and it is not possible in this one. OpenSpiel asks for
            # such names too, for example when a game that is over is printed.
            return f"{'outcome' if player < 0 else 'action'} {action}"

    def is_terminal(self) -> bool:
        return self.native.is_over

    def returns(self) -> List[float]:
        return self.native.returns()

    def __str__(self) -> str:
        return str(self.native)


class Observer:
    """What a player sees, as numbers and as text."""

    def __init__(self, game: Game, iig_obs_type: Any, params: Optional[Dict[str, Any]]):
        if params:
            raise ValueError(f"there are no parameters of observations: {params}")
        kind = iig_obs_type
        single = pyspiel.PrivateInfoType.SINGLE_PLAYER
        if kind is not None and not (kind.public_info and kind.private_info == single):
            raise ValueError(
                f"public_info = {kind.public_info}, private_info = {kind.private_info}: expected True and SINGLE_PLAYER, "
                "as there are no observations of a part of what a player sees"
            )
        self._game = game
        self._recall = bool(kind is not None and kind.perfect_recall)
        self.dict = {}
        if not self._recall:
            self.tensor = np.zeros(game.observation_size, np.float32)
            self.dict = {name: self.tensor[part] for name, part in game.slices.items()}
        elif game.information_shape is not None:
            events = np.zeros(game.information_shape, np.float32)
            self.dict = {"events": events}
            self.tensor = events.reshape(-1)
        else:
            # Such a game still has its texts.
            self.tensor = np.zeros(0, np.float32)

    def set_from(self, state: OpenSpielState, player: int) -> None:
        if self._recall:
            # Raises if there is no such tensor. The plain observation cannot replace it: it says less than all that
            # was seen.
            self.tensor[:] = state.native.information_tensor(player).reshape(-1)
        else:
            self.tensor[:] = state.native.observation(player)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        if self._recall:
            return state.native.information_state(player)
        return str(state.native.view(player))


def resampler(seed: int = 0) -> Any:
    """For ``set_resampler`` of OpenSpiel's Python ``ISMCTSBot``: games that look the same to a player, hidden cards drawn anew."""
    rng = random.Random(seed)

    def resample(state: OpenSpielState, player: int) -> OpenSpielState:
        other: OpenSpielState = state.clone()
        other.native = state.native.resample(player, rng.getrandbits(63))
        return other

    return resample


class CartagenaGame(OpenSpielGame):
    """Cartagena, with its parameters."""

    name = "cartagena"


class ChallengeGame(OpenSpielGame):
    """The challenge card game, with its parameters."""

    name = "challenge"


class EightsGame(OpenSpielGame):
    """A round of Tricky Eights, with its parameters."""

    name = "eights"


class HeartsGame(OpenSpielGame):
    """A round of Hearts, with its parameters."""

    name = "hearts"


for _kind in (CartagenaGame, ChallengeGame, EightsGame, HeartsGame):
    pyspiel.register_game(_TYPES[_kind.name], _kind)
