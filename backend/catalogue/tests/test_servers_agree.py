"""Rows of the catalogue that speak of one processor or one machine agree with each other."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import pytest

from catalogue.fixture_entries import read_entries

Values = dict[str, Any]
_TITLED_BY = {
    "block": ("drives", "per_node_count"),
    "object": ("drives", "per_node_count"),
    "gpu": ("GPUs", "gpus_per_node_count"),
}


def contradictions(servers: dict[str, Values], cpus: dict[str, Values]) -> list[str]:
    """Say where rows of servers contradict each other, their titles or the list of CPUs."""
    found = [fault for slug, row in servers.items() for fault in _within(slug, row)]
    cores = defaultdict(set)
    for row in servers.values():
        if row.get("cpu") and row.get("sockets_per_node_count"):
            each = row["cores_per_node_count"] / row["sockets_per_node_count"]
            cores[row["cpu"]].add(each)
    for title, row in cpus.items():
        cores[title].add(float(row["cores_count"]))
    found += [f"{cpu}: {sorted(each)} cores" for cpu, each in cores.items() if len(each) > 1]
    return found


def _within(slug: str, row: Values) -> list[str]:
    cores, threads = row.get("cores_per_node_count"), row.get("threads_per_node_count")
    sockets, idle, peak = (row.get(f) for f in ("sockets_per_node_count", "idle_w", "peak_w"))
    points = row.get("points_w")
    printed = re.search(r", (\d+) x ", row["title"])
    # A server built to hold drives or GPUs is titled by them, any other one by its sockets.
    counted, count = "sockets", sockets
    if row.get("role") in _TITLED_BY:
        counted, field = _TITLED_BY[row["role"]]
        count = row.get(field)
    rules = {
        "threads of a core": not (cores and threads) or threads / cores in (1, 2, 4, 8),
        f"{counted} in the title": not (count and printed) or int(printed[1]) == count,
        "whole cores of a socket": not (sockets and cores) or cores % sockets == 0,
        "idle below peak": idle is None or peak is None or idle < peak,
        "the curve's ends": not points or (points[0], points[-1]) == (idle, peak),
    }
    return [f"{slug}: {rule}" for rule, holds in rules.items() if not holds]


def test_no_server_contradicts_another() -> None:
    rows: dict[str, dict[str, Values]] = {"server": {}, "part": {}}
    for seed in read_entries():
        if seed.kind in rows:
            values = {name: value["value"] for name, value in seed.values.items()}
            rows[seed.kind][seed.slug] = {"title": seed.title, **values}
    cpus = {row["title"]: row for row in rows["part"].values() if "cores_count" in row}
    assert contradictions(rows["server"], cpus) == []


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"cores_per_node_count": 12, "threads_per_node_count": 12}, "AMD X: [6.0, 12.0] cores"),
        ({"threads_per_node_count": 36}, "b: threads of a core"),
        ({"title": "B, 4 x AMD X"}, "b: sockets in the title"),
        ({"title": "B, 4 x H", "role": "gpu", "gpus_per_node_count": 8}, "b: GPUs in the title"),
        ({"title": "B, 2 x 1 TB", "role": "block", "per_node_count": 4}, "b: drives in the title"),
        ({"idle_w": 300.0}, "b: idle below peak"),
        ({"points_w": [100.0, 180.0]}, "b: the curve's ends"),
    ],
)
def test_each_contradiction_is_found(changes: Values, fault: str) -> None:
    good = {
        "title": "A, 2 x AMD X",
        "cpu": "AMD X",
        "sockets_per_node_count": 2,
        "cores_per_node_count": 24,
        "threads_per_node_count": 24,
        "idle_w": 100.0,
        "peak_w": 200.0,
        "points_w": None,
    }
    cpus = {"AMD X": {"cores_count": 12}}
    assert contradictions({"a": good, "b": good}, cpus) == []
    assert fault in contradictions({"a": good, "b": good | changes}, cpus)
