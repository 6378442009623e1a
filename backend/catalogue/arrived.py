"""Who is told that prices came into the catalogue: registered by the apps above."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_told: list[Callable[[str, int], None]] = []


def on_arrived(tell: Callable[[str, int], None]) -> None:
    """Have a function called with the source and how many entries, in their transaction."""
    _told.append(tell)


def arrived(source: str, entries_count: int) -> None:
    """Tell everybody that the entered workspace has other prices, unless nothing changed."""
    if entries_count:
        for tell in _told:
            tell(source, entries_count)
