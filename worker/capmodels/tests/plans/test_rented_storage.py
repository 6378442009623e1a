"""Rented storage has a price for a TB and year, beside that of arrays."""

from __future__ import annotations

import random
from typing import Any

import pytest

from capmodels.plans.answer.rented_storage import ALL, ALONE
from capmodels.plans.answer.row import AT_MEAN
from capmodels.tests.plans.arrays import array, stored
from capmodels.tests.plans.documents import (
    answer,
    cause_usd,
    cloud,
    column,
    document,
    owned,
    plain,
)

# A GB of 10^9 bytes, so that sums by hand are of TB.
OBJECTS = {"object_tiers": [{"usd_per_gb_month": 0.02}], "gb_per_tb": 1000.0}
ROW = "array_usd_per_tb_year"


def s3(letter: str = "B", **storage: Any) -> dict[str, Any]:
    return cloud(letter, storage=OBJECTS | storage)


def row(result: Any, name: str = ROW) -> Any:
    return next(one for one in result.rows if one.id == name)


def test_objects_alone_cost_what_they_are_billed_at_beside_arrays() -> None:
    work = stored(block_tb=0.0, object_tb=1.0, block_io_per_s=1.0)
    found = answer(plain([array(carries="object"), s3()], work))
    assert row(found).values["B"] == pytest.approx(0.02 * 1000 * 12)
    assert row(found).notes == {"B": ALL}
    assert row(found, "array_usable_tb").values == {
        "A": pytest.approx(1.5),
        "B": pytest.approx(1.0),
    }
    assert row(found).reasons == {}
    assert row(found, "array_mean_w").reasons == {"B": "It has no disk array."}


def test_a_tb_bears_all_of_a_design_that_rents_nothing_else() -> None:
    dice = random.Random(12)
    for _ in range(4):
        growth = dice.uniform(0.0, 0.6)
        work = stored(
            block_tb=dice.uniform(0.5, 3.0),
            object_tb=dice.uniform(1.0, 900.0),
            growth={"object_fraction_per_year": growth, "block_fraction_per_year": growth},
        )
        storage = {
            "block_tiers": [{"up_to_tb": 1.0, "usd_per_gb_month": 0.1}, {"usd_per_gb_month": 0.08}],
            "block_overhead_ratio": dice.uniform(1.0, 1.6),
            "object_classes": [{"name": "cool", "share_fraction": 0.5, "usd_per_gb_month": 0.0125}],
        }
        found = column(answer(plain([s3("A", **storage)], work, horizon_months=30)), "A")
        rented = found.rented_storage
        assert rented is not None
        at_start = work["block_tb"] * storage["block_overhead_ratio"] + work["object_tb"]
        per_month = (1.0 + growth) ** (1.0 / 12.0)
        months = sum(per_month**month for month in range(30))
        tb_years = at_start * months / 12
        # Months are taken at their start, middle or end: not more than a month's growth apart.
        assert rented.usd_per_tb_year == pytest.approx(
            found.total_usd / tb_years, rel=per_month - 1 + 1e-9
        )
        assert rented.usable_tb >= at_start
        assert rented.covers == ALL


def test_beside_instances_it_is_the_bill_of_storage_alone() -> None:
    work = stored(busy_cores_count=4, block_tb=0.0, object_tb=10.0)
    found = column(answer(plain([cloud("A", storage=OBJECTS)], work)), "A")
    assert found.rented_storage is not None
    assert found.rented_storage.covers == ALONE
    paid = cause_usd(found, "storage", "rented")
    assert found.rented_storage.usd_per_tb_year == pytest.approx(paid / 10.0)
    assert paid < found.total_usd


def test_a_design_that_rents_no_storage_has_no_row() -> None:
    nothing = answer(plain([owned(), cloud()]))
    assert column(nothing, "B").rented_storage is None
    assert not [one for one in nothing.rows if one.id == ROW]
    alone = answer(plain([s3("A")], stored(block_tb=0.0, object_tb=10.0)))
    shown = [one.id for one in alone.rows if one.id.startswith("array_")]
    assert shown == ["array_usable_tb", ROW]


def test_storage_without_its_design_is_no_rival_of_whole_arrays_and_the_largest_not_best() -> None:
    services = [{"name": "Search", "usd_per_month": 900.0}]
    cheap = {"block_tiers": [{"usd_per_gb_month": 1e-4}], "gb_per_tb": 1000.0}
    arrays = [array("A"), array("B", drive_price_usd=900.0)]
    found = answer(plain([*arrays, cloud("C", storage=cheap, services=services)], stored()))
    assert row(found).notes == {"C": ALONE}
    assert row(found).values["C"] < row(found).values["A"] < row(found).values["B"]
    assert row(found).best == "A"
    assert row(found, "array_usable_tb").best is None
    # Among themselves such prices are of one kind.
    dear = {**cheap, "block_tiers": [{"usd_per_gb_month": 2e-4}]}
    clouds = [cloud(at, storage=one, services=services) for at, one in (("A", dear), ("B", cheap))]
    assert row(answer(plain(clouds, stored()))).best == "B"


def test_a_tb_costs_what_the_verdict_goes_by() -> None:
    """The mean of the simulations where there are any, as work per dollar; else as entered."""
    given = document("disk-arrays", draws_count=200)
    years: dict[str, list[float]] = {}
    for ranked_by in ("cash", "present_value"):
        given["assumptions"]["ranked_by"] = ranked_by
        entered, drawn = answer(given | {"draws_count": 0}), answer(given)
        for result in (entered, drawn):
            for one in result.designs:
                tb_years = one.ranked_usd / row(result).values[one.letter]
                years.setdefault(one.letter, []).append(tb_years)
        assert row(drawn).notes == dict.fromkeys("ABCD", AT_MEAN)
        assert row(entered).notes == {}
    for found in years.values():
        assert found == pytest.approx([found[0]] * 4)
