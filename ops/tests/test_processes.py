"""The supervisor and the tools, on small real processes."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ops.processes import TOOLS, Command, Supervisor, run_live, spawn, wait_until
from ops.say import Failure
from ops.signals import SIGNALS, Stopped, raise_on_signals
from ops.tests.processes_of import alive, wait_gone

DEAF = """
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("deaf", flush=True)
while True:
    signal.pause()
"""
PARENT = """
import os, sys, signal
from pathlib import Path
from ops.processes import Command, Supervisor
supervisor = Supervisor()
for name in "ab":
    argv = [sys.executable, "-c", "import signal; signal.pause()"]
    command = Command(name, argv, dict(os.environ), Path("/"), Path(sys.argv[1]) / name)
    print(supervisor.start(command).process.pid, flush=True)
signal.pause()
"""


def command(tmp_path: Path, name: str, code: str, **more: object) -> Command:
    argv = [sys.executable, "-c", code]
    return Command(name, argv, dict(os.environ), tmp_path, tmp_path / f"{name}.log", **more)  # type: ignore[arg-type]  # given by name


def test_killing_the_parent_leaves_no_child(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        children = {int(parent.stdout.readline()) for _ in "ab"}
        assert alive(children) == children
        parent.kill()
    wait_gone(children)


def test_services_stop_from_the_highest_stage_down(tmp_path: Path) -> None:
    log = tmp_path / "order"
    code = (
        "import signal, sys\n"
        "def bye(*_):\n"
        f"    open({str(log)!r}, 'a').write(NAME + '\\n'); sys.exit()\n"
        "signal.signal(signal.SIGTERM, bye); print('up', flush=True)\n"
        "signal.pause()"
    )
    supervisor = Supervisor()
    for stage, name in enumerate(["database", "broker", "web"]):
        named = code.replace("NAME", repr(name))
        service = supervisor.start(command(tmp_path, name, named, stage=stage))
        wait_until(lambda s=service: "up" in s.last_words(), what=name, timeout_s=20)  # type: ignore[misc]  # the default binds the loop's value
    supervisor.stop()
    assert log.read_text().split() == ["web", "broker", "database"]


def test_a_service_that_does_not_listen_is_killed(tmp_path: Path) -> None:
    supervisor = Supervisor()
    service = supervisor.start(command(tmp_path, "deaf", DEAF, patience_s=0.1))
    wait_until(lambda: "deaf" in service.last_words(), what="deaf", timeout_s=20)
    supervisor.stop()
    assert service.process.returncode == -signal.SIGKILL


def test_a_service_that_ends_is_named_with_its_last_words(tmp_path: Path) -> None:
    supervisor = Supervisor()
    code = "import sys; print('no disk'); sys.exit(3)"
    service = supervisor.start(command(tmp_path, "web", code))
    service.process.wait()
    with pytest.raises(Failure, match=r"(?s)web ended with code 3.*no disk"):
        supervisor.require_alive()


class Clock:
    """Time that the test moves."""

    now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def test_a_service_that_ends_is_started_again_thrice_a_minute(tmp_path: Path) -> None:
    clock = Clock()
    supervisor = Supervisor(clock=clock)
    service = supervisor.start(command(tmp_path, "web", "print('no disk'); raise SystemExit(3)"))
    started = []
    for clock.now_s in (0.0, 1.0, 2.5, 3.0, 4.0, 13.9, 14.0):
        before = service.process.pid
        service.process.wait()
        supervisor.mend()
        if service.process.pid != before:
            started.append(clock.now_s)
    # at once, then after 2 s, then after 10 s
    assert started == [0.0, 3.0, 14.0]
    service.process.wait()
    clock.now_s = 59.9
    with pytest.raises(Failure, match=r"(?s)web ended with code 3, after 3 new starts.*no disk"):
        supervisor.mend()
    supervisor.stop()


def test_a_service_that_ends_now_and_then_is_always_started_again(tmp_path: Path) -> None:
    clock = Clock()
    supervisor = Supervisor(clock=clock)
    service = supervisor.start(command(tmp_path, "web", "raise SystemExit(3)"))
    for number in range(8):
        clock.now_s = 61.0 * number
        before = service.process.pid
        service.process.wait()
        supervisor.mend()
        assert service.process.pid != before
    supervisor.stop()


def test_while_a_disk_is_full_what_ended_waits_for_room(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clock, free = Clock(), [0]
    supervisor = Supervisor(clock=clock, free_bytes=lambda _folder: free[0])
    service = supervisor.start(command(tmp_path, "web", "raise SystemExit(3)"))
    before = service.process.pid
    for number in range(8):
        service.process.wait()
        clock.now_s = float(number)
        supervisor.mend()
    assert service.process.pid == before
    assert capsys.readouterr().err.count("No room is left") == 1
    free[0] = 1 << 30
    supervisor.mend()
    assert service.process.pid != before
    supervisor.stop()


class Busy(Supervisor):
    """Services that have taken a second more of the processor at each look."""

    used_s = 0.0

    def processor_s(self) -> float:
        self.used_s += 1.0
        return self.used_s


def test_who_is_at_work_is_waited_for_and_who_hangs_is_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    looks = iter([False] * 4 + [True])
    wait_until(lambda: next(looks), what="the web", timeout_s=0.0, watch=Busy())
    assert "the web is not ready after 0 s, but at work" in capsys.readouterr().err
    for watch in (Supervisor(), None):
        with pytest.raises(Failure, match="the web was not ready within 0 s"):
            wait_until(lambda: False, what="the web", timeout_s=0.0, watch=watch)
    with pytest.raises(Failure, match="not ready"):
        wait_until(lambda: False, what="the web", timeout_s=0.0, watch=Busy())


def test_the_processor_is_counted_by_service(tmp_path: Path) -> None:
    supervisor = Supervisor()
    burn = (
        "import signal, time\nwhile time.process_time() < 0.1: pass\n"
        "print('burnt', flush=True)\nsignal.pause()"
    )
    service = supervisor.start(command(tmp_path, "burns", burn))
    wait_until(lambda: "burnt" in service.last_words(), what="burns", timeout_s=20)
    taken_s = supervisor.processor_s()
    supervisor.stop()
    assert taken_s >= 0.05  # counted in hundredths
    assert supervisor.processor_s() == 0.0


@pytest.fixture
def _handlers() -> Iterator[None]:
    before = {each: signal.getsignal(each) for each in SIGNALS}
    yield
    for each, handler in before.items():
        signal.signal(each, handler)


@pytest.mark.usefixtures("_handlers")
def test_a_service_that_is_being_started_at_ctrl_c_is_stopped_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raise_on_signals()

    def interrupted(each: Command) -> "subprocess.Popen[bytes]":
        os.kill(os.getpid(), signal.SIGINT)
        return spawn(each)

    monkeypatch.setattr("ops.processes.spawn", interrupted)
    supervisor = Supervisor()
    with pytest.raises(Stopped):
        supervisor.start(command(tmp_path, "waits", "import signal; signal.pause()"))
    (service,) = supervisor.services
    supervisor.stop()
    assert service.process.returncode is not None


def test_a_missing_program_is_named(tmp_path: Path) -> None:
    with pytest.raises(Failure, match="no-such-program was not found"):
        TOOLS.run(["no-such-program"], what="the build", cwd=tmp_path)


def test_a_failing_tool_says_its_first_and_last_lines(tmp_path: Path) -> None:
    code = "import sys; print('\\n'.join(map(str, range(1000)))); sys.exit(2)"
    with pytest.raises(Failure) as caught:
        TOOLS.run([sys.executable, "-c", code], what="the build", cwd=tmp_path)
    lines = str(caught.value).splitlines()
    assert (lines[1], lines[-1]) == ("0", "999")
    assert len(lines) < 100


def test_a_live_program_shows_its_output_and_hands_its_exit_code_on(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = "print('3 passed'); raise SystemExit(7)"
    ended = run_live([sys.executable, "-c", code], cwd=tmp_path, env=os.environ)
    assert ended == (7, "3 passed\n")
    assert capfd.readouterr().out == "3 passed\n"


def test_a_nice_service_is_nice_to_the_others_sessions_too(tmp_path: Path) -> None:
    supervisor = Supervisor()
    code = "import signal; signal.pause()"
    # the tests may be nice themselves
    own = os.getpriority(os.PRIO_PROCESS, 0)
    levels = (own, max(own, 10), max(own, 15))
    services = [
        supervisor.start(command(tmp_path, f"nice-{place}", code, niceness=level))
        for place, level in enumerate(levels)
    ]
    pids = [service.process.pid for service in services]
    try:
        assert tuple(os.getpriority(os.PRIO_PROCESS, pid) for pid in pids) == levels
        if Path("/proc/self/autogroup").exists():
            told = [Path(f"/proc/{pid}/autogroup").read_text().split() for pid in pids]
            assert [words[1:] for words in told] == [["nice", str(level)] for level in levels]
    finally:
        supervisor.stop()
