"""An array of a study's design as it is drawn, from a draft that need not be whole."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from capmodels.plans.document.array_spec import ArraysCount, DisksCount, LayoutKind
from capmodels.plans.document.bounded import Count
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    preset,
)
from capmodels.storage.simulator.drawn import Cache, DrawnArray, Shape, drawn
from capmodels.units import CountFromOne, DataGb

_AS_ENTERED = "As a design has it unless entered"
# More are not drawn one by one.
_MOST_DRAWN = 96
_LAYOUTS = {"mirrored_sets": "raid10"}


class DraftDrive(Params):
    """What a drawing takes of a drive."""

    model_config = ConfigDict(extra="ignore")

    kind: Literal["hdd", "ssd"] = "hdd"
    name: Annotated[str, Field(max_length=200)] = ""


class DraftDevice(Params):
    """What a drawing takes of a cache's device."""

    model_config = ConfigDict(extra="ignore")

    capacity_gb: DataGb = Field(description="Of each device.")


class DraftCache(Params):
    """What a drawing takes of a cache."""

    model_config = ConfigDict(extra="ignore")

    device: DraftDevice
    count: CountFromOne = assumed(1, "Devices.", source=_AS_ENTERED)
    write_back: bool = preset(True, "Whether writes are answered from it.")


class DraftCode(Params):
    """A code over nodes: such a cluster is no array, whatever its layout says."""

    model_config = ConfigDict(extra="ignore")


class ArrayDrawingParams(Params):
    """What a drawing takes of a design's array; the rest of it is left aside."""

    model_config = ConfigDict(extra="ignore")

    layout: LayoutKind = preset("raid5", "How data lie on the drives.")
    disks_count: DisksCount = assumed(4, "Drives without spares.", source=_AS_ENTERED)
    disks_per_group: DisksCount | None = blank("Empty: all drives; 2 in RAID-10.")
    spares_count: Count = assumed(0, "Hot spares.", source=_AS_ENTERED)
    count: ArraysCount | None = assumed(
        1, "Arrays; empty: as many as the demand needs.", source=_AS_ENTERED
    )
    drive: DraftDrive = DraftDrive(name="Disk")
    cache: DraftCache | None = blank("Empty: none.")
    code: DraftCode | None = blank("Empty: by the layout.")


class ArrayDrawingResult(Result):
    """The array as it is drawn, where it can be."""

    drawn: DrawnArray | None
    arrays: str | None = Field(description="How many of them there are, unless it is one.")


def _shape(params: ArrayDrawingParams) -> Shape:
    disks = 1 if params.layout == "single" else params.disks_count
    whole = disks if params.layout == "mirrored_sets" else None
    cache, per_group = params.cache, params.disks_per_group or whole
    return Shape(
        kind=_LAYOUTS.get(params.layout, params.layout),
        disks_count=disks,
        drive=params.drive.name,
        is_flash=params.drive.kind == "ssd",
        per_group=None if params.layout == "raid1" else per_group,
        spares_count=int(params.spares_count),
        cache=None
        if cache is None
        else Cache(
            cache.device.capacity_gb * cache.count,
            "write_back" if cache.write_back else "write_through",
        ),
    )


def _run(params: ArrayDrawingParams, _context: Context) -> ArrayDrawingResult:
    many = params.disks_count + params.spares_count > _MOST_DRAWN
    if many or params.code is not None:
        return ArrayDrawingResult(drawn=None, arrays=None)
    arrays = None
    if params.count is None:
        arrays = "As many of these as the demand needs."
    elif params.count != 1:
        arrays = f"{params.count:g} of these."
    return ArrayDrawingResult(drawn=drawn(_shape(params)), arrays=arrays)


SPEC = ModelSpec(
    id="plans.array_drawing",
    version="1.0.0",
    title="Disk array of a design, drawn",
    summary="Says of an array as a study's design enters it what a drawing shows: which drives "
    "stand together, what lies on each, and all of it in words.",
    params=ArrayDrawingParams,
    result=ArrayDrawingResult,
    run=_run,
    points=lambda params: params.disks_count,
    citations=(
        Citation(
            text="Linux md, the left-symmetric layout of RAID-5",
            url="https://man7.org/linux/man-pages/man4/md.4.html",
        ),
    ),
    formulas=(
        Formula(
            "parity",
            "disk of the parity = disks - 1 - stripe mod disks",
            "left-symmetric, as Linux md has it",
        ),
    ),
    limits=(
        "Up to 96 drives are drawn. Where the chunks of a declustered array lie is drawn by lot, "
        "so none of them is shown.",
    ),
)
