"""Kinds of entries that have addresses of their own."""

from __future__ import annotations

from common.errors import Forbidden

PACK = "assumption_pack"


def require_open(kind: str) -> None:
    """Raise Forbidden for a kind that is changed elsewhere, by others."""
    if kind == PACK:
        raise Forbidden("Owners change packs of assumptions, in Settings or at /packs.")
