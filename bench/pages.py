"""What a planner waits for on screen, in a real browser: the first page, and a slider's charts."""

import json
import os
import subprocess
from collections.abc import Iterator
from typing import Any

from bench._lib import Row, at_least, at_most, median, private_stack
from ops import frontend, places
from ops.say import Failure

MOVES = 100
KILOBYTE = 1000.0


def rows() -> Iterator[Row]:
    """Measure on a stack of its own, with the browser of the end-to-end tests."""
    frontend.ensure_packages(places.E2E)
    with private_stack() as running:
        seen = measured(running.stack.url, running.stack.prepared["signin_code"])
    slider, first = seen["slider"], seen["first_page"]
    what = f"4 designs, {slider['charts_in_view']} charts in view, 10 moves a second"
    yield at_least("slider-shown", f"moves that were answered, of {MOVES}", "", slider["moves"], 99)
    yield at_most("slider-p50", what, "ms", slider["p50_ms"], 100)
    yield at_most("slider-p95", "the same", "ms", slider["p95_ms"], 100)
    paint = median([page["largest_paint_ms"] for page in first])
    yield at_most(
        "first-page", "largest paint, cold cache, localhost, median of 5", "ms", paint, 1000
    )
    script = max(page["script_bytes"] for page in first) / KILOBYTE
    yield at_most("first-page-script", "script as sent, before Plotly", "kB", script, 230)


def measured(url: str, *argv: str) -> Any:
    """Run the measurement in the browser, of one page if a path and a selector follow the code."""
    done = subprocess.run(
        ["node", "measure.mjs", *argv],
        cwd=places.E2E,
        env={**os.environ, "AMPACITY_URL": url, "MOVES": str(MOVES)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise Failure(f"the browser's measurement failed: {done.stderr[-600:]}")
    return json.loads(done.stdout)
