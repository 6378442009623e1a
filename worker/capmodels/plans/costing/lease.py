"""What a lease asks: its payment, what it has not repaid, and what is owed when the work stops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.cost.cashflow import annuity_factor, payment_usd
from capmodels.units import MONTHS_PER_YEAR
from capmodels.worked import named

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.costing.group_plan import Batch
    from capmodels.plans.document.owned import Lease


def lease_payment_usd(lease: Lease, price_usd: Amount) -> Amount:
    """Level payment at the end of each month of a lease. [USD]

    It repays the price less the present value of the residual, at the rate of the lease:
    (price - residual / (1 + i)^n) i / (1 - (1 + i)^-n).
    """
    rate = lease.rate_fraction_per_year / MONTHS_PER_YEAR
    residual = lease.residual_fraction * (1.0 + rate) ** -lease.term_months
    payment = payment_usd(
        principal_usd=price_usd * (1.0 - residual),
        rate_fraction_per_period=rate,
        periods=lease.term_months,
    )
    return named(payment, "Payment of the lease", "USD")


def lease_balance_usd(lease: Lease, price_usd: Amount, age_months: int) -> Amount:
    """Principal that a lease has not repaid after some months, its residual included. [USD]"""
    if age_months >= lease.term_months:
        return 0.0
    rate = lease.rate_fraction_per_year / MONTHS_PER_YEAR
    left = lease.term_months - age_months
    still = annuity_factor(rate_fraction_per_period=rate, periods=left)
    residual = price_usd * lease.residual_fraction * (1.0 + rate) ** -left
    return lease_payment_usd(lease, price_usd) * still + residual


def lease_owed_usd(lease: Lease, batch: Batch, months: int) -> Amount:
    """What a lease still asks, in full, when the work stops after some months. [USD]"""
    left = batch.month + lease.term_months - months
    if left <= 0 or batch.gone_month < months:
        return 0.0
    owed = lease_payment_usd(lease, batch.paid_usd) * left
    return owed if lease.is_returned else owed + batch.paid_usd * lease.residual_fraction


def repaid_usd(lease: Lease, batch: Batch, year: int, horizon_months: int) -> Amount:
    """Principal of a bought-out lease that is repaid in a year, 0 being the first. [USD]

    By the balance at the rate of the lease; what is left at the end of the horizon is repaid then.
    """
    first, last = (
        min(max(month - batch.month, 0), lease.term_months)
        for month in (
            year * MONTHS_PER_YEAR,
            min((year + 1) * MONTHS_PER_YEAR, horizon_months),
        )
    )
    before = lease_balance_usd(lease, batch.paid_usd, first)
    if (year + 1) * MONTHS_PER_YEAR >= horizon_months:
        return before
    return before - lease_balance_usd(lease, batch.paid_usd, last)
