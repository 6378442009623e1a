"""Whether the service holds while its parts are killed and restarted.

500 runs are asked for over HTTP, each with inputs of its own, while web, event stream,
scheduler, workers, broker and database are ended 20 times in all, in turn without and with
notice; whoever ends is started again by `./run`'s own supervisor. In the end every run must have
one result, and every queue's workers must have shown that they work since the last end.
"""

from __future__ import annotations

import itertools
import os
import signal
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bench._lib import Row, Running, at_least, at_most, private_stack
from ops import postgres
from ops.say import Failure, say

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

RUNS = 500
ENDS = 20
# The supervisor ends the stack for a service that ends four times within a minute.
PAUSE_S = 6.0
PATIENCE_S = 600.0
SERVING_S = 90
SIMULATED_EVERY = 10
CLIENTS = 4
NAMES = (
    "web", "valkey", "worker-interactive", "postgres", "worker-batch",
    "events", "valkey", "scheduler", "worker-reports", "evaluate",
)  # fmt: skip
UNSETTLED = {408, 429, 500, 502, 503, 504}


def rows() -> Iterable[Row]:
    """Run the whole thing against a stack of its own."""
    with private_stack() as running:
        trial = Trial(running)
        trial.run()
        yield from trial.rows()


@dataclass
class Trial:
    """One service that is broken again and again."""

    running: Running
    ids: list[str] = field(default_factory=list)
    ended: int = 0
    errors: int = 0
    last_end_s: float = 0.0
    serving_s: float = float("inf")

    def run(self) -> None:
        """Ask for the runs, end the parts meanwhile, and wait for what comes of it."""
        # A kernel that is not compiled yet would be what is waited for.
        first = self.submit(0, simulated(0))
        self.wait(lambda: self.state_of(first) == "succeeded", what="the first simulation")
        # Services die with the thread that starts them, so this one asks for nothing.
        with ThreadPoolExecutor(CLIENTS) as pool:
            asked = [pool.submit(self.submit, number) for number in range(RUNS)]
            for _ in self.ends():
                due_s = time.monotonic() + PAUSE_S
                while time.monotonic() < due_s:
                    self.mend()
            while not all(each.done() for each in asked):
                self.mend()
            self.ids = [each.result() for each in asked]
        since = self.now()
        self.wait(lambda: self.queues_seen(since) == 3, what="a worker for each queue")
        self.serving_s = time.monotonic() - self.last_end_s
        say(f"every queue is served {self.serving_s:.0f} s after the last end")
        self.wait(lambda: self.count("j.state IN ('queued', 'running')") == 0, what="the runs")

    def ends(self) -> Iterator[None]:
        """End a part at each step: killed, or asked to end, so that each meets both."""
        for name, number in zip(itertools.cycle(NAMES), range(ENDS), strict=False):
            kill = (number + number // len(NAMES)) % 2 == 0
            polite = signal.SIGINT if name == "postgres" else signal.SIGTERM
            services = self.running.stack.supervisor.services
            service = next(each for each in services if each.name == name)
            say(f"{number + 1}/{ENDS}: {'killing' if kill else 'ending'} {name}")
            if not service.has_ended():
                os.kill(service.process.pid, signal.SIGKILL if kill else polite)
            self.ended += 1
            self.last_end_s = time.monotonic()
            yield

    def state_of(self, run_id: str) -> str:
        """How a run stands."""
        return self.sql(f"SELECT state FROM jobs_job WHERE id = '{run_id}'")

    def submit(self, number: int, document: dict[str, Any] | None = None) -> str:
        """Ask for a run, again and again under one key until it is stored."""
        client = self.running.client
        key = str(uuid.uuid4())
        while self.ended < ENDS * number // RUNS:
            # so that they come before, while and after each part is away
            time.sleep(0.05)
        give_up_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up_s:
            try:
                keyed = {"Idempotency-Key": key}
                answer = type(client)(client.base_url, client.token, 30.0, keyed).ask(
                    "POST", "/api/v1/runs", document or inputs(number)
                )
            except OSError:
                self.errors += 1
            else:
                if answer.status < 300:
                    return str(answer.json()["id"])
                if answer.status not in UNSETTLED and answer.status != 409:
                    raise Failure(f"a run was refused: {answer.status} {answer.body[:300]!r}")
                self.errors += 1
            time.sleep(0.2)
        raise Failure(f"run {number} could not be asked for within {PATIENCE_S:.0f} s")

    def mend(self) -> None:
        """Let the supervisor do its work."""
        self.running.stack.mend()
        time.sleep(0.05)

    def wait(self, true: Callable[[], bool], *, what: str) -> None:
        """Wait until something is true; leave it at that when patience is over."""
        give_up_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up_s:
            self.mend()
            try:
                if true():
                    return
            except Failure:
                pass
            time.sleep(0.5)
        say(f"{what} did not come within {PATIENCE_S:.0f} s")

    def sql(self, text: str) -> str:
        """Ask the database past every policy."""
        return postgres.sql(self.running.cluster, text, database=postgres.DATABASE)

    def now(self) -> str:
        """The database's time, once it answers."""
        self.wait(lambda: self.sql("SELECT 1") == "1", what="the database")
        return self.sql("SELECT clock_timestamp()")

    def queues_seen(self, since: str) -> int:
        """How many queues have a worker that showed since then that it works."""
        seen = self.sql(f"SELECT count(DISTINCT queue) FROM jobs_worker WHERE seen_at > '{since}'")
        return int(seen)

    def count(self, condition: str) -> int:
        """How many of the runs that were asked for are like this."""
        listed = ",".join(f"'{run_id}'" for run_id in self.ids)
        return int(
            self.sql(
                "SELECT count(*) FROM runs_run r JOIN jobs_job j ON j.id = r.id "
                f"WHERE r.id IN ({listed}) AND {condition}"
            )
        )

    def rows(self) -> Iterator[Row]:
        """What came of it."""
        what = f"{RUNS} runs, {self.ended} ends"
        results = self.count("j.state = 'succeeded' AND r.result_month IS NOT NULL")
        # the examples' own runs belong to a study
        stored = int(self.sql("SELECT count(*) FROM runs_run WHERE study_id IS NULL"))
        states = self.sql("SELECT state, attempt, count(*) FROM jobs_job GROUP BY 1, 2")
        say(f"states and attempts: {states.splitlines()}; {self.errors} requests asked again")
        yield at_least("holds-results", what, "results", results, RUNS)
        # and one that compiled the kernels
        yield at_most("holds-twice", f"{what}: more than one", "runs", stored - RUNS - 1, 0)
        yield at_least("holds-ends", "parts ended", "ends", self.ended, ENDS)
        text = "until every queue is served after the last end"
        yield at_most("holds-serving", text, "s", self.serving_s, SERVING_S)


def inputs(number: int) -> dict[str, Any]:
    """Inputs that no other run has; some are simulated for a while."""
    if number % SIMULATED_EVERY:
        return {
            "model": "cost.owned_vs_cloud",
            "params": {"electricity_usd_per_kwh": 0.05 + number * 1e-5},
        }
    return simulated(number + 1)


def simulated(seed: int) -> dict[str, Any]:
    """Inputs of a run that takes a while."""
    return {"model": "storage.array", "params": {}, "seed": seed}
