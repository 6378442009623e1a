"""Child processes that cannot outlive us.

Each long-lived child has its own session (Ctrl-C reaches only the supervisor) and a parent-death
signal (SIGKILL of the supervisor takes it along). The kernel sends that signal when the *thread*
that forked ends, so services are started from the main thread only.
"""

import contextlib
import ctypes
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ops.say import Failure, say
from ops.signals import signals_held

_LIBC = ctypes.CDLL(None, use_errno=True)
_PR_SET_PDEATHSIG = 1
_POLL_S = 0.05
_NICE_TRIES = 10
RESTARTS_MAX = 3
RESTARTS_WINDOW_S = 60.0
# the first anew at once, the next ones when what they need may be back
_PAUSES_S = (0.0, 2.0, 10.0)
_LAST_BYTES = 4000
_LOG_BYTES_MAX = 5_000_000
# With less room on their disk services end however often they are started: they wait for more.
_ROOM_BYTES_MIN = 1_000_000
# Who takes more than this of a processor while it is waited for is at work; so often it is
# waited for anew.
_AT_WORK_SHARE = 0.01
_EXTENSIONS_MAX = 10
_COLORS = re.compile(r"\x1b\[[0-9;]*m")


def die_with_parent(signum: int, parent: int) -> Callable[[], None]:
    """Return a preexec function: the child gets `signum` when its parent dies."""

    def prepare() -> None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signum, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(1)

    return prepare


@dataclass(frozen=True)
class Command:
    """A service to start.

    `stop_signal` asks it to end, `death_signal` is sent by the kernel when we die. Higher stages
    stop first. `identity` is a user and group id to run as, None for our own. Who has a higher
    `niceness` lets the others go first.
    """

    name: str
    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: Path
    log: Path
    stage: int = 0
    stop_signal: int = signal.SIGTERM
    death_signal: int = signal.SIGTERM
    patience_s: float = 10.0
    pass_fds: Sequence[int] = ()
    identity: int | None = None
    niceness: int = 0


@dataclass
class Service:
    """A started command."""

    command: Command
    process: "subprocess.Popen[bytes]"
    restarts_s: list[float] = field(default_factory=list)
    ended_s: float | None = None

    @property
    def name(self) -> str:
        return self.command.name

    def has_ended(self) -> bool:
        return self.process.poll() is not None

    def last_words(self, *, lines: int = 15) -> str:
        """The end of the service's log, for a message."""
        return tail(self.command.log, lines=lines)


@dataclass
class Supervisor:
    """Starts services, notices when one ends, stops them in reverse order."""

    services: list[Service] = field(default_factory=list)
    clock: Callable[[], float] = time.monotonic
    free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free
    is_full: bool = False

    def start(self, command: Command) -> Service:
        """Start a service. Call from the main thread."""
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError("services are started from the main thread")
        # between its start and this list nobody would stop it
        with signals_held():
            service = Service(command, spawn(command))
            self.services.append(service)
        return service

    def first_ended(self) -> Service | None:
        """A service that has ended on its own, if any."""
        return next((service for service in self.services if service.has_ended()), None)

    def require_alive(self) -> None:
        """Raise `Failure` with the log's end when a service has ended."""
        ended = self.first_ended()
        if ended is not None:
            code = ended.process.returncode
            raise Failure(f"{ended.name} ended with code {code}:\n{ended.last_words()}")

    def mend(self) -> None:
        """Start again what has ended on its own. Call often, from the main thread.

        While their disk is full they wait. Raises `Failure` with the log's end when a service ends
        once more after three new starts within a minute.
        """
        now_s = self.clock()
        for service in self.services:
            if service.has_ended() and self._has_room(service.command.log.parent):
                self._mend(service, now_s)

    def _has_room(self, folder: Path) -> bool:
        is_full = self.free_bytes(folder) < _ROOM_BYTES_MIN
        if is_full and not self.is_full:
            say(f"No room is left on the disk of {folder}. What ended is started when there is")
        self.is_full = is_full
        return not is_full

    def _mend(self, service: Service, now_s: float) -> None:
        recent = [at_s for at_s in service.restarts_s if now_s - at_s < RESTARTS_WINDOW_S]
        if service.ended_s is None:
            service.ended_s = now_s
            code = service.process.returncode
            if len(recent) == RESTARTS_MAX:
                raise Failure(
                    f"{service.name} ended with code {code}, after {RESTARTS_MAX} new starts "
                    f"within {RESTARTS_WINDOW_S:.0f} s:\n{service.last_words()}"
                )
            say(f"{service.name} ended with code {code}: starting it again")
        if now_s - service.ended_s >= _PAUSES_S[len(recent)]:
            # what it left behind would hold its sockets and files
            kill_group(service.process.pid)
            with signals_held():
                service.process = spawn(service.command)
            service.restarts_s = [*recent, now_s]
            service.ended_s = None

    def processor_s(self) -> float:
        """Seconds of the processors that the services took so far; 0 where /proc is not. [s]"""
        sessions = {str(service.process.pid) for service in self.services}
        ticks = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                # proc(5), from the state on: the session is the 4th, times are 12th to 15th
                fields = stat.read_text().rpartition(")")[2].split()
                if fields[3] in sessions:
                    ticks += sum(int(number) for number in fields[11:15])
        return ticks / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        """Stop all services, highest stage first; those that do not listen are killed."""
        stages = sorted({service.command.stage for service in self.services}, reverse=True)
        for stage in stages:
            _stop_all([s for s in self.services if s.command.stage == stage])
        self.services.clear()


def spawn(command: Command) -> "subprocess.Popen[bytes]":
    """Start a command in its own session, tied to our life, with its output in its log."""
    command.log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if command.log.exists() and command.log.stat().st_size > _LOG_BYTES_MAX:
        command.log.replace(command.log.with_suffix(".log.1"))
    try:
        with command.log.open("ab") as log:
            process = subprocess.Popen(
                list(command.argv),
                env=dict(command.env),
                cwd=command.cwd,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=tuple(command.pass_fds),
                preexec_fn=die_with_parent(command.death_signal, os.getpid()),  # noqa: PLW1509 -- one system call
                **_as_user(command.identity),
            )
    except OSError as exc:
        raise Failure(f"{command.name} could not be started: {exc}") from exc
    if command.niceness:
        _make_nice(process.pid, command.niceness)
    return process


def _make_nice(pid: int, niceness: int) -> None:
    """Let others go first: within the session of a process, and its session among the others.

    Where the kernel shares the processors out by session, the niceness of a process counts in its
    own session only, and each service has one (sched(7), "The autogroup feature"). A session's own
    may be changed ten times a second, by all of us together.
    """
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, pid, niceness)
    for _ in range(_NICE_TRIES):
        try:
            Path(f"/proc/{pid}/autogroup").write_text(str(niceness))
        except BlockingIOError:
            time.sleep(_POLL_S)
        except OSError:
            return
        else:
            return


def _as_user(identity: int | None) -> dict[str, Any]:
    if identity is None:
        return {}
    return {"user": identity, "group": identity, "extra_groups": []}


def _stop_all(services: Sequence[Service]) -> None:
    for service in services:
        if not service.has_ended():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                service.process.send_signal(service.command.stop_signal)
    for service in services:
        with contextlib.suppress(subprocess.TimeoutExpired):
            service.process.wait(timeout=service.command.patience_s)
        kill_group(service.process.pid)
        service.process.wait()


def kill_group(pid: int) -> None:
    """SIGKILL whatever is left of a child's process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def wait_until(
    ready: Callable[[], bool], *, what: str, timeout_s: float, watch: Supervisor | None = None
) -> None:
    """Wait until `ready()`; raise `Failure` after `timeout_s` or when a watched service ends.

    Watched services that are at work, as on a machine under load, have as much time again, and
    again.
    """
    deadline = time.monotonic() + timeout_s
    used_s = watch.processor_s() if watch is not None else 0.0
    extensions = 0
    while not ready():
        if watch is not None:
            watch.require_alive()
        if time.monotonic() > deadline:
            now_used_s = watch.processor_s() if watch is not None else 0.0
            if now_used_s - used_s > _AT_WORK_SHARE * timeout_s and extensions < _EXTENSIONS_MAX:
                say(f"{what} is not ready after {timeout_s:.0f} s, but at work: waiting for it")
                used_s, extensions = now_used_s, extensions + 1
                deadline = time.monotonic() + timeout_s
                continue
            raise Failure(f"{what} was not ready within {timeout_s:.0f} s")
        time.sleep(_POLL_S)


def tail(path: Path, *, lines: int) -> str:
    """The last lines of a text file, or a note that there is none."""
    try:
        text = path.read_text(errors="replace")
    except OSError:
        return f"(no log at {path})"
    return "\n".join(text.splitlines()[-lines:])


def _ends(lines: Sequence[str], *, head: int = 15, last: int = 45) -> str:
    """The first and the last lines: some programs give the reason first, some last."""
    if len(lines) > head + last:
        lines = [*lines[:head], "...", *lines[-last:]]
    return _COLORS.sub("", "\n".join(lines))


@dataclass
class Tools:
    """Short-lived programs (installers, builds) that are stopped when we stop."""

    running: "set[subprocess.Popen[str]]" = field(default_factory=set)

    def run(
        self,
        argv: Sequence[str],
        *,
        what: str,
        cwd: Path,
        env: Mapping[str, str] | None = None,
        identity: int | None = None,
    ) -> str:
        """Run a program to its end and return what it printed on standard output.

        Raises `Failure` with the last lines of its output when it fails. May be called from any
        thread, as the thread outlives the program.
        """
        try:
            with signals_held():
                process = subprocess.Popen(
                    list(argv),
                    cwd=cwd,
                    env={**(os.environ if env is None else env), "NO_COLOR": "1"},
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    errors="replace",
                    start_new_session=True,
                    preexec_fn=die_with_parent(signal.SIGKILL, os.getpid()),  # noqa: PLW1509 -- one system call
                    **_as_user(identity),
                )
                self.running.add(process)
        except (FileNotFoundError, PermissionError) as exc:
            # a folder of PATH that may not be entered hides that the program is in none of them
            where = shutil.which(argv[0])
            why = f"{where} may not be run" if where else f"{argv[0]} was not found"
            raise Failure(f"{what} failed: {why}") from exc
        try:
            out, err = process.communicate()
        except BaseException:
            kill_group(process.pid)
            process.wait()
            raise
        finally:
            self.running.discard(process)
        if process.returncode != 0:
            words = _ends((out + err).strip().splitlines())
            raise Failure(f"{what} failed (code {process.returncode}):\n{words}")
        return str(out)

    def stop(self) -> None:
        """Kill what is still running."""
        for process in list(self.running):
            kill_group(process.pid)


TOOLS = Tools()


def run_live(argv: Sequence[str], *, cwd: Path, env: Mapping[str, str]) -> tuple[int, str]:
    """Run a program, show its output as it comes; returns its exit code and its last words.

    When we are asked to stop, it gets SIGINT and 15 s to put its own servers away.
    """
    process = subprocess.Popen(
        list(argv),
        cwd=cwd,
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        preexec_fn=die_with_parent(signal.SIGINT, os.getpid()),  # noqa: PLW1509 -- one system call
    )
    try:
        words = _show(process)
        return process.wait(), words
    except BaseException:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=15)
        raise
    finally:
        kill_group(process.pid)
        process.wait()


def _show(process: "subprocess.Popen[bytes]") -> str:
    """Pass output on until it ends; returns the last of it."""
    last = b""
    if process.stdout is not None:
        while chunk := process.stdout.read1():  # type: ignore[attr-defined]  # a pipe is buffered
            sys.stdout.buffer.write(chunk)
            sys.stdout.buffer.flush()
            last = (last + chunk)[-_LAST_BYTES:]
        process.stdout.close()
    return last.decode(errors="replace")
