"""What a format of trace files is: its name, how it is known, how it is read, a small sample."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from capmodels.formats.chunks import Report

Kind = Literal["block", "utilization", "latency", "fleet", "inference"]
# What reading yields: pieces of requests, samples of machines, rows of fio, a fleet's bytes, or
# requests to language models.
Content = Literal["requests", "samples", "points", "drives", "prompts"]

_LINES_MAX = 200
_JSON_WITHIN = 20_000
_EXAMPLE_MOST = 100


class Head:
    """The first bytes of an unpacked file, as formats look at them."""

    def __init__(self, data: bytes) -> None:
        """Take the bytes; what is asked of them is worked out once."""
        self.data = data

    @property
    def is_binary(self) -> bool:
        """Whether there are bytes that no text holds."""
        return b"\0" in self.data[:64]

    @cached_property
    def text(self) -> str:
        """The bytes as text."""
        return self.data.decode("utf-8", "replace").lstrip("\ufeff")

    @cached_property
    def lines(self) -> list[str]:
        """Lines that are not blank, without the last, which may be cut, unless it is the first."""
        found = [line for line in self.text.splitlines() if line.strip()][:_LINES_MAX]
        return found[:-1] or found

    @cached_property
    def rows(self) -> list[list[str]]:
        """The lines cut at commas, else at semicolons, or at spaces where there are neither."""
        cuts = ((line, next((one for one in ",;" if one in line), None)) for line in self.lines)
        return [[cell.strip() for cell in line.split(cut)] for line, cut in cuts]

    def most_rows(self, fits: Callable[[list[str]], bool], above: float = 0.5) -> bool:
        """Whether more than a share of the rows are as a format has them."""
        return sum(map(fits, self.rows)) > above * len(self.rows) if self.rows else False

    def names_in_json(self, *marks: str) -> bool:
        """Whether the text begins as a JSON document that holds one of these names."""
        start = self.text[:_JSON_WITHIN]
        return "{" in start and any(f'"{mark}"' in start for mark in marks)


@dataclass(frozen=True, kw_only=True)
class TraceFormat:
    """One format of files. ``family`` is what lists call it and others of its kin."""

    name: str
    title: str
    family: str = ""
    kind: Kind
    content: Content
    sentence: str
    sample: bytes
    sniff: Callable[[Head], bool]
    # (unpacked bytes, the file's name, where faults go) -> what the content says
    read: Callable[[Iterator[bytes], str, Report], Iterable[Any]]

    @property
    def begins(self) -> str:
        """How its files begin, after their sample: a line, and one more where that is a head."""
        if b"\0" in self.sample:
            return f"Example of {self.title}: a binary file."
        lines = [line for line in self.sample.decode().splitlines() if line.strip()]
        count = 2 if "," in lines[0] and not any(map(str.isdigit, lines[0])) else 1
        shown = " and then ".join(f"“{_shortened(line)}”" for line in lines[:count])
        return f"Example of {self.title}: {shown}."


def _shortened(line: str) -> str:
    text = " ".join(line.split())
    return text if len(text) <= _EXAMPLE_MOST else f"{text[:_EXAMPLE_MOST].rstrip()} …"
