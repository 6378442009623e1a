"""A cluster in its racks: nodes fill one after the other; space or power binds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.amounts import as_number
from capmodels.numbers import counted, percent
from capmodels.plans.comparison import RackFigures, RackFill, RackGroup, Remark
from capmodels.plans.costing.group_plan import equipment_count
from capmodels.plans.costing.owned_cost import racks_count
from capmodels.plans.words import three_digits
from capmodels.units import WATTS_PER_KW

if TYPE_CHECKING:
    from capmodels.plans.costing.group_plan import GroupPlan
    from capmodels.plans.costing.owned_cost import OwnedCase

# Racks that are drawn; the fullest one is found among all.
DRAWN = 12


@dataclass(frozen=True, slots=True)
class _Row:
    """Racks of some groups, by their place in the design: filled one after the other."""

    members: tuple[int, ...]
    slots: int

    def racks(self, groups: list[RackGroup]) -> int:
        """How many racks they fill."""
        return -(-sum(groups[at].count for at in self.members) // self.slots)

    def held(self, groups: list[RackGroup], rack: int) -> tuple[int, ...]:
        """Nodes of each group of the design that stand in one of these racks."""
        held, start = [0] * len(groups), 0
        first, last = rack * self.slots, (rack + 1) * self.slots
        for at in self.members:
            end = start + groups[at].count
            held[at] = max(0, min(last, end) - max(first, start))
            start = end
        return tuple(held)

    def candidates(self, groups: list[RackGroup]) -> set[int]:
        """Racks at and beside which the groups change; all others are like one of these."""
        count, start = self.racks(groups), 0
        found = {0} if count else set()
        for at in self.members:
            end = start + groups[at].count
            if end > start:
                places = (start, start + self.slots, end - 1)
                found |= {min(place // self.slots, count - 1) for place in places}
            start = end
        return found


def rack_figures(case: OwnedCase) -> RackFigures | None:
    """Racks of the nodes at the end; None where there are no nodes.

    What stands beside the nodes (switches and the like) is spread over the racks evenly.
    """
    racks = case.owned.racks
    groups = [_group(plan, case.owned.provision_ratio) for plan in case.plans]
    nodes = sum(group.count for group in groups)
    if nodes <= 0:
        return None
    shared = [at for at, one in enumerate(case.plans) if one.group.nodes_per_rack_count is None]
    rows = [_Row(tuple(shared), int(racks.nodes_per_rack_count))]
    rows += [
        _Row((at,), int(one.group.nodes_per_rack_count))
        for at, one in enumerate(case.plans)
        if one.group.nodes_per_rack_count is not None
    ]
    # There may be more racks than can be listed: only those that are drawn are.
    count = sum(row.racks(groups) for row in rows)
    places = [(row, rack) for row in rows for rack in range(min(row.racks(groups), DRAWN))]
    beside_w = sum(
        as_number(equipment_count(item, case.plans, -1)) * item.power_w
        for item in case.owned.equipment
    )
    # Arrays stand in racks of their own, and switches beside them too.
    racks_there = max(count, int(as_number(racks_count(case, -1))))
    beside_w = beside_w * case.owned.provision_ratio / racks_there

    def fill(row: _Row, rack: int) -> RackFill:
        held = row.held(groups, rack)
        power_w = _power_w(groups, held, beside_w)
        return RackFill(nodes_count=held, slots_count=row.slots, power_w=power_w)

    changing = [(row, rack) for row in rows for rack in row.candidates(groups)]
    fullest = max((fill(row, rack) for row, rack in changing), key=_fullness)
    sums = _power_w(groups, tuple(group.count for group in groups), beside_w * racks_there)
    return RackFigures(
        racks_count=count,
        slots_count=fullest.slots_count,
        nodes_count=int(nodes),
        power_w=sums,
        limit_w=racks.power_w,
        groups=tuple(groups),
        fullest=fullest,
        drawn=tuple(fill(row, rack) for row, rack in places[:DRAWN]),
        fits=None if fullest.power_w is None else fullest.power_w <= racks.power_w,
        sentence=_sentence(fullest, racks.power_w, _most(groups, beside_w, racks.power_w)),
    )


def rack_remark(figures: RackFigures | None, letter: str) -> Remark | None:
    """What is told of a design whose racks cannot feed what stands in them."""
    if figures is None or figures.fits is not False:
        return None
    pointer = f"/designs/{letter}/racks/nodes_per_rack_count"
    return Remark(sentence=figures.sentence, pointer=pointer)


def _group(plan: GroupPlan, ratio: float) -> RackGroup:
    group = plan.group
    known = group.provisioned_w is not None or group.power is not None
    node_w = group.peak_w if group.provisioned_w is None else group.provisioned_w
    return RackGroup(
        name=group.name,
        count=int(as_number(plan.counts[-1])),
        power_w=node_w * ratio if known else None,
    )


def _power_w(groups: list[RackGroup], held: tuple[int, ...], beside_w: float) -> float | None:
    """Power provisioned for some nodes and what stands beside them; None when unknown. [W]"""
    watts = beside_w
    for group, nodes in zip(groups, held, strict=True):
        if nodes and group.power_w is None:
            return None
        watts += nodes * (group.power_w or 0.0)
    return watts


def _fullness(fill: RackFill) -> tuple[float, int]:
    """An unknown rack comes first, since it may be the fullest."""
    return (float("inf") if fill.power_w is None else fill.power_w), sum(fill.nodes_count)


def _most(groups: list[RackGroup], beside_w: float, limit_w: float) -> int:
    """Nodes that a rack can feed, whichever they are."""
    heaviest_w = max((group.power_w or 0.0 for group in groups if group.count), default=0.0)
    return int((limit_w - beside_w) / heaviest_w) if heaviest_w > 0 and beside_w < limit_w else 0


def _sentence(fullest: RackFill, limit_w: float, most: int) -> str:
    """What fills a rack first: its places, or the power that it may draw."""
    if fullest.power_w is None:
        return "The constraint of a rack is unknown: the power of a node is not given."
    nodes, slots = sum(fullest.nodes_count), fullest.slots_count
    draw, limit = _kw(fullest.power_w), _kw(limit_w)
    if fullest.power_w > limit_w:
        fix = f"Put at most {most} in a rack" if most else "No node fits: choose another rack"
        return (
            f"A rack of {counted(nodes, 'node')} would draw {draw}, and is built for {limit}. "
            f"{fix}, or enter what the rack can feed."
        )
    if fullest.power_w / limit_w > nodes / slots:
        return f"Power is the constraint: {percent(fullest.power_w / limit_w)} of {limit} a rack."
    places = f"{nodes} of {slots} places of the fullest rack"
    return f"Space is the constraint: {places}, {draw} of {limit}."


def _kw(power_w: float) -> str:
    return f"{three_digits(power_w / WATTS_PER_KW)} kW"
