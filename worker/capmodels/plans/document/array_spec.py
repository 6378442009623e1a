"""A disk array as a study enters it: drives, layout, cache, enclosure, power policy, I/O load."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from capmodels.errors import ModelError
from capmodels.forms import named
from capmodels.plans.document.array_code import ArrayCode, code_findings, code_growth_findings
from capmodels.plans.document.array_expansion import Expansion
from capmodels.plans.document.array_parts import (
    AlwaysOn,
    ArrayCache,
    ArrayEmbodied,
    Enclosure,
    IoLoad,
    PowerPolicy,
    RequestBytes,
)
from capmodels.plans.document.bounded import (
    Count,
    CountFromOne,
    Usd,
)
from capmodels.plans.document.fields import (
    Finding,
    IsoDate,
    Months,
    Note,
    Slug,
    refuse,
)
from capmodels.reliability.loss_params import DECLUSTERED, RatioFromOne
from capmodels.spec import Params, assumed, blank, preset
from capmodels.storage.drive.drives import TRAVELSTAR_7K60, Drive, PositiveMbPerS
from capmodels.storage.drive.times import seek_curve
from capmodels.storage.simulator.layout import LAYOUTS
from capmodels.units import Fraction, Real, of_unit

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
_CALLED = {**LAYOUTS, "single": "Single drive", "mirrored_sets": "Mirrored sets"}
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
PositiveH = Annotated[Real, of_unit("h", gt=0)]
FalseFraction = Annotated[Fraction, Field(lt=1)]
ReductionRatio = Annotated[Real, of_unit("ratio", ge=1, le=100)]


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
        extra=named(**{kind: _CALLED[kind] for kind in get_args(LayoutKind)}),
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
    expansion: Expansion = Field(default=Expansion(), title="Expansion")
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
        high=80.0,
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
            return self.disks_count * share * self.code.fill_fraction * self.code.room_fraction
        if self.declustered:
            return self.disks_count * (1 - self.parities / self.per_group)
        return self.disks_count // self.copies - self.groups * self.parities

    @property
    def usable_tb(self) -> float:
        """Data that one array holds, once they are reduced. [TB]"""
        raw = self.data_disks * self.drive.capacity_gb / 1000.0
        return raw * self.reduction_ratio * self.deduplication_ratio


def array_findings(array: ArraySpec) -> list[Finding]:
    """Find every part of an array that does not go with the others."""
    sleeps = array.power_policy.kind == "threshold"
    if array.code is None:
        findings = _layout_findings(array)
    else:
        findings = code_findings(array.code, array.disks_count, sleeps=sleeps)
    findings += _seek_findings(array)
    if sleeps:
        findings += _sleep_findings(array)
    if array.spares_sleep:
        findings += _spare_findings(array)
    if array.count is None and array.expansion.kind == "steps" and not findings:
        findings += _growth_findings(array)
    return findings


def _growth_findings(array: ArraySpec) -> list[Finding]:
    if array.code is not None:
        return code_growth_findings(array.code)
    step, unit = array.expansion.step_count, array.least_step_count
    if step is None:
        return []
    at = ("expansion", "step_count")
    if step > array.disks_count:
        sentence = f"An array holds {array.disks_count} drives. Enter at most as many here."
        return [Finding(at, "too_many", sentence, step)]
    if step % unit and step != array.disks_count:
        sentence = (
            f"This layout grows by {unit} drives at a time. "
            f"Enter a number that {unit} divides, or leave it empty."
        )
        return [Finding(at, "not_whole_groups", sentence, step)]
    return []


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
