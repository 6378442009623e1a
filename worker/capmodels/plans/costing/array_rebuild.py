"""How fast the arrays of a design rebuild a lost drive beside their requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capmodels.amounts import as_number
from capmodels.plans.costing.array_cost import mean_per_s
from capmodels.plans.costing.array_load import disk_rates, second_phases
from capmodels.storage.closed_form.rebuild import (
    Survivors,
    bound_words,
    rebuild_rate_mb_per_s,
    unknown_words,
)
from capmodels.storage.closed_form.spread_rebuild import (
    BELIEVED_LOAD,
    Spread,
    spread_rebuild_mb_per_s,
)
from capmodels.storage.cluster.links import Asked
from capmodels.storage.drive.service import MS_PER_S, Moments, mixed_moments

if TYPE_CHECKING:
    from capmodels.plans.costing.array_cost import ArrayPlan
    from capmodels.plans.costing.array_load import DiskRates
    from capmodels.plans.costing.scene import Scene


class Beside(NamedTuple):
    """A rebuild beside requests: its rate, why that is unknown, or that it is at most so much."""

    mb_per_s: float | None = None  # None: unknown, or as entered
    unknown: str | None = None
    bound: str | None = None


class _Width(NamedTuple):
    """Disks that share what one of them lost, and how many of those left read a piece of it."""

    disks_count: int
    reading_count: int


def rebuild_beside(plan: ArrayPlan, scene: Scene) -> Beside:
    """Rate beside the mean requests of the last interval. [MB/s]

    Of drives in groups or spread over all; of a declustered array each drive that is left reads and
    writes so much. Arrays that nothing is asked of are taken to keep the rate as entered. With a
    time of repair that is entered the rate does not matter.
    """
    array = plan.array
    count, width, channels = as_number(plan.counts[-1]), _width(plan), plan.ops.channels
    if width is None or count == 0 or array.mttr_h is not None:
        return Beside()
    rates = disk_rates(array, plan.mix, as_number(mean_per_s(plan, scene, -1)) / count)
    asked = _asked(plan, rates, width)
    total = sum(each for each, _ in asked)
    if total == 0:
        return Beside()
    one = mixed_moments([(each / total, moments) for each, moments in asked])
    request = Moments(one.mean_ms / channels, one.mean_square_ms2 / channels**2)
    left = Survivors(width.reading_count, width.disks_count - 1, total, request)
    if not array.declustered:
        more = _busiest_more(asked[0][0], width) if array.parities else 0.0
        left = left._replace(busiest_ratio=1 + more * asked[0][1].mean_ms / total / one.mean_ms)
        rate = rebuild_rate_mb_per_s(array.drive, left, array.rebuild_mb_per_s)
    else:
        spread = Spread(array.per_group, int(array.spares_count))
        rate = spread_rebuild_mb_per_s(array.drive, left, spread, array.rebuild_mb_per_s)
    load = left.busiest_load
    if rate is None:
        return Beside(unknown=unknown_words(load))
    above = array.declustered and load > BELIEVED_LOAD
    return Beside(rate, bound=bound_words(load) if above else None)


def asked_of_cluster(plan: ArrayPlan, scene: Scene, clusters: float) -> Asked:
    """Mean requests of the last interval to one of so many clusters."""
    requests = as_number(mean_per_s(plan, scene, -1)) / clusters
    reads = requests * plan.mix.read_fraction
    return Asked(reads, requests - reads, plan.mix.request_bytes)


def _width(plan: ArrayPlan) -> _Width | None:
    array = plan.array
    if array.code is not None:
        return None
    if array.declustered:
        # Without room for a rebuild none begins until a drive is replaced.
        reading = array.per_group - array.parities
        return _Width(array.serving_count, reading) if array.spares_count >= 1 else None
    if array.parities:
        return _Width(array.per_group, array.per_group - array.parities)
    return _Width(int(array.copies), 1) if array.copies > 1 else None


def _asked(plan: ArrayPlan, rates: DiskRates, width: _Width) -> list[tuple[float, Moments]]:
    """What a disk that is left is asked each ms, with what the lost one was asked. [1/ms]

    A read of the lost disk reads as many others as hold data; a small write to it all the other
    data of its stripe, so that the parities can be worked out anew.
    """
    ops, each = plan.ops, MS_PER_S * as_number(plan.array.serving_count)
    disks, reading = width
    reads = as_number(rates.reads) * ops.reads_count / each
    writes = as_number(rates.writes) * ops.writes_count / each
    asked = [(reads * (1 + reading / (disks - 1)), ops.read), (writes, ops.write)]
    found = second_phases(plan.array, ops, rates)
    if found is not None:
        anew = writes / ops.writes_count * (reading - 1) / (disks - 1)
        asked[1:] = [(writes + anew, ops.read), (writes, found[1].second)]
    return asked


def _busiest_more(reads_per_ms: float, width: _Width) -> float:
    """What the disk asked most reads a ms beyond the mean, of reads and those for the lost one.

    Parities after the first are not read for a lost disk. They go round the disks with the data, so
    that the disk after the lost one never holds one beside what was lost, and reads for all of it.
    """
    left, reading = width.disks_count - 1, width.reading_count
    return reads_per_ms * (left - reading) / (left + reading)
