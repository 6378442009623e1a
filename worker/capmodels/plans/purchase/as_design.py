"""A plan of purchases as a design of its study, and its cost there beside its own.

The comparison costs the same nodes and commitments by its own equations: whole instances, spare
nodes, the bands of a bill, payments at the end of a month. What that makes is told by part.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.errors import ModelError
from capmodels.numbers import money, percent
from capmodels.plans.compare import SPEC as COMPARE
from capmodels.plans.purchase.of_study import purchase_of
from capmodels.plans.purchase.params import PurchasePlanParams
from capmodels.plans.purchase.result import PurchasePlanResult
from capmodels.spec import evaluate
from capmodels.told import Table, TableRow, Told

if TYPE_CHECKING:
    from capmodels.spec import JSONDict

# What a share of a difference has to be for the two to be called the same.
SAME = 1e-6
_MACHINES = ("hardware", "finance", "salvage", "remaining")
_PARTS = ("Machines, less what they are worth at the end", "Running the machines", "Rented")
_WHY = (
    "Spare nodes and racks come with the first machines, and money is discounted from when it is "
    "paid.",
    "What a site costs at all, its people and links, begins with the first machine.",
    "Whole instances, the bands of the bill, and the demand of the middle of a month, paid at its "
    "end.",
)


@dataclass(frozen=True, slots=True)
class PlannedDesign:
    """A design as the study takes it: a copy of one, or one of its own."""

    title: str
    kind: str
    spec: JSONDict
    copy_of: str | None


class HeldAgainst(Told):
    """What a plan says that it saves against renting all, and what the comparison says."""

    plan_usd: float
    compared_usd: float
    is_same: bool


def design_of(document: JSONDict, params: JSONDict, result: JSONDict) -> PlannedDesign:
    """Make a design of what a plan orders and commits to.

    Parameters
    ----------
    document : dict
        The study as ``plans.compare`` takes it.
    params, result : dict
        Of a run of ``plans.purchase_plan`` that the study asked.

    Returns
    -------
    PlannedDesign
        A hybrid of the study's designs, or a copy of its owned or rented design where it has
        no other.

    Raises
    ------
    ModelError
        When the study's designs do not have what the plan orders.
    """
    purchase, asked = purchase_of(document), PurchasePlanParams.model_validate(params)
    found = PurchasePlanResult.model_validate(result)
    known = {machine["name"] for machine in purchase.params["machines"]}
    if other := sorted({order.machine for order in found.orders} - known):
        message = f"The plan orders {other[0]}, which no design of the study has. Add it first."
        raise ModelError(message)
    upfront = {term.name: float(term.payment == "upfront") for term in asked.commitments}
    plan: JSONDict = {
        "orders": [
            {"month": order.arrives_month, "nodes_count": order.ordered_count}
            for order in found.orders
        ],
        "commitments": [
            {
                "month": start.month,
                "cores_count": start.committed_count,
                "term_months": start.ends_month - start.month,
                "discount_fraction": _discount(asked, start.commitment),
                "upfront_fraction": upfront[start.commitment],
            }
            for start in found.commitments
        ],
    }
    designs = {each["letter"]: each for each in document["designs"]}
    own, rented = purchase.owned_letter, purchase.rented_letter
    if own is None or rented is None:
        letter = own or rented
        base = designs[letter or ""]
        return PlannedDesign(
            f"{base['title']}, as planned", base["kind"], {**_spec(base), "plan": plan}, letter
        )
    hybrids = [each for each in designs.values() if each["kind"] == "hybrid"
               and each.get("owned_letter") == own
               and each.get("placement", {}).get("compute", "owned_base") == "owned_base"
               and each.get("plan") is None]  # fmt: skip
    spec: JSONDict
    if hybrids:
        alike = next((each for each in hybrids if each["rented_letter"] == rented), hybrids[0])
        spec, copied = _spec(alike), alike["letter"]
    else:
        kept = {key: copy.deepcopy(designs[own][key])
                for key in ("migration", "staff_fte", "staff_usd_per_year")
                if key in designs[own]}  # fmt: skip
        spec, copied = {"owned_letter": own, **kept}, None
    spec = {**spec, "rented_letter": rented, "plan": plan}
    return PlannedDesign("Own and rent as planned", "hybrid", spec, copied)


def _spec(design: JSONDict) -> JSONDict:
    return {
        key: copy.deepcopy(value)
        for key, value in design.items()
        if key not in {"letter", "title", "kind"}
    }


def _discount(asked: PurchasePlanParams, name: str) -> float:
    return next(term.discount_fraction for term in asked.commitments if term.name == name)


def held_against(document: JSONDict, design: JSONDict, result: JSONDict) -> HeldAgainst:
    """Cost a plan by the comparison, beside what the plan itself says, both as entered.

    Parameters
    ----------
    document : dict
        The study with the ``design`` among its designs.
    design : dict
        The plan's design, with its letter.
    result : dict
        Of the plan.

    Returns
    -------
    HeldAgainst
        What the plan costs less than renting all, part by part: by the plan's program, by the
        comparison, and why they differ. Without ranges, in present value.
    """
    study = {**copy.deepcopy(document), "ranges": [], "draws_count": 0, "baseline": None}
    assumptions = study["assumptions"] = {**study.get("assumptions", {}), "accepted": []}
    for key in ("choices", "correlations"):
        assumptions[key] = []
    assumptions.pop("accepted")
    assumptions["ranked_by"] = "present_value"
    program = _by_program(study, PurchasePlanResult.model_validate(result))
    compared = _by_comparison(study, design)
    currency = PurchasePlanParams.model_validate(purchase_of(study).params).currency.shown
    rows = []
    for name, why, own, other in zip(_PARTS, _WHY, program, compared, strict=True):
        apart = other - own
        rows.append(
            TableRow(
                head=name,
                cells=(
                    money(own, currency),
                    money(other, currency),
                    money(apart, currency),
                    "" if abs(apart) <= SAME * abs(sum(program)) else why,
                ),
            )
        )
    own, other = -sum(program), -sum(compared)
    apart = other - own
    same = abs(apart) <= SAME * max(abs(own), 1e-9)
    said = f"{money(abs(apart), currency, in_words=True)} ({percent(abs(apart) / abs(own))})"
    headline = (
        "The comparison and the plan give the same cost."
        if same or own == 0
        else f"The comparison puts it {money(other, currency, in_words=True)} below renting all on "
        f"demand, the plan {money(own, currency, in_words=True)}: {said} apart."
    )
    rows.append(TableRow(
        head="In all", cells=(money(-own, currency), money(-other, currency),
                              money(-apart, currency), ""), is_best=True,
    ))  # fmt: skip
    return HeldAgainst(
        headline=headline,
        tables=(
            Table(
                title="The plan beside renting all on demand, as entered",
                columns=("", "By the plan", "By the comparison", "Difference", "Because"),
                rows=tuple(rows),
                note="Present value, without ranges: demand and prices as entered.",
            ),
        ),
        plan_usd=own,
        compared_usd=other,
        is_same=same,
    )


def _by_program(study: JSONDict, found: PurchasePlanResult) -> tuple[float, float, float]:
    """Machines, their upkeep, and rent less that of renting all, by the plan's equations. [USD]"""
    import numpy as np

    from capmodels.plans.purchase import equations_kernel as program
    from capmodels.plans.purchase.scenarios_kernel import scenarios_of

    asked = PurchasePlanParams.model_validate(purchase_of(study).params)
    case = program.case_of(asked, scenarios_of(asked, 0))
    names = [machine.name for machine in asked.machines]
    orders = {
        program.Order(
            0, names.index(order.machine), order.month, order.arrives_month,
            min(order.arrives_month + asked.machines[names.index(order.machine)].life_months,
                case.months),
        ): order.ordered_count
        for order in found.orders if order.arrives_month < case.months
    }  # fmt: skip
    terms = [term.name for term in asked.commitments]
    starts = {
        program.Start(0, terms.index(start.commitment), start.month, start.ends_month):
        start.committed_count
        for start in found.commitments
    }  # fmt: skip
    capacity = program.capacity_of(case, program.Plan(0.0, 0.0, orders, starts, ()))
    plan = program.Plan(0.0, 0.0, orders, starts, (capacity,))
    upkeep = sum(
        count
        * asked.machines[order.machine].upkeep_usd_per_month
        * float(case.discount[order.arrives : order.ends].sum())
        for order, count in orders.items()
    )
    owned = sum(
        count * float(program.machine_usd(case, order)[0]) for order, count in orders.items()
    )
    none = program.Plan(0.0, 0.0, {}, {}, (np.zeros(case.months),))
    whole = float(program.costs_by_scenario(case, plan)[0])
    rented = float(program.costs_by_scenario(case, none)[0])
    return owned - upkeep, upkeep, whole - owned - rented


def _by_comparison(study: JSONDict, design: JSONDict) -> tuple[float, float, float]:
    """The same by the comparison: the design less itself without orders and commitments. [USD]"""
    bare = {**copy.deepcopy(design), "plan": {"orders": [], "commitments": []}}
    owned, running, rented = 0.0, 0.0, 0.0
    for sign, one in ((1.0, design), (-1.0, bare)):
        designs = [each if each["letter"] != design["letter"] else one for each in study["designs"]]
        answer = evaluate(COMPARE, {**study, "designs": designs}).model_dump(mode="json")
        told = next(each for each in answer["designs"] if each["letter"] == design["letter"])
        for cause in told["causes"]:
            usd = sign * cause["ranked_usd"]
            if cause["side"] == "rented":
                rented += usd
            elif cause["cause"] in _MACHINES:
                owned += usd
            else:
                running += usd
    return owned, running, rented
