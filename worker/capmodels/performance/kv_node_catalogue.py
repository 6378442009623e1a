"""Node types of the FAWN papers.

The table is recalled after Andersen et al. 2011. Base servers, device counts, watts and
rates of the disk and DRAM rows agree with that article's text; the price of the
Traditional+SSD row is ambiguous there (3,000 USD each or together).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from capmodels.spec import Params, blank
from capmodels.units import PowerW, Real, Usd, of_unit

PositiveGb = Annotated[Real, of_unit("GB", gt=0)]
PositiveRate = Annotated[Real, of_unit("1/s", gt=0)]


Store = Literal["memory", "ssd", "disk"]


class NodeType(Params):
    """A node: what it costs, draws, serves and holds."""

    name: str = Field(title="Node", min_length=1, max_length=120, description="How it is called.")
    price_usd: Usd = Field(description="Price of one node.")
    power_w: PowerW = Field(description="Power of one node at work.")
    rate_per_s: PositiveRate = Field(title="Queries", description="Queries that one node serves.")
    capacity_gb: PositiveGb = Field(title="Holds", description="Data that one node holds.")
    store: Store | None = blank(
        "What keeps its data: memory, ssd or disk; a design made of it has that.", title="In"
    )


_STORES: dict[str, Store] = {"Disk": "disk", "SSD": "ssd", "DRAM": "memory"}


def _node(
    name: str, price_usd: float, power_w: float, rate_per_s: float, capacity_gb: float
) -> NodeType:
    return NodeType(
        store=_STORES[name.partition("+")[2]],
        name=name,
        price_usd=price_usd,
        power_w=power_w,
        rate_per_s=rate_per_s,
        capacity_gb=capacity_gb,
    )


PAPER_NODES: tuple[NodeType, ...] = (
    _node("Traditional+Disk", 2000.0, 250.0, 1_500.0, 10_000.0),
    _node("Traditional+SSD", 8000.0, 220.0, 200_000.0, 160.0),
    _node("Traditional+DRAM", 3000.0, 280.0, 1_000_000.0, 64.0),
    _node("FAWN+Disk", 350.0, 20.0, 250.0, 2_000.0),
    _node("FAWN+SSD", 500.0, 15.0, 35_000.0, 32.0),
    _node("FAWN+DRAM", 250.0, 15.0, 100_000.0, 2.0),
)


# Of the catalogue: reference servers of 2026 (ref-2026-1s-64, ref-2026-12-hdd) and their drives;
# a core is taken to serve so many queries from memory and from flash, a disk so many.
_CORES, _SERVER_USD, _SERVER_W, _RAM_GB = 64, 21_706.55, 420.0, 824.6
_FLASH, _FLASH_USD, _FLASH_W, _FLASH_GB = 4, 2_803.2, 18.0, 7_680.0
_BULK_USD, _BULK_W, _DISKS, _DISK_USD, _DISK_W, _DISK_GB = 10_000.0, 260.0, 12, 576.0, 9.0, 24_000.0
_FROM_MEMORY_PER_S, _FROM_FLASH_PER_S, _FROM_DISK_PER_S = 50_000.0, 20_000.0, 120.0


def start() -> dict[str, Any]:
    """Servers of 2026 that keep the data in memory, on flash and on disks."""
    flash_usd, flash_w = _FLASH * _FLASH_USD, _FLASH * _FLASH_W
    disks_usd, disks_w = _DISKS * _DISK_USD, _DISKS * _DISK_W
    rows: tuple[tuple[str, float, float, float, float, Store], ...] = (
        (
            "64 cores, 768 GiB of memory",
            _SERVER_USD,
            _SERVER_W,
            _CORES * _FROM_MEMORY_PER_S,
            _RAM_GB,
            "memory",
        ),
        (
            "64 cores, 4 x 7.68 TB NVMe",
            _SERVER_USD + flash_usd,
            _SERVER_W + flash_w,
            _CORES * _FROM_FLASH_PER_S,
            _FLASH * _FLASH_GB,
            "ssd",
        ),
        (
            "16 cores, 12 x 24 TB disks",
            _BULK_USD + disks_usd,
            _BULK_W + disks_w,
            _DISKS * _FROM_DISK_PER_S,
            _DISKS * _DISK_GB,
            "disk",
        ),
    )
    keys = ("name", "price_usd", "power_w", "rate_per_s", "capacity_gb", "store")
    return {"nodes": [dict(zip(keys, row, strict=True)) for row in rows], "pue": 1.3}
