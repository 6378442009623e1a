"""What can be said of an array, as it is entered, before it is simulated.

Whether there is a closed form and what it says, when resting pays, what a swap of drives saves, how
flash wears, and what a disk's tracks come to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from capmodels.numbers import percent, quantity, significant
from capmodels.spec import Check, Citation, Context, ModelSpec, Params, Result, assumed, one_point
from capmodels.storage.closed_form.array_instant import SPEC as INSTANT
from capmodels.storage.closed_form.params import ArrayInstantParams, ArrayInstantResult, Replaced
from capmodels.storage.closed_form.swap_words import swap_sentence
from capmodels.storage.closed_form.two_phases import ABOVE_LOAD
from capmodels.storage.drive.drives import ULTRASTAR_15K73, Drive, HardDisk
from capmodels.storage.drive.geometry import DiskGeometry
from capmodels.storage.drive.state_diagram import Idle, StateDiagram, device_line, state_diagram
from capmodels.storage.drive.times import break_even_timeouts_s
from capmodels.storage.drive.track_estimate import DriveTracks, estimated_tracks, tracks_of
from capmodels.storage.simulator.arrival_rates import mean_rate_per_s
from capmodels.storage.simulator.arrivals import BurstyArrivals
from capmodels.storage.simulator.copies_slots import REGIONS_MAX
from capmodels.storage.simulator.drawn import DrawnArray, drawn, may_sleep, shape_of
from capmodels.storage.simulator.extras import COPY_BLOCK_BYTES, SECTOR_BYTES
from capmodels.storage.simulator.layout import MIRRORED, PARITIES, losses_survived
from capmodels.storage.simulator.params import ArrayDesign, SyntheticWorkload
from capmodels.storage.simulator.request_sizes import mixes_of, sizes_text
from capmodels.storage.simulator.told import life_text
from capmodels.units import Count, DurationS, RatePerS, Real, UsdPerKwh

if TYPE_CHECKING:
    from capmodels.storage.closed_form.flash_use import FlashUse

_FORMS = {
    "single": "raid0",
    "raid0": "raid0",
    "concatenated": "raid0",
    "raid1": "mirrored_set",
    "mirrored_set": "mirrored_set",
    "raid10": "raid10",
    "raid5": "raid5",
    "raid6": "raid6",
    "raid7": "raid7",
    "draid1": "draid1",
    "draid2": "draid2",
    "draid3": "draid3",
}
# One disk after another is used as the load grows.
_FILLED = {"primary_first", "response_time"}
Bytes = Annotated[Real, Field(ge=0, json_schema_extra={"unit": "B"})]


class OutlookParams(Params):
    """An array, its requests, and what it takes the place of."""

    array: ArrayDesign = ArrayDesign()
    workload: SyntheticWorkload = SyntheticWorkload()
    recorded: bool = Field(default=False, description="Requests are recorded ones, not drawn.")
    replaces: Replaced | None = Field(
        default=None, description="Drives to compare with: what the swap saves, and when it pays."
    )
    energy_usd_per_kwh: Annotated[UsdPerKwh, Field(ge=0)] = assumed(0.10, "Price of energy.")


class OutlookResult(Result):
    """What holds at once, and why the rest needs a simulation."""

    closed_form: ArrayInstantResult | None
    no_closed_form: str | None = Field(description="Why there is none.")
    response_withheld: str | None = Field(description="Why its mean response does not hold.")
    note: str | None = Field(description="What the closed form takes otherwise than entered.")
    arrival_rate_per_s: RatePerS | None = Field(
        description="Mean rate; empty in a closed loop, where the array sets the pace."
    )
    request_bytes: Bytes = Field(description="Mean size, in whole sectors.")
    requests: str = Field(description="Their rate, share of reads and sizes, in a line.")
    low_power_idle_s: DurationS | None = Field(description="Break-even idle time.")
    standby_s: DurationS | None = Field(description="Break-even idle time.")
    losses_survived_count: Count
    wear: str | None = Field(description="As far as it is known before a run.")
    swap: str | None = Field(description="What the array saves over the drives that it replaces.")
    tracks: DriveTracks | None = Field(description="Of a disk whose tracks are known.")
    estimated_tracks: DiskGeometry | None = Field(
        description="Tracks that hold a disk's capacity at its rates, until its own are entered."
    )
    drawn: DrawnArray
    power_states: StateDiagram = Field(description="Of the drive, with its idle times.")
    cache_device: str | None = Field(description="The figures of the cache's device that count.")
    copies_region_bytes: Bytes = Field(
        description="Regions for copies in free space that are large enough for these disks."
    )


def no_closed_form(params: OutlookParams) -> str | None:
    """Why there is no closed form for an array; None when there is one."""
    array, work = params.array, params.workload
    if params.recorded:
        return "There is no closed form for recorded requests: simulate."
    if work.arrivals.kind == "closed":
        return "In a closed loop the array sets the pace: simulate."
    if work.addresses.kind == "sequential":
        return "There is no closed form for sequential runs: simulate."
    if array.drive.kind == "hdd" and array.drive.seek.kind != "three_point":
        return "The closed form needs a three-point seek curve."
    rules = (
        (array.cache is not None, "an array with a cache"),
        (array.copies is not None, "copies in free space"),
        (array.scheduler != "fcfs", "a sorted queue"),
        (array.controller is not None, "a controller’s own time"),
        (_follows_fill(array.drive), "flash that collects, or an SLC cache"),
        (array.layout.failed_disk_count > 0, "a lost disk"),
    )
    of = next((words for holds, words in rules if holds), None)
    return None if of is None else f"There is no closed form for {of}: simulate."


def _follows_fill(drive: Drive) -> bool:
    return drive.kind == "ssd" and (drive.fill_fraction is not None or drive.slc is not None)


def taken_otherwise(params: OutlookParams) -> str | None:
    """What the closed form takes otherwise than it was entered."""
    array, addresses = params.array, params.workload.addresses
    buffered = array.drive.kind == "hdd" and array.drive.buffer is not None
    filled = array.layout.kind in MIRRORED and array.dispatch.kind in _FILLED
    rules = (
        (addresses.kind in {"zipf", "regions"}, "as if all places were read alike"),
        (filled, "as if the copies shared the reads evenly"),
        (buffered, "without the disks’ own cache"),
    )
    parts = [words for holds, words in rules if holds]
    return f"In closed form, {', '.join(parts)}." if parts else None


def _closed_form(params: OutlookParams, rate: float) -> ArrayInstantResult:
    array, work = params.array, params.workload
    drive = array.drive
    if drive.kind == "hdd" and array.timeouts is None:
        # Disks that never sleep are asked about as if they could not.
        drive = drive.model_copy(update={"standby": None})
    asked = ArrayInstantParams.model_validate(
        {
            "drive": drive,
            "layout": _FORMS[array.layout.kind],
            "disks_count": array.layout.disks_count,
            "locked_updates": array.layout.locked_updates,
            "arrival_rate_per_s": rate,
            "read_fraction": work.read_fraction,
            "size_bytes": work.size_bytes,
            "sizes": work.sizes,
            "write_sizes": work.write_sizes,
            "replaces": params.replaces,
            "energy_usd_per_kwh": params.energy_usd_per_kwh,
        }
    )
    return INSTANT.run(asked, Context())


def _wear(array: ArrayDesign, flash: FlashUse | None) -> str | None:
    if flash is not None:
        if not flash.drive_writes_per_day:
            return "nothing written"
        written = f"{significant(flash.drive_writes_per_day)} drive writes a day"
        if flash.wear_years is None:
            return f"{written}; the drive has no rated writes"
        return f"{written}, worn in {life_text(flash.wear_years)} by closed form"
    spins = array.drive.kind == "hdd" and array.timeouts is None and array.cache is None
    return "no start-stops: its disks always spin" if spins else None


def _idle_s(array: ArrayDesign, pays: tuple[float | None, float | None]) -> Idle:
    """Idle times after which disks rest: as entered, else those at which it pays."""
    if (own := array.timeouts) is None:
        return (None, None)
    low, standby = own.low_power_idle_s, own.standby_s
    return (pays[0] if low is None else low, pays[1] if standby is None else standby)


def _region_bytes(array: ArrayDesign) -> int:
    """Regions at their default, doubled until the simulator can count them all."""
    size = 536_870_912
    disks = 1 if array.layout.kind == "single" else array.layout.disks_count
    blocks = array.drive.capacity_gb * 1e9 / COPY_BLOCK_BYTES
    while blocks / (size // COPY_BLOCK_BYTES) * disks > REGIONS_MAX - disks:
        size *= 2
    return size


def _withheld(params: OutlookParams, found: ArrayInstantResult | None) -> str | None:
    """Why the mean response is not said; None where it is, or there is no closed form."""
    array, work = params.array, params.workload
    if work.arrivals.kind in {"pareto", "mmpp"}:
        return "Requests that bunch wait longer than the closed form says: simulate."
    reads_first = array.layout.kind in PARITIES and not array.layout.locked_updates
    if found is None or array.drive.kind == "ssd" or not reads_first or work.read_fraction == 1:
        return None
    return ABOVE_LOAD if found.carries_load and found.write_response_ms is None else None


def _run(params: OutlookParams, _context: Context) -> OutlookResult:
    array, work = params.array, params.workload
    drive, layout = array.drive, array.layout
    none, rate = no_closed_form(params), mean_rate_per_s(work.arrivals)
    found = _closed_form(params, rate) if none is None and rate is not None else None
    awake = found.awake_count if found is not None and may_sleep(array) else None
    rests = break_even_timeouts_s(drive) if drive.kind == "hdd" else (None, None)
    mixes = mixes_of(work.size_bytes, work.sizes, work.write_sizes)
    reads = work.read_fraction
    mean_bytes = reads * mixes.reads.mean_bytes + (1 - reads) * mixes.writes.mean_bytes
    return OutlookResult(
        closed_form=found,
        no_closed_form=none,
        response_withheld=_withheld(params, found),
        note=taken_otherwise(params) if none is None else None,
        arrival_rate_per_s=rate,
        request_bytes=max(round(mean_bytes / SECTOR_BYTES), 1) * SECTOR_BYTES,
        requests=", ".join(
            (
                "closed loop" if rate is None else quantity(rate, "1/s"),
                "reads" if reads == 1 else f"{percent(reads)} reads",
                sizes_text(mixes, reads),
            )
        ),
        low_power_idle_s=rests[0],
        standby_s=rests[1],
        losses_survived_count=losses_survived(layout.kind, layout.disks_count),
        wear=_wear(array, None if found is None else found.flash),
        swap=swap_sentence(params.replaces, array, found, none),
        tracks=tracks_of(drive) if isinstance(drive, HardDisk) else None,
        estimated_tracks=estimated_tracks(drive) if isinstance(drive, HardDisk) else None,
        drawn=drawn(shape_of(array, awake)),
        power_states=state_diagram(drive, _idle_s(array, rests)),
        cache_device=None if array.cache is None else device_line(array.cache.device),
        copies_region_bytes=_region_bytes(array),
    )


def _held_gb() -> float:
    """What the estimated tracks of the server disk hold. [GB]"""
    tracks = estimated_tracks(ULTRASTAR_15K73)
    known = ULTRASTAR_15K73.model_copy(update={"geometry": tracks})
    found = tracks_of(known)
    return 0.0 if found is None else found.held_gb


_CHECKS = (
    Check(
        id="rate",
        title="Mean rate of a quiet minute at 10 requests/s and 5 busy seconds at 200/s",
        source="(60 s x 10/s + 5 s x 200/s) / 65 s",
        published=1600 / 65,
        unit="1/s",
        basis="derived",
        compute=lambda: mean_rate_per_s(BurstyArrivals()) or 0.0,
        kind="arithmetic",
        tests="storage.simulator.arrivals.BurstyArrivals.quiet_stay_ms",
    ),
    Check(
        id="tracks",
        title="Estimated tracks of the Ultrastar 15K73 hold its capacity",
        source="its data sheet: 73.9 GB",
        published=73.9,
        tolerance=0.739,
        unit="GB",
        basis="published",
        compute=_held_gb,
        kind="fitted",
        tests="storage.drive.drives.HardDisk.capacity_gb",
        wider="Whole tracks.",
        fitted_to="This capacity: the tracks of zones that nobody publishes are scaled to it.",
    ),
)

SPEC = ModelSpec(
    id="storage.array_outlook",
    version="1.5.0",
    title="Disk array at once",
    summary="What can be said of an array before it is simulated: the closed form where there is "
    "one and why there is none elsewhere, break-even idle times, what a swap of drives saves, wear "
    "of flash, and what a disk's tracks come to.",
    params=OutlookParams,
    result=OutlookResult,
    run=_run,
    points=one_point,
    citations=(
        *INSTANT.citations,
        Citation(
            text="Fischer and Meier-Hellstern, The Markov-modulated Poisson process (MMPP) "
            "cookbook, Performance Evaluation 18, 1993: mean rate of two rates",
            url="https://doi.org/10.1016/0166-5316(93)90035-S",
        ),
    ),
    checks=_CHECKS,
    formulas=INSTANT.formulas,
    limits=INSTANT.limits,
)
