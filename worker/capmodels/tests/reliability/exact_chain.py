"""A chain of losses and repairs solved apart, in exact fractions or eighty digits."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction

_DIGITS, _TERMS, _STEP = 80, 24, Decimal("0.01")


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


def exact_loss(
    n: int, m: int, rate: float, mttr_h: float, unreadable: float, hours: float
) -> float:
    """Chance of lost data within a time: the exponential of the chain's matrix in eighty digits."""
    with localcontext() as context:
        context.prec = _DIGITS
        lam, mu, p = Decimal(rate), 1 / Decimal(mttr_h), Decimal(unreadable)
        size = m + 2
        rates = [[Decimal(0)] * size for _ in range(size)]
        for i in range(m + 1):
            up = (n - i) * lam
            bad = p if i + 1 == m else Decimal(1 if i == m else 0)
            rates[i][i + 1] += up * (1 - bad) if i < m else Decimal(0)
            rates[i][size - 1] += up * bad
            if i:
                rates[i][i - 1] += i * mu
            rates[i][i] = -sum(rates[i], Decimal(0))
        step, halvings = Decimal(hours), 0
        while max(-rates[i][i] for i in range(size)) * step > _STEP:
            step, halvings = step / 2, halvings + 1
        found = term = [[Decimal(int(i == j)) for j in range(size)] for i in range(size)]
        for k in range(1, _TERMS):
            term = [[value * step / k for value in row] for row in _times(term, rates)]
            found = [
                [a + b for a, b in zip(*rows, strict=True)]
                for rows in zip(found, term, strict=True)
            ]
        for _ in range(halvings):
            found = _times(found, found)
        return float(found[0][size - 1])


def _times(a: list[list[Decimal]], b: list[list[Decimal]]) -> list[list[Decimal]]:
    columns = list(zip(*b, strict=True))
    return [[sum(map(Decimal.__mul__, row, column), Decimal(0)) for column in columns] for row in a]
