"""How often own machines are ordered: how many stand there, and when and how they are paid."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, log
from random import Random
from typing import Any

import pytest

from capmodels.amounts import as_number, fsum
from capmodels.errors import ModelError
from capmodels.plans.answer.describe import shortfall
from capmodels.plans.compare import SPEC
from capmodels.plans.costing.array_cost import array_needs
from capmodels.plans.costing.book import CauseBook
from capmodels.plans.costing.designs import cause_book, cost_designs
from capmodels.plans.costing.scene import ORDER_MONTHS, Scene
from capmodels.plans.costing.sizing import needs_at
from capmodels.plans.document.hybrid import Hybrid
from capmodels.plans.document.service import Service
from capmodels.plans.document.study import StudySpec
from capmodels.plans.document.workload import Growth
from capmodels.spec import upgrade, validate
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
from capmodels.tests.plans.documents import (
    JSONDict,
    answer,
    cause_usd,
    column,
    demand,
    owned,
    plain,
)
from capmodels.tests.plans.test_decisions import GROWTH, counts

SHORTER_FIRST = tuple(ORDER_MONTHS)
assert sorted(ORDER_MONTHS.values()) == [ORDER_MONTHS[name] for name in SHORTER_FIRST]


def growing(growth: float, **assumptions: Any) -> JSONDict:
    """Nodes of 10 cores at $1,000 for work that grows, $12 a year of software on each."""
    design = owned("A", software={"usd_per_node_year": 12.0})
    work = demand(
        busy_cores_count=assumptions.pop("cores", 1e6),
        growth={"cores_fraction_per_year": growth},
    )
    return plain([design], work, **assumptions)


# purchase_plan.md has the mean of what stands there over that of what is needed.
@pytest.mark.decisive
@pytest.mark.parametrize(
    ("growth", "quarter", "year"), [(0.2, 1.02, 1.10), (0.5, 1.05, 1.22), (1.0, 1.09, 1.39)]
)
def test_what_stands_there_over_what_is_needed(growth: float, quarter: float, year: float) -> None:
    needed = 1e5 * ((1 + growth) ** 3 - 1) / log(1 + growth) * 12
    for interval, ratio in (("quarter", quarter), ("year", year)):
        study = growing(growth, horizon_months=36, ordering_interval=interval)
        # A dollar a month on each node: as many dollars as node-months.
        there = cause_usd(column(answer(study), "A"), "software")
        # The table is to two digits, 1.386 as 1.39 and 1.094 as 1.10.
        assert there / needed == pytest.approx(ratio, abs=0.0061)


def test_orders_are_paid_at_the_start_of_their_quarter_at_the_price_of_then() -> None:
    study = growing(1.0, cores=100.0, horizon_months=12, ordering_interval="quarter")
    study["assumptions"]["price_changes"] = {
        **study["assumptions"]["price_changes"],
        "server_fraction_per_year": -0.2,
    }
    ends = [ceil(10 * 2 ** (month / 12) - 1e-9) for month in (3, 6, 9, 12)]
    assert ends == [12, 15, 17, 20]
    bought = zip((12, 3, 2, 3), (0, 3, 6, 9), strict=True)
    found = column(answer(study), "A")
    hand = sum(count * 1000 * 0.8 ** (month / 12) for count, month in bought)
    assert cause_usd(found, "hardware") == pytest.approx(hand)
    assert cause_usd(found, "software") == pytest.approx(3 * (12 + 15 + 17 + 20))


def test_the_default_is_a_quarter_and_earlier_documents_keep_the_year() -> None:
    study = growing(1.0, cores=100.0, horizon_months=12)
    del study["assumptions"]["ordering_interval"]
    new, old = (
        StudySpec.model_validate(upgrade(SPEC, study, version))
        for version in (SPEC.params_version, 5)
    )
    assert new.assumptions.ordering_interval == "quarter"
    assert old.assumptions.ordering_interval == "year"
    kept = {**study, "assumptions": {**study["assumptions"], "ordering_interval": "month"}}
    assert upgrade(SPEC, kept, 5)["assumptions"]["ordering_interval"] == "month"


def test_later_orders_follow_the_demand_observed_a_quarter_before() -> None:
    work = demand(growth={"cores_fraction_per_year": 0.2})
    study = plain([owned("A")], work, ordering_interval="quarter")
    study |= {"ranges": [{"pointer": GROWTH, "low": 0.0, "high": 0.4}]}
    growths = (0.0, 0.2, 0.4)
    found = counts(study, "A", list(growths))
    # The first two are ordered before anything was observed; the third by the demand of month 3.
    assert found[0] == [ceil(10 * 1.2**0.25)] * 3
    assert found[1] == [ceil(10 * 1.2**0.5)] * 3
    seen = [10 * (1 + growth) ** 0.25 * 1.2**0.5 for growth in growths]
    assert found[2] == [max(found[1][0], ceil(nodes - 1e-9)) for nodes in seen]


GROWN = (("growth", Growth), ("service", Service))


def _grown(document: JSONDict, interval: str, *, still: bool) -> JSONDict:
    """The study with another interval, and with growth nowhere, or nowhere below nothing."""
    work = {**document["workload"]}
    for name, kind in GROWN:
        if work["kind"] != "demand" or (name == "service" and work.get(name) is None):
            continue
        part = kind.model_validate(work.get(name) or {}).model_dump()
        growths = [at for at in part if at.endswith("_fraction_per_year")]
        work[name] = part | {at: 0.0 if still else max(part[at], 0.0) for at in growths}
    assumptions = {**(document.get("assumptions") or {}), "ordering_interval": interval}
    assumptions.pop("correlations", None)
    return {**document, "workload": work, "assumptions": assumptions, "ranges": []}


def _orders(document: JSONDict) -> tuple[list[float], list[float]] | None:
    """Machine-months of every group and array, and what every design costs; None if refused."""
    study = validate(SPEC, document)
    scene = Scene(study)
    try:
        costed = cost_designs(scene, lambda: CauseBook(scene.months))
    except ModelError:
        return None
    there = []
    for item in costed:
        if item.owned is None:
            continue
        counted = [plan.counts for plan in item.owned.plans]
        for by_interval in counted + [plan.counts for plan in item.owned.arrays]:
            months = zip(by_interval, item.owned.scene.intervals, strict=True)
            there.append(fsum(as_number(count) * interval.months for count, interval in months))
    return there, [fsum(cause_book(item).cash()) for item in costed]


def broken_by(seed: int) -> list[str]:
    """Where a random study installs more with shorter intervals, or moves without growth."""
    document = document_of(random_study(seed))
    electricity = (document.get("assumptions") or {}).get("electricity") or {}
    # A tariff's bill differs by month: it is then paid in the quarter, or the year, that it is of.
    seasonal = electricity.get("kind") == "tariff"
    broken = []
    for still in (False, True):
        answers = [_orders(_grown(document, name, still=still)) for name in SHORTER_FIRST]
        if any(found is None for found in answers):
            continue
        known = [found for found in answers if found is not None]
        for (there, usd), (later, later_usd) in pairwise(known):
            if still and not seasonal and usd != pytest.approx(later_usd, rel=1e-9, abs=1e-6):
                broken.append(f"{seed}: without growth {usd} became {later_usd}")
            broken += [
                f"{seed}: {one:g} machine-months became {other:g}"
                for one, other in zip(there, later, strict=True)
                if one > other * (1 + 1e-9)
            ]
    return broken


def test_a_shorter_interval_never_installs_more_and_without_growth_changes_nothing() -> None:
    assert [found for seed in range(4) for found in broken_by(seed)] == []


@pytest.mark.deep
def test_of_many_studies_a_shorter_interval_never_installs_more() -> None:
    assert [found for seed in range(4, 200) for found in broken_by(seed)] == []


@pytest.mark.parametrize("interval", SHORTER_FIRST)
@pytest.mark.parametrize("growth", [-0.5, -0.1, 0.0])
def test_work_that_shrinks_is_carried_on_its_first_day(growth: float, interval: str) -> None:
    """1,000 busy cores on nodes of 10: a hundred of them, none of which is given back."""
    at_first = 100
    study = growing(growth, cores=1e3, horizon_months=36, ordering_interval=interval)
    # A dollar a month on each of them.
    assert cause_usd(column(answer(study), "A"), "software") == pytest.approx(at_first * 36)


def _falling(seed: int) -> StudySpec:
    """A random study in which each part of the demand grows or shrinks by a rate of its own."""
    rng, document = Random(seed), document_of(random_study(seed))
    work = {**document["workload"]}
    for name, kind in GROWN:
        if work["kind"] == "demand" and (name == "growth" or work.get(name) is not None):
            part = kind.model_validate(work.get(name) or {}).model_dump()
            rates = [at for at in part if at.endswith("_fraction_per_year")]
            work[name] = part | {at: rng.uniform(-0.6, 0.3) for at in rates}
    assumptions = {**(document.get("assumptions") or {})}
    assumptions |= {"ordering_interval": rng.choice(SHORTER_FIRST)}
    assumptions.pop("correlations", None)
    changed = {"workload": work, "assumptions": assumptions, "ranges": []}
    return validate(SPEC, {**document, **changed})


def short_days(seed: int) -> list[str]:
    """Days of a random study on which a design that meets demand is short, or has what none needs.

    Looked at on days of every interval, by what the nodes and arrays need on each.
    """
    scene = Scene(_falling(seed))
    found: list[str] = []
    if scene.demand is None:
        return found
    try:
        costed = cost_designs(scene, lambda: CauseBook(scene.months))
    except ModelError:
        return found
    for item in costed:
        case = item.owned
        if case is None or isinstance(item.design, Hybrid):
            continue
        meets, before = shortfall(item, scene) is None, dict.fromkeys(range(len(case.plans)), 0.0)
        for at, interval in enumerate(scene.intervals):
            days = [interval.first + share / 7 * interval.months for share in range(8)]
            for place, plan in enumerate(case.plans):
                each = [needs_at(plan.group, scene, day, None) for day in days]
                needs = [max(map(as_number, need.values()), default=0.0) for need in each]
                there = as_number(plan.counts[at])
                if meets and max(needs) > as_number(plan.usable_for("cores", at)) + 1e-6:
                    found.append(f"{seed}, {item.letter}: {max(needs)} nodes, {there} at {at}")
                later = interval.end + case.owned.lead_time_months
                ordered = needs_at(plan.group, scene, later, None).values()
                worst = max([*needs, *map(as_number, ordered)])
                bought = ceil(worst * (1 + case.owned.bought_ahead_fraction) - 1e-9)
                # One at each site at least, however little there is to do.
                sites = scene.work.availability.sites_count
                least = max(bought + plan.spare_nodes_count, sites) if worst > 0 else 0.0
                before[place] = max(before[place], least)
                # A plan of purchases says of its own how many there are.
                decided = plan.group.count is not None or plan.arrivals is not None
                if not decided and there != before[place]:
                    found.append(f"{seed}, {item.letter}: {before[place]} nodes, not {there}")
            for array in case.arrays:
                there = as_number(array.counts[at])
                for day in days:
                    most = max(map(as_number, array_needs(array, scene, day, there).values()))
                    if meets and array.tier is None and most > there + 1e-6:
                        found.append(f"{seed}, {item.letter}: {most} arrays, {there} at {at}")
    return found


def test_no_design_that_meets_demand_is_short_on_any_day() -> None:
    assert [found for seed in range(4) for found in short_days(seed)] == []


@pytest.mark.deep
def test_of_many_studies_no_design_that_meets_demand_is_short_on_any_day() -> None:
    assert [found for seed in range(4, 200) for found in short_days(seed)] == []


def test_a_trial_that_shrinks_less_than_planned_is_carried_on_the_first_day_of_an_order() -> None:
    work = demand(growth={"cores_fraction_per_year": -0.5})
    study = plain([owned("A")], work, ordering_interval="quarter", horizon_months=12)
    study |= {"ranges": [{"pointer": GROWTH, "low": -0.5, "high": 1.0}]}
    # The fourth is ordered by the demand of month 6, which is expected to fall from there on.
    found = counts(study, "A", [1.0])
    assert found[3] == [ceil(10 * 2**0.5 * 0.5**0.25 - 1e-9)] == [12]


@pytest.mark.parametrize(
    ("interval", "words"),
    [("month", "month 24;"), ("quarter", "months 22 to 24;"), ("year", "year 2;")],
)
def test_nodes_are_said_to_stand_there_in_their_own_interval(interval: str, words: str) -> None:
    found = answer(growing(0.5, cores=1000.0, horizon_months=36, ordering_interval=interval))
    counted = column(found, "A").sizing[1].groups[0].count
    assert f"{counted:,.0f} nodes in {words}" in column(found, "A").binding.detail
