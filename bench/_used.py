"""What the parts of a stack use of memory and processors, read from /proc."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from ops.tests.processes_of import descendants

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench._lib import Running

_TICK_S = 1 / os.sysconf("SC_CLK_TCK")


def memory_bytes(running: Running) -> int:
    """What web and instant answers hold together, shared pages counted once. [B]"""
    pids = (pid for name, pid in processes(running) if name in {"web", "evaluate"})
    return sum(proportional_bytes(pid) for pid in pids)


def proportional_bytes(pid: int) -> int:
    """A process's share of memory. [B]"""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))


def processor_s(running: Running) -> dict[str, float]:
    """Seconds of a processor that each part has taken so far, we ourselves as "people". [s]"""
    found: dict[str, float] = defaultdict(float)
    for name, pid in processes(running):
        found[name] += process_s(pid)
    return {**found, "people": time.process_time()}


def process_s(pid: int) -> float:
    """Seconds that one process has taken, and its ended children. [s]"""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    # utime, stime, cutime, cstime: 14 to 17 of proc(5), of which the first two are before ")"
    return sum(int(ticks) for ticks in fields[11:15]) * _TICK_S


def processes(running: Running) -> Iterator[tuple[str, int]]:
    """Each process of the stack, under the name of its service."""
    for service in running.stack.supervisor.services:
        leader = service.process.pid
        for pid in (leader, *descendants(leader)):
            yield service.name, pid
