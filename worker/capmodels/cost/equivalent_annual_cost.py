"""Yearly cost of assets that last for different times, and cost of a useful core-hour."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from pydantic import Field

from capmodels.cost.cashflow import annuity_factor
from capmodels.numbers import percent
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    JSONDict,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    preset,
)
from capmodels.units import (
    Count,
    DurationYears,
    Fraction,
    Real,
    SignedUsd,
    Usd,
    UsdPerYear,
    of_unit,
)

DiscountFraction = Annotated[Fraction, of_unit("fraction/yr")]
SignedUsdPerYear = Annotated[Real, of_unit("USD/yr")]
CoreHPerYear = Annotated[Real, of_unit("core-h/yr", ge=0)]
UsdPerCoreH = Annotated[Real, of_unit("USD/core-h")]


def equivalent_annual_cost_usd(
    *, npv_usd: float, discount_fraction_per_year: float, life_years: float
) -> float:
    """Level yearly payment with the same present value. [USD/yr]

    EAC = NPV r / (1 - (1 + r)^-n), and NPV / n where r is 0.
    """
    return npv_usd / annuity_factor(
        rate_fraction_per_period=discount_fraction_per_year, periods=life_years
    )


def asset_npv_usd(
    *,
    capex_usd: float,
    opex_usd_per_year: float,
    salvage_usd: float,
    life_years: float,
    discount_fraction_per_year: float,
) -> float:
    """Present value of an asset: price, yearly cost at the end of each year, less salvage. [USD]"""
    factor = annuity_factor(rate_fraction_per_period=discount_fraction_per_year, periods=life_years)
    salvage: float = salvage_usd * (1 + discount_fraction_per_year) ** -life_years
    return capex_usd + opex_usd_per_year * factor - salvage


class Asset(Params):
    """Something that is bought, used and sold."""

    title: str = preset("Asset", "Its name.", min_length=1, max_length=200)
    capex_usd: Usd = Field(description="Price, paid now.")
    opex_usd_per_year: UsdPerYear = assumed(0.0, "Yearly cost of using it.")
    salvage_usd: Usd = assumed(0.0, "What it is sold for at the end.")
    life_years: DurationYears = Field(description="Time it is used.")
    useful_core_h_per_year: CoreHPerYear | None = blank(
        "Core-hours of useful work it does in a year."
    )


class EquivalentAnnualCostParams(Params):
    """Assets to compare, and the discount rate."""

    assets: tuple[Asset, ...] = Field(min_length=1, max_length=100, description="What is compared.")
    discount_fraction_per_year: DiscountFraction = assumed(
        0.08, "Discount rate.", source="economics reference 6.2", low=0.05, high=0.12
    )


class AssetCost(Result):
    """Cost of one asset."""

    title: str
    npv_usd: SignedUsd
    eac_usd_per_year: SignedUsdPerYear
    levelised_usd_per_core_h: UsdPerCoreH | None
    levelised_reason: Literal["no_useful_work"] | None


class EquivalentAnnualCostResult(Result):
    """Costs in the order given, and the position of the one that is cheapest a year."""

    assets: tuple[AssetCost, ...]
    cheapest_index: Count


def _asset_cost(asset: Asset, discount: float) -> AssetCost:
    npv = asset_npv_usd(
        capex_usd=asset.capex_usd,
        opex_usd_per_year=asset.opex_usd_per_year,
        salvage_usd=asset.salvage_usd,
        life_years=asset.life_years,
        discount_fraction_per_year=discount,
    )
    eac = equivalent_annual_cost_usd(
        npv_usd=npv, discount_fraction_per_year=discount, life_years=asset.life_years
    )
    # Useful work is level over the years, so the two present values' annuities cancel.
    work = asset.useful_core_h_per_year
    return AssetCost(
        title=asset.title,
        npv_usd=npv,
        eac_usd_per_year=eac,
        levelised_usd_per_core_h=eac / work if work else None,
        levelised_reason=None if work else "no_useful_work",
    )


def _run(params: EquivalentAnnualCostParams, _context: Context) -> EquivalentAnnualCostResult:
    costs = tuple(_asset_cost(asset, params.discount_fraction_per_year) for asset in params.assets)
    cheapest = min(range(len(costs)), key=lambda index: costs[index].eac_usd_per_year)
    return EquivalentAnnualCostResult(assets=costs, cheapest_index=cheapest)


def _used(utilization_fraction: float) -> Asset:
    return Asset(
        title=f"48 nodes at {percent(utilization_fraction)}",
        capex_usd=170_000.0,
        opex_usd_per_year=102_000.0,
        life_years=3.0,
        useful_core_h_per_year=384 * 8760 * utilization_fraction,
    )


def _used_core_h_usd(utilization_fraction: float) -> float:
    return _asset_cost(_used(utilization_fraction), 0.0).levelised_usd_per_core_h or 0.0


def _both() -> JSONDict:
    return {"assets": (_used(0.25), _used(0.90)), "discount_fraction_per_year": 0.0}


_used_core_hour = partial(
    Check,
    source="Zaranek et al. 2008, section 2.1",
    unit="USD/core-h",
    tolerance=0.0005,
    basis="derived",
    kind="arithmetic",
)

SPEC = ModelSpec(
    id="cost.equivalent_annual_cost",
    version="1.0.0",
    title="Equivalent annual cost",
    summary="The level yearly cost of assets of different life, and of an hour of a core that "
    "does useful work.",
    params=EquivalentAnnualCostParams,
    result=EquivalentAnnualCostResult,
    run=_run,
    points=lambda params: len(params.assets),
    citations=(
        Citation(text="Definition; the example is Zaranek et al. 2008, section 2.1, over 3 years"),
    ),
    formulas=(
        Formula(
            "eac",
            "EAC = NPV r / (1 - (1 + r)^-n)",
            "annuity",
            {"r": "discount_fraction_per_year", "n": "life_years"},
        ),
        Formula(
            "levelised",
            "levelised cost = present value of cost / present value of useful core-hours",
            "definition; with level work it is EAC / core-hours a year",
        ),
    ),
    checks=(
        _used_core_hour(
            "S14a",
            "A used core-hour of the 48 nodes at 25%, three years",
            0.189,
            lambda: _used_core_h_usd(0.25),
            params=_both,
            tests="cost.equivalent_annual_cost.Asset.opex_usd_per_year",
        ),
        _used_core_hour(
            "S14b",
            "A used core-hour of the 48 nodes at 90%, three years",
            0.052,
            lambda: _used_core_h_usd(0.90),
            params=_both,
            tests="cost.equivalent_annual_cost.Asset.useful_core_h_per_year",
        ),
    ),
    limits=(
        "Each asset is taken to be replaced by its like for ever, at the same price.",
        "Yearly cost is paid at the end of each year.",
    ),
)
