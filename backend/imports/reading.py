"""What a worker finds in a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from capmodels.spec import JSONDict


@dataclass(frozen=True, slots=True)
class ImportRead:
    """What was found in the file."""

    format: str
    version: str
    makes: str
    preview: JSONDict
    read_key: str
