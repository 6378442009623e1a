"""Invoices of hosters as CSV: machines by the month, or by the hour, in words of their own.

Columns of Hetzner's itemised invoice (usage.hetzner.com, since October 2024), and of the details
of OVHcloud's bills as its API names them (``/me/bill/{billId}/details``).
"""

from __future__ import annotations

from collections.abc import Mapping

from capmodels.imports.bill_source import BillSource
from capmodels.units import HOURS_PER_MONTH

# What FOCUS calls categories of services, by the words of a line, the first that fits.
_CATEGORIES = {
    "Storage": "volume|storage|snapshot|backup|disk|image",
    "Networking": "traffic|bandwidth|load ?balancer|ipv?4|\\bips?\\b|network|floating|gateway",
    "Databases": "database|mysql|postgres",
    "Compute": "server|serveur|instance|\\bvps\\b|kubernetes|\\bnode\\b",
}


def _charge(words: str, total: str, of_type: str, unit: str) -> Mapping[str, str]:
    """The conversion of an invoice whose lines say in words what they are for.

    ``of_type`` is a pattern of its machine types. A line of a machine whose unit is no hour is for
    whole months.
    """
    category = " ".join(
        f"WHEN regexp_matches({words}, '{found}', 'i') THEN '{name}'"
        for name, found in _CATEGORIES.items()
    )
    is_machine = f"(CASE {category} ELSE '' END = 'Compute' AND {of_type} <> '')"
    is_hourly = f"regexp_matches({unit}, 'hour|stunde|heure|horaire', 'i')"
    return {
        "category": (
            f"CASE WHEN regexp_matches({words}, '^(vat|tva|mwst|ust|sales tax)\\b', 'i') "
            f"THEN 'tax' WHEN {total} < 0 THEN 'credit' ELSE 'usage' END"
        ),
        "billed": total,
        "effective": total,
        "list": total,
        "quantity": (
            f"CASE WHEN {is_machine} AND NOT {is_hourly} "
            f"THEN {{#quantity}} * {HOURS_PER_MONTH:g} ELSE {{#quantity}} END"
        ),
        "unit": f"CASE WHEN {is_machine} THEN 'Hours' ELSE {unit} END",
        "service_category": f"CASE {category} ELSE '' END",
        "description": words,
        "instance_type": f"NULLIF({of_type}, '')",
    }


_HETZNER_LINES = "CX|CPX|CAX|CCX|AX|EX|GEX|SX|RX"
_HETZNER = b"""\
grouping,product,description,reference,quantity,from,until,condition,unit,external id,price,total
"P","CX33 Cloud Server","web-1",,"1.0000",2026-09-01,2026-09-30,,"Months","1",,"\xe2\x82\xac 4.9900"
"P","CAX21 Cloud Server","job-1",,"100.0000",2026-09-03,2026-09-07,,"Hours","2",,\
"\xe2\x82\xac 0.7000"
"P","Outgoing traffic",,,"2.0000",2026-09-01,2026-09-30,,"TB","3",,"\xe2\x82\xac 2.0000"
"P","Primary IPv4",,,"1.0000",2026-09-01,2026-09-30,,"Months","4",,"\xe2\x82\xac 0.5000"
"""
HETZNER = BillSource(
    id="hetzner",
    title="Hetzner invoice (itemised, CSV)",
    needed=("product", "quantity", "from", "until", "unit", "total", "externalid|reference"),
    months=("from",),
    days=("until",),
    charge={
        **_charge(
            words="concat_ws(' ', {product}, {description})",
            total="{#total}",
            of_type=f"regexp_extract({{product}}, '^((?:{_HETZNER_LINES})[0-9]+\\S*)', 1)",
            unit="{unit}",
        ),
        "provider": "'Hetzner'",
        "service": "{product}",
    },
    sample=_HETZNER,
)

_OVH = b"""\
billId,billDetailId,domain,description,periodStart,periodEnd,quantity,unitPrice,totalPrice,currency
FR1,1,project-a,"Instance b3-8 (monthly)",2026-09-01,2026-09-30,2,25.40,50.80,EUR
FR1,2,project-a,"Instance c3-4 hourly usage",2026-09-01,2026-09-30,200,0.0453,9.06,EUR
FR1,3,project-a,"Outgoing traffic, GB",2026-09-01,2026-09-30,500,0.01,5.00,EUR
"""
OVH = BillSource(
    id="ovh",
    title="OVHcloud bill details (CSV)",
    needed=("domain", "description", "quantity", "totalprice|totalpricevalue",
            "periodstart|date|billdate"),
    months=("periodstart", "date", "billdate"),
    days=("periodend",),
    charge={
        **_charge(
            words="{description}",
            total="{#totalpricevalue|totalprice}",
            of_type="regexp_extract({description}, '\\b([a-z][a-z0-9]*[0-9]-[0-9]+)\\b', 1)",
            unit=(
                "CASE WHEN regexp_matches({description}, '\\bTB\\b') THEN 'TB' "
                "WHEN regexp_matches({description}, '\\b(GB|Go|GiB)\\b') THEN 'GB' "
                "ELSE {description} END"
            ),
        ),
        "currency": "UPPER(TRIM({totalpricecurrencycode|currencycode|currency}))",
        "provider": "'OVHcloud'",
        "service": "{domain}",
    },
    sample=_OVH,
)  # fmt: skip
IMPORTERS = (HETZNER.importer(), OVH.importer())
