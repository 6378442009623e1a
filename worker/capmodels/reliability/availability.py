"""Time for which repairable units do not suffice: k-out-of-n, and what that is in hours a year."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

from capmodels.amounts import is_number
from capmodels.worked import remembered

if TYPE_CHECKING:
    from capmodels.amounts import Amount

# Beyond so many standard deviations from the mean a binomial number never is, in double precision.
_DEVIATIONS = 40.0


def down_fraction(failures_per_year: Amount, repair_h: Amount, hours_per_year: Amount) -> Amount:
    """Share of the time for which one unit is down.

    Parameters
    ----------
    failures_per_year
        Rate at which a unit that is up fails. [1/yr]
    repair_h
        Mean time from a failure until the unit works again. [h]
    hours_per_year
        Hours of a year. [h/yr]

    Returns
    -------
    float or array
        Between 0 and 1.

    Notes
    -----
    Mean time to repair over mean time between failures, MTTR / (MTTF + MTTR): the steady state of
    an alternating renewal process, whatever the two times are distributed like (Barlow and
    Proschan, Mathematical Theory of Reliability, 1965, chapter 3; Trivedi and Bobbio, Reliability
    and Availability Engineering, 2017, section 9.2).

    Examples
    --------
    >>> down_fraction(1.0, 8.0, 8760.0) == 8.0 / 8768.0
    True
    """
    repairing = failures_per_year * repair_h
    return repairing / (hours_per_year + repairing)


def too_few_fraction(units: Amount, spare: Amount, unit_down_fraction: Amount) -> Amount:
    """Share of the time for which more units are down than are to spare.

    Parameters
    ----------
    units
        Units that stand there, the spare ones among them. A whole number. [count]
    spare
        Units that may be down. A whole number; none may where it is negative. [count]
    unit_down_fraction
        Share of the time for which each of them is down.

    Returns
    -------
    float or array
        Between 0 and 1.

    Notes
    -----
    With n units and k to spare, the chance that a binomial number of n units, each down with
    chance q on its own, is above k: 1 - sum over j <= k of C(n, j) q^j (1 - q)^(n - j), the
    unavailability of an (n - k)-out-of-n system (Barlow and Proschan 1965, chapter 2). Of draws it
    is taken as the incomplete beta function I_q(k + 1, n - k), which it equals (NIST Digital
    Library of Mathematical Functions, 8.17.5). Failures together, of a rack or by one fault of
    software, are not in it.

    Examples
    --------
    Two of three units have to be up, each of which is down for a tenth of the time.

    >>> round(too_few_fraction(3.0, 1.0, 0.1), 6)
    0.028
    """
    if is_number(units) and is_number(spare) and is_number(unit_down_fraction):
        return _too_few(units, spare, unit_down_fraction)
    import numpy as np
    from scipy.special import betainc

    count, left, down = np.broadcast_arrays(*map(cast("Any", np.asarray), (
        units, spare, unit_down_fraction,
    )))  # fmt: skip
    left = np.maximum(left, 0.0)
    inside = left < count
    few = betainc(np.where(inside, left + 1.0, 1.0), np.where(inside, count - left, 1.0), down)
    return cast("Amount", np.where(inside, few, 0.0))


@remembered
def _too_few(units: float, spare: float, unit_down_fraction: float) -> float:
    left, q = max(spare, 0.0), unit_down_fraction
    if left >= units or q <= 0.0:
        return 0.0
    if q >= 1.0:
        return 1.0
    mean = units * q
    wide = _DEVIATIONS * math.sqrt(mean * (1.0 - q)) + _DEVIATIONS
    if left > mean + wide:
        return 0.0
    first = max(math.floor(mean - wide), 0)
    log_q, log_up, log_n = math.log(q), math.log1p(-q), math.lgamma(units + 1.0)
    terms = (
        math.exp(
            log_n - math.lgamma(j + 1.0) - math.lgamma(units - j + 1.0)
            + j * log_q + (units - j) * log_up
        )
        for j in range(first, math.floor(left) + 1)
    )  # fmt: skip
    return min(max(1.0 - math.fsum(terms), 0.0), 1.0)
