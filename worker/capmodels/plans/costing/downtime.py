"""Hours a year for which a design does not carry its demand, because something of it is down.

It is up while no more sites or zones are down than it is sized to lose, and no more machines of
any kind than the rest can do without at its busiest. Both are chances of the steady state, of
failures on their own; what fails together, by one fault of software or by an operator, is not in.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from capmodels.amounts import (
    CEIL_SLACK,
    at_least,
    ceil,
    is_above,
    is_given,
    is_zero,
    maximum,
    minimum,
    real,
)
from capmodels.performance.node_failures import failure_rate_per_year
from capmodels.plans.costing.cloud_cost import LEAST_USD
from capmodels.plans.costing.group_plan import kind_of
from capmodels.plans.costing.hybrid_cost import carries
from capmodels.plans.costing.meeting import COMPUTING, full_ratios, lines_when_full
from capmodels.plans.costing.sizing import larger_needs, needs_at
from capmodels.providers import PROVIDERS
from capmodels.reliability.availability import down_fraction, too_few_fraction
from capmodels.worked import named, remembered

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.causes import Side
    from capmodels.plans.costing.book import Book
    from capmodels.plans.costing.cloud_cost import CloudCase
    from capmodels.plans.costing.cloud_rent import Mix
    from capmodels.plans.costing.duration import DurationCurve
    from capmodels.plans.costing.group_plan import GroupPlan
    from capmodels.plans.costing.owned_cost import OwnedCase
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.costing.sizing import NodeLines
    from capmodels.plans.document.cloud import CloudFields

# Hours above the 99th percentile, by which nodes are sized.
BUSIEST_FRACTION = 0.01
STORING = frozenset({"compute_and_block", "block", "object", "archive"})


@dataclass(frozen=True, slots=True)
class Machines:
    """Machines of a kind in an interval, and how many of them the work takes when they are full.

    ``busiest`` is what it takes in the 99th percentile of the hours, ``always`` what it takes in
    all of them. ``spare`` may be down whatever the work takes, and at most ``most``: copies of
    data less one. ``lines`` is the work over the ratio of demand to its mean, ``curve`` that
    ratio over the hours.
    """

    count: Amount
    busiest: Amount
    always: Amount
    spare: int
    most: float | None = None
    lines: NodeLines | None = None
    curve: DurationCurve | None = None

    def up_fraction(self, down: Amount, sites: int = 1, lost: int = 0) -> Amount:
        """Share of the time for which enough are up, with some of the sites lost.

        Where one machine more is down than the work can do without, it is short in the hours that
        are busy enough. More at a time are much rarer, or of so many that one matters little.
        """
        left = self.count if not lost else -ceil(self.count * (lost / sites - 1.0))
        spare = -ceil(maximum(self.busiest, self.always) - left)
        if not lost:
            spare = maximum(spare, real(self.spare))
        if self.most is not None:
            spare = minimum(spare, self.most - lost)
        short = is_above(0.0 - spare, 0.0)
        spare = at_least(spare, 0.0)
        few = too_few_fraction(left, spare, down)
        return (1.0 - short) * (1.0 - few * self._matters(left, spare, lost))

    def _matters(self, left: Amount, spare: Amount, lost: int) -> Amount:
        """Share of the hours in which one machine more than those to spare is missed."""
        if self.lines is None or self.curve is None:
            return 1.0
        missing = at_least(left - spare - 1.0, 0.0)
        always = is_above(self.always - missing, 0.0)
        if self.most is not None:
            always = maximum(always, is_above(spare - (self.most - lost) + 1.0, 0.5))
        above = remembered(self.curve.share_above)
        # What is kept of an hour may be above the hour by so much, which all of them carry.
        slack = self.curve.grain + CEIL_SLACK
        before = above(self.lines.ratio_carried(left, left) + slack)
        more = above(self.lines.ratio_carried(missing, missing)) - before
        return maximum(always, maximum(more, BUSIEST_FRACTION))


@dataclass(frozen=True, slots=True)
class Places:
    """Share of the time for which all sites or zones are up, and for which just one is lost.

    The latter counts where the rest carries all.
    """

    all_fraction: Amount
    one_lost_fraction: Amount
    count: int

    @property
    def up_fraction(self) -> Amount:
        """Share of the time for which enough of them are up."""
        return self.all_fraction + self.one_lost_fraction

    def with_machines(self, machines: list[Machines], down: Amount) -> Amount:
        """Share of the time for which enough sites and enough machines there are up."""
        every, one = self.all_fraction, self.one_lost_fraction
        for kind in machines:
            every = every * kind.up_fraction(down)
            if not is_zero(one):
                one = one * kind.up_fraction(down, self.count, 1)
        return every + one


@dataclass(frozen=True, slots=True)
class Down:
    """Hours a year down: of sites, of what a provider promises, and of machines beyond both."""

    sites_h: Amount
    provider_h: Amount
    machines_h: Amount

    @property
    def total_h(self) -> Amount:
        """All of them. [h/yr]"""
        return self.sites_h + self.provider_h + self.machines_h


def promised(cloud: CloudFields) -> tuple[Amount | None, Amount | None]:
    """Availability of one zone and of several: as entered, else as the provider publishes it."""
    provider = PROVIDERS.get(cloud.provider)
    published = None if provider is None else provider.uptime
    one, several = cloud.uptime.one_zone_fraction, cloud.uptime.zones_fraction
    if published is not None:
        one = published.one_zone_fraction if one is None else one
        several = published.zones_fraction if several is None else several
    return one, several


def unknown_downtime(scene: Scene, owned: OwnedCase | None, rented: CloudCase | None) -> str | None:
    """Why nobody knows for how long a design is down; None where that is known."""
    if scene.demand is None:
        return "The work is a use of given machines: what of them may fail is not known."
    if owned is None and rented is None:
        return "What runs today is entered by its price, not by its machines."
    if owned is not None and owned.arrays:
        return "How often the controllers of its arrays fail is not entered."
    if rented is not None and _places_rented(rented) is None:
        return "The availability that its provider promises is not entered."
    return None


def downtime(scene: Scene, owned: OwnedCase | None, rented: CloudCase | None, at: int) -> Down:
    """Return the hours a year down in an interval, of a design of which they are known.

    Notes
    -----
    hours x (1 - A), A = (P0 prod B0 + P1 prod B1) of the owned part x the same of the rented one:
    P0 and P1 are the chances that all sites are up and that one is lost which the rest can do
    without, B that of the machines of a kind there no more are down than are to spare
    (``reliability.availability``). Where a hybrid has nothing on a side, that side is never down.
    A rented part has its provider's published term in place of P0: of one zone, or of several; it
    counts in the hours in which it is needed, as if it were as likely to be down in any of them.
    """
    hours, of = scene.assumptions.hours_per_year, scene.assumptions.downtime
    sites: Amount = 1.0
    with_machines: Amount = 1.0
    provider: Amount = 1.0
    opened = owned is not None and scene.intervals[at].end > owned.delivered_month
    if owned is not None and (rented is None or (opened and carries(owned))):
        places = _places_owned(owned.scene)
        sites = places.up_fraction
        with_machines = places.with_machines(
            _owned_machines(owned, at, bursts=_bursts(rented)), _machine_down(scene, of.repair_h)
        )
    if rented is not None and (held := _places_rented(rented)) is not None:
        rents = 1.0 if owned is None else needed_fraction(rented, at)
        up = held.with_machines(_rented_machines(rented, at), _machine_down(scene, of.recovery_h))
        provider = 1.0 - rents * (1.0 - held.up_fraction)
        with_machines = with_machines * (1.0 - rents * (1.0 - up))
    return Down(
        hours * (1.0 - sites),
        hours * sites * (1.0 - provider),
        hours * (sites * provider - with_machines),
    )


def cost_downtime(
    book: Book, scene: Scene, owned: OwnedCase | None, rented: CloudCase | None
) -> None:
    """Write what the hours down cost, where an hour has a price and they are known."""
    usd_per_h = scene.assumptions.downtime.usd_per_h
    if is_zero(usd_per_h) or unknown_downtime(scene, owned, rented) is not None:
        return
    side: Side = "rented"
    since = 0
    if owned is not None and (rented is None or carries(owned)):
        side, since = "owned", owned.delivered_month
    for at, interval in enumerate(scene.intervals):
        hours = named(downtime(scene, owned, rented, at).total_h, "Hours down", "h/yr")
        months = range(max(interval.first, since), interval.end)
        book.yearly("downtime", months, hours * usd_per_h, side)


def mean_downtime(scene: Scene, owned: OwnedCase | None, rented: CloudCase | None) -> Down:
    """Hours a year down, mean of the horizon."""
    found = [downtime(scene, owned, rented, at) for at in range(len(scene.intervals))]
    shares = [interval.months / scene.months for interval in scene.intervals]

    def mean(name: str) -> Amount:
        total: Amount = 0.0
        for down, share in zip(found, shares, strict=True):
            total = total + getattr(down, name) * share
        return total

    return Down(mean("sites_h"), mean("provider_h"), mean("machines_h"))


def _machine_down(scene: Scene, repair_h: Amount) -> Amount:
    """Share of the time for which one machine is down."""
    rate = failure_rate_per_year(scene.assumptions.downtime.machine_afr_fraction)
    return down_fraction(rate, repair_h, scene.assumptions.hours_per_year)


def _places_owned(scene: Scene) -> Places:
    available, up = scene.work.availability, scene.assumptions.downtime.site_up_fraction
    count = available.sites_count
    if not available.survive_site_loss:
        return Places(up**count, 0.0, count)
    return Places(up**count, count * (1.0 - up) * up ** (count - 1), count)


def _places_rented(case: CloudCase) -> Places | None:
    available = case.scene.work.availability
    one, several = promised(case.cloud)
    if available.sites_count > 1 and available.survive_site_loss:
        return None if several is None else Places(several, 0.0, available.sites_count)
    if one is None:
        return None
    return Places(one**available.sites_count, 0.0, available.sites_count)


def _owned_machines(case: OwnedCase, at: int, *, bursts: bool) -> list[Machines]:
    """Machines of each group that demand sizes; where work bursts, the cloud has that of nodes."""
    scene, found = case.scene, []
    full = full_ratios(scene.work.headroom)
    factor = scene.work.availability.site_factor
    for plan in case.plans:
        computes = plan.group.role in COMPUTING
        needs: dict[str, Amount] = {}
        for month in scene.edges(scene.intervals[at]):
            needs = larger_needs(needs, needs_at(plan.group, scene, month, None))
        busiest: Amount = 0.0
        always: Amount = 0.0
        for name, need in needs.items():
            taken = need * full.get(name, 1.0) / factor
            if name == "disk":  # what is kept can be read while a copy of it is up
                continue
            if computes and kind_of(plan.group.role, name) == "compute":
                busiest = maximum(busiest, 0.0 if bursts else taken)
            else:
                always = maximum(always, taken)
        copies = _copies(plan)
        if not needs or (is_zero(busiest) and is_zero(always) and copies is None):
            continue
        machines = Machines(plan.counts[at], busiest, always, plan.spare_nodes_count, copies)
        if computes:
            month = scene.intervals[at].end
            lines = lines_when_full(plan.group, scene, month, (full["cores"], full["ram"]))
            machines = replace(machines, lines=lines, curve=scene.curves.load)
        found.append(machines)
    return found


def _bursts(rented: CloudCase | None) -> bool:
    """Whether a hybrid rents computing above its nodes, which then is there for any of them."""
    return rented is not None and any(mix.item.gpus_count <= 0 for mix in rented.mixes)


def _copies(plan: GroupPlan) -> float | None:
    """Nodes of a group that stores which may be down while a copy of everything is up."""
    drives = plan.group.drives
    return None if drives is None or plan.group.role not in STORING else drives.copies_count - 1.0


def needed_fraction(case: CloudCase, at: int) -> Amount:
    """Share of the hours of an interval in which the rented side is needed.

    None where nothing is rented; where only bursts are, the hours with more work than the nodes
    carry, for in the others its zone may be down.
    """
    if case.used_usd is None:
        return 0.0
    interval, mean = case.scene.intervals[at], case.scene.form.mean
    rents = is_above(mean(case.used_usd, interval.first, interval.end), LEAST_USD)
    if case.needed is None:
        return rents
    return rents * mean(case.needed, interval.first, interval.end)


def _rented_machines(case: CloudCase, at: int) -> list[Machines]:
    """Instances of each kind on average in an interval, rounded up."""
    return [_instances(mix, case.scene, at) for mix in case.mixes]


def _instances(mix: Mix, scene: Scene, at: int) -> Machines:
    interval, mean, item = scene.intervals[at], scene.form.mean, mix.item
    count = mean(mix.committed, interval.first, interval.end)
    count = ceil(count + mean(mix.on_demand, interval.first, interval.end))
    available = scene.work.availability
    spare = available.spare_nodes_count if item.spare_count is None else item.spare_count
    full = full_ratios(scene.work.headroom)
    if item.gpus_count > 0:
        share = full["gpu"]
    else:
        share = maximum(full["cores"], full["ram"]) if is_given(item.ram_gib) else full["cores"]
    work = at_least(count - real(spare), 0.0) * share / available.site_factor
    return Machines(count, work, 0.0, spare)
