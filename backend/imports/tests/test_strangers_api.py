"""Three files of a stranger, in euros and as spreadsheets of her country have them, to a study."""

from __future__ import annotations

import csv
import io
import random
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.imports.workbook import written
from catalogue.testing import shipped_load
from imports.tests.test_imports_api import imported

if TYPE_CHECKING:
    from accounts.testing import Person

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("outbox")]

MONTHS = ("2026-08-01", "2026-09-01")
RATES = b"Date, USD, JPY, GBP, CHF, SEK, \n25 September 2026, 1.16, 176.1, 0.87, 0.93, 11.02, \n"
HEAD = (
    *("ProviderName", "chargecategory", "BillingPeriodStart", "BilledCost", "EffectiveCost"),
    *("ListCost", "BillingCurrency", "ServiceCategory", "ServiceName", "ChargeDescription"),
    *("PricingQuantity", "PricingUnit", "RegionId", "Tags", "x_SkuDetails", "x_SkuMeterName"),
)


@pytest.fixture
def catalogue(database: None) -> None:
    shipped_load()


def euros(amount: float, digits: int = 2) -> str:
    return f"{amount:,.{digits}f}".translate(str.maketrans(",.", ".,"))


def bill() -> tuple[bytes, float]:
    """Two months of Azure below a title, in Latin-1, and what runs a month. [EUR]"""
    machine = '{"ServiceType": "Standard_D4as_v5"}'
    kinds = (
        ("Usage", "Compute", "Virtual Machines", 5840.0, "Hours", 0.19, machine, ""),
        ("Usage", "Storage", "Managed Disks", 8.0, "Units/Month", 110.0, "", "P30 LRS Disk"),
        ("Usage", "Storage", "Managed Disks", 1.0, "Units/Month", 40.5, "", "P99 LRS Disk"),
        ("Usage", "Storage", "Storage Accounts", 20000.0, "GB/Month", 0.0184, "", "Hot LRS Data "
         "Stored"),
        ("Usage", "Other", "Qubits à la carte", 1.0, "Each", 77.77, "", ""),
        ("Tax", "Other", "VAT", 1.0, "Each", 210.11, "", ""),
        ("Credit", "Other", "Credit", 1.0, "Each", -50.5, "", ""),
    )  # fmt: skip
    text, runs = io.StringIO(), 0.0
    writer = csv.writer(text, delimiter=";")
    writer.writerows([["Export of Example"], [], HEAD])
    for category, group, service, count, unit, price, details, meter in kinds:
        cost = euros(count * price, 4)
        runs += count * price if category == "Usage" else 0.0
        for month in MONTHS:
            writer.writerow(
                ["Microsoft", category, month, cost, cost, cost, "EUR", group, service, service,
                 euros(count, 1), unit, "francecentral", '[{"key": "team", "value": "core"}]',
                 details, meter]
            )  # fmt: skip
    return text.getvalue().encode("latin-1"), runs


def fleet() -> tuple[bytes, float, float]:
    """Six hosts as an older RVTools names its sheets; busy cores and GiB of RAM in use."""
    draw = random.Random(8)
    shares = [draw.randint(1, 60) for _ in range(6)]
    head = ["Host", "CPU Model", "# CPU", "# Cores", "CPU usage %", "# Memory", "Memory usage %"]
    rows = [[f"h{at}", "Intel(R) Xeon(R) Gold 6226R CPU @ 2.90GHz", 2, 32, share, 786432, 55]
            for at, share in enumerate(shares)]  # fmt: skip
    guests = [[f"v{at}", "poweredOn", False, 4, 8192, 90000] for at in range(40)]
    names = ["VM", "Powerstate", "Template", "CPUs", "Memory", "In Use MB"]
    data = written({"tabvInfo": [names, *guests], "tabvHost": [head, *rows]})
    return data, sum(32 * share / 100 for share in shares), 6 * 768 * 0.55


def offer() -> tuple[bytes, float]:
    """A German quote of four servers, and the price of one. [EUR]"""
    parts = (("Server PowerEdge R7615", 4, 2450.0), ("AMD EPYC 9354P 32C", 4, 2999.5),
             ("64 GB RDIMM DDR5", 48, 289.0), ("3,84 TB SSD NVMe", 16, 1250.0),
             ("Rabatt", 1, -1000.0))  # fmt: skip
    net = sum(count * each for _, count, each in parts)
    rows: list[list[Any]] = [["Muster GmbH"], [], ["Bezeichnung", "Menge", "VK netto", "Summe"]]
    rows += [[text, str(count), f"{euros(each)} €", f"{euros(count * each)} €"]
             for text, count, each in parts]  # fmt: skip
    rows += [["Zwischensumme", "", "", f"{euros(net)} €"]]
    return written({"Angebot": rows}), net / 4


def accepted(alice: Person) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The bill as read, what a study takes of it, and the study of all three files."""
    imported(alice, RATES, "eurofxref.csv")
    first = imported(alice, fleet()[0], "fleet.xlsx")
    study = alice.post(f"imports/{first['id']}/accept", {}).json()["study_id"]
    offered = imported(alice, offer()[0], "offer.xlsx")
    server = alice.post(f"imports/{offered['id']}/accept", {}).json()["entry_slug"]
    found = imported(alice, bill()[0], "bill.csv")
    said = {"study_id": study, "server": server,
            "designs": [{"option": "same", "term_months": 0}, {"option": "owned"}]}  # fmt: skip
    draft = alice.post(f"imports/{found['id']}/draft", said).json()
    answer = alice.post(f"imports/{found['id']}/accept", said)
    assert answer.status_code == 201, answer.content
    return found["preview"], draft, alice.get(f"studies/{study}").json()


@pytest.mark.usefixtures("catalogue")
def test_files_of_a_stranger_become_a_study_whose_baseline_is_the_bill(alice: Person) -> None:
    rate, runs = 1 / 1.16, bill()[1]
    read, draft, made = accepted(alice)
    assert read["faults_count"] == 0
    rows = [float(row["amount"]) for row in draft["reconciliation"]]
    assert sum(rows[:-1]) == pytest.approx(rows[-1], abs=0.011)
    assert rows[-1] == pytest.approx(2 * (runs + 210.11 - 50.5), abs=0.005)
    lines = made["baseline"]["lines"]
    total = sum(x["count"] * x["hours_per_month"] * x["usd_per_h"] for x in lines)
    total += made["baseline"]["other_usd_per_month"]
    assert total * rate == pytest.approx(runs, abs=0.005)
    _, busy, ram = fleet()
    work = [made["workload"][name] for name in ("busy_cores_count", "ram_gib", "block_tb")]
    # The data in use are as the fleet measured them; the volumes of the bill are told beside.
    assert work == pytest.approx([busy, ram, 40 * 90_000 * 2**20 / 1e12])
    assert (
        "Block storage: the work stays at 3.77\u00a0TB, as fleet.xlsx measured it; the bill has "
        "8.80\u00a0TB."
    ) in draft["open_points"]
    cloud, owned = made["designs"]
    assert cloud["spec"]["region"] == "francecentral"
    # What the bill has of no known size stays, beside what has a price by the TB.
    kept = {one["name"]: one["usd_per_month"] for one in cloud["spec"]["services"]}
    assert kept["Block storage"] == pytest.approx(40.5 / rate)
    group = owned["spec"]["node_groups"][0]
    assert group["price"]["unit_price_usd"] == pytest.approx(offer()[1] / rate)
    assert (group["cores_per_node_count"], group["ram_gib"]) == (32, 768)


@pytest.mark.usefixtures("catalogue")
def test_what_is_told_of_the_work_is_that_of_the_study(alice: Person) -> None:
    told = "\n".join(accepted(alice)[1]["open_points"])
    assert "sized to the work that the study has" in told
    assert "the baseline does not pay for all of it" in told
    assert "block storage by Units/Month, of which the bill says no bytes" in told
    for contrary in ("does not say how busy", "taken to need all that is rented"):
        assert contrary not in told


@pytest.mark.usefixtures("catalogue")
def test_a_fleet_is_sized_to_types_of_each_provider(alice: Person) -> None:
    found = imported(alice, fleet()[0], "fleet.xlsx")
    draft = alice.post(f"imports/{found['id']}/draft", {}).json()
    (table,) = [one for one in draft["tables"] if one["title"] == "Sized to instance types"]
    assert [row[0] for row in table["rows"]] == ["AWS", "Azure", "Google Cloud"]
    assert all(row[2].startswith("40 x ") for row in table["rows"])
    assert [row[2] for row in table["rows"]] == [row[5] for row in table["rows"]]
    assert draft["in_types"]["cpu"] == {"not measured": 40.0}
