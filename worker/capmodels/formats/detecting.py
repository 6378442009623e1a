"""Which format a file has, from its first bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from capmodels.formats.block_traces import detect


@dataclass(frozen=True, slots=True)
class Detected:
    """A format, and what its files hold."""

    kind: Literal["block", "utilization", "latency"]
    format: str


def detect_file(head: bytes, name: str = "") -> Detected:
    """Return the format of a file from its first bytes, unpacked.

    Raises
    ------
    FileRefused
        When it is none that we know.
    """
    return Detected("block", detect(head))
