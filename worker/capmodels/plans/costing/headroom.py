"""What is left over at the peak: of nodes when they are fullest, of what is rented."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from capmodels.amounts import as_number
from capmodels.plans.comparison import Spare, Tightest
from capmodels.plans.costing.array_cost import array_needs
from capmodels.plans.costing.array_size import unit_of, units_count
from capmodels.plans.costing.cloud_cost import block_overhead_ratio
from capmodels.plans.costing.cloud_rent import machines_at
from capmodels.plans.costing.sizing import compute_needs, needs_at
from capmodels.plans.document.baseline import Baseline
from capmodels.units import MB_PER_S_PER_GBIT_PER_S

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.amounts import Amount
    from capmodels.plans.costing.array_cost import ArrayPlan
    from capmodels.plans.costing.cloud_cost import CloudCase
    from capmodels.plans.costing.designs import Costed
    from capmodels.plans.costing.group_plan import GroupPlan
    from capmodels.plans.costing.scene import Scene

# What is left of a resource is read off these needs.
SPARE_OF = {
    **{name: name for name in ("cores", "ram", "disk", "iops", "throughput", "gpu")},
    "queries": "cores",
    "batch": "cores",
}


@dataclass(frozen=True, slots=True)
class Filled:
    """Units of a group that each resource needs in a month, those there beside spares, limits.

    A limit is the share of a unit that may be in use; what has none is no share. ``at`` is the
    interval of the month; ``beside`` are needs that do not size the group. A unit that is shown
    is one of ``per_unit`` of those; ``plan`` is whose of what is owned.
    """

    name: str
    at: int
    month: int
    needs: dict[str, float]
    there: float
    limits: dict[str, float]
    beside: dict[str, float] = field(default_factory=dict)
    unit: str = "nodes"
    per_unit: float = 1.0
    plan: GroupPlan | ArrayPlan | None = None

    @property
    def share(self) -> float:
        """What is needed over what is there, of the resource that needs most; 1 at the limit."""
        return max(self.needs.values(), default=0.0) / (self.there or 1.0)

    def tightest(self) -> Iterator[tuple[str, Tightest]]:
        """What is needed and there of every resource, by its name."""
        for name, need in ({**self.needs, **self.beside}).items():
            if name in SPARE_OF and self.there > 0:
                yield (
                    SPARE_OF[name],
                    Tightest(
                        group=self.name,
                        month=self.month,
                        needed=need * self.per_unit,
                        limit_fraction=self.limits.get(name, 1.0),
                        there=self.there * self.per_unit,
                        unit=self.unit,
                    ),
                )


def limits_of(scene: Scene) -> dict[str, float]:
    """The share of each resource that may be in use at the peak that a design is sized for."""
    headroom = scene.work.headroom
    return {
        "cores": as_number(headroom.cores_target_fraction),
        "ram": 1.0 / (1.0 + as_number(headroom.ram_headroom_fraction)),
        "disk": as_number(headroom.disk_fill_fraction),
        "iops": as_number(headroom.io_target_fraction),
        "throughput": as_number(headroom.io_target_fraction),
        "gpu": as_number(headroom.gpu_target_fraction),
    }


def filled_of(item: Costed, scene: Scene) -> list[Filled]:
    """How full the groups of what is owned are in each month in which a need may be largest.

    The last interval first, and of each the group of most nodes. Of a hybrid by what its own
    nodes are there for; without nodes, the arrays.
    """
    if item.owned is None:
        return []
    plans = sorted(item.owned.plans, key=lambda plan: as_number(-plan.counts[-1]))
    moments = [
        (at, month)
        for at in reversed(range(len(scene.intervals)))
        for month in scene.edges(scene.intervals[at])
    ]
    if not plans:
        arrays = item.owned.arrays
        return [_arrays(plan, scene, *when) for when in moments for plan in arrays]
    split = item.rented is not None
    return [_nodes(plan, scene, *when, split=split) for when in moments for plan in plans]


def _nodes(plan: GroupPlan, scene: Scene, at: int, month: int, *, split: bool) -> Filled:
    group, limits = plan.group, limits_of(scene)
    if group.fill is not None and group.fill.target_utilization_fraction is not None:
        limits["cores"] = as_number(group.fill.target_utilization_fraction)
    if group.role == "service":
        limits = {"disk": limits["disk"]}
    needs = plan.required[at] if split else needs_at(group, scene, month, None)
    beside = {}
    if "hosts" in needs:
        # Consolidation says how many; how full their cores are is known all the same.
        bare = group.model_copy(update={"fill": None})
        factor = scene.work.availability.site_factor * group.share_fraction
        cores = compute_needs(bare, scene, month, scene.p99_ratio)["cores"]
        beside["cores"] = as_number(cores) * factor
    return Filled(
        name=group.name,
        at=at,
        month=month,
        needs={name: as_number(need) for name, need in needs.items()},
        there=as_number(plan.usable(at)),
        limits=limits,
        beside=beside,
        plan=plan,
    )


def _arrays(plan: ArrayPlan, scene: Scene, at: int, month: int) -> Filled:
    there, unit = as_number(plan.counts[at]), unit_of(plan.array)
    needs = array_needs(plan, scene, month, there) if there > 0 else plan.required[at]
    limits, code = limits_of(scene), plan.array.code
    if code is not None:
        limits["disk"] = min(limits["disk"], as_number(code.fill_fraction))
    return Filled(
        name=plan.name,
        at=at,
        month=month,
        needs={name: as_number(need) for name, need in needs.items()},
        there=there,
        limits=limits,
        unit=f"{unit.name}s",
        per_unit=as_number(units_count(plan.array, there)) / there if there > 0 else 1.0,
        plan=plan,
    )


def spare_of(item: Costed, scene: Scene) -> Spare:
    """What is left when it is tightest, as a share of what is there beside spares."""
    if scene.demand is None or item.design is None or isinstance(item.design, Baseline):
        return Spare()
    if item.rented is None:
        return _spare([one for filled in filled_of(item, scene) for one in filled.tightest()])
    return Spare() if item.owned is not None else _spare(list(_rented(item.rented, scene)))


def _spare(found: list[tuple[str, Tightest]]) -> Spare:
    """What is left of each resource of the group that is nearest to its limit, when it is."""
    least: dict[str, Tightest] = {}
    for name, one in found:
        if name not in least or one.needed / one.there > least[name].needed / least[name].there:
            least[name] = one
    left = {f"{name}_fraction": 1.0 - one.used_fraction for name, one in least.items()}
    return Spare(**left, tightest=least)


def _rented(case: CloudCase, scene: Scene) -> Iterator[tuple[str, Tightest]]:
    """What whole instances leave at the peak: rented capacity follows the load."""

    def told(name: str, used: Amount, there: Amount, unit: str) -> Iterator[tuple[str, Tightest]]:
        if (whole := as_number(there)) > 0:
            yield (
                name,
                Tightest(month=month, needed=as_number(used), there=whole, unit=unit),
            )

    timeline, headroom = scene.timeline, scene.work.headroom
    peak, month = scene.p99_ratio, scene.months
    plain = [mix.item for mix in case.mixes if mix.item.gpus_count <= 0]
    if scene.work.gpu_peak_count > 0 and len(plain) < len(case.mixes):
        gpus = timeline.gpus_peak.at(month)
        yield from told("gpu", gpus, gpus / headroom.gpu_target_fraction, "GPUs")
    if not plain:
        return
    counts = [machines_at(item, scene, month, peak) for item in plain]
    cores = sum(
        count * item.vcpu_count * item.perf_per_vcpu_ratio
        for count, item in zip(counts, plain, strict=True)
    )
    yield from told("cores", timeline.cores.at(month) * peak, cores, "cores")
    fixed = scene.work.ram_fixed_fraction
    ram_peak = timeline.ram_gib.at(month) * (fixed + (1.0 - fixed) * peak)
    ram_gib = sum(count * item.ram_gib for count, item in zip(counts, plain, strict=True))
    yield from told("ram", ram_peak, ram_gib, "GiB")
    if scene.work.block_tb > 0:
        stored = timeline.block_tb.at(month)
        yield from told("disk", stored, stored * block_overhead_ratio(case), "TB")
    storage, full = case.cloud.storage, headroom.io_target_fraction
    for name, asked, included, price, unit in (
        (
            "iops",
            timeline.io_per_s.at(month),
            storage.io_included_per_s,
            storage.usd_per_iops_month,
            "1/s",
        ),
        (
            "throughput",
            timeline.throughput_mb_per_s.at(month),
            storage.throughput_included_mb_per_s,
            storage.usd_per_mb_per_s_month,
            "MB/s",
        ),
    ):
        rate = as_number(asked)
        # Nothing is known of it where nothing is asked, or no limit is entered.
        if rate and (price > 0 or included):
            yield from told(name, rate, max(rate / full, included) if price > 0 else included, unit)
    traffic_tb = timeline.traffic_tb.at(month)
    if traffic_tb and all(item.network_gbit_per_s is not None for item in plain):
        moved = traffic_tb * scene.mb_per_s_per_tb_month * peak
        for count, item in zip(counts, plain, strict=True):
            there = count * (item.network_gbit_per_s or 0.0) * MB_PER_S_PER_GBIT_PER_S
            yield from told("throughput", moved * item.share_fraction, there, "MB/s")
