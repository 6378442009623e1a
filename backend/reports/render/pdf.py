"""From a report to PDF: figures by matplotlib, pages by typst, tagged for PDF/UA-1."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from reports.render.blocks import caption
from reports.render.cover import cover_data
from reports.render.part import Page
from reports.render.registry import parts
from reports.render.run_pages import RunInput, run_data
from reports.render.tokens import font_folder, tokens

if TYPE_CHECKING:
    from reports.render.contents import JSONDict, Paper, ReportInput
    from reports.render.part import Part

FOLDER = Path(__file__).parent
PAPERS = {"a4": "a4", "letter": "us-letter"}
# The width between the margins, in inches: charts are drawn at the size they are shown.
CONTENT_IN = {"a4": (210.0 - 34.0) / 25.4, "letter": 8.5 - 34.0 / 25.4}

# What a brief report says of what it leaves out.
WITHOUT = (
    "Inputs with their sources, those that flip nothing, costs year by year, storage, results of "
    "tools and checks of the models are in the report with appendix; all formulas in the workbook."
)

Progress = Callable[[float, str], None]


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
    page = Page(report, CONTENT_IN[paper])
    shown = cover_data(report, page.width_in)
    shown["blocks"] = _blocks(page)
    progress(0.6, "Setting the pages")
    return _typeset("report.typ", shown, paper, report.created_at)


def _blocks(page: Page) -> list[JSONDict]:
    """What who decides reads, then what those need who check it."""
    brief = [block for part in parts() if not part.appendix for block in _of(part, page)]
    if not page.report.with_appendix:
        return [*brief, caption(WITHOUT)]
    rest = [block for part in parts() if part.appendix for block in _of(part, page)]
    return [*brief, *rest]


def _of(part: Part, page: Page) -> Iterable[JSONDict]:
    return part.blocks(page) if part.blocks else ()


def render_run_pdf(run: RunInput, paper: Paper = "a4") -> bytes:
    """Return the report of one run of any model as a tagged PDF (PDF/UA-1).

    Raises
    ------
    typst.TypstError
        When the document does not conform; that is a bug of the template.
    """
    return _typeset("run.typ", run_data(run), paper, run.created_at)


def _typeset(template: str, shown: JSONDict, paper: Paper, created_at: datetime) -> bytes:
    import typst

    from reports.render.glyphs import settable

    files = {name: (FOLDER / name).read_bytes() for name in ("page.typ", template)}
    files["main.typ"] = files.pop(template)
    data = settable(_filed(shown, files))
    data |= {"fonts": _families(), "paper": PAPERS[paper], "theme": tokens()["themes"]["light"]}
    files["data.json"] = json.dumps(data, ensure_ascii=False).encode()
    pdf: bytes = typst.compile(
        cast("Any", files),  # the stub does not know of several files
        format="pdf",
        font_paths=_fonts(),
        pdf_standards=["ua-1"],
        timestamp=created_at.astimezone(UTC).replace(microsecond=0),
    )
    return pdf


def _filed(shown: Any, files: dict[str, bytes]) -> Any:
    """Put drawings into files of their own, and their names in their place."""
    if isinstance(shown, list):
        return [_filed(one, files) for one in shown]
    if not isinstance(shown, dict):
        return shown
    told = {key: _filed(one, files) for key, one in shown.items() if key != "svg"}
    if "svg" in shown:
        told["file"] = f"{len(files)}.svg"
        files[told["file"]] = shown["svg"]
    return told


@lru_cache(maxsize=1)
def _fonts() -> Any:
    import typst

    from reports.render.glyphs import font_folders

    return typst.Fonts(
        include_system_fonts=False, include_embedded_fonts=False, font_paths=font_folders()
    )


def _families() -> list[str]:
    return [*(["Inter"] if font_folder() else []), "DejaVu Sans"]
