"""The games as environments of PettingZoo, in which agents act one after the other (AEC).

An agent is ``player_0``, ``player_1`` and so on. It observes a dictionary of ``observation``, the plain
observation of its seat, and ``action_mask``. With ``observation="network"`` it is the network's input instead,
which the player to move has, and zeros for the others. Rewards come at the end of the game.
"""

from __future__ import annotations

import operator
from importlib.util import find_spec
from typing import Any, Dict, Literal, Optional

import numpy as np

try:
    import gymnasium
    from pettingzoo import AECEnv  # type: ignore[import-not-found,import-untyped,unused-ignore]
except ImportError as error:
    raise ImportError(f"{error}: contestants.pettingzoo needs `pip install contestants[pettingzoo]` or `pip install pettingzoo gymnasium`") from error

from . import Game, State

__all__ = ["ContestantsEnv", "env", "raw_env"]


class ContestantsEnv(AECEnv):  # type: ignore[misc,unused-ignore]
    """One game. ``game`` is a name or a :class:`contestants.Game`; options go to the former."""

    metadata: Dict[str, Any] = {
        "render_modes": ["human", "ansi", "rgb_array"],
        "name": "contestants_v0",
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        game: Any = "cartagena",
        render_mode: Optional[str] = None,
        observation: Literal["plain", "network"] = "plain",
        **options: Any,
    ):
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode = {render_mode!r}: expected human, ansi, rgb_array or None")
        if isinstance(game, Game) and options:
            raise TypeError(f"options {', '.join(options)} beside a Game: give them to the Game")
        self.game = game if isinstance(game, Game) else Game(game, **options)
        sizes = {"plain": self.game.observation_size, "network": self.game.network_size}
        size = sizes.get(observation)
        if size is None:
            names = ", ".join(repr(name) for name, size in sizes.items() if size is not None)
            raise ValueError(f"observation = {observation!r}: {self.game.name} has {names}")
        self.observation = observation
        # Pictures as arrays are listed where they can be made; asking for them elsewhere says what is missing.
        modes = [mode for mode in self.metadata["render_modes"] if mode != "rgb_array" or find_spec("cairosvg")]
        self.metadata = {
            **self.metadata,
            "name": f"contestants_{self.game.name}_v0",
            "render_modes": modes,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        actions = self.game.num_actions
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(0, 255, (size,), np.uint8),
                    "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._seeds = np.random.default_rng()
        self._state: Optional[State] = None

    def observation_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space[Any]:
        return self.action_spaces[agent]

    @property
    def game_state(self) -> State:
        """The game, with everything open."""
        if self._state is None:
            raise RuntimeError("reset() has not been called")
        return self._state

    def _seat(self, agent: str) -> int:
        if agent not in self.possible_agents:
            raise ValueError(f"agent = {agent!r}: expected one of {', '.join(self.possible_agents)}")
        return self.possible_agents.index(agent)

    def _legal(self) -> np.ndarray:
        return self.game_state.legal_mask().astype(np.int8)

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        self._state = self.game.new_game(seed=int(self._seeds.integers(2**63)))
        self.agents = self.possible_agents[:]
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0.0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self._state.current_player]
        self._tell_mask()

    def _tell_mask(self) -> None:
        for agent in self.agents:
            mover = not self.game_state.is_over and agent == self.agent_selection
            mask = self._legal() if mover else np.zeros(self.game.num_actions, np.int8)
            self.infos[agent] = {"action_mask": mask}

    def observe(self, agent: str) -> Dict[str, np.ndarray]:
        state, seat = self.game_state, self._seat(agent)
        if state.current_player == seat:
            mask = self._legal()
        else:
            mask = np.zeros(self.game.num_actions, np.int8)
        if self.observation == "plain":
            seen = state.observation(seat)
        elif state.current_player == seat:
            seen = state.network_observation()
        else:
            seen = np.zeros(self.game.network_size or 0, np.uint8)
        return {"observation": seen, "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError("an agent that plays must act")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        state = self.game_state
        try:
            # A whole number of any library; 1.9 is no action.
            number = operator.index(action)
        except TypeError:
            told = f"action = {action!r}: expected a whole number from 0 to {self.game.num_actions - 1}"
            raise TypeError(told) from None
        state.apply(number)
        if state.is_over:
            stopped = state.is_stopped
            for seat, value in enumerate(state.returns()):
                self.rewards[self.possible_agents[seat]] = float(value)
            self.terminations = {agent: not stopped for agent in self.agents}
            self.truncations = {agent: stopped for agent in self.agents}
            self.agent_selection = self.agents[(self._seat(agent) + 1) % len(self.agents)]
        else:
            self.agent_selection = self.possible_agents[state.current_player]
        self._tell_mask()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode shows nothing")
            return None
        if self.render_mode == "rgb_array":
            return pixels(self.game_state.svg())
        text = str(self.game_state)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        pass


def pixels(svg: str) -> np.ndarray:
    """A picture as an array of rows, columns and the colours red, green and blue."""
    try:
        import cairosvg  # type: ignore[import-not-found,import-untyped,unused-ignore]
        from PIL import Image  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except (ImportError, OSError) as error:
        told = "pictures as arrays need `pip install contestants[render]` or `pip install cairosvg pillow`, and cairo"
        raise ImportError(f"{error}: {told}") from error
    import io

    png = cairosvg.svg2png(bytestring=svg.encode(), background_color="white")
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def raw_env(game: Any = "cartagena", render_mode: Optional[str] = None, **options: Any) -> ContestantsEnv:
    """The environment as it is."""
    return ContestantsEnv(game, render_mode=render_mode, **options)


def env(game: Any = "cartagena", render_mode: Optional[str] = None, **options: Any) -> AECEnv:
    """The environment with PettingZoo's wrapper that notices calls in a wrong order."""
    from pettingzoo.utils import wrappers  # type: ignore[import-not-found,import-untyped,unused-ignore]

    return wrappers.OrderEnforcingWrapper(raw_env(game, render_mode=render_mode, **options))
