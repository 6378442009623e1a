"""Which models there are. Standard library only: importing this loads no model.

A model's id is its family and the name of its file: ``capmodels.cost.owned_vs_cloud`` holds
``cost.owned_vs_cloud``, and so does a file in a room of its family.
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
    "capmodels.consolidation.servers",
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
    "capmodels.cost.people",
    "capmodels.cost.showback",
    "capmodels.cost.spot",
    "capmodels.cost.tariffs.tariff",
    "capmodels.cost.tiered",
    "capmodels.cost.time_of_use",
    "capmodels.demand.forecast",
    "capmodels.memory.dimm_power",
    "capmodels.memory.idle_capacity",
    "capmodels.memory.power_policies",
    "capmodels.memory.power_policies_instant",
    "capmodels.network.fabric",
    "capmodels.network.outside",
    "capmodels.performance.cluster_io",
    "capmodels.performance.cluster_job",
    "capmodels.performance.core_speed",
    "capmodels.performance.device_trends",
    "capmodels.performance.interrupt_model",
    "capmodels.performance.kv_node_choice",
    "capmodels.performance.node_failures",
    "capmodels.performance.queueing",
    "capmodels.performance.server_nodes",
    "capmodels.performance.size_for_work",
    "capmodels.performance.work_of_trace",
    "capmodels.performance.workload_taxonomy",
    "capmodels.plans.array_design",
    "capmodels.plans.array_drawing",
    "capmodels.plans.compare",
    "capmodels.plans.check.like_for_like",
    "capmodels.plans.node_design",
    "capmodels.plans.purchase.purchase_plan",
    "capmodels.plans.workings",
    "capmodels.power.calibrate",
    "capmodels.power.curve",
    "capmodels.power.fixed_power",
    "capmodels.power.proportionality",
    "capmodels.power.racks",
    "capmodels.power.server",
    "capmodels.reliability.array_loss",
    "capmodels.reliability.defect_patterns",
    "capmodels.reliability.fleet_rates",
    "capmodels.reliability.lifetimes",
    "capmodels.reliability.replica_placement",
    "capmodels.reliability.spares",
    "capmodels.serving.api_break_even",
    "capmodels.serving.capacity",
    "capmodels.serving.engine_pass",
    "capmodels.serving.memory_fit",
    "capmodels.serving.replay",
    "capmodels.serving.simulate",
    "capmodels.serving.size",
    "capmodels.serving.size_map",
    "capmodels.storage.alternatives",
    "capmodels.storage.array",
    "capmodels.storage.closed_form.array_instant",
    "capmodels.storage.closed_form.array_outlook",
    "capmodels.storage.array_verdict",
    "capmodels.storage.calibration.calibrate_drive",
    "capmodels.storage.calibration.calibrate_trace",
    "capmodels.storage.capacity",
    "capmodels.storage.cluster.cluster_array",
    "capmodels.storage.cluster.cluster_code",
    "capmodels.storage.disk_geometry",
    "capmodels.storage.calibration.disksim_drive",
    "capmodels.storage.fs2",
    "capmodels.storage.fs2_layer",
    "capmodels.storage.ssd_cache",
    "capmodels.training.time",
)


def _id(module: str) -> str:
    _, family, *_, name = module.split(".")
    return f"{family}.{name}"


_MODULES = {_id(module): module for module in MODEL_MODULES}


def model_ids() -> tuple[str, ...]:
    """Return the id of every model, in registry order."""
    return tuple(_MODULES)


def get_model(model_id: str) -> AnyModel:
    """Return the spec of one model, importing its module only now.

    Raises
    ------
    UnknownModel
        When no registered model has this id.
    """
    spec: AnyModel = import_module(module_of(model_id)).SPEC
    return spec


def module_of(model_id: str) -> str:
    """Return the dotted path of the module that holds a model."""
    try:
        return _MODULES[model_id]
    except KeyError:
        message = f"There is no model {model_id!r}."
        raise UnknownModel(message) from None


def all_models() -> tuple[AnyModel, ...]:
    """Return every model's spec, importing them all."""
    return tuple(get_model(model_id) for model_id in model_ids())
