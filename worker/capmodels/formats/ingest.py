"""A file of any kind that we know, read once: its columns packed, its summary, its faults."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from capmodels.formats import registry
from capmodels.formats.archives import is_archive, members
from capmodels.formats.chunks import FileRefused, LineFault, PackingRefused, Report, peek, plain
from capmodels.formats.contents import CONTENTS, Samples
from capmodels.formats.trace_told import HOW_READ

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from capmodels.formats.contents import Gathered
    from capmodels.formats.trace_format import Kind, TraceFormat


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
    report = Report()
    forms: list[TraceFormat] = []
    content = None
    form: TraceFormat | None = None
    try:
        for form, file, found in _files(head, source, name, report):
            content = content or CONTENTS[form.content](form, keep, report)
            content.add(form.read(found, file, report))
            forms.append(form)
        gathered = (content or Samples(None, keep, report)).gathered()
    except PackingRefused:
        raise
    except FileRefused as exc:
        message = f"{exc} {(form or registry.plainest()).begins}"
        raise FileRefused(message) from exc
    return _ingested(forms, gathered, report)


def _files(
    head: bytes, source: Iterator[bytes], name: str, report: Report
) -> Iterator[tuple[TraceFormat, str, Iterator[bytes]]]:
    """A file with its format; of an archive, each that is as the first of them."""
    if not is_archive(head):
        yield registry.sniff(head), name, source
        return
    first: TraceFormat | None = None
    for file, content in members(head, source):
        start, whole = peek(content)
        form = _member(file, start, first, report)
        if form is not None:
            first = first or form
            yield form, file, whole


_WORDS = {
    "fleet": "statistics of drives",
    "latency": "results of fio",
    "inference": "requests to language models",
}


def _member(
    name: str, start: bytes, first: TraceFormat | None, report: Report
) -> TraceFormat | None:
    """Which format a file of an archive has; None, and a fault, when it has no place there."""
    if not start.strip():
        return None
    try:
        form = registry.sniff(start)
    except FileRefused:
        report.add(0, f"{name} is not a trace that we know; it is left out.")
        return None
    if form.content == "requests":
        report.add(0, f"{name} does not hold utilisation; it is left out.")
        return None
    if first is not None and form.kind != first.kind:
        words = _WORDS.get(first.kind, "utilisation")
        report.add(0, f"{name} does not hold {words} as the files before it do; it is left out.")
        return None
    return form


def _ingested(forms: list[TraceFormat], found: Gathered, report: Report) -> Ingested:
    return Ingested(
        kind=forms[0].kind,
        format="+".join(sorted({form.name for form in forms})),
        rows_count=found.rows_count,
        sha256=found.sha256,
        summary={**found.summary, **({HOW_READ: report.notes} if report.notes else {})},
        charts=found.charts,
        faults=sorted(report.faults, key=lambda fault: fault.line),
        faults_count=report.faults_count,
    )
