"""Draws have the distribution they claim; quantiles are those of NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from capmodels.explore.sampling_kernel import quantiles, triangular, triangular_draws


@pytest.mark.parametrize("triple", [(0.0, 1.0, 4.0), (-2.0, -2.0, 3.0), (1.0, 6.0, 6.0)])
def test_the_inverse_is_that_of_the_triangular_distribution(
    triple: tuple[float, float, float],
) -> None:
    low, mode, high = triple
    uniforms = np.linspace(0.0, 1.0, 101)
    expected = stats.triang.ppf(uniforms, (mode - low) / (high - low), loc=low, scale=high - low)
    np.testing.assert_allclose(triangular(triple, uniforms), expected, rtol=1e-12, atol=1e-12)


def test_a_range_of_one_value_draws_that_value() -> None:
    assert set(triangular((3.0, 3.0, 3.0), np.linspace(0, 1, 9))) == {3.0}


def test_inputs_are_independent_and_each_has_its_own_stream() -> None:
    first, second = triangular_draws([(0, 1, 2), (0, 1, 2)], 20_000, seed=7)
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.03
    alone = triangular_draws([(0, 1, 2)], 20_000, seed=7)[0]
    np.testing.assert_array_equal(first, alone)
    assert first.mean() == pytest.approx(1.0, abs=0.01)
    assert first.std() == pytest.approx(np.sqrt(1 / 6), abs=0.01)


def test_quantiles_are_those_of_numpy() -> None:
    draws = np.random.default_rng(1).normal(size=(5, 1001))
    expected = np.quantile(draws, [0.0, 0.1, 0.5, 0.9, 1.0], axis=-1)
    found = np.stack(quantiles(draws.copy(), [0.0, 0.1, 0.5, 0.9, 1.0]))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
