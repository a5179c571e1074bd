"""Many games at once."""

import random

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
    """A batch of Cartagena on one board shows what the rules say: counts of cards add up, and a held card can be
    played."""
    game = ct.Game("cartagena", board="hgkbds" * 6)
    batch = ct.Batch(game, 50, seed=1)
    fields = dict(zip([name for name, _ in game.fields], np.cumsum([size for _, size in game.fields])))
    for _ in range(300):
        hand = batch.observations[:, fields["pirates"] : fields["hand"]]
        held = hand.sum(axis=1)
        assert (held == batch.observations[:, fields["hand"]]).all()
        # The rearmost pirate, if it is not home, can play exactly the symbols that are held.
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


@pytest.mark.parametrize("threads", [1, 2])
def test_an_opponent_that_raises_leaves_its_game_as_it_was(threads):
    """The exception comes out as it was raised, and the same actions go on as if nothing had happened."""
    game = ct.Game("challenge", goal=1)
    chance, rng = [0.0], random.Random(3)

    def opponent(view):
        # Also in the first turn of the next game, before which the last one has ended.
        if rng.random() < chance[0]:
            raise KeyError("mine")
        return view.legal_ids()[-1]

    one, plain = (ct.Batch(game, 1, seed=4, threads=threads, opponents=[opponent]) for _ in range(2))
    failed, ended = 0, 0
    for _ in range(200):
        actions, before = one.random_actions().copy(), arrays(one)
        chance[0] = 0.3
        while True:
            try:
                one.step(actions)
                break
            except KeyError as error:
                assert error.args == ("mine",)
                assert all((a == b).all() for a, b in zip(before, arrays(one)))
                failed += 1
        chance[0] = 0.0
        plain.step(actions)
        assert all((a == b).all() for a, b in zip(arrays(one), arrays(plain)))
        ended += int(one.terminated[0] or one.truncated[0])
    assert failed > 20 and ended > 5
    with pytest.raises(ValueError, match="game 0: action 99 is not legal"):
        ct.Batch(game, 1, seat=1, opponents=[lambda view: 99])


def test_afterstates_are_what_is_seen_after_the_action(game):
    """The observation after each action of a game, alone and in a batch. If nothing is drawn, the seat sees exactly
    this afterwards."""
    state, seen, ended = game.new_game(seed=3), 0, 0
    while not state.is_over:
        seat = state.current_player
        ids, observations, outcomes = state.afterstates()
        assert ids.tolist() == state.legal_ids() and observations.shape == (len(ids), game.observation_size)
        assert (state.view().afterstates()[1] == observations).all()
        for id, observation, outcome in zip(ids, observations, outcomes):
            after = state.copy().apply(id)
            chance = [who for who, _ in after.history()[len(state.history()) + 1 :] if who == ct.CHANCE]
            assert np.isnan(outcome) == (not after.is_over)
            if after.is_over:
                ended += 1
                assert outcome == np.float32(after.returns()[seat])
            elif not chance and not (state.to_dict().get("passing") and not after.to_dict()["passing"]):
                # The last choice of cards to pass also shows cards that were hidden before it.
                seen += 1
                assert (after.observation(seat) == observation).all()
        state.apply(int(ids[len(state.history()) % len(ids)]))
    assert ended > 0 and seen > 5
    with pytest.raises(ValueError, match="player to move"):
        state.afterstates()
    one, two = (ct.Batch(game, 400, seed=4, threads=threads) for threads in (1, 2))
    for _ in range(20):
        one.step(one.random_actions())
        two.step(two.random_actions())
    rows, ids, observations, outcomes = one.afterstates()
    for mine, other in zip((rows, ids, observations, outcomes), two.afterstates()):
        assert np.array_equal(mine, other, equal_nan=mine.dtype.kind == "f")
    mask = np.zeros_like(one.masks)
    mask[rows, ids] = True
    assert (mask == one.masks).all() and len(rows) == mask.sum()
    assert observations.shape == (len(rows), game.observation_size)
    assert one.afterstates(observation=None)[2].shape == (len(rows), 0)


def test_cards_to_be_drawn_are_counted_and_not_seen():
    """A retreat of Cartagena: all fields except those of the new cards are already as they will be."""
    game = ct.Game("cartagena", board="hgkbds" * 6)
    ends = np.cumsum([size for _, size in game.fields]).tolist()
    fields = {name: slice(end - size, end) for (name, size), end in zip(game.fields, ends)}
    state, drawn, rng = game.new_game(seed=5), 0, np.random.default_rng(1)
    for _ in range(200):
        seat = state.current_player
        ids, observations, _ = state.afterstates()
        row = rng.integers(len(ids))
        before = state.observation(seat)
        state.apply(int(ids[row]))
        after = state.observation(seat)
        shuffled = (after[fields["discards"]] < before[fields["discards"]]).any()
        same = ["board", "pirates", "hand_sizes", "to_move", "actions_left"]
        for name in same if shuffled else [*same, "discards", "pile"]:
            assert (after[fields[name]] == observations[row][fields[name]]).all(), name
        new = after[fields["hand"]].astype(int) - observations[row][fields["hand"]]
        assert (new >= 0).all()
        drawn += new.sum()
        if state.is_over:
            break
    assert drawn > 20


def test_a_draw_to_come_is_observed_as_after_the_action():
    """A retreat has moved its pirate while chance draws its cards, for every seat."""
    game = ct.Game("cartagena", players=3, open_hands=True)
    state, rng, draws = game.new_game(), np.random.default_rng(3), 0
    while draws < 20:
        if state.is_over:
            state = game.new_game()
        if state.is_chance:
            outcomes = state.chance_outcomes()
            state.apply(outcomes[rng.integers(len(outcomes))][0])
            continue
        seat = state.current_player
        ids, rows, _ = state.afterstates()
        row = rng.integers(len(ids))
        state.apply(int(ids[row]))
        if not state.is_chance:
            continue
        draws += 1
        assert (state.observation(seat) == rows[row]).all()
        pirates = state.to_dict()["pirates"]
        for other in range(3):
            seen = state.observation(other)
            placed = seen[game.slices["pirates"]].reshape(3, -1).tolist()
            assert placed == [pirates[(other + ahead) % 3] for ahead in range(3)]
            ahead = (seat - other) % 3
            for name, size in (("hand_sizes", 1), ("hands", 6), ("pirates", 6)):
                own, theirs = rows[row][game.slices[name]][:size], seen[game.slices[name]][ahead * size :][:size]
                assert (own == theirs).all(), name
            to_move = (rows[row][game.slices["to_move"]] + ahead) % 3
            assert (seen[game.slices["to_move"]] == to_move).all()


def test_the_networks_afterstates_are_what_it_values():
    """If nothing is drawn and the turn goes on, the afterstate is the network's observation of the next position."""
    state = ct.Game("cartagena").new_game(seed=2)
    same, rng = 0, np.random.default_rng(2)
    for _ in range(60):
        seat = state.current_player
        ids, observations, _ = state.afterstates("network")
        row = rng.integers(len(ids))
        before = len(state.history())
        state.apply(int(ids[row]))
        if state.current_player == seat and len(state.history()) == before + 1:
            same += 1
            assert (state.network_observation() == observations[row]).all()
    assert same > 10
    with pytest.raises(ValueError, match="no network"):
        ct.Game("hearts").new_game(seed=1).afterstates("network")
