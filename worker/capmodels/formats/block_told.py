"""What a block trace is told by: its sentences, and its charts as data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.formats.told_axes import (
    SHARE,
    clock,
    decades,
    mean,
    most,
    of_steps,
    seconds_said,
    time_said,
)
from capmodels.numbers import duration, percent, quantity, significant
from capmodels.told import Axis, Figure, Series

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Summary = Mapping[str, Any]

_DAY_S = 86_400.0
_KIB = 1024
# Gaps of a Poisson stream vary as much as their mean: a coefficient of variation of 1.
_BURSTS, _POISSON = 1.3, 0.7
_LONG_GAPS = 0.05


def block_headline(of: Summary) -> str:
    """One sentence: how many requests, how fast, how many of them read."""
    return (
        f"{of['requests_count']:,} requests in {duration(of['duration_s'])}, "
        f"{significant(of['rate_per_s'])} per second, {percent(of['read_fraction'])} reads."
    )


def block_notes(of: Summary) -> Iterator[str]:
    """The other sentences, the most telling first; a log of averages gives no sizes or places."""
    if of.get("size_mean_bytes") is not None:
        devices = of["devices_count"]
        where = f" on {devices} devices" if devices > 1 else ""
        yield (
            f"A request has {quantity(of['size_mean_bytes'], 'B')} on average "
            f"(median {quantity(of['size_p50_bytes'], 'B')}); {quantity(of['read_bytes'], 'B')} "
            f"are read, {quantity(of['write_bytes'], 'B')} written{where}."
        )
    if of["requests_count"] == 1:
        yield "There is only one request: nothing lies between."
    if of["duration_s"] >= 2:
        yield _burst(of)
    if of.get("footprint_bytes") is not None:
        yield _places(of)
    yield _idle(of)
    if response := of.get("response"):
        mean_s, p95, p99 = (time_said(response[f"{name}_s"]) for name in ("mean", "p95", "p99"))
        yield (
            f"The file gives response times: {mean_s} on average, 95% within {p95}, "
            f"99% within {p99}."
        )


def _burst(of: Summary) -> str:
    varies = of["gap_cv_ratio"]
    kind = (
        "they come in bursts"
        if varies > _BURSTS
        else "they come about as a Poisson stream does"
        if varies > _POISSON
        else "they come evenly"
    )
    return (
        f"The busiest second has {of['peak_rate_per_s']:,.0f} requests, "
        f"{significant(of['peak_to_mean_ratio'], 2)} times the mean: {kind} "
        f"(the gaps vary by {significant(varies, 2)} times their mean)."
    )


def _places(of: Summary) -> str:
    about = "" if of["footprint_is_exact"] else "about "
    days = ""
    if of["duration_s"] > 1.5 * _DAY_S:
        usual, largest = of["footprint_day_mean_bytes"], of["footprint_day_peak_bytes"]
        days = (
            f"; a day touches {quantity(usual, 'B')} on average, {quantity(largest, 'B')} at most"
        )
    return (
        f"They touch {about}{quantity(of['footprint_bytes'], 'B')} of different data{days}; "
        f"{percent(of['sequential_fraction'])} begin where the last one ended."
    )


def _idle(of: Summary) -> str:
    long, short = of["idle_above_10s_fraction"], of["idle_above_1s_fraction"]
    if long > _LONG_GAPS:
        return (
            f"{percent(long)} of the time lies in gaps above 10 s, long enough for a disk to sleep."
        )
    if short > _LONG_GAPS:
        longer = "little" if long > 0 else "none"
        return f"{percent(short)} of the time lies in gaps above 1 s, {longer} above 10 s."
    return "There are no gaps long enough for a disk to sleep."


def block_figures(charts: Mapping[str, Any]) -> Iterator[Figure]:
    """Rate, gaps, sizes, data touched and response times, as far as they are known."""
    yield _rate(charts["rate"])
    if charts["gaps"]["upto_s"]:
        yield _gaps(charts["gaps"])
    if sizes := charts.get("sizes"):
        yield _sizes(sizes)
    if footprint := charts.get("footprint"):
        yield _footprint(footprint["day_bytes"])
    if (responses := charts.get("responses")) and responses["upto_s"]:
        yield _responses(responses)


def _rate(rate: Mapping[str, Any]) -> Figure:
    step, reads, writes = rate["step_s"], rate["reads_per_s"], rate["writes_per_s"]
    both = [one + other for one, other in zip(reads, writes, strict=True)]
    places = of_steps(step, len(both))
    return Figure(
        kind="areas",
        name="Requests over time",
        title=f"{significant(mean(both))} requests/s on average, up to "
        f"{significant(most(both))} over {duration(step)}",
        along=Axis(title="Requests per second", unit="1/s"),
        across=clock(len(both) * step),
        series=(
            Series(name="Reads", values=reads, **places),
            Series(name="Writes", values=writes, at=places["at"]),
        ),
    )


def _passes(edges: Sequence[float], shares: Sequence[float], share: float) -> str:
    """Where a distribution passes a share."""
    found = (edge for edge, value in zip(edges, shares, strict=True) if value >= share)
    return time_said(next(found, edges[-1]))


def _distribution(
    name: str, title: str, across: str, edges: Sequence[float], **lines: Sequence[float]
) -> Figure:
    return Figure(
        kind="lines",
        name=name,
        title=title,
        along=SHARE,
        across=decades(across, "s", edges, seconds_said),
        series=tuple(
            Series(name=line.replace("_", " "), at=tuple(edges), values=tuple(shares))
            for line, shares in lines.items()
        ),
    )


def _gaps(gaps: Mapping[str, Any]) -> Figure:
    edges, shares, time_shares = gaps["upto_s"], gaps["fraction"], gaps["time_fraction"]
    return _distribution(
        "Gaps between requests",
        f"Half of the gaps are below {_passes(edges, shares, 0.5)}; half of the time lies in gaps "
        f"above {_passes(edges, time_shares, 0.5)}",
        "Gap up to",
        edges,
        Gaps=shares,
        Time_in_gaps=time_shares,
    )


def _responses(found: Mapping[str, Any]) -> Figure:
    edges, shares = found["upto_s"], found["fraction"]
    title = f"95% are answered within {_passes(edges, shares, 0.95)}"
    name = "Response times in the file"
    return _distribution(name, title, "Response time", edges, Responses=shares)


def size_said(size_bytes: float) -> str:
    """A size as programs ask for it: 4 KiB, 1 MiB, else as any amount.

    >>> size_said(4096), size_said(2 * 1024 * 1024)
    ('4 KiB', '2 MiB')
    """
    for unit, name in ((_KIB * _KIB, "MiB"), (_KIB, "KiB")):
        if size_bytes >= unit and size_bytes % unit == 0:
            return f"{size_bytes // unit:.0f} {name}"
    return quantity(size_bytes, "B")


def _sizes(sizes: Mapping[str, Any]) -> Figure:
    requests, data = (
        [value / max(sum(sizes[key]), 1) for value in sizes[key]]
        for key in ("requests_count", "bytes")
    )
    rows = [size_said(edge) for edge in sizes["upto_bytes"]]
    often = max(range(len(rows)), key=requests.__getitem__, default=None)
    return Figure(
        kind="columns",
        name="Sizes of requests",
        title="No request has a size"
        if often is None
        else f"{percent(requests[often])} of the requests have {_between(rows, often)}",
        along=SHARE,
        across=Axis(title="Size of a request, up to", unit=""),
        rows=tuple(rows),
        series=(
            Series(name="Requests", values=tuple(requests)),
            Series(name="Data", values=tuple(data)),
        ),
    )


def _between(ends: Sequence[str], at: int) -> str:
    """The sizes that are counted together up to one of these ends."""
    return f"more than {ends[at - 1]}, up to {ends[at]}" if at else f"at most {ends[at]}"


def _footprint(days: Sequence[float]) -> Figure:
    title = f"A day touches up to {quantity(max(days), 'B')}: a cache of that size would hold it"
    return Figure(
        kind="columns",
        name="Data touched by day",
        title=f"{quantity(days[0], 'B')} are touched" if len(days) == 1 else title,
        along=Axis(title="Data touched", unit="B"),
        across=Axis(title="Day", unit=""),
        rows=tuple(f"{at}" for at in range(1, len(days) + 1)),
        series=(Series(name="Data touched", values=tuple(days)),),
    )
