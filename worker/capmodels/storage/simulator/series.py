"""Series of an array's result that are drawn: bounded in size, whatever the run's length."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from capmodels.spec import Result
from capmodels.units import DurationMs, DurationS, EnergyJ, Fraction, PowerW, RatePerS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from capmodels.storage.simulator.params import ArrayDesign
    from capmodels.storage.simulator.run import Outcome

Cause = Literal[
    "active", "seek", "idle", "low_power_idle", "standby", "transition", "solid_state_cache"
]
PIECES_MAX = 300
# Even steps up to 95%, then steps by equal ratios of what is left: the tail is drawn too.
_CDF_EVEN, _CDF_TAIL = 160, 40
_CDF_EVEN_END = 0.95
# Independent responses that have to lie beyond the interval of a percentile.
_BEYOND_MIN = 5


class PowerPiece(Result):
    """Mean power of all devices over a piece of the run, by state."""

    start_s: DurationS
    end_s: DurationS
    power_w: PowerW
    active_w: PowerW
    seek_w: PowerW
    idle_w: PowerW
    low_power_idle_w: PowerW
    standby_w: PowerW
    transition_w: PowerW


class EnergyShare(Result):
    """Energy of one cause: what the disks did, or the cache's device as a whole."""

    cause: Cause
    energy_j: EnergyJ
    energy_fraction: Fraction


class PercentileInterval(Result):
    """95% interval of a percentile of all responses."""

    percentile_fraction: Fraction
    low_ms: DurationMs
    high_ms: DurationMs


class CurvePoint(Result):
    """The array at one load; times are empty where it is overloaded."""

    load_fraction: Fraction
    offered_per_s: RatePerS
    throughput_per_s: RatePerS
    mean_ms: DurationMs | None
    p95_ms: DurationMs | None
    p99_ms: DurationMs | None
    power_w: PowerW
    saturated: bool


def quantile_ms(histogram: Sequence[int] | NDArray, fraction: float) -> float:  # type: ignore[type-arg]  # counts of any width
    """Value below which a fraction lies, interpolated inside its bin of at most 0.2%. [ms]"""
    import numpy as np

    return _at(np.cumsum(histogram), fraction)


def percentile_ms(histogram: NDArray, fraction: float, largest_ms: float) -> float:  # type: ignore[type-arg]  # counts of any width
    """Return a quantile, no longer than the longest: the end of a bin may lie above it. [ms]"""
    return min(quantile_ms(histogram, fraction), largest_ms)


def _at(total: NDArray, fraction: float) -> float:  # type: ignore[type-arg]  # cumulated counts
    import numpy as np

    from capmodels.storage.simulator import slots as k

    wanted = fraction * float(total[-1])
    place = int(np.searchsorted(total, wanted))
    before = float(total[place - 1]) if place else 0.0
    inside = (wanted - before) / max(float(total[place]) - before, 1.0)
    octave, part = divmod(place, k.BINS_PER_OCTAVE)
    return float(2.0 ** (k.BIN_LOW_EXPONENT + octave) * (1 + (part + inside) / k.BINS_PER_OCTAVE))


def cdf_points(out: Outcome) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Points of the distribution function of all responses, at most 200: (ms, shares)."""
    import numpy as np

    total = np.cumsum(out.histogram.sum(axis=0))
    if not total[-1]:
        return (), ()
    even = (np.arange(_CDF_EVEN) + 0.5) / _CDF_EVEN * _CDF_EVEN_END
    left = 1 - _CDF_EVEN_END
    # The last share is what the number of responses still resolves.
    least = min(max(1.0 / float(total[-1]), 1e-6), left)
    tail = 1 - np.geomspace(left, least, _CDF_TAIL)
    fractions = [float(f) for f in np.concatenate([even, tail])]
    return tuple(_at(total, f) for f in fractions), tuple(fractions)


def independent_count(batches: NDArray[np.float64], variance_ms2: float) -> float:
    """How many independent responses tell as much as all of them, which follow on each other.

    Independent ones would have batch means of variance sigma^2 / size; ``batches`` holds the
    size and the sum of each, shape (n, 2).
    """
    total = float(batches[:, 0].sum())
    means = batches[:, 1] / batches[:, 0]
    expected = variance_ms2 * len(batches) / total
    spread = float(means.var(ddof=1))
    return total if spread <= expected else total * expected / spread


def percentile_intervals(out: Outcome) -> tuple[PercentileInterval, ...]:
    """Intervals of p50, p90 and p99: the order statistics of ranks n p +- t sqrt(n p (1 - p)).

    n is the number of independent responses that the batch means tell of. A percentile with
    fewer than five of them beyond its interval is left out.
    """
    import numpy as np

    from capmodels.storage.simulator import slots as k
    from capmodels.storage.simulator.run import BATCHES_COUNT, T_19

    batches = out.batches
    if len(batches) < BATCHES_COUNT or (batches[:, 0] == 0).any():
        return ()
    row = out.response.sum(axis=0)
    mean = row[k.SUM] / row[k.DONE]
    variance = max(float(row[k.SUM_SQUARES] / row[k.DONE] - mean * mean), 0.0)
    count = independent_count(batches, variance)
    total = np.cumsum(out.histogram.sum(axis=0))
    found = []
    for fraction in (0.5, 0.9, 0.99):
        half = T_19 * (fraction * (1 - fraction) / max(count, 1e-9)) ** 0.5
        if half >= fraction or (1 - fraction - half) * count < _BEYOND_MIN:
            continue
        ends = _at(total, fraction - half), _at(total, fraction + half)
        found.append(
            PercentileInterval(percentile_fraction=fraction, low_ms=ends[0], high_ms=ends[1])
        )
    return tuple(found)


def mean_timeline(timelines: tuple[NDArray[np.float64], ...]) -> NDArray[np.float64]:
    """One timeline (pieces, 1 + 6) of several, time and energy cumulated. [ms, mJ]

    Even pieces, no more than the shortest timeline has. In each the power is the energy of all
    replicates over the time that they were under way in it, so that one that ends before the
    others counts up to its end.
    """
    import numpy as np

    count = min(PIECES_MAX, *(len(rows) for rows in timelines))
    ends = np.linspace(0.0, max(float(rows[-1, 0]) for rows in timelines), count + 1)
    energies, times = np.zeros((count, 6)), np.zeros(count)
    for rows in timelines:
        at = np.concatenate([[0.0], rows[:, 0]])
        for state in range(6):
            total = np.concatenate([[0.0], rows[:, 1 + state]])
            energies[:, state] += np.diff(np.interp(ends, at, total))
        times += np.diff(np.minimum(ends, at[-1]))
    mean = energies / np.maximum(times, 1e-9)[:, None] * np.diff(ends)[:, None]
    return np.column_stack([ends[1:], np.cumsum(mean, axis=0)])


def power_pieces(out: Outcome) -> tuple[PowerPiece, ...]:
    """Mean power by piece of the run, at most 300 of them, over its replicates."""
    rows = out.timelines[0] if len(out.timelines) == 1 else mean_timeline(out.timelines)
    step = -(-len(rows) // PIECES_MAX)
    kept = list(rows[step - 1 :: step])
    if len(rows) % step:
        kept.append(rows[-1])
    found = []
    start, before = 0.0, [0.0] * 6
    for row in kept:
        end, energies = float(row[0]), [float(value) for value in row[1:]]
        if end <= start:
            continue
        powers = [
            max(now - then, 0.0) / (end - start) for now, then in zip(energies, before, strict=True)
        ]
        active, seek, idle, low, standby, transition = powers
        found.append(
            PowerPiece(
                start_s=start / 1000,
                end_s=end / 1000,
                power_w=sum(powers),
                active_w=active,
                seek_w=seek,
                idle_w=idle,
                low_power_idle_w=low,
                standby_w=standby,
                transition_w=transition,
            )
        )
        start, before = end, energies
    return tuple(found)


def energy_shares(design: ArrayDesign, out: Outcome) -> tuple[EnergyShare, ...]:
    """Energy by cause; the shares add up to the whole."""
    from capmodels.storage.simulator import slots as k

    disks = out.energy_mj if design.cache is None else out.energy_mj[:-1]
    energies: dict[str, float] = dict(
        zip(k.STATE_NAMES, (float(x) for x in disks.sum(axis=0)), strict=True)
    )
    if design.cache is not None:
        energies["solid_state_cache"] = float(out.energy_mj[-1].sum())
    total = sum(energies.values())
    return tuple(
        EnergyShare.model_validate(
            {
                "cause": cause,
                "energy_j": max(energy, 0.0) / 1000,
                "energy_fraction": min(max(energy, 0.0) / total, 1.0) if total else 0.0,
            }
        )
        for cause, energy in energies.items()
    )
