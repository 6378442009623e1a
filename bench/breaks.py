"""Whether the watch says what broke: the compose file's parts are killed in turn.

Every service runs by its own command (as in `ops/tests/test_compose.py`); a Prometheus of this
machine (PROMETHEUS names it, else the one on the path) asks them, with the installation's alerts
and their patience divided by TWENTY. Runs are asked for all the while: none may be lost or doubled.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
import time
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from bench._lib import Row, at_least, at_most
from ops import places, postgres
from ops.net import HOST, Client, free_ports
from ops.processes import kill_group, wait_until
from ops.say import Failure, say
from ops.tests import test_compose as compose_here

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ops.tests.test_compose import Database, Here

TWENTY = 20
MODEL = "cost.owned_vs_cloud"
WATCH = places.ROOT / "ops" / "production" / "watch"
# What breaks, and the alert that has to name it.
PARTS = {
    "web": ("ServiceDown", "web"),
    "evaluate": ("ServiceDown", "evaluate"),
    "events": ("ServiceDown", "events"),
    "scheduler": ("NothingMeasured", "scheduler"),
    "worker-interactive": ("QueueWithoutWorkers", "interactive"),
    "worker-batch": ("ServiceDown", "worker-batch"),
    "worker-reports": ("ServiceDown", "worker-reports"),
    "broker": ("BrokerAway", ""),
    "pool": ("DatabaseAway", ""),
    "db": ("DatabaseAway", ""),
}
TOLD_WITHIN_S, WELL_WITHIN_S = 150.0, 180.0


def rows() -> Iterator[Row]:
    """Break each part, read what is said, start it anew, and wait until nothing is said."""
    program = os.environ.get("PROMETHEUS") or shutil.which("prometheus")
    if program is None:
        say("not measured: Prometheus is not at hand (PROMETHEUS names its program)")
        return
    with (
        tempfile.TemporaryDirectory(prefix="ampacity-breaks-") as folder,
        compose_here.stood_up(Path(folder)) as (here, database),
    ):
        walk = Walk(here, database, Path(folder))
        walk.start()
        with watching(program, walk):
            yield from walk.rows()


@dataclass
class Walk:
    """The services, who watches them, and the runs that were asked for meanwhile."""

    here: Here
    database: Database
    folder: Path
    port: str = field(default_factory=lambda: str(free_ports(1)[0]))
    client: Client | None = None
    runs: list[str] = field(default_factory=list)

    def start(self) -> None:
        """Start everything, and make a planner with a token."""
        done = compose_here.made_ready(self.here)
        if done.returncode:
            raise Failure(done.stderr)
        for service in compose_here.SERVICES:
            self.here.start(service)
        for service in compose_here.SERVICES:
            self.here.wait_healthy(service)
        command = [*self.here.made.services["prepare"]["command"], "--planner", "--token"]
        printed = self.here.run("prepare", command).stdout.splitlines()
        name = self.here.made.environment("web")["ALLOWED_HOSTS"]
        headers = {"Host": name, "X-Forwarded-Proto": "https", "X-Forwarded-For": HOST}
        token = json.loads(printed[-1])["token"]
        url = f"http://{HOST}:{self.here.ports['8000']}"
        self.client = Client(url, token, headers=headers)

    def targets(self, missing: str = "") -> None:
        """Write which services can be asked by name: who is gone has none."""
        known = [name for name in compose_here.SERVICES if name != missing]
        groups = [
            {"targets": [f"{HOST}:{self.here.metrics_port(name)}"], "labels": {"service": name}}
            for name in known
        ]
        path = self.folder / "targets.json"
        path.with_suffix(".new").write_text(json.dumps(groups))
        path.with_suffix(".new").rename(path)

    def rows(self) -> Iterator[Row]:
        """Every part in turn; then what became of the runs."""
        self.wait(lambda: not self.firing(), WELL_WITHIN_S, "quiet at first")
        for part, (alert, names) in PARTS.items():
            if part == "pool" and not compose_here.HAS_POOL:
                continue
            self.ask()
            told_s, told = self.broken(part, alert, names)
            self.ask()
            well_s = self.mended(part, alert, names)
            self.ask()
            say(f"{part}: {alert} after {told_s:.0f} s, beside {sorted(told)}; well {well_s:.0f} s")
            told_text, well_text = f"until {alert} says so", f"until {alert} is gone"
            yield at_most(f"breaks-{part}", told_text, "s hurried", told_s, TOLD_WITHIN_S)
            yield at_most(f"well-{part}", well_text, "s hurried", well_s, WELL_WITHIN_S)
        ended = self.wait(self.all_ended, 120, "the runs")
        say(f"{len(self.runs)} runs ended within {ended:.0f} s")
        kept = self.sql("SELECT count(*) FROM runs_result")
        yield at_least("breaks-runs", "runs asked for meanwhile that have one result", "runs",
                       int(kept), len(self.runs))  # fmt: skip
        made = int(self.sql("SELECT count(*) FROM runs_run"))
        yield at_most("breaks-twice", "more runs than were asked for", "runs", made, len(self.runs))

    def broken(self, part: str, alert: str, names: str) -> tuple[float, set[str]]:
        """Kill a part; return when the alert came, and which ones were there then. [s]"""
        if part == "db":
            self.database.stop()
        else:
            service = next(one for one in self.here.processes.services if one.name == part)
            self.here.processes.services.remove(service)
            kill_group(service.process.pid)
            service.process.wait()
        # compose takes the name of a container that is gone away; one that hangs keeps it
        self.targets(missing="" if part == "worker-batch" else part)
        told_s = self.wait(lambda: self.says(alert, names), TOLD_WITHIN_S, f"{alert} of {part}")
        return told_s, {name for name, _ in self.firing()}

    def mended(self, part: str, alert: str, names: str) -> float:
        """Start a part anew; return when its alert is gone. [s]"""
        if part == "db":
            self.database.start(HOST)
        else:
            self.here.start(part, compose_here.POOL if part == "pool" else None)
        self.targets()
        return self.wait(lambda: not self.says(alert, names), WELL_WITHIN_S, f"the end of {alert}")

    def ask(self) -> None:
        """Ask for a run, under one key until it is stored; not while nobody can store it."""
        if self.client is None:
            raise Failure("nobody is signed in")
        number = len(self.runs)
        params = {"electricity_usd_per_kwh": 0.05 + number * 1e-3}
        keyed = {**self.client.headers, "Idempotency-Key": f"breaks-{number}"}
        client = Client(self.client.base_url, self.client.token, headers=keyed)
        try:
            answer = client.ask("POST", "/api/v1/runs", {"model": MODEL, "params": params})
        except OSError:
            return
        if answer.status < 300:
            self.runs.append(str(answer.json()["id"]))

    def all_ended(self) -> bool:
        return self.sql("SELECT count(*) FROM jobs_job WHERE state <> 'succeeded'") == "0"

    def sql(self, text: str) -> str:
        """Ask the database past every policy."""
        psql = [str(postgres.binaries() / "psql"), "-U", "postgres", "-d", "ampacity", "-Atc"]
        env = self.database.surroundings()
        done = subprocess.run([*psql, text], env=env, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def says(self, alert: str, names: str) -> bool:
        """Whether an alert is up that names this."""
        return any(name == alert and names in text for name, text in self.firing())

    def firing(self) -> set[tuple[str, str]]:
        """The alerts that are up: name, and sentence."""
        address = f"http://{HOST}:{self.port}/api/v1/alerts"
        with urllib.request.urlopen(address, timeout=10) as answer:
            alerts = json.load(answer)["data"]["alerts"]
        return {
            (one["labels"]["alertname"], one["annotations"]["summary"])
            for one in alerts
            if one["state"] == "firing"
        }

    def wait(self, true: Any, most_s: float, what: str) -> float:
        """Return how long something took. [s]"""
        began_s = time.monotonic()
        wait_until(true, what=what, timeout_s=most_s)
        return time.monotonic() - began_s


@contextmanager
def watching(program: str, walk: Walk) -> Iterator[None]:
    """A Prometheus with the installation's alerts, twenty times less patient."""
    text = (WATCH / "alerts.yml").read_text()
    hurried = re.sub(r"for: (\d+)m", lambda found: f"for: {int(found[1]) * 60 // TWENTY}s", text)
    (walk.folder / "alerts.yml").write_text(hurried)
    walk.targets()
    token = walk.here.made.environment("web")["METRICS_TOKEN"]
    config = {
        "global": {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"},
        "rule_files": [str(walk.folder / "alerts.yml")],
        "scrape_configs": [
            {
                "job_name": "ampacity",
                "authorization": {"credentials": token},
                "file_sd_configs": [
                    {"files": [str(walk.folder / "targets.json")], "refresh_interval": "1s"}
                ],
            }
        ],
    }
    (walk.folder / "prometheus.yml").write_text(yaml.safe_dump(config))
    argv = [
        program, f"--config.file={walk.folder / 'prometheus.yml'}",
        f"--storage.tsdb.path={walk.folder / 'figures'}",
        f"--web.listen-address={HOST}:{walk.port}",
    ]  # fmt: skip
    with (walk.folder / "prometheus.log").open("wb") as log:
        process = subprocess.Popen(argv, stdout=log, stderr=log)
    try:
        wait_until(lambda: answers(walk), what="Prometheus", timeout_s=60)
        yield
    finally:
        process.kill()
        process.wait()


def answers(walk: Walk) -> bool:
    try:
        walk.firing()
    except OSError:
        return False
    return True
