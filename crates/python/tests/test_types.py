"""The types of the package, as a checker sees them in a script that uses it."""

from pathlib import Path

import pytest

import contestants as ct

api = pytest.importorskip("mypy.api")

SCRIPT = """
import numpy as np

import contestants as ct


def first(view: ct.View) -> ct.Action:
    return view.legal_actions()[0]


game = ct.Game("cartagena")
state = game.new_game(seed=np.uint64(1))
player = ct.Player("runme", nodes=20)
state.apply(player.choose(state)).apply(np.int64(0))
batch = ct.Batch(game, 3, opponents=[first])
batch.step([1, 2, 3])
result = ct.match(game, {"runme": player, "first": first}, 6, record=True)
again = ct.State.from_record(result.records[0], actions=np.int64(3))
"""

WRONG = """
class Mine(ct.Player):
    pass


state.view("one")
"""


def test_a_strict_checker_finds_only_what_is_wrong(tmp_path, monkeypatch):
    script = tmp_path / "script.py"
    # As the folder of the sources, in which nothing is overlooked as it is in an installed package.
    monkeypatch.setenv("MYPYPATH", str(Path(ct.__file__).parents[1]))
    options = ["--strict", f"--cache-dir={tmp_path / 'cache'}", str(script)]
    script.write_text(SCRIPT)
    told, complaint, status = api.run(options)
    assert (status, complaint) == (0, ""), told
    script.write_text(SCRIPT + WRONG)
    told, _, status = api.run(options)
    lines = told.splitlines()
    assert status == 1 and len(lines) == 3, told
    assert "final class" in lines[0] and 'Argument 1 to "view"' in lines[1], told
