"""What schemas tell forms beside the fields holds for the fields that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from capmodels import registry
from capmodels.forms import named, shown_when
from capmodels.storage.array import ArrayParams
from capmodels.tests.schemas import fields

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.decisive


def test_names_of_choices_are_of_every_choice() -> None:
    for model in registry.all_models():
        for field in fields(model, "params"):
            if "choices" in field.schema:
                known = field.schema.get("enum", [field.schema.get("const")])
                assert set(field.schema["choices"]) == set(known), str(field)


def test_no_title_is_a_currency_which_is_the_study_s() -> None:
    titles = {
        str(field): field.schema.get("title", "")
        for model in registry.all_models()
        for side in ("params", "result")
        for field in fields(model, side)
    }
    assert not [at for at, title in titles.items() if title.lower().startswith("usd")]


def test_ways_to_other_fields() -> None:
    hint = shown_when(up__drive__standby=True, kind=("raid5", "raid6"))
    assert hint == {"shown_when": {"../drive/standby": True, "kind": ["raid5", "raid6"]}}
    assert shown_when(sizes=False) == {"shown_when": {"sizes": False}}
    assert named(raid5="RAID-5") == {"choices": {"raid5": "RAID-5"}}


def _objects(whole: dict[str, Any], part: dict[str, Any]) -> list[dict[str, Any]]:
    """Every class that a schema may stand for."""
    if "$ref" in part:
        return [whole["$defs"][part["$ref"].rsplit("/", 1)[1]]]
    cases = [*part.get("anyOf", []), *part.get("oneOf", [])]
    return [part] if not cases else [found for case in cases for found in _objects(whole, case)]


def _conditions(
    whole: dict[str, Any], path: list[dict[str, Any]]
) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Every way with the fields that it leads to."""
    for part in path[-1].get("properties", {}).values():
        for way in part.get("shown_when", {}):
            steps = way.split("/")
            ups = steps.count("..")
            found = [path[-1 - ups]]
            for step in steps[ups:]:
                held = [cls["properties"][step] for cls in found if step in cls["properties"]]
                found = [cls for each in held for cls in _objects(whole, each)]
            yield way, found
        for cls in _objects(whole, part):
            yield from _conditions(whole, [*path, cls])


def test_a_field_depends_on_fields_that_are_there() -> None:
    whole = ArrayParams.model_json_schema()
    found = list(_conditions(whole, [whole]))
    assert {"../drive/standby", "layout/kind", "failed_disk_count"} <= {way for way, _ in found}
    assert all(fields for _, fields in found)
