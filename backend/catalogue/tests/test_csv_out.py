"""Entries as a table, and back: every value with its origin and range."""

from __future__ import annotations

import csv
import io
import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.storage.calibration.calibrate_drive import PM883
from capmodels.storage.drive.drives import TRAVELSTAR_7K60
from capmodels.storage.drive.entries import drive_of
from capmodels.storage.drive.entry_out import entry_csv, entry_of
from catalogue.tests.test_keys_api import API, table

if TYPE_CHECKING:
    from catalogue.tests.conftest import Planner

pytestmark = [
    pytest.mark.db,
    pytest.mark.django_db(transaction=True, databases=["default", "identity", "owner"]),
]

QUALITIES = ("measured", "published", "recalled", "assumed", "derived", "typed")
TEXTS = ("SATA", "=1+1", "'-x", 'a, b; "c"', "two\nlines", " outer ", "", "é ≤ 5%", "[1]", "note")
ORIGINS = ("Bench, run 7", "Data sheet", "@lab", " spaced ", "")


def _value(dice: random.Random, value: Any) -> dict[str, Any]:
    said: dict[str, Any] = {"value": value}
    for name, choices in (
        ("quality", QUALITIES),
        ("source", ORIGINS),
        ("url", (None, "https://example.org/sheet?a=1")),
        ("as_of", (None, "2025-02-28", "2026-01-31")),
        ("note", TEXTS),
    ):
        if dice.random() < 0.7:
            said[name] = dice.choice(choices)
    if isinstance(value, float) and (dice.random() < 0.5 or said.get("quality") in QUALITIES[2:4]):
        said |= {"low": value - dice.random(), "high": value + dice.random()}
    elif said.get("quality") in QUALITIES[2:4]:
        said["quality"] = "measured"
    return said


def _entry(dice: random.Random, number: int) -> dict[str, Any]:
    """A drive as somebody may have measured it, in fields of all kinds."""
    values: dict[str, Any] = {"capacity_tb": _value(dice, dice.uniform(0.1, 30))}
    calibrated = ("read_stream_overhead_ms", "write_settle_ms", "miss_near_per_sector_ms")
    for name in ("idle_w", "seek_ms", "unrecoverable_per_bit", "head_skew_ms", *calibrated):
        if dice.random() < 0.7:
            least = 0 if name == "idle_w" else -1
            values[name] = _value(dice, dice.uniform(least, 1) * 10 ** dice.randint(-15, 6))
    for name in ("zone_cylinders_count", "depth_read_latency_ms"):
        if dice.random() < 0.5:
            numbers = [dice.uniform(0, 100) for _ in range(dice.randint(1, 5))]
            values[name] = _value(dice, numbers)
    # Two are called as columns of the table are.
    for name in ("interface", "note", "origins"):
        if dice.random() < 0.5:
            values[name] = _value(dice, dice.choice(TEXTS))
    title = f"{dice.choice(('Drive', '=Drive', '-5', 'Lab, 2'))} {number}"
    return {"kind": "drive", "slug": f"drive-{number}", "title": title, "values": values}


def _counts(answer: Any) -> dict[str, int]:
    told = answer.json()
    return {name: told[name] for name in ("added", "changed")}


def _own(person: Planner) -> dict[str, Any]:
    found = person.client.get(f"{API}/entries?kind=drive&own=true&limit=100").json()["results"]
    return {one["slug"]: (one["title"], one["values"]) for one in found}


def _export(person: Planner, query: str) -> str:
    answer = person.client.get(f"{API}/csv?{query}")
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    text: str = answer.content.decode()
    return text


def test_own_entries_go_out_and_come_back_whole(alice: Planner, bob: Planner) -> None:
    dice = random.Random(12)
    for number in range(12):
        made = alice.client.post(f"{API}/entries", _entry(dice, number), format="json")
        assert made.status_code == 201, made.content
    text = _export(alice, "kind=drive&own=true")
    # No cell is a formula to a program for tables.
    cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
    for cell in cells:
        assert cell[:1] not in ("=", "+", "@")
        assert not cell.startswith("-5 ")
    kept = _own(alice)
    assert len(kept) == 12
    assert any(
        held["quality"] == "measured" for _, values in kept.values() for held in values.values()
    )
    answer = table(bob, text, "drive")
    assert _counts(answer) == {"added": 12, "changed": 0}
    assert _own(bob) == kept
    # Again into the workspace that they came from, nothing is another; and out again the same.
    assert _counts(table(alice, text, "drive")) == {"added": 0, "changed": 12}
    assert _own(alice) == kept
    out = _export(bob, "kind=drive&own=true")
    assert sorted(out.splitlines()) == sorted(text.splitlines())


def test_a_measured_value_beside_others_keeps_its_quality_and_range(alice: Planner) -> None:
    apart = {"idle_w": {"quality": "measured", "source": "Meter", "low": 5, "high": 6}}
    quoted = json.dumps(apart).replace('"', '""')
    text = (
        "title,capacity_tb,idle_w,zone_cylinders_count,source,quality,origins\n"
        f'Lab drive,20,5.5,"[100, 200]",Sheet,published,"{quoted}"\n'
    )
    assert _counts(table(alice, text, "drive")) == {"added": 1, "changed": 0}
    _title, values = _own(alice)["lab-drive"]
    assert values["zone_cylinders_count"]["value"] == [100.0, 200.0]
    assert values["capacity_tb"]["quality"] == "published"
    idle = values["idle_w"]
    assert (idle["quality"], idle["source"], idle["low"], idle["high"]) == (
        "measured",
        "Meter",
        5,
        6,
    )


def test_the_list_s_filters_narrow_the_table_and_faults_stand_at_their_line(alice: Planner) -> None:
    head, line = _export(alice, "kind=drive&q=1+tb").splitlines()
    assert head.startswith("slug,title,")
    assert line.startswith("disk-1tb,Disk 1 TB,")
    assert _export(alice, "kind=drive&own=true").count("\n") == 1
    for query in ("", "kind=nothing", "kind=drive&colour=red"):
        assert alice.client.get(f"{API}/csv?{query}").status_code == 422
    for said in ("no JSON", "[1]", '{""idle_w"": 5}'):
        answer = table(alice, f'title,idle_w,origins\nDrive,5,"{said}"\n', "drive")
        assert answer.status_code == 422
        assert answer.json()["errors"][0]["pointer"] == "/lines/2/origins"
    wrong = '{""idle_w"": {""quality"": ""guessed""}}'
    answer = table(alice, f'title,idle_w,origins\nDrive,5,"{wrong}"\n', "drive")
    assert answer.json()["errors"][0]["pointer"].startswith("/lines/2/idle_w")


def test_every_fault_of_a_table_is_told_in_our_words_and_no_price_is_below_zero(
    alice: Planner,
) -> None:
    text = "title,unit_price_usd,idle_w,low_ratio\n,5,1,1\nTwo,-5,-1,-1\nThree,1,1,1\n"
    answer = table(alice, text, "server")
    assert answer.status_code == 422
    assert [(one["pointer"], one["message"]) for one in answer.json()["errors"]] == [
        ("/lines/2/title", "Line 2, title: Enter a text."),
        ("/lines/3/unit_price_usd", "Line 3, unit_price_usd: A price is not below zero."),
        ("/lines/3/idle_w", "Line 3, idle_w: A number in W is not below zero."),
    ]


def test_a_drive_written_by_the_shell_comes_in_as_the_same_drive(alice: Planner) -> None:
    for drive in (TRAVELSTAR_7K60, PM883):
        entry = entry_of(drive)
        text = entry_csv(f"ours-{drive.kind}", f"Ours, {drive.kind}", entry, "Bench, run 7")
        assert _counts(table(alice, text, "drive")) == {"added": 1, "changed": 0}
        _title, values = _own(alice)[f"ours-{drive.kind}"]
        assert values["idle_w"]["source"] == "Bench, run 7"
        said = {name: held["value"] for name, held in values.items()}
        made = drive_of(drive.name, said).drive
        assert made is not None
        expected = drive.model_dump(exclude={"on_sale"})
        if drive.kind == "hdd":
            expected["inner_mb_per_s"] = drive.outer_mb_per_s  # what none stands for
        assert made.model_dump(exclude={"on_sale"}) == _near(expected)


def _near(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _near(one) for name, one in value.items()}
    return pytest.approx(value, rel=1e-9) if isinstance(value, float) else value
