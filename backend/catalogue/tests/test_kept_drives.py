"""Calibrated drives kept in the catalogue: made again as they were fitted, figures with sources."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.storage.drive.drives import ULTRASTAR_15K73, DriveBuffer, HardDisk, TableSeek
from capmodels.storage.drive.entry_out import entry_of

if TYPE_CHECKING:
    from catalogue.tests.conftest import Planner

pytestmark = [
    pytest.mark.db,
    pytest.mark.django_db(transaction=True, databases=["default", "identity", "owner"]),
]

SHEET = ULTRASTAR_15K73.model_copy(update={"name": "Lab disk"})
FITTED = SHEET.model_copy(
    update={
        "overhead_ms": 0.73,
        "buffer": DriveBuffer(writes_behind=True, held_writes_count=32, bus_mb_per_s=287.5),
    }
)
TOLD = "The drive is within 4.1% of the second half."


def keep(planner: Planner, fitted: HardDisk = FITTED, **changes: Any) -> Any:
    body = {
        "title": "Lab disk, calibrated",
        "drive": fitted.model_dump(mode="json"),
        "sheet": SHEET.model_dump(mode="json"),
        "trace": "lab-7",
        "told": f"**{TOLD}**",
    }
    return planner.client.post("/api/v1/catalogue/drives", body | changes, format="json")


def described(planner: Planner) -> None:
    """The drive before, in the catalogue, its speed from a sheet."""
    values = {name: {"value": value} for name, value in entry_of(SHEET).values.items()}
    values["rpm"] |= {"quality": "published", "source": "Data sheet", "as_of": "2026-02-03"}
    entry = {"kind": "drive", "title": SHEET.name, "values": values}
    assert planner.client.post("/api/v1/catalogue/entries", entry, format="json").status_code == 201


@pytest.mark.decisive
def test_a_kept_drive_is_the_one_that_was_fitted_and_says_what_was(
    alice: Planner, bob: Planner
) -> None:
    described(alice)
    found = keep(alice)
    assert found.status_code == 201
    entry = found.json()
    assert (entry["slug"], entry["is_own"]) == ("lab-disk-calibrated", True)
    made = HardDisk.model_validate_json(json.dumps(entry["drive"]["drive"]))
    assert made.buffer == FITTED.buffer
    assert entry_of(made).values == pytest.approx(entry_of(FITTED).values)
    values = entry["values"]
    assert values["overhead_ms"]["source"] == "Calibrated from the trace lab-7"
    assert values["buffer_bus_mb_per_s"]["note"] == TOLD
    assert values["buffer_bus_mb_per_s"]["quality"] == "measured"
    # What the calibration did not move is as it was known.
    assert values["rpm"]["source"] == "Data sheet"
    assert values["rpm"]["as_of"] == "2026-02-03"
    assert values["seek_ms"]["quality"] == "typed"
    assert keep(alice).json()["slug"] == "lab-disk-calibrated-2"
    assert bob.client.get(f"/api/v1/catalogue/entries/{entry['slug']}").status_code == 404


def test_a_drive_that_an_entry_cannot_make_again_is_refused(alice: Planner) -> None:
    seek = TableSeek(cylinders_count=900, distances_count=(1, 800), seeks_ms=(1.0, 9.0))
    refused = keep(alice, FITTED.model_copy(update={"seek": seek}))
    assert refused.status_code == 422
    [fault] = refused.json()["errors"]
    assert fault["pointer"] == "/drive"
    assert "no fields for this drive's seek time." in fault["message"]


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"drive": {"kind": "hdd", "speed_rpm": -5}}, "/drive"),
        ({"drive": {"kind": "tape"}}, "/drive"),
        ({"sheet": None}, "/sheet"),
        ({"title": ""}, "/title"),
        ({"trace": "x" * 201}, "/trace"),
        ({"title": "a\0b"}, "/title"),
        ({"drive": []}, "/drive"),
        ({"sheet": {"kind": "hdd", "capacity_gb": 1e300}}, "/sheet"),
        ({"note": "more"}, "/note"),
    ],
)
def test_what_is_wrong_is_told_at_its_field(
    changes: dict[str, Any], pointer: str, alice: Planner
) -> None:
    refused = keep(alice, **changes)
    assert refused.status_code == 422
    assert all(fault["pointer"].startswith(pointer) for fault in refused.json()["errors"])
