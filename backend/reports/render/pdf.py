"""From a report to PDF: figures by matplotlib, pages by typst, tagged for PDF/UA-1."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from reports.render.contents import JSONDict, Paper, ReportInput
from reports.render.figures import capacity, certainty, costs, cumulative, footprint
from reports.render.figures.pair import default_pair
from reports.render.pages import page_data
from reports.render.run_pages import RunInput, run_data
from reports.render.text import breakable
from reports.render.tokens import font_folder, tokens

TEMPLATE = Path(__file__).with_name("report.typ")
RUN_TEMPLATE = Path(__file__).with_name("run.typ")
# The width between the margins, in inches: charts are drawn at the size they are shown.
CONTENT_IN = {"a4": (210.0 - 34.0) / 25.4, "letter": 8.5 - 34.0 / 25.4}

Progress = Callable[[float, str], None]
Figures = dict[str, tuple[bytes, JSONDict]]


def render_pdf(
    report: ReportInput, paper: Paper = "a4", progress: Progress = lambda _fraction, _words: None
) -> bytes:
    """Return the report as a tagged PDF (PDF/UA-1).

    Raises
    ------
    typst.TypstError
        When the document does not conform; that is a bug of the template.
    """
    progress(0.1, "Drawing the charts")
    figures = _figures(report, CONTENT_IN[paper])
    progress(0.6, "Setting the pages")
    return _typeset(report, paper, figures)


def _figures(report: ReportInput, width_in: float) -> Figures:
    from reports.render.draw import bars, lines, steps
    from reports.render.glyphs import drawable

    money = report.currency
    totals = drawable(costs.totals(report))
    curves = drawable(cumulative.cumulative_cost(report))
    causes = drawable(costs.cost_by_cause(report))
    energy, carbon = drawable(footprint.energy(report)), drawable(footprint.carbon(report))
    spare = drawable(capacity.capacity(report))
    figures: Figures = {
        "totals": (
            bars.draw_bars(totals, money, width_in, row_in=0.4),
            _said(totals, _totals_note(report)),
        ),
        "cumulative": (lines.draw_lines(curves, money, width_in, 3.1), _said(curves)),
        "causes": (bars.draw_bars(causes, money, width_in, row_in=0.3), _said(causes)),
        "footprint": (
            bars.draw_pair(energy, carbon, money, width_in),
            {
                "title": f"{energy.title}. {carbon.title}",
                "alt": f"{energy.summary} {carbon.summary}",
                "note": "Lines: from the lowest to the highest estimate.",
            },
        ),
    }
    if spare.categories:
        figures["binding"] = (bars.draw_columns(spare, money, width_in, 2.1), _said(spare))
    bridge = drawable(costs.waterfall(report, *default_pair(report)))
    if bridge is not None:
        figures["waterfall"] = (steps.draw_waterfall(bridge, money, width_in), _said(bridge))
    if (swings := drawable(certainty.tornado(report))) is not None:
        figures["tornado"] = (steps.draw_tornado(swings, money, width_in), _said(swings))
    if (wins := drawable(certainty.odds(report))) is not None:
        figures["odds"] = (bars.draw_bars(wins, money, width_in, row_in=0.22), _said(wins))
    return figures


def _said(figure: Any, note: str = "") -> JSONDict:
    return {"title": breakable(figure.title), "alt": figure.summary, "note": note}


def _totals_note(report: ReportInput) -> str:
    if any(design["p10_usd"] is not None for design in report.designs):
        return "Lines, and figures in brackets: P10 to P90, the range of eight simulations in ten."
    return ""


def render_run_pdf(run: RunInput, paper: Paper = "a4") -> bytes:
    """Return the report of one run of any model as a tagged PDF (PDF/UA-1).

    Raises
    ------
    typst.TypstError
        When the document does not conform; that is a bug of the template.
    """
    data = run_data(run, paper, tokens()["themes"]["light"])
    return _compiled(RUN_TEMPLATE, data, {}, run.created_at)


def _typeset(report: ReportInput, paper: Paper, figures: Figures) -> bytes:
    shown = {name: {**said, "file": f"{name}.svg"} for name, (_, said) in figures.items()}
    files: dict[str, bytes] = {f"{name}.svg": svg for name, (svg, _) in figures.items()}
    return _compiled(TEMPLATE, page_data(report, paper, shown), files, report.created_at)


def _compiled(
    template: Path, shown: JSONDict, files: dict[str, bytes], created_at: datetime
) -> bytes:
    import typst

    from reports.render.glyphs import settable

    data = settable(shown)
    data["fonts"] = _families()
    files["main.typ"] = template.read_bytes()
    files["data.json"] = json.dumps(data, ensure_ascii=False).encode()
    pdf: bytes = typst.compile(
        cast("Any", files),  # the stub does not know of several files
        format="pdf",
        font_paths=_fonts(),
        pdf_standards=["ua-1"],
        timestamp=created_at.astimezone(UTC).replace(microsecond=0),
    )
    return pdf


@lru_cache(maxsize=1)
def _fonts() -> Any:
    import typst

    from reports.render.glyphs import font_folders

    return typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=font_folders()
    )


def _families() -> list[str]:
    return [*(["Inter"] if font_folder() else []), "DejaVu Sans"]
