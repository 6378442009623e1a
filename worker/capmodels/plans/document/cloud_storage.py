"""What a provider asks for storage: by band, by class of objects, by request, for archives."""

from __future__ import annotations

from pydantic import Field, model_validator

from capmodels.cost.tiered import BilledGbPerTb
from capmodels.numbers import percent
from capmodels.plans.document.bounded import (
    DataTb,
    RatePerS,
    ThroughputMbPerS,
    UsdPerGb,
    UsdPerGbMonth,
    UsdPerTbMonth,
)
from capmodels.plans.document.fields import (
    Finding,
    FromOneRatio,
    Name,
    Slug,
    UsdPerIopsMonth,
    UsdPerMbPerSMonth,
    UsdPerMillion,
    refuse,
    unique,
    unused,
)
from capmodels.spec import Params, assumed, blank, default, preset
from capmodels.units import BILLED_GB_PER_TB, Fraction


class StorageTier(Params):
    """One band of a storage price."""

    up_to_tb: DataTb | None = blank("Upper end of the band. Empty: no end.")
    usd_per_gb_month: UsdPerGbMonth = Field(title="Price")


def check_bands(name: str, leaf: str, ends: list[float | None]) -> list[Finding]:
    """Find bands that do not rise, and a last band that is not open."""
    findings, before = [], 0.0
    for index, end in enumerate(ends):
        at, last = (name, index, leaf), index == len(ends) - 1
        if end is None:
            if not last:
                sentence = "A band without an end stands before another. Enter where it ends."
                findings.append(Finding(at, "needed", sentence))
            continue
        if last:
            sentence = "The last band has an end, so more than that has no price. Leave it empty."
            findings.append(Finding(at, "no_open_band", sentence, end))
        if end <= before:
            sentence = f"The band ends at {end:g}, not above {before:g}. Sort the bands upwards."
            findings.append(Finding(at, "not_increasing", sentence, end))
        before = end
    return findings


class ObjectClass(Params):
    """Objects kept in a cheaper class than the standard one, and what using them costs there."""

    name: Name = Field(title="Class")
    entry: Slug | None = Field(default=None, title="Catalogue entry")
    share_fraction: Fraction = Field(
        title="Share of the data", description="The rest is in the standard class."
    )
    use_fraction: Fraction = unused(
        "Share of the use", "Share of all requests, and of the data read, that falls on it."
    )
    usd_per_gb_month: UsdPerGbMonth = Field(title="Price")
    usd_per_gb_read: UsdPerGb = unused("Retrieval", "Price of a GB read from this class.")
    usd_per_million_writes: UsdPerMillion = unused("Million writes", "PUT, COPY, POST, LIST.")
    usd_per_million_reads: UsdPerMillion = unused("Million reads", "GET and the like.")


class ArchiveStorage(Params):
    """Data that is hardly ever read."""

    usd_per_gb_month: UsdPerGbMonth = Field(title="Price")
    usd_per_gb_read: UsdPerGb = unused("Retrieval", "Price of a GB read back.")


SHARE_SLACK = 1e-6


def _check_classes(classes: tuple[ObjectClass, ...]) -> list[Finding]:
    """Find classes of one name, and shares of more than there is."""
    findings = unique([item.name for item in classes], ("object_classes",), "name")
    for leaf, what in (("share_fraction", "data"), ("use_fraction", "use")):
        total = sum(getattr(item, leaf) for item in classes)
        if total > 1.0 + SHARE_SLACK:
            sentence = (
                f"The classes hold {percent(total)} of the {what}. Enter at most 100% together."
            )
            findings.append(Finding(("object_classes", 0, leaf), "shares_do_not_add_up", sentence))
    return findings


class CloudStorage(Params):
    """Block, object and archive storage; IOPS and throughput above what is free."""

    block_tiers: tuple[StorageTier, ...] = Field(
        default=(), title="Block storage, by band", max_length=8
    )
    object_tiers: tuple[StorageTier, ...] = Field(
        default=(), title="Object storage, by band", max_length=8
    )
    usd_per_million_writes: UsdPerMillion = unused(
        "Million writes", "Requests to the standard class of objects: PUT, COPY, POST, LIST."
    )
    usd_per_million_reads: UsdPerMillion = unused(
        "Million reads", "Requests to the standard class of objects: GET and the like."
    )
    object_classes: tuple[ObjectClass, ...] = preset(
        (),
        "Objects that are not in the standard class: infrequent access and the like.",
        title="Other classes of objects",
        max_length=6,
    )
    archive: ArchiveStorage | None = None
    block_overhead_ratio: FromOneRatio | None = assumed(
        None,
        "Block storage provisioned over the data on it. Empty: as on owned disks, "
        "1 over the workload's maximum capacity used, since a file system fills up on a managed "
        "volume "
        "just the same. Enter 1 for storage that is billed by what is on it.",
        source="The same fill as on owned disks",
        title="Provisioned over stored",
    )
    io_included_per_s: RatePerS = unused(
        "IOPS included",
        "IOPS and throughput are provisioned at the peak over the workload's share in use, as "
        "on owned drives: a volume at its provisioned rate makes requests wait. Those above "
        "what is included are paid.",
    )
    usd_per_iops_month: UsdPerIopsMonth = unused("Price of IOPS")
    throughput_included_mb_per_s: ThroughputMbPerS = unused("Throughput included")
    usd_per_mb_per_s_month: UsdPerMbPerSMonth = unused("Price of throughput")
    backup_usd_per_tb_month: UsdPerTbMonth = unused("Backup", "Snapshots of block storage.")
    gb_per_tb: BilledGbPerTb = default(
        BILLED_GB_PER_TB,
        "GB that the provider bills for 10^12 bytes: 931.3 where a GB has 2^30 "
        "bytes, as with AWS, Azure and Google, whose bands end at TB of 1,024 GB; 1,000 where "
        "it has 10^9.",
        source="Amazon S3 FAQ: 10 TB are 10,995,116,277,760 bytes; Google prices by GiB",
        as_of="2026-11",
        title="GB billed for a TB",
    )

    @model_validator(mode="after")
    def _bands(self) -> CloudStorage:
        block, objects = self.block_tiers, self.object_tiers
        refuse(
            check_bands("block_tiers", "up_to_tb", [tier.up_to_tb for tier in block])
            + check_bands("object_tiers", "up_to_tb", [tier.up_to_tb for tier in objects])
            + _check_classes(self.object_classes)
        )
        return self
