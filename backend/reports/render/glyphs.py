"""Which characters the typefaces have. Heavy: matplotlib reads the fonts."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.ft2font import FT2Font

from reports.render.tokens import font_folder, tokens

if TYPE_CHECKING:
    from reports.render.contents import ReportInput

# What stands for a character that no typeface here has. PDF/UA allows no missing glyph.
STAND_IN = "□"
FALLBACK = "DejaVuSans.ttf"


def font_folders() -> list[Path]:
    """Return the folders with the typefaces: the screen's where there is one, matplotlib's."""
    own = font_folder()
    return [*([own] if own else []), Path(mpl.get_data_path()) / "fonts" / "ttf"]


@lru_cache(maxsize=1)
def covered() -> frozenset[int]:
    """Return the code points that the text typeface or its fallback has."""
    names = (tokens()["font"]["files"]["400"], FALLBACK)
    files = [folder / name for folder in font_folders() for name in names]
    return frozenset(
        code for file in files if file.is_file() for code in FT2Font(str(file)).get_charmap()
    )


def settable(report: ReportInput) -> ReportInput:
    """Return the report with a box in place of each character that cannot be set."""
    return replace(
        report,
        title=_text(report.title),
        question=_text(report.question),
        comparison=_value(report.comparison),
        document=_value(report.document),
        provenance=_value(report.provenance),
        checks=_value(list(report.checks)),
    )


def _value(value: Any) -> Any:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        return {key: _value(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_value(inner) for inner in value]
    return value


def _text(text: str) -> str:
    if text.isascii():
        return text
    known = covered()
    return "".join(c if ord(c) in known or c in "\n\t" else STAND_IN for c in text)
