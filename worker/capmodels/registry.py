"""Which models there are. Standard library only: importing this loads no model.

A model's id is its module path below ``capmodels``: the module
``capmodels.cost.owned_vs_cloud`` holds the model ``cost.owned_vs_cloud``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from capmodels.errors import UnknownModel

if TYPE_CHECKING:
    from capmodels.spec import AnyModel

PACKAGE = "capmodels"

MODEL_MODULES: tuple[str, ...] = (
    "capmodels.carbon.embodied",
    "capmodels.carbon.instance_power",
    "capmodels.carbon.operational",
    "capmodels.consolidation.dynamic",
    "capmodels.consolidation.plan",
    "capmodels.consolidation.surface",
    "capmodels.cost.batch_utilization",
    "capmodels.cost.cluster_tco",
    "capmodels.cost.commitment",
    "capmodels.cost.depreciation",
    "capmodels.cost.equivalent_annual_cost",
    "capmodels.cost.facility",
    "capmodels.cost.growth",
    "capmodels.cost.irr",
    "capmodels.cost.npv",
    "capmodels.cost.owned_vs_cloud",
    "capmodels.cost.showback",
    "capmodels.cost.spot",
    "capmodels.cost.tiered",
    "capmodels.cost.time_of_use",
    "capmodels.memory.dimm_power",
    "capmodels.memory.idle_capacity",
    "capmodels.memory.power_policies",
    "capmodels.memory.power_policies_instant",
    "capmodels.performance.cluster_io",
    "capmodels.performance.cluster_job",
    "capmodels.performance.device_trends",
    "capmodels.performance.interrupt_model",
    "capmodels.performance.kv_node_choice",
    "capmodels.performance.node_failures",
    "capmodels.performance.queueing",
    "capmodels.performance.size_for_work",
    "capmodels.performance.workload_taxonomy",
    "capmodels.plans.compare",
    "capmodels.power.calibrate",
    "capmodels.power.curve",
    "capmodels.power.fixed_power",
    "capmodels.power.proportionality",
    "capmodels.power.server",
    "capmodels.reliability.array_loss",
    "capmodels.reliability.defect_patterns",
    "capmodels.reliability.fleet_rates",
    "capmodels.reliability.lifetimes",
    "capmodels.reliability.replica_placement",
    "capmodels.storage.alternatives",
    "capmodels.storage.array",
    "capmodels.storage.array_instant",
    "capmodels.storage.calibrate_drive",
    "capmodels.storage.calibrate_trace",
    "capmodels.storage.capacity",
    "capmodels.storage.disk_geometry",
    "capmodels.storage.fs2",
    "capmodels.storage.fs2_layer",
    "capmodels.storage.ssd_cache",
)


def model_ids() -> tuple[str, ...]:
    """Return the id of every model, in registry order."""
    return tuple(module.removeprefix(f"{PACKAGE}.") for module in MODEL_MODULES)


def get_model(model_id: str) -> AnyModel:
    """Return the spec of one model, importing its module only now.

    Raises
    ------
    UnknownModel
        When no registered model has this id.
    """
    module = f"{PACKAGE}.{model_id}"
    if module not in MODEL_MODULES:
        message = f"There is no model {model_id!r}."
        raise UnknownModel(message)
    spec: AnyModel = import_module(module).SPEC
    return spec


def all_models() -> tuple[AnyModel, ...]:
    """Return every model's spec, importing them all."""
    return tuple(get_model(model_id) for model_id in model_ids())
