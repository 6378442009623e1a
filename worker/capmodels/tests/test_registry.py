"""What holds for every model in the registry: a new model is covered by its line there."""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import capmodels
from capmodels import registry, spec
from capmodels.errors import UnknownModel
from capmodels.measured import Measured
from capmodels.tests import golden
from capmodels.tests.schemas import Field, fields, holds_classes, lax_numbers, numbers

if TYPE_CHECKING:
    from collections.abc import Iterator

MODELS = registry.all_models()
PACKAGE_FOLDER = Path(capmodels.__file__).parent
OTHER_FOLDERS = {"tests", "formats", "explore"}
HEAVY = (
    "numba", "scipy", "pandas", "matplotlib", "typst", "ortools", "highspy", "django", "celery",
)  # fmt: skip

# Numbers that have no unit, or one that another field of the same row names.
BARE = {
    "pue", "seed", "exponent", "year", "month", "count", "fraction", "value", "each", "low", "high",
    "years", "kwh", "kgco2e", "first_month_cheaper", "commitment_end_month", "factor_year",
    "cheapest_index", "map_winners", "flips_at", "dataset_steps_per_decade",
    "query_steps_per_decade", "sector", "sectors", "zone", "cylinder", "last_cylinder", "surface",
    "track", "offset", "rank", "devices", "full_year",
    "from_month", "latest_month", "until_month", "arrives_month", "ends_month", "reached_month",
    "slipped_sectors", "slipped_tracks", "weekday_schedule", "weekend_schedule",
    # In the unit of the series that was given.
    "forecast", "range_low", "range_high", "mean_error", "naive_error",
    # Of a figure, whose axes say the units.
    "values", "at", "marks", "levels", "ticks", "base", "limit",
    # In the unit that stands beside them.
    "needed", "there",
    # Text, and places of terms.
    "formula", "formulas",
}  # fmt: skip
UNITS = {
    "w": "W", "kw": "kW", "kwh": "kWh", "h": "h", "s": "s", "years": "yr", "months": "months",
    "days": "days",
    "usd": "USD", "tb": "TB", "gb": "GB", "gib": "GiB", "mb": "MB", "mips": "MIPS", "fte": "FTE",
    "kgco2e": "kg CO2e", "ratio": "ratio", "fraction": "fraction", "count": "count",
    "exponent": "1", "bytes": "B", "ms": "ms", "us": "us", "ns": "ns", "j": "J", "nj": "nJ",
    "tokens": "tokens", "flop": "FLOP",
    "kg": "kg", "ma": "mA", "degrees": "K", "v": "V", "mib": "MiB", "rpm": "rpm", "ghz": "GHz",
}  # fmt: skip
# Counts may say of what, money per what, and energy of what.
LOOSE = {"count", "usd", "fraction", "ratio", "h", "months"}


def by_id(model: spec.AnyModel) -> str:
    return model.id


def timely(model: spec.AnyModel, *more: object) -> object:
    """A case that is slow where the model is not instant."""
    marks = () if model.instant else (pytest.mark.slow,)
    return pytest.param(model, *more, marks=marks)


every_model = pytest.mark.parametrize("model", MODELS, ids=by_id)
every_answer = pytest.mark.parametrize("model", [timely(model) for model in MODELS], ids=by_id)
every_check = pytest.mark.parametrize(
    ("model", "check"),
    [timely(model, check) for model in MODELS for check in model.checks],
    ids=lambda value: value.id if hasattr(value, "id") else str(value),
)


@cache
def answered(model_id: str) -> object:
    """The answer to a model's golden parameters, computed once for all tests that read it."""
    return golden.answer(registry.get_model(model_id), golden.read(model_id)["params"])


@pytest.mark.decisive
def test_every_model_file_is_in_the_registry() -> None:
    with_spec = {
        ".".join((capmodels.__name__, *path.relative_to(PACKAGE_FOLDER).with_suffix("").parts))
        for path in PACKAGE_FOLDER.rglob("*.py")
        if path.relative_to(PACKAGE_FOLDER).parts[0] not in OTHER_FOLDERS
        and re.search(r"^SPEC\b", path.read_text("utf-8"), re.MULTILINE)
    }
    assert with_spec == set(registry.MODEL_MODULES)


def test_the_registry_is_sorted_and_names_no_model_twice() -> None:
    assert list(registry.model_ids()) == sorted(registry.model_ids())
    assert len(registry.model_ids()) == len(registry.MODEL_MODULES)


def test_an_unknown_model_is_refused_by_name() -> None:
    with pytest.raises(UnknownModel, match=r"no model 'cost\.nothing'"):
        registry.get_model("cost.nothing")


@every_model
def test_the_id_is_the_module_path(model: spec.AnyModel) -> None:
    module = importlib.import_module(registry.module_of(model.id))
    assert module.SPEC is model
    assert model.family == model.id.split(".", maxsplit=1)[0]


@every_model
def test_a_model_says_where_it_comes_from_and_what_it_leaves_out(model: spec.AnyModel) -> None:
    assert model.citations
    assert all(citation.text for citation in model.citations)
    assert model.formulas
    assert all(formula.source for formula in model.formulas)
    assert model.limits
    assert model.title
    assert model.summary


@every_model
def test_every_number_names_its_unit(model: spec.AnyModel) -> None:
    assert not [str(field) for field in _numeric(model) if not _name_has_unit(field.name)]


@every_model
def test_every_number_s_schema_has_its_unit(model: spec.AnyModel) -> None:
    # A plan's result is large; there the name alone carries the unit.
    missing = [
        str(field)
        for field in _numeric(model)
        if None in set(numbers(field.schema))
        and field.name not in BARE
        and not (model.family == "plans" and field.side == "result")
    ]
    assert not missing


@every_model
def test_name_and_schema_say_the_same_unit(model: spec.AnyModel) -> None:
    wrong = []
    for field in _numeric(model):
        suffix = field.name.rsplit("_", 1)[-1]
        unit = UNITS.get(suffix)
        if field.name in BARE or unit is None or suffix in LOOSE or "_per_" in field.name:
            continue
        found = set(numbers(field.schema)) - {None}
        if found - {unit}:
            wrong.append(f"{field}: {found}")
    assert not wrong


@every_model
def test_every_default_has_a_source(model: spec.AnyModel) -> None:
    without = [
        str(field)
        for field in fields(model, "params")
        if _has_default(field) and "source" not in field.schema.get("default_source", {})
    ]
    assert not without


@every_model
def test_every_default_s_source_has_a_quality(model: spec.AnyModel) -> None:
    known = {"measured", "published", "recalled", "assumed", "derived"}
    for field in fields(model, "params"):
        if "default_source" in field.schema:
            assert field.schema["default_source"]["quality"] in known, str(field)


@every_model
def test_a_default_lies_in_its_range(model: spec.AnyModel) -> None:
    for field in fields(model, "params"):
        source, value = field.schema.get("default_source", {}), field.schema.get("default")
        if isinstance(value, int | float):
            assert source.get("low", value) <= value <= source.get("high", value), str(field)


@every_model
def test_schemas_are_plain_json(model: spec.AnyModel) -> None:
    json.dumps(spec.params_schema(model), allow_nan=False)
    json.dumps(spec.result_schema(model), allow_nan=False)


@every_check
def test_a_published_check_holds(model: spec.AnyModel, check: spec.Check) -> None:
    row = spec.run_check(model, check)
    assert row["ok"], f"published {row['published']}, ours {row['ours']}"
    # What was measured of data that are not shipped is of the model as it is.
    if isinstance(check.compute, Measured):
        assert check.compute.version == model.version
        assert row["measured"] == check.compute.as_of
        assert check.compute.needs in row["note"]


@every_model
def test_checks_of_a_model_have_different_names(model: spec.AnyModel) -> None:
    ids = [check.id for check in model.checks]
    assert len(ids) == len(set(ids))


def test_a_golden_file_names_its_oracle_or_says_that_it_has_none() -> None:
    tests = golden.FOLDER.parent
    for model in registry.all_models():
        oracle = golden.read(model.id)["oracle"]
        if oracle != golden.REGRESSION_ONLY:
            file, *classes, name = oracle.split("::")
            text = (tests / file).read_text("utf-8")
            assert f"def {name}(" in text, model.id
            assert all(f"class {one}:" in text for one in classes), model.id


@every_answer
def test_the_result_is_the_golden_one(model: spec.AnyModel) -> None:
    kept = golden.read(model.id)
    assert kept["version"] == model.version, "run python -m capmodels.tests.golden"
    differences = list(_differences(answered(model.id), kept["result"]))
    assert not differences, "numbers moved: raise the version, note it in CHANGELOG"


@every_model
def test_documents_of_every_past_shape_are_still_read(model: spec.AnyModel) -> None:
    assert set(model.upgrades) == set(range(1, model.params_version))
    for version in range(1, model.params_version):
        path = golden.FOLDER / f"{model.id}.params-{version}.json"
        document = json.loads(path.read_text("utf-8"))
        spec.validate(model, spec.upgrade(model, document, version))


@every_answer
def test_the_same_input_has_the_same_hash_and_answer(model: spec.AnyModel) -> None:
    params = golden.read(model.id)["params"]
    first, second = (spec.validate(model, params) for _ in range(2))
    assert spec.inputs_hash(model, first, 1) == spec.inputs_hash(model, second, 1)
    assert spec.inputs_hash(model, first, 1) != spec.inputs_hash(model, first, 2)
    assert golden.answer(model, params) == answered(model.id)


def _free_maps(schema: Any, pointer: str = "") -> Iterator[str]:
    if isinstance(schema, dict):
        if schema.get("type") == "object" and schema.get("additionalProperties", False):
            yield pointer
        for key, value in schema.items():
            yield from _free_maps(value, f"{pointer}/{key}")
    elif isinstance(schema, list):
        for index, value in enumerate(schema):
            yield from _free_maps(value, f"{pointer}/{index}")


@every_model
def test_no_input_is_a_free_map_whose_order_would_change_the_hash(model: spec.AnyModel) -> None:
    assert list(_free_maps(spec.params_schema(model))) == []


@pytest.mark.slow
def test_evaluating_every_instant_model_loads_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "import capmodels.registry\n"
        "assert 'pydantic' not in sys.modules\n"
        "from capmodels import spec\n"
        "from capmodels.tests import golden\n"
        "every = capmodels.registry.all_models()\n"
        "asked = {one.id: golden.read(one.id)['params'] for one in every\n"
        "         if one.instant and golden.path_of(one.id).exists()}\n"
        # percentiles of coded clusters are transforms on a grid of times, plans of serving arrays,
        # rented machines of a plan counted whole over the hours of all months, speeds a process
        "arrays = {'storage.cluster_code', 'serving.size', 'serving.size_map'}\n"
        "arrays |= {'performance.core_speed'}\n"
        "arrays |= {one for one in asked if one.startswith('plans.')}\n"
        "last = {one: asked.pop(one) for one in sorted(arrays)}\n"
        "for model, params in asked.items():\n"
        # draws are arrays; what is asked without any needs none
        "    if not params.get('draws_count'):\n"
        "        golden.answer(capmodels.registry.get_model(model), params)\n"
        "print('numpy' in sys.modules)\n"
        "for one, params in last.items():\n"
        "    if not params.get('draws_count'):\n"
        "        golden.answer(capmodels.registry.get_model(one), params)\n"
        f"print(sorted(set({HEAVY!r}) & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["False", "[]"]


def _numeric(model: spec.AnyModel) -> list[Field]:
    found = [*fields(model, "params"), *fields(model, "result")]
    return [field for field in found if list(numbers(field.schema))]


def _name_has_unit(name: str) -> bool:
    per = "_per_" in name or name.startswith("per_")
    return per or name in BARE or name.rsplit("_", 1)[-1] in UNITS


def _has_default(field: Field) -> bool:
    # None says that nothing was given; an object's parts have sources of their own.
    value = field.schema.get("default")
    own = isinstance(value, int | float | list) and not isinstance(value, bool)
    return own and bool(value != []) and not holds_classes(field.schema) and field.name != "seed"


def _differences(ours: object, kept: object, where: str = "") -> list[str]:
    if isinstance(ours, dict) and isinstance(kept, dict) and ours.keys() == kept.keys():
        return [
            text for key in ours for text in _differences(ours[key], kept[key], f"{where}/{key}")
        ]
    if isinstance(ours, list) and isinstance(kept, list) and len(ours) == len(kept):
        pairs = enumerate(zip(ours, kept, strict=True))
        return [
            text for i, (our, keep) in pairs for text in _differences(our, keep, f"{where}/{i}")
        ]
    if isinstance(ours, float) and isinstance(kept, float | int):
        # Other machines' mathematical functions may differ in the last bits.
        same = ours == pytest.approx(kept, rel=1e-9, abs=1e-9)
    else:
        same = ours == kept
    return [] if same else [f"{where}: {ours} was {kept}"]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.id)
def test_a_number_is_a_number_and_no_text(model: spec.AnyModel) -> None:
    """A text would hide whether its comma is a decimal mark; a boolean is no amount."""
    seen: set[type[Any]] = set()
    assert list(lax_numbers(model.params, seen)) == []
    assert seen
