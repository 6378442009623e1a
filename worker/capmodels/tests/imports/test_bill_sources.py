"""Bills of every source against a reader that adds up one column, row by row, and nothing else."""

from __future__ import annotations

import csv
import io
import json
import random
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.imports.registry import importer_of, importers, opened, read_with, recognised
from capmodels.imports.table import open_table

if TYPE_CHECKING:
    from pathlib import Path

# The column of what is invoiced.
_AMOUNT = {
    "focus": "BilledCost",
    "aws_cur": "line_item_unblended_cost",
    "azure_cost": "CostInBillingCurrency",
    "gcp_cost": "cost",
    "oci_cost": "cost/myCost",
    "hetzner": "total",
    "ovh": "totalPrice",
}
_BILLS = [item for item in importers() if item.makes == "bill"]


def bill_of(path: Path, data: bytes, identity: str) -> dict[str, Any]:
    file = path / "bill"
    file.write_bytes(data)
    held = opened(file)
    item = recognised(held.columns)
    assert item.id == identity
    return read_with(item, held, lambda _share, _said: None)


def rows_of(sample: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(sample.decode())))


def as_csv(rows: list[dict[str, str]], delimiter: str = ",", *, is_cut: bool = False) -> bytes:
    text = io.StringIO()
    names = list(rows[0])
    writer = csv.writer(text, delimiter=delimiter)
    writer.writerow(names)
    for row in rows:
        cells = [row[name] for name in names]
        while is_cut and cells and not cells[-1]:
            cells.pop()
        writer.writerow(cells)
    return text.getvalue().encode()


def test_every_source_has_a_column_to_be_checked_by() -> None:
    assert _AMOUNT.keys() == {item.id for item in _BILLS}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("item", _BILLS, ids=lambda item: item.id)
@pytest.mark.decisive
def test_a_generated_bill_comes_to_what_its_column_adds_up_to(
    item: Any, seed: int, tmp_path: Path
) -> None:
    draw, name = random.Random(f"{item.id} {seed}"), _AMOUNT[item.id]
    known = rows_of(item.sample())
    rows, unread = [], 0
    for _ in range(60):
        row = dict(draw.choice(known))
        sign = "€ " if "€" in row[name] else ""
        row[name] = f"{sign}{Decimal(draw.randint(-(10**5), 10**7)).scaleb(-4)}"
        if "credits" in row:
            row["credits"] = draw.choice(("", "[]", '[{"amount": -0.0125}, {"amount": -1}]'))
        if draw.random() < 0.05:
            row[name], unread = "no idea", unread + 1
        rows.append(row)
    dumb = sum(
        (Decimal(row[name].strip("€ ")) for row in rows if row[name] != "no idea"), Decimal()
    )
    dumb += sum(Decimal("-1.0125") for row in rows if "-0.0125" in row.get("credits", ""))
    delimiter = draw.choice((",", ";", "\t"))
    bill = bill_of(tmp_path, as_csv(rows, delimiter, is_cut=seed % 2 == 1), item.id)
    assert Decimal(bill["totals"]["billed"]) == dumb
    assert bill["totals"]["rows_count"] == len(rows)
    said = f"; {unread} row{'s' * (unread > 1)} not read whole, see below."
    assert bill["headline"].endswith(said) == (unread > 0)
    assert sum(row["rows_count"] for row in bill["months"]) == len(rows)


def test_two_bad_cells_of_a_row_are_one_row_that_is_not_read_whole(tmp_path: Path) -> None:
    rows = rows_of(importer_of("focus").sample())
    rows[0] |= {"BilledCost": "x", "EffectiveCost": "y"}
    bill = bill_of(tmp_path, as_csv(rows), "focus")
    assert bill["unread_rows_count"] == 1
    assert bill["faults_count"] == 2
    assert "; 1 row not read whole" in bill["headline"]


def test_json_lines_of_google_are_read_as_its_csv(tmp_path: Path) -> None:
    rows = rows_of(importer_of("gcp_cost").sample())
    nested: list[dict[str, Any]] = []
    for row in rows:
        one: dict[str, Any] = {}
        for name, cell in row.items():
            *above, last = name.split(".")
            held = one.setdefault(above[0], {}) if above else one
            held[last] = json.loads(cell) if cell.startswith("[") else cell or None
        nested.append(one)
    lines = "\n".join(json.dumps(one) for one in nested).encode()
    from_csv = bill_of(tmp_path, as_csv(rows), "gcp_cost")
    for data in (lines, json.dumps(nested).encode()):
        found = bill_of(tmp_path, data, "gcp_cost")
        for key in ("headline", "notes", "currency", "tags"):
            assert found[key] == from_csv[key]
        assert found["totals"]["billed"] == from_csv["totals"]["billed"] == "120.55"
        assert found["machines"][0]["type"] == "n2-custom-1-4096"


def test_what_few_of_the_objects_of_a_file_have_is_read(tmp_path: Path) -> None:
    plain = {
        "service": {"description": "Compute Engine"}, "sku": {"description": "E2 Core"},
        "cost": 1.5, "currency": "EUR", "invoice": {"month": "202609"},
    }  # fmt: skip
    last = {**plain, "credits": [{"name": "a", "amount": -0.5}], "cost_type": "regular"}
    lines = "\n".join(json.dumps(one) for one in [*[plain] * 1500, last]).encode()
    bill = bill_of(tmp_path, lines, "gcp_cost")
    assert bill["totals"]["billed"] == "2251"
    assert bill["totals"]["rows_count"] == 1501


def test_the_cost_table_of_googles_console_ends_in_its_total(tmp_path: Path) -> None:
    data = """\
Invoice number,12345
Invoice date,2026-09-30

Project name,Service description,SKU description,Credit type,Cost type,Usage start date,\
Usage end date,Usage amount,Usage unit,Unrounded cost (€),Cost (€)
p,Compute Engine,E2 Instance Core running in Belgium,,Usage,2026-09-01,2026-09-30,720,hour,12.004,\
12.00
p,Compute Engine,E2 Instance Core running in Belgium,Sustained use discount,Usage,2026-09-01,\
2026-09-30,0,hour,-2.001,-2.00
,,,,Tax,2026-09-01,2026-09-30,,,1.9,1.90
,,,,Rounding error,2026-09-01,2026-09-30,,,-0.003,0.00
,,,,Total,,,,,,11.90
"""
    bill = bill_of(tmp_path, data.encode(), "gcp_cost")
    assert (bill["totals"]["billed"], bill["currency"]) == ("11.9", "EUR")
    assert bill["machines"][0]["billed"] == "10"


def test_credits_as_python_prints_them_and_promotions_are_told(tmp_path: Path) -> None:
    rows = rows_of(importer_of("gcp_cost").sample())
    rows[0]["credits"] = "[{'name': 'Free', 'amount': -5e-06, 'id': None, 'type': 'PROMOTION'}]"
    rows[1]["credits"] = "[{'amount': -2.5, 'is_last': True}]"
    bill = bill_of(tmp_path, as_csv(rows), "gcp_cost")
    assert bill["totals"]["billed"] == "126.449995"
    assert any(one.startswith("Credits of 2.50 EUR") for one in bill["notes"])
    assert any("0.00 EUR are promotions" in one for one in bill["notes"])


def test_credits_that_a_query_has_added_up_are_netted(tmp_path: Path) -> None:
    rows = rows_of(importer_of("gcp_cost").sample())
    for row in rows:
        row["credits"] = "-0.25"
    bill = bill_of(tmp_path, as_csv(rows), "gcp_cost")
    assert bill["totals"]["billed"] == "127.95"
    assert "Credits of 1.00 EUR are netted" in bill["notes"][0]


def test_a_list_price_of_nothing_is_none_in_azures_exports(tmp_path: Path) -> None:
    rows = rows_of(importer_of("azure_cost").sample())
    for row in rows:
        row["PayGPrice"] = "0"
    bill = bill_of(tmp_path, as_csv(rows), "azure_cost")
    assert bill["totals"]["list"] == bill["totals"]["billed"]


def test_the_credits_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    rows = rows_of(importer_of("gcp_cost").sample())
    rows[0]["credits"] = "two euros"
    bill = bill_of(tmp_path, as_csv(rows), "gcp_cost")
    assert "Credits of 1 rows cannot be read: they are not taken off." in bill["notes"]


def test_aws_parquet_with_a_column_a_tag_is_read_as_csv(tmp_path: Path) -> None:
    import duckdb

    rows = rows_of(importer_of("aws_cur").sample())
    for row in rows:
        del row["resource_tags"]
        row["resource_tags_user_team"] = "web"
    csv_file, parquet = tmp_path / "plain.csv", tmp_path / "bill.parquet"
    csv_file.write_bytes(as_csv(rows))
    duckdb.sql(f"COPY (FROM read_csv('{csv_file}')) TO '{parquet}' (FORMAT parquet)")
    table = open_table(parquet)
    assert table.types["line_item_unblended_cost"] == "DOUBLE"
    found = recognised(table.columns).read(table, lambda _share, _said: None)
    other = bill_of(tmp_path, as_csv(rows), "aws_cur")
    assert found["totals"]["billed"] == other["totals"]["billed"]
    # a Parquet file has no line of names: its first row is row 1
    machines = [[{**row, "rows": 0} for row in bill["machines"]] for bill in (found, other)]
    assert machines[0] == machines[1]
    assert found["tags"][0]["key"] == "team"


def test_amounts_that_parquet_holds_as_text_are_read_as_people_write_them(tmp_path: Path) -> None:
    import duckdb

    file = tmp_path / "bill.parquet"
    duckdb.sql(
        "COPY (SELECT 'EUR' AS BillingCurrency, '2026-09-01' AS BillingPeriodStart, "
        "unnest(['1.234,50', 'x']) AS BilledCost, '1.234,50' AS EffectiveCost, "
        f"'Usage' AS ChargeCategory) TO '{file}' (FORMAT parquet)"
    )
    table = open_table(file)
    bill = read_with(recognised(table.columns), table, lambda _share, _said: None)
    assert bill["totals"]["billed"] == "1234.5"
    assert bill["unread_rows_count"] == 1


@pytest.mark.parametrize(
    ("columns", "version", "provider"),
    [
        ({"ServiceProviderName": "Cloud", "HostProviderName": "Host"}, "1.3", "Cloud"),
        ({"ProviderName": "Old", "InvoiceId": "7"}, "1.2", "Old"),
    ],
)
def test_focus_says_its_version_by_its_columns(
    columns: dict[str, str], version: str, provider: str, tmp_path: Path
) -> None:
    rows = [
        {key: cell for key, cell in row.items() if key != "ProviderName"} | columns
        for row in rows_of(importer_of("focus").sample())
    ]
    bill = bill_of(tmp_path, as_csv(rows), "focus")
    assert bill["providers"] == [provider]
    assert importer_of("focus").version(frozenset(rows[0])) == version


def test_a_machine_by_the_month_and_one_by_the_hour_have_their_hours(tmp_path: Path) -> None:
    bill = bill_of(tmp_path, importer_of("hetzner").sample(), "hetzner")
    hours = {row["type"]: row["hours"] for row in bill["machines"]}
    assert hours == {"CX33": "730", "CAX21": "100"}
    assert bill["currency"] == "EUR"
    in_dollars = importer_of("hetzner").sample().decode().replace("€", "$").encode()
    assert bill_of(tmp_path, in_dollars, "hetzner")["currency"] == "USD"


def test_details_of_ovh_as_its_api_gives_them(tmp_path: Path) -> None:
    line = {
        "billDetailId": "1",
        "domain": "p",
        "description": "Instance b3-8 (monthly)",
        "periodStart": "2026-09-01",
        "periodEnd": "2026-09-30",
        "quantity": "2",
        "unitPrice": {"currencyCode": "EUR", "text": "25.40 €", "value": 25.4},
        "totalPrice": {"currencyCode": "EUR", "text": "50.80 €", "value": 50.8},
    }
    bill = bill_of(tmp_path, json.dumps([line, line]).encode(), "ovh")
    assert (bill["totals"]["billed"], bill["currency"]) == ("101.6", "EUR")
    assert bill["machines"][0]["hours"] == "2920"
