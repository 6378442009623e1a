"""Mutants are put in, seen and told as they are."""

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ops import mutate, places

TEXT = """\
FIRST = 1


def added(a, b=FIRST):
    both = (
        a
        + b
    )
    if both > 10:
        both = 10

    def inner(x):
        return x * 2

    return inner(both)


class Held:
    share = 0.5

    @property
    def doubled(self):
        return self.share * 2
"""


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        (1, (0, 0)),  # a constant
        (4, (0, 0)),  # a default is read with the file
        (7, (5, 8)),  # in the middle of a statement
        (9, (9, 9)),  # the head of an if, not its body
        (10, (10, 10)),
        (13, (13, 13)),
        (19, (0, 0)),  # a field
        (23, (23, 23)),
    ],
)
def test_a_line_of_a_function_stands_for_its_statement(line: int, lines: tuple[int, int]) -> None:
    assert mutate.lines_of(TEXT, line) == lines


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The plugin, asked of no mutants."""
    monkeypatch.setenv("AMPACITY_TEST_MUTANTS", str(tmp_path / "asked.json"))
    monkeypatch.delitem(sys.modules, "ops.mutants_run", raising=False)
    from ops import mutants_run

    return mutants_run


def test_functions_take_their_changed_code_wherever_they_are_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: ModuleType
) -> None:
    path = tmp_path / "a_mutant_of_ours.py"
    path.write_text(TEXT)
    monkeypatch.syspath_prepend(str(tmp_path))
    import a_mutant_of_ours as module  # type: ignore[import-not-found]  # written above

    known = module.added
    assert (known(3), module.Held().doubled) == (8, 1.0)
    changed = TEXT.replace("+ b", "- b").replace("x * 2", "x * 5").replace("share * 2", "share * 8")
    assert run.change_functions(str(path), changed) == 2
    assert (known(3), known(30), module.Held().doubled) == (10, 50, 4.0)


def test_only_a_test_that_runs_its_line_is_asked_of_a_mutant(
    tmp_path: Path, run: ModuleType
) -> None:
    path = tmp_path / "lines.py"
    path.write_text(TEXT)
    space: dict[str, object] = {}
    exec(compile(TEXT, str(path), "exec"), space)
    asked = [{"path": str(path), "first": line, "last": line} for line in (10, 13, 23, 0)]
    watch = run.Watch(asked)
    sys.settrace(watch.called)
    space["added"](3)  # type: ignore[operator]  # a function
    sys.settrace(None)
    assert watch.now == {1, 3}
    watch.now = set()
    sys.settrace(watch.called)
    space["added"](30)  # type: ignore[operator]  # a function
    sys.settrace(None)
    assert watch.now == {0, 1, 3}


def test_the_cheapest_tests_are_asked_first_and_no_more_than_there_is_time_for(
    run: ModuleType,
) -> None:
    tests = [
        {"test": "a", "took_s": 1.0, "mutants": [0]},
        {"test": "b", "took_s": 2.0, "mutants": [1]},
        {"test": "c", "took_s": run.TESTS_MOST_S - 1.0, "mutants": [0, 1]},
    ]
    assert run.chosen(tests, 0) == (["a", "c"], run.TESTS_MOST_S)
    assert run.chosen(tests, 1) == (["b"], 2.0)
    assert run.chosen(tests, 2) == ([], 0.0)


def test_what_nothing_can_notice_counts_for_itself_and_is_said_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(mutate, "FOLDER", tmp_path)
    states = ("killed", "killed", "hung", "survived", "unreached", "equal")
    outcomes = [
        {"path": "a.py", "line": n, "operator": "o", "state": state, "change": "", "key": str(n)}
        for n, state in enumerate(states)
    ]
    document = {"seed": 4, "all": 1234, "outcomes": outcomes}
    (tmp_path / "jobs.json").write_text(json.dumps(document))
    mutate.score()
    assert capsys.readouterr().out.splitlines()[-1] == "| jobs | 1,234 | 4 | 6 | 3 | 1 | 2 |"


def test_every_explained_mutant_has_a_change_and_a_reason() -> None:
    for (path, change), why in mutate.explained().items():
        assert (places.ROOT / path).is_file()
        assert change.startswith("-")
        assert len(why) > 20
