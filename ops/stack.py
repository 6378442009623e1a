"""The whole stack on one machine: PostgreSQL, Valkey, web, events, scheduler, workers."""

import contextlib
import fcntl
import json
import os
import secrets
import shutil
import signal
import socket
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from ops import environment, frontend, places, shell
from ops.net import HOST, Client, port_of, take_port
from ops.private import DataServices
from ops.processes import TOOLS, Command, Supervisor, wait_until
from ops.say import Failure, say

WEB_PORT = 8000
EVENTS_PORT = 8001
# Threads that wait for the processes of instant answers, and seats of those that ask the database.
_EVALUATE_THREADS, _EVALUATE_SEATS = 128, 8
# When there is not enough for all: lists first, then instant answers, then long runs.
_NICE = {"evaluate": 4, "batch": 10}
# Requests that the web works on at once; threads besides hand instant answers on, and sleep.
_WEB_SEATS, _EVALUATE_AT_ONCE = 24, 200
_NOT_INHERITED = {
    "PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "DATABASE_OWNER_URL", "DATABASE_IDENTITY_URL",
    "EVALUATE_URL", "WEB_THREADS", "EVALUATE_AT_ONCE", "ANSWERS_ONLY", "ANSWER_PROCESSES",
}  # fmt: skip
# as `manage.py prepare --planner` makes
PLANNER = "planner@ampacity.local"
_APPS_STAGE = 2
_READY_TIMEOUT_S = 120.0
_PATIENCE_S = 8.0
# hard limits of design.md section 9, in seconds
QUEUE_LIMITS_S = {"interactive": 60, "batch": 3600, "reports": 120, "webhooks": 60}


@dataclass
class Stack:
    """One running Ampacity. `var` holds all its data.

    With the DATABASE_URLs or BROKER_URL in the environment those servers are used instead of
    private ones, unless `private` is set.
    """

    var: Path
    web_port: int = WEB_PORT
    events_port: int = EVENTS_PORT
    private: bool = False
    throwaway: bool = False
    caches: Path | None = None
    extra_env: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.var.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = data_lock(self.var)
        self._key = secret_key(self.var)
        self.given = {} if self.private else _given_urls()
        self.supervisor = Supervisor()
        self.data: DataServices | None = None
        self.prepared: dict[str, str] = {}
        self._web_socket: socket.socket | None = None
        self._events_socket: socket.socket | None = None
        self._evaluate_socket: socket.socket | None = None
        self._pool = ThreadPoolExecutor(max_workers=4)

    @property
    def url(self) -> str:
        """Where the pages are."""
        return f"http://{HOST}:{port_of(self._taken(self._web_socket))}"

    @property
    def sign_in_url(self) -> str:
        """The link that signs in once."""
        return f"{self.url}/sign-in#code={self.prepared['signin_code']}"

    @staticmethod
    def _taken(taken: socket.socket | None) -> socket.socket:
        if taken is None:
            raise Failure("the stack has not been started")
        return taken

    @property
    def owner_url(self) -> str:
        """The database as the owner of its tables."""
        return self._urls()["DATABASE_OWNER_URL"]

    def environment(self) -> dict[str, str]:
        """The variables of all processes; the web's and the scheduler's have `identity` besides."""
        caches = self.caches or places.caches(self.var)
        inherited = {
            name: value for name, value in os.environ.items() if name not in _NOT_INHERITED
        }
        urls = self._urls()
        for name in ("DATABASE_OWNER_URL", "DATABASE_IDENTITY_URL"):
            urls.pop(name)
        events = port_of(self._taken(self._events_socket))
        return {
            **inherited,
            **urls,
            "SECRET_KEY": self._key,
            "ALLOWED_HOSTS": f"{HOST},localhost",
            "WEB_URL": self.url,
            "EVENTS_URL": f"http://{HOST}:{events}/events",
            "FRONTEND_DIST": str(places.DIST),
            "AMPACITY_VAR": str(self.var),
            **self._mail(),
            "NUMBA_CACHE_DIR": _made(places.kernels_cache(caches)),
            "MPLCONFIGDIR": _made(caches / "matplotlib"),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            "PYTHONUNBUFFERED": "1",
            **self.extra_env,
        }

    def identity(self) -> dict[str, str]:
        """The variable that leads to what signing in knows of people."""
        return {"DATABASE_IDENTITY_URL": self._urls()["DATABASE_IDENTITY_URL"]}

    def _mail(self) -> dict[str, str]:
        """Mail into a folder, for the terminal and a page, where no server for it is given."""
        if os.environ.get("MAIL_URL") or os.environ.get("MAIL_FOLDER"):
            return {}
        return {"MAIL_FOLDER": _made(self.mail), "OPERATORS": PLANNER}

    @property
    def mail(self) -> Path:
        """Where messages go without a server for them."""
        return self.var / "mail"

    def _urls(self) -> dict[str, str]:
        private = self.data.urls() if self.data else {}
        return {**private, **self.given}

    def start(self, *, prepare_args: tuple[str, ...] = ()) -> None:
        """Set up what is missing, start everything, return when /readyz says so.

        What need not wait runs side by side: packages beside pages, the cluster's creation and the
        compiler of the kernels beside the build, the web's imports beside `prepare`. Instant
        answers and events start when `prepare` has ended, workers when the web is there: what is
        asked for first comes first.
        """
        self._web_socket = take_port(self.web_port, what="the web")
        self._events_socket = take_port(self.events_port, what="the event stream")
        self._evaluate_socket = take_port(0, what="instant answers")
        # `prepare` reads the same settings as the web, before the pages are built
        places.DIST.mkdir(exist_ok=True)
        with setup_lock():
            pages = self._pool.submit(frontend.ensure_built)
            environment.ensure()
            self._pool.submit(self._compile_kernels)
            self._start_data()
            prepared = self._pool.submit(self._prepare, prepare_args)
            pages.result()
        self._start_web()
        self._read_prepared(prepared)
        self._start_evaluate()
        self._start_events()
        self._wait_ready()
        self._start_background()
        shell.write(self.var, self.administrator_variables())

    def administrator_variables(self) -> dict[str, str]:
        """What a command of the administrator needs besides its own environment."""
        names = (
            "SECRET_KEY", "ALLOWED_HOSTS", "WEB_URL", "EVENTS_URL", "FRONTEND_DIST", "AMPACITY_VAR",
            "NUMBA_CACHE_DIR", "MPLCONFIGDIR", "DJANGO_SETTINGS_MODULE",
        )  # fmt: skip
        all_variables = self.environment()
        return {**{name: all_variables[name] for name in names}, **self._urls()}

    def _start_data(self) -> None:
        needs_database = "DATABASE_URL" not in self.given
        needs_broker = "BROKER_URL" not in self.given
        if needs_database or needs_broker:
            self.data = DataServices(self.var, self.throwaway, self.supervisor)
        if self.data and needs_broker:
            self.data.start_valkey()
        if self.data and needs_database:
            self.data.start_postgres()
        where = "given" if not needs_database else "private"
        say(f"PostgreSQL ({where}) and Valkey ({'private' if needs_broker else 'given'}) are up")

    def _prepare(self, args: tuple[str, ...]) -> str:
        env = {**self.environment(), **self._urls()}
        argv = [str(places.PYTHON), str(places.MANAGE), "prepare", "--planner", *args]
        return TOOLS.run(argv, what="prepare (migrations and examples)", cwd=places.ROOT, env=env)

    def _compile_kernels(self) -> None:
        """Compile what is not yet in the cache; without it the first runs would do so."""
        folder = str(places.kernels_cache(self.caches or places.caches(self.var)))
        argv = [str(places.PYTHON), "-m", "capmodels.warming", folder]
        env = {**os.environ, "NUMBA_CACHE_DIR": folder, "OPENBLAS_NUM_THREADS": "1"}
        with contextlib.suppress(Failure):
            TOOLS.run(argv, what="the compiler of the kernels", cwd=places.ROOT, env=env)

    def _read_prepared(self, prepared: "Future[str]") -> None:
        lines = prepared.result().strip().splitlines()
        try:
            self.prepared = json.loads(lines[-1])
        except (IndexError, ValueError) as exc:
            raise Failure("`manage.py prepare` printed no JSON line") from exc
        say("Schema, catalogue and examples are in place")

    def _wait_ready(self) -> None:
        client = Client(self.url, timeout_s=20.0)
        last = b""

        def ready() -> bool:
            nonlocal last
            try:
                answer = client.ask("GET", "/readyz")
            except OSError:
                return False
            last = answer.body[:300]
            return answer.status == 200

        try:
            wait_until(
                ready,
                what="the web",
                timeout_s=_READY_TIMEOUT_S,
                watch=self.supervisor,
            )
        except Failure as exc:
            raise Failure(f"{exc} {last.decode(errors='replace')}".strip()) from exc

    def _serve(
        self,
        name: str,
        *argv: str,
        fd: int | None = None,
        death_signal: int = signal.SIGTERM,
        env: Mapping[str, str] | None = None,
        niceness: int = 0,
    ) -> None:
        self.supervisor.start(
            Command(
                name=name,
                argv=argv,
                env={**self.environment(), **(env or {})},
                cwd=places.ROOT,
                log=self.var / "log" / f"{name}.log",
                stage=_APPS_STAGE,
                death_signal=death_signal,
                patience_s=_PATIENCE_S,
                pass_fds=() if fd is None else (fd,),
                niceness=niceness,
            )
        )

    def _start_evaluate(self) -> None:
        self._serve_http(
            "evaluate", self._taken(self._evaluate_socket), threads=_EVALUATE_THREADS,
            env={"ANSWERS_ONLY": "1", "WEB_THREADS": str(_EVALUATE_SEATS)},
        )  # fmt: skip

    def _evaluate_url(self) -> str:
        return f"http://{HOST}:{port_of(self._taken(self._evaluate_socket))}"

    def _start_web(self) -> None:
        """The web, which hands instant answers on to processes of their own."""
        self._serve_http(
            "web", self._taken(self._web_socket), threads=_WEB_SEATS + _EVALUATE_AT_ONCE,
            env={
                **self.identity(),
                "EVALUATE_URL": self._evaluate_url(),
                "WEB_THREADS": str(_WEB_SEATS),
                "EVALUATE_AT_ONCE": str(_EVALUATE_AT_ONCE),
            },
        )  # fmt: skip

    def _serve_http(
        self, name: str, taken: socket.socket, *, threads: int, env: Mapping[str, str]
    ) -> None:
        fd = taken.fileno()
        scratch = "/dev/shm" if os.access("/dev/shm", os.W_OK) else str(self.var)
        self._serve(
            name, _program("gunicorn"), "config.wsgi:application", "--bind", f"fd://{fd}",
            "--worker-class", "config.serving.Threads",
            "--workers", "1", "--threads", str(threads),
            "--no-control-socket", "--worker-tmp-dir", scratch, "--graceful-timeout", "4",
            "--keep-alive", "30", "--log-level", "warning",
            fd=fd, env=env, niceness=_NICE.get(name, 0),
        )  # fmt: skip

    def _start_events(self) -> None:
        fd = self._taken(self._events_socket).fileno()
        self._serve(
            "events", _program("uvicorn"), "config.asgi_events:application", "--fd", str(fd),
            "--no-access-log", "--log-level", "warning", "--timeout-graceful-shutdown", "2", fd=fd,
            env={"EVALUATE_URL": self._evaluate_url()},
        )  # fmt: skip

    def _start_background(self) -> None:
        manage = (str(places.PYTHON), str(places.MANAGE))
        self._serve(
            "scheduler", *manage, "scheduler", death_signal=signal.SIGKILL, env=self.identity()
        )
        spare = max(1, (os.cpu_count() or 2) - 1)
        for queue, count in {"interactive": 2, "batch": spare, "reports": 1, "webhooks": 1}.items():
            self.start_worker(queue, count)

    def start_worker(self, queue: str, count: int, *, name: str | None = None) -> None:
        """Start a worker of a queue with so many processes."""
        name = name or queue
        # TERM would let a long job finish first, long after us. Celery's own children die with
        # it, and a job whose worker was killed is done again by the next.
        self._serve(
            f"worker-{name}", _program("celery"), "-A", "capworker.app", "worker",
            "-Q", queue, "-n", f"{name}@ampacity", "-c", str(count),
            "--without-gossip", "--without-mingle", "--without-heartbeat",
            "--time-limit", str(QUEUE_LIMITS_S[queue]), "-l", "INFO",
            death_signal=signal.SIGKILL, niceness=_NICE.get(queue, 0),
        )  # fmt: skip

    def mend(self) -> None:
        """Start again what has ended on its own; raises `Failure` when that does not help."""
        self.supervisor.mend()

    def stop(self) -> None:
        """Stop everything in reverse order."""
        shell.remove(self.var)
        TOOLS.stop()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self.supervisor.stop()
        if self.data is not None:
            self.data.stop()
        for taken in (self._web_socket, self._events_socket, self._evaluate_socket):
            if taken is not None:
                taken.close()
        self._lock.close()

    def remove(self) -> None:
        """Stop everything and remove the data: for a throw-away stack."""
        self.stop()
        if self.data is not None:
            self.data.remove()
        shutil.rmtree(self.var, ignore_errors=True)


def _program(name: str) -> str:
    return str(places.VENV / "bin" / name)


def _made(folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    return str(folder)


def _given_urls() -> dict[str, str]:
    databases = ("DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_IDENTITY_URL")
    names = (*databases, "BROKER_URL")
    given = {name: os.environ[name] for name in names if os.environ.get(name)}
    if 0 < sum(name in given for name in databases) < len(databases):
        raise Failure(
            "DATABASE_URL (app role), DATABASE_OWNER_URL (owner, for migrations) and "
            "DATABASE_IDENTITY_URL (for signing in) go together: set all or none"
        )
    return given


def secret_key(var: Path) -> str:
    """The key of this data folder, made on first use, readable by its owner only."""
    if os.environ.get("SECRET_KEY"):
        return os.environ["SECRET_KEY"]
    path = var / "secret-key"
    if not path.exists():
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(fd, "w") as file:
            file.write(secrets.token_urlsafe(48))
    return path.read_text()


def data_lock(var: Path) -> IO[str]:
    """Hold a data folder for ourselves; raises `Failure` when another process has it."""
    file = (var / "lock").open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as exc:
        file.seek(0)
        owner = file.read().strip() or "another process"
        file.close()
        raise Failure(
            f"Ampacity is running on {var} already (process {owner}). "
            "Stop it, or choose another data folder with AMPACITY_VAR."
        ) from exc
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file


@contextmanager
def setup_lock() -> Iterator[None]:
    """One process at a time installs packages and builds pages in this clone."""
    folder = places.ROOT / "var"
    folder.mkdir(mode=0o700, exist_ok=True)
    with (folder / "setup.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("Another ./run or ./test is setting up: waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
