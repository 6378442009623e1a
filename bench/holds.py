"""Whether the service holds: 200 people's traffic, a hostile workspace, parts killed and restarted.

Each part has a stack of its own. HOLDS names the parts wanted (all by default), HOLDS_S for how
long people are at work (300), HOLDS_PEOPLE how many (200): less than that says only that it runs.
HOLDS_PER_WORKSPACE is how many of them share a workspace (5).
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bench import _hostile, _kills, _traffic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench._lib import Row

PARTS = {
    "traffic": _traffic.rows,
    "hostile": _hostile.rows,
    "kills": _kills.rows,
}


def rows() -> Iterator[Row]:
    """Measure the parts in turn."""
    for part in os.environ.get("HOLDS", ",".join(PARTS)).split(","):
        yield from PARTS[part]()
