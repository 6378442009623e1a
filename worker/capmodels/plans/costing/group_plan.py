"""A group of nodes over the intervals between orders, and what is bought together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.amounts import as_number, ceil

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.document.hardware import Equipment, NodeGroup


@dataclass(slots=True)
class GroupPlan:
    """A group by interval: nodes in place, and what each resource alone would need."""

    group: NodeGroup
    counts: list[Amount]
    required: list[dict[str, Amount]]
    spare_nodes_count: int
    # Of the node groups of its design.
    place: int = 0
    # Nodes that come in each month, where a plan says so; they go after their time.
    arrivals: dict[int, int] | None = None

    def carries(self, at: int) -> bool:
        """Whether the nodes in place, less the spare ones, meet every need of an interval."""
        needs = map(as_number, self.required[at].values())
        usable = as_number(self.counts[at]) - self.spare_nodes_count
        return all(need <= usable + 1e-9 for need in needs)


@dataclass(slots=True)
class Batch:
    """Hardware bought together: when, for how much, and when it goes."""

    month: int
    paid_usd: Amount
    gone_month: int
    cause: str = "hardware"
    part: str = ""  # of arrays: where they stand in the design


def equipment_count(item: Equipment, plans: list[GroupPlan], at: int) -> Amount:
    """How many there are of what stands beside the nodes of an interval."""
    if item.per_nodes_count is None:
        return item.count
    nodes: Amount = 0.0
    for plan in plans:
        if item.group in {None, plan.group.name}:
            nodes = nodes + plan.counts[at]
    return item.count * ceil(nodes / item.per_nodes_count)
