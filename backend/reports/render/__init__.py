"""The document that a planner hands on: from a study's typed results to PDF, XLSX and CSV.

Nothing here touches the database. matplotlib, typst and openpyxl are imported
inside the functions that need them, so that the web process never loads them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from reports.render.contents import ReportInput
    from reports.render.run_pages import RunInput


def render(
    report: ReportInput,
    file_format: str,
    paper: str = "a4",
    progress: Callable[[float, str], None] = lambda _fraction, _words: None,
) -> bytes:
    """Return a report as a file: ``pdf`` on ``a4`` or ``letter`` paper, ``xlsx`` or ``csv``."""
    if file_format == "pdf":
        from reports.render.pdf import render_pdf

        return render_pdf(report, "letter" if paper == "letter" else "a4", progress)
    if file_format == "xlsx":
        from reports.render.xlsx import render_workbook

        return render_workbook(report)
    from reports.render.table_csv import render_csv

    return render_csv(report)


def render_run(run: RunInput, paper: str = "a4") -> bytes:
    """Return one run of a model as a PDF."""
    from reports.render.pdf import render_run_pdf

    return render_run_pdf(run, "letter" if paper == "letter" else "a4")


_HEAVY = ("typst", "openpyxl", "reports.render.pdf", "reports.render.xlsx")
_DRAWING = ("bars", "lines", "steps")


def warm() -> None:
    """Load matplotlib, typst and openpyxl, which take a second, before the first report.

    typst compiles nothing here: its threads would not survive the worker's fork.
    """
    for name in (*_HEAVY, *(f"reports.render.draw.{part}" for part in _DRAWING)):
        import_module(name)
    from reports.render import glyphs
    from reports.render.draw import canvas

    canvas.prepare()
    canvas.to_svg(canvas.new_canvas(1.0, 1.0))
    glyphs.covered()
