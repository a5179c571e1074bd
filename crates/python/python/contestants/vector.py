"""The games as environments of Gymnasium, for one learner: built-in players or functions have the other seats.

>>> import contestants as ct
>>> from contestants.vector import SoloVectorEnv
>>> envs = SoloVectorEnv(ct.Game("cartagena"), 8, [ct.Player("greedy")])
>>> observations, infos = envs.reset(seed=1)
>>> envs.step(envs.random_actions())[1].shape
(8,)

The learner observes the plain observation of its seat, or the network's, or with ``one_hot=True`` the plain one as
zeros and ones. Which actions are legal is in ``infos["action_mask"]`` and in ``action_masks()``. The reward is the
learner's return at the end of a game, and 0 before.
"""

from __future__ import annotations

from typing import Any, Dict, Literal, Optional, Sequence, Tuple

import numpy as np

try:
    import gymnasium
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise ImportError(f"{error}: contestants.vector needs `pip install contestants[vector]` or `pip install gymnasium`") from error

from . import Batch, Game, Participant, one_hot

__all__ = ["SoloEnv", "SoloVectorEnv"]


def _width(game: Game, observation: str, hot: bool) -> Tuple[int, int]:
    """The numbers of an observation, and the largest value that each can have."""
    if not hot:
        sizes = {"plain": game.observation_size, "network": game.network_size}
        size = sizes.get(observation)
        if size is None:
            raise ValueError(f"observation = {observation!r}: {game.name} has no such observation")
        return size, 1 if observation == "network" else max(game.highest.values())
    if observation != "plain":
        raise ValueError("one_hot: the network's observation has zeros and ones as it is")
    return one_hot(game, np.zeros((1, game.observation_size), np.uint8)).shape[1], 1


class SoloVectorEnv(gymnasium.vector.VectorEnv):
    """Many games at once. A game that is over begins anew in the same step; its last observation is in
    ``infos["final_obs"]``. With ``observation="network"`` there is none: the network's observation is that of a player
    to move, and at the end nobody is.

    ``opponents`` are as many as the game has other seats, in turn order after the learner's; ``seat`` is the
    learner's, drawn for each game if it is None. ``threads`` share the games.
    """

    metadata = {"render_modes": [], "autoreset_mode": getattr(gymnasium.vector, "AutoresetMode", None) and
                gymnasium.vector.AutoresetMode.SAME_STEP}

    def __init__(
        self,
        game: Game,
        num_envs: int,
        opponents: Sequence[Participant],
        *,
        seat: Optional[int] = None,
        observation: Literal["plain", "network"] = "plain",
        one_hot: bool = False,
        threads: int = 1,
    ):
        size, highest = _width(game, observation, one_hot)
        self.game = game
        self.num_envs = num_envs
        self.single_observation_space = gymnasium.spaces.Box(0, highest, (size,), np.uint8)
        self.single_action_space = gymnasium.spaces.Discrete(game.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._hot = one_hot
        self._batch = Batch(
            game,
            num_envs,
            observation=observation,
            threads=threads,
            opponents=opponents,
            seat=seat,
            # Until `reset` gets a seed: environments made alike would otherwise all play the same games.
            seed=int(np.random.default_rng().integers(2**63)),
            # Plain observations alone are known at the end, when nobody is to move.
            final_observations=observation == "plain",
        )

    def _seen(self, observations: np.ndarray) -> np.ndarray:
        return one_hot(self.game, observations) if self._hot else observations.copy()

    def action_masks(self) -> np.ndarray:
        """For each game which actions are legal."""
        return self._batch.masks.copy()

    def random_actions(self) -> np.ndarray:
        """A legal action for every game, all equally likely."""
        return self._batch.random_actions().copy()

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[np.ndarray, Dict[str, Any]]:
        """New games everywhere."""
        self._batch.reset(seed)
        return self._seen(self._batch.observations), self._infos()

    def _infos(self) -> Dict[str, Any]:
        return {
            "action_mask": self.action_masks(),
            "_action_mask": np.ones(self.num_envs, np.bool_),
            "seat": self._batch.seats.copy(),
            "_seat": np.ones(self.num_envs, np.bool_),
        }

    def step(
        self, actions: Any
    ) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Dict[str, Any]]:
        """Takes an action in every game, and lets the opponents answer."""
        batch = self._batch
        batch.step(actions)
        infos = self._infos()
        ended = batch.terminated | batch.truncated
        seen, finals = self._seen(batch.observations), batch.final_observations
        if finals is not None and ended.any():
            last = np.zeros_like(seen)
            last[ended] = self._seen(finals[ended, 0])
            infos["final_obs"] = last
            infos["_final_obs"] = ended
        return (
            seen,
            batch.rewards[:, 0].astype(np.float64),
            batch.terminated.copy(),
            batch.truncated.copy(),
            infos,
        )


class SoloEnv(gymnasium.Env):
    """One game at a time, with the same options. After its end the game has to be reset. The last observation of a game is
    all zeros with ``observation="network"``, which has none then."""

    metadata = {"render_modes": []}

    def __init__(self, game: Game, opponents: Sequence[Participant], **options: Any):
        self._envs = SoloVectorEnv(game, 1, opponents, **options)
        self._last: Optional[np.ndarray] = None
        self._over = True
        self.observation_space = self._envs.single_observation_space
        self.action_space = self._envs.single_action_space

    def action_masks(self) -> np.ndarray:
        """Which actions are legal; after the end of a game none is."""
        mask: np.ndarray = self._envs.action_masks()[0] & (not self._over)
        return mask

    def _info(self) -> Dict[str, Any]:
        return {"action_mask": self.action_masks().astype(np.int8)}

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> Tuple[np.ndarray, Dict[str, Any]]:
        """A new game."""
        super().reset(seed=seed)
        observations, _ = self._envs.reset(seed=seed)
        self._over = False
        return observations[0], self._info()

    def step(self, action: Any) -> Tuple[np.ndarray, float, bool, bool, Dict[str, Any]]:
        """Takes an action, and lets the opponents answer."""
        if self._over:
            raise RuntimeError("the game is over: call reset()")
        observations, rewards, terminated, truncated, infos = self._envs.step(np.asarray(action).reshape(1))
        self._over = bool(terminated[0] or truncated[0])
        # The batch has already begun the next game; the observation returned is that of the end of this one.
        seen = infos["final_obs"][0] if "final_obs" in infos else observations[0]
        if self._over and "final_obs" not in infos:
            seen = np.zeros_like(seen)
        return seen, float(rewards[0]), bool(terminated[0]), bool(truncated[0]), self._info()
