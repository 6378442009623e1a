"""Dates of billing periods, written in any way: decided by the whole file, or asked for."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.formats.chunks import FileRefused
from capmodels.imports.registry import importer_of, recognised
from capmodels.imports.table import open_table
from capmodels.tests.imports.test_bills import as_csv, charge

if TYPE_CHECKING:
    from pathlib import Path

    from capmodels.imports.table import Dates
    from capmodels.spec import JSONDict

_FORMS = {
    "day_first": "{0.day}/{0.month}/{0.year}",
    "month_first": "{0.month:02}-{0.day:02}-{0.year}",
}
_STARTS = [date(2026 + at // 12, at % 12 + 1, 1) for at in range(14)]


def read(path: Path, data: bytes, dates: Dates | None = None) -> JSONDict:
    file = path / "bill.csv"
    file.write_bytes(data)
    table = open_table(file, dates)
    bill: JSONDict = recognised(table.columns).read(table, lambda _share, _said: None)
    return bill


def months(bill: JSONDict) -> list[str]:
    return [row["month"] for row in bill["months"]]


def periods(order: str, starts: list[date], **more: Any) -> bytes:
    said = _FORMS[order].format
    return as_csv([
        charge(BillingPeriodStart=said(one), **{key: said(day(one)) for key, day in more.items()})
        for one in starts
    ])  # fmt: skip


def next_month(day: date) -> date:
    return (day + timedelta(days=31)).replace(day=1)


@pytest.mark.parametrize("order", _FORMS)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.decisive
def test_periods_one_after_another_say_which_number_is_the_day(
    seed: int, order: str, tmp_path: Path
) -> None:
    draw = random.Random(seed)
    first = draw.randrange(12)
    starts = _STARTS[first : first + 2]
    assert months(read(tmp_path, periods(order, starts))) == [f"{day:%Y-%m}" for day in starts]
    some = [*starts, *draw.choices(starts, k=20)]
    draw.shuffle(some)
    assert months(read(tmp_path, periods(order, some))) == [f"{day:%Y-%m}" for day in starts]


@pytest.mark.parametrize("order", _FORMS)
@pytest.mark.parametrize("month", range(2, 13))
def test_the_end_of_a_period_says_it_for_one_month(month: int, order: str, tmp_path: Path) -> None:
    start = date(2026, month, 1)
    alone = read(tmp_path, periods(order, [start], BillingPeriodEnd=next_month))
    assert months(alone) == [f"2026-{month:02}"]


@pytest.mark.parametrize("order", _FORMS)
def test_a_day_above_twelve_says_it_for_all_dates_of_a_file(order: str, tmp_path: Path) -> None:
    starts = [date(2026, 8, 1)]
    said = periods(order, starts, ChargePeriodStart=lambda _: date(2026, 8, 27))
    assert months(read(tmp_path, said)) == ["2026-08"]
    # A period of its own customer's: from the thirteenth on, as ISO dates have it.
    assert months(read(tmp_path, periods(order, [date(2026, 8, 13)]))) == ["2026-08"]


@pytest.mark.parametrize("said", ["1/8/2026", "8/1/2026 0:00", "08-01-2026"])
def test_what_a_file_leaves_open_is_asked_for(said: str, tmp_path: Path) -> None:
    data = as_csv([charge(), charge(BillingPeriodStart=said)])
    with pytest.raises(FileRefused, match=f"row 3 begins on {said}, and no date .*Dates in files"):
        read(tmp_path, data)
    first, second = (int(one) for one in said.replace("-", "/").split("/")[:2])
    assert f"2026-{second:02}" in months(read(tmp_path, data, "day_first"))
    assert f"2026-{first:02}" in months(read(tmp_path, data, "month_first"))


@pytest.mark.parametrize(
    ("said", "month"),
    [
        *(("01.08.2026", "2026-08"), ("1/1/2026", "2026-01"), ("3/3/2026", "2026-03")),
        *(("2026-08-01T00:00Z", "2026-08"), ("20260801", "2026-08")),
    ],
)
@pytest.mark.parametrize("kind", ["focus", "aws_cur"])
def test_what_can_be_read_in_one_way_is_not_asked_for(
    said: str, month: str, kind: str, tmp_path: Path
) -> None:
    whole = "2026-09-01 00:00:00" if kind == "focus" else "2026-09-01T00:00:00.000Z"
    data = importer_of(kind).sample().decode().replace(whole, said).encode()
    assert months(read(tmp_path, data)) == [month]


def test_dates_in_both_orders_are_refused(tmp_path: Path) -> None:
    rows = [charge(BillingPeriodStart=one) for one in ("8/13/2026", "13/8/2026")]
    with pytest.raises(FileRefused, match="with the day first and with the month first"):
        read(tmp_path, as_csv(rows))


def test_what_whoever_sends_it_says_does_not_overrule_the_file(tmp_path: Path) -> None:
    said = periods("day_first", _STARTS[3:6])
    assert months(read(tmp_path, said, "month_first")) == ["2026-04", "2026-05", "2026-06"]


def azure(*dates: str) -> bytes:
    return as_csv([
        {"Date": one, "MeterCategory": "Storage", "MeterName": "Data", "MeterId": "m",
         "CostInBillingCurrency": "1", "BillingCurrency": "USD", "Quantity": "1",
         "UnitOfMeasure": "1 GB", "ChargeType": "Usage"}
        for one in dates
    ])  # fmt: skip


def test_days_of_azure_are_told_where_the_page_of_the_provider_decides(tmp_path: Path) -> None:
    decided = read(tmp_path, azure("13/8/2026", "2/8/2026"))
    assert (months(decided), decided["notes"]) == (["2026-08"], [])
    left_open = read(tmp_path, azure("8/9/2026"))
    assert months(left_open) == ["2026-08"]
    assert any("month first, as Azure writes them" in note for note in left_open["notes"])
    assert left_open["suggested_cost"] == "effective"
    said = read(tmp_path, azure("8/9/2026"), "day_first")
    assert (months(said), said["notes"]) == (["2026-09"], [])
