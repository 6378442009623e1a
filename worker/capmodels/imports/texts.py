"""Files that are no tables: JSON, XML, and metrics in the text format of Prometheus."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FileRefused
from capmodels.formats.reading import FiniteDecoder

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

JSON_BYTES_MAX = 64 << 20
METRICS_BYTES_MAX = 256 << 20
_HEAD_BYTES = 1 << 16
_OBJECTS_MOST = 2_000
# What comes next of a text, after spaces.
_NEXT = re.compile(r"\s*\S")
_METRIC = re.compile(rb"^[a-zA-Z_:][a-zA-Z0-9_:]*(\{.*\})? [-+0-9.eENaIinf]+( \d+)?\s*$")


@dataclass(frozen=True, slots=True)
class Document:
    """Read JSON: one value, or one a line.

    Its columns are the keys of its first object, and those of objects within it, marked ``*/``.
    """

    values: list[Any]
    columns: frozenset[str]


@dataclass(frozen=True, slots=True)
class Metrics:
    """Metrics in Prometheus's text format; the columns are their names."""

    path: Path
    columns: frozenset[str]


@dataclass(frozen=True, slots=True)
class Markup:
    """XML as text, never parsed as such; its column is the name of its first element."""

    text: str
    columns: frozenset[str]


def pages_of(values: list[Any]) -> Iterator[Mapping[str, Any]]:
    """The objects of a document of pages: one after another, or in lists of them."""
    for value in values:
        if isinstance(value, list):
            yield from pages_of(value)
        elif isinstance(value, dict):
            yield value


def is_markup(head: bytes) -> bool:
    """Whether a file begins as XML does."""
    return re.match(rb"[\xef\xbb\xbf\s]*<[?!A-Za-z]", head) is not None


def open_markup(path: Path) -> Markup:
    """Read a file of XML whole, as text: no entity of it is ever followed.

    Raises
    ------
    FileRefused
        When it is too large.
    """
    if path.stat().st_size > JSON_BYTES_MAX:
        raise FileRefused(f"The XML file is larger than {JSON_BYTES_MAX >> 20} MB. Cut it.")
    text = path.read_text("utf-8-sig", errors="replace")
    found = re.search(r"<([A-Za-z][\w:.-]*)", text)
    return Markup(text, frozenset({f"xml:{found[1]}"} if found else ()))


def is_json(head: bytes) -> bool:
    """Whether a file begins as JSON does."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in {b"{", b"["}


def is_metrics(head: bytes) -> bool:
    """Whether the first line that says something is a metric, or the help of one."""
    lines = (line for line in head.splitlines() if line.strip())
    first = next(lines, b"")
    return first.startswith((b"# HELP ", b"# TYPE ")) or _METRIC.match(first) is not None


def open_json(path: Path) -> Document:
    """Read a file of JSON whole.

    Raises
    ------
    FileRefused
        When it is too large, damaged, or nested too deeply.
    """
    if path.stat().st_size > JSON_BYTES_MAX:
        raise FileRefused(f"The JSON file is larger than {JSON_BYTES_MAX >> 20} MB. Cut it.")
    text = path.read_text("utf-8-sig", errors="replace")
    try:
        values = [json.loads(text, cls=_CheckedDecoder)]
    except RecursionError as exc:
        raise FileRefused("The JSON is nested too deeply.") from exc
    except ValueError as exc:
        values = _values(text, exc)
    first = values[0]
    while isinstance(first, list) and first:
        first = first[0]
    if not isinstance(first, dict):
        return Document(values, frozenset())
    within = (f"*/{key}" for one in objects_within(first) if one is not first for key in one)
    return Document(values, frozenset({*first, *within}))


class _CheckedDecoder(FiniteDecoder):
    """Of bills and tariffs null is nothing to pay: what is no number is NaN, which is refused."""

    senseless = math.nan


def objects_within(value: Any) -> Iterator[dict[str, Any]]:
    """Yield a value's objects, outer before inner, while they are few."""
    level = [value]
    for _ in range(_OBJECTS_MOST):
        if not level:
            return
        one = level.pop(0)
        if isinstance(one, dict):
            yield one
        inner = one.values() if isinstance(one, dict) else one
        level += [item for item in inner if isinstance(item, dict | list)]


def _values(text: str, fault: ValueError) -> list[Any]:
    """Several documents one after another, as lines or as files put together."""
    decoder, found, at = _CheckedDecoder(), [], 0
    try:
        while found_next := _NEXT.match(text, at):
            value, at = decoder.raw_decode(text, found_next.end() - 1)
            found.append(value)
    except (ValueError, RecursionError):
        raise FileRefused(f"The JSON cannot be read: {fault}.") from fault
    return found


def open_metrics(path: Path) -> Metrics:
    """Find which metrics a dump holds.

    Raises
    ------
    FileRefused
        When it is too large.
    """
    if path.stat().st_size > METRICS_BYTES_MAX:
        limit = METRICS_BYTES_MAX >> 20
        raise FileRefused(f"The dump is larger than {limit} MB. Keep kube_* metrics only.")
    names: set[str] = set()
    with path.open("rb") as file:
        for line in file:
            if not line.startswith(b"#"):
                name = re.split(rb"[{\s]", line, maxsplit=1)[0]
                names.add(name.decode("ascii", "replace"))
    return Metrics(path, frozenset(names - {""}))
