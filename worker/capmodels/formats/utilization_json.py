"""Utilization as JSON: Prometheus range queries, CloudWatch statistics."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FileRefused
from capmodels.formats.metric_names import measure_of, require_measure, sample_of, words_of
from capmodels.formats.reading import by_document
from capmodels.formats.samples import Sample, fraction, number, time_s
from capmodels.formats.trace_format import TraceFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.formats.chunks import Report

_NO_CONTAINER = frozenset({None, "", "POD"})
_LABELS = ("instance", "pod", "node", "nodename", "host", "hostname", "vm", "name", "job")


# What rates of a clock add to all of it is taken for it.
_SHARE_MOST = 1.1
# Values of a metric that no name explains, all at most this: percent of idle machines, or cores.
_CORES_MOST = 10.0
_PERCENT = frozenset(
    {"percent", "percentage", "pct", "utilization", "utilisation", "ratio", "usage"}
)
# Modes in which a CPU does not work; sar counts them so, too.
_NOT_BUSY = ("idle", "iowait")


def prometheus(document: Any, _name: str, report: Report) -> Iterator[Sample]:
    """A range query's answer. Values are texts; NaN and infinities are gaps.

    A metric's name says what it is, and CPU use is taken where it says nothing. One whose values
    nowhere exceed 1.1, on any machine, is in fractions, others in percent. Modes of a machine's
    CPUs make its use together; containers are added up to their pod.

    Raises
    ------
    FileRefused
        When the metric is no share of a machine, or may be in cores as well as in percent.
    """
    rows = document.get("data", {}).get("result", [])
    require_measure([name for row in rows if (name := _metric(row))])
    series = [
        dict(_points(row.get("values", []), at, report)) for at, row in enumerate(rows, start=1)
    ]
    if any("mode" in row.get("metric", {}) for row in rows):
        yield from _of_modes(rows, series)
        return
    rows, series = _of_pods(rows, series, report)
    most: dict[str, float] = {}
    for row, points in zip(rows, series, strict=True):
        highest = max(points.values(), default=0.0)
        most[_metric(row)] = max(most.get(_metric(row), 0.0), highest)
    for place, (row, points) in enumerate(zip(rows, series, strict=True), start=1):
        what = _metric(row)
        measure = measure_of(what)
        if measure is None:
            report.add(place, f"{what} is no share of a machine; it is left out.")
            continue
        if measure != "watts" and not words_of(what) & _PERCENT:
            _require_percent(what, most[what])
        scale = 100.0 if most[what] <= _SHARE_MOST and measure != "watts" else 1.0
        for at_s, value in points.items():
            try:
                machine = _machine(row.get("metric", {}), place)
                yield sample_of(measure, machine, at_s, value * scale)
            except ValueError as exc:
                report.add(place, str(exc))


def _require_percent(name: str, most: float) -> None:
    """Refuse values of which nothing says whether they are percent or cores."""
    if _SHARE_MOST < most <= _CORES_MOST:
        message = (
            f"The values of {name or 'a metric without a name'} go up to {most:g}, and nothing "
            "says whether these are percent or cores. Query a share of 1, as "
            '1 - avg by (instance) (rate(node_cpu_seconds_total{mode="idle"}[5m])), or name the '
            "metric, as cpu_percent."
        )
        raise FileRefused(message)


def _of_modes(rows: list[dict[str, Any]], series: list[dict[float, float]]) -> Iterator[Sample]:
    """Use of machines whose CPUs are told by mode: what is neither idle nor waits, of all."""
    held: dict[tuple[str, float], dict[str, float]] = {}
    for place, (row, points) in enumerate(zip(rows, series, strict=True), start=1):
        metric = row.get("metric", {})
        mode = str(metric.get("mode", ""))
        for at_s, value in points.items():
            modes = held.setdefault((_machine(metric, place), at_s), {})
            modes[mode] = modes.get(mode, 0.0) + value
            modes["cpus"] = modes.get("cpus", 0.0) + (mode == "idle")
    percent = (
        max((max(points.values(), default=0.0) for points in series), default=0.0) > _SHARE_MOST
    )
    for (machine, at_s), modes in held.items():
        cpus = modes.pop("cpus")
        if "idle" not in modes:
            message = "Of a CPU's modes idle is missing, so how busy it is cannot be told."
            raise FileRefused(message)
        alone = len(modes) == 1
        whole = cpus * (100.0 if percent else 1.0) if alone else sum(modes.values())
        resting = sum(modes.get(mode, 0.0) for mode in _NOT_BUSY)
        if whole > 0:
            yield Sample(machine, at_s, fraction(100.0 * (1.0 - resting / whole)))


def _of_pods(
    rows: list[dict[str, Any]], series: list[dict[float, float]], report: Report
) -> tuple[list[dict[str, Any]], list[dict[float, float]]]:
    """The series of pods in place of those of their containers."""
    added: dict[Any, tuple[dict[str, Any], dict[float, float]]] = {}
    several = False
    # cAdvisor has the sum of a pod beside its containers, and the one that holds its network
    held = {
        _pod(row) for row in rows if row.get("metric", {}).get("container") not in _NO_CONTAINER
    }
    for place, (row, points) in enumerate(zip(rows, series, strict=True)):
        metric = dict(row.get("metric", {}))
        if metric.get("container") in _NO_CONTAINER - {None} and _pod(row) in held:
            continue
        key: Any = place
        if "pod" in metric and metric.pop("container", None) is not None:
            key = tuple(sorted(metric.items()))
        if key not in added:
            added[key] = ({**row, "metric": metric}, dict(points))
            continue
        several = True
        whole = added[key][1]
        for at_s, value in points.items():
            whole[at_s] = whole.get(at_s, 0.0) + value
    if several:
        report.note(
            "Containers are added up to their pods. How large the machines are is not said: the "
            "values are read as shares of one."
        )
    return [row for row, _ in added.values()], [points for _, points in added.values()]


def _pod(row: dict[str, Any]) -> tuple[str, str]:
    metric = row.get("metric", {})
    return str(metric.get("namespace", "")), str(metric.get("pod", ""))


def _metric(row: dict[str, Any]) -> str:
    return str(row.get("metric", {}).get("__name__", ""))


def _points(values: list[Any], place: int, report: Report) -> Iterator[tuple[float, float]]:
    for point in values:
        try:
            value = number(str(point[1]))
            at_s = time_s(str(point[0]))
        except (ValueError, IndexError, TypeError):
            report.add(place, "A point of this series cannot be read.")
            continue
        if math.isfinite(value):
            yield at_s, value


def _machine(metric: dict[str, str], place: int) -> str:
    named = next((metric[label] for label in _LABELS if metric.get(label)), None)
    if named:
        return named
    rest = [f"{k}={v}" for k, v in sorted(metric.items()) if k not in {"__name__", "mode", "cpu"}]
    return ",".join(rest) or f"series {place}"


_STATISTICS = ("Average", "Maximum", "Minimum", "Sum")
# The metrics of a machine, by AWS and by its agent; a label may name the machine beside.
_CLOUDWATCH = re.compile(r"\b(CPUUtilization|MemoryUtilization|(cpu|mem)_[a-z_]+)\b")
_UNITS = frozenset({"Percent", "None", ""})


def cloudwatch(document: Any, name: str, report: Report) -> Iterator[Sample]:
    """GetMetricStatistics, or GetMetricData; the points come in any order.

    A label that names a metric says what it is; what else it says is the machine.

    Raises
    ------
    FileRefused
        When what is measured is no share of a machine.
    """
    results = document.get("MetricDataResults", [])
    labels = [str(row.get("Label") or row.get("Id") or name) for row in results]
    require_measure(labels)
    for row, label in zip(results, labels, strict=True):
        named = _CLOUDWATCH.search(label)
        measure = measure_of(named[0]) if named else measure_of(label)
        machine = " ".join(label.replace(named[0], " ").split()) or name if named else label
        if measure is None:
            report.add(0, f"{label} is no share of a machine; it is left out.")
            continue
        stamps, values = row.get("Timestamps", []), row.get("Values", [])
        for place, (when, value) in enumerate(zip(stamps, values, strict=False), start=1):
            try:
                yield sample_of(measure, machine, time_s(str(when)), float(value))
            except (ValueError, TypeError):
                report.add(place, f"The data point of {label} cannot be read.")
    points = document.get("Datapoints", [])
    title = str(document.get("Label") or "")
    units = sorted({str(point.get("Unit", "")) for point in points} - _UNITS)
    said = " in ".join(filter(None, (title, *units[:1])))
    require_measure([said] if said and points else [])
    measure = measure_of(title) or "cpu"
    used = next((one for one in _STATISTICS if any(one in point for point in points)), "Average")
    if used != "Average":
        report.note(f"The file has no average: {used} of each period is taken.")
    for place, point in enumerate(points, start=1):
        found: Any = next((point[s] for s in _STATISTICS if s in point), None)
        try:
            yield sample_of(measure, name, time_s(str(point["Timestamp"])), float(found))
        except (ValueError, KeyError, TypeError):
            report.add(place, "The data point cannot be read.")


FORMATS = (
    TraceFormat(
        name="prometheus",
        title="Prometheus",
        kind="utilization",
        content="samples",
        sentence="The answer of a range query, values as texts.",
        sample=b'{"status": "success", "data": {"resultType": "matrix", "result": [{"metric": '
        b'{"instance": "a:9100"}, "values": [[1700000000, "0.5"], [1700000060, "0.25"]]}]}}',
        sniff=lambda head: head.names_in_json("resultType"),
        read=by_document(prometheus, "Prometheus"),
    ),
    TraceFormat(
        name="cloudwatch_json",
        title="CloudWatch",
        kind="utilization",
        content="samples",
        sentence="The answer of GetMetricStatistics, or of GetMetricData.",
        sample=b'{"Label": "CPUUtilization", "Datapoints": [{"Timestamp": "2026-11-20T00:05:00Z", '
        b'"Average": 30.0}, {"Timestamp": "2026-11-20T00:00:00Z", "Average": 10.0}]}',
        sniff=lambda head: head.names_in_json("Datapoints", "MetricDataResults"),
        read=by_document(cloudwatch, "CloudWatch"),
    ),
)
