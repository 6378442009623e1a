"""A pasted table becomes the lines of a baseline, or says which cell cannot be read."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from capmodels.errors import ParamsError
from capmodels.numbers import Currency
from capmodels.plans.document.baseline import BaselineLine
from capmodels.plans.document.baseline_csv import missing_prices, parse_baseline_csv, with_prices

LINES = [
    {
        "type": "m5.xlarge",
        "count": 12.0,
        "hours_per_month": 730.0,
        "commitment_ends_on": "2027-03-31",
        "usd_per_h": 0.12,
        "after_usd_per_h": 0.192,
    },
    {"type": "c5.large", "count": 4.0, "hours_per_month": 200.0, "usd_per_h": 0.085},
]


@pytest.mark.parametrize(
    "text",
    [
        "m5.xlarge,12,730,2027-03-31,0.12,0.192\nc5.large,4,200,,0.085\n",
        "m5.xlarge;12;730;2027-03-31;0,12;0,192\n\nc5.large;4;200;;0,085;\n",
        "m5.xlarge\t12\t730\t2027-03-31\t$0.12\t$ 0.192\r\nc5.large\t4\t200\tnone\t0.085",
        "Count,Instance type,Hours,Price,Commitment end,On demand\n"
        "12,m5.xlarge,730,0.12,2027-03-31,0.192\n4,c5.large,200,0.085,,\n",
    ],
    ids=["commas", "semicolons", "tabs", "head"],
)
@pytest.mark.decisive
def test_a_table_is_read_however_it_was_copied(text: str) -> None:
    assert parse_baseline_csv(text) == LINES


def test_the_lines_are_lines_of_a_baseline() -> None:
    for line in LINES:
        BaselineLine.model_validate(line)


def test_the_end_of_a_commitment_may_be_months() -> None:
    (line,) = parse_baseline_csv("type,count,end\nm5.xlarge,1,14")
    assert line == {"type": "m5.xlarge", "count": 1.0, "commitment_end_month": 14}


EUROS = Currency("EUR", 0.8)


@pytest.mark.parametrize(
    ("text", "usd_per_h"),
    [
        ("m5;1;730;;1,2;2,4", (1.5, 3.0)),
        ("type;count;price;after\nm5;1;1,2;$2,4", (1.5, 2.4)),
        ("type;count;price;after\nm5;1;\N{EURO SIGN}1,2;2,4 EUR", (1.5, 3.0)),
        ("type;count;price;after\nm5;1;1,2 USD;US$2,4", (1.2, 2.4)),
        ("type;count;usd_per_h;after\nm5;1;1,2;2,4", (1.2, 3.0)),
        ("type;count;usd_per_h;after_usd_per_h\nm5;1;1,2 EUR;2,4", (1.5, 2.4)),
    ],
)
def test_prices_are_in_the_currency_of_the_study_or_what_they_say(
    text: str, usd_per_h: tuple[float, float]
) -> None:
    (line,) = parse_baseline_csv(text, ",", EUROS)
    assert (line["usd_per_h"], line["after_usd_per_h"]) == pytest.approx(usd_per_h)


def test_a_price_in_a_third_currency_is_refused() -> None:
    with pytest.raises(ParamsError) as caught:
        parse_baseline_csv("m5,1,730,,1.2 CHF,2.4", ".", EUROS)
    assert [fault.pointer for fault in caught.value.faults] == ["/csv/1/5"]


@pytest.mark.parametrize(
    ("text", "pointers"),
    [
        ("", ["/csv"]),
        (" \n ; ", ["/csv"]),
        ("m5.xlarge,many,730", ["/csv/1/2"]),
        ("type,count\nm5,-3\nm6,1e999\nm7,nan", ["/csv/2/2", "/csv/3/2", "/csv/4/2"]),
        ("m5,1,730,31.03.2027", ["/csv/1/4"]),
        ("m5,1,730,2027-13-01", ["/csv/1/4"]),
        ("type,count,colour\nm5,1,red", ["/csv/1/3"]),
        ("hours,price\n730,0.1", ["/csv", "/csv"]),
        ("m5,1\n" * 501, ["/csv"]),
        ('"' + "m" * 200_000, ["/csv"]),
    ],
)
def test_what_cannot_be_read_is_named(text: str, pointers: list[str]) -> None:
    with pytest.raises(ParamsError) as caught:
        parse_baseline_csv(text)
    assert [fault.pointer for fault in caught.value.faults] == pointers


@pytest.mark.slow
@given(st.text(max_size=80))
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    with suppress(ParamsError):
        assert parse_baseline_csv(text)


def test_a_price_that_was_left_out_comes_from_the_list() -> None:
    lines = parse_baseline_csv("type,count,end,price\na,1,,\nb,1,12,0.1\nc,1,,0.2\nd,1,,")
    assert missing_prices(lines) == ["a", "b", "d"]
    priced = with_prices(lines, {"a": 0.5, "b": 0.3, "c": 9.0})
    assert [line.get("usd_per_h") for line in priced] == [0.5, 0.1, 0.2, None]
    assert [line.get("after_usd_per_h") for line in priced] == [None, 0.3, None, None]


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("-2", "'-2' is below 0. Enter 0 or more."),
        ("9" * 5000, f"'{'9' * 40}' is not a number. Enter one, such as 1234.5."),
    ],
)
def test_what_is_wrong_with_an_amount_is_told_in_a_line(cell: str, message: str) -> None:
    with pytest.raises(ParamsError) as caught:
        parse_baseline_csv(f"type,count\nm5,{cell}")
    assert [fault.message for fault in caught.value.faults] == [message]


@pytest.mark.parametrize(
    ("head", "called"),
    [("type,count,price\n", "price"), ("Type,Count,USD per hour\n", "USD per hour"), ("", "price")],
)
def test_a_column_that_is_open_is_called_as_its_head_is(head: str, called: str) -> None:
    line = "m5;1;1.250" if head else "m5;1;730;;1.250"
    with pytest.raises(ParamsError) as refused:
        parse_baseline_csv(head.replace(",", ";") + line)

    (fault,) = refused.value.faults
    assert fault.message.startswith(f"{called}: “1.250” may be")


def test_a_head_in_german_names_the_same_columns() -> None:
    rows = "m7a.8xlarge;40;730;2027-03-31;1,5;2,25"
    german = "Typ;Anzahl;Stunden;Bindung bis;Preis pro Stunde;Preis danach"
    english = "type;count;hours;commitment end;price;price afterwards"
    read = [parse_baseline_csv(f"{head}\n{rows}") for head in (german, english)]
    assert read[0] == read[1]
    assert read[0][0]["after_usd_per_h"] == 2.25
