"""A solid-state drive fitted to its latencies by depth, reads and writes. [ms]"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from capmodels.storage.calibration.dies_fit import DiesFit, fit_dies
from capmodels.storage.calibration.loop_fit import (
    LoopFit,
    channels_of,
    fit_loop,
    host_bounds,
    on_ceiling,
)
from capmodels.storage.calibration.waits_fit import fit_waits
from capmodels.storage.drive.dies import Dies
from capmodels.storage.drive.service import transfer_ms
from capmodels.storage.simulator.dies_loop import COUNT, DEPTH_MAX, DieTimes, loop_ms, times_of

if TYPE_CHECKING:
    from capmodels.storage.calibration.depth_rows import Way
    from capmodels.storage.calibration.one_state import Steady
    from capmodels.storage.drive.drives import SolidState

# At all depths together: the chances of which die is asked then move no latency by half a percent.
_FOLLOWED_COUNT = 1_400_000


@lru_cache(maxsize=512)
def _latency_ms(depth: int, dies: int, times: DieTimes, of: tuple[float, float, int]) -> float:
    reads, host, count = of
    return loop_ms(depth, dies, times, read_fraction=reads, host_ms=host, count=count)


class FlashFit(NamedTuple):
    """The fitted drive, and what its reads and writes do."""

    drive: SolidState
    reads: LoopFit
    writes: LoopFit | None
    size_bytes: int
    # Reads that are followed at a depth, where dies are drawn.
    followed_count: int

    def loop(self, way: Way) -> LoopFit | None:
        """The law of one direction; None: not told."""
        return self.reads if way == "read" else self.writes

    def at(self, way: Way, depth_count: int) -> float | None:
        """Latency of the drive with so many requests outstanding; None: not told. [ms]"""
        fit = self.loop(way)
        if fit is None:
            return None
        if self.drive.dies is None and not fit.wait_ms:
            return fit.at(depth_count)
        times = times_of(self.drive, self.size_bytes, self.size_bytes)
        host = fit.host.at(depth_count)
        held = min(depth_count, DEPTH_MAX)
        of = (float(way == "read"), host, self.followed_count if way == "read" else COUNT)
        waiting = times._replace(write_wait=fit.wait_ms)
        found = _latency_ms(held, self.drive.channels_count, waiting, of)
        return (found + host) * depth_count / held - host


def fit_flash(drive: SolidState, size_bytes: int, reads: Steady, writes: Steady) -> FlashFit:
    """The drive that reads and writes as was measured; dies only where the reads ask for them."""
    reading, writing = _loop(reads), _loop(writes) if writes.used else None
    # A host that limits the requests hides what the drive does, unless its waking is told apart.
    seen = writes.wake_ms > 0 or not host_bounds(writes.used)
    if writing is not None and writes.at_once_ms is None and seen:
        writing = fit_waits(writes.used, writing)
    found, followed = None, max(_FOLLOWED_COUNT // len(reads.used), COUNT)
    if reads.at_once_ms is None:
        found = fit_dies(tuple(reads.used), reading, channels_of([writing]) if writing else 1)
    if found is None:
        both = {"read": reading, **({"write": writing} if writing else {})}
        one = _on_channels(drive, both, size_bytes)
        return FlashFit(one, reading, writing, size_bytes, followed)
    reading = LoopFit(found.alone_ms, found.most_per_ms, reading.host)
    one = _on_dies(drive, found, writing, size_bytes)
    return FlashFit(one, reading, writing, size_bytes, followed)


def _loop(rows: Steady) -> LoopFit:
    """Latency alone and ceiling; where the rows' medians tell the one, all means tell the other."""
    if rows.at_once_ms is None:
        return fit_loop(rows.used, rows.wake_ms)
    return on_ceiling(rows.at_once_ms, rows.used, rows.wake_ms)


def _on_channels(drive: SolidState, fits: dict[str, LoopFit], size_bytes: int) -> SolidState:
    """The drive that answers as was fitted, and holds its channels up to its ceiling.

    Its rates with all channels are kept.
    """
    channels = channels_of(list(fits.values()))
    update: dict[str, Any] = {"channels_count": channels, "dies": None}
    for way, fit in fits.items():
        rate = _rate_mb_per_s(drive, way, fit, (channels, size_bytes))
        passing = transfer_ms(size_bytes, rate) / channels
        update[f"{way}_mb_per_s"] = rate
        update[f"{way}_latency_ms"] = max(fit.alone_ms - passing, 0.0)
        update[f"{way}_hold_ms"] = channels / fit.most_per_ms
    update["write_wait_ms"] = fits["write"].wait_ms if "write" in fits else drive.write_wait_ms
    return drive.model_copy(update=update)


def _rate_mb_per_s(drive: SolidState, way: str, fit: LoopFit, of: tuple[int, int]) -> float:
    """A channel's part of the whole rate; a ceiling of small requests may lie above it."""
    channels, size_bytes = of
    whole = getattr(drive, f"{way}_mb_per_s") * drive.channels_count
    return float(max(whole / channels, size_bytes * fit.most_per_ms / channels / 1000))


def _on_dies(
    drive: SolidState, found: DiesFit, writing: LoopFit | None, size_bytes: int
) -> SolidState:
    """The drive whose reads wait for their dies; its link takes writes as long, if it may."""
    dies = found.dies_count
    ceiling = LoopFit(found.alone_ms, 1 / found.link_ms)
    update: dict[str, Any] = {"channels_count": dies, "read_hold_ms": 0.0}
    update["read_latency_ms"] = found.alone_ms - found.link_ms
    rate = _rate_mb_per_s(drive, "read", ceiling, (dies, size_bytes))
    update["read_mb_per_s"] = rate
    link_read = max(found.link_ms - transfer_ms(size_bytes, rate) / dies, 0.0)
    rate = drive.write_mb_per_s * drive.channels_count / dies
    link_write = link_read
    if writing is not None:
        rate = _rate_mb_per_s(drive, "write", writing, (dies, size_bytes))
        passing = transfer_ms(size_bytes, rate) / dies
        most = min(1 / writing.most_per_ms, writing.alone_ms)
        whole = max(min(found.link_ms, most), passing)
        link_write = whole - passing
        update["write_latency_ms"] = max(writing.alone_ms - whole, 0.0)
        update["write_hold_ms"] = dies / writing.most_per_ms
        update["write_wait_ms"] = writing.wait_ms
    update["write_mb_per_s"] = rate
    update["dies"] = Dies(link_read_ms=link_read, link_write_ms=link_write)
    return drive.model_copy(update=update)
