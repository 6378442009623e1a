"""The plans of purchases that examples come with."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import orjson
import pytest

from capmodels.plans.purchase.of_study import PURCHASE_PLAN, purchase_of
from capmodels.registry import get_model
from capmodels.tests.plans.documents import document
from runs.tests.plans import SLUGS
from studies.services import EXAMPLES, examples_load

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from studies.tests.people import Planner


def kept(slug: str) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads((EXAMPLES / "plans" / f"{slug}.json").read_bytes())
    return found


def leaves(value: Any, at: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict | list | tuple):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in pairs:
            yield from leaves(inner, f"{at}/{key}")
    else:
        yield at, value


@pytest.mark.parametrize("slug", SLUGS)
def test_it_is_what_the_example_asks_and_of_the_model_of_now(slug: str) -> None:
    """Where this fails, ``python -m runs.tests.plans`` answers them anew."""
    found, asked = kept(slug), purchase_of(document(slug))
    assert found["model_version"] == get_model(PURCHASE_PLAN).version
    assert tuple(found["pointers"]) == asked.pointers
    ours, now = dict(leaves(found["params"])), dict(leaves(asked.params))
    assert ours.keys() == now.keys()
    for at, value in now.items():
        if isinstance(value, float):
            assert ours[at] == pytest.approx(value, rel=1e-9), at
        else:
            assert ours[at] == value, at


@pytest.mark.db
def test_an_example_refers_to_its_plan_and_a_changed_study_says_so(
    alice: Planner, tmp_path: Path
) -> None:
    shutil.copy(EXAMPLES / "flat-estate.yaml", tmp_path)
    shutil.copytree(EXAMPLES / "plans", tmp_path / "plans")
    assert [examples_load(alice.workspace_id, tmp_path) for _ in range(2)] == [1, 0]
    (study,) = alice.get("/studies").json()["results"]
    (plan,) = alice.get(f"/studies/{study['id']}/tool-runs").json()["results"]
    assert (plan["tool"], plan["model"], plan["stale"]) == ("purchases", PURCHASE_PLAN, [])
    result = alice.get(f"/runs/{plan['run']}/result").json()["result"]
    assert result["headline"] == plan["headline"] == kept("flat-estate")["result"]["headline"]
    # Asked by hand it is the same answer, and nothing is computed.
    again = alice.post("/runs", {"model": PURCHASE_PLAN, "params": plan["params"]}).json()
    assert again["state"] == "succeeded"
    alice.patch(f"/studies/{study['id']}", {"workload": {"busy_cores_count": 900}})
    (plan,) = alice.get(f"/studies/{study['id']}/tool-runs").json()["results"]
    assert plan["stale"]


@pytest.mark.db
def test_a_plan_of_another_version_of_the_model_is_left_out(alice: Planner, tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "flat-estate.yaml", tmp_path)
    (tmp_path / "plans").mkdir()
    old = orjson.dumps({**kept("flat-estate"), "model_version": "0.1.0"})
    (tmp_path / "plans" / "flat-estate.json").write_bytes(old)
    examples_load(alice.workspace_id, tmp_path)
    (study,) = alice.get("/studies").json()["results"]
    assert alice.get(f"/studies/{study['id']}/tool-runs").json()["results"] == []
