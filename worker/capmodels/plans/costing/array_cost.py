"""How many arrays a design has, what they cost, and what they draw, by interval."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal

from capmodels.amounts import (
    TINY,
    as_number,
    at_least,
    centre,
    is_number,
    is_zero,
    largest,
    log1p,
    maximum,
    minimum,
    real,
)
from capmodels.plans.costing.array_load import (
    array_power,
    ceilings_per_s,
    idle_box,
    network_per_s,
    operations_of,
    stream_mb_per_s,
)
from capmodels.plans.costing.array_size import bought, empty, nodes_count
from capmodels.plans.costing.array_tiers import BATCHES_PER_S, Moved, mb_per_s, tiers_of
from capmodels.plans.costing.sizing import larger_needs
from capmodels.plans.document.array_parts import (
    LEAST_REQUEST_BYTES,
    MOST_REQUEST_BYTES,
    IoMix,
)
from capmodels.storage.drive.wear import endurance_used
from capmodels.units import (
    BYTES_PER_TB,
    GB_PER_TB,
    HOURS_PER_YEAR,
    MONTHS_PER_YEAR,
    SECONDS_PER_HOUR,
    WATTS_PER_KW,
)
from capmodels.worked import folded, is_worked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from capmodels.amounts import Amount
    from capmodels.plans.costing.array_load import ArrayPower, Operations
    from capmodels.plans.costing.array_tiers import Tier
    from capmodels.plans.costing.duration import DurationCurve
    from capmodels.plans.costing.scene import Scene
    from capmodels.plans.costing.timeline import Grower
    from capmodels.plans.document.array_spec import ArraySpec
    from capmodels.plans.document.owned import OwnedFields

Asked = Literal["entered", "objects", "blocks", "nothing"]
UNITS_PER_RACK = 40.0
PER_MILLION = 1e6
# A drive that is certain to fail within the year has no rate; it is taken as just below.
MOST_AFR = 0.999
DRIVES, ENCLOSURES = "drives", "enclosures"
# So many levels of load are worth a call of NumPy.
_TOGETHER = 16


@dataclass
class ArrayPlan:
    """Arrays by interval: how many there are, and what each resource alone would need.

    ``counts`` are arrays' worth of drives, ``empties`` of room for them that is not filled.
    What a request asks of one array is the same in every interval, and worked out once. Where data
    are placed by age, these are the arrays of one tier.
    """

    array: ArraySpec
    mix: IoMix
    counts: list[Amount]
    required: list[dict[str, Amount]]
    peaks_per_s: list[Amount]
    tier: Tier | None = None
    requests_fraction: Amount = 1.0  # of those to all tiers
    asked: Asked = "blocks"
    moved_out_tb: list[Amount] = field(
        default_factory=list
    )  # to a colder tier, by interval [TB/yr]
    moved_in_tb: list[Amount] = field(default_factory=list)
    empties: list[Amount] = field(default_factory=list)

    @classmethod
    def of(cls, array: ArraySpec, scene: Scene, tier: Tier | None) -> ArrayPlan:
        """Arrays that nothing is known of yet but what they are asked."""
        asked = asked_of(array, scene)
        mix = _mix_of(array, scene, asked)
        if tier is None:
            return cls(array, mix, [], [], [], asked=asked)
        share = tier.requests_fraction(mix)
        return cls(array, tier.mix_of(mix), [], [], [], tier, share, asked=asked)

    @property
    def name(self) -> str:
        """What they are called among the parts of a design."""
        what = "Disk array" if self.array.code is None else "Coded cluster"
        return what if self.tier is None else f"{what}, {self.tier.name.lower()}"

    @property
    def path(self) -> str:
        """Where their fields stand in a design."""
        if self.tier is None or self.tier.place is None:
            return "/array"
        return f"/tiering/colder/{self.tier.place}/array"

    def held_tb(self, scene: Scene, month: Amount) -> Amount:
        """Data that they are there for. [TB]"""
        stored = partial(data_tb, self.array, scene)
        return stored(month) if self.tier is None else self.tier.held_tb(stored, month)

    def moved(self, at: int) -> Moved:
        """Share of the time in which the drives stream what is moved in an interval."""
        if self.tier is None:
            return Moved()
        there = at_least(self.counts[at], TINY) * self.stream_mb_per_s(self.counts[at])
        out = minimum(mb_per_s(self.moved_out_tb[at]) / there, 0.5)
        into = minimum(mb_per_s(self.moved_in_tb[at]) / there, 0.5)
        return Moved(out, into, BATCHES_PER_S)

    @cached_property
    def ops(self) -> Operations:
        """Operations of a request."""
        return operations_of(self.array, self.mix)

    @cached_property
    def _ceilings_per_s(self) -> dict[str, Amount]:
        return ceilings_per_s(self.array, self.mix, self.ops)

    def ceilings_per_s(self, count: Amount) -> dict[str, Amount]:
        """Requests a second that the parts of one of so many arrays each bear. [1/s]

        Where a node may hold several shards of what is asked, it holds fewer the more nodes there
        are.
        """
        nodes = nodes_count(self.array, count)
        if nodes is None or not self.array.in_steps:
            return self._ceilings_per_s
        return {**self._ceilings_per_s, "network": network_per_s(self.array, self.mix, nodes)}

    def iops_ceiling_per_s(self, count: Amount) -> Amount:
        """Requests a second that one of so many arrays bears. [1/s]"""
        return functools.reduce(minimum, self.ceilings_per_s(count).values())

    def stream_mb_per_s(self, count: Amount) -> Amount:
        """Rate at which one of so many arrays is read from end to end. [MB/s]"""
        return stream_mb_per_s(self.array, nodes_count(self.array, count))

    def total(self, at: int, array: Amount, box: Amount) -> Amount:
        """What all come to in an interval, of what an array has, and has without drives."""
        return _total(self.counts[at], self.empties[at], array, box)

    def drives_count(self, at: int) -> Amount:
        """Drives of an interval that serve requests."""
        spares = self.array.spares_count if self.array.declustered else 0
        return self.total(at, self.array.serving_count, spares)

    def carries(self, at: int) -> bool:
        """Whether the arrays in place meet every need of an interval."""
        return all(
            as_number(need) <= as_number(self.counts[at]) + 1e-9
            for need in self.required[at].values()
        )


def _total(count: Amount, room: Amount, array: Amount, box: Amount) -> Amount:
    return count * array if is_zero(room) else count * array + room * box


def plan_arrays(owned: OwnedFields, scene: Scene, planned: OwnedFields | None) -> list[ArrayPlan]:
    """Arrays of a design, tier by tier where data are placed by age: the hottest first."""
    lead, ahead = owned.lead_time_months, (planned or owned).bought_ahead_fraction
    known = None if planned is None else planned.array
    if owned.array is None:
        return []
    if owned.tiering is None:
        return [plan_array(owned.array, scene, lead, known, ahead_fraction=ahead)]
    tiers = tiers_of(owned.array, owned.tiering)
    seen: list[tuple[ArraySpec, Tier]] = tiers
    if planned is not None and planned.tiering is not None and known is not None:
        seen = tiers_of(known, planned.tiering)
    return [
        plan_array(array, scene, lead, known_array, (tier, known_tier), ahead)
        for (array, tier), (known_array, known_tier) in zip(tiers, seen, strict=True)
    ]


def plan_array(
    array: ArraySpec,
    scene: Scene,
    lead_time_months: int = 0,
    planned: ArraySpec | None = None,
    tiers: tuple[Tier | None, Tier | None] = (None, None),
    ahead_fraction: float = 0.0,
) -> ArrayPlan:
    """Arrays in place in each interval, for the demand in it as nodes are.

    ``tiers`` are the ages of their data as they turn out, and as they were planned.
    """
    plan = ArrayPlan.of(array, scene, tiers[0])
    known = plan if planned is None else ArrayPlan.of(planned, scene, tiers[1])
    before: Amount = 0.0
    for interval in scene.intervals:
        end = interval.end
        view = scene.decided(interval.first, lead_time_months)
        seen = known if view is scene.planned else plan
        months = view.edges(interval, lead_time_months)
        if array.count is not None:
            before = real(array.count)
            needs = _most(seen, view, months, before)
        else:
            before, needs = _enough(seen, view, months, before, ahead_fraction)
        plan.counts.append(before)
        plan.empties.append(empty(array, before))
        plan.required.append(needs)
        plan.peaks_per_s.append(peak_per_s(plan, scene, end))
        if plan.tier is not None:
            stored = partial(data_tb, array, scene)
            plan.moved_out_tb.append(plan.tier.moved_out_tb(stored, end))
            plan.moved_in_tb.append(plan.tier.moved_in_tb(stored, end))
    return plan


def _most(plan: ArrayPlan, scene: Scene, months: Sequence[int], count: Amount) -> dict[str, Amount]:
    """Largest needs of some months where there are so many arrays."""
    needs: dict[str, Amount] = {}
    for month in months:
        needs = larger_needs(needs, array_needs(plan, scene, month, count))
    return needs


def _enough(
    plan: ArrayPlan, scene: Scene, months: Sequence[int], before: Amount, ahead_fraction: float
) -> tuple[Amount, dict[str, Amount]]:
    """Arrays that carry the needs of some months, and these needs.

    Nodes that a cluster takes in make its network a little busier, so it is asked again.
    """
    while True:
        needs = _most(plan, scene, months, before)
        enough = before
        for need in needs.values():
            enough = maximum(enough, bought(plan.array, need * (1.0 + ahead_fraction)))
        if plan.array.code is None or not largest(enough - before) > 0:
            return enough, needs
        before = enough


def asked_of(array: ArraySpec, scene: Scene) -> Asked:
    """Whose requests an array serves: entered ones, those to its objects, or those to blocks.

    Those to objects are known where it is said how many read how much. Blocks that live elsewhere
    are asked for there.
    """
    demand = scene.demand
    if array.io is not None or demand is None:
        return "entered"
    if array.carries != "object":
        return "blocks"
    use = demand.object_use
    if not is_zero(use.reads_millions_per_month) and not is_zero(use.read_tb_per_month):
        return "objects"
    return "blocks" if is_zero(demand.block_tb) else "nothing"


def _mix_of(array: ArraySpec, scene: Scene, asked: Asked) -> IoMix:
    """What requests look like; objects that are written are of the size of those that are read."""
    if array.io is not None:
        return array.io
    if scene.demand is None:
        return IoMix()
    if asked != "objects":
        return scene.demand.block_mix
    # A size is one number: of the work as entered, or in hindsight of the mean of its draws.
    seen = (scene.planned or scene).work.object_use
    reads, writes = centre(seen.reads_millions_per_month), centre(seen.writes_millions_per_month)
    size = centre(seen.read_tb_per_month) * BYTES_PER_TB / (reads * PER_MILLION)
    size = min(max(round(size), LEAST_REQUEST_BYTES), MOST_REQUEST_BYTES)
    return IoMix(read_fraction=reads / (reads + writes), request_bytes=size)


def _objects_per_s(scene: Scene, amount: Callable[[Grower], Amount]) -> Amount:
    """Requests to objects on average. [1/s]"""
    millions = amount(scene.timeline.object_reads) + amount(scene.timeline.object_writes)
    return millions * PER_MILLION / (scene.hours_per_month * SECONDS_PER_HOUR)


def peak_per_s(plan: ArrayPlan, scene: Scene, month: Amount) -> Amount:
    """Requests a second to all arrays in the 99th percentile of the hours. [1/s]"""
    if plan.array.io is not None:
        return plan.array.io.requests_per_s * plan.requests_fraction
    if scene.demand is None or plan.asked == "nothing":
        return 0.0
    if plan.asked == "objects":
        mean = _objects_per_s(scene, lambda asked: asked.at(month))
        return mean * scene.p99_ratio * plan.requests_fraction
    return scene.timeline.io_per_s.at(month) * plan.requests_fraction


def data_tb(array: ArraySpec, scene: Scene, month: Amount) -> Amount:
    """Data that the arrays are there for. [TB]"""
    if scene.demand is None:
        return scene.stored_tb
    total: Amount = 0.0
    timeline = scene.timeline
    if array.carries != "object":
        total = total + timeline.block_tb.at(month)
    if array.carries != "block":
        total = total + timeline.object_tb.at(month)
    return total


def array_needs(plan: ArrayPlan, scene: Scene, month: Amount, count: Amount) -> dict[str, Amount]:
    """Arrays that each resource needs some months after the start, as real numbers.

    They are of the size that they have where there are so many. Requests and moves share the
    drives.
    """
    array, target = plan.array, 1.0
    fill: Amount = 1.0
    streamed: Amount = 0.0
    if scene.demand is not None:
        fill = fill_ratio(array, scene.work.headroom.disk_fill_fraction)
        target = scene.work.headroom.io_target_fraction
        if plan.asked == "blocks":
            streamed = scene.timeline.throughput_mb_per_s.at(month) * plan.requests_fraction
    needs = {"disk": plan.held_tb(scene, month) / (array.usable_tb * fill)}
    moving: Amount = 0.0
    if plan.tier is not None:
        stored = partial(data_tb, array, scene)
        moved = plan.tier.moved_out_tb(stored, month) + plan.tier.moved_in_tb(stored, month)
        moving = mb_per_s(moved) / (plan.stream_mb_per_s(count) * target)
    asked = peak_per_s(plan, scene, month)
    if not is_zero(asked):
        needs["iops"] = asked / (plan.iops_ceiling_per_s(count) * target) + moving
    if not is_zero(streamed) or not is_zero(moving):
        needs["throughput"] = streamed / (plan.stream_mb_per_s(count) * target) + moving
    return needs


def fill_ratio(array: ArraySpec, disk_fill_fraction: Amount) -> Amount:
    """Data that arrays are sized to over what they may hold.

    The room that a code keeps free on its drives is headroom already: of its fill and the
    workload's the smaller one holds, not both.
    """
    if array.code is None:
        return disk_fill_fraction
    return minimum(disk_fill_fraction / array.code.fill_fraction, 1.0)


def unit_prices_usd(
    array: ArraySpec, scene: Scene, month: Amount, *, filled: bool = True
) -> dict[str, Amount]:
    """Price of the drives of one array, and of the rest of it, after some months. [USD]

    Of one that is not ``filled``, of its spares and its cache.
    """
    drives: Amount = (array.disks_count * filled + array.spares_count) * array.drive_price_usd
    drives = drives * scene.price_factor(array.drive.kind, month)
    if array.cache is not None:
        devices = array.cache.count * array.cache.unit_price_usd
        drives = drives + devices * scene.price_factor("ssd", month)
    enclosure: Amount = array.enclosure.unit_price_usd * array.enclosures_count
    enclosure = enclosure * scene.price_factor("chassis", month)
    return {DRIVES: drives, ENCLOSURES: enclosure}


def mean_per_s(plan: ArrayPlan, scene: Scene, at: int) -> Amount:
    """Requests a second to all arrays on average over the year of an interval. [1/s]

    Draw is near linear in the load, so that a year's energy is that of its mean; waits of small
    writes, which take most of an answer's time, are then found once a year.
    """
    if scene.demand is None or plan.array.io is not None or plan.asked == "nothing":
        return plan.peaks_per_s[at] / (1.0 if scene.demand is None else scene.p99_ratio)
    year = scene.intervals[at].year
    if plan.asked == "objects":
        mean = _objects_per_s(scene, lambda asked: asked.year_mean(year))
        return mean * plan.requests_fraction
    return scene.timeline.io_per_s.year_mean(year) * plan.requests_fraction / scene.p99_ratio


def power_at(plan: ArrayPlan, at: int, requests_per_s: Amount) -> ArrayPower:
    """Draw of one array when all together get some requests."""
    each = requests_per_s / at_least(plan.counts[at], TINY)
    return array_power(plan.array, plan.mix, each, plan.ops, plan.moved(at))


class Draw:
    """What all arrays draw in an interval, at each level of load worked out once."""

    def __init__(self, plan: ArrayPlan, scene: Scene, at: int) -> None:
        """Know the interval's mean load."""
        self._plan, self._count, self._moved = plan, plan.counts[at], plan.moved(at)
        self._room = plan.empties[at]
        self._mean_per_s = mean_per_s(plan, scene, at)
        self._known_w: dict[Amount, Amount] = {}

    def mean_w(self, curve: DurationCurve) -> Amount:
        """Weighted mean over the hours of a curve. [W]"""
        total: Amount = 0.0
        levels = curve.levels
        self._know([value for value, _ in levels])
        for value, share in levels:
            total = total + share * self._known_w[value]
        mean_w = _total(self._count, self._room, total, idle_box(self._plan.array).total_w)
        return folded(mean_w, "Mean power of the arrays over the hours", "W")

    def _know(self, levels: list[Amount]) -> None:
        """Work out the levels that are new: together where all else is one number."""
        fresh = [level for level in levels if level not in self._known_w]
        if len(fresh) >= _TOGETHER:
            first: Any = self._at(fresh[0])
            # Levels that are draws, or remember their steps, are worked out one by one.
            if all(map(is_number, fresh)) and not is_worked(first):
                import numpy as np

                # a level a row: of what is drawn, each trial has a column
                rows = np.array(fresh)[:, None]
                found: Any = self._at(rows)  # type: ignore[arg-type]  # as draws are
                # where nothing depends on the load, one number
                many: Any = np.broadcast_to(found, (len(fresh), np.size(first)))
                each = many[:, 0].tolist() if is_number(first) else list(many)
                self._known_w.update(zip(fresh, each, strict=True))
                return
        self._known_w.update((level, self._at(level)) for level in fresh)

    def _at(self, level: Amount) -> Amount:
        plan = self._plan
        each = self._mean_per_s * level / at_least(self._count, TINY)
        return array_power(plan.array, plan.mix, each, plan.ops, self._moved).total_w


def rack_units(array: ArraySpec) -> Amount:
    """Height of one array."""
    return array.enclosure.rack_units_count * array.enclosures_count


def peak_w(array: ArraySpec, *, filled: bool = True) -> Amount:
    """Draw of one array with every drive at work; not ``filled``: of its spares alone. [W]"""
    drives = (array.disks_count * filled + array.spares_count) * array.drive.active_w
    cache = 0.0 if array.cache is None else array.cache.count * array.cache.device.active_w
    return drives + cache + array.enclosure.power_w * array.enclosures_count


def peak_kw(plan: ArrayPlan, scene: Scene, at: int) -> Amount:
    """Highest draw of all arrays within an interval's hours. [kW]"""
    peak = mean_per_s(plan, scene, at) * scene.curves.load.peak
    box_w = idle_box(plan.array).total_w
    return plan.total(at, power_at(plan, at, peak).total_w, box_w) / WATTS_PER_KW


def failures_per_drive_year(plan: ArrayPlan, scene: Scene, refresh_months: int | None) -> Amount:
    """Failures of one drive a year, with more of them when it is worn beyond its rating. [1/yr]

    The rate is that of reliability.array_loss; wear multiplies it by the share of the rating
    that the time in service uses up, when above 1 (our choice).
    """
    array = plan.array
    years = min(refresh_months or scene.months, scene.months) / MONTHS_PER_YEAR
    rate = -log1p(-minimum(array.drive.afr_fraction, MOST_AFR))
    return rate * maximum(1.0, wear_per_year(plan, scene, -1) * years)


def wear_per_year(plan: ArrayPlan, scene: Scene, at: int) -> Amount:
    """Share of a drive's rated starts, or of its endurance, that a year uses up. [1/yr]

    0 where the endurance is not known.
    """
    array, each = plan.array, mean_per_s(plan, scene, at) / at_least(plan.counts[at], TINY)
    drive = array.drive
    if drive.kind == "ssd":
        random_fraction = 0.0 if plan.mix.pattern == "sequential" else 1.0
        used = endurance_used(drive, written_tb_per_year(plan, each), random_fraction)
        return used + endurance_used(drive, moved_in_tb_per_drive(plan, at), 0.0)
    power = array_power(array, plan.mix, each, plan.ops, plan.moved(at))
    starts = power.starts_per_s / array.serving_count
    return starts * HOURS_PER_YEAR * SECONDS_PER_HOUR / drive.start_stop_rating_count


def moved_in_tb_per_drive(plan: ArrayPlan, at: int) -> Amount:
    """What a drive of a colder tier takes in from the tier before it, with its parity. [TB/yr]"""
    if plan.tier is None:
        return 0.0
    array = plan.array
    fill = 1.0 if array.code is None else array.code.fill_fraction
    of_space = plan.moved_in_tb[at] * fill / (array.usable_tb * at_least(plan.counts[at], TINY))
    return of_space * array.drive.capacity_gb / GB_PER_TB


def written_tb_per_year(plan: ArrayPlan, requests_per_s: Amount) -> Amount:
    """Data that one drive of an array takes in a year, copies and parity included. [TB/yr]"""
    array, mix, ops = plan.array, plan.mix, plan.ops
    writes = requests_per_s * (1.0 - mix.read_fraction)
    if array.cache is not None and array.cache.write_back:
        writes = writes * (1.0 - array.cache.absorbed_fraction)
    per_request = ops.writes_count * mix.request_bytes / ops.reads_count
    per_year = writes * per_request * HOURS_PER_YEAR * SECONDS_PER_HOUR
    return per_year / 1e12 / array.serving_count


def cache_wear_per_year(plan: ArrayPlan, scene: Scene, at: int) -> Amount:
    """Share of the endurance of a cache's device that a year uses up; 0 where it is unknown. [1/yr]

    It takes every write, and every read that it did not answer.
    """
    cache, mix = plan.array.cache, plan.mix
    if cache is None:
        return 0.0
    each = mean_per_s(plan, scene, at) / at_least(plan.counts[at], TINY)
    filled = 1.0 - mix.read_fraction * cache.hit_fraction
    written = each * filled * mix.request_bytes * HOURS_PER_YEAR * SECONDS_PER_HOUR
    return endurance_used(cache.device, written / 1e12 / cache.count)


def replaced_per_year(plan: ArrayPlan, scene: Scene, refresh_months: int | None) -> Amount:
    """Drives replaced a year as a share of those in place, healthy ones by mistake included."""
    failures = failures_per_drive_year(plan, scene, refresh_months)
    return failures / (1.0 - plan.array.false_replacement_fraction)
