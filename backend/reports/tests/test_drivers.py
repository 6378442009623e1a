"""Prices, nodes and growth of the workbook: changed there, totals are those of the plan."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from capmodels.registry import get_model
from capmodels.spec import Context, params_schema, validate
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
from reports.drivers import changed, drivers_of
from reports.render import render
from reports.render.contents import ReportInput
from reports.render.workbook import DRIVERS, SUMMARY, YEARS
from reports.testing.excel import Sheets
from reports.testing.rendering import MADE_AT
from reports.tests.samples import document

if TYPE_CHECKING:
    from capmodels.spec import JSONDict
    from reports.render.contents import Driver

CENTS = 0.6
PLAN = get_model("plans.compare")
# Random studies beside the shared one, 0; the plan of the last takes seconds.
SEEDS = (2, pytest.param(1000, marks=pytest.mark.deep))


def answer(study: JSONDict) -> JSONDict:
    found: JSONDict = PLAN.run(validate(PLAN, study), Context(seed=1)).model_dump(mode="json")
    return found


@cache
def with_drivers(seed: int) -> ReportInput:
    plain = {**validate(PLAN, study(seed)).model_dump(mode="json"), "draws_count": 0}
    return ReportInput(
        title="Drivers",
        question="",
        comparison=answer(plain),
        document=plain,
        schema=params_schema(PLAN),
        created_at=MADE_AT,
        drivers=drivers_of(PLAN, plain),
    )


def study(seed: int) -> JSONDict:
    return document() if seed == 0 else document_of(random_study(seed))


def set_driver(sheets: Sheets, of: ReportInput, driver: Driver, value: float) -> None:
    sheets.set(DRIVERS, f"C{4 + list(of.drivers).index(driver)}", value)


def totals(sheets: Sheets, of: ReportInput) -> dict[str, float]:
    return {d["letter"]: sheets.get(SUMMARY, f"C{7 + i}") for i, d in enumerate(of.designs)}


@pytest.mark.parametrize("seed", [0, *SEEDS])
def test_totals_follow_each_driver_to_what_the_plan_answers(seed: int) -> None:
    of = with_drivers(seed)
    sheets = Sheets(render(of, "xlsx"))
    assert len(of.drivers) > 5
    assert totals(sheets, of) == pytest.approx(
        {d["letter"]: d["total_usd"] for d in of.designs}, abs=CENTS
    )
    for driver in of.drivers[:: max(1, len(of.drivers) // 4)]:
        for knot in driver.knots:
            set_driver(sheets, of, driver, knot)
            told = {
                d["letter"]: d["total_usd"]
                for d in answer(changed(of.document, driver.pointer, knot))["designs"]
            }
            assert totals(sheets, of) == pytest.approx(told, abs=CENTS), (driver.label, knot)
        set_driver(sheets, of, driver, driver.value)


@pytest.mark.parametrize("seed", [0, *SEEDS])
def test_a_price_between_its_knots_is_near_what_the_plan_answers(seed: int) -> None:
    of = with_drivers(seed)
    sheets = Sheets(render(of, "xlsx"))
    prices = [d for d in of.drivers if d.unit in {"USD", "USD/h", "USD/kWh", "USD/FTE-yr"}]
    assert prices
    entered = totals(sheets, of)
    for driver in prices[:2]:
        value = 0.9 * driver.value
        set_driver(sheets, of, driver, value)
        told = {
            d["letter"]: d["total_usd"]
            for d in answer(changed(of.document, driver.pointer, value))["designs"]
        }
        for letter, usd in totals(sheets, of).items():
            change = abs(told[letter] - entered[letter])
            assert usd == pytest.approx(told[letter], abs=CENTS + 0.1 * change), driver.label
        set_driver(sheets, of, driver, driver.value)


def test_nodes_growth_and_prices_can_be_changed() -> None:
    units = {driver.unit for driver in with_drivers(0).drivers}
    assert {"fraction/yr", "nodes"} <= units
    assert any(unit.startswith("USD") for unit in units)


def test_effects_add_up_and_stand_in_the_years() -> None:
    of = with_drivers(0)
    sheets = Sheets(render(of, "xlsx"))
    letter, cause = next(iter(of.drivers[0].amounts))
    assert cause
    before = totals(sheets, of)[letter]
    for driver in of.drivers[:2]:
        set_driver(sheets, of, driver, driver.knots[-1])
    moved = sum(
        sum(rows[-1])
        for driver in of.drivers[:2]
        for (named, of_cause), rows in driver.amounts.items()
        if named == letter and of_cause != "depreciation"
    )
    assert totals(sheets, of)[letter] - before == pytest.approx(moved, abs=CENTS)
    row = sheets.find(YEARS, "A", f"{letter}, ")
    assert row > 0


def test_each_knot_and_its_weight_stand_under_their_names() -> None:
    sheets = Sheets(render(with_drivers(0), "xlsx"))
    heads = [sheets.get(DRIVERS, f"{column}3") for column in "FGHIJK"]
    assert heads == ["Knot 1", "Knot 2", "Knot 3", "Weight 1", "Weight 2", "Weight 3"]
