"""A change that settled is kept as a run, once; what is incomplete, untouched or at work is not."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone

from common.errors import TooMany
from common.tenancy import workspace
from runs.settled import LEFT, PATIENCE, REST, is_settling, runs_keep_settled
from runs.tests.work import work_off
from studies.models import Study
from studies.services import examples_load

if TYPE_CHECKING:
    from pathlib import Path

    from studies.tests.people import Planner

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


def later() -> datetime:
    """Return a time at which a change of now has settled."""
    return timezone.now() + REST + timedelta(seconds=1)


def runs_of(planner: Planner, study: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = planner.get(f"/runs?study={study['id']}").json()["results"]
    return found


@pytest.mark.decisive
def test_each_state_that_settles_is_kept_once(alice: Planner, charlie: Planner) -> None:
    study, other = alice.study(draws_count=0), charlie.study(draws_count=0)
    assert runs_keep_settled() == 0
    assert runs_keep_settled(later()) == 2
    assert runs_keep_settled(later()) == 0
    (run,) = runs_of(alice, study)
    assert work_off(alice, run)["cost_usd"] == study["cost_usd"]
    assert len(runs_of(charlie, other)) == 1
    assert not is_settling()
    alice.patch(f"/studies/{study['id']}", {"assumptions": {"horizon_months": 12}})
    assert is_settling()
    assert runs_keep_settled() == 0
    assert runs_keep_settled(later()) == 1
    assert not is_settling()
    assert len(runs_of(alice, study)) == 2


def test_new_words_and_a_state_that_came_back_make_no_further_run(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    runs_keep_settled(later())
    alice.patch(f"/studies/{study['id']}", {"title": "Other words"})
    assert runs_keep_settled(later()) == 0
    alice.patch(f"/studies/{study['id']}", {"assumptions": {"horizon_months": 12}})
    alice.patch(f"/studies/{study['id']}", {"assumptions": study["assumptions"]})
    assert runs_keep_settled(later()) == 0


def test_a_state_that_came_back_has_the_verdict_of_its_run_again(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    address = f"/studies/{study['id']}"
    runs_keep_settled(later())
    (run,) = runs_of(alice, study)
    headline = work_off(alice, run)["headline"]
    assert alice.person is not None
    for horizon in (12, study["assumptions"].get("horizon_months", 36)):
        alice.patch(address, {"assumptions": {"horizon_months": horizon}})
    with alice.person.workspace():
        Study.objects.update(verdict={"headline": "As entered."})
    assert runs_keep_settled(later()) == 1
    assert alice.get(address).json()["verdict"]["headline"] == headline
    with alice.person.workspace():
        Study.objects.update(verdict={"headline": "As entered."})
    again = alice.post("/runs", {"study": study["id"]})
    assert again.json()["reused"] is True
    assert alice.get(address).json()["verdict"]["headline"] == headline


def test_what_is_incomplete_is_not_run(alice: Planner) -> None:
    study = alice.study(designs=[])
    assert runs_keep_settled(later()) == 0
    assert runs_of(alice, study) == []


def test_what_could_not_be_run_is_left_for_some_seconds(
    alice: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice.study(draws_count=0)
    monkeypatch.setattr("runs.settled.run_study", refuse)
    assert runs_keep_settled(later()) == 0
    assert not is_settling(later())
    assert is_settling(later() + LEFT)


def refuse(_study: object) -> None:
    message = "Too many jobs."
    raise TooMany(message, retry_after_s=1)


def test_what_could_not_be_run_for_long_is_left(alice: Planner) -> None:
    alice.study(draws_count=0)
    assert runs_keep_settled(timezone.now() + PATIENCE + timedelta(seconds=1)) == 0


def test_an_example_is_kept_once_somebody_changes_it(alice: Planner, tmp_path: Path) -> None:
    study = alice.study(draws_count=0)
    text = alice.get(f"/studies/{study['id']}/export").content
    alice.delete(f"/studies/{study['id']}")
    (tmp_path / "shown.yaml").write_bytes(text)
    examples_load(alice.workspace_id, tmp_path)
    assert runs_keep_settled(later()) == 0
    with workspace(alice.workspace_id):
        example = alice.get("/studies").json()["results"][0]
    alice.patch(f"/studies/{example['id']}", {"assumptions": {"horizon_months": 12}})
    assert runs_keep_settled(later()) == 1
