"""How a design carries the load: sizes by year, what binds, what is left over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.plans.comparison import Binding
from capmodels.plans.costing.array_figures import array_shortfall
from capmodels.plans.costing.cloud_rent import need_at
from capmodels.plans.costing.service_load import too_slow
from capmodels.plans.costing.sizing import LABELS, RESOURCES, binding_of
from capmodels.plans.costing.use_cost import equivalent_count, use_of
from capmodels.plans.document.baseline import Baseline
from capmodels.plans.document.workload import UtilizationWorkload
from capmodels.plans.words import counted, tenths
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from capmodels.plans.costing.array_cost import ArrayPlan
    from capmodels.plans.costing.cloud_cost import CloudCase
    from capmodels.plans.costing.designs import Costed
    from capmodels.plans.costing.owned_cost import OwnedCase
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.costing.sizing import GroupPlan
    from capmodels.plans.document.workload import DemandWorkload
    from capmodels.plans.series import Series
    from capmodels.spec import JSONDict

CARRIED_BY = {
    "block_tb": ("block storage", {"block", "compute_and_block"}),
    "object_tb": ("object storage", {"object"}),
    "gpu_peak_count": ("GPUs", {"gpu"}),
    "busy_cores_count": ("cores and RAM", {"compute", "compute_and_block"}),
}


def sizing_of(item: Costed, scene: Scene) -> list[JSONDict]:
    """Count of every group in every year."""
    years = []
    for year in range(scene.years):
        groups: list[JSONDict] = []
        if item.owned is not None:
            groups += [_owned_group(plan, year) for plan in item.owned.plans]
            if item.owned.array is not None:
                groups.append(_arrays(item.owned.array, year))
        if item.rented is not None:
            groups += _rented_groups(item.rented, scene, year)
        if isinstance(item.design, Baseline):
            groups += _baseline_groups(item.design)
        years.append({"year": year + 1, "groups": groups})
    return years


def _sized(**facts: Any) -> JSONDict:
    """A group in one year, in the shape of ``comparison.SizedGroup``."""
    return facts


def _owned_group(plan: GroupPlan, year: int) -> JSONDict:
    required = plan.required[year]
    return _sized(
        name=plan.group.name,
        count=plan.counts[year],
        binding=binding_of(required),
        required=required,
        spare_nodes_count=plan.spare_nodes_count,
    )


def _arrays(plan: ArrayPlan, year: int) -> JSONDict:
    required = plan.required[year]
    return _sized(
        name="Disk array",
        count=plan.counts[year],
        binding=binding_of(required),
        required=required,
    )


def _rented_groups(case: CloudCase, scene: Scene, year: int) -> list[JSONDict]:
    if scene.demand is None:
        return _by_use_groups(case, scene)
    first = year * MONTHS_PER_YEAR
    last = first + scene.months_of(year)

    def mean(series: Series) -> float:
        return scene.form.mean(series, first, last)

    groups = []
    for mix in case.mixes:
        need = need_at(mix.item, scene, 0.5 * (first + last))
        required = {"cores": need.cores, "ram": need.base + need.ram}
        if need.network:
            required["throughput"] = need.network
        if mix.item.gpus_count > 0:
            required = {"gpu": need.base}
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


def shortfall(item: Costed, scene: Scene) -> str | None:
    """Why a design does not carry the load, or None when it does."""
    work = scene.demand
    if isinstance(item.design, Baseline):
        grows = work is not None and any(getattr(work.growth, name) > 0 for name in _GROWTHS)
        if item.design.kind == "do_nothing" and grows:
            return "What runs today stays as it is, and carries none of the growth."
        return None
    if work is None:
        return None
    if item.owned is not None:
        return _owned_shortfall(item.owned, scene)
    return None if item.rented is None else _rented_shortfall(item.rented, work)


def _rented_shortfall(case: CloudCase, work: DemandWorkload) -> str | None:
    if work.service is not None:
        return "A service is sized on owned nodes only."
    with_gpus = [part.gpus_count > 0 for part in case.cloud.instances]
    if work.gpu_peak_count > 0 and not any(with_gpus):
        return "No instance of this design has GPUs."
    return "No instance of this design carries cores and RAM." if all(with_gpus) else None


_GROWTHS = (
    "cores_fraction_per_year",
    "ram_fraction_per_year",
    "block_fraction_per_year",
    "object_fraction_per_year",
    "gpus_fraction_per_year",
)


_NO_GROUP = "No group of nodes carries {}."
_HELD = {
    "block": {"block_tb"},
    "object": {"object_tb"},
    "block_and_object": {"block_tb", "object_tb"},
}


def _owned_shortfall(case: OwnedCase, scene: Scene) -> str | None:
    array = case.array
    held = set() if array is None else _HELD[array.array.carries]
    roles = {group.role for group in case.owned.node_groups}
    for need, (name, carriers) in CARRIED_BY.items():
        if getattr(scene.work, need) > 0 and not roles & carriers and need not in held:
            return f"Nothing in it carries {name}." if not roles else _NO_GROUP.format(name)
    if array is not None and (short := array_shortfall(array, scene)) is not None:
        return short
    if (unserved := _unserved(case, scene)) is not None:
        return unserved
    for plan in case.plans:
        for year in range(scene.years):
            if not plan.carries(year):
                resource = LABELS[binding_of(plan.required[year])]
                most = max(plan.required[year].values())
                there = plan.counts[year] - plan.spare_nodes_count
                beside = " beside its spares" if plan.spare_nodes_count else ""
                return (
                    f"The group {plan.group.name} needs {counted(most, 'node')} for {resource} "
                    f"in year {year + 1} and has {there:.0f}{beside}."
                )
    return None


def _unserved(case: OwnedCase, scene: Scene) -> str | None:
    """Why the nodes do not carry the workload's service; None when they do."""
    if scene.work.service is None:
        return None
    groups = [group for group in case.owned.node_groups if group.role == "service"]
    if not groups:
        return "No group of nodes carries the service."
    return next((slow for group in groups if (slow := too_slow(group, scene)) is not None), None)


def binding_of_design(item: Costed, scene: Scene) -> Binding:
    """What sizes a design in its last year."""
    year = scene.years - 1
    if scene.demand is None or isinstance(item.design, Baseline):
        return Binding(resource="none", label="given", detail="Sized as entered.")
    if item.kind == "disk_array" and item.owned is not None and item.owned.array is not None:
        return _array_binding(item.owned.array, year)
    if item.owned is not None:
        return _owned_binding(item.owned, year)
    groups = _rented_groups(item.rented, scene, year) if item.rented is not None else []
    group = max(groups, key=lambda sized: float(sized["count"]))
    needs = _needs_in_words(group["required"])
    detail = f"{group['name']} at mean load in year {year + 1}; instances needed: {needs}."
    resource = group["binding"]
    return Binding(resource=resource, label=LABELS[resource], detail=detail)


def _array_binding(plan: ArrayPlan, year: int) -> Binding:
    required = plan.required[year]
    resource = binding_of(required)
    detail = (
        f"{counted(plan.counts[year], 'array')} of {counted(plan.array.disks_count, 'drive')} "
        f"in year {year + 1}; arrays needed: {_needs_in_words(required) or 'none'}."
    )
    return Binding(resource=resource, label=LABELS[resource], detail=detail)


def _needs_in_words(required: dict[str, float]) -> str:
    needs = ((name, required.get(name, 0.0)) for name in RESOURCES)
    return ", ".join(f"{tenths(need)} for {LABELS[name]}" for name, need in needs if need > 0)


def _owned_binding(case: OwnedCase, year: int) -> Binding:
    """The resource that sizes the group of most nodes; what sizes the others beside it."""
    plans = sorted(case.plans, key=lambda plan: -plan.counts[year])
    resource = binding_of(plans[0].required[year])
    detail = " ".join(_group_in_words(plan, year) for plan in plans)
    return Binding(resource=resource, label=LABELS[resource], detail=detail)


def _group_in_words(plan: GroupPlan, year: int) -> str:
    spare = f", {plan.spare_nodes_count} of them spare" if plan.spare_nodes_count else ""
    return (
        f"{plan.group.name}: {counted(plan.counts[year], 'node')} in year {year + 1}{spare}; "
        f"needed: {_needs_in_words(plan.required[year]) or 'none'}."
    )
