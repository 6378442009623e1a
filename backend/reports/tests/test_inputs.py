"""The table of inputs: every value with its title, unit, range, quality and source."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.numbers import USD, Currency
from capmodels.registry import get_model
from capmodels.spec import params_schema, validate
from reports.render.inputs import InputRow, by_branch, input_groups, range_text, value_text
from reports.render.parts.certainty import alternative_rows, flip_rows, unmoved_rows
from reports.tests.samples import comparison, document, report

PLAN = get_model("plans.compare")
PROVENANCE: dict[str, dict[str, Any]] = {
    "/designs/D/staff_fte": {
        "quality": "assumed",
        "source": "Team lead",
        "url": "https://example.com/plan",
        "as_of": "2026-11-20",
        "low": 1.2,
        "high": 3.5,
    },
    "/designs/D/node_groups": {"quality": "published", "source": "Price list"},
    "/workload/busy_cores_count": {"quality": "measured", "source": "Price list"},
}


@pytest.fixture(scope="module")
def rows() -> dict[tuple[str, str], InputRow]:
    params = validate(PLAN, document()).model_dump(mode="json")
    of = report(document=params, schema=params_schema(PLAN), provenance=PROVENANCE)
    groups, _ = input_groups(of)
    return {(group.letter or group.title, row.label): row for group in groups for row in group.rows}


@pytest.mark.decisive
def test_takes_title_and_unit_from_the_schema(rows: dict[tuple[str, str], InputRow]) -> None:
    assert rows["Workload", "Busy cores, mean"].value.startswith("800")
    assert rows["Assumptions", "Discount rate"].value == "8%/yr"
    assert rows["Assumptions", "Horizon"].value == "36\u00a0months"


def test_amounts_are_in_the_currency_of_the_study() -> None:
    shown = document()
    place = "/assumptions/staff_usd_per_fte_year"
    shown["assumptions"]["staff_usd_per_fte_year"] = 150_000
    shown["ranges"] = [{"pointer": place, "low": 100_000, "high": 200_000}]
    params = validate(PLAN, shown).model_dump(mode="json")
    of = report(document=params, schema=params_schema(PLAN))
    for currency, expected in (
        (USD, ("$150,000/FTE-yr", "$100,000–200,000/FTE-yr")),
        (Currency("CHF", 0.8), ("CHF 120,000/FTE-yr", "CHF 80,000–160,000/FTE-yr")),
    ):
        groups, _ = input_groups(of, currency)
        (row,) = (row for row in groups[0].rows if row.label == "Cost of a person")
        assert (row.value.replace("\u00a0", " "), row.range.replace("\u00a0", " ")) == expected
        assert row.amount == 150_000


def test_a_choice_is_called_as_the_form_calls_it() -> None:
    shown = document()
    power = {"kind": "family", "idle_w": 100, "peak_w": 300, "family": "zen4"}
    own = next(design for design in shown["designs"] if design.get("node_groups"))
    own["node_groups"][0]["power"] = power
    params = validate(PLAN, shown).model_dump(mode="json")
    groups, _ = input_groups(report(document=params, schema=params_schema(PLAN)))
    said = {row.value for group in groups for row in group.rows if row.label.endswith("Family")}
    assert said == {"EPYC 9004 and 9005, 2022 to 2025"}
    rented = {row.value for group in groups for row in group.rows if row.label.endswith("Provider")}
    assert rented == {"AWS", "Azure", "Google Cloud"}


def test_an_accepted_finding_is_told_with_the_check_alone() -> None:
    accepted = {"finding": "2:/designs/D/sites", "because": "One site is enough"}
    shown = document()
    shown["assumptions"]["accepted"] = [accepted]
    params = validate(PLAN, shown).model_dump(mode="json")
    groups, _ = input_groups(report(document=params, schema=params_schema(PLAN)))
    values = [row.value for group in groups for row in group.rows]
    assert not {*accepted.values()} & {*values}


def test_says_where_a_value_is_from(rows: dict[tuple[str, str], InputRow]) -> None:
    row = rows["D", "Operations"]
    assert (row.quality, row.as_of) == ("assumed", "2026-11-20")
    assert rows["Workload", "Busy cores, mean"].quality == "measured"


def test_a_range_of_the_study_goes_before_that_of_the_source(
    rows: dict[tuple[str, str], InputRow],
) -> None:
    stated = next(r for r in document()["ranges"] if r["pointer"] == "/designs/D/staff_fte")
    assert rows["D", "Operations"].range == f"{stated['low']}–{stated['high']}\u00a0FTE"


def test_what_is_said_of_a_part_holds_for_its_values(
    rows: dict[tuple[str, str], InputRow],
) -> None:
    found = [row for (group, label), row in rows.items() if group == "D" and "EPYC" in label]
    assert found
    assert {row.quality for row in found} == {"published"}


def test_a_default_names_the_source_of_the_default(rows: dict[tuple[str, str], InputRow]) -> None:
    row = rows["Assumptions", "Price changes › Cloud instances"]
    assert (row.quality, row.value) == ("derived", "0%/yr")
    assert row.source > 0


def test_the_reason_of_an_assumption_is_no_source(rows: dict[tuple[str, str], InputRow]) -> None:
    row = rows["Assumptions", "Currency › Units per US dollar"]
    assert (row.source, row.reason) == (0, "US dollars")
    of = report(
        document=validate(PLAN, document()).model_dump(mode="json"),
        schema=params_schema(PLAN),
        provenance={
            **PROVENANCE,
            "/workload/ram_gib": {"quality": "typed", "source": "Typed in", "as_of": "2026-07-01"},
        },
    )
    _, sources = input_groups(of)
    titles = {source["title"] for source in sources.listed}
    assert titles.isdisjoint({"US dollars", "As planned", "Typed in", "One site", "N+1"})
    assert "Commercial price of electricity, United States" in titles


def test_no_two_fields_of_a_part_have_one_name(rows: dict[tuple[str, str], InputRow]) -> None:
    names = [label for group, label in rows if group == "D" and "EPYC" in label]
    assert len(names) == len(set(names))
    schema = params_schema(PLAN)
    for name, part in schema["$defs"].items():
        fields = part.get("properties", {}).items()
        titles = [field.get("title", key) for key, field in fields]
        assert len(titles) == len(set(titles)), name


def test_one_source_has_one_number() -> None:
    params = validate(PLAN, document()).model_dump(mode="json")
    of = report(document=params, schema=params_schema(PLAN), provenance=PROVENANCE)
    _, sources = input_groups(of)
    titles = [(source["title"], source["url"]) for source in sources.listed]
    assert len(titles) == len(set(titles))
    assert [source["number"] for source in sources.listed] == list(range(1, len(titles) + 1))
    assert ("Team lead", "https://example.com/plan") in titles


def test_what_nobody_entered_is_not_listed(rows: dict[tuple[str, str], InputRow]) -> None:
    assert ("Workload", "GPUs, mean") not in rows
    assert all(row.value for row in rows.values())


def test_no_row_stands_below_the_head_of_another_part(
    rows: dict[tuple[str, str], InputRow],
) -> None:
    for letter in "ABCDE":
        branches = [b for b, _ in by_branch([r for (g, _), r in rows.items() if g == letter])]
        assert len(branches) == len(set(branches))
        assert branches[0] == ""


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.1301, "USD/kWh", "$0.1301/kWh"),
        (1234.56789, "USD", "$1,234.57"),
        (4.43989, "USD/h", "$4.44/h"),
        (1234.56789, "USD/month", "$1,234.57/month"),
        (0.8, "USD/h", "$0.80/h"),
        (0.55, "fraction", "55%"),
        (0.2, "fraction/yr", "20%/yr"),
        (2021, None, "2021"),
        (True, None, "yes"),
        ("owned_cluster", None, "owned cluster"),
        ("2026-07-01", None, "1 Jul 2026"),
        ([0.5] * 100 + [1.5] * 68, "ratio", "168 values, 0.500–1.50"),
        ([0.7] * 12, None, "12 values, all 0.7"),
        ([0.125] * 10 + [0.3] * 2, "fraction", "12 values, 12.5–30%"),
        ([0.125] * 12, "fraction", "12 values, all 12.5%"),
        ([[0] * 24] * 8 + [[0] * 12 + [1] * 12] * 4, None, "12 × 24 values, 0–1"),
        ([[1, 2], [3, 4]], None, "1, 2, 3, 4"),
        ([[0] * 24] * 12, None, "12 × 24 values, all 0"),
    ],
)
def test_writes_values_in_full(value: Any, unit: str | None, text: str) -> None:
    assert value_text(value, unit).replace("\u00a0", " ") == text


@pytest.mark.parametrize(
    ("low", "high", "unit", "text"),
    [
        (1.2, 3.5, "FTE", "1.2–3.5 FTE"),
        (0.1, 0.25, "USD/kWh", "$0.10–0.25/kWh"),
        (1.3794, 1.5391, "USD/h", "$1.38–1.54/h"),
        (-0.2, 0.6, "fraction/yr", "−20 to 60%/yr"),
        (128, 128, "GiB", ""),
        (None, 1, "GiB", ""),
    ],
)
def test_writes_ranges_under_one_unit(low: Any, high: Any, unit: str, text: str) -> None:
    assert range_text(low, high, unit).replace("\u00a0", " ") == text


def test_alternatives_stand_beside_their_input() -> None:
    shown = document()
    other = {"value": "work_stops", "odds_fraction": 0.3}
    choice = {"pointer": "/assumptions/end", "others": [other]}
    shown["assumptions"]["choices"] = [choice]
    params = validate(PLAN, shown).model_dump(mode="json")
    groups, _ = input_groups(report(document=params, schema=params_schema(PLAN)))
    rows = {row.label: row.range for row in groups[0].rows}
    assert rows["At the end of the horizon"] == "Work stops 30%"
    assert not [label for label in rows if label.startswith("Alternatives")]


def test_inputs_that_flip_nothing_are_printed_as_entered() -> None:
    answer = comparison()
    growth = {"value": 0.225, "low": 0.125, "high": 0.325, "unit": "fraction/yr"}
    flips = [{**answer["flips"][0], **growth, "winner_after": after} for after in (None, "A")]
    of = report(comparison={**answer, "flips": flips})
    (unmoved,), (moved,) = unmoved_rows(of), flip_rows(of)
    assert (unmoved["value"], unmoved["range"]) == ("22.5%/yr", "12.5–32.5%/yr")
    assert moved["value"] == "22.5%/yr"


def test_the_odds_with_each_alternative_are_printed() -> None:
    answer = comparison()
    letters = [design["letter"] for design in answer["designs"]]
    seen = {"odds_fraction": 0.125, "draws_count": 30, "entered": False, "label": "work stops"}
    wins = {letter: float(letter == letters[0]) for letter in letters}
    never = {**seen, "draws_count": 0, "cheapest": None, "wins": {}, "label": "other"}
    choice = {
        "label": "The end",
        "alternatives": [never, {**seen, "cheapest": letters[0], "wins": wins}],
    }
    rows = alternative_rows(report(comparison={**answer, "choices": [choice]}))
    assert [(row["alternative"], row["odds"], row["share"]) for row in rows] == [
        ("work stops", "12.5%", "100%")
    ]
