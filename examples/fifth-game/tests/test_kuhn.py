"""Kuhn poker in Python, by the package whose library is the example's."""

import copy
import pickle

import contestants as ct
import numpy as np


def test_a_game_is_played():
    state = ct.Game("kuhn").new_game()
    state.apply("king").apply("jack")
    assert [action.text for action in state.legal_actions()] == ["pass", "bet"]
    assert state.view(0).to_dict()["cards"] == ["king", None]
    state.apply("bet").apply("bet")
    assert state.is_over and state.returns() == [2.0, -2.0]
    assert pickle.loads(pickle.dumps(state)) == state
    before = copy.copy(state)
    assert before.undo() and not before.is_over


def test_samples_look_the_same_to_their_seat():
    state = ct.Game("kuhn").new_game(seed=3)
    others = {state.view(0).sample(draw).to_dict()["cards"][1] for draw in range(20)}
    assert len(others) == 2 and state.to_dict()["cards"][0] not in others


def test_many_games_at_once():
    batch = ct.Batch(ct.Game("kuhn"), 100, seed=1)
    batch.reset()
    total = np.zeros(2)
    for _ in range(50):
        batch.step(batch.random_actions())
        total += batch.rewards.sum(axis=0)
    assert total[0] == -total[1]


def test_players_meet():
    result = ct.match(ct.Game("kuhn"), {"rollouts": ct.Player("rollouts", worlds=30), "random": ct.Player("random")}, games=400)
    rows = {row["label"]: row["returns"] for row in result.rows}
    assert rows["rollouts"] > 0 > rows["random"]
