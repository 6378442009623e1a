"""AWS's price lists as tables: the offer file of EC2, or that of savings plans, in CSV.

Source: AWS, "Reading the service price list file" and the same "for a Savings Plan": five rows of
the file itself, then the columns. The rows hold what the JSON of the same lists does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FileRefused
from capmodels.imports.aws_savings import FIGURES, PAYMENTS
from capmodels.imports.prices import Head, Price, plan_price, preview_of, price_importer
from capmodels.imports.table import identifier
from capmodels.written_numbers import number_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from capmodels.imports.table import Table
    from capmodels.spec import JSONDict

_OFFER = frozenset(
    {"SKU", "TermType", "PricePerUnit", "Currency", "Instance Type", "Operating System", "Tenancy"}
)
_PLANS = frozenset(
    {
        *("DiscountedRate", "DiscountedUsageType", "DiscountedOperation", "DiscountedRegionCode"),
        *("DiscountedInstanceType", "PurchaseOption", "LeaseContractLength", "Product Family"),
    }
)
# Type, region, what the price is of (kind, payment, years), price, currency, day; then the machine.
_OFFER_COLUMNS = (
    *("Instance Type", "Region Code", "TermType", "PurchaseOption", "LeaseContractLength"),
    *("PricePerUnit", "Currency", "EffectiveDate", "vCPU", "Memory", "Physical Processor"),
)
_PLAN_COLUMNS = (
    *("DiscountedInstanceType", "DiscountedRegionCode", "Product Family", "PurchaseOption"),
    *("LeaseContractLength", "DiscountedRate", "Currency", "EffectiveDate"),
)
# Linux on shared machines; of what a file does not tell apart, all rows are meant.
_OFFER_IS = {
    "Operating System": "Linux", "Tenancy": "Shared", "Pre Installed S/W": "NA",
    "CapacityStatus": "Used", "operation": "RunInstances", "Unit": "Hrs",
}  # fmt: skip
_PLAN_IS = {"DiscountedOperation": "RunInstances", "Unit": "Hrs"}


def fits(columns: frozenset[str]) -> bool:
    """Whether a table is an offer file of machines, or one of savings plans."""
    return columns >= _OFFER or columns >= _PLANS


def version(columns: frozenset[str]) -> str:
    """Which list it is."""
    return "AmazonEC2" if columns >= _OFFER else "savings plans"


def read(table: Table, report: Callable[[float, str], None]) -> JSONDict:
    """Return what an hour of machine types costs under Linux on shared machines.

    Raises
    ------
    FileRefused
        When prices are in several currencies, or there is none of a machine.
    """
    report(0.1, "Reading prices")
    is_offer = table.columns >= _OFFER
    names, wanted = (_OFFER_COLUMNS, _OFFER_IS) if is_offer else (_PLAN_COLUMNS, _PLAN_IS)
    rows = _rows(table, names, wanted, is_offer=is_offer)
    (whole,) = table.rows(f"SELECT COUNT(*) FROM {table.source}")
    currencies = sorted({row[names.index("Currency")] for row in rows})
    if len(currencies) > 1:
        raise FileRefused(f"Prices are in several currencies: {', '.join(currencies)}.")
    faults: list[tuple[int, str]] = list(table.rejected(100)[0])
    dates = (str(row[names.index("EffectiveDate")])[:10] for row in rows)
    left = whole[0] - len(rows)
    return preview_of(
        _prices(rows, names, faults, is_offer=is_offer),
        Head(
            provider="aws",
            source=f"AWS price list, {version(table.columns)}",
            as_of=max(dates, default=""),
            currency=currencies[0] if currencies else "USD",
        ),
        left_out={"rows of other systems, tenancies and payments": left} if left else {},
        faults=faults,
    )


def _rows(
    table: Table, names: Sequence[str], wanted: dict[str, str], *, is_offer: bool
) -> list[tuple[str, ...]]:
    columns = ", ".join(
        f"COALESCE(CAST({identifier(name)} AS VARCHAR), '')" if name in table.columns else "''"
        for name in names
    )
    tests = [
        f"{identifier(name)} = '{value}'" for name, value in wanted.items() if name in table.columns
    ]
    if is_offer:
        tests.append(
            "(\"TermType\" = 'OnDemand' OR (\"PurchaseOption\" = 'No Upfront' "
            "AND \"OfferingClass\" = 'standard'))"
            if {"PurchaseOption", "OfferingClass"} <= table.columns
            else "\"TermType\" = 'OnDemand'"
        )
    else:
        tests.append("regexp_matches(\"DiscountedUsageType\", '(^|-)BoxUsage(:|$)')")
    return table.rows(f"SELECT {columns} FROM {table.source} WHERE {' AND '.join(tests)}")


def _prices(
    rows: Iterable[tuple[str, ...]],
    names: Sequence[str],
    faults: list[tuple[int, str]],
    *,
    is_offer: bool,
) -> Iterator[Price]:
    """One price for each type and region, with every figure that its rows have."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        said = dict(zip(names, row, strict=True))
        name, region, kind, paid, length, price = row[:6]
        figure = _offered(kind, length) if is_offer else _planned(kind, paid, length)
        amount = _number(price)
        if figure is None or not name:
            continue
        if amount is None:
            faults.append((0, f"{name} in {region}: {price[:40]!r} is no price"))
            continue
        if not amount:
            continue  # what is reserved with all paid in advance, and the like
        machine = found.setdefault((region, name), {})
        machine[figure] = amount
        if is_offer:
            machine |= {
                "vcpu_count": _number(said["vCPU"]),
                "ram_gib": _number(said["Memory"].split(" ")[0]),
                "cpu": said["Physical Processor"],
            }
    for (region, name), figures in found.items():
        if not is_offer or "usd_per_h" in figures:
            yield Price(type=name, region=region, **figures)


def _offered(kind: str, length: str) -> str | None:
    if kind == "OnDemand":
        return "usd_per_h"
    return {"1yr": "reserved_1y_usd_per_h", "3yr": "reserved_3y_usd_per_h"}.get(length)


def _planned(family: str, paid: str, length: str) -> str | None:
    years = {"1": 1, "3": 3}.get(length.removesuffix("yr"))
    if family not in FIGURES or paid not in PAYMENTS or years is None:
        return None
    return plan_price(FIGURES[family], years, PAYMENTS[paid])


def _number(text: str) -> float | None:
    try:
        return number_of(text)
    except ValueError:
        return None


def sample() -> bytes:
    """An offer of a machine on demand and reserved, and of one under Windows."""
    head = (
        '"FormatVersion","v1.0"\n"Disclaimer","Made up."\n"Publication Date","2026-11-01"\n'
        '"Version","20261101"\n"OfferCode","AmazonEC2"\n'
    )
    columns = ("SKU", "TermType", "EffectiveDate", "Unit", "PricePerUnit", "Currency",
               "LeaseContractLength", "PurchaseOption", "OfferingClass", "Instance Type", "vCPU",
               "Physical Processor", "Memory", "Operating System", "Tenancy", "Pre Installed S/W",
               "CapacityStatus", "operation", "Region Code")  # fmt: skip
    rows = [
        ("A", kind, "2026-11-01", "Hrs", price, "USD", *term, "m7i.xlarge", "4", "Intel Xeon",
         "16 GiB", system, "Shared", "NA", "Used", "RunInstances", "eu-central-1")
        for kind, price, term, system in (
            ("OnDemand", "0.2415", ("", "", ""), "Linux"),
            ("Reserved", "0.16", ("1yr", "No Upfront", "standard"), "Linux"),
            ("Reserved", "0.07", ("3yr", "Partial Upfront", "standard"), "Linux"),
            ("OnDemand", "0.4255", ("", "", ""), "Windows"),
        )
    ]  # fmt: skip
    lines = (",".join(f'"{cell}"' for cell in row) for row in (columns, *rows))
    return (head + "\n".join(lines)).encode()


IMPORTER = price_importer(
    id="aws_price_csv",
    title="AWS price list of EC2 or of savings plans (CSV)",
    fits=fits,
    version=version,
    read=read,
    sample=sample,
)
