"""What a study pays beside the machines and rented capacity of a plan, by its own comparison.

Designs are compared: nothing owned, and the best number of machines owned from the start, or from a
later month on, with the rest rented. What they cost by the month, less what the plan's equations
say of the same machines and rent, is what people, storage, transfer, support and moves cost one way
and the other. So the plan costs what the comparison says at these points.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from capmodels.amounts import as_number
from capmodels.plans.compare import SPEC as COMPARE
from capmodels.plans.costing.book import CauseBook, Discount
from capmodels.plans.costing.designs import cause_book, cost_designs
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.capacity_plan import ArrivingNodes
from capmodels.plans.document.disk_array import DiskArray
from capmodels.plans.document.workload import DemandWorkload
from capmodels.plans.purchase.resources import flat_ram_ratio
from capmodels.spec import evaluate, validate
from capmodels.units import HOURS_PER_MONTH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from capmodels.plans.document.study import StudySpec
    from capmodels.plans.purchase import equations_kernel as program
    from capmodels.plans.purchase.params import PurchasePlanParams
    from capmodels.spec import JSONDict

    Array = NDArray[np.float64]
    Cause = tuple[str, str]

NO_PLAN: JSONDict = {"orders": [], "commitments": []}
_LETTERS = "ABCDEFGH"
_LOOKED_AT = 64


@dataclass(frozen=True, slots=True)
class PlannedDesign:
    """A design as the study takes it: a copy of one, or one of its own."""

    title: str
    kind: str
    spec: JSONDict
    copy_of: str | None


@dataclass(frozen=True, slots=True)
class Parts:
    """Present value of what a plan orders and rents by its equations, by the month. [USD]

    What is left of machines at the end is in ``left_usd``, 0 or below; what is left unmet is in no
    design; ``owed`` is paid for what is kept of today.
    """

    arrived: Array
    upkeep: Array
    committed: Array
    rent: Array
    unmet: Array
    left_usd: float
    owed: Array

    @property
    def machines_usd(self) -> float:
        """Machines with their upkeep, less what is left of them."""
        return float(self.arrived.sum() + self.upkeep.sum()) + self.left_usd


@dataclass(frozen=True, slots=True)
class Point:
    """A design that was compared: its present value by cause and month, and its parts."""

    causes: dict[Cause, float]
    labels: dict[Cause, str]
    cumulative_usd: tuple[float, ...]
    parts: Parts

    @property
    def start_usd(self) -> float:
        """Paid first, beside the machines of the plan."""
        return self.cumulative_usd[0] - float(self.parts.arrived[0])

    @property
    def monthly_usd(self) -> Array:
        """Present value of each month beside the plan's parts."""
        import numpy as np

        parts, monthly = self.parts, np.diff(self.cumulative_usd)[: len(self.parts.rent)]
        monthly = monthly - parts.upkeep - parts.rent - parts.owed
        monthly[1:] -= parts.arrived[1:]
        monthly[-1] -= parts.left_usd
        return monthly


@dataclass(frozen=True, slots=True)
class References:
    """Nothing owned, and some owned from the start; None where the study has no such design.

    ``settled`` is some owned without the move there, which is paid when the first machines come.
    ``openings`` is what is paid beside the plan's parts where they come in a month, from it on.
    """

    none_owned: Point
    owned: Point | None
    settled: Point | None
    openings: dict[int, Array]


def planned_base(document: JSONDict, own: str | None, rented_letter: str | None) -> PlannedDesign:
    """Give the design that a plan is put into: a joined one, or the only side that there is."""
    designs = {each["letter"]: each for each in document["designs"]}
    if own is None or rented_letter is None:
        letter = own or rented_letter or ""
        base = designs[letter]
        return PlannedDesign(f"{base['title']}, as planned", base["kind"], _spec(base), letter)
    hybrids = [each for each in designs.values() if each["kind"] == "hybrid"
               and each.get("owned_letter") == own
               and each.get("placement", {}).get("compute", "owned_base") == "owned_base"
               and each.get("plan") is None]  # fmt: skip
    spec: JSONDict
    if hybrids:
        alike = next((one for one in hybrids if one["rented_letter"] == rented_letter), hybrids[0])
        spec, copied = _spec(alike), alike["letter"]
    else:
        kept = {key: copy.deepcopy(designs[own][key])
                for key in ("migration", "staff_fte", "staff_usd_per_year")
                if key in designs[own]}  # fmt: skip
        spec, copied = {"owned_letter": own, **kept}, None
    spec = {**spec, "rented_letter": rented_letter}
    return PlannedDesign("Own and rent as planned", "hybrid", spec, copied)


def _spec(design: JSONDict) -> JSONDict:
    return {
        key: copy.deepcopy(value)
        for key, value in design.items()
        if key not in {"letter", "title", "kind"}
    }


def as_entered(document: JSONDict) -> JSONDict:
    """A study without what is uncertain in it, in present values."""
    assumptions = copy.deepcopy(document.get("assumptions", {}))
    for key in ("choices", "correlations", "accepted"):
        assumptions.pop(key, None)
    assumptions["ranked_by"] = "present_value"
    return {
        **copy.deepcopy(document), "ranges": [], "draws_count": 0, "assumptions": assumptions,
    }  # fmt: skip


def kept_of(document: JSONDict, asked: PurchasePlanParams) -> list[JSONDict]:
    """What a plan has of today, as a design of its study keeps it."""
    ratio = flat_ram_ratio(DemandWorkload.model_validate(document["workload"]))

    def holding(count: float, others_count: Sequence[float]) -> JSONDict:
        ram_gib = count * others_count[0] * ratio if others_count else 0.0
        return {"ram_gib": ram_gib} if ram_gib > 0 else {}

    machines: list[JSONDict] = [
        {
            "name": each.name,
            "side": "owned",
            "cores_count": each.count * each.capacity_count * each.usable_fraction,
            "usd_per_month": each.count * each.upkeep_usd_per_month,
            "until_month": each.until_month,
            **holding(each.count, each.others_count),
        }
        for each in asked.held_machines
    ]
    return machines + [
        {
            "name": each.name,
            "side": "rented",
            "cores_count": each.committed_count,
            "usd_per_month": each.committed_count * each.usd_per_unit_h * HOURS_PER_MONTH,
            "until_month": each.until_month,
            **holding(each.committed_count, each.others_count),
        }
        for each in asked.held_commitments
    ]


def references(
    document: JSONDict, asked: PurchasePlanParams, own: str | None, rented_letter: str | None
) -> References:
    """Compare renting all, and owning what is best to own from the start.

    Parameters
    ----------
    document : dict
        The study.
    asked : PurchasePlanParams
        Its question as entered: with one scenario.
    own, rented_letter : str or None
        Designs whose machines and instances the plan has.

    Returns
    -------
    References
        Both, each with the plan's equations of the same machines and rent.
    """
    base, case = planned_base(document, own, rented_letter), case_as_entered(asked)
    letter = rented_letter or own
    alone = next(each for each in document["designs"] if each["letter"] == letter)
    no_plan = {**NO_PLAN, "kept": kept_of(document, asked)}
    none_owned = _point(document, {**alone, "plan": no_plan}, case, 0)
    owned = settled = None
    openings: dict[int, Array] = {}
    if own is not None and asked.machines:
        best = _best_count(case)
        design = _owning(base, no_plan, 0, best)
        owned = _point(document, design, case, best)
        settled = _point(document, {**design, "migration": {}}, case, best)
        openings = _openings(document, base, no_plan, case, best)
    return References(none_owned, owned, settled, openings)


def _owning(base: PlannedDesign, no_plan: JSONDict, month: int, count: int) -> JSONDict:
    """The design with some machines from a month on."""
    plan = {**no_plan, "orders": [{"month": month, "nodes_count": count}]}
    letter = (base.copy_of or "") if base.kind != "hybrid" else ""
    return {"title": base.title, "kind": base.kind, **base.spec, "letter": letter, "plan": plan}


def opened_point(
    document: JSONDict,
    asked: PurchasePlanParams,
    own: str | None,
    rented_letter: str | None,
    month: int,
) -> Point:
    """Compare owning what is best to own from a month on."""
    base, case = planned_base(document, own, rented_letter), case_as_entered(asked)
    best = _best_count(case)
    design = _owning(base, {**NO_PLAN, "kept": kept_of(document, asked)}, month, best)
    return _point(document, design, case, best, month)


def _openings(
    document: JSONDict, base: PlannedDesign, no_plan: JSONDict, case: program.Case, count: int
) -> dict[int, Array]:
    """What is paid beside the parts of a plan from the month on in which its first machines come.

    Costed as the comparison does, without what else it says. [USD, present value]
    """
    lead = case.params.machines[0].lead_months
    document, letter = with_design(as_entered(document), _owning(base, no_plan, 0, count))
    study: StudySpec = validate(COMPARE, document)
    rate = study.assumptions.nominal_discount_fraction_per_year
    discount = Discount(rate, study.assumptions.horizon_months)
    scene, found = Scene(study), dict[int, Any]()
    paper = study.assumptions.rounding == "paper"
    books = partial(CauseBook, scene.months, round_years=paper)
    for month in range(lead, case.months):
        order = ArrivingNodes(month=month, nodes_count=count)
        designs = tuple(
            one.model_copy(update={"plan": one.plan.model_copy(update={"orders": (order,)})})
            if one.letter == letter and not isinstance(one, DiskArray) and one.plan is not None
            else one
            for one in study.designs
        )
        there = Scene(study.model_copy(update={"designs": designs}), scene.curves, beside=scene)
        items = cost_designs(there, books, {letter})
        item = next(each for each in items if each.letter == letter)
        paid = tuple(accumulate(map(as_number, cause_book(item).present(discount))))
        parts = parts_of(case, _from_month(case, month, count), {})
        point = Point({}, {}, paid, parts)
        usd = point.monthly_usd
        usd[0] += point.start_usd
        found[month] = usd[month:]
    return found


def _best_count(case: program.Case) -> int:
    """Machines that are cheapest to own from the start, at least one, renting the rest."""
    import numpy as np

    from capmodels.plans.purchase import equations_kernel as program

    machine = case.params.machines[0]
    carries = program.usable(case.params, machine)
    peak = np.max([case.highest(month) for month in range(case.months)], axis=0)
    needed = peak[carries > 0] / carries[carries > 0]
    most = max(1, math.ceil(float(needed.max())))

    def best(counts: Array) -> int:
        costs = counts * parts_of(case, _from_month(case, 0, 1), {}).machines_usd
        for month in range(case.months):
            there = counts[:, None] * carries * (month < machine.life_months) + case.held[month]
            if case.bundles is None:
                rent = case.rent(month, there.T)[0]
            else:
                rent = np.array([float(case.rent(month, each)[0][0]) for each in there])
            costs += rent * case.discount[month]
        return int(counts[np.argmin(costs)])

    # Whole instances make it other than convex: looked at everywhere, then closely.
    step = max(1.0, most / _LOOKED_AT)
    around = best(np.unique(np.linspace(1, most, min(most, _LOOKED_AT)).round()))
    near = np.arange(max(1, around - math.ceil(step)), min(most, around + math.ceil(step)) + 1)
    return best(near.astype(np.float64))


def _from_month(case: program.Case, month: int, count: int) -> dict[program.Order, int]:
    from capmodels.plans.purchase import equations_kernel as program

    if count == 0:
        return {}
    ends = min(month + case.params.machines[0].life_months, case.months)
    return {program.Order(0, 0, month, month, ends): count}


def case_as_entered(asked: PurchasePlanParams) -> program.Case:
    """The equations of a question with one scenario."""
    from capmodels.plans.purchase import equations_kernel as program
    from capmodels.plans.purchase.scenarios_kernel import scenarios_of

    return program.case_of(asked, scenarios_of(asked, 0))


def _point(
    document: JSONDict, design: JSONDict, case: program.Case, count: int, month: int = 0
) -> Point:
    told = compared(*with_design(as_entered(document), design))
    return Point(
        causes_of(told),
        {(cause["side"], cause["cause"]): cause["label"] for cause in told["causes"]},
        tuple(told["cumulative_npv_usd"]),
        parts_of(case, _from_month(case, month, count), {}),
    )


def with_design(study: JSONDict, design: JSONDict) -> tuple[JSONDict, str]:
    """Put a design into a study, and give its letter: its own, or one that is free.

    In a full study it stands in place of a design that no other refers to.
    """
    letter = design["letter"]
    if not letter:
        named = {name for each in (design, *study["designs"]) for name in _named(each)}
        taken = [each["letter"] for each in study["designs"]]
        idle = [each for each in taken if each not in named]
        letter = next((each for each in _LETTERS if each not in taken), (idle or taken)[-1])
    kept = [each for each in study["designs"] if each["letter"] != letter]
    return {**study, "designs": [*kept, {**design, "letter": letter}]}, letter


def _named(value: Any) -> Iterator[str]:
    """Designs that a part of a document refers to."""
    if isinstance(value, dict):
        for key, each in value.items():
            if key.endswith("_letter") and isinstance(each, str):
                yield each
            yield from _named(each)
    elif isinstance(value, list):
        for each in value:
            yield from _named(each)


def compared(study: JSONDict, letter: str) -> JSONDict:
    """Compare the designs of a study, and give one of them."""
    found = evaluate(COMPARE, study).model_dump(mode="json")["designs"]
    return next(each for each in found if each["letter"] == letter)


def causes_of(told: JSONDict) -> dict[Cause, float]:
    """Present value by side and cause. [USD]"""
    return {(cause["side"], cause["cause"]): cause["npv_usd"] for cause in told["causes"]}


def parts_of(
    case: program.Case, orders: dict[program.Order, int], starts: dict[program.Start, float]
) -> Parts:
    """Put a plan's cost in its first scenario into parts, by the plan's own equations. [USD]"""
    import numpy as np

    from capmodels.plans.purchase import equations_kernel as program

    disc = case.discount
    arrived, upkeep, committed, rent = (np.zeros(case.months) for _ in range(4))
    left = 0.0
    for order, count in orders.items():
        machine = case.params.machines[order.machine]
        price = machine.price_usd * case.scenarios.machine_ratio[order.machine][0, order.arrives]
        paid = count * float(price * disc[order.arrives])
        running = count * machine.upkeep_usd_per_month * disc[order.arrives : order.ends]
        arrived[order.arrives] += paid
        upkeep[order.arrives : order.ends] += running
        left += count * float(program.machine_usd(case, order)[0]) - paid - float(running.sum())
    for start, amount in starts.items():
        committed[start.month] += amount * float(program.started_usd(case, start)[0])
    capacity = program.capacity_of(case, program.Plan(0.0, 0.0, orders, starts, ()))
    for month in range(case.months):
        rent[month] = float(case.rent(month, capacity[month])[0][0] * disc[month])
    nothing = np.zeros(case.months)
    both = (rent, nothing) if case.params.on_demand is not None else (nothing, rent)
    return Parts(arrived, upkeep, committed, *both, left, case.owed * disc[: case.months])


def beside_of(found: References, discount: Array) -> JSONDict:
    """Give the other costs of both ways as a plan takes them: amounts of their months. [USD]

    The move to own machines comes with the first of them, whenever that is.
    """
    points = (found.none_owned, found.settled or found.none_owned)
    rented_usd, owned_usd = (
        each.monthly_usd / discount[: len(each.monthly_usd)] for each in points
    )
    rented_usd[0] += found.none_owned.start_usd
    opening = 0.0
    if found.owned is not None and found.settled is not None:
        move = math.fsum(found.owned.causes.values()) - math.fsum(found.settled.causes.values())
        opening = found.settled.start_usd + move
    return {
        "rented_usd": rented_usd.tolist(),
        "owned_usd": owned_usd.tolist(),
        "opening_usd": opening,
        "openings": [
            {"month": month, "usd": (usd / discount[month : month + len(usd)]).tolist()}
            for month, usd in found.openings.items()
        ],
    }
