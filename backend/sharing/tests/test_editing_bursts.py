"""The runs that one burst of editing made are one row of the list, which can be opened."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from common.tenancy import workspace
from jobs.models import Job
from reports.models import Report
from reports.work import kept_runs_of
from runs.editing import PAUSE
from runs.models import Run
from sharing.models import Approval, Comment, Share

if TYPE_CHECKING:
    from studies.tests.people import Planner

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]

NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)


def runs_at(planner: Planner, study: dict[str, Any], *minutes: float, **fields: Any) -> list[str]:
    """Store a run that ended for each of these minutes after noon."""
    made = []
    with workspace(planner.workspace_id):
        for minute in minutes:
            at = NOON + timedelta(minutes=minute)
            job = Job.objects.create(
                kind="run", queue="interactive", state="succeeded", limit_s=60, submitted_at=at
            )
            given = {"model_version": "9", "params": {}, "seed": 0, "cost_usd": minute}
            given |= {"headline": "**A** is cheapest", **fields}
            made.append(
                str(
                    Run.objects.create(
                        job=job,
                        study_id=UUID(study["id"]),
                        created_at=at,
                        model_id="plans.compare",
                        params_version=1,
                        **{"inputs_hash": uuid4().hex, **given},
                    ).pk
                )
            )
    return made


def rows(planner: Planner, study: dict[str, Any], asked: str = "&folded=true") -> list[Any]:
    """Return the list page by page, three rows a page."""
    found: list[Any] = []
    cursor = ""
    while True:
        page = planner.get(f"/runs?study={study['id']}&limit=3{asked}{cursor}").json()
        found += page["results"]
        if page["next_cursor"] is None:
            return found
        cursor = f"&cursor={page['next_cursor']}"


def told(found: list[Any]) -> list[tuple[str, int, str]]:
    """Return the last run, the number of runs and the first run of each row."""
    return [
        (row["id"], row["burst"]["runs_count"], row["burst"]["first"]["id"])
        if row["burst"]
        else (row["id"], 1, row["id"])
        for row in found
    ]


@pytest.mark.decisive
def test_runs_within_ten_minutes_of_each_other_are_one_row(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    other = runs_at(alice, alice.study(draws_count=0), 1, 2)
    one, two, three, alone, late, last = runs_at(alice, study, 0, 9, 18, 30, 50, 59.9)
    found = rows(alice, study)
    assert told(found) == [(last, 2, late), (alone, 1, alone), (three, 3, one)]
    assert found[2]["burst"]["first"]["cost_usd"] == 0
    assert found[2]["burst"]["first"]["model_version"] == "9"
    opened = rows(alice, study, f"&burst={three}")
    assert [row["id"] for row in opened] == [three, two, one]
    assert {row["burst"] is None for row in opened} == {True}
    assert not {row["id"] for row in rows(alice, study, "")} & set(other)


def test_a_state_that_stood_before_is_one_row(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    (old, *_) = runs_at(alice, study, 0, 20, 40, inputs_hash="same")
    pair = runs_at(alice, study, 60, 61, inputs_hash="same")
    (other,) = runs_at(alice, study, 80, inputs_hash="same", model_version="10")
    expected = [(other, 1, other), (pair[1], 2, pair[0]), (old, 1, old)]
    assert told(rows(alice, study)) == expected


def test_the_ends_of_bursts_are_drawn_in_the_currency_of_the_newest_run(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    yen = {"assumptions": {"currency": {"code": "JPY", "per_usd": 150}}}
    runs_at(alice, study, 1, 2, 3, 30, winner="A", odds={"A": 1}, params=yen)
    page = alice.get(f"/runs?study={study['id']}&folded=true&figures=true").json()
    assert [one["name"] for one in page["figures"]] == ["Cost over time", "Odds over time"]
    assert page["figures"][0]["series"][0]["values"] == [1, 3, 30]
    title = page["figures"][0]["title"].replace("\u00a0", " ")
    assert title == "Cost of the cheapest design: ¥4.50 k, +¥4.35 k in 3 runs"
    for asked in ("", "&folded=true", "&figures=true"):
        assert "figures" not in alice.get(f"/runs?study={study['id']}{asked}").json()
    for wrong in ("maybe", "-1", "NaN", "A-B"):
        refused = alice.get(f"/runs?study={study['id']}&figures={wrong}")
        assert refused.status_code == 422
        assert refused.json()["errors"][0]["message"] == "Choose true or false."
        assert refused.json()["errors"][0]["pointer"] == "/figures"


def test_what_was_approved_shared_or_said_in_between_ends_a_burst(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    ids = runs_at(alice, study, *range(10))
    with workspace(alice.workspace_id):
        Approval.objects.create(study_id=UUID(study["id"]), run_id=UUID(ids[2]), name="Plan")
        for name in ("x", "y"):
            Share.objects.create(
                study_id=UUID(study["id"]), run_id=UUID(ids[4]), token_hash=name, expires_at=NOON
            )
        Comment.objects.create(
            study_id=UUID(study["id"]), text="Why?", created_at=NOON + timedelta(minutes=6.5)
        )
    counts = [(ids[9], 3, ids[7]), (ids[6], 2, ids[5]), (ids[4], 2, ids[3]), (ids[2], 3, ids[0])]
    assert told(rows(alice, study)) == counts


def test_another_version_and_a_run_computed_again_stand_alone(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    (old,) = runs_at(alice, study, 0, model_version="8")
    (new,) = runs_at(alice, study, 1)
    (again,) = runs_at(alice, study, 2, again_of_id=UUID(new))
    later = runs_at(alice, study, 3, 4)
    expected = [(later[1], 2, later[0]), *((one, 1, one) for one in (again, new, old))]
    assert told(rows(alice, study)) == expected


def test_a_run_that_was_computed_again_later_stands_alone(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    first, second, third = runs_at(alice, study, 0, 1, 2)
    (again,) = runs_at(alice, study, 3, again_of_id=UUID(first))
    expected = [(again, 1, again), (third, 2, second), (first, 1, first)]
    assert told(rows(alice, study)) == expected


@pytest.mark.parametrize("seed", range(3))
def test_pages_of_random_bursts_leave_out_and_repeat_nothing(alice: Planner, seed: int) -> None:
    random = Random(seed)
    study = alice.study(draws_count=0)
    minutes = sorted({round(random.uniform(0, 200), 3) for _ in range(40)})
    ids = runs_at(alice, study, *minutes)
    pause_minutes = PAUSE.total_seconds() / 60
    bursts: list[list[str]] = []
    for at, minute in enumerate(minutes):
        if not at or minute - minutes[at - 1] > pause_minutes:
            bursts.append([])
        bursts[-1].append(ids[at])
    assert told(rows(alice, study)) == [(own[-1], len(own), own[0]) for own in bursts[::-1]]
    for own in bursts:
        assert [row["id"] for row in rows(alice, study, f"&burst={own[-1]}")] == own[::-1]


def test_a_folded_list_takes_one_query_and_its_figures_one_more_and_names_its_study(
    alice: Planner,
) -> None:
    study = alice.study(draws_count=0)
    counts = []
    for minutes in ((0, 1), (30, 31, 60, 90, 91, 92)):
        runs_at(alice, study, *minutes)
        with CaptureQueriesContext(connection) as queries:
            alice.get(f"/runs?study={study['id']}&folded=true")
        counts.append(len([one for one in queries if '"runs_run"' in one["sql"]]))
    assert counts == [1, 1]
    refused = alice.get("/runs?folded=true")
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == "/study"


def test_a_burst_of_another_workspace_is_not_found(alice: Planner, charlie: Planner) -> None:
    (theirs, *_) = runs_at(charlie, charlie.study(draws_count=0), 0, 1)
    assert alice.get(f"/runs?burst={theirs}").status_code == 404


def test_a_report_has_a_line_for_each_burst_not_for_each_run(alice: Planner) -> None:
    study = alice.study()
    made = runs_at(alice, study, 0, 1, 2, 60, 61)
    with workspace(alice.workspace_id):
        asked = Report(
            study_id=UUID(study["id"]),
            model_id="plans.compare",
            with_runs=True,
            created_at=NOON + timedelta(days=1),
        )
        costs = [run.cost_usd for run in kept_runs_of(asked)]
    assert len(made) == 5
    assert costs == [61, 2]
