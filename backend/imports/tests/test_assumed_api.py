"""Tariffs, rates and hourly prices go into a study's assumptions, with their source, and out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from capmodels.imports import ecb, focus, hourly, urdb
from imports.tests.test_imports_api import imported

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


def study_with(alice: Person) -> dict[str, Any]:
    body = {
        "title": "Ours",
        "assumptions": {
            "electricity": {"kind": "flat", "usd_per_kwh": 0.2},
            "carbon": {"gco2e_per_kwh": 300.0, "zone": "AT", "year": 2024, "usd_per_t": 40.0},
        },
        "assumptions_provenance": {
            "/electricity/usd_per_kwh": {"quality": "published", "source": "A list"},
            "/carbon/usd_per_t": {"quality": "assumed", "source": "Our own"},
        },
    }
    made = alice.post("studies", body)
    assert made.status_code == 201, made.content
    found: dict[str, Any] = alice.get(f"studies/{made.json()['id']}").json()
    return found


def test_each_goes_into_a_study_with_its_source_and_out_again(alice: Person) -> None:
    study = study_with(alice)
    place = f"studies/{study['id']}"
    rates = imported(alice, ecb.sample(), "eurofxref-hist.csv")
    said = {"study_id": study["id"], "mapping": {"currency": "CHF"}}
    assert alice.post(f"imports/{rates['id']}/accept", said).status_code == 201
    held = alice.get(place).json()
    assert held["assumptions"]["currency"] == {
        "code": "CHF", "per_usd": pytest.approx(0.93 / 1.16), "as_of": "2026-10-30",
    }  # fmt: skip
    origin = held["assumptions_provenance"]["/currency/per_usd"]
    assert (origin["source"], origin["as_of"]) == (
        "European Central Bank, eurofxref-hist.csv, column CHF", "2026-10-30",
    )  # fmt: skip

    tariff = imported(alice, urdb.sample(), "rate.json")
    accepted = alice.post(f"imports/{tariff['id']}/accept", {"study_id": study["id"]})
    assert accepted.status_code == 201, accepted.content
    held = alice.get(place).json()
    assert held["assumptions"]["electricity"]["name"] == "Example Power Co, Large General Service"
    assert held["assumptions"]["currency"]["code"] == "CHF"
    origins = held["assumptions_provenance"]
    assert "/electricity/usd_per_kwh" not in origins
    tier = origins["/electricity/energy/periods/0/tiers/0/rate_usd_per_kwh"]
    assert tier["source"].startswith("rate.json, rate Example Power Co")
    assert tier["as_of"] == "2026-01-01"
    assert held["faults"] == study["faults"]

    _prices_of_hours(alice, study["id"], origins)


def _prices_of_hours(alice: Person, study_id: str, origins: dict[str, Any]) -> None:
    place = f"studies/{study_id}"
    # The prices are in euros, and are of a day that the rates do not reach back to.
    prices = imported(alice, hourly.sample(), "prices.csv")
    refused = alice.post(f"imports/{prices['id']}/draft", {"study_id": study_id})
    assert refused.status_code == 422
    said = {"study_id": study_id, "per_usd": 0.9}
    assert alice.post(f"imports/{prices['id']}/accept", said).status_code == 201
    held = alice.get(place).json()
    assert held["assumptions"]["electricity"]["usd_per_kwh"][13] == pytest.approx(0.110 / 0.9)
    assert list(held["assumptions_provenance"]) == [
        "/carbon/usd_per_t", "/currency/per_usd", "/electricity/usd_per_kwh",
    ]  # fmt: skip
    assert alice.post(f"imports/{prices['id']}/undo", {}).status_code == 200
    held = alice.get(place).json()
    assert held["assumptions"]["electricity"]["kind"] == "tariff"
    assert held["assumptions_provenance"] == origins


def test_a_currency_is_converted_at_the_rate_of_its_day(alice: Person) -> None:
    rates = b"Date,USD,JPY,GBP,CHF,SEK,\n2025-09-30,1.25,170,0.87,0.93,11,\n"
    assert imported(alice, rates, "ecb.csv")["state"] == "succeeded"
    prices = imported(alice, hourly.sample(), "prices.csv")
    made = alice.post(f"imports/{prices['id']}/draft", {}).json()
    assert (
        "Converted at 0.8 EUR per US dollar: European Central Bank, 2025-09-30, ecb.csv."
        in (made["open_points"])
    )
    accepted = alice.post(f"imports/{prices['id']}/accept", {})
    study = alice.get(f"studies/{accepted.json()['study_id']}").json()
    assert study["assumptions"]["electricity"]["usd_per_kwh"][0] == pytest.approx(0.070 / 0.8)


def test_carbon_keeps_what_the_file_does_not_say(alice: Person) -> None:
    study = study_with(alice)
    rows = [f"2026-01-01 {hour:02d}:00,{hour + 100}" for hour in range(24)]
    found = imported(alice, "\n".join(["Datetime (UTC),gCO2eq/kWh", *rows]).encode(), "maps.csv")
    accepted = alice.post(f"imports/{found['id']}/accept", {"study_id": study["id"]})
    assert accepted.status_code == 201, accepted.content
    carbon = alice.get(f"studies/{study['id']}").json()["assumptions"]["carbon"]
    assert (carbon["usd_per_t"], carbon["year"]) == (40.0, 2026)
    assert carbon["gco2e_per_kwh"] == pytest.approx(111.5)
    assert "zone" not in carbon


def test_what_columns_mean_is_not_said_of_a_file_that_says_it(alice: Person) -> None:
    bill = imported(alice, focus.IMPORTER.sample(), "bill.csv")
    refused = alice.post(f"imports/{bill['id']}/accept", {"mapping": {"x": "y"}})
    assert refused.status_code == 422, refused.content
    assert [one["pointer"] for one in refused.json()["errors"]] == ["/mapping"]
    assert alice.post(f"imports/{bill['id']}/accept", {}).status_code == 201
    assert imported(alice, focus.IMPORTER.sample(), "bill.csv")["preview"] == bill["preview"]
