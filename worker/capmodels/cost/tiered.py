"""Storage, transfer and support whose price falls with the amount, tier by tier."""

from __future__ import annotations

import math
from bisect import bisect_left
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, field_validator

from capmodels.amounts import as_number, is_number, largest, maximum, smallest
from capmodels.equations import equation
from capmodels.series import each, scaled
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    default,
    one_point,
    refusal,
)
from capmodels.units import (
    BILLED_GB_PER_BILLED_TB,
    BILLED_GB_PER_TB,
    GB_PER_TB,
    DataGb,
    DataTb,
    DataTbPerMonth,
    Fraction,
    Real,
    UsdPerGb,
    UsdPerGbMonth,
    UsdPerMonth,
    of_unit,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from capmodels.amounts import AmountT
    from capmodels.series import Series

PositiveTb = Annotated[Real, of_unit("TB", gt=0)]
BilledGbPerTb = Annotated[Real, of_unit("GB/TB", ge=931, le=1024)]
PositiveUsd = Annotated[Real, of_unit("USD/month", gt=0)]


Band = tuple[float | None, float]


def banded(amounts: Series, bands: Sequence[Band]) -> Series:
    """Cost of every month's amount at (upper end, price) bands."""
    if len(bands) == 1:
        return scaled(amounts, bands[0][1])
    if isinstance(amounts, list) and bands:
        return _list_cost(amounts, bands)
    return each(lambda amount: band_cost(amount, bands), amounts)


def _list_cost(amounts: Series, bands: Sequence[Band]) -> Series:
    """Cost of many numbers: in each band the cost is one straight line."""
    ends, lines = [], [(bands[0][1], 0.0)]
    for (end, _), (_, price) in pairwise(bands):
        if end is None:
            break
        slope, fixed = lines[-1]
        ends.append(end)
        lines.append((price, fixed - (price - slope) * end))
    costs: Series = []
    for amount in map(as_number, amounts):
        slope, fixed = lines[bisect_left(ends, amount)]
        costs.append(slope * amount + fixed)
    return costs


@equation("cost.tiered")
def band_cost(amount: AmountT, bands: Sequence[Band]) -> AmountT:
    """Cost of an amount at (upper end, price) bands, the last without an end.

    Each band prices the part of the amount that lies in it: a straight line of the first
    price, and at each end the change of price times what lies above. Ends below all draws
    are part of the line, ends above all of them are not reached.

    Definition of a tariff in bands, as Amazon's list of S3 prices has it.

    >>> band_cost(60.0, [(10.0, 90.0), (50.0, 85.0), (None, 70.0)])
    5000.0
    """
    if not bands:
        return amount * 0.0
    before = bands[0][1]
    if len(bands) == 1:
        return before * amount
    low, high = smallest(amount), largest(amount)
    slope, fixed = before, 0.0
    bends = amount * 0.0
    for (end, _), (_, price) in pairwise(bands):
        if end is None or end >= high:
            break
        change = price - before
        if end <= low:
            slope, fixed = slope + change, fixed - change * end
        else:
            bends = bends + change * maximum(amount - end, 0.0)
        before = price
    return slope * amount + fixed + bends


@equation("cost.tiered")
def billed_bands(
    ends_tb: Sequence[float | None], prices_usd_per_gb: Sequence[float], gb_per_tb: float
) -> list[Band]:
    """Bands of a provider, per GB that it bills, as bands of decimal TB. [TB, USD/TB]

    ``gb_per_tb`` says how many GB it bills for 10^12 bytes; one that counts them otherwise
    than by 10^9 bytes ends its bands at TB of 1,024 GB.

    Definition of its units: Amazon S3's FAQ counts 10 TB as 10,995,116,277,760 bytes.

    >>> billed_bands([50.0, None], [0.023, 0.022], 1000.0)
    [(50.0, 23.0), (None, 22.0)]
    >>> round(billed_bands([50.0], [0.023], BILLED_GB_PER_TB)[0][0], 3)
    54.976
    """
    stretch = 1.0
    if is_number(gb_per_tb) and gb_per_tb != GB_PER_TB:
        stretch = BILLED_GB_PER_BILLED_TB / gb_per_tb
    return [
        (None if end is None else end * stretch, gb_per_tb * price)
        for end, price in zip(ends_tb, prices_usd_per_gb, strict=True)
    ]


def tier_lines(amount: float, bands: Sequence[Band]) -> list[tuple[float, float]]:
    """Amount and cost of each band.

    >>> tier_lines(70.0, [(50.0, 2.0), (500.0, 1.0), (None, 0.5)])
    [(50.0, 100.0), (20.0, 20.0), (0.0, 0.0)]
    """
    reached = [0.0, *(amount if end is None else min(amount, end) for end, _ in bands)]
    costs = [band_cost(part, bands) for part in reached]
    return [
        (high - low, dear - cheap)
        for (low, high), (cheap, dear) in zip(pairwise(reached), pairwise(costs), strict=True)
    ]


class StorageTier(Params):
    """A price that holds up to an amount of stored data."""

    up_to_tb: PositiveTb | None = blank("Where the tier ends; empty for the last one.")
    price_usd_per_gb_month: UsdPerGbMonth = Field(description="Price within the tier.")


class TransferTier(Params):
    """A price that holds up to an amount of data moved in a month."""

    up_to_tb: PositiveTb | None = blank("Where the tier ends; empty for the last one.")
    price_usd_per_gb: UsdPerGb = Field(description="Price within the tier.")


class SupportBand(Params):
    """A share of the month's bill that holds up to a bill."""

    up_to_usd_per_month: PositiveUsd | None = blank("Where the band ends; empty for the last one.")
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
        "Storage prices by amount.",
        source="Amazon S3 standard, us-east-1",
        as_of="2026-07",
    )
    moved_tb_per_month: DataTbPerMonth = assumed(60.0, "Data moved out to the internet.")
    transfer_tiers: Annotated[tuple[TransferTier, ...], Field(max_length=50)] = default(
        EGRESS_TIERS,
        "Transfer prices by amount.",
        source="Amazon EC2 data transfer out, us-east-1; the last two tiers secondary",
        as_of="2026-07",
    )
    free_gb_per_month: DataGb = assumed(0.0, "Data moved out for which nothing is billed.")
    gb_per_tb: BilledGbPerTb = default(
        BILLED_GB_PER_TB,
        "GB that the provider bills for 10^12 bytes: 931.3 where a GB has 2^30 "
        "bytes, as with AWS, Azure and Google; 1,000 where it has 10^9.",
        source="Amazon S3 FAQ: 10 TB are 10,995,116,277,760 bytes",
        as_of="2026-11",
    )
    other_usd_per_month: UsdPerMonth = assumed(
        0.0, "The rest of the month's bill, on which support is also charged."
    )
    support_bands: Annotated[tuple[SupportBand, ...], Field(max_length=50)] = assumed(
        SUPPORT_BANDS,
        "Support as a share of the bill, by band.",
        source="ends of the bands published, the shares between them assumed",
        as_of="2026-07",
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


def _tier_lines(rows: list[tuple[float, float]]) -> tuple[TierLine, ...]:
    return tuple(TierLine(amount_tb=amount, cost_usd_per_month=cost) for amount, cost in rows)


def _run(params: TieredParams, _context: Context) -> TieredResult:
    storage, transfer = (
        tier_lines(amount, billed_bands([t.up_to_tb for t in tiers], prices, params.gb_per_tb))
        for amount, tiers, prices in (
            (
                params.stored_tb,
                params.storage_tiers,
                [tier.price_usd_per_gb_month for tier in params.storage_tiers],
            ),
            (
                max(params.moved_tb_per_month - params.free_gb_per_month / params.gb_per_tb, 0.0),
                params.transfer_tiers,
                [tier.price_usd_per_gb for tier in params.transfer_tiers],
            ),
        )
    )
    storage_usd, transfer_usd = (
        math.fsum(cost for _, cost in rows) for rows in (storage, transfer)
    )
    bill = storage_usd + transfer_usd + params.other_usd_per_month
    support = tier_lines(
        bill, [(band.up_to_usd_per_month, band.share_fraction) for band in params.support_bands]
    )
    support_usd = max(params.support_least_usd_per_month, math.fsum(cost for _, cost in support))
    return TieredResult(
        storage_usd_per_month=storage_usd,
        storage=_tier_lines(storage),
        storage_mean_usd_per_gb_month=_mean(storage_usd, params.stored_tb * params.gb_per_tb),
        transfer_usd_per_month=transfer_usd,
        transfer=_tier_lines(transfer),
        transfer_mean_usd_per_gb=_mean(transfer_usd, params.moved_tb_per_month * params.gb_per_tb),
        support_usd_per_month=support_usd,
        support=tuple(
            BandLine(bill_usd_per_month=part, cost_usd_per_month=cost) for part, cost in support
        ),
        total_usd_per_month=bill + support_usd,
    )


def _mean(cost_usd: float, amount_gb: float) -> float | None:
    return cost_usd / amount_gb if amount_gb > 0 else None


def _flat_2008() -> TieredParams:
    tiers = (StorageTier(price_usd_per_gb_month=0.15),)
    return TieredParams(
        stored_tb=24.0, storage_tiers=tiers, moved_tb_per_month=0.0, gb_per_tb=GB_PER_TB
    )


def _flat_2008_usd_per_year() -> float:
    return 12 * _run(_flat_2008(), Context()).storage_usd_per_month


SPEC = ModelSpec(
    id="cost.tiered",
    version="1.1.0",
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
            "tiered",
            "cost = sum over tiers of (amount between the tier's ends) * price",
            "the providers' price lists",
        ),
        Formula(
            "support",
            "support = max(least, sum over bands of (bill within the band) * share)",
            "the providers' price lists",
        ),
    ),
    checks=(
        Check(
            "A5t",
            "One tier is the flat price: S3 for 24 TB, one year",
            43_000.0,
            _flat_2008_usd_per_year,
            source="Zaranek et al. 2008, section 2.1",
            printed="$43,000",
            tolerance=500.0,
            unit="USD",
            params=lambda: _flat_2008().model_dump(),
            kind="arithmetic",
            tests="cost.tiered.StorageTier.price_usd_per_gb_month",
        ),
    ),
    limits=(
        "Requests, retrieval and early deletion are left out.",
        "Support is charged on storage, transfer and the rest of the bill alike.",
    ),
)
