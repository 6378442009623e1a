"""A design of servers that one owns, in colocation, from the catalogue's reference servers."""

from __future__ import annotations

from copy import copy
from math import ceil
from typing import TYPE_CHECKING, Any

from studies.proposals import engineered
from studies.proposals.draft import Draft

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capmodels.plans.comparison import DesignResult
    from catalogue.models import Entry

# The entry of each, its role, and its drives.
Servers = list[tuple[str, str, int]]
COMPUTE = ("ref-2026-1s-32", "ref-2026-1s-64", "ref-2026-2s-128", "ref-2026-2s-192",
           "ref-2026-2s-128-3tb")  # fmt: skip
BLOCK, SMALL_OBJECT, LARGE_OBJECT = "ref-2026-24-nvme", "ref-2026-12-hdd", "ref-2026-60-hdd"
GPU = "ref-2026-8-gpu"
SERVERS = (*COMPUTE, BLOCK, SMALL_OBJECT, LARGE_OBJECT, GPU)
SOFTWARE, _SPARES = "linux-support-per-socket", "spares-yearly"
_BACKUP, _SALVAGE = "backup-offsite", "salvage-5y"
OTHERS = (SOFTWARE, _SPARES, _BACKUP, _SALVAGE, *engineered.SLUGS)

# Drives of the market that read as fast as those of the reference servers.
_READ_AS = {
    "ssd-nvme-7-68tb-2026-03": ("ssd-micron-9400-pro-7-68tb", "read_mb_per_s"),
    "hdd-24tb-2026": ("hdd-exos-x24-24tb", "throughput_mb_per_s"),
}
BLOCK_COPIES, OBJECT_COPIES = 2, 3
WARRANTY_MONTHS = 60
_GROUP = (
    "cores_per_node_count",
    "sockets_per_node_count",
    "perf_per_core_ratio",
    "ram_gib",
    "gpus_per_node_count",
    "nic_gbit_per_s",
    "rack_units_count",
    "adder_w",
)


# Of what comes with an owned server: emissions of making it, as the plan has them by default.
EMBODIED = {
    "year": 2023,
    "basis": "cradle_to_gate",
    "factor_source": "Product carbon footprints of two-socket servers",
}


def parts_of(entries: Mapping[str, Entry]) -> set[str]:
    """Slugs of the parts, drives and GPUs that servers are made of."""
    found = {slug for slug, _ in _READ_AS.values()}
    for slug in SERVERS:
        values = entries[slug].values
        for field in ("parts", "drive", "gpu"):
            found |= set(str(values.get(field, {}).get("value") or "").split())
    return found


def servers_for(workload: Mapping[str, Any], compute: str, drives: int) -> Servers:
    """Servers, the role of each, and its drives, that carry every demand of the work."""

    def amount(name: str) -> float:
        value = workload.get(name)
        return float(value) if isinstance(value, int | float) else 0.0

    computes = amount("busy_cores_count") > 0 or amount("ram_gib") > 0
    block = amount("block_tb") > 0
    found = []
    if computes:
        found.append((compute, "compute_and_block" if block else "compute", drives if block else 0))
    elif block:
        found.append((BLOCK, "block", 24))
    for kind in ("object", "archive"):
        if amount(f"{kind}_tb") > 0:
            large = _fills(amount(f"{kind}_tb"))
            found.append((LARGE_OBJECT, kind, 60) if large else (SMALL_OBJECT, kind, 12))
    if amount("gpu_peak_count") > 0:
        found.append((GPU, "gpu", 0))
    return found


def _fills(data_tb: float) -> bool:
    """Whether every copy has large servers of its own: each of 60 drives of 24 TB."""
    return data_tb >= 60 * 24.0


def with_gpu(server: Entry, gpu: Entry) -> Entry:
    """Return a server with another kind of GPU that stands in its place."""
    other = copy(server)
    other.values = {**server.values, "gpu": {**server.values["gpu"], "value": gpu.slug}}
    count = server.values["gpus_per_node_count"]["value"]
    other.title = f"GPU server, {count:g} x {gpu.title}"
    return other


# What the board of the reference server holds.
GPU_FORM = "SXM"


def owned(servers: Servers, entries: Mapping[str, Entry]) -> Draft:
    """Return a design of these servers with all that a real one pays for."""
    draft = Draft(entries)
    for place, (slug, role, drives) in enumerate(servers):
        add_group(draft, f"/node_groups/{place}", (slug, role, drives))
    return running(draft)


def running(draft: Draft) -> Draft:
    """Add what it takes to run the servers, besides what their number decides."""
    draft.take("/software/usd_per_socket_year", SOFTWARE, "usd_per_socket_year")
    draft.put("/support/warranty_months", WARRANTY_MONTHS)
    draft.take("/spares_fraction_per_year", _SPARES, "share_fraction")
    draft.take("/backup/usd_per_tb_month", _BACKUP, "usd_per_tb_month")
    # A cloud's backup is of its volumes: the same data on both sides.
    draft.put("/backup/covers", "block")
    draft.take("/salvage/fraction", _SALVAGE, "share_fraction")
    return draft


def add_group(draft: Draft, at: str, server: tuple[str, str, int]) -> None:
    """Add a group of nodes: a server, its role, and how many drives are in each."""
    slug, role, drives = server
    # The same server may hold the objects too, and names are of one group only.
    purpose = ", archive" if role == "archive" else ""
    draft.put(f"{at}/name", f"{draft.entry(slug).title}{purpose}")
    draft.put(f"{at}/role", role)
    draft.take_all(at, slug, _GROUP)
    draft.put(f"{at}/power/kind", "linear")
    draft.take_all(f"{at}/power", slug, ("idle_w", "peak_w"))
    draft.put(f"{at}/embodied", dict(EMBODIED))
    _price(draft, f"{at}/price", slug)
    if drives:
        _drives(draft, f"{at}/drives", slug, drives)
    if gpu := draft.value(slug, "gpu"):
        draft.put(f"{at}/gpu", draft.entry(gpu).title)
        # As rented ones.
        draft.put(f"{at}/spare_nodes_count", 0)
        draft.take_all(f"{at}/gpus", gpu, ("idle_w", "peak_w", "unit_price_usd"))
        draft.dated(f"{at}/gpus", gpu, "unit_price_usd")


def quoted(slug: str, workload: Mapping[str, Any], entries: Mapping[str, Entry]) -> Draft | None:
    """Return a design of a server of the own catalogue, as it was offered; None without cores.

    What an offer does not say, its power above all, is that of the reference server whose
    number of cores is nearest, for as many cores.
    """
    draft, at = Draft(entries), "/node_groups/0"
    cores, price = draft.value(slug, "cores_per_node_count"), draft.value(slug, "unit_price_usd")
    if not cores or price is None:
        return None
    nearest = min(COMPUTE, key=lambda name: abs(draft.value(name, "cores_per_node_count") - cores))
    scale = cores / draft.value(nearest, "cores_per_node_count")
    draft.put(f"{at}/name", draft.entry(slug).title[:120])
    draft.take_all(at, nearest, ("perf_per_core_ratio", "nic_gbit_per_s", "rack_units_count"))
    draft.take_all(at, slug, (name for name in _GROUP if name != "gpus_per_node_count"))
    draft.put(f"{at}/power/kind", "linear")
    for name in ("idle_w", "peak_w"):
        if draft.value(slug, name) is None:
            draft.take(f"{at}/power/{name}", nearest, name, times=scale)
        else:
            draft.take(f"{at}/power/{name}", slug, name)
    draft.put(f"{at}/embodied", dict(EMBODIED))
    draft.put(f"{at}/price/kind", "catalogue")
    draft.put(f"{at}/price/entry", slug)
    draft.take(f"{at}/price/unit_price_usd", slug, "unit_price_usd")
    draft.dated(f"{at}/price", slug, "unit_price_usd")
    draft.put(f"{at}/role", "compute")
    others = [one for one in servers_for(workload, "", 0) if one[1] in {"object", "archive", "gpu"}]
    if float(workload.get("block_tb") or 0.0) > 0 and not _own_drives(draft, at, slug):
        others.insert(0, (BLOCK, "block", 24))
    for place, server in enumerate(others, start=1):
        add_group(draft, f"/node_groups/{place}", server)
    return running(draft)


def _own_drives(draft: Draft, at: str, slug: str) -> bool:
    """Take block storage from the drives of an offered server, whose price has them in it."""
    count, flash_tb = draft.value(slug, "disks_count"), draft.value(slug, "ssd_tb")
    if not count or not flash_tb:
        return False
    draft.put(f"{at}/role", "compute_and_block")
    draft.put(f"{at}/drives/kind", "ssd")
    draft.put(f"{at}/drives/per_node_count", int(count))
    draft.take(f"{at}/drives/capacity_tb", slug, "ssd_tb", times=1.0 / int(count))
    draft.put(f"{at}/drives/unit_price_usd", 0.0)
    draft.put(f"{at}/drives/copies_count", BLOCK_COPIES)
    return True


def _price(draft: Draft, at: str, slug: str) -> None:
    """The bill of materials, part by part."""
    names = str(draft.value(slug, "parts")).split()
    counts = draft.value(slug, "parts_count")
    draft.put(f"{at}/kind", "parts")
    for place, (name, count) in enumerate(zip(names, counts, strict=True)):
        part = f"{at}/parts/{place}"
        draft.put(f"{part}/name", draft.entry(name).title)
        draft.put(f"{part}/component", draft.value(name, "component"))
        draft.put(f"{part}/count", count)
        draft.take_all(part, name, ("unit_price_usd", "discount_fraction"))
        draft.dated(part, name, "unit_price_usd")


def _drives(draft: Draft, at: str, slug: str, count: int) -> None:
    drive = draft.value(slug, "drive")
    kind = draft.value(drive, "component")
    draft.put(f"{at}/kind", kind)
    draft.put(f"{at}/per_node_count", count)
    draft.take_all(at, drive, ("capacity_tb", "unit_price_usd"))
    draft.dated(at, drive, "unit_price_usd")
    if drive in _READ_AS:
        draft.take(f"{at}/throughput_mb_per_s", *_READ_AS[drive])
    draft.put(f"{at}/copies_count", OBJECT_COPIES if kind == "hdd" else BLOCK_COPIES)


def node_w(draft: Draft, slug: str) -> float:
    """Power to provision for a server with its GPUs. [W]"""
    watts = float(draft.value(slug, "peak_w")) + float(draft.value(slug, "adder_w") or 0.0)
    if gpu := draft.value(slug, "gpu"):
        watts += float(draft.value(slug, "gpus_per_node_count")) * float(draft.value(gpu, "peak_w"))
    return watts


def standing_of(draft: Draft, columns: DesignResult, stores: Servers) -> list[engineered.Standing]:
    """Machines of a design as the plan counts them: its nodes, and the boxes of its arrays."""
    found = []
    for place, group in enumerate(draft.spec["node_groups"]):
        gpus, power = group.get("gpus") or {}, group["power"]
        peak = power["peak_w"] if "peak_w" in power else power["points"][-1]["power_w"]
        watts = float(peak) + float(group.get("adder_w") or 0.0)
        watts += float(group.get("gpus_per_node_count") or 0.0) * float(gpus.get("peak_w") or 0.0)
        first, last = engineered.grown(columns, group["name"])
        found.append(
            engineered.Standing(
                f"/node_groups/{place}",
                group["name"],
                group["role"],
                watts,
                float(group.get("rack_units_count") or 2.0),
                float(group.get("nic_gbit_per_s") or 0.0),
                first,
                last,
            )
        )
    names = {one.name for one in found}
    arrays = [one for one in columns.sizing[-1].groups if one.name not in names]
    for (slug, role, drives), group in zip(stores, arrays, strict=False):
        at_once = {"clusters": draft.spec["array"].get("code", {}).get("nodes_count", 1)}
        boxes = group.count * at_once.get(group.unit or "", 1)
        boxes = ceil(boxes / drives) if group.unit == "drives" else ceil(boxes)
        found.append(
            engineered.Standing(
                "/array",
                group.name,
                role,
                node_w(draft, slug),
                float(draft.value(slug, "rack_units_count")),
                float(draft.value(slug, "nic_gbit_per_s")),
                boxes,
                boxes,
            )
        )
    return found
