"""What fits of a drive tell: how well it fits, what was fitted, and what it then does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.formats.told_axes import decades
from capmodels.numbers import missing, percent, quantity, significant
from capmodels.storage.simulator.words import SCHEDULERS, inside
from capmodels.told import Axis, Figure, Series, Table, TableRow, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from capmodels.storage.calibration.trace_params import ReplayFit, TracksFit
    from capmodels.storage.drive.drives import Drive

    Found = Mapping[str, Any]

_NAMES = {"read": "Reads", "write": "Writes"}
_ORDERS = {
    "fcfs": "Reads are taken as they come.",
    "clook": "Reads are taken upwards by sector, as a host sorts them for a drive without a queue.",
    "sptf": "Reads are taken by what the head reaches first, of {} at a time.",
}
_PAUSES = {
    "after": "Pauses come after the requests that they stand with: so the platter's turn says.",
    "before": "Pauses were taken to come before the requests that they stand with, not after: "
    "so the platter's turn says.",
    "untold": "The platter's turn does not tell whether pauses come before or after the requests "
    "that they stand with: after, as recorded, was taken.",
}


def _ms(value_ms: float) -> str:
    return quantity(value_ms / 1000, "s")


def drive_told(sheet: Drive, found: Found) -> dict[str, Any]:
    """What a drive fitted to depths tells, beside its numbers."""
    depths = found["depths"]
    return {
        "headline": _drive_headline(found),
        "notes": (*_drive_notes(found), *found.get("notes", ())),
        "tables": (_fitted_table(sheet, found["drive"]), _depths_table(depths)),
        "figures": (_depths_figure(depths),),
    }


def _drive_headline(found: Found) -> str:
    single, many = found["demerit_fraction"], found["channels_count"]
    at_once = "one at a time" if many == 1 else f"{many} at a time"
    if found["waits_for_dies"]:
        at_once = f"on that of {many} dies which has its data"
    off = percent(found["depth_demerit_fraction"])
    fit = f"**The fitted drive misses the mean latencies by {off}**"
    if single is not None:
        fit = f"**The fitted drive has a demerit of {percent(single)}** on single reads"
    return (
        f"{fit}: a read takes {_ms(found['read_service_ms'])}, {at_once}, at most "
        f"{significant(found['max_read_per_s'])} a second."
    )


def _drive_notes(found: Found) -> Iterator[str]:
    sheet, write_ms = found["sheet_demerit_fraction"], found["write_service_ms"]
    if sheet is None or found["demerit_fraction"] is None:
        yield (
            "The file has no percentiles of single reads, so there is no demerit of their "
            "distribution."
        )
    else:
        yield f"By its data sheet alone the demerit is {percent(sheet)}."
    off = percent(found["depth_demerit_fraction"])
    yield f"Over the depths the mean latencies of reads are off by {off} (root-mean-square)."
    if write_ms is not None and found["max_write_per_s"] is not None:
        yield (
            f"A write takes {_ms(write_ms)}, at most {significant(found['max_write_per_s'])} a "
            f"second; off by {percent(found['write_depth_demerit_fraction'])} over the depths."
        )
    if found["queue_order"] is not None:
        yield _ORDERS[found["queue_order"]].format(found["queue_count"] or "all")
    if (held := found["held_writes_count"]) is not None:
        yield f"Its memory holds {held} writes and puts them on the platter by position."
    yield from beyond_told(found["depths"])
    reasons: dict[str, list[str]] = {}
    for row in found["depths"]:
        if row.unused_reason is not None:
            named = f"{row.way}s at depth {row.depth_count}"
            reasons.setdefault(row.unused_reason, []).append(named)
    for reason, rows in reasons.items():
        yield f"Not used: {listed(rows)}. {reason}"


def beyond_told(depths: Sequence[Any]) -> Iterator[str]:
    """Outside of which depths the fitted drive is extrapolated: of those that tell something."""
    told: dict[str, list[int]] = {}
    for row in depths:
        if row.modelled_ms is not None:
            told.setdefault(row.way, []).append(row.depth_count)
    if not told:
        return
    spans: dict[str, list[str]] = {}
    for way, of in told.items():
        spans.setdefault(_span(of), []).append(f"{way}s")
    rows = " and ".join(f"{' and '.join(ways)} {span}" for span, ways in spans.items())
    alone = " or a ".join(way for way, of in told.items() if min(of) > 1)
    single = f", also in what a {alone} takes alone" if alone else ""
    yield (
        f"Told by {rows}. Outside of these depths the drive is extrapolated and less sure{single}."
    )


def _span(depths: Sequence[int]) -> str:
    least, most = min(depths), max(depths)
    return f"at depth {least}" if least == most else f"from depth {least} to {most}"


def _depths_table(depths: Sequence[Any]) -> Table:
    hosts = any(row.host_ms is not None for row in depths)
    return Table(
        title="Error by depth",
        columns=(
            "Requests",
            "Measured",
            "Modelled",
            "Error",
            "Measured rate",
            *(("Host in between",) if hosts else ()),
        ),
        rows=tuple(
            TableRow(
                head=f"{_NAMES[row.way]} at depth {row.depth_count}",
                means=row.unused_reason,
                cells=(
                    _ms(row.measured_ms),
                    missing() if row.modelled_ms is None else _ms(row.modelled_ms),
                    percent(row.error_fraction),
                    quantity(row.measured_per_s, "1/s"),
                    *((missing() if row.host_ms is None else _ms(row.host_ms),) if hosts else ()),
                ),
            )
            for row in depths
        ),
    )


def _depths_figure(depths: Sequence[Any]) -> Figure:
    """Mean latency by queue depth, measured and as the fitted drive has it."""
    worst = max(abs(row.error_fraction or 0.0) for row in depths)
    series = []
    for way, name in _NAMES.items():
        rows = [row for row in depths if row.way == way]
        known = [row for row in rows if row.modelled_ms is not None]
        series += [
            Series(
                name=f"{name}, modelled",
                at=tuple(row.depth_count for row in known),
                values=tuple(row.modelled_ms for row in known),
                kinds=tuple(f"off by {percent(row.error_fraction)}" for row in known),
            ),
            Series(
                name=f"{name}, measured",
                at=tuple(row.depth_count for row in rows),
                values=tuple(row.measured_ms for row in rows),
                style="dots",
            ),
        ]
    deepest = max(2, *(row.depth_count for row in depths))
    times = [value for one in series for value in one.values if value]
    return Figure(
        kind="lines",
        name="Latency by queue depth",
        title=f"The model is within {percent(worst)} of every mean latency it gives",
        along=decades("Mean latency", "ms", (min(times), max(times)), _ms),
        across=decades("Queue depth", "count", (1, deepest), "{:.0f}".format),
        series=tuple(one for one in series if one.values),
    )


def _seeks(disk: Any) -> str:
    seek = disk.seek
    if seek.kind != "three_point":
        return missing()
    return ", ".join(_ms(value) for value in (seek.min_ms, seek.avg_ms, seek.max_ms))


def _memory(disk: Any) -> str:
    buffer = disk.buffer
    if buffer is None:
        return "none"
    ahead = quantity(buffer.ahead_bytes, "B") if buffer.ahead_bytes else "nothing"
    writes = "writes answered early" if buffer.writes_behind else "writes not answered early"
    if buffer.holds_writes:
        writes += f", {buffer.held_writes_count} held and sorted"
    return f"{ahead} ahead, {quantity(buffer.bus_mb_per_s, 'MB/s')}, {writes}"


# The parameters that are fitted, by the kind of drive.
_FITTED: dict[str, dict[str, Callable[[Any], str]]] = {
    "hdd": {
        "Overhead": lambda one: _ms(one.overhead_ms),
        "Seeks: next track, mean, full": _seeks,
        "On-board cache": _memory,
    },
    "ssd": {
        "Requests at once": lambda one: f"{one.channels_count}",
        "Read latency": lambda one: _ms(one.read_latency_ms),
        "Write latency": lambda one: _ms(one.write_latency_ms),
        "Read rate of a channel": lambda one: quantity(one.read_mb_per_s, "MB/s"),
        "Write rate of a channel": lambda one: quantity(one.write_mb_per_s, "MB/s"),
        "Link, for a read": lambda one: _ms(one.dies.link_read_ms if one.dies else 0.0),
    },
}


def _fitted_table(sheet: Drive, fitted: Drive) -> Table:
    """The parameters that were fitted, beside those of the data sheet."""
    return Table(
        title="Fitted parameters",
        columns=("Parameter", "Data sheet", "Fitted"),
        rows=tuple(
            TableRow(head=head, cells=(said(sheet), said(fitted)))
            for head, said in _FITTED[sheet.kind].items()
        ),
    )


def trace_told(sheet: Drive, found: Found) -> dict[str, Any]:
    """What a drive fitted to a recorded trace tells, beside its numbers."""
    modelled, measured = _ms(found["modelled_mean_ms"]), _ms(found["measured_mean_ms"])
    return {
        "headline": f"**The fitted drive has a demerit of {percent(found['demerit_fraction'])}** "
        f"on the second half: a request takes {modelled} on average, {measured} was measured.",
        "notes": tuple(_trace_notes(found)),
        "tables": (_fitted_table(sheet, found["drive"]),),
        "figures": (_times_figure(found),),
    }


def _trace_notes(found: Found) -> Iterator[str]:
    yield (
        f"By its data sheet alone the demerit is {percent(found['sheet_demerit_fraction'])}; on "
        f"the first half, which was fitted, it is {percent(found['fitted_demerit_fraction'])}."
    )
    compared = "" if found["tracks"] else ": these are compared"
    yield (
        f"{found['alone_count']:,} requests ({percent(found['alone_fraction'])}) found the drive "
        f"idle{compared}."
    )
    if found["tracks"]:
        yield _followed(found["tracks"])
        yield _PAUSES[found["tracks"].pauses]
    if found["replay"]:
        yield _replayed(found["replay"])
    buffered = [
        f"{'sequential' if one.sequential else 'other'} {one.way}s"
        for one in found["classes"]
        if one.path == "buffer"
    ]
    if buffered and found["drive"].kind == "hdd":
        yield (
            f"The drive's own buffer answers {listed(buffered)} better than seek and rotation "
            "explain."
        )


def _replayed(fit: ReplayFit) -> str:
    order = inside(SCHEDULERS[fit.scheduler])
    way = "more" if fit.error_fraction > 0 else "less"
    return (
        "Replayed at their times, the second half's requests wait for each other and, in the order "
        f"found on the first half ({order}), take {_ms(fit.modelled_mean_ms)} on average: "
        f"{percent(abs(fit.error_fraction))} {way} than the {_ms(fit.measured_mean_ms)} that were "
        "measured."
    )


def _followed(tracks: TracksFit) -> str:
    so = "Requests were followed over the tracks one by one; their reads agree with"
    if not tracks.follows_angle:
        return f"{so} no skews, described or found, so the angle was taken at random."
    if not tracks.found_skews:
        return f"{so} the described speed and skews."
    skews = f"{_ms(tracks.head_skew_ms)} and {_ms(tracks.cylinder_skew_ms)}"
    speed = significant(tracks.speed_rpm)
    return f"{so} {speed} rpm and skews of {skews}, not with those described."


def _times_figure(found: Found) -> Figure:
    """Time within which each share of the requests is served, measured and modelled."""
    pairs = found["quantiles"]
    shares = tuple(pair.percent_ratio / 100 for pair in pairs)
    half = pairs[len(pairs) // 2]
    names = ("measured", "modelled")
    times = {name: [getattr(pair, f"{name}_ms") for pair in pairs] for name in names}
    known = [value for values in times.values() for value in values if value > 0]
    return Figure(
        kind="lines",
        name="Service times, measured and modelled",
        title=f"Half are served within {_ms(half.measured_ms)}; the model says "
        f"{_ms(half.modelled_ms)}",
        along=decades("Service time", "ms", (min(known), max(known)), _ms),
        across=Axis(title="Requests served", unit="fraction"),
        series=tuple(
            Series(name=name.capitalize(), at=shares, values=tuple(values))
            for name, values in times.items()
        ),
    )
