"""Whether what was bought in time meets the demand that came.

Nodes are sized with headroom. A trial's demand may use that up: what is in place is short only
where it would be more than full in the 99th percentile of the hours. What a design may rent is
never short: see ``shortfall_rent``.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from capmodels.amounts import is_above, is_zero, maximum
from capmodels.plans.costing.array_cost import array_needs
from capmodels.plans.costing.group_plan import kind_of
from capmodels.plans.costing.sizing import needs_at, node_rates

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.amounts import Amount
    from capmodels.plans.costing.group_plan import GroupPlan
    from capmodels.plans.costing.owned_cost import OwnedCase
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.costing.sizing import NodeLines
    from capmodels.plans.document.hardware import NodeGroup
    from capmodels.plans.document.workload import Headroom

QUARTER_MONTHS = 3
COMPUTING = frozenset({"compute", "compute_and_block"})


def full_ratios(headroom: Headroom) -> dict[str, Amount]:
    """Nodes that a resource takes when full, over those that it is sized to."""
    return {
        "cores": headroom.cores_target_fraction,
        "ram": 1.0 / (1.0 + headroom.ram_headroom_fraction),
        "disk": headroom.disk_fill_fraction,
        "iops": headroom.io_target_fraction,
        "throughput": headroom.io_target_fraction,
        "gpu": headroom.gpu_target_fraction,
    }


@dataclass(slots=True)
class Short:
    """Of an interval: 1 in the trials whose demand in it is above what is there, else 0."""

    in_busy_hours: Amount = 0.0  # of compute, which the hours differ in
    always: Amount = 0.0  # of data, requests, GPUs

    @property
    def at_all(self) -> Amount:
        """1 where either is short."""
        return maximum(self.in_busy_hours, self.always)

    def see(self, kind: str, lacking: Amount) -> None:
        """Take in how many nodes or arrays are lacking."""
        over = is_above(lacking, 1e-6)
        if kind == "compute":
            self.in_busy_hours = maximum(self.in_busy_hours, over)
        else:
            self.always = maximum(self.always, over)


def short_intervals(case: OwnedCase, rented: frozenset[str] = frozenset()) -> list[Short]:
    """What is short in each interval, but for the kinds of demand that are rented then."""
    scene = case.scene
    if scene.demand is None:
        return []
    found: list[Short] = []
    for at in range(len(scene.intervals)):
        short = Short()
        for kind, lacking in _lacking(case, at):
            if kind not in rented:
                short.see(kind, lacking)
        found.append(short)
    return found


def _lacking(case: OwnedCase, at: int) -> Iterator[tuple[str, Amount]]:
    """Nodes and arrays that are lacking on the worst days of an interval, by what for.

    Negative: left.
    """
    scene = case.scene
    full = full_ratios(scene.work.headroom)
    for month in scene.edges(scene.intervals[at]):
        for plan in case.plans:
            for name, need in needs_at(plan.group, scene, month, None).items():
                lacking = need * full.get(name, 1.0) - plan.usable_for(name, at)
                yield kind_of(plan.group.role, name), lacking
        for arrays in case.arrays:
            for name, need in array_needs(arrays, scene, month, arrays.counts[at]).items():
                for kind in arrays.array.kinds:
                    yield kind, need * full.get(name, 1.0) - arrays.counts[at]


def unmet_h_per_year(case: OwnedCase, short: list[Short]) -> Amount:
    """Hours a year in which the cores or the RAM in place are not enough. [h/yr]

    Where something that the hours do not change is short, data for its disks, all of them.
    """
    scene = case.scene
    hours: Amount = 0.0
    for at, found in enumerate(short):
        if is_zero(found.at_all):
            continue
        share = found.always
        if not is_zero(found.in_busy_hours):
            share = maximum(share, found.in_busy_hours * _share_above(case, at))
        hours = hours + share * scene.assumptions.hours_per_year
    return hours / max(len(short), 1)


def _share_above(case: OwnedCase, at: int) -> Amount:
    """Share of the hours above what the nodes carry when full, in the parts of an interval.

    Its parts are quarters of a year, or itself where it is shorter, each as it is when it is
    busier: at its end, or at its start where the work shrinks.
    """
    scene = case.scene
    total: Amount = 0.0
    plans = [plan for plan in case.plans if plan.group.role in COMPUTING]
    if not plans:
        return 1.0
    full = full_ratios(scene.work.headroom)
    interval, parts = scene.intervals[at], max(scene.order_months // QUARTER_MONTHS, 1)
    for part in range(1, parts + 1):
        share: Amount = 0.0
        for plan, side in product(plans, range(1 + scene.shrinks)):
            month = interval.first + (part - side) / parts * interval.months
            ratio = carried((plan, at), scene, month, (full["cores"], full["ram"]))
            share = maximum(share, scene.curves.load.share_above(ratio))
        total = total + share / parts
    return total


def carried(
    counts: tuple[GroupPlan, int],
    scene: Scene,
    month: float,
    full: tuple[Amount, Amount],
    is_shared: bool = False,
) -> Amount:
    """Ratio of demand to its mean that the nodes of an interval carry, some months after the start.

    ``full`` is what cores and RAM take when full, over those that nodes are sized to; ``is_shared``
    says that applications may run elsewhere, too.
    """
    plan, at = counts
    lines = lines_when_full(plan.group, scene, month, full)
    sites = scene.work.availability.site_factor
    there = plan.usable_for("cores", at) / sites, plan.usable_for("ram", at) / sites
    return lines.ratio_shared(*there) if is_shared else lines.ratio_carried(*there)


def lines_when_full(
    group: NodeGroup, scene: Scene, month: float, full: tuple[Amount, Amount]
) -> NodeLines:
    """Full nodes of one site that a group's work needs, over the ratio of demand to its mean."""
    (cores, ram), part, timeline = full, group.share_fraction, scene.timeline
    return node_rates(group, scene).lines(
        timeline.cores.at(month) * part * cores,
        timeline.ram_gib.at(month) * part * ram,
        timeline.traffic_tb.at(month) * part,
    )
