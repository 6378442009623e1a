"""Storage, transfer and support whose price falls with the amount, tier by tier."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, field_validator

from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    default,
    one_point,
    refusal,
)
from capmodels.units import (
    DataTb,
    DataTbPerMonth,
    Fraction,
    Real,
    UsdPerGb,
    UsdPerGbMonth,
    UsdPerMonth,
    gb_from_tb,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PositiveTb = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "TB"})]
PositiveUsd = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "USD/month"})]


def tier_amounts(amount: float, upper_bounds: Sequence[float]) -> list[float]:
    """Split an amount over tiers; each tier takes what lies below its upper bound.

    >>> tier_amounts(70.0, [50.0, 500.0, math.inf])
    [50.0, 20.0, 0.0]
    """
    parts, below = [], 0.0
    for bound in upper_bounds:
        parts.append(max(0.0, min(amount, bound) - below))
        below = bound
    return parts


class StorageTier(Params):
    """A price that holds up to an amount of stored data."""

    up_to_tb: PositiveTb | None = Field(
        default=None, description="Where the tier ends; empty for the last one."
    )
    price_usd_per_gb_month: UsdPerGbMonth = Field(description="Price within the tier.")


class TransferTier(Params):
    """A price that holds up to an amount of data moved in a month."""

    up_to_tb: PositiveTb | None = Field(
        default=None, description="Where the tier ends; empty for the last one."
    )
    price_usd_per_gb: UsdPerGb = Field(description="Price within the tier.")


class SupportBand(Params):
    """A share of the month's bill that holds up to a bill."""

    up_to_usd_per_month: PositiveUsd | None = Field(
        default=None, description="Where the band ends; empty for the last one."
    )
    share_fraction: Fraction = Field(description="Share of the bill within the band.")


S3_TIERS = (
    StorageTier(up_to_tb=50.0, price_usd_per_gb_month=0.023),
    StorageTier(up_to_tb=500.0, price_usd_per_gb_month=0.022),
    StorageTier(price_usd_per_gb_month=0.021),
)
EGRESS_TIERS = (
    TransferTier(up_to_tb=10.0, price_usd_per_gb=0.09),
    TransferTier(up_to_tb=50.0, price_usd_per_gb=0.085),
    TransferTier(up_to_tb=150.0, price_usd_per_gb=0.07),
    TransferTier(price_usd_per_gb=0.05),
)
SUPPORT_BANDS = (
    SupportBand(up_to_usd_per_month=10_000.0, share_fraction=0.10),
    SupportBand(up_to_usd_per_month=80_000.0, share_fraction=0.07),
    SupportBand(up_to_usd_per_month=250_000.0, share_fraction=0.05),
    SupportBand(share_fraction=0.03),
)


def _in_order(bound: str) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    def check(tiers: tuple[Any, ...]) -> tuple[Any, ...]:
        if not tiers:
            raise refusal("too_short", "Enter at least one tier.")
        ends = [getattr(tier, bound) for tier in tiers]
        for index, end in enumerate(ends):
            last = index == len(ends) - 1
            if (end is None) != last:
                raise refusal(
                    "open_tier",
                    "Leave the end empty in the last tier, and only there.",
                    at=(index, bound),
                )
            if index and not last and end <= ends[index - 1]:
                raise refusal(
                    "unsorted_tiers",
                    f"Tiers must rise. Enter more than {ends[index - 1]:g}.",
                    at=(index, bound),
                )
        return tiers

    return check


class TieredParams(Params):
    """Amounts of a month, and the tiers that price them."""

    stored_tb: DataTb = assumed(400.0, "Data kept in object storage, on average.")
    storage_tiers: Annotated[tuple[StorageTier, ...], Field(max_length=50)] = default(
        S3_TIERS,
        source="Amazon S3 standard, us-east-1",
        as_of="2026-07",
        description="Storage prices by amount.",
    )
    moved_tb_per_month: DataTbPerMonth = assumed(60.0, "Data moved out to the internet.")
    transfer_tiers: Annotated[tuple[TransferTier, ...], Field(max_length=50)] = default(
        EGRESS_TIERS,
        source="Amazon EC2 data transfer out, us-east-1; the last two tiers secondary",
        as_of="2026-07",
        description="Transfer prices by amount.",
    )
    other_usd_per_month: UsdPerMonth = assumed(
        0.0, "The rest of the month's bill, on which support is also charged."
    )
    support_bands: Annotated[tuple[SupportBand, ...], Field(max_length=50)] = default(
        SUPPORT_BANDS,
        source="ends of the bands published, the shares between them assumed",
        as_of="2026-07",
        quality="assumed",
        description="Support as a share of the bill, by band.",
    )
    support_least_usd_per_month: UsdPerMonth = assumed(0.0, "Least that support costs.")

    _storage_order = field_validator("storage_tiers")(_in_order("up_to_tb"))
    _transfer_order = field_validator("transfer_tiers")(_in_order("up_to_tb"))
    _support_order = field_validator("support_bands")(_in_order("up_to_usd_per_month"))


class TierLine(Result):
    """What falls into one tier, and what it costs."""

    amount_tb: DataTb
    cost_usd_per_month: UsdPerMonth


class BandLine(Result):
    """What falls into one band of the bill, and what support on it costs."""

    bill_usd_per_month: UsdPerMonth
    cost_usd_per_month: UsdPerMonth


class TieredResult(Result):
    """A month's bill by tier."""

    storage_usd_per_month: UsdPerMonth
    storage: tuple[TierLine, ...]
    storage_mean_usd_per_gb_month: UsdPerGbMonth | None
    transfer_usd_per_month: UsdPerMonth
    transfer: tuple[TierLine, ...]
    transfer_mean_usd_per_gb: UsdPerGb | None
    support_usd_per_month: UsdPerMonth
    support: tuple[BandLine, ...]
    total_usd_per_month: UsdPerMonth


def tier_costs_usd(
    amount: float, upper_bounds: Sequence[float | None], prices: Sequence[float]
) -> list[tuple[float, float]]:
    """Amount and cost of each tier; a bound of None is open. [amount, USD]

    ``prices`` are USD for one of the amount's units.
    """
    bounds = [math.inf if bound is None else bound for bound in upper_bounds]
    amounts = tier_amounts(amount, bounds)
    return [(part, part * price) for part, price in zip(amounts, prices, strict=True)]


def _tier_lines(rows: list[tuple[float, float]]) -> tuple[TierLine, ...]:
    return tuple(TierLine(amount_tb=amount, cost_usd_per_month=cost) for amount, cost in rows)


def _run(params: TieredParams, _context: Context) -> TieredResult:
    storage = tier_costs_usd(
        params.stored_tb,
        [tier.up_to_tb for tier in params.storage_tiers],
        [gb_from_tb(tier.price_usd_per_gb_month) for tier in params.storage_tiers],
    )
    transfer = tier_costs_usd(
        params.moved_tb_per_month,
        [tier.up_to_tb for tier in params.transfer_tiers],
        [gb_from_tb(tier.price_usd_per_gb) for tier in params.transfer_tiers],
    )
    storage_usd, transfer_usd = (
        math.fsum(cost for _, cost in rows) for rows in (storage, transfer)
    )
    bill = storage_usd + transfer_usd + params.other_usd_per_month
    support = tier_costs_usd(
        bill,
        [band.up_to_usd_per_month for band in params.support_bands],
        [band.share_fraction for band in params.support_bands],
    )
    support_usd = max(params.support_least_usd_per_month, math.fsum(cost for _, cost in support))
    return TieredResult(
        storage_usd_per_month=storage_usd,
        storage=_tier_lines(storage),
        storage_mean_usd_per_gb_month=_mean(storage_usd, params.stored_tb),
        transfer_usd_per_month=transfer_usd,
        transfer=_tier_lines(transfer),
        transfer_mean_usd_per_gb=_mean(transfer_usd, params.moved_tb_per_month),
        support_usd_per_month=support_usd,
        support=tuple(
            BandLine(bill_usd_per_month=part, cost_usd_per_month=cost) for part, cost in support
        ),
        total_usd_per_month=bill + support_usd,
    )


def _mean(cost_usd: float, amount_tb: float) -> float | None:
    return cost_usd / gb_from_tb(amount_tb) if amount_tb > 0 else None


def _flat_2008() -> TieredParams:
    tiers = (StorageTier(price_usd_per_gb_month=0.15),)
    return TieredParams(stored_tb=24.0, storage_tiers=tiers, moved_tb_per_month=0.0)


def _flat_2008_usd_per_year() -> float:
    return 12 * _run(_flat_2008(), Context()).storage_usd_per_month


SPEC = ModelSpec(
    id="cost.tiered",
    version="1.0.0",
    title="Tiered storage, transfer and support",
    summary="A month of object storage and outgoing transfer by price tier, and support as a "
    "share of the bill by band.",
    params=TieredParams,
    result=TieredResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(text="Amazon S3 pricing", url="https://aws.amazon.com/s3/pricing/"),
        Citation(
            text="Amazon EC2 on-demand pricing, data transfer",
            url="https://aws.amazon.com/ec2/pricing/on-demand/",
        ),
    ),
    formulas=(
        Formula(
            id="tiered",
            text="cost = sum over tiers of (amount between the tier's ends) * price",
            source="the providers' price lists",
        ),
        Formula(
            id="support",
            text="support = max(least, sum over bands of (bill within the band) * share)",
            source="the providers' price lists",
        ),
    ),
    checks=(
        Check(
            id="A5t",
            title="One tier is the flat price: S3 for 24 TB, one year",
            source="Zaranek et al. 2008, section 2.1",
            published=43_200.0,
            printed="$43,000",
            tolerance=0.01,
            unit="USD",
            compute=_flat_2008_usd_per_year,
            params=lambda: _flat_2008().model_dump(),
        ),
    ),
    limits=(
        "Requests, retrieval, early deletion and free allowances are left out.",
        "Support is charged on storage, transfer and the rest of the bill alike.",
    ),
)
