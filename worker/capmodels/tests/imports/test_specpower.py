"""Tables of SPECpower results, generated with the heads that lists of results have."""

from __future__ import annotations

import csv
import io
import random
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.formats.chunks import FileRefused
from capmodels.imports.registry import Options, opened, recognised
from capmodels.imports.specpower import IMPORTER, watts_columns

if TYPE_CHECKING:
    from pathlib import Path

# Heads by who writes them: idle, full load, and a load between.
SPELLED = (
    ("avg. watts @ active idle", "avg. watts @ 100%", "avg. watts @ {}%"),
    ("Average watts at active idle ", "Average watts at 100% of target load ",
     "Average watts at {}% of target load "),
    ("w_idle", "w_100", "w_{}"),
    ("Power W idle", "Power W 100", "Power W {}"),
    ("Watts (active idle)", "Watts (100%)", "Watts ({}%)"),
)  # fmt: skip


def listed(seed: int, idle: str, full: str, between: str) -> tuple[bytes, dict[str, list[float]]]:
    """A table of servers as drawn from a seed, its columns in any order, and their watts."""
    draw = random.Random(seed)
    heads = {0: idle, 100: full} | {at: between.format(at) for at in range(10, 100, 10)}
    watts: dict[str, list[float]] = {}
    rows = []
    for number in range(draw.randint(3, 30)):
        base = draw.uniform(20, 300)
        curve = [round(base, 1)]
        for _ in range(10):
            curve.append(round(curve[-1] + draw.uniform(0.5, 90), 1))
        name = f"Model {seed}-{number}"
        watts[name] = curve
        row: dict[str, Any] = {heads[10 * tenth]: curve[tenth] for tenth in range(11)}
        row |= {"Hardware Vendor ": "Example Systems", "System ": name, "# Cores": 2 * number + 2}
        rows.append(row | {"Published": f"{draw.choice(['Jan', 'Nov'])}-20{10 + number % 15}"})
    columns = list(rows[0])
    draw.shuffle(columns)
    text = io.StringIO()
    written = csv.DictWriter(text, columns, delimiter=draw.choice(",;\t"))
    written.writeheader()
    written.writerows(rows)
    return text.getvalue().encode(draw.choice(["utf-8", "latin-1", "utf-8-sig"])), watts


def taken(data: bytes, tmp_path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    path = tmp_path / "results.csv"
    path.write_bytes(data)
    file = opened(path)
    assert recognised(file.columns) is IMPORTER
    preview = IMPORTER.read(file, lambda _share, _said: None)
    drafted = IMPORTER.draft(preview, Options(file_name="results.csv", as_of="2026-11-24"))
    assert drafted.entries is not None
    return preview, drafted.entries


@pytest.mark.parametrize("spelled", SPELLED, ids=lambda heads: heads[0])
@pytest.mark.parametrize("seed", range(4))
def test_every_server_has_its_power_at_eleven_loads(
    spelled: tuple[str, str, str], seed: int, tmp_path: Path
) -> None:
    data, watts = listed(seed, *spelled)
    preview, entries = taken(data, tmp_path)
    assert preview["faults_count"] == 0
    assert len(entries) == len(watts)
    for entry, (name, curve) in zip(entries, watts.items(), strict=True):
        assert entry["title"].startswith(f"Example Systems {name} (20")
        said = {key: value["value"] for key, value in entry["values"].items()}
        assert said["points_w"] == curve
        assert (said["idle_w"], said["peak_w"]) == (curve[0], curve[-1])
        assert entry["values"]["points_w"]["quality"] == "measured"
        assert entry["values"]["points_w"]["as_of"][:4] == entry["title"][-8:-4]


def test_rows_that_are_no_server_are_told_and_others_taken(tmp_path: Path) -> None:
    data = (
        b"Hardware Vendor,System,avg. watts @ 100%,avg. watts @ active idle,Nodes,# Cores\n"
        b"Maker,Good,400,100,1,64\n"
        b"Maker,Idle above full,90,100,1,64\n"
        b"Maker,,400,100,1,64\n"
        b"Maker,Text,plenty,100,1,64\n"
        b"Maker,Four in one,4000,1000,4,256\n"
        b"Maker,Good,380,90,1,64\n"
        b"Maker,Good,400,100,1,64\n"
    )
    preview, entries = taken(data, tmp_path)
    assert [one["line"] for one in preview["faults"]] == [3, 4, 5]
    assert (
        "active idle 100, full load plenty; both must be watts" in preview["faults"][2]["message"]
    )
    assert preview["headline"] == "3 servers, 0 with power at eleven loads."
    titles = [entry["title"] for entry in entries]
    assert titles == ["Maker Good", "Maker Four in one", "Maker Good, result 2"]
    four = {name: said["value"] for name, said in entries[1]["values"].items()}
    assert four == {"cores_per_node_count": 64, "idle_w": 250, "peak_w": 1000, "vendor": "Maker"}
    assert "points_w" not in entries[0]["values"]


def test_a_table_without_a_server_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "results.csv"
    path.write_bytes(b"System,w_idle,w_100\nA,100,\n")
    with pytest.raises(FileRefused, match="No row of this file is a server"):
        IMPORTER.read(opened(path), lambda _share, _said: None)


def test_shares_that_are_no_tenth_and_other_percents_are_no_watts() -> None:
    columns = frozenset({"watts @ 55%", "ssj_ops @ 100%", "Swatts 20%", "avg watts @ 20%"})
    assert watts_columns(columns) == {20: "avg watts @ 20%"}


@pytest.mark.parametrize(
    "heads",
    [
        ("Result (Overall ssj_ops/watt)", "ssj_ops @ 100%"),
        ("Result", "ssj_ops @ 100% of target load"),
        ("overall ssj_ops/watt", "Submitted ssj_ops 100%"),
    ],
    ids=lambda heads: heads[0],
)
def test_a_server_without_loads_keeps_its_result_and_its_operations_at_full_load(
    heads: tuple[str, str], tmp_path: Path
) -> None:
    columns = ("System", "CPU Description", "Nodes", *heads, "avg. watts @ active idle")
    rows = [
        ("One", "EPYC 9965", 1, '"35,920"', '"40,017,802"', 138, 861),
        # Four nodes: watts and operations are of all, operations for a watt of each.
        ("Four", "EPYC 9965", 4, "35920", "160071208", 552, 3444),
        ("Silent", "EPYC 9965", 1, "35920", "", 138, 861),
    ]
    lines = [",".join((*columns, "avg. watts @ 100%")), *(",".join(map(str, row)) for row in rows)]
    preview, entries = taken("\n".join(lines).encode(), tmp_path)
    assert preview["faults_count"] == 0
    told = {
        entry["title"].split(",")[0]: {
            key: value["value"] for key, value in entry["values"].items()
        }
        for entry in entries
    }
    for name in ("One", "Four"):
        said = told[name]
        assert said["full_load_ssj_ops_per_s"] == 40_017_802
        assert (said["overall_ssj_ops_per_w"], said["idle_w"], said["peak_w"]) == (35920, 138, 861)
    assert "full_load_ssj_ops_per_s" not in told["Silent"]
    shown = [row[-1] for row in IMPORTER.tables(preview)[0]["rows"]]
    by_result = "its family's, with the mean of its result"
    assert shown == [by_result, by_result, "its family's"]
