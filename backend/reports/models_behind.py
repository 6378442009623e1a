"""Which published models a comparison rests on: those its plan imports, and those whose
relation a cause, a present value or a footprint is.
"""

from __future__ import annotations

import ast
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from capmodels.registry import PACKAGE, model_ids, module_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.spec import JSONDict

# The relation behind each cause of cost, by side.
CAUSE_MODELS = {
    ("owned", "hardware"): ("cost.owned_vs_cloud", "cost.cluster_tco"),
    ("owned", "finance"): ("cost.facility",),
    ("owned", "energy"): ("power.server", "cost.time_of_use"),
    ("owned", "cooling"): ("cost.owned_vs_cloud",),
    ("owned", "space"): ("cost.facility",),
    ("owned", "site"): ("cost.owned_vs_cloud",),
    ("rented", "instances"): ("cost.owned_vs_cloud", "cost.spot"),
    ("rented", "commitment"): ("cost.commitment",),
    ("rented", "storage"): ("cost.tiered",),
    ("rented", "transfer"): ("cost.tiered",),
    ("rented", "support"): ("cost.tiered",),
    ("rented", "copy"): ("cost.owned_vs_cloud",),
}
TIME_MODELS = ("cost.npv", "cost.equivalent_annual_cost", "cost.depreciation", "cost.growth")
CARBON_MODELS = ("carbon.operational", "carbon.embodied")
# What the plan asks only where a design has it.
PART_MODELS = {
    "array": ("reliability.array_loss", "storage.array_instant", "performance.queueing"),
    "service": ("performance.queueing", "performance.size_for_work"),
}
RENTED_POWER = "carbon.instance_power"


def models_of(comparison: JSONDict, plan_id: str) -> tuple[str, ...]:
    """Return the ids of the models that a comparison rests on, in registry order.

    The plan computes their relations for many months and draws at once; the models hold the
    same relations with their published figures.
    """
    optional = {model_id for models in PART_MODELS.values() for model_id in models}
    imported = set(models_behind(plan_id)) - optional
    wanted = {*imported, *TIME_MODELS, *_found(comparison)}
    return tuple(model_id for model_id in model_ids() if model_id in wanted)


def _found(comparison: JSONDict) -> Iterator[str]:
    for design in comparison["designs"]:
        for cause in design["causes"]:
            yield from CAUSE_MODELS.get((cause["side"], cause["cause"].removeprefix("cloud_")), ())
        for part, models in PART_MODELS.items():
            if design.get(part) is not None:
                yield from models
        if design["irr_fraction"] is not None:
            yield "cost.irr"
        if design["carbon"]["basis"] != "unknown":
            yield from CARBON_MODELS
        if design["energy"]["basis"] == "estimate":
            yield RENTED_POWER


@cache
def models_behind(model_id: str) -> tuple[str, ...]:
    """Return the ids of the models that a model's module reaches by import, itself first.

    The sources are read, nothing is imported: what a process has loaded for other reasons
    does not count.
    """
    start = module_of(model_id)
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        module = waiting.pop()
        if module not in seen:
            seen.add(module)
            waiting += _imports(module)
    return (model_id, *(i for i in model_ids() if module_of(i) in seen - {start}))


def _imports(module: str) -> list[str]:
    origin = (spec := find_spec(module)) and spec.origin
    if not origin:
        return []
    names: list[str] = []
    for node in ast.walk(ast.parse(Path(origin).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return [name for name in names if name.startswith(f"{PACKAGE}.") and _is_module(name)]


def _is_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        # The parent is a module, not a package: the name is something inside it.
        return False
