"""Reads a trace of memory accesses from text: ``nanoseconds,address,R or W,process``."""

from __future__ import annotations

from dataclasses import dataclass

from capmodels.errors import ModelError

_PARTS = 4
_LARGEST = 1 << 52


class TraceNotRead(ModelError):
    """A line of a trace cannot be read; the message says which and why."""


@dataclass(frozen=True, slots=True)
class MemoryTrace:
    """Accesses in order of time: nanoseconds, byte addresses, process numbers from 0."""

    at_ns: list[float]
    address: list[int]
    process: list[int]


def read_trace(text: str) -> MemoryTrace:
    """Return the accesses of a text; addresses are decimal, or hexadecimal with 0x.

    Raises
    ------
    TraceNotRead
        At the first line that is not an access, or is earlier than the one before.
    """
    trace = MemoryTrace([], [], [])
    numbers: dict[str, int] = {}
    last = 0.0
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or (number == 1 and not line.lstrip()[0].isdigit()):
            continue
        at_ns, address, process = _access(line, number)
        if at_ns < last:
            message = f"Line {number} is earlier than the line before. Sort the trace by time."
            raise TraceNotRead(message)
        last = at_ns
        trace.at_ns.append(at_ns)
        trace.address.append(address)
        trace.process.append(numbers.setdefault(process, len(numbers)))
    if not trace.at_ns:
        message = "The trace holds no access."
        raise TraceNotRead(message)
    return trace


def _access(line: str, number: int) -> tuple[float, int, str]:
    parts = [part.strip() for part in line.split(",")]
    if len(parts) == _PARTS and parts[2].upper() in {"R", "W", "0", "1"}:
        try:
            at_ns, address = float(parts[0]), int(parts[1], 0)
        except ValueError:
            at_ns = address = -1
        if 0 <= at_ns < _LARGEST and 0 <= address < _LARGEST:
            return at_ns, address, parts[3]
    message = (
        f"Line {number} is not an access. Write nanoseconds, address, R or W and the process, "
        "with commas between."
    )
    raise TraceNotRead(message)
