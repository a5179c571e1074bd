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
        assert ("final_obs" in infos) == (over.any() and options.get("observation") != "network")
        if "final_obs" in infos:
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


#: The second is the environment in which the manual's MaskablePPO learns.
CHECKED = [
    (GAME, {}),
    (ct.Game("cartagena", board="hgkbds" * 2, pirates=2, max_turns=100), {"one_hot": True}),
    (ct.Game("hearts", players=3), {"one_hot": True}),
    (GAME, {"observation": "network"}),
]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("game, options", CHECKED, ids=["plain", "manual", "hearts", "network"])
def test_the_checkers_of_gymnasium_find_nothing_wrong(game, options):
    """The parts of its `check_env`. The whole takes any action, but here not all are legal."""
    from gymnasium.utils import env_checker, passive_env_checker

    def made():
        return SoloEnv(game, [ct.Player("random")] * (game.players - 1), **options)

    env = made()
    passive_env_checker.check_observation_space(env.observation_space)
    passive_env_checker.check_action_space(env.action_space)
    env_checker.check_reset_options(env)
    env_checker.check_reset_return_type(env)
    passive_env_checker.env_reset_passive_checker(env, seed=5, options=None)
    other, over = made(), False
    assert env_checker.data_equivalence(env.reset(seed=5), other.reset(seed=5))
    while not over:
        action = int(np.flatnonzero(env.action_masks())[-1])
        result = passive_env_checker.env_step_passive_checker(env, action)
        assert env_checker.data_equivalence(result, other.step(action))
        over = result[2] or result[3]


def test_masks_are_asked_for_through_wrappers():
    """MaskablePPO asks a wrapped environment for `action_masks`, and takes legal actions until the game is over."""
    game, options = CHECKED[1]
    env = gymnasium.wrappers.RecordEpisodeStatistics(SoloEnv(game, [ct.Player("random")], **options))
    observation, _ = env.reset(seed=1)
    over = False
    while not over:
        mask = env.get_wrapper_attr("action_masks")()
        assert mask.dtype == np.bool_ and mask.shape == (env.action_space.n,) and mask.any()
        assert observation.shape == env.observation_space.shape
        observation, _, terminated, truncated, info = env.step(mask.argmax())
        over = terminated or truncated
    assert info["episode"]["l"] > 3


@pytest.mark.parametrize("wrong", [{"observation": "nothing"}, {"observation": "network", "one_hot": True}], ids=str)
def test_an_observation_that_is_none_is_named(wrong):
    with pytest.raises(ValueError, match="observation"):
        SoloVectorEnv(GAME, 2, [ct.Player("greedy")], **wrong)
