"""A chain of losses and repairs solved apart, in exact fractions."""

from __future__ import annotations

from fractions import Fraction


def exact_years(n: int, m: int, rate: float, mttr_h: float, unreadable: float) -> float:
    """Mean time to lost data in exact fractions: the linear equations by Cramer's elimination."""
    lam, mu, p = Fraction(rate), Fraction(1) / Fraction(mttr_h), Fraction(unreadable)
    size = m + 1
    rows = [[Fraction(0)] * (size + 1) for _ in range(size)]
    for i in range(size):
        up, down = (n - i) * lam, i * mu
        rows[i][i], rows[i][size] = up + down, Fraction(1)
        if i < m:
            rows[i][i + 1] -= up * (1 - p if i + 1 == m else 1)
        if i:
            rows[i][i - 1] -= down
    for k in range(size):
        pivot = next(i for i in range(k, size) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [value / rows[k][k] for value in rows[k]]
        for i in range(size):
            if i != k and rows[i][k]:
                factor = rows[i][k]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[k], strict=True)]
    return float(rows[0][size] / 8760)
