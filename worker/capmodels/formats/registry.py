"""Which formats of traces there are. A format is a file that declares it, and a line here."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from capmodels.errors import EMPTY_FILE
from capmodels.formats.chunks import FileRefused, called, peek, plain
from capmodels.formats.trace_format import Head

if TYPE_CHECKING:
    from collections.abc import Iterable

    from capmodels.formats.chunks import Report
    from capmodels.formats.trace_format import Kind, TraceFormat

# In this order a file is looked at; the first format that it fits has it.
MODULES = (
    "vscsi",
    "sysstat_tools",
    "sysstat",
    "perfmon",
    "utilization_json",
    "fio_json",
    "llm_requests",
    "backblaze_csv",
    "grafana_csv",
    "utilization_tables",
    "utilization_text",
    "blkparse",
    "block_lines",
)
_HEADS: tuple[tuple[str, tuple[Kind, ...]], ...] = (
    ("Disk requests", ("block",)),
    ("Utilisation", ("utilization",)),
    ("Drives", ("latency", "fleet")),
    ("Language models", ("inference",)),
)


@cache
def formats() -> tuple[TraceFormat, ...]:
    """Return every format, in the order in which a file is looked at."""
    modules = (import_module(f"capmodels.formats.{name}") for name in MODULES)
    return tuple(form for module in modules for form in module.FORMATS)


@cache
def accepted() -> str:
    """Say which files are taken."""
    return " ".join(f"{head}: {_families(kinds)}." for head, kinds in _HEADS)


def plainest() -> TraceFormat:
    """Return the format that anybody can write."""
    return next(form for form in formats() if form.name == "generic_csv")


def _families(kinds: tuple[Kind, ...]) -> str:
    found = dict.fromkeys(form.family or form.title for form in formats() if form.kind in kinds)
    *most, last = sorted(found, key=lambda family: family.startswith("a "))
    return f"{', '.join(most)} or {last}" if most else last


def title_of(name: str) -> str:
    """Return what lists call a format; of an archive, each that its files have."""
    titles = {form.name: form.title for form in formats()}
    return ", ".join(titles.get(part, part) for part in name.split("+"))


def sniff(head: bytes) -> TraceFormat:
    """Return the format of a file from its first bytes, unpacked.

    Raises
    ------
    FileRefused
        When it is none that we know.
    """
    looked = Head(head)
    if not looked.text.strip():
        raise FileRefused(EMPTY_FILE)
    if other := called(head):
        raise FileRefused(
            f"This file is {other}. Traces are taken as text, a zip of it, gzip or zstd: "
            f"export it as CSV. {accepted()}"
        )
    found = next((form for form in formats() if form.sniff(looked)), None)
    if found is None:
        message = f"This is not a trace that we know. {accepted()}"
        raise FileRefused(message)
    return found


def read(chunks: Iterable[bytes], report: Report, name: str = "") -> Iterable[Any]:
    """Read a file of any format that is no archive, and yield what its content says.

    Raises
    ------
    FileRefused
        When the file is of no known format, or damaged.
    """
    head, whole = peek(plain(chunks))
    return sniff(head).read(whole, name, report)
