"""Node failures against a Markov chain, hand sums and limits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from capmodels.errors import ModelError
from capmodels.performance.node_failures import failure_rate_per_year, loss_rate_per_year
from capmodels.tests.asking import ask, faults

MODEL = "performance.node_failures"


def _chain_years(copies: int, rate: float, repair_years: float) -> float:
    """Mean time from all copies standing to none, by the chain's linear equations.

    The state is how many copies are down; each is repaired on its own.
    """
    generator = np.zeros((copies, copies))
    for down in range(copies):
        fails = (copies - down) * rate
        generator[down, down] -= fails
        if down + 1 < copies:
            generator[down, down + 1] += fails
        if down:
            mends = down / repair_years
            generator[down, down - 1] += mends
            generator[down, down] -= mends
    return float(np.linalg.solve(generator, -np.ones(copies))[0])


@pytest.mark.parametrize("copies", [2, 3, 4])
@pytest.mark.decisive
def test_mean_time_to_loss_agrees_with_a_chain(copies: int) -> None:
    rate, repair = 0.05, 5.0 / 8760

    lost = loss_rate_per_year(
        nodes=copies, rate_per_year=rate, repair_years=repair, copies=copies, helpers=copies - 1
    )

    assert lost == pytest.approx(1 / _chain_years(copies, rate, repair), rel=0.01)


def test_a_hundred_nodes_at_five_percent_lose_five_a_year() -> None:
    result = ask(MODEL)

    assert result.failures_per_year == pytest.approx(100 * -math.log(0.95))
    assert result.hours_between_h == pytest.approx(8760 / result.failures_per_year)
    # 99 helpers at 2 Gbit/s: 10 TB in 404 s, after a quarter of an hour.
    assert result.repair_h == pytest.approx(0.25 + 80e12 / (99 * 2e9) / 3600)


def test_rate_and_share_that_fails_agree_over_a_year() -> None:
    rate = failure_rate_per_year(0.3)
    assert 1 - math.exp(-rate) == pytest.approx(0.3)


def test_one_copy_is_lost_with_its_node_and_more_copies_keep_longer() -> None:
    one, two, three = (ask(MODEL, copies_count=copies) for copies in (1, 2, 3))

    assert one.loss_per_year == pytest.approx(one.failures_per_year)
    assert one.loss_per_year > two.loss_per_year > three.loss_per_year


def test_nothing_fails_without_a_rate() -> None:
    result = ask(MODEL, afr_fraction=0.0)
    assert result.hours_between_h is None
    assert result.mean_to_loss_years is None


def test_too_few_nodes_for_the_copies_are_refused() -> None:
    with pytest.raises(ModelError, match="at least 3"):
        ask(MODEL, nodes_count=2)


@pytest.mark.parametrize(
    ("document", "pointer", "code"),
    [
        ({"afr_fraction": 1.0}, "/afr_fraction", "out_of_range"),
        ({"network_gbit_per_s": 0.0}, "/network_gbit_per_s", "out_of_range"),
    ],
)
def test_refuses_what_cannot_be(document: dict[str, Any], pointer: str, code: str) -> None:
    assert faults(MODEL, document) == {pointer: code}
