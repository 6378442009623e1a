"""The design tokens that the screen uses too: colours, dashes, causes, number rules."""

from __future__ import annotations

import json
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from capmodels.plans.causes import CAUSES, place_of

Tokens = dict[str, Any]

ROOT = Path(__file__).resolve().parents[3]
LIGHT_INK, DARK_INK = "#FFFFFF", "#11161C"
TOKENS_FILE = ROOT / "frontend" / "src" / "tokens.json"


@lru_cache(maxsize=1)
def tokens() -> Tokens:
    """Return the tokens of the front end, read once."""
    loaded: Tokens = json.loads(TOKENS_FILE.read_text(encoding="utf-8"))
    return loaded


def theme_color(name: str) -> str:
    """Return a colour of the light theme, such as ``text`` or ``border``."""
    color: str = tokens()["themes"]["light"][name]
    return color


def design_look(letter: str) -> Tokens:
    """Return colour, dash and marker of a design; letters past the list start over."""
    designs: list[Tokens] = tokens()["designs"]
    for design in designs:
        if design["letter"] == letter:
            return design
    return designs[0]


def design_color(letter: str) -> str:
    """Return the colour that a design keeps everywhere."""
    color: str = design_look(letter)["light"]
    return color


def cause_color(side: str, cause: str) -> str:
    """Return the tint of a cause, blue-grey where owned and amber where rented."""
    place = place_of(side, cause)
    return CAUSES[place].light if place < len(CAUSES) else theme_color("neutral")


def tint_color(place: int) -> str:
    """Return one of the tints of parts that are no causes of cost, from dark to light."""
    causes: list[str] = tokens()["tints"]
    return cause_color("owned", causes[place % len(causes)])


def cause_label(side: str, cause: str) -> str:
    """Return the name of a cause as the screen writes it."""
    place = place_of(side, cause)
    if place < len(CAUSES):
        return CAUSES[place].label
    return cause[:1].upper() + cause[1:].replace("_", " ")


def ink_on(color: str) -> str:
    """Return the text colour, white or dark, that reads better on a colour.

    WCAG 2.2 relative luminance; of the two inks the one with the larger contrast.

    >>> ink_on("#332288"), ink_on("#E69F00")
    ('#FFFFFF', '#11161C')
    """
    here = _luminance(color)
    with_light = (_luminance(LIGHT_INK) + 0.05) / (here + 0.05)
    with_dark = (here + 0.05) / (_luminance(DARK_INK) + 0.05)
    return LIGHT_INK if with_light >= with_dark else DARK_INK


def _luminance(color: str) -> float:
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def font_folder() -> Path | None:
    """Return the folder with the typeface of the screen, where this installation has it.

    The repository keeps the files; a production image may only hold the built front end.
    """
    name = tokens()["font"]["files"]["400"]
    folders = [ROOT / tokens()["font"]["folder"]]
    if built := os.environ.get("FRONTEND_DIST"):
        folders.append(Path(built) / "fonts")
    return next((folder for folder in folders if (folder / name).is_file()), None)
