"""Rate of return of payments: time before the first one moves it no more than the present does."""

from __future__ import annotations

import random

import pytest

from capmodels.cost.irr import return_fraction


@pytest.mark.parametrize("before", [[0.0], [0.0] * 3, [1e-9, -1e-9, 1e-10]])
def test_months_in_which_both_cost_the_same_move_no_rate(before: list[float]) -> None:
    """121 after two periods for 100 is 10% a period, whenever it begins."""
    assert return_fraction([*before, -100e3, 0.0, 121e3])[0] == pytest.approx(0.1)
    assert return_fraction([*before, 100e3, -121e3]) == (None, "no_outlay")


def test_at_the_rate_the_payments_are_worth_nothing() -> None:
    numbers = random.Random(1)
    for _ in range(200):
        late = [0.0] * numbers.randrange(6)
        flows = [*late, -numbers.uniform(1e5, 1e6), *(numbers.uniform(0, 9e4) for _ in range(36))]
        rate, _ = return_fraction(flows)
        if rate is not None:
            worth = sum(flow / (1.0 + rate) ** period for period, flow in enumerate(flows))
            assert worth == pytest.approx(0.0, abs=1e-3)
