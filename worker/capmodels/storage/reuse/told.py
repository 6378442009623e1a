"""What the advice on a solid-state cache tells: the size that holds a day, and others beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.numbers import counted, money, percent, quantity, significant
from capmodels.told import Axis, Figure, Series, Table, TableRow

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from capmodels.storage.reuse.params import CacheSize

    Found = Mapping[str, Any]

_YEARS_MOST = 100.0


def cache_told(found: Found) -> dict[str, Any]:
    """What is told beside the numbers."""
    return {
        "headline": _headline(found),
        "notes": tuple(_notes(found)),
        "tables": (_table(found),),
        "figures": (_hits(found),),
    }


def _gb(size: CacheSize) -> str:
    return quantity(size.cache_gb * 1e9, "B")


def _years(value: float) -> str:
    return "more than 100 years" if value > _YEARS_MOST else quantity(value, "yr")


def _headline(found: Found) -> str:
    """How large, what it serves, what it saves, how long it lasts."""
    best: CacheSize = found["advised"]
    holds = "all that was touched" if found["covered_days_count"] < 1 else "a day"
    reads = found["read_fraction"] > 0
    serves = f" and serves {percent(best.read_hit_fraction)} of the reads" if reads else ""
    watts, year = quantity(abs(best.saved_w), "W"), quantity(abs(best.saved_kwh_per_year), "kWh/yr")
    saves = f"it uses {watts} more than it saves, {year}"
    if best.saved_w >= 0:
        saves = f"it saves {watts} ({percent(best.saved_fraction)}), {year}"
    wear = "how long it lasts is not known"
    if best.wear_years is not None:
        wear = f"its rated writes last {_years(best.wear_years)}"
    return f"**A cache of {_gb(best)} holds {holds}**{serves}: {saves}; {wear}."


def _notes(found: Found) -> Iterator[str]:
    """What else there is to say, most telling first."""
    best: CacheSize = found["advised"]
    if "less_than_a_day" in found["warnings"]:
        yield (
            f"The record covers {percent(found['covered_days_count'])} of a day: a whole day needs "
            "at least this much."
        )
    if "wears_out_in_service" in found["warnings"]:
        yield "It wears out before the end of its service."
    if "sampled" in found["warnings"]:
        share = percent(found["sampled_fraction"])
        yield f"Hits are counted on {share} of the blocks, sampled at random."
    if found["read_fraction"] > 0 and best.read_response_ms is not None:
        before = found["uncached_response_ms"]
        without = "; without the cache the disks are overloaded"
        if before is not None:
            without = f", {quantity(before, 'ms')} without the cache"
        yield f"A read takes {quantity(best.read_response_ms, 'ms')} on average{without}."
    drives = "one drive" if best.devices_count == 1 else counted(best.devices_count, "drive")
    yield (
        f"It takes {drives} and writes {significant(best.written_tb_per_year)} TB a year, "
        f"{significant(best.drive_writes_per_day, 2)} times its space a day."
    )
    if best.purchase_usd:
        way = "more" if best.net_usd >= 0 else "less"
        yield (
            f"The drives cost {money(best.purchase_usd)} over their service; the electricity saved "
            f"is {money(abs(best.net_usd))} {way} than they cost."
        )
    before, after = found["asleep_uncached_w"], found["asleep_cached_w"]
    if before is not None and after is not None:
        yield (
            f"If the disks slept in the gaps, the total would be {quantity(after, 'W')} with the "
            f"cache and {quantity(before, 'W')} without."
        )


def _saves(size: CacheSize) -> str:
    watts = quantity(abs(size.saved_w), "W")
    return f"{_gb(size)}, {f'saves {watts}' if size.saved_w >= 0 else f'uses {watts} more'}"


def _hits(found: Found) -> Figure:
    """Share of reads that a cache serves, by its size; the one that holds a day is marked."""
    sizes, best = found["sizes"], found["advised"]
    enough = best.read_hit_fraction / 2
    half = next((one for one in sizes if one.read_hit_fraction >= max(enough, 1e-12)), None)
    title = "No read comes back to data that a cache would hold"
    if half is not None:
        title = (
            f"{_gb(half)} serve {percent(half.read_hit_fraction)} of the reads, {_gb(best)} "
            f"{percent(best.read_hit_fraction)}"
        )
    every = -(-len(sizes) // 7)
    lines = {
        "Reads served": sizes,
        "Holds all of it" if found["covered_days_count"] < 1 else "Holds a day": (best,),
    }
    return Figure(
        kind="lines",
        name="Reads served by size of the cache",
        title=title,
        along=Axis(title="Reads served", unit="fraction"),
        across=Axis(
            title="Size of the cache",
            unit="GB",
            is_log=True,
            ticks=tuple(one.cache_gb for one in sizes[::every]),
            ticks_said=tuple(_gb(one) for one in sizes[::every]),
        ),
        series=tuple(
            Series(
                name=name,
                at=tuple(one.cache_gb for one in own),
                values=tuple(one.read_hit_fraction for one in own),
                names=tuple(map(_saves, own)),
                style="line" if own is sizes else "dots",
            )
            for name, own in lines.items()
        ),
    )


def _table(found: Found) -> Table:
    columns = ("Cache", "Reads served", "Saves", "Mean read", "Written a year")
    return Table(
        title="By size of the cache",
        columns=(*columns, "Rated writes last", "Saved less cost"),
        rows=tuple(
            TableRow(
                head=_gb(size),
                cells=(
                    percent(size.read_hit_fraction),
                    quantity(size.saved_w, "W"),
                    quantity(size.read_response_ms, "ms"),
                    quantity(size.written_tb_per_year, "TB"),
                    quantity(size.wear_years, "yr"),
                    money(size.net_usd),
                ),
            )
            for size in found["sizes"]
        ),
    )
