"""Groups of nodes: what they are made of, what they cost, what they draw."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, model_validator

from capmodels.forms import named
from capmodels.plans.document.bounded import (
    CarbonKgco2e,
    CountFromOne,
    DataGib,
    NetworkGbitPerS,
    PowerW,
    RatePerS,
    ThroughputMbPerS,
    Usd,
)
from capmodels.plans.document.embodied import (
    FactorBasis,
    FactorYear,
    basis_field,
    source_field,
    year_field,
)
from capmodels.plans.document.fields import (
    Amount,
    BelowOne,
    Component,
    Finding,
    InnerFraction,
    IsoDate,
    MachineCores,
    MonthsFromOne,
    Name,
    Nodes,
    Note,
    Pieces,
    PositiveCount,
    PositiveRatio,
    Slug,
    SupplyFraction,
    refuse,
    spread_findings,
    unique,
    unused,
)
from capmodels.plans.document.memory_draw import added_w
from capmodels.plans.document.node_parts import Fill, Gpus, NodeMemory
from capmodels.power.curves import READING_TEXT, RESULT_TEXT, PublishedResult, held_fault
from capmodels.power.families import TITLES, Family
from capmodels.spec import Params, assumed, blank, default, derived, preset, recalled
from capmodels.units import Fraction, of_unit

if TYPE_CHECKING:
    from capmodels.amounts import AmountT


class TypedPrice(Params):
    """One price for a node, typed in."""

    kind: Literal["typed"]
    unit_price_usd: Usd = Field(title="Price of a node")
    component: Component = preset(
        "server", "The price change that it follows.", title="Price series"
    )
    price_as_of: IsoDate | None = Field(default=None, title="Date of the price")


class CataloguePrice(Params):
    """A node of the catalogue, with its price there."""

    kind: Literal["catalogue"]
    entry: Slug = Field(title="Catalogue entry")
    unit_price_usd: Usd = Field(title="Price of a node")
    discount_fraction: BelowOne = unused("Discount")
    component: Component = Field(default="server", title="Price series")
    price_as_of: IsoDate | None = Field(default=None, title="Date of the price")


class Part(Params):
    """One line of a bill of materials."""

    name: Name = Field(title="Part")
    component: Component = Field(
        title="Price series", description="The kind of part, and the price change that it follows."
    )
    count: Amount = Field(description="How many a node has.")
    unit_price_usd: Usd = Field(description="List price of one.")
    discount_fraction: BelowOne = unused("Discount", "Discount on the list price.")
    index_ratio: PositiveRatio = assumed(
        1.0,
        "Price expected at the start over the price entered.",
        source="Price as of its date",
        title="Price at the start over list",
        low=0.7,
        high=1.3,
    )
    price_as_of: IsoDate | None = Field(default=None, title="Date of the price")


class PartsPrice(Params):
    """A node as a bill of materials, each part with its price, discount and date."""

    kind: Literal["parts"]
    parts: tuple[Part, ...] = Field(min_length=1, max_length=40)
    discount_fraction: BelowOne = unused("Discount on all", "On top of the parts' own discounts.")

    @model_validator(mode="after")
    def _part_names(self) -> PartsPrice:
        refuse(unique([part.name for part in self.parts], ("parts",), "name"))
        return self


class LumpPrice(Params):
    """One price for the whole group, whatever its count."""

    kind: Literal["lump"]
    total_usd: Usd = Field(title="Price of the group")
    component: Component = Field(default="server", title="Price series")
    price_as_of: IsoDate | None = Field(default=None, title="Date of the price")


Price = Annotated[TypedPrice | CataloguePrice | PartsPrice | LumpPrice, Field(discriminator="kind")]


class ConstantPower(Params):
    """The same draw at any load."""

    kind: Literal["constant"]
    power_w: PowerW = Field(description="Power of a node.")


def _order(idle_w: float, peak_w: float) -> None:
    if peak_w < idle_w:
        sentence = (
            f"Peak power ({peak_w:g} W) is below idle power ({idle_w:g} W). "
            f"Enter at least {idle_w:g} W."
        )
        refuse([Finding(("peak_w",), "peak_below_idle", sentence, peak_w)])


class LinearPower(Params):
    """A straight line from idle to peak."""

    kind: Literal["linear"]
    idle_w: PowerW = Field(title="Idle power")
    peak_w: PowerW = Field(title="Peak power", description="Power at full load.")

    @model_validator(mode="after")
    def _peak_above_idle(self) -> LinearPower:
        _order(self.idle_w, self.peak_w)
        return self


class FanPower(Params):
    """Fan et al. 2007: idle + (peak - idle)(2u - u^r)."""

    kind: Literal["fan"]
    idle_w: PowerW = Field(title="Idle power")
    peak_w: PowerW = Field(title="Peak power", description="Power at full load.")
    exponent: Annotated[float, of_unit("ratio", gt=0, le=2, strict=True)] = default(
        1.4,
        "Calibrated on a mixed fleet; 1 is a straight line.",
        source="Fan, Weber, Barroso, ISCA 2007",
        as_of="2007-06-09",
        title="Exponent r",
    )

    @model_validator(mode="after")
    def _peak_above_idle(self) -> FanPower:
        _order(self.idle_w, self.peak_w)
        return self


class TwoSegmentsPower(Params):
    """A jump at low load, then a second line: what many machines since 2010 show."""

    kind: Literal["two_segments"]
    idle_w: PowerW = Field(title="Idle power")
    peak_w: PowerW = Field(title="Peak power", description="Power at full load.")
    knee_load_fraction: InnerFraction = default(
        0.1,
        source="First loaded point of SPECpower_ssj2008 results",
        as_of="2012-03-01",
        title="Load at the knee",
    )
    knee_range_fraction: Fraction = derived(
        0.18,
        "Share of the way from idle to peak power reached at the knee.",
        source="SPECpower_ssj2008: 0.13 of a Dell R620, 0.23 of an IBM x3550 M3",
        as_of="2012-03-01",
        low=0.11,
        high=0.25,
        title="Range used at the knee",
    )

    @model_validator(mode="after")
    def _peak_above_idle(self) -> TwoSegmentsPower:
        _order(self.idle_w, self.peak_w)
        return self


class PowerPoint(Params):
    """One measured point of a power curve."""

    load_fraction: Fraction
    power_w: PowerW


class PowerReading(Params):
    """What a meter showed at one load."""

    load_fraction: InnerFraction = Field(title="Load of the reading")
    power_w: PowerW = Field(title="Power that was read")


class MeasuredPower(Params):
    """Measured points, joined by straight lines."""

    kind: Literal["points"]
    points: tuple[PowerPoint, ...] = Field(min_length=2, max_length=21)

    @model_validator(mode="after")
    def _from_idle_to_full(self) -> MeasuredPower:
        loads = [point.load_fraction for point in self.points]
        findings = []
        if loads[0] != 0.0:
            sentence = f"The first point is at load {loads[0]:g}. Enter the idle point, at load 0."
            findings.append(Finding(("points", 0, "load_fraction"), "no_idle_point", sentence))
        if loads[-1] != 1.0:
            sentence = f"The last point is at load {loads[-1]:g}. Enter the point of full load, 1."
            at = ("points", len(loads) - 1, "load_fraction")
            findings.append(Finding(at, "no_full_point", sentence))
        for index in range(1, len(loads)):
            if loads[index] <= loads[index - 1]:
                sentence = (
                    f"The load of this point ({loads[index]:g}) is not above that before it "
                    f"({loads[index - 1]:g}). Sort the points by load."
                )
                at = ("points", index, "load_fraction")
                findings.append(Finding(at, "not_increasing", sentence))
        refuse(findings)
        return self


class FamilyPower(Params):
    """Idle and full power, and between them the shape of the processor's family."""

    kind: Literal["family"]
    idle_w: PowerW = Field(title="Idle power")
    peak_w: PowerW = Field(title="Peak power", description="Power at full load.")
    family: Family = Field(
        description="Its shape is the median of measured servers: see the model power.curve.",
        json_schema_extra=named(**TITLES),
    )
    reading: PowerReading | None = blank(
        READING_TEXT, title="Reading under load", exclude_if=lambda given: given is None
    )
    result: PublishedResult | None = blank(
        RESULT_TEXT, title="SPECpower result", exclude_if=lambda given: given is None
    )

    measured_ratio: PositiveRatio = derived(
        1.0,
        "Power under load over the curve's: the error of the curve, measured on servers left out "
        "of the fit; with a reading or a result it is about half. Idle and full power stay.",
        source="80% of servers left out of the fit, power.curve",
        title="Power over the curve",
        low=0.93,
        high=1.08,
    )

    @model_validator(mode="after")
    def _peak_above_idle(self) -> FamilyPower:
        _order(self.idle_w, self.peak_w)
        read_w = None if self.reading is None else self.reading.power_w
        fault = held_fault(self.idle_w, self.peak_w, read_w, self.result)
        if fault:
            code, sentence, at = fault
            refuse([Finding(at, code, sentence)])
        return self


Power = Annotated[
    ConstantPower | LinearPower | FamilyPower | TwoSegmentsPower | FanPower | MeasuredPower,
    Field(discriminator="kind"),
]


class Drives(Params):
    """The drives of a node that hold the group's data."""

    per_node_count: CountFromOne = Field(title="Drives per node")
    capacity_tb: Annotated[float, of_unit("TB", gt=0, strict=True, allow_inf_nan=False)] = Field(
        title="Capacity of a drive"
    )
    kind: Literal["ssd", "hdd"] = Field(
        description="Kind of drive, and the price change that it follows."
    )
    unit_price_usd: Usd = unused(
        "Price of a drive", "Zero when the node's price has the drives in it."
    )
    price_as_of: IsoDate | None = Field(default=None, title="Date of the price")
    copies_count: CountFromOne = default(
        2,
        "Copies kept of every block.",
        source="Two copies, as Free Factories kept",
        as_of="2008-06-22",
    )
    io_per_s: RatePerS | None = blank("Empty: IOPS are not sized.", title="IOPS of a drive")
    throughput_mb_per_s: ThroughputMbPerS | None = blank(
        "Empty: it is not sized.", title="Throughput of a drive"
    )


class Embodied(Params):
    """Emissions of making a node."""

    kgco2e: CarbonKgco2e = recalled(
        1300.0,
        source="Product carbon footprints of two-socket servers",
        as_of="2023-01-01",
        low=800.0,
        high=1800.0,
        title="Embodied carbon",
    )
    low_kgco2e: CarbonKgco2e | None = Field(default=None, title="Lowest estimate")
    high_kgco2e: CarbonKgco2e | None = Field(default=None, title="Highest estimate")
    life_months: MonthsFromOne = assumed(
        60, source="Server lives of 4-6 years", title="Life that emissions are spread over"
    )
    year: FactorYear | None = year_field()
    basis: FactorBasis | None = basis_field()
    factor_source: Name | None = source_field()

    @model_validator(mode="after")
    def _ordered(self) -> Embodied:
        ends = (self.low_kgco2e, self.kgco2e, self.high_kgco2e)
        refuse(spread_findings("kgco2e", ends, "the estimate", "kg CO2e"))
        return self


class NodeGroup(Params):
    """Nodes of one kind with one task."""

    name: Name
    role: Literal[
        "compute", "compute_and_block", "block", "object", "archive", "gpu", "service", "other"
    ] = preset(
        "compute",
        "The demand that sizes the group: cores and RAM, the same with block storage "
        "on its own drives, block storage, object storage, archive, GPUs, the service, or nothing.",
    )
    share_fraction: Fraction = assumed(
        1.0, "Share of that demand that this group serves.", source="One group serves all"
    )
    count: Nodes | None = blank(
        "Empty: as many as the demand needs, bought as it grows.", title="Nodes"
    )
    spare_nodes_count: Nodes | None = blank(
        "Nodes beyond the need. Empty: as the workload's availability says."
    )
    cores_per_node_count: MachineCores = unused("Cores per node")
    sockets_per_node_count: Pieces = unused("Sockets per node")
    perf_per_core_ratio: PositiveRatio = assumed(
        1.0,
        "Work of one core over that of a reference core.",
        source="A core of the reference kind",
        title="Speed of a core",
        low=0.8,
        high=1.2,
    )
    ram_gib: DataGib = unused("RAM per node")
    gpus_per_node_count: Pieces = unused("GPUs per node")
    gpu: Name | None = blank(
        "Kind of its GPUs, such as NVIDIA H100. Empty: not known.", title="Kind of GPU"
    )
    gpus: Gpus | None = blank("Their power and price. Empty: both are in the node's.", title="GPUs")
    nic_gbit_per_s: NetworkGbitPerS | None = Field(default=None, title="Network of a node")
    drives: Drives | None = None
    data_in: Literal["drives", "memory"] = preset(
        "drives", "Where a service keeps its data set.", title="Data set in"
    )
    fill: Fill | None = blank(
        "How full nodes are, as consolidation says. Empty: the workload's headroom."
    )
    memory: NodeMemory | None = blank("Empty: their power is in the curve.", title="Memory modules")
    price: Price
    power: Power | None = blank("Empty: unknown, and in the price of the space or site.")
    adder_w: PowerW = unused("Power on top", "Power of memory, drives or GPUs not in the curve.")
    psu_efficiency_fraction: SupplyFraction | None = blank(
        "Share of the power at the wall that the node's parts get; GPUs have their "
        "own. Empty: the power is as measured at the wall.",
        title="Efficiency of the supply",
    )
    provisioned_w: PowerW | None = blank(
        "Power paid for per node. Empty: peak power with what is on top.", title="Provisioned power"
    )
    rack_units_count: PositiveCount | None = blank(
        "Its height. Empty: unknown, and so is what the site has left of it.",
        title="Rack units of a node",
    )
    nodes_per_rack_count: CountFromOne | None = blank(
        "In racks of their own. Empty: in racks with others, as many as the design says.",
        title="Nodes in a rack",
    )
    duty_fraction: Fraction = assumed(
        0.3,
        "Load at which nodes draw power when no busy cores are given for them.",
        source="Storage nodes are rarely busy",
        title="Load of storage and other nodes",
    )
    embodied: Embodied | None = Field(default=None, title="Embodied carbon")
    note: Note | None = None

    @model_validator(mode="after")
    def _has_what_it_carries(self) -> NodeGroup:
        findings = []
        if self.role in {"compute_and_block", "block", "object", "archive"} and self.drives is None:
            sentence = "A group with a storage role has no drives. Enter its drives."
            findings.append(Finding(("drives",), "needed", sentence))
        if self.role == "gpu" and self.gpus_per_node_count <= 0:
            sentence = "A group with the GPU role has no GPUs. Enter at least 1 GPU per node."
            findings.append(Finding(("gpus_per_node_count",), "needed", sentence))
        if self.price.kind == "lump" and self.count is None:
            sentence = "A price for the whole group needs its count. Enter the number of nodes."
            findings.append(Finding(("count",), "needed", sentence))
        if self.role == "other" and self.count is None:
            sentence = "No demand sizes this group. Enter the number of nodes."
            findings.append(Finding(("count",), "needed", sentence))
        refuse(findings + _gpu_findings(self) + _memory_findings(self))
        return self

    @property
    def peak_w(self) -> float:
        """Highest draw of a node at the wall; 0 when it is unknown. [W]"""
        power, gpus = self.power, self.gpus
        if power is None:
            return 0.0
        if power.kind == "constant":
            own = power.power_w
        else:
            own = power.points[-1].power_w if power.kind == "points" else power.peak_w
        node = self.at_wall_w(own + self.adder_w)
        if gpus is None:
            return node
        return node + self.gpus_per_node_count * gpus.peak_w / gpus.psu_efficiency_fraction

    def at_wall_w(self, inner_w: AmountT) -> AmountT:
        """Draw at the wall for what the node's parts draw behind its supply. [W]"""
        efficiency = self.psu_efficiency_fraction
        return inner_w if efficiency is None else inner_w / efficiency


def _memory_findings(group: NodeGroup) -> list[Finding]:
    """Find a power curve that does not have the memory in it that its policy saves."""
    power, memory = group.power, group.memory
    if power is None or memory is None:
        return []
    if power.kind == "points":
        least_w = min(point.power_w for point in power.points)
    else:
        least_w = power.power_w if power.kind == "constant" else power.idle_w
    least_w, saved_w = least_w + group.adder_w, -added_w(memory, group.ram_gib)
    if least_w >= saved_w:
        return []
    sentence = (
        f"A node draws {least_w:g} W at least, and its memory policy saves {saved_w:.1f} W of "
        "memory that is said to be in that. Enter the power of the node with its memory, or say "
        "that the memory is not in the power curve."
    )
    return [Finding(("memory", "in_curve"), "below_its_memory", sentence, memory.in_curve)]


def _gpu_findings(group: NodeGroup) -> list[Finding]:
    """Find what the GPUs of a group lack."""
    findings = []
    if group.gpus is not None and group.gpus_per_node_count <= 0:
        sentence = "The GPUs of this group are described, and it has none. Enter GPUs per node."
        findings.append(Finding(("gpus_per_node_count",), "needed", sentence))
    if group.gpus is not None and group.power is None:
        sentence = "GPUs use power on top of the node's. Enter the node's power too."
        findings.append(Finding(("power",), "needed", sentence))
    return findings


Purpose = Literal[
    "host_switch",
    "upper_switch",
    "gpu_switch",
    "management_switch",
    "console_server",
    "router",
    "host_link",
    "switch_link",
    "gpu_host_link",
    "gpu_switch_link",
]


class Equipment(Params):
    """Something bought beside the nodes: switches, power strips, cabling."""

    name: Name
    component: Component = Field(default="network", title="Price series")
    purpose: Purpose | None = blank(
        "What it is in the network, by which the check of completeness counts it. Empty: other.",
    )
    ports_count: CountFromOne | None = blank(
        "Of a switch, towards hosts or other switches. Empty: unknown.", title="Ports of one"
    )
    count: Amount = assumed(1.0, source="One of a kind")
    per_nodes_count: CountFromOne | None = blank(
        "So many of it for each so many nodes that are begun, bought as nodes are. Empty: bought "
        "once.",
        title="For each so many nodes",
    )
    group: Name | None = blank("Which nodes are counted. Empty: all.", title="Nodes of the group")
    unit_price_usd: Usd
    power_w: PowerW = unused("Power of one")
    rack_units_count: Amount = assumed(1.0, source="A switch of 1U", title="Rack units of one")
    price_as_of: IsoDate | None = Field(default=None, title="Date of the price")
