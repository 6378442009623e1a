"""A tariff's bill against a plain sum hour by hour, and against years made by hand."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

import pytest

from capmodels.tests.asking import ask, faults

NEVER = [[0] * 24] * 12


def test_random_tariffs_equal_a_plain_sum_hour_by_hour() -> None:
    rng = random.Random(15)
    for year in (2024, 2026, 2027):
        for fills in ("period", "month"):
            document = tariff(rng, year, fills)
            result = ask("cost.tariff", **document)
            expected = plain_bill(document)
            for month, sums in zip(result.months, expected, strict=True):
                assert month.energy_usd == pytest.approx(sums["energy"], abs=0.005)
                assert month.flat_demand_usd == pytest.approx(sums["flat"], abs=0.005)
                assert month.timed_demand_usd == pytest.approx(sums["timed"], abs=0.005)
                assert month.total_usd == pytest.approx(sums["total"], abs=0.005)
                assert month.energy_kwh == pytest.approx(sums["kwh"], rel=1e-12)
            total = sum(sums["total"] for sums in expected)
            assert result.total_usd == pytest.approx(total, abs=0.005)
            parts = (result.energy_usd, result.demand_usd, result.fixed_usd, result.least_usd)
            assert result.total_usd == pytest.approx(sum(parts), abs=0.005)
            by_period = sum(period.energy_usd for period in result.periods)
            assert result.energy_usd == pytest.approx(by_period, abs=0.005)


def test_a_peak_in_july_is_billed_for_eleven_months_by_the_ratchet() -> None:
    power = [100.0] * 8760
    power[hour_of(2026, 7, 15, 14)] = 300.0
    document: dict[str, Any] = {
        "year": 2026,
        "load": {"kind": "power", "hourly_power_kw": power},
        "energy": {"weekday_schedule": NEVER, "periods": [{"tiers": [{"rate_usd_per_kwh": 0.0}]}]},
        "flat_demand": {
            "periods": [{"tiers": [{"rate_usd_per_kw_month": 10.0}]}],
            "ratchet_fraction": [0.8] * 12,
        },
        "fixed_usd_per_month": 0.0,
    }
    year = ask("cost.tariff", **document)
    assert year.total_usd == pytest.approx(29_400)  # 300 kW once, 240 kW in eleven months
    assert year.ratchet_usd == pytest.approx(11 * 1_400)
    short = document["flat_demand"] | {"lookback_months": 5}
    assert ask("cost.tariff", **document | {"flat_demand": short}).total_usd == 21_000
    # A December of 200 kW before: 160 kW until June, 240 kW from August on.
    before = document["flat_demand"] | {"earlier_peaks_kw": [200.0]}
    assert ask("cost.tariff", **document | {"flat_demand": before}).total_usd == pytest.approx(
        10 * (6 * 160 + 300 + 5 * 240)
    )
    winter = document["flat_demand"] | {"counted_months": [12, 1, 2]}
    assert ask("cost.tariff", **document | {"flat_demand": winter}).ratchet_usd == 0


def test_a_week_of_power_begins_on_the_weekday_of_the_year() -> None:
    week = [1.0] * 120 + [0.0] * 48  # nothing on weekends
    document: dict[str, Any] = {
        "year": 2026,
        "load": {"kind": "power", "hourly_power_kw": week},
        "energy": {
            "weekday_schedule": NEVER,
            "weekend_schedule": [[1] * 24] * 12,
            "periods": [{"tiers": [{"rate_usd_per_kwh": 1}]}, {"tiers": [{"rate_usd_per_kwh": 9}]}],
        },
    }
    result = ask("cost.tariff", **document)
    assert (result.energy_usd, result.periods[1].energy_kwh) == (261 * 24, 0)


def test_the_least_charge_fills_a_month_up_and_the_answer_says_what_it_found() -> None:
    nothing = {"kind": "power", "hourly_power_kw": [0.0] * 24}
    result = ask("cost.tariff", load=nothing, least_usd_per_month=400.0)
    assert (result.total_usd, result.least_usd) == (4_800, 1_800)
    assert (result.mean_usd_per_kwh, result.load_factor_fraction) == (None, None)
    assert result.headline == "**The year costs $4.80\N{NO-BREAK SPACE}k**, for no energy."
    assert len(result.tables[0].rows) == 12


def test_what_is_no_tariff_is_refused_at_its_place() -> None:
    tiers = [{"rate_usd_per_kwh": 0.1}, {"up_to_kwh": 5.0, "rate_usd_per_kwh": 0.1}]
    document = {
        "year": 2024,
        "load": {"kind": "power", "hourly_power_kw": [1.0] * 8760},
        "energy": {"periods": [{"tiers": tiers}], "sell": 1},
        "flat_demand": {"seasons_by_months": [0] * 11 + [1]},
        "timed_demand": {"weekday_schedule": [[0] * 23] * 12},
    }
    found = faults("cost.tariff", document)
    assert found.pop("/load/hourly_power_kw") == "wrong_length"
    assert found.pop("/energy/periods/0/tiers/0/up_to_kwh") == "open_tier"
    assert found.pop("/energy/sell") == "unknown_field"
    assert found.pop("/flat_demand/seasons_by_months/11") == "unknown_period"
    assert {pointer.rpartition("/")[0] for pointer in found} == {"/timed_demand/weekday_schedule"}
    assert faults(
        "cost.tariff", {"energy": {"weekday_schedule": [*NEVER[:11], [0] * 23 + [2]]}}
    ) == {"/energy/weekday_schedule/11/23": "unknown_period"}
    dark = {"kind": "shape", "hourly_ratio": [0.0] * 24}
    assert faults("cost.tariff", {"load": dark}) == {"/load/hourly_ratio": "no_peak"}


def hour_of(year: int, month: int, day: int, hour: int) -> int:
    return (date(year, month, day) - date(year, 1, 1)).days * 24 + hour


def tariff(rng: random.Random, year: int, fills: str) -> dict[str, Any]:
    """A tariff that has everything, and a load, drawn by a seed."""

    def schedule(count: int) -> list[list[int]]:
        return [[rng.randrange(count) for _ in range(24)] for _ in range(12)]

    def tiers(bound: str, price: str, most: float) -> list[dict[str, float]]:
        ends = sorted(rng.uniform(0.01, 1) * most for _ in range(rng.randrange(3)))
        found = [{bound: end} for end in ends] + [{}]
        for tier in found:
            tier[f"rate_{price}"] = rng.uniform(-0.01, 0.3)
            tier[f"adjustment_{price}"] = rng.uniform(0, 0.05)
        return found

    energy, flat, timed = (rng.randrange(1, 5) for _ in range(3))
    length = rng.choice([24, 168, 8784 if year == 2024 else 8760])
    return {
        "year": year,
        "load": {
            "kind": "power",
            "hourly_power_kw": [rng.uniform(0, 900) for _ in range(length)],
        },
        "energy": {
            "weekday_schedule": schedule(energy),
            "weekend_schedule": schedule(energy),
            "periods": [{"tiers": tiers("up_to_kwh", "usd_per_kwh", 4e5)} for _ in range(energy)],
            "tiers_fill_with": fills,
        },
        "flat_demand": {
            "periods": [{"tiers": tiers("up_to_kw", "usd_per_kw_month", 900)} for _ in range(flat)],
            "seasons_by_months": [rng.randrange(flat) for _ in range(12)],
            "ratchet_fraction": [rng.choice([0.0, 0.6, 1.0]) for _ in range(12)],
            "lookback_months": rng.randrange(13),
            "counted_months": rng.sample(range(1, 13), rng.randrange(13)),
            "earlier_peaks_kw": [rng.uniform(0, 1500) for _ in range(rng.randrange(1, 13))],
        },
        "timed_demand": {
            "weekday_schedule": schedule(timed),
            "weekend_schedule": schedule(timed),
            "periods": [
                {"tiers": tiers("up_to_kw", "usd_per_kw_month", 900)} for _ in range(timed)
            ],
        },
        "fixed_usd_per_month": rng.uniform(0, 300),
        "least_usd_per_month": rng.choice([0.0, 30_000.0]),
    }


def stepped(amount: float, tiers: list[dict[str, float]], bound: str, price: str) -> float:
    """What an amount costs, tier after tier."""
    cost, start = 0.0, 0.0
    for tier in tiers:
        end = tier.get(bound, float("inf"))
        part = max(0.0, min(amount, end) - start)
        cost += part * (tier[f"rate_{price}"] + tier[f"adjustment_{price}"])
        start = end
    return cost


def dated_hours(document: dict[str, Any]) -> list[tuple[int, float, int, int]]:
    """Each hour of the year by its date: month, power, period of energy and of power."""
    series = document["load"]["hourly_power_kw"]
    day = date(document["year"], 1, 1)
    found: list[tuple[int, float, int, int]] = []
    while day.year == document["year"]:
        week = "weekend_schedule" if day.isoweekday() > 5 else "weekday_schedule"
        for hour in range(24):
            at = {24: hour, 168: day.weekday() * 24 + hour}.get(len(series), len(found))
            places = (
                document[key][week][day.month - 1][hour] for key in ("energy", "timed_demand")
            )
            found.append((day.month, series[at], *places))
        day += timedelta(days=1)
    return found


def energy_cost(hours: list[tuple[int, float, int, int]], energy: dict[str, Any]) -> float:
    used: dict[int, float] = {}
    cost, before = 0.0, 0.0
    for _, kwh, place, _ in hours:
        tiers = energy["periods"][place]["tiers"]
        start = used.get(place, 0.0) if energy["tiers_fill_with"] == "period" else before
        cost += stepped(start + kwh, tiers, "up_to_kwh", "usd_per_kwh")
        cost -= stepped(start, tiers, "up_to_kwh", "usd_per_kwh")
        used[place] = used.get(place, 0.0) + kwh
        before += kwh
    return cost


def plain_bill(document: dict[str, Any]) -> list[dict[str, float]]:
    """The year's bill: every hour looked up by its date, every charge by its words."""
    flat, timed = document["flat_demand"], document["timed_demand"]
    hours = dated_hours(document)
    peaks = {month: max(kw for of, kw, *_ in hours if of == month) for month in range(1, 13)}
    # Months counted through: 0 and below are those before the year, 0 being December.
    peaks |= {-at: kw for at, kw in enumerate(reversed(flat["earlier_peaks_kw"]))}
    found = []
    for month in range(1, 13):
        mine = [hour for hour in hours if hour[0] == month]
        billed = peaks[month]
        for back in range(1, flat["lookback_months"] + 1):
            calendar = (month - back - 1) % 12 + 1
            if month - back in peaks and calendar in flat["counted_months"]:
                billed = max(billed, flat["ratchet_fraction"][month - 1] * peaks[month - back])
        season = flat["periods"][flat["seasons_by_months"][month - 1]]["tiers"]
        sums = {
            "energy": energy_cost(mine, document["energy"]),
            "kwh": sum(kwh for _, kwh, *_ in mine),
            "flat": stepped(billed, season, "up_to_kw", "usd_per_kw_month"),
            "timed": 0.0,
        }
        for place in {hour[3] for hour in mine}:
            highest = max(kw for _, kw, _, at in mine if at == place)
            tiers = timed["periods"][place]["tiers"]
            sums["timed"] += stepped(highest, tiers, "up_to_kw", "usd_per_kw_month")
        due = sums["energy"] + sums["flat"] + sums["timed"] + document["fixed_usd_per_month"]
        found.append(sums | {"total": max(due, document["least_usd_per_month"])})
    return found
