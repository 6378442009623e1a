"""A drive's power states as they are drawn: watts, and what going between them takes."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from capmodels.numbers import quantity
from capmodels.spec import Result
from capmodels.units import PowerW

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.storage.drive.drives import Drive, HardDisk, SleepState, SolidState

StateId = Literal["active", "write", "idle", "low_power_idle", "standby"]
_LOW: dict[StateId, str] = {"low_power_idle": "Low-power idle", "standby": "Standby"}


# Idle times until low-power idle and standby, where a drive goes there. [s]
Idle = tuple[float | None, float | None]


class PowerState(Result):
    """A state of a drive."""

    id: StateId
    label: str
    power_w: PowerW
    said: str = Field(description="Its power, worded.")


class StateChange(Result):
    """A way from one state to another."""

    start: StateId
    end: StateId
    cost: tuple[str, ...] = Field(description="Its time and energy; none where it is free.")
    after: str | None = Field(description="The idle time after which it is gone.")


class StateDiagram(Result):
    """The states of a drive from most to least power, and the ways between them."""

    states: tuple[PowerState, ...]
    changes: tuple[StateChange, ...]
    says: str


def state_diagram(drive: Drive, after_s: Idle) -> StateDiagram:
    """Return the diagram of a drive that rests after idle times of its states, where it does."""
    if drive.kind == "ssd":
        states = _of_flash(drive)
        changes = [_change(one.id, other.id) for one, other in pairwise(states)]
    else:
        states = [_state("active", "Serving", drive.active_w), _state("idle", "Idle", drive.idle_w)]
        states += [_state(name, _LOW[name], low.power_w) for name, low in _sleeps(drive)]
        changes = [_change("active", "idle"), *_ways(drive, after_s)]
    words = ", ".join(f"{one.label} {one.said}" for one in states)
    return StateDiagram(
        states=tuple(states),
        changes=tuple(changes),
        says=f"Power states of {drive.name}: {words}.",
    )


def _of_flash(drive: SolidState) -> list[PowerState]:
    write_w = drive.active_w if drive.write_w is None else drive.write_w
    working = [_state("write", "Writing", write_w), _state("active", "Reading", drive.active_w)]
    working.sort(key=lambda one: one.power_w, reverse=True)
    return [*working, _state("idle", "Idle", drive.idle_w)]


def _state(name: StateId, label: str, power_w: float) -> PowerState:
    return PowerState(id=name, label=label, power_w=power_w, said=quantity(power_w, "W"))


def _change(
    start: StateId,
    end: StateId,
    cost: tuple[float, float] | None = None,
    after: float | None = None,
) -> StateChange:
    said = () if cost is None else (quantity(cost[0], "s"), quantity(cost[1], "J"))
    waits = None if after is None else f"after {quantity(after, 's')}"
    return StateChange(start=start, end=end, cost=said, after=waits)


def _sleeps(drive: HardDisk) -> Iterator[tuple[StateId, SleepState]]:
    if drive.low_power_idle is not None:
        yield "low_power_idle", drive.low_power_idle
    if drive.standby is not None:
        yield "standby", drive.standby


def _ways(drive: HardDisk, after_s: Idle) -> Iterator[StateChange]:
    """Down from one low state to the next, and up to idle at once."""
    above: StateId = "idle"
    after = dict(zip(_LOW, after_s, strict=True))
    for name, low in _sleeps(drive):
        yield _change(above, name, (low.down_s, low.down_j), after[name])
        yield _change(name, "idle", (low.up_s, low.up_j))
        above = name


def device_line(device: SolidState) -> str:
    """What of a cache's device goes into the watts, the cost and the wear of an array."""
    reads, writes = (
        quantity(ms / 1000, "s") for ms in (device.read_latency_ms, device.write_latency_ms)
    )
    price = quantity(device.price_usd, "USD") if device.price_usd > 0 else "price not known"
    rated = device.endurance_tb
    writes_rated = (
        "rated writes not known" if rated is None else f"{quantity(rated, 'TB')} of rated writes"
    )
    at_work, idle = quantity(device.active_w, "W"), quantity(device.idle_w, "W")
    times = f"Reads in {reads}, writes in {writes}"
    return f"{times}; {at_work} at work, {idle} idle; {price}; {writes_rated}."
