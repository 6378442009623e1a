"""A study read from a bill, a fleet and a quote: each value says its file, rows and day."""

from __future__ import annotations

import csv
import io
import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from openpyxl import load_workbook

from capmodels.imports import quote
from catalogue.testing import shipped_load
from imports.tests.test_imports_api import imported
from reports.tests.test_reports_api import ask, texts_in
from reports.tests.test_reports_api import work_off as reported

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]

HEAD = (
    "BillingCurrency", "BillingPeriodStart", "BilledCost", "EffectiveCost", "ListCost",
    "ChargeCategory", "ServiceCategory", "ServiceName", "ChargeDescription", "PricingUnit",
    "PricingQuantity", "ProviderName", "RegionId",
)  # fmt: skip
KINDS = {
    "object_tb": ("Storage", "Amazon Simple Storage Service", "storage used", "GB-Months"),
    "egress_tb_per_month": ("Networking", "AWS Data Transfer", "data transfer out", "GB"),
    "": ("Databases", "Amazon Relational Database Service", "db.m5.large", "Hours"),
}


def written(head: tuple[str, ...], rows: list[list[Any]]) -> bytes:
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerows([head, *rows])
    return file.getvalue().encode()


def bill(seed: int) -> tuple[bytes, dict[str, list[tuple[int, float]]]]:
    """Rows of all kinds in any order, and which row said how much of which value."""
    draw = random.Random(seed)
    rows: list[list[Any]] = []
    said: dict[str, list[tuple[int, float]]] = {name: [] for name in KINDS}
    for row in range(2, 42):
        name = draw.choice(list(KINDS))
        amount = draw.randint(1, 9000)
        said[name].append((row, amount * 2**30 / 1e12))
        rows.append(
            ["USD", "2026-09-01", "2", "2", "2", "Usage", *KINDS[name], amount, "AWS", "eu-west-1"]
        )
    return written(HEAD, rows), said


def named_rows(text: str) -> tuple[int, int, int]:
    """First row, last row and count, as an origin says them."""
    count, _, rest = text.rpartition(" of ")
    first, _, last = rest.removeprefix("rows ").removeprefix("row ").partition(" to ")
    whole = int(last or first) - int(first) + 1
    return int(first), int(last or first), int(count) if count else whole


FLEET = (
    "Name", "Manufacturer", "Device type", "CPU", "Cores", "Memory (GB)", "CPU usage (%)", "Status",
)  # fmt: skip


def racks(*busy_percents: int) -> bytes:
    """A list of like machines, each as busy as is said."""
    like = ("Dell", "R750", "Xeon Gold 6338", 64, 512)
    return written(FLEET, [["a", *like, busy, "Active"] for busy in busy_percents])


@pytest.mark.parametrize("seed", [3, 8])
@pytest.mark.decisive
def test_each_value_of_a_study_names_the_rows_that_it_is_the_sum_of(
    alice: Person, seed: int
) -> None:
    data, said = bill(seed)
    first = imported(alice, data, "sep.csv")
    accepted = alice.post(f"imports/{first['id']}/accept", {}).json()
    fleet = imported(alice, racks(20, 60), "racks.csv")
    into = {"study_id": accepted["study_id"]}
    assert alice.post(f"imports/{fleet['id']}/accept", into).status_code == 201
    study = alice.get(f"studies/{accepted['study_id']}").json()
    origins = study["workload_provenance"]
    for name in ("object_tb", "egress_tb_per_month"):
        origin = origins[f"/{name}"]
        low, high, count = named_rows(origin["rows"])
        rows = [row for row, _amount in said[name]]
        assert (low, high, count) == (min(rows), max(rows), len(rows))
        assert study["workload"][name] == pytest.approx(sum(x for _row, x in said[name]))
        assert (origin["file"], origin["as_of"]) == ("sep.csv", "2026-09-01")
        assert origin["source"] == f"sep.csv, Sep 2026, {origin['rows']}"
    origin = origins["/busy_cores_count"]
    assert (origin["file"], origin["rows"]) == ("racks.csv", "rows 2 to 3")
    assert study["workload"]["busy_cores_count"] == pytest.approx(64 * 0.8)
    # The next month's file: what of the study it would change, each with where it is from.
    later, _said = bill(seed + 1)
    draft = alice.post(f"imports/{imported(alice, later, 'oct.csv')['id']}/draft", into).json()
    (table,) = (
        one for one in draft["tables"] if one["title"] == "What changes in the study's work"
    )
    assert {row[0] for row in table["rows"]} == {"Object storage", "Egress"}
    assert all(
        row[1] != row[2] and row[3].startswith("oct.csv, Sep 2026, ") for row in table["rows"]
    )


def test_a_price_of_a_quote_names_its_rows_in_the_design_that_takes_it(alice: Person) -> None:
    shipped_load()
    offer = imported(alice, quote.sample(), "offer.xlsx")
    entry = alice.post(f"imports/{offer['id']}/accept", {}).json()["entry_slug"]
    fleet = imported(alice, racks(30), "racks.csv")
    asked = {"designs": [{"option": "owned"}], "server": entry}
    made = alice.post(f"imports/{fleet['id']}/accept", asked)
    assert made.status_code == 201, made.content
    (design,) = alice.get(f"studies/{made.json()['study_id']}").json()["designs"]
    sources = {one["source"] for one in design["provenance"].values() if one.get("entry") == entry}
    assert any(one.startswith("offer.xlsx, rows 4 to 8") for one in sources), sources


def machines(seed: int) -> tuple[bytes, dict[str, list[tuple[int, float]]]]:
    """Hours of machines among other rows, and which row cost how much of which line."""
    draw = random.Random(seed)
    rows: list[list[Any]] = []
    said: dict[str, list[tuple[int, float]]] = {}
    for row in range(2, 62):
        name = draw.choice(["m7a.large", "c7a.xlarge", "r7a.large", ""])
        kind = ("Compute", "Amazon Elastic Compute Cloud", f"{name} hours", "Hours")
        usd = draw.randint(1, 900)
        line = f"{name} eu-west-1" if name else ""
        said.setdefault(line, []).append((row, usd))
        what, details = (kind, f'{{"InstanceType": "{name}"}}') if name else (KINDS[""], "")
        rows.append(
            ["USD", "2026-09-01", usd, usd, usd, "Usage", *what, draw.randint(1, 700), "AWS",
             "eu-west-1", details]
        )  # fmt: skip
    return written((*HEAD, "SkuPriceDetails"), rows), said


@pytest.mark.parametrize("seed", [5, 6])
def test_each_line_of_a_baseline_names_its_rows_also_where_lines_go(
    alice: Person, seed: int
) -> None:
    data, said = machines(seed)
    found = imported(alice, data, "sep.csv")
    accepted = alice.post(f"imports/{found['id']}/accept", {}).json()
    address = f"studies/{accepted['study_id']}"
    study = alice.get(address).json()
    lines, origins = study["baseline"]["lines"], study["baseline_provenance"]
    assert {line["type"] for line in lines} == said.keys() - {""}

    def holds(place: int, line: dict[str, Any]) -> None:
        origin, rows = origins[f"/lines/{place}"], [row for row, _usd in said[line["type"]]]
        assert named_rows(origin["rows"]) == (min(rows), max(rows), len(rows))
        assert (origin["file"], origin["as_of"]) == ("sep.csv", "2026-09-01")
        usd = line["count"] * line["hours_per_month"] * line["usd_per_h"]
        assert usd == pytest.approx(sum(usd for _row, usd in said[line["type"]]))

    for place, line in enumerate(lines):
        holds(place, line)
    assert named_rows(origins["/other_usd_per_month"]["rows"])[2] == len(said[""])
    # One line is removed: the others keep theirs. One is typed over: it says so beside the rows.
    left = {**study["baseline"], "lines": lines[1:]}
    assert alice.patch(address, {"baseline": left}).status_code == 200
    origins = alice.get(address).json()["baseline_provenance"]
    assert {at for at in origins if at.startswith("/lines/")} == {"/lines/0", "/lines/1"}
    for place, line in enumerate(left["lines"]):
        holds(place, line)
    typed = {**left, "lines": [left["lines"][0], {**left["lines"][1], "count": 7}]}
    assert alice.patch(address, {"baseline": typed}).status_code == 200
    origins = alice.get(address).json()["baseline_provenance"]
    assert origins["/lines/1/count"]["quality"] == "typed"
    holds(0, typed["lines"][0])
    # A file of the study, read again, says the same.
    file = alice.client.get(f"/api/v1/{address}/export?as=json")
    assert json.loads(file.content)["study"]["baseline_provenance"] == origins


def test_a_bill_that_takes_the_place_of_a_fleet_s_baseline_types_nothing_in(alice: Person) -> None:
    shipped_load()
    fleet = imported(alice, racks(20, 60), "racks.csv")
    study = alice.post(f"imports/{fleet['id']}/accept", {}).json()["study_id"]
    data, _said = machines(5)
    found = imported(alice, data, "sep.csv")
    accepted = alice.post(f"imports/{found['id']}/accept", {"study_id": study})
    assert accepted.status_code == 201, accepted.content
    held = alice.get(f"studies/{study}").json()
    origins = held["baseline_provenance"]
    assert {origin["file"] for origin in origins.values()} == {"sep.csv"}
    assert not [at for at, origin in origins.items() if origin["quality"] == "typed"]
    # A number that is typed over afterwards says so.
    lines = held["baseline"]["lines"]
    typed = {**held["baseline"], "lines": [{**lines[0], "count": 7}, *lines[1:]]}
    assert alice.patch(f"studies/{study}", {"baseline": typed}).status_code == 200
    origins = alice.get(f"studies/{study}").json()["baseline_provenance"]
    assert origins["/lines/0/count"]["quality"] == "typed"


def test_lines_of_a_fleet_name_the_rows_of_their_machines(alice: Person) -> None:
    shipped_load()
    like = ("Dell", "R750", "Xeon Gold 6338", 64, 512)
    other = ("Dell", "R740", "Xeon Gold 6230", 40, 384)
    rows = [["a", *like, 20, "Active"], ["b", *other, 40, "Active"], ["c", *like, 60, "Active"]]
    found = imported(alice, written(FLEET, rows), "racks.csv")
    study = alice.post(f"imports/{found['id']}/accept", {}).json()["study_id"]
    held = alice.get(f"studies/{study}").json()
    said = {
        line["type"]: held["baseline_provenance"][f"/lines/{place}"]["rows"]
        for place, line in enumerate(held["baseline"]["lines"])
    }
    # The power of the other machine is not known: it is in no line.
    assert said == {"Dell R750, Xeon Gold 6338": "2 of rows 2 to 4"}
    price = held["baseline_provenance"]["/lines/0/usd_per_h"]
    assert price["quality"] == "derived"
    assert "PUE" in price["note"]


def test_reports_say_the_file_and_rows_of_each_line(alice: Person) -> None:
    shipped_load()
    data, said = machines(5)
    found = imported(alice, data, "sep.csv")
    wanted = {"designs": [{"option": "same", "term_months": 0}], "busy_fraction": 0.5}
    made = alice.post(f"imports/{found['id']}/accept", wanted).json()
    asked = ask(alice, {"id": made["study_id"]}, format="xlsx")
    assert reported(alice, asked)["state"] == "succeeded"
    book = load_workbook(io.BytesIO(alice.get(f"reports/{asked['id']}/file").content))
    cells = [cell for sheet in book for cell in texts_in(sheet)]
    for rows in (rows for line, rows in said.items() if line):
        places = [row for row, _usd in rows]
        words = f"sep.csv, Sep 2026, {len(places)} of rows {min(places)} to {max(places)}"
        assert any(words in cell for cell in cells), words
