"""How a design carries the load: sizes by year, what binds, what is left over."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from capmodels.amounts import as_number, fsum
from capmodels.numbers import counted
from capmodels.plans.comparison import Binding, Remark
from capmodels.plans.costing.array_cost import ArrayPlan
from capmodels.plans.costing.array_figures import array_shortfall
from capmodels.plans.costing.array_size import arrays_count, unit_of, units_count
from capmodels.plans.costing.cloud_rent import need_at
from capmodels.plans.costing.headroom import Filled, filled_of, limits_of
from capmodels.plans.costing.service_load import too_slow
from capmodels.plans.costing.serving import unserved
from capmodels.plans.costing.sizing import LABELS, RESOURCES, binding_of
from capmodels.plans.costing.tokens import unpriced
from capmodels.plans.costing.use_cost import equivalent_count, use_of
from capmodels.plans.document.baseline import Baseline
from capmodels.plans.document.hybrid import Hybrid
from capmodels.plans.document.workload import UtilizationWorkload
from capmodels.plans.words import tenths, three_digits
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capmodels.amounts import Amount
    from capmodels.plans.costing.cloud_cost import CloudCase
    from capmodels.plans.costing.designs import Costed
    from capmodels.plans.costing.group_plan import GroupPlan
    from capmodels.plans.costing.owned_cost import OwnedCase
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.workload import DemandWorkload
    from capmodels.series import Series
    from capmodels.spec import JSONDict

STORED_TB = ("block_tb", "object_tb", "archive_tb")
# What carries each demand, and what is missing where nothing does.
CARRIED_BY = {
    "block_tb": ({"block", "compute_and_block"}, "No disks for {:,g} TB of block storage"),
    "object_tb": ({"object"}, "No disks for {:,g} TB of object storage"),
    "archive_tb": ({"archive"}, "No disks for {:,g} TB of archive"),
    "gpu_peak_count": ({"gpu"}, "No nodes for {:,g} GPUs"),
    "busy_cores_count": ({"compute", "compute_and_block"}, "No nodes for {:,g} busy cores"),
}


def sizing_of(item: Costed, scene: Scene) -> list[JSONDict]:
    """Count of every group at the end of every year; rented ones on average."""
    years = []
    for year in range(scene.years):
        groups: list[JSONDict] = []
        if item.owned is not None:
            at = scene.year_end(year)
            groups += [_owned_group(plan, at) for plan in item.owned.plans]
            groups += [_arrays(arrays, at) for arrays in item.owned.arrays]
        if item.rented is not None:
            groups += _rented_groups(item.rented, scene, year)
        if isinstance(item.design, Baseline):
            groups += _baseline_groups(item.design)
        years.append({"year": year + 1, "groups": groups})
    return years


def _sized(**facts: Any) -> JSONDict:
    """A group in one year, in the shape of ``comparison.SizedGroup``."""
    return facts


def _owned_group(plan: GroupPlan, at: int) -> JSONDict:
    required = plan.required[at]
    return _sized(
        name=plan.group.name,
        count=plan.counts[at],
        binding=binding_of(required),
        required=required,
        spare_nodes_count=plan.spare_nodes_count,
    )


def _arrays(plan: ArrayPlan, at: int) -> JSONDict:
    required, unit = plan.required[at], unit_of(plan.array)
    return _sized(
        name=plan.name,
        count=units_count(plan.array, plan.counts[at]),
        unit=unit.name,
        usable_tb=plan.counts[at] * plan.array.usable_tb,
        binding=binding_of(required),
        required={name: need * unit.per_array for name, need in required.items()},
    )


def _rented_groups(case: CloudCase, scene: Scene, year: int) -> list[JSONDict]:
    if scene.demand is None:
        return _by_use_groups(case, scene)
    first = year * MONTHS_PER_YEAR
    last = first + scene.months_of(year)

    def mean(series: Series) -> float:
        return as_number(scene.form.mean(series, first, last))

    groups = []
    for mix in case.mixes:
        need = need_at(mix.item, case.scene, 0.5 * (first + last))
        required = {"cores": need.cores, "ram": need.base + need.ram}
        if need.network:
            required["throughput"] = need.network
        if mix.item.gpus_count > 0:
            required = {"gpu": need.base * need.running}
        groups.append(
            _sized(
                name=mix.item.name,
                count=mean(mix.committed) + mean(mix.on_demand),
                committed_count=mean(mix.committed),
                binding=binding_of(required),
                required=required,
            )
        )
    return groups


def _by_use_groups(case: CloudCase, scene: Scene) -> list[JSONDict]:
    work = scene.study.workload
    if not isinstance(work, UtilizationWorkload):
        raise TypeError
    return [
        _sized(
            name=item.name if item.replaces is None else f"{item.name} for {item.replaces}",
            count=sum(
                equivalent_count(item, machines) * item.share_fraction * use_of(machines, work)
                for machines in work.machines
                if item.replaces in {None, machines.name}
            ),
            binding="none",
            required={},
        )
        for item in case.cloud.instances
    ]


def _baseline_groups(baseline: Baseline) -> list[JSONDict]:
    return [
        _sized(name=line.type, count=line.count, binding="none", required={})
        for line in baseline.lines
    ]


Lack = tuple[str, str]
"""A sentence, and the field below the design that it is about."""


def shortfall(item: Costed, scene: Scene) -> Remark | None:
    """Why a design does not meet demand, or None when it does."""
    work, at, lack = scene.demand, f"/designs/{item.owned_letter}", None
    if isinstance(item.design, Baseline):
        at, lack = "/baseline", _baseline_lack(item.design, work)
    elif work is None:
        return None
    else:
        at, lack = _lack(item)
    return None if lack is None else Remark(sentence=lack[0], pointer=at + lack[1])


def _lack(item: Costed) -> tuple[str, Lack | None]:
    """What the owned side lacks for the demand that lives there, else the rented one."""
    if item.owned is not None:
        lack = _owned_lack(item, item.owned, item.owned.scene)
        if lack is not None or item.rented is None:
            return f"/designs/{item.owned_letter}", lack
    if item.rented is None:
        return "", None
    place = item.design.placement.rented if isinstance(item.design, Hybrid) else None
    return f"/designs/{item.rented_letter}", _rented_lack(item.rented, place)


def outgrown(baseline: Baseline, work: DemandWorkload | None) -> Any:
    """Whether the work grows out of what stays as it is; for each draw or row of growth."""
    if baseline.kind != "do_nothing" or work is None:
        return False
    grows: Any = False
    for name in _GROWTHS:
        grows = grows | (getattr(work.growth, name) > 0)
    return grows


def _baseline_lack(baseline: Baseline, work: DemandWorkload | None) -> Lack | None:
    if outgrown(baseline, work):
        return "What runs today stays as it is, and meets none of the growth.", "/kind"
    return None


def _rented_lack(case: CloudCase, living: frozenset[str] | None) -> Lack | None:
    """What a rented design lacks: for all demand, or for the kinds that live there."""
    work = case.scene.work
    if living is None and work.service is not None:
        return "A service is sized on owned nodes only.", "/instances"
    with_gpus = [part.gpus_count > 0 for part in case.cloud.instances]
    by_api = bool(work.streams and not work.trainings and case.cloud.token_prices)
    if by_api and (why := unpriced(work, case.cloud.token_prices)) is not None:
        return why, "/token_prices"
    if work.gpu_peak_count > 0 and not any(with_gpus) and not by_api:
        return f"No instances with GPUs for {work.gpu_peak_count:,g} GPUs.", "/instances"
    for place, part in enumerate(case.cloud.instances):
        if (
            part.gpus_count > 0
            and (why := unserved(work.of_models, part.gpu, part.gpus_count)) is not None
        ):
            return why, f"/instances/{place}/gpu"
    if all(with_gpus) and (living is None or "compute" in living):
        return f"No instances for {work.busy_cores_count:,g} busy cores and RAM.", "/instances"
    return None


# Below it one decimal says nothing.
_TENTH = 0.1
_GROWTHS = (
    "cores_fraction_per_year",
    "ram_fraction_per_year",
    "block_fraction_per_year",
    "object_fraction_per_year",
    "archive_fraction_per_year",
    "gpus_fraction_per_year",
)


def _owned_lack(item: Costed, case: OwnedCase, scene: Scene) -> Lack | None:
    """What an owned design lacks first: a carrier of a demand, arrays, a service, nodes.

    It lacks none of the kinds that are rented beyond its nodes.
    """
    if (missing := _without_carrier(case, scene)) is not None:
        return missing
    for arrays in case.arrays:
        if (short := array_shortfall(arrays, scene)) is not None:
            return short, f"{arrays.path}/count"
    if (lacking := _unserved(case, scene)) is not None:
        return lacking, "/node_groups"
    for plan in case.plans:
        group = plan.group
        if group.role == "gpu":
            why = unserved(scene.work.of_models, group.gpu, group.gpus_per_node_count)
            if why is not None:
                return why, f"/node_groups/{plan.place}/gpu"
    for plan in case.plans:
        for at, interval in enumerate(scene.intervals):
            awaits = interval.first < case.delivered_month
            rented = item.rented_before if awaits else item.rented_beyond
            if needs := plan.lacking(at, rented):
                sentence = _too_few(plan, at, needs, interval.year + 1)
                return sentence, f"/node_groups/{plan.place}/count"
    return None


def _without_carrier(case: OwnedCase, scene: Scene) -> Lack | None:
    held = {f"{kind}_tb" for arrays in case.arrays for kind in arrays.array.kinds}
    roles = {plan.group.role for plan in case.plans}
    for need, (carriers, lack) in CARRIED_BY.items():
        amount = getattr(scene.work, need)
        if amount > 0 and not roles & carriers and need not in held:
            told = f"{lack.format(amount)}: assign a group of nodes to it."
            at = "/node_groups" if roles else "/array"
            return (told if roles else f"{lack.format(amount)}."), at
    return None


def _too_few(plan: GroupPlan, at: int, lacking: dict[str, Amount], year: int) -> str:
    binding = binding_of(lacking)
    resource, there = LABELS[binding], as_number(plan.usable_for(binding, at))
    most = max(map(as_number, lacking.values()))
    beside = " beside its spares" if plan.spare_nodes_count else ""
    return (
        f"The group {plan.group.name} needs {counted(as_number(most), 'node')} for {resource} "
        f"in year {year} and has {there:.0f}{beside}."
    )


def _unserved(case: OwnedCase, scene: Scene) -> str | None:
    """Why the nodes do not carry the workload's service; None when they do."""
    if scene.work.service is None:
        return None
    groups = [group for group in case.owned.node_groups if group.role == "service"]
    if not groups:
        return "No group of nodes serves the workload's service."
    return next((slow for group in groups if (slow := too_slow(group, scene)) is not None), None)


def binding_of_design(item: Costed, scene: Scene) -> Binding:
    """The resource that is nearest to its own limit, when it is nearest."""
    if scene.demand is None or isinstance(item.design, Baseline):
        return Binding(resource="none", label="given", detail="Sized as entered.")
    if filled := filled_of(item, scene):
        nearest = max(filled, key=lambda one: one.share)
        together = [one for one in filled if (one.at, one.month) == (nearest.at, nearest.month)]
        detail = " ".join(_in_words(one, scene) for one in together)
        return _bound(nearest, detail, is_one=len(together) == 1)
    year = scene.years - 1
    groups = [] if item.rented is None else _at_peak(item.rented, scene, year)
    if not groups:
        return Binding(resource="none", label="given", detail="Nothing in it is sized.")
    nearest = max(groups, key=lambda sized: sized.share)
    detail = " ".join(
        f"{sized.name} at peak in year {year + 1}; instances needed: "
        f"{_needs_in_words(sized.needs) or 'none'}."
        for sized in groups
    )
    full = replace(nearest, there=max(nearest.needs.values(), default=0.0))
    return _bound(full, detail, is_one=len(groups) == 1)


def _bound(nearest: Filled, detail: str, *, is_one: bool) -> Binding:
    """The resource nearest to its own limit: what it needs over what is there is largest."""
    resource = binding_of(dict(nearest.needs))
    limit = nearest.limits.get(resource)
    used = None if limit is None or not nearest.there else limit * nearest.share
    return Binding(
        resource=resource,
        label=LABELS[resource],
        detail=detail,
        used_fraction=used,
        limit_fraction=None if used is None else limit,
        group=None if is_one else nearest.name,
        month=nearest.month,
    )


def _at_peak(case: CloudCase, scene: Scene, year: int) -> list[Filled]:
    """Instances that each resource needs at the peak of a year's end."""
    month, peak = min((year + 1) * MONTHS_PER_YEAR, scene.months), as_number(scene.p99_ratio)
    groups = []
    for mix in case.mixes:
        need = need_at(mix.item, case.scene, month)
        needs = {"cores": need.cores * peak, "ram": need.base + need.ram * peak}
        if need.network:
            needs["throughput"] = need.network * peak
        if mix.item.gpus_count > 0:
            needs = {"gpu": need.base}
        known = {name: as_number(amount) for name, amount in needs.items()}
        groups.append(Filled(mix.item.name, year, month, known, 0.0, limits_of(scene)))
    return groups


def _needs_in_words(required: Mapping[str, Amount]) -> str:
    needs = ((name, as_number(required.get(name, 0.0))) for name in RESOURCES)
    return ", ".join(
        f"{tenths(need) if need >= _TENTH else three_digits(need)} for {LABELS[name]}"
        for name, need in needs
        if need > 0
    )


def _in_words(filled: Filled, scene: Scene) -> str:
    """How many of a group there are, and what each resource alone would need of it."""
    unit, plan = filled.unit.removesuffix("s"), filled.plan
    needs = {name: need * filled.per_unit for name, need in filled.needs.items()}
    needed = f"needed: {_needs_in_words(needs) or 'none'}."
    there, when = filled.there * filled.per_unit, scene.intervals[filled.at].name
    if isinstance(plan, ArrayPlan):
        tier = "" if plan.tier is None else f"{plan.tier.name}: "
        where = f"of {counted(plan.array.disks_count // unit_of(plan.array).per_array, 'drive')}"
        if unit == "drive":
            where = f"in {counted(arrays_count(plan.array, filled.there), 'array')}"
        return f"{tier}{counted(there, unit)} {where} in {when}; {unit}s {needed}"
    spare = 0 if plan is None else plan.spare_nodes_count
    beside = f", {spare} of them spare" if spare else ""
    return f"{filled.name}: {counted(there + spare, unit)} in {when}{beside}; {needed}"


def owned_storage_tb(item: Costed, scene: Scene, at: int) -> float | None:
    """What the drives of storing nodes hold in an interval; None without any. [TB]

    Copies are taken off and spare nodes left out; as of arrays, it may not all be filled.
    """
    if item.owned is None or scene.demand is None:
        return None
    stores = frozenset().union(*(CARRIED_BY[one][0] for one in STORED_TB))
    held = [
        as_number(plan.usable(at))
        * (drives.per_node_count * drives.capacity_tb / drives.copies_count)
        for plan in item.owned.plans
        if plan.group.role in stores and (drives := plan.group.drives) is not None
    ]
    return fsum(held) if held else None
