"""A cluster of one's own: everything that it needs besides the nodes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from capmodels.amounts import is_zero
from capmodels.plans.document.array_spec import ArraySpec
from capmodels.plans.document.bounded import (
    CountFromOne,
    DataTb,
    NetworkGbitPerS,
    PowerW,
    Usd,
    UsdPerGb,
    UsdPerKwMonth,
    UsdPerMonth,
    UsdPerTbMonth,
    UsdPerYear,
)
from capmodels.plans.document.capacity_plan import CapacityPlan, plan_field
from capmodels.plans.document.envelope import Envelope
from capmodels.plans.document.fields import (
    AheadFraction,
    Finding,
    FromOneRatio,
    Fte,
    Letter,
    LifeMonths,
    Months,
    MonthsFromOne,
    MonthsReal,
    Name,
    Pieces,
    PositiveRatio,
    RateFraction,
    UsdPerCoreYear,
    UsdPerNodeYear,
    UsdPerRackMonth,
    UsdPerSocketYear,
    UsdPerTb,
    refuse,
    unique,
    unused,
)
from capmodels.plans.document.hardware import Equipment, NodeGroup
from capmodels.plans.document.services import ServiceLines
from capmodels.plans.document.tiering import Tiering, tiering_field
from capmodels.spec import Params, assumed, blank, preset, recalled
from capmodels.units import (
    Fraction,
    Pue,
)


class Racks(Params):
    """Racks, bought as the nodes need them."""

    nodes_per_rack_count: CountFromOne = assumed(
        20, source="40 units of 2U nodes", title="Nodes in a rack"
    )
    power_w: Annotated[PowerW, Field(gt=0)] = recalled(
        10_000.0,
        "What the rack's supply and cooling can feed, without interruption.",
        source="A rack of 42 units with two metered power strips, 5 to 17 kW",
        title="Power of a rack",
    )
    unit_price_usd: Usd = unused("Price of a rack", "Zero when rented with the space.")


class Space(Params):
    """Floor space or colocation, by what is provisioned."""

    usd_per_kw_month: UsdPerKwMonth = unused(
        "Colocation per kW", "Paid for provisioned power, used or not."
    )
    usd_per_rack_month: UsdPerRackMonth = unused("Colocation per rack")
    usd_per_year: UsdPerYear = unused("Space, flat")
    term_months: Months = assumed(
        0,
        "Renewed at its end; payable to its end when the work stops within it.",
        source="Ended by a month's notice",
        title="Contract term",
    )
    electricity_included: bool = assumed(
        False,
        "The price of space has the electricity and cooling in it.",
        source="Power is usually metered",
        title="Electricity in the price",
    )


class Network(Params):
    """Transit and cross-connects."""

    transit_usd_per_month: UsdPerMonth = unused("Transit")
    cross_connects_count: Pieces = unused("Cross-connects")
    cross_connect_usd_per_month: UsdPerMonth = unused("Price of a cross-connect")
    usd_per_tb: UsdPerTb = unused("Traffic", "Price per TB sent, when it is metered.")


class Site(Params):
    """A place, where space, power and network are one price or come on top."""

    name: Name
    usd_per_year: UsdPerYear = unused("Price of the site", "Space and network in one.")
    once_usd: Usd = unused("Set-up of the site")


class Link(Params):
    """A line between two sites."""

    name: Name
    rate_gbit_per_s: NetworkGbitPerS | None = Field(default=None, title="Rate")
    usd_per_month: UsdPerMonth = unused("Price of the link")
    once_usd: Usd = unused("Set-up of the link")


class Support(Params):
    """Maintenance and support of the hardware."""

    fraction_per_year: RateFraction = unused(
        "Maintenance", "Share of the price of what is installed, a year, after the warranty."
    )
    warranty_months: Months = assumed(36, source="Three years of warranty")
    usd_per_year: UsdPerYear = unused("Support contract")


class Software(Params):
    """Licences, by what they are counted."""

    usd_per_core_year: UsdPerCoreYear = unused("Per core")
    usd_per_socket_year: UsdPerSocketYear = unused("Per socket")
    usd_per_node_year: UsdPerNodeYear = unused("Per node")
    usd_per_storage_node_year: UsdPerNodeYear = unused(
        "Per storage node", "Each node of a cluster of drives, or each array, as many as there are."
    )
    usd_per_year: UsdPerYear = unused("Flat")


class Backup(Params):
    """Backup kept elsewhere."""

    usd_per_tb_month: UsdPerTbMonth = unused("Backup")
    covers: Literal["all", "block"] = assumed(
        "all",
        "all: block and object storage and the archive; block: block storage alone, "
        "as snapshots of a cloud's volumes are. Growing with it.",
        source="The cautious choice",
        title="Kinds of data backed up",
    )
    data_tb: DataTb | None = blank("Empty: what is stored of these kinds.", title="Data backed up")


class Migration(Params):
    """Moving the work here: labour, months of paying both, and exit from the current site."""

    labour_usd: Usd = unused("Labour")
    parallel_months: MonthsReal = unused(
        "Parallel running", "Months in which the current site is paid for too."
    )
    parallel_letter: Annotated[str, Field(pattern=r"^[A-HT]$")] | None = blank(
        "The design that keeps running meanwhile (A-H), on demand as nobody commits for longer, or "
        "T for what runs today.",
        title="Current site",
    )
    parallel_usd_per_month: UsdPerMonth = unused(
        "Current site, entered", "Cost a month of what keeps running, when no design has it."
    )
    exit_tb: DataTb = unused("Data moved out", "Data moved out of the current site.")
    exit_usd_per_gb: UsdPerGb = unused("Egress price", "Zero when the provider waives it.")
    line_gbit_per_s: Annotated[NetworkGbitPerS, Field(gt=0)] | None = blank(
        "Line over which the data are moved. Empty: the lines that the traffic outside needs.",
        title="Line of the move",
    )
    overrun_ratio: PositiveRatio = assumed(
        1.0,
        "Migration as it turns out over migration as planned.",
        source="As planned",
        low=0.7,
        high=1.3,
    )

    @property
    def is_bridged(self) -> bool:
        """Whether another place is named, or its cost entered, that carries the work meanwhile."""
        return self.parallel_letter is not None or not is_zero(self.parallel_usd_per_month)


class Purchase(Params):
    """Paid when bought."""

    kind: Literal["buy"] = "buy"


class Lease(Params):
    """Paid month by month over a term."""

    kind: Literal["lease"]
    rate_fraction_per_year: RateFraction = assumed(
        0.07, source="Rates of equipment leases", low=0.05, high=0.10, title="Rate"
    )
    term_months: MonthsFromOne = assumed(36, source="Common lease term")
    at_end: Literal["bought_out", "returned"] = assumed(
        "bought_out",
        "bought_out: a finance lease; machines are written off like bought ones, their residual is "
        "paid at the end of the term, and they stay. returned: an operating lease; what is paid "
        "is deducted, nothing is owned, and beyond the term the rent goes on month by month.",
        source="A lease that ends in a purchase keeps the machines in the books: IFRS 16.32, "
        "ASC 842-10-25-2",
        title="At the end of the term",
    )
    residual_fraction: Fraction = assumed(
        0.0,
        "Share of the price that the payments leave: the price of buying the machines out, or "
        "what the lessor counts on getting for those returned.",
        source="A lease that repays the whole price",
        title="Residual value",
    )

    @property
    def is_returned(self) -> bool:
        """Whether the machines go back, so that nothing of them is owned."""
        return self.at_end == "returned"


Finance = Annotated[Purchase | Lease, Field(discriminator="kind")]


class Salvage(Params):
    """What machines are worth when they go."""

    fraction: Fraction = assumed(
        0.0,
        "Share of the price got back.",
        source="0-5% after five years",
        title="Salvage value",
    )
    disposal_fraction: Fraction = unused(
        "Disposal", "Cost of taking machines away, as a share of their price."
    )
    method: Literal["flat", "declining"] = assumed(
        "flat",
        "flat: the share at any age; declining: the share at the end of the life, "
        "more before it (price x share^(age/life)).",
        source="The cautious choice",
        title="By age",
    )
    life_months: LifeMonths = assumed(60.0, source="Five years", title="Hardware life")


class OwnedFields(Params):
    """All that an owned cluster consists of."""

    node_groups: tuple[NodeGroup, ...] = Field(max_length=16)
    equipment: tuple[Equipment, ...] = preset((), "Switches and the like.", max_length=32)
    array: ArraySpec | None = blank(
        "Holds block or object storage beside the nodes or in place of their drives.",
        title="Disk array",
    )
    tiering: Tiering | None = tiering_field()
    hardware_price_ratio: PositiveRatio = assumed(
        1.0,
        "All hardware prices of this design over those entered.",
        source="Prices as entered",
        low=0.7,
        high=1.3,
        title="Part prices",
    )
    racks: Racks = Racks()
    envelope: Envelope = Field(default=Envelope(), title="Limits of the site")
    space: Space = Space()
    network: Network = Network()
    sites: tuple[Site, ...] = Field(default=(), max_length=16)
    links: tuple[Link, ...] = Field(default=(), title="Links between sites", max_length=16)
    support: Support = Field(default=Support(), title="Maintenance and support")
    software: Software = Software()
    backup: Backup = Backup()
    services: ServiceLines = ()
    spares_fraction_per_year: RateFraction = unused(
        "Spares", "Spare parts a year as a share of the price of what is installed."
    )
    staff_fte: Fte = unused("Operations", "People who run it.")
    staff_usd_per_year: UsdPerYear = unused("Staff, flat", "Cost of staff typed as a sum.")
    migration: Migration = Migration()
    finance: Finance = Field(default=Purchase(), title="Buy or lease")
    salvage: Salvage = Salvage()
    refresh_months: MonthsFromOne | None = blank(
        "Age at which machines are replaced. Empty: not within the horizon."
    )
    lead_time_months: Months = assumed(
        0,
        "Months from order to use: each purchase must last so much longer.",
        source="Ordered in time",
    )
    bought_ahead_fraction: AheadFraction = unused(
        "Bought ahead",
        "Nodes and arrays ordered beyond what demand is expected to need, for growth that comes "
        "faster; of nodes that are counted by demand.",
    )
    pue: Pue | None = blank("Empty: as assumed for all.")
    provision_ratio: FromOneRatio = assumed(
        1.0, source="Contracted at peak power", title="Provisioned over drawn power"
    )

    @model_validator(mode="after")
    def _consistent(self) -> OwnedFields:
        findings = unique([group.name for group in self.node_groups], ("node_groups",), "name")
        if self.links and len(self.sites) < 2:
            sentence = "A link needs two sites. Enter the sites that it joins."
            findings.append(Finding(("links",), "too_few_sites", sentence))
        if not self.node_groups and self.array is None:
            sentence = "Nothing is owned. Add a group of nodes or a disk array."
            findings.append(Finding(("node_groups",), "needed", sentence))
        findings += _lifetimes(self)
        findings += _of_groups(self)
        findings += _powers(self)
        if self.tiering is not None and self.array is None:
            sentence = "Tiers are colder arrays beside a first one. Enter the disk array."
            findings.append(Finding(("array",), "needed", sentence))
        refuse(findings)
        return self


def _lifetimes(owned: OwnedFields) -> list[Finding]:
    if owned.finance.kind != "lease" or owned.refresh_months is None:
        return []
    if owned.finance.term_months <= owned.refresh_months:
        return []
    sentence = (
        f"The lease runs {owned.finance.term_months} months, longer than the machines are kept "
        f"({owned.refresh_months}). Enter at most {owned.refresh_months} months."
    )
    return [Finding(("finance", "term_months"), "lease_outlives", sentence)]


def _of_groups(owned: OwnedFields) -> list[Finding]:
    """Find equipment that goes by the nodes of a group that is not there."""
    names = {group.name for group in owned.node_groups}
    return [
        Finding(
            ("equipment", place, "group"),
            "no_group",
            f"No group of nodes is called {item.group!r}. Enter the name of one.",
            item.group,
        )
        for place, item in enumerate(owned.equipment)
        if item.group is not None and item.group not in names
    ]


def _powers(owned: OwnedFields) -> list[Finding]:
    if owned.space.electricity_included:
        return []
    sentence = (
        "The power of these nodes is unknown, so their electricity has no price. Enter their "
        "power, or say that the price of the space has the electricity in it."
    )
    return [
        Finding(("node_groups", index, "power"), "needed", sentence)
        for index, group in enumerate(owned.node_groups)
        if group.power is None
    ]


class OwnedCluster(OwnedFields):
    """Servers you own, on-premises or in colocation."""

    shortfall_letter: Letter | None = blank(
        "Where demand grows beyond what was bought in time, the rest of the work, "
        "data and GPUs is rented on demand as in this cloud design. Empty: demand is not met.",
        title="Peaks rented as in design",
    )

    plan: CapacityPlan | None = plan_field("as many nodes as the demand needs.")

    letter: Letter
    title: Name
    kind: Literal["owned_cluster"]
