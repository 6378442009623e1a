"""Who is told that the comparison of a study was recorded: registered by the apps above."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from uuid import UUID

_told: list[Callable[[UUID, UUID], None]] = []


def on_recorded(tell: Callable[[UUID, UUID], None]) -> None:
    """Have a function called with run and study, in the transaction that records the result."""
    _told.append(tell)


def recorded(run_id: UUID, study_id: UUID) -> None:
    """Tell everybody."""
    for tell in _told:
        tell(run_id, study_id)
