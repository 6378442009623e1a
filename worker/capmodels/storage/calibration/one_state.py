"""Which rows by depth are of the drive alone, and of one state of it. [ms]

A drive in one state takes no more requests a second with fewer outstanding, and answers none later
when it is asked alone. Rows that say so are of something else: blocks that were still free when a
run began, or a host that slept between single requests. A mean far above its median is that of
a buffer which answers at once until it is full, then at flash's rate.

A host whose one thread bounds the rate has work at all times but at depth 1, where its processor
sleeps until the answer comes. Waking makes its own time longer, which rates tell, and the way of
the answer to it, which is in the latency. Both run over the same processor, so that the one is
taken for as long as the other (ours; that a processor sleeps in a long gap and not in a short one
is the target residency of the Linux kernel's CPU idle time management).
"""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from capmodels.storage.calibration.loop_fit import host_bounds, host_busy_fraction
from capmodels.storage.calibration.single_fit import mean_ms, measured_quantile_ms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.storage.calibration.depth_rows import DepthRow, Way

# What a depth may be off by before it counts as another state, and rows that must say so.
_SLEPT, _QUICKER, _DEEPER_LEAST = 1.1, 1.25, 2
# What two runs at one depth differ by: less is no waking.
_REPEATS = 0.02
# The most that a host takes between an answer and the next request, which no latency has. [ms]
_HOST_MS = 0.025
# A buffer that stalls has a mean of so many medians.
_STALLED = 2.0

TIMED_OUT = "A command timed out: its wait is in the mean, and there are no percentiles."
_HOST_SLEPT = "Slower than the next deeper row: the host slept between single requests."
_FREE_BLOCKS = "More a second than in deeper rows: of another state, before it had to collect."


class Used(NamedTuple):
    """A row with the mean that counts. [ms]"""

    depth_count: int
    latency_ms: float
    host_ms: float | None = None


class Steady(NamedTuple):
    """Rows of one state, why others are not, and the latency alone where rows tell it. [ms]

    ``at_once_ms`` is known where every row lies on the ceiling: what a buffer with room takes.
    ``wake_ms`` is what the host's waking added at depth 1; ``used`` is without it.
    """

    used: list[Used]
    unused: dict[int, str]
    at_once_ms: float | None
    wake_ms: float
    notes: list[str]


def of_one_state(way: Way, rows: Sequence[DepthRow]) -> Steady:
    """The rows of one direction, by rising depth, that are of the drive in one state."""
    means = [(row, mean_ms(row)) for row in rows]
    used = [Used(row.depth_count, mean, row.host_ms) for row, mean in means if mean is not None]
    wake = _wake_ms(used)
    if wake:
        used[0] = Used(1, used[0].latency_ms - wake, (used[0].host_ms or 0.0) - wake)
    slept, used = _without_sleep(used)
    quick, used = _without_quick(used)
    wake = wake if used[:1] and used[0].depth_count == 1 else 0.0
    unused = dict.fromkeys(slept, _HOST_SLEPT) | {row.depth_count: _FREE_BLOCKS for row in quick}
    notes = [
        *_woke_notes(way, wake),
        *_slept_notes(way, slept),
        *_quick_notes(way, quick, used),
        *_busy_notes(way, used),
    ]
    by_depth = {row.depth_count: row for row in rows}
    shallow = (quick or used)[:1]
    at_once = _at_once_ms(by_depth[shallow[0].depth_count], shallow[0]) if shallow else None
    if at_once is None and quick:
        at_once = quick[0].latency_ms
    return Steady(used, unused, at_once, wake, notes)


def _wake_ms(rows: list[Used]) -> float:
    """What waking adds to the latency at depth 1, of a host that bounds the rate; 0: not told."""
    hosts = [row.host_ms for row in rows if row.host_ms is not None]
    if len(hosts) <= _DEEPER_LEAST or rows[0].depth_count > 1 or not host_bounds(rows):
        return 0.0
    wake = (rows[0].host_ms or 0.0) - median(hosts[1:])
    return wake if _REPEATS < wake / rows[0].latency_ms < 1 else 0.0


def _without_sleep(rows: list[Used]) -> tuple[list[int], list[Used]]:
    """The depth at which the host slept, if it did, and the other rows."""
    if len(rows) > 1 and rows[0].latency_ms > _SLEPT * rows[1].latency_ms:
        return [rows[0].depth_count], rows[1:]
    return [], rows


def _without_quick(rows: list[Used]) -> tuple[list[Used], list[Used]]:
    """Rows that took more a second than all deeper ones, and the others."""
    last = len(rows) - _DEEPER_LEAST
    place = max((nth for nth in range(last) if _is_quicker(rows, nth)), default=-1)
    return rows[: place + 1], rows[place + 1 :]


def _is_quicker(rows: list[Used], nth: int) -> bool:
    """Whether a row takes less for each than all deeper ones, by more than a host can hide."""
    own = rows[nth].latency_ms / rows[nth].depth_count
    least = min(row.latency_ms / row.depth_count for row in rows[nth + 1 :])
    return least > _QUICKER * own and least - own > _HOST_MS


def _at_once_ms(row: DepthRow, used: Used) -> float | None:
    """The median of a row whose mean is that of stalls; None where it has none."""
    if row.timed_out or not row.percentiles:
        return None
    median = measured_quantile_ms(row, 50.0)
    return median if used.latency_ms > _STALLED * median else None


def _woke_notes(way: Way, wake_ms: float) -> list[str]:
    if not wake_ms:
        return []
    return [
        f"At depth 1 the host slept until each {way} was answered: its waking is taken to add "
        f"{1000 * wake_ms:.1f} µs to the latency, as it adds to the host's own time, in which it "
        "shows. The drive returned is without it: the closed loop of depth 1 has it as its waking."
    ]


def _slept_notes(way: Way, slept: list[int]) -> list[str]:
    return [
        f"A {way} at depth {depth} took longer than one at the next depth, which no drive does "
        "by itself: the host slept in between. That row is not used."
        for depth in slept
    ]


def _quick_notes(way: Way, quick: list[Used], used: list[Used]) -> list[str]:
    if not quick:
        return []
    most = 1000 * max(row.depth_count / row.latency_ms for row in quick)
    steady = 1000 * max(row.depth_count / row.latency_ms for row in used)
    many = f"{way}s a second"
    return [
        f"The rows are of two states of the drive: to depth {quick[-1].depth_count} it took "
        f"{most:,.0f} {many}, with more outstanding at most {steady:,.0f}. The drive returned is "
        "that of the slower, steady state; while it has free blocks to fill it is quicker."
    ]


def _busy_notes(way: Way, used: list[Used]) -> list[str]:
    """Whether the deepest row says how quick the host is, and not the drive."""
    if not host_bounds(used):
        return []
    row = next(row for row in reversed(used) if row.host_ms is not None)
    most = row.depth_count * 1000 / (row.latency_ms + (row.host_ms or 0.0))
    return [
        f"At depth {row.depth_count} the host spent {host_busy_fraction(used):.0%} of its time "
        f"between a {way}'s answer and the next {way}: {most:,.0f} a second are the most of one "
        "thread of this host, and the drive may take more. Measure with several jobs."
    ]
