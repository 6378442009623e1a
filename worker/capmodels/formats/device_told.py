"""What measured drives are told by: points of fio, failure rates of a fleet, and lifetimes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.formats.block_told import size_said
from capmodels.formats.told_axes import decades
from capmodels.numbers import counted, day, percent, quantity, significant
from capmodels.told import Axis, Figure, Series, Table, TableRow, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Summary = Mapping[str, Any]
    Row = Mapping[str, Any]

_RATES_SHOWN = 15
_SERIES_MOST = 8


def points_headline(of: Summary) -> str:
    """One sentence: how many points, and the fastest."""
    fastest = f"{of['iops_peak_per_s']:,.0f}"
    return f"{of['points_count']:,} measured points, up to {fastest} requests/s."


def points_notes(charts: Mapping[str, Any]) -> Iterator[str]:
    """Which points calibrate no drive, and why; files read by an earlier version do not say."""
    unused: Mapping[str, int] = charts.get("unused", {})
    if unused:
        yield f"Not used to calibrate a drive: {unused_said(unused)}."
    if not charts.get("calibrations"):
        yield (
            "No drive is calibrated: that takes jobs that read blocks of one size and ask for "
            "nothing else meanwhile."
        )


def unused_said(unused: Mapping[str, int]) -> str:
    """How many points are not used, by why not: 3 points of trims and 1 point of 4 KiB."""
    return listed([f"{counted(count, 'point')} {why}" for why, count in unused.items()])


def points_figures(points: Sequence[Row]) -> Iterator[Figure]:
    """Requests per second by requests outstanding, a line for each direction and size."""
    groups: dict[str, dict[int, Row]] = {}
    for row in points:
        at = _outstanding(row)
        kept = groups.setdefault(f"{row['direction']}, {size_said(row['block_bytes'])}", {})
        # Jobs and depths may multiply to the same: of those the fastest is drawn.
        if at not in kept or kept[at]["iops_per_s"] < row["iops_per_s"]:
            kept[at] = row
    deepest = max([2, *map(_outstanding, points)])
    yield Figure(
        kind="lines",
        name="Requests per second by requests outstanding",
        title=f"Up to {significant(max(row['iops_per_s'] for row in points))} requests/s "
        "were measured",
        along=Axis(title="Requests per second", unit="1/s"),
        across=decades("Requests outstanding", "count", (1, deepest), "{:.0f}".format),
        series=tuple(
            Series(
                name=name,
                at=tuple(sorted(rows)),
                values=tuple(rows[at]["iops_per_s"] for at in sorted(rows)),
                names=tuple(f"{at}, {rows[at]['job'] or name}" for at in sorted(rows)),
            )
            for name, rows in list(groups.items())[:_SERIES_MOST]
        ),
    )


def _outstanding(row: Row) -> int:
    count: int = row["queue_depth_count"] * row.get("jobs_count", 1)
    return count


def points_table(points: Sequence[Row]) -> Table:
    """Every point as it was measured."""
    columns = ("Job", "Direction", "Block", "Depth", "Jobs", "Requests/s", "Mean", "P99")
    return Table(
        title="Measured points",
        columns=columns,
        rows=tuple(
            TableRow(
                head=row["job"] or f"Job {at}",
                cells=(
                    row["direction"],
                    size_said(row["block_bytes"]),
                    f"{row['queue_depth_count']}",
                    f"{row.get('jobs_count', 1)}",
                    significant(row["iops_per_s"]),
                    quantity(row["latency_mean_ms"], "ms"),
                    quantity(row["p99_ms"], "ms"),
                ),
            )
            for at, row in enumerate(points, start=1)
        ),
    )


def fleet_headline(of: Summary) -> str:
    """One sentence: how many drives, how many failed, and the rate."""
    return (
        f"{of['drives_count']:,} drives of {of['models_count']:,} models, "
        f"{of['failures_count']:,} failed: {percent(of['afr_per_year'])} a year."
    )


def fleet_notes(of: Summary, lifetimes: Mapping[str, Any]) -> Iterator[str]:
    """When it was recorded, how sure the rate is, and why there is no curve of survival."""
    days, first = of["days_count"], day(of["first_day"])
    when = f"On {first}" if days == 1 else f"From {first} to {day(of['last_day'])}"
    on = "" if days == 1 else f" on {days:,} days"
    yield f"{when}, {of['drive_days_count']:,} drive days were recorded{on}."
    low, high = percent(of["afr_low_per_year"]), percent(of["afr_high_per_year"])
    yield f"Chance alone allows {low} to {high} a year (95% interval)."
    if not lifetimes["curves"] and lifetimes["reason"]:
        yield lifetimes["reason"]


def fleet_figures(charts: Mapping[str, Any]) -> Iterator[Figure]:
    """Failure rates of the models with most drive days, and how drives survive."""
    fleet = charts["fleet"]
    if rows := fleet["cohorts"][:_RATES_SHOWN]:
        yield _rates(rows, fleet)
    yield from (_survival(curve) for curve in charts["lifetimes"]["curves"] if curve["age_years"])


def _rates(rows: Sequence[Row], fleet: Row) -> Figure:
    order = sorted(rows, key=lambda row: -row["afr_per_year"])
    worst = f"{order[0]['name']}, {percent(order[0]['afr_per_year'])} a year"
    failed = any(row["failures_count"] for row in rows)
    more = fleet["models_count"] - len(rows)
    return Figure(
        kind="ranges",
        name="Failure rates by model",
        title=f"Highest rate: {worst}" if failed else "No drive of these models failed",
        along=Axis(
            title=f"Failures of a drive a year, {percent(fleet['confidence_fraction'])} interval",
            unit="fraction",
        ),
        rows=tuple(row["name"] for row in order),
        series=(
            Series(
                name="Failures a year",
                values=tuple(row["afr_per_year"] for row in order),
                low=tuple(row["low_per_year"] for row in order),
                high=tuple(row["high_per_year"] for row in order),
                kinds=tuple(
                    f"{row['failures_count']:,} failures in {row['drive_days_count']:,} drive days"
                    for row in order
                ),
            ),
        ),
        note=f"The {len(rows)} of {fleet['models_count']} models with most drive days."
        if more > 0
        else None,
    )


def fleet_table(fleet: Row) -> Table:
    """Every model: its size, its drives, and how often they fail."""
    return Table(
        title="Models of drives",
        columns=("Model", "Capacity", "Drives", "Drive days", "Failures", "A year", "Low", "High"),
        rows=tuple(
            TableRow(
                head=row["name"],
                cells=(
                    quantity(row["capacity_tb"], "TB"),
                    *(f"{row[key]:,}" for key in ("drives_count", "drive_days_count")),
                    f"{row['failures_count']:,}",
                    *(percent(row[f"{key}_per_year"]) for key in ("afr", "low", "high")),
                ),
            )
            for row in fleet["cohorts"]
        ),
    )


def shape_said(curve: Row) -> str:
    """In words: do failures grow with age?"""
    low, high = curve["weibull_shape_low_ratio"], curve["weibull_shape_high_ratio"]
    what = (
        "they fail more often as they age"
        if low > 1
        else "they fail less often as they age"
        if high < 1
        else "whether failures grow with age cannot be told"
    )
    return (
        f"Weibull law: shape {significant(curve['weibull_shape_ratio'])} ({significant(low)} to "
        f"{significant(high)}), so {what}; scale {significant(curve['weibull_scale_years'])} "
        f"years. {curve['failures_count']:,} of {curve['drives_count']:,} drives failed."
    )


def _survival(curve: Row) -> Figure:
    """Kaplan-Meier with its interval; the Weibull law where it was told when it was read."""
    ages, shares = curve["age_years"], curve["survival_fraction"]
    last = percent(shares[-1])
    series = [
        Series(
            name="Kaplan-Meier, 95% interval",
            at=ages,
            values=shares,
            low=curve["low_fraction"],
            high=curve["high_fraction"],
            style="steps",
        )
    ]
    if law := curve.get("weibull_fraction"):
        series.append(Series(name="Weibull", at=ages, values=law))
    return Figure(
        kind="lines",
        name="Drives that still run, by age",
        of=curve["name"],
        title=f"{last} still run at {significant(ages[-1], 2)} years",
        along=Axis(title="Drives that still run", unit="fraction"),
        across=Axis(title="Age", unit="yr"),
        series=tuple(series),
        note=shape_said(curve),
    )
