"""The types of the pages are made of the models' schemas."""

import pytest

from ops.api_types import openapi_of
from ops.say import Failure

BOX = {
    "title": "Box",
    "type": "object",
    "properties": {
        "title": {"type": "string", "default": "", "maxLength": 8},
        "parts": {"type": "array", "items": {"$ref": "#/$defs/Part"}},
    },
    "required": ["parts"],
    "additionalProperties": False,
    "$defs": {"Part": {"anyOf": [{"const": 1}, {"type": "null"}], "description": "One"}},
}


def test_the_classes_of_a_model_go_by_its_name_and_hold_all_fields() -> None:
    parts = openapi_of({"storage.box": {"params": BOX, "result": BOX}})["components"]["schemas"]
    box = {
        "type": "object",
        "properties": {
            "title": {"type": "string"},
            "parts": {"type": "array", "items": {"$ref": "#/components/schemas/storage.box.Part"}},
        },
        "required": ["title", "parts"],
        "additionalProperties": False,
    }
    assert parts == {
        "storage.box.Part": {"anyOf": [{"const": 1}, {"type": "null"}]},
        "storage.box.Params": box,
        "storage.box.Result": box,
    }


def test_two_shapes_of_one_name_are_refused() -> None:
    other = {**BOX, "$defs": {"Part": {"type": "string"}}}
    with pytest.raises(Failure, match=r"storage\.box\.Part has two shapes"):
        openapi_of({"storage.box": {"params": BOX, "result": other}})
