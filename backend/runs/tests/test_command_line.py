"""The client's command line: a study pulled, pushed, compared, run, reported, and checked."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from runs.tests.test_python_client import FOLDER, client_of, packages
from runs.tests.work import work_off

if TYPE_CHECKING:
    from pathlib import Path

    from studies.tests.people import Planner

__all__ = ["packages"]
pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox", "packages")]


class Shell:
    """Runs commands as Alice's token, against the application."""

    def __init__(self, planner: Planner) -> None:
        self.client = client_of(planner)

    def run(self, *argv: Any) -> int:
        """Return the exit code of ``ampacity ...``."""
        code: int = import_module("ampacity_client.cli").main(
            ["study", *map(str, argv)], client=self.client
        )
        return code


@pytest.fixture
def shell(alice: Planner) -> Shell:
    return Shell(alice)


def with_price(path: Path, to: Path, factor: float) -> Path:
    """Write a study's file with every price of an instance times a factor."""
    file = json.loads(path.read_text("utf-8"))

    def scaled(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: inner * factor if key == "usd_per_h" else scaled(inner)
                for key, inner in value.items()
            }
        return [scaled(inner) for inner in value] if isinstance(value, list) else value

    to.write_text(json.dumps(scaled(file)), "utf-8")
    return to


def rented(alice: Planner) -> dict[str, Any]:
    """Return a study of one rented design, so that its price is the whole cost."""
    instance = {"name": "m1.large", "usd_per_h": 0.4, "vcpu_count": 8}
    design = {"title": "Rent", "kind": "cloud", "spec": {"instances": [instance]}}
    return alice.study(designs=[design], draws_count=0)


def test_a_study_is_pulled_pushed_and_stays_the_same(
    alice: Planner, shell: Shell, tmp_path: Path
) -> None:
    study = alice.study(draws_count=0)
    first, second = tmp_path / "a.json", tmp_path / "b.yaml"
    assert shell.run("pull", study["slug"], "-o", first) == 0
    changed = with_price(first, tmp_path / "c.json", 2)
    assert shell.run("push", changed, "--study", study["id"]) == 0
    assert alice.get(f"/studies/{study['id']}").json()["designs"] != study["designs"]
    assert shell.run("push", first, "--study", study["id"]) == 0
    assert shell.run("pull", study["slug"], "-o", second) == 0
    assert shell.run("check", second, "--against", first, "--limit", "0%") == 0
    assert shell.run("push", first) == 0
    assert len(alice.get("/studies").json()["results"]) == 2


def test_a_file_of_more_designs_replaces_a_study_of_one(
    alice: Planner, shell: Shell, tmp_path: Path
) -> None:
    first, of = rented(alice), tmp_path / "a.json"
    alice.patch(f"/studies/{first['id']}", {"draws_count": 100})
    added = {"title": "More", "kind": "cloud", "spec": first["designs"][0]["spec"]}
    alice.post(f"/studies/{first['id']}/designs", added)
    ranges = [
        {"pointer": f"/designs/{letter}/instances/0/usd_per_h", "low": 0.38, "high": 0.42}
        for letter in "AB"
    ]
    alice.patch(f"/studies/{first['id']}", {"ranges": ranges})
    assert shell.run("pull", first["id"], "-o", of) == 0
    other = rented(alice)
    assert shell.run("push", of, "--study", other["id"]) == 0
    assert alice.get(f"/studies/{other['id']}").json()["ranges"] == ranges


def test_a_value_pushed_beside_its_range_is_reported_and_so_is_one_compared(
    alice: Planner, shell: Shell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = rented(alice)
    pointer = "/designs/A/instances/0/usd_per_h"
    ranges = [{"pointer": pointer, "low": 0.38, "high": 0.42}]
    alice.patch(f"/studies/{study['id']}", {"ranges": ranges})
    stored = tmp_path / "a.json"
    shell.run("pull", study["slug"], "-o", stored)
    changed = with_price(stored, tmp_path / "b.json", 1.2)
    capsys.readouterr()
    sentence = f"{pointer} is 0.48, before 0.4, and its range is still 0.38 to 0.42"
    assert shell.run("compare", changed, "--against", study["slug"]) == 0
    assert sentence in capsys.readouterr().err
    assert shell.run("push", changed, "--study", study["id"]) == 0
    assert sentence in capsys.readouterr().err
    assert shell.run("push", changed, "--study", study["id"]) == 0
    assert sentence not in capsys.readouterr().err, "nothing changed this time"


@pytest.mark.parametrize(("factor", "code"), [(1.04, 0), (1.06, 1), (0.94, 1)])
def test_a_pipeline_fails_a_change_that_moves_the_cost_too_far(
    alice: Planner, shell: Shell, tmp_path: Path, factor: float, code: int
) -> None:
    study = rented(alice)
    stored, note = tmp_path / "a.json", tmp_path / "comment.md"
    shell.run("pull", study["slug"], "-o", stored)
    changed = with_price(stored, tmp_path / "b.json", factor)
    asked = ("check", changed, "--against", study["slug"], "--horizon-months", 36)
    assert shell.run(*asked, "--limit", "5%", "--comment", note) == code
    text = note.read_text("utf-8")
    assert text.startswith(f"### Capacity plan: {'fails' if code else 'passes'}")
    assert f"({factor - 1:+.1%})" in text
    assert "over 36 months" in text


def test_a_pipeline_fails_a_change_of_the_verdict_within_the_limit_of_cost(
    alice: Planner, shell: Shell, tmp_path: Path
) -> None:
    instance = {"name": "m1.large", "usd_per_h": 0.4, "vcpu_count": 8}
    designs = [
        {"title": title, "kind": "cloud", "spec": {"instances": [{**instance, "usd_per_h": usd}]}}
        for title, usd in (("Near", 0.4), ("Far", 0.41))
    ]
    study = alice.study(designs=designs, draws_count=0)
    stored, note = tmp_path / "a.json", tmp_path / "comment.md"
    shell.run("pull", study["slug"], "-o", stored)
    document = json.loads(stored.read_text("utf-8"))
    document["study"]["designs"][0]["spec"]["instances"][0]["usd_per_h"] = 0.42
    changed = tmp_path / "b.json"
    changed.write_text(json.dumps(document), "utf-8")
    asked = ("check", changed, "--against", study["slug"], "--limit", "10%", "--comment", note)
    assert shell.run(*asked) == 1
    assert note.read_text("utf-8").startswith("### Capacity plan: fails: the verdict changes\n")


@pytest.mark.parametrize("place", ["study", "designs"])
def test_a_field_of_a_file_that_is_not_known_is_refused_and_not_dropped(
    alice: Planner, shell: Shell, tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    study = rented(alice)
    stored = tmp_path / "a.json"
    shell.run("pull", study["slug"], "-o", stored)
    document = json.loads(stored.read_text("utf-8"))
    held = document["study"] if place == "study" else document["study"]["designs"][0]
    held["workload_typo"] = {}
    stored.write_text(json.dumps(document), "utf-8")
    for asked in (("push", stored, "--study", study["id"]), ("compare", stored)):
        capsys.readouterr()
        assert shell.run(*asked) == 2
        assert "workload_typo: This field is not known here" in capsys.readouterr().err


def test_a_file_of_an_older_shape_does_not_replace_a_study(
    alice: Planner, shell: Shell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = rented(alice)
    stored = tmp_path / "a.json"
    shell.run("pull", study["slug"], "-o", stored)
    document = json.loads(stored.read_text("utf-8"))
    document["study"]["params_version"] -= 1
    stored.write_text(json.dumps(document), "utf-8")
    assert shell.run("push", stored, "--study", study["id"]) == 2
    assert "The file has an older shape" in capsys.readouterr().err


@pytest.mark.parametrize("limit", ["nan", "-5%", "5x", "inf"])
def test_a_limit_that_is_no_share_is_refused(
    shell: Shell, capsys: pytest.CaptureFixture[str], limit: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        shell.run("check", "a.json", "--against", "b.json", f"--limit={limit}")
    assert ended.value.code == 2
    assert "is no share" in capsys.readouterr().err


def test_a_check_is_in_the_studys_currency_and_tells_ranges_that_no_longer_fit(
    alice: Planner, shell: Shell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = rented(alice)
    currency = {"code": "EUR", "per_usd": 0.5, "as_of": "2026-07-20"}
    pointer = "/designs/A/instances/0/usd_per_h"
    ranges = [{"pointer": pointer, "low": 0.36, "high": 0.44}]
    changes = {"assumptions": {"currency": currency}, "ranges": ranges}
    assert alice.patch(f"/studies/{study['id']}", changes).status_code == 200
    stored, note = tmp_path / "a.json", tmp_path / "comment.md"
    shell.run("pull", study["slug"], "-o", stored)
    changed = with_price(stored, tmp_path / "b.json", 1.2)
    shell.run("check", changed, "--against", study["slug"], "--limit", "50%", "--comment", note)
    text = note.read_text("utf-8")
    assert "$" not in text.partition("Before:")[0]
    assert "€" in text
    assert f"{pointer} is 0.48, before 0.4, and its range is still 0.36 to 0.44" in text
    assert shell.run("compare", study["slug"]) == 0
    assert " EUR\t" in capsys.readouterr().out


def test_a_run_and_the_list_say_the_verdict(
    alice: Planner, shell: Shell, capsys: pytest.CaptureFixture[str]
) -> None:
    study = rented(alice)
    run = alice.post("/runs", {"study": study["id"]}).json()
    work_off(alice, run)
    for asked in (("run", study["slug"]), ("compare", study["slug"]), ("list",)):
        assert shell.run(*asked) == 0
        assert study["verdict"]["headline"].replace("**", "") in capsys.readouterr().out


def test_refusals_are_words_and_the_code_2(
    alice: Planner, shell: Shell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert shell.run("compare", "no-such-study") == 2
    assert "There is no file and no study 'no-such-study'" in capsys.readouterr().err
    wrong = tmp_path / "wrong.json"
    wrong.write_text("[1]", "utf-8")
    assert shell.run("compare", wrong) == 2
    study = alice.study(designs=[])
    assert shell.run("compare", study["slug"]) == 2
    assert "/designs" in capsys.readouterr().err


def test_the_package_names_its_command() -> None:
    import tomllib

    project = tomllib.loads((FOLDER / "pyproject.toml").read_text("utf-8"))["project"]
    module, _, name = project["scripts"]["ampacity"].partition(":")
    assert callable(getattr(import_module(module), name))
    assert module in sys.modules
