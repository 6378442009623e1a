"""What the page of arrays opens with and offers: arrays of the papers and of today."""

from __future__ import annotations

from typing import Any, NamedTuple

from capmodels.storage.closed_form.params import Replaced
from capmodels.storage.drive.drives import (
    MTRON_3035,
    ST3500320AS,
    TRAVELSTAR_7K60,
    ULTRASTAR_15K73,
    HardDisk,
    SleepState,
    SolidState,
    ThreePointSeek,
)
from capmodels.storage.drive.service import transfer_ms
from capmodels.storage.simulator.arrivals import ExponentialArrivals
from capmodels.storage.simulator.extras import Timeouts
from capmodels.storage.simulator.layout import DECLUSTERED, LEAST_DISKS, Layout
from capmodels.storage.simulator.params import ArrayDesign, CacheTier, Dispatch, SyntheticWorkload

# Drives of today: the figures of the catalogue's entries of these names.
PM1743 = SolidState(
    name="Samsung PM1743 7.68 TB",
    capacity_gb=7680,
    # Data sheets give the latency of small requests.
    read_latency_ms=0.07 - transfer_ms(4096, 14_000),
    write_latency_ms=0.012 - transfer_ms(4096, 6000),
    read_mb_per_s=80,
    write_mb_per_s=6000 / 175,
    channels_count=175,
    read_hold_ms=0.07,
    write_hold_ms=0.625,
    active_w=21,
    write_w=23,
    idle_w=6,
    price_usd=1000,
    endurance_tb=14_016,
    on_sale=False,
)
EXOS_X24 = HardDisk(
    name="Seagate Exos X24 24 TB",
    capacity_gb=24_000,
    speed_rpm=7200,
    seek=ThreePointSeek(min_ms=0.6, avg_ms=8.2, max_ms=17),
    outer_mb_per_s=285,
    inner_mb_per_s=135,
    active_w=7.65,
    idle_w=6.3,
    standby=SleepState(power_w=1, down_j=10, down_s=2, up_j=300, up_s=20),
    price_usd=479.99,
    start_stop_rating_count=600_000,
    unrecoverable_per_bit=1e-15,
    afr_fraction=0.01,
)
DRIVES = (ULTRASTAR_15K73, TRAVELSTAR_7K60, ST3500320AS, MTRON_3035, PM1743, EXOS_X24)

# Held as in the model's checks of these rows.
_HELD = Layout(kind="raid5", disks_count=4, locked_updates=True)


class Preset(NamedTuple):
    """An array to begin with."""

    id: str
    title: str
    about: str
    array: ArrayDesign
    replaces: Replaced | None = None


PRESETS = (
    Preset(
        "server",
        "One server disk",
        "TR 837, 2004: the disk that three laptop disks stand for",
        ArrayDesign(
            drive=ULTRASTAR_15K73, layout=Layout(kind="single", disks_count=1), timeouts=None
        ),
    ),
    Preset(
        "laptops",
        "Three laptop disks that sleep",
        "TR 837, 2004: mirrored, the next one is used from 3 requests on",
        ArrayDesign(layout=Layout(kind="mirrored_set", disks_count=3), timeouts=Timeouts()),
        Replaced(),
    ),
    Preset(
        "raid5",
        "RAID-5 of four disks",
        "HotPower 2008: without its cache",
        ArrayDesign(drive=ST3500320AS, layout=_HELD, timeouts=None),
    ),
    Preset(
        "raid5-ssd",
        "RAID-5 of four, SSD buffer",
        "HotPower 2008: a mirrored write buffer above the disks",
        ArrayDesign(drive=ST3500320AS, layout=_HELD, timeouts=None, cache=CacheTier()),
    ),
    Preset(
        "nvme",
        "All flash, four NVMe",
        "Today: RAID-10 of Samsung PM1743, 7.68 TB",
        ArrayDesign(
            drive=PM1743,
            layout=Layout(kind="raid10", disks_count=4),
            dispatch=Dispatch(kind="shortest_queue"),
            timeouts=None,
        ),
    ),
    Preset(
        "hybrid",
        "Hybrid, RAID-6 of eight",
        "Today: Exos X24, 24 TB, behind an NVMe cache",
        ArrayDesign(
            drive=EXOS_X24,
            layout=Layout(kind="raid6", disks_count=8),
            timeouts=None,
            cache=CacheTier(mode="write_back", device=PM1743, capacity_gb=800, hit_fraction=0.8),
        ),
    ),
)
# The rate at which the paper compares its disks, and as many requests as it takes.
WORKLOAD = SyntheticWorkload(arrivals=ExponentialArrivals(mean_ms=50), requests_count=1_000_000)


# Arrays of drives that are on sale, for the requests of a trace.
TODAY = ("nvme", "hybrid")


def _document(preset: Preset) -> dict[str, Any]:
    replaces = preset.replaces
    return {
        **{name: getattr(preset, name) for name in ("id", "title", "about")},
        "array": preset.array.model_dump(mode="json"),
        "replaces": None if replaces is None else replaces.model_dump(mode="json"),
    }


def _traced(preset: Preset) -> Preset:
    """A preset under recorded requests: what its cache answers is found from them."""
    cache = preset.array.cache
    if cache is None:
        return preset
    simulated = cache.model_copy(update={"hit_fraction": None})
    return preset._replace(array=preset.array.model_copy(update={"cache": simulated}))


def start() -> dict[str, Any]:
    """Return the drives, presets and requests of the page, and what layouts need of disks."""
    return {
        "drives": [drive.model_dump(mode="json") for drive in DRIVES],
        "presets": [_document(preset) for preset in PRESETS],
        "traced": [_document(_traced(preset)) for preset in PRESETS if preset.id in TODAY],
        "workload": WORKLOAD.model_dump(mode="json"),
        "least_disks": LEAST_DISKS,
        "declustered": list(DECLUSTERED),
    }
