"""Bills in FOCUS 1.0 to 1.2 (FinOps Open Cost and Usage Specification), CSV or Parquet.

Columns by the specification's section "Columns"; what 1.1 and 1.2 added is taken where it is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.imports.baseline import bill_importer
from capmodels.imports.bill import bill_of
from capmodels.imports.charges import (
    NO_TEXT,
    Columns,
    amount,
    tags,
    text,
    with_plain_numbers,
)
from capmodels.imports.periods import period_month
from capmodels.imports.table import identifier

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from capmodels.imports.table import Table
    from capmodels.spec import JSONDict

_NEEDED = frozenset(
    {"BilledCost", "EffectiveCost", "BillingPeriodStart", "ChargeCategory", "BillingCurrency"}
)
_NUMBERS = ("BilledCost", "EffectiveCost", "ListCost", "PricingQuantity", "ConsumedQuantity")
_DAYS = ("ChargePeriodStart", "ChargePeriodEnd")
_PROVIDERS = ("ProviderName", "ServiceProviderName", "PublisherName")
# What Azure adds to the columns of the specification ("FOCUS cost and usage details schema").
_METERS = ("SkuMeter", "x_SkuMeterSubcategory", "x_SkuMeterName")
# Machine types: 1.2's details by SKU, and those of Azure.
_DETAILS = (("SkuPriceDetails", "InstanceType"), ("x_SkuDetails", "ServiceType"))
_SINCE_1_1 = frozenset(
    {"SkuMeter", "SkuPriceDetails", "CommitmentDiscountQuantity", "ServiceSubcategory"}
)
_SINCE_1_2 = frozenset({"InvoiceId", "PricingCurrency", "BillingAccountType", "SubAccountType"})


def fits(columns: frozenset[str]) -> bool:
    """Whether a table has the columns that every FOCUS bill has; warehouses change their case."""
    return _small(columns) >= _small(_NEEDED)


def _small(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.lower() for name in names)


def version(columns: frozenset[str]) -> str:
    """Which version of the specification the columns are of."""
    there = _small(columns)
    if there & _small(_SINCE_1_2):
        return "1.2"
    return "1.1" if there & _small(_SINCE_1_1) else "1.0"


def columns_of(table: Table) -> Columns:
    """Where each column of a charge comes from, among those that are there."""
    there = _small(table.columns)

    def words(name: str) -> str:
        return text(name) if name.lower() in there else NO_TEXT

    def number(name: str) -> str:
        return amount(name) if name.lower() in there else amount("EffectiveCost")

    quantities = ("PricingQuantity", "ConsumedQuantity")
    quantity = next((name for name in quantities if name.lower() in there), None)
    unit = "PricingUnit" if quantity == "PricingQuantity" else "ConsumedUnit"
    return Columns(
        month=period_month(table, "BillingPeriodStart", "BillingPeriodEnd", _DAYS),
        # A correction of an earlier bill is told apart, whatever was corrected.
        category=(
            f"CASE WHEN {words('ChargeClass')} = 'Correction' THEN 'refund' "
            f"ELSE LOWER({text('ChargeCategory')}) END"
        ),
        billed=amount("BilledCost"),
        effective=amount("EffectiveCost"),
        list=number("ListCost"),
        quantity="CAST(0 AS DECIMAL(38, 15))" if quantity is None else amount(quantity),
        unit=words(unit),
        currency=f"UPPER(TRIM({text('BillingCurrency')}))",
        provider=_provider(there),
        service_category=words("ServiceCategory"),
        service=words("ServiceName"),
        description=words("ChargeDescription"),
        meter=f"concat_ws(' ', {', '.join(map(words, _METERS))})",
        instance_type=_instance_type(there),
        region=words("RegionId"),
        pricing=words("PricingCategory"),
        commitment_id=words("CommitmentDiscountId"),
        commitment_type=words("CommitmentDiscountType"),
        commitment_use=words("CommitmentDiscountStatus"),
        commitment_ends_on=_ends_on(there),
        tags=tags(table, next((n for n in table.columns if n.lower() == "tags"), "")),
    )


def _provider(there: frozenset[str]) -> str:
    """SQL of who provides: 1.3 renames ProviderName; without either, whose product it is."""
    named = [text(name) for name in _PROVIDERS if name.lower() in there]
    blank = [f"NULLIF({sql}, '')" for sql in named]
    return f"COALESCE({', '.join(blank)}, '')" if named else NO_TEXT


def _instance_type(there: frozenset[str]) -> str:
    """SQL of a machine's type in the details of its SKU (1.2, "SkuPriceDetails": JSON)."""
    said = [
        f"CASE WHEN json_valid({column}) THEN json_extract_string({column}, '$.{key}') END"
        for name, key in _DETAILS
        if name.lower() in there
        for column in [f"CAST({identifier(name)} AS VARCHAR)"]
    ]
    return f"COALESCE({', '.join(said)})" if said else NO_TEXT


def _ends_on(there: frozenset[str]) -> str:
    """SQL of a commitment's end: that of the period which its purchase was charged for."""
    if not {"chargeperiodend", "chargefrequency"} <= there:
        return NO_TEXT
    return (
        f"CASE WHEN {text('ChargeCategory')} = 'Purchase' "
        f"AND {text('ChargeFrequency')} = 'One-Time' "
        f"THEN SUBSTR({text('ChargePeriodEnd')}, 1, 10) END"
    )


def read(table: Table, report: Callable[[float, str], None]) -> JSONDict:
    """Return what the bill says."""
    there = {name.lower(): name for name in table.columns}
    numbers = [there[name.lower()] for name in _NUMBERS if name.lower() in there]
    table = with_plain_numbers(table, numbers)
    return bill_of(table, columns_of(table), numbers=numbers, report=report)


def sample() -> bytes:
    """A bill of one month with a row of each category of charge, in FOCUS 1.0."""
    return b"""\
BillingCurrency,BillingPeriodStart,BilledCost,EffectiveCost,ListCost,ChargeCategory,ChargeClass,\
ChargeDescription,PricingQuantity,PricingUnit,ProviderName,ServiceCategory,ServiceName,RegionId,\
CommitmentDiscountId,CommitmentDiscountType,CommitmentDiscountStatus,Tags
USD,2026-09-01 00:00:00,138.24,138.24,138.24,Usage,NULL,\
$0.192 per On Demand Linux m5.xlarge Instance Hour,720,Hours,AWS,Compute,\
Amazon Elastic Compute Cloud,us-east-1,NULL,NULL,NULL,"{""team"": ""web""}"
USD,2026-09-01 00:00:00,0,83.52,138.24,Usage,NULL,\
$0.192 per On Demand Linux m5.xlarge Instance Hour,720,Hours,AWS,Compute,\
Amazon Elastic Compute Cloud,us-east-1,sp-1,Savings Plan,Used,"{""team"": ""data""}"
USD,2026-09-01 00:00:00,0,3.6,0,Usage,NULL,Unused savings plan,1,Hours,AWS,Compute,\
Amazon Elastic Compute Cloud,us-east-1,sp-1,Savings Plan,Unused,NULL
USD,2026-09-01 00:00:00,87.12,0,87.12,Purchase,NULL,"Savings plan, no upfront",1,Month,AWS,\
Compute,Amazon Elastic Compute Cloud,us-east-1,sp-1,Savings Plan,NULL,NULL
USD,2026-09-01 00:00:00,23,23,23,Usage,NULL,$0.023 per GB - first 50 TB / month of storage used,\
1000,GB-Months,AWS,Storage,Amazon Simple Storage Service,us-east-1,NULL,NULL,NULL,NULL
USD,2026-09-01 00:00:00,12.5,12.5,12.5,Tax,NULL,Sales tax,1,Each,AWS,Other,Tax,us-east-1,NULL,\
NULL,NULL,NULL
USD,2026-09-01 00:00:00,-5,-5,-5,Credit,NULL,Promotional credit,1,Each,AWS,Other,Credit,\
us-east-1,NULL,NULL,NULL,NULL
USD,2026-09-01 00:00:00,-1.25,-1.25,-1.25,Usage,Correction,\
$0.192 per On Demand Linux m5.xlarge Instance Hour,-6.5,Hours,AWS,Compute,\
Amazon Elastic Compute Cloud,us-east-1,NULL,NULL,NULL,NULL
"""


IMPORTER = bill_importer(
    id="focus",
    title="Cloud bill in FOCUS",
    fits=fits,
    version=version,
    read=read,
    sample=sample,
)
