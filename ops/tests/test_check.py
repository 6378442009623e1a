"""`./test`: its steps, and that a fault is never lost."""

import re
import sys
from pathlib import Path

import pytest

from ops import places
from ops.check import Checks, chosen, parse, summary
from ops.steps import STEPS, TESTED, Step, marked_tests


def step(name: str, code: str, *, live: bool = False) -> Step:
    return Step(name, f"does {name}", lambda _fast: [[sys.executable, "-c", code]], live=live)


@pytest.mark.decisive
def test_every_step_runs_after_one_has_failed(capfd: pytest.CaptureFixture[str]) -> None:
    steps = [
        step("lint", "import sys; print('line too long'); sys.exit(1)"),
        step("tests", "print('=== 3 passed in 0.1 s ===')", live=True),
        step("types", "pass"),
    ]
    code = summary(Checks(steps, fast=False).run(), steps)
    out, err = capfd.readouterr()
    assert code == 1
    assert re.search(r"passed +\d.* s  tests +3 passed in 0.1 s$", out, re.MULTILINE)
    assert "line too long" in err
    assert out.rstrip().endswith("2 of 3 steps passed, failed: lint")


def test_a_failing_live_step_fails_the_whole(capfd: pytest.CaptureFixture[str]) -> None:
    steps = [step("tests", "raise SystemExit(1)", live=True), step("types", "pass")]
    assert summary(Checks(steps, fast=False).run(), steps) == 1
    assert "failed: tests" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("FAILED a/test_one.py::test_it - assert 1 == 2", "a/test_one.py::test_it"),
        ("    journeys/one.spec.ts:7:1 \u203a it works \u2500\u2500", "journeys/one.spec.ts:7:1"),
        (" FAIL  src/one.test.ts > it works", "src/one.test.ts > it works"),
    ],
)
def test_what_failed_is_named_in_the_last_lines(
    line: str, named: str, capfd: pytest.CaptureFixture[str]
) -> None:
    steps = [step("tests", f"import sys; print({line!r}); sys.exit(1)", live=True)]
    summary(Checks(steps, fast=False).run(), steps)
    assert named in capfd.readouterr().out.rpartition("\n  FAILED ")[2]


def test_why_a_journey_failed_stands_above_its_name(capfd: pytest.CaptureFixture[str]) -> None:
    printed = """
      1) journeys/one.spec.ts:3:1 > it opens

        Error: expect(locator).toBeVisible() failed

        Locator: getByRole('dialog')
        > 12 |   await expect(sheet).toBeVisible();
            at /somewhere/journeys/one.spec.ts:12:23
    """
    steps = [step("e2e", f"print({printed!r}); raise SystemExit(1)", live=True)]
    summary(Checks(steps, fast=False).run(), steps)
    said = capfd.readouterr().err.rpartition("ended with code 1")[2]
    assert [line.strip() for line in said.splitlines()[1:4]] == [
        "Error: expect(locator).toBeVisible() failed",
        "Locator: getByRole('dialog')",
        "at /somewhere/journeys/one.spec.ts:12:23",
    ]


def test_paired_steps_run_side_by_side(tmp_path: Path) -> None:
    # Each waits for the other's file.
    code = (
        "import sys, time, pathlib; here = pathlib.Path(sys.argv[1]); "
        "(here / sys.argv[2]).touch(); "
        "any((here / sys.argv[3]).exists() or time.sleep(0.05) for _ in range(400)) or sys.exit(1)"
    )

    def paired(mine: str, other: str) -> Step:
        command = [sys.executable, "-c", code, str(tmp_path), mine, other]
        return Step(mine, "waits", lambda _fast: [command], live=True, alone=True, paired=True)

    steps = [paired("one", "two"), paired("two", "one"), step("last", "pass", live=True)]
    assert summary(Checks(steps, fast=False).run(), steps) == 0


def test_all_steps_passed_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    steps = [step("lint", "pass"), step("types", "pass")]
    assert summary(Checks(steps, fast=True).run(), steps) == 0
    assert "All 2 steps passed" in capfd.readouterr().out


def test_fast_leaves_out_what_takes_long() -> None:
    fast = {each.name for each in chosen(parse(["--fast"]))}
    assert {"science", "pytest", "ruff", "imports", "mypy", "vitest"} <= fast
    assert fast & {"workers", "launch", "e2e"} == set()


def test_every_part_has_a_test_that_decides_in_the_fast_ones() -> None:
    decisive = {Path(name).parent for name in marked_tests("decisive")}
    parts = {
        path.parent.relative_to(places.ROOT)
        for folder in TESTED
        for path in folder.rglob("test_*.py")
    }
    assert parts - decisive == set()


def test_without_options_every_step_but_the_deep_ones_is_chosen() -> None:
    assert chosen(parse([])) == [each for each in STEPS if each.name != "deep"]


def test_deep_chooses_the_deep_tests_alone_and_no_other_step_runs_them() -> None:
    assert [each.name for each in chosen(parse(["--deep"]))] == ["deep"]
    marked = {
        each.name: command[command.index("-m", command.index("pytest")) + 1]
        for each in STEPS
        for command in each.commands(False)
        if "pytest" in command
    }
    expected = {"deep": "deep", "science": "not deep", "pytest": "not (deep or worker or ops)"}
    assert {name: marked[name] for name in expected} == expected


def test_an_unknown_step_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["no-such-step"])
    assert "no such step: no-such-step" in capsys.readouterr().err


def test_help_names_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse(["--help"])
    shown = capsys.readouterr().out
    assert all(each.name in shown and each.what in shown for each in STEPS)
