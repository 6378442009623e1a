"""Rank correlations between quantities, and whether a set of them can be."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

from pydantic import Field, StringConstraints

from capmodels.plans.document.fields import Finding, Note
from capmodels.spec import Params
from capmodels.units import Real, of_unit

if TYPE_CHECKING:
    from collections.abc import Sequence

Spearman = Annotated[Real, of_unit("ratio", ge=-1, le=1)]

# A key has the names of what it stands in: those of a design's part and of what is in that part.
KEY_LONGEST = 600
QuantityKey = Annotated[str, StringConstraints(min_length=1, max_length=KEY_LONGEST)]

# Rounding leaves a matrix of perfect correlations this far below what can be.
SLACK = 1e-9


class Correlation(Params):
    """How two unknowns rise together: Spearman's rank correlation of them."""

    first: QuantityKey = Field(title="Quantity", description="As the comparison lists it.")
    second: QuantityKey = Field(title="Other quantity")
    spearman_ratio: Spearman = Field(
        title="Rank correlation", description="1: always together; 0: not at all; -1: opposite."
    )
    note: Note | None = None


def normal_correlation(spearman: float) -> float:
    """Correlation of two normal variables whose ranks have a correlation.

    Pearson 1907: Spearman's rho is 6/pi asin(r/2), so r = 2 sin(pi rho / 6).
    """
    return 2.0 * math.sin(math.pi * spearman / 6.0)


def normal_matrix(keys: Sequence[str], given: Sequence[Correlation]) -> list[list[float]]:
    """Correlations of the normal variables behind some quantities; 1 on the diagonal."""
    place = {key: index for index, key in enumerate(keys)}
    matrix = [[float(row == column) for column in keys] for row in keys]
    for item in given:
        row, column = place.get(item.first), place.get(item.second)
        if row is not None and column is not None:
            matrix[row][column] = matrix[column][row] = normal_correlation(item.spearman_ratio)
    return matrix


def lower_factor(matrix: list[list[float]]) -> list[list[float]] | None:
    """Cholesky's factor of a matrix; None where no variables have such correlations.

    Variables that follow from others leave a zero on the diagonal, and zeros below it.
    """
    size = len(matrix)
    factor = [[0.0] * size for _ in range(size)]
    for column in range(size):
        left = matrix[column][column] - math.fsum(x * x for x in factor[column][:column])
        if left < -SLACK:
            return None
        root = math.sqrt(left) if left > SLACK else 0.0
        factor[column][column] = root
        for row in range(column + 1, size):
            rest = matrix[row][column] - math.fsum(
                a * b for a, b in zip(factor[row][:column], factor[column][:column], strict=True)
            )
            if root > 0.0:
                factor[row][column] = rest / root
            elif abs(rest) > math.sqrt(SLACK):
                return None
    return factor


def correlated_keys(given: Sequence[Correlation]) -> list[str]:
    """The quantities that some correlation names, in order."""
    return sorted({key for item in given for key in (item.first, item.second)})


def correlation_faults(given: Sequence[Correlation], keys: set[str]) -> list[Finding]:
    """Faults of a study's correlations; ``keys`` are its quantities."""
    at = ("assumptions", "correlations")
    findings, pairs = list[Finding](), set[frozenset[str]]()
    for index, item in enumerate(given):
        for name in ("first", "second"):
            key = getattr(item, name)
            if key not in keys:
                sentence = f"No range belongs to the quantity {key!r}. Choose one of the list."
                findings.append(Finding((*at, index, name), "leads_nowhere", sentence, key))
        pair = frozenset({item.first, item.second})
        if len(pair) == 1:
            sentence = "A quantity goes with itself always. Choose another one."
            findings.append(Finding((*at, index, "second"), "refers_to_itself", sentence))
        elif pair in pairs:
            sentence = "These two have a correlation already. Keep one of the two."
            findings.append(Finding((*at, index, "second"), "not_unique", sentence))
        pairs.add(pair)
    if not findings and lower_factor(normal_matrix(correlated_keys(given), given)) is None:
        sentence = (
            "No quantities can have these correlations together: where A goes with B and B with "
            "C, A goes with C. Bring the correlations closer to 0."
        )
        findings.append(Finding(at, "not_possible", sentence))
    return findings
