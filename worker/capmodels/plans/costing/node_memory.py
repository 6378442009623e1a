"""What the memory of nodes draws and leaves idle, by the model of memory for plans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from capmodels.amounts import as_number
from capmodels.plans.document.memory_draw import added_w, answer_of

if TYPE_CHECKING:
    from capmodels.amounts import Amount
    from capmodels.plans.costing.group_plan import GroupPlan
    from capmodels.plans.document.hardware import NodeGroup
    from capmodels.spec import JSONDict


def memory_w(group: NodeGroup) -> Amount:
    """Draw of a node's memory beyond its power curve; 0 when its modules are not entered. [W]"""
    memory = group.memory
    if memory is None:
        return 0.0
    return added_w(memory, group.ram_gib)


def unknown_memory(group: NodeGroup) -> str | None:
    """Why the draw of a node's memory is unknown; None when it is known or in the curve."""
    memory = group.memory
    if memory is None or (memory.in_curve and memory.policy == "power_down"):
        return None
    return answer_of(memory, group.ram_gib).reason


def memory_figures(plans: list[GroupPlan]) -> JSONDict | None:
    """Memory of all nodes in the last year; None when no group has its modules entered."""
    known = [(plan, plan.group.memory) for plan in plans if plan.group.memory is not None]
    if not known:
        return None
    installed = idle = spare = worth = saved = 0.0
    reasons = {}
    for plan, memory in known:
        count, found = as_number(plan.counts[-1]), answer_of(memory, plan.group.ram_gib)
        installed += count * plan.group.ram_gib
        idle += count * found.idle_gib
        spare += count * found.spare_gib
        if memory.usd_per_gib is None:
            reasons["spare_usd"] = "The price of memory is not entered."
        else:
            worth += count * found.spare_gib * memory.usd_per_gib
        if found.saving_w is None:
            reasons["saving_w"] = found.reason or "Unknown."
        else:
            saved += count * found.saving_w
    return {
        "installed_gib": installed,
        "idle_gib": idle,
        "spare_gib": spare,
        "spare_usd": None if "spare_usd" in reasons else worth,
        "saving_w": None if "saving_w" in reasons else saved,
        "reasons": reasons,
    }
