"""From latencies and rates of a data sheet to the channels of a solid-state drive."""

from __future__ import annotations

import math
from typing import NamedTuple

from capmodels.storage.drive.service import MS_PER_S, transfer_ms

# Data sheets give the latency of small requests.
SMALL_BYTES = 4096
_MOST_CHANNELS = 256
# Far below a channel.
_ROUNDING = 1e-6


class FlashWay(NamedTuple):
    """What a data sheet says of small random reads, or writes, of a solid-state drive."""

    latency_ms: float  # one at a time
    rate_per_s: float | None  # as many at a time as it can use
    throughput_mb_per_s: float  # of large ones


def channels_of(reads: FlashWay, known: int = 1) -> int:
    """Requests that a drive serves at once: Little's law on reads at its highest rate.

    Rounded up, so that one at a time is as fast as the data sheet says. Without that rate as many
    as are ``known``.

    >>> channels_of(FlashWay(latency_ms=0.08, rate_per_s=1_000_000, throughput_mb_per_s=6800))
    80
    """
    if reads.rate_per_s is None:
        return known
    at_once = reads.rate_per_s * reads.latency_ms / MS_PER_S
    return min(max(math.ceil(at_once - _ROUNDING), 1), _MOST_CHANNELS)


def times_ms(way: FlashWay, channels: int) -> tuple[float, float]:
    """Latency of an operation before its data, and the time for which it holds a channel. [ms]

    Alone it is answered at the published latency. All channels together serve as often as is
    published: a channel is held longer than its answer takes where that is more seldom.

    >>> sheet = FlashWay(latency_ms=0.02, rate_per_s=160_000, throughput_mb_per_s=4096)
    >>> times_ms(sheet, 80)
    (0.019, 0.5)
    """
    if way.rate_per_s is None:
        alone = transfer_ms(SMALL_BYTES, way.throughput_mb_per_s / channels)
        return max(way.latency_ms - alone, 0.0), 0.0
    hold = channels * MS_PER_S / way.rate_per_s
    passing = transfer_ms(SMALL_BYTES, way.throughput_mb_per_s)
    # More requests at once than channels may be: the rate is kept, not the latency.
    return max(min(way.latency_ms, hold) - passing, 0.0), hold
