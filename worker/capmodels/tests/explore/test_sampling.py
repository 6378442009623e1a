"""Draws have the distribution they claim; quantiles are those of NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from capmodels.explore.sampling_kernel import copula, quantiles, triangular, uniforms
from capmodels.plans.document.correlations import Correlation, lower_factor, normal_matrix


@pytest.mark.parametrize("triple", [(0.0, 1.0, 4.0), (-2.0, -2.0, 3.0), (1.0, 6.0, 6.0)])
@pytest.mark.decisive
def test_the_inverse_is_that_of_the_triangular_distribution(
    triple: tuple[float, float, float],
) -> None:
    low, mode, high = triple
    uniforms = np.linspace(0.0, 1.0, 101)
    expected = stats.triang.ppf(uniforms, (mode - low) / (high - low), loc=low, scale=high - low)
    np.testing.assert_allclose(triangular(triple, uniforms), expected, rtol=1e-12, atol=1e-12)


def test_a_range_of_one_value_draws_that_value() -> None:
    assert set(triangular((3.0, 3.0, 3.0), np.linspace(0, 1, 9))) == {3.0}


def test_each_name_has_its_own_stream_whatever_is_drawn_beside_it() -> None:
    first, second = uniforms("growth", 20_000, 7), uniforms("people", 20_000, 7)
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.03
    np.testing.assert_array_equal(first, uniforms("growth", 20_000, 7))
    assert not np.array_equal(first, uniforms("growth", 20_000, 8))
    drawn = triangular((0, 1, 2), first)
    assert drawn.mean() == pytest.approx(1.0, abs=0.01)
    assert drawn.std() == pytest.approx(np.sqrt(1 / 6), abs=0.01)


@pytest.mark.parametrize("spearman", [-1.0, -0.5, 0.0, 0.3, 0.9, 1.0])
def test_the_copula_has_the_rank_correlation_and_leaves_each_uniform(spearman: float) -> None:
    given = (Correlation(first="a", second="b", spearman_ratio=spearman),)
    factor = lower_factor(normal_matrix(["a", "b"], given))
    assert factor is not None
    first, second = copula(["a", "b"], factor, 40_000, 3)
    assert stats.spearmanr(first, second).statistic == pytest.approx(spearman, abs=0.015)
    for drawn in (first, second):
        assert stats.kstest(drawn, "uniform").pvalue > 0.001


def test_correlations_that_no_variables_have_are_found() -> None:
    def given(ab: float, bc: float, ac: float) -> list[list[float]]:
        pairs = (("a", "b", ab), ("b", "c", bc), ("a", "c", ac))
        items = [Correlation(first=x, second=y, spearman_ratio=rho) for x, y, rho in pairs]
        return normal_matrix(["a", "b", "c"], items)

    assert lower_factor(given(0.9, 0.9, -0.9)) is None
    assert lower_factor(given(1.0, 1.0, 0.9)) is None
    for fits in (given(1.0, 1.0, 1.0), given(0.9, 0.9, 0.8), given(0.0, 0.0, 0.0)):
        factor = lower_factor(fits)
        assert factor is not None
        np.testing.assert_allclose(np.asarray(factor) @ np.asarray(factor).T, fits, atol=1e-6)


@pytest.mark.parametrize("count", [1001, 1000, 7, 2, 1])  # ranks that are whole, and between
def test_quantiles_are_those_of_numpy(count: int) -> None:
    draws = np.random.default_rng(1).normal(size=(5, count))
    expected = np.quantile(draws, [0.0, 0.1, 0.5, 0.9, 1.0], axis=-1)
    found = np.stack(quantiles(draws.copy(), [0.0, 0.1, 0.5, 0.9, 1.0]))
    np.testing.assert_allclose(found, expected, rtol=1e-12)
