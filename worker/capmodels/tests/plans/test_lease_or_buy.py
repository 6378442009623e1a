"""Lease or buy: the same hardware both ways, apart from whether to own it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from capmodels.explore.sampling_kernel import triangular, uniforms
from capmodels.plans.check.lease_or_buy import lease_or_buy
from capmodels.plans.compare import AmountTooLarge, compare
from capmodels.plans.document.quantities import quantities_of
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
from capmodels.tests.plans.documents import cloud, owned, plain, study_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.plans.check.lease_or_buy import LeaseOrBuy

RATE, TERM = 0.09, 24


def told(**more: Any) -> LeaseOrBuy:
    lease = {"kind": "lease", "rate_fraction_per_year": RATE, "term_months": TERM}
    design = owned("A", finance=more.pop("finance", lease))
    ranges, draws = more.pop("ranges", []), more.pop("draws_count", 0)
    given = {"discount_fraction_per_year": 0.06, "horizon_months": 36, **more}
    document = plain([design, cloud("B")], **given)
    (found,) = lease_or_buy(
        study_of({**document, "ranges": ranges, "draws_count": draws, "seed": 1})
    )
    return found


def by_hand(price_usd: float, discount: Any, rate: float = RATE) -> NDArray[np.float64]:
    """Payments of a lease discounted, less the price."""
    month = (1 + np.asarray(discount, dtype=float)) ** (1 / 12) - 1
    payment = price_usd * (rate / 12) / (1 - (1 + rate / 12) ** -TERM)
    due = np.arange(1, TERM + 1)[:, None]
    paid: NDArray[np.float64] = (payment * (1 + np.atleast_1d(month)) ** -due).sum(axis=0)
    return paid - price_usd


def test_the_difference_is_that_of_the_payments_discounted() -> None:
    found = told()
    assert found.is_leased
    assert found.lease_cheaper_fraction is None
    assert found.difference_usd == pytest.approx(found.leased_usd - found.bought_usd)
    wanted = by_hand(found.bought_usd, 0.06)[0]
    assert found.difference_usd == pytest.approx(wanted, rel=1e-9)
    assert "A: leased at 9% over 24 months" in found.sentence
    # It is a question of money only: also where the study is ranked by cash.
    assert told(ranked_by="cash").difference_usd == pytest.approx(wanted, rel=1e-9)
    # At the cost of capital both are the same.
    same = {"rate_fraction_per_year": 12 * (1.06 ** (1 / 12) - 1), "term_months": TERM}
    even = told(finance={"kind": "lease", **same})
    assert even.difference_usd == pytest.approx(0, abs=1e-6)
    assert "as much as bought" in even.sentence


def test_the_odds_are_those_of_the_drawn_discount_rates() -> None:
    at = "/assumptions/discount_fraction_per_year"
    ranges = [{"pointer": at, "low": 0.02, "high": 0.14}]
    found = told(ranges=ranges, draws_count=1000)
    price = found.bought_usd
    quantity = quantities_of(study_of({**plain([owned("A")]), "ranges": ranges}))[0].key
    drawn = triangular((0.02, 0.06, 0.14), uniforms(quantity, 1000, 1))
    gaps = by_hand(price, drawn)
    assert found.lease_cheaper_fraction == pytest.approx(np.mean(gaps < 0))
    assert found.difference_usd == pytest.approx(gaps.mean(), rel=1e-9)
    low, high = np.quantile(gaps, (0.1, 0.9))
    assert (found.difference_p10_usd, found.difference_p90_usd) == pytest.approx((low, high))
    assert "of 1,000 simulations" in found.sentence


def test_a_design_that_is_bought_has_the_usual_lease_beside_it() -> None:
    found = told(finance={"kind": "buy"})
    assert not found.is_leased
    assert (found.rate_fraction_per_year, found.term_months) == (0.07, 36)


@pytest.mark.parametrize("seed", range(0, 60, 6))
def test_every_owned_design_of_a_random_study_has_the_figure(seed: int) -> None:
    document = {**document_of(random_study(seed)), "draws_count": 50}
    study = study_of(document)
    kinds = {item.letter for item in study.designs if item.kind in {"owned_cluster", "disk_array"}}
    try:
        compare(study)
    except AmountTooLarge:
        with pytest.raises((OverflowError, FloatingPointError)):
            lease_or_buy(study)
        return
    found = lease_or_buy(study)
    assert {item.letter for item in found} == kinds
    for item in found:
        assert item.sentence.endswith(".")
        assert item.difference_usd == pytest.approx(item.leased_usd - item.bought_usd, abs=1e-3)
