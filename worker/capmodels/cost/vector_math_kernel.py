"""Elementary functions that a compiler can run on several numbers at once.

Without a branch and without a table, so that a loop over them becomes vector code; good
to about two units in the last place. No fastmath: every rounding is written down, the
fused ones too, so the same input gives the same answer everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numba import float64
from numba.extending import intrinsic

from capmodels.kernel import kernel

if TYPE_CHECKING:
    from collections.abc import Callable

# 1.5 * 2**52: adding it leaves the nearest whole number in the low bits.
_TO_WHOLE = 6755399441055744.0
_TO_WHOLE_BITS = 0x4338000000000000
_SQRT_HALF_BITS = 0x3FE6A09E667F3BCD
_EXPONENT_BIAS = 1023
_MANTISSA_BITS = 52
_LOG2_E = 1.4426950408889634
# ln 2 in two parts: products of the first with an exponent are exact.
_LN2_HIGH = 0.6931471803691238
_LN2_LOW = 1.9082149292705877e-10


def _fma(_typing: Any, _a: Any, _b: Any, _c: Any) -> Any:
    """a * b + c with one rounding."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.fma(*arguments)

    return float64(float64, float64, float64), generate


fma = cast("Callable[[float, float, float], float]", intrinsic(_fma))


@kernel(inline="always", error_model="numpy")
def expm1(x: float) -> float:
    """exp(x) - 1, for -700 <= x <= 700.

    With x = k ln 2 + r and abs(r) <= ln(2) / 2 it is 2^k (exp(r) - 1) + 2^k - 1.
    """
    shifted = fma(x, _LOG2_E, _TO_WHOLE)
    k = shifted - _TO_WHOLE
    r = fma(k, -_LN2_LOW, fma(k, -_LN2_HIGH, x))
    p = fma(1 / 6227020800, r, 1 / 479001600)
    p = fma(p, r, 1 / 39916800)
    p = fma(p, r, 1 / 3628800)
    p = fma(p, r, 1 / 362880)
    p = fma(p, r, 1 / 40320)
    p = fma(p, r, 1 / 5040)
    p = fma(p, r, 1 / 720)
    p = fma(p, r, 1 / 120)
    p = fma(p, r, 1 / 24)
    p = fma(p, r, 1 / 6)
    p = fma(p, r, 1 / 2)
    exponent = (np.float64(shifted).view(np.int64) + _EXPONENT_BIAS) << _MANTISSA_BITS
    power = np.int64(exponent).view(np.float64)
    return fma(power, fma(p * r, r, r), power - 1.0)


@kernel(inline="always", error_model="numpy")
def log(x: float) -> float:
    """ln(x) for a normal x > 0, by x = 2^k m with m between sqrt(1/2) and sqrt(2)."""
    bits = np.float64(x).view(np.int64)
    k = (bits - _SQRT_HALF_BITS) >> _MANTISSA_BITS
    m = np.int64(bits - (k << _MANTISSA_BITS)).view(np.float64)
    return _log_of((m - 1.0) / (m + 1.0), k)


@kernel(inline="always", error_model="numpy")
def log1p(x: float) -> float:
    """ln(1 + x) for x > -1; what 1 + x rounds away is added to the fraction again."""
    u = 1.0 + x
    bits = np.float64(u).view(np.int64)
    k = (bits - _SQRT_HALF_BITS) >> _MANTISSA_BITS
    scale = np.int64((_EXPONENT_BIAS - k) << _MANTISSA_BITS).view(np.float64)
    f = fma(u, scale, -1.0) + (x - (u - 1.0)) * scale
    return _log_of(f / (2.0 + f), k)


@kernel(inline="always", error_model="numpy")
def _log_of(s: float, k: np.int64) -> float:
    """k ln 2 + 2 atanh(s) for abs(s) < 0.172."""
    exponent = np.int64(k + _TO_WHOLE_BITS).view(np.float64) - _TO_WHOLE
    z = s * s
    p = fma(1 / 21, z, 1 / 19)
    p = fma(p, z, 1 / 17)
    p = fma(p, z, 1 / 15)
    p = fma(p, z, 1 / 13)
    p = fma(p, z, 1 / 11)
    p = fma(p, z, 1 / 9)
    p = fma(p, z, 1 / 7)
    p = fma(p, z, 1 / 5)
    p = fma(p, z, 1 / 3)
    twice = s + s
    tail = fma(exponent, _LN2_LOW, fma(twice * z, p, twice))
    return fma(exponent, _LN2_HIGH, tail)
