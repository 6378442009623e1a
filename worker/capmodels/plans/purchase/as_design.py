"""A plan of purchases as a design of its study, and its cost there beside its own.

The comparison costs the same nodes and commitments by its own equations: whole instances, spare
nodes, the bands of a bill, payments at the end of a month. What that makes is told by cause.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.errors import ModelError
from capmodels.numbers import money, percent
from capmodels.plans.purchase.beside import (
    PlannedDesign,
    as_entered,
    case_as_entered,
    causes_of,
    compared,
    kept_of,
    opened_point,
    parts_of,
    planned_base,
    with_design,
)
from capmodels.plans.purchase.of_study import StudyPurchase, purchase_of
from capmodels.plans.purchase.params import PurchasePlanParams
from capmodels.plans.purchase.result import PurchasePlanResult
from capmodels.told import Table, TableRow, Told

if TYPE_CHECKING:
    from capmodels.plans.purchase import equations_kernel as program
    from capmodels.spec import JSONDict

# What a share of a difference has to be for the two to be called the same.
SAME = 1e-6
_UNMET = "Left unmet"
# What goes with rented cores.
_RENTED = (("rented", "instances"), ("rented", "transfer"), ("rented", "support"))
_LATER = "Of another first month"
_NOTHING = "The plan has neither machines nor rented capacity."
_STEPS = "Spare nodes, racks and what stands beside nodes come in steps, not by the node."
_WHY = {
    **dict.fromkeys(("hardware", "finance", "salvage", "remaining", "spares"), _STEPS),
    **dict.fromkeys(("energy", "cooling", "space", "network"),
                    "Counted as nodes are loaded and racked, not by the node."),
    "staff": "People of the comparison are by year and by what is rented in it.",
    "migration": "A move is paid in its months, of what the design then has.",
    "instances": "Whole instances, for the demand of the middle of a month, paid at its end.",
    "commitment": "Whole instances are committed to; the plan commits to cores.",
    "support": "Support goes by bands of each month's bill.",
    "transfer": "Transfer goes by bands, and by the share of the work that is rented.",
    _UNMET: "The price of what is left unmet is the plan's own.",
    _LATER: "The plan's first machines come in a month in which none can be ordered.",
}  # fmt: skip
_DISCOUNT_MOST = 1.0 - 1e-9
_OTHER_WHY = "It changes with what is owned, not in proportion to nodes or rented cores."


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
                "cores_count": start.committed_count * purchase.committed_ratio,
                "term_months": start.ends_month - start.month,
                # A plan takes it on all that a rented core costs.
                "discount_fraction": min(
                    _DISCOUNT_MOST,
                    _discount(asked, start.commitment) / purchase.discounted_share,
                ),
                "upfront_fraction": upfront[start.commitment],
            }
            for start in found.commitments
        ],
        "kept": kept_of(document, asked),
    }
    # Where nothing is ordered all is rented, if it can be.
    own = None if purchase.rented_letter and not found.orders else purchase.owned_letter
    base = planned_base(document, own, purchase.rented_letter)
    return PlannedDesign(base.title, base.kind, {**base.spec, "plan": plan}, base.copy_of)


def _discount(asked: PurchasePlanParams, name: str) -> float:
    return next(term.discount_fraction for term in asked.commitments if term.name == name)


def held_before(document: JSONDict, params: JSONDict, result: JSONDict) -> HeldAgainst:
    """Cost a plan by the comparison as ``held_against`` does, before it is a design."""
    planned = design_of(document, params, result)
    design = {"letter": "", "title": planned.title, "kind": planned.kind, **planned.spec}
    study, letter = with_design(document, design)
    return held_against(study, {**design, "letter": letter}, result)


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
        What the plan costs, cause by cause: by the plan's program, by the comparison, and why
        they differ. Without ranges, in present value.
    """
    # Of its scenarios, ranges and all, none is the study as entered.
    purchase = purchase_of(as_entered(document))
    asked = PurchasePlanParams.model_validate(purchase.params)
    lines = _by_program(document, purchase, PurchasePlanResult.model_validate(result))
    told = compared(as_entered(document), design["letter"])
    names = {(cause["side"], cause["cause"]): cause["label"] for cause in told["causes"]}
    for point in (purchase.references.none_owned, purchase.references.owned):
        names = {**({} if point is None else point.labels), **names}
    both, currency = causes_of(told), asked.currency.shown
    own, other = math.fsum(lines.values()), math.fsum(both.values())
    least = SAME * max(abs(own), abs(other), 1e-9)
    rows = []
    for key in sorted({**both, **lines}, key=lambda key: -abs(both.get(key, 0.0))):
        mine, its = lines.get(key, 0.0), both.get(key, 0.0)
        if max(abs(mine), abs(its)) > least:
            differs = abs(its - mine) > least
            less = money(its - mine, currency) if differs else "none"
            why = _WHY.get(key[1], _OTHER_WHY) if differs else ""
            cells = (money(mine, currency), money(its, currency), less, why)
            rows.append(TableRow(head=_line_name(key, names), cells=cells))
    rows.append(TableRow(
        head="In all", is_best=True,
        cells=(money(own, currency), money(other, currency), money(other - own, currency), ""),
    ))  # fmt: skip
    same, apart = abs(other - own) <= least, abs(other - own)
    return HeldAgainst(
        headline="The comparison and the plan give the same cost."
        if same
        else f"The comparison puts the plan at {money(other, currency, in_words=True)}, its own "
        f"equations at {money(own, currency, in_words=True)}: "
        f"{money(apart, currency, in_words=True)} ({percent(SAME * apart / least)}) apart.",
        tables=(
            Table(
                title="The plan's cost, as entered",
                columns=("", "By the plan", "By the comparison", "Difference", "Because"),
                rows=tuple(rows),
                note="Present value, without ranges: demand and prices as entered. The plan "
                "has the comparison's figures of the nearest design, all rented or the best "
                "number of machines from the first on, and its own for what it orders otherwise.",
            ),
        ),
        plan_usd=own,
        compared_usd=other,
        is_same=same,
    )


def _line_name(key: tuple[str, str], names: dict[tuple[str, str], str]) -> str:
    name = names.get(key, key[1])
    both = sum(cause == key[1] for _, cause in names) > 1
    return f"{name}, {key[0]}" if both else name


def _by_program(
    document: JSONDict, purchase: StudyPurchase, found: PurchasePlanResult
) -> dict[tuple[str, str], float]:
    """What a plan costs by its own equations, by cause. [USD]

    From what the comparison says of the nearest way, all rented or some owned from the month of the
    first machines on: each machine and all rent more or less than there has its shares of the
    causes.
    """
    from capmodels.plans.purchase import equations_kernel as program

    asked = PurchasePlanParams.model_validate(purchase.params)
    case = case_as_entered(asked)
    names = [machine.name for machine in asked.machines]
    orders: dict[program.Order, int] = {}
    for each in found.orders:
        if each.arrives_month < case.months:
            place = names.index(each.machine)
            ends = min(each.arrives_month + asked.machines[place].life_months, case.months)
            order = program.Order(0, place, each.month, each.arrives_month, ends)
            orders[order] = orders.get(order, 0) + each.ordered_count
    terms = [term.name for term in asked.commitments]
    starts = {
        program.Start(0, terms.index(start.commitment), start.month, start.ends_month):
        start.committed_count
        for start in found.commitments
    }  # fmt: skip
    parts, points = parts_of(case, orders, starts), purchase.references
    first = program.opened(orders)
    near = points.owned if orders else points.none_owned
    if near is None:
        raise ModelError(_NOTHING)
    if first in points.openings:
        letters = purchase.owned_letter, purchase.rented_letter
        near = opened_point(document, asked, *letters, first)
    lines = dict(near.causes)
    was = near.parts
    upkeep = float(parts.upkeep.sum() - was.upkeep.sum())
    rent = float(parts.rent.sum() - was.rent.sum())
    share = purchase.discounted_share
    # Of what is committed, what instances cost; the rest goes on as of any rented core.
    committed = math.fsum(
        amount * float(program.started_usd(case, start)[0])
        * (share - asked.commitments[start.commitment].discount_fraction)
        / (1.0 - asked.commitments[start.commitment].discount_fraction)
        for start, amount in starts.items()
    )  # fmt: skip
    sides = {("rented", "instances"): share, ("rented", "transfer"): 1.0 - share}
    if orders and math.fsum(lines.get(key, 0.0) for key in _RENTED) > 0:
        # Less is rented than there of every kind, so that none falls below nothing.
        whole = math.fsum(lines.get(key, 0.0) for key in _RENTED)
        sides = {key: lines.get(key, 0.0) / whole for key in _RENTED}
    more = [
        (("owned", "hardware"), float(parts.arrived.sum() - was.arrived.sum())),
        (("owned", "salvage"), parts.left_usd - was.left_usd),
        *((key, part * upkeep) for key, part in purchase.running_shares.items()),
        *((key, part * rent) for key, part in sides.items()),
        (("rented", "commitment"), committed),
        (("rented", "transfer"), float(parts.committed.sum()) - committed),
        (("rented", _UNMET), float(parts.unmet.sum())),
    ]
    for key, usd in more:
        lines[key] = lines.get(key, 0.0) + usd
    if first and first not in points.openings:
        later = program.beside_usd(case, first) - program.beside_usd(case, 0)
        lines["owned", _LATER] = later
    return lines
