"""How fast arrays are simulated and traces parsed: issue 3, section 6, without the screens.

Each figure is taken with the kernels warm; SimPy runs the same array in the same run. Where one
core is promised, its processor time counts, so that other work on the machine does not.
"""

import random
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import simpy

from bench import _believed, _coded, _plain
from bench._lib import Row, at_least, at_most, fitting
from capmodels.formats import registry as formats
from capmodels.formats.chunks import Report
from capmodels.formats.ingest import ingest
from capmodels.formats.trace_columns import PIECE_ROWS, pack_requests
from capmodels.formats.trace_store import TraceRef, using
from capmodels.formats.trace_types import BlockRequests, StoredTrace
from capmodels.registry import get_model
from capmodels.spec import evaluate
from capmodels.storage.array import RAID5, SERVER, mobile
from capmodels.storage.disk_geometry import DESKSTAR_75GXP
from capmodels.storage.drive.drives import WD_80GB, HardDisk, TableSeek
from capmodels.storage.drive.geometry import DiskGeometry, GeometryZone
from capmodels.storage.drive.tracks import drive_sectors
from capmodels.storage.simulator.answer import result_of
from capmodels.storage.simulator.arrivals import ExponentialArrivals
from capmodels.storage.simulator.extras import FreeSpaceCopies
from capmodels.storage.simulator.layout import Layout
from capmodels.storage.simulator.params import (
    ArrayDesign,
    CacheTier,
    Dispatch,
    Region,
    RegionAddresses,
    SyntheticWorkload,
    ZipfAddresses,
)
from capmodels.storage.simulator.replay import replay
from capmodels.storage.simulator.run import replicate, run_synthetic

_MILLION = 1_000_000
_SIMPY_REQUESTS = 20_000
_SPC_LINES = 10_000_000


def _best_s(body: Callable[[], object], repeats: int = 5) -> float:
    """Least processor time of some runs after a warm-up: other work only adds to it. [s]"""
    body()
    taken = []
    for _ in range(repeats):
        started = time.process_time()
        body()
        taken.append(time.process_time() - started)
    return min(taken)


def _work(mean_ms: float, count: int = _MILLION, **more: Any) -> SyntheticWorkload:
    arrivals = ExponentialArrivals(mean_ms=mean_ms)
    return SyntheticWorkload(arrivals=arrivals, requests_count=count, **more)


def _simulate(design: ArrayDesign, work: SyntheticWorkload) -> Callable[[], object]:
    """A whole run, percentiles included."""
    return lambda: result_of(design, run_synthetic(design, work, seed=1), closed=False)


class SimpyArray:
    """Three mirrored disks with threshold and spin-down, the plain way in SimPy. [s, J]"""

    def __init__(self, env: simpy.Environment, dice: random.Random) -> None:
        """All disks idle, the first one never sleeps."""
        self.env, self.dice = env, dice
        self.disks = [simpy.Resource(env) for _ in range(3)]
        self.idle_since = [0.0, 0.0, 0.0]
        self.ready_at = [0.0, 0.0, 0.0]
        self.energy_j = 0.0
        self.responses: list[float] = []

    def queue(self, d: int) -> int:
        """Requests at a disk."""
        return self.disks[d].count + len(self.disks[d].queue)

    def awake(self, d: int) -> bool:
        """Whether a disk can serve now."""
        now = self.env.now
        if d == 0 or self.queue(d):
            return now >= self.ready_at[d]
        return now >= self.ready_at[d] and now - self.idle_since[d] < 2.11

    def wake(self, d: int) -> None:
        """Spin a disk up."""
        gap = self.env.now - self.idle_since[d]
        seconds, joules = (0.53, 3.6) if gap < 14.08 else (3.0, 11.94)
        self.energy_j += 2.11 * 2.0 + joules + 0.25 * max(gap - 14.08, 0.0)
        self.ready_at[d] = self.idle_since[d] = self.env.now + seconds

    def choose(self) -> int:
        """First awake disk below the threshold; else wake one, and take the shortest queue."""
        awake = [d for d in range(3) if self.awake(d)]
        for d in awake:
            if self.queue(d) < 3:
                return d
        asleep = [d for d in range(3) if d not in awake and self.ready_at[d] <= self.env.now]
        if asleep and not any(at > self.env.now for at in self.ready_at):
            self.wake(asleep[0])
        return min(awake, key=self.queue)

    def request(self) -> Generator[simpy.Event, Any, None]:
        """One read."""
        arrived = self.env.now
        d = self.choose()
        with self.disks[d].request() as turn:
            yield turn
            self.energy_j += max(self.env.now - self.idle_since[d], 0.0) * 2.0
            u = abs(self.dice.random() - self.dice.random())
            service = (1.4707 + 20 * u**0.5 - 5 * u + self.dice.random() * 8.333) / 1000
            yield self.env.timeout(service)
            self.energy_j += service * 2.5
            self.idle_since[d] = self.env.now
        self.responses.append(self.env.now - arrived)

    def arrivals(self, count: int) -> Generator[simpy.Event, Any, None]:
        """Poisson arrivals, ten a second."""
        for _ in range(count):
            yield self.env.timeout(self.dice.expovariate(10.0))
            self.env.process(self.request())


def simpy_s_per_million() -> float:
    """Time that SimPy takes for a million requests, from a shorter run. [s]"""
    env = simpy.Environment()
    array = SimpyArray(env, random.Random(1))
    started = time.process_time()
    env.process(array.arrivals(_SIMPY_REQUESTS))
    env.run()
    np.percentile(array.responses, [50, 95, 99])
    mean_ms = sum(array.responses) / len(array.responses) * 1000
    if not 15.0 < mean_ms < 17.0:
        raise ValueError(f"SimPy's array answers in {mean_ms:.1f} ms: not the same array")
    return (time.process_time() - started) * _MILLION / _SIMPY_REQUESTS


def _mirrors() -> Iterator[Row]:
    taken = _best_s(_simulate(mobile(3), _work(100.0)))
    rival = simpy_s_per_million()
    yield Row(
        "mirrors", "3 mirrored disks, threshold, spin-down, 1 M requests", "s",
        taken, 0.12, "<=", rival, "SimPy", 100.0,
    )  # fmt: skip


def _replays() -> Iterator[Row]:
    before = [-1, *(last for last, _count in DESKSTAR_75GXP)]
    zones = tuple(
        GeometryZone(cylinders_count=last - first, sectors_per_track_count=count)
        for first, (last, count) in zip(before, DESKSTAR_75GXP, strict=False)
    )
    tracks = DiskGeometry(surfaces_count=10, zones=zones, head_skew_ms=1.2, cylinder_skew_ms=1.7)
    seek = TableSeek(
        cylinders_count=27_725, distances_count=(1, 10, 1000, 27_724), seeks_ms=(1.2, 1.6, 4, 15)
    )
    drive = HardDisk(
        capacity_gb=76.9, speed_rpm=7200.0, seek=seek, outer_mb_per_s=43.0, active_w=9.0,
        idle_w=6.0, geometry=tracks,
    )  # fmt: skip
    rng = np.random.Generator(np.random.PCG64(1))
    ops = np.zeros((_MILLION, 3), dtype=np.int64)
    ops[:, 0] = rng.integers(0, drive_sectors(drive) - 64, _MILLION)
    ops[:, 1] = 16
    at = np.cumsum(rng.standard_exponential(_MILLION) * 20.0)
    single = ArrayDesign(drive=drive, layout=Layout(kind="single", disks_count=1), timeouts=None)
    pair = ArrayDesign(
        drive=drive,
        layout=Layout(kind="raid1", disks_count=2),
        dispatch=Dispatch(kind="shortest_queue"),
        timeouts=None,
    )
    for name, design, target in (("one disk", single, 0.05), ("mirror", pair, 0.08)):
        taken = _best_s(lambda d=design: replay(d, at, ops, seed=1))  # type: ignore[misc]  # the default binds the loop's value
        yield at_most(f"replay {name}", "1 M requests, seek table and zones", "s", taken, target)


def _parity() -> Iterator[Row]:
    work = _work(10.0, read_fraction=0.5, size_bytes=4096)
    yield at_most(
        "raid5", "parity updates, 1 M requests", "s", _best_s(_simulate(RAID5, work)), 0.8
    )
    ordinary = Layout(kind="raid5", disks_count=4)
    phases = RAID5.model_copy(update={"layout": ordinary})
    taken = _best_s(_simulate(phases, _work(15.0, read_fraction=0.5, size_bytes=4096)))
    yield at_most("raid5", "reads, then writes, 1 M requests", "s", taken, 0.8)
    cached = RAID5.model_copy(update={"cache": CacheTier(mode="write_back", capacity_gb=4.096)})
    popular = _work(10.0, read_fraction=0.7, size_bytes=4096, addresses=ZipfAddresses())
    taken = _best_s(_simulate(cached, popular), repeats=3)
    yield at_most("raid5 cache", "LRU of 1 M blocks, 1 M requests", "s", taken, 1.2)


def _copies() -> Iterator[Row]:
    """Two hot stretches far from each other, on the thesis's disk."""
    stretches = tuple(
        Region(start_fraction=start, end_fraction=start + 0.01) for start in (0.0, 0.6)
    )
    work = _work(20.0, read_fraction=0.95, addresses=RegionAddresses(regions=stretches))
    design = ArrayDesign(
        drive=WD_80GB,
        layout=Layout(kind="single", disks_count=1),
        timeouts=None,
        copies=FreeSpaceCopies(),
    )
    taken = _best_s(_simulate(design, work), repeats=3)
    yield at_most("copies", "in free space of one disk, 1 M requests", "s", taken, 1.5)


def _memory_mb(name: str) -> float:
    """This process's memory now (VmRSS) or at its peak (VmHWM). [MB]"""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(name)) / 1024


def _forget_peak_mb() -> float:
    """Let the peak start from now, and return what is used now. [MB]"""
    Path("/proc/self/clear_refs").write_text("5")
    return _memory_mb("VmRSS")


def memory_probe(count: int) -> None:
    """Print by how much a run of ``count`` requests raises this process's memory. [MB]"""
    _simulate(mobile(3), _work(100.0, 1000))()
    before = _forget_peak_mb()
    _simulate(mobile(3), _work(100.0, count))()
    print(_memory_mb("VmHWM") - before)


def _stored_pieces(count: int) -> Iterator[bytes]:
    """A trace of so many requests as it is kept, each piece made when it is asked for."""
    for first in range(0, count, PIECE_ROWS):
        rows = min(PIECE_ROWS, count - first)
        rng = np.random.Generator(np.random.PCG64([1, first]))
        yield pack_requests(
            BlockRequests(
                np.arange(first, first + rows, dtype=np.float64) * 0.02,
                np.zeros(rows, dtype=np.int32),
                rng.integers(0, 10**8, rows),
                np.full(rows, 16, dtype=np.int32),
                rng.random(rows) < 0.7,
            )
        )


def stored_probe(count: int) -> None:
    """Print by how much the replay of a stored trace raises this process's memory. [MB]"""
    sha256 = "0" * 64
    ref = TraceRef(trace_id=str(uuid.UUID(int=1)), sha256=sha256)
    model = get_model("storage.array")
    document = {"array": SERVER.model_dump(mode="json"), "trace": ref.model_dump()}
    for requests_count in (1000, count):
        stored = StoredTrace(
            "block", sha256, partial(_stored_pieces, requests_count), requests_count
        )
        before = _forget_peak_mb()
        with using(lambda _id, stored=stored: stored):  # type: ignore[misc]  # the default binds the loop's value
            found = evaluate(model, document)
        if found.requests_count != requests_count:
            raise ValueError(f"{found.requests_count} of {requests_count} requests were replayed")
    print(_memory_mb("VmHWM") - before)


def _alone(call: str) -> list[str]:
    """The command that makes a call of this file in a process of its own."""
    return [sys.executable, "-P", "-c", f"from bench import storage; storage.{call}"]


def _said(call: str) -> str:
    """What a call of this file prints in a process of its own."""
    return subprocess.run(_alone(call), capture_output=True, text=True, check=True).stdout


def _memory() -> Iterator[Row]:
    probes = {"memory_probe": "a run of {:,} requests", "stored_probe": "{:,} stored requests"}
    for probe, text in probes.items():
        for count in (_MILLION, 10 * _MILLION):
            raised = float(_said(f"{probe}({count})"))
            yield at_most("memory", text.format(count), "MB", raised, 64.0)


def spc_lines(count: int) -> Iterator[bytes]:
    """Lines of an SPC trace, a megabyte or so at a time."""
    rng = np.random.Generator(np.random.PCG64(1))
    step = 50_000
    for start in range(0, count, step):
        places = rng.integers(0, 10**8, step).tolist()
        writes = rng.integers(0, 2, step).tolist()
        lines = [
            f"{i % 3},{place},8192,{'RW'[write]},{(start + i) / 1000:.6f}\n"
            for i, (place, write) in enumerate(zip(places, writes, strict=True))
        ]
        yield "".join(lines).encode()


class TimedLines:
    """The trace of the benches, with the time that the making of its lines takes. [s]"""

    made_s = 0.0

    def __iter__(self) -> Iterator[bytes]:
        """Yield the pieces of the file."""
        source = spc_lines(_SPC_LINES)
        while True:
            started = time.process_time()
            piece = next(source, None)
            self.made_s += time.process_time() - started
            if piece is None:
                return
            yield piece


def parse_probe() -> None:
    """Print seconds and memory of parsing, the making of the lines not counted. [s, MB]"""
    list(formats.read(spc_lines(50_000), Report()))
    before = _forget_peak_mb()
    lines, count = TimedLines(), 0
    started = time.process_time()
    kept: list[object] = []
    for piece in formats.read(iter(lines), Report()):
        count += len(piece.at_s)
        if len(kept) < 2:
            kept.append(piece)
    taken = time.process_time() - started - lines.made_s
    after = _memory_mb("VmHWM")
    if count != _SPC_LINES:
        raise ValueError(f"{count} of {_SPC_LINES} lines were read")
    print(taken, after - before)


def ingest_probe() -> None:
    """Print seconds and memory of reading, summing up and packing a trace. [s, MB]"""
    ingest(spc_lines(50_000), lambda _piece: None)
    before = _forget_peak_mb()
    lines = TimedLines()
    started = time.process_time()
    found = ingest(iter(lines), lambda _piece: None)
    taken = time.process_time() - started - lines.made_s
    if found.rows_count != _SPC_LINES:
        raise ValueError(f"{found.rows_count} of {_SPC_LINES} lines were read")
    print(taken, _memory_mb("VmHWM") - before)


def _probed(name: str) -> tuple[float, float]:
    """What a probe prints in a process of its own. [s, MB]"""
    seconds, megabytes = map(float, _said(f"{name}()").split())
    return seconds, megabytes


def _parsing() -> Iterator[Row]:
    seconds, megabytes = _probed("parse_probe")
    yield at_most("spc", "parse 10 million lines", "s", seconds, 10.0)
    yield at_most("spc memory", "above what the parser has at the start", "MB", megabytes, 300.0)
    seconds, megabytes = _probed("ingest_probe")
    yield at_most("trace", "read, sum up and pack 10 million lines", "s", seconds, 10.0)
    yield at_most("trace memory", "above what the reader has at the start", "MB", megabytes, 300.0)


_SWEEP_DESIGNS = 200


def sweep_part(first: int, step: int) -> None:
    """Simulate every ``step``-th design of the sweep, once it is told to start."""
    work = _work(50.0)
    _simulate(mobile(1), _work(100.0, 1000))()
    print("ready", flush=True)
    sys.stdin.readline()
    started = time.perf_counter()
    for index in range(first, _SWEEP_DESIGNS, step):
        small = work.model_copy(update={"requests_count": 200_000})
        replicate(mobile(1 + index % 8), small, seed=1, index=index)
    print(time.perf_counter() - started, flush=True)


def _sweep_s(workers: int) -> float:
    """Time of the slowest of so many processes that share the sweep. [s]"""
    processes = [
        subprocess.Popen(
            _alone(f"sweep_part({index}, {workers})"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for index in range(workers)
    ]
    for process in processes:
        assert process.stdout is not None
        process.stdout.readline()
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    return max(float(process.communicate()[0]) for process in processes)


def _sweep() -> Iterator[Row]:
    # The least of four: other work on the machine only adds to it.
    one, two = (min(_sweep_s(workers) for _ in range(4)) for workers in (1, 2))
    yield at_least("sweep", "share of linear on 2 workers", "", one / two / 2, 0.9)


def rows() -> Iterable[Row]:
    """Simulations and traces, beside the rate of the simulator that everybody knows."""
    return fitting("simpy", _rows())


def _rows() -> Iterable[Row]:
    """Every row that needs no screen."""
    _simulate(SERVER, _work(100.0, 1000))()
    for part in (_mirrors, _replays, _parity, _copies, _memory, _parsing, _sweep):
        yield from part()
    yield from _plain.rows()
    yield from _believed.rows()
    yield from _coded.rows()
