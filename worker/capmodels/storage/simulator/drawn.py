"""An array as it is drawn: disks in groups, what lies on each, what sleeps, and all in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from pydantic import Field

from capmodels.numbers import counted, quantity
from capmodels.spec import Result
from capmodels.storage.simulator.extras import CACHE_MODES
from capmodels.storage.simulator.layout import DECLUSTERED, LAYOUTS, PARITIES, lost_of
from capmodels.told import listed

if TYPE_CHECKING:
    from capmodels.storage.simulator.params import ArrayDesign

# Rows of chunks: enough to see a parity go once round.
_ROWS, _PARITY_ROWS = 4, 6
# Of more disks none shows what lies on it.
_MOST_WITH_CHUNKS = 48
# More lost disks are counted, not named.
_MOST_NAMED = 6
ChunkKind = Literal["data", "parity", "second_parity", "third_parity"]
_PARITY_KINDS: tuple[tuple[ChunkKind, str], ...] = (
    ("parity", "P"),
    ("second_parity", "Q"),
    ("third_parity", "R"),
)


class DrawnChunk(Result):
    """What lies at a place of a disk: the number of the data, or of the stripe of a parity."""

    kind: ChunkKind
    label: str
    is_even: bool = Field(description="Whether its stripe is, so that stripes are told apart.")


class DrawnDisk(Result):
    """A disk: how it is, and what lies on it from its first place on."""

    state: Literal["awake", "asleep", "lost", "rebuilt", "spare"]
    chunks: tuple[DrawnChunk, ...]


class DrawnGroup(Result):
    """Disks that stand together: the copies of a chunk, or the disks of a parity group."""

    disks: tuple[DrawnDisk, ...]
    is_framed: bool


class DrawnArray(Result):
    """An array as it is drawn."""

    says: str
    groups: tuple[DrawnGroup, ...]
    is_flash: bool
    has_copies: bool = Field(description="In free space near the head.")
    cache: str | None
    cache_short: str | None


class Cache(NamedTuple):
    """A cache's size and mode, as the simulator calls it."""

    capacity_gb: float
    mode: str


class Shape(NamedTuple):
    """What a drawing takes of an array."""

    kind: str
    disks_count: int
    drive: str
    is_flash: bool
    lost_count: int = 0
    is_rebuilt: bool = False
    awake_count: int | None = None
    per_group: int | None = None
    spares_count: int = 0
    has_copies: bool = False
    cache: Cache | None = None


def shape_of(array: ArrayDesign, awake: int | None) -> Shape:
    """Return the shape of a simulated array, of which so many disks are awake."""
    layout, cache = array.layout, array.cache
    return Shape(
        kind=layout.kind,
        disks_count=layout.disks_count,
        drive=array.drive.name,
        is_flash=array.drive.kind == "ssd",
        lost_count=layout.failed_disk_count,
        is_rebuilt=layout.rebuild_mb_per_s is not None,
        awake_count=awake,
        has_copies=array.copies is not None,
        cache=None if cache is None else Cache(cache.capacity_gb, cache.mode),
    )


def may_sleep(array: ArrayDesign) -> bool:
    """Whether drives go to sleep: they are told to, and have a state for it."""
    drive = array.drive
    if array.timeouts is None or drive.kind == "ssd":
        return False
    return drive.low_power_idle is not None or drive.standby is not None


def group_size(shape: Shape) -> int:
    """Disks of a group where nothing else is said: pairs of mirrors, else all."""
    if shape.kind in {"concatenated", "single", "raid0"}:
        return 1
    size = shape.per_group or (2 if shape.kind == "raid10" else shape.disks_count)
    return max(1, min(size, shape.disks_count))


def chunk_at(shape: Shape, disk: int, row: int) -> DrawnChunk:
    """What lies in a row of a disk; stripes go over the groups one after another.

    Parity is left-symmetric, as Linux md has it: it moves one disk down with every stripe.
    """
    size, number = group_size(shape), row
    groups, group, inner = max(1, shape.disks_count // size), disk // size, disk % size
    if shape.kind in PARITIES:
        parities = PARITIES[shape.kind]
        place = (inner - (size - 1 - row % size)) % size
        if place < parities:
            kind, letter = _PARITY_KINDS[place]
            return DrawnChunk(kind=kind, label=f"{letter}{row}", is_even=row % 2 == 0)
        number = (row * groups + group) * (size - parities) + place - parities
    elif shape.kind in {"raid0", "raid10"}:
        number = row * groups + group
    return DrawnChunk(kind="data", label=str(number), is_even=row % 2 == 0)


def drawn(shape: Shape) -> DrawnArray:
    """Return the array as it is drawn."""
    disks = [_disk(shape, disk) for disk in range(shape.disks_count)]
    size = shape.disks_count if shape.kind == "raid0" else group_size(shape)
    framed = shape.disks_count > 1 and shape.kind != "concatenated"
    groups = [
        DrawnGroup(disks=tuple(disks[start : start + size]), is_framed=framed)
        for start in range(0, len(disks), size)
    ]
    spare = DrawnGroup(disks=(DrawnDisk(state="spare", chunks=()),), is_framed=False)
    held = "" if shape.cache is None else quantity(shape.cache.capacity_gb * 1e9, "B")
    mode = "" if shape.cache is None else CACHE_MODES[shape.cache.mode].lower()
    return DrawnArray(
        says=_says(shape, f"solid-state cache of {held}, {mode}" if shape.cache else ""),
        groups=(*groups, *(spare,) * shape.spares_count),
        is_flash=shape.is_flash,
        has_copies=shape.has_copies,
        cache=f"SSD cache, {held}: {mode}" if shape.cache else None,
        cache_short=f"{held} cache" if shape.cache else None,
    )


def _disk(shape: Shape, disk: int) -> DrawnDisk:
    rows = _PARITY_ROWS if shape.kind in PARITIES else _ROWS
    if shape.kind in PARITIES:
        rows = min(_PARITY_ROWS, max(_ROWS, shape.disks_count))
    # Where a declustered stripe lies is drawn by lot: none of its chunks is shown.
    shown = shape.disks_count <= _MOST_WITH_CHUNKS and shape.kind not in DECLUSTERED
    chunks = tuple(chunk_at(shape, disk, row) for row in range(rows)) if shown else ()
    if disk in lost_of(shape.kind, shape.disks_count, shape.lost_count):
        return DrawnDisk(state="rebuilt" if shape.is_rebuilt else "lost", chunks=chunks)
    rests = shape.awake_count is not None and disk >= shape.awake_count
    return DrawnDisk(state="asleep" if rests else "awake", chunks=chunks)


def _says(shape: Shape, cache: str) -> str:
    drives = counted(shape.disks_count, "solid-state drive" if shape.is_flash else "disk")
    awake = shape.awake_count
    parts = (
        f"{LAYOUTS[shape.kind]}: {drives}, {shape.drive}",
        _losses(shape),
        "copies in free space near the head" if shape.has_copies else "",
        "" if awake is None else f"about {awake} awake at this load",
        cache,
    )
    return f"{'; '.join(part for part in parts if part)}."


def _losses(shape: Shape) -> str:
    """Disk 3 is lost; disks 3 and 5 are lost and being rebuilt; nothing where none is."""
    lost = sorted(lost_of(shape.kind, shape.disks_count, shape.lost_count))
    if not lost:
        return ""
    names = listed([str(disk) for disk in lost])
    which = f"disk{'' if len(lost) == 1 else 's'} {names}"
    if len(lost) > _MOST_NAMED:
        which = f"{len(lost)} disks"
    rebuilt = " and being rebuilt" if shape.is_rebuilt else ""
    return f"{which} {'is' if len(lost) == 1 else 'are'} lost{rebuilt}"
