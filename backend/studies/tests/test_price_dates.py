"""A study says of when its prices are, kind by kind."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from studies.price_dates import price_dates, price_span


def study(*provenances: dict[str, Any]) -> Any:
    designs = [SimpleNamespace(provenance=one) for one in provenances]
    return SimpleNamespace(assumptions_provenance={}, designs=SimpleNamespace(all=lambda: designs))


def of(day: str | None, entry: str | None = "some-entry") -> dict[str, Any]:
    return {"quality": "published", "entry": entry, "as_of": day}


def test_each_kind_of_price_has_its_own_date() -> None:
    cloud = {
        "/storage/block_tiers/0/usd_per_gb_month": of("2023-03-22"),
        "/instances/0/usd_per_h": of("2026-07-01"),
        "/instances/0/vcpu_count": of("2019-01-01"),
        "/support/minimum_usd_per_month": of("2026-01-01"),
        "/transfer/egress_tiers/0/usd_per_gb": of("2026-07-01", entry=None),
        "/transfer/nat_usd_per_gb": of(None),
    }
    other = {"/instances/1/usd_per_h": of("2023-11-01")}
    assert price_dates(study(cloud)) == "instances of Jul 2026, block storage of Mar 2023"
    assert price_dates(study(cloud, other)).startswith("instances of Nov 2023 to Jul 2026, ")
    assert price_dates(study({})) == ""
    assert price_span(study(cloud)) == "Mar 2023 to Jul 2026, oldest: block storage"
    assert price_span(study({"/instances/0/usd_per_h": of("2026-07-01")})) == "Jul 2026"
    assert price_span(study({})) == ""
