"""What the memory of a node draws under its policy, by the model of memory for plans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import is_number, minimum
from capmodels.memory.planning import MemoryFill, MemoryPower, memory_power
from capmodels.worked import kept

if TYPE_CHECKING:
    from capmodels.plans.document.node_parts import NodeMemory


def answer_of(memory: NodeMemory, ram_gib: float, policy: str | None = None) -> MemoryPower:
    """What a node's memory draws under its policy, or under another."""
    plain = is_number(ram_gib) and is_number(memory.measured_ratio)
    return (_kept if plain else _answer_of)(memory, ram_gib, policy)


def _answer_of(memory: NodeMemory, ram_gib: float, policy: str | None) -> MemoryPower:
    fill = MemoryFill(
        headroom_fraction=memory.headroom_fraction,
        traffic_mb_per_s=memory.traffic_mb_per_s,
        interleaved_channels_count=memory.channels_count,
    ).model_copy(update={"installed_gib": ram_gib, "used_gib": minimum(memory.used_gib, ram_gib)})
    wanted = memory.policy if policy is None else policy
    module = memory.module if memory.sheet is None else memory.sheet
    return memory_power(fill, module=module, policy=wanted)  # type: ignore[arg-type]  # names that the document checks


_kept = kept(1024)(_answer_of)


def added_w(memory: NodeMemory, ram_gib: float) -> float:
    """Draw of the memory that the power curve does not have; less than 0 for what is saved."""
    drawn = answer_of(memory, ram_gib).average_w
    if drawn is None:
        return 0.0
    if not memory.in_curve:
        return drawn * memory.measured_ratio
    in_curve = answer_of(memory, ram_gib, "power_down").average_w
    return (drawn if in_curve is None else drawn - in_curve) * memory.measured_ratio
