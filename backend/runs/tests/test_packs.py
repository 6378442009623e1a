"""Packs of assumptions: a study follows one, leaves it by field, is offered newer versions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from capmodels.plans.document.assumptions import Assumptions
from capmodels.registry import get_model
from catalogue.fields import unit_of
from catalogue.fixture_entries import read_entries
from catalogue.kinds import PACK
from catalogue.packs import ABOUT, FIELDS
from runs.tests.test_outlooks import outlook
from studies.documents import document_get

if TYPE_CHECKING:
    from studies.tests.people import Planner

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]
RATE, PUE = "/assumptions/discount_fraction_per_year", "/assumptions/pue"
DISCOUNT = "/designs/B/negotiated_discount_fraction"


def number(value: float, **more: Any) -> dict[str, Any]:
    return {
        "value": value,
        "quality": "published",
        "source": "Treasury",
        "as_of": "2026-10-01",
        **more,
    }


VALUES = {
    "discount_fraction_per_year": number(0.11, low=0.10, high=0.12),
    "pue": number(1.9),
    "negotiated_discount_fraction": number(0.2),
    "cores_growth_fraction_per_year": number(0.0),
}


def pack(planner: Planner, **changes: Any) -> dict[str, Any]:
    body = {"slug": "finance", "title": "Finance", "values": VALUES, **changes}
    made = planner.post("/packs", body)
    assert made.status_code == 201, made.content
    found: dict[str, Any] = made.json()
    return found


def states(planner: Planner, study: dict[str, Any], query: str = "") -> dict[str, str]:
    shown = planner.get(f"/studies/{study['id']}/pack{query}").json()
    return {row["place"]: row["standing"] for row in shown["numbers"]}


@pytest.mark.decisive
def test_a_newer_version_moves_what_the_outlook_said_and_nothing_that_was_left(
    alice: Planner,
) -> None:
    first = pack(alice)
    study = alice.study(draws_count=0)
    path = f"/studies/{study['id']}"
    said = alice.get(f"{path}/outlook?pack=finance").json()
    followed = alice.post(f"{path}/pack", {"entry": "finance"})
    assert followed.status_code == 200, followed.content
    assert followed.json()["cost_usd"] == pytest.approx(said["new_cost_usd"])
    assert said["new_cost_usd"] != pytest.approx(study["cost_usd"])
    origin = followed.json()["assumptions_provenance"]["/pue"]
    assert (origin["entry"], origin["source"], origin["as_of"]) == (
        *("finance", "Treasury"),
        "2026-10-01",
    )
    assert set(states(alice, study).values()) == {"followed"}

    # One number is left knowingly.
    given = {**followed.json()["assumptions"], "pue": 1.3}
    assert alice.patch(path, {"assumptions": given}).status_code == 200
    assert states(alice, study)[PUE] == "differs"

    values = {**VALUES, "pue": number(2.0), "discount_fraction_per_year": number(0.05)}
    newer = alice.patch("/packs/finance", {"values": values}).json()
    assert (first["version"], newer["version"]) == (1, 2)
    then = {one["version"]: one["values"]["pue"]["value"] for one in newer["versions"]}
    assert then == {1: 1.9, 2: 2.0}
    assert states(alice, study)[RATE] == "newer"
    (row,) = outlook(alice)["rows"]
    assert [change["pointer"] for change in row["changes"]] == ["/discount_fraction_per_year"]
    assert row["moved"]
    taken = alice.post(f"{path}/pack", {"entry": "finance"}).json()
    assert (taken["pack_version"], taken["faults"]) == (2, [])
    assert taken["cost_usd"] == pytest.approx(row["new_cost_usd"])
    assert taken["assumptions"]["pue"] == 1.3
    assert states(alice, study)[PUE] == "differs"


def test_following_a_pack_is_undone(alice: Planner) -> None:
    pack(alice)
    study = alice.study(draws_count=0)
    path = f"/studies/{study['id']}"
    followed = alice.post(f"{path}/pack", {"entry": "finance"}).json()
    undone = alice.post(f"{path}/undo").json()
    assert (undone["pack"], undone["assumptions"]) == ("", study["assumptions"])
    again = alice.post(f"{path}/redo").json()
    assert (again["pack"], again["pack_version"]) == ("finance", 1)
    assert again["assumptions_provenance"] == followed["assumptions_provenance"]


def test_newer_prices_and_a_newer_pack_are_taken_together(alice: Planner) -> None:
    pack(alice)
    study = alice.study(draws_count=0)
    path = f"/studies/{study['id']}"
    alice.post(f"{path}/pack", {"entry": "finance"})
    alice.patch("/packs/finance", {"values": {**VALUES, "pue": number(2.0)}})
    taken = alice.post(f"{path}/prices").json()
    assert (taken["pack_version"], taken["assumptions"]["pue"]) == (2, 2.0)


def test_places_are_left_and_followed_again(alice: Planner) -> None:
    pack(alice)
    study = alice.study(draws_count=0)
    path = f"/studies/{study['id']}/pack"
    alice.post(path, {"entry": "finance", "left": [PUE, DISCOUNT]})
    assert states(alice, study) == {
        RATE: "followed",
        PUE: "differs",
        DISCOUNT: "differs",
    }
    alice.post(path, {"entry": "finance", "left": [RATE]})
    # It has the number still, but follows no more.
    assert states(alice, study)[RATE] == "same"
    assert states(alice, study)[DISCOUNT] == "followed"
    refused = alice.post(path, {"entry": "finance", "left": ["/assumptions/starts_on"]})
    assert refused.status_code == 422, refused.content
    assert alice.post(path, {"entry": "nobody"}).status_code == 404


def test_a_study_that_leaves_its_pack_keeps_the_numbers(alice: Planner) -> None:
    pack(alice)
    study = alice.study(draws_count=0)
    path = f"/studies/{study['id']}"
    followed = alice.post(f"{path}/pack", {"entry": "finance"}).json()
    left = alice.delete(f"{path}/pack").json()
    assert (left["pack"], left["cost_usd"]) == ("", followed["cost_usd"])
    origin = left["assumptions_provenance"]["/pue"]
    assert (origin["source"], origin.get("entry")) == ("Treasury", None)
    alice.patch("/packs/finance", {"values": {**VALUES, "pue": number(2.0)}})
    assert outlook(alice)["rows"][0]["changes"] == []
    assert alice.delete(f"{path}/pack").status_code == 409


def test_the_range_of_a_pack_is_that_of_the_study(alice: Planner) -> None:
    pack(alice)
    study = alice.study()
    taken = alice.post(f"/studies/{study['id']}/pack", {"entry": "finance"}).json()
    ranges = {one["pointer"]: (one["low"], one["high"]) for one in taken["ranges"]}
    assert ranges[RATE] == (0.10, 0.12)


def test_electricity_by_the_hour_has_no_one_price(alice: Planner) -> None:
    pack(alice, values={"usd_per_kwh": number(0.2), "cores_growth_fraction_per_year": number(0.1)})
    # Nor has work that is given by its use a growth.
    hourly = {"kind": "hourly", "usd_per_kwh": [0.1] * 24}
    study = alice.study(assumptions={"electricity": hourly})
    assert states(alice, study, "?entry=finance") == {}


def test_editors_use_packs_and_owners_change_them(alice: Planner, bob: Planner) -> None:
    pack(alice)
    assert alice.person
    study = bob.study(draws_count=0)
    assert bob.post(f"/studies/{study['id']}/pack", {"entry": "finance"}).status_code == 200
    assert bob.get("/packs/finance").json()["title"] == "Finance"
    tried = [
        bob.post("/packs", {"title": "His", "values": VALUES}),
        bob.patch("/packs/finance", {"title": "His"}),
        bob.delete("/packs/finance"),
        bob.patch("/catalogue/entries/finance", {"title": "His"}),
        bob.delete("/catalogue/entries/finance"),
        bob.post("/catalogue/entries", {"title": "His", "kind": PACK, "values": VALUES}),
        bob.post("/catalogue/csv", {"kind": PACK, "csv": "title,pue\nHis,1.2"}),
    ]
    assert [answer.status_code for answer in tried] == [403] * len(tried)
    done = {row["action"] for row in alice.get("/audit").json()["results"]}
    assert {"pack.create", "study.pack"} <= done


def test_a_pack_of_another_workspace_is_not_there(alice: Planner, charlie: Planner) -> None:
    pack(alice)
    study = charlie.study(draws_count=0)
    assert charlie.get("/packs/finance").status_code == 404
    assert charlie.post(f"/studies/{study['id']}/pack", {"entry": "finance"}).status_code == 404
    assert "finance" not in {one["slug"] for one in charlie.get("/packs").json()["results"]}


@pytest.mark.parametrize(
    "values",
    [
        {"idle_w": number(1.0)},
        {"pue": number(1.0, as_of="2199-01-01")},
        {"pue": {**number(1.0), "quality": "assumed"}},
        {"pue": {**number(1.0), "value": [1.0, 2.0]}},
        # No study would take these.
        {"pue": number(0.5)},
        {"tax_rate_fraction": number(1.5)},
        {"usd_per_kwh": number(-1.0)},
        {"depreciation_life_months": number(36.5)},
        {"cores_growth_fraction_per_year": number(-2.0)},
        {"negotiated_discount_fraction": number(1.0)},
    ],
)
def test_a_wrong_value_is_refused_where_it_stands(alice: Planner, values: Any) -> None:
    answer = alice.post("/packs", {"title": "X", "values": values})
    assert answer.status_code == 422, answer.content
    assert f"/values/{next(iter(values))}" in answer.json()["errors"][0]["pointer"]


def test_every_field_has_its_place_and_its_unit_in_the_plan() -> None:
    from capmodels.plans.document.cloud import Cloud
    from capmodels.plans.document.workload import Growth

    schemas = {
        "assumptions": Assumptions.model_json_schema(),
        "workload": Growth.model_json_schema(),
        "designs": Cloud.model_json_schema(),
    }
    for field in FIELDS:
        schema = schemas[field.part]
        properties = [schema, *schema.get("$defs", {}).values()]
        name = field.pointer.rpartition("/")[2]
        units = {one["properties"][name].get("unit") for one in properties
                 if name in one.get("properties", {})}  # fmt: skip
        assert unit_of(field.name) in units, (field.name, units)


def test_our_pack_is_what_a_new_study_begins_with() -> None:
    shipped = {seed.slug: seed.values for seed in read_entries() if seed.kind == PACK}
    defaults = Assumptions().model_dump(mode="json")
    for field in FIELDS:
        if field.part == "assumptions" and field.name in shipped["ampacity-defaults"]:
            value = shipped["ampacity-defaults"][field.name]["value"]
            assert value == document_get(defaults, field.pointer), field.name
    known = {field.name for field in FIELDS} | {ABOUT, "provider"}
    assert all(set(values) <= known for values in shipped.values())
    assert get_model("plans.compare")
