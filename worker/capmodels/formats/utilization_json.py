"""Utilization as JSON: Prometheus range queries, CloudWatch statistics."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from capmodels.formats.reading import by_document
from capmodels.formats.samples import Sample, fraction, number, time_s
from capmodels.formats.trace_format import TraceFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.formats.chunks import Report

_LABELS = ("instance", "pod", "node", "nodename", "host", "hostname", "vm", "name", "job")


def prometheus(document: Any, _name: str, report: Report) -> Iterator[Sample]:
    """A range query's answer. Values are texts; NaN and infinities are gaps.

    A metric named after memory or power is taken as such, any other as CPU use; a metric
    whose values nowhere exceed 1.5, on any machine, is in fractions, others in percent.
    """
    rows = document.get("data", {}).get("result", [])
    series = [
        list(_points(row.get("values", []), at, report)) for at, row in enumerate(rows, start=1)
    ]
    most: dict[str, float] = {}
    for row, points in zip(rows, series, strict=True):
        highest = max((value for _, value in points), default=0.0)
        most[_metric(row)] = max(most.get(_metric(row), 0.0), highest)
    for place, (row, points) in enumerate(zip(rows, series, strict=True), start=1):
        what = _metric(row)
        scale = 100.0 if most[what] <= 1.5 else 1.0
        for at_s, value in points:
            try:
                machine = _machine(row.get("metric", {}), place)
                yield _sample(machine, at_s, value, (what, scale))
            except ValueError as exc:
                report.add(place, str(exc))


def _metric(row: dict[str, Any]) -> str:
    return str(row.get("metric", {}).get("__name__", "")).lower()


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
    rest = [f"{k}={v}" for k, v in sorted(metric.items()) if k != "__name__"]
    return ",".join(rest) or f"series {place}"


def _sample(name: str, at_s: float, value: float, kind: tuple[str, float]) -> Sample:
    what, scale = kind
    if "watt" in what or "power" in what:
        return Sample(name, at_s, watts=value)
    if "mem" in what:
        return Sample(name, at_s, memory_fraction=fraction(value * scale))
    return Sample(name, at_s, fraction(value * scale))


_STATISTICS = ("Average", "Maximum", "Minimum", "Sum")


def cloudwatch(document: Any, name: str, report: Report) -> Iterator[Sample]:
    """GetMetricStatistics, or GetMetricData; the points come in any order."""
    for row in document.get("MetricDataResults", []):
        label = str(row.get("Label") or row.get("Id") or name)
        stamps, values = row.get("Timestamps", []), row.get("Values", [])
        for place, (when, value) in enumerate(zip(stamps, values, strict=False), start=1):
            try:
                yield Sample(label, time_s(str(when)), fraction(float(value)))
            except (ValueError, TypeError):
                report.add(place, f"The data point of {label} cannot be read.")
    for place, point in enumerate(document.get("Datapoints", []), start=1):
        found: Any = next((point[s] for s in _STATISTICS if s in point), None)
        try:
            yield Sample(name, time_s(str(point["Timestamp"])), fraction(float(found)))
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
