"""A disk array as a study enters it: drives, layout, cache, enclosure, power policy, I/O load."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from capmodels.plans.document.array_code import ArrayCode
from capmodels.plans.document.array_expansion import Expansion
from capmodels.plans.document.array_findings import array_findings
from capmodels.plans.document.bounded import (
    CarbonKgco2e,
    Count,
    CountFromOne,
    PowerW,
    RatePerS,
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
    IsoDate,
    Months,
    MonthsFromOne,
    Name,
    Note,
    PositiveRatio,
    Slug,
    refuse,
    spread_findings,
    unused,
)
from capmodels.reliability.loss_params import DECLUSTERED, RatioFromOne
from capmodels.spec import Params, default
from capmodels.storage.drive.drives import TRAVELSTAR_7K60, Drive, PositiveMbPerS, SolidState
from capmodels.units import (
    DurationS,
    Fraction,
    Real,
    Whole,
)

LayoutKind = Literal[
    "single",
    "raid0",
    "raid1",
    "raid10",
    "raid5",
    "raid6",
    "raid7",
    "draid1",
    "draid2",
    "draid3",
    "mirrored_sets",
]
DisksCount = Annotated[CountFromOne, Field(le=2048)]
ArraysCount = Annotated[Count, Field(le=1_000_000)]
LEAST_REQUEST_BYTES, MOST_REQUEST_BYTES = 512, 2**30
RequestBytes = Annotated[
    Whole, Field(ge=LEAST_REQUEST_BYTES, le=MOST_REQUEST_BYTES, json_schema_extra={"unit": "B"})
]
PositiveH = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "h"})]
PositiveRate = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "1/s"})]
FalseFraction = Annotated[Fraction, Field(lt=1)]
ReductionRatio = Annotated[Real, Field(ge=1, le=100, json_schema_extra={"unit": "ratio"})]


class IoMix(Params):
    """What requests to block storage look like."""

    read_fraction: Fraction = default(
        0.7,
        source="Two reads to a write, and some",
        quality="assumed",
        low=0.5,
        high=1.0,
        title="Reads",
        description="Share of the requests that read.",
    )
    request_bytes: RequestBytes = default(
        8192,
        source="Page of common databases",
        quality="assumed",
        title="Request",
        description="Size of every request.",
    )
    pattern: Literal["random", "sequential"] = default(
        "random",
        source="Many users at once",
        quality="assumed",
        title="Pattern",
        description="random: a seek and half a turn for each; sequential: one after another.",
    )


class IoLoad(IoMix):
    """Requests of an array's own, which neither grow nor follow the workload."""

    requests_per_s: RatePerS = Field(title="Requests", description="At the peak.")


class ArrayCache(Params):
    """Solid-state drives in front of the disks."""

    device: SolidState = Field(title="Device")
    unit_price_usd: Usd = unused("Price of a device")
    count: CountFromOne = default(1, source="One device", quality="assumed", title="Devices")
    hit_fraction: Fraction = default(
        0.5,
        source="Unknown until a trace is asked",
        quality="assumed",
        low=0.2,
        high=0.9,
        title="Reads that hit",
        description="Share of the reads that the cache answers.",
    )
    write_back: bool = default(
        True,
        source="Mirrored write buffers",
        quality="assumed",
        title="Write-back",
        description="Writes are answered by the cache and reach the disks later.",
    )
    absorbed_fraction: Fraction = unused(
        "Writes absorbed", "Share of the writes that are overwritten before they reach the disks."
    )


class AlwaysOn(Params):
    """Every drive spins all the time."""

    kind: Literal["always_on"] = Field(default="always_on", title="Kind")


class ThresholdPolicy(Params):
    """A drive sleeps after an idle time; of mirrored copies, as few as the load needs stay awake.

    Reads go to the copies that are awake, and writes wake the others.
    """

    kind: Literal["threshold"] = Field(title="Kind")
    idle_timeout_s: DurationS | None = Field(
        default=None,
        title="Idle time",
        description="Idle time after which a drive spins down. Empty: the break-even time.",
    )


PowerPolicy = Annotated[AlwaysOn | ThresholdPolicy, Field(discriminator="kind")]


class Enclosure(Params):
    """What holds and runs the drives of one array."""

    unit_price_usd: Usd = unused("Price", "Enclosure, controller, cables: all but the drives.")
    power_w: PowerW = unused("Power", "Power of controllers, fans and expanders.")
    rack_units_count: Amount = default(
        2.0, source="A shelf of 2U", quality="assumed", title="Rack units"
    )
    io_per_s: PositiveRate | None = Field(
        default=None, title="IOPS of the controller", description="Empty: not a constraint."
    )
    throughput_mb_per_s: PositiveMbPerS | None = Field(
        default=None, title="Throughput of the controller", description="Empty: not a constraint."
    )


class ArrayEmbodied(Params):
    """Emissions of making the drives and what holds them."""

    drive_kgco2e: CarbonKgco2e = Field(title="A drive")
    enclosure_kgco2e: CarbonKgco2e = unused("The enclosure")
    low_ratio: PositiveRatio = default(
        0.5, source="Spread of product carbon footprints", quality="assumed", title="Lowest"
    )
    high_ratio: PositiveRatio = default(
        2.0, source="Spread of product carbon footprints", quality="assumed", title="Highest"
    )
    life_months: MonthsFromOne = default(
        60, source="Five years in service", quality="assumed", title="Life"
    )
    year: FactorYear | None = year_field()
    basis: FactorBasis | None = basis_field()
    factor_source: Name | None = source_field()

    @model_validator(mode="after")
    def _ordered(self) -> ArrayEmbodied:
        ends = (self.low_ratio, 1.0, self.high_ratio)
        refuse(spread_findings("ratio", ends, "the estimate", "times itself"))
        return self


class ArraySpec(Params):
    """Equal drives that hold data together."""

    entry: Slug | None = Field(default=None, title="Catalogue entry")
    drive: Drive = Field(default=TRAVELSTAR_7K60, title="Drive")
    drive_price_usd: Usd = Field(title="Price of a drive")
    price_as_of: IsoDate | None = Field(default=None, title="Date of the price")
    layout: LayoutKind = Field(
        default="raid5",
        title="Layout",
        description="raid1: all drives hold the same data; mirrored_sets: stripes over sets of "
        "such drives; raid5, raid6 and raid7: one, two and three parities within each "
        "group; draid1, draid2 and draid3: declustered, stripes of a group spread over all drives "
        "with room for rebuilds on each.",
    )
    code: ArrayCode | None = Field(
        default=None,
        title="Erasure code over nodes",
        description="A cluster in place of an array: its drives are spread over nodes, its data "
        "coded or copied. Empty: by the layout.",
    )
    reduction_ratio: ReductionRatio = default(
        1.0,
        source="Data that neither shrinks nor repeats",
        quality="assumed",
        title="Compression",
        description="Data stored over the space that they take once compressed. Enter a range: "
        "it moves how much has to be bought.",
    )
    deduplication_ratio: ReductionRatio = default(
        1.0,
        source="Data that does not repeat",
        quality="assumed",
        title="Deduplication",
        description="Data stored over what is left when repeated blocks are kept once.",
    )
    disks_count: DisksCount = default(
        4,
        source="A small parity group",
        quality="assumed",
        title="Drives",
        description="Without spares.",
    )
    disks_per_group: DisksCount | None = Field(
        default=None,
        title="Drives of a group",
        description="Of a parity group or a declustered stripe, or copies of a mirrored set. "
        "Empty: all drives; 2 in RAID-10.",
    )
    stripe_unit_bytes: RequestBytes = default(
        65_536,
        source="Default of Linux md in the papers' time",
        quality="assumed",
        title="Stripe unit",
        description="Data on one drive before the next one follows.",
    )
    spares_count: Count = default(
        0,
        source="None unless entered",
        quality="assumed",
        title="Hot spares",
        description="Besides the drives. A declustered array spreads their room over all drives, "
        "which then all serve requests.",
    )
    spares_sleep: bool = default(
        False,
        source="Spares that spin",
        quality="assumed",
        title="Hot spares sleep",
        description="In standby until a rebuild begins, which waits until they have spun up.",
    )
    count: ArraysCount | None = default(
        1,
        source="One array",
        quality="assumed",
        title="Arrays",
        description="Arrays of this kind. Empty: as many as the demand needs, bought as it grows.",
    )
    expansion: Expansion = Field(default=Expansion(), title="Expansion")
    carries: Literal["block", "object", "block_and_object"] = Field(
        default="block", title="Data held", description="Kinds of stored data that the array holds."
    )
    cache: ArrayCache | None = Field(default=None, title="SSD cache")
    power_policy: PowerPolicy = Field(default=AlwaysOn(), title="Power policy")
    enclosure: Enclosure = Field(default=Enclosure(), title="Enclosure and controller")
    io: IoLoad | None = Field(
        default=None,
        title="I/O load",
        description="Empty: for objects alone what the work asks of them, where it says how many "
        "requests read how much; else the workload's block IOPS, with its mix.",
    )
    mttr_h: PositiveH | None = Field(
        default=None,
        title="Time to repair",
        description="Until a lost drive is whole again. Empty: by its size and the rate of a "
        "rebuild, after a day's wait where no spare is at hand. A code over nodes never uses it.",
    )
    rebuild_mb_per_s: PositiveMbPerS = default(
        50.0,
        source="A rebuild beside the requests",
        quality="assumed",
        low=20.0,
        high=150.0,
        title="Rate of a rebuild",
        description="What a drive reads or writes for it: the spare, or of a declustered array "
        "and a cluster each drive that is left.",
    )
    together_ratio: RatioFromOne = default(
        1.0,
        source="Each drive fails on its own",
        quality="assumed",
        title="Failures in batches",
        description="Failure rate once a drive of a group is lost, of that before: bad batches, "
        "heat, work of a rebuild.",
    )
    false_replacement_fraction: FalseFraction = default(
        0.3,
        source="14 of 23 discarded drives were healthy (Huang 2006); a planning value",
        quality="assumed",
        low=0.0,
        high=0.61,
        title="Replaced though healthy",
    )
    warranty_months: Months = default(
        36,
        source="Three years of warranty",
        quality="assumed",
        title="Warranty of the drives",
        description="Months in which the maker replaces drives without charge.",
    )
    embodied: ArrayEmbodied | None = Field(default=None, title="Embodied carbon")
    note: Note | None = Field(default=None, title="Note")

    @model_validator(mode="after")
    def _consistent(self) -> ArraySpec:
        refuse(array_findings(self))
        return self

    @property
    def in_steps(self) -> bool:
        """Whether they grow by nodes, or by drives within an array, rather than by whole ones."""
        if self.count is not None or self.expansion.kind == "whole":
            return False
        return self.code is not None or self.step_drives_count < self.disks_count

    @property
    def least_step_count(self) -> int:
        """Drives that the layout allows to be added: a group; any of a declustered array."""
        if self.declustered:
            return 1
        return self.disks_count if self.layout == "raid0" else self.per_group

    @property
    def step_drives_count(self) -> int:
        """Drives that are added at once to an array."""
        whole = self.per_group if self.declustered else self.least_step_count
        return min(self.expansion.step_count or whole, self.disks_count)

    @property
    def kinds(self) -> frozenset[str]:
        """Kinds of stored data that it holds."""
        return frozenset(self.carries.split("_and_"))

    @property
    def per_group(self) -> int:
        """Drives of one group."""
        if self.code is not None:
            return self.code.code.shards_count
        if self.layout in {"single", "raid0"}:
            return 1
        if self.disks_per_group is not None and self.layout != "raid1":
            return self.disks_per_group
        return 2 if self.layout == "raid10" else self.disks_count

    @property
    def groups(self) -> int:
        """Groups of an array that lose data each on their own."""
        return 1 if self.declustered else self.disks_count // self.per_group

    @property
    def declustered(self) -> bool:
        """Whether stripes are spread over all drives, spare room with them."""
        return self.code is None and self.layout in DECLUSTERED

    @property
    def serving_count(self) -> int:
        """Drives that serve requests: all, or all but the hot spares."""
        return self.disks_count + (int(self.spares_count) if self.declustered else 0)

    @property
    def idle_spares_count(self) -> float:
        """Hot spares that only wait."""
        return 0.0 if self.declustered else self.spares_count

    @property
    def copies(self) -> int:
        """Drives that hold the same data; 1 with parity or without redundancy."""
        mirrors = self.code is None and self.layout in {"raid1", "raid10", "mirrored_sets"}
        return self.per_group if mirrors else 1

    @property
    def parities(self) -> int:
        """Drives' worth of parity in a group."""
        if self.code is not None:
            return self.per_group - self.code.data_count
        return {"raid5": 1, "raid6": 2, "raid7": 3, **DECLUSTERED}.get(self.layout, 0)

    @property
    def enclosures_count(self) -> int:
        """Enclosures of one array: nodes, where it is a cluster."""
        return 1 if self.code is None else self.code.nodes_count

    @property
    def data_disks(self) -> float:
        """Drives' worth of data in an array."""
        if self.code is not None:
            share = self.code.data_count / self.code.code.shards_count
            return self.disks_count * share * self.code.fill_fraction
        if self.declustered:
            return self.disks_count * (1 - self.parities / self.per_group)
        return self.disks_count // self.copies - self.groups * self.parities

    @property
    def usable_tb(self) -> float:
        """Data that one array holds, once they are reduced. [TB]"""
        raw = self.data_disks * self.drive.capacity_gb / 1000.0
        return raw * self.reduction_ratio * self.deduplication_ratio
