"""What a run of an array says, in words and as rows."""

from __future__ import annotations

from typing import Any

import pytest

from capmodels.registry import get_model
from capmodels.spec import Context, answer, validate
from capmodels.storage.simulator.figure_rows import rows_of
from capmodels.storage.simulator.results import ArrayMeasures
from capmodels.storage.simulator.told import life_text, load_text, span_text, told

SPEC = get_model("storage.array")


@pytest.fixture(scope="module")
def run() -> Any:
    work = {
        "kind": "synthetic",
        "requests_count": 2_000,
        "arrivals": {"kind": "exponential", "mean_ms": 50.0},
    }
    return answer(SPEC, validate(SPEC, {"workload": work}), Context(seed=3))


def changed(run: Any, **changes: Any) -> ArrayMeasures:
    """The measures of a run with other values."""
    held = {name: getattr(run, name) for name in ArrayMeasures.model_fields}
    return ArrayMeasures(**{**held, **changes})


def plain(text: str | None) -> str:
    return (text or "").replace("\u00a0", " ")


def row(run: ArrayMeasures, name: str) -> Any:
    return next(figure for figure in rows_of(run) if figure.id == name)


@pytest.mark.decisive
def test_the_words_of_a_result_are_those_of_its_measures(run: Any) -> None:
    assert run.headline.startswith("95% of requests are answered within **")
    assert run.withheld is None
    assert run.notes == told(changed(run)).notes
    assert "fewer than 10,000 requests" in " ".join(run.notes)
    assert row(run, "p99_ms").value is None
    (table,) = run.tables
    (p99,) = (line for line in table.rows if line.head == "p99")
    assert p99.cells[0] == "—"
    assert "says little" in p99.cells[1]
    assert p99.means == "99% of requests are answered within it."


def test_p99_is_told_of_all_and_of_reads_before_and_while_a_disk_is_rebuilt(run: Any) -> None:
    whole, reads, writes = run.responses
    assert reads.requests == "reads"
    slow = whole.model_copy(update={"p95_ms": 20.0, "p99_ms": 31.25, "requests_count": 90_000})
    read = reads.model_copy(update={"p99_ms": 28.5, "requests_count": 60_000})
    mixed = changed(run, responses=(slow, read, writes))
    within = "95% of requests are answered within **20.0 ms**, 99% within **31.3 ms**"
    assert plain(told(mixed).headline).startswith(f"{within} (of reads **28.5 ms**). The array")
    # Where all are reads theirs is not said twice.
    alone = read.model_copy(update={"requests_count": 90_000})
    only = changed(run, responses=(slow, alone, writes), rebuild_s=72_000.0)
    start = f"{within}, while a disk is rebuilt in 20.0 hours. The array"
    assert plain(told(only).headline).startswith(start)


def test_percentiles_of_an_overloaded_array_are_withheld_with_the_reason(run: Any) -> None:
    nothing = dict.fromkeys(("mean_ms", "p50_ms", "p90_ms", "p95_ms", "max_ms"))
    rows = tuple(row.model_copy(update=nothing) for row in run.responses)
    off = changed(run, saturated=True, saturated_reason="utilization", responses=rows)
    said = told(off)
    assert "cannot keep up**: a disk was busy at least 98% of the time" in said.headline
    assert plain(row(off, "p95_ms").note).startswith("Withheld: a disk was busy")
    assert row(off, "writes").note.startswith("Withheld")


def test_wear_is_that_of_the_drive_worn_first(run: Any) -> None:
    disk = run.devices[0]
    two = (
        disk.model_copy(update={"years_to_rating_years": 7.0, "spin_ups_count": 1}),
        disk.model_copy(
            update={"name": "disk 9", "years_to_rating_years": 2.0, "spin_ups_count": 10}
        ),
    )
    worn = changed(run, devices=two, duration_s=1000.0)
    assert plain(told(worn).wear) == "864 start-stops a day of 631,000 rated, worn in 24 months"
    assert row(worn, "wear").note == "disk 9"
    flash = disk.model_copy(
        update={"write_amplification_ratio": 1.0, "written_tb": 0.0, "years_to_rating_years": None}
    )
    assert told(changed(run, devices=(flash,))).wear == "nothing written"
    written = flash.model_copy(update={"written_tb": 1.0})
    assert "no rated writes" in told(changed(run, devices=(written,))).wear


def test_a_year_costs_energy_and_drives_where_the_price_is_known(run: Any) -> None:
    year = run.per_year.model_copy(
        update={"energy_usd_per_year": 13.0, "capital_usd_per_year": 40.0}
    )
    assert row(changed(run, per_year=year), "usd_per_year").value == pytest.approx(53.0)
    free = run.per_year.model_copy(update={"capital_usd_per_year": None})
    assert (
        "price of a drive is not entered" in row(changed(run, per_year=free), "usd_per_year").note
    )


def test_times_are_told_in_the_unit_that_fits() -> None:
    assert [plain(life_text(years)) for years in (0.1, 0.5, 12.0, 200.0)] == [
        "36.5 days",
        "6 months",
        "12 yr",
        "more than 100 yr",
    ]
    assert [plain(span_text(s)) for s in (90.0, 600.0, 20_000.0, 1e6)] == [
        "90.0 s",
        "10.0 minutes",
        "5.56 hours",
        "11.6 days",
    ]
    assert (load_text(1e-4), load_text(0.0), load_text(0.29)) == ("< 0.1%", "0%", "29%")
