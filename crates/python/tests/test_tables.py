"""The tables of the challenge game's players, which are no part of the extension."""

import re
from pathlib import Path

import pytest

import contestants as ct
from contestants import _native

ROOT = Path(__file__).resolve().parents[3]
PYTHON = ROOT / "crates" / "python"
SUPPORT = ROOT / "support"
#: Players of the challenge game that play without tables.
WITHOUT = {"plain", "random", "bully", "doge", "need", "counter"}


def test_the_extension_has_networks_and_no_tables():
    """Tables would make the wheel seven times as large."""
    extension = Path(_native.__file__).read_bytes()
    for path in SUPPORT.iterdir():
        if path.is_file():
            middle = path.stat().st_size // 2
            part = path.read_bytes()[middle : middle + 200]
            assert (part in extension) == (path.suffix in (".net", ".policy")), path.name


def test_a_player_that_lacks_its_tables_names_the_ways_to_them(monkeypatch):
    monkeypatch.setattr(ct, "_tables", lambda: None)
    for name in [*ct.players("challenge"), "exploit:blueprint", "lbr:need"]:
        if name in WITHOUT:
            player = ct.Player(name, game="challenge")
            state = ct.Game("challenge").new_game(seed=1)
            assert player.choose(state).id in state.legal_ids()
            continue
        with pytest.raises(ValueError, match=rf"{name}: .*contestants\[challenge\].*CONTESTANTS_TABLES"):
            ct.Player(name, game="challenge")


def test_tables_come_from_the_folder_that_the_user_names(monkeypatch, tmp_path):
    state = ct.Game("challenge").new_game(seed=1)
    monkeypatch.setenv("CONTESTANTS_TABLES", str(SUPPORT))
    assert ct.Player("blueprint", game="challenge").choose(state).id in state.legal_ids()
    monkeypatch.setenv("CONTESTANTS_TABLES", str(tmp_path))
    with pytest.raises(ValueError, match=rf"blueprint: .*{re.escape(str(tmp_path / 'challenge.values'))}"):
        ct.Player("blueprint", game="challenge")


def test_the_package_of_tables_is_of_the_same_version():
    """The extra admits it, and it takes its version from the workspace."""
    text = (PYTHON / "pyproject.toml").read_text(encoding="utf-8")
    admitted = re.search(r'^challenge = \["contestants-tables==(.*)\.\*"\]$', text, re.M).group(1)
    assert ct.__version__.startswith(admitted + ".")
    pattern = re.search(r"^pattern = '(.*)'$", (PYTHON / "tables" / "pyproject.toml").read_text(encoding="utf-8"), re.M)
    workspace = (ROOT / "Cargo.toml").read_text(encoding="utf-8")
    assert re.search(pattern.group(1), workspace).group("version") == ct.__version__
