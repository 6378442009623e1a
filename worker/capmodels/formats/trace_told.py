"""What a trace tells, from the figures and series that were kept when its file was read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.formats import block_told, device_told, inference_told, utilization_told
from capmodels.told import Told

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Kept = Mapping[str, Any]

# Where a summary keeps the sentences of how the file's numbers were read.
HOW_READ = "how_read"

_HEADLINES: dict[str, Callable[[Kept], str]] = {
    "block": block_told.block_headline,
    "utilization": utilization_told.utilization_headline,
    "latency": device_told.points_headline,
    "fleet": device_told.fleet_headline,
    "inference": inference_told.inference_headline,
}


class _Figures(dict[str, Any]):
    """Figures of a summary; what one of an earlier version lacks is 0."""

    def __missing__(self, name: str) -> float:
        return 0.0


def headline(kind: str, summary: Kept) -> str:
    """One sentence for lists."""
    # A log of fio is of latencies, and times requests.
    return _HEADLINES["block" if "requests_count" in summary else kind](_Figures(summary))


def trace_told(kind: str, summary: Kept, charts: Kept) -> Told:
    """What is told of a trace: its sentences, tables and figures."""
    notes, figures, tables = _parts(_Figures(summary), charts)
    return Told(
        headline=headline(kind, summary),
        notes=(*notes, *summary.get(HOW_READ, ())),
        tables=tuple(tables),
        figures=tuple(figures),
    )


def _parts(summary: Kept, charts: Kept) -> tuple[Any, Any, Any]:
    if "fleet" in charts:
        notes = device_told.fleet_notes(summary, charts["lifetimes"])
        return notes, device_told.fleet_figures(charts), (device_told.fleet_table(charts["fleet"]),)
    if points := charts.get("points"):
        notes = device_told.points_notes(charts)
        return notes, device_told.points_figures(points), (device_told.points_table(points),)
    if "prompts" in charts:
        notes = inference_told.inference_notes(summary)
        return notes, inference_told.inference_figures(charts), ()
    if "rate" in charts:
        return block_told.block_notes(summary), block_told.block_figures(charts), ()
    notes = utilization_told.utilization_notes(summary)
    return notes, utilization_told.utilization_figures(charts), ()
