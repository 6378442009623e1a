"""Which runs no retention may remove: registered by the apps above, never imported here."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from uuid import UUID

_keepers: list[Callable[[], Iterable[UUID]]] = []


def keep(ids: Callable[[], Iterable[UUID]]) -> None:
    """Have the runs of these ids, of the entered workspace, kept."""
    _keepers.append(ids)


def kept_run_ids() -> set[UUID]:
    """Return the ids of the entered workspace's runs that are kept."""
    return {run_id for ids in _keepers for run_id in ids()}
