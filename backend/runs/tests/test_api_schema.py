"""The API's own description: valid, typed, in words throughout, and true of real answers."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # without stubs
from openapi_spec_validator import validate
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from capmodels import registry
from capmodels.cases import start_of
from capmodels.sentences import FORMS
from common.schema import schema_json
from common.schema_models import CLASS
from studies.tests import samples

if TYPE_CHECKING:
    from collections.abc import Iterator

    from studies.tests.people import Planner

# How the code speaks of itself, which says nothing to who reads the API.
INTERNAL = re.compile(
    r"``|:class:|Serializer|serializer|queryset|Refuses fields that it does not|job's? row"
)
# Fields that hold a model's document, by what they have to hold among other things.
DOCUMENTS = {
    "spec": "DesignSpec",
    "workload": "Workload",
    "assumptions": "Assumptions",
    "baseline": "Baseline",
    "params": "ModelParams",
    "result": "ModelResult",
}


@cache
def schema() -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(schema_json())
    return found


def operations() -> Iterator[tuple[str, dict[str, Any]]]:
    for path, methods in schema()["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def properties(part: Any, place: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    if isinstance(part, list):
        for at, one in enumerate(part):
            yield from properties(one, f"{place}/{at}")
    if not isinstance(part, dict):
        return
    for name, field in part.get("properties", {}).items():
        yield name, f"{place}/{name}", field
        yield from properties(field, f"{place}/{name}")
    for key in ("items", "additionalProperties", "anyOf", "oneOf", "allOf", "prefixItems"):
        yield from properties(part.get(key), place)


def all_properties() -> list[tuple[str, str, dict[str, Any]]]:
    components = schema()["components"]["schemas"]
    return [one for name, part in components.items() for one in properties(part, name)]


def checker(component: str) -> Draft202012Validator:
    """Return what checks a document against a component, its references followed."""
    whole = Resource.from_contents(schema(), default_specification=DRAFT202012)
    known: Registry[Any] = Registry().with_resource("api", whole)
    return Draft202012Validator({"$ref": f"api#/components/schemas/{component}"}, registry=known)


def faults(component: str, document: Any) -> list[str]:
    return [
        f"{one.json_path}: {one.message[:300]}" for one in checker(component).iter_errors(document)
    ]


def test_everything_is_described_for_who_reads_the_api() -> None:
    said = {place: field.get("description", "") for _, place, field in all_properties()}
    said |= {name: part["description"] for name, part in schema()["components"]["schemas"].items()}
    for name, operation in operations():
        said[name] = operation["description"]
        said[f"{name} summary"] = operation["summary"]
        for one in operation.get("parameters", ()):
            said[f"{name} {one['name']}"] = one["description"]
    assert len(said) > 6_000
    assert [place for place, text in said.items() if not text.strip()] == []
    assert [place for place, text in said.items() if INTERNAL.search(text)] == []


def test_numbers_of_models_have_their_unit_in_words() -> None:
    fields = [field for _, _, field in all_properties() if "x-unit" in field]
    assert len(fields) > 1_000
    for field in fields:
        assert field["description"].endswith(f"[{field['x-unit']}]")


def test_no_property_is_open_and_documents_have_their_models_shape() -> None:
    words = {"type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const"}
    opened = [place for _, place, field in all_properties() if not words & set(field)]
    opened += [
        place for _, place, field in all_properties() if field.get("additionalProperties") == {}
    ]
    assert opened == []
    components = schema()["components"]["schemas"]
    own = {name for name, part in components.items() if CLASS not in part}
    for name, place, field in all_properties():
        if name not in DOCUMENTS or place.split("/")[0] not in own or place.count("/") > 1:
            continue
        refs = [one.get("$ref", "").rpartition("/")[2] for one in field.get("anyOf", ())]
        assert DOCUMENTS[name] in refs, place
    assert len(components["ModelParams"]["anyOf"]) > 70


def test_the_document_is_valid_as_openapi_and_each_component_as_json_schema() -> None:
    for part in schema()["components"]["schemas"].values():
        Draft202012Validator.check_schema(part)
    # The validator goes through every reference from everywhere: of models' classes the heads do.
    parts = schema()["components"]["schemas"]
    heads = {
        name: {"description": part["description"]} for name, part in parts.items() if CLASS in part
    }
    components = {**schema()["components"], "schemas": {**parts, **heads}}
    validate({**schema(), "components": components})


def test_every_pattern_has_a_sentence_that_names_its_form() -> None:
    wanted = {
        (field["pattern"], place)
        for _name, place, whole in all_properties()
        for field in (whole, whole.get("items", {}), *whole.get("anyOf", ()))
        if "pattern" in field
    }
    assert len(wanted) > 10
    assert sorted(one for one in wanted if one[0] not in FORMS) == []


def test_refusals_are_problem_documents_with_what_to_do() -> None:
    responses = schema()["components"]["responses"]
    for response in responses.values():
        content = response["content"]["application/problem+json"]
        assert faults("Problem", content["example"]) == []
        assert content["example"]["detail"]
    for name, operation in operations():
        assert "429" in operation["responses"], name
        assert ("401" in operation["responses"]) == bool(
            [one for one in operation["security"] if one]
        ), name
    assert set(responses["TooMany"]["headers"]) == {"Retry-After", "RateLimit", "RateLimit-Policy"}


def test_creating_says_that_it_takes_an_idempotency_key() -> None:
    named = dict(operations())
    for name in ("POST /api/v1/studies", "POST /api/v1/runs", "POST /api/v1/reports"):
        given = {one["name"] for one in named[name]["parameters"]}
        assert "Idempotency-Key" in given, name


def test_what_models_begin_with_and_check_by_is_of_their_component() -> None:
    parts = schema()["components"]["schemas"]
    inputs = {
        model: name
        for name, part in parts.items()
        for model in part.get("x-models", ())
        if f"Input of the model `{model}`" in part["description"]
    }
    models = list(registry.all_models())
    assert set(inputs) == {model.id for model in models}
    for model in models:
        begun = start_of(model)
        assert begun is None or faults(inputs[model.id], begun) == [], model.id
    assert faults("StudySpec", {"designs": []})


@pytest.mark.db
def test_real_answers_are_what_the_schema_says(alice: Planner) -> None:
    study = alice.post("/studies", samples.study(draws_count=20)).json()
    assert faults("StudyOutput", study) == []
    for name, of in (("workload", "Workload"), ("assumptions", "Assumptions")):
        assert faults(of, study[name]) == []
    for design in study["designs"]:
        assert faults("DesignSpec", design["spec"]) == []
    document = alice.get(f"/studies/{study['id']}/document").json()
    assert faults("StudySpec", document) == []
    answer = alice.post(
        "/evaluate?include=designs,break_evens,odds,rows,drawn", {"study": study["id"]}
    ).json()
    assert faults("EvaluateOutput", answer) == []
    assert faults("Summary", answer["summary"]) == []
    assert faults("Comparison", answer["result"]) == []
    assert faults("Drawn", answer["drawn"]) == []
    refused = alice.post("/studies", {"title": ""})
    assert faults("Problem", refused.json()) == []
    cards = alice.get("/studies").json()
    assert faults("PaginatedStudyCardList", cards) == []
