"""Amounts: a value or its draws, and what mypy refuses to do with them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pytest

from capmodels import amounts
from capmodels.amounts import as_number, at_least, ceil, fsum, is_above, is_below, maximum, nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.amounts import Amount, Draws

VALUES = (-3.0, -0.5, 0.0, 1e-12, 0.5, 1.4999999999, 2.0, 7.25)


def misused(amount: Amount, draws: Draws) -> None:
    """What only one number can do. Were mypy to allow one, its comment would be unused: an error.

    Never called: `./test mypy` is the test.
    """
    _ = amount > 0.0  # type: ignore[operator]  # refused, as it has to be
    _ = draws <= amount  # type: ignore[operator]  # refused, as it has to be
    _ = float(amount)  # type: ignore[arg-type]  # refused, as it has to be
    _ = int(draws)  # type: ignore[call-overload]  # refused, as it has to be
    _ = max(amount, 0.0)  # type: ignore[type-var]  # refused, as it has to be
    _ = math.sqrt(amount)  # type: ignore[arg-type]  # refused, as it has to be
    _ = round(amount)  # type: ignore[arg-type]  # refused, as it has to be
    _one: float = amount * 2.0  # type: ignore[assignment]  # refused, as it has to be


FUNCTIONS: tuple[Callable[[Any], Any], ...] = (
    ceil,
    nearest,
    amounts.expm1,
    lambda x: at_least(x, 0.5),
    lambda x: maximum(x, 1.0),
    lambda x: amounts.minimum(x, 1.0),
    lambda x: is_above(x, 0.5),
    lambda x: is_below(x, 0.5),
)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_draws_are_answered_one_by_one_as_numbers_are(function: Callable[[Any], Any]) -> None:
    together = function(np.array(VALUES))
    assert together.tolist() == pytest.approx([function(value) for value in VALUES], rel=1e-15)


def test_draws_are_refused_where_one_number_is_wanted() -> None:
    draws = cast("Draws", np.array(VALUES))
    assert as_number(2.5) == 2.5
    assert as_number(np.float64(2.5)) == 2.5
    with pytest.raises(TypeError, match="one number"):
        as_number(draws)
    with pytest.raises(TypeError, match="one number"):
        fsum([1.0, draws])
