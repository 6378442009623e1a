"""What designs cost as rows of FOCUS: the plan's sums to the cent, and readable as a bill."""

from __future__ import annotations

import csv
import io
from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from capmodels.imports.registry import opened, recognised
from capmodels.plans.answer.focus_rows import focus_csv
from capmodels.tests.plans.documents import answer, document, owned, plain

if TYPE_CHECKING:
    from pathlib import Path

    from capmodels.spec import JSONDict

START = date(2026, 5, 17)


def rows_of(result: JSONDict) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(focus_csv(result, START))))


def _study(design: JSONDict) -> JSONDict:
    electricity = {"kind": "flat", "usd_per_kwh": 0.2}
    return plain([design], horizon_months=30, electricity=electricity, pue=1.3)


def summed(rows: list[dict[str, str]], letter: str, column: str) -> Decimal:
    return sum((Decimal(r[column]) for r in rows if r["BillingAccountId"] == letter), Decimal(0))


@pytest.mark.parametrize("slug", ["rent-or-own", "disk-arrays", "kv-2026"])
def test_a_bill_of_every_design_adds_up_to_the_plan(slug: str) -> None:
    result = answer(document(slug)).model_dump(mode="json")
    rows = rows_of(result)
    for design in result["designs"]:
        billed = summed(rows, design["letter"], "BilledCost")
        assert billed == Decimal(f"{design['total_usd']:.2f}"), design["title"]
        used = sum(year["opex_usd"] + year["depreciation_usd"] for year in design["years"])
        if any(year["depreciation_usd"] for year in design["years"]):
            effective = summed(rows, design["letter"], "EffectiveCost")
            rented = sum(
                usd for year in design["years"] for name, usd in year["causes"].items()
                if name == "cloud_salvage"
            )  # fmt: skip
            assert float(effective) == pytest.approx(used + rented, abs=0.01)


def test_rows_are_read_back_as_the_bill_that_they_are(tmp_path: Path) -> None:
    design = owned(
        title="=HYPERLINK(1)", group={"power": {"kind": "constant", "power_w": 300}}, staff_fte=0.5,
        space={"usd_per_year": 1234.567},
    )  # fmt: skip
    result = answer(_study(design)).model_dump(mode="json")
    text = focus_csv(result, START)
    rows = rows_of(result)
    said = {row["ChargeDescription"] for row in rows}
    assert {"Hardware", "Depreciation", "Energy", "Cooling", "Space", "Staff"} <= said
    assert all(row["ResourceName"] == "'=HYPERLINK(1)" for row in rows)
    periods = sorted({(row["ChargePeriodStart"], row["ChargePeriodEnd"]) for row in rows})
    days = ("2026-05-01", "2027-05-01", "2028-05-01", "2028-11-01")
    assert periods == [(f"{a}T00:00:00Z", f"{b}T00:00:00Z") for a, b in pairwise(days)]
    path = tmp_path / "focus.csv"
    path.write_text(text)
    file = opened(path)
    item = recognised(file.columns)
    assert item.id == "focus"
    assert item.version(file.columns) == "1.3"
    preview = item.read(file, lambda _share, _said: None)
    assert preview["faults_count"] == 0
    assert Decimal(preview["totals"]["billed"]) == summed(rows, "A", "BilledCost")
