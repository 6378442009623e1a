"""Why a design costs less at the entered values than in most simulations, or more."""

from __future__ import annotations

import numpy as np
import pytest

from capmodels.plans.answer.certainty_kernel import pulls
from capmodels.tests.plans.documents import answer, cloud, column, owned, plain


@pytest.mark.parametrize(
    ("fte", "people", "discount", "told"),
    [
        # The shares of a triangle below the value: (1.0 - 0.9) / (4.0 - 0.9) = 3%, and 97%.
        (
            (0.9, 1.0, 4.0),
            None,
            None,
            "less than on average: the range of operations is|higher",
        ),
        (
            (0.9, 3.9, 4.0),
            None,
            None,
            "more than on average: the range of operations is|lower",
        ),
        ((0.9, 1.3, 1.9), None, None, None),
        (
            (0.9, 1.0, 4.0),
            (100_000, 110_000, 400_000),
            # Skewed to the other side, so it is not why.
            (0.0, 0.0, 0.05),
            "less than on average: the ranges of operations and cost of a person are|higher",
        ),
    ],
    ids=["below", "above", "within", "several"],
)
@pytest.mark.parametrize("alone", [True, False], ids=["alone", "of_two"])
def test_why_the_entered_values_cost_less_than_most_simulations_is_said(
    fte: tuple[float, float, float],
    people: tuple[float, float, float] | None,
    discount: tuple[float, float, float] | None,
    told: str | None,
    *,
    alone: bool,
) -> None:
    ranges = {"/designs/A/staff_fte": fte}
    first = owned("A", staff_fte=fte[1])
    study = plain([first] if alone else [first, cloud("B")])
    if people is not None and discount is not None:
        study["assumptions"]["staff_usd_per_fte_year"] = people[1]
        ranges["/assumptions/staff_usd_per_fte_year"] = people
        ranges["/designs/A/hardware_price_ratio"] = (1.0 - discount[2], 1.0, 1.0)
    study["ranges"] = [
        {"pointer": pointer, "low": low, "high": high} for pointer, (low, _, high) in ranges.items()
    ]
    result = answer({**study, "draws_count": 4000})
    design, entered = column(result, "A"), str(result.verdict.entered)
    assert design.p10_usd is not None
    assert design.p90_usd is not None
    outside = not design.p10_usd <= design.total_usd <= design.p90_usd
    assert outside == (told is not None) == ("As entered A costs" in entered)
    if told is not None:
        words, side = told.split("|")
        assert entered.endswith(f"{words} skewed towards {side} costs.")


def test_a_range_pulls_the_mean_by_its_mean_less_its_value() -> None:
    """Of a sum, each term by its own; what costs nothing or never varies, not at all."""
    chance = np.random.default_rng(1)
    first, other = chance.triangular(1, 2, 9, 20_000), chance.triangular(0, 5, 5.1, 20_000)
    drawn = np.stack([first, other, chance.random(20_000), np.full(20_000, 7.0)])
    amounts = np.stack([3 * first - 2 * other, first + other])
    found = pulls(drawn, amounts, np.array([2.0, 5.0, 0.0, 7.0]))
    up, down = (1 + 2 + 9) / 3 - 2.0, (0 + 5 + 5.1) / 3 - 5.0
    assert found[:2] == pytest.approx(np.array([[3 * up, up], [-2 * down, down]]), rel=0.05)
    assert not found[2:].any()
