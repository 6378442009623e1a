"""Designs proposed from a bill or an inventory are held to the like-for-like check."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from capmodels.imports import rvtools
from capmodels.plans.check.registry import RULES
from capmodels.plans.document.study import StudySpec
from capmodels.registry import get_model
from capmodels.spec import validate
from catalogue.testing import shipped_load
from imports.tests.test_designs_api import ALL, SAME, bill
from imports.tests.test_imports_api import imported
from studies.documents import PLAN
from studies.selectors import study_document, study_get

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox", "catalogue")]

CLOUDS: list[dict[str, Any]] = [
    {"option": "aws", "term_months": 36},
    {"option": "azure", "term_months": 12},
    {"option": "gcp", "term_months": 0},
]
KINDS = {
    "the same, own, a mix": ALL,
    "the same and clouds": [*SAME, *CLOUDS],
    "own alone": [{"option": "owned"}],
    "all": [SAME[1], *CLOUDS, {"option": "owned"}, {"option": "hybrid"}],
}


@pytest.fixture
def catalogue(database: None) -> None:
    shipped_load()


def found(person: Person, study_id: str) -> list[tuple[int, str, str]]:
    """What each rule finds in a study exactly as it was accepted."""
    with person.workspace():
        study = validate(get_model(PLAN), study_document(study_get(UUID(study_id))))
    assert isinstance(study, StudySpec)
    return [
        (rule.number, item.pointer, item.sentence) for rule in RULES for item in rule.find(study)
    ]


@pytest.mark.parametrize("seed", [1, 2, 3, 5, 8, 13])
def test_no_rule_finds_anything_in_designs_of_a_bill(alice: Person, seed: int) -> None:
    name = [*KINDS][seed % len(KINDS)]
    row = imported(alice, bill(seed))
    accepted = alice.post(f"imports/{row['id']}/accept", {"designs": KINDS[name]})
    assert accepted.status_code == 201, accepted.content
    assert found(alice, accepted.json()["study_id"]) == [], name


def test_no_rule_finds_anything_in_designs_of_a_fleet(alice: Person) -> None:
    row = imported(alice, rvtools.sample(), "esx.xlsx")
    options = [{"option": "fleet"}, {"option": "fewer"}, *CLOUDS[:1], {"option": "owned"}]
    accepted = alice.post(f"imports/{row['id']}/accept", {"designs": options})
    assert accepted.status_code == 201, accepted.content
    study_id = accepted.json()["study_id"]
    assert found(alice, study_id) == []
    # Machines that stand are not waited for; those that are bought are, and today is paid for.
    study = alice.get(f"studies/{study_id}").json()
    lead = [one["spec"].get("lead_time_months", 0) for one in study["designs"]]
    assert lead == [0, 0, 0, 3]
    assert study["designs"][3]["spec"]["migration"]["parallel_letter"] == "T"


def test_support_is_as_billed_or_the_provider_s(alice: Person) -> None:
    text = bill(4)
    without = alice.post(f"imports/{imported(alice, text)['id']}/draft", {"designs": SAME}).json()
    bands = [one["spec"]["support"]["bands"] for one in without["designs"]]
    assert [band["fraction"] for band in bands[0]] == [0.1, 0.07, 0.05, 0.03]
    assert any("no support plan" in point for point in without["open_points"])
    cost = "500.000000"
    line = (
        f"USD,2026-09-01,{cost},{cost},{cost},Usage,Management,AWS Support (Business),"
        "AWS Support,Month,1,AWS,eu-west-1,\r\n"
    )
    row = imported(alice, text + line.encode())
    accepted = alice.post(f"imports/{row['id']}/accept", {"designs": SAME})
    study_id = accepted.json()["study_id"]
    study = alice.get(f"studies/{study_id}").json()
    for design in study["designs"]:
        assert design["spec"]["support"] == {"minimum_usd_per_month": 500.0}
        assert "Support" not in [one["name"] for one in design["spec"]["services"]]
    assert found(alice, study_id) == []
    table = alice.get(f"imports/{row['id']}/differences?letter=A").json()
    (told,) = [one for one in table["rows"] if one[0] == "Support"]
    assert told[1:3] == ["500.00", "500.00"]


def test_a_mix_is_of_the_designs_proposed_with_it(alice: Person) -> None:
    """A study that has designs already keeps its letters; the mix names the new ones."""
    first = imported(alice, bill(3))
    study_id = alice.post(f"imports/{first['id']}/accept", {"designs": SAME}).json()["study_id"]
    again = imported(alice, bill(6), "october.csv")
    options = [CLOUDS[0], {"option": "owned"}, {"option": "hybrid"}]
    said = {"study_id": study_id, "designs": options}
    accepted = alice.post(f"imports/{again['id']}/accept", said)
    assert accepted.status_code == 201, accepted.content
    study = alice.get(f"studies/{study_id}").json()
    kinds = {one["letter"]: one["kind"] for one in study["designs"]}
    mix = next(one for one in study["designs"] if one["kind"] == "hybrid")
    assert study["faults"] == []
    assert kinds[mix["spec"]["owned_letter"]] == "owned_cluster"
    assert (mix["letter"], mix["spec"]["rented_letter"]) == ("E", "C")


@pytest.mark.parametrize(("gone", "other"), [("ProviderName", ""), ("ProviderName", "Publisher")])
def test_a_bill_without_its_provider_is_of_the_one_whose_services_it_has(
    alice: Person, gone: str, other: str
) -> None:
    text = bill(7).replace(gone.encode(), b"PublisherName" if other else b"Elsewhere")
    if not other:
        text = text.replace(b",AWS,", b",,")
    row = imported(alice, text)
    accepted = alice.post(f"imports/{row['id']}/accept", {"designs": SAME})
    assert accepted.status_code == 201, accepted.content
    study = alice.get(f"studies/{accepted.json()['study_id']}").json()
    # Of a provider that is not known, plans have no price, and no design is committed.
    assert [one["spec"]["provider"] for one in study["designs"]] == ["aws", "aws"]
