"""What rooms above this one put into a report of a study, under the name of its part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from studies.models import Study

    Told = Callable[[Study], dict[str, Any] | None]

_told: dict[str, Told] = {}


def add(name: str, told: Told) -> None:
    """Have reports of a study say what a room knows of it, where it knows something."""
    _told[name] = told


def added(study: Study) -> dict[str, dict[str, Any]]:
    """Return what is known of a study, inside its workspace."""
    found = {name: told(study) for name, told in _told.items()}
    return {name: one for name, one in found.items() if one is not None}
