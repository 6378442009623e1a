"""What a part's pages are made of: headings, tables, charts and sentences, as data.

``page.typ`` sets each. A cell or sentence is a text, or a list of texts and of spans, which
are texts set in some way (`span`).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from reports.render.text import breakable, segments

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from capmodels.told import Figure
    from reports.render.contents import JSONDict, ReportInput

As = Literal[
    "strong", "muted", "small", "good", "bad", "warning", "raw", "super", "below", "chip", "swatch"
]
Words = str | Sequence[Any]
# Shares of the width, or a length in Typst's words.
Width = float | str
MANY_DESIGNS = 6


def span(text: str, as_: As) -> JSONDict:
    """Return a text that is set in some way; a chip is a design's letter, a swatch a colour."""
    return {"text": text, "as": as_}


def linked(text: str, url: str) -> JSONDict | str:
    """Return a text that leads to an address, where there is one."""
    return {"text": text, "as": "link", "url": url} if url else text


def strong(words: Words) -> list[Any]:
    """Return words in bold."""
    return [span(words, "strong")] if isinstance(words, str) else list(words)


def chip(letter: str) -> list[Any]:
    """Return a design's letter on its colour; nothing where there is none."""
    return [span(letter, "chip")] if letter else []


def sentence(text: str | None) -> list[Any]:
    """Return a sentence of an answer, its ``**bold**`` parts in bold."""
    return [
        span(str(part["text"]), "strong") if part["bold"] else part["text"]
        for part in segments(text)
    ]


def heading(words: Words, level: int = 2) -> JSONDict:
    """Return a heading; the first level begins a part."""
    return {"block": "heading", "level": level, "words": words}


def new_page() -> JSONDict:
    """Go on at the head of a page."""
    return {"block": "page"}


def caption(said: Words) -> JSONDict:
    """Return what is said of what follows, on the same page."""
    return {"block": "caption", "words": said}


def note(words: Words) -> JSONDict:
    """Return what is said of what stands above."""
    return {"block": "note", "words": words}


def words(said: Words) -> JSONDict:
    """Return a paragraph."""
    return {"block": "words", "words": said}


def listed(items: Iterable[Words]) -> JSONDict:
    """Return a list with bullets."""
    return {"block": "list", "items": list(items)}


def together(*blocks: JSONDict) -> JSONDict:
    """Keep blocks on one page."""
    return {"block": "together", "blocks": list(blocks)}


def references(rows: Sequence[JSONDict]) -> JSONDict:
    """Return numbered sources: number, title and address of each."""
    cells = [(f"[{one['number']}]", [linked(breakable(one["title"]), one["url"])]) for one in rows]
    return {"block": "references", "rows": cells}


def footnotes(rows: Sequence[JSONDict]) -> JSONDict:
    """Return what the small numbers of a table stand for."""
    return {"block": "footnotes", "rows": list(rows)}


def table(
    heads: Sequence[Words],
    rows: Iterable[Sequence[Words] | JSONDict],
    widths: Sequence[Width],
    *,
    left: Sequence[int] = (0,),
    size_pt: float = 7.5,
) -> JSONDict:
    """Return a table whose heads are repeated on each page. Columns are of numbers but for `left`.

    A row is its cells, or a `band` across all columns.
    """
    return {
        "block": "table",
        "heads": list(heads),
        "rows": [row if isinstance(row, dict) else _row(list(row)) for row in rows],
        "widths": list(widths),
        "aligns": ["left" if at in left else "right" for at in range(len(widths))],
        "size": f"{size_pt}pt",
    }


# A cell of more letters may be higher than a page, where it is narrow, and is broken.
_WHOLE_LETTERS = 300


def _row(cells: list[Words]) -> JSONDict:
    """A row stays on one page where none of its cells can be higher than that."""
    texts = (cell if isinstance(cell, str) else json.dumps(cell) for cell in cells)
    return {"cells": cells, "whole": all(len(text) <= _WHOLE_LETTERS for text in texts)}


def band(text: str) -> JSONDict:
    """Return a row of a table that says what the rows below it are of."""
    return {"band": text}


def design_table(
    report: ReportInput, first: str, rows: Iterable[Sequence[Words]], width: float
) -> JSONDict:
    """Return a table with a column for each design, below its letter."""
    letters = [chip(design["letter"]) for design in report.designs]
    size = 7.0 if len(letters) > MANY_DESIGNS else 8.0
    return table([first, *letters], rows, (width, *(1.0 for _ in letters)), size_pt=size)


def chart(figure: Figure, draw: Callable[[Figure], bytes], remark: str = "") -> JSONDict:
    """Draw a figure; its title stands above it, and below what there is to remark."""
    from reports.render.glyphs import drawable

    shown = drawable(figure)
    return svg(draw(shown), title=shown.title, alt=shown.summary, remark=remark)


def svg(drawn: bytes, *, title: str, alt: str, remark: str = "") -> JSONDict:
    """Return a drawing with its title, and what it shows in words."""
    return {
        "block": "figure",
        "svg": drawn,
        "title": breakable(title),
        "alt": alt,
        "remark": remark,
    }
