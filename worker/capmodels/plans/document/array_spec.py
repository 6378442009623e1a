"""A disk array as a study enters it: drives, layout, cache, enclosure, power policy, I/O load."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from capmodels.errors import ModelError
from capmodels.plans.document.array_code import ArrayCode, code_findings
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
    Finding,
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
from capmodels.spec import Params, assumed, blank, preset
from capmodels.storage.drive.drives import TRAVELSTAR_7K60, Drive, PositiveMbPerS, SolidState
from capmodels.storage.drive.times import seek_curve
from capmodels.units import DurationS, Fraction, Real, Whole, of_unit

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
LEAST_PER_GROUP: dict[str, int] = {
    "raid5": 3,
    "raid6": 4,
    "raid7": 5,
    "raid10": 2,
    "mirrored_sets": 2,
    "draid1": 2,
    "draid2": 3,
    "draid3": 4,
}

DisksCount = Annotated[CountFromOne, Field(le=2048)]
ArraysCount = Annotated[Count, Field(le=1_000_000)]
LEAST_REQUEST_BYTES, MOST_REQUEST_BYTES = 512, 2**30
RequestBytes = Annotated[Whole, of_unit("B", ge=LEAST_REQUEST_BYTES, le=MOST_REQUEST_BYTES)]
PositiveH = Annotated[Real, of_unit("h", gt=0)]
PositiveRate = Annotated[Real, of_unit("1/s", gt=0)]
FalseFraction = Annotated[Fraction, Field(lt=1)]
ReductionRatio = Annotated[Real, of_unit("ratio", ge=1, le=100)]


class IoMix(Params):
    """What requests to block storage look like."""

    read_fraction: Fraction = assumed(
        0.7,
        "Share of the requests that read.",
        source="Two reads to a write, and some",
        low=0.5,
        high=1.0,
        title="Reads",
    )
    request_bytes: RequestBytes = assumed(
        8192, "Size of every request.", source="Page of common databases"
    )
    pattern: Literal["random", "sequential"] = assumed(
        "random",
        "random: a seek and half a turn for each; sequential: one after another.",
        source="Many users at once",
    )


class IoLoad(IoMix):
    """Requests of an array's own, which neither grow nor follow the workload."""

    requests_per_s: RatePerS = Field(description="At the peak.")


class ArrayCache(Params):
    """Solid-state drives in front of the disks."""

    device: SolidState
    unit_price_usd: Usd = unused("Price of a device")
    count: CountFromOne = assumed(1, source="One device", title="Devices")
    hit_fraction: Fraction = assumed(
        0.5,
        "Share of the reads that the cache answers.",
        source="Unknown until a trace is asked",
        low=0.2,
        high=0.9,
        title="Reads that hit",
    )
    write_back: bool = assumed(
        True,
        "Writes are answered by the cache and reach the disks later.",
        source="Mirrored write buffers",
        title="Write-back",
    )
    absorbed_fraction: Fraction = unused(
        "Writes absorbed", "Share of the writes that are overwritten before they reach the disks."
    )


class AlwaysOn(Params):
    """Every drive spins all the time."""

    kind: Literal["always_on"] = "always_on"


class ThresholdPolicy(Params):
    """A drive sleeps after an idle time; of mirrored copies, as few as the load needs stay awake.

    Reads go to the copies that are awake, and writes wake the others.
    """

    kind: Literal["threshold"]
    idle_timeout_s: DurationS | None = blank(
        "Idle time after which a drive spins down. Empty: the break-even time.", title="Idle time"
    )


PowerPolicy = Annotated[AlwaysOn | ThresholdPolicy, Field(discriminator="kind")]


class Enclosure(Params):
    """What holds and runs the drives of one array."""

    unit_price_usd: Usd = unused("Price", "Enclosure, controller, cables: all but the drives.")
    power_w: PowerW = unused("Power", "Power of controllers, fans and expanders.")
    rack_units_count: Amount = assumed(2.0, source="A shelf of 2U")
    io_per_s: PositiveRate | None = blank(
        "Empty: not a constraint.", title="IOPS of the controller"
    )
    throughput_mb_per_s: PositiveMbPerS | None = blank(
        "Empty: not a constraint.", title="Throughput of the controller"
    )


class ArrayEmbodied(Params):
    """Emissions of making the drives and what holds them."""

    drive_kgco2e: CarbonKgco2e = Field(title="A drive")
    enclosure_kgco2e: CarbonKgco2e = unused("The enclosure")
    low_ratio: PositiveRatio = assumed(
        0.5, source="Spread of product carbon footprints", title="Lowest"
    )
    high_ratio: PositiveRatio = assumed(
        2.0, source="Spread of product carbon footprints", title="Highest"
    )
    life_months: MonthsFromOne = assumed(60, source="Five years in service")
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
    drive: Drive = TRAVELSTAR_7K60
    drive_price_usd: Usd = Field(title="Price of a drive")
    price_as_of: IsoDate | None = Field(default=None, title="Date of the price")
    layout: LayoutKind = preset(
        "raid5",
        "raid1: all drives hold the same data; mirrored_sets: stripes over sets of "
        "such drives; raid5, raid6 and raid7: one, two and three parities within each "
        "group; draid1, draid2 and draid3: declustered, stripes of a group spread over all drives "
        "with room for rebuilds on each.",
    )
    code: ArrayCode | None = blank(
        "A cluster in place of an array: its drives are spread over nodes, its data "
        "coded or copied. Empty: by the layout.",
        title="Erasure code over nodes",
    )
    reduction_ratio: ReductionRatio = assumed(
        1.0,
        "Data stored over the space that they take once compressed. Enter a range: "
        "it moves how much has to be bought.",
        source="Data that neither shrinks nor repeats",
        title="Compression",
    )
    deduplication_ratio: ReductionRatio = assumed(
        1.0,
        "Data stored over what is left when repeated blocks are kept once.",
        source="Data that does not repeat",
    )
    disks_count: DisksCount = assumed(
        4, "Without spares.", source="A small parity group", title="Drives"
    )
    disks_per_group: DisksCount | None = blank(
        "Of a parity group or a declustered stripe, or copies of a mirrored set. "
        "Empty: all drives; 2 in RAID-10.",
        title="Drives of a group",
    )
    stripe_unit_bytes: RequestBytes = assumed(
        65_536,
        "Data on one drive before the next one follows.",
        source="Default of Linux md in the papers' time",
    )
    spares_count: Count = assumed(
        0,
        "Besides the drives. A declustered array spreads their room over all drives, "
        "which then all serve requests.",
        source="None unless entered",
        title="Hot spares",
    )
    spares_sleep: bool = assumed(
        False,
        "In standby until a rebuild begins, which waits until they have spun up.",
        source="Spares that spin",
        title="Hot spares sleep",
    )
    count: ArraysCount | None = assumed(
        1,
        "Arrays of this kind. Empty: as many as the demand needs, bought as it grows.",
        source="One array",
        title="Arrays",
    )
    carries: Literal["block", "object", "block_and_object"] = preset(
        "block", "Kinds of stored data that the array holds.", title="Data held"
    )
    cache: ArrayCache | None = Field(default=None, title="SSD cache")
    power_policy: PowerPolicy = AlwaysOn()
    enclosure: Enclosure = Field(default=Enclosure(), title="Enclosure and controller")
    io: IoLoad | None = blank(
        "Empty: for objects alone what the work asks of them, where it says how many "
        "requests read how much; else the workload's block IOPS, with its mix.",
        title="I/O load",
    )
    mttr_h: PositiveH | None = blank(
        "Until a lost drive is whole again. Empty: by its size and the rate of a "
        "rebuild, after a day's wait where no spare is at hand. A code over nodes never uses it.",
        title="Time to repair",
    )
    rebuild_mb_per_s: PositiveMbPerS = assumed(
        50.0,
        "What a drive reads or writes for it: the spare, or of a declustered array "
        "and a cluster each drive that is left.",
        source="A rebuild beside the requests",
        low=20.0,
        high=150.0,
        title="Rate of a rebuild",
    )
    together_ratio: RatioFromOne = assumed(
        1.0,
        "Failure rate once a drive of a group is lost, of that before: bad batches, "
        "heat, work of a rebuild.",
        source="Each drive fails on its own",
        title="Failures in batches",
    )
    false_replacement_fraction: FalseFraction = assumed(
        0.3,
        source="14 of 23 discarded drives were healthy (Huang 2006); a planning value",
        low=0.0,
        high=0.61,
        title="Replaced though healthy",
    )
    warranty_months: Months = assumed(
        36,
        "Months in which the maker replaces drives without charge.",
        source="Three years of warranty",
        title="Warranty of the drives",
    )
    embodied: ArrayEmbodied | None = Field(default=None, title="Embodied carbon")
    note: Note | None = None

    @model_validator(mode="after")
    def _consistent(self) -> ArraySpec:
        sleeps = self.power_policy.kind == "threshold"
        if self.code is None:
            findings = _layout_findings(self)
        else:
            findings = code_findings(self.code, self.disks_count, sleeps=sleeps)
        findings += _seek_findings(self)
        if sleeps:
            findings += _sleep_findings(self)
        if self.spares_sleep:
            findings += _spare_findings(self)
        refuse(findings)
        return self

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


def _seek_findings(array: ArraySpec) -> list[Finding]:
    drive = array.drive
    if drive.kind != "hdd":
        return []
    try:
        curve = seek_curve(drive)
    except ModelError as exc:
        return [Finding(("drive", "seek"), "no_curve", str(exc))]
    if curve is not None:
        return []
    sentence = "The plan needs a three-point seek curve. Enter least, mean and longest seek."
    return [Finding(("drive", "seek"), "wrong_kind", sentence)]


def _layout_findings(array: ArraySpec) -> list[Finding]:
    layout, disks, width = array.layout, array.disks_count, array.per_group
    least = {"raid1": 2, "raid10": 4}.get(layout, LEAST_PER_GROUP.get(layout, 1))
    if disks < least:
        sentence = f"This layout needs at least {least} drives. Enter at least {least}."
        return [Finding(("disks_count",), "too_few", sentence, disks)]
    if layout == "single" and disks > 1:
        sentence = f"A single drive is one, not {disks}. Enter 1, or choose another layout."
        return [Finding(("disks_count",), "too_many", sentence, disks)]
    if width < LEAST_PER_GROUP.get(layout, 1):
        sentence = f"A group needs at least {LEAST_PER_GROUP[layout]} drives."
        return [Finding(("disks_per_group",), "too_few", sentence, width)]
    if array.declustered:
        return _stripe_findings(array)
    if disks % width:
        sentence = (
            f"{disks} drives do not make groups of {width}. "
            f"Enter a number of drives that {width} divides."
        )
        return [Finding(("disks_count",), "not_whole_groups", sentence, disks)]
    return []


def _stripe_findings(array: ArraySpec) -> list[Finding]:
    if array.per_group <= array.disks_count:
        return []
    sentence = (
        f"A stripe of {array.per_group} drives needs as many besides the spares; there are "
        f"{array.disks_count}. Enter a narrower stripe, or more drives."
    )
    return [Finding(("disks_per_group",), "too_many", sentence, array.per_group)]


def _spare_findings(array: ArraySpec) -> list[Finding]:
    at = ("spares_sleep",)
    if array.declustered:
        sentence = "Spare room of a declustered array is on drives that serve, so it cannot sleep."
        return [Finding(at, "cannot_sleep", sentence)]
    if array.code is not None:
        sentence = "A cluster has room on its drives in place of hot spares, so none can sleep."
        return [Finding(at, "cannot_sleep", sentence)]
    if array.drive.kind == "hdd" and array.drive.standby is None:
        sentence = "This drive has no standby. Enter its standby, or let the spares idle."
        return [Finding(at, "cannot_sleep", sentence)]
    return []


def _sleep_findings(array: ArraySpec) -> list[Finding]:
    if array.drive.kind == "hdd" and array.drive.standby is not None:
        return []
    sentence = (
        "This drive has no sleeping state, so it cannot be spun down. Enter its standby, or "
        "keep it always on."
    )
    return [Finding(("power_policy", "kind"), "cannot_sleep", sentence)]
