"""Imports over HTTP: read, looked at, accepted into a study, undone, and nobody else's."""

from __future__ import annotations

import gzip
import io
import random
from hashlib import sha256
from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid4

import pytest

from capmodels.errors import ModelError
from capmodels.imports import aws_cur, azure_cost, focus, quote, rvtools, sacct
from capmodels.imports.registry import importers
from capmodels.imports.workbook import written
from files.models import File
from files.services import uploads_prune
from jobs import kinds
from jobs.services import job_claim, job_fail, job_succeed

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]


def upload(person: Person, data: bytes, name: str = "bill.csv") -> dict[str, Any]:
    file = io.BytesIO(data)
    file.name = name
    response = person.client.post("/api/v1/imports", {"file": file})
    assert response.status_code == 202, response.content
    found: dict[str, Any] = response.json()
    return found


def work_off(person: Person, asked: dict[str, Any]) -> dict[str, Any]:
    job = job_claim(job_id=UUID(asked["id"]), workspace_id=person.workspace_id)
    assert job
    job_succeed(job, kinds.perform(job, lambda _fraction, _message: None))
    found: dict[str, Any] = person.get(f"imports/{asked['id']}").json()
    return found


def imported(person: Person, data: bytes, name: str = "bill.csv") -> dict[str, Any]:
    return work_off(person, upload(person, data, name))


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.decisive
def test_a_dropped_bill_says_what_is_in_it(alice: Person, packed: bool) -> None:
    data = gzip.compress(focus.IMPORTER.sample()) if packed else focus.IMPORTER.sample()
    found = imported(alice, data)
    assert (found["state"], found["format"], found["version"]) == ("succeeded", "focus", "1.0")
    assert found["preview"]["totals"]["billed"] == "254.61"
    with alice.workspace():
        assert not File.objects.exists()
    (listed,) = alice.get("imports").json()["results"]
    assert "preview" not in listed


def test_a_bill_becomes_a_study_whose_baseline_costs_the_same(alice: Person) -> None:
    found = imported(alice, focus.IMPORTER.sample(), "september.csv")
    draft = alice.post(f"imports/{found['id']}/draft", {}).json()
    assert {"what": "Invoiced", "amount": "254.61"} in draft["reconciliation"]
    accepted = alice.post(f"imports/{found['id']}/accept", {"title": "Our cloud"})
    assert accepted.status_code == 201, accepted.content
    study = alice.get(f"studies/{accepted.json()['study_id']}").json()
    assert study["title"] == "Our cloud"
    told = alice.get(f"imports/{found['id']}").json()["open_points"]
    assert told == draft["open_points"]
    assert any("busy" in point for point in told)
    lines = study["baseline"]["lines"]
    total = sum(x["count"] * x["hours_per_month"] * x["usd_per_h"] for x in lines)
    # usage and what was not used of the plan; tax, credit and refund stand apart
    monthly = 138.24 + 83.52 + 3.6 + 23
    assert total + study["baseline"]["other_usd_per_month"] == pytest.approx(monthly, abs=0.005)
    origin = study["workload_provenance"]["/object_tb"]
    assert origin["source"].startswith("september.csv, Sep 2026")
    again = alice.post(f"imports/{found['id']}/accept", {})
    assert again.status_code == 409


def test_a_fleet_becomes_the_work_of_a_study_and_what_it_draws_its_baseline(alice: Person) -> None:
    found = imported(alice, rvtools.sample(), "esx.xlsx")
    assert found["makes"] == "fleet"
    accepted = alice.post(f"imports/{found['id']}/accept", {})
    study = alice.get(f"studies/{accepted.json()['study_id']}").json()
    work = study["workload"]
    assert work["busy_cores_count"] == pytest.approx(64 * 0.3 + 64 * 0.5 + 32 * 0.1)
    assert work["ram_gib"] == pytest.approx(2 * 1024 * 0.6 + 256 * 0.2)
    first = study["baseline"]["lines"][0]
    assert (first["type"], first["count"]) == ("Dell R750, Xeon Gold 6338", 2)
    assert study["workload_provenance"]["/ram_gib"]["source"] == (
        "esx.xlsx, 3 hosts, vHost, rows 2 to 4"
    )


def test_every_kind_of_file_is_told_and_its_tables_can_be_drawn(alice: Person) -> None:
    known = alice.get("imports/formats").json()
    assert [one["id"] for one in known["formats"]] == [one.id for one in importers()]
    assert all(one["title"] in known["sentence"] for one in known["formats"])
    found = imported(alice, sacct.sample(), "jobs.txt")
    assert (found["makes"], found["format"]) == ("jobs", "sacct")
    (table,) = found["tables"]
    assert table["columns"][0]["title"] == "Account"
    assert table["rows"][0][0] == "physics"
    accepted = alice.post(f"imports/{found['id']}/accept", {})
    work = alice.get(f"studies/{accepted.json()['study_id']}").json()["workload"]
    # 64 cores for 12 h and 16 for 22.5 h, in the 24 h from the first start to the last end.
    assert work["busy_cores_count"] == pytest.approx((64 * 12 + 16 * 22.5) / 24)


def test_a_quote_becomes_an_entry_of_the_own_catalogue_and_is_undone(alice: Person) -> None:
    found = imported(alice, quote.sample(), "quote.xlsx")
    assert (found["makes"], found["preview"]["mapping"]["total"]) == ("quote", "Total (USD)")
    # The price of each column is taken instead, and is remembered.
    mapping = {**found["preview"]["mapping"]}
    del mapping["total"]
    said = {"mapping": mapping, "title": "Our R7625"}
    accepted = alice.post(f"imports/{found['id']}/accept", said)
    assert accepted.status_code == 201, accepted.content
    slug = accepted.json()["entry_slug"]
    values = alice.get(f"catalogue/entries/{slug}").json()["values"]
    # 45,600 less 3,800 of support, for two servers of two sockets each.
    assert values["unit_price_usd"]["value"] == pytest.approx(41_800 / 2)
    assert values["cores_per_node_count"]["value"] == 128
    assert values["ram_gib"]["value"] == 24 * 64
    assert values["ssd_tb"]["value"] == pytest.approx(4 * 3.84)
    assert values["nic_gbit_per_s"]["value"] == 50
    assert values["unit_price_usd"]["source"] == "quote.xlsx, rows 4 to 8"
    again = imported(alice, quote.sample(), "next.xlsx")
    assert "total" not in again["preview"]["mapping"]
    assert alice.post(f"imports/{found['id']}/undo", {}).status_code == 200
    assert alice.get(f"catalogue/entries/{slug}").status_code == 404


def test_a_quote_whose_columns_say_no_price_is_told(alice: Person) -> None:
    found = imported(alice, quote.sample(), "quote.xlsx")
    refused = alice.post(f"imports/{found['id']}/draft", {"mapping": {"description": "Qty"}})
    assert refused.status_code == 422, refused.content
    assert refused.json()["errors"][0]["pointer"] == "/mapping"


def test_undo_takes_the_new_study_away_again(alice: Person) -> None:
    found = imported(alice, aws_cur.IMPORTER.sample())
    study_id = alice.post(f"imports/{found['id']}/accept", {}).json()["study_id"]
    undone = alice.post(f"imports/{found['id']}/undo").json()
    assert (undone["study_id"], undone["accepted_at"]) == (None, None)
    assert alice.get(f"studies/{study_id}").status_code == 404
    assert alice.post(f"imports/{found['id']}/undo").status_code == 409


def test_undo_restores_the_study_that_took_it(alice: Person) -> None:
    before = alice.post(
        "studies", {"title": "Mine", "workload": {"kind": "demand", "object_tb": 7, "block_tb": 3}}
    ).json()
    found = imported(alice, focus.IMPORTER.sample())
    taken = alice.post(f"imports/{found['id']}/accept", {"study_id": before["id"]})
    assert taken.status_code == 201, taken.content
    study = alice.get(f"studies/{before['id']}").json()
    assert study["workload"]["block_tb"] == 3
    assert study["workload"]["object_tb"] == pytest.approx(1.073741824)
    assert study["baseline"]["title"] == "Bill of Sep 2026"
    alice.post(f"imports/{found['id']}/undo")
    after = alice.get(f"studies/{before['id']}").json()
    for name in ("workload", "workload_provenance", "baseline"):
        assert after[name] == before[name]


def test_undo_loses_nothing_that_was_changed_since(alice: Person) -> None:
    found = imported(alice, focus.IMPORTER.sample())
    study_id = alice.post(f"imports/{found['id']}/accept", {}).json()["study_id"]
    etag = alice.get(f"studies/{study_id}")["ETag"]
    changed = alice.patch(f"studies/{study_id}", {"title": "Other"}, headers={"If-Match": etag})
    assert changed.status_code == 200, changed.content
    refused = alice.post(f"imports/{found['id']}/undo")
    assert refused.status_code == 409
    assert "changed after the import" in refused.json()["detail"]


def test_another_currency_needs_its_rate_at_the_right_field(alice: Person) -> None:
    found = imported(alice, azure_cost.IMPORTER.sample())
    refused = alice.post(f"imports/{found['id']}/accept", {})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == "/per_usd"
    taken = alice.post(f"imports/{found['id']}/accept", {"per_usd": 0.92})
    assert taken.status_code == 201


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"cost": "guessed"}, "/cost"),
        ({"per_usd": -1}, "/per_usd"),
        ({"per_usd": "x"}, "/per_usd"),
        ({"study_id": "x"}, "/study_id"),
        ({"title": "t" * 201}, "/title"),
    ],
)
def test_a_wrong_option_is_told_at_its_field(
    alice: Person, body: dict[str, Any], pointer: str
) -> None:
    found = imported(alice, focus.IMPORTER.sample())
    refused = alice.post(f"imports/{found['id']}/accept", body)
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == pointer


def test_a_table_of_another_kind_fails_with_what_can_be_imported(alice: Person) -> None:
    asked = upload(alice, b"name,age\nAda,36\n")
    job = job_claim(job_id=UUID(asked["id"]), workspace_id=alice.workspace_id)
    assert job
    with pytest.raises(ModelError, match="Cloud bill in FOCUS"):
        kinds.perform(job, lambda _fraction, _message: None)
    job_fail(job, "refused")
    assert alice.post(f"imports/{asked['id']}/draft", {}).status_code == 409
    uploads_prune()
    with alice.workspace():
        assert not File.objects.exists()


def test_nobody_else_sees_an_import(alice: Person, charlie: Person) -> None:
    found = imported(alice, focus.IMPORTER.sample())
    theirs = charlie.post("studies", {"title": "Theirs"}).json()
    missing = uuid4()
    for method, path in (("get", ""), ("delete", ""), ("post", "/accept"), ("post", "/undo")):
        foreign = getattr(charlie, method)(f"imports/{found['id']}{path}")
        nowhere = getattr(charlie, method)(f"imports/{missing}{path}")
        assert foreign.status_code == nowhere.status_code == 404
        assert foreign.json()["detail"] == nowhere.json()["detail"]
    assert charlie.get("imports").json()["results"] == []
    into = alice.post(f"imports/{found['id']}/accept", {"study_id": theirs["id"]})
    assert into.status_code == 404


def test_the_same_file_is_read_once_in_a_workspace(
    alice: Person, charlie: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = imported(alice, focus.IMPORTER.sample(), "september.csv")
    assert alice.post(f"imports/{first['id']}/accept", {}).status_code == 201
    with monkeypatch.context() as patched:
        patched.setattr("capmodels.imports.registry.recognised", None)  # nothing reads it now
        again = imported(alice, focus.IMPORTER.sample(), "again.csv")
        assert (again["state"], again["file_name"]) == ("succeeded", "again.csv")
        for name in ("format", "version", "makes", "preview", "tables"):
            assert again[name] == first[name]
        with pytest.raises(TypeError):
            imported(charlie, focus.IMPORTER.sample())
        with pytest.raises(TypeError):
            imported(alice, focus.IMPORTER.sample() + b"\n")
        patched.setattr("imports.work._readers", lambda: "of another release")
        with pytest.raises(TypeError):
            imported(alice, focus.IMPORTER.sample())


def test_a_file_read_before_is_known_by_its_bytes_and_not_sent_again(
    alice: Person, charlie: Person
) -> None:
    data = focus.IMPORTER.sample()
    asked = {"sha256": sha256(data).hexdigest().upper(), "name": "again.csv"}
    assert alice.post("imports/again", asked).status_code == 404
    first = imported(alice, data, "first.csv")
    told = alice.post("imports/again", asked)
    assert told.status_code == 202, told.content
    found = work_off(alice, told.json())
    assert (found["state"], found["file_name"]) == ("succeeded", "again.csv")
    for name in ("format", "version", "makes", "preview", "tables", "bytes"):
        assert found[name] == first[name]
    assert alice.post(f"imports/{found['id']}/accept", {}).status_code == 201
    # Read otherwise, by another workspace, or of other bytes, it is to be sent.
    assert alice.post("imports/again", {**asked, "names": "hash"}).status_code == 404
    assert charlie.post("imports/again", asked).status_code == 404
    other = {"sha256": sha256(data + b" ").hexdigest()}
    assert alice.post("imports/again", other).status_code == 404
    assert alice.post("imports/again", {"sha256": "x"}).status_code == 422


def test_a_known_file_whose_reading_is_gone_has_to_be_sent(alice: Person) -> None:
    data = focus.IMPORTER.sample()
    first = imported(alice, data, "first.csv")
    told = alice.post("imports/again", {"sha256": sha256(data).hexdigest()}).json()
    assert alice.client.delete(f"/api/v1/imports/{first['id']}").status_code == 204
    with pytest.raises(ModelError, match="Send the file"):
        work_off(alice, told)


def test_a_bill_that_leaves_its_dates_open_is_read_as_is_said(alice: Person) -> None:
    data = focus.IMPORTER.sample().replace(b"2026-09-01 00:00:00", b"1/8/2026")
    with pytest.raises(ModelError, match="whether the day or the month stands first"):
        imported(alice, data)

    def sent(dates: str) -> Any:
        address = f"/api/v1/imports?name=bill.csv&dates={dates}"
        return alice.client.post(address, {"file": io.BytesIO(data)})

    for dates, month in (("day_first", "2026-08"), ("month_first", "2026-01")):
        found = work_off(alice, sent(dates).json())
        assert [row["month"] for row in found["preview"]["months"]] == [month]
    assert sent("year_first").json()["errors"][0]["pointer"] == "/dates"
    known = {"sha256": sha256(data).hexdigest(), "name": "bill.csv"}
    assert alice.post("imports/again", known).status_code == 404
    again = alice.post("imports/again", {**known, "dates": "month_first"})
    assert work_off(alice, again.json())["preview"]["months"][0]["month"] == "2026-01"


# Heads that no words know, in the order of part, quantity, price of one and of all.
_STRANGE = ("Bauteil/Typ", "x", "EK je", "EK gesamt")
_MEANT = {
    "description": "Bauteil/Typ",
    "quantity": "x",
    "unit_price": "EK je",
    "total": "EK gesamt",
}


def strange_quote(seed: int, form: str) -> tuple[bytes, float]:
    """A quote of one server under strange heads, and the price of its hardware."""
    draw = random.Random(seed)
    parts = ["PowerEdge R7625 Server", "AMD EPYC 9554 64C/128T", "64GB RDIMM", "3.84TB SSD NVMe"]
    counts = (1, 2, 12, draw.randint(1, 8))
    prices = [draw.randint(10_000, 900_000) / 100 for _ in parts]
    rows = [
        (part, count, price, round(count * price, 2))
        for part, count, price in zip(parts, counts, prices, strict=True)
    ]
    paid = sum(row[3] for row in rows)
    if form == "csv":
        return "\n".join(";".join(map(str, row)) for row in (_STRANGE, *rows)).encode(), paid
    head = (("Angebot 4711",), ("Kunde", "Beispiel"), ())
    return written({"Angebot": [*head, _STRANGE, *rows]}), paid


@pytest.mark.parametrize("form", ["csv", "xlsx"])
@pytest.mark.decisive
def test_what_strange_heads_of_a_quote_mean_is_said_once_and_remembered(
    alice: Person, charlie: Person, form: str
) -> None:
    first, paid = strange_quote(1, form)
    with pytest.raises(ModelError, match="If it is a quote, say so"):
        imported(alice, first)
    sent = alice.client.post("/api/v1/imports?kind=quote", {"file": io.BytesIO(first)})
    found = work_off(alice, sent.json())
    assert found["preview"]["columns"] == list(_STRANGE)
    assert found["preview"]["headline"] == "4 lines, of which no price is known yet."
    unsaid = alice.post(f"imports/{found['id']}/draft", {})
    assert [one["pointer"] for one in unsaid.json()["errors"]] == ["/mapping"]
    accepted = alice.post(f"imports/{found['id']}/accept", {"mapping": _MEANT})
    values = alice.get(f"catalogue/entries/{accepted.json()['entry_slug']}").json()["values"]
    assert values["unit_price_usd"]["value"] == pytest.approx(paid)
    for seed in (2, 3):
        data, paid = strange_quote(seed, form)
        again = imported(alice, data)
        assert again["preview"]["mapping"] == _MEANT
        assert again["preview"]["headline"] == f"4 priced lines come to {paid:,.2f} USD."
        assert len(again["tables"][0]["rows"]) == 4
        draft = alice.post(f"imports/{again['id']}/draft", {}).json()
        said = draft["entry"]["values"]["unit_price_usd"]["value"]
        assert said == pytest.approx(paid)
    # What was said last counts: the third is taken with another meaning of its columns.
    changed = {name: head for name, head in _MEANT.items() if name != "total"}
    assert alice.post(f"imports/{again['id']}/accept", {"mapping": changed}).status_code == 201
    last = imported(alice, strange_quote(4, form)[0])
    assert last["preview"]["mapping"] == changed
    with pytest.raises(ModelError, match="of no kind"):
        imported(charlie, data)
    wrong = alice.client.post("/api/v1/imports?kind=bill", {"file": io.BytesIO(first)})
    assert wrong.json()["errors"][0]["pointer"] == "/kind"
