"""A design in another region than its prices says so at their fields."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from catalogue.testing import shipped_load
from studies.tests import samples

if TYPE_CHECKING:
    from studies.tests.people import Planner


@pytest.mark.db
def test_prices_of_another_region_are_said_at_their_fields(alice: Planner) -> None:
    shipped_load()
    at = "/instances/0/usd_per_h"
    spec = {**samples.RENT["spec"], "provider": "azure", "region": "eastus"}
    origins = {
        at: {"quality": "published", "entry": "azure-d32as-v6"},
        "/storage/block_tiers/0/usd_per_gb_month": {
            "quality": "published",
            "entry": "azure-premium-ssd-v2",
        },
        "/staff_fte": {"quality": "assumed", "entry": "staff-cloud-fte"},
    }
    study = alice.study()
    path = f"/designs/{study['designs'][1]['id']}"

    def said(region: str | None, **more: object) -> dict[str, str]:
        body = {"spec": {**spec, "region": region}, "provenance": {**origins, **more}}
        answer = alice.patch(path, body)
        assert answer.status_code == 200, answer.content
        return {one["pointer"]: one["message"] for one in answer.json()["cautions"]}

    assert said(None) == said("eastus") == {}
    away = said("germanywestcentral")
    assert set(away) == {"/region", at, "/storage/block_tiers/0/usd_per_gb_month"}
    assert away["/region"] == "2 prices are of another region (eastus)."
    assert "Choose the region again" in away[at]
    assert "holds none" in away["/storage/block_tiers/0/usd_per_gb_month"]
    there = {at: {"quality": "published", "entry": "azure-germanywestcentral"}}
    assert set(said("germanywestcentral", **there)) == set(away) - {at}
    assert "no region atlantis-1" in said("atlantis-1")["/region"]
    whole = alice.get(f"/studies/{study['id']}").json()
    assert whole["designs"][1]["cautions"]
    assert not whole["designs"][0]["cautions"]
