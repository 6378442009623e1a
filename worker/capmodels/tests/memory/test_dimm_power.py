"""Power of memory modules: published currents, limits, and what stays unknown."""

from __future__ import annotations

import pytest

from capmodels.memory.modules import MODULES
from capmodels.tests.asking import ask, faults

MODEL = "memory.dimm_power"
CURRENTS = {
    "idd0_ma": 52.0,
    "idd2n_ma": 37.0,
    "idd2p_ma": 25.0,
    "idd3n_ma": 47.0,
    "idd4r_ma": 143.0,
    "idd4w_ma": 130.0,
    "idd5b_ma": 250.0,
    "idd6n_ma": 30.0,
}
DDR5 = {
    "kind": "typed",
    "title": "a DDR5 module",
    "generation": "ddr5",
    "capacity_gib": 64.0,
    "ranks_count": 2,
}


def test_ddr5_is_unknown_until_its_currents_are_given() -> None:
    without = ask(MODEL, module={"kind": "known", "name": "ddr5_rdimm_64"})
    assert without.basis == "unknown"
    assert without.states == without.policies == ()
    assert "vendor" in without.reason
    given = ask(MODEL, module={**DDR5, **CURRENTS, "supply_v": 1.1})
    assert given.basis == "modelled"
    assert given.states[0].module_w > 0


def test_one_missing_current_is_named() -> None:
    partly = ask(MODEL, module={**DDR5, **CURRENTS, "idd6n_ma": None})
    assert partly.states == ()
    assert "IDD6N" in partly.reason
    assert "IDD2N" not in partly.reason


def test_reading_without_a_pause_draws_the_current_of_reading() -> None:
    # A bus full of reads in open rows: IDD4R on one rank, without the bus' own energy.
    sheet = {**DDR5, **CURRENTS, "ranks_count": 1, "refresh_ns": 0.0}
    full_mb_per_s = 64 / 2.5 * 1000
    answer = ask(
        MODEL,
        module=sheet,
        modules_count=1,
        traffic_mb_per_s=full_mb_per_s,
        read_fraction=1.0,
        row_hit_fraction=1.0,
    )
    bus_w = full_mb_per_s * 1e6 / 64 * 3e-9
    standby_to_reading = (143.0 - 47.0 + 37.0) / 1000 * 1.2 * 18
    assert answer.policies[0].average_w - bus_w == pytest.approx(standby_to_reading, rel=1e-6)


@pytest.mark.parametrize("name", [name for name in MODULES if name != "ddr5_rdimm_64"])
def test_deeper_states_draw_less_and_take_longer_to_leave(name: str) -> None:
    states = ask(MODEL, module={"kind": "known", "name": name}).states
    watts = [row.module_w for row in states]
    exits = [row.exit_ns for row in states]
    assert watts == sorted(watts, reverse=True)
    assert exits == sorted(exits)


@pytest.mark.decisive
def test_rambus_devices_draw_what_was_published() -> None:
    states = ask(MODEL, module={"kind": "rdram", "devices_count": 1}, modules_count=1).states
    assert [row.module_w for row in states] == [0.225, 0.011, 0.007]


def test_watts_become_kilowatt_hours_of_the_site() -> None:

    row = ask(MODEL).policies[0]
    kwh = row.average_w * 8.76 * 1.5
    assert row.energy_kwh_per_year == pytest.approx(kwh)
    assert row.electricity_usd_per_year == pytest.approx(kwh * 0.10)


def test_what_cannot_be_is_refused() -> None:
    assert faults(MODEL, {"module": {**DDR5, "idd2n_ma": -1.0}, "modules_count": 0}) == {
        "/module/idd2n_ma": "out_of_range",
        "/modules_count": "out_of_range",
    }
