"""Which die of a solid-state drive has the data of a read, and the link before all dies."""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field

from capmodels.spec import Params, assumed
from capmodels.units import DurationMs, Whole, of_unit

_PageBytes = Annotated[Whole, of_unit("B", ge=512, le=1 << 32, multiple_of=512)]
_LinkMs = Annotated[DurationMs, Field(le=1000)]


class Dies(Params):
    """Dies that have the data, each with a queue of its own, behind one link."""

    page_bytes: _PageBytes = assumed(
        16_384, "Data on one die before the next one follows.", title="Data of a die"
    )
    link_read_ms: _LinkMs = assumed(
        0.0,
        "A read keeps the drive's link for so long, and while its data pass at the rate of all "
        "channels.",
        title="Link, for a read",
    )
    link_write_ms: _LinkMs = assumed(0.0, "The same of a write.", title="Link, for a write")


def pages_of(size_bytes: float, dies: Dies) -> int:
    """Pages of a read that begins with one.

    >>> [pages_of(size, Dies()) for size in (4096, 16_384, 16_385)]
    [1, 1, 2]
    """
    return max(math.ceil(size_bytes / dies.page_bytes), 1)
