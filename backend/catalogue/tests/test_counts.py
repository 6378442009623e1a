"""How many numbers are of each quality: counted per field, and as tables for the docs."""

from __future__ import annotations

from collections import Counter
from io import StringIO

from django.core.management import call_command

from catalogue.fixture_counts import entry_counts, quality_counts
from catalogue.fixture_entries import read_entries
from catalogue.fixture_rows import QUALITIES, read_tables


def printed(*arguments: str) -> list[list[str]]:
    out = StringIO()
    call_command("catalogue_counts", *arguments, stdout=out)
    lines = out.getvalue().splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_every_number_is_counted_once_under_its_quality() -> None:
    tables = read_tables()
    counts = quality_counts(tables)
    # What parts and measured speeds say of a machine stands in no cell, what is inherited in one.
    cells = {(row.slug, name) for table in tables for row in table.rows for name in row.cells}
    without_inherited: dict[tuple[str, str], Counter[str]] = {}
    for seed in read_entries():
        for name, value in seed.values.items():
            if value["unit"] is not None and (seed.slug, name) in cells:
                counted = without_inherited.setdefault((seed.kind, name), Counter())
                counted[value["quality"]] += 1
    assert counts == without_inherited


def test_current_prices_of_instances_are_mostly_published() -> None:
    prices = quality_counts(read_tables())["instance", "usd_per_h"]
    assert prices["published"] >= 100
    assert prices["recalled"] + prices["assumed"] <= 2


def test_power_of_servers_is_mostly_measured() -> None:
    watts = quality_counts(read_tables())["server", "peak_w"]
    assert watts["measured"] >= 20


def test_the_table_by_kind_sums_up() -> None:
    head, _rule, *lines, last = printed()
    assert head == ["kind", "entries", "numbers", *QUALITIES]
    for column in range(1, len(head)):
        assert sum(int(line[column]) for line in lines) == int(last[column])
    assert int(last[1]) == entry_counts(read_tables()).total()


def test_the_table_by_field_has_a_line_for_each() -> None:
    head, _rule, *lines = printed("--fields")
    assert head == ["kind", "field", "numbers", *QUALITIES]
    assert len(lines) == len(quality_counts(read_tables()))
    assert all(int(line[2]) == sum(map(int, line[3:])) for line in lines)
