"""Every row of the comparison has a formula that the plan writes down."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from capmodels.plans.compare import SPEC
from capmodels.tests.plans.documents import SLUGS, answer, document

ROOT = Path(__file__).resolve().parents[4]
# What the screen opens for a row, by the row's id; the years are one.
SHOWN = ROOT / "frontend" / "src" / "features" / "compare" / "row-formulas.json"
ARRAYS_AND_SERVICES = ("disk-arrays", "kv-2026", "planetlab-consolidation")


@pytest.mark.decisive
def test_every_row_opens_a_formula_of_the_plan() -> None:
    known = {formula.id for formula in SPEC.formulas}
    said: dict[str, str] = json.loads(SHOWN.read_text(encoding="utf-8"))
    assert set(said.values()) <= known
    for slug in (*SLUGS, *ARRAYS_AND_SERVICES):
        rows = answer(document(slug, draws_count=50)).rows
        ids = {re.sub(r"^(year|showback|tier)_\d+", r"\1", row.id) for row in rows}
        assert ids - set(said) == set(), slug


def test_formulas_are_named_once() -> None:
    ids = [formula.id for formula in SPEC.formulas]
    assert len(ids) == len(set(ids))
