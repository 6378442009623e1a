"""What a hybrid costs: each kind of demand where it lives, peaks above a base on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import at_least, is_above, is_zero, largest, maximum, minimum
from capmodels.cost.tiered import band_cost
from capmodels.plans.costing.cloud_cost import (
    LEAST_USD,
    Bills,
    CloudCase,
    billed_services,
    copies_usd,
    leave,
    on_demand_usd,
    prepaid_usd,
    rented_mix,
    storage_usd,
    transfer_usd,
    write_bills,
    write_terms,
)
from capmodels.plans.costing.cloud_rent import (
    Mix,
    mean_above,
    monthly_amounts,
    need_rates,
    rent_by_plan,
)
from capmodels.plans.costing.kept import kept_shares
from capmodels.plans.costing.need import Fleet, Need
from capmodels.plans.costing.owned_cost import OwnedCase, cost_owned
from capmodels.plans.costing.people_cost import People
from capmodels.plans.costing.sizing import node_rates
from capmodels.plans.costing.timeline import STORED
from capmodels.plans.document.owned import OwnedFields
from capmodels.series import add, each, scaled
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.costing.group_plan import GroupPlan
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.document.cloud import Instances
    from capmodels.plans.document.hybrid import Hybrid
    from capmodels.series import Series


# Fewer nodes, or TB a month, are what the last bits of a sum leave of none.
_LEAST = 1e-9
# What of an owned design is paid whether or not nodes stand there.
_FIXED = ("equipment", "space", "network", "sites", "links", "support", "software", "backup")


def cost_hybrid(design: Hybrid, owned: OwnedCase, rented: CloudCase) -> None:
    """Write every payment of a hybrid, but migration and staff, into its book.

    A side that carries nothing has no fixed costs: neither the place, its network and what stands
    beside the nodes where there are none and no traffic goes through it, nor the least that a
    support plan or a gateway costs in a month in which nothing is rented.

    Each side's scene has the demand that lives there. Of compute, the work above what the
    nodes carry is E[max(0, s - x)] of its mean, x being the ratio of demand to its mean that
    the nodes in place carry in that month; it is rented on demand. Nodes without the RAM of all
    applications carry the share of them that they hold.
    """
    place, form, months = design.placement, owned.scene.form, owned.scene.months
    nothing, all_of_it = form.constant(0.0, months), form.constant(1.0, months)
    above, ratios = {"owned": nothing, "rented": all_of_it}.get(place.compute), nothing
    if above is None:
        ratios = carried_ratios(owned.plans, owned.scene)
        above = each(owned.scene.curves.load.excess, ratios)
    sent = {"owned": nothing, "rented": all_of_it}.get(place.transfer, above)
    _split(design, owned, rented, above, sent)
    only_bursts = place.bursts and place.rented == {"compute"}
    if only_bursts and sent is above and not rented.lines:
        rented.needed = each(owned.scene.curves.load.share_above, ratios)
    if not carries(owned):
        none = {name: OwnedFields.model_fields[name].default for name in _FIXED}
        owned.owned = owned.owned.model_copy(update=none)
    cost_owned(owned)
    _rent_parts(design, rented, ratios)
    _bills(design, rented)


def carries(case: OwnedCase) -> bool:
    """Whether nodes or arrays stand on the owned side at some time, or traffic goes through it."""
    counts = [count for plan in case.plans for count in plan.counts]
    counts += [count for arrays in case.arrays for count in arrays.counts]
    moved = [case.egress_tb(at) for at in range(len(case.scene.intervals))]
    return any(largest(amount) > _LEAST for amount in (*counts, *moved))


def people_of(design: Hybrid, owned: OwnedCase, rented: CloudCase) -> list[People]:
    """Who runs a hybrid in each year: where one side carries nothing, no more than the other has.

    Read once both sides are costed.
    """
    scene, found = rented.scene, []
    stands = 1.0 if carries(owned) else 0.0
    for year in range(scene.years):
        billed = 0.0 if rented.used_usd is None else _year_mean(rented.used_usd, scene, year)
        rents = is_above(billed, LEAST_USD)
        both, own, rent = rents * stands, (1.0 - rents) * stands, rents * (1.0 - stands)

        def run(name: str, both: Amount = both, own: Amount = own, rent: Amount = rent) -> Amount:
            entered: Amount = getattr(design, name)
            alone = own * minimum(entered, getattr(owned.owned, name))
            return both * entered + alone + rent * minimum(entered, getattr(rented.cloud, name))

        found.append(People(run("staff_fte"), run("staff_usd_per_year")))
    return found


def _split(
    design: Hybrid, owned: OwnedCase, rented: CloudCase, above: Series, sent: Series
) -> None:
    """Give each side its share of the work, of what leaves it, and its lines of services.

    What the work reads crosses over where the objects live on the other side.
    """
    place = design.placement
    owned.carried, owned.sent = _left(above, owned.scene), _left(sent, owned.scene)
    shares = kept_shares(design.plan, owned.scene) if place.bursts else None
    if shares is not None:
        both = zip(owned.carried, shares, strict=True)
        owned.carried = [at_least(carried - share, 0.0) for carried, share in both]
    rented.burst, rented.sent = above, sent
    rented.burst_storage_tb = design.burst_storage_tb if place.bursts else 0.0
    as_owned = place.services == "owned"
    owned.lines = owned.owned.services if as_owned else ()
    rented.lines = (*design.services, *(() if as_owned else rented.cloud.services))
    if place.object == "rented":
        read = rented.scene.timeline.object_read_tb.monthly
        rented.crossing_tb = each(lambda tb, part: tb * (1.0 - part), read, above)
    else:
        read = owned.scene.timeline.object_read_tb.monthly
        crossing = each(lambda tb, part: tb * part, read, above)
        owned.crossing_tb = _means(crossing, owned.scene)


def _rent_parts(design: Hybrid, case: CloudCase, ratios: Series) -> None:
    """Rent instances for the compute and the GPUs that live there."""
    cloud, place = case.cloud, design.placement
    known = cloud if case.planned is None else case.planned
    for at, item in enumerate(cloud.instances):
        if item.gpus_count > 0:
            if place.gpus == "rented":
                case.mixes.append(rented_mix(case, known, at))
        elif place.bursts:
            committed = rent_by_plan(
                item, design.plan.commitments if design.plan else (), case.scene
            )
            write_terms(case, committed)
            case.mixes.append(burst(item, ratios, case.scene, committed))
        elif place.compute == "rented":
            case.mixes.append(rented_mix(case, known, at))


def burst(item: Instances, ratios: Series, scene: Scene, committed: Mix | None = None) -> Mix:
    """Whole instances on demand for the work above the ratios to its mean that the nodes carry.

    Beyond those that are ``committed``. The nodes have the spare ones of the work, and stand on its
    sites.
    """
    rates = need_rates(item, scene)

    def above(cores: Amount, ram: Amount, gpus: Amount, moved: Amount, ratio: Amount) -> Need:
        need = rates.need(cores, ram, gpus, moved)
        slope = maximum(need.slope, need.ram)
        return Need(0.0, -slope * ratio, slope)

    mix = committed or Mix(item, committed=scene.form.constant(0.0, scene.months))
    series = (*monthly_amounts(scene), ratios)
    mix.on_demand = mean_above(above, series, Fleet(), mix.committed, scene)
    return mix


def carried_ratios(plans: list[GroupPlan], scene: Scene) -> Series:
    """Ratio of demand to its mean up to which the nodes carry it, month by month."""
    carried: Series | None = None
    for plan in plans:
        group = plan.group
        if group.role not in {"compute", "compute_and_block"} or is_zero(group.share_fraction):
            continue
        ratios = _group_ratios(plan, scene)
        carried = ratios if carried is None else each(minimum, carried, ratios)
    return scene.form.constant(0.0, scene.months) if carried is None else carried


def _group_ratios(plan: GroupPlan, scene: Scene) -> Series:
    share = plan.group.share_fraction * scene.work.availability.site_factor
    months = [interval.months for interval in scene.intervals]
    nodes, holding = (
        scene.form.steps([plan.usable_for(name, at) for at in range(len(plan.counts))], months)
        for name in ("cores", "ram")
    )
    lines, timeline = node_rates(plan.group, scene).lines, scene.timeline

    def ratio(
        cores: Amount, ram_gib: Amount, traffic_tb: Amount, there: Amount, held: Amount
    ) -> Amount:
        needed = lines(cores * share, ram_gib * share, traffic_tb * share)
        return needed.ratio_shared(there, held)

    moved = timeline.traffic_tb.monthly
    return each(ratio, timeline.cores.monthly, timeline.ram_gib.monthly, moved, nodes, holding)


def _left(share: Series, scene: Scene) -> list[Amount]:
    """What a share by month leaves of each interval, on average."""
    # The mean of the curve is 1 but for its last bits.
    return [at_least(1.0 - mean, 0.0) for mean in _means(share, scene)]


def _means(series: Series, scene: Scene) -> list[Amount]:
    """Mean of each interval."""
    mean = scene.form.mean
    return [mean(series, interval.first, interval.end) for interval in scene.intervals]


def _year_mean(series: Series, scene: Scene, year: int) -> Amount:
    first = year * MONTHS_PER_YEAR
    return scene.form.mean(series, first, first + scene.months_of(year))


def _bills(design: Hybrid, case: CloudCase) -> None:
    scene, place = case.scene, design.placement
    nothing = scene.form.constant(0.0, scene.months)
    stored = storage_usd(case) if place.rented & STORED.keys() else nothing
    if not is_zero(case.burst_storage_tb):
        usd = band_cost(case.burst_storage_tb, case.tariffs.block)
        beside = scene.priced("storage", scene.form.constant(usd, scene.months))
        stored = add(stored, scaled(beside, 1.0 - case.cloud.discounts.block_fraction))
    on_demand = on_demand_usd(case) if case.mixes else nothing
    committed = [mix.committed_usd(scene) for mix in case.mixes if mix.tranches]
    write_bills(
        case,
        Bills(
            instances=on_demand,
            commitment=add(nothing, *committed),
            storage=stored,
            transfer=transfer_usd(case),
            copies=copies_usd(case) if place.compute == "rented" else None,
            services=billed_services(case),
            prepaid=prepaid_usd(case),
        ),
    )
    if place.rented & STORED.keys():
        leave(case)
