"""Bills of Azure: exports of cost details, for enterprise, customer and pay-as-you-go agreements.

Columns by Azure's page "Understand cost details fields"; their spelling differs by agreement, their
case by export. A file of actual cost has commitments where they were bought, one of amortized cost
where they were used.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from capmodels.imports.baseline import bill_importer
from capmodels.imports.bill import bill_of
from capmodels.imports.charges import (
    AMOUNT,
    NO_TEXT,
    Columns,
    amount,
    tags,
    text,
    with_plain_numbers,
)
from capmodels.imports.periods import month_of, order_in

if TYPE_CHECKING:
    from collections.abc import Callable

    from capmodels.imports.periods import Order
    from capmodels.imports.table import Dates, Table
    from capmodels.spec import JSONDict

_COST = ("costinbillingcurrency", "pretaxcost", "cost")
_DATE = ("billingperiodstartdate", "date", "usagedatetime", "usagedate")
_PERIOD = ("billingperiodstartdate", "billingperiodenddate")
# As the page has it: MM/DD/YYYY.
_DOCUMENTED: Dates = "month_first"
_MONTH_FIRST = (
    "No date of the file says whether the day or the month stands first: they are read with the "
    "month first, as Azure writes them. Where that is wrong, say so (Dates in files) and import "
    "the file again."
)


def _english(name: str) -> str:
    """A column's name in lower case: of one in another language, what it has in brackets."""
    named = _IN_BRACKETS.search(name)
    return (named[1] if named else name).lower()


# "Name der Verbrauchseinheit (MeterName)", as the portal exports it in German.
_IN_BRACKETS = re.compile(r"\(([A-Za-z]+)\)$")


def fits(columns: frozenset[str]) -> bool:
    """Whether a table has what all of Azure's exports have: a meter, a cost and a date."""
    there = {_english(name) for name in columns}
    return (
        "metercategory" in there
        and any(n in there for n in _COST)
        and any(n in there for n in _DATE)
    )


def version(columns: frozenset[str]) -> str:
    """Which agreement's columns they are."""
    there = {_english(name) for name in columns}
    if "pretaxcost" in there:
        return "pay as you go"
    return "customer agreement" if "costinusd" in there else "enterprise agreement"


class _Spelled:
    """SQL of columns by their names in lower case, the first that is there."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.names = {_english(name): name for name in table.columns}

    def name(self, *wanted: str) -> str | None:
        return next((self.names[one] for one in wanted if one in self.names), None)

    def words(self, *wanted: str) -> str:
        found = self.name(*wanted)
        return NO_TEXT if found is None else text(found)

    def number(self, *wanted: str) -> str | None:
        found = self.name(*wanted)
        return None if found is None else amount(found)


def _month(spelled: _Spelled, order: Order) -> str:
    """The month that a charge is billed in; that of its day where the period is left blank."""
    there = [spelled.words(name) for name in _DATE if spelled.name(name) is not None]
    said = ", ".join(f"NULLIF(TRIM({one}), '')" for one in there)
    return month_of(f"COALESCE({said})", order.said or _DOCUMENTED)


def _listed(price: str, quantity: str, cost: str) -> str:
    """Cost at list price; that of the bill where there is no list price."""
    exact = f"TRY_CAST({amount(price)} AS DECIMAL(19, 9)) * TRY_CAST({quantity} AS DECIMAL(19, 6))"
    return f"COALESCE(CAST({exact} AS {AMOUNT}), {cost})"


def columns_of(table: Table, order: Order) -> Columns:
    """Where each column of a charge comes from, among those that are there."""
    spelled = _Spelled(table)
    nothing = f"CAST(0 AS {AMOUNT})"
    cost = spelled.number(*_COST) or nothing
    quantity = spelled.number("quantity", "usagequantity") or nothing
    price = spelled.name("paygprice")
    charge, pricing = spelled.words("chargetype"), spelled.words("pricingmodel")
    # exports of older agreements leave the braces out
    details = f"regexp_replace(TRIM({spelled.words('additionalinfo')}), '^([^{{].*)$', '{{\\1}}')"
    return Columns(
        month=_month(spelled, order),
        category=(
            f"CASE LOWER(COALESCE({charge}, '')) WHEN 'purchase' THEN 'purchase' "
            "WHEN 'refund' THEN 'refund' "
            "WHEN 'tax' THEN 'tax' WHEN 'credit' THEN 'credit' "
            "WHEN 'adjustment' THEN 'adjustment' WHEN 'roundingadjustment' THEN 'adjustment' "
            "ELSE 'usage' END"
        ),
        billed=cost,
        effective=cost,
        list=cost if price is None else _listed(price, quantity, cost),
        quantity=quantity,
        unit=f"regexp_replace({spelled.words('unitofmeasure')}, '^[0-9.]+ ', '')",
        currency=spelled.words("billingcurrency", "billingcurrencycode", "currency"),
        provider="'Azure'",
        service_category=spelled.words("servicefamily"),
        service=spelled.words("metercategory"),
        description=spelled.words("productname", "product", "metername"),
        meter=f"concat_ws(' ', {spelled.words('metersubcategory')}, {spelled.words('metername')})",
        instance_type=(
            f"CASE WHEN json_valid({details}) "
            f"THEN json_extract_string({details}, '$.ServiceType') END"
        ),
        region=spelled.words("resourcelocation", "meterregion"),
        pricing=pricing,
        commitment_id=spelled.words("reservationid", "benefitid"),
        commitment_type=(
            f"CASE WHEN {pricing} = 'SavingsPlan' THEN 'Savings plan' ELSE 'Reservation' END"
        ),
        commitment_use=(
            f"CASE WHEN LOWER(COALESCE({charge}, '')) LIKE 'unused%' THEN 'Unused' "
            f"WHEN {pricing} IN ('Reservation', 'SavingsPlan') THEN 'Used' END"
        ),
        tags=tags(table, spelled.name("tags") or ""),
    )


def read(table: Table, report: Callable[[float, str], None]) -> JSONDict:
    """Return what the bill says."""
    spelled = _Spelled(table)
    found = (
        spelled.name(*_COST),
        spelled.name("quantity", "usagequantity"),
        spelled.name("paygprice"),
    )
    numbers = [name for name in found if name is not None]
    table = with_plain_numbers(table, numbers)
    order = order_in(table, *_PERIOD, _DATE)
    bill = bill_of(table, columns_of(table, order), numbers=numbers, report=report)
    if order.is_open:
        bill["notes"].append(_MONTH_FIRST)
    return bill


def sample() -> bytes:
    """A bill of one month, amortized, of an enterprise agreement."""
    return b'''\
Date,ServiceFamily,MeterCategory,MeterSubCategory,MeterName,ProductName,UnitOfMeasure,Quantity,\
CostInBillingCurrency,PayGPrice,ResourceLocation,ChargeType,PricingModel,ReservationId,\
BillingCurrencyCode,AdditionalInfo,Tags
09/01/2026,Compute,Virtual Machines,Dasv6 Series,D4as v6,Virtual Machines Dasv6 Series,1 Hour,\
720,138.24,0.192,eastus,Usage,OnDemand,,EUR,"{""ServiceType"":""Standard_D4as_v6"",\
""VCPUs"":4}","""team"": ""web"""
09/01/2026,Compute,Virtual Machines,Dasv6 Series,D4as v6,Virtual Machines Dasv6 Series,1 Hour,\
720,72,0.192,eastus,Usage,Reservation,r-1,EUR,"{""ServiceType"":""Standard_D4as_v6"",\
""VCPUs"":4}",
09/01/2026,Compute,Virtual Machines,Dasv6 Series,D4as v6,Virtual Machines Dasv6 Series,1 Hour,\
24,2.4,0,eastus,UnusedReservation,Reservation,r-1,EUR,,
09/01/2026,Storage,Storage,Standard Blob,Hot LRS Data Stored,Blob Storage,1 GB/Month,1000,18.4,\
0.0184,eastus,Usage,OnDemand,,EUR,,
09/01/2026,,,,,Rounding,,1,0.01,0.01,,RoundingAdjustment,,,EUR,,
'''


IMPORTER = bill_importer(
    id="azure_cost",
    title="Azure cost details",
    fits=fits,
    version=version,
    read=read,
    sample=sample,
)
