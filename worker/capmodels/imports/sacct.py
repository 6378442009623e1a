"""Jobs of a Slurm cluster: ``sacct --parsable2`` with times, processors and memory.

Source: Slurm's manual, "sacct" (fields JobIDRaw, Account, Submit, Start, End, State, AllocCPUS,
ReqMem, AllocTRES; times in local ISO 8601 without a zone; steps have a dot in their id).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.formats.chunks import FileRefused
from capmodels.imports import demand
from capmodels.imports.cells import Cells, bytes_of
from capmodels.imports.preview import Column
from capmodels.numbers import counted
from capmodels.units import SECONDS_PER_HOUR

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from capmodels.imports.table import Table
    from capmodels.spec import JSONDict

_BYTES_PER_GIB = 2.0**30
_NEEDED = frozenset({"Start", "End"})
# What sacct prints unless it is asked for more.
_PLAIN = frozenset({"JobName", "Partition", "State"})
_CORES = ("AllocCPUS", "NCPUS", "ReqCPUS")
_IDS = ("JobIDRaw", "JobID")
_COMMAND = (
    "sacct --allusers --parsable2 --noconvert "
    "--format=JobIDRaw,Account,State,AllocCPUS,ReqMem,NNodes,Submit,Start,End,AllocTRES"
)
# GPUs of a job: of all its nodes, and of each of them (before Slurm 20.11).
_TRES, _GRES = ("AllocTRES", "ReqTRES"), ("AllocGRES", "ReqGRES")
_WANTED = ("Account", "Submit", "Start", "End", "ReqMem", "NNodes", "AllocNodes", *_TRES, *_GRES)
_NONE = frozenset({"", "Unknown", "None", "N/A", "INVALID"})
# All GPUs of a job, and those of each kind, which stand beside them or alone.
_GPU = re.compile(r"gres/gpu=(\d+)")
_GPU_KIND = re.compile(r"gres/gpu:[^=,]+=(\d+)")
_GPU_OF_NODE = re.compile(r"\bgpu(?::[^:,()]+)?:(\d+)")
# Counts of more than 1023 are shortened unless --noconvert is given.
_SHORT = re.compile(r"^(\d+(?:\.\d+)?)([KMG])$")
_SHORT_POWERS = {"K": 1, "M": 2, "G": 3}
_SUMS = ("jobs_count", "core_hours", "gpu_hours", "wait_h")


def fits(columns: frozenset[str]) -> bool:
    """Whether a table is a log of Slurm's jobs, with its times or without."""
    return all(columns & set(some) for some in (_CORES, _IDS)) and (
        columns >= _NEEDED or columns >= _PLAIN
    )


@dataclass(slots=True)
class Jobs:
    """Jobs that ran, one a place in every list; times in seconds."""

    account: list[str] = field(default_factory=list)
    submit: list[float] = field(default_factory=list)
    start: list[float] = field(default_factory=list)
    end: list[float] = field(default_factory=list)
    cores: list[float] = field(default_factory=list)
    ram_gib: list[float] = field(default_factory=list)
    gpus: list[float] = field(default_factory=list)
    open_count: int = 0
    has_gpus: bool = True


def read(log: Table, report: Callable[[float, str], None]) -> JSONDict:
    """Return what the jobs asked for, when, and how long they waited.

    Raises
    ------
    FileRefused
        When no job ran.
    """
    report(0.1, "Reading jobs")
    if not log.columns >= _NEEDED:
        raise FileRefused(f"The log has no times. Print it with: {_COMMAND}")
    cells = Cells()
    jobs = _jobs(log, cells)
    for line, said in log.rejected(100)[0]:
        cells.add(line, said)
    if not jobs.start:
        raise FileRefused("The log has no job that has ended.")
    report(0.7, "Adding up the hours")
    return {**_preview(jobs), **cells.document()}


def _jobs(log: Table, cells: Cells) -> Jobs:
    ident = next(name for name in _IDS if name in log.columns)
    cores = next(name for name in _CORES if name in log.columns)
    names = [name for name in _WANTED if name in log.columns]
    jobs = Jobs(has_gpus=bool(log.columns & {*_TRES, *_GRES}))
    for line, found in log.text_rows((ident, cores, *names)):
        row = dict(zip((ident, cores, *names), found, strict=True))
        if "." in row[ident]:
            continue  # a step of a job that has a row of its own
        if row["Start"] in _NONE or row["End"] in _NONE:
            jobs.open_count += 1
            continue
        try:
            _add(jobs, row, row[cores])
        except ValueError as exc:
            cells.add(line, f"job {row[ident][:40]}: {exc}")
    return jobs


def _add(jobs: Jobs, row: Mapping[str, str], cores_text: str) -> None:
    start, end = _seconds(row["Start"]), _seconds(row["End"])
    submit = start if row.get("Submit", "") in _NONE else _seconds(row["Submit"])
    cores = _count(cores_text)
    if end < start:
        raise ValueError("it ends before it starts")
    nodes = _count(row.get("AllocNodes") or row.get("NNodes") or "1")
    ram = _ram_gib(row.get("ReqMem", ""), cores, nodes)
    jobs.account.append(row.get("Account", ""))
    jobs.submit.append(min(submit, start))
    jobs.start.append(start)
    jobs.end.append(end)
    jobs.cores.append(cores)
    jobs.ram_gib.append(ram)
    jobs.gpus.append(_gpus(row, nodes))


def _gpus(row: Mapping[str, str], nodes: float) -> float:
    """GPUs of a job, by the first of the fields that names any."""
    for name in _TRES:
        said = row.get(name, "")
        if whole := _GPU.search(said):
            return float(whole[1])
        if kinds := _GPU_KIND.findall(said):
            return sum(map(float, kinds))
    for name in _GRES:
        if each := _GPU_OF_NODE.findall(row.get(name, "")):
            return nodes * sum(map(float, each))
    return 0.0


def _count(text: str) -> float:
    """A count, as 1536 or 1.50K.

    Raises
    ------
    ValueError
        When it is none.
    """
    short = _SHORT.match(text)
    if short:
        return float(short[1]) * 1024.0 ** _SHORT_POWERS[short[2]]
    try:
        return float(text)
    except ValueError as exc:
        raise ValueError(f"{text[:40]!r} is not a number") from exc


def _seconds(text: str) -> float:
    try:
        when = datetime.fromisoformat(text)
    except ValueError as exc:
        raise ValueError(f"{text[:40]!r} is no time") from exc
    return when.replace(tzinfo=when.tzinfo or UTC).timestamp()


def _ram_gib(text: str, cores: float, nodes: float) -> float:
    """RAM asked for: 4G for the job; older versions write 4Gc for a core, 4Gn for a node."""
    if text in _NONE:
        return 0.0
    text = text.removesuffix("?")
    times = {"c": cores, "n": nodes}.get(text[-1:], 1.0)
    size = text[:-1] if text[-1:] in {"c", "n"} else text
    binary = f"{size}iB" if size[-1:].isalpha() else size
    return bytes_of(binary, alone="mi") * times / _BYTES_PER_GIB


def hourly_mean(
    start: NDArray[np.float64], end: NDArray[np.float64], amount: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the mean amount in use in each hour from the first start to the last end.

    Use up to a time *t* is the sum of amount x (t - start) over what began before, less
    amount x (t - end) over what ended before.
    """
    first = float(start.min())
    hours_count = max(1, int(np.ceil((float(end.max()) - first) / SECONDS_PER_HOUR)))
    edges = first + SECONDS_PER_HOUR * np.arange(hours_count + 1, dtype=np.float64)
    used = _since(start, amount, edges) - _since(end, amount, edges)
    return np.maximum(np.diff(used), 0.0) / SECONDS_PER_HOUR


def _since(
    at: NDArray[np.float64], amount: NDArray[np.float64], edges: NDArray[np.float64]
) -> NDArray[np.float64]:
    order = np.argsort(at, kind="stable")
    times, amounts = at[order] - edges[0], amount[order]
    count = np.searchsorted(times, edges - edges[0], side="left")
    weight = np.concatenate(([0.0], np.cumsum(amounts)))[count]
    moment = np.concatenate(([0.0], np.cumsum(amounts * times)))[count]
    return weight * (edges - edges[0]) - moment


def _preview(jobs: Jobs) -> JSONDict:
    start, end, cores = np.array(jobs.start), np.array(jobs.end), np.array(jobs.cores)
    waits = (start - np.array(jobs.submit)) / SECONDS_PER_HOUR
    by_hour = hourly_mean(start, end, cores)
    period_h = max((end.max() - start.min()) / SECONDS_PER_HOUR, 1e-9)
    hours = (end - start) / SECONDS_PER_HOUR
    busy = float((cores * hours).sum() / period_h)
    gpus = hourly_mean(start, end, np.array(jobs.gpus))
    notes = [
        "A core that was given to a job counts as busy, whether the job used it or not.",
        "RAM is what the jobs asked for.",
    ]
    if not jobs.has_gpus:
        notes.append(f"The log has no field of GPUs ({_TRES[0]}): their demand is not known.")
    if jobs.open_count:
        notes.append(f"{counted(jobs.open_count, 'job')} not started or not ended: not counted.")
    p50, p95 = (float(np.quantile(waits, share)) for share in (0.5, 0.95))
    return {
        "headline": (
            f"{counted(len(cores), 'job')} used {(cores * hours).sum():,.0f} core-hours in "
            f"{_period(period_h)}: {busy:,.1f} cores busy on average, "
            f"{np.quantile(by_hour, 0.99):,.0f} in the busiest hours; half of the jobs waited "
            f"{_said(p50)} or less, one in twenty more than {_said(p95)}."
        ),
        "notes": notes,
        "counted": f"{len(cores):,} jobs",
        "ends_on": datetime.fromtimestamp(float(end.max()), UTC).date().isoformat(),
        "waiting": {"p50_h": p50, "p95_h": p95, "mean_h": float(waits.mean())},
        "demand": {
            "busy_cores_count": busy,
            "p99_ratio": max(1.0, float(np.quantile(by_hour, 0.99)) / busy) if busy else None,
            "ram_gib": float((np.array(jobs.ram_gib) * hours).sum() / period_h),
            "gpu_peak_count": float(np.ceil(gpus.max())),
            "gpu_mean_count": float((np.array(jobs.gpus) * hours).sum() / period_h),
        },
        "owners": _owners(jobs, hours, waits),
    }


def _period(hours: float) -> str:
    return counted(round(hours / 24, 1), "day") if hours >= 24 else counted(round(hours), "hour")


def _said(hours: float) -> str:
    return f"{hours:,.1f} h" if hours >= 1 else f"{60 * hours:,.0f} min"


def _owners(jobs: Jobs, hours: Sequence[float], waits: Sequence[float]) -> list[JSONDict]:
    sums: dict[str, list[float]] = {}
    for owner, cores, gpus, length, wait in zip(
        jobs.account, jobs.cores, jobs.gpus, hours, waits, strict=True
    ):
        row = sums.setdefault(owner, [0.0] * len(_SUMS))
        for at, value in enumerate((1.0, cores * length, gpus * length, wait)):
            row[at] += float(value)
    for row in sums.values():
        row[3] /= row[0]
    return demand.owners_of(sums, _SUMS, "core_hours")


def tables(preview: Mapping[str, Any]) -> list[JSONDict]:
    """Showback by account, with how long its jobs waited."""
    columns = (
        Column("Jobs", "jobs_count", "count"),
        Column("Core-hours", "core_hours", "count"),
        Column("GPU-hours", "gpu_hours", "count"),
        Column("Mean wait", "wait_h", "quantity", "h"),
    )
    return [demand.owners_table("Account", columns, preview["owners"])]


def sample() -> bytes:
    """Two jobs, one with a step, and one that still waits."""
    return (
        b"JobID|Account|State|AllocCPUS|ReqMem|Submit|Start|End|AllocTRES\n"
        b"101|physics|COMPLETED|64|256G|2026-09-01T07:00:00|2026-09-01T08:00:00|"
        b"2026-09-01T20:00:00|cpu=64,mem=256G,node=1\n"
        b"101.batch|physics|COMPLETED|64||2026-09-01T08:00:00|2026-09-01T08:00:00|"
        b"2026-09-01T20:00:00|cpu=64\n"
        b"102|ml|COMPLETED|16|4Gc|2026-09-01T09:00:00|2026-09-01T09:30:00|"
        b"2026-09-02T08:00:00|cpu=16,gres/gpu=4\n"
        b"103|ml|PENDING|16|64G|2026-09-02T07:00:00|Unknown|Unknown|\n"
    )


IMPORTER = demand.jobs_importer(
    id="sacct",
    title="Job log of Slurm (sacct --parsable2)",
    fits=fits,
    read=read,
    tables=tables,
    sample=sample,
)
