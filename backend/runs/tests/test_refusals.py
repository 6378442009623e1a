"""What no client of ours would send is refused in words, whichever address it is sent to."""

from __future__ import annotations

import base64
import errno
import random
from typing import TYPE_CHECKING, Any, NoReturn
from uuid import uuid4

import orjson
import pytest
from django.db import DataError, OperationalError
from django.urls import resolve
from psycopg.errors import DiskFull
from rest_framework.serializers import BooleanField, FloatField, IntegerField

from accounts import selectors
from accounts.services import code_create
from catalogue.testing import shipped_load
from common.schema import schema_json
from common.serializers import StrictSerializer

if TYPE_CHECKING:
    from collections.abc import Callable

    from studies.tests.people import Planner

pytestmark = pytest.mark.db


def operations() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = orjson.loads(schema_json())["paths"]
    return found


def filled(path: str) -> str:
    """Return the path with an id at each place, none of them anything's."""
    path = path.replace("{model_id}", "plans.compare").replace("{slug}", "m7a-large")
    while "{" in path:
        path = path.partition("{")[0] + str(uuid4()) + path.partition("}")[2]
    return path


def operation_is_of_a_link(path: str) -> bool:
    """Whether an address is asked with a link's own key, which a person's session is not."""
    return path.startswith("/api/v1/shared")


LISTS = sorted(
    path
    for path, methods in operations().items()
    if "cursor" in {one["name"] for one in methods.get("get", {}).get("parameters", [])}
)


def cursor_of(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def test_every_operation_knows_the_parameters_that_it_describes() -> None:
    for path, methods in operations().items():
        view = resolve(filled(path)).func.view_class()  # type: ignore[attr-defined]  # DRF sets it
        for method, operation in methods.items():
            described = {
                one["name"] for one in operation.get("parameters", []) if one["in"] == "query"
            }
            assert set(view.query_known(method.upper())) == described, (method, path)


def test_an_unknown_parameter_and_a_nul_are_refused_at_every_address(alice: Planner) -> None:
    for path, methods in operations().items():
        if "get" not in methods:
            continue
        if operation_is_of_a_link(path):
            continue
        refused = alice.client.get(f"{filled(path)}?nonsense=1")
        assert refused.status_code == 422, path
        assert refused.json()["errors"][0]["pointer"] == "/nonsense"
        for parameter in methods["get"].get("parameters", []):
            if parameter["in"] == "query":
                answer = alice.client.get(f"{filled(path)}?{parameter['name']}=a%00b")
                assert answer.status_code == 422, (path, parameter["name"])
                assert answer.json()["errors"][0]["pointer"] == f"/{parameter['name']}"


def test_a_parameter_that_must_be_there_is_asked_for_at_every_address(alice: Planner) -> None:
    asked = 0
    for path, methods in operations().items():
        if operation_is_of_a_link(path):
            continue
        for method, said in methods.items():
            names = {
                f"/{one['name']}"
                for one in said.get("parameters", [])
                if one["in"] == "query" and one.get("required")
            }
            if names:
                asked += 1
                answer = alice.client.generic(method.upper(), filled(path))
                found = {one["pointer"]: one["code"] for one in answer.json()["errors"]}
                assert found == dict.fromkeys(names, "missing"), (method, path)
    assert asked > 5


def test_a_nul_in_an_address_leads_nowhere(alice: Planner) -> None:
    assert alice.get("/catalogue/entries/a%00b").status_code == 404
    assert alice.get("/models/a%00b").status_code == 404


@pytest.fixture
def catalogue(database: None) -> None:
    shipped_load()


@pytest.mark.parametrize("path", LISTS)
@pytest.mark.usefixtures("catalogue")
@pytest.mark.decisive
def test_a_forged_cursor_is_named(alice: Planner, path: str) -> None:
    dice = random.Random(path)
    forged = ["p=x", "p=%00", "p=9e999", "p=", "o=99999999999999999999", "r=7&p=2", "r=x", "p=\xff"]
    forged += ["p=" + "9" * 5_000, "p=2026-13-45", "p=0001-01-01T00:00:00-23:59"]
    forged += ["".join(chr(dice.randrange(1, 255)) for _ in range(20)) for _ in range(20)]
    for text in forged:
        answer = alice.client.get(path, {"cursor": cursor_of(text)})
        # a list below a thing that is not there is not there either, whatever it is asked, and
        # nor is one that is the operator's alone
        hidden = "{" in path or path == "/api/v1/mail"
        assert answer.status_code in ({404} if hidden else {200, 422}), text
        if answer.status_code == 422:
            assert [fault["pointer"] for fault in answer.json()["errors"]] == ["/cursor"]


@pytest.mark.parametrize("limit", ["0", "-1", "201", "x", "9" * 5_000, "1.5", "\u0663"])
def test_a_page_size_that_is_none_is_named(alice: Planner, limit: str) -> None:
    answer = alice.client.get("/api/v1/studies", {"limit": limit})
    assert answer.json()["errors"][0]["pointer"] == "/limit"


def test_a_state_that_there_is_not_is_named(alice: Planner) -> None:
    assert alice.get("/runs?state=lost").json()["errors"][0]["pointer"] == "/state"
    assert alice.get("/runs?moved=maybe").json()["errors"][0]["pointer"] == "/moved"


def full() -> NoReturn:
    raise OperationalError from DiskFull()


def away() -> NoReturn:
    raise OperationalError


def no_room() -> NoReturn:
    raise OSError(errno.ENOSPC, "No space left on device")


def unfit() -> NoReturn:
    raise DataError


@pytest.mark.parametrize(
    ("fails", "status", "retry_after"),
    [(full, 507, None), (no_room, 507, None), (away, 503, "2"), (unfit, 422, None)],
)
def test_a_database_that_is_away_and_a_full_disk_are_told(
    alice: Planner,
    monkeypatch: pytest.MonkeyPatch,
    fails: Callable[[], NoReturn],
    status: int,
    retry_after: str | None,
) -> None:
    monkeypatch.setattr(selectors, "token_list", fails)
    answer = alice.get("/tokens")
    assert answer.status_code == answer.json()["status"] == status
    assert answer.get("Retry-After") == retry_after


def test_a_session_that_cannot_be_kept_is_told_as_well(
    alice: Planner, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert alice.person
    code = code_create(user_id=alice.person.account.user_id)
    monkeypatch.setattr("accounts.sessions.SessionStore.save", lambda *_args, **_kept: away())
    alice.client.raise_request_exception = False
    answer = alice.post("/session", {"code": code})
    assert answer.status_code == 503
    assert answer["Retry-After"] == "2"


def test_numbers_on_the_edge_of_what_can_be_written_are_no_fault_of_ours(alice: Planner) -> None:
    study = alice.study(draws_count=0)
    params = alice.get(f"/studies/{study['id']}/document").json()
    for design in params["designs"]:
        for group in design.get("node_groups", []):
            group["perf_per_core_ratio"] = 5e-324
    answer = alice.post("/evaluate", {"model": "plans.compare", "params": params})
    assert answer.status_code in {200, 422}


def test_a_word_that_a_parameter_does_not_know_is_refused_with_those_it_knows(
    alice: Planner,
) -> None:
    seen = []
    for path, methods in operations().items():
        for one in methods.get("get", {}).get("parameters", []):
            if one["in"] != "query" or "enum" not in one["schema"]:
                continue
            answer = alice.client.get(f"{filled(path)}?{one['name']}=foo")
            assert answer.status_code == 422, path
            (fault,) = answer.json()["errors"]
            assert (fault["pointer"], fault["code"]) == (f"/{one['name']}", "not_a_choice"), path
            assert one["schema"]["enum"][0] in fault["message"]
            seen.append(f"{path}?{one['name']}")
    assert "/api/v1/runs?model" in seen
    assert "/api/v1/imports/prices?provider" in seen


def test_a_kind_that_no_entry_has_is_refused_wherever_entries_are_counted(alice: Planner) -> None:
    shipped_load()
    for path in ("entries", "facets", "csv"):
        answer = alice.get(f"/catalogue/{path}?kind=foo")
        assert answer.status_code == 422, path
        assert answer.json()["errors"][0]["pointer"] == "/kind"


def test_own_entries_are_of_a_kind_that_the_catalogue_has(alice: Planner) -> None:
    shipped_load()
    value = {"value": 1.0, "quality": "measured", "source": "us"}
    own, table = {"title": "x", "values": {"idle_w": value}}, {"csv": "title\nx\n"}
    for path, sent in (("entries", own), ("csv", table)):
        answer = alice.post(f"/catalogue/{path}", {"kind": "foo", **sent})
        (fault,) = answer.json()["errors"]
        assert (fault["pointer"], fault["code"]) == ("/kind", "not_a_choice")
        assert "server" in fault["message"]


def test_text_and_a_word_are_not_taken_for_a_number_or_a_choice() -> None:
    """Of every body that an operation takes, whatever the framework would make of them."""
    asked = 0
    bodies = [StrictSerializer]
    for body in bodies:
        bodies += [one for one in body.__subclasses__() if one not in bodies]
    for body in bodies[1:]:
        for name, field in body().fields.items():
            for kind, mistaken in (
                (BooleanField, ("yes", 1, "true")),
                ((IntegerField, FloatField), ("5", True)),
            ):
                for value in mistaken if isinstance(field, kind) and not field.read_only else ():
                    asked += 1
                    sent = body(data={name: value})
                    assert not sent.is_valid(), (body, name, value)
                    assert name in sent.errors, (body, name, value)
    assert asked > 50


def test_a_study_has_a_seed_of_its_own(alice: Planner) -> None:
    study = alice.study()
    refused = alice.post("/runs", {"study": study["id"], "seed": 5})
    assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/seed"]


def test_a_change_of_nothing_is_none(alice: Planner) -> None:
    study = alice.study()
    path = f"/studies/{study['id']}"
    design = alice.post(f"{path}/designs", {"title": "A", "kind": "cloud"}).json()
    revision = alice.get(path).json()["revision"]
    for change in ({}, {"title": study["title"]}, {"workload": study["workload"]}):
        assert alice.patch(path, change).json()["revision"] == revision
    for change in ({}, {"title": "A"}, {"spec": {}}):
        same = alice.patch(f"/designs/{design['id']}", change).json()
        assert same["revision"] == design["revision"]
    assert alice.patch(path, {"title": "Another"}).json()["revision"] == revision + 1


def test_a_number_is_not_taken_for_a_text(alice: Planner) -> None:
    answer = alice.post("/studies", {"title": 5})
    assert answer.status_code == 422
    (fault,) = answer.json()["errors"]
    assert (fault["pointer"], fault["message"]) == ("/title", "Enter text.")
