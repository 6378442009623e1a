"""Own arrays proposed for stored data: coded over nodes, and shelves of RAID-6."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest

from capmodels.plans.check.rules import complete
from capmodels.registry import get_model
from capmodels.spec import validate
from catalogue.testing import shipped_load
from studies.documents import PLAN
from studies.tests.test_proposals_api import WORK, compared, proposed

if TYPE_CHECKING:
    from capmodels.plans.document.study import StudySpec
    from studies.tests.people import Planner

pytestmark = pytest.mark.db

OPTIONS: list[dict[str, Any]] = [
    {"option": "aws", "term_months": 36},
    {"option": "coded"},
    {"option": "shelves"},
]


@pytest.fixture(autouse=True)
def catalogue(database: None) -> None:
    shipped_load()


@pytest.mark.parametrize(
    "work",
    [
        {"kind": "demand", "object_tb": 1600},
        {"kind": "demand", "object_tb": 40, "archive_tb": 300},
        {"kind": "demand", "block_tb": 500, "busy_cores_count": 200, "ram_gib": 800},
        WORK,
    ],
    ids=["objects", "few objects and an archive", "blocks beside cores", "all"],
)
def test_they_carry_the_data_complete_with_what_runs_them(
    alice: Planner, work: dict[str, Any]
) -> None:
    whole = {"busy_cores_count": 0, "ram_gib": 0, **work}
    found = proposed(alice, whole, OPTIONS)
    coded, shelves = found["designs"][1:]
    code = coded["spec"]["array"]["code"]
    spread = f"{code['data_count']}+{code['parity_count']} over {code['nodes_count']}"
    assert coded["title"] == f"Own servers, data coded {spread} nodes or more"
    assert shelves["title"] == "Own servers, RAID-6 shelves"
    # Boxes and nodes that one pair of switches joins do not stand on two pairs apart.
    study = cast("StudySpec", validate(get_model(PLAN), found["document"]))
    assert [item.sentence for item in complete.find(study)] == []
    result = compared(alice, found["document"], draws_count=1000)
    for column in result["designs"]:
        assert column["carries_load"], column["shortfall"]
        assert column["competes"], (column["letter"], column["met_fraction"])
    for column in result["designs"][1:]:
        paid = {cause["cause"] for cause in column["causes"]}
        assert {"hardware", "energy", "space", "network", "staff", "software"} <= paid
        assert column["array"]["usable_tb"] >= whole.get("object_tb", whole.get("block_tb"))
        assert column["array"]["object_nines_count"] > 3
    # A cluster begins with the nodes of its code and grows by one, a shelf by its groups of drives.
    nodes, drives = (column["sizing"][-1]["groups"][-1] for column in result["designs"][1:])
    assert nodes["unit"] == "node"
    assert nodes["count"] >= code["nodes_count"] >= 9
    assert drives["unit"] in {"drive", "array"}
    for design in found["designs"][1:]:
        origins = design["provenance"]
        assert origins["/array/drive_price_usd"]["entry"] == "hdd-24tb-2026"
        assert origins["/array/enclosure/power_w"]["low"] >= 0
        roles = [group["role"] for group in design["spec"].get("node_groups", [])]
        assert design["spec"]["array"]["carries"] not in roles
        assert "compute_and_block" not in roles or design["spec"]["array"]["carries"] == "object"


def test_work_without_data_has_no_arrays_and_says_so(alice: Planner) -> None:
    work = {"kind": "demand", "busy_cores_count": 100, "ram_gib": 400}
    found = proposed(alice, work, [{"option": "coded"}, {"option": "owned"}])
    assert [design["title"] for design in found["designs"]] == ["Own servers in colocation"]
    assert found["notes"][0].endswith("the workload keeps no objects and no blocks.")


def test_a_study_gets_a_design_for_its_work_beside_those_that_it_has(
    alice: Planner, charlie: Planner
) -> None:
    work = {"kind": "demand", "busy_cores_count": 0, "ram_gib": 0, "object_tb": 1600}
    first = proposed(alice, work, OPTIONS[:1])
    parts = ("workload", "assumptions", "designs", "ranges")
    made = alice.post("/studies", {"title": "Scans", **{name: first[name] for name in parts}})
    assert made.status_code == 201, made.content
    path = f"/studies/{made.json()['id']}"
    added = alice.post(f"{path}/designs/propose", {"option": "coded"})
    assert added.status_code == 201, added.content
    design = added.json()
    assert (design["letter"], design["kind"]) == ("B", "owned_cluster")
    # What the cloud beside it takes over, and what it pays until the machines stand.
    assert design["spec"]["shortfall_letter"] == "A"
    assert design["spec"]["migration"]["parallel_letter"] == "A"
    assert "bought_ahead_fraction" not in design["spec"]
    study = alice.get(path).json()
    assert not study["faults"]
    ranged = {one["pointer"] for one in study["ranges"]}
    assert "/designs/B/array/enclosure/power_w" in ranged
    assert "/designs/B/array/drive_price_usd" not in ranged
    # No design of an option is a fault of the request, and nothing is added.
    without = alice.post(f"{path}/designs/propose", {"option": "hybrid"})
    assert without.status_code == 422
    assert without.json()["errors"][0]["message"].startswith("Own base, rented peaks: needs")
    assert len(alice.get(path).json()["designs"]) == 2
    # Nobody from elsewhere adds any.
    assert charlie.post(f"{path}/designs/propose", {"option": "coded"}).status_code == 404
    assert len(alice.get(path).json()["designs"]) == 2
