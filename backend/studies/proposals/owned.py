"""A design of servers that one owns, in colocation, from the servers of the catalogue."""

from __future__ import annotations

from copy import copy
from math import ceil
from typing import TYPE_CHECKING, Any

from capmodels.imports.machine_names import family_of, processor_code
from capmodels.plans.costing.serving import gpus_needed, is_measured
from capmodels.plans.document.gpu_kinds import accelerator_named, are_alike
from catalogue.models import Entry
from catalogue.selectors import entries_named
from studies.proposals import engineered
from studies.proposals.draft import Draft

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capmodels.plans.comparison import DesignResult
    from capmodels.plans.costing.serving import ModelWork

# The entry of each, its role, and its drives.
Servers = list[tuple[str, str, int]]
SOFTWARE, _SPARES = "linux-support-per-socket", "spares-yearly"
_BACKUP, _SALVAGE = "backup-offsite", "salvage-5y"
OTHERS = (SOFTWARE, _SPARES, _BACKUP, _SALVAGE, *engineered.SLUGS)
BLOCK_COPIES, OBJECT_COPIES = 2, 3
# Space at $196 and energy at $130 a kW-month for five years, to choose what the plan costs.
_LIFE_USD_PER_W = 60 * 0.326
WARRANTY_MONTHS = 60
_GROUP = (
    "cores_per_node_count",
    "sockets_per_node_count",
    "perf_per_core_ratio",
    "ram_gib",
    "gpus_per_node_count",
    "nic_gbit_per_s",
    "rack_units_count",
)


# Of what comes with an owned server: emissions of making it, as the plan has them by default.
EMBODIED = {
    "year": 2023,
    "basis": "cradle_to_gate",
    "factor_source": "Product carbon footprints of two-socket servers",
}


class Machines:
    """The servers of the catalogue that can be bought: those whose parts all have a price."""

    def __init__(self) -> None:
        """Read them, and the entries of the parts, drives and GPUs that they are made of."""
        rows = Entry.objects.filter(kind="server", values__has_keys=["parts", "unit_price_usd"])
        servers = {entry.slug: entry for entry in rows.order_by("position")}
        named: set[str] = set()
        for entry in servers.values():
            for field in ("parts", "drive", "gpu"):
                named |= set(str(entry.values.get(field, {}).get("value") or "").split())
        parts = entries_named(sorted(named))
        as_fast = {one.values["reads_as"]["value"] for one in parts.values() if _reads(one)}
        self.entries = {**servers, **parts, **entries_named(sorted(as_fast))}
        self._by_role: dict[str, list[str]] = {}
        for slug, entry in servers.items():
            self._by_role.setdefault(entry.values["role"]["value"], []).append(slug)
        self.compute = tuple(self._by_role["compute_and_block"])
        self.gpu = tuple(self._of_one_gpu(""))

    def for_role(self, role: str) -> tuple[str, ...]:
        """Servers that are tried for a role."""
        if role in {"compute", "compute_and_block"}:
            return self.compute
        kind = "object" if role == "archive" else role
        return self.gpu if kind == "gpu" else tuple(self._by_role[kind])

    def bays(self, slug: str) -> int:
        """Drives that a server of the catalogue is built for."""
        return int(self.entries[slug].values["per_node_count"]["value"])

    def fit_gpu(self, kind: str) -> bool:
        """Keep the servers with a kind of GPU; whether there is any.

        One that stands in none is put into the first server for GPUs of its form.
        """
        self.gpu = tuple(self._of_one_gpu(kind))
        if self.gpu:
            return True
        known = Entry.objects.filter(kind="gpu").order_by("position")
        gpu = next((one for one in known if are_alike(kind, one.title)), None)
        if gpu is None:
            return False
        held = [(slug, self.entries[slug]) for slug in self._by_role["gpu"]]
        form = gpu.values.get("form", {}).get("value")
        alike = (
            (slug, server)
            for slug, server in held
            if self.entries[server.values["gpu"]["value"]].values["form"]["value"] == form
        )
        found = next(alike, None)
        if found is None:
            return False
        slug, server = found
        other = copy(server)
        other.values = {**server.values, "gpu": {**server.values["gpu"], "value": gpu.slug}}
        other.values.pop("provisioned_w", None)
        count = server.values["gpus_per_node_count"]["value"]
        other.title = f"GPU server, {count:g} x {gpu.title}"
        self.entries |= {slug: other, gpu.slug: gpu}
        self.gpu = (slug,)
        return True

    def fit_models(self, models: tuple[ModelWork, ...]) -> bool:
        """Keep the servers whose GPUs serve streams and train; whether there is any.

        Those of a kind that was measured, where there are any.
        """
        serving: dict[str, str] = {}
        for slug in self._by_role["gpu"]:
            values = self.entries[slug].values
            accelerator = accelerator_named(self.entries[values["gpu"]["value"]].title)
            joined = int(values["gpus_per_node_count"]["value"])
            if accelerator and gpus_needed(models, accelerator, joined) is not None:
                serving[slug] = accelerator
        measured = [slug for slug, one in serving.items() if is_measured(models, one)]
        self.gpu = tuple(measured or serving)
        return bool(self.gpu)

    def _of_one_gpu(self, kind: str) -> list[str]:
        """Servers with a kind of GPU; without one, with that of the first of them."""
        slugs = self._by_role["gpu"]
        gpus = {slug: self.entries[slug].values["gpu"]["value"] for slug in slugs}
        if not kind:
            return [slug for slug in slugs if gpus[slug] == gpus[slugs[0]]]
        return [slug for slug in slugs if are_alike(kind, self.entries[gpus[slug]].title)]


def _reads(part: Entry) -> bool:
    """Whether a part is a drive that reads as fast as one of the market."""
    return "reads_as" in part.values


def servers_for(workload: Mapping[str, Any], machines: Machines) -> Servers:
    """Roles of the servers that carry every demand of the work, each with the first for it."""

    def amount(name: str) -> float:
        value = workload.get(name)
        return float(value) if isinstance(value, int | float) else 0.0

    computes = amount("busy_cores_count") > 0 or amount("ram_gib") > 0
    block = amount("block_tb") > 0
    roles = []
    if computes:
        roles.append("compute_and_block" if block else "compute")
    elif block:
        roles.append("block")
    roles += [kind for kind in ("object", "archive") if amount(f"{kind}_tb") > 0]
    if amount("gpu_peak_count") > 0 or workload.get("streams") or workload.get("trainings"):
        roles.append("gpu")
    return [(machines.for_role(role)[0], role, _drives_in(role, machines)) for role in roles]


def _drives_in(role: str, machines: Machines, slug: str = "") -> int:
    """Drives that a server begins with in a role."""
    if role in {"compute", "gpu"}:
        return 0
    return machines.bays(slug or machines.for_role(role)[0])


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
    draft.machines[at] = slug
    draft.take_all(at, slug, _GROUP)
    _curve(draft, f"{at}/power", slug)
    draft.take_all(f"{at}/power", slug, ("idle_w", "peak_w"))
    draft.take(f"{at}/adder_w", slug, "adder_w")
    draft.put(f"{at}/embodied", dict(EMBODIED))
    _price(draft, f"{at}/price", slug)
    if drives:
        _drives(draft, f"{at}/drives", slug, drives)
    if gpu := draft.value(slug, "gpu"):
        draft.put(f"{at}/gpu", draft.entry(gpu).title)
        # Until it is known how many there are.
        draft.put(f"{at}/spare_nodes_count", 0)
        draft.take_all(f"{at}/gpus", gpu, ("idle_w", "peak_w", "unit_price_usd"))
        draft.dated(f"{at}/gpus", gpu, "unit_price_usd")


def _curve(draft: Draft, at: str, slug: str) -> None:
    """Say how power rises with load: as in the family of a server's processor, else straight."""
    family = family_of(processor_code(str(draft.value(slug, "cpu") or "")))
    draft.put(f"{at}/kind", "linear" if family is None else "family")
    if family is not None:
        draft.put(f"{at}/family", family)


def quoted(
    slug: str, workload: Mapping[str, Any], machines: Machines, entries: Mapping[str, Entry]
) -> Draft | None:
    """Return a design of a server of the own catalogue, as it was offered; None without cores.

    What an offer does not say, its power above all, is that of the server whose number of cores
    is nearest, for as many cores.
    """
    draft, at = Draft(entries), "/node_groups/0"
    cores, price = draft.value(slug, "cores_per_node_count"), draft.value(slug, "unit_price_usd")
    if not cores or price is None:
        return None
    nearest = min(
        machines.compute,
        key=lambda name: abs(draft.value(name, "cores_per_node_count") - cores),
    )
    scale = cores / draft.value(nearest, "cores_per_node_count")
    draft.put(f"{at}/name", draft.entry(slug).title[:120])
    draft.take_all(at, nearest, ("perf_per_core_ratio", "nic_gbit_per_s", "rack_units_count"))
    mine = (*_GROUP, "adder_w")
    draft.take_all(at, slug, (name for name in mine if name != "gpus_per_node_count"))
    _curve(draft, f"{at}/power", slug if draft.value(slug, "cpu") else nearest)
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
    others = [
        one for one in servers_for(workload, machines) if one[1] in {"object", "archive", "gpu"}
    ]
    if float(workload.get("block_tb") or 0.0) > 0 and not _own_drives(draft, at, slug):
        block = machines.for_role("block")[0]
        others.insert(0, (block, "block", machines.bays(block)))
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
    if as_fast := draft.value(drive, "reads_as"):
        speed = "read_mb_per_s" if kind == "ssd" else "throughput_mb_per_s"
        draft.take(f"{at}/throughput_mb_per_s", as_fast, speed)
    draft.put(f"{at}/copies_count", OBJECT_COPIES if kind == "hdd" else BLOCK_COPIES)
    on_top = [draft.entry(slug).values["adder_w"], draft.entry(drive).values["power_w"]]
    watts, low, high = (
        float(board[end]) + count * float(each[end])
        for board, each in [on_top]
        for end in ("value", "low", "high")
    )
    group = at.removesuffix("/drives")
    why = f"Memory, cards and boards, and {count} drives of {draft.entry(drive).title}"
    draft.assume(f"{group}/adder_w", watts, why, (low, high))


def node_w(draft: Draft, slug: str) -> float:
    """Power to provision for a server with its GPUs, as its maker says or by its parts. [W]"""
    if named := draft.value(slug, "provisioned_w"):
        return float(named)
    watts = float(draft.value(slug, "peak_w")) + float(draft.value(slug, "adder_w") or 0.0)
    if gpu := draft.value(slug, "gpu"):
        watts += float(draft.value(slug, "gpus_per_node_count")) * float(draft.value(gpu, "peak_w"))
    return watts


def standing_of(draft: Draft, columns: DesignResult, stores: Servers) -> list[engineered.Standing]:
    """Machines of a design as the plan counts them: its nodes, and the boxes of its arrays."""
    found = []
    for place, group in enumerate(draft.spec["node_groups"]):
        at = f"/node_groups/{place}"
        gpus, power = group.get("gpus") or {}, group["power"]
        peak = power["peak_w"] if "peak_w" in power else power["points"][-1]["power_w"]
        watts = float(peak) + float(group.get("adder_w") or 0.0)
        watts += float(group.get("gpus_per_node_count") or 0.0) * float(gpus.get("peak_w") or 0.0)
        slug = draft.machines.get(at)
        first, last = engineered.grown(columns, group["name"])
        found.append(
            engineered.Standing(
                at,
                group["name"],
                group["role"],
                float((slug and draft.value(slug, "provisioned_w")) or watts),
                float(group.get("rack_units_count") or 2.0),
                float(group.get("nic_gbit_per_s") or 0.0),
                first,
                last,
                draft.value(slug, "weight_kg") if slug else None,
                int((slug and draft.value(slug, "backend_ports_count")) or 0),
            )
        )
    names = {one.name for one in found}
    arrays = [one for one in columns.sizing[-1].groups if one.name not in names]
    for (slug, role, drives), group in zip(stores, arrays, strict=False):
        assert columns.array is not None
        boxes = ceil(columns.array.nodes_count or columns.array.arrays_count)
        drive_w = float(draft.value(draft.value(slug, "drive"), "power_w"))
        found.append(
            engineered.Standing(
                "/array",
                group.name,
                role,
                node_w(draft, slug) + drives * drive_w,
                float(draft.value(slug, "rack_units_count")),
                float(draft.value(slug, "nic_gbit_per_s")),
                boxes,
                boxes,
                draft.value(slug, "weight_kg"),
            )
        )
    return found
