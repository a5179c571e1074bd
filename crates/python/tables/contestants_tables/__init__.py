"""The tables of the challenge game's players ``blueprint``, ``equilibrium`` and ``search``, for the package
``contestants``, which finds them here."""

from pathlib import Path

__all__ = ["FOLDER"]

#: The folder with the tables.
FOLDER = Path(__file__).parent / "support"
