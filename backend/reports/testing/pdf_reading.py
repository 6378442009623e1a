"""Reads a PDF the way a viewer does: text, boxes of the characters, tags."""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pypdfium2 as pdfium
from pypdf import PdfReader

if TYPE_CHECKING:
    from collections.abc import Iterator


# Half of the page's own margin, in points.
MARGIN = 24.0


@dataclass(frozen=True)
class Page:
    """A page's size, and the box of each visible character. [points]"""

    width: float
    height: float
    boxes: tuple[tuple[str, float, float, float, float], ...]


def page_texts(pdf: bytes) -> list[str]:
    """Return the text of each page, white space folded, invisible break points removed."""
    with pdfium.PdfDocument(pdf) as document:
        pages = [page.get_textpage().get_text_bounded() for page in document]
    return [" ".join(t.replace("\u200b", "").replace("\ufffe", "").split()) for t in pages]


def text_of(pdf: bytes) -> str:
    """Return all text."""
    return " ".join(page_texts(pdf))


def pages_of(pdf: bytes) -> list[Page]:
    with pdfium.PdfDocument(pdf) as document:
        return [_page(page) for page in document]


def _page(page: Any) -> Page:
    words = page.get_textpage()
    boxes = []
    for i in range(words.count_chars()):
        letter = chr(pdfium.raw.FPDFText_GetUnicode(words, i))
        if letter.strip():
            boxes.append((letter, *words.get_charbox(i)))
    return Page(page.get_width(), page.get_height(), tuple(boxes))


def outside_margins(pdf: bytes) -> Iterator[str]:
    """Say which visible characters stand nearer to the edge of a page than they may."""
    for number, page in enumerate(pages_of(pdf), start=1):
        for letter, left, bottom, right, top in page.boxes:
            across = left >= MARGIN and right <= page.width - MARGIN
            if not (across and bottom >= MARGIN and top <= page.height - MARGIN):
                yield f"{letter!r} on page {number} stands at {left:.0f}, {bottom:.0f} pt."


def reader(pdf: bytes) -> PdfReader:
    return PdfReader(io.BytesIO(pdf))


def tags_of(pdf: bytes) -> Iterator[dict[str, Any]]:
    """Yield every element of the structure tree."""
    root: Any = reader(pdf).trailer["/Root"]
    waiting = [root["/StructTreeRoot"]]
    while waiting:
        node = waiting.pop().get_object()
        if not isinstance(node, dict):
            continue
        if "/S" in node:
            yield node
        kids = node.get("/K", [])
        kids = kids.get_object() if hasattr(kids, "get_object") else kids
        waiting += [
            k for k in (kids if isinstance(kids, list) else [kids]) if hasattr(k, "get_object")
        ]


def tag_counts(pdf: bytes) -> Counter[str]:
    return Counter(str(tag["/S"]) for tag in tags_of(pdf))
