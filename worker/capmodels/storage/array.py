"""A disk array, request by request: response, power by state, energy and wear.

After Papathanasiou and Scott 2004 (TR 837), Lee et al. 2008 and the drives' power states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, ValidationInfo, field_validator

from capmodels.errors import ModelError
from capmodels.formats.trace_store import TraceRef, rows_count
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    assumed,
    refusal,
)
from capmodels.storage.drive.drives import ST3500320AS, ULTRASTAR_15K73
from capmodels.storage.simulator.answer import result_of
from capmodels.storage.simulator.arrivals import ExponentialArrivals
from capmodels.storage.simulator.extras import Timeouts
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import (
    ArrayDesign,
    CacheTier,
    Dispatch,
    Replay,
    SyntheticWorkload,
    Workload,
    YearTerms,
)
from capmodels.storage.simulator.results import ArrayResult
from capmodels.storage.simulator.short_way import takes_short_way
from capmodels.units import Count, CountFromOne, Fraction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from capmodels.storage.simulator.replay import Recording, Requests
    from capmodels.storage.simulator.run import Outcome

# About a minute of the fastest simulations, an hour of the slowest.
REQUESTS_MAX = 100_000_000
# Of requests times disks: a write of copies or a stripe may ask every disk.
WORK_MAX = 1_000_000_000
# Of one chunk of a long run: some hundredths of a second to some seconds.
CHUNK_REQUESTS = 150_000
_TR837 = "Papathanasiou and Scott 2004, TR 837"


class ArrayParams(Params):
    """An array, a workload, and how long to look."""

    array: ArrayDesign = ArrayDesign()
    workload: Workload = SyntheticWorkload()
    trace: TraceRef | None = Field(
        default=None, description="Recorded requests, in place of the workload."
    )
    replay: Replay = Field(default=Replay(), description="How recorded requests are put to it.")
    replicates_count: Annotated[CountFromOne, Field(le=1000, validate_default=True)] = assumed(
        1, "Put together in order.", title="Independent runs"
    )

    @field_validator("replicates_count")
    @classmethod
    def _bounded(cls, value: int, info: ValidationInfo) -> int:
        work = info.data.get("workload")
        if work is None or info.data.get("trace") is not None or work.kind != "synthetic":
            return value
        if value * work.requests_count > REQUESTS_MAX:
            text = f"All runs together may have {REQUESTS_MAX:,} requests."
            raise refusal("too_many", text)
        array = info.data.get("array")
        disks = 1 if array is None else array.layout.disks_count
        if value * work.requests_count * disks > WORK_MAX:
            most = WORK_MAX // disks
            text = f"All runs together may have {most:,} requests on {disks} disks."
            raise refusal("too_many", text)
        return value

    stop_interval_fraction: Fraction = assumed(
        0.0,
        "Stop when half of the mean's 95% interval is this share of it; 0: never.",
        title="Stop at a mean known to",
    )
    curve_points_count: Annotated[Count, Field(le=20)] = assumed(
        0, "Loads at which throughput against response is measured; random requests only."
    )
    years: YearTerms = Field(
        default=YearTerms(), description="What a year costs, and how soon a lost disk is replaced."
    )


def takes_short_way_alone(params: ArrayParams) -> bool:
    """Whether a run needs no kernels but those of the short way."""
    work = params.workload
    drawn = params.trace is None and work.kind == "synthetic" and work.arrivals.kind != "closed"
    return drawn and params.curve_points_count == 0 and takes_short_way(params.array)


def _replayed(params: ArrayParams, context: Context) -> Outcome | None:
    """Outcome of recorded requests, None when requests are drawn."""
    from capmodels.storage.simulator.replay import in_memory, requests_of, run_trace

    if params.trace is not None:
        recording = _stored(params.trace)
        _refuse_too_many(rows_count(params.trace), params.array.layout.disks_count)
    elif params.workload.kind == "trace":
        recording = in_memory(requests_of(params.workload))
    else:
        return None
    return run_trace(
        params.array,
        recording,
        params.replay,
        seed=context.seed,
        report=context.report,
        stop_ci_fraction=params.stop_interval_fraction,
    )


def _refuse_too_many(requests: int, disks: int) -> None:
    if requests * disks > WORK_MAX:
        message = (
            f"A trace on {disks} disks may have {WORK_MAX // disks:,} requests; "
            f"this one has {requests:,}. Choose fewer disks."
        )
        raise ModelError(message)


def _stored(ref: TraceRef) -> Recording:
    """An uploaded trace, read piece by piece as often as it is asked for."""
    from capmodels.formats.trace_store import block_pieces
    from capmodels.storage.simulator.replay import Recording, Requests

    def pieces() -> Iterator[Requests]:
        for piece in block_pieces(ref):
            yield Requests(
                piece.time_s, piece.device, piece.block_lba, piece.size_blocks, piece.is_read
            )

    return Recording(pieces)


def _drawn(params: ArrayParams, work: SyntheticWorkload, context: Context) -> Outcome:
    from capmodels.storage.simulator.packing import unpacked

    total = params.replicates_count
    if total == 1:
        return _one(params, work, seed=context.seed, index=0, report=context.report)
    many = max(1, CHUNK_REQUESTS // work.requests_count)
    chunks = [
        {
            "version": SPEC.version,
            "params": params.model_dump(mode="json"),
            "seed": context.seed,
            "first": first,
            "last": min(first + many, total) - 1,
        }
        for first in range(0, total, many)
    ]
    # Put together in the order of replicates, whoever did them: sums are the same to the last bit.
    found = context.run_chunks(replicates, chunks)
    outcomes = (outcome for data in found for outcome in unpacked(data))
    outcome = next(outcomes)
    for other in outcomes:
        outcome = outcome.merged(other)
    return outcome


def replicates(chunk: dict[str, Any], report: Callable[[float, str], None]) -> bytes:
    """Do some of a run's replicates: a chunk of its work."""
    from capmodels.storage.simulator.packing import packed

    if chunk["version"] != SPEC.version:
        message = f"This chunk is of version {chunk['version']}, this is {SPEC.version}."
        raise ModelError(message)
    params = ArrayParams.model_validate(chunk["params"])
    first, total = chunk["first"], chunk["last"] - chunk["first"] + 1

    def one(place: int) -> Outcome:
        return _one(
            params,
            params.workload,  # type: ignore[arg-type]  # only drawn requests are repeated
            seed=chunk["seed"],
            index=first + place,
            report=lambda fraction, text: report((place + fraction) / total, text),
        )

    return packed([one(place) for place in range(total)])


def _one(
    params: ArrayParams,
    work: SyntheticWorkload,
    *,
    seed: int,
    index: int,
    report: Callable[[float, str], None],
) -> Outcome:
    from capmodels.storage.simulator.run import replicate

    return replicate(
        params.array,
        work,
        seed=seed,
        index=index,
        report=report,
        stop_ci_fraction=params.stop_interval_fraction,
    )


def _run(params: ArrayParams, context: Context) -> ArrayResult:
    outcome = _replayed(params, context)
    if outcome is not None:
        closed = params.replay.timing == "closed"
        return result_of(params.array, outcome, closed=closed, years=params.years)
    from capmodels.storage.simulator.curve import Curve, response_curve

    work = params.workload
    if work.kind != "synthetic":
        raise TypeError(work.kind)
    return result_of(
        params.array,
        _drawn(params, work, context),
        closed=work.arrivals.kind == "closed",
        years=params.years,
        curve=response_curve(
            Curve(params.array, work, context.seed), params.curve_points_count, context.report
        ),
    )


def _points(params: ArrayParams) -> int:
    if params.trace is not None:
        return rows_count(params.trace)
    if params.workload.kind == "trace":
        return len(params.workload.starts_ms)
    return params.workload.requests_count * params.replicates_count


SERVER = ArrayDesign(
    drive=ULTRASTAR_15K73, layout=Layout(kind="single", disks_count=1), timeouts=None
)
ALWAYS_ON = ArrayDesign(dispatch=Dispatch(kind="shortest_queue"), timeouts=None)
# Checked with small writes that hold their disks: so the rows of the 2008 buffer stand.
RAID5 = ArrayDesign(
    drive=ST3500320AS,
    layout=Layout(kind="raid5", disks_count=4, locked_updates=True),
    timeouts=None,
)


def mobile(threshold: int) -> ArrayDesign:
    """Three laptop disks that hold the same data, filled one after another."""
    return ArrayDesign(dispatch=Dispatch(queue_threshold_count=threshold), timeouts=Timeouts())


def _answer(array: ArrayDesign, work: SyntheticWorkload, seed: int = 1) -> ArrayResult:
    return _run(ArrayParams(array=array, workload=work), Context(seed=seed))


def _exp(mean_ms: float, count: int = 200_000) -> SyntheticWorkload:
    return SyntheticWorkload(arrivals=ExponentialArrivals(mean_ms=mean_ms), requests_count=count)


def _cache_saving() -> float:
    """Energy per request that the solid-state write buffer saves at 100 requests/s."""
    work = SyntheticWorkload(
        arrivals=ExponentialArrivals(mean_ms=10.0),
        requests_count=100_000,
        read_fraction=0.3,
        size_bytes=16_384,
    )
    cached = RAID5.model_copy(update={"cache": CacheTier(hit_fraction=0.3)})
    plain = _answer(RAID5, work).energy_per_1000_requests_j
    return 1 - _answer(cached, work).energy_per_1000_requests_j / plain


_CHECKS = (
    Check(
        id="S9",
        title="Three laptop disks, always on, 125 requests/s: power",
        source="n P_idle + (P_active - P_idle) arrival rate service time",
        published=6.915,
        tolerance=0.035,
        unit="W",
        basis="derived",
        compute=lambda: _answer(ALWAYS_ON, _exp(8.0)).power_w,
        kind="predicted",
        tests="storage.drive.drives.HardDisk.active_w",
    ),
    Check(
        id="S22",
        title="RAID-5 with a solid-state buffer, 30% reads, 100 requests/s: saving",
        source="Lee, Lee and Noh 2008, section 4",
        published=0.14,
        printed="approximately 14%",
        tolerance=0.012,
        unit="fraction",
        compute=_cache_saving,
        kind="fitted",
        tests="storage.drive.drives.HardDisk.active_w",
        wider="'Approximately'.",
        fitted_to="This saving: the paper prints no share of reads, 30% is ours.",
    ),
)

SPEC = ModelSpec(
    id="storage.array",
    version="1.23.0",
    title="Disk array, simulated",
    summary="Simulates an array of disks or solid-state drives request by request: response "
    "times, power by state, energy, spin-ups and wear, with caches, parity and sleeping copies.",
    params=ArrayParams,
    result=ArrayResult,
    run=_run,
    points=_points,
    instant=False,
    quick_limit=5_000_000,
    stochastic=True,
    citations=(
        Citation(
            text="A. E. Papathanasiou, M. L. Scott, Power-efficient Server-class Performance "
            "from Arrays of Laptop Disks, University of Rochester TR 837, May 2004",
        ),
        Citation(
            text="H. J. Lee, K. H. Lee, S. H. Noh, Augmenting RAID with an SSD for Energy "
            "Relief, HotPower 2008",
        ),
        Citation(text="OpenZFS, module/zfs/vdev_draid.c: declustered stripes and spares"),
        Citation(text="H. P. Anvin, The mathematics of RAID-6, 2004"),
        Citation(text="Linux kernel, drivers/md/raid5.c: what a write to a stripe reads first"),
    ),
    formulas=(
        Formula(
            id="service",
            text="S = overhead + seek(d) + U(0, turn) + bytes / rate",
            source="definition; Lee 1993 for the seek curve",
        ),
        Formula(
            id="energy",
            text="E = sum over states (P_state t_state) + sum over transitions E",
            source="TR 837, table 2",
        ),
        Formula(
            id="waking",
            text="one user, host asleep until the answer: response + waking, and the next request "
            "waking + think time after that",
            source="ours, as `storage.calibrate_drive` finds it; with more users it stays awake",
        ),
    ),
    checks=_CHECKS,
    limits=(
        "The simulations of TR 837 beyond its abstract, and its drives' time-outs, are lost: "
        "defaults are break-even times.",
        "Eviction and destage of the 2008 cache are not published: oldest clean first, dirty "
        "blocks from 70% on.",
        "Prefetching into that cache, its authors' next step, is not modelled: they print neither "
        "what they would fetch nor when. A cache that is filled beforehand bounds it from above.",
        "A cache of those years slows small random writes down; give the device that latency to "
        "study it.",
        "A drive that writes behind holds one write at a time unless it is told to hold more; a "
        "read-ahead starts after a miss. A drive as it was measured follows what a calibration "
        "found instead.",
        "A small write of parity arrays reads old data and parity, and writes both when both are "
        "read. Held small writes (locked updates) stand for disks that read, change and write in "
        "one command, as SCSI's XDWRITE had it: a turn between, nothing else in the meantime.",
        "Until a rebuild is done every request finds its disks lost. It goes over all of them in "
        "one pass, reads ahead by one piece, and is no faster than a spare writes.",
        "A declustered array lays stripes as OpenZFS's dRAID does, 16 MiB of a disk together; its "
        "rebuild has pieces of 4 MiB, half as many at once as there are disks, and what is done "
        "serves requests only once all is.",
        "Disks that sort their queues sort what a rebuild and a cache put to them along with the "
        "requests.",
        "Of a RAID-6 with one disk lost, only as many disks are read as are needed; Linux md reads "
        "all. Where parities are worked out anew, the rest of a chunk that is written in part is "
        "not read.",
        "The chance of data loss takes failures as independent, at a constant rate, and repairs of "
        "each lost disk on its own.",
        "Dirty blocks of a cache go to the disks when a missed read or a destage wakes one of "
        "them; what is dirty at the end stays in the cache, and is counted apart.",
        "Intervals of percentiles take the responses to hang together as their batch means do.",
        "Writes to solid-state drives count as random, those of runs by the share that does not go "
        "on; without dies reads wait for any channel, not for the die that has their data.",
        "Of a drive with dies a request passes the link when it comes, before it waits for a die; "
        "a write takes the first die that is free; pages lie on dies in turn.",
        "Of a drive whose fill level is given, writes pay for what is moved in blocks, as the full "
        "drive's rates say it costs; a read waits for a step of its die, or any channel. What is "
        "moved while a drive rests is not in its power, and nothing is owed at the start.",
        "A memory that holds writes answers no reads of them, and is not lost with the power.",
        "Blocks by popularity are as far apart as the largest request; a request of any size "
        "starts where its block does. A run goes on where the last request ended, whatever their "
        "sizes.",
        "Of known tracks every zone starts at the index mark; a request that runs past the end of "
        "a zone goes on at that zone's pace. Without skews a change of track takes what a write "
        "needs, the move and its settling.",
        "Where the angle is followed, disks of an array start the golden section of a turn apart, "
        "and each turns slower than the one before by 0.002%, so that they do not stay in step.",
        "Where the angle is followed, a drive without a buffer of its own misses the next sector "
        "when a read comes later than the end of the last one.",
        "Copies in free space take the free space to lie at the end of every region, also where "
        "requests go there. A table of a million entries holds the copies of all disks and what "
        "was read in an epoch; what finds no entry is not copied, and the answer says so.",
        "A disk that sleeps at the end of an epoch copies when it next wakes. Copies are written "
        "from memory, in pieces of 64 KiB that wait in the disk's queue one at a time; dispatch "
        "and sorting go by the place of the original. Rebuilds are neither counted nor turned.",
    ),
)
