"""The notebook of the Python client runs from its first cell to its last, and holds no outputs."""

from __future__ import annotations

import contextlib
import io
import json
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client

from catalogue.services import catalogue_load
from runs.tests.test_python_client import packages, sender
from runs.tests.work import work_off

if TYPE_CHECKING:
    from studies.tests.people import Planner

__all__ = ["packages"]
NOTEBOOK = Path(__file__).resolve().parents[3] / "docs" / "client.ipynb"


def code_cells() -> list[dict[str, Any]]:
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


@pytest.mark.db
@pytest.mark.usefixtures("outbox", "packages")
@pytest.mark.django_db(transaction=True, databases=["default", "identity", "owner"])
def test_every_cell_does_what_it_says(alice: Planner, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue_load()
    module = import_module("ampacity_client")

    class Worked(module.Ampacity):  # type: ignore[misc, name-defined]  # loaded by name
        """The client, to the application itself; whoever waits for a run does it."""

        def __init__(self, url: str, token: str) -> None:
            super().__init__(url, token, send=sender(Client()))

        def wait_for_run(self, run_id: str, **_given: Any) -> Any:
            work_off(alice, {"id": run_id})
            return self.runs_get(run_id)

    assert alice.person
    token = alice.person.token()["authorization"].removeprefix("Bearer ")
    monkeypatch.setenv("AMPACITY_URL", "http://testserver")
    monkeypatch.setenv("AMPACITY_TOKEN", token)
    monkeypatch.setattr(module, "Ampacity", Worked)
    told: list[str] = []
    names: dict[str, Any] = {}
    for cell in code_cells():
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec("".join(cell["source"]), names)
        told.append(out.getvalue())
    assert all(told)
    assert "USD" in told[3]
    assert "Ampacity defaults" in told[4]
    assert "Discount rate: 0.07 (followed" in told[5]
    assert "In all: " in told[6]


def test_outputs_are_not_kept() -> None:
    assert [(cell["outputs"], cell["execution_count"]) for cell in code_cells()] == [
        ([], None) for _ in code_cells()
    ]
