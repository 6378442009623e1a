"""A job that a process holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from uuid import UUID


@dataclass(frozen=True, slots=True)
class ClaimedJob:
    """A job that this process holds, for as long as its attempt is the present one."""

    id: UUID
    workspace_id: UUID
    kind: str
    attempt: int
    limit_s: int
    payload: dict[str, Any]
    inputs: Any = None
