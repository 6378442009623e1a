"""Bills as spreadsheets, warehouses and other clouds write them."""

from __future__ import annotations

import random
from decimal import Decimal, localcontext
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.formats.chunks import FileRefused
from capmodels.imports import focus
from capmodels.imports.baseline import draft
from capmodels.imports.bill import EXACT
from capmodels.imports.instance_names import size_by_name
from capmodels.imports.registry import Options, Size
from capmodels.tests.imports.test_bills import as_csv, charge, read

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def _exactly() -> Iterator[None]:
    with localcontext(EXACT):
        yield


def _euros(amount: Decimal) -> str:
    return f"{amount:,.4f}".translate(str.maketrans(",.", ".,"))


def _accounting(amount: Decimal) -> str:
    return f"(${-amount:,.2f})" if amount < 0 else f"${amount:,.2f}"


def _coded(amount: Decimal) -> str:
    return f"EUR {amount:,.2f}"


@pytest.mark.parametrize(
    "said", [_euros, _accounting, _coded], ids=["german", "accounting", "with a code"]
)
@pytest.mark.parametrize("seed", range(3))
def test_amounts_as_spreadsheets_write_them_sum_exactly(
    said: Any, seed: int, tmp_path: Path
) -> None:
    draw = random.Random(seed)
    costs = [Decimal(draw.randint(-50_000_00, 900_000_00)) / 100 for _ in range(200)]
    costs += [Decimal("1.25"), Decimal(1250), Decimal(-5)]
    rows = [charge(BilledCost=said(one), EffectiveCost=said(one), ListCost="") for one in costs]
    bill = read(tmp_path, as_csv(rows, ";"))
    assert bill["faults_count"] == 0
    assert Decimal(bill["totals"]["billed"]) == sum(costs)
    assert bill["totals"]["rows"] == [2, len(costs) + 1, len(costs)]


def test_one_comma_among_dots_changes_no_other_amount(tmp_path: Path) -> None:
    costs = ["1.125", "0.25", "12,5", "3.375"]
    bill = read(tmp_path, as_csv([charge(BilledCost=one, EffectiveCost="1") for one in costs]))
    assert bill["totals"]["billed"] == "4.75"
    assert [fault["line"] for fault in bill["faults"]] == [4]
    drafted = draft(bill, Options(file_name="b.csv", as_of="2026-10-01"))
    assert any("1 cell of the bill could not be read" in one for one in drafted.open_points)


@pytest.mark.parametrize("case", [str.lower, str.upper], ids=["lower", "upper"])
def test_columns_of_focus_are_known_in_any_case(case: Any, tmp_path: Path) -> None:
    head, _, rest = focus.IMPORTER.sample().decode().partition("\n")
    plain = read(tmp_path, f"{head}\n{rest}".encode())
    assert read(tmp_path, f"{case(head)}\n{rest}".encode()) == plain


@pytest.mark.parametrize(
    "tags",
    ['{"team": "web"}', '"team": "web"', '[{"key": "team", "value": "web"}]'],
    ids=["object", "pairs", "list"],
)
def test_tags_are_known_as_an_object_as_its_inside_and_as_a_list(tags: str, tmp_path: Path) -> None:
    bill = read(tmp_path, as_csv([charge(Tags=tags), charge()]))
    (found,) = bill["tags"]
    assert (found["key"], found["values"]) == ("team", [{"value": "web", "effective": "1"}])


def test_azure_says_machines_and_meters_in_columns_of_its_own(tmp_path: Path) -> None:
    machine = charge(
        ServiceName="Virtual Machines", ChargeDescription="D4as v5 - EU West", PricingUnit="Hours",
        PricingQuantity="744", x_SkuDetails='{"ServiceType": "Standard_D4as_v5"}',
    )  # fmt: skip
    disks = [
        charge(ServiceCategory="Storage", ServiceName="Managed Disks", PricingUnit="Units/Month",
               PricingQuantity=count, x_SkuMeterName=f"{name} LRS Disk")
        for name, count in (("P30", "2"), ("E10", "4"), ("S99", "1"))
    ]  # fmt: skip
    files = charge(ServiceCategory="Storage", ServiceName="Storage Accounts",
                   PricingUnit="GB/Month", PricingQuantity="1000", x_SkuMeterSubcategory="Files v2",
                   x_SkuMeterName="Hot LRS Data Stored")  # fmt: skip
    bill = read(tmp_path, as_csv([machine, *disks, files]))
    assert [(row["type"], row["hours"]) for row in bill["machines"]] == [
        ("Standard_D4as_v5", "744")
    ]
    drafted = draft(bill, Options(file_name="b.csv", as_of="2026-10-01"))
    gib = 2 * 1024 + 4 * 128  # by hand, of Azure's table of disks
    assert drafted.workload["block_tb"] == pytest.approx(gib * 2**30 / 1e12)
    assert "object_tb" not in drafted.workload
    told = " ".join(drafted.open_points)
    assert "file storage (1.1 TB)" in told
    assert "block storage by Units/Month, of which the bill says no bytes" in told


@pytest.mark.parametrize("seed", range(3))
def test_cores_and_ram_of_google_are_machines_of_one_vcpu(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    rows: list[dict[str, Any]] = []
    want: dict[str, tuple[int, Decimal]] = {}
    families = {"n2": "N2 Instance", "n2d": "N2D AMD Instance", "n1": "Custom Instance",
                "c2": "Compute optimized", "e2": "Spot Preemptible E2 Instance"}  # fmt: skip
    for family, said in families.items():
        hours, gib = draw.randint(100, 9000), draw.choice([1, 4, 8])
        costs = [Decimal(draw.randint(100, 99999)) / 100 for _ in range(2)]
        parts = (("Core", hours, "hour"), ("Ram", hours * gib, "gibibyte hour"))
        for (part, quantity, unit), cost in zip(parts, costs, strict=True):
            rows.append(charge(
                ProviderName="Google Cloud", ServiceName="Compute Engine", BilledCost=cost,
                ChargeDescription=f"{said} {part} running in Frankfurt", PricingUnit=unit,
                PricingQuantity=quantity, EffectiveCost=cost, RegionId="europe-west3",
            ))  # fmt: skip
        want[f"{family}-custom-1-{1024 * gib}"] = hours, sum(costs, Decimal(0))
    draw.shuffle(rows)
    bill = read(tmp_path, as_csv(rows))
    found = {
        row["type"]: (int(row["hours"]), Decimal(row["effective"])) for row in bill["machines"]
    }
    assert found == want
    drafted = draft(bill, Options(file_name="b.csv", as_of="2026-10-01", sizes_of=_by_name))
    lines = drafted.baseline["lines"]  # type: ignore[index]  # a bill has one
    paid = sum(x["count"] * x["hours_per_month"] * x["usd_per_h"] for x in lines)
    assert paid == pytest.approx(float(sum(cost for _, cost in want.values())))
    vcpus = sum(hours for hours, _ in want.values()) / 730
    assert f"On average {vcpus:,.1f} vCPUs" in drafted.open_points[0]


def _by_name(names: set[str]) -> dict[str, Size]:
    return {name: size for name in names if (size := size_by_name(name)) is not None}


def test_a_quote_that_is_left_open_is_told_where_it_leaves_no_row(tmp_path: Path) -> None:
    data = as_csv([charge(ServiceName="S3")]).decode().replace("S3", '"S3')
    with pytest.raises(FileRefused, match=r"no rows that can be read\. Line 2"):
        read(tmp_path, data.encode())


def test_a_currency_in_small_letters_is_the_same(tmp_path: Path) -> None:
    bill = read(tmp_path, as_csv([charge(BillingCurrency="usd"), charge()]))
    assert (bill["currency"], bill["totals"]["billed"]) == ("USD", "2")
