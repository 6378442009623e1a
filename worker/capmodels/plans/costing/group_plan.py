"""A group of nodes over the intervals between orders, and what is bought together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.amounts import as_number, at_least, ceil

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.document.hardware import Equipment, NodeGroup


# Nodes that the last bits of a sum make.
_SLACK = 1e-9


def kind_of(role: str, name: str) -> str:
    """Kind of demand that a resource of a group of nodes is there for."""
    if name == "gpu":
        return "gpus"
    stored = {"disk", "iops"} if role == "compute_and_block" else {"disk", "iops", "throughput"}
    if role == "service":
        return role
    if name in stored and role != "compute":
        return "block" if role == "compute_and_block" else role
    return "compute"


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
    # Nodes of an interval that machines of today, which a plan keeps, have the cores and RAM of.
    kept: list[tuple[Amount, Amount]] | None = None

    def usable(self, at: int) -> Amount:
        """Return the nodes in place in an interval less the spare ones; none before they come."""
        return at_least(self.counts[at] - self.spare_nodes_count, 0.0)

    def usable_for(self, name: str, at: int) -> Amount:
        """Return the same for a resource: machines that are kept carry cores and RAM alone."""
        if self.kept is None or kind_of(self.group.role, name) != "compute":
            return self.usable(at)
        return self.usable(at) + self.kept[at][name == "ram"]

    def lacking(self, at: int, rented: frozenset[str]) -> dict[str, Amount]:
        """Return the needs of an interval that its nodes do not meet, but for kinds rented then."""
        return {
            name: need
            for name, need in self.required[at].items()
            if as_number(need) > as_number(self.usable_for(name, at)) + _SLACK
            and kind_of(self.group.role, name) not in rented
        }


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
