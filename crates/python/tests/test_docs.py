"""The manual's code, block by block."""

import importlib.util
import re
from pathlib import Path

import pytest

MANUAL = Path(__file__).resolve().parents[3] / "docs" / "python.md"


def blocks():
    """The blocks of code with the lines they begin at."""
    text = MANUAL.read_text(encoding="utf-8")
    for found in re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S):
        yield text[: found.start(1)].count("\n"), found.group(1)


def test_the_manuals_code_runs(capsys):
    names = {}
    ran = 0
    for line, code in blocks():
        optional = {"contestants.pettingzoo": "pettingzoo", "pyspiel": "pyspiel"}
        lacking = [
            name
            for word, name in optional.items()
            if word in code and importlib.util.find_spec(name) is None
        ]
        if lacking:
            continue
        # Lines are counted as in the manual.
        exec(compile("\n" * line + code, str(MANUAL), "exec"), names)
        ran += 1
    assert ran >= 8
    assert "player 1" in capsys.readouterr().out


def test_every_field_is_described():
    import contestants as ct

    text = MANUAL.read_text(encoding="utf-8")
    for name in ct.GAMES:
        game = ct.Game(name)
        for option in game.options:
            assert f"`{option}`" in text, option
        for field, _ in game.fields:
            assert f"`{field}`" in text, field


@pytest.mark.parametrize("name", ["_native", "__init__"])
def test_everything_is_typed(name):
    """What the part in Rust has is in its stub, and the other way round."""
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
