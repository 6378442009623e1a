"""Service times, queues and throughput of disks in closed form. [ms, 1/s]"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capmodels.errors import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from capmodels.amounts import AmountT

BYTES_PER_SECTOR = 512
MS_PER_S = 1000.0


class Moments(NamedTuple):
    """Mean and mean square of a service time."""

    mean_ms: float
    mean_square_ms2: float

    @property
    def variance_ms2(self) -> float:
        """Variance. [ms^2]"""
        return self.mean_square_ms2 - self.mean_ms**2


def revolution_ms(speed_rpm: float) -> float:
    """Time of one turn of the platter. [ms]

    >>> round(revolution_ms(7200), 3)
    8.333
    """
    return 60_000.0 / speed_rpm


def transfer_ms(size_bytes: float, rate_mb_per_s: float) -> float:
    """Time to pass an amount of data at a rate. [ms]"""
    return size_bytes / (rate_mb_per_s * 1e6) * MS_PER_S


def track_rate_mb_per_s(sectors_per_track: float, turn_ms: float) -> float:
    """Rate at which a track passes under the head. [MB/s]

    >>> round(track_rate_mb_per_s(702, 8.3333), 1)
    43.1
    """
    return sectors_per_track * BYTES_PER_SECTOR / turn_ms * MS_PER_S / 1e6


def disk_moments(
    *,
    seek_mean_ms: float,
    seek_mean_square_ms2: float,
    turn_ms: float,
    fixed_ms: float,
    transfer_range_ms: float = 0.0,
) -> Moments:
    """Moments of seek + rotation + a fixed part with the mean transfer, all independent.

    Rotation is uniform over one turn: mean turn/2, variance turn^2/12. So is the transfer over
    ``transfer_range_ms``, from the outermost to the innermost track; seeks from random places are
    as long on either side of the middle, so that they do not vary together.
    """
    mean = seek_mean_ms + turn_ms / 2 + fixed_ms
    variance = seek_mean_square_ms2 - seek_mean_ms**2 + (turn_ms**2 + transfer_range_ms**2) / 12
    return Moments(mean, variance + mean * mean)


def mixed_moments(parts: Iterable[tuple[float, Moments]]) -> Moments:
    """Moments of service that is of one kind or another, from the share of each.

    >>> mixed_moments([(0.5, Moments(2.0, 4.0)), (0.5, Moments(4.0, 16.0))])
    Moments(mean_ms=3.0, mean_square_ms2=10.0)
    """
    mean = square = 0.0
    for share, moments in parts:
        mean += share * moments.mean_ms
        square += share * moments.mean_square_ms2
    return Moments(mean, square)


def steady_moments(mean_ms: float) -> Moments:
    """Moments of service that always takes the same time."""
    return Moments(mean_ms, mean_ms * mean_ms)


def response_ms(arrival_rate_per_s: float, service: Moments) -> float:
    """Mean response of one first-come queue, M/G/1 (Pollaczek-Khinchine). [ms]

    >>> round(response_ms(125.0, Moments(6.3, 43.405)), 2)
    19.07

    Raises
    ------
    ModelError
        When the load is 1 or above, so that the queue grows without end.
    """
    per_ms = arrival_rate_per_s / MS_PER_S
    load = per_ms * service.mean_ms
    if load >= 1:
        message = f"Load {load:.2f} is not below 1, so the queue grows without end."
        raise ModelError(message)
    return service.mean_ms + per_ms * service.mean_square_ms2 / (2 * (1 - load))


def waiting_variance_ms2(wait_mean_ms: float, load_fraction: float) -> float:
    """Variance of a wait that the loaded share of requests has, exponentially. [ms^2]

    Exact for M/M/1: the wait is W / load for a share that is the load, and none for the others.

    >>> waiting_variance_ms2(2.0, 0.5)
    12.0
    """
    if load_fraction <= 0:
        return 0.0
    return max(wait_mean_ms * wait_mean_ms * (2 / load_fraction - 1), 0.0)


def mirrored_write_ms(*, response_mean_ms: float, load_fraction: float) -> float:
    """Mean of the slower of two equal M/M/1 queues fed together (Nelson and Tantawi 1988). [ms]

    >>> mirrored_write_ms(response_mean_ms=2.0, load_fraction=0.5)
    2.875
    """
    return (12 - load_fraction) / 8 * response_mean_ms


def max_rate_per_s(service_mean_ms: AmountT, disks_count: int = 1) -> AmountT:
    """Requests that so many disks can serve when each request takes one of them. [1/s]"""
    return disks_count * MS_PER_S / service_mean_ms


def fork_join_ms(
    *, response_mean_ms: float, response_sd_ms: float, load_fraction: float, parts_count: int
) -> float:
    """Mean of the slowest of equal queues fed together. [ms]

    Nelson and Tantawi 1988 for exponential service, where mean and standard deviation are
    one; with less variation the excess over the mean shrinks with the deviation (ours).

    >>> fork_join_ms(response_mean_ms=2.0, response_sd_ms=2.0, load_fraction=0.5, parts_count=2)
    2.875
    """
    if parts_count < 2:
        return response_mean_ms
    pair = mirrored_write_ms(response_mean_ms=1.0, load_fraction=load_fraction)
    harmonic = sum(1 / k for k in range(1, parts_count + 1)) / 1.5
    slowest = pair * (harmonic + 4 / 11 * load_fraction * (1 - harmonic))
    return response_mean_ms + response_sd_ms * (slowest - 1)
