"""Which characters the typefaces have. Heavy: matplotlib reads the fonts."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import matplotlib as mpl
from matplotlib.ft2font import FT2Font
from pydantic import BaseModel

from reports.render.text import printable
from reports.render.tokens import font_folder, tokens

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

# What stands for a character that no typeface here has. PDF/UA allows no missing glyph.
STAND_IN = "□"
# Line breaks, spaces that do not break, and the places where long words may.
KEPT = "\n\t\u00a0\u202f\u200b"
# Joiners, marks of direction, selectors of variants.
STEERING = frozenset({"Cf", "Mn"})
BREAKS = re.compile(r"[\t\r\n]+")
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


def settable(value: T) -> T:
    """Return texts, or whatever holds them, with a box for each character that cannot be set.

    Keys of dictionaries stay as they are, so that no two of them become one. Spaces of other
    kinds become spaces; marks that only steer the setting of other text go.
    """
    return cast("T", _with_texts(value, _text))


def drawable(value: T) -> T:
    """Return a figure with texts that can be set on one line: no typeface has tabs and breaks."""
    return cast("T", _with_texts(value, _line))


def _with_texts(value: Any, told: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return told(value)
    if isinstance(value, dict):
        return {key: _with_texts(inner, told) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_with_texts(inner, told) for inner in value)
    if isinstance(value, BaseModel):
        names = type(value).model_fields
        return value.model_copy(
            update={name: _with_texts(getattr(value, name), told) for name in names}
        )
    return value


def _line(text: str) -> str:
    return _text(BREAKS.sub(" ", text))


def _text(text: str) -> str:
    text = printable(text)
    if text.isascii():
        return text
    return "".join(map(_character, unicodedata.normalize("NFC", text)))


def _character(c: str) -> str:
    if c.isspace() and c not in KEPT:
        return " "
    if ord(c) in covered() or c in KEPT:
        return c
    return "" if unicodedata.category(c) in STEERING else STAND_IN
