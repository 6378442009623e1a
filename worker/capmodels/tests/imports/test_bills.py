"""Bills: every format's sample, generated bills against sums of our own, and damaged files."""

from __future__ import annotations

import csv
import io
import random
from decimal import Decimal, localcontext
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.errors import ParamsError
from capmodels.formats.chunks import FileRefused
from capmodels.imports import aws_cur, focus
from capmodels.imports.baseline import draft
from capmodels.imports.bill import EXACT
from capmodels.imports.registry import HeldPrice, Options, Size, importers, recognised
from capmodels.imports.table import open_table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from capmodels.spec import JSONDict


@pytest.fixture(autouse=True)
def _exactly() -> Iterator[None]:
    with localcontext(EXACT):
        yield


def read(path: Path, data: bytes) -> JSONDict:
    file = path / "bill.csv"
    file.write_bytes(data)
    table = open_table(file)
    bill: JSONDict = recognised(table.columns).read(table, lambda _share, _said: None)
    return bill


def as_csv(rows: list[dict[str, Any]], delimiter: str = ",") -> bytes:
    names = list(dict.fromkeys(name for row in rows for name in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, delimiter=delimiter)
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue().encode()


def charge(**given: Any) -> dict[str, Any]:
    return {
        "BillingCurrency": "USD",
        "BillingPeriodStart": "2026-09-01T00:00:00Z",
        "BilledCost": "1",
        "EffectiveCost": "1",
        "ListCost": "1",
        "ChargeCategory": "Usage",
        "ServiceCategory": "Compute",
        "ServiceName": "Virtual Machines",
        **given,
    }


_BILLS = [item for item in importers() if item.makes == "bill"]


@pytest.mark.parametrize("item", _BILLS, ids=lambda item: item.id)
@pytest.mark.decisive
def test_a_sample_is_recognised_by_its_own_importer(item: Any, tmp_path: Path) -> None:
    file = tmp_path / "bill.csv"
    file.write_bytes(item.sample())
    table = open_table(file)
    assert recognised(table.columns) is item
    bill = item.read(table, lambda _share, _said: None)
    assert bill["faults_count"] == 0
    assert bill["unplaced"]["lines_count"] == 0
    # Oracle bills cores and RAM apart, and names no type of machine
    assert bill["machines"] or item.id == "oci_cost"
    assert all(one["used_fraction"] < 1 for one in bill["commitments"])


_CATEGORIES = ("Usage", "Usage", "Usage", "Purchase", "Tax", "Credit", "Adjustment")
_SERVICES = (
    ("Compute", "Amazon Elastic Compute Cloud", "$0.192 per m5.xlarge Instance Hour", "Hours"),
    ("Storage", "Amazon Simple Storage Service", "storage used", "GB-Months"),
    ("Networking", "Data", "data transfer out", "GB"),
    ("", "Nobody knows", 'What, is\nthis "here"', "Each"),
    ("Databases", "Cloud SQL", "vCPU", "Hours"),
)


def generated(seed: int, rows: int) -> list[dict[str, Any]]:
    draw = random.Random(seed)
    found = []
    for _ in range(rows):
        category, service, said, unit = draw.choice(_SERVICES)
        billed, effective = (
            Decimal(draw.randint(-(10**9), 10**15)).scaleb(-draw.randint(2, 15)) for _ in range(2)
        )
        use = draw.choice(("", "", "Used", "Unused"))
        found.append(
            charge(
                BillingPeriodStart=f"2026-0{draw.randint(1, 9)}-01 00:00:00",
                BilledCost=f"{billed:f}",
                EffectiveCost=f"{effective:f}",
                ListCost=draw.choice(("", "NULL", f"{abs(billed):f}")),
                ChargeCategory=draw.choice(_CATEGORIES),
                ChargeClass=draw.choice(("", "NULL", "Correction")),
                ServiceCategory=category,
                ServiceName=service,
                ChargeDescription=said,
                PricingQuantity=str(draw.randint(0, 1000)),
                PricingUnit=unit,
                CommitmentDiscountId="c-1" if use else "",
                CommitmentDiscountStatus=use,
                Tags=draw.choice(("", '{"team": "a"}', '{"team": "b", "x": 1}', "{broken")),
            )
        )
    return found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_every_sum_is_that_of_the_rows_to_the_last_digit(
    seed: int, delimiter: str, tmp_path: Path
) -> None:
    rows = generated(seed, 300)
    bill = read(tmp_path, as_csv(rows, delimiter))
    for name, column in (("billed", "BilledCost"), ("effective", "EffectiveCost")):
        whole = sum(Decimal(row[column]) for row in rows)
        assert Decimal(bill["totals"][name]) == whole
        for part in ("kinds", "months", "services", "regions"):
            assert sum(Decimal(item[name]) for item in bill[part]) == whole, part
    assert bill["totals"]["rows_count"] == len(rows)
    taxes = [r for r in rows if r["ChargeCategory"] == "Tax" and r["ChargeClass"] != "Correction"]
    found = next(item for item in bill["kinds"] if item["kind"] == "tax")
    assert Decimal(found["billed"]) == sum(Decimal(row["BilledCost"]) for row in taxes)
    assert found["rows_count"] == len(taxes)


@pytest.mark.parametrize("seed", range(4))
def test_a_baseline_costs_what_the_bill_says_to_the_cent(seed: int, tmp_path: Path) -> None:
    rows = [row for row in generated(seed, 200) if not row["BilledCost"].startswith("-")]
    bill = read(tmp_path, as_csv(rows))
    drafted = draft(bill, Options(file_name="bill.csv", as_of="2026-10-01", cost="effective"))
    baseline = drafted.baseline
    assert baseline
    lines = sum(x["count"] * x["hours_per_month"] * x["usd_per_h"] for x in baseline["lines"])
    apart = {"Tax", "Credit", "Adjustment"}
    counted = sum(
        Decimal(row["EffectiveCost"])
        for row in rows
        if row["ChargeCategory"] not in apart and row["ChargeClass"] != "Correction"
    )
    months = len({row["BillingPeriodStart"][:7] for row in rows})
    monthly = float(counted / months)
    assert lines + baseline["other_usd_per_month"] == pytest.approx(monthly, abs=0.005, rel=1e-12)
    *parts, invoiced = (Decimal(row["amount"]) for row in drafted.reconciliation)
    assert sum(parts) == pytest.approx(invoiced, abs=Decimal("0.05"))


def test_what_is_stored_becomes_the_work_in_decimal_terabytes(tmp_path: Path) -> None:
    rows = [
        charge(
            ServiceCategory="Storage",
            ServiceName="Amazon Simple Storage Service",
            ChargeDescription="first 50 TB of storage used",
            PricingUnit="GB-Months",
            PricingQuantity="1000",
        )
    ]
    drafted = draft(read(tmp_path, as_csv(rows)), Options(file_name="b.csv", as_of="2026-10-01"))
    assert drafted.workload["object_tb"] == pytest.approx(1000 * 1.073741824 / 1000)
    assert drafted.provenance["/object_tb"]["source"] == "b.csv, Sep 2026, row 2"


def test_a_cost_of_use_that_was_rounded_is_told_and_not_counted(tmp_path: Path) -> None:
    rows = [
        charge(BilledCost="0.4", EffectiveCost="0"),
        charge(BilledCost="1.7", EffectiveCost="2"),
    ]
    bill = read(tmp_path, as_csv(rows))
    assert "differs from the invoice by 0.70" in bill["notes"][0]
    drafted = draft(bill, Options(file_name="b.csv", as_of="2026-10-01"))
    assert drafted.baseline
    assert drafted.baseline["other_usd_per_month"] == pytest.approx(2.1)
    rows[0]["EffectiveCost"], rows[1]["EffectiveCost"] = "0.4", "1.7"
    assert read(tmp_path, as_csv(rows))["notes"] == []


def test_another_currency_asks_for_its_rate(tmp_path: Path) -> None:
    bill = read(
        tmp_path, as_csv([charge(BillingCurrency="EUR", BilledCost="92", EffectiveCost="92")])
    )
    with pytest.raises(ParamsError) as refused:
        draft(bill, Options(file_name="b.csv", as_of="2026-10-01"))
    assert refused.value.faults[0].pointer == "/per_usd"
    drafted = draft(bill, Options(file_name="b.csv", as_of="2026-10-01", per_usd=0.92))
    assert drafted.baseline
    assert drafted.baseline["other_usd_per_month"] == pytest.approx(100.0)


def test_what_a_committed_machine_of_known_speed_carries_is_known(tmp_path: Path) -> None:
    """A plan of purchases keeps it until its end, without anything typed."""
    item = next(one for one in importers() if one.id == "aws_cur")
    text = item.sample().decode().replace("2027-06-30T23:59:59Z", "2028-03-01T00:00:00.000Z")
    drafted = draft(
        read(tmp_path, text.encode()),
        Options(
            file_name="cur.csv",
            as_of="2026-10-01",
            sizes_of=lambda _types: {"m5.xlarge": Size(4, 16, 0.4)},
        ),
    )
    assert drafted.baseline
    lines = drafted.baseline["lines"]
    kept = [line for line in lines if "commitment_ends_on" in line]
    assert [line["busy_cores_count"] for line in kept] == [pytest.approx(4 * 0.4 * 0.7)]
    place = lines.index(kept[0])
    assert drafted.baseline_from[f"/lines/{place}/busy_cores_count"]["quality"] == "derived"
    assert all("busy_cores_count" not in line for line in lines if line not in kept)


def test_one_end_of_all_commitments_is_that_of_the_lines(tmp_path: Path) -> None:
    item = next(one for one in importers() if one.id == "aws_cur")
    text = item.sample().decode().replace("2027-06-30T23:59:59Z", "2028-03-01T00:00:00.000Z")
    drafted = draft(
        read(tmp_path, text.encode()),
        Options(
            file_name="cur.csv",
            as_of="2026-10-01",
            sizes_of=lambda _types: {"m5.xlarge": Size(4, 16)},
        ),
    )
    assert drafted.baseline
    committed = next(line for line in drafted.baseline["lines"] if "after_usd_per_h" in line)
    assert committed["commitment_ends_on"] == "2028-03-01"
    assert committed["after_usd_per_h"] == pytest.approx(0.192)
    assert committed["usd_per_h"] == pytest.approx((83.52 + 79.2) / 1440)
    # Of unknown speed: what it carries is not known.
    assert "busy_cores_count" not in committed
    hours = 3 * 720 / 730
    assert f"{hours * 4:.1f} vCPUs" in drafted.open_points[0]


@pytest.mark.parametrize(
    ("kinds", "said"),
    [(1, "One kind of charge was not recognised; it is"), (2, "2 kinds of charge were not")],
)
def test_what_is_not_recognised_is_counted_in_words(tmp_path: Path, kinds: int, said: str) -> None:
    strange = [
        charge(ServiceCategory="Other", ServiceName=f"Strange {n}", ChargeDescription=f"thing {n}")
        for n in range(kinds)
    ]
    drafted = draft(
        read(tmp_path, as_csv([charge(), *strange])), Options(file_name="b.csv", as_of="2026-10-01")
    )
    assert any(point.startswith(said) for point in drafted.open_points), drafted.open_points


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"ServiceName": "Amazon Elastic Compute Cloud"}, ["AWS"]),
        ({"ServiceName": "Azure Blob Storage"}, ["Azure"]),
        ({"ServiceName": "Compute Engine"}, ["GCP"]),
        ({"ServiceName": "BigQuery", "PublisherName": "Google Cloud"}, ["Google Cloud"]),
        ({"ServiceName": "Virtual Machines", "ServiceProviderName": "Microsoft"}, ["Microsoft"]),
        ({"ServiceName": "Virtual Machines"}, []),
        ({"ServiceName": "AWS Lambda", "ProviderName": "A reseller"}, ["A reseller"]),
    ],
)
def test_who_provides_is_read_from_what_there_is(
    tmp_path: Path, given: dict[str, str], told: list[str]
) -> None:
    assert read(tmp_path, as_csv([charge(**given)]))["providers"] == told


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_a_bill_is_read_whole_however_its_text_is_written(tmp_path: Path, encoding: str) -> None:
    rows = [charge(ServiceName="Geb\N{LATIN SMALL LETTER U WITH DIAERESIS}hr") for _ in range(3)]
    bill = read(tmp_path, as_csv(rows).decode().encode(encoding))
    assert (bill["totals"]["billed"], bill["faults_count"]) == ("3", 0)
    assert [row["service"] for row in bill["services"]] == [rows[0]["ServiceName"]]


@pytest.mark.parametrize(
    ("start", "said"),
    [
        ("13/13/2026", "row 3 begins with '2026-13', not with a month as 2026-08"),
        ("2026-13-01", "row 3 begins with '2026-13', not"),
        ("", "row 3 is blank"),
    ],
)
def test_a_period_that_begins_with_no_month_is_refused_by_row(
    tmp_path: Path, start: str, said: str
) -> None:
    with pytest.raises(FileRefused, match=said):
        read(tmp_path, as_csv([charge(), charge(BillingPeriodStart=start)]))


@pytest.mark.parametrize(("start", "said"), [("b", "begins with 'b'"), ("", "is blank")])
def test_a_row_without_a_month_among_others_is_left_out_and_told(
    tmp_path: Path, start: str, said: str
) -> None:
    rows = [charge(), charge(), charge(BillingPeriodStart=start), charge()]
    bill = read(tmp_path, as_csv(rows))
    assert bill["totals"]["billed"] == "3"
    assert (bill["unread_count"], bill["faults_count"]) == (1, 1)
    (fault,) = bill["faults"]
    assert fault["line"] == 4
    assert said in fault["message"]


def test_one_line_that_ends_otherwise_far_down_does_not_break_a_file(tmp_path: Path) -> None:
    whole = as_csv([charge() for _ in range(2000)]).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    last = as_csv([charge()]).replace(b"\r\n", b"\n").split(b"\n")[1]
    for added, count in ((last + b"\n", "2001"), (b"\n", "2000")):
        bill = read(tmp_path, whole + added)
        assert (bill["totals"]["billed"], bill["faults_count"]) == (count, 0)


def test_what_is_left_beside_the_lines_has_no_last_bits(tmp_path: Path) -> None:
    machines = charge(
        BilledCost="15768",
        EffectiveCost="15768",
        PricingQuantity="73000",
        PricingUnit="Hours",
        ServiceName="Amazon Elastic Compute Cloud",
        ChargeDescription="$0.216 per On Demand Linux m5.xlarge Instance Hour",
    )
    other = charge(BilledCost="271.37", EffectiveCost="271.37", ServiceName="Quux")
    drafted = draft(
        read(tmp_path, as_csv([machines, other])), Options(file_name="b.csv", as_of="2026-10-01")
    )
    assert drafted.baseline is not None
    assert drafted.baseline["other_usd_per_month"] == 271.37


def test_cells_that_are_no_numbers_are_told_by_row(tmp_path: Path) -> None:
    rows = [charge(), charge(BilledCost="n/a"), charge(EffectiveCost="free")]
    bill = read(tmp_path, as_csv(rows))
    assert bill["faults_count"] == 2
    assert {fault["line"] for fault in bill["faults"]} == {3, 4}  # the head is row 1
    assert "'n/a' is not a number" in bill["faults"][0]["message"]


def test_cells_that_a_spreadsheet_leaves_out_at_the_end_of_rows_are_empty(tmp_path: Path) -> None:
    """Of random tables, every row counts that a reader of all rows finds."""
    dice = random.Random(3)
    rows = [charge(ChargeDescription="over\ntwo lines" if dice.random() < 0.1 else "x",
                   BilledCost=str(dice.randrange(1, 900)), Tags="", SubAccountId="")
            for _ in range(400)]  # fmt: skip
    whole = as_csv(rows).decode()
    cut = "".join(
        f"{line.rstrip(',')}\r\n" if dice.random() < 0.7 else f"{line}\r\n"
        for line in whole.split("\r\n")[:-1]
    )
    bill = read(tmp_path, cut.encode())
    assert bill["totals"]["rows_count"] == len(rows)
    assert Decimal(bill["totals"]["billed"]) == sum(Decimal(row["BilledCost"]) for row in rows)
    assert bill["faults_count"] == 0


@pytest.mark.parametrize(("listed", "after"), [("384", 0.4), ("0", 0.5), ("", 0.5), ("240", 0.5)])
def test_a_list_price_that_is_none_comes_from_the_catalogue(
    listed: str, after: float, tmp_path: Path
) -> None:
    """0, blank, or the discounted price again is no price without the commitment."""
    used = charge(
        InstanceType="m5.xlarge", SkuPriceDetails='{"InstanceType": "m5.xlarge"}',
        ChargeDescription="Reserved instance applied", PricingQuantity="960", PricingUnit="Hours",
        RegionId="us-east-1", EffectiveCost="240", BilledCost="0", ListCost=listed,
        CommitmentDiscountId="r-1", CommitmentDiscountStatus="Used", PricingCategory="Committed",
        CommitmentDiscountType="Reservation", x_CommitmentDiscountEndDate="2027-09-01",
        ServiceName="Amazon Elastic Compute Cloud", ProviderName="AWS",
    )  # fmt: skip
    bill = read(tmp_path, as_csv([used]))
    bill["commitments"][0]["ends_on"] = "2027-09-01"
    held = Options(
        file_name="b", as_of="2026-10-01", price_of=lambda _type, _region: HeldPrice(0.5, "x")
    )
    (line,) = (draft(bill, held).baseline or {})["lines"]
    assert line["after_usd_per_h"] == pytest.approx(after)
    none = Options(file_name="b", as_of="2026-10-01")
    drafted = draft(bill, none)
    (line,) = (drafted.baseline or {})["lines"]
    assert ("after_usd_per_h" in line) == (after == 0.4)
    asked = [point for point in drafted.open_points if "There is no verdict until then" in point]
    assert len(asked) == (after == 0.5)
    assert drafted.assumptions == {"starts_on": "2026-09-01"}


def test_lines_that_are_no_rows_are_told_and_left_out(tmp_path: Path) -> None:
    whole = as_csv([charge(), charge(), charge()]).decode().splitlines()
    whole[2] = "USD,2026-09-01"
    bill = read(tmp_path, "\n".join(whole).encode())
    assert bill["totals"]["rows_count"] == 2
    assert [fault["line"] for fault in bill["faults"]] == [3]
    assert "left out" in bill["faults"][0]["message"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"\x00\x01\x02\x03", "neither text nor Parquet"),
        (b"just a sentence\n", "no table"),
        (b"a,b,a\n1,2,3\n", "stands twice"),
        (b"PAR1 and then nothing of the kind", "cannot be read"),
    ],
)
def test_what_is_no_table_is_refused_with_a_sentence(
    data: bytes, said: str, tmp_path: Path
) -> None:
    file = tmp_path / "bill"
    file.write_bytes(data)
    with pytest.raises(FileRefused, match=said):
        open_table(file)


def test_a_bill_of_two_currencies_is_refused(tmp_path: Path) -> None:
    rows = [charge(), charge(BillingCurrency="EUR")]
    with pytest.raises(FileRefused, match="EUR, USD"):
        read(tmp_path, as_csv(rows))


def test_a_parquet_bill_says_what_its_csv_says(tmp_path: Path) -> None:
    import duckdb

    source, parquet = tmp_path / "in.csv", tmp_path / "bill"
    source.write_bytes(as_csv(generated(7, 100)))
    rows = f"SELECT * FROM read_csv('{source}', all_varchar=true)"
    duckdb.sql(f"COPY ({rows}) TO '{parquet}' (FORMAT parquet)")
    table = open_table(parquet)
    from_parquet = focus.IMPORTER.read(table, lambda _share, _said: None)
    from_csv = read(tmp_path, source.read_bytes())
    # A CSV has a line of heads above its rows.
    for part in (from_csv["totals"], *from_csv["kinds"]):
        if span := part.get("rows"):
            part["rows"] = [span[0] - 1, span[1] - 1, span[2]]
    assert from_parquet["totals"] == from_csv["totals"]
    assert from_parquet["kinds"] == from_csv["kinds"]


def test_nothing_but_the_file_is_in_reach(tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    file = tmp_path / "bill.csv"
    file.write_bytes(focus.IMPORTER.sample())
    table = open_table(file)
    with pytest.raises(FileRefused):
        table.rows(f"SELECT * FROM read_csv('{other}')")


_CAMEL = "billingPeriodStartDate,servicePeriodStartDate,date,meterCategory,meterName,productName"


def test_a_charge_without_a_billing_period_is_of_the_month_of_its_day(tmp_path: Path) -> None:
    """As customers' agreements are exported: the period is blank, days are month first."""
    text = (
        f"{_CAMEL},costInBillingCurrency,billingCurrency,chargeType\n"
        ",02/01/2021,02/02/2021,Virtual Network,IP Addresses,IP Addresses,0.5,USD,Usage\n"
        " ,03/01/2021,03/09/2021,Virtual Network,IP Addresses,IP Addresses,0.25,USD,Usage\n"
        "04/01/2021,03/01/2021,03/31/2021,Virtual Network,vWAN,vWAN,0.125,USD,Usage\n"
    )
    bill = read(tmp_path, text.encode())
    months = {row["month"]: row["billed"] for row in bill["months"]}
    assert months == {"2021-02": "0.5", "2021-03": "0.25", "2021-04": "0.125"}


def test_a_bill_that_names_no_currency_says_that_dollars_are_taken(tmp_path: Path) -> None:
    bill = read(tmp_path, as_csv([charge(BillingCurrency="", ServiceName="IP addresses")]))
    assert "1.00 in no named currency invoiced" in bill["headline"]
    assert any("US dollars" in note for note in bill["notes"])
    assert not any("US dollars" in note for note in read(tmp_path, as_csv([charge()]))["notes"])


def test_a_legacy_report_of_aws_is_read_as_that_of_2_0(tmp_path: Path) -> None:
    """Heads such as lineItem/UnblendedCost; the sample of 2.0 with its heads turned back."""
    rows = list(csv.DictReader(io.StringIO(aws_cur.IMPORTER.sample().decode())))
    new = read(tmp_path, aws_cur.IMPORTER.sample())
    groups = ("identity", "bill", "line_item", "product", "pricing", "reservation", "savings_plan")

    def legacy(name: str) -> str:
        group = next(one for one in groups if name.startswith(f"{one}_"))
        first, *more = name.removeprefix(f"{group}_").split("_")
        capital = group not in {"product", "pricing"}
        column = (first.capitalize() if capital else first) + "".join(w.capitalize() for w in more)
        head, *tail = group.split("_")
        return f"{head}{''.join(word.capitalize() for word in tail)}/{column}"

    old = read(
        tmp_path,
        as_csv([
            {legacy(name): value for name, value in row.items() if name != "resource_tags"}
            | {"resourceTags/user:team": "a"}
            for row in rows
        ]),
    )  # fmt: skip
    for part in ("totals", "machines", "commitments", "kinds", "months"):
        assert old[part] == new[part], part
    assert old["tags"][0]["key"] == "team"


def test_azure_in_german_and_with_details_that_lack_their_braces(tmp_path: Path) -> None:
    details = '"ServiceType": "Standard_D4as_v6", "VCPUs": 4'
    heads = {
        "Datum (Date)": "2026-09-02", "Kategorie (MeterCategory)": "Virtual Machines",
        "Name der Verbrauchseinheit (MeterName)": "D4as v6", "Menge (Quantity)": "720",
        "Kosten (CostInBillingCurrency)": "138.24", "Einheit (UnitOfMeasure)": "1 Hour",
        "Ort (ResourceLocation)": "westeurope", "Art (ChargeType)": "Usage",
        "Modell (PricingModel)": "OnDemand", "Währung (BillingCurrencyCode)": "EUR",
        "Familie (ServiceFamily)": "Compute", "Info (AdditionalInfo)": details,
        "Anfang (BillingPeriodStartDate)": "2026-09-01",
    }  # fmt: skip
    english = {name.partition("(")[2].rstrip(")"): value for name, value in heads.items()}
    for row in (heads, english, {**english, "AdditionalInfo": f"{{{details}}}"}):
        bill = read(tmp_path, as_csv([row]))
        (machine,) = bill["machines"]
        assert (machine["type"], machine["hours"]) == ("Standard_D4as_v6", "720")
        assert (bill["totals"]["billed"], bill["currency"]) == ("138.24", "EUR")
