"""The glossary is sorted, and knows every kind, quality and unit of the catalogue."""

from __future__ import annotations

import pytest

from catalogue.fields import UNITS
from catalogue.fixture_entries import read_entries
from catalogue.fixture_rows import QUALITIES, ROOT

# Whole phrases stand in the order in which one meets them.
PHRASES = "We say, we do not say"
GLOSSARY = ROOT.parent / "docs" / "glossary.md"


def tables() -> dict[str, list[str]]:
    """Return the first cells of each table, by its heading."""
    found: dict[str, list[str]] = {}
    for section in GLOSSARY.read_text(encoding="utf-8").split("\n## ")[1:]:
        heading, _, body = section.partition("\n")
        rows = [line for line in body.splitlines() if line.startswith("| ")][2:]
        found[heading] = [row.split("|")[1].strip().strip("`") for row in rows]
    return found


@pytest.mark.parametrize("heading", tables())
def test_each_table_is_sorted_and_says_a_thing_once(heading: str) -> None:
    cells = [cell.lower() for cell in tables()[heading]]
    assert len(cells) == len(set(cells))
    if heading != PHRASES:
        assert cells == sorted(cells)


def test_kinds_qualities_and_units_are_explained() -> None:
    said = tables()
    assert set(said["Kinds of catalogue entries"]) == {seed.kind for seed in read_entries()}
    assert set(QUALITIES) <= set(said["Words"])
    assert {f"_{suffix}" for suffix in UNITS} <= set(said["Units"])
