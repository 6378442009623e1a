"""`./run` as a whole, on real processes."""

import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from ops import places
from ops.net import HOST, Client, port_of, take_port
from ops.private import DataServices
from ops.processes import wait_until
from ops.tests.processes_of import (
    alive,
    by_name,
    descendants,
    holding,
    listening_addresses,
    wait_gone,
)

pytestmark = pytest.mark.ops
LINK = re.compile(r"(http://127\.0\.0\.1:\d+)/sign-in#code=(\S+)")
# kernels compiled once, for all data folders of the tests
CACHES = {"AMPACITY_CACHES": str(places.caches(places.ROOT / "var"))}
_URLS = (
    *("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_IDENTITY_URL"),
    *("BROKER_URL", "SECRET_KEY", "PORT"),
)


class Launched:
    """A `./run` in the foreground of its own session."""

    def __init__(self, var: Path, *args: str, **env: str) -> None:
        self.var = var
        clean = {name: value for name, value in os.environ.items() if name not in _URLS}
        handle, name = tempfile.mkstemp(dir=var.parent, suffix=".stderr")
        self.errors = Path(name)
        with os.fdopen(handle, "wb") as errors:
            self.process = subprocess.Popen(
                [str(places.ROOT / "run"), *args],
                env={**clean, **CACHES, "AMPACITY_VAR": str(var), **env},
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,
            )

    def wait_link(self) -> tuple[str, str]:
        """The address and the code of the printed link."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            found = LINK.search(line)
            if found:
                return found[1], found[2]
        raise AssertionError(f"no link: {self.said()}")

    def said(self) -> str:
        return self.errors.read_text()

    def wait_said(self, words: str, *, count: int = 1) -> None:
        wait_until(lambda: self.said().count(words) >= count, what=words, timeout_s=30)

    def family(self) -> set[int]:
        return descendants(self.process.pid)

    def end(self) -> None:
        family = self.family()
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()
        wait_gone(family)


def end_by(running: Launched, signum: signal.Signals) -> None:
    """End it by a signal: no process of it is left, and no file of its folder is open."""
    family = running.family()
    assert len(family) >= 10
    running.process.send_signal(signum)
    code = running.process.wait()
    wait_gone(family)
    assert holding(str(running.var)) - {os.getpid()} == set()
    assert code == (-signal.SIGKILL if signum == signal.SIGKILL else 0)


Launch = Callable[..., Launched]


@pytest.fixture
def launch(tmp_path: Path) -> Iterator[Launch]:
    started: list[Launched] = []

    def start(*args: str, var: Path | None = None, **env: str) -> Launched:
        folder = var or tmp_path / "var"
        started.append(Launched(folder, "--port", "18000", *args, **env))
        return started[-1]

    yield start
    for each in started:
        each.end()


@dataclass(frozen=True)
class Serving:
    """A `./run` that found its port taken, for all tests up to the one that kills it."""

    running: Launched
    taken_port: int
    url: str
    code: str


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with take_port(18000, what="a rival") as rival:
        var = tmp_path_factory.mktemp("serving") / "var"
        running = Launched(var, "--port", str(port_of(rival)))
        yield Serving(running, port_of(rival), *running.wait_link())
        running.end()


def test_the_link_signs_in_once(serving: Serving) -> None:
    client = Client(serving.url)
    assert client.ask("GET", "/readyz").status == 200
    assert client.ask("POST", "/api/v1/session", {"code": serving.code}).status < 300
    again = client.ask("POST", "/api/v1/session", {"code": serving.code})
    assert again.status in {400, 401, 403, 422}


def test_it_listens_on_the_loopback_only(serving: Serving) -> None:
    family = serving.running.family() | {serving.running.process.pid}
    assert listening_addresses(family) == {HOST}
    assert by_name(family, lambda line: "postgres" in line)
    assert by_name(family, lambda line: "valkey-server" in line)


def test_a_taken_port_is_passed_over_and_said(serving: Serving) -> None:
    assert urlsplit(serving.url).port != serving.taken_port
    assert f"Port {serving.taken_port} is taken" in serving.running.said()


def test_a_second_start_on_the_same_data_is_refused(launch: Launch, serving: Serving) -> None:
    second = launch(var=serving.running.var)
    assert second.process.wait() == 1
    assert "is running on" in second.said()
    assert serving.running.process.poll() is None


SERVICES = {
    "web": "--threads 224", "evaluate": "--threads 128", "events": "uvicorn",
    "scheduler": "manage.py scheduler",
    "worker-batch": "-Q batch", "valkey": "valkey-server", "postgres": "postgres -D",
}  # fmt: skip


def crash(running: Launched, name: str) -> None:
    """Kill a service's leader: our own child, or below the one that runs it as another user."""
    leaders = by_name(running.family(), lambda line: SERVICES[name] in line)
    os.kill(leaders[0], signal.SIGKILL)


def test_a_service_that_crashes_is_started_again(serving: Serving) -> None:
    running = serving.running
    for name in SERVICES:
        crash(running, name)
        running.wait_said(f"{name} ended with code -9: starting it again")
    wait_until(lambda: serves(serving.url), what="the stack", timeout_s=60)
    for name in SERVICES:  # one that ended with the database is between two starts
        wait_until(lambda name=name: family_has(running, name), what=name, timeout_s=30)  # type: ignore[misc]  # the default binds the loop's value


def serves(url: str) -> bool:
    try:
        return Client(url).ask("GET", "/readyz").status == 200
    except OSError:
        return False


def test_what_was_saved_is_there_after_a_kill(launch: Launch, serving: Serving) -> None:
    """Ends what the tests above look at, and starts it again on the same folder."""
    running = serving.running
    path = running.var / "secret-key"
    key = path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(key) >= 32
    shell = [str(places.PYTHON), "-m", "ops.shell", "--", str(places.PYTHON), str(places.MANAGE)]
    env = {**os.environ, "AMPACITY_VAR": str(running.var)}
    made = subprocess.run(
        [*shell, "planner", "kept@example.org"], env=env, check=True, capture_output=True, text=True
    )
    end_by(running, signal.SIGKILL)
    again = launch(var=running.var)
    url, _code = again.wait_link()
    answer = Client(url).ask("POST", "/api/v1/session", {"code": made.stdout.strip()})
    assert answer.status < 300
    assert path.read_text() == key
    end_by(again, signal.SIGTERM)


def test_a_service_that_always_crashes_stops_all_and_is_named(
    launch: Launch, serving: Serving
) -> None:
    running = launch(var=serving.running.var)
    running.wait_link()
    for count in range(1, 4):
        crash(running, "scheduler")
        running.wait_said("scheduler ended with code -9: starting it again", count=count)
        wait_until(lambda: family_has(running, "scheduler"), what="the scheduler", timeout_s=30)
    family = running.family()
    crash(running, "scheduler")
    assert running.process.wait() == 1
    wait_gone(family)
    assert "scheduler ended with code -9, after 3 new starts within 60 s" in running.said()


def family_has(running: Launched, name: str) -> bool:
    return bool(by_name(running.family(), lambda line: SERVICES[name] in line))


def test_a_start_interrupted_in_setup_leaves_nothing(launch: Launch) -> None:
    running = launch()
    while not running.family() and running.process.poll() is None:
        time.sleep(0)
    family = running.family()
    running.process.send_signal(signal.SIGINT)
    running.process.wait()
    wait_gone(family)
    assert holding(str(running.var)) - {os.getpid()} == set()


def test_given_servers_are_used(launch: Launch, tmp_path: Path) -> None:
    given = DataServices(tmp_path / "given", throwaway=True)
    try:
        given.start_postgres()
        given.start_valkey()
        running = launch(**given.urls())
        url, _code = running.wait_link()
        assert Client(url).ask("GET", "/readyz").status == 200
        family = running.family()
        assert not by_name(family, lambda line: "valkey-server" in line or "postgres -D" in line)
        end_by(running, signal.SIGINT)
        assert alive([s.process.pid for s in given.supervisor.services])
    finally:
        given.remove()


def test_half_a_database_address_is_refused(launch: Launch) -> None:
    running = launch(DATABASE_URL="postgresql://app@localhost/ampacity")
    assert running.process.wait() == 1
    assert "DATABASE_OWNER_URL" in running.said()


def once(tmp_path: Path, *args: str) -> tuple[Launched, str]:
    """Run `--once` to its end with all its folders below `tmp_path`; returns what it printed."""
    running = Launched(tmp_path / "unused", "--once", *args, TMPDIR=str(tmp_path))
    out, _ = running.process.communicate()
    assert holding(str(tmp_path)) - {os.getpid()} == set()
    assert not list(tmp_path.glob("ampacity-once-*"))
    return running, out


def test_once_prints_the_comparison_and_writes_the_pdf(tmp_path: Path) -> None:
    pdf = tmp_path / "report.pdf"
    running, out = once(tmp_path, "--study", "free-factories", "--pdf", str(pdf))
    assert running.process.returncode == 0, running.said()
    assert "Free Factories" in out
    assert re.search(r"^Cost, .*\d", out, re.MULTILINE)
    assert re.search(r"(\d+) of \1 published checks of \d+ models hold", running.said())
    assert pdf.read_bytes().startswith(b"%PDF-")


@pytest.mark.deep
def test_once_names_the_studies_that_there_are(tmp_path: Path) -> None:
    running, _out = once(tmp_path, "--study", "no-such-study")
    assert running.process.returncode == 1
    assert "free-factories, free-factories-prototypes, " in running.said()
