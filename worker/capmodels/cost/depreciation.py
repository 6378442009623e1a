"""What an asset loses in book value each year, and the cash flow after tax."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import ConfigDict, ValidationInfo, field_validator

from capmodels.equations import equation
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
    refusal,
)
from capmodels.units import (
    MONTHS_PER_YEAR,
    CountFromOne,
    Fraction,
    Real,
    SignedUsd,
    Usd,
    UsdPerYear,
    Whole,
    of_unit,
)

if TYPE_CHECKING:
    from capmodels.amounts import AmountT

# IRS Publication 946, table A-1, half-year convention, 5-year property (computers).
MACRS_5_FRACTIONS = (0.20, 0.32, 0.192, 0.1152, 0.1152, 0.0576)

Method = Literal["straight_line", "macrs_5"]

LifeYears = Annotated[Whole, of_unit("yr", ge=1, le=50)]
YearNumber = Annotated[CountFromOne, of_unit("yr")]


@equation("cost.depreciation")
def written_off_usd(
    paid_usd: AmountT,
    method: Method,
    *,
    life_months: int,
    years: int,
    held: range | None = None,
    bonus_fraction: float = 0.0,
) -> list[AmountT]:
    """What the books write off in each year of a purchase, until it goes. [USD]

    Straight line spreads the price over its months, counted from the purchase; MACRS has a
    share for each tax year from that of the purchase on (IRS Publication 946, table A-1).
    ``held`` are the months in which the asset is there, 0 being the first of all. The bonus is
    written off in the year of the purchase, the rest by the method (26 U.S.C. section 168(k)).

    >>> written_off_usd(90.0, "straight_line", life_months=36, years=4)
    [30.0, 30.0, 30.0, 0.0]
    >>> written_off_usd(100.0, "macrs_5", life_months=60, years=2, held=range(12, 24))
    [0.0, 20.0]
    >>> written_off_usd(100.0, "macrs_5", life_months=60, years=2, bonus_fraction=0.5)
    [60.0, 16.0]
    """
    there = range(years * MONTHS_PER_YEAR) if held is None else held
    lines = [paid_usd * 0.0] * years
    bonus_usd = paid_usd * bonus_fraction
    paid_usd = paid_usd - bonus_usd
    for year in range(there.start // MONTHS_PER_YEAR, years):
        if method == "macrs_5":
            age = year - there.start // MONTHS_PER_YEAR
            if age < len(MACRS_5_FRACTIONS) and year * MONTHS_PER_YEAR < there.stop:
                lines[year] = paid_usd * MACRS_5_FRACTIONS[age]
        else:
            start = max(year * MONTHS_PER_YEAR, there.start)
            end = min((year + 1) * MONTHS_PER_YEAR, there.start + life_months, there.stop)
            lines[year] = paid_usd * (max(end - start, 0) / life_months)
    first = there.start // MONTHS_PER_YEAR
    if first < years:
        lines[first] = lines[first] + bonus_usd
    return lines


def after_tax_usd(
    *, revenue_usd: float, opex_usd: float, depreciation_usd: float, tax_fraction: float
) -> float:
    """Cash of a year after tax: (revenue - opex)(1 - T) + T depreciation. [USD]"""
    return (revenue_usd - opex_usd) * (1 - tax_fraction) + tax_fraction * depreciation_usd


class DepreciationParams(Params):
    """An asset, the method, and the year's income that the tax is paid on."""

    model_config = ConfigDict(validate_default=True)

    cost_usd: Usd = default(
        170_000.0, "Price of the asset.", source="Zaranek et al. 2008, section 2.1", as_of="2008"
    )
    method: Method = assumed("straight_line", "Equal parts, or the US tax class of computers.")
    life_years: LifeYears = assumed(
        3, "Years of straight-line depreciation; MACRS has its own six.", low=3, high=5
    )
    salvage_usd: Usd = assumed(0.0, "Value at the end; MACRS ignores it.")
    revenue_usd_per_year: UsdPerYear = assumed(0.0, "Yearly income from the asset.")
    opex_usd_per_year: UsdPerYear = assumed(0.0, "Yearly cost of using it.")
    tax_fraction: Fraction = assumed(0.0, "Tax rate on profit; 0 leaves tax out.", high=0.4)

    @field_validator("salvage_usd")
    @classmethod
    def _not_above_cost(cls, value: float, info: ValidationInfo) -> float:
        cost = info.data.get("cost_usd")
        if cost is not None and value > cost:
            raise refusal(
                "salvage_above_cost",
                f"The value at the end is above the price. Enter at most {cost:g}.",
            )
        return value


class DepreciationYear(Result):
    """One year of the asset."""

    year: YearNumber
    depreciation_usd: Usd
    book_value_usd: Usd
    tax_shield_usd: Usd
    after_tax_usd: SignedUsd


class DepreciationResult(Result):
    """The asset by year."""

    years: tuple[DepreciationYear, ...]
    depreciated_usd: Usd
    depreciated_fraction: Annotated[Real, of_unit("fraction", ge=0)]


def depreciation_usd(params: DepreciationParams) -> list[float]:
    """Depreciation of each year by the chosen method. [USD]"""
    macrs = params.method == "macrs_5"
    return written_off_usd(
        params.cost_usd if macrs else params.cost_usd - params.salvage_usd,
        params.method,
        life_months=params.life_years * MONTHS_PER_YEAR,
        years=len(MACRS_5_FRACTIONS) if macrs else params.life_years,
    )


def _run(params: DepreciationParams, _context: Context) -> DepreciationResult:
    amounts = depreciation_usd(params)
    years, book = [], params.cost_usd
    for number, amount in enumerate(amounts, start=1):
        book = max(0.0, book - amount)
        years.append(
            DepreciationYear(
                year=number,
                depreciation_usd=amount,
                book_value_usd=book,
                tax_shield_usd=amount * params.tax_fraction,
                after_tax_usd=after_tax_usd(
                    revenue_usd=params.revenue_usd_per_year,
                    opex_usd=params.opex_usd_per_year,
                    depreciation_usd=amount,
                    tax_fraction=params.tax_fraction,
                ),
            )
        )
    total = sum(amounts)
    return DepreciationResult(
        years=tuple(years),
        depreciated_usd=total,
        depreciated_fraction=total / params.cost_usd if params.cost_usd else 0.0,
    )


SPEC = ModelSpec(
    id="cost.depreciation",
    version="1.0.0",
    title="Depreciation",
    summary="Book value by year, straight line or by the US tax class of computers, and the "
    "year's cash after tax.",
    params=DepreciationParams,
    result=DepreciationResult,
    run=_run,
    points=lambda params: params.life_years,
    citations=(
        Citation(
            text="IRS Publication 946, How To Depreciate Property",
            url="https://www.irs.gov/publications/p946",
            section="Appendix A, table A-1",
        ),
    ),
    formulas=(
        Formula(
            "straight_line",
            "depreciation = (cost - salvage) / life",
            "definition",
            {"life": "life_years"},
        ),
        Formula(
            "macrs_5",
            "depreciation = cost * (20, 32, 19.2, 11.52, 11.52, 5.76)%",
            "IRS Publication 946, table A-1",
        ),
        Formula(
            "after_tax",
            "cash = (revenue - opex)(1 - T) + T * depreciation",
            "definition; the price itself is paid at the start",
            {"T": "tax_fraction"},
        ),
    ),
    checks=(
        Check(
            "E8",
            "Shares of the 5-year class add up to",
            1.0,
            lambda: sum(written_off_usd(1.0, "macrs_5", life_months=60, years=6)),
            source="IRS Publication 946, table A-1",
            tolerance=1e-12,
            unit="fraction",
            kind="arithmetic",
            tests="cost.depreciation.MACRS_5_FRACTIONS",
            basis="derived",
        ),
    ),
    limits=(
        "A loss is taken to save tax elsewhere in the same year.",
        "Half-year convention; bonus depreciation and other countries' rules are left out.",
    ),
)
