"""No sentence of the framework reaches who sends a value that cannot be, whatever the address."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from common import throttling
from common.gate import Gate, Limits
from common.schema import schema_json
from runs.tests.test_refusals import filled, operation_is_of_a_link

if TYPE_CHECKING:
    from collections.abc import Iterator

    from studies.tests.people import Planner

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]

JSON = "application/json"
# As Django, DRF and pydantic word what they refuse.
THEIRS = re.compile(
    r"Ensure (this|that)|may not be|[Aa] valid |Not a valid|Must be |Expected a"
    r"|This field (is required|may|must|cannot)|has wrong format|could not be decoded"
    r"|Invalid (data|pk|value)|is not a valid|should be|should have at|Field required"
    r"|Extra inputs|Value error|unable to parse|parse error|Unsupported"
)
WRONG: tuple[Any, ...] = (None, "", "x" * 6_000, -1.5, True, [[]], {"a": None})


def bodies() -> Iterator[tuple[str, str, set[str]]]:
    """Each address that takes a document, with the fields of it."""
    schema: Any = orjson.loads(schema_json())
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            content = operation.get("requestBody", {}).get("content", {}).get(JSON)
            if not content or operation_is_of_a_link(path):
                continue
            name = content["schema"].get("$ref", "").rpartition("/")[2]
            fields = schema["components"]["schemas"].get(name, {}).get("properties", {})
            yield method.upper(), path, set(fields)


def test_no_address_answers_in_the_words_of_the_framework(
    alice: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttling, "USUAL", Gate(Limits(inside_max=9, running_max=9, cpu_per_s=9)))
    held = alice.study(draws_count=0)
    ids = {"{study_id}": held["id"], "{design_id}": held["designs"][0]["id"]}
    theirs, refused = [], set()
    for method, path, fields in bodies():
        address = path
        for name, value in ids.items():
            address = address.replace(name, value)
        if address.endswith(("/session", "/leave")):
            continue
        for body in ([], *(dict.fromkeys(fields, wrong) for wrong in WRONG)):
            answer = alice.client.generic(
                method, filled(address), json.dumps(body), content_type=JSON
            )
            assert answer.status_code < 500, (method, path, body)
            if answer.status_code in {400, 422}:
                refused.add((method, path))
                problem = answer.json()
                told = [problem["detail"], *(fault["message"] for fault in problem["errors"])]
                theirs += [(path, sentence) for sentence in told if THEIRS.search(sentence)]
    assert theirs == []
    assert len(refused) > 40, "the walk reaches most of what takes a document"
