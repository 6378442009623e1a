"""The pages of papers are drawn from the declared checks, all of which have a place there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from capmodels import registry, spec
from capmodels.errors import UnknownModel
from capmodels.papers import (
    PAPERS,
    checks_in,
    errors_of,
    figure_of,
    get_paper,
    papers_behind,
    papers_of,
    run_of,
)

if TYPE_CHECKING:
    from capmodels.papers import Paper

every_paper = pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.id)


def checks_of(paper: Paper) -> list[tuple[spec.AnyModel, spec.Check]]:
    models = ((registry.get_model(model), ids) for model, ids in paper.drawn.items())
    return [(m, next(c for c in m.checks if c.id == one)) for m, ids in models for one in ids]


@every_paper
def test_what_is_drawn_are_numbers_of_the_paper_in_one_unit(paper: Paper) -> None:
    drawn = checks_of(paper)
    assert len({check.unit for _, check in drawn}) == 1
    assert all(isinstance(check.published, int | float) for _, check in drawn)
    assert all(check.id in checks_in(paper)[model.id] for model, check in drawn)
    assert len({check.title for _, check in drawn}) == len(drawn)
    assert not any(check.title.startswith("The same") for _, check in drawn)


def test_a_source_that_names_a_paper_has_one_page() -> None:
    for model in registry.all_models():
        for check in model.checks:
            pages = [paper.id for paper in PAPERS if paper.has(model, check)]
            named = [paper.id for paper in PAPERS if paper.is_cited(check.source)]
            assert len(pages) == bool(named), (model.id, check.id, pages)


@every_paper
def test_a_paper_opens_what_there_is(paper: Paper) -> None:
    assert all(registry.get_model(model).limits for model in paper.models)
    assert (paper.opens == "tool") == bool(paper.tool)
    assert (paper.opens == "model") == bool(paper.model)
    assert not paper.model or registry.get_model(paper.model)


def row(**changes: Any) -> dict[str, Any]:
    usual = {
        "title": "Saving",
        "kind": "predicted",
        "unit": "fraction",
        "published": 0.599,
        "ours": 0.6321,
        "in_print": 0.0005,
        "is_apart": True,
    }
    return usual | changes


def test_the_error_is_told_by_kind() -> None:
    near = row(kind="fitted", unit="W", published=50.0, ours=50.01, is_apart=False)
    predicted, fitted = errors_of([row(), near])
    assert predicted.said == (
        "1 figure that took no part in making ours, off by 3.3 percentage points, too high."
    )
    assert predicted.apart_count == 1
    assert predicted.most_off == pytest.approx(0.0331)
    assert fitted.said == "1 figure that an input was fitted to, off by less than 0.1%."


def test_what_is_further_off_than_print_allows_is_a_series_of_its_own() -> None:
    paper = get_paper("seamicro")
    figure = figure_of(paper, [row(), row(ours=0.599, is_apart=False)])
    ours, apart, printed = figure.series
    assert (ours.values, apart.values) == ((None, 0.599), (0.6321, None))
    assert (printed.role, apart.role) == ("printed", "apart")
    assert printed.low[0] == pytest.approx(0.5985)
    assert figure.title == "1 of 2 figures further off than print allows (2 predicted)"
    told = figure_of(paper, [row(is_apart=False, kind="fitted")] * 2, [row(), row(is_apart=False)])
    assert told.title == (
        "All 2 figures are met as printed (2 fitted); 1 of 2 not drawn are further off"
    )


def test_seamicro_is_apart_where_its_error_was_measured() -> None:
    paper = get_paper("seamicro")
    model = registry.get_model("performance.cluster_job")
    ids = checks_in(paper)
    rows = [spec.run_check(model, c) for c in model.checks if c.id in ids[model.id]]
    answered = run_of(paper, rows)
    assert answered["errors"][0]["apart_count"] == 4
    assert {one["id"] for one in answered["behind"]} == set(paper.models)


def test_a_source_leads_to_its_paper() -> None:
    chapter = "Huang 2006, table 2.6"
    assert papers_behind("storage.fs2", chapter) == (get_paper("fs2"),)
    assert papers_behind("memory.power_policies", chapter) == (get_paper("dram-power"),)
    assert papers_behind("cost.npv", "definition") == ()
    of_failures = papers_behind("plans.compare", "reliability.array_loss; wear is ours")
    assert [paper.id for paper in of_failures] == ["laptop-arrays", "disk-failures"]


def test_a_model_rests_on_the_papers_of_its_equations() -> None:
    assert papers_of("consolidation.servers") == (get_paper("consolidation"),)
    assert papers_of("memory.idle_capacity") == (get_paper("dram-power"),)
    assert papers_of("power.server") == ()


def test_a_paper_that_is_not_there_is_refused() -> None:
    with pytest.raises(UnknownModel):
        get_paper("none")
