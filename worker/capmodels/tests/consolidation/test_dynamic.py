"""Consolidation over a day, against the public simulator's figures and by hand."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import itertools
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from capmodels import registry, spec
from capmodels.consolidation.overload_kernel import (
    interquartile_range,
    line_ahead,
    median_absolute_deviation,
)
from capmodels.consolidation.selection_kernel import most_correlated
from capmodels.errors import ModelError, ParamsError
from capmodels.measured import Measured

# The kernel takes its time to compile.
pytestmark = pytest.mark.slow

SPEC = registry.get_model("consolidation.dynamic")
ROOT = Path(__file__).resolve().parents[4]
SHARED = Path(os.environ.get("AMPACITY_SHARED_DATA", ROOT.parent / "shared" / "data"))
FLAT_W = tuple(100.0 + 10 * load for load in range(11))


def _planetlab(day: str) -> list[list[float]]:
    path = SHARED / "vm_util" / f"planetlab_{day}.csv.gz"
    if not path.exists():
        pytest.skip("the published traces are not at hand")
    rows = csv.reader(io.StringIO(gzip.decompress(path.read_bytes()).decode()))
    by_name = {
        row[0].encode(): [int(value) / 100 for value in row[1:289]]
        for row in rows
        if row[1].isdigit()
    }
    return [by_name[name] for name in sorted(by_name)]


def _host(**changes: Any) -> dict[str, Any]:
    return {
        "name": "host",
        "hosts_count": 1,
        "cores_count": 1,
        "core_mips": 1000.0,
        "ram_mb": 4000.0,
        "network_mbit_per_s": 1000.0,
        "power_w": FLAT_W,
    } | changes


def _document(rows: list[list[float]], **changes: Any) -> dict[str, Any]:
    return {
        "hosts": [_host(hosts_count=len(rows))],
        "machine_types": [{"mips": 1000.0, "ram_mb": 1000.0}],
        "utilization_fraction": rows,
        "duration_h": len(rows[0]) * 300 / 3600,
    } | changes


@pytest.mark.parametrize(
    ("policy", "energy_kwh", "migrations"),
    [
        ({"overload": "npa"}, 2410.80, 0),
        ({"overload": "dvfs"}, 802.75, 0),
        ({"overload": "thr", "selection": "mmt", "threshold_fraction": 0.8}, 192.62, 26_711),
    ],
    ids=["npa", "dvfs", "thr-mmt-0.8"],
)
def test_gives_the_public_simulators_figures_for_march_third(
    policy: dict[str, Any], energy_kwh: float, migrations: int
) -> None:
    document = {"utilization_fraction": _planetlab("20110303"), "policies": [policy]}

    answer = spec.evaluate(SPEC, document)
    (day,) = answer.days
    *_, table = answer.tables
    assert [row.cells[-1] for row in table.rows] == ["agrees"]

    assert day.energy_kwh == pytest.approx(energy_kwh, abs=0.005)
    assert day.migrations_count == migrations
    kept = next(one.compute for one in SPEC.checks if one.id == f"{day.policy}-kWh")
    assert isinstance(kept, Measured)
    assert kept.ours == round(day.energy_kwh, 2)


def test_a_lone_busy_host_draws_the_mean_of_its_ends() -> None:
    # 20% then 60%: the second step is the first that has a load before it.
    rows = [[0.2, 0.2, 0.6, 0.6]]

    (day,) = spec.evaluate(SPEC, _document(rows, policies=[{"overload": "dvfs"}])).days

    drawn = [point.energy_kwh * 3.6e6 / 300 for point in day.series]
    # Each load is read 0.1 s after the trace's point, a 3,000th of the way to the next.
    early = 100 + 100 * (0.2 + 0.4 / 3000)
    assert drawn == pytest.approx([0.0, (early + 160) / 2, 160.0], rel=1e-9)


@pytest.mark.decisive
def test_two_half_idle_machines_share_a_host_and_one_host_goes_off() -> None:
    rows = [[0.3] * 12, [0.3] * 12]

    (day,) = spec.evaluate(SPEC, _document(rows)).days

    assert day.migrations_count == 1
    # 1,000 MB over half of 1 Gbit/s takes 16 s, at 11 W more on either end.
    assert day.moving_kwh * 3.6e6 == pytest.approx(2 * 11.0 * 16.0)
    assert (day.switches_count, day.switching_kwh) == (0, 0.0)
    assert [point.hosts_on_count for point in day.series] == [2] + [1] * 10


def test_hosts_go_on_at_least_as_often_as_their_number_grows() -> None:
    document = {
        **_document([[0.3] * 2] * 2, utilization_fraction=None, duration_h=24.0),
        "hosts": [_host(hosts_count=30)],
        "generated": {"machines_count": 30, "swing_fraction": 0.9},
        "policies": [{"overload": "thr", "selection": "mmt"}, {"overload": "dvfs"}],
        "idle_ends_machine": False,
        "wake_j": 7_200.0,
    }

    moving, still = spec.evaluate(SPEC, document).days

    on = [point.hosts_on_count for point in moving.series]
    grown = sum(max(after - before, 0) for before, after in itertools.pairwise(on))
    assert moving.switches_count >= grown > 0
    assert moving.switching_kwh == pytest.approx(moving.switches_count * 0.002)
    assert moving.moving_kwh > 0
    assert (still.switches_count, still.moving_kwh) == (0, 0.0)


def test_machines_too_busy_to_share_stay_apart() -> None:
    rows = [[0.5] * 12, [0.5] * 12]

    (day,) = spec.evaluate(SPEC, _document(rows)).days

    assert day.migrations_count == 0
    assert day.slatah_fraction == 0


def test_an_overloaded_host_sheds_the_machine_that_moves_quickest() -> None:
    rows = [[0.2, 0.2, 0.2, 0.2, 0.9, 0.9, 0.9, 0.9], [0.2] * 8]
    document = _document(
        rows,
        hosts=[_host(hosts_count=2, core_mips=1000.0)],
        machine_types=[{"mips": 1000.0, "ram_mb": 2000.0}, {"mips": 1000.0, "ram_mb": 1000.0}],
    )

    (day,) = spec.evaluate(SPEC, document).days

    assert day.migrations_count == 2
    assert day.series[-1].hosts_on_count == 2
    # The host that the first move emptied is on again after the second.
    assert day.switches_count == 1
    assert day.switching_kwh * 3.6e6 == pytest.approx(8_400.0)
    assert 0 < day.slatah_fraction < 1


def test_a_migration_withholds_a_tenth_while_it_lasts() -> None:
    # 1,000 MB over half of 1 Gbit/s: 16 s, in which a tenth of 300 MIPS is withheld.
    rows = [[0.3] * 12, [0.3] * 12]

    (day,) = spec.evaluate(SPEC, _document(rows)).days

    lost = 16.0 * 300.0 * 0.1
    asked = 2 * 300.0 * 10 * 300.0
    assert day.pdm_fraction == pytest.approx(lost / asked, rel=0.02)


def test_same_seed_gives_the_same_day_under_random_selection() -> None:
    dice = np.random.default_rng(7)
    rows = dice.random((30, 24)).round(2).tolist()
    document = _document(rows, policies=[{"overload": "thr", "selection": "rs"}])

    def days(seed: int) -> Any:
        return spec.evaluate(SPEC, document, spec.Context(seed=seed))

    assert days(5) == days(5)


def test_machines_that_fit_nowhere_are_named() -> None:
    rows = [[0.5] * 12, [0.5] * 12]

    with pytest.raises(ModelError, match="Machine 2 of 2 finds no host"):
        spec.evaluate(SPEC, _document(rows, hosts=[_host(hosts_count=1)]))


def test_spread_measures_agree_with_scipy() -> None:
    values = np.random.default_rng(1).random(30)

    assert median_absolute_deviation(values) == pytest.approx(
        stats.median_abs_deviation(values), rel=1e-12
    )
    # scipy's quartiles interpolate; ours take the nearest of the ordered values.
    ordered = np.sort(values)
    assert interquartile_range(values) == ordered[22] - ordered[7]


def test_local_regression_agrees_with_scipy_on_ten_values() -> None:
    newest_first = np.random.default_rng(2).random(15)
    line = stats.linregress(np.arange(1, 11), newest_first[:10][::-1])

    ours = line_ahead(newest_first, 1.0, False)

    assert ours == pytest.approx(line.intercept + line.slope * 11, rel=1e-12)


def test_most_correlated_row_is_the_sum_of_the_others() -> None:
    dice = np.random.default_rng(3)
    first, second = dice.random(30), dice.random(30)
    noise = dice.random(30)
    rows = np.stack([first, noise, second, first + 0.5 * second + 0.1 * noise])
    rows += 0.05 * dice.random(rows.shape)

    found = most_correlated(rows, np.full(4, 30))

    shares = [_r_squared(rows, place) for place in range(4)]
    assert found == int(np.argmax(shares))


@pytest.mark.parametrize("size", [2, 5, 12, 24])
def test_most_correlated_row_is_that_of_the_regressions(size: int) -> None:
    dice = np.random.default_rng(size)
    common = dice.random(30)
    rows = np.stack([common * weight for weight in dice.random(size)]) + dice.random((size, 30))

    found = most_correlated(rows.round(2), np.full(size, 30))

    shares = [_r_squared(rows.round(2), place) for place in range(size)]
    # Two rows have the correlation in common: only rounding tells one from the other.
    best = {0, 1} if size == 2 else {int(np.argmax(shares))}
    assert found in best
    assert shares[found] == pytest.approx(max(shares), rel=1e-12)


@pytest.mark.parametrize("made", ["constant", "sum"])
def test_no_row_is_most_correlated_where_the_regression_has_no_answer(made: str) -> None:
    rows = np.random.default_rng(5).random((5, 30))
    # A third of a constant is not kept exactly: its mean differs from it in the last bits.
    rows[3] = 0.1 / 3 if made == "constant" else rows[0] - 2 * rows[1]

    assert most_correlated(rows, np.full(5, 30)) == -1


def test_no_row_is_most_correlated_with_less_history_than_rows() -> None:
    rows = np.random.default_rng(5).random((6, 30))

    assert most_correlated(rows, np.array([30, 30, 6, 30, 30, 30])) == -1


def test_maximum_correlation_gives_the_days_of_the_regressions() -> None:
    # The figures of one regression for each row by least squares, which took 100 times as long.
    policy = {"overload": "thr", "selection": "mc", "threshold_fraction": 0.8}
    document = {"utilization_fraction": _planetlab("20110303"), "policies": [policy]}

    (day,) = spec.evaluate(SPEC, document).days

    assert day.energy_kwh == pytest.approx(182.88767930227, rel=1e-12)
    assert day.migrations_count == 24_083


def _r_squared(rows: Any, place: int) -> float:
    others = np.delete(rows, place, axis=0).T
    design = np.column_stack([np.ones(len(others)), others])
    fitted = design @ np.linalg.lstsq(design, rows[place], rcond=None)[0]
    return float(np.corrcoef(fitted, rows[place])[0, 1] ** 2)


@pytest.mark.parametrize(
    ("changes", "pointer", "code"),
    [
        ({"utilization_fraction": [[0.1, 1.2]]}, "/utilization_fraction/0/1", "out_of_range"),
        ({"utilization_fraction": [[0.1, 0.2], [0.1]]}, "/utilization_fraction/1", "length"),
        ({"duration_h": 48.0}, "/duration_h", "too_long"),
        ({"policies": []}, "/policies", "too_short"),
        ({"policies": [{"overload": "guess"}]}, "/policies/0/overload", "not_a_choice"),
        (
            {"hosts": [_host(power_w=(*FLAT_W[:5], 90.0, *FLAT_W[6:]))]},
            "/hosts/0/power_w/5",
            "power_falls",
        ),
    ],
)
def test_refuses_what_cannot_be(changes: dict[str, Any], pointer: str, code: str) -> None:
    document = _document([[0.1] * 12, [0.2] * 12]) | changes

    with pytest.raises(ParamsError) as refused:
        spec.evaluate(SPEC, document)

    assert (pointer, code) in [(f.pointer, f.code) for f in refused.value.faults]


def test_another_day_or_other_hosts_have_no_published_rows(monkeypatch: Any) -> None:
    rows = [[0.1, 0.2], [0.3, 0.05]]
    small = {"utilization_fraction": rows, "duration_h": None, "policies": [{"overload": "npa"}]}
    assert [table.title for table in spec.evaluate(SPEC, small).tables] == _OURS
    # The same two machines, were they the published day.
    percent = sorted(bytes(round(value * 100) for value in row) for row in rows)
    known = hashlib.sha256(b"".join(percent)).hexdigest()
    monkeypatch.setattr("capmodels.consolidation.dynamic_published._DAY", known)
    monkeypatch.setattr(
        "capmodels.consolidation.dynamic_published._AS_PUBLISHED", ("hosts", "machine_types")
    )
    *_, table = spec.evaluate(SPEC, small).tables
    assert (table.rows[0].head, table.rows[0].cells[-1]) == ("NPA", "differs")
    others = spec.evaluate(SPEC, small | {"hosts": [_host(hosts_count=9)]}).tables
    assert [table.title for table in others] == _OURS


_OURS = ["Energy and service by policy", "If nothing moves"]


def test_a_day_is_told_by_policy_in_tables_and_figures() -> None:
    rows = [[0.5, 0.3, 0.2, 0.2] * 3, [0.4, 0.3, 0.2, 0.1] * 3]
    policies = [{"overload": "npa"}, {"overload": "dvfs"}, {"overload": "thr"}]
    found = spec.evaluate(SPEC, _document(rows, policies=policies))
    measures, still = found.tables
    assert [(row.head, row.is_best) for row in measures.rows] == [
        ("NPA", False), ("DVFS", False), ("THR-MMT-0.8", True),
    ]  # fmt: skip
    assert {len(row.cells) + 1 for row in measures.rows} == {len(measures.columns)}
    assert still.rows[0].cells == (f"{found.static.hosts_count} of 2",)
    on, energy, service = found.figures
    # All hosts at full power have no steps of their own, and no service to break.
    assert [one.name for one in on.series] == ["DVFS", "THR-MMT-0.8"]
    assert [one.name for one in service.series] == ["DVFS", "THR-MMT-0.8"]
    assert f"at most {found.days[2].hosts_on_most_count} of 2 hosts" in on.title
    assert on.series[1].values == tuple(p.hosts_on_count for p in found.days[2].series)
    for line, day in zip(energy.series, found.days[1:], strict=True):
        assert line.values[-1] == pytest.approx(day.energy_kwh)
        assert list(line.values) == sorted(line.values)
    assert on.across is not None
    assert on.across.ticks == (0.0, 1.0)
    assert [column.label for column in service.twin][:2] == ["Policy", "Energy"]
    alone = spec.evaluate(SPEC, _document(rows, policies=[{"overload": "npa"}]))
    assert alone.figures == ()
