"""Environments of Gymnasium for one learner."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

import contestants as ct  # noqa: E402
from contestants.vector import SoloEnv, SoloVectorEnv  # noqa: E402

GAME = ct.Game("cartagena", max_turns=60)


@pytest.mark.parametrize("options", [{}, {"one_hot": True}, {"observation": "network"}], ids=str)
def test_the_vector_interface(options):
    envs = SoloVectorEnv(GAME, 6, [ct.Player("greedy")], **options)
    observations, infos = envs.reset(seed=1)
    ended = 0
    for _ in range(200):
        assert envs.observation_space.contains(observations)
        assert (infos["action_mask"] == envs.action_masks()).all()
        actions = envs.random_actions()
        assert envs.action_space.contains(actions)
        observations, rewards, terminated, truncated, infos = envs.step(actions)
        over = terminated | truncated
        assert rewards.dtype == np.float64 and not rewards[~over].any()
        if over.any() and "final_obs" in infos:
            assert (infos["_final_obs"] == over).all()
            assert envs.observation_space.contains(infos["final_obs"])
        ended += over.sum()
    assert ended > 10
    again = SoloVectorEnv(GAME, 6, [ct.Player("greedy")], **options)
    assert (again.reset(seed=1)[0] == envs.reset(seed=1)[0]).all()


def test_wrappers_of_gymnasium_fit():
    """Its own statistics, which rely on the mode of automatic resets."""
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(SoloVectorEnv(GAME, 4, [ct.Player("random")]))
    envs.reset(seed=2)
    for _ in range(150):
        *_, infos = envs.step(envs.env.random_actions())
        if "episode" in infos:
            break
    assert infos["episode"]["l"].max() > 1


def test_one_game_at_a_time():
    env = SoloEnv(GAME, [ct.Player("greedy")], seat=0)
    observation, info = env.reset(seed=3)
    total = 0.0
    over = False
    while not over:
        assert env.observation_space.contains(observation)
        action = env.action_space.sample(info["action_mask"])
        assert env.action_masks()[action]
        observation, reward, terminated, truncated, info = env.step(action)
        total += reward
        over = terminated or truncated
    assert total in (-1.0, 0.0, 1.0) and not env.action_masks().any()
    with pytest.raises(RuntimeError, match="reset"):
        env.step(0)
    env.reset(seed=3)
    with pytest.raises(ValueError, match="not legal"):
        env.step(int(np.flatnonzero(~env.action_masks())[0]))


def test_the_checker_of_gymnasium_finds_nothing_wrong():
    from gymnasium.utils.env_checker import data_equivalence

    one, two = (SoloEnv(GAME, [ct.Player("greedy")]) for _ in range(2))
    assert data_equivalence(one.reset(seed=5), two.reset(seed=5))
    action = int(np.flatnonzero(one.action_masks())[0])
    assert data_equivalence(one.step(action), two.step(action))


@pytest.mark.parametrize("wrong", [{"observation": "nothing"}, {"observation": "network", "one_hot": True}], ids=str)
def test_an_observation_that_is_none_is_named(wrong):
    with pytest.raises(ValueError, match="observation"):
        SoloVectorEnv(GAME, 2, [ct.Player("greedy")], **wrong)
