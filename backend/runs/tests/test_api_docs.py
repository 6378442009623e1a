"""The examples of docs/api.md, run in their order; and no address is left out there."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from drf_spectacular.generators import SchemaGenerator

from runs.tests.work import work_off

if TYPE_CHECKING:
    from collections.abc import Iterator

    from studies.tests.people import Planner

PAGE = Path(__file__).resolve().parents[3] / "docs" / "api.md"
EXAMPLE = re.compile(r"```http\n(.+?)```\n```json (\d+) ?(\w+=\w+)?\n(.+?)```", re.DOTALL)


@dataclass(frozen=True)
class Example:
    """A request on the page, and the answer that stands below it."""

    method: str
    path: str
    headers: dict[str, str]
    body: str
    status: int
    binds: str
    answer: str


def examples() -> Iterator[Example]:
    for request, status, binds, answer in EXAMPLE.findall(PAGE.read_text("utf-8")):
        head, _, body = request.partition("\n\n")
        first, *lines = head.strip().split("\n")
        method, path = first.split(" ")
        headers = dict(line.split(": ", 1) for line in lines)
        yield Example(method, path, headers, body, int(status), binds, answer)


def holds(shown: Any, real: Any) -> bool:
    """Whether all that the page shows is in the real answer; the page may show less."""
    if isinstance(shown, dict):
        return isinstance(real, dict) and all(
            key in real and holds(value, real[key]) for key, value in shown.items()
        )
    if isinstance(shown, list):
        return (
            isinstance(real, list)
            and (len(shown) <= len(real) if shown else not real)
            and all(map(holds, shown, real))
        )
    return bool(shown == real)


def ask(planner: Planner, example: Example, names: dict[str, str]) -> Any:
    def filled(text: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda name: names.get(name[1], name[0]), text)

    response = planner.client.generic(
        example.method,
        filled(example.path),
        filled(example.body).encode(),
        content_type="application/json",
        headers=example.headers,
    )
    assert response.status_code == example.status, (example, response.content)
    answer = response.json()
    assert holds(json.loads(filled(example.answer)), answer), (example, answer)
    if example.binds:
        name, _, key = example.binds.partition("=")
        names[name] = answer[key]
    return answer


@pytest.mark.db
def test_the_examples_of_the_page_are_true(alice: Planner) -> None:
    names: dict[str, str] = {}
    count = 0
    for example in examples():
        answer = ask(alice, example, names)
        count += 1
        if example.path == "/api/v1/runs" and answer["state"] == "queued":
            work_off(alice, answer)
    assert count > 15


def test_every_address_is_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    # The page names ids as it binds them, such as {study} for {study_id}.
    known = re.sub(r"\{\w+\}", "{}", page)
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]  # untyped in its package
    missing = [path for path in schema["paths"] if re.sub(r"\{\w+\}", "{}", path) not in known]
    assert missing == []
