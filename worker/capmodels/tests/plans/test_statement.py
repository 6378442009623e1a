"""Statements by fiscal year: against the ledger, published figures, and the books' own identity."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from capmodels.errors import ParamsError
from capmodels.plans.compare import SPEC
from capmodels.plans.document.assumptions import MONTH_NAMES
from capmodels.spec import evaluate
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
from capmodels.tests.plans.documents import answer, cause_usd, column, owned, plain

BOUGHT = 10_000.0  # ten nodes at $1,000


def leased(term: int, end: str, rate: float, residual: float = 0.0) -> dict[str, Any]:
    return {
        "kind": "lease",
        "rate_fraction_per_year": rate,
        "term_months": term,
        "at_end": end,
        "residual_fraction": residual,
    }


def statement(*, starts: str, standard: str = "ifrs_16", **design: Any) -> Any:
    books = {"year_starts_in": starts, "standard": standard}
    more: dict[str, Any] = {"books": books, "starts_on": "2026-05-01", "end": "work_continues"}
    part = owned(**design)
    return column(answer(plain([part], horizon_months=36, **more)), "A").statement


def with_finance(seed: int) -> dict[str, Any]:
    """A random study with leases, payments in advance, both ends and any fiscal year."""
    draw = random.Random(seed)
    study: dict[str, Any] = document_of(random_study(seed))
    study["draws_count"] = 0
    # What is rented may be paid at another rate, in advance as well.
    study["assumptions"]["currency"] = {"paid_ratio": draw.choice([1.0, 1.3])}
    study["assumptions"] |= {
        "end": draw.choice(["work_stops", "work_continues"]),
        "starts_on": "2026-05-01",
        "books": {
            "year_starts_in": draw.choice(MONTH_NAMES),
            "standard": draw.choice(["ifrs_16", "asc_842"]),
        },
    }
    for design in study["designs"]:
        if design["kind"] in {"owned_cluster", "disk_array"} and draw.random() < 0.7:
            term = draw.choice([12, 24, 36, 60])
            end = draw.choice(["returned", "bought_out"])
            rate, residual = draw.choice([0.0, 0.05, 0.1]), draw.choice([0.0, 0.2])
            design["finance"] = leased(term, end, rate, residual)
        for commitment in design.get("commitments") or []:
            commitment["upfront_fraction"] = draw.choice([0.0, 0.5, 1.0])
    return study


def check_books(seed: int) -> int:
    """Hold a random study's statements to the ledger and to the identity; returns designs held."""
    document = with_finance(seed)
    try:
        found = evaluate(SPEC, document)
    except ParamsError:  # a lease longer than the machines are kept
        return 0
    continues = document["assumptions"]["end"] == "work_continues"
    for design in found.designs:
        years, scale = design.statement, abs(design.total_usd) + 1.0
        free = math.fsum(year.free_cash_usd for year in years)
        result = math.fsum(year.result_usd for year in years)
        last = years[-1]
        net = last.assets_usd + last.prepaid_usd - last.lease_liability_usd
        # The lines between EBITDA and free cash lead from one to the other.
        for year in years:
            bridge = year.ebitda_usd + year.proceeds_usd - year.capex_usd - year.tax_usd
            bridge -= year.lease_payments_usd + year.paid_ahead_usd
            assert bridge == pytest.approx(year.free_cash_usd, abs=1e-9 * scale), design.letter
        # What is taken from results is paid, or still in the balance.
        assert result == pytest.approx(free + net, abs=1e-9 * scale), design.letter
        # What is paid is the ledger's cost, but for the value left at the end.
        if not continues:
            assert free == pytest.approx(-design.total_usd, abs=1e-9 * scale), design.letter
            assert net == pytest.approx(0.0, abs=1e-9 * scale), design.letter
        elif document.get("baseline") is None:
            # What is paid in advance for later months is what the ledger gives back of it.
            kept = cause_usd(design, "salvage", "rented")
            assert last.prepaid_usd == pytest.approx(-kept, abs=1e-9 * scale), design.letter
        assert sum(year.months_count for year in years) == len(design.cumulative_usd) - 1
    return len(found.designs)


def test_results_are_free_cash_and_what_the_balance_gained() -> None:
    assert sum(check_books(seed) for seed in range(12)) > 24


@pytest.mark.deep
def test_results_are_free_cash_and_what_the_balance_gained_in_many_studies() -> None:
    assert sum(check_books(seed) for seed in range(12, 400)) > 800


def test_interest_is_that_of_a_spreadsheet() -> None:
    """Documentation of Excel's CUMIPMT: 9% a year, 30 years, 125,000: 11,135.23 in year 2."""
    lease = leased(360, "bought_out", 0.09)
    price = {"price": {"kind": "typed", "unit_price_usd": 12_500.0}}
    years = statement(starts="may", finance=lease, group=price)
    assert years[1].interest_usd == pytest.approx(11_135.23, abs=0.005)
    assert years[0].ebitda_usd == -years[0].opex_usd


def test_a_returned_lease_is_an_asset_by_one_standard_and_a_cost_by_the_other() -> None:
    """36 payments of 10,000 (1 - 0) at no interest: 3,333 a year either way, in other lines."""
    lease = leased(36, "returned", 0.0)
    ifrs = statement(starts="may", finance=lease)
    asc = statement(starts="may", finance=lease, standard="asc_842")
    for year, level in zip(ifrs, asc, strict=True):
        assert level.opex_usd - year.opex_usd == pytest.approx(BOUGHT / 3)
        assert year.depreciation_usd == pytest.approx(BOUGHT / 3)
        assert (level.depreciation_usd, level.assets_usd, level.lease_liability_usd) == (0, 0, 0)
        assert year.free_cash_usd == pytest.approx(level.free_cash_usd)
        assert year.result_usd == pytest.approx(level.result_usd)
    for left in (ifrs[0].assets_usd, ifrs[0].lease_liability_usd):
        assert left == pytest.approx(BOUGHT * 2 / 3)


def test_a_fiscal_year_from_october_is_named_by_its_end() -> None:
    """Five months from May to September 2026, two years, seven months to April 2029."""
    years = statement(starts="october")
    assert [(one.year, one.months_count) for one in years] == [
        (2026, 5), (2027, 12), (2028, 12), (2029, 7),
    ]  # fmt: skip
    # 10,000 over 60 months
    assert [round(one.depreciation_usd, 2) for one in years] == [833.33, 2000, 2000, 1166.67]
    assert years[0].capex_usd == BOUGHT
    assert years[-1].assets_usd == pytest.approx(BOUGHT * 24 / 60)


def test_a_budget_is_compared_with_what_is_bought_and_run() -> None:
    books = {"budgets": [{"year": 2027, "usd": 0.0}, {"year": 2026, "usd": 50_000.0}]}
    found = answer(plain([owned()], horizon_months=24, books=books, starts_on="2026-01-01"))
    first, second = column(found, "A").statement
    assert first.over_budget_usd == pytest.approx(first.capex_usd + first.opex_usd - 50_000.0)
    # Nothing may be spent is a budget; none entered is not.
    assert second.budget_usd == 0.0
    assert second.over_budget_usd == pytest.approx(second.capex_usd + second.opex_usd)
    without = column(answer(plain([owned()], horizon_months=24)), "A").statement
    assert [(one.year, one.budget_usd, one.over_budget_usd) for one in without] == [
        (1, None, None), (2, None, None),
    ]  # fmt: skip


def test_a_year_has_one_budget() -> None:
    books = {"budgets": [{"year": 2027, "usd": 1.0}, {"year": 2027, "usd": 2.0}]}
    with pytest.raises(ParamsError, match=r"Fiscal year 2027 has two budgets\. Enter one\."):
        answer(plain([owned()], books=books))


@pytest.mark.parametrize(
    ("months", "starts", "begins", "years"),
    [
        (12, "2026-01-01", "january", (2026, 2026)),
        (36, "2026-12-01", "january", (2026, 2029)),
        (36, "2026-12-01", "july", (2027, 2030)),
        (24, None, "january", (1, 2)),
    ],
)
def test_a_budget_of_a_year_that_no_statement_has_is_refused_at_its_field(
    months: int, starts: str | None, begins: str, years: tuple[int, int]
) -> None:
    books: dict[str, Any] = {"year_starts_in": begins}
    more: dict[str, Any] = {} if starts is None else {"starts_on": starts}
    shown = column(answer(plain([owned()], horizon_months=months, books=books, **more)), "A")
    assert (shown.statement[0].year, shown.statement[-1].year) == years
    for year in (years[0] - 1, years[1] + 1):
        if year < 1:
            continue
        books["budgets"] = [{"year": years[0], "usd": 1.0}, {"year": year, "usd": 1.0}]
        with pytest.raises(ParamsError) as caught:
            answer(plain([owned()], horizon_months=months, books=books, **more))
        (fault,) = caught.value.faults
        assert fault.pointer == "/assumptions/books/budgets/1/year"
        assert f"not {year}" in fault.message
    books["budgets"] = [{"year": year, "usd": 1.0} for year in range(years[0], years[1] + 1)]
    found = column(answer(plain([owned()], horizon_months=months, books=books, **more)), "A")
    assert all(one.budget_usd == 1.0 for one in found.statement)


def test_a_budget_stays_where_the_horizon_may_be_shorter() -> None:
    books = {"budgets": [{"year": 2028, "usd": 1.0}]}
    choice = {
        "pointer": "/assumptions/horizon_months",
        "others": [{"value": 12, "odds_fraction": 0.3}],
    }
    study = plain(
        [owned()], horizon_months=36, books=books, starts_on="2026-01-01", choices=[choice]
    )
    assert column(answer(study), "A").statement[-1].budget_usd == 1.0
