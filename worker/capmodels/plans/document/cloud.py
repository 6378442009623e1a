"""Rented capacity: instances and how they are bought, storage, transfer, support."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from capmodels.cost.tiered import BilledGbPerTb
from capmodels.forms import named
from capmodels.plans.document.bounded import (
    DataGb,
    DataGib,
    DataTb,
    Usd,
    UsdPerGb,
    UsdPerH,
    UsdPerMonth,
    UsdPerYear,
)
from capmodels.plans.document.capacity_plan import CapacityPlan, plan_field
from capmodels.plans.document.cloud_storage import CloudStorage, check_bands
from capmodels.plans.document.embodied import VCPU_KGCO2E_PER_YEAR, FactorOrigin
from capmodels.plans.document.fields import (
    Amount,
    BelowOne,
    CarbonKgPerVcpuYear,
    Finding,
    FromOneRatio,
    Fte,
    IsoDate,
    Letter,
    MonthsFromOne,
    Name,
    NetworkPositive,
    Nodes,
    Note,
    Pieces,
    PositiveFraction,
    PositiveRatio,
    Slug,
    VcpuPositive,
    WattPerVcpu,
    refuse,
    unique,
    unused,
)
from capmodels.plans.document.inference import TokenPrices
from capmodels.plans.document.owned import Migration
from capmodels.plans.document.services import ServiceLines
from capmodels.providers import PROVIDERS, AnyProviderId
from capmodels.spec import Params, assumed, blank, default, derived, preset, recalled
from capmodels.units import Fraction, Pue, Ratio, Real, of_unit

_NO_INSTANCE = "No instance of the design has this name. Enter the name of one."


class Instances(Params):
    """One kind of instance of the mix."""

    name: Name = Field(title="Instance type")
    entry: Slug | None = Field(default=None, title="Catalogue entry")
    usd_per_h: UsdPerH = Field(title="On-demand price")
    price_as_of: IsoDate | None = Field(default=None, title="Date of the price")
    vcpu_count: VcpuPositive = Field(title="vCPUs")
    ram_gib: DataGib = unused("RAM")
    gpus_count: Amount = unused("GPUs", "An instance with GPUs serves GPU demand only.")
    gpu: Name | None = blank(
        "Kind of its GPUs, such as NVIDIA H100. Empty: not known.", title="Kind of GPU"
    )
    network_gbit_per_s: NetworkPositive | None = blank(
        "What an instance can send or receive. Egress and cross-zone traffic at peak "
        "may take the workload's share of it. Empty: unknown, so it sizes nothing.",
        title="Network",
    )
    perf_per_vcpu_ratio: PositiveRatio = assumed(
        1.0,
        "Work of one vCPU over that of a reference core. On most families a vCPU "
        "is a hyperthread, on some a full core.",
        source="A vCPU that is a core of the reference kind",
        low=0.8,
        high=1.2,
        title="Speed of a vCPU",
    )
    share_fraction: Fraction = assumed(
        1.0, "Share of the demand that this type serves.", source="One type serves all"
    )
    spare_count: Nodes | None = blank(
        "Instances beyond the need in every hour. Empty: as the workload's availability says.",
        title="Spare instances",
    )
    disks_count: Pieces = unused("Disks", "Local disks, for an equivalence by disks.")
    disks_tb: DataTb = unused("Local storage", "All local disks together.")
    replaces: Name | None = blank(
        "With utilisation as the workload: the machines that it replaces. Empty: all of them.",
        title="Equivalent of",
    )
    equivalence: Literal["by_core", "by_disk_count", "by_capacity", "max_of_all", "explicit"] = (
        preset("by_core", "With utilisation as the workload: how machines turn into instances.")
    )
    instances_count: Amount | None = blank("Number, when the equivalence is explicit.")

    @model_validator(mode="after")
    def _explicit_count(self) -> Instances:
        if self.equivalence == "explicit" and self.instances_count is None:
            sentence = "An explicit equivalence needs its number. Enter the number of instances."
            refuse([Finding(("instances_count",), "needed", sentence)])
        needs = {"by_disk_count": "disks_count", "by_capacity": "disks_tb"}.get(self.equivalence)
        if needs is not None and getattr(self, needs) <= 0:
            sentence = "The equivalence goes by disks, but the instance has none. Enter its disks."
            refuse([Finding((needs,), "needed", sentence)])
        return self


class CommittedPrice(Params):
    """What an hour of one kind of instance costs while it is committed."""

    name: Name = Field(
        title="Instance type", description="One of the design's instances, by its name."
    )
    usd_per_h: UsdPerH = Field(
        title="Price while committed",
        description="An hour with what is paid in advance spread over the term.",
    )
    price_as_of: IsoDate | None = Field(default=None, title="Date of the price")


class Commitment(Params):
    """A promise to pay for a base of instances over a term, at a discount or at a price."""

    kind: Literal["reserved", "savings_plan"] = preset(
        "savings_plan", "Reserved instances or a savings plan: the same arithmetic."
    )
    term_months: MonthsFromOne = default(36, source="Terms are 12 or 36 months")
    discount_fraction: BelowOne = assumed(
        0.55,
        "Discount on the on-demand price.",
        source="3-year commitments without payment in advance, 50-60%",
        low=0.50,
        high=0.60,
    )
    plan: Name | None = blank(
        "As the price list calls it. Choosing the region again takes its prices there."
    )
    prices: tuple[CommittedPrice, ...] = preset(
        (),
        "Of instances that have one here, the discount is not read.",
        title="Prices while committed",
        max_length=16,
    )
    upfront_fraction: Fraction = unused("Paid in advance", "Share of the term's price paid first.")
    base_quantile_fraction: Fraction | None = derived(
        None,
        "Quantile of the hourly demand up to which instances are committed; "
        "reviewed every year, and more is committed as demand grows. Empty: the level that "
        "costs least under the demand as planned.",
        source="The level that costs least, see the model cost.commitment",
        title="Base",
    )
    renewed: bool = assumed(
        True,
        "Reviewed every year and renewed at its end; otherwise bought once, and "
        "what runs off goes on demand.",
        source="Renewed while the work goes on",
    )


class Spot(Params):
    """Interruptible capacity in place of a part of what is on demand."""

    covers: Literal["all", "gpus"] = preset(
        "all",
        "Whether all instances may be taken back, or those with GPUs alone.",
        title="Instances",
        extra=named(all="All", gpus="With GPUs"),
    )
    share_fraction: Fraction = unused("Share", "Share of the on-demand hours that run on spot.")
    discount_fraction: BelowOne = recalled(
        0.65, source="Spot discounts up to 90%", low=0.5, high=0.8
    )
    waste_fraction: BelowOne = derived(
        0.096,
        "Share of spot hours lost to interruptions and checkpoints.",
        source="Young's interval at 0.1 h per checkpoint, an interruption a day",
        low=0.05,
        high=0.14,
        title="Work lost",
    )


class TransferTier(Params):
    """One band of a transfer price."""

    up_to_tb: DataTb | None = blank("Upper end of the band, a month. Empty: no end.")
    usd_per_gb: UsdPerGb = Field(title="Price")


class SupportBand(Params):
    """One band of a support plan's price."""

    up_to_usd_per_month: UsdPerMonth | None = blank("Upper end of the band. Empty: no end.")
    fraction: Fraction = Field(title="Share of the bill")


class CloudTransfer(Params):
    """Data that moves: to the internet, between zones, through gateways."""

    egress_tiers: tuple[TransferTier, ...] = Field(
        default=(), title="Egress, by band", max_length=8
    )
    free_gb_per_month: DataGb = unused(
        "Free egress", "GB a month for which nothing is billed, before the first band."
    )
    gb_per_tb: BilledGbPerTb | None = blank(
        "Empty: as for storage.", title="GB billed for a TB moved"
    )
    ingress_usd_per_gb: UsdPerGb = unused("Ingress")
    cross_zone_usd_per_gb: UsdPerGb = unused("Cross-zone", "Both directions together.")
    nat_usd_per_gb: UsdPerGb = unused("NAT, per GB", "Paid for what leaves and enters through it.")
    nat_usd_per_month: UsdPerMonth = unused("NAT and balancers, flat")
    other_fraction: BelowOne = unused(
        "NAT, balancers and others", "As a share of instances, storage and transfer."
    )

    @model_validator(mode="after")
    def _bands(self) -> CloudTransfer:
        ends = [tier.up_to_tb for tier in self.egress_tiers]
        refuse(check_bands("egress_tiers", "up_to_tb", ends))
        return self


class CloudSupport(Params):
    """A support plan, priced by bands of the monthly bill."""

    bands: tuple[SupportBand, ...] = Field(default=(), max_length=8)
    minimum_usd_per_month: UsdPerMonth = unused("At least")
    valid_until: IsoDate | None = blank(
        "Last day on which the plan is sold at this price. Empty: not known."
    )

    @model_validator(mode="after")
    def _bands(self) -> CloudSupport:
        ends = [band.up_to_usd_per_month for band in self.bands]
        refuse(check_bands("bands", "up_to_usd_per_month", ends))
        return self


class Credits(Params):
    """Money of the provider's that bills are paid with at first."""

    usd: Usd = unused("Credits", "Used up by the bills of the first months.")
    months: MonthsFromOne = recalled(
        12,
        "Months over which they are spread; what a month does not use is lost.",
        source="Credits of start-up programmes last one or two years",
        title="Valid for",
    )


class CloudCopy(Params):
    """Copying data to the instances before a job, while they wait."""

    data_tb: DataTb = unused("Data of one copy")
    times_per_year: Ratio = unused("Copies a year")
    rate_gbit_per_s: Annotated[Real, of_unit("Gbit/s", gt=0)] = default(
        2.0,
        source="Free Factories, section 4.5, an assumed very low rate",
        as_of="2008-06-22",
        title="Rate",
    )
    billing: Literal["exact", "started_hours"] = preset(
        "exact", "Instances bill seconds or started hours."
    )


class ServiceDiscounts(Params):
    """Discounts agreed on the prices of one service, before the one on the whole bill."""

    instances_fraction: BelowOne = unused("On instances", "On demand and beyond commitments.")
    block_fraction: BelowOne = unused("On block storage")
    object_fraction: BelowOne = unused("On object storage", "Archive included.")
    transfer_fraction: BelowOne = unused("On transfer")


class CloudExit(Params):
    """Leaving at the end of the horizon."""

    counted: bool = assumed(False, source="The work goes on", title="Count exit cost")
    usd_per_gb: UsdPerGb = unused("Egress price", "Zero when the provider waives it.")


class CloudUptime(Params):
    """Availability that the provider promises for what is rented."""

    one_zone_fraction: PositiveFraction | None = blank(
        "Share of the time for which a machine in one zone is promised to be up. Empty: as the "
        "provider publishes it; unknown where it publishes none.",
        title="Promised in one zone",
    )
    zones_fraction: PositiveFraction | None = blank(
        "The same of machines in several zones, where the work survives the loss of one. Empty: as "
        "the provider publishes it.",
        title="Promised over several zones",
    )


class CloudEnergy(Params):
    """Estimate of the energy of rented capacity, which no provider meters for customers."""

    idle_w_per_vcpu: WattPerVcpu = default(
        0.74,
        source="Cloud Carbon Footprint, methodology, AWS minimum",
        as_of="2023-05-23",
        low=0.45,
        high=1.05,
        title="Power of an idle vCPU",
    )
    full_w_per_vcpu: WattPerVcpu = default(
        3.5,
        source="Cloud Carbon Footprint, methodology, AWS maximum",
        as_of="2023-05-23",
        low=1.8,
        high=5.4,
        title="Power of a busy vCPU",
    )
    low_ratio: Annotated[Real, of_unit("ratio", gt=0, le=1)] = derived(
        0.5,
        source="Spread of Cloud Carbon Footprint's coefficients over CPU families",
        as_of="2023-05-23",
        title="Lowest over the estimate",
    )
    high_ratio: FromOneRatio = derived(
        2.0,
        source="Spread over CPU families; a vCPU that is a full core uses up to twice",
        as_of="2023-05-23",
        title="Highest over the estimate",
    )
    pue: Pue = default(1.135, source="Cloud Carbon Footprint, methodology, AWS", as_of="2023-05-23")
    storage_w_per_tb: Annotated[Real, of_unit("W/TB", ge=0)] = default(
        1.2,
        "Per TB and copy.",
        source="Cloud Carbon Footprint, methodology, SSD",
        as_of="2023-05-23",
        title="Power of block storage",
    )
    object_w_per_tb: Annotated[Real, of_unit("W/TB", ge=0)] = default(
        0.65,
        "Per TB and copy.",
        source="Cloud Carbon Footprint, methodology, HDD",
        as_of="2023-05-23",
        title="Power of object storage",
    )
    copies_count: Annotated[Real, of_unit("count", ge=1, le=16)] = default(
        3.0, source="Cloud Carbon Footprint, replication factors", as_of="2023-05-23"
    )
    embodied_kgco2e_per_vcpu_year: CarbonKgPerVcpuYear | None = derived(
        VCPU_KGCO2E_PER_YEAR,
        source="Cloud Carbon Footprint, embodied 1,000-1,500 kg a server of 96 vCPUs over 4 years",
        as_of="2023-05-23",
        low=2.0,
        high=5.5,
        title="Embodied carbon",
    )
    embodied_origin: FactorOrigin | None = blank(
        "Empty: of the factor that comes with it, else unknown.", title="Origin of embodied carbon"
    )


class CloudFields(Params):
    """All that a rented design consists of."""

    provider: AnyProviderId = Field(
        default=next(iter(PROVIDERS)),
        json_schema_extra=named(**{one.id: one.title for one in PROVIDERS.values()}, other="Other"),
    )
    region: Name | None = blank(
        "Its code or a city. Prices that the catalogue holds for it are taken.",
        extra={"catalogue": "region"},
    )
    instances: tuple[Instances, ...] = Field(min_length=1, max_length=16)
    commitments: tuple[Commitment, ...] = preset(
        (), "Each covers the demand up to its base that those before do not.", max_length=6
    )
    spot: Spot = Spot()
    negotiated_discount_fraction: BelowOne = assumed(
        0.0,
        "On the whole bill, on top of everything else.",
        source="List prices",
    )
    discounts: ServiceDiscounts = Field(default=ServiceDiscounts(), title="Discounts by service")
    credits: Credits = Credits()
    storage: CloudStorage = CloudStorage()
    transfer: CloudTransfer = CloudTransfer()
    support: CloudSupport = CloudSupport()
    services: ServiceLines = ()
    token_prices: TokenPrices = ()
    copying: CloudCopy = Field(default=CloudCopy(), title="Initial data transfer")
    exit: CloudExit = Field(default=CloudExit(), title="Exit cost")
    uptime: CloudUptime = Field(default=CloudUptime(), title="Availability promised")
    staff_fte: Fte = unused("Operations", "People who run it.")
    staff_usd_per_year: UsdPerYear = unused("Staff, flat", "Cost of staff typed as a sum.")
    migration: Migration = Migration()
    energy: CloudEnergy | None = preset(
        CloudEnergy(), "Empty: energy and carbon stay unknown.", title="Energy estimate"
    )
    note: Note | None = None

    @model_validator(mode="after")
    def _instance_names(self) -> CloudFields:
        names = [item.name for item in self.instances]
        found = unique(names, ("instances",), "name")
        found += unique([one.model for one in self.token_prices], ("token_prices",), "model")
        if self.token_prices and any(item.gpus_count > 0 for item in self.instances):
            sentence = (
                "An API serves the streams in place of GPUs. Remove the instances with GPUs, or "
                "the prices per token."
            )
            found.append(Finding(("token_prices",), "api_or_gpus", sentence))
        for place, commitment in enumerate(self.commitments):
            at = ("commitments", place, "prices")
            priced = [price.name for price in commitment.prices]
            found += unique(priced, at, "name")
            found += [
                Finding((*at, number, "name"), "unknown", _NO_INSTANCE)
                for number, name in enumerate(priced)
                if name not in names
            ]
        refuse(found)
        return self


class Cloud(CloudFields):
    """Public cloud instances."""

    plan: CapacityPlan | None = plan_field("as the commitments say.")

    letter: Letter
    title: Name
    kind: Literal["cloud"]
