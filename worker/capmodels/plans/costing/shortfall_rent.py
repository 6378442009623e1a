"""What it costs to rent the work, data and GPUs beyond what was bought in time.

Nodes, drives and GPUs keep their headroom; what is above is rented on demand from a provider.
All is looked at in the middle of every quarter.
"""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

from capmodels.amounts import TINY, at_least, is_zero, largest, maximum, minimum
from capmodels.plans.costing.array_cost import array_needs, data_tb
from capmodels.plans.costing.cloud_cost import (
    CloudCase,
    Tariffs,
    on_demand_usd,
    storage_usd,
    transfer_usd,
)
from capmodels.plans.costing.cloud_rent import Mix, monthly_amounts, need_rates
from capmodels.plans.costing.group_plan import kind_of
from capmodels.plans.costing.hybrid_cost import burst
from capmodels.plans.costing.meeting import COMPUTING, carried
from capmodels.plans.costing.need import Fleet
from capmodels.plans.costing.sizing import needs_at
from capmodels.plans.costing.timeline import STORED
from capmodels.series import each, scaled

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.costing.owned_cost import OwnedCase
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.cloud import Cloud, Instances
    from capmodels.series import Series

_QUARTER_MONTHS = 3
_KEPT = (1.0, 1.0)


def rentable(cloud: Cloud) -> frozenset[str]:
    """Kinds of demand of which what is beyond owned machines can be rented."""
    gpus = {item.gpus_count > 0 for item in cloud.instances}
    kinds = {"gpus"} if True in gpus else set()
    return frozenset(kinds | ({"compute"} if False in gpus else set()) | set(STORED))


def rent_shortfall(case: OwnedCase, cloud: Cloud, *, computing: bool) -> None:
    """Write what is rented in trials beyond what was bought.

    With ``computing`` cores and RAM too. Of stored data the share is rented that the drives do
    not carry, with as much of its requests; objects that are read are paid as egress. Of GPUs
    it is that share of their mean, which is at least the mean of what is above.
    """
    shares = _shares(case)
    ratios = _carried_ratios(case) if computing else None
    rented = CloudCase(cloud, copy(case.scene), case.book, Tariffs.of(cloud))
    _rent_instances(rented, shares, ratios)
    _rent_storage(rented, shares)


def _rent_instances(rented: CloudCase, shares: dict[str, Series], ratios: Series | None) -> None:
    scene, mixes = rented.scene, []
    for item in rented.cloud.instances:
        if item.gpus_count <= 0 and ratios is not None:
            mixes.append(_beyond(item, ratios, scene))
        if item.gpus_count > 0 and "gpus" in shares:
            mixes.append(_gpus(item, shares["gpus"], scene))
    if mixes:
        rented.mixes = mixes
        usd = scaled(on_demand_usd(rented), rented.kept)
        rented.book.series("instances", usd, "rented")
        rented.mixes = []


def _beyond(item: Instances, ratios: Series, scene: Scene) -> Mix:
    """Instances for the work above what the nodes carry; hours above the p99 are as in the plan."""
    mix = burst(item, ratios, scene)
    planned = burst(item, scene.form.constant(scene.p99_ratio, scene.months), scene)
    mix.on_demand = each(
        lambda all_of_it, of_plan: at_least(all_of_it - of_plan, 0.0),
        mix.on_demand,
        planned.on_demand,
    )
    return mix


def _gpus(item: Instances, shares: Series, scene: Scene) -> Mix:
    """Instances for a share of the GPUs, while they run."""
    rates = need_rates(item, scene)

    def mean(cores: Amount, ram: Amount, gpus: Amount, moved: Amount, share: Amount) -> Amount:
        need = rates.need(cores, ram, gpus, moved)
        return Fleet().machines(need.base * share) * need.running

    nothing = scene.form.constant(0.0, scene.months)
    return Mix(item, committed=nothing, on_demand=each(mean, *monthly_amounts(scene), shares))


def _rent_storage(rented: CloudCase, shares: dict[str, Series]) -> None:
    scene = rented.scene
    if not shares.keys() & STORED.keys():
        return
    nothing = scene.form.constant(0.0, scene.months)
    scene.timeline = scene.timeline.part({kind: shares.get(kind, nothing) for kind in STORED})
    rented.book.series("storage", scaled(storage_usd(rented), rented.kept), "rented")
    if "object" in shares and not is_zero(scene.timeline.object_read_tb.today):
        rented.sent = rented.burst = nothing
        rented.crossing_tb = scene.timeline.object_read_tb.monthly
        rented.book.series("transfer", scaled(transfer_usd(rented), rented.kept), "rented")


def _quarters(scene: Scene) -> tuple[list[float], list[int]]:
    """Middles of the quarters, and their months."""
    starts = range(0, scene.months, _QUARTER_MONTHS)
    lengths = [min(_QUARTER_MONTHS, scene.months - start) for start in starts]
    return [start + length / 2 for start, length in zip(starts, lengths, strict=True)], lengths


def _shares(case: OwnedCase) -> dict[str, Series]:
    """Share of what is stored, and of GPUs, that is above what is there, by month; 0s left out."""
    scene = case.scene
    middles, lengths = _quarters(scene)
    stored = [_stored_shares(case, month) for month in middles]
    found = {kind: [share.get(kind, 0.0) for share in stored] for kind in (*STORED, "gpus")}
    return {
        kind: scene.form.steps(values, lengths)
        for kind, values in found.items()
        if not all(map(is_zero, values))
    }


def _carried_ratios(case: OwnedCase) -> Series | None:
    """Ratio of demand to its mean that the nodes carry, by month; None where it is all planned."""
    scene, ratios = case.scene, []
    plans = [plan for plan in case.plans if plan.group.role in COMPUTING]
    middles, lengths = _quarters(scene)
    for month in middles:
        at, ratio = int(month / scene.order_months), scene.p99_ratio
        for plan in plans:
            ratio = minimum(ratio, carried((plan, at), scene, month, _KEPT, is_shared=True))
        ratios.append(ratio)
    above = (largest(scene.p99_ratio - ratio) > 0.0 for ratio in ratios)
    return scene.form.steps(ratios, lengths) if any(above) else None


def _stored_shares(case: OwnedCase, month: float) -> dict[str, Amount]:
    """Share of the data, and of the GPUs, that is above what drives and nodes carry."""
    scene = case.scene
    at = int(month / scene.order_months)
    shares: dict[str, Amount] = {}
    for plan in case.plans:
        role, usable = plan.group.role, plan.usable(at)
        above: dict[str, Amount] = {}
        for name, need in needs_at(plan.group, scene, month, None).items():
            kind = kind_of(role, name)
            if kind in STORED or kind == "gpus":
                above[kind] = maximum(above.get(kind, 0.0), _above(need, usable))
        for kind, share in above.items():
            shares[kind] = shares.get(kind, 0.0) + share * plan.group.share_fraction
    for arrays in case.arrays:
        most: Amount = 0.0
        for need in array_needs(arrays, scene, month, arrays.counts[at]).values():
            most = maximum(most, _above(need, arrays.counts[at]))
        held = arrays.held_tb(scene, month) / at_least(data_tb(arrays.array, scene, month), TINY)
        for kind in arrays.array.kinds:
            shares[kind] = shares.get(kind, 0.0) + most * held
    return shares


def _above(need: Amount, there: Amount) -> Amount:
    return at_least(1.0 - there / at_least(need, TINY), 0.0)
