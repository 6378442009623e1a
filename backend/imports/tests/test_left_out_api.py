"""What a file leaves out, or is no file of: said, asked for, or refused where it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

import pytest

from capmodels.errors import ModelError
from capmodels.imports import focus
from imports.tests.test_designs_api import bill, catalogue
from imports.tests.test_imports_api import imported, upload
from jobs import kinds
from jobs.services import job_claim, job_fail

if TYPE_CHECKING:
    from accounts.testing import Person

__all__ = ["catalogue"]
pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox", "catalogue")]

RESERVED = """\
BillingCurrency,BillingPeriodStart,ChargePeriodEnd,ChargeFrequency,BilledCost,EffectiveCost,\
ListCost,ChargeCategory,ChargeDescription,PricingCategory,PricingQuantity,PricingUnit,\
ProviderName,ServiceCategory,ServiceName,RegionId,CommitmentDiscountId,CommitmentDiscountType,\
CommitmentDiscountStatus
USD,2026-09-01,2026-10-01,Usage-Based,0,8760,{listed},Usage,m5.xlarge Linux,Committed,73000,Hours,\
AWS,Compute,Amazon Elastic Compute Cloud,{region},r-1,Reservation,Used
USD,2026-09-01,2027-09-01,One-Time,105120,0,0,Purchase,Reserved instances m5.xlarge,,1,1,\
AWS,Compute,Amazon Elastic Compute Cloud,{region},r-1,Reservation,
"""


@pytest.mark.parametrize("listed", ["0", "", "8760"])
def test_machines_without_a_list_price_are_not_free_once_their_commitment_ends(
    alice: Person, listed: str
) -> None:
    data = RESERVED.format(listed=listed, region="us-east-1").encode()
    found = imported(alice, data)
    said = {"designs": [{"option": "same", "term_months": 36}]}
    draft = alice.post(f"imports/{found['id']}/draft", said)
    assert draft.status_code == 200, draft.content
    assert any("catalogue's on-demand prices" in one for one in draft.json()["open_points"])
    made = alice.post(f"imports/{found['id']}/accept", said).json()
    study = alice.get(f"studies/{made['study_id']}").json()
    (line,) = study["baseline"]["lines"]
    assert line["after_usd_per_h"] == pytest.approx(0.192)
    assert "catalogue" in study["baseline_provenance"]["/lines/0/after_usd_per_h"]["source"]
    assert study["assumptions"]["starts_on"] == "2026-09-01"
    assert study["faults"] == []
    # The plan of purchases keeps what is reserved until it ends, as much as the catalogue says.
    asked = alice.get(f"studies/{study['id']}/purchase-plan").json()["params"]
    (held,) = asked["held_commitments"]
    assert held["committed_count"] == pytest.approx(line["count"] * line["busy_cores_count"])
    assert held["until_month"] == 12


def test_a_price_that_nobody_holds_is_asked_for_before_there_is_a_verdict(alice: Person) -> None:
    data = RESERVED.format(listed="0", region="mars-1").encode()
    found = imported(alice, data)
    draft = alice.post(f"imports/{found['id']}/draft", {"designs": [{"option": "owned"}]})
    assert draft.status_code == 200, draft.content
    assert any("There is no verdict until then" in one for one in draft.json()["open_points"])
    made = alice.post(f"imports/{found['id']}/accept", {}).json()
    study = alice.get(f"studies/{made['study_id']}").json()
    faults = {fault["pointer"] for fault in study["faults"]}
    assert "/baseline/lines/0/after_usd_per_h" in faults
    assert study["verdict"] is None


def test_rows_that_are_left_out_are_in_the_headline_and_seen_before_they_are(
    alice: Person,
) -> None:
    lines = focus.IMPORTER.sample().decode().rstrip("\n").split("\n")
    found = imported(
        alice, "\n".join([*lines, lines[1] + ",one,too,many", "USD,2026-09-01"]).encode()
    )
    assert found["preview"]["unread_rows_count"] == 2
    assert found["preview"]["headline"].endswith("2 rows not read whole, see below.")
    refused = alice.post(f"imports/{found['id']}/accept", {})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == "/without_unread_rows"
    taken = alice.post(f"imports/{found['id']}/accept", {"without_unread_rows": True})
    assert taken.status_code == 201


def test_an_amount_that_is_none_is_not_taken_for_nothing_without_a_word(alice: Person) -> None:
    data = focus.IMPORTER.sample().decode().replace("138.24", "seven", 1).encode()
    found = imported(alice, data)
    assert found["preview"]["unread_rows_count"] == 1
    refused = alice.post(f"imports/{found['id']}/accept", {})
    assert [fault["pointer"] for fault in refused.json()["errors"]] == ["/without_unread_rows"]


@pytest.mark.parametrize(
    ("said", "pointer"),
    [
        ({"region": "eu-west-1"}, "/region"),
        ({"provider": "aws"}, "/provider"),
        ({"designs": [{"option": "owned"}, {"option": "fewer"}]}, "/designs/1/option"),
        ({"designs": [{"option": "by_use"}]}, "/designs/0/option"),
        ({"designs": [{"option": "aws", "region": "atlantis"}]}, "/designs/0/region"),
    ],
)
def test_what_is_of_another_kind_of_file_is_refused_at_its_field(
    alice: Person, said: dict[str, Any], pointer: str
) -> None:
    found = imported(alice, focus.IMPORTER.sample())
    for step in ("draft", "accept"):
        refused = alice.post(f"imports/{found['id']}/{step}", said)
        assert refused.status_code == 422, refused.content
        assert [fault["pointer"] for fault in refused.json()["errors"]] == [pointer]


def test_a_design_of_a_bill_is_rented_where_it_is_asked_for(alice: Person) -> None:
    found = imported(alice, bill(1))
    said = {"designs": [{"option": "aws", "region": "eu-west-1"}]}
    made = alice.post(f"imports/{found['id']}/accept", said).json()
    (design,) = alice.get(f"studies/{made['study_id']}").json()["designs"]
    assert design["spec"]["region"] == "eu-west-1"


def test_a_file_that_could_not_be_read_says_so_when_a_draft_is_asked_for(alice: Person) -> None:
    asked = upload(alice, b"just a sentence\n")
    job = job_claim(job_id=UUID(asked["id"]), workspace_id=alice.workspace_id)
    assert job
    with pytest.raises(ModelError) as refusal:
        kinds.perform(job, lambda _fraction, _message: None)
    job_fail(job, str(refusal.value))
    refused = alice.post(f"imports/{asked['id']}/draft", {})
    assert refused.status_code == 409
    assert "no table" in refused.json()["detail"]
