"""A file of any kind that we know, read once: its columns packed, its summary, its faults."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from capmodels.formats import fio_json
from capmodels.formats.archives import is_archive, members
from capmodels.formats.backblaze_csv import Fleet
from capmodels.formats.block_charts import block_charts
from capmodels.formats.block_traces import Report, requests_of
from capmodels.formats.chunks import FileRefused, LineFault, filled, in_order, peek, plain
from capmodels.formats.detecting import Detected, Kind, detect_file
from capmodels.formats.fleet_summary import fleet_charts, fleet_summary
from capmodels.formats.reading import samples, whole_json
from capmodels.formats.trace_columns import Packer, pack_utilization
from capmodels.formats.trace_summary import Summary
from capmodels.formats.utilization_grid import Grid
from capmodels.formats.utilization_summary import utilization_charts, utilization_summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from capmodels.formats.samples import Sample


_RATE_LOG = re.compile(r"_(bw|iops)[._]")


@dataclass(frozen=True, slots=True)
class Ingested:
    """What a file holds, besides its columns."""

    kind: Kind
    format: str
    rows_count: int
    sha256: str
    summary: dict[str, Any]
    charts: dict[str, Any]
    faults: list[LineFault] = field(default_factory=list)
    faults_count: int = 0


def ingest(chunks: Iterable[bytes], keep: Callable[[bytes], None], name: str = "") -> Ingested:
    """Read a file; hand each packed piece of its columns to ``keep``.

    ``name`` names the machine where the file itself names none.

    Raises
    ------
    FileRefused
        When the file is of no known kind, damaged, or holds nothing that can be read.
    """
    head, source = peek(plain(chunks))
    if not head.strip():
        raise FileRefused("The file is empty.")
    report = Report()
    if is_archive(head):
        return _archive(head, source, report, keep)
    found = detect_file(head)
    if found.format == "fio_json":
        return _latency(fio_json.rows(whole_json(source)), report)
    if found.kind == "fleet":
        fleet = Fleet()
        fleet.read(source)
        return _fleet(fleet, report)
    if found.format == "fio_log" and _RATE_LOG.search(name):
        raise FileRefused(
            "This fio log holds rates over time, not requests. Give the latency log (lat, clat)."
        )
    if found.kind == "utilization":
        return _utilization(found.format, samples(found.format, source, name, report), report, keep)
    return _block(found, source, keep)


def _archive(
    head: bytes, source: Iterator[bytes], report: Report, keep: Callable[[bytes], None]
) -> Ingested:
    """Files of one kind as one trace: machines' utilization, a fleet's days, or runs of fio."""
    grid, fleet, rows, formats = Grid(), Fleet(), list[fio_json.FioRow](), set[str]()
    kind = None
    for name, content in members(head, source):
        first, whole = peek(content)
        found = _member(name, first, kind, report)
        if found is None:
            continue
        kind = found.kind
        formats.add(found.format)
        if kind == "fleet":
            fleet.read(whole)
        elif kind == "latency":
            rows += fio_json.rows(whole_json(whole))
        else:
            grid.add_all(samples(found.format, whole, name, report))
    if kind == "fleet":
        return _fleet(fleet, report)
    if kind == "latency":
        return _latency(rows, report)
    return _kept("+".join(sorted(formats)), grid, report, keep)


_WORDS = {"fleet": "statistics of drives", "latency": "results of fio"}


def _member(name: str, first: bytes, kind: Kind | None, report: Report) -> Detected | None:
    """Which format a file of an archive has; None, and a fault, when it has no place there."""
    if not first.strip():
        return None
    try:
        found = detect_file(first)
    except FileRefused:
        report.add(0, f"{name} is not a trace that we know; it is left out.")
        return None
    if found.kind != "utilization" and found.format not in {"backblaze", "fio_json"}:
        report.add(0, f"{name} does not hold utilisation; it is left out.")
        return None
    if kind is not None and found.kind != kind:
        words = _WORDS.get(kind, "utilisation")
        report.add(0, f"{name} does not hold {words} as the files before it do; it is left out.")
        return None
    return found


def _utilization(
    form: str, found: Iterator[Sample], report: Report, keep: Callable[[bytes], None]
) -> Ingested:
    grid = Grid()
    grid.add_all(found)
    return _kept(form, grid, report, keep)


def _kept(form: str, grid: Grid, report: Report, keep: Callable[[bytes], None]) -> Ingested:
    _require_rows(grid.samples_count, report)
    trace, sha256 = grid.trace(), hashlib.sha256()
    for packed in pack_utilization(trace, sha256):
        keep(packed)
    return Ingested(
        kind="utilization",
        format=form,
        rows_count=grid.samples_count,
        sha256=sha256.hexdigest(),
        summary=utilization_summary(grid),
        charts=utilization_charts(grid),
        faults=report.faults,
        faults_count=report.faults_count,
    )


def _latency(rows: list[fio_json.FioRow], report: Report) -> Ingested:
    """Measured points of a device, for calibration."""
    if not rows:
        raise FileRefused("No job in this fio file has done anything.")
    points = [asdict(row) for row in rows]
    for point in points:
        found = point.pop("percentiles_ms")
        point["p99_ms"] = next((v for k, v in found.items() if abs(k - 99.0) < 1e-6), None)
    best = max(rows, key=lambda row: row.iops_per_s)
    charts = {"points": points, "calibrations": fio_json.calibrations(rows)}
    return Ingested(
        kind="latency",
        format="fio_json",
        rows_count=len(rows),
        sha256=_hash(charts),
        summary={
            "points_count": len(rows),
            "iops_peak_per_s": best.iops_per_s,
            "latency_mean_ms": best.latency_mean_ms,
        },
        charts=charts,
        faults=report.faults,
        faults_count=report.faults_count,
    )


def _fleet(fleet: Fleet, report: Report) -> Ingested:
    """Failure rates of a fleet, and how long its drives last."""
    for fault in fleet.faults:
        report.add(fault.line, fault.message)
    _require_rows(fleet.rows_count, report)
    charts = fleet_charts(fleet)
    return Ingested(
        kind="fleet",
        format="backblaze",
        rows_count=fleet.rows_count,
        sha256=_hash(charts),
        summary=fleet_summary(fleet),
        charts=charts,
        faults=report.faults,
        faults_count=report.faults_count - len(fleet.faults) + fleet.faults_count,
    )


def _hash(charts: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(charts, sort_keys=True).encode()).hexdigest()


def _block(found: Detected, source: Iterator[bytes], keep: Callable[[bytes], None]) -> Ingested:
    report, summary, packer, sized = Report(), Summary(), Packer(), False
    for piece in in_order(filled(requests_of(found.format, source, report))):
        sized = sized or bool(piece.size_bytes.any())
        summary.add(piece)
        for packed in packer.add(piece):
            keep(packed)
    for packed in packer.flush():
        keep(packed)
    _require_rows(packer.rows_count, report)
    placed = found.kind == "block"
    return Ingested(
        kind=found.kind,
        format=found.format,
        rows_count=packer.rows_count,
        sha256=packer.sha256,
        summary=summary.document(placed=placed, sized=sized),
        charts=block_charts(summary, placed=placed, sized=sized),
        faults=sorted(report.faults, key=lambda fault: fault.line),
        faults_count=report.faults_count,
    )


def _require_rows(rows_count: int, report: Report) -> None:
    if rows_count:
        return
    message = "Nothing in this file could be read."
    if report.faults:
        first = report.faults[0]
        message += f" Line {first.line}: {first.message}" if first.line else f" {first.message}"
    raise FileRefused(message)
