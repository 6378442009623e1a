"""How a drive treats requests, as a calibration finds it: overheads by kind, rules of its cache."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field, field_validator

from capmodels.spec import Params, assumed, blank, preset, refusal
from capmodels.units import DurationMs, Fraction, Real, of_unit

SIGNED_MS_MAX = 10_000.0
SignedMs = Annotated[Real, of_unit("ms", ge=-SIGNED_MS_MAX, le=SIGNED_MS_MAX)]
# In the order of ``spindle_slots``.
Request = Literal[
    "hit_in_stream",
    "hit_after_read",
    "hit_after_write",
    "read_stream",
    "miss_after_read",
    "miss_after_write",
    "miss_near",
    "write_sequential",
    "write_near_write",
    "write_near_read",
    "write_after_write",
    "write_after_read",
]
REQUESTS: tuple[Request, ...] = get_args(Request)
WrittenEnds = Literal["overlap", "nothing", "oldest"]
ENDS: tuple[WrittenEnds, ...] = ("overlap", "nothing", "oldest")


class RequestCost(Params):
    """What a kind of request costs beside seek, turn and transfer; below 0 it saves."""

    request: Request
    overhead_ms: SignedMs
    per_sector_ms: SignedMs = assumed(0.0, "For each sector of 512 bytes.")


class MeasuredRules(Params):
    """Overheads by kind of request, and what the drive's own cache does."""

    costs: Annotated[tuple[RequestCost, ...], Field(max_length=12)] = preset(
        (), "Kinds that are not listed take the drive's overhead."
    )
    ahead_to_track_end: bool = preset(False, "It reads ahead no further than the track.")
    hits_read_ahead: bool = preset(False, "A hit makes it read on.")
    keeps_passing_sectors: bool = preset(False, "What passes while the head waits is kept.")
    drops_delivered: bool = preset(False, "What a run of reads has delivered is not kept.")
    ahead_in_runs: bool = preset(False, "It reads ahead only after reads that follow on another.")
    written_ends: WrittenEnds = preset("overlap", "What a write makes the drive forget.")
    stream_hold_ms: DurationMs | None = blank(
        "Pause after which a run of reads costs more; empty: none."
    )
    ahead_lost_fraction: Fraction = assumed(0.0, "Misses after which it does not read ahead.")
    write_end_ms: SignedMs | None = blank(
        "Of the overhead of a write to the platter, what passes once it is there; empty: all."
    )

    @field_validator("costs")
    @classmethod
    def _once(cls, value: tuple[RequestCost, ...]) -> tuple[RequestCost, ...]:
        seen = [cost.request for cost in value]
        twice = next((i for i, name in enumerate(seen) if name in seen[:i]), None)
        if twice is not None:
            raise refusal("doubled", "This kind of request stands twice.", at=(twice, "request"))
        return value
