"""The Python client is what the API's schema says, and works."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from runs.tests.work import work_off
from studies.tests import samples

if TYPE_CHECKING:
    from collections.abc import Mapping

    from studies.tests.people import Planner

FOLDER = Path(__file__).resolve().parents[3] / "clients" / "python"


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(FOLDER)
    for name in [name for name in sys.modules if name.split(".")[0] == "ampacity_client"]:
        monkeypatch.delitem(sys.modules, name)


def sender(client: Client) -> Any:
    """Send the client's requests to the application, without a network."""

    def send(
        method: str, url: str, headers: Mapping[str, str], body: bytes | None
    ) -> tuple[int, bytes]:
        response = client.generic(
            method,
            url.removeprefix("http://testserver"),
            body or b"",
            content_type=headers["Content-Type"],
            headers={key: value for key, value in headers.items() if key != "Content-Type"},
        )
        return response.status_code, response.content

    return send


def test_the_client_is_generated_from_the_schema_as_it_is(packages: None) -> None:
    generate = import_module("generate")
    schema = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]  # untyped in its package
    for name, text in generate.generate(schema).items():
        written = (FOLDER / "ampacity_client" / name).read_text("utf-8")
        assert written == text, "run clients/python/generate.py"


@pytest.mark.db
def test_a_program_creates_a_study_runs_it_and_reads_the_verdict(
    alice: Planner, packages: None
) -> None:
    module = import_module("ampacity_client")
    assert alice.person
    token = alice.person.token()["authorization"].removeprefix("Bearer ")
    ampacity = module.Ampacity("http://testserver", token, send=sender(Client()))
    study = ampacity.studies_create(samples.study(draws_count=0))
    renamed = ampacity.studies_update(study["id"], {"title": "Rent?"}, if_match='"1"')
    assert renamed["revision"] == 2
    with pytest.raises(module.Problem) as refused:
        ampacity.studies_update(study["id"], {"title": "Own?"}, if_match='"1"')
    assert (refused.value.status, refused.value.document["current"]["title"]) == (412, "Rent?")
    run = ampacity.runs_create({"study": study["id"]}, idempotency_key="once")
    ended = ampacity.wait_for_run(run["id"], sleep=lambda _s: work_off(alice, dict(run)) and None)
    assert ended["state"] == "succeeded"
    summary = ampacity.runs_result(run["id"])["summary"]
    assert summary["verdict"] == study["verdict"]
    file = ampacity.studies_export(study["id"], as_="json")
    assert ampacity.studies_import(file)["designs"][0]["spec"] == study["designs"][0]["spec"]
    titles = [card["title"] for card in ampacity.all_pages(ampacity.studies_list, limit=1)]
    assert titles == ["Rent?", "Rent?"]
