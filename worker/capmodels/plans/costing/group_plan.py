"""A group of nodes over the years."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capmodels.plans.document.hardware import NodeGroup


@dataclass(slots=True)
class GroupPlan:
    """A group over the years: nodes in place, and what each resource alone would need."""

    group: NodeGroup
    counts: list[float]
    required: list[dict[str, float]]
    spare_nodes_count: int
    # Of the node groups of its design.
    place: int = 0

    def carries(self, year: int) -> bool:
        """Whether the nodes in place, less the spare ones, meet every need of a year."""
        needs = self.required[year].values()
        usable = self.counts[year] - self.spare_nodes_count
        return all(need <= usable + 1e-9 for need in needs)
