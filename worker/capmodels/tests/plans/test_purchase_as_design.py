"""A plan of purchases as a design of its study: its orders stand there, and its cost is told."""

from __future__ import annotations

import copy
import math
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.errors import ModelError
from capmodels.plans.compare import SPEC as COMPARE
from capmodels.plans.purchase.as_design import design_of, held_against, held_before
from capmodels.plans.purchase.beside import (
    as_entered,
    case_as_entered,
    compared,
    opened_point,
    planned_base,
    with_design,
)
from capmodels.plans.purchase.equations_kernel import beside_usd
from capmodels.plans.purchase.of_study import purchase_of
from capmodels.plans.purchase.params import PurchasePlanParams
from capmodels.plans.purchase.purchase_plan import SPEC
from capmodels.spec import Context, evaluate
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
from capmodels.tests.plans.documents import document

if TYPE_CHECKING:
    from collections.abc import Iterable


def study(*kinds: str) -> dict[str, Any]:
    """*Rent or own*, with designs of some kinds."""
    whole = document("rent-or-own")
    if not kinds:
        return whole
    kept = [
        {**each, "migration": {}, "shortfall_letter": None}
        if each["kind"] == "owned_cluster"
        else {**each, "migration": {}}
        for each in whole["designs"]
        if each["kind"] in kinds
    ]
    ranges = [each for each in whole["ranges"] if not each["pointer"].startswith("/designs")]
    return {**whole, "designs": kept, "ranges": ranges}


def plan_of(whole: dict[str, Any], **changes: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A question of a study, made smaller, and its answer."""
    smaller = {"reviews": [], "scenarios_count": 8, "gap_fraction": 5e-3}
    params = {**purchase_of(whole).params, **smaller, **changes}
    found = evaluate(SPEC, params, Context(seed=1))
    return params, found.model_dump(mode="json")


@cache
def _solved(*kinds: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    whole = study(*kinds)
    return whole, *plan_of(whole)


def example(*kinds: str) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """*Rent or own*, a question of it and its answer: asked once, for each test to change."""
    return copy.deepcopy(_solved(*kinds))


def joined(whole: dict[str, Any], planned: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The study with the plan's design, and that."""
    design = {"letter": "H", "title": planned.title, "kind": planned.kind, **planned.spec}
    return {**whole, "designs": [*whole["designs"], design]}, design


def answered(whole: dict[str, Any], letter: str) -> dict[str, Any]:
    asked = {**copy.deepcopy(whole), "ranges": [], "draws_count": 0}
    found = evaluate(COMPARE, asked).model_dump(mode="json")["designs"]
    return next(each for each in found if each["letter"] == letter)


@pytest.mark.decisive
def test_what_is_ordered_stands_there_from_its_month_on() -> None:
    whole, params, result = example()
    planned = design_of(whole, params, result)
    assert (planned.kind, planned.copy_of) == ("hybrid", "E")
    whole, design = joined(whole, planned)
    spare = 1  # of the example's availability
    for year, sized in enumerate(answered(whole, "H")["sizing"], start=1):
        ordered = sum(
            order["ordered_count"]
            for order in result["orders"]
            if order["arrives_month"] < 12 * year
        )
        nodes = next(group for group in sized["groups"] if group["name"] == "compute")
        assert nodes["count"] == ordered + spare
    held = held_against(whole, design, result)
    # People, moves, transfer and support are in both, and the causes are the whole of both.
    assert held.compared_usd == pytest.approx(answered(whole, "H")["ranked_usd"], rel=1e-9)
    assert held.compared_usd == pytest.approx(held.plan_usd, rel=2e-3)
    # Both are as entered: what demand may be besides, and how often it is drawn, is in neither.
    without = held_against(as_entered(whole), design, result)
    assert held.plan_usd == pytest.approx(without.plan_usd, rel=1e-12)
    *rows, _total = held.tables[0].rows
    told = {row.head: row.cells for row in rows}
    assert {"Staff, owned", "Migration, owned", "Cloud support", "Transfer"} <= set(told)
    assert told["Staff, owned"][2:] == ("none", "")
    # What differs says why.
    assert all(bool(cells[3]) == (cells[2] != "none") for cells in told.values())


def test_machines_are_paid_as_many_as_ordered_and_in_their_month() -> None:
    whole, params, result = example()
    whole, design = joined(whole, design_of(whole, params, result))
    once = answered(whole, "H")
    more = copy.deepcopy(design)
    more["plan"]["orders"].append({"month": 20, "nodes_count": 2})
    whole["designs"][-1] = more
    twice = answered(whole, "H")
    paid = [b - a for a, b in zip(once["cumulative_usd"], twice["cumulative_usd"], strict=True)]
    assert paid[:21] == pytest.approx([0.0] * 21, abs=1e-6)
    node = 52_459.3
    assert paid[21] == pytest.approx(2 * node, rel=0.02)


def test_what_a_plan_commits_to_is_paid_used_or_not() -> None:
    whole, params, result = example("cloud")
    assert result["commitments"]
    planned = design_of(whole, params, result)
    assert planned.kind == "cloud"
    whole, design = joined(whole, planned)
    base = {cause["cause"]: cause["amount_usd"] for cause in answered(whole, "H")["causes"]}
    more = copy.deepcopy(design)
    for start in more["plan"]["commitments"]:
        start["cores_count"] *= 50.0
    whole["designs"][-1] = more
    idle = {cause["cause"]: cause["amount_usd"] for cause in answered(whole, "H")["causes"]}
    assert idle["commitment"] == pytest.approx(50.0 * base["commitment"])
    assert idle.get("instances", 0.0) <= base["instances"]
    held = held_against(*joined(study("cloud"), planned), result)
    assert held.compared_usd == pytest.approx(held.plan_usd, rel=0.05)


def at_the_points(seed: int, months: Iterable[int] = ()) -> list[tuple[float, float]]:
    """Of a random study nothing owned, and some from a month on: by the plan and the comparison."""
    whole = as_entered(document_of(random_study(seed)))
    try:
        purchase = purchase_of(whole)
    except ModelError:
        return []
    asked = PurchasePlanParams.model_validate(purchase.params)
    case, found = case_as_entered(asked), []
    letters = purchase.owned_letter, purchase.rented_letter
    points = [(purchase.references.none_owned, None), (purchase.references.owned, 0)]
    if None not in letters and purchase.references.owned is not None:
        can_come = range(asked.machines[0].lead_months, case.months)
        points += [(opened_point(whole, asked, *letters, month), month)
                   for month in months if month in can_come]  # fmt: skip
    for point, first in points:
        if point is not None:
            parts = point.parts
            rest = beside_usd(case, first)
            plan = parts.machines_usd + float(parts.rent.sum() + parts.owed.sum()) + rest
            found.append((plan, math.fsum(point.causes.values())))
    return found


@pytest.mark.parametrize(
    ("seeds", "points_count"),
    [(range(10), 8), pytest.param(range(10, 40), 20, marks=pytest.mark.deep)],
    ids=["few", "many"],
)
def test_where_it_was_compared_any_study_s_plan_costs_what_the_comparison_says(
    seeds: range, points_count: int
) -> None:
    found = [pair for seed in seeds for pair in at_the_points(seed, (5, 17))]
    assert len(found) > points_count
    for plan, told in found:
        assert plan == pytest.approx(told, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("first", [None, 1, 13])
@pytest.mark.parametrize(
    "seeds", [range(4, 24), pytest.param(range(24, 100), marks=pytest.mark.deep)],
    ids=["few", "many"],
)  # fmt: skip
def test_until_its_first_nodes_come_a_hybrid_costs_what_renting_all_does(
    seeds: range, first: int | None
) -> None:
    """Month by month, with what is kept of today and committed; all of it where none come."""
    kept = [
        {"name": "Old", "side": "owned", "cores_count": 3.0, "usd_per_month": 500.0,
         "until_month": 7},
        {"name": "Reserved", "side": "rented", "cores_count": 4.0, "usd_per_month": 300.0,
         "until_month": 5},
    ]  # fmt: skip
    committed = {"month": 0, "cores_count": 2.0, "term_months": 12, "discount_fraction": 0.3,
                 "upfront_fraction": 0.5}  # fmt: skip
    orders = [] if first is None else [{"month": first, "nodes_count": 2}]
    plan = {"orders": orders, "commitments": [committed], "kept": kept}
    looked_at = 0
    for seed in seeds:
        whole = as_entered(document_of(random_study(seed)))
        sides = {each["kind"]: each for each in whole["designs"]}
        if whole["workload"]["kind"] != "demand" or not {"owned_cluster", "cloud"} <= sides.keys():
            continue
        rents = sides["cloud"]
        if all(item.get("gpus_count", 0) > 0 for item in rents["instances"]):
            continue
        today = {"lines": [OLD, RESERVED], "commitments_owed_by_all": True, "resale_usd": 500.0}
        whole = {**whole, "baseline": today}
        base = planned_base(whole, sides["owned_cluster"]["letter"], rents["letter"])
        design = {"letter": "", "title": base.title, "kind": base.kind, **base.spec, "plan": plan}
        both = compared(*with_design(whole, design))["cumulative_npv_usd"]
        alone = compared(*with_design(whole, {**rents, "plan": plan}))["cumulative_npv_usd"]
        months = len(alone) if first is None else min(first + 1, len(alone))
        assert both[:months] == pytest.approx(alone[:months], rel=1e-6, abs=1e-6), seed
        looked_at += 1
    assert looked_at > 2


def test_a_hybrid_that_keeps_a_commitment_and_orders_nothing_pays_for_no_site() -> None:
    whole = as_entered(document("flat-estate"))
    kept = [{"name": "Reserved", "side": "rented", "cores_count": 400.0, "usd_per_month": 9000.0,
             "until_month": 9}]  # fmt: skip
    own, rented = (
        next(each["letter"] for each in whole["designs"] if each["kind"] == kind)
        for kind in ("owned_cluster", "cloud")
    )
    plan = {"orders": [], "commitments": [], "kept": kept}
    design = {"letter": "H", "title": "Both", "kind": "hybrid", "owned_letter": own,
              "rented_letter": rented, "plan": plan}  # fmt: skip
    paid = answered({**whole, "designs": [*whole["designs"], design]}, "H")
    assert {cause["side"] for cause in paid["causes"] if cause["amount_usd"]} == {"rented"}
    # Its first nodes bring the site, in their month and not before.
    for month in (0, 12):
        later = {**plan, "orders": [{"month": month, "nodes_count": 3}]}
        found = answered({**whole, "designs": [*whole["designs"], {**design, "plan": later}]}, "H")
        owns = [cause for cause in found["causes"] if cause["side"] == "owned"]
        assert {"hardware", "space", "network"} <= {cause["cause"] for cause in owns}
        spent = [
            a - b for a, b in zip(found["cumulative_usd"], paid["cumulative_usd"], strict=True)
        ]
        assert next(at for at, usd in enumerate(spent) if abs(usd) > 1e-6) == (month and month + 1)


def plannable(seed: int) -> dict[str, Any]:
    """A random study that has machines, or instances, of which there can be a plan."""
    while True:
        whole: dict[str, Any] = as_entered(document_of(random_study(seed)))
        try:
            purchase_of(whole)
        except ModelError:
            seed += 100
        else:
            return whole


@pytest.mark.parametrize("seed", [3, 9, 20, 27, 29, 31, 46, 51])
def test_a_plan_of_any_study_says_what_the_comparison_makes_of_it(seed: int) -> None:
    whole = plannable(seed)
    params, result = plan_of(whole, scenarios_count=1, gap_fraction=5e-3)
    held = held_before(whole, params, result)
    # Its own causes are the whole of what it says that it costs; the solver takes a choice for
    # made when it is so but for a millionth, of all that could be bought.
    most = 1e-6 * max(result["expected_usd"], result["all_owned_usd"] or 0.0)
    assert held.plan_usd == pytest.approx(result["expected_usd"], abs=most)
    *rows, _total = held.tables[0].rows
    assert held.is_same or any(row.cells[3] for row in rows)


OLD = {"type": "Old node", "count": 6, "usd_per_h": 0.6, "busy_cores_count": 40.0,
       "until_month": 9, "after_usd_per_h": 2.0}  # fmt: skip
RESERVED = {"type": "m6i.8xlarge", "count": 4, "usd_per_h": 1.0, "busy_cores_count": 20.0,
            "commitment_end_month": 6, "after_usd_per_h": 1.5}  # fmt: skip


@pytest.mark.parametrize("kinds", [(), ("owned_cluster",), ("cloud",)])
def test_what_runs_today_and_is_kept_stands_in_the_plan_s_design(kinds: tuple[str, ...]) -> None:
    """What it carries and costs is the same in both, and so are the spare machines."""
    whole = {**as_entered(study(*kinds)), "baseline": {"lines": [OLD, RESERVED]}}
    params, result = plan_of(whole, scenarios_count=1, gap_fraction=5e-3)
    planned = design_of(whole, params, result)
    kept = {each["side"]: each for each in planned.spec["plan"]["kept"]}
    assert (kept["owned"]["cores_count"], kept["owned"]["until_month"]) == (240.0, 9)
    assert kept["owned"]["usd_per_month"] == pytest.approx(6 * 0.6 * 730)
    assert (kept["rented"]["cores_count"], kept["rented"]["until_month"]) == (80.0, 6)
    assert kept["rented"]["usd_per_month"] == pytest.approx(4 * 1.0 * 730)
    whole, design = joined(whole, planned)
    paid = {(cause["side"], cause["cause"]): cause["amount_usd"]
            for cause in answered(whole, "H")["causes"]}  # fmt: skip
    assert paid["owned", "existing"] == pytest.approx(9 * 6 * 0.6 * 730)
    assert paid["rented", "remaining"] == pytest.approx(6 * 4 * 1.0 * 730)
    held = held_against(whole, design, result)
    # The solver takes a choice for made when it is so but for a millionth.
    assert held.plan_usd == pytest.approx(result["expected_usd"], rel=3e-6)
    assert held.compared_usd == pytest.approx(answered(whole, "H")["ranked_usd"], rel=1e-9)
    # Of instances alone, committed ones are whole in the comparison and carry what is idle.
    apart = 0.05 if kinds == ("cloud",) else 0.02
    assert held.compared_usd == pytest.approx(held.plan_usd, rel=apart)
    told = {row.head: row.cells for row in held.tables[0].rows}
    assert told["Existing machines"][2] == "none"
    if result["orders"]:
        assert "Spares" in told or "Hardware" in told
    # Without them the same orders cost more to rent above, and nothing is owed.
    less = copy.deepcopy(whole)
    less["designs"][-1]["plan"]["kept"] = []
    bare = {(cause["side"], cause["cause"]): cause["amount_usd"]
            for cause in answered(less, "H")["causes"]}  # fmt: skip
    assert ("owned", "existing") not in bare
    if kinds != ("owned_cluster",):
        assert bare["rented", "instances"] > paid.get(("rented", "instances"), 0.0)


def test_a_design_that_keeps_today_s_commitments_does_not_owe_them_twice() -> None:
    whole = {**as_entered(study()),
             "baseline": {"lines": [OLD, RESERVED], "commitments_owed_by_all": True}}  # fmt: skip
    params, result = plan_of(whole, scenarios_count=1, gap_fraction=5e-3)
    whole, _ = joined(whole, design_of(whole, params, result))
    for letter in ("B", "H"):
        owed = {(cause["side"], cause["cause"]): cause["amount_usd"]
                for cause in answered(whole, letter)["causes"]}  # fmt: skip
        assert owed["rented", "remaining"] == pytest.approx(6 * 4 * 1.0 * 730)


@pytest.mark.parametrize("kinds", [(), ("owned_cluster",), ("cloud",)])
def test_where_it_was_compared_a_plan_with_what_is_kept_costs_the_same(
    kinds: tuple[str, ...],
) -> None:
    whole = {**as_entered(study(*kinds)), "baseline": {"lines": [OLD, RESERVED]}}
    purchase = purchase_of(whole)
    case = case_as_entered(PurchasePlanParams.model_validate(purchase.params))
    for point, first in ((purchase.references.none_owned, None), (purchase.references.owned, 0)):
        if point is not None:
            parts = point.parts
            plan = parts.machines_usd + float(parts.rent.sum() + parts.owed.sum())
            plan += beside_usd(case, first)
            assert plan == pytest.approx(math.fsum(point.causes.values()), rel=1e-6)


def test_a_move_is_paid_with_the_first_machines_however_late_they_come() -> None:
    """Those that came after the months of the move paid nothing of it."""
    whole = as_entered(study())
    for design in whole["designs"]:
        owns = design["kind"] != "cloud"
        design["migration"] = {"labour_usd": 90_000.0} if owns else {}
    still = copy.deepcopy(whole)
    for design in still["designs"]:
        design["migration"] = {}
    cases = [case_as_entered(PurchasePlanParams.model_validate(purchase_of(one).params))
             for one in (whole, still)]  # fmt: skip
    for first in (0, 1, 18):
        with_move, without = (
            beside_usd(case, first) - beside_usd(case, None) for case in cases
        )  # fmt: skip
        # Labour is paid over the year, at the present value of the comparison.
        paid = 90_000.0 * cases[0].discount[first]
        assert with_move - without == pytest.approx(paid, rel=0.05)


def test_a_plan_without_a_cloud_is_the_cluster_with_its_orders() -> None:
    whole, params, result = example("owned_cluster")
    planned = design_of(whole, params, result)
    assert (planned.kind, planned.copy_of) == ("owned_cluster", "D")
    whole, design = joined(whole, planned)
    assert answered(whole, "H")["causes"]
    assert held_against(whole, design, result).compared_usd is not None


def test_by_the_month_or_the_quarter_the_same_nodes_cost_the_same() -> None:
    whole, params, result = example()
    whole, _ = joined(whole, design_of(whole, params, result))
    costs = []
    for interval in ("month", "quarter", "year"):
        assumed = {**whole["assumptions"], "ordering_interval": interval}
        costs.append(answered({**whole, "assumptions": assumed}, "H")["ranked_usd"])
    # Storage nodes are still ordered by the interval; the plan's are not.
    assert costs[0] == pytest.approx(costs[1], rel=0.02)


@pytest.mark.parametrize("first", [1000, 1050])
def test_arrays_beside_a_plan_are_told_in_its_months(first: int) -> None:
    """Of the next random study in which a design follows a plan."""
    studies = (document_of(random_study(seed)) for seed in range(first, first + 50))
    whole = next(one for one in studies if any(each.get("plan") for each in one["designs"]))
    whole["draws_count"] = 0
    planned = [each["letter"] for each in whole["designs"] if each.get("plan")]
    found = {each.letter for each in evaluate(COMPARE, whole).designs}
    assert found >= set(planned)


def test_a_machine_that_no_design_has_is_refused() -> None:
    whole, params, result = example()
    result["orders"][0]["machine"] = "Other"
    with pytest.raises(ModelError, match="Other, which no design"):
        design_of(whole, params, result)


@pytest.mark.parametrize(("compute", "is_read"), [("owned_base", True), ("owned", False)])
def test_what_a_plan_keeps_counts_where_the_plan_is_read(compute: str, is_read: bool) -> None:
    whole = document("flat-estate")
    kept = [{"name": "Old", "side": "rented", "cores_count": 400.0, "usd_per_month": 9000.0,
             "until_month": 9}]  # fmt: skip
    own, rented = (
        next(each["letter"] for each in whole["designs"] if each["kind"] == kind)
        for kind in ("owned_cluster", "cloud")
    )
    committed = {"type": "vm", "count": 10, "usd_per_h": 1.0, "after_usd_per_h": 1.4,
                 "busy_cores_count": 400.0, "commitment_end_month": 9}  # fmt: skip
    sides = {"owned_letter": own, "rented_letter": rented, "placement": {"compute": compute}}

    def cost_usd(of_today: list[dict[str, Any]]) -> float:
        plan = {"orders": [], "commitments": [], "kept": of_today}
        design = {"letter": "H", "title": "Both", "kind": "hybrid", **sides, "plan": plan,
                  "migration": {"parallel_letter": "T", "parallel_months": 2}}  # fmt: skip
        # What is not kept is owed until it ends.
        today = {"lines": [committed], "commitments_owed_by_all": True}
        study = {**whole, "baseline": today, "designs": [*whole["designs"], design]}
        return float(answered(study, "H")["ranked_usd"])

    assert (cost_usd(kept) != cost_usd([])) == is_read
