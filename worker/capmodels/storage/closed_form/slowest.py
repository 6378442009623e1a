"""The slowest of several services at disks, each of which waits with a chance. [ms]

Services are taken as normal. A request waits with the chance that its disk is busy (the load), and
then for d + E, E exponential, so that the squared variation of waits, given that one waits, is
(3 + load) / 4. It would be (1 + 2 load) / 3 for equal services that come at random, by the second
moment of the wait in M/G/1 (Takacs 1962); second phases come behind first ones and several at a
time, so that waits vary more: in a plain simulation of both phases, 0.64 to 0.78 at a load of 0.1
and 0.90 to 0.97 at 0.68. By x one disk has answered with the chance

    F(x) = (1 - load) N(x) + load M(x)

N of the normal variable, M of the sum of it and the wait (an exponentially modified Gaussian). The
slowest of k disks that are alike has by F(x)^k, its moments are the integrals of 1 - F(x)^k and of
2 x (1 - F(x)^k): by Simpson's rule while services end, in closed form beyond.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.amounts import TINY, at_least, expm1, maximum, minimum

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from capmodels.storage.drive.service import Moments

_DEVIATIONS, _STEPS = 4.0, 12
# Steps of the tail, to so many means of the longest wait more than the slowest takes on average.
_FAR_STEPS, _FAR = 16, 8.0
# Bounds that keep numbers finite: a deviation by the mean, a wait and a place by the deviation.
_LEAST_SPREAD, _LEAST_WAIT, _FARTHEST = 1e-3, 0.5, 8.0


def wait_variance_ms2(wait_ms: float, load: float) -> float:
    """Variance of a wait, of requests that do not wait as well. [ms^2]"""
    return wait_ms**2 * ((1 + _variation(load)) / at_least(load, TINY) - 1)


def shared_fraction(parts: int) -> float:
    """How much of the excess of the slowest goes where all that comes to one comes to all.

    The excess of exponential variables by the slowest of them, 1 - 1 / H_k: with the share that
    comes in common it has what the excess lacks in the plain simulation, 0.33, 0.45 and 0.53 of two
    to four disks, at all loads.
    """
    return 1 - 1 / harmonic(parts)


def harmonic(count: int) -> float:
    """Mean of the slowest of so many exponential variables of mean 1 (Renyi 1953)."""
    return math.fsum(1 / i for i in range(1, count + 1))


def _variation(load: float) -> float:
    """Squared variation of waits, given that one waits."""
    return (3 + load) / 4


def _exp(power: float) -> float:
    return expm1(power) + 1


def _normal(deviations: float) -> float:
    """Chance that a standard normal variable is below so much, to 1.4e-4 (Bowling et al. 2009)."""
    kept = minimum(at_least(deviations, -_FARTHEST), _FARTHEST)
    return 1 / (1 + _exp(-kept * (1.5976 + 0.07056 * kept**2)))


def slowest_moments(
    service: Moments, wait_ms: float, load: float, parts: int
) -> tuple[float, float]:
    """Mean and variance of the slowest of disks that have nothing in common. [ms, ms^2]

    >>> from capmodels.storage.drive.service import Moments
    >>> [round(one, 2) for one in slowest_moments(Moments(10.0, 104.0), 0.0, 0.0, 2)]
    [11.13, 2.72]
    """
    spread = _spread_ms(service)
    done, ratio, offset = _done(spread, wait_ms, load)

    def later(deviations: float) -> float:
        """Chance that the slowest takes more than the mean service and so many deviations."""
        return 1 - done(deviations, _normal(deviations)) ** parts

    share = at_least(load, TINY)
    last = offset + _DEVIATIONS
    zeroth, first = _integrals(later, last)
    still = share * _exp(ratio * (ratio / 2 - _DEVIATIONS))
    for count in range(1, parts + 1):
        area = (-1) ** (count + 1) * math.comb(parts, count) * still**count / (ratio * count)
        zeroth = zeroth + area
        first = first + area * (last + 1 / (ratio * count))
    above = zeroth - _DEVIATIONS
    variance = 2 * first + _DEVIATIONS**2 - above**2
    return service.mean_ms + spread * above, spread**2 * variance


def slowest_mean_ms(
    service: Moments, queues: Sequence[tuple[float, float, float]], parts: float
) -> float:
    """Mean of the slowest of disks of several kinds: share, wait and load of each kind. [ms]

    Each of the parts goes to a disk of a kind with the chance of its share.

    >>> from capmodels.storage.drive.service import Moments
    >>> one = Moments(10.0, 104.0)
    >>> round(slowest_mean_ms(one, [(0.5, 0.0, 0.0), (0.5, 0.0, 0.0)], 2), 2)
    11.13
    """
    spread = _spread_ms(service)
    kinds = [(share, *_done(spread, wait, load)) for share, wait, load in queues]

    def later(deviations: float) -> float:
        alone = _normal(deviations)
        shares = [share * done(deviations, alone) for share, done, _, _ in kinds]
        return 1 - math.fsum(shares) ** parts

    # Simpson's rule while services end, and beyond by the logarithm of how far.
    width = 2 * _DEVIATIONS / _STEPS
    area = _simpson([later(nth * width - _DEVIATIONS) for nth in range(_STEPS + 1)]) * width
    far = max(offset + _FAR * math.log(1 + parts) / ratio for _, _, ratio, offset in kinds)
    width = math.log1p(far) / _FAR_STEPS
    grown = [math.exp(nth * width) for nth in range(_FAR_STEPS + 1)]
    area += _simpson([later(_DEVIATIONS + one - 1) * one for one in grown]) * width
    return service.mean_ms + spread * (area - _DEVIATIONS)


def _spread_ms(service: Moments) -> float:
    return at_least(service.variance_ms2, (_LEAST_SPREAD * service.mean_ms) ** 2) ** 0.5


def _done(
    spread_ms: float, wait_ms: float, load: float
) -> tuple[Callable[[float, float], float], float, float]:
    """Chance that one disk has answered by so many deviations, 1 / E and d in deviations.

    It takes the chance that one has that does not wait, too: this is the same for all disks.
    """
    share = at_least(load, TINY)
    given = wait_ms / share
    mean = maximum(given * _variation(load) ** 0.5, _LEAST_WAIT * spread_ms)
    ratio, offset = spread_ms / mean, at_least(given - mean, 0.0) / spread_ms

    def done(deviations: float, alone: float) -> float:
        beyond = deviations - offset
        long = _exp(ratio * (ratio / 2 - beyond)) * _normal(beyond - ratio)
        waited = at_least(_normal(beyond) - long, 0.0)
        return minimum((1 - share) * alone + share * waited, 1.0)

    return done, ratio, offset


def _simpson(values: Sequence[float]) -> float:
    """Integral of values at places 1 apart, an odd number of them."""
    return (
        values[0] + values[-1] + 4 * math.fsum(values[1:-1:2]) + 2 * math.fsum(values[2:-1:2])
    ) / 3


def _integrals(later: Callable[[float], float], last: float) -> tuple[float, float]:
    """Integrals of f and of x f up to a last deviation, by Simpson's rule."""
    step = (last + _DEVIATIONS) / _STEPS
    zeroth = first = 0.0
    for nth in range(_STEPS + 1):
        x = nth * step - _DEVIATIONS
        weight = step / 3 * (1 if nth in (0, _STEPS) else 2 + 2 * (nth % 2)) * later(x)
        zeroth = zeroth + weight
        first = first + x * weight
    return zeroth, first
