"""A pytest plugin of `ops.mutate`: tries mutants of functions without starting anew for each.

AMPACITY_TEST_MUTANTS names a JSON file of mutants. Once all tests are collected, a forked process
runs them all, and sees what each takes and which mutants' lines it runs. Then each mutant has a
forked process of its own, in which its functions take their changed code, and the tests that run it
are run, the cheapest first, until one fails. What stands outside all functions cannot be changed in
a process that has read it: of such a mutant only the tests are told.
"""

import gc
import json
import os
import resource
import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

ASKED = Path(os.environ["AMPACITY_TEST_MUTANTS"])
TOLD, SEEN = ASKED.with_suffix(".told"), ASKED.with_suffix(".seen")
# A test may take so much of the processor, and all tests of one mutant together so much.
TEST_MOST_S = 2.0
TESTS_MOST_S = 30.0
# A mutant hangs when its tests take so many times as long, and by the clock so many times that.
PATIENCE, CLOCK_PATIENCE = 4, 20
# Of a process: fixtures of the whole session, such as a database.
START_S = 10.0
HUNG, KILLED, SURVIVED = "hung", "killed", "survived"


class Watch:
    """Sees calls into the mutants' files, and lines of the functions that hold one."""

    def __init__(self, mutants: Sequence[dict[str, Any]]) -> None:
        self.lines: dict[str, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
        self.outside: dict[str, set[int]] = defaultdict(set)
        for number, mutant in enumerate(mutants):
            path = str(Path(mutant["path"]).resolve())
            if mutant["first"] == 0:
                self.outside[path].add(number)
            for line in range(mutant["first"], mutant["last"] + 1):
                self.lines[path][line].add(number)
        self.files = {*self.lines, *self.outside}
        self._held: dict[CodeType, bool] = {}
        self.now: set[int] = set()

    def called(self, frame: FrameType, _event: str, _what: Any) -> Any:
        """Note a call; follow its lines when the function holds a mutant."""
        code = frame.f_code
        if code.co_filename not in self.files:
            return None
        self.now |= self.outside[code.co_filename]
        if code not in self._held:
            lines = self.lines[code.co_filename]
            self._held[code] = any(line in lines for *_, line in code.co_lines())
        return self._line if self._held[code] else None

    def _line(self, frame: FrameType, event: str, _what: Any) -> Any:
        if event == "line":
            found = self.lines[frame.f_code.co_filename].get(frame.f_lineno)
            if found:
                self.now |= found
        return self._line


class _Tests:
    """The collected tests, and those of this process that failed."""

    def __init__(self) -> None:
        self.failed: set[str] = set()

    def run(self, items: Sequence[pytest.Item], *, until_one_fails: bool) -> Iterator[pytest.Item]:
        """Run tests; each is handed back before it runs."""
        for item, following in zip(items, [*items[1:], None], strict=True):
            yield item
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if until_one_fails and self.failed:
                return


_TESTS = _Tests()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Note a test that does not pass."""
    if report.outcome != "passed":
        _TESTS.failed.add(report.nodeid)


def _too_long(_signum: int, _frame: Any) -> None:
    raise TimeoutError(f"takes more than {TEST_MOST_S} s of the processor")


def survey(items: Sequence[pytest.Item], mutants: Sequence[dict[str, Any]]) -> None:
    """Run all tests without a mutant, and write what each takes and the mutants that it runs."""
    watch = Watch(mutants)
    found: list[dict[str, Any]] = []
    signal.signal(signal.SIGPROF, _too_long)
    threading.settrace(watch.called)
    before: tuple[str, float] | None = None

    def note() -> None:
        if before is not None:
            took_s = time.process_time() - before[1]
            found.append({"test": before[0], "took_s": took_s, "mutants": sorted(watch.now)})

    for item in _TESTS.run(items, until_one_fails=False):
        note()
        before, watch.now = (item.nodeid, time.process_time()), set()
        # a test that took too long may have been stopped in the watch, which then sees no more
        sys.settrace(watch.called)
        signal.setitimer(signal.ITIMER_PROF, TEST_MOST_S)
    signal.setitimer(signal.ITIMER_PROF, 0)
    note()
    sys.settrace(None)
    passed = [test for test in found if test["test"] not in _TESTS.failed]
    passed.sort(key=lambda test: test["took_s"])
    SEEN.write_text(json.dumps({"tests": passed, "failed": sorted(_TESTS.failed)}))


def control(items: Sequence[pytest.Item]) -> None:
    """Run tests once more, as they will be with a mutant: those that fail could say nothing."""
    for _ in _TESTS.run(items, until_one_fails=False):
        pass
    seen = json.loads(SEEN.read_text())
    seen["tests"] = [test for test in seen["tests"] if test["test"] not in _TESTS.failed]
    SEEN.write_text(json.dumps(seen))


def chosen(tests: Sequence[dict[str, Any]], number: int) -> tuple[list[str], float]:
    """The tests that run a mutant, the cheapest first, as far as the time goes; and their time."""
    names: list[str] = []
    took_s = 0.0
    for test in tests:
        if number in test["mutants"] and (not names or took_s + test["took_s"] <= TESTS_MOST_S):
            names.append(test["test"])
            took_s += test["took_s"]
    return names, took_s


def import_module_of(path: str) -> None:
    """Import a file of the product: functions that a test imports later would not be changed."""
    name = path.removesuffix(".py").removesuffix("/__init__")
    for folder in ("worker/", "backend/"):
        name = name.removeprefix(folder)
    import_module(name.replace("/", "."))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def change_functions(path: str, text: str) -> int:
    """Give all functions of a file the code of its changed text; how many there are."""
    file = str(Path(path).resolve())
    changed: dict[str, list[CodeType]] = defaultdict(list)
    for code in _codes(compile(text, file, "exec", dont_inherit=True)):
        changed[code.co_qualname].append(code)
    for codes in changed.values():
        codes.sort(key=lambda code: code.co_firstlineno)
    firsts: dict[str, list[int]] = defaultdict(list)
    for code in _codes(compile(Path(file).read_text("utf-8"), file, "exec", dont_inherit=True)):
        firsts[code.co_qualname] = sorted([*firsts[code.co_qualname], code.co_firstlineno])
    count = 0
    for function in gc.get_objects():
        # by its type: what is asked of Django's lazy objects would wake them
        if type(function) is FunctionType and function.__code__.co_filename == file:
            name, first = function.__code__.co_qualname, function.__code__.co_firstlineno
            if first in firsts[name]:
                function.__code__ = changed[name][firsts[name].index(first)]
                count += 1
    return count


def forked(work: Callable[[], None], *, most_s: float) -> str:
    """Do something in a forked process; what became of it."""
    pid = os.fork()
    if pid == 0:
        code = 2
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (int(most_s), int(most_s) + 5))
            work()
            code = 1 if _TESTS.failed else 0
        finally:
            os._exit(code)
    ends_at = time.monotonic() + most_s * CLOCK_PATIENCE
    done, status = 0, 0
    while not done and time.monotonic() < ends_at:
        done, status = os.waitpid(pid, os.WNOHANG)
        time.sleep(0.02)
    if not done:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        return HUNG
    if os.WIFSIGNALED(status):
        return HUNG
    return KILLED if os.WEXITSTATUS(status) else SURVIVED


def _forget_database() -> None:
    """Remove the database that a forked process made."""
    testing = sys.modules.get("ops.testing")
    if testing is not None and os.environ.get("DATABASE_OWNER_URL"):
        with testing.owner_connection("postgres") as connection:
            name = testing.test_database()
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def known_tests(items: dict[str, pytest.Item], mutants: Sequence[dict[str, Any]]) -> list[Any]:
    """The tests that can be asked, the cheapest first, each with the mutants that it runs."""
    own_database = bool(os.environ.get("AMPACITY_TEST_URLS_GIVEN"))

    def some() -> None:
        seen = json.loads(SEEN.read_text())["tests"]
        control([items[test["test"]] for test in seen if test["mutants"]])

    for work in (lambda: survey(list(items.values()), mutants), some):
        forked(work, most_s=3600)
        if own_database:
            _forget_database()
    found: list[Any] = json.loads(SEEN.read_text())["tests"]
    return found


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """See which tests run which mutants, then try each."""
    mutants = json.loads(ASKED.read_text())
    items = {item.nodeid: item for item in session.items}
    for mutant in mutants:
        import_module_of(mutant["path"])
    tests = known_tests(items, mutants)
    with TOLD.open("w") as told:
        for number, mutant in enumerate(mutants):
            names, took_s = chosen(tests, number)
            if not names and not mutant["first"]:
                # Of a file whose functions no test calls, constants that any test may read.
                names, took_s = chosen([{**test, "mutants": [number]} for test in tests], number)
            state = "outside" if names else "unreached"
            if names and mutant["first"]:
                some = [items[name] for name in names]
                state = _tried(session, mutant, some, took_s)
            told.write(json.dumps({"state": state, "tests": names, "took_s": took_s}) + "\n")
            told.flush()
    return True


def _tried(
    session: pytest.Session, mutant: dict[str, Any], some: Sequence[pytest.Item], took_s: float
) -> str:
    def work() -> None:
        change_functions(mutant["path"], mutant["text"])
        for _ in _TESTS.run(some, until_one_fails=True):
            pass
        session._setupstate.teardown_exact(None)

    state = forked(work, most_s=PATIENCE * (START_S + took_s))
    if os.environ.get("AMPACITY_TEST_URLS_GIVEN"):
        _forget_database()
    return state
