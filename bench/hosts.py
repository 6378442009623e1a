"""A sweep by the workers of two hosts that run, each in a network of its own.

A host here is a network namespace with a data folder of its own: its worker reaches PostgreSQL and
Valkey by TCP over its own link, and nothing else. Two bring 2 x the processor time of the same
chunks on one alone over that of both, as if each had a core to itself: of a machine with two cores
that does other things besides the wall clock says nothing. What is done in one place is in
bench/sweeps. Needs root, and the command `ip`.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench._lib import Row, Running, at_least, private_stack
from bench.chunks import Shares
from bench.sweeps import NEEDED
from capmodels.tests.plans.documents import document
from ops import places, postgres
from ops.processes import kill_group
from ops.say import Failure, say

if TYPE_CHECKING:
    from collections.abc import Iterator

ROWS, SIMULATIONS = 1_000, 200
PATIENCE_S = 1800.0
_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def rows() -> Iterator[Row]:
    """Sweep by one host and by two."""
    with private_stack() as running:
        Shares(running).workers(0)
        (alone,) = _taken_s(running, hosts=1)
        both = _taken_s(running, hosts=2)
    say(
        f"processor time alone {alone:.1f} s, of two "
        + " and ".join(f"{one:.1f} s" for one in both)
    )
    what = f"{ROWS} rows of {SIMULATIONS:,} simulations, two hosts that run against one"
    yield at_least("sweep, hosts", what, "times", 2 * alone / sum(both), NEEDED)
    yield at_least("sweep, hosts", "share of the less busy one", "", min(both) / sum(both), 0.1)


def _taken_s(running: Running, *, hosts: int) -> list[float]:
    """Processor time that a sweep takes of each host's worker. [s]"""
    axes = [
        {"kind": "range", "pointer": "/workload/busy_cores_count", "low": 400, "high": 1200},
        {"kind": "range", "pointer": "/assumptions/pue", "low": 1.1, "high": 1.7},
    ]
    asked = {"model": "plans.compare", "document": document("rent-or-own"), "axes": axes,
             "sampling": "latin_hypercube", "simulations_count": SIMULATIONS}  # fmt: skip
    with ExitStack() as stack:
        workers = [stack.enter_context(_host(running, number)) for number in range(hosts)]
        # The first finds each worker's modules loaded and kernels compiled.
        for count in (ROWS // 4, ROWS):
            before_s = [_cpu_s(worker.pid) for worker in workers]
            _sweep(running, {**asked, "sample_count": count, "seed": hosts})
        return [_cpu_s(worker.pid) - was for worker, was in zip(workers, before_s, strict=True)]


def _sweep(running: Running, asked: dict[str, Any]) -> None:
    client = running.client
    sweep = client.post("/api/v1/sweeps", asked)
    give_up_s = time.monotonic() + PATIENCE_S
    while sweep["state"] in {"queued", "running"}:
        if time.monotonic() > give_up_s:
            raise Failure(f"a sweep did not end within {PATIENCE_S:.0f} s: {sweep}")
        running.stack.mend()
        time.sleep(0.5)
        sweep = client.get(f"/api/v1/sweeps/{sweep['id']}")
    if sweep["state"] != "succeeded" or sweep["faults_count"]:
        raise Failure(f"a sweep ended so: {sweep}")


@dataclass(frozen=True, slots=True)
class Link:
    """A network namespace and the addresses of both ends of the link to it."""

    name: str
    here: str
    there: str


@contextmanager
def _host(running: Running, number: int) -> Iterator[subprocess.Popen[bytes]]:
    """A worker of long runs in a network and a data folder of its own."""
    link = Link(f"amp-{os.getpid()}-{number}", f"10.254.{number}.1", f"10.254.{number}.2")
    data = running.stack.data
    if data is None:
        raise Failure("the stack has no database of its own")
    var = Path(tempfile.mkdtemp(prefix="amp-host-"))
    device = f"amp{os.getpid()}.{number}"
    with ExitStack() as undo:
        undo.callback(shutil.rmtree, var, ignore_errors=True)
        _ip("netns", "add", link.name)
        undo.callback(_ip, "netns", "del", link.name)
        _ip("link", "add", device, "type", "veth", "peer", "name", "eth0", "netns", link.name)
        undo.callback(_ip, "link", "del", device)
        _ip("addr", "add", f"{link.here}/30", "dev", device)
        _ip("link", "set", device, "up")
        _ip("-n", link.name, "addr", "add", f"{link.there}/30", "dev", "eth0")
        _ip("-n", link.name, "link", "set", "eth0", "up")
        cluster = data.cluster
        database = undo.enter_context(
            _relayed(link.here, cluster.sockets / f".s.PGSQL.{postgres.PORT}")
        )
        broker = undo.enter_context(_relayed(link.here, data.broker.socket))
        worker = subprocess.Popen(
            [
                "ip", "netns", "exec", link.name, str(places.VENV / "bin" / "celery"),
                "-A", "capworker.app", "worker", "-Q", "batch", "-n", f"batch@{link.name}",
                "-c", "1", "--without-gossip", "--without-mingle", "--without-heartbeat",
            ],
            cwd=places.ROOT,
            env={
                **running.stack.environment(),
                "DATABASE_URL": f"postgresql://{postgres.APP}@{link.here}:{database}"
                f"/{postgres.DATABASE}",
                "BROKER_URL": f"redis://{link.here}:{broker}/0",
                "AMPACITY_VAR": str(var),
            },
            stdout=(var / "worker.log").open("wb"),
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        undo.callback(worker.wait)
        undo.callback(kill_group, worker.pid)
        yield worker


def _ip(*args: str) -> None:
    subprocess.run(["ip", *args], check=True)


@contextmanager
def _relayed(address: str, to: Path) -> Iterator[int]:
    """A port of an address that leads to a socket of this machine."""
    listening = socket.create_server((address, 0))

    def pump(source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                sink.sendall(data)
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def serve() -> None:
        with suppress(OSError):
            while True:
                coming, _ = listening.accept()
                going = socket.socket(socket.AF_UNIX)
                going.connect(str(to))
                for pair in ((coming, going), (going, coming)):
                    threading.Thread(target=pump, args=pair, daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listening.getsockname()[1]
    finally:
        listening.close()


def _cpu_s(group: int) -> float:
    """Processor time of a process group, and of what has ended in it. [s]"""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            # What follows the name, which may have spaces: state, parent, group ...
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[2]) == group:
                ticks += sum(map(int, fields[11:15]))
    return ticks / _TICKS_PER_S
