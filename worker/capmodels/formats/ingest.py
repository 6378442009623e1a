"""A file of any kind that we know, read once: its columns packed, its summary, its faults."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from capmodels.formats.block_charts import block_charts
from capmodels.formats.block_traces import Report, requests_of
from capmodels.formats.chunks import FileRefused, LineFault, in_order, peek, plain
from capmodels.formats.detecting import Detected, detect_file
from capmodels.formats.trace_columns import Packer
from capmodels.formats.trace_summary import Summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


@dataclass(frozen=True, slots=True)
class Ingested:
    """What a file holds, besides its columns."""

    kind: Literal["block", "utilization", "latency"]
    format: str
    rows_count: int
    sha256: str
    summary: dict[str, Any]
    charts: dict[str, Any]
    faults: list[LineFault] = field(default_factory=list)
    faults_count: int = 0


def ingest(chunks: Iterable[bytes], keep: Callable[[bytes], None], name: str = "") -> Ingested:
    """Read a file; hand each packed piece of its columns to ``keep``.

    Raises
    ------
    FileRefused
        When the file is of no known kind, damaged, or holds nothing that can be read.
    """
    head, source = peek(plain(chunks))
    if not head.strip():
        raise FileRefused("The file is empty.")
    found = detect_file(head, name)
    return _block(found, source, keep)


def _block(found: Detected, source: Iterator[bytes], keep: Callable[[bytes], None]) -> Ingested:
    report, summary, packer = Report(), Summary(), Packer()
    for piece in in_order(requests_of(found.format, source, report)):
        summary.add(piece)
        for packed in packer.add(piece):
            keep(packed)
    for packed in packer.flush():
        keep(packed)
    _require_rows(packer.rows_count, report)
    return Ingested(
        kind="block",
        format=found.format,
        rows_count=packer.rows_count,
        sha256=packer.sha256,
        summary=summary.document(),
        charts=block_charts(summary),
        faults=report.faults,
        faults_count=report.faults_count,
    )


def _require_rows(rows_count: int, report: Report) -> None:
    if rows_count:
        return
    message = "Nothing in this file could be read."
    if report.faults:
        first = report.faults[0]
        message += f" Line {first.line}: {first.message}"
    raise FileRefused(message)
