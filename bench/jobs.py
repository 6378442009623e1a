"""How long a closed-form run takes, from the service call to the stored row.

Two workers, 2,000 different inputs, row-level security on. The call is made by a process
of its own, with the web's settings; it looks for stored rows
every two milliseconds, and in the end counts them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from itertools import count
from typing import TYPE_CHECKING, Any

from bench._lib import Row, at_least, at_most, fitting, percentile, private_stack
from ops.processes import die_with_parent

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from uuid import UUID

MODEL = "cost.owned_vs_cloud"
RUNS = 2_000
WARM_UPS = 50
IN_FLIGHT = 32
PATIENCE_S = 60.0
LOOK_S = 0.002
# Numbers of events are given before the commit: so many behind the latest one are asked for again.
IN_COMMIT = 300


def rows() -> Iterable[Row]:
    """Runs, each of which is brought to the disk."""
    return fitting("fsync", _rows())


def _rows() -> Iterable[Row]:
    """Measure against a stack of its own."""
    with private_stack() as running:
        done = subprocess.run(
            [sys.executable, "-m", "bench.jobs"],
            env=running.environment(),
            check=True,
            stdout=subprocess.PIPE,
            preexec_fn=die_with_parent(9, os.getpid()),
        )
    measured: dict[str, float] = json.loads(done.stdout)
    inputs = f"{RUNS:,} inputs, 2 workers"
    yield at_most("run-p50", f"1 in flight, {inputs}", "ms", measured["p50_ms"], 15)
    yield at_most("run-p95", f"1 in flight, {inputs}", "ms", measured["p95_ms"], 40)
    yield at_least("run-rate", f"{IN_FLIGHT} in flight, {inputs}", "1/s", measured["per_s"], 250)


def main() -> None:
    """Measure as the web would call, and print the figures as JSON."""
    import django

    django.setup()
    from config.preparing import planner_prepare

    account = planner_prepare()
    stored = stored_count(account.workspace_id)
    seen = endings(account.workspace_id)
    next(seen)
    prices = (0.05 + number * 1e-5 for number in count())

    def start() -> UUID:
        return submit(account.workspace_id, next(prices))

    for _ in range(WARM_UPS):
        latency_ms(start, seen)
    times_ms = [latency_ms(start, seen) for _ in range(RUNS)]
    per_s = rate_per_s(start, seen)
    found = stored_count(account.workspace_id) - stored
    if found != WARM_UPS + 2 * RUNS:
        raise RuntimeError(f"{found} results are stored, not {WARM_UPS + 2 * RUNS}")
    figures = {
        "p50_ms": percentile(times_ms, 0.5),
        "p95_ms": percentile(times_ms, 0.95),
        "per_s": per_s,
    }
    print(json.dumps(figures))


def submit(workspace_id: UUID, price_usd_per_kwh: float) -> UUID:
    """Start a run of an input that no other run has."""
    from common.tenancy import workspace
    from runs.services import run_submit

    with workspace(workspace_id):
        params = {"electricity_usd_per_kwh": price_usd_per_kwh}
        return run_submit(model_id=MODEL, params=params).job_id


def endings(workspace_id: UUID) -> Iterator[str]:
    """Yield the id of each run that ends from now on, once; first of all an empty one."""
    from django.utils.timezone import now

    from common.tenancy import workspace
    from jobs.models import Job

    began, latest = now(), 0
    ended: set[UUID] = set()
    yield ""
    seen = time.perf_counter()
    while time.perf_counter() - seen < PATIENCE_S:
        with workspace(workspace_id):
            jobs = Job.objects.filter(ended_at__gte=began, event_seq__gt=latest - IN_COMMIT)
            rows = list(jobs.values_list("event_seq", "id", "state").order_by("event_seq"))
        for number, run_id, state in rows:
            if run_id in ended:
                continue
            if state != Job.State.SUCCEEDED:
                raise RuntimeError(f"run {run_id} {state}")
            latest, seen = max(latest, number), time.perf_counter()
            ended.add(run_id)
            yield str(run_id)
        time.sleep(LOOK_S)
    raise RuntimeError(f"no run ended for {PATIENCE_S:.0f} s")


def latency_ms(start: Any, seen: Iterator[str]) -> float:
    """Wall-clock time from the call until the run's row is stored. [ms]"""
    started = time.perf_counter()
    run_id = str(start())
    while next(seen) != run_id:
        pass
    return (time.perf_counter() - started) * 1000


def rate_per_s(start: Any, seen: Iterator[str]) -> float:
    """Runs stored per second, with so many in flight at any time."""
    started = time.perf_counter()
    waiting: set[str] = set()
    submitted = ended = 0
    while ended < RUNS:
        while submitted < RUNS and len(waiting) < IN_FLIGHT:
            waiting.add(str(start()))
            submitted += 1
        waiting.remove(next(seen))
        ended += 1
    return RUNS / (time.perf_counter() - started)


def stored_count(workspace_id: UUID) -> int:
    """Count the runs with a result of their own: none reused."""
    from common.tenancy import workspace
    from runs.models import Run

    with workspace(workspace_id):
        return Run.objects.filter(result_month__isnull=False, reused_from=None).count()


if __name__ == "__main__":
    main()
