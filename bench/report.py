"""A report of a study with six designs: from the request to the file in hand, over HTTP.

The first PDF of a worker pays for what is loaded and cached only then; both it and the later
ones must meet the target.
"""

import time
from collections.abc import Iterable
from typing import Any

from bench._lib import Row, Running, at_most, median, private_stack
from ops.once import find_study
from ops.say import Failure

API = "/api/v1"
STUDY = "rent-or-own"
DESIGNS = 6
REPEATS = 10
TARGET_S = 3.0
POLL_S = 0.02
LIMIT_S = 120.0


def rows() -> Iterable[Row]:
    """Measure the first PDF of a worker, later ones, and workbooks."""
    with private_stack() as running:
        study_id = _study(running)
        # A table shows that the worker is up; it draws nothing.
        _report_s(running, study_id, "csv")
        first_s = _report_s(running, study_id, "pdf")
        yield at_most("report.first", "first PDF of a worker, 6 designs", "s", first_s, TARGET_S)
        for file_format in ("pdf", "xlsx"):
            taken = [_report_s(running, study_id, file_format) for _ in range(REPEATS)]
            what = f"{file_format.upper()}, 6 designs, median of {REPEATS}"
            yield at_most(f"report.{file_format}", what, "s", median(taken), TARGET_S)


def _study(running: Running) -> str:
    """Bring the example study to six designs and return its id."""
    study = find_study(running.client, STUDY)
    designs: list[dict[str, Any]] = study["designs"]
    source = next(design for design in designs if design["kind"] == "owned_cluster")
    for _ in range(DESIGNS - len(designs)):
        running.client.post(f"{API}/designs/{source['id']}/copy", {})
    study_id: str = study["id"]
    return study_id


def _report_s(running: Running, study_id: str, file_format: str) -> float:
    """Ask for a report, wait for it, fetch its file; return how long that took. [s]"""
    started = time.perf_counter()
    asked = {"study": study_id, "format": file_format}
    report = running.client.post(f"{API}/reports", asked)
    while report["state"] not in {"succeeded", "failed", "cancelled"}:
        if time.perf_counter() - started > LIMIT_S:
            raise Failure(f"The report had not ended after {LIMIT_S:.0f} s")
        time.sleep(POLL_S)
        report = running.client.get(f"{API}/reports/{report['id']}")
    if report["state"] != "succeeded":
        raise Failure(f"The report {report['state']}: {report['error']}")
    running.client.expect("GET", f"{API}/reports/{report['id']}/file")
    return time.perf_counter() - started
