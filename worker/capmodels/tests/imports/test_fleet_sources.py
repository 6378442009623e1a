"""Fleets of tools of assessment, and allocations of pods, against sums of their columns."""

from __future__ import annotations

import csv
import io
import random
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.formats.chunks import FileRefused
from capmodels.imports.registry import importer_of, opened, read_with, recognised

if TYPE_CHECKING:
    from pathlib import Path

# Columns of cores and of RAM, the unit of that in GiB, and what its column may be called as well.
_LISTS = {
    "azure_migrate": ("*Cores", "*Memory (In MB)", 2.0**-10),
    "live_optics": ("Virtual CPU", "Provisioned Memory (MiB)", 2.0**-10),
    "aria": ("CPU|Number of vCPUs", "Memory|Total Capacity (KB)", 2.0**-20),
}


def read(path: Path, text: str, identity: str) -> dict[str, Any]:
    file = path / "fleet"
    file.write_text(text)
    held = opened(file)
    item = recognised(held.columns)
    assert item.id == identity
    return read_with(item, held, lambda _share, _said: None)


def as_csv(rows: list[dict[str, str]], delimiter: str = ",") -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def rows_of(identity: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(importer_of(identity).sample().decode())))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("identity", _LISTS)
@pytest.mark.decisive
def test_machines_cores_and_ram_are_the_sums_of_their_columns(
    identity: str, seed: int, tmp_path: Path
) -> None:
    draw, (cores, ram, gib) = random.Random(f"{identity} {seed}"), _LISTS[identity]
    known, rows, wrong = rows_of(identity), [], 0
    for _ in range(50):
        row = dict(draw.choice(known))
        row[cores] = str(draw.choice((1, 2, 4, 96)))
        row[ram] = str(round(draw.choice((1, 2, 48, 1024)) / gib))
        if draw.random() < 0.05:
            row[ram], wrong = "much", wrong + 1
        rows.append(row)
    found = read(tmp_path, as_csv(rows, draw.choice((",", ";"))), identity)
    both = [found["totals"], found["off"]]
    assert sum(one["machines_count"] for one in both) == len(rows)
    assert sum(one["cores_count"] or 0 for one in both) == sum(int(row[cores]) for row in rows)
    dumb = sum(float(row[ram]) * gib for row in rows if row[ram] != "much")
    assert sum(one["ram_gib"] or 0 for one in both) == pytest.approx(dumb)
    assert found["faults_count"] == wrong


def test_several_disks_of_a_machine_are_added_and_a_wrong_one_is_told(tmp_path: Path) -> None:
    rows = rows_of("azure_migrate")
    found = read(tmp_path, as_csv(rows), "azure_migrate")
    assert found["totals"]["disk_tb"] == pytest.approx(0.8)
    rows[1]["Disk 2 size (In GB)"] = "some"
    found = read(tmp_path, as_csv(rows), "azure_migrate")
    assert found["totals"]["disk_tb"] == pytest.approx(0.6)
    assert "some" in found["faults"][0]["message"]


@pytest.mark.parametrize(
    ("head", "ram"),
    [("Memory|Total Capacity (KB)", 24.0), ("Memory|Total Capacity (GB)", 24 * 2**20)],
)
def test_a_unit_in_a_head_goes_before_that_of_the_source(
    head: str, ram: float, tmp_path: Path
) -> None:
    text = importer_of("aria").sample().decode().replace("Memory|Total Capacity (KB)", head)
    assert read(tmp_path, text, "aria")["totals"]["ram_gib"] == ram


def test_properties_of_a_machine_in_aria_stand_for_its_metrics(tmp_path: Path) -> None:
    text = (
        "Name,Configuration|Hardware|Number of CPUs,Configuration|Hardware|Memory (KB),"
        "CPU|Usage (%)\nvm1,4,8388608,25\nvm2,8,16777216,75\n"
    )
    found = read(tmp_path, text, "aria")
    assert (found["totals"]["cores_count"], found["totals"]["ram_gib"]) == (12, 24)
    assert found["totals"]["busy_cores_count"] == 7


def test_a_plain_list_is_not_taken_for_one_of_a_tool(tmp_path: Path) -> None:
    plain = "Name,CPU Core Count,Memory Capacity\nvm1,4,8388608\n"
    with pytest.raises(FileRefused, match="no kind"):
        read(tmp_path, plain, "aria")
    found = read(tmp_path, "Server name,Cores,Memory\nsrv1,8,32768\n", "machine_list")
    assert found["totals"]["ram_gib"] is None


def test_use_is_that_of_each_machine(tmp_path: Path) -> None:
    found = read(tmp_path, importer_of("azure_migrate").sample().decode(), "azure_migrate")
    assert found["totals"]["busy_cores_count"] == pytest.approx(0.25 * 8 + 0.1 * 16)
    assert [size["used_ram"] for size in found["sizes"]] == [
        {"listed": pytest.approx(0.6 * 32)},
        {"listed": pytest.approx(0.4 * 64)},
    ]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.decisive
def test_allocations_are_the_mean_of_the_sums_of_their_days(seed: int, tmp_path: Path) -> None:
    draw, known = random.Random(seed), rows_of("kube_allocations")
    rows = []
    for at in range(40):
        row = dict(draw.choice(known))
        row["Date"] = f"2026-09-{1 + at % 4:02d}"
        row["CPUCoreRequestAverage"] = f"{draw.uniform(0, 9):.3f}"
        row["RAMBytesRequestAverage"] = str(draw.randrange(2**34))
        rows.append(row)
    idle = rows[0] | {"Namespace": "__idle__", "CPUCoreRequestAverage": "1000"}
    found = read(tmp_path, as_csv([*rows, idle]), "kube_allocations")
    cores = sum(float(row["CPUCoreRequestAverage"]) for row in rows) / 4
    ram = sum(float(row["RAMBytesRequestAverage"]) for row in rows) / 4 / 2**30
    assert found["demand"]["busy_cores_count"] == pytest.approx(cores)
    assert found["demand"]["ram_gib"] == pytest.approx(ram)
    assert "idle" in found["notes"][-1]


def test_allocations_by_the_api_of_kubecost(tmp_path: Path) -> None:
    text = (
        "WindowStart,WindowEnd,Name,Cluster,Namespace,CPUCoreHours,CPUCoreRequestAverage,"
        "CPUCoreUsageAverage,RAMByteHours,RAMBytesRequestAverage,RAMBytesUsageAverage,TotalCost\n"
        "2026-09-01T00:00:00Z,2026-09-02T00:00:00Z,web,c,web,24,1.5,x,1,1073741824,1,2\n"
    )
    found = read(tmp_path, text, "kube_allocations")
    assert found["demand"]["busy_cores_count"] == 1.5
    assert found["demand"]["ram_gib"] == 1.0
    assert found["unread_rows_count"] == 1
    assert found["headline"].endswith("; 1 row not read whole, see below.")
