"""Parts of a node that other models answer for: how full it is, and its memory modules."""

from __future__ import annotations

from pydantic import Field, model_validator

from capmodels.memory.currents import ModuleCurrents
from capmodels.memory.modules import ModuleName
from capmodels.memory.planning import Policy
from capmodels.plans.document.bounded import PowerW, Usd
from capmodels.plans.document.fields import (
    Finding,
    IsoDate,
    Nodes,
    Note,
    PositiveFraction,
    PositiveRatio,
    SupplyFraction,
    refuse,
    unused,
)
from capmodels.spec import Params, assumed, blank, derived, preset, recalled
from capmodels.units import CountFromOne, DataGib, Fraction, ThroughputMbPerS, UsdPerGb


class Fill(Params):
    """What consolidation says of a group: how full its nodes may be, or how many there are."""

    target_utilization_fraction: PositiveFraction | None = blank(
        "Instead of the workload's, as consolidation.surface finds it best.",
        title="Cores in use at peak",
    )
    hosts_count: Nodes | None = blank(
        "Hosts that today's work fits on, as consolidation.plan or "
        "consolidation.dynamic found; they grow with the busy cores.",
        title="Hosts needed",
    )
    source: Note | None = blank("The run or the paper that says so.", title="From")

    @model_validator(mode="after")
    def _one_of_two(self) -> Fill:
        if (self.target_utilization_fraction is None) == (self.hosts_count is None):
            sentence = "Enter either how full nodes may be, or how many hosts are needed."
            refuse([Finding(("hosts_count",), "one_of_two", sentence)])
        return self


class NodeMemory(Params):
    """Memory modules of a node and how they are powered; see the model of memory."""

    module: ModuleName
    sheet: ModuleCurrents | None = blank(
        "Another module, by its currents. Empty: the module named above.", title="Data sheet"
    )
    used_gib: DataGib = Field(title="In use", description="In one node at its busiest time.")
    policy: Policy = preset(
        "power_down",
        "ready: never powered down; power_down: idle ranks; aggregate: pages "
        "gathered on few ranks, the others in self-refresh; remove: modules left out.",
    )
    in_curve: bool = assumed(
        True,
        "The power curve has the memory in it, powered down when idle.",
        source="SPECpower results are measured with their memory",
        title="In the power curve",
    )
    headroom_fraction: Fraction = assumed(0.2, source="Planner's margin", low=0.1, high=0.3)
    traffic_mb_per_s: ThroughputMbPerS = assumed(
        20_000.0, source="A busy two-socket server", title="Traffic", low=5_000.0, high=35_000.0
    )
    channels_count: CountFromOne = assumed(
        8, source="One socket of 2019-2024", title="Channels interleaved"
    )
    measured_ratio: PositiveRatio = derived(
        1.0,
        "Power of the memory over the model's: the error of the model, measured on workloads left "
        "out of the fit.",
        source="Nine of eleven watts printed by Huang 2006 of workloads left out of the fit",
        title="Power over the model",
        low=0.94,
        high=1.06,
    )
    usd_per_gib: UsdPerGb | None = blank(
        "Empty: the worth of memory that need not be bought stays unknown.",
        title="Price of memory",
        extra={"unit": "USD/GiB"},
    )


class Gpus(Params):
    """The GPUs of a node as devices: what one draws idle and at its limit, and how busy it is."""

    idle_w: PowerW = Field(title="Idle power", description="One GPU, powered and idle.")
    peak_w: PowerW = Field(title="Peak power", description="One GPU at its power limit.")
    use_fraction: Fraction | None = blank(
        "Mean load of a GPU. Empty: that of GPU demand in a group that serves "
        "it, and of the node in others."
    )
    psu_efficiency_fraction: SupplyFraction = recalled(
        0.94,
        "Share of the power at the wall that reaches the GPUs.",
        source="80 PLUS Platinum at half load, 230 V",
        as_of="2025-01-01",
        title="Efficiency of the supply",
        low=0.9,
        high=0.96,
    )
    unit_price_usd: Usd = unused("Price of a GPU", "Zero when the node's price has the GPUs in it.")
    price_as_of: IsoDate | None = Field(default=None, title="Date of the price")

    @model_validator(mode="after")
    def _peak_above_idle(self) -> Gpus:
        if self.peak_w < self.idle_w:
            sentence = (
                f"Peak power ({self.peak_w:g} W) is below idle power ({self.idle_w:g} W). "
                f"Enter at least {self.idle_w:g} W."
            )
            refuse([Finding(("peak_w",), "peak_below_idle", sentence, self.peak_w)])
        return self
