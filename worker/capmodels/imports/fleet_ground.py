"""What a fleet is for a study: its machines by the catalogue, what they are worth, and a baseline.

The baseline is what the machines that stand cost in electricity, at the study's price and PUE:
they are bought. How long they stay, and what they carry, is for a plan of purchases that keeps
them so long. What is not known of a machine is counted nowhere, and told.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from capmodels.cost.depreciation import written_off_usd
from capmodels.imports.fleet_match import Group, Known, Match, match, watts_each
from capmodels.imports.fleet_types import Sizing, in_types, type_tables
from capmodels.imports.origins import origin_of, rows_said
from capmodels.imports.preview import Column, table
from capmodels.numbers import counted, percent, whole_of
from capmodels.plans.document.workload import Headroom
from capmodels.units import HOURS_PER_MONTH, MONTHS_PER_YEAR, WATTS_PER_KW

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from capmodels.imports.registry import Drafted, Options
    from capmodels.spec import JSONDict

LINES_MAX = 500
_YEARS_MAX = 60
_COLUMNS = (
    Column("Model", "model"),
    Column("Processor", "cpu"),
    Column("Machines", "count", "count"),
    Column("In the catalogue", "entry"),
    Column("How sure", "how_sure"),
    Column("Because", "why"),
    Column("Power of one at its load", "watts", "quantity", "W"),
    Column("Full power of like machines", "range"),
    Column("Age", "age"),
    Column("Value left", "left_usd", "money", "USD"),
)


def groups_of(preview: Mapping[str, Any]) -> Iterator[Group]:
    """Like machines of a preview, of an inventory or of RVTools."""
    for row in preview.get("groups", ()):
        count = row["machines_count"]
        measured = row["measured_cores_count"]
        yield Group(
            model=row["model"],
            cpu=row["cpu"],
            year=row["year"],
            machines_count=count,
            cores_each=_each(row, "cores", "cores_count"),
            ram_gib_each=_each(row, "ram", "ram_gib"),
            sockets_each=_each(row, "sockets", "sockets_count"),
            busy_fraction=row["busy_cores_count"] / measured if measured else None,
            watts_each=_each(row, "watts", "watts"),
            price_usd_each=_each(row, "price", "price_usd"),
            rows=rows_said(row.get("rows")),
        )
    for row in preview.get("hosts", ()):
        count = row["hosts_count"]
        measured = row["unmeasured_count"] < count and row["cores_count"] > 0
        yield Group(
            model=row["model"],
            cpu=row["cpu"],
            year="",
            machines_count=count,
            cores_each=row["cores_count"] / count,
            ram_gib_each=row["ram_gib"] / count,
            sockets_each=row.get("sockets_count") or None,
            busy_fraction=_busy(row) if measured else None,
            rows=rows_said(row.get("rows"), "vHost"),
        )


def _busy(row: Mapping[str, Any]) -> float:
    """Of the hosts that were measured; the others are taken to be as busy."""
    share = 1.0 - row["unmeasured_count"] / row["hosts_count"]
    return float(row["busy_cores_count"] / (row["cores_count"] * share))


def _each(row: Mapping[str, Any], what: str, name: str) -> float | None:
    """Mean of the machines that say it."""
    known = row["machines_count"] - row.get(f"unknown_{what}_count", row["machines_count"])
    value = row.get(name)
    return value / known if known and value is not None else None


def matched(preview: Mapping[str, Any], known: Known) -> list[tuple[Group, Match]]:
    """Every group of a fleet with its match."""
    return [(group, match(group, known)) for group in groups_of(preview)]


def age_months(group: Group, as_of: str) -> int | None:
    """Months since the middle of the year in which machines were bought; None when unknown."""
    year = whole_of(group.year)
    if year is None:
        return None
    day = date.fromisoformat(as_of)
    months = (day.year - year) * MONTHS_PER_YEAR + day.month - 7
    return max(months, 0) if months < _YEARS_MAX * MONTHS_PER_YEAR else None


def left_usd(group: Group, found: Match, as_of: str, life_months: int) -> float | None:
    """What the books still hold of a machine, by straight line; None when it cannot be known."""
    price = group.price_usd_each
    if price is None and found.how_sure == "sure" and found.entry is not None:
        price = found.entry.unit_price_usd
    months = age_months(group, as_of)
    if price is None or months is None:
        return None
    held = range(months)
    years = -(-months // MONTHS_PER_YEAR)
    gone = sum(written_off_usd(price, "straight_line", life_months=life_months, years=years,
                               held=held))  # fmt: skip
    return max(price - gone, 0.0)


def _months_left(group: Group, options: Options) -> int | None:
    """Months until the life of machines in the books ends; None when over, or of unknown age."""
    months = age_months(group, options.as_of)
    if months is None or options.assumed is None or months >= options.assumed.life_months:
        return None
    return options.assumed.life_months - months


def grounded(drafted: Drafted, preview: Mapping[str, Any], options: Options) -> Drafted:
    """Add to a fleet's draft its machines by the catalogue, and its baseline."""
    if options.market is not None:
        market = options.market(preview.get("regions", ()))
        drafted.in_types = in_types(preview, market, options.sizing or Sizing(), options.traced)
        drafted.tables += type_tables(drafted.in_types) if drafted.in_types else []
    if options.machines is None or options.assumed is None:
        return drafted
    pairs = matched(preview, options.machines())
    if not pairs:
        return drafted
    drafted.tables.append(_table(pairs, options))
    drafted.baseline, drafted.baseline_from = _baseline(pairs, options)
    drafted.open_points = [
        point for point in drafted.open_points if not point.startswith("What the fleet costs")
    ]
    drafted.open_points += _points(pairs, options)
    return drafted


def _table(pairs: list[tuple[Group, Match]], options: Options) -> JSONDict:
    life = options.assumed.life_months if options.assumed else 0
    rows = []
    for group, found in pairs:
        months = age_months(group, options.as_of)
        left = left_usd(group, found, options.as_of, life)
        watts = watts_each(group, found)
        rows.append(
            {
                "model": group.model or "not told",
                "cpu": group.cpu or "not told",
                "count": group.machines_count,
                "entry": found.entry.title if found.entry else "none",
                "how_sure": found.how_sure,
                "why": found.why,
                "watts": watts,
                "range": ""
                if found.range_w is None
                else "{:.0f} to {:.0f} W".format(*found.range_w),
                "age": _age(months, found),
                "left_usd": None if left is None else f"{left * group.machines_count:.2f}",
            }
        )
    note = (
        f"Value left: the price by straight line over {life} months; without a price or a year it "
        "is not known."
    )
    return table("Machines by the catalogue", _COLUMNS, rows, note)


def _age(months: int | None, found: Match) -> str:
    if months is not None:
        return f"{months / MONTHS_PER_YEAR:.1f} years"
    if found.entry is not None and found.how_sure == "sure" and found.entry.sold_on:
        return f"not known; sold since {found.entry.sold_on[:4]}"
    return "not known"


def _baseline(
    pairs: list[tuple[Group, Match]], options: Options
) -> tuple[JSONDict | None, JSONDict]:
    """Electricity of the machines whose power is known, and what the books hold of them.

    With it where each line is from, by its pointer.
    """
    assumed = options.assumed
    if assumed is None:
        return None, {}
    lines: list[JSONDict] = []
    origins: JSONDict = {}
    priced_by = f"Power at its load, {assumed.usd_per_kwh:g} USD/kWh and a PUE of {assumed.pue:g}"
    book = 0.0
    for group, found in pairs:
        watts = watts_each(group, found)
        left = left_usd(group, found, options.as_of, assumed.life_months)
        book += (left or 0.0) * group.machines_count
        if watts is None or len(lines) == LINES_MAX:
            continue
        name = ", ".join(filter(None, (group.model, group.cpu, group.year))) or "Machines"
        at = f"/lines/{len(lines)}"
        origins[at] = origin_of(options, "measured", rows=group.rows)
        origins[f"{at}/usd_per_h"] = {
            **origin_of(options, "derived", rows=group.rows), "note": priced_by
        }  # fmt: skip
        usd_per_h = watts / WATTS_PER_KW * assumed.pue * assumed.usd_per_kwh
        line = {
            "type": name[:120],
            "count": group.machines_count,
            "hours_per_month": HOURS_PER_MONTH,
            "usd_per_h": usd_per_h,
        }
        if group.cores_each:
            share = Headroom().cores_target_fraction
            line["busy_cores_count"] = group.cores_each * share
            origins[f"{at}/busy_cores_count"] = {
                **origin_of(options, "derived", rows=group.rows),
                "note": f"{percent(share)} of {group.cores_each:g} cores may be busy at the peak",
            }
            if group.ram_gib_each:
                line["ram_gib"] = group.ram_gib_each
            if left := _months_left(group, options):
                line |= {"until_month": left, "after_usd_per_h": usd_per_h}
                origins[f"{at}/until_month"] = {
                    **origin_of(options, "derived", rows=group.rows),
                    "note": f"{assumed.life_months} months from the middle of {group.year}",
                }
                origins[f"{at}/after_usd_per_h"] = {
                    **origin_of(options, "derived", rows=group.rows),
                    "note": "The baseline keeps these machines for good, at what they cost today",
                }
        lines.append(line)
    if not lines:
        return None, {}
    baseline = {
        # Bought machines stay as they are: what growth would add is not among them.
        "kind": "do_nothing",
        "title": f"Fleet of {options.file_name}"[:120],
        "lines": lines,
        "book_value_usd": book,
    }
    return baseline, origins


def _points(pairs: list[tuple[Group, Match]], options: Options) -> list[str]:
    assumed = options.assumed
    if assumed is None:
        return []
    whole = sum(group.machines_count for group, _ in pairs)
    by_kind: dict[str, float] = {}
    dark = kept = endless = 0.0
    for group, found in pairs:
        by_kind[found.how_sure] = by_kind.get(found.how_sure, 0.0) + group.machines_count
        if watts_each(group, found) is None:
            dark += group.machines_count
        elif group.cores_each and _months_left(group, options):
            kept += group.machines_count
        elif group.cores_each:
            endless += group.machines_count
    said = ", ".join(f"{count:,.0f} {kind}" for kind, count in by_kind.items())
    points = [f"Of {whole:,.0f} machines in the catalogue: {said}."]
    if dark < whole:
        points.append(
            "The baseline is the electricity of the machines as they stand, at "
            f"{assumed.usd_per_kwh:g} USD/kWh and a PUE of {assumed.pue:g}. Space, support, "
            "licences and people are not in the file: enter them."
        )
    if kept:
        points.append(
            f"A plan of purchases keeps {counted(kept, 'machine')} until "
            f"{assumed.life_months} months from the middle of the year bought."
        )
    if endless:
        points.append(
            f"Of {counted(endless, 'machine')} it is not known how long they stay, as they are "
            f"older than {assumed.life_months} months or their year is not told. Say in the "
            "baseline after which month they are taken out, and a plan of purchases keeps them "
            "until then."
        )
    if dark:
        points.append(
            f"The power of {dark:,.0f} machines is not known: their model, their processor or how "
            "busy they are is not told. They are in no line of the baseline."
        )
    return points
