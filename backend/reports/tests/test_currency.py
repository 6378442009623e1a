"""A study in another currency than dollars: every amount of its reports is in that currency."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import replace
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any

import openpyxl
import pytest

from capmodels.plans.answer.focus_rows import focus_csv
from capmodels.registry import get_model
from capmodels.testing.studies import random_study
from reports.drivers import drivers_of
from reports.render import render
from reports.render.inputs import input_groups
from reports.render.workbook import DRIVERS, SUMMARY
from reports.testing.excel import Sheets
from reports.testing.pdf_reading import page_texts
from reports.testing.rendering import report_of
from runs.columns import as_csv, columns_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from reports.render.contents import ReportInput

PLAN = get_model("plans.compare")
SEEDS = (5, 7)
EUROS = {"code": "EUR", "per_usd": 0.86, "as_of": "2026-07-01"}
NUMBER = re.compile(r"-?[\d.]+(e[+-]?\d+)?")
DOLLARS = re.compile(r"\$[\d,.]*\d|\$|\bUSD\b")


@cache
def study_in(code: str, seed: int) -> ReportInput:
    """The report of a random study with its amounts in a currency."""
    study = random_study(seed)
    study["assumptions"]["currency"] = EUROS if code == "EUR" else {"code": "USD"}
    study["draws_count"] = 200 if seed % 2 else 0
    report = report_of(study)
    return replace(report, drivers=drivers_of(PLAN, report.document))


@pytest.mark.parametrize("code", ["USD", "EUR"])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_formula_has_the_value_that_it_gives(code: str, seed: int) -> None:
    report = study_in(code, seed)
    file = render(report, "xlsx")
    cached, sheets = openpyxl.load_workbook(io.BytesIO(file), data_only=True), Sheets(file)
    formulas = 0
    for sheet in sheets.book:
        for cell in (c for row in sheet.iter_rows() for c in row if c.data_type == "f"):
            formulas += 1
            shown: Any = cached[sheet.title][cell.coordinate].value
            computed = sheets.get(sheet.title, cell.coordinate)
            expected = computed if isinstance(computed, str) else pytest.approx(computed, abs=0.011)
            assert shown == expected, (sheet.title, cell.coordinate, cell.value)
    assert formulas > 100
    for row, design in enumerate(report.designs, start=7):
        total = design["total_usd"] * report.currency.per_usd
        assert cached[SUMMARY][f"C{row}"].value == pytest.approx(total, abs=0.006)
        ranked = design["ranked_usd"] * report.currency.per_usd
        assert cached[SUMMARY][f"I{row}"].value == pytest.approx(ranked)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_study_in_euros_says_nothing_in_dollars(seed: int) -> None:
    report = study_in("EUR", seed)
    assert dollars_in(texts_of(report.comparison)) == set()
    # A source says what it says: a price that was published in dollars.
    groups, sources = input_groups(report)
    reasons = [row.reason for group in groups for row in group.rows]
    # And the planner what they say.
    own = [report.title, report.question]
    quoted = dollars_in([*reasons, *own, *(str(source["title"]) for source in sources.listed)])
    book = openpyxl.load_workbook(io.BytesIO(render(report, "xlsx")))
    cells = [c for sheet in book for row in sheet.iter_rows() for c in row if c.data_type != "f"]
    assert dollars_in(str(cell.value) for cell in cells) <= quoted
    formats = {cell.number_format for cell in cells}
    assert dollars_in(formats) == set()
    pages = [page.replace("1 USD = ", "") for page in page_texts(render(report, "pdf"))]
    assert dollars_in(pages) <= quoted


def _run_series(report: ReportInput) -> str:
    return as_csv(list(columns_of(report.comparison)), report.currency)


def _bill(report: ReportInput) -> str:
    return focus_csv(report.comparison, date(2026, 11, 1))


def _table(report: ReportInput) -> str:
    return render(report, "csv").decode("utf-8-sig")


def _is_money(head: list[str], row: list[str], column: int) -> bool:
    """Whether a cell of a study in dollars is an amount: its column or its row says so."""
    return "usd" in head[column].lower() or head[column].endswith("Cost") or "USD" in row[3][:3]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("export", [_table, _run_series, _bill])
def test_every_file_of_a_study_in_euros_is_in_euros(
    export: Callable[[ReportInput], str], seed: int
) -> None:
    dollars, euros = (
        list(csv.reader(io.StringIO(export(study_in(code, seed))))) for code in ("USD", "EUR")
    )
    moved = 0
    for before, after in zip(dollars, euros, strict=True):
        assert not re.search(r"\$|\busd\b", re.sub("[_.]", " ", " ".join(after).lower())), after
        for column, (was, now) in enumerate(zip(before, after, strict=True)):
            if not (NUMBER.fullmatch(was) and _is_money(dollars[0], before, column)):
                continue
            assert float(now) == pytest.approx(float(was) * 0.86, abs=0.02), (before, after)
            moved += float(was) != 0
    assert moved > 3


def dollars_in(texts: Iterable[str]) -> set[str]:
    return {amount for text in texts for amount in DOLLARS.findall(text)}


def texts_of(value: Any, key: str = "") -> Iterator[str]:
    """The sentences of an answer; a unit names what an amount is held in, and is no sentence."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from texts_of(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_of(inner, key)
    elif isinstance(value, str) and key != "unit":
        yield value


@pytest.mark.parametrize("code", ["USD", "EUR"])
def test_drivers_are_in_the_currency_and_include_people_pay_parts_and_cores(code: str) -> None:
    units, pointers, labels = set(), set(), []
    for seed in SEEDS:
        report = study_in(code, seed)
        sheets = Sheets(render(report, "xlsx"))
        for row, driver in enumerate(report.drivers, start=4):
            money = driver.unit.startswith("USD")
            value = driver.value * (report.currency.per_usd if money else 1.0)
            assert sheets.get(DRIVERS, f"C{row}") == pytest.approx(value)
            assert sheets.get(DRIVERS, f"E{row}") == driver.unit.replace("USD", code)
            units.add(driver.unit)
            pointers.add(driver.pointer)
            labels.append(driver.label)
    assert {"FTE"} <= units
    assert "/workload/busy_cores_count" in pointers
    assert any("price" in label.lower() for label in labels)


@pytest.mark.parametrize("code", ["USD", "EUR"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_head_names_what_the_sentence_goes_by(code: str, seed: int) -> None:
    report = study_in(code, seed)
    sheets = Sheets(render(report, "xlsx"))
    assert sheets.get(SUMMARY, "C6") == f"Cost, as entered ({code})"
    of = " of simulations" if report.cost_words.endswith("mean") else ""
    assert sheets.get(SUMMARY, "I6") == f"{report.cost_words}{of} ({code})"
