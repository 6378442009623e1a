"""Search by bounds, against enumerating all candidates."""

from __future__ import annotations

import numpy as np
import pytest

from capmodels.plans.search_kernel import front_of, search


def _enumerated(values: np.ndarray) -> set[tuple[float, ...]]:
    """Rows that no other row beats, by comparing each with each."""
    return {
        tuple(row)
        for row in values.tolist()
        if np.isfinite(row).all()
        and not any(
            all(a <= b for a, b in zip(other, row, strict=True)) and other != row
            for other in values.tolist()
        )
    }


@pytest.mark.parametrize("measures", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_the_front_is_that_of_the_enumeration(measures: int, seed: int) -> None:
    dice = np.random.default_rng(seed)
    values = dice.integers(1, 12, size=(150, measures)).astype(float)
    assert {tuple(row) for row in values[front_of(values)].tolist()} == _enumerated(values)


@pytest.mark.decisive
@pytest.mark.parametrize("measures", [1, 2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_what_bounds_leave_out_would_not_have_been_on_the_front(measures: int, seed: int) -> None:
    dice = np.random.default_rng(seed)
    values = dice.lognormal(0.0, 1.0, size=(400, measures))
    carries = dice.random(400) < 0.8
    bounds = values * dice.uniform(0.5, 1.0, size=values.shape)
    found = search(bounds, lambda at: values[at] if carries[at] else None, most=400)
    assert found.open_count == 0
    assert {found.exact[at] for at in found.front} == _enumerated(values[carries])
    assert len(found.exact) < carries.sum()
    assert found.loose_count == 0


def test_a_search_that_is_ended_says_how_many_may_be_better() -> None:
    values = np.random.default_rng(3).lognormal(0.0, 1.0, size=(200, 2))
    found = search(values * 0.1, lambda at: values[at], most=20)
    assert len(found.exact) == 20
    assert found.open_count > 0


def test_where_a_bound_is_none_nothing_that_is_left_out_is_certain() -> None:
    found = search(np.array([[2.0], [3.0], [4.0]]), lambda at: (1.0 + at,), most=3)
    assert (found.loose_count, found.open_count) == (1, 2)
    assert found.exact == {0: (1.0,)}
