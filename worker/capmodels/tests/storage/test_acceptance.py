"""The 34 acceptance checks of the storage reference: each is a published check or a test."""

from __future__ import annotations

import re
from pathlib import Path

from capmodels import registry

_FOLDER = Path(__file__).parents[1]
_FAMILIES = {"storage", "reliability"}
# Rows whose figure a paper prints, and that a tenth of an input breaks.
_PRINTED = {6, 7, 10, 15, 16, 17, 21, 22, 29, 30, 31, 34}


def published() -> set[int]:
    """Numbers of the rows that are published checks: S7, S16a and so on."""
    models = [model for model in registry.all_models() if model.family in _FAMILIES]
    ids = [check.id for model in models for check in model.checks]
    found = [re.match(r"S(\d+)[a-z]?$", name) for name in ids]
    return {int(match[1]) for match in found if match}


def in_tests() -> set[int]:
    """Numbers in the names of tests: check_4, checks_1_and_2."""
    text = "".join(
        path.read_text("utf-8")
        for family in _FAMILIES
        for path in (_FOLDER / family).glob("test_*.py")
    )
    names = re.findall(r"def test_checks?_(\d+)(?:_and_(\d+))?", text)
    return {int(number) for pair in names for number in pair if number}


def test_every_row_is_a_check_or_a_test() -> None:
    assert set(range(1, 35)) - published() - in_tests() == set()


def test_every_printed_row_is_on_the_models_screen() -> None:
    assert _PRINTED - published() == set()
