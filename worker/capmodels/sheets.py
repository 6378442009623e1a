"""Texts as cells of spreadsheets, which would take some for formulas."""

from __future__ import annotations

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def cell_text(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula.

    >>> cell_text("=1+1"), cell_text("Node")
    ("'=1+1", 'Node')
    """
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
