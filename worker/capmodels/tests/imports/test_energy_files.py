"""Tariffs, exchange rates and hourly series: generated files against values made beside them."""

from __future__ import annotations

import json
import random
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from capmodels.errors import ParamsError
from capmodels.formats.chunks import FileRefused
from capmodels.imports.ecb import rate_on
from capmodels.imports.registry import Options, importer_of, opened, recognised
from capmodels.plans.document.assumptions import Assumptions
from capmodels.tests.asking import ask
from capmodels.tests.cost.test_tariff import tariff as random_tariff

if TYPE_CHECKING:
    from pathlib import Path
    from zoneinfo import ZoneInfo

    from capmodels.imports.registry import Drafted
    from capmodels.spec import JSONDict

OPTIONS = Options(file_name="file", as_of="2026-11-01", per_usd=0.8)


def read(tmp_path: Path, data: bytes) -> tuple[str, JSONDict]:
    path = tmp_path / "file"
    path.write_bytes(data)
    file = opened(path)
    item = recognised(file.columns)
    return item.id, item.read(file, lambda _share, _said: None)


def drafted(tmp_path: Path, data: bytes, wanted: str) -> Drafted:
    found, preview = read(tmp_path, data)
    assert found == wanted
    assert importer_of(found).tables(preview)
    made = importer_of(found).draft(preview, OPTIONS)
    Assumptions.model_validate(made.assumptions)
    return made


def rate_of(document: JSONDict) -> JSONDict:
    """A tariff as the database writes it."""

    def tiers(periods: list[JSONDict], end: str, price: str, unit: str) -> list[Any]:
        return [
            [
                {"rate": tier[f"rate_{price}"], "adj": tier[f"adjustment_{price}"], "unit": unit}
                | ({"max": tier[end]} if end in tier else {})
                for tier in period["tiers"]
            ]
            for period in periods
        ]

    energy, flat, timed = (document[key] for key in ("energy", "flat_demand", "timed_demand"))
    months = [at + 1 in flat["counted_months"] for at in range(12)]
    return {
        "utility": "Drawn",
        "name": "One",
        "energyratestructure": tiers(energy["periods"], "up_to_kwh", "usd_per_kwh", "kWh"),
        "energyweekdayschedule": energy["weekday_schedule"],
        "energyweekendschedule": energy["weekend_schedule"],
        "flatdemandstructure": tiers(flat["periods"], "up_to_kw", "usd_per_kw_month", "kW"),
        "flatdemandmonths": flat["seasons_by_months"],
        "demandratchetpercentage": flat["ratchet_fraction"],
        "lookbackRange": flat["lookback_months"],
        "lookbackMonths": months,
        "demandratestructure": tiers(timed["periods"], "up_to_kw", "usd_per_kw_month", "kW"),
        "demandweekdayschedule": timed["weekday_schedule"],
        "demandweekendschedule": timed["weekend_schedule"],
        "fixedchargefirstmeter": document["fixed_usd_per_month"] * 12 / 365,
        "fixedchargeunits": "$/day",
        "mincharge": document["least_usd_per_month"] * 12,
        "minchargeunits": "$/year",
    }


@pytest.mark.parametrize(
    "around",
    [
        lambda rate: rate,
        lambda rate: [rate],
        lambda rate: {"items": [rate], "errors": []},
        # as a program for batteries and solar power asks with it
        lambda rate: {"Scenario": {"Site": {"ElectricTariff": {"urdb_response": rate}}}},
        lambda rate: {"ElectricTariff": {"urdb_response": rate, "name": None}, "Sites": [{}]},
    ],
)
def test_a_rate_is_found_within_what_others_write_around_it(around: Any, tmp_path: Path) -> None:
    rate = {"name": "Evening", "energyratestructure": [[{"rate": 0.1}], [{"rate": 0.3}]]}
    made = drafted(tmp_path, json.dumps(around(rate)).encode(), "urdb").assumptions
    prices = [period["tiers"][0]["rate_usd_per_kwh"] for period in
              made["electricity"]["energy"]["periods"]]  # fmt: skip
    assert (made["electricity"]["name"], prices) == ("Evening", [0.1, 0.3])


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.decisive
def test_a_rate_of_the_database_bills_as_the_tariff_that_it_is(seed: int, tmp_path: Path) -> None:
    document = random_tariff(random.Random(seed), 2026, "period")
    document["flat_demand"].pop("earlier_peaks_kw")
    document["flat_demand"]["lookback_months"] = 6
    document["flat_demand"]["counted_months"] = list(range(1, 13))
    other = {"utility": "Drawn", "name": "No prices"}
    data = json.dumps({"items": [other, rate_of(document)]}).encode()
    electricity = drafted(tmp_path, data, "urdb").assumptions["electricity"]
    asked = {name: value for name, value in electricity.items() if name not in {"kind", "name"}}
    found = ask("cost.tariff", **asked, year=2026, load=document["load"])
    assert found.total_usd == pytest.approx(ask("cost.tariff", **document).total_usd, abs=0.01)


@pytest.mark.parametrize(
    "rate",
    [
        {"name": "none"},
        {"energyratestructure": [[{"rate": "dear"}]]},
        {"energyratestructure": [[{"rate": 0.1, "unit": "kWh daily"}]]},
        {"energyratestructure": [[{"rate": float("nan")}]]},
        {"energyratestructure": [[{"rate": 0.1}]], "energyweekdayschedule": [[0] * 23] * 12},
        {"energyratestructure": [[{"rate": 0.1}]], "energyweekdayschedule": [[3] * 24] * 12},
        {"energyratestructure": [[{"rate": 0.1}]], "mincharge": 5, "minchargeunits": "$/kW"},
        {"energyratestructure": [[{"max": 9, "rate": 1}, {"max": 3, "rate": 1}, {"rate": 1}]]},
    ],
)
def test_a_rate_that_cannot_be_billed_is_refused_with_its_reason(
    rate: JSONDict, tmp_path: Path
) -> None:
    with pytest.raises(FileRefused, match=r"no rate with prices of energy\."):
        read(tmp_path, json.dumps({"items": [rate], "errors": []}).encode())


def test_rates_are_those_of_the_day_or_of_the_last_before_it(tmp_path: Path) -> None:
    draw = random.Random(4)
    days = [date(2025, 1, 1) + timedelta(days=at) for at in range(400)]
    rates = {
        day: {"USD": draw.uniform(1, 1.3), "JPY": draw.uniform(120, 180), "GBP": 0.86, "CHF": 0.94,
              "SEK": 11.0} for day in days
    }  # fmt: skip
    head = ["USD", "JPY", "GBP", "CHF", "SEK", "ISK"]
    rows = [
        ",".join([f"{day}", *(str(rates[day].get(code, "N/A")) for code in head)]) + ","
        for day in reversed(days)
    ]
    table = "\n".join([f"Date,{','.join(head)},", *rows]).encode()
    made = drafted(tmp_path, table, "ecb").assumptions["currency"]
    last = days[-1]
    assert made == {
        "code": "EUR", "per_usd": pytest.approx(1 / rates[last]["USD"]), "as_of": f"{last}",
    }  # fmt: skip
    _, preview = read(tmp_path, table)
    end = date(2025, 3, 31)
    yen = rates[end]["JPY"] / rates[end]["USD"]
    held = rate_on(preview, "JPY", "2025-04-15")
    assert held is not None
    assert held[0] == "2025-03-31"
    assert held[1] == pytest.approx(yen)
    assert rate_on(preview, "ISK", "2025-04-15") is None
    assert rate_on(preview, "JPY", "2024-12-31") is None
    cubes = "".join(
        f"<Cube time='{day}'>"
        + "".join(f"<Cube currency='{code}' rate='{rate}'/>" for code, rate in rates[day].items())
        + "</Cube>"
        for day in days
    )
    markup = (
        '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "&a;&a;">]><gesmes:Envelope><Cube>'
        f"{cubes}</Cube></gesmes:Envelope>"
    )
    assert read(tmp_path, markup.encode())[1]["days"] == preview["days"]


def berlin() -> ZoneInfo:
    from zoneinfo import ZoneInfo

    return ZoneInfo("Europe/Berlin")


def local_year(seed: int, parts: int = 1) -> tuple[list[str], dict[datetime, list[float]]]:
    """A year of a market by the local clock: 25 hours in autumn, 23 in spring."""
    draw, zone = random.Random(seed), berlin()
    start = datetime(2025, 1, 1, tzinfo=zone).astimezone(UTC)
    rows: list[str] = []
    held: dict[datetime, list[float]] = {}
    for at in range(8760 * parts):
        clock = (start + timedelta(minutes=60 * at / parts)).astimezone(zone).replace(tzinfo=None)
        price = round(draw.uniform(-80, 300), 2)
        end = clock + timedelta(minutes=60 / parts)
        rows.append(f'"{clock:%d.%m.%Y %H:%M} - {end:%d.%m.%Y %H:%M}","{price}","EUR"')
        held.setdefault(clock.replace(minute=0), []).append(price)
    return rows, held


@pytest.mark.parametrize("parts", [1, 4])
@pytest.mark.parametrize(("unit", "factor"), [("[EUR/MWh]", 1e-3), ("(EUR/kWh)", 1.0)])
def test_a_year_of_prices_by_the_local_clock(
    unit: str, factor: float, parts: int, tmp_path: Path
) -> None:
    rows, held = local_year(7, parts)
    head = f'"MTU (CET/CEST)","Day-ahead Price {unit}","Currency"'
    made = drafted(tmp_path, "\n".join([head, *rows]).encode(), "hourly")
    prices = made.assumptions["electricity"]["usd_per_kwh"]
    assert len(prices) == 8760
    for at in (0, 1, 5000, 8759):
        said = held[datetime(2025, 1, 1) + timedelta(hours=at)]  # noqa: DTZ001 - a clock
        assert prices[at] == pytest.approx(sum(said) / len(said) * factor / 0.8)
    autumn = held[datetime(2025, 10, 26, 2)]  # noqa: DTZ001 - a clock
    at = (date(2025, 10, 26) - date(2025, 1, 1)).days * 24 + 2
    assert len(autumn) == 2 * parts
    assert prices[at] == pytest.approx(sum(autumn) / len(autumn) * factor / 0.8)
    told = " ".join(made.open_points)
    assert "as when summer time ends: 1 hour," in told
    assert "as when summer time begins: 1 hour;" in told
    assert "below zero" in told


def test_carbon_by_the_hour_and_what_is_refused(tmp_path: Path) -> None:
    def table(head: str, rows: list[str]) -> bytes:
        return "\n".join([head, *rows]).encode()

    times = [f"2025-01-{day:02d} {hour:02d}:00:00" for day in (1, 2) for hour in range(24)]
    rows = [f"{time},Austria,AT,{100 + at},{150 + at}" for at, time in enumerate(times)]
    head = "Datetime (UTC),Country,Zone id,Carbon intensity gCO₂eq/kWh ({}),Other gCO₂eq/kWh ({})"
    made = drafted(tmp_path, table(head.format("direct", "Life cycle"), rows), "hourly")
    carbon = made.assumptions["carbon"]
    assert carbon["gco2e_per_kwh"] == pytest.approx(123.5)
    assert carbon["hourly_ratio"][0] == pytest.approx(100 / 123.5)
    pounds = [f"{time},{at + 900}" for at, time in enumerate(times)]
    made = drafted(tmp_path, table("UTC time,CO2 Emissions Intensity (lbs/MWh)", pounds), "hourly")
    mean = made.assumptions["carbon"]["gco2e_per_kwh"]
    assert mean == pytest.approx(923.5 * 0.45359237)
    mixed = [row.replace(",AT,", ",DE,") for row in rows]
    with pytest.raises(FileRefused, match="'Zone id' has 2 different values"):
        read(tmp_path, table(head.format("direct", "Life cycle"), rows + mixed))
    with pytest.raises(FileRefused, match="hours have no value"):
        read(tmp_path, table(head.format("direct", "Life cycle"), rows[:10] + rows[20:]))
    _, preview = read(tmp_path, table("UTC time,g/kWh", [f"{time},0" for time in times]))
    with pytest.raises(ParamsError):
        importer_of("hourly").draft(preview, OPTIONS)
    with pytest.raises(FileRefused, match="no kind that can be imported"):
        read(tmp_path, table("Time,Price", [f"{time},5" for time in times]))


@pytest.mark.parametrize(
    ("end", "clock"),
    [("Z", "UTC"), ("+00:00", "UTC"), ("+01:00", "local time"), ("", "local time")],
)
def test_times_say_themselves_which_clock_they_are_by(tmp_path: Path, end: str, clock: str) -> None:
    rows = "".join(f"2026-01-01T{hour:02d}:00:00{end},50\n" for hour in range(24))
    file = tmp_path / "prices.csv"
    file.write_text(f"timestamp,price [USD/MWh]\n{rows}")
    found = opened(file)
    read = recognised(found.columns).read(found, lambda _share, _said: None)
    assert f"({clock})" in read["headline"]


def test_a_year_in_the_form_of_the_new_platform(tmp_path: Path) -> None:
    """ENTSO-E since 2024: days before months, and the clock named in the hour that comes twice."""
    draw, zone = random.Random(3), berlin()
    start = datetime(2025, 10, 1, tzinfo=zone).astimezone(UTC)
    head = ('"MTU (CET/CEST)","Area","Day-ahead Price (EUR/MWh)","Intraday Period (CET/CEST)",'
            '"Intraday Price (EUR/MWh)"')  # fmt: skip
    rows = [head]
    held: dict[datetime, list[float]] = {}
    for at in range(31 * 96 + 4):
        now = (start + timedelta(minutes=15 * at)).astimezone(zone)
        price = round(draw.uniform(-80, 300), 2)
        clock = f"{now:%d/%m/%Y %H:%M:%S}"
        if (now.day, now.hour) == (26, 2):
            clock += f" ({now.tzname()})"
        rows.append(f'"{clock} - {clock}","BZN|AT","{price}","",""')
        hour = now.replace(minute=0, tzinfo=None, fold=0)
        held.setdefault(hour, []).append(price)
    _, preview = read(tmp_path, "\n".join(rows).encode())
    assert preview["faults_count"] == 0
    assert preview["first"] == "2025-10-01"
    want = [sum(held[hour]) / len(held[hour]) / 1e3 for hour in sorted(held)]
    assert preview["values"] == pytest.approx(want, rel=1e-12)
    told = " ".join(preview["notes"])
    assert "when summer time ends: 1 hour," in told
    assert "Intraday" not in told


@pytest.mark.parametrize(
    ("head", "form", "said"),
    [
        ("Datum von;Datum bis;Price [€/MWh]", "{0:%d.%m.%Y %H:%M};x;{1}", "{:.3f}"),
        ("Zeit;Preis (EUR/MWh)", "{0:%Y-%m-%d %H:%M};{1}", "{:.3f}"),
        ("Time;LMP ($/MWh)", "{0:%m/%d/%Y %I:%M %p};{1}", "{:.2f}"),
        ("Time;LMP ($/MWh)", "{0.month}/{0.day}/{0.year} {0.hour}:00;{1}", "{:.2f}"),
        ("timestamp;price_eur_per_mwh", "{0:%Y-%m-%dT%H:%M:%S};{1}", "{:.2f}"),
        ("Start date;End date;Germany [€/MWh]", "{0:%b} {0.day}, {0:%Y %I:%M %p};x;{1}", "{:.2f}"),
        ("Time;LMP ($/MWh)", "{0.day} {0:%B %Y %H:%M};{1}", "{:.2f}"),
    ],
    ids=["smard", "zeit", "twelve hours", "month first", "per", "smard in english", "named"],
)
@pytest.mark.parametrize("days", [9, 40])
def test_clocks_and_marks_of_decimals_of_other_countries(
    head: str, form: str, said: str, days: int, tmp_path: Path
) -> None:
    draw = random.Random(days)
    values = [draw.uniform(-20, 300) for _ in range(24 * days)]
    start = datetime(2026, 3, 1)  # noqa: DTZ001 - the clock of the file
    is_german = head.startswith(("Datum", "Zeit"))
    rows = [
        form.format(
            start + timedelta(hours=at),
            said.format(value).replace(".", "," if is_german else "."),
        )
        for at, value in enumerate(values)
    ]
    kind, preview = read(tmp_path, "\n".join([head, *rows]).encode())
    assert (kind, preview["first"], preview["faults_count"]) == ("hourly", "2026-03-01", 0)
    assert preview["values"] == pytest.approx([value / 1e3 for value in values], abs=6e-6)


def test_hours_told_by_their_end_begin_an_hour_before(tmp_path: Path) -> None:
    start = datetime(2026, 1, 1)  # noqa: DTZ001 - the clock of the file
    rows = [
        f"{start + timedelta(hours=at + 1):%m/%d/%Y %I:%M:%S %p},{400 + at}" for at in range(48)
    ]
    head = "UTC Time at End of Hour,CO2 Emissions Intensity (lbs CO2/MWh)"
    _, preview = read(tmp_path, "\n".join([head, *rows]).encode())
    assert (preview["first"], len(preview["values"])) == ("2026-01-01", 48)
    assert preview["values"][0] == pytest.approx(400 * 0.45359237)


def test_hours_without_carbon_count_as_next_to_nothing(tmp_path: Path) -> None:
    rows = [f"2026-01-01 {hour:02d}:00,{0 if hour == 5 else 24}" for hour in range(24)]
    made = drafted(tmp_path, "\n".join(["UTC time,g/kWh", *rows]).encode(), "hourly")
    carbon = made.assumptions["carbon"]
    assert carbon["gco2e_per_kwh"] == pytest.approx(23)
    assert sum(carbon["hourly_ratio"]) == pytest.approx(24)
    assert 0 < carbon["hourly_ratio"][5] < 1e-6
    assert "1 hour without carbon." in made.open_points


def test_several_prices_in_a_file_are_told(tmp_path: Path) -> None:
    rows = [f"2026-01-01 {hour:02d}:00,1,2" for hour in range(24)]
    _, preview = read(tmp_path, "\n".join(["Time,AT [EUR/MWh],BE [EUR/MWh]", *rows]).encode())
    assert "'AT [EUR/MWh]' is taken. There are also 'BE [EUR/MWh]'" in preview["notes"][0]


@pytest.mark.parametrize("form", ["sdmx", "portal"])
def test_rates_of_the_data_portal_are_those_of_the_history(form: str, tmp_path: Path) -> None:
    rates = {"2026-10-30": {"USD": 1.16, "JPY": 176.1}, "2026-09-30": {"USD": 1.17, "JPY": 173.9}}
    if form == "sdmx":
        lines = ["KEY,FREQ,CURRENCY,CURRENCY_DENOM,TIME_PERIOD,OBS_VALUE"]
        lines += [
            f"EXR.D.{code}.EUR.SP00.A,D,{code},EUR,{day},{rate}"
            for day, held in rates.items()
            for code, rate in held.items()
        ]
    else:
        lines = ['DATE,TIME PERIOD,"US dollar/Euro (EXR.D.USD.EUR.SP00.A)",'
                 '"Japanese yen/Euro (EXR.D.JPY.EUR.SP00.A)"']  # fmt: skip
        lines += [f"{day},x,{held['USD']},{held['JPY']}" for day, held in rates.items()]
    kind, preview = read(tmp_path, "\n".join(lines).encode())
    assert (kind, preview["faults_count"]) == ("ecb", 0)
    assert preview["days"]["2026-09-30"]["JPY"] == pytest.approx(173.9 / 1.17)
    assert preview["days"]["2026-10-30"]["EUR"] == pytest.approx(1 / 1.16)


def test_units_of_power_and_least_charges_of_other_versions_are_kept(tmp_path: Path) -> None:
    rate = json.loads(importer_of("urdb").sample())["items"][0]
    rate |= {"flatdemandunit": "kVA", "minmonthlycharge": 20, "annualmincharge": 120}
    made = drafted(tmp_path, json.dumps({"items": [rate]}).encode(), "urdb")
    assert made.assumptions["electricity"]["least_usd_per_month"] == 30
    assert any("by kVA, and are billed by kW" in point for point in made.open_points)
