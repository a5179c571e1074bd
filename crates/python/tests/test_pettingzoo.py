"""PettingZoo's own tests."""

import warnings

import numpy as np
import pytest

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, render_test, seed_test  # noqa: E402

from contestants import GAMES  # noqa: E402
from contestants.pettingzoo import env, raw_env  # noqa: E402

OPTIONS = {"cartagena": {"max_turns": 40, "players": 3}}


@pytest.mark.parametrize("name", GAMES)
def test_the_interface(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # PettingZoo recommends a mask beside the observation, and yet its test warns of it.
        warnings.filterwarnings("ignore", message="Observation space for each agent probably")
        warnings.filterwarnings("ignore", message="Observation is not a NumPy array")
        api_test(env(name, **OPTIONS.get(name, {})), num_cycles=300)


@pytest.mark.parametrize("name", GAMES)
def test_seeds(name):
    seed_test(lambda: env(name, **OPTIONS.get(name, {})), num_cycles=100)


@pytest.mark.parametrize("name", GAMES)
def test_rendering(name, capsys):
    def make(render_mode=None):
        return raw_env(name, render_mode=render_mode, **OPTIONS.get(name, {}))

    render_test(make)
    assert "player 1" in capsys.readouterr().out


def test_the_networks_observation():
    one = env("cartagena", observation="network", max_turns=30)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(one, num_cycles=100)
    with pytest.raises(ValueError, match="hearts has 'plain'"):
        env("hearts", observation="network")


@pytest.mark.parametrize("name", GAMES)
def test_pictures_as_arrays(name):
    try:
        import cairosvg  # noqa: F401
    except (ImportError, OSError) as error:
        # The package is in Python; the library cairo, which it loads, may be missing.
        pytest.skip(f"could not import 'cairosvg': {error}")
    pytest.importorskip("PIL")
    one = env(name, render_mode="rgb_array", **OPTIONS.get(name, {}))
    one.reset(seed=1)
    picture = one.render()
    assert picture.ndim == 3 and picture.shape[2] == 3 and picture.std() > 1


def test_an_action_is_a_whole_number():
    one = env("hearts", players=3)
    one.reset(seed=1)
    with pytest.raises(TypeError, match="action = 1.9: expected a whole number from 0 to 51"):
        one.step(1.9)
    with pytest.raises(ValueError, match="agent = 'player_9': expected one of player_0, player_1, player_2"):
        one.observe("player_9")
    legal = one.last()[0]["action_mask"].nonzero()[0][0]
    one.step(np.int32(legal))


def test_a_game_that_is_stopped_is_truncated():
    one = env("cartagena", max_turns=2)
    one.reset(seed=1)
    for agent in one.agent_iter():
        observation, reward, terminated, truncated, _ = one.last()
        if terminated or truncated:
            assert truncated and not terminated and reward == 0
            one.step(None)
        else:
            one.step(int(observation["action_mask"].nonzero()[0][0]))
