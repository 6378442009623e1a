"""Numbers as sentences say them: short, whatever they are."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from capmodels.numbers import counted, percent
from capmodels.plans.document.assumptions import Currency
from capmodels.plans.words import money, share_error, share_error_words, tenths, three_digits
from capmodels.tests.plans.documents import answer, cloud, owned, plain

USD = Currency()
FRANC = Currency(code="CHF", per_usd=0.9, as_of="2026-07-20")


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        (999_999e9, "$1,000 T"),
        (5e-324, "$0"),
        (1e18, "$1.00 × 10¹⁸"),
        (-1.2345e299, "−$1.23 × 10²⁹⁹"),
        (9.999e20, "$1.00 × 10²¹"),
    ],
)
@pytest.mark.decisive
def test_an_amount_beyond_counting_is_a_power_of_ten(amount: float, said: str) -> None:
    assert money(amount, USD) == said


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.integers(1, 10**6).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))))
def test_the_error_of_a_share_is_that_of_the_score_interval(count: tuple[int, int]) -> None:
    """Its ends are the shares p of which what was seen is 1.96 standard errors off (Wilson)."""
    n, seen = count
    half, z = share_error(seen / n, n), 1.959964
    middle = (seen + z * z / 2) / (n + z * z)
    for end in (middle - half, middle + half):
        assert (seen / n - end) ** 2 == pytest.approx(z * z * end * (1 - end) / n, abs=1e-12)


def test_an_error_of_a_share_is_that_of_the_share_not_of_one_half() -> None:
    said = [share_error_words(share, 10_000) for share in (0.5, 0.97, 0.999, 1.0, 0.0)]
    assert said == ["±1 point", "within 1 point", *["within 0.1 points"] * 3]
    # A share and its error have digits of one size.
    for share in (0.012, 0.054, 0.5, 0.97, 0.9951, 0.9993):
        digits = percent(share).partition(".")[2].rstrip("%")
        assert bool(digits) == ("." in share_error_words(share, 10_000))


@settings(max_examples=500, deadline=None, derandomize=True)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_no_number_in_a_sentence_is_longer_than_a_line_can_hold(amount: float) -> None:
    assert len(money(amount, USD)) <= 20
    assert len(money(amount, FRANC)) <= 20
    assert len(three_digits(amount)) <= 20
    assert len(tenths(amount)) <= 23
    assert len(counted(abs(amount), "node")) <= 29


def test_a_rate_that_leads_out_of_the_numbers_is_said_all_the_same() -> None:
    rate = Currency(code="ZWR", per_usd=1e300, as_of="2009-02-01")
    assert len(money(sys.float_info.max, rate)) <= 20


def test_the_largest_study_has_a_headline_that_can_be_read() -> None:
    """A planet of cores, each of them at the highest price."""
    study = plain([owned("A"), cloud("B", item={"usd_per_h": 1e9})])
    study["workload"]["busy_cores_count"] = 1e10
    study["designs"][0]["node_groups"][0]["price"]["unit_price_usd"] = 1e15
    headline = answer(study).verdict.headline
    assert len(headline) < 200
    assert "× 10" in headline
