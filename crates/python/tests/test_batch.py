"""Many games at once."""

import numpy as np
import pytest

import contestants as ct


def arrays(batch):
    names = ("observations", "masks", "seats", "rewards", "terminated", "truncated")
    return [getattr(batch, name).copy() for name in names]


def test_rows_are_written_in_place_and_repeat(game):
    one, two = (ct.Batch(game, 300, seed=5, threads=threads) for threads in (1, 2))
    kept = one.observations
    ended = 0
    for _ in range(150):
        actions = one.random_actions().copy()
        one.step(actions)
        two.step(actions.astype(np.int32))
        assert all((a == b).all() for a, b in zip(arrays(one), arrays(two)))
        assert one.masks[np.arange(300), one.random_actions()].all()
        ended += int((one.terminated | one.truncated).sum())
        assert abs(one.rewards.sum(axis=1)).max() < 1e-3
    assert kept is one.observations and ended > 100
    one.reset(seed=5)
    fresh = ct.Batch(game, 300, seed=5)
    assert all((a == b).all() for a, b in zip(arrays(one), arrays(fresh)))


def test_a_batch_plays_the_game():
    """A batch of Cartagena on one board is the plain game: whatever it shows follows from the step."""
    game = ct.Game("cartagena", board="hgkbds" * 6)
    batch = ct.Batch(game, 50, seed=1)
    fields = dict(zip([name for name, _ in game.fields], np.cumsum([size for _, size in game.fields])))
    for _ in range(300):
        hand = batch.observations[:, fields["pirates"] : fields["hand"]]
        held = hand.sum(axis=1)
        assert (held == batch.observations[:, fields["hand"]]).all()
        # A card of a symbol can be played exactly if it is held, by the rearmost pirate.
        rearmost = batch.observations[:, fields["board"]]
        free = rearmost < 37
        assert ((hand > 0) == batch.masks[:, :6])[free].all()
        batch.step(batch.random_actions())


def test_the_networks_observation_is_that_of_the_state():
    game = ct.Game("cartagena", players=3)
    batch = ct.Batch(game, 20, seed=1, observation="network")
    assert batch.observations.shape == (20, game.network_size)
    assert set(np.unique(batch.observations)) <= {0, 1} and batch.observations.any()
    state = game.new_game(seed=1)
    assert state.network_observation().shape == (game.network_size,)
    with pytest.raises(ValueError, match="no network"):
        ct.Batch(ct.Game("hearts"), 2, observation="network")
    assert ct.Batch(game, 2, observation=None).observations.shape == (2, 0)


def test_an_illegal_action_changes_nothing(game):
    batch = ct.Batch(game, 4, seed=2)
    before = arrays(batch)
    wrong = batch.random_actions().copy()
    wrong[2] = next(id for id in range(64) if id >= game.num_actions or not batch.masks[2, id])
    with pytest.raises(ValueError, match="game 2"):
        batch.step(wrong)
    assert all((a == b).all() for a, b in zip(before, arrays(batch)))
    with pytest.raises(ValueError, match="3 actions for 4 games"):
        batch.step(np.zeros(3, dtype=np.int64))
