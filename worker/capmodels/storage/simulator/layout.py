"""How data lie on the disks of an array: layouts, what they survive, which disks are lost."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, ValidationInfo, field_validator

from capmodels.forms import named, shown_when, when_empty
from capmodels.spec import Params, assumed, default, refusal
from capmodels.storage.drive.limits import DISKS_MAX
from capmodels.storage.simulator.request_sizes import SizeBytes
from capmodels.units import Count, CountFromOne, Real

DisksCount = Annotated[CountFromOne, Field(le=DISKS_MAX)]
RateMb = Annotated[Real, Field(gt=0, json_schema_extra={"unit": "MB/s"})]


# What a rebuild reads and writes at a time, of layouts that are not declustered (our choice).
REBUILD_PIECE_BYTES = 1 << 20

# What the layouts are called.
LAYOUTS = {
    "single": "Single disk",
    "raid0": "RAID-0, striped",
    "raid1": "RAID-1, mirrored",
    "raid10": "RAID-10, striped mirrors",
    "raid5": "RAID-5, one parity",
    "raid6": "RAID-6, two parities",
    "raid7": "Triple parity (RAID-TP)",
    "draid1": "Declustered, one parity",
    "draid2": "Declustered, two parities",
    "draid3": "Declustered, three parities",
    "mirrored_set": "Mirrored set that can sleep",
    "concatenated": "One after another",
}
SEVERAL = tuple(kind for kind in LAYOUTS if kind != "single")
# Stripes of fewer disks than the array has, spread over all of them, with room for rebuilds: one,
# two, three parities (OpenZFS's dRAID, IBM's DRAID, Seagate's ADAPT).
DECLUSTERED = {"draid1": 1, "draid2": 2, "draid3": 3}
# Disks' worth of parity; three of them: RAID-TP, RAID-7.3.
PARITIES = {"raid5": 1, "raid6": 2, "raid7": 3, **DECLUSTERED}
# Layouts of whole copies, each of which can serve a read.
MIRRORED = ("raid1", "raid10", "mirrored_set")


class Layout(Params):
    """How data lie on the disks."""

    kind: Literal[
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
        "mirrored_set",
        "concatenated",
    ] = Field(
        default="mirrored_set",
        title="Layout",
        json_schema_extra=named(**LAYOUTS),
    )
    disks_count: DisksCount = default(
        3,
        source="TR 837: three laptop disks for a server disk",
        extra=shown_when(kind=SEVERAL),
    )
    stripe_disks_count: DisksCount = assumed(
        10,
        "Of a declustered array: data and parity together.",
        title="Drives of a stripe",
        extra=shown_when(kind=DECLUSTERED),
    )
    distributed_spares_count: Annotated[Count, Field(lt=DISKS_MAX)] = assumed(
        2,
        "Of a declustered array: drives' worth of room for rebuilds, spread over all drives.",
        title="Distributed spares",
        extra=shown_when(kind=DECLUSTERED),
    )
    chunk_bytes: SizeBytes = assumed(
        65_536,
        "Data on one disk before the next one follows.",
        title="Stripe unit",
        extra=shown_when(kind=("raid0", "raid10", *PARITIES)),
    )
    locked_updates: bool = Field(
        default=False,
        title="Small writes hold both disks",
        description="Data and parity disk each read, turn once and write in one command; otherwise "
        "a small write reads old data and parity, and writes both when both are read.",
        json_schema_extra=shown_when(kind=PARITIES),
    )
    failed_disk_count: Annotated[Count, Field(lt=DISKS_MAX)] = assumed(
        0,
        "The last ones; of RAID-10 one of each pair. Their data come from the others.",
        title="Disks lost",
        extra=shown_when(kind=(*MIRRORED, *PARITIES)),
    )
    rebuild_mb_per_s: RateMb | None = Field(
        default=None,
        title="Rebuild at most at",
        json_schema_extra=when_empty("no rebuild") | shown_when(failed_disk_count=True),
        description="Every lost disk is rebuilt on a spare, at most this fast; of a declustered "
        "array each drive left reads and writes at most this much for it. Empty: no rebuild.",
    )

    spares_sleep: bool = Field(
        default=False,
        title="Hot spares sleep",
        description="In standby until a rebuild begins, which waits until they have spun up.",
        json_schema_extra=shown_when(
            up__drive__standby=True, kind=tuple(kind for kind in SEVERAL if kind not in DECLUSTERED)
        ),
    )

    @field_validator("stripe_disks_count")
    @classmethod
    def _stripe_fits(cls, value: int, info: ValidationInfo) -> int:
        kind, disks = str(info.data.get("kind")), info.data.get("disks_count")
        if kind not in DECLUSTERED or disks is None:
            return value
        least = PARITIES[kind] + 1
        if value < least:
            text = f"A stripe of this layout has at least {least} drives."
            raise refusal("too_few", text)
        if value > disks:
            text = f"The array has {disks} drives, fewer than a stripe of {value}."
            raise refusal("too_many", text)
        return value

    @field_validator("distributed_spares_count")
    @classmethod
    def _room_is_left(cls, value: int, info: ValidationInfo) -> int:
        disks, stripe = info.data.get("disks_count"), info.data.get("stripe_disks_count")
        if str(info.data.get("kind")) not in DECLUSTERED or disks is None or stripe is None:
            return value
        if value > disks - stripe:
            text = (
                f"Of {disks} drives a stripe takes {stripe}, so at most {disks - stripe} may be "
                "spare."
            )
            raise refusal("too_many", text)
        return value

    @field_validator("rebuild_mb_per_s")
    @classmethod
    def _room_to_rebuild(cls, value: float | None, info: ValidationInfo) -> float | None:
        lost, spares = info.data.get("failed_disk_count"), info.data.get("distributed_spares_count")
        if value is None or str(info.data.get("kind")) not in DECLUSTERED:
            return value
        if lost is not None and spares is not None and lost > spares:
            text = f"{lost} lost disks need as many distributed spares; there are {spares}."
            raise refusal("too_few", text)
        return value

    @field_validator("disks_count")
    @classmethod
    def _one_alone(cls, value: int, info: ValidationInfo) -> int:
        if info.data.get("kind") == "single" and value > 1:
            raise refusal("too_many", "A single drive is one. Choose a layout of several drives.")
        return value

    @field_validator("failed_disk_count")
    @classmethod
    def _survives(cls, value: int, info: ValidationInfo) -> int:
        kind, disks = info.data.get("kind"), info.data.get("disks_count")
        if not value or kind is None or disks is None:
            return value
        most = losses_survived(kind, disks)
        if value <= most:
            return value
        if not most:
            raise refusal("no_redundancy", "This layout does not survive the loss of a disk.")
        disks_word = "disk" if most == 1 else "disks"
        limit = f"This layout of {disks} disks survives the loss of at most {most} {disks_word}"
        raise refusal("too_many_lost", f"{limit}{_OF_PAIRS if kind == 'raid10' else ''}.")


_OF_PAIRS = ", one of each pair"
LEAST_DISKS = {
    "raid1": 2,
    "raid10": 4,
    "raid5": 3,
    "raid6": 4,
    "raid7": 5,
    "mirrored_set": 1,
    **{kind: parities + 1 for kind, parities in DECLUSTERED.items()},
}


def losses_survived(kind: str, disks_count: int) -> int:
    """Disks that a layout can lose without losing data; of RAID-10 one of each pair."""
    copies = {"raid1": disks_count - 1, "mirrored_set": disks_count - 1, "raid10": disks_count // 2}
    return {**PARITIES, **copies}.get(kind, 0)


def lost_disks(layout: Layout) -> tuple[int, ...]:
    """Numbers of the lost disks: the last ones, of RAID-10 the second ones of the last pairs."""
    return lost_of(layout.kind, layout.disks_count, layout.failed_disk_count)


def lost_of(kind: str, disks: int, lost: int) -> tuple[int, ...]:
    """As ``lost_disks``, of a layout by its kind."""
    apart = 2 if kind == "raid10" else 1
    return tuple(disks - 1 - apart * i for i in range(lost))
