"""What a second host's worth of workers brings to a sweep, by processor time.

Chunks are done anywhere; cutting them, joining their rows and writing the table is done once. Of a
busy machine with two cores the wall clock says nothing: with n workers a sweep takes its part once,
and its chunks' over n (Amdahl 1967, doi:10.1145/1465482.1465560).
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench._lib import Row, at_least, at_most
from capmodels.plans.sweep.params import SweepParams
from capmodels.plans.sweep.runs import chunks_of, rows_of
from capmodels.plans.sweep.table import Rows
from capmodels.plans.sweep.words import headline
from capmodels.tests.plans.documents import document

if TYPE_CHECKING:
    from collections.abc import Iterator

ROWS = 100_000
NEEDED = 1.8


def rows() -> Iterator[Row]:
    """Do a Latin hypercube of *Rent or own* as entered, chunk by chunk."""
    axes: list[dict[str, Any]] = [
        {"kind": "range", "pointer": "/workload/busy_cores_count", "low": 400, "high": 1200},
        {"kind": "range", "pointer": "/assumptions/pue", "low": 1.1, "high": 1.7},
    ]
    asked: dict[str, Any] = {
        "model": "plans.compare", "document": document("rent-or-own"), "axes": axes,
        "sampling": "latin_hypercube", "sample_count": ROWS,
    }  # fmt: skip
    sweep = SweepParams.model_validate(asked)
    began_s = time.process_time()
    chunks = chunks_of(sweep)
    cut_s = time.process_time()
    pieces = [rows_of(chunk, lambda _fraction, _text: None) for chunk in chunks]
    done_s = time.process_time()
    table = Rows.of_pieces(pieces)
    with tempfile.TemporaryDirectory() as folder:
        table.write(Path(folder) / "rows.parquet")
    headline(sweep, table)
    once_s = time.process_time() - done_s + cut_s - began_s
    spread_s = done_s - cut_s
    what = f"{ROWS:,} rows of Rent or own as entered, {len(chunks)} chunks"
    yield at_most("sweep", what, "s", once_s + spread_s, 600.0)
    two = (once_s + spread_s) / (once_s + spread_s / 2)
    yield at_least("sweep, two workers against one", what, "times", two, NEEDED)
