"""The last argument at which a rising function is not above zero, in few steps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import pytest

from capmodels.roots import last_below

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.parametrize(
    ("rises", "wanted", "steps"),
    [
        (lambda x: x - 0.3, 0.3, 20),
        (lambda x: x**3 - 0.2, 0.2 ** (1 / 3), 20),
        (lambda x: math.exp(5 * x) - 20, math.log(20) / 5, 20),
        (lambda x: 1 / (1 - x + 1e-12) - 50, 0.98, 64),
        (lambda x: (x > 0.123) - 0.5, 0.123, 64),
        (lambda x: x**9 - 1e-9, 0.1, 64),
        (lambda _x: -1.0, 1.0, 1),
    ],
)
@pytest.mark.decisive
def test_it_is_found_to_the_last_bits_on_the_right_side(
    rises: Callable[[float], float], wanted: float, steps: int
) -> None:
    asked: list[float] = []

    def noted(x: float) -> float:
        asked.append(x)
        return rises(x)

    found = last_below(noted, 1.0)
    assert rises(found) <= 0
    assert found == 1.0 or rises(found + 2.0**-51) > 0
    assert found == pytest.approx(wanted, rel=1e-11)
    # Halving takes 54 whatever the function is.
    assert len(asked) <= steps
