"""The unit of a catalogue field is the last part of its name. No database here."""

from __future__ import annotations

import re

# Units as the models' schemas write them (capmodels.units), by the suffix of the name.
UNITS = {
    "usd_per_core_year": "USD/core-yr",
    "usd_per_fte_year": "USD/FTE-yr",
    "usd_per_gb": "USD/GB",
    "usd_per_gb_month": "USD/GB-month",
    "usd_per_h": "USD/h",
    "usd_per_iops_month": "USD/IOPS-month",
    "usd_per_kw_month": "USD/kW-month",
    "usd_per_kwh": "USD/kWh",
    "usd_per_mb_per_s_month": "USD/(MB/s)-month",
    "usd_per_month": "USD/month",
    "usd_per_t": "USD/t CO2e",
    "usd_per_rack_month": "USD/rack-month",
    "usd_per_socket_year": "USD/socket-yr",
    "usd_per_tb": "USD/TB",
    "usd_per_tb_month": "USD/TB-month",
    "usd_per_1000": "USD/1000",
    "usd_per_unit_h": "USD/unit-h",
    "usd_per_year": "USD/yr",
    "usd": "USD",
    "gco2e_per_kwh": "g CO2e/kWh",
    "kg": "kg",
    "kgco2e": "kg CO2e",
    "kgco2e_per_vcpu_year": "kg CO2e/vCPU-yr",
    "w": "W",
    "w_per_gb": "W/GB",
    "w_per_tb": "W/TB",
    "w_per_vcpu": "W/vCPU",
    "j": "J",
    "kwh": "kWh",
    "kwh_per_gb": "kWh/GB",
    "bytes": "B",
    "gb": "GB",
    "gb_per_month": "GB/month",
    "gb_per_tb": "GB/TB",
    "gb_per_s": "GB/s",
    "gbit_per_s": "Gbit/s",
    "gib": "GiB",
    "ma": "mA",
    "mb": "MB",
    "mb_per_s": "MB/s",
    "tb": "TB",
    "tb_per_year": "TB/yr",
    "per_bit": "1/bit",
    "per_j": "1/J",
    "per_s": "1/s",
    "ops_per_w": "ops/W",
    "h": "h",
    "ms": "ms",
    "mt_per_s": "MT/s",
    "ns": "ns",
    "s": "s",
    "v": "V",
    "years": "yr",
    "months": "months",
    "rpm": "rpm",
    "count": "count",
    "fte": "FTE",
    "fraction": "fraction",
    "fraction_per_year": "fraction/yr",
    "index": "index",
    "ratio": "ratio",
}
# Dimensionless names that stay bare.
BARE = {"per_usd": "ratio", "pue": "ratio", "year": "yr"}

SLUG = re.compile(r"^[a-z0-9]+(-[a-z0-9]+)*$")
NAME = re.compile(r"^[a-z][a-z0-9_]{0,79}$")


def unit_of(field: str) -> str | None:
    """Return the unit that a field's name ends in; None for a text.

    >>> unit_of("tier_usd_per_gb_month"), unit_of("idle_w"), unit_of("processor")
    ('USD/GB-month', 'W', None)
    >>> unit_of("die_page_bytes")
    'B'
    """
    if field in BARE:
        return BARE[field]
    parts = field.split("_")
    tails = ("_".join(parts[start:]) for start in range(len(parts)))
    return next((UNITS[tail] for tail in tails if tail in UNITS), None)


def is_price(field: str) -> bool:
    """Say whether a field of a document or of an entry is money, or money per whatever.

    >>> is_price("usd_per_gb_read"), is_price("unit_price_usd"), is_price("per_usd")
    (True, True, False)
    """
    return field not in BARE and "usd" in field.split("_")
