"""What a metric is, by its name: use of CPUs or of memory, what is free of them, watts; or none."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Literal

from capmodels.formats.chunks import FileRefused
from capmodels.formats.samples import Sample, fraction

if TYPE_CHECKING:
    from collections.abc import Iterable

Measure = Literal["cpu", "cpu_idle", "memory", "memory_free", "watts"]

# CPUCreditBalance, node_load15, "mem used percent": a name's words.
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_WATTS = frozenset({"watt", "watts", "power"})
_MEMORY = frozenset({"mem", "memory", "ram"})
_FREE = frozenset({"free", "available", "avail", "idle"})
# Words of metrics that are no share of a machine, whatever else their names say.
_OTHER = frozenset(
    ("credit", "credits", "balance", "byte", "bytes", "kb", "mb", "gb", "kib", "mib", "gib",
     "count", "counts", "iops", "ops", "request", "requests", "packet", "packets", "network",
     "net", "disk", "disks", "filesystem", "temperature", "celsius", "mhz", "ghz", "hz",
     "frequency", "queue", "errors", "latency", "swap", "seconds", "throttled", "volume")
)  # fmt: skip
_RATES = frozenset({"rate", "irate", "rate5m", "rate1m"})
_AVERAGES = frozenset({"1", "5", "15", "avg", "average"})


def words_of(name: str) -> frozenset[str]:
    """Return a name's words in small letters."""
    return frozenset(word.lower() for word in _WORD.findall(name))


def measure_of(name: str) -> Measure | None:
    """Return what a metric of this name is; use of CPUs where nothing else is said.

    None where it is no share of a machine and no watts: bytes, credits, counters, load averages.
    """
    words = words_of(name)
    if words & _RATES:
        words -= {"seconds"}  # of CPU a second: cores
    if words & _OTHER or ("load" in words and words & _AVERAGES):
        return None
    if words & _WATTS:
        return "watts"
    if words & _MEMORY:
        return "memory_free" if words & _FREE else "memory"
    return "cpu_idle" if "idle" in words else "cpu"


def require_measure(names: Iterable[str]) -> None:
    """Refuse a file none of whose metrics is a share of a machine, or watts.

    Raises
    ------
    FileRefused
        When that is so; it names one of them.
    """
    held = list(names)
    if held and all(measure_of(name) is None for name in held):
        message = (
            f"“{held[0][:80]}” is neither a share of CPUs or memory nor watts. Send their use in "
            "percent, or as shares of 1; of a counter of seconds, its rate."
        )
        raise FileRefused(message)


def sample_of(measure: Measure, machine: str, at_s: float, value: float) -> Sample:
    """Return a sample of a machine; ``value`` is in percent, or in watts.

    Raises
    ------
    ValueError
        When a share lies outside 0 to 100%.
    """
    if measure == "watts":
        return Sample(machine, at_s, watts=value)
    share = fraction(value)
    if measure in {"cpu_idle", "memory_free"} and not math.isnan(share):
        share = 1.0 - share
    if measure.startswith("memory"):
        return Sample(machine, at_s, memory_fraction=share)
    return Sample(machine, at_s, share)
