"""The PDF of a run of any model: a sample; ``python -m reports.testing --runs`` takes all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from capmodels.numbers import USD, quantity
from capmodels.registry import get_model
from capmodels.spec import Context, answer, outcome_said, validate
from capmodels.tests import golden
from capmodels.told import Axis, Figure, Series, column
from jobs import kinds
from jobs.services import job_claim, job_succeed
from reports.render.checks_table import checks_shown, checks_table
from reports.render.pdf import render_run_pdf
from reports.render.run_pages import COLUMNS, ROWS, Laid, laid_out, tell
from reports.render.text import breakable
from reports.testing.pdf_reading import text_of
from reports.testing.run_rendering import inputs_of, run_findings, run_input
from reports.tests import samples as printed
from studies.tests import samples

if TYPE_CHECKING:
    from accounts.testing import Person

MODEL = "cost.npv"


@pytest.mark.parametrize("model", ["cost.commitment", "performance.kv_node_choice", "power.server"])
def test_runs_of_models_are_drawn_within_their_margins(model: str) -> None:
    spec = get_model(model)
    document = list(inputs_of(spec, 1, seed=3))[-1]
    assert run_findings(spec, document, ("letter",)) == []


def test_a_figure_further_off_than_print_allows_is_not_said_to_agree() -> None:
    known = printed.check(1) | {"outcome": "apart", "said": outcome_said("apart")}
    said = str(checks_table(checks_shown([known]), "Figure"))
    assert "off, as known" in said
    assert "holds" not in said
    assert "holds" in str(checks_table(checks_shown([printed.check(1)]), "Figure"))


def test_what_a_run_says_stands_on_its_pages() -> None:
    spec = get_model(MODEL)
    params = validate(spec, next(inputs_of(spec, 0, seed=1)))
    result = answer(spec, params, Context()).model_dump(mode="json")
    run = run_input(spec, params.model_dump(mode="json"), result)
    text = text_of(render_run_pdf(run))
    for words in (spec.title, spec.id, spec.version, run.inputs_hash, "Equations", "holds"):
        assert words in text


def test_a_layout_tells_every_value_once_and_says_what_it_leaves_out() -> None:
    number = {"type": "number", "unit": "USD", "title": "Price"}
    wide = {"properties": {f"f{place}": number for place in range(COLUMNS + 1)}}
    schema = {
        "properties": {
            "cost_usd": {"type": "number", "unit": "USD", "title": "Cost"},
            "flat": {"type": "array", "items": number, "title": "By year"},
            "grid": {"type": "array", "items": {"type": "array", "items": number}, "title": "Map"},
            "parts": {"type": "array", "items": wide, "title": "Parts"},
            "unknown": {"title": "Unknown"},
        }
    }
    part = {"name": "disk", **{f"f{place}": float(place) for place in range(COLUMNS + 1)}}
    document: dict[str, Any] = {
        "cost_usd": 12.5,
        "flat": [1.0, 3.0, 2.0],
        "grid": [[1.0, 2.0], [3.0, 4.0]],
        "parts": [part] * (ROWS + 1),
        "unknown": None,
    }
    laid = laid_out(document, schema)
    assert laid.facts == [
        {"label": "Cost", "value": "$12.50"},
        {"label": "Map", "value": "2 × 2 values, in the run’s CSV"},
    ]
    assert laid.series[0]["cells"] == ["$1", "$2", "$1", "$3"]
    first, second = laid.tables
    assert len(first["heads"]) == COLUMNS
    assert len(second["heads"]) == 1
    assert len(first["rows"]) == ROWS
    assert first["rows"][0][:2] == ["disk", "$0"]
    assert f"first {ROWS} of {ROWS + 1}" in first["note"]


def test_parts_of_parts_are_told_beside_each_other_or_counted_where_they_are_many() -> None:
    steps = {"items": {"properties": {"kwh": {"type": "number", "unit": "kWh", "title": "Energy"}}}}
    schema = {"properties": {"days": {"items": {"properties": {"steps": steps}}}}}
    few, many = ([{"kwh": 1.0}] * count for count in (2, ROWS + 1))
    told = laid_out({"days": [{"steps": few}]}, schema).tables
    assert [len(one["heads"]) for one in told] == [2]
    (counted,) = laid_out({"days": [{"steps": many}]}, schema).tables
    assert counted["rows"][0][1] == f"{ROWS + 1} rows, in the run’s CSV"


def worked_off(person: Person, asked: dict[str, Any]) -> None:
    job = job_claim(job_id=UUID(asked["id"]), workspace_id=person.workspace_id)
    assert job
    job_succeed(job, kinds.perform(job, lambda _fraction, _message: None))


@pytest.mark.db
def test_alice_gets_the_pdf_of_a_run_and_of_the_study_that_refers_to_it(alice: Person) -> None:
    spec = get_model(MODEL)
    params = next(inputs_of(spec, 0, seed=1))
    run = alice.post("runs", {"model": MODEL, "params": params}).json()
    early = alice.post("reports", {"run": run["id"]})
    assert early.status_code == 409, early.content
    worked_off(alice, run)
    asked = alice.post("reports", {"run": run["id"], "paper": "letter"})
    assert asked.status_code == 202, asked.content
    worked_off(alice, asked.json())
    ended = alice.get(f"reports/{asked.json()['id']}").json()
    assert (ended["state"], ended["run"], ended["study"]) == ("succeeded", run["id"], None)
    text = text_of(alice.get(f"reports/{ended['id']}/file").content)
    assert spec.title in text
    assert ended["inputs_hash"] in text
    # Neither both nor none, no other format, and nobody else's.
    study = alice.post("studies", samples.study()).json()
    for wrong in (
        {},
        {"run": run["id"], "study": study["id"]},
        {"run": run["id"], "format": "csv"},
    ):
        assert alice.post("reports", wrong).status_code == 422
    reference = {"run": run["id"], "tool": "nodes", "title": "What it is worth"}
    added = alice.post(f"studies/{study['id']}/tool-runs", reference)
    assert added.status_code in {200, 201}, added.content
    found = alice.get(f"studies/{study['id']}/document").json()
    for rate in (0.02, 0.1):
        found["assumptions"]["discount_fraction_per_year"] = rate
        asked = {"model": "plans.compare", "params": found, "study": study["id"]}
        worked_off(alice, alice.post("runs", asked).json())
    told = alice.post("reports", {"study": study["id"], "appendix": True}).json()
    worked_off(alice, told)
    pages = text_of(alice.get(f"reports/{told['id']}/file").content)
    assert "Results of tools" in pages
    assert "What it is worth" in pages
    runs = pages.split("Runs of this study")[-1].split("Checks of the models used")[0]
    # Runs in one burst of editing are one line, the last of them, as in the study's history.
    assert runs.count(get_model("plans.compare").version) == 1


def test_what_a_model_tells_stands_before_its_numbers() -> None:
    """Its figures drawn; tables as it words them; bars as a table; lines told by their ends."""
    axis, hours = Axis(title="Power", unit="W"), Axis(title="Time", unit="h")
    lines = Series(name="one", values=(1.0, None, 3000.0), at=(0.0, 1.0, 2.0))
    told = {
        "headline": "**a** is best.",
        "tables": [
            {
                "title": "Why",
                "columns": ["Rule", "Says"],
                "rows": [{"head": "first", "cells": ["yes"]}],
                "note": None,
            }
        ],
        "figures": [
            Figure(
                kind="stacked", name="Power", title="a draws least", along=axis, rows=("a",),
                series=(Series(name="Nodes", values=(2000.0,)),),
            ).model_dump(mode="json"),
            Figure(
                kind="lines", name="Over time", title="It rises", along=axis, across=hours,
                series=(lines,), note="As measured.",
            ).model_dump(mode="json"),
        ],
        "rest_w": 7.0,
    }  # fmt: skip
    laid = Laid(USD)
    tell(laid, told)
    assert [table["title"] for table in laid.tables] == ["Why", "a draws least"]
    assert laid.tables[0]["rows"] == [["first", "yes"]]
    assert laid.tables[1]["rows"] == [["a", breakable(quantity(2000.0, "W"))]]
    assert [one["label"] for one in laid.series] == ["Over time › one"]
    assert [chart["title"] for chart in laid.charts] == ["a draws least", "It rises"]
    assert laid.charts[1]["remark"] == "As measured."
    assert laid.charts[1]["alt"] == "It rises: Over time. one."


def test_a_replayed_day_tells_each_measure_once() -> None:
    spec = get_model("consolidation.dynamic")
    params, result = (golden.read(spec.id)[key] for key in ("params", "result"))
    text = text_of(render_run_pdf(run_input(spec, params, result)))
    answered, _inputs = text.split("Machine types")
    for measure in ("ESV", "PDM", "SLAV"):
        assert answered.count(f"{measure} ") == 1, measure
    assert "Days" not in answered
    assert "Static" not in answered


def test_numbers_of_a_figure_that_a_table_has_are_not_told_again() -> None:
    twin = [
        column("Policy", ["a", "b"]),
        column("Energy", [1.0, 2.0], "kWh"),
        column("Moves", [3, 4], "count"),
    ]
    axis = Axis(title="Energy", unit="kWh")
    figure = Figure(
        kind="points", name="Energy", title="b needs more", along=axis, across=axis,
        series=(Series(name="a", values=(1.0,), at=(1.0,)),), twin=tuple(twin),
    ).model_dump(mode="json")  # fmt: skip
    rows = [{"head": head, "cells": [f"{at} kWh"]} for at, head in enumerate("ab", start=1)]
    table = {"title": "Policies", "columns": ["Policy", "Energy"], "rows": rows, "note": None}

    def heads(**change: Any) -> list[list[str]]:
        laid = Laid(USD)
        tell(laid, {"figures": [figure], "tables": [{**table, **change}]})
        return [one["heads"] for one in laid.tables]

    assert heads() == [["Energy"], ["Moves"]]
    assert heads(columns=["Policy", "Energy", "Moves"]) == [["Energy", "Moves"]]
    assert heads(columns=["Policy", "Cost"]) == [["Cost"], ["Energy", "Moves"]]
    assert heads(rows=rows[:1]) == [["Energy"], ["Energy", "Moves"]]
