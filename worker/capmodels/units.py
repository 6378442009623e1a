"""Units: the only conversions in the project, and number types that carry their unit.

A field's unit stands in its name (last part), in its type here, and so in the
JSON schema, from which forms, axes and documentation take it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, Strict

if TYPE_CHECKING:
    from capmodels.amounts import AmountT

HOURS_PER_DAY = 24.0
DAYS_PER_YEAR = 365.0
HOURS_PER_YEAR = 8760.0
SECONDS_PER_DAY = 86_400.0
HOURS_PER_LEAP_YEAR = 8784.0
HOURS_PER_MONTH = 730.0
MONTHS_PER_YEAR = 12
SECONDS_PER_HOUR = 3600.0
BITS_PER_BYTE = 8
GB_PER_TB = 1000.0
# AWS, Azure and Google bill a GB of 2^30 bytes, and end price bands at TB of 1,024 of them.
BILLED_GB_PER_TB = 1e12 / 2**30
BILLED_GB_PER_BILLED_TB = 1024.0
BYTES_PER_TB = 1e12
BYTES_PER_GB = 1e9
BYTES_PER_MB = 1e6
MB_PER_TB = 1e6
BYTES_PER_GIB = 2**30
MB_PER_S_PER_GBIT_PER_S = 125.0
WATTS_PER_KW = 1000.0
JOULES_PER_KWH = 3.6e6
GRAMS_PER_KG = 1000.0


def of_unit(unit: str, **bounds: Any) -> Any:
    """Return what a field of a unit is annotated with, and what pydantic asks of its value."""
    return Field(json_schema_extra={"unit": unit}, **bounds)


# Strict: a boolean or a string is not a number (an integer is a valid float).
Real = Annotated[float, Strict(), Field(allow_inf_nan=False)]
Whole = Annotated[int, Strict()]

Fraction = Annotated[Real, of_unit("fraction", ge=0, le=1)]
Ratio = Annotated[Real, of_unit("ratio", ge=0)]
GrowthFractionPerYear = Annotated[Real, of_unit("fraction/yr", gt=-1, le=10)]
Count = Annotated[Whole, of_unit("count", ge=0)]
CountFromOne = Annotated[Whole, of_unit("count", ge=1)]
Pue = Annotated[Real, of_unit("ratio", ge=1, le=10)]

PowerW = Annotated[Real, of_unit("W", ge=0)]
PowerKw = Annotated[Real, of_unit("kW", ge=0)]
EnergyKwh = Annotated[Real, of_unit("kWh", ge=0)]
EnergyJ = Annotated[Real, of_unit("J", ge=0)]

Usd = Annotated[Real, of_unit("USD", ge=0)]
SignedUsd = Annotated[Real, of_unit("USD")]
UsdPerYear = Annotated[Real, of_unit("USD/yr", ge=0)]
UsdPerMonth = Annotated[Real, of_unit("USD/month", ge=0)]
UsdPerH = Annotated[Real, of_unit("USD/h", ge=0)]
UsdPerKwh = Annotated[Real, of_unit("USD/kWh")]
UsdPerKwMonth = Annotated[Real, of_unit("USD/kW-month", ge=0)]
UsdPerGb = Annotated[Real, of_unit("USD/GB", ge=0)]
UsdPerGbMonth = Annotated[Real, of_unit("USD/GB-month", ge=0)]
UsdPerTbMonth = Annotated[Real, of_unit("USD/TB-month", ge=0)]

DurationYears = Annotated[Real, of_unit("yr", gt=0)]
DurationH = Annotated[Real, of_unit("h", ge=0)]
DurationS = Annotated[Real, of_unit("s", ge=0)]
DurationMs = Annotated[Real, of_unit("ms", ge=0)]

DataTb = Annotated[Real, of_unit("TB", ge=0)]
DataTbPerMonth = Annotated[Real, of_unit("TB/month", ge=0)]
DataGb = Annotated[Real, of_unit("GB", ge=0)]
DataGib = Annotated[Real, of_unit("GiB", ge=0)]
ThroughputMbPerS = Annotated[Real, of_unit("MB/s", ge=0)]
NetworkGbitPerS = Annotated[Real, of_unit("Gbit/s", ge=0)]
RatePerS = Annotated[Real, of_unit("1/s", ge=0)]

CarbonKgco2e = Annotated[Real, of_unit("kg CO2e", ge=0)]
CarbonGco2ePerKwh = Annotated[Real, of_unit("g CO2e/kWh", ge=0)]


def kwh_from_w(power_w: AmountT, duration_h: AmountT) -> AmountT:
    """Energy of a constant power over a time. [kWh]

    >>> kwh_from_w(18_000.0, 8760.0)
    157680.0
    """
    return power_w * duration_h / WATTS_PER_KW


def gb_from_tb(data_tb: float, gb_per_tb: float = GB_PER_TB) -> float:
    """Gigabytes in a number of terabytes, decimal unless told otherwise.

    >>> gb_from_tb(24.0)
    24000.0
    """
    return data_tb * gb_per_tb


def mb_per_s_from_gbit_per_s(rate_gbit_per_s: float) -> float:
    """Network rate in megabytes per second. [MB/s]

    >>> mb_per_s_from_gbit_per_s(2.0)
    250.0
    """
    return rate_gbit_per_s * MB_PER_S_PER_GBIT_PER_S


def transfer_h(data_tb: float, rate_gbit_per_s: float) -> float:
    """Time to move an amount of data at a network rate. [h]

    >>> round(transfer_h(1.0, 2.0), 4)
    1.1111
    """
    return data_tb * BYTES_PER_TB * BITS_PER_BYTE / (rate_gbit_per_s * 1e9) / SECONDS_PER_HOUR
