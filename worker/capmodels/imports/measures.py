"""What a column says of how busy machines are: of which part, and which figure of its use.

A figure is the mean, a percentile (``p95``), the peak, a use of which a file does not say what it
is (``listed``), or that at the moment of an export (``moment``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

PEAK = 100.0
# Figures that are no percentile, below all that are: each says less than the one after it.
_OTHERS = {"moment": -3.0, "listed": -2.0, "mean": -1.0, "peak": PEAK}
_SAID = {
    "moment": "at the moment of the export",
    "listed": "use as listed",
    "mean": "mean",
    "peak": "peak",
}
_PERCENTILES = (
    re.compile(r"\b(?:p|percentile |pctl |pct )(\d\d(?:\.\d)?)\b"),
    re.compile(r"\b(\d\d(?:\.\d)?)(?:[nrst][dht])? ?(?:percentile|%ile|pctl|perc|pct)\b"),
)
_WORDS = {
    "max": "peak", "maximum": "peak", "peak": "peak", "avg": "mean", "average": "mean",
    "mean": "mean", "median": "p50",
}  # fmt: skip
_PARTS: dict[str, Literal["cpu", "ram"]] = {
    "cpu": "cpu", "processor": "cpu", "memory": "ram", "mem": "ram", "ram": "ram",
}  # fmt: skip
_USE = frozenset(
    ("usage", "use", "used", "utilization", "utilisation", "util", "load", "busy", "consumed",
     "consumption", "active", "demand")
)  # fmt: skip
_PERCENT = frozenset(("percent", "percentage", "pct"))
_CORES = frozenset(("cores", "vcpus"))
_FILLERS = frozenset(("in", "of", "the", "total", "host", "guest"))


# What parts words of a column's name: signs, or a capital as in cpuPeak.
_BETWEEN = re.compile(r"[_\-\[\]()]+|\.(?!\d)|(?<=[a-z])(?=[A-Z][a-z])")
_SIZE = re.compile(r"[kmgtp]i?b")


@dataclass(frozen=True, slots=True)
class Measure:
    """A column that says a figure of a part's use, in the unit of its name (blank: untold)."""

    column: str
    part: Literal["cpu", "ram"]
    figure: str
    unit: str = ""


def measure_of(column: str) -> Measure | None:
    """Return what a column's name says; None where it says no use of a part.

    >>> measure_of("CPU P95 %"), measure_of("95th percentile CPU")  # doctest: +NORMALIZE_WHITESPACE
    (Measure(column='CPU P95 %', part='cpu', figure='p95', unit='%'),
     Measure(column='95th percentile CPU', part='cpu', figure='p95', unit=''))
    >>> measure_of("Peak memory used (MiB)")
    Measure(column='Peak memory used (MiB)', part='ram', figure='peak', unit='mib')
    >>> measure_of("P99.9 CPU_utilization percentage").figure, measure_of("Max CPU cores used").unit
    ('p99.9', 'cores')
    >>> measure_of("Max memory (GB)"), measure_of("Min CPU %"), measure_of("CPU")
    (None, None, None)
    """
    figure, words = _figure_of(" ".join(_BETWEEN.sub(" ", column).lower().split()))
    unit = next((word for word in sorted(words) if _SIZE.fullmatch(word)), "")
    if words & _PERCENT:
        unit = "%"
    parts = {_PARTS[word] for word in words & _PARTS.keys()}
    if words & _CORES and not unit:
        parts, unit = parts | {"cpu"}, "cores"
    in_use = bool(words & _USE) or unit == "%"
    told = _PARTS.keys() | _USE | _PERCENT | _FILLERS | _CORES | {unit}
    if len(parts) != 1 or words - told or not (figure or in_use):
        return None
    part = parts.pop()
    if not in_use and (part == "ram" or unit == "cores"):
        return None  # what can be built in at most, as likely as what is used
    return Measure(column, part, figure or "listed", unit)


def _figure_of(name: str) -> tuple[str, set[str]]:
    """The figure that a name says, blank where it says none, and the name's other words."""
    figure, rest = "", name
    for form in _PERCENTILES:
        if not figure and (found := form.search(rest)):
            figure = f"p{found[1]}"
            rest = f"{rest[: found.start()]} {rest[found.end() :]}"
    words = set(rest.replace("%", " percent ").split())
    if not figure:
        figure = next((_WORDS[word] for word in sorted(words & _WORDS.keys())), "")
        words -= _WORDS.keys()
    return figure, words


def chosen(held: Mapping[str, float], percentile: float) -> str | None:
    """The figure of some that stands for a percentile: the same, the next above, else the highest.

    >>> chosen({"mean": 0.1, "p90": 0.4, "p99": 0.5, "peak": 0.9}, 95.0)
    'p99'
    >>> chosen({"mean": 0.1, "p90": 0.4}, 95.0), chosen({}, 95.0)
    ('p90', None)
    """
    ordered = sorted(held, key=rank)
    above = next((name for name in ordered if rank(name) >= percentile), None)
    return above or (ordered[-1] if ordered else None)


def rank(figure: str) -> float:
    """Place of a figure among others: its percentile, or below all of them."""
    return _OTHERS[figure] if figure in _OTHERS else float(figure[1:])


def figure_said(figure: str) -> str:
    """A figure in words.

    >>> figure_said("p95"), figure_said("p99.9"), figure_said("peak"), figure_said("p52")
    ('95th percentile', '99.9th percentile', 'peak', 'percentile 52')
    """
    return _SAID.get(figure) or percentile_said(rank(figure))


def percentile_said(percentile: float) -> str:
    """A percentile in words; that of 100 is the peak."""
    if percentile >= PEAK:
        return _SAID["peak"]
    text = f"{percentile:g}"
    is_plain = text[-1] in "123" and "." not in text  # has another ending than most
    return f"percentile {text}" if is_plain else f"{text}th percentile"
