"""A long simulation in 600 chunks: one worker, two, and two of which one is killed."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

from bench._lib import Row, Running, at_least, private_stack
from ops.processes import kill_group
from ops.say import Failure, say

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNKS = 600
REQUESTS = 150_000
PATIENCE_S = 900.0
BATCH = "batch"
# Of as many cores as there are, three at most: so many times as fast as one worker.
NEEDED = {2: 1.8, 3: 2.7}


def rows() -> Iterator[Row]:
    """Run the same simulation by one worker and by as many as there are cores."""
    cores = max(2, min(3, os.cpu_count() or 1))
    with private_stack() as running:
        shares = Shares(running)
        # the first finds its kernels compiled
        shares.workers(1)
        shares.run(chunks=2)
        one_s = shares.run(seed=1)
        shares.workers(cores)
        many_s = shares.run(seed=1)
        say(f"one worker {one_s:.1f} s, {cores} workers {many_s:.1f} s")
        what = f"{CHUNKS} chunks, {cores} workers against one"
        yield at_least("chunks-speed-up", what, "times", one_s / many_s, NEEDED[cores])
        shares.kill_at = 0.5
        shares.run(seed=1)
        # moved_count of a run that is computed again: no figure but 0 differs
        same = shares.results[-1] == shares.results[-2] == shares.results[-3]
        text = f"{CHUNKS} chunks, a worker killed half-way: results as before"
        yield at_least("chunks-kept", text, "", float(same), 1)


class Shares:
    """A stack with batch workers of our own number."""

    def __init__(self, running: Running) -> None:
        """Use this stack."""
        self.running = running
        self.results: list[Any] = []
        self.kill_at: float | None = None

    def workers(self, count: int) -> None:
        """Have so many workers of one process each serve long runs."""
        stack = self.running.stack
        for service in list(self.services()):
            stack.supervisor.services.remove(service)
            kill_group(service.process.pid)
            service.process.wait()
        for number in range(count):
            stack.start_worker(BATCH, 1, name=f"{BATCH}{number}")

    def services(self) -> list[Any]:
        """The workers that serve long runs."""
        services = self.running.stack.supervisor.services
        return [one for one in services if one.name.startswith(f"worker-{BATCH}")]

    def run(self, *, chunks: int = CHUNKS, seed: int = 0) -> float:
        """Compute it anew and keep its result; returns how long it was at work. [s]"""
        client = self.running.client
        body = {"model": "storage.array", "params": document(chunks), "seed": seed}
        run = client.post("/api/v1/runs", body)
        if run["state"] == "succeeded":
            run = client.post(f"/api/v1/runs/{run['id']}/again", {})
        started_s = 0.0
        give_up_s = time.monotonic() + PATIENCE_S
        while run["state"] in {"queued", "running"}:
            now_s = time.monotonic()
            if run["state"] == "running" and not started_s:
                started_s = now_s
            if self.kill_at is not None and run["progress_fraction"] > self.kill_at:
                self.kill_at = None
                kill_group(self.services()[0].process.pid)
            if now_s > give_up_s:
                raise Failure(f"a run in chunks did not end within {PATIENCE_S:.0f} s: {run}")
            self.running.stack.mend()
            time.sleep(0.1)
            run = client.get(f"/api/v1/runs/{run['id']}")
        if run["state"] != "succeeded":
            raise Failure(f"a run in chunks ended so: {run}")
        self.results.append(client.get(f"/api/v1/runs/{run['id']}/result")["result"])
        return time.monotonic() - started_s


def document(chunks: int) -> dict[str, Any]:
    """RAID-5 with a cache, so many replicates of one chunk each."""
    return {
        "array": {"layout": {"kind": "raid5", "disks_count": 4}, "timeouts": None, "cache": {}},
        "workload": {"kind": "synthetic", "requests_count": REQUESTS, "read_fraction": 0.7},
        "replicates_count": chunks,
    }
