"""A utility's tariff as the U.S. Utility Rate Database gives it (JSON), for a study's electricity.

Source: OpenEI, REST service "Utility Rates", versions 3 to 8: ``items`` of rates with
``energyratestructure`` (periods of tiers: ``max``, ``rate``, ``adj``, ``unit``), schedules of 12
months by 24 hours, ``demandratestructure``, ``flatdemandstructure`` with ``flatdemandmonths``,
``demandratchetpercentage``, ``lookbackPercent``, ``lookbackRange``, ``lookbackMonths``,
``fixedchargefirstmeter`` with ``fixedchargeunits``, ``mincharge`` with ``minchargeunits``.
"""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from capmodels.formats.chunks import FileRefused
from capmodels.imports.cells import Cells
from capmodels.imports.preview import Column, table
from capmodels.imports.registry import Drafted, Importer, Options
from capmodels.imports.texts import objects_within
from capmodels.plans.document.tariffed import TariffElectricity
from capmodels.units import DAYS_PER_YEAR, MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from capmodels.imports.texts import Document
    from capmodels.spec import JSONDict

RATES_MAX = 500
_HOURS = 24
# Charges of a month that the database gives by the day or year.
_PER_MONTH = {
    "$/month": 1.0,
    "$/day": DAYS_PER_YEAR / MONTHS_PER_YEAR,
    "$/year": 1.0 / MONTHS_PER_YEAR,
}
_POWER_UNITS = ("flatdemandunit", "demandunits", "demandrateunit")
# Fields that change a bill and that a study has no place for; told when a rate has them.
_LEFT_OUT = {
    "coincidentratestructure": "charges on power at the time of the system's peak",
    "fueladjustmentsmonthly": "fuel adjustments by month",
    "demandreactivepowercharge": "a charge on reactive power",
}


def fits(keys: frozenset[str]) -> bool:
    """Whether JSON is an answer of the database, one rate of it, or holds one within."""
    plain = frozenset(key for key in keys if not key.startswith("*/"))
    return (
        bool(keys & {"energyratestructure", "*/energyratestructure"})
        or plain == {"items"}
        or plain >= {"items", "errors"}
    )


def read(document: Document, report: Callable[[float, str], None]) -> JSONDict:
    """Return the rates of a file as tariffs, and which cannot be one, with the reason.

    Raises
    ------
    FileRefused
        When none of them can.
    """
    report(0.3, "Reading tariffs")
    tariffs: dict[str, JSONDict] = {}
    faults: list[str] = []
    for rate in _rates(document.values)[:RATES_MAX]:
        name = _name(rate)
        try:
            electricity, notes = _tariff(rate)
        except (ValueError, TypeError, KeyError) as exc:
            faults.append(f"{name}: {_said(exc)}")
            continue
        tariffs[name] = {"electricity": electricity, "notes": notes, "since": _since(rate)}
    if not tariffs:
        said = f" {faults[0]}." if faults else ""
        raise FileRefused(f"The file has no rate with prices of energy.{said}")
    first = next(iter(tariffs))
    return {
        "headline": f"{len(tariffs)} tariffs." if tariffs.keys() - {first} else f"Tariff: {first}.",
        "notes": faults[:50],
        "tariffs": tariffs,
        "columns": list(tariffs),
        "meanings": [{"id": "tariff", "title": "Tariff"}],
        "mapping": {"tariff": first},
        **Cells().document(),
    }


def _rates(values: Any) -> list[Mapping[str, Any]]:
    """Rates, alone, in lists, in answers, or within what other programs ask with them."""
    found = []
    for value in values:
        if isinstance(value, list):
            found += _rates(value)
        elif isinstance(value, dict) and isinstance(value.get("items"), list):
            found += _rates(value["items"])
        elif isinstance(value, dict):
            inner = [one for one in objects_within(value) if "energyratestructure" in one]
            found += inner or [value]
    return found


def _name(rate: Mapping[str, Any]) -> str:
    parts = (str(rate.get(key) or "").strip() for key in ("utility", "name"))
    return (", ".join(filter(None, parts)) or str(rate.get("label") or "no name given"))[:120]


def _said(exc: Exception) -> str:
    if isinstance(exc, ValidationError):
        first = exc.errors()[0]
        at = " ".join(map(str, first["loc"]))
        return f"{at}: {first['msg'].removeprefix('Value error, ')}"
    return str(exc) if isinstance(exc, ValueError) else "its fields are not those of a rate"


def _since(rate: Mapping[str, Any]) -> str | None:
    start = rate.get("startdate")
    if isinstance(start, int | float) and 0 < start < 4e9:
        return datetime.fromtimestamp(start, UTC).date().isoformat()
    return None


def _tariff(rate: Mapping[str, Any]) -> tuple[JSONDict, list[str]]:
    notes = [
        f"It has {said}, which a study does not bill."
        for key, said in _LEFT_OUT.items()
        if rate.get(key)
    ]
    notes += [
        f"Its charges on power are by {unit}, and are billed by kW: the power factor is taken as 1."
        for unit in sorted({str(rate.get(key) or "kW") for key in _POWER_UNITS})
        if unit.lower() == "kva"
    ]
    energy = rate.get("energyratestructure")
    if not energy:
        raise ValueError("no prices of energy")
    found: JSONDict = {
        "kind": "tariff",
        "name": _name(rate),
        "energy": {
            "periods": _periods(energy, "kwh", {"kwh"}),
            **_schedules(rate, "energy"),
        },
        "fixed_usd_per_month": _monthly(rate, "fixedchargefirstmeter", "fixedchargeunits")
        + _number(rate.get("fixedmonthlycharge")),
        "least_usd_per_month": _monthly(rate, "mincharge", "minchargeunits")
        + _number(rate.get("minmonthlycharge"))
        + _number(rate.get("annualmincharge")) / MONTHS_PER_YEAR,
    }
    if rate.get("demandratestructure"):
        found["timed_demand"] = {
            "periods": _periods(rate["demandratestructure"], "kw", {"kw", ""}),
            **_schedules(rate, "demand"),
        }
    if rate.get("flatdemandstructure"):
        found["flat_demand"] = {
            "periods": _periods(rate["flatdemandstructure"], "kw", {"kw", ""}),
            "seasons_by_months": list(rate.get("flatdemandmonths") or [0] * MONTHS_PER_YEAR),
            **_ratchet(rate),
        }
    made = TariffElectricity.model_validate(found)
    if any(len(period.tiers) > 1 for period in made.energy.periods):
        notes.append("Tiers are filled by each period's own energy of a month.")
    return found, notes


def _number(value: Any) -> float:
    """A figure of the database; what is not there is nothing to pay."""
    if value is None or value == "":
        return 0.0
    found = float(value)
    if not math.isfinite(found):
        raise ValueError("a figure is not finite")
    return found


def _periods(structure: Any, unit: str, units: set[str]) -> list[JSONDict]:
    """Periods of tiers; the last tier of each is open, whatever its end says."""
    rated = {"kwh": "rate_usd_per_kwh", "kw": "rate_usd_per_kw_month"}[unit]
    added = rated.replace("rate_", "adjustment_")
    found = []
    for place, tiers in enumerate(structure):
        made = []
        for tier in tiers:
            said = str(tier.get("unit") or unit).lower()
            if said not in units:
                raise ValueError(f"tiers by {tier['unit']} are not billed here")
            made.append({rated: _number(tier.get("rate")), added: _number(tier.get("adj"))})
        for one, tier in zip(made[:-1], tiers, strict=False):
            one[f"up_to_{unit}"] = _number(tier.get("max"))
        found.append({"name": f"Period {place + 1}", "tiers": made})
    return found


def _schedules(rate: Mapping[str, Any], what: str) -> JSONDict:
    never = [[0] * _HOURS] * MONTHS_PER_YEAR
    weekday = rate.get(f"{what}weekdayschedule") or never
    return {
        "weekday_schedule": weekday,
        "weekend_schedule": rate.get(f"{what}weekendschedule") or weekday,
    }


def _ratchet(rate: Mapping[str, Any]) -> JSONDict:
    """Share of earlier peaks: by month, or one for all months that are looked back from."""
    by_month = rate.get("demandratchetpercentage")
    share = _number(rate.get("lookbackPercent"))
    given = [_number(value) for value in by_month] if by_month else [share] * MONTHS_PER_YEAR
    span, months = int(_number(rate.get("lookbackRange"))), rate.get("lookbackMonths") or ()
    counted = [at + 1 for at, is_counted in enumerate(months) if is_counted]
    found: JSONDict = {
        # Shares above 1 are percent.
        "ratchet_fraction": [value / 100.0 if value > 1.0 else value for value in given],
        "lookback_months": span or MONTHS_PER_YEAR - 1,
    }
    if counted and not span:
        found["counted_months"] = counted
    return found


def _monthly(rate: Mapping[str, Any], key: str, unit_key: str) -> float:
    amount = _number(rate.get(key))
    if not amount:
        return 0.0
    unit = str(rate.get(unit_key) or "$/month").lower()
    if unit not in _PER_MONTH:
        raise ValueError(f"a charge in {unit} is not billed here")
    return amount * _PER_MONTH[unit]


_SHOWN = (
    Column("Tariff", "name"),
    Column("Since", "since"),
    Column("Prices of energy", "energy"),
    Column("Charges on power", "power"),
    Column("Every month", "fixed", "money", "USD"),
    Column("Told", "notes"),
)


def tables(preview: Mapping[str, Any]) -> list[JSONDict]:
    """The tariffs of the file."""
    rows = [
        {
            "name": name,
            "since": item["since"] or "not told",
            "energy": _range(item["electricity"]["energy"]["periods"], "kwh", "USD/kWh"),
            "power": " and ".join(
                _range(item["electricity"][kind]["periods"], "kw_month", f"USD/kW, {said}")
                for kind, said in (("flat_demand", "any hour"), ("timed_demand", "by time"))
                if kind in item["electricity"]
            )
            or "none",
            "fixed": f"{item['electricity']['fixed_usd_per_month']:.2f}",
            "notes": " ".join(item["notes"]),
        }
        for name, item in preview["tariffs"].items()
    ]
    return [table("Tariffs", _SHOWN, rows)]


def _range(periods: list[JSONDict], per: str, unit: str) -> str:
    prices = [
        tier[f"rate_usd_per_{per}"] + tier[f"adjustment_usd_per_{per}"]
        for period in periods
        for tier in period["tiers"]
    ]
    low, high = min(prices), max(prices)
    return f"{low:g} {unit}" if low == high else f"{low:g} to {high:g} {unit}"


def draft(preview: Mapping[str, Any], options: Options) -> Drafted:
    """Return the electricity of a study under the tariff that is chosen."""
    chosen = (options.mapping or preview["mapping"]).get("tariff", "")
    name = chosen if chosen in preview["tariffs"] else preview["mapping"]["tariff"]
    item = preview["tariffs"][name]
    return Drafted(
        title=f"Electricity by {name}"[:120],
        assumptions={"electricity": item["electricity"]},
        assumed_from={
            "/electricity": {
                "quality": "published",
                "source": f"{options.file_name}, rate {name}"[:500],
                "as_of": item["since"] or options.as_of,
            }
        },
        open_points=[
            *preview["notes"],
            *item["notes"],
            "The bill of a month goes by the site's hours, cooling included, and by the shape of "
            "the work: a study without a shape is billed as a steady load.",
        ],
    )


def sample() -> bytes:
    """A made-up rate with time of use, two tiers, charges on power and a ratchet."""
    weekday = [[1 if 12 <= hour < 18 else 0 for hour in range(_HOURS)]] * MONTHS_PER_YEAR
    rate = {
        "label": "made-up",
        "utility": "Example Power Co",
        "name": "Large General Service",
        "startdate": 1767225600,
        "energyratestructure": [
            [{"max": 100000, "rate": 0.061, "adj": 0.004, "unit": "kWh"}, {"rate": 0.055}],
            [{"rate": 0.118, "adj": 0.004, "unit": "kWh"}],
        ],
        "energyweekdayschedule": weekday,
        "energyweekendschedule": [[0] * _HOURS] * MONTHS_PER_YEAR,
        "flatdemandstructure": [[{"rate": 9.5}], [{"rate": 14.25}]],
        "flatdemandmonths": [0] * 5 + [1] * 4 + [0] * 3,
        "flatdemandunit": "kW",
        "lookbackPercent": 0.8,
        "lookbackRange": 11,
        "fixedchargefirstmeter": 310.0,
        "fixedchargeunits": "$/month",
    }
    return json.dumps({"items": [rate]}).encode()


IMPORTER = Importer(
    id="urdb",
    title="Tariff of the U.S. Utility Rate Database (JSON)",
    makes="assumptions",
    fits=fits,
    read=read,
    tables=tables,
    draft=draft,
    sample=sample,
)
