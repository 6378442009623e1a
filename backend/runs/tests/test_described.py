"""Every operation of the API's own description, asked by every kind of caller, by Schemathesis.

What it draws follows the schema or goes against it. No answer is an error of ours, and every
refusal has the one shape.
"""

from __future__ import annotations

import json
import warnings
from itertools import islice
from typing import TYPE_CHECKING, Any

import orjson
import pytest
import schemathesis
from django.test import Client
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode

from common import throttling
from common.gate import Gate, Limits
from common.schema import schema_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from studies.tests.people import Planner

pytestmark = [pytest.mark.db, pytest.mark.slow, pytest.mark.usefixtures("outbox")]

# One for each kind of caller; of three, other callers ask the next operation.
EVERY_CALLER = 8
# As the middleware of a real server would: these hold what HTTP does not carry.
_NOT_SENT = {"content-type", "content-length", "host", "cookie"}


@pytest.fixture
def callers(alice: Planner, charlie: Planner) -> list[Client]:
    """Nobody, a member, a stranger, and the holders of tokens of each scope."""
    assert alice.person
    scopes = [("read",), ("read", "write"), ("read", "run"), ("write",), ()]
    tokens = [Client(headers=alice.person.token(*held)) for held in scopes]
    found = [Client(), alice.client, charlie.client, *tokens]
    for client in found:
        client.raise_request_exception = False
    return found


def operations(mode: GenerationMode, every: int) -> Iterator[Any]:
    """Give one operation in so many, with what it may be asked."""
    schema = schemathesis.openapi.from_dict(orjson.loads(schema_json()))
    for found in islice(schema.get_all_operations(), None, None, every):
        operation = found.ok()  # type: ignore[union-attr]  # an operation that is wrong fails here
        yield (
            f"{operation.method.upper()} {operation.path}",
            operation.as_strategy(generation_mode=mode),
        )


def send(client: Client, case: Any) -> Any:
    body = case.body
    if body is None or type(body).__name__ == "NotSet":
        content = b""
    elif case.media_type == "application/json":
        content = json.dumps(body, default=str).encode()
    else:
        content = body if isinstance(body, bytes) else str(body).encode("utf-8", "replace")
    given_headers = {
        name: str(value).encode("latin-1", "ignore").decode("latin-1").replace("\n", "")
        for name, value in (case.headers or {}).items()
        if name.lower() not in _NOT_SENT and name.lower() != "authorization"
    }
    return client.generic(
        case.method,
        case.formatted_path,
        content,
        content_type=case.media_type or "application/json",
        query_params={key: str(value) for key, value in (case.query or {}).items()},
        headers=given_headers,
    )


@pytest.mark.parametrize(
    ("every", "examples"), [(3, 1), pytest.param(1, EVERY_CALLER, marks=pytest.mark.deep)]
)
@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE])
def test_no_operation_has_an_error_of_ours(
    callers: list[Client],
    mode: GenerationMode,
    every: int,
    examples: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    doors = Gate(Limits(inside_max=9, running_max=9, cpu_per_s=9))
    monkeypatch.setattr(throttling, "USUAL", doors)
    asked: list[int] = []
    for name, strategy in operations(mode, every):
        at = sum(asked) % len(callers)
        asked.append(ask(name, strategy, callers[at:] + callers[:at], examples))
    assert sum(asked) > 100 * examples / every


def ask(name: str, strategy: Any, callers: list[Client], examples: int) -> int:
    """Ask one operation some times, each time by another caller; return how many times."""
    answers: list[int] = []

    @seed(1)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def once(case: Any) -> None:
        answer = send(callers[len(answers) % len(callers)], case)
        answers.append(answer.status_code)
        assert answer.status_code < 500, (name, case.query, str(case.body)[:2_000])
        if answer.status_code >= 400:
            assert answer["Content-Type"] == "application/problem+json", name
            assert answer.json()["detail"], name

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            once()
        except Unsatisfiable:
            # Nothing goes against an operation that takes nothing.
            assert not answers
    return len(answers)
