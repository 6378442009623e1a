"""Leases of both kinds, against payments and taxes worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from capmodels.cost.cashflow import payment_usd
from capmodels.errors import ParamsError
from capmodels.testing.sent import document_of
from capmodels.testing.studies import random_study
from capmodels.tests.plans.documents import answer, cause_usd, column, owned, plain
from capmodels.tests.plans.random_studies import seeds_to

if TYPE_CHECKING:
    from capmodels.spec import JSONDict

PAID = 10_000.0  # ten nodes at $1,000
TAXED: dict[str, Any] = {"tax": {"counted": True, "rate_fraction": 0.2}}


def leased(term: int, end: str, rate: float = 0.0, residual: float = 0.0) -> JSONDict:
    return {
        "kind": "lease",
        "rate_fraction_per_year": rate,
        "term_months": term,
        "at_end": end,
        "residual_fraction": residual,
    }


def cost(
    finance: JSONDict, *, months: int = 36, design: JSONDict | None = None, **more: Any
) -> Any:
    part = owned(finance=finance, **(design or {}))
    return column(answer(plain([part], horizon_months=months, **more)), "A")


@pytest.mark.parametrize("months", [12, 24, 36])
@pytest.mark.parametrize("end", ["work_stops", "work_continues"])
def test_what_is_bought_out_without_interest_costs_as_what_is_bought(months: int, end: str) -> None:
    """Over the years the same is deducted: the price less what is left of it, never twice."""
    sold = {"salvage": {"fraction": 0.1}}
    rules = {**TAXED, "end": end, "discount_fraction_per_year": 0.0}
    bought = cost({"kind": "buy"}, months=months, design=sold, **rules)
    for term in (12, 24, 48):
        found = cost(leased(term, "bought_out", residual=0.15), months=months, design=sold, **rules)
        assert found.total_usd == pytest.approx(bought.total_usd), term
        assert found.years[0].depreciation_usd == bought.years[0].depreciation_usd == 2000


def test_interest_and_depreciation_are_deducted_and_the_principal_is_not() -> None:
    payment = payment_usd(principal_usd=PAID, rate_fraction_per_period=0.005, periods=24)
    still = payment * (1 - 1.005**-12) / 0.005  # repaid in the second year
    found = cost(leased(24, "bought_out", rate=0.06), **TAXED)
    interest = [12 * payment - (PAID - still), 12 * payment - still, 0.0]
    # 2,000 a year are written off, and what the books hold when the work stops.
    wanted = [-0.2 * (one + off) for one, off in zip(interest, (2000, 2000, 6000), strict=True)]
    for year, usd in zip(found.years, wanted, strict=True):
        assert year.causes["tax"] == pytest.approx(usd)


def test_what_is_returned_is_rented_for_as_long_as_the_work_goes_on() -> None:
    # The payments repay $9,000 over 24 months, and the rent goes on for another year.
    lease = leased(24, "returned", residual=0.1)
    for end in ("work_stops", "work_continues"):
        found = cost(lease, end=end, design={"salvage": {"fraction": 0.1}}, **TAXED)
        assert found.total_usd == pytest.approx(36 * 375 * 0.8)
        assert cause_usd(found, "salvage") == 0.0
        assert found.years[0].depreciation_usd == 0.0
        assert [year.causes["tax"] for year in found.years] == pytest.approx([-900.0] * 3)


def test_a_term_beyond_the_horizon_is_owed_in_full_only_when_the_work_stops() -> None:
    lease = leased(24, "returned", residual=0.1)
    assert cost(lease, months=12).total_usd == pytest.approx(24 * 375)
    assert cost(lease, months=12, end="work_continues").total_usd == pytest.approx(12 * 375)
    # Bought out, it is sold for what it is worth then.
    kept = leased(24, "bought_out", residual=0.1)
    found = cost(kept, months=12, design={"salvage": {"fraction": 0.3}})
    assert cause_usd(found, "remaining") == pytest.approx(12 * 375 + 1000)
    assert cause_usd(found, "salvage") == pytest.approx(-3000)


def test_the_residual_is_paid_at_the_end_of_the_term() -> None:
    found = cost(leased(24, "bought_out", residual=0.1))
    assert found.total_usd == pytest.approx(PAID)
    assert found.cumulative_usd[24] == pytest.approx(9000)
    assert found.cumulative_usd[25] == pytest.approx(PAID)


def test_a_residual_is_part_of_the_price() -> None:
    with pytest.raises(ParamsError):
        cost(leased(24, "returned", residual=1.2))


def jumps(seed: int) -> list[str]:
    """Where a month more of a lease's term moves the cost of a random study's designs by a jump."""
    document = {**document_of(random_study(seed)), "draws_count": 0, "ranges": []}
    assumptions = document["assumptions"]
    assumptions["correlations"] = []
    months = assumptions.get("horizon_months", 36)
    found = []
    for part in document["designs"]:
        if part["kind"] not in {"owned_cluster", "disk_array"}:
            continue
        kept = part.get("refresh_months") or 120
        for end in ("bought_out", "returned"):
            for term in sorted({11, 24, months - 1, months}):
                if not 6 <= term < min(kept, 120):
                    continue
                usd, paid = [], 0.0
                for length in (term, term + 1):
                    part["finance"] = leased(length, end, rate=0.07)
                    column_ = column(answer(document), part["letter"])
                    usd.append(column_.ranked_usd)
                    paid = max(paid, sum(abs(cause_usd(column_, c, "owned")) for c in BOUGHT))
                # A month's delay of the price, and the rent by the months that repay it.
                rates = 0.07 + assumptions.get("discount_fraction_per_year", 0.08) + 0.05
                most = paid * (rates / 6 + (1.5 / term if end == "returned" else 0.0))
                if abs(usd[1] - usd[0]) > most + 1e-6 * abs(usd[0]):
                    found.append(f"{seed} {part['letter']} {end} {term}: {usd} beyond {most:.6g}")
    return found


BOUGHT = ("hardware", "drives", "enclosures", "finance", "remaining", "salvage")


@pytest.mark.parametrize("seed", seeds_to(20))
def test_the_length_of_a_lease_moves_its_cost_continuously(seed: int) -> None:
    assert jumps(seed) == []


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(20, 200))
def test_the_length_of_a_lease_moves_the_cost_of_any_study_continuously(seed: int) -> None:
    assert jumps(seed) == []
