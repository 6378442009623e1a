"""`./test`: set up, then check everything in numbered steps.

Quick static steps run beside the Python tests; every step is run even when an earlier one failed,
and what failed is said at the end.
"""

import argparse
import os
import re
import shutil
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ops import environment, frontend, places
from ops.processes import TOOLS, run_live
from ops.say import Failure, say
from ops.signals import Stopped, raise_on_signals
from ops.stack import setup_lock
from ops.steps import STEPS, Step

_COUNTS = re.compile(r"^.*\b\d+ passed\b.*$", re.MULTILINE)
# as pytest, Playwright and Vitest name what failed in the last lines of their output
_FAILED = re.compile(
    r"^(?:(?:FAILED|ERROR) |    (?=journeys/)| +FAIL +)(\S.*?)[ \u2500]*$", re.MULTILINE
)
# as Playwright says what was wrong in one, and where
_WHY = re.compile(
    r"^ +((?:Error|Locator|Expected|Received|Timeout): .*|at \S+:\d+:\d+)$", re.MULTILINE
)
_NAMED_MAX = 20
# states of the sources whose compiled kernels are kept
_KERNELS_KEPT = 12
_NOT_FOR_TESTS = {
    "PYTHONPATH", "DATABASE_URL", "DATABASE_OWNER_URL", "DATABASE_IDENTITY_URL", "BROKER_URL",
    "SECRET_KEY", "AMPACITY_VAR",
}  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """How a step ended."""

    step: Step
    seconds: float
    fault: str | None
    note: str = ""
    failed: Sequence[str] = ()


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    width = max(len(step.name) for step in STEPS)
    listed = "\n".join(
        f"  {step.name:<{width}}  {'fast' if step.fast else '    '}  {step.what}" for step in STEPS
    )
    parser = argparse.ArgumentParser(
        prog="./test",
        description="Set up and check everything, with servers, ports and folders of its own.",
        epilog=f"steps:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--fast", action="store_true", help="only the steps marked fast")
    parser.add_argument("--deep", action="store_true", help="only the steps that take long")
    parser.add_argument("steps", nargs="*", metavar="STEP", help="only these steps")
    asked = parser.parse_args(argv)
    unknown = set(asked.steps) - {step.name for step in STEPS}
    if unknown:
        parser.error(f"no such step: {', '.join(sorted(unknown))}")
    return asked


def chosen(asked: argparse.Namespace) -> list[Step]:
    """The steps to run, in order."""
    if asked.steps:
        return [step for step in STEPS if step.name in asked.steps]
    if asked.fast:
        # few tests, each step in one process: two of them for two cores
        return [replace(step, paired=step.live) for step in STEPS if step.fast]
    return [step for step in STEPS if step.deep == asked.deep]


def set_up(steps: Sequence[Step]) -> None:
    """Install what the steps need; packages of Python and Node side by side."""
    with setup_lock():
        folders = [f for f in (places.FRONTEND, places.E2E) if any(f in s.needs for s in steps)]
        faults: list[Failure] = []

        def node() -> None:
            try:
                for folder in folders:
                    frontend.ensure_packages(folder)
                if places.DIST in {need for step in steps for need in step.needs}:
                    frontend.ensure_built()
            except Failure as exc:
                faults.append(exc)

        side = threading.Thread(target=node)
        side.start()
        try:
            environment.ensure(environment.DEVELOPMENT)
        finally:
            side.join()
        if faults:
            raise faults[0]


class Checks:
    """Runs steps on two lanes and collects their outcomes."""

    def __init__(self, steps: Sequence[Step], *, fast: bool) -> None:
        self.steps = list(steps)
        self.fast = fast
        self.outcomes: list[Outcome] = []
        self._quiet = deque(step for step in steps if not step.live)
        self._lock = threading.Lock()

    def run(self) -> list[Outcome]:
        """Run the live steps here and the quiet ones beside them."""
        side = threading.Thread(target=self._drain, daemon=True)
        side.start()
        for together in _lived(self.steps):
            if together[0].alone:
                side.join()
            self._do_beside(together)
        # help with what is left
        self._drain()
        side.join()
        return self.outcomes

    def _do_beside(self, steps: Sequence[Step]) -> None:
        """Run the last step here and the others beside it, each in a thread that outlives it."""
        threads = [threading.Thread(target=self._do, args=(step,)) for step in steps[:-1]]
        for thread in threads:
            thread.start()
        self._do(steps[-1])
        for thread in threads:
            thread.join()

    def _drain(self) -> None:
        while True:
            try:
                step = self._quiet.popleft()
            except IndexError:
                return
            self._do(step)

    def _number(self, step: Step) -> str:
        return f"{self.steps.index(step) + 1}/{len(self.steps)}"

    def _do(self, step: Step) -> None:
        say(f"{self._number(step)} {step.name}: {step.what}")
        started = time.monotonic()
        fault = None
        note = ""
        try:
            for command in step.commands(self.fast):
                note = note_of(_run(command, live=step.live, what=step.name)) or note
        except Failure as exc:
            fault = str(exc)
        seconds = time.monotonic() - started
        failed = failed_in(fault or "")
        with self._lock:
            self.outcomes.append(Outcome(step, seconds, fault, note, failed))
            if fault is None:
                say(f"{self._number(step)} {step.name}: passed in {seconds:.1f} s")
            else:
                say(f"{self._number(step)} {step.name}: FAILED after {seconds:.1f} s\n{fault}")


def _lived(steps: Sequence[Step]) -> list[list[Step]]:
    """The live steps in order; paired ones that follow each other together."""
    groups: list[list[Step]] = []
    for step in steps:
        if not step.live:
            continue
        if step.paired and groups and groups[-1][0].paired:
            groups[-1].append(step)
        else:
            groups.append([step])
    return groups


def failed_in(output: str) -> list[str]:
    """The tests that a program says to have failed, each once."""
    return list(dict.fromkeys(_FAILED.findall(output)))[:_NAMED_MAX]


def note_of(output: str) -> str:
    """How many tests a program says to have passed, in its own words; empty without any."""
    found = _COUNTS.findall(output)
    return found[-1].strip("= ") if found else ""


def _run(command: Sequence[str], *, live: bool, what: str) -> str:
    env = {k: v for k, v in os.environ.items() if k not in _NOT_FOR_TESTS}
    if not live:
        return TOOLS.run(command, what=what, cwd=places.ROOT, env=env)
    code, words = run_live(command, cwd=places.ROOT, env=env)
    if code != 0:
        why = "".join(f"\n  {line}" for line in _WHY.findall(words)[:_NAMED_MAX])
        named = why + "".join(f"\nFAILED {name}" for name in failed_in(words))
        shown = " ".join(command[:4])
        raise Failure(f"{shown} ... ended with code {code}: {note_of(words)}{named}")
    return words


def summary(outcomes: Sequence[Outcome], steps: Sequence[Step]) -> int:
    """Print one line per step in order and a last line; returns the exit code."""
    order = {step.name: number for number, step in enumerate(steps)}
    print(flush=True)
    for outcome in sorted(outcomes, key=lambda o: order[o.step.name]):
        word = "passed" if outcome.fault is None else "FAILED"
        line = f"  {word}  {outcome.seconds:7.1f} s  {outcome.step.name:<10}  {outcome.note}"
        print(line.rstrip())
        for name in outcome.failed:
            print(f"{'':21}{name}")
    failed = [outcome.step.name for outcome in outcomes if outcome.fault is not None]
    passed = len(outcomes) - len(failed)
    if failed:
        print(f"\n{passed} of {len(steps)} steps passed, failed: {', '.join(failed)}", flush=True)
        return 1
    print(f"\nAll {passed} steps passed", flush=True)
    return 0


def _forget_kernels(ours: Path) -> None:
    """Remove the compiled kernels of states of the sources that were not tested of late."""
    ours.mkdir(parents=True, exist_ok=True)
    ours.touch()
    by_age = sorted(ours.parent.iterdir(), key=lambda each: each.stat().st_mtime, reverse=True)
    for old in by_age[_KERNELS_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)


def timed(body: Callable[[], int]) -> int:
    """Run the body and say how long all took."""
    started = time.monotonic()
    code = body()
    print(f"in {time.monotonic() - started:.0f} s", flush=True)
    return code


def main(argv: Sequence[str]) -> int:
    """Run the command; returns the exit code."""
    asked = parse(argv)
    steps = chosen(asked)
    raise_on_signals()
    os.environ.setdefault("AMPACITY_CACHES", str(places.user_caches()))
    _forget_kernels(places.default_kernels_cache())

    def body() -> int:
        set_up(steps)
        return summary(Checks(steps, fast=asked.fast).run(), steps)

    try:
        return timed(body)
    except Stopped as exc:
        TOOLS.stop()
        return 128 + exc.signum
    except Failure as exc:
        print(f"\n{exc}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
