"""What files hold, gathered: requests, samples of machines, rows of fio, days of a fleet."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Protocol

from capmodels.formats import fio_json
from capmodels.formats.backblaze_csv import Fleet
from capmodels.formats.block_figures import block_charts, block_summary
from capmodels.formats.block_sums import BlockSums
from capmodels.formats.chunks import FileRefused, filled, in_order
from capmodels.formats.fleet_summary import fleet_charts, fleet_summary
from capmodels.formats.inference_told import inference_charts, inference_summary
from capmodels.formats.trace_columns import Packer, pack_prompts, pack_utilization
from capmodels.formats.trace_types import InferenceTrace
from capmodels.formats.utilization_grid import SERIES, Grid
from capmodels.formats.utilization_summary import utilization_charts, utilization_summary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from capmodels.formats.chunks import Report, Requests
    from capmodels.formats.llm_requests import Prompt
    from capmodels.formats.samples import Sample
    from capmodels.formats.trace_format import Content, TraceFormat

    Keep = Callable[[bytes], None]


PROMPTS_MOST = 2_000_000


@dataclass(frozen=True, slots=True)
class Gathered:
    """What there was, in figures and in series to draw."""

    rows_count: int
    sha256: str
    summary: dict[str, Any]
    charts: dict[str, Any]


class Contents(Protocol):
    """Takes what files hold, one after the other, and says what it comes to."""

    def __init__(self, form: TraceFormat | None, keep: Keep, report: Report) -> None:
        """Hand packed columns to ``keep``, faults to the report."""

    def add(self, found: Iterable[Any]) -> None:
        """Take what a file holds."""

    def gathered(self) -> Gathered:
        """Say what it comes to.

        Raises
        ------
        FileRefused
            When nothing could be read.
        """


class _Blocks:
    """Requests, in order of time, packed as they come."""

    def __init__(self, form: TraceFormat | None, keep: Keep, report: Report) -> None:
        # A log of fio times requests without saying where they go.
        self._placed = form is not None and form.kind == "block"
        self._keep, self._report = keep, report
        self._sums, self._packer, self._sized = BlockSums(), Packer(), False

    def add(self, found: Iterable[Requests]) -> None:
        for piece in in_order(filled(found)):
            self._sized = self._sized or bool(piece.size_bytes.any())
            self._sums.add(piece)
            for packed in self._packer.add(piece):
                self._keep(packed)

    def gathered(self) -> Gathered:
        for packed in self._packer.flush():
            self._keep(packed)
        rows_count = _some(self._packer.rows_count, self._report)
        told = {"placed": self._placed, "sized": self._sized}
        return Gathered(
            rows_count,
            self._packer.sha256,
            block_summary(self._sums, **told),
            block_charts(self._sums, **told),
        )


class Samples:
    """Utilization of machines, on one grid of times."""

    def __init__(self, form: TraceFormat | None, keep: Keep, report: Report) -> None:
        """Start with no machine."""
        self._keep, self._report, self._grid = keep, report, Grid()

    def add(self, found: Iterable[Sample]) -> None:
        """Add the samples of a file."""
        self._grid.add_all(found)

    def gathered(self) -> Gathered:
        """Pack the grid and say what it comes to."""
        grid, sha256 = self._grid, hashlib.sha256()
        rows_count = _some(grid.samples_count, self._report)
        if all(grid.known(name) is None for name in SERIES):
            raise FileRefused("No sample in this file has a value.")
        for packed in pack_utilization(grid.trace(), sha256):
            self._keep(packed)
        return Gathered(
            rows_count, sha256.hexdigest(), utilization_summary(grid), utilization_charts(grid)
        )


class _Points:
    """Measured points of a device, for calibration."""

    def __init__(self, form: TraceFormat | None, keep: Keep, report: Report) -> None:
        self._rows: list[fio_json.FioRow] = []

    def add(self, found: Iterable[fio_json.FioRow]) -> None:
        self._rows += found

    def gathered(self) -> Gathered:
        rows = self._rows
        if not rows:
            raise FileRefused("No job in this fio file has done anything.")
        points = [asdict(row) for row in rows]
        for point in points:
            found = point.pop("percentiles_ms")
            point["p99_ms"] = next((v for k, v in found.items() if abs(k - 99.0) < 1e-6), None)
        best = max(rows, key=lambda row: row.iops_per_s)
        fits, unused = fio_json.calibrations(rows)
        charts = {"points": points, "calibrations": fits, "unused": unused}
        summary = {
            "points_count": len(rows),
            "iops_peak_per_s": best.iops_per_s,
            "latency_mean_ms": best.latency_mean_ms,
        }
        return Gathered(len(rows), _hash(charts), summary, charts)


class _Drives:
    """Failure rates of a fleet, and how long its drives last."""

    def __init__(self, form: TraceFormat | None, keep: Keep, report: Report) -> None:
        self._fleet, self._report = Fleet(), report

    def add(self, found: Iterable[bytes]) -> None:
        self._fleet.read(found)

    def gathered(self) -> Gathered:
        fleet = self._fleet
        self._report.add_all(fleet.faults, fleet.faults_count)
        rows_count = _some(fleet.rows_count, self._report)
        charts = fleet_charts(fleet)
        return Gathered(rows_count, _hash(charts), fleet_summary(fleet), charts)


class _Prompts:
    """Requests to language models, put in order of arrival."""

    def __init__(self, form: TraceFormat | None, keep: Keep, report: Report) -> None:
        self._keep, self._report = keep, report
        self._found: list[Prompt] = []

    def add(self, found: Iterable[Prompt]) -> None:
        self._found += found
        if len(self._found) > PROMPTS_MOST:
            message = (
                f"This log has more than {PROMPTS_MOST:,} requests. Cut it into shorter spans."
            )
            raise FileRefused(message)

    def gathered(self) -> Gathered:
        import numpy as np

        count, sha256 = _some(len(self._found), self._report), hashlib.sha256()
        rows = np.array(sorted(self._found), dtype=np.float64)
        first = float(rows[0, 0])
        prompt, output, seen = (rows[:, place].astype(np.int32) for place in (1, 2, 3))
        trace = InferenceTrace(rows[:, 0] - first, prompt, output, seen, first)
        for packed in pack_prompts(trace, sha256):
            self._keep(packed)
        return Gathered(
            count, sha256.hexdigest(), inference_summary(trace), inference_charts(trace)
        )


CONTENTS: dict[Content, type[Contents]] = {
    "requests": _Blocks,
    "samples": Samples,
    "points": _Points,
    "drives": _Drives,
    "prompts": _Prompts,
}


def _hash(charts: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(charts, sort_keys=True).encode()).hexdigest()


def _some(rows_count: int, report: Report) -> int:
    """Rows, if there are any.

    Raises
    ------
    FileRefused
        When there is none.
    """
    if rows_count:
        return rows_count
    message = "Nothing in this file could be read."
    if report.faults:
        first = report.faults[0]
        message += f" Line {first.line}: {first.message}" if first.line else f" {first.message}"
    raise FileRefused(message)
