"""From a bill, a fleet and a quote to designs: proposed, explained, set beside the last, undone."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from openpyxl import load_workbook

from capmodels.imports import focus, quote, rvtools, sacct, terraform
from capmodels.numbers import quantity
from catalogue.testing import shipped_load
from imports.selectors import machine_sizes
from imports.tests.test_imports_api import imported, work_off

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]

SAME = [{"option": "same", "term_months": months} for months in (0, 36)]
ALL = [*SAME, {"option": "owned"}, {"option": "hybrid"}]


@pytest.fixture
def catalogue(database: None) -> None:
    shipped_load()


def bill(seed: int) -> bytes:
    """A month of machines on demand, storage, transfer and services, as drawn from a seed."""
    draw = random.Random(seed)
    types = draw.sample(["m5.xlarge", "c5.2xlarge", "r6g.4xlarge", "m7a.8xlarge", "z9.odd"], 3)
    rows = [
        ("Compute", "Amazon Elastic Compute Cloud", f"$1 per On Demand Linux {name} Instance Hour",
         "Hours", draw.randint(1, 40) * 730, draw.uniform(0.05, 2))
        for name in types
    ]  # fmt: skip
    rows += [
        ("Storage", "Amazon Simple Storage Service", "$0.023 per GB - storage used", "GB-Months",
         draw.randint(1000, 90000), 0.023),
        ("Databases", "Amazon Relational Database Service", "db.m5.large hours", "Hours", 730,
         draw.uniform(0.1, 3)),
        ("Networking", "Amazon Virtual Private Cloud", "NAT gateway hours", "Hours", 730, 0.045),
    ]  # fmt: skip
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(
        ["BillingCurrency", "BillingPeriodStart", "BilledCost", "EffectiveCost", "ListCost",
         "ChargeCategory", "ServiceCategory", "ServiceName", "ChargeDescription", "PricingUnit",
         "PricingQuantity", "ProviderName", "RegionId", "Tags"]
    )  # fmt: skip
    for category, service, said, unit, amount, price in rows:
        cost = f"{amount * price:.6f}"
        writer.writerow(
            ["USD", "2026-09-01", cost, cost, cost, "Usage", category, service, said, unit,
             amount, "AWS", "eu-west-1", '{"owner": "ada@example.com"}']
        )  # fmt: skip
    return file.getvalue().encode()


def rows_of(tables: list[dict[str, Any]], title: str) -> list[list[Any]]:
    return next(table["rows"] for table in tables if table["title"].startswith(title))


@pytest.mark.usefixtures("catalogue")
@pytest.mark.parametrize("seed", [1, 2])
def test_the_same_machines_without_commitments_cost_what_the_bill_does(
    alice: Person, seed: int
) -> None:
    found = imported(alice, bill(seed))
    draft = alice.post(f"imports/{found['id']}/draft", {"designs": ALL}).json()
    costs = {row[0]: float(row[1]) for row in rows_of(draft["tables"], "Designs proposed")}
    billed = float(found["preview"]["totals"]["billed"])
    assert costs[draft["baseline"]["title"]] == pytest.approx(billed, abs=0.01)
    # Beside the bill, the design has people and their support; neither is on it.
    accepted = alice.post(f"imports/{found['id']}/accept", {"designs": ALL})
    assert accepted.status_code == 201, accepted.content
    study = alice.get(f"studies/{accepted.json()['study_id']}").json()
    assert study["faults"] == []
    assert [one["kind"] for one in study["designs"]][:3] == ["cloud", "cloud", "owned_cluster"]
    table = alice.get(f"imports/{found['id']}/differences?letter=A").json()
    lines = {row[0]: (float(row[1]), float(row[2])) for row in table["rows"]}
    for what in ("Machines, at the bill's price", "Storage", "Databases and caches"):
        assert lines[what][1] == pytest.approx(lines[what][0], rel=0.001, abs=0.02), what
    assert "Staff" in str(table["rows"])
    *parts, whole = table["rows"]
    assert whole[1] == f"{billed:.2f}"
    for place in (1, 2, 3):
        assert sum(float(row[place]) for row in parts) == pytest.approx(
            float(whole[place]), abs=0.1
        )
    assert float(whole[2]) == pytest.approx(costs["The same, on demand"], abs=0.01)
    assert costs["The same, 3-year plan"] < costs["The same, on demand"]
    today = alice.get(f"imports/{found['id']}/differences").json()["rows"][-1]
    assert today[1:4] == [f"{billed:.2f}", f"{billed:.2f}", "0.00"]
    assert alice.get(f"imports/{found['id']}/differences?letter=H").status_code == 404


@pytest.mark.usefixtures("catalogue")
def test_designs_go_into_a_study_of_one_s_own_and_out_again(alice: Person) -> None:
    fleet = imported(alice, rvtools.sample(), "esx.xlsx")
    study_id = alice.post(f"imports/{fleet['id']}/accept", {}).json()["study_id"]
    offer = imported(alice, quote.sample(), "offer.xlsx")
    server = alice.post(f"imports/{offer['id']}/accept", {}).json()["entry_slug"]
    found = imported(alice, bill(3))
    said = {"study_id": study_id, "designs": ALL, "server": server}
    accepted = alice.post(f"imports/{found['id']}/accept", said)
    assert accepted.status_code == 201, accepted.content
    study = alice.get(f"studies/{study_id}").json()
    # The work is the fleet's own, as measured; the servers are those that were offered.
    assert study["workload"]["busy_cores_count"] == pytest.approx(54.4)
    owned = next(one for one in study["designs"] if one["kind"] == "owned_cluster")
    group = owned["spec"]["node_groups"][0]
    assert group["price"]["unit_price_usd"] == pytest.approx(20_900)
    assert group["cores_per_node_count"] == 128
    assert study["faults"] == []
    alice.post(f"imports/{found['id']}/undo")
    after = alice.get(f"studies/{study_id}").json()
    assert (after["designs"], after["baseline"]["title"]) == ([], "Fleet of esx.xlsx")


def with_volumes(data: bytes, gigabytes: int) -> bytes:
    """A bill with so many GB of volumes besides."""
    head, *rows = list(csv.reader(io.StringIO(data.decode())))
    volumes = {**dict(zip(head, rows[-1], strict=True)), "ServiceCategory": "Storage",
               "ServiceName": "Amazon Elastic Block Store", "PricingUnit": "GB-Months",
               "ChargeDescription": "$0.08 per GB-month of General Purpose (gp3) provisioned "
               "storage", "PricingQuantity": str(gigabytes)}  # fmt: skip
    file = io.StringIO()
    csv.writer(file).writerows([head, *rows, [volumes[name] for name in head]])
    return file.getvalue().encode()


@pytest.mark.usefixtures("catalogue")
@pytest.mark.parametrize("gigabytes", [120, 12_000])
@pytest.mark.decisive
def test_the_work_stays_what_the_fleet_measured_beside_what_is_billed(
    alice: Person, gigabytes: int
) -> None:
    fleet = imported(alice, rvtools.sample(), "esx.xlsx")
    study_id = alice.post(f"imports/{fleet['id']}/accept", {}).json()["study_id"]
    before = alice.get(f"studies/{study_id}").json()["workload"]
    found = imported(alice, with_volumes(bill(3), gigabytes))
    said = {"study_id": study_id, "designs": ALL}
    draft = alice.post(f"imports/{found['id']}/draft", said).json()
    assert "block_tb" not in draft["workload"]
    assert draft["workload"]["object_tb"] > 0
    (told,) = [one for one in draft["open_points"] if "as esx.xlsx measured it" in one]
    alone = alice.post(f"imports/{found['id']}/draft", {}).json()
    billed_tb = alone["workload"]["block_tb"]
    assert told.endswith(f"; the bill has {quantity(billed_tb, 'TB')}.")
    assert quantity(before["block_tb"], "TB") in told
    assert alice.post(f"imports/{found['id']}/accept", said).status_code == 201
    study = alice.get(f"studies/{study_id}").json()
    for name in ("block_tb", "busy_cores_count", "ram_gib"):
        assert study["workload"][name] == before[name]
    assert study["workload_provenance"]["/block_tb"]["file"] == "esx.xlsx"
    assert study["faults"] == []
    alice.post(f"imports/{found['id']}/undo")
    assert alice.get(f"studies/{study_id}").json()["workload"] == before


@pytest.mark.usefixtures("catalogue")
@pytest.mark.parametrize("name", ["busy_cores_count", "ram_gib"])
def test_the_work_stays_what_a_trace_measured_when_a_fleet_comes(alice: Person, name: str) -> None:
    origin = {"quality": "measured", "source": "Trace Cores, year.csv, 30 Nov 2026",
              "as_of": "2026-11-30"}  # fmt: skip
    study = alice.post("studies", {
        "title": "Measured", "workload": {"kind": "demand", name: 123.0},
        "workload_provenance": {f"/{name}": origin},
    }).json()  # fmt: skip
    found = imported(alice, rvtools.sample(), "esx.xlsx")
    said = {"study_id": study["id"]}
    draft = alice.post(f"imports/{found['id']}/draft", said).json()
    (told,) = [one for one in draft["open_points"] if "year.csv" in one]
    assert "the work stays at 123" in told
    assert "; the fleet has " in told
    assert alice.post(f"imports/{found['id']}/accept", said).status_code == 201
    after = alice.get(f"studies/{study['id']}").json()
    assert after["workload"][name] == 123.0
    assert after["workload_provenance"][f"/{name}"]["source"] == origin["source"]
    # What was not measured before is the list's, and a later list replaces it.
    other = "ram_gib" if name == "busy_cores_count" else "busy_cores_count"
    assert after["workload_provenance"][f"/{other}"]["file"] == "esx.xlsx"
    again = imported(alice, rvtools.sample(), "later.xlsx")
    assert alice.post(f"imports/{again['id']}/accept", said).status_code == 201
    last = alice.get(f"studies/{study['id']}").json()
    assert last["workload_provenance"][f"/{other}"]["file"] == "later.xlsx"
    assert last["workload"][name] == 123.0


def quoted_in(currency: str) -> bytes:
    """The quote of the sample, in another currency."""
    book = load_workbook(io.BytesIO(quote.sample()))
    for row in book.active.iter_rows():
        for cell in row:
            if isinstance(cell.value, str):
                cell.value = cell.value.replace("USD", currency)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def written(folder: Path, currency: str) -> None:
    """The files of the script, two of them in a currency."""
    rates = [("Date", "USD", "CHF", "JPY", "GBP", "SEK"), ("2026-10-01", 1.5, 0.9, 160, 1, 11),
             ("2026-09-30", 1.25, 0.94, 160, 1, 11), ("2026-08-31", 2, 2, 160, 1, 11)]  # fmt: skip
    files = {
        "fleet.xlsx": rvtools.sample(),
        "offer.xlsx": quoted_in(currency),
        "bill.csv": bill(6).replace(b"USD", currency.encode()),
        "rates.csv": "\n".join(",".join(map(str, row)) for row in rates).encode(),
    }
    for name, data in files.items():
        (folder / name).write_bytes(data)


# What is told of other currencies: nothing, the rate itself, or a file of the ECB's; and what a
# dollar buys by it in the bill's month, and on the day of the quote's import.
_RATES = {
    "dollars": ("USD", {}, 1.0, 1.0),
    "a rate": ("EUR", {"PER_USD": '{"EUR": 0.8}'}, 0.8, 0.8),
    "the ECB's": ("CHF", {"RATES": "rates.csv"}, 0.94 / 1.25, 0.9 / 1.5),
}


@pytest.mark.usefixtures("catalogue")
@pytest.mark.parametrize("told", _RATES)
@pytest.mark.decisive
def test_the_script_of_the_api_s_page_makes_a_study_of_three_files(
    alice: Person, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Any, told: str
) -> None:
    currency, environment, of_bill, of_quote = _RATES[told]
    page = Path(__file__).resolve().parents[3] / "docs" / "api.md"
    programs = re.findall(r"```python\n(.+?)```", page.read_text("utf-8"), re.DOTALL)
    (script,) = (program for program in programs if "PER_USD" in program)
    written(tmp_path, currency)
    for name, value in {**environment, "URL": "http://here", "TOKEN": "from the test"}.items():
        monkeypatch.setenv(name, value)

    def answered(asked: urllib.request.Request) -> io.BytesIO:
        path = asked.full_url.removeprefix("http://here")
        kind = asked.headers["Content-type"]
        answer = alice.client.generic(
            asked.get_method(), path, asked.data or b"", content_type=kind, headers=alice.token()
        )
        assert answer.status_code < 300, answer.content
        found = answer.json()
        if found.get("state") == "queued":
            found = work_off(alice, found)
        return io.BytesIO(json.dumps(found).encode())

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(urllib.request, "urlopen", answered)
    names: dict[str, Any] = {}
    exec(compile(script, str(page), "exec"), names)
    said = capsys.readouterr().out
    study = alice.get(f"studies/{names['study']}").json()
    assert [one["kind"] for one in study["designs"]] == ["cloud", "owned_cluster", "hybrid"]
    assert study["faults"] == []
    assert study["designs"][0]["spec"]["region"] == "eu-west-1"
    lines = study["baseline"]["lines"]
    total = sum(x["count"] * x["hours_per_month"] * x["usd_per_h"] for x in lines)
    billed = float(alice.get(f"imports/{names['bill']}").json()["preview"]["totals"]["billed"])
    assert total + study["baseline"]["other_usd_per_month"] == pytest.approx(
        billed / of_bill, abs=0.005
    )
    group = study["designs"][1]["spec"]["node_groups"][0]
    assert group["price"]["unit_price_usd"] == pytest.approx(20_900 / of_quote)
    assert study["verdict"]["headline"] in said
    assert "Not covered:\n- " in said


def test_a_next_bill_tells_what_changed(alice: Person) -> None:
    first = imported(alice, bill(4), "september.csv")
    study_id = alice.post(f"imports/{first['id']}/accept", {}).json()["study_id"]
    text = bill(4).decode().replace("db.m5.large", "db.m5.xlarge").replace("GB-Months,", "GB-Mo,")
    lines = text.splitlines()
    again = imported(alice, "\n".join(lines[:-1]).encode(), "october.csv")
    draft = alice.post(f"imports/{again['id']}/draft", {"study_id": study_id}).json()
    (gone,) = rows_of(draft["tables"], "Changes since september.csv")
    assert gone[0] == "NAT gateways"
    assert (gone[1], gone[2], gone[3]) == ("32.85", None, "-32.85")


@pytest.mark.parametrize("how", ["hash", "leave_out"])
def test_names_are_not_kept_where_that_is_asked(alice: Person, how: str) -> None:
    from jobs.models import Job

    seen = []
    for data, name in ((bill(5), "ada@example.com"), (sacct.sample(), "physics")):
        file = io.BytesIO(data)
        file.name = "file.csv"
        asked = alice.client.post(f"/api/v1/imports?names={how}", {"file": file}).json()
        found = work_off(alice, asked)
        assert name not in str(found["preview"]) + str(found["tables"])
        seen.append(found)
    with alice.workspace():
        assert Job.objects.count() == 2
    owner = seen[1]["preview"]["owners"][0]["owner"]
    assert owner.startswith("#" if how == "hash" else "name ")
    refused = alice.client.post("/api/v1/imports?names=maybe", {"file": io.BytesIO(b"a,b\n")})
    assert refused.status_code == 422


@pytest.mark.usefixtures("catalogue")
def test_sizes_come_of_the_catalogue_else_of_the_name(alice: Person) -> None:
    with alice.workspace():
        found = machine_sizes({"m7a.large", "m5.9xlarge", "Standard_E8s_v5", "z9.odd"})
    assert (found["m7a.large"].vcpus_count, found["m7a.large"].ram_gib) == (2, 8)
    assert found["m7a.large"].perf_per_vcpu_ratio == pytest.approx(1.0, abs=0.05)
    assert (found["m5.9xlarge"].vcpus_count, found["m5.9xlarge"].ram_gib) == (36, 144)
    assert found["m5.9xlarge"].perf_per_vcpu_ratio is not None
    assert found["Standard_E8s_v5"].ram_gib == 64
    assert "z9.odd" not in found


@pytest.mark.usefixtures("catalogue")
def test_a_file_that_says_no_work_proposes_nothing(alice: Person) -> None:
    head, *rows = focus.IMPORTER.sample().decode().splitlines()
    calls = rows[4].replace("Storage", "Other").replace("GB-Months", "Requests")
    other = imported(alice, f"{head}\n{calls}".encode())
    refused = alice.post(f"imports/{other['id']}/draft", {"designs": [{"option": "owned"}]})
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["pointer"] == "/designs"
    storage = imported(alice, f"{head}\n{rows[4]}".encode())
    drafted = alice.post(f"imports/{storage['id']}/draft", {"designs": [{"option": "owned"}]})
    assert drafted.status_code == 200, drafted.content
    assert drafted.json()["workload"]["object_tb"] > 1.0


@pytest.mark.usefixtures("catalogue")
def test_a_plan_of_terraform_becomes_a_design_that_meets_its_work(alice: Person) -> None:
    found = imported(alice, terraform.IMPORTER.sample(), "plan.json")
    draft = alice.post(f"imports/{found['id']}/draft", {}).json()
    assert [one["letter"] for one in draft["designs"]] == ["A"]
    spec = draft["designs"][0]["spec"]
    assert spec["instances"][0]["name"] == "m5.xlarge"
    assert spec["storage"]["block_tiers"][0]["usd_per_gb_month"] > 0
    assert spec["staff_fte"] > 0
    said = {"title": "Planned", "designs": [{"option": "owned"}]}
    study = alice.post(f"imports/{found['id']}/accept", said).json()["study_id"]
    designs = alice.get(f"studies/{study}/designs").json()
    rows = designs["results"] if isinstance(designs, dict) else designs
    assert [(one["letter"], one["kind"]) for one in rows] == [
        ("A", "cloud"),
        ("B", "owned_cluster"),
    ]


@pytest.mark.usefixtures("catalogue")
def test_what_is_built_in_does_not_replace_what_is_in_use(alice: Person) -> None:
    study = alice.post("studies", {
        "title": "Typed", "workload": {"kind": "demand", "busy_cores_count": 40.0, "ram_gib": 16.0},
        "workload_provenance": {"/ram_gib": {"quality": "typed", "source": "Typed in"}},
    }).json()  # fmt: skip
    rows = b"Name,Cores,RAM GiB\nweb-1,32,256\nweb-2,32,256\n"
    found = imported(alice, rows, "list.csv")
    draft = alice.post(f"imports/{found['id']}/draft", {"study_id": study["id"]}).json()
    assert "ram_gib" not in draft["workload"]
    assert (
        "RAM in use: the work stays at 16\u00a0GiB, as the study has it; the fleet has "
        "512\u00a0GiB built in, of which less may be in use."
    ) in draft["open_points"]
    assert alice.post(f"imports/{found['id']}/draft", {}).json()["workload"]["ram_gib"] == 512
    alice.post(f"imports/{found['id']}/accept", {"study_id": study["id"]})
    assert alice.get(f"studies/{study['id']}").json()["workload"]["ram_gib"] == 16
    bare = alice.post("studies", {"title": "Bare", "workload": {"kind": "demand"}}).json()
    for gib in (b"256", b"128"):
        found = imported(alice, rows.replace(b"256", gib), "list.csv")
        assert (
            alice.post(f"imports/{found['id']}/accept", {"study_id": bare["id"]}).status_code == 201
        )
    assert alice.get(f"studies/{bare['id']}").json()["workload"]["ram_gib"] == 256
