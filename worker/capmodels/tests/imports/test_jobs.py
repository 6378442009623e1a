"""Job logs and pod requests: generated ones against brute force."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np
import pytest

from capmodels.formats.chunks import FileRefused
from capmodels.imports import sacct
from capmodels.imports.registry import Options, importer_of, opened, recognised

if TYPE_CHECKING:
    from pathlib import Path

    from capmodels.spec import JSONDict


def read(tmp_path: Path, data: bytes) -> tuple[str, JSONDict]:
    path = tmp_path / "log"
    path.write_bytes(data)
    file = opened(path)
    item = recognised(file.columns)
    return item.id, item.read(file, lambda _share, _said: None)


def log(seed: int) -> tuple[bytes, list[tuple[str, int, int, int, int]]]:
    """A log with columns in any order; jobs as (account, wait, start, end, cores) in minutes."""
    draw = random.Random(seed)
    zero = datetime(2026, 9, 1, tzinfo=UTC)
    columns = ["JobID", "Account", "AllocCPUS", "ReqMem", "Submit", "Start", "End", "AllocTRES"]
    draw.shuffle(columns)
    lines, jobs = ["|".join(columns)], []
    for at in range(200):
        submit = draw.randint(0, 7 * 24 * 60)
        wait, length = draw.randint(0, 300), draw.randint(1, 2000)
        cores, account = draw.choice([1, 16, 128]), draw.choice(["a", "b", ""])
        said = [
            (zero + timedelta(minutes=m)).strftime("%Y-%m-%dT%H:%M:%S")
            for m in (submit, submit + wait, submit + wait + length)
        ]
        row = dict(zip(("Submit", "Start", "End"), said, strict=True))
        row |= {"JobID": f"{at}", "Account": account, "AllocCPUS": f"{cores}", "ReqMem": "1Gc"}
        row["AllocTRES"] = f"cpu={cores},gres/gpu=2" if cores == 16 else f"cpu={cores}"
        lines.append("|".join(row[name] for name in columns))
        lines.append("|".join((row | {"JobID": f"{at}.batch"})[name] for name in columns))
        jobs.append((account, wait, submit + wait, submit + wait + length, cores))
    lines.append("|".join({"JobID": "x", "Start": "Unknown"}.get(name, "") for name in columns))
    return "\n".join(lines).encode(), jobs


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_job_log_equals_a_count_minute_by_minute(seed: int, tmp_path: Path) -> None:
    data, jobs = log(seed)
    kind, found = read(tmp_path, data)
    assert kind == "sacct"
    assert found["faults_count"] == 0
    first, last = min(job[2] for job in jobs), max(job[3] for job in jobs)
    used, gpus = np.zeros(last - first), np.zeros(last - first)
    for _, _, start, end, cores in jobs:
        used[start - first : end - first] += cores
        gpus[start - first : end - first] += 2 * (cores == 16)
    hours = np.array([used[at : at + 60].sum() / 60 for at in range(0, used.size, 60)])
    demand = found["demand"]
    assert demand["busy_cores_count"] == pytest.approx(used.mean())
    assert demand["ram_gib"] == pytest.approx(used.mean())
    assert demand["gpu_mean_count"] == pytest.approx(gpus.mean())
    assert demand["p99_ratio"] == pytest.approx(np.quantile(hours, 0.99) / used.mean())
    assert found["waiting"]["p50_h"] == pytest.approx(np.median([job[1] for job in jobs]) / 60)
    owners = {row["owner"]: row for row in found["owners"]}
    for name in ("a", "b", "no account"):
        mine = [job for job in jobs if (job[0] or "no account") == name]
        assert owners[name]["jobs_count"] == len(mine)
        assert owners[name]["core_hours"] == pytest.approx(
            sum(job[4] * (job[3] - job[2]) / 60 for job in mine)
        )
    assert sum(row["share_fraction"] for row in found["owners"]) == pytest.approx(1.0)
    assert "1 job not started or not ended" in " ".join(found["notes"])


@pytest.mark.decisive
def test_hours_of_one_long_job_are_level() -> None:
    start, end = np.array([0.0]), np.array([36_000.0])
    assert sacct.hourly_mean(start, end, np.array([7.0])) == pytest.approx(np.full(10, 7.0))


def test_jobs_that_cannot_be_are_told(tmp_path: Path) -> None:
    head = b"JobID|AllocCPUS|Start|End\n"
    rows = (b"1|4|2026-09-01T00:00:00|2026-09-01T01:00:00\n"
            b"2|4|2026-09-01T02:00:00|2026-09-01T01:00:00\n3|four|2026-09-01|2026-09-02\n"
            b"4|1|yesterday|2026-09-02\n")  # fmt: skip
    _, found = read(tmp_path, head + rows)
    assert found["faults_count"] == 3
    assert found["demand"]["busy_cores_count"] == pytest.approx(4.0)
    with pytest.raises(FileRefused, match="no job that has ended"):
        read(tmp_path, head + b"1|4|Unknown|Unknown\n")


def test_requests_of_pods(tmp_path: Path) -> None:
    item = importer_of("kube_requests")
    kind, found = read(tmp_path, item.sample())
    assert kind == "kube_requests"
    # The pod that has ended asks for nothing: 1.5 + 0.25 + 4 cores.
    assert found["demand"]["busy_cores_count"] == pytest.approx(5.75)
    assert found["demand"]["ram_gib"] == pytest.approx(4.0)
    assert [row["owner"] for row in found["owners"]] == ["ml", "shop"]
    assert "18% of the cores of their nodes" in found["headline"]
    drafted = item.draft(found, Options(file_name="kube.prom", as_of="2026-10-01"))
    assert drafted.workload["busy_cores_count"] == pytest.approx(5.75)
    assert "gpu_peak_count" not in drafted.workload


def test_a_dump_without_requests(tmp_path: Path) -> None:
    none = b'kube_pod_container_resource_requests{namespace="a",pod="b",resource="pods"} 1\n'
    with pytest.raises(FileRefused, match="No running pod"):
        read(tmp_path, none)
    with pytest.raises(FileRefused, match="no kind"):
        read(tmp_path, b"up 1\n")


def test_arrays_steps_cancelled_jobs_and_shortened_counts(tmp_path: Path) -> None:
    """Two tasks of an array, their steps, one that waits, one cancelled, GPUs by kind alone."""
    head = "JobID|JobIDRaw|Account|State|AllocCPUS|ReqMem|NNodes|Submit|Start|End|AllocTRES|"
    day = "2026-10-01T"
    rows = [
        f"9_1|901|a|COMPLETED|16|64G|1|{day}00:00:00|{day}01:00:00|{day}11:00:00|cpu=16|",
        f"9_1.batch|901.batch|a|COMPLETED|16||1|{day}01:00:00|{day}01:00:00|{day}11:00:00||",
        f"9_2|902|a|TIMEOUT|16|64G?|1|{day}00:00:00|{day}01:00:00|{day}21:00:00|cpu=16|",
        f"9_[3-9]|900|a|PENDING|16|64G|1|{day}00:00:00|Unknown|Unknown||",
        f"910|910|b|CANCELLED by 1000|0|64G|1|{day}00:00:00|None|{day}05:00:00||",
        f"911|911|b|CANCELLED by 1000|32|2Gn|2|{day}00:00:00|{day}02:00:00|{day}05:00:00|"
        "gres/gpu:a100=8,gres/gpu:h100=4|",
        f"912|912|b|NODE_FAIL|1.50K|1Gc|1K|{day}00:00:00|{day}12:00:00|{day}13:00:00|"
        "gres/gpu:a100=8,gres/gpu=8|",
        f"913|913|b|FAILED|many|1G|1|{day}00:00:00|{day}12:00:00|{day}13:00:00||",
    ]
    kind, found = read(tmp_path, "\n".join([head, *rows]).encode())
    assert kind == "sacct"
    hours = 16 * 10 + 16 * 20 + 32 * 3 + 1536
    assert found["demand"]["busy_cores_count"] == pytest.approx(hours / 20)
    ram = 64 * 10 + 64 * 20 + 2 * 2 * 3 + 1536
    assert found["demand"]["ram_gib"] == pytest.approx(ram / 20)
    assert found["demand"]["gpu_peak_count"] == 12
    assert [(one["owner"], one["jobs_count"]) for one in found["owners"]] == [("b", 2), ("a", 2)]
    assert any("2 jobs not started or not ended" in note for note in found["notes"])
    assert [fault["message"] for fault in found["faults"]] == [
        "job 913: 'many' is not a number; left out."
    ]


def test_a_log_as_sacct_prints_it_says_how_to_print_its_times(tmp_path: Path) -> None:
    plain = b"JobID|JobName|Partition|Account|AllocCPUS|State|ExitCode\n1|a|p|x|4|COMPLETED|0:0\n"
    with pytest.raises(FileRefused, match=r"no times.*sacct .*--format=JobIDRaw"):
        read(tmp_path, plain)
    with pytest.raises(FileRefused, match="sacct --parsable2"):
        read(tmp_path, b"JobID    Account\n-----    -------\n1        phys\n")


@pytest.mark.parametrize("names", ["new", "old", "both"])
def test_metrics_of_either_version_count_requests_once(names: str, tmp_path: Path) -> None:
    new = [
        f'{kind}{{namespace="n",pod="p{at}",container="{box}",resource="{resource}"}} {value}'
        for kind in ("kube_pod_container_resource_requests",)
        for at in range(3)
        for box in ("app", "side")
        for resource, value in (("cpu", 0.5), ("memory", 2**30))
    ]
    old = [
        f'kube_pod_container_resource_requests_{resource}{{namespace="n",pod="p{at}",'
        f'container="{box}"}} {value}'
        for at in range(3)
        for box in ("app", "side")
        for resource, value in (("cpu_cores", 0.5), ("memory_bytes", 2**30))
    ]
    lines = {"new": new, "old": old, "both": new + old}[names]
    kind, found = read(tmp_path, "\n".join(lines).encode())
    assert kind == "kube_requests"
    assert found["demand"] == {"busy_cores_count": 3.0, "ram_gib": 6.0, "gpu_peak_count": 0.0}
    assert found["headline"].startswith("3 pods in 1 namespace asked for 3.0 cores")
