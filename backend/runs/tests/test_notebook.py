"""The notebook of the Python client runs from its first cell to its last, and holds no outputs."""

from __future__ import annotations

import contextlib
import io
import json
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from catalogue.testing import shipped_load
from runs.tests.test_python_client import client_of, packages
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
    shipped_load()
    module = import_module("ampacity_client")

    # Whoever waits for a run does it.
    ampacity = client_of(alice)
    asked = ampacity.ended

    def worked(path: str) -> Any:
        work_off(alice, {"id": path.rpartition("/")[2]})
        return asked(path)

    monkeypatch.setattr(ampacity, "ended", worked)
    monkeypatch.setenv("AMPACITY_URL", "http://testserver")
    monkeypatch.setenv("AMPACITY_TOKEN", "that of the client")
    monkeypatch.setattr(module, "Ampacity", lambda _url, _token: ampacity)
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
