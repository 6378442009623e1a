"""Who bears a design's cost: teams, accounts or tags by their shares, by cost.showback."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import as_number, fsum
from capmodels.cost.showback import SPEC as SHOWBACK
from capmodels.cost.showback import Project, ShowbackParams
from capmodels.plans.costing.owned_cost import node_price_usd
from capmodels.plans.place_figures import TeamCost
from capmodels.spec import Context

if TYPE_CHECKING:
    from capmodels.plans.comparison import CauseAmount, DesignResult
    from capmodels.plans.costing.designs import Costed
    from capmodels.plans.costing.group_plan import GroupPlan
    from capmodels.plans.costing.owned_cost import OwnedCase
    from capmodels.plans.costing.scene import Scene

NOT_ASSIGNED = "Not assigned"
# The cause of a rented design that is of what it stores, requests to it included.
STORED = "storage"
STORING = frozenset({"block", "object", "archive"})
OF_ARRAYS = frozenset({"drives", "enclosures"})


def owned_storage_fraction(item: Costed, scene: Scene) -> float | None:
    """Share of the price of what is owned that is storage: its other costs follow it.

    Nodes whose role is storage count whole, other nodes with their drives, and arrays.
    """
    case = item.owned
    if case is None:
        return None
    arrays = fsum(batch.paid_usd for batch in case.batches if batch.cause in OF_ARRAYS)
    nodes = fsum(batch.paid_usd for batch in case.batches if batch.cause not in OF_ARRAYS)
    paid = arrays + nodes
    if paid <= 0:
        return 0.0
    return (arrays + nodes * _of_nodes(case, scene)) / paid


def _of_nodes(case: OwnedCase, scene: Scene) -> float:
    """Share of the price of all nodes at the end that is storage."""
    prices = [(plan, plan.counts[-1] * node_price_usd(plan.group, scene, 0)) for plan in case.plans]
    whole = fsum(price for _, price in prices)
    if whole <= 0:
        return 0.0
    return fsum(price * _stored(plan, scene) for plan, price in prices) / whole


def _stored(plan: GroupPlan, scene: Scene) -> float:
    group = plan.group
    price = as_number(node_price_usd(group, scene, 0))
    if group.role in STORING:
        return 1.0
    drives = group.drives
    if drives is None or price <= 0:
        return 0.0
    return drives.per_node_count * drives.unit_price_usd / price


def team_costs(column: DesignResult, scene: Scene) -> tuple[TeamCost, ...]:
    """Shares of what the verdict goes by; what no team uses stands last, not assigned."""
    computed, stored = _sides_usd(column)
    if computed < 0 or stored < 0:
        return ()
    teams = scene.study.workload.teams
    # Shares of one core-hour and one TB-month: cost.showback divides by what is offered.
    found = SHOWBACK.run(
        ShowbackParams(
            compute_usd=computed,
            storage_usd=stored,
            projects=tuple(
                Project(
                    title=team.name,
                    used_core_h=team.compute_fraction,
                    stored_tb_months=team.storage_fraction,
                )
                for team in teams
            ),
            capacity_core_h=1.0,
            capacity_tb_months=1.0,
        ),
        Context(),
    )
    costs = [
        TeamCost(
            name=item.title,
            compute_usd=item.compute_usd,
            storage_usd=item.storage_usd,
            total_usd=item.total_usd,
            share_fraction=item.share_fraction,
        )
        for item in found.projects
    ]
    rest = found.unused_compute_usd + found.unused_storage_usd
    costs.append(
        TeamCost(
            name=NOT_ASSIGNED,
            compute_usd=found.unused_compute_usd,
            storage_usd=found.unused_storage_usd,
            total_usd=rest,
            share_fraction=rest / found.total_usd if found.total_usd else 0.0,
        )
    )
    return tuple(costs)


def _sides_usd(column: DesignResult) -> tuple[float, float]:
    """What computing and storage cost, of what the verdict goes by. [USD]"""
    owned = column.owned_storage_fraction or 0.0

    def stored(cause: CauseAmount) -> float:
        return owned if cause.side == "owned" else float(cause.cause == STORED)

    causes = column.causes
    return (
        fsum(cause.ranked_usd * (1.0 - stored(cause)) for cause in causes),
        fsum(cause.ranked_usd * stored(cause) for cause in causes),
    )
