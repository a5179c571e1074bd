"""The games as environments of PettingZoo, in which agents act one after the other (AEC).

An agent is ``player_0``, ``player_1`` and so on. It observes a dictionary of ``observation``, the plain
observation of its seat (or the network's), and ``action_mask``. Rewards come at the end of the game.
"""

from __future__ import annotations

from typing import Any, Dict, Optional

import gymnasium
import numpy as np
from pettingzoo import AECEnv

from . import Game, State

__all__ = ["ContestantsEnv", "env", "raw_env"]


class ContestantsEnv(AECEnv):
    """One game. ``game`` is a name or a :class:`contestants.Game`; options go to the former."""

    metadata = {"render_modes": ["human", "ansi"], "name": "contestants_v0", "is_parallelizable": False}

    def __init__(self, game: Any = "cartagena", render_mode: Optional[str] = None, **options: Any):
        super().__init__()
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode = {render_mode!r}: expected human, ansi or None")
        self.game = game if isinstance(game, Game) else Game(game, **options)
        self.metadata = {**self.metadata, "name": f"contestants_{self.game.name}_v0"}
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(self.game.players)]
        actions = self.game.num_actions
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents
        }
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(
                        0, 255, (self.game.observation_size,), np.uint8
                    ),
                    "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._seeds = np.random.default_rng()
        self._state: Optional[State] = None

    def observation_space(self, agent: str) -> gymnasium.Space:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.Space:
        return self.action_spaces[agent]

    @property
    def game_state(self) -> State:
        """The game, with everything open."""
        if self._state is None:
            raise RuntimeError("reset() has not been called")
        return self._state

    def _seat(self, agent: str) -> int:
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
        self.infos = {agent: {} for agent in self.agents}
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
        return {"observation": state.observation(seat), "action_mask": mask}

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
        state.apply(int(action))
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

    def render(self) -> Optional[str]:
        if self.render_mode is None:
            gymnasium.logger.warn("render() without a render_mode shows nothing")
            return None
        text = str(self.game_state)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        pass


def raw_env(game: Any = "cartagena", render_mode: Optional[str] = None, **options: Any) -> ContestantsEnv:
    """The environment as it is."""
    return ContestantsEnv(game, render_mode=render_mode, **options)


def env(game: Any = "cartagena", render_mode: Optional[str] = None, **options: Any) -> AECEnv:
    """The environment with PettingZoo's wrapper that notices calls in a wrong order."""
    from pettingzoo.utils import wrappers

    return wrappers.OrderEnforcingWrapper(raw_env(game, render_mode=render_mode, **options))
