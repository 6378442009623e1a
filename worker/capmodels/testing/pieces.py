"""Chunks that take a while and say who did them, for the tests of those who share chunks."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from capmodels.chunks import Report

_STEP_S = 0.01


def piece(chunk: dict[str, Any], report: Report) -> bytes:
    """Take so many ``seconds``, of the processor where ``busy``; break where ``bug``."""
    until_s = time.monotonic() + chunk.get("seconds", 0)
    if chunk.get("bug"):
        raise ZeroDivisionError
    while time.monotonic() < until_s:
        if chunk.get("busy"):
            sum(range(10_000))
        else:
            time.sleep(_STEP_S)
        report(0.5, "Working")
    return json.dumps([chunk["place"], os.getpid()]).encode()
