"""The end of the horizon: one convention for all designs, in the total and in rows of its own."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.plans.compare import SPEC
from capmodels.spec import upgrade
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cause_usd,
    cloud,
    column,
    owned,
    plain,
)

RATE = 0.08
PAID = 10_000.0  # ten nodes at $1,000


def ended(*designs: JSONDict, end: str, months: int = 36, **more: Any) -> Any:
    return answer(plain(list(designs), horizon_months=months, end=end, **more))


def annuity_left(paid: float, sold: float, age: int, life: int, rate: float = RATE) -> float:
    """Present value, at an age, of the annuity still to come and of the sale at its end."""
    step = (1 + rate) ** (1 / 12) - 1
    payment = (paid - sold * (1 + step) ** -life) * step / (1 - (1 + step) ** -life)
    left = life - age
    return payment * (1 - (1 + step) ** -left) / step + sold * (1 + step) ** -left


@pytest.mark.parametrize("fraction", [0.0, 0.1])
def test_hardware_of_work_that_continues_is_charged_by_its_annuity(fraction: float) -> None:
    design = owned("A", salvage={"fraction": fraction, "life_months": 60})
    found = column(ended(design, cloud("B"), end="work_continues"), "A")
    left = annuity_left(PAID, PAID * fraction, 36, 60)
    assert cause_usd(found, "salvage") == pytest.approx(-left, rel=1e-12)
    # Its present value is that of 36 of the 60 payments.
    step = (1 + RATE) ** (1 / 12) - 1
    payment = (PAID - PAID * fraction * (1 + step) ** -60) * step / (1 - (1 + step) ** -60)
    assert found.npv_usd == pytest.approx(payment * (1 - (1 + step) ** -36) / step, rel=1e-9)


def test_a_machine_at_the_end_of_its_life_has_nothing_left() -> None:
    found = column(ended(owned("A"), cloud("B"), end="work_continues", months=60), "A")
    assert cause_usd(found, "salvage") == pytest.approx(0.0, abs=1e-9)


@pytest.mark.decisive
def test_hardware_of_work_that_stops_is_sold_less_its_disposal() -> None:
    design = owned("A", salvage={"fraction": 0.05, "disposal_fraction": 0.02})
    found = column(ended(design, cloud("B"), end="work_stops"), "A")
    assert cause_usd(found, "salvage") == pytest.approx(-0.03 * PAID)


HALF_PAID = [
    {
        "discount_fraction": 0.5,
        "term_months": 36,
        "upfront_fraction": 0.5,
        "base_quantile_fraction": 0.5,
    }
]


def test_commitments_that_run_on_are_owed_when_the_work_stops_and_counted_back_when_not() -> None:
    design = cloud("B", commitments=HALF_PAID)
    month = 10 * 0.5 * 8760 / 12
    stops = column(ended(design, end="work_stops", months=12), "B")
    assert cause_usd(stops, "remaining") == pytest.approx(month * 0.5 * 24)
    assert cause_usd(stops, "salvage") == 0.0
    goes_on = column(ended(design, end="work_continues", months=12), "B")
    assert cause_usd(goes_on, "remaining") == 0.0
    assert cause_usd(goes_on, "salvage") == pytest.approx(-month * 0.5 * 24)
    assert goes_on.total_usd == pytest.approx(month * 12)


def test_a_lease_is_owed_to_its_end_or_charged_by_the_life_of_the_machines() -> None:
    lease = {"kind": "lease", "rate_fraction_per_year": 0.0, "term_months": 48}
    design = owned("A", finance=lease)
    stops = column(ended(design, cloud("B"), end="work_stops"), "A")
    assert cause_usd(stops, "remaining") == pytest.approx(PAID * 12 / 48)
    goes_on = column(
        ended(design, cloud("B"), end="work_continues", discount_fraction_per_year=0.0), "A"
    )
    assert goes_on.total_usd == pytest.approx(PAID * 36 / 60)


def test_a_colocation_term_is_owed_to_its_end() -> None:
    space = {"usd_per_year": 12_000, "term_months": 24}
    design = owned("A", space=space)
    assert cause_usd(
        column(ended(design, cloud("B"), end="work_stops"), "A"), "remaining"
    ) == pytest.approx(12_000)
    assert (
        cause_usd(column(ended(design, cloud("B"), end="work_continues"), "A"), "remaining") == 0.0
    )


def test_both_stand_as_rows_with_the_convention() -> None:
    result = ended(owned("A"), cloud("B", commitments=HALF_PAID), end="work_continues", months=12)
    rows = {row.id: row for row in result.rows}
    assert rows["value_left_usd"].label == "Value left after 1 year, work continues"
    assert rows["value_left_usd"].values["A"] == pytest.approx(annuity_left(PAID, 0.0, 12, 60))
    owed = rows["owed_after_horizon_usd"]
    assert owed.label == "Remaining commitments after 1 year"
    assert owed.notes["B"] == "not charged: the work continues"


def test_documents_of_the_first_shape_keep_their_meaning() -> None:
    upgraded = upgrade(SPEC, {"assumptions": {"horizon_months": 12}}, 1)
    assert upgraded["assumptions"] == {
        "ranked_by": "cash",
        "end": "work_stops",
        "ordering_interval": "year",
        "horizon_months": 12,
        "price_changes": {
            "staff_fraction_per_year": 0.0,
            "electricity_fraction_per_year": 0.0,
            "space_fraction_per_year": 0.0,
            "software_fraction_per_year": 0.0,
        },
    }
    asked = upgrade(SPEC, {"assumptions": {"ranked_by": "present_value"}}, 1)
    assert asked["assumptions"]["ranked_by"] == "present_value"
