"""Readers of utilization: from a parser of lines, or of a JSON document."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FileRefused
from capmodels.formats.samples import lines_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from capmodels.formats.chunks import Report
    from capmodels.formats.samples import Sample

    Reader = Callable[[Iterator[bytes], str, Report], Iterator[Sample]]

# A JSON document is read whole.
JSON_BYTES_MAX = 256 << 20

_ENDINGS = (".gz", ".zst", ".csv", ".txt", ".json", ".log", ".sar", ".tsv")


def by_lines(parser: Callable[[Iterable[str], str, Report], Iterator[Sample]]) -> Reader:
    """Return a reader that hands a parser the lines of a file and the name of its machine."""

    def read(source: Iterator[bytes], name: str, report: Report) -> Iterator[Sample]:
        return parser(lines_of(source), machine_name(name), report)

    return read


def by_document(parser: Callable[[Any, str, Report], Iterator[Sample]], program: str) -> Reader:
    """Return a reader of a JSON document; one of another shape than the program's is refused."""

    def read(source: Iterator[bytes], name: str, report: Report) -> Iterator[Sample]:
        return _guarded(parser(_document(source), machine_name(name), report), program)

    return read


def _guarded(found: Iterator[Sample], program: str) -> Iterator[Sample]:
    """Yield samples; a document of another shape than the program writes is refused."""
    try:
        yield from found
    except (AttributeError, TypeError, LookupError, ValueError, OverflowError) as exc:
        message = f"This JSON is not built as {program} writes it."
        raise FileRefused(message) from exc


def machine_name(file_name: str) -> str:
    """Name a machine after its file, without what says only how it is written."""
    name = file_name
    while ending := next((e for e in _ENDINGS if name.lower().endswith(e)), ""):
        name = name[: -len(ending)]
    return name or file_name or "machine"


def whole_json(source: Iterable[bytes]) -> bytes:
    """Return a JSON file's bytes.

    Raises
    ------
    FileRefused
        When it is too large.
    """
    data = bytearray()
    for chunk in source:
        data += chunk
        if len(data) > JSON_BYTES_MAX:
            message = (
                f"This JSON file has more than {JSON_BYTES_MAX >> 20} MiB unpacked. "
                "Cut it into shorter spans, or write it as CSV."
            )
            raise FileRefused(message)
    return bytes(data)


_DIGITS_EXACT = 18


class FiniteDecoder(json.JSONDecoder):
    """Reads JSON of files: every number is one that a double holds, and neither NaN nor infinite.

    What is none is ``senseless``: null here, which a reader of samples counts as a fault. Python
    reads whole numbers of up to 4,300 digits and gives up above; no figure has as many.
    """

    senseless: float | None = None

    def __init__(self) -> None:
        """Hook the reading of numbers."""
        super().__init__(
            parse_int=lambda text: int(text) if len(text) <= _DIGITS_EXACT else self._finite(text),
            parse_float=self._finite,
            parse_constant=lambda _name: self.senseless,
        )

    def _finite(self, text: str) -> float | None:
        found = float(text)
        return found if math.isfinite(found) else self.senseless


def json_of(text: str | bytes) -> Any:
    """Return the document of a file, or of a part of one.

    Raises
    ------
    FileRefused
        When it is not JSON.
    """
    try:
        return json.loads(text, cls=FiniteDecoder)
    except (ValueError, RecursionError) as exc:
        message = f"The JSON of this file is damaged: {exc}."
        raise FileRefused(message) from exc


def _document(source: Iterable[bytes]) -> Any:
    return json_of(whole_json(source))
