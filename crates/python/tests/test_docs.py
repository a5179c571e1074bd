"""The manual's code, block by block."""

import importlib.util
import re
from pathlib import Path

import pytest

MANUAL = Path(__file__).resolve().parents[3] / "docs" / "python.md"


def blocks():
    """The manual's blocks of code, with the lines in which they begin."""
    text = MANUAL.read_text(encoding="utf-8")
    for found in re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S):
        yield text[: found.start(1)].count("\n"), found.group(1)


#: The package that a block needs, by a word in the block.
NEEDS = {
    "contestants.pettingzoo": "pettingzoo",
    "contestants.vector": "gymnasium",
    "sb3_contrib": "sb3_contrib",
    "pyspiel": "pyspiel",
}


@pytest.mark.parametrize("line, code", list(blocks()), ids=lambda part: f"line-{part}" if isinstance(part, int) else "")
def test_the_manuals_code_runs(line, code):
    """Each block by itself, as a reader would paste it."""
    for word, package in NEEDS.items():
        if word in code:
            pytest.importorskip(package)
    # Lines are counted as in the manual.
    exec(compile("\n" * line + code, str(MANUAL), "exec"), {})


def test_a_block_imports_what_it_uses():
    """Readers paste single blocks. All blocks that the other test runs begin with their imports."""
    found = list(blocks())
    assert len(found) >= 12
    assert [line for line, code in found if not code.startswith(("import ", "from "))] == []


def test_every_field_is_described():
    import contestants as ct

    text = MANUAL.read_text(encoding="utf-8")
    for name in ct.GAMES:
        game = ct.Game(name)
        for option in game.options:
            assert f"`{option}`" in text, option
        for field, _ in game.fields:
            assert f"`{field}`" in text, field
    # Fields of optional rules.
    for game in ct.Game("cartagena", open_hands=True), ct.Game("hearts", passing="left"):
        assert all(f"`{field}`" in text for field, _ in game.fields), game


@pytest.mark.parametrize("name", ["_native", "__init__"])
def test_everything_is_typed(name):
    """The part in Rust and its stub have the same names."""
    import contestants as ct

    if name == "__init__":
        assert sorted(ct.__all__) == sorted({*ct.__all__})
        assert all(hasattr(ct, one) for one in ct.__all__)
        return
    from contestants import _native

    stub = (Path(ct.__file__).parent / "_native.pyi").read_text(encoding="utf-8")
    for one in dir(_native):
        if one.startswith("__"):
            continue
        assert re.search(rf"^(class|def) {one}\b|^{one}:", stub, re.M), one
        value = getattr(_native, one)
        body = re.search(rf"^class {one}\b.*?(?=^\S|\Z)", stub, re.M | re.S)
        if isinstance(value, type) and body:
            own = {member for member in dir(value) if not member.startswith("__")}
            typed = set(re.findall(r"def (\w+)\(", body.group())) - {
                member for member in re.findall(r"def (__\w+__)\(", body.group())
            }
            assert own == typed, one


def test_the_example_that_looks_ahead_answers():
    """The example examples/look-ahead-bot.py is asked three times over one pair of streams."""
    import os
    import subprocess
    import sys

    import contestants as ct

    state = ct.Game("cartagena").new_game(seed=1)
    texts = [state.to_text(), state.copy().apply(state.legal_ids()[0]).to_text()]
    # A position in which a retreat, which draws cards, is legal.
    example = MANUAL.parents[1] / "tests" / "data" / "cartagena" / "interface-example.txt"
    texts.append(example.read_text(encoding="utf-8"))
    package = str(Path(ct.__file__).resolve().parents[1])
    answered = subprocess.run(
        [sys.executable, str(MANUAL.parents[1] / "examples" / "look-ahead-bot.py")],
        input="".join(text + "\n" for text in texts),
        env={**os.environ, "PYTHONPATH": package},
        capture_output=True,
        text=True,
        check=True,
    )
    lines = answered.stdout.splitlines()
    assert len(lines) == 3 and lines[2].startswith("2 ")
    assert lines[0] in [action.text for action in state.legal_actions()]


def script(name):
    """Loads a script of the repository as a module."""
    from importlib.machinery import SourceFileLoader

    path = str(MANUAL.parents[1] / "scripts" / name)
    loader = SourceFileLoader(name.replace("-", "_"), path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def test_the_reference_is_that_of_the_package(capsys):
    """The page must be what `scripts/python-reference` prints."""
    script("python-reference").main()
    assert capsys.readouterr().out == MANUAL.with_name("python-reference.md").read_text(encoding="utf-8")


def test_the_pictures_of_the_rules_are_those_of_the_package():
    """The pictures must be what `scripts/rule-pictures` draws, and the pages of rules must show every one."""
    folder = MANUAL.parent / "images" / "rules"
    drawn = dict(script("rule-pictures").pictures())
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == drawn
    pages = "".join(path.read_text(encoding="utf-8") for path in (MANUAL.parent / "rules").iterdir())
    assert [name for name in drawn if f"(../images/rules/{name})" not in pages] == []
