"""Every check names what it tests, and breaks when that is moved by a tenth."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, get_args

import pytest
from pydantic import BaseModel

from capmodels import registry, spec
from capmodels.in_print import left_out, numbers_printed
from capmodels.measured import Measured
from capmodels.performance import kv_node_choice
from capmodels.performance.kv_node_catalogue import PAPER_NODES, NodeType
from capmodels.tests.moving import LESS, MORE, moved, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator

ROWS = [
    pytest.param(
        model,
        check,
        id=f"{model.id}-{check.id}",
        marks=() if model.instant else (pytest.mark.slow,),
    )
    for model in registry.all_models()
    for check in model.checks
]
every_row = pytest.mark.parametrize(("model", "check"), ROWS)


@every_row
def test_a_check_names_what_it_tests(model: spec.AnyModel, check: spec.Check) -> None:
    module, path = place_of(check.tests)
    held = getattr(module, path[0])
    # What is private and answers is the check's own way to its figure, not what it is there for.
    assert not (isinstance(held, FunctionType) and path[0].startswith("_")), check.tests
    if path[1:]:
        assert path[1] in dir(held) or path[1] in held.model_fields, check.tests


@pytest.mark.parametrize(
    ("model", "check"),
    # of what is simulated a check takes up to seconds, twice
    [
        row if not row.marks else pytest.param(*row.values, id=row.id, marks=pytest.mark.deep)
        for row in ROWS
    ],
)
def test_a_check_breaks_when_that_is_moved_by_a_tenth(
    model: spec.AnyModel, check: spec.Check
) -> None:
    if isinstance(check.compute, Measured):
        pytest.skip("its data are not shipped")
    found = []
    for by in (MORE, LESS):
        with moved(check.tests, by):
            row = spec.run_check(model, check)
        found.append((row["ours"], row["ok"]))
        if not row["ok"] and row["ours"] is not None:
            return
    raise AssertionError(f"{check.tests}: {found}, published {check.published}")


@every_row
def test_a_published_figure_is_the_printed_one(model: spec.AnyModel, check: spec.Check) -> None:
    if check.basis != "published" or isinstance(check.published, bool | str):
        return
    assert check.as_printed
    told = left_out(check.as_printed, check.published)
    assert told is not None, f"{check.as_printed} is not {check.published}"
    assert check.wider or check.tolerance <= told * 1.000001, (
        f"{check.as_printed}: {check.tolerance:g} is more than what print leaves out"
    )


# Models of the six papers; what only sets the ends of a drawing is not a figure of theirs.
OF_PAPERS = (
    "cost.owned_vs_cloud",
    "cost.cluster_tco",
    "cost.batch_utilization",
    "performance.cluster_io",
    "performance.cluster_job",
    "performance.interrupt_model",
    "performance.kv_node_choice",
    "memory.power_policies_instant",
    "power.proportionality",
    "reliability.defect_patterns",
    "storage.capacity",
    "storage.disk_geometry",
    "storage.fs2",
)
DRAWN = {"rates_per_s", "dataset_low_tb", "dataset_high_tb"}
DRAWN |= {"query_rate_low_per_s", "query_rate_high_per_s"}


def _classes(model: type[BaseModel], found: dict[type[BaseModel], None]) -> None:
    if model in found:
        return
    found[model] = None
    for field in model.model_fields.values():
        for part in _parts(field.annotation):
            if isinstance(part, type) and issubclass(part, BaseModel):
                _classes(part, found)


def _parts(annotation: Any) -> Iterator[Any]:
    yield annotation
    for part in get_args(annotation):
        yield from _parts(part)


def _printed_inputs(model: spec.AnyModel) -> Iterator[str]:
    """Inputs of a model, by name, whose default a paper prints."""
    found: dict[type[BaseModel], None] = {}
    _classes(model.params, found)
    for owner in found:
        for name, field in owner.model_fields.items():
            extra: Any = field.json_schema_extra
            source = extra.get("default_source", {}) if isinstance(extra, dict) else {}
            is_number = isinstance(field.default, int | float) and not isinstance(
                field.default, bool
            )
            if source.get("quality") == "published" and is_number and field.default:
                yield f"{owner.__module__.removeprefix('capmodels.')}.{owner.__qualname__}.{name}"


def _is_noticed(model: spec.AnyModel, name: str) -> bool:
    for by in (MORE, LESS):
        with moved(name, by):
            if not all(spec.run_check(model, check)["ok"] for check in model.checks):
                return True
    return False


@pytest.mark.deep
@pytest.mark.parametrize("model_id", OF_PAPERS)
def test_every_input_that_a_paper_prints_is_noticed(model_id: str) -> None:
    model = registry.get_model(model_id)
    inputs = [one for one in _printed_inputs(model) if one.rpartition(".")[2] not in DRAWN]
    assert [name for name in inputs if not _is_noticed(model, name)] == []


@pytest.mark.deep
@pytest.mark.parametrize("node", PAPER_NODES, ids=lambda node: node.name)
@pytest.mark.parametrize("field", ["price_usd", "power_w", "rate_per_s", "capacity_gb"])
def test_every_figure_of_the_table_of_nodes_is_noticed(
    monkeypatch: pytest.MonkeyPatch, node: NodeType, field: str
) -> None:
    model = registry.get_model("performance.kv_node_choice")
    changed = node.model_copy(update={field: getattr(node, field) * LESS})
    nodes = tuple(changed if one is node else one for one in PAPER_NODES)
    monkeypatch.setattr(kv_node_choice, "PAPER_NODES", nodes)
    assert not all(spec.run_check(model, check)["ok"] for check in model.checks)


def test_the_readme_has_the_counts_of_the_kinds() -> None:
    kinds = Counter(check.kind for model in registry.all_models() for check in model.checks)
    told = (Path(__file__).parents[3] / "README.md").read_text("utf-8")
    said = ", ".join(f"{kinds[kind]} *{kind}*" for kind in get_args(spec.Kind))
    assert f"Of {kinds.total()} checks: {said}" in told


def test_numbers_are_read_as_they_are_printed() -> None:
    assert numbers_printed("$27,000") == [(27_000.0, 500.0)]
    ((value, half),) = numbers_printed("12.61%")
    assert (value, half) == pytest.approx((0.1261, 0.00005))
    assert numbers_printed("110 K") == [(110_000.0, 5_000.0)]
    assert numbers_printed("0.20") == [(0.2, 0.005)]
