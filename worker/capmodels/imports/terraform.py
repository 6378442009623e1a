"""A plan or state of Terraform or OpenTofu: what it rents becomes a design.

Source: HashiCorp, "JSON Output Format" (``terraform show -json``): ``planned_values`` (of a plan)
or ``values`` (of a state) hold every resource that there is then, one for each of its count; a file
of state has them as instances. Attributes by the documentation of the providers ``aws``,
``azurerm``, ``google`` and ``hcloud``. Sizes of disks are in GiB there.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from capmodels.formats.chunks import FileRefused
from capmodels.imports import fleet
from capmodels.imports.billed_design import THREAD_RATIO
from capmodels.imports.cells import Cells
from capmodels.imports.instance_names import size_by_name
from capmodels.imports.origins import origin_of
from capmodels.imports.preview import Column, table
from capmodels.imports.registry import Drafted, Importer, Options, Size
from capmodels.numbers import counted
from capmodels.plans.document.workload import Headroom
from capmodels.providers import OTHER, PROVIDERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from capmodels.imports.texts import Document
    from capmodels.spec import JSONDict

_TB_PER_GIB = 2.0**30 / 1e12
_INSTANCES_MAX = 16
# A region of Google has so many zones, unless a pool names its own.
_ZONES_OF_A_REGION = 3


@dataclass(frozen=True, slots=True)
class _Rented:
    """Where a resource says its type, how many there are, and GiB of its disks.

    Places are attributes with dots between; ``template`` are resources that have the type instead.
    """

    type: str = ""
    count: str = ""
    disks: tuple[str, ...] = ()
    template: tuple[str, ...] = ()
    is_database: bool = False
    mib: bool = False


_RESOURCES: dict[str, _Rented] = {
    "aws_instance": _Rented(
        "instance_type", disks=("root_block_device.*.volume_size", "ebs_block_device.*.volume_size")
    ),
    "aws_spot_instance_request": _Rented("instance_type"),
    "aws_autoscaling_group": _Rented(
        count="desired_capacity|min_size",
        template=("aws_launch_template", "aws_launch_configuration"),
    ),
    "aws_eks_node_group": _Rented(
        "instance_types.0", "scaling_config.0.desired_size", ("disk_size",)
    ),
    "aws_ebs_volume": _Rented(disks=("size",)),
    "aws_db_instance": _Rented("instance_class", disks=("allocated_storage",), is_database=True),
    "aws_rds_cluster_instance": _Rented("instance_class", is_database=True),
    "aws_elasticache_cluster": _Rented("node_type", "num_cache_nodes", is_database=True),
    "aws_elasticache_replication_group": _Rented(
        "node_type", "num_cache_clusters|number_cache_clusters", is_database=True
    ),
    "azurerm_linux_virtual_machine": _Rented("size", disks=("os_disk.*.disk_size_gb",)),
    "azurerm_windows_virtual_machine": _Rented("size", disks=("os_disk.*.disk_size_gb",)),
    "azurerm_virtual_machine": _Rented("vm_size", disks=("storage_os_disk.*.disk_size_gb",)),
    "azurerm_linux_virtual_machine_scale_set": _Rented("sku", "instances"),
    "azurerm_windows_virtual_machine_scale_set": _Rented("sku", "instances"),
    "azurerm_kubernetes_cluster": _Rented(
        "default_node_pool.0.vm_size", "default_node_pool.0.node_count"
    ),
    "azurerm_kubernetes_cluster_node_pool": _Rented("vm_size", "node_count"),
    "azurerm_managed_disk": _Rented(disks=("disk_size_gb",)),
    "azurerm_postgresql_flexible_server": _Rented(
        "sku_name", disks=("storage_mb",), is_database=True, mib=True
    ),
    "azurerm_mysql_flexible_server": _Rented(
        "sku_name", disks=("storage.*.size_gb",), is_database=True
    ),
    "azurerm_mssql_database": _Rented("sku_name", disks=("max_size_gb",), is_database=True),
    "google_compute_instance": _Rented(
        "machine_type", disks=("boot_disk.*.initialize_params.*.size",)
    ),
    "google_compute_instance_group_manager": _Rented(
        count="target_size", template=("google_compute_instance_template",)
    ),
    "google_compute_region_instance_group_manager": _Rented(
        count="target_size", template=("google_compute_instance_template",)
    ),
    "google_container_node_pool": _Rented(
        "node_config.0.machine_type",
        "node_count|initial_node_count",
        ("node_config.*.disk_size_gb",),
    ),
    "google_compute_disk": _Rented(disks=("size",)),
    "google_sql_database_instance": _Rented(
        "settings.0.tier", disks=("settings.*.disk_size",), is_database=True
    ),
    "hcloud_server": _Rented("server_type"),
    "hcloud_volume": _Rented(disks=("size",)),
}
# What a file of state has, as it lies on a disk or in a bucket (version 4).
_STATE = frozenset(("version", "serial", "resources"))
# What a resource's provider is called here.
_PROVIDERS = {one.terraform: one.id for one in PROVIDERS.values()}


def fits(columns: frozenset[str]) -> bool:
    """Whether a document is a plan, or a state, as ``show -json`` prints it."""
    is_shown = "format_version" in columns and bool(columns & {"planned_values", "values"})
    return "terraform_version" in columns and (is_shown or columns >= _STATE)


def read(document: Document, report: Callable[[float, str], None]) -> JSONDict:
    """Return what is rented: machines by type, volumes, databases.

    Raises
    ------
    FileRefused
        When it rents no machine and no volume.
    """
    report(0.2, "Reading resources")
    said = document.values[0]
    root = (said.get("planned_values") or said.get("values") or {}).get("root_module") or {}
    given = _within(root) if root else _of_state(said.get("resources") or ())
    resources = [one for one in given if one.get("mode", "managed") == "managed"]
    regions = _regions(said)
    templates = defaultdict(set)
    for one in resources:
        for name in ("machine_type", "instance_type"):
            if found := one["values"].get(name):
                templates[one["type"]].add(found)
    cells, machines, databases = Cells(), [], Counter[str]()
    others, disks_gib, volumes = Counter[str](), 0.0, 0
    for one in resources:
        kind, values = _RESOURCES.get(one["type"]), one["values"]
        if kind is None:
            others[one["type"]] += 1
            continue
        count = _count(one, kind)
        kept = _type(values, kind, templates)
        if count is None or (kept is None and (kind.type or kind.template)):
            what = "how many" if count is None else "of which type"
            cells.add(0, f"{one['address']}: the plan does not say {what}")
            continue
        # what a database holds is not the work's
        held = 0.0 if kind.is_database else sum(_gib(values, kind)) * count
        disks_gib += held
        volumes += held > 0
        if kind.is_database:
            databases[kept or ""] += round(count)
        elif kept:
            provider = one["type"].partition("_")[0]
            region = _region(values) or regions.get(provider, "")
            machines.append((_PROVIDERS.get(provider, OTHER), kept, region, count))
    if not machines and not disks_gib:
        raise FileRefused("The plan rents no machine and no volume that is known here.")
    planned: dict[tuple[str, str, str], float] = defaultdict(float)
    for provider, name, region, count in machines:
        planned[provider, name, region] += count
    return _preview(planned, disks_gib * _TB_PER_GIB, databases, others, cells)


def _within(module: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The resources of a module and of those within it."""
    for one in module.get("resources") or ():
        if isinstance(one.get("values"), dict):
            yield one
    for inner in module.get("child_modules") or ():
        yield from _within(inner)


def _of_state(resources: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The resources of a file of state, one for each instance."""
    for one in resources:
        address = ".".join(filter(None, (one.get("module"), one.get("type"), one.get("name"))))
        for instance in one.get("instances") or ():
            if isinstance(instance.get("attributes"), dict):
                yield {**one, "address": address, "values": instance["attributes"]}


def _at(values: Any, place: str) -> Iterator[Any]:
    """What stands at a place of a resource; of several with bars, at the first that has any."""
    for one in place.split("|"):
        found = [values]
        for key in filter(None, one.split(".")):
            inner = [
                part
                for held in found
                for part in (
                    [held.get(key)] if isinstance(held, dict)
                    else held if key == "*" and isinstance(held, list)
                    else held[int(key) : int(key) + 1] if key.isdigit() and isinstance(held, list)
                    else [held] if key in "*0" else []
                )
            ]  # fmt: skip
            found = [part for part in inner if part is not None]
        if found:
            yield from found
            return


def _number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _count(resource: Mapping[str, Any], kind: _Rented) -> float | None:
    """How many machines a resource is; None where the plan leaves it open."""
    if not kind.count:
        return 1.0
    values = resource["values"]
    count = _number(next(_at(values, kind.count), None))
    if count is None or resource["type"] != "google_container_node_pool":
        return count
    zones = len(values.get("node_locations") or ())
    is_region = not re.search(r"-[a-z]$", str(values.get("location") or "-a"))
    return count * (zones or (_ZONES_OF_A_REGION if is_region else 1))


def _type(
    values: Mapping[str, Any], kind: _Rented, templates: Mapping[str, set[str]]
) -> str | None:
    """The type of a resource's machines: its own, or that of the only template in the plan."""
    if not kind.template:
        found = next(_at(values, kind.type), None) if kind.type else None
        return str(found) if found else None
    held = {one for name in kind.template for one in templates.get(name, ())}
    return next(iter(held)) if len(held) == 1 else None


def _gib(values: Mapping[str, Any], kind: _Rented) -> Iterator[float]:
    for place in kind.disks:
        for one in _at(values, place):
            size = _number(one)
            if size is not None:
                yield size / 1024.0 if kind.mib else size


def _region(values: Mapping[str, Any]) -> str:
    """Where a resource stands, by itself: a zone is one of its region."""
    zone = next((values[key] for key in ("availability_zone", "zone") if values.get(key)), "")
    if zone:
        return re.sub(r"(?<=\d)[a-z]$|-[a-z]$", "", str(zone))
    found = next((values[key] for key in ("region", "location") if values.get(key)), "")
    return re.sub(r"-[a-z]$", "", str(found)).lower().replace(" ", "")


def _regions(said: Mapping[str, Any]) -> dict[str, str]:
    """The region of each provider's configuration: as written, or of the variable it names."""
    variables = said.get("variables") or {}
    found: dict[str, str] = {}
    for one in ((said.get("configuration") or {}).get("provider_config") or {}).values():
        region = (one.get("expressions") or {}).get("region") or {}
        names = [name.removeprefix("var.") for name in region.get("references") or ()]
        value = region.get("constant_value") or next(
            (variables[name].get("value") for name in names if name in variables), None
        )
        if value:
            found.setdefault(str(one.get("name")), str(value))
    return found


def _preview(
    planned: Mapping[tuple[str, str, str], float],
    disks_tb: float,
    databases: Mapping[str, int],
    others: Mapping[str, int],
    cells: Cells,
) -> JSONDict:
    machines = []
    for (_, name, region), count in planned.items():
        size = size_by_name(name)
        machines.append(
            fleet.Machine(
                model=name,
                region=region,
                count=count,
                cores_count=size.vcpus_count if size else None,
                ram_gib=size.ram_gib if size else None,
            )
        )
    found = fleet.preview_of(machines, cells, are_virtual=True) if machines else {"notes": []}
    whole = sum(planned.values())
    parts = [
        f"{counted(whole, 'machine')} of {counted(len({key[1] for key in planned}), 'type')}",
        f"{disks_tb:,.2f} TB of volumes" if disks_tb else "",
        counted(sum(databases.values()), "database") if databases else "",
    ]
    notes = []
    if databases:
        held = ", ".join(f"{count} of {name}" for name, count in sorted(databases.items()))
        notes.append(f"Databases are not in the design: {held}. Enter them as services.")
    if others:
        most = sorted(others.items(), key=lambda pair: (-pair[1], pair[0]))[:8]
        held = ", ".join(f"{name} ({count})" for name, count in most)
        notes.append(
            f"{counted(sum(others.values()), 'resource')} of other kinds, as {held}: "
            "not in the work and not in the design."
        )
    if cells.faults_count:
        notes.append(
            f"{counted(cells.faults_count, 'resource')} of which the plan does not say how many "
            "or of which type: not counted, see below."
        )
    return {
        **found,
        "headline": f"Rents {', '.join(filter(None, parts))}.",
        "notes": notes,
        "planned": [
            {"provider": provider, "type": name, "region": region, "count": count}
            for (provider, name, region), count in sorted(planned.items())
        ],
        "block_tb": disks_tb,
        "databases": [{"type": name, "count": n} for name, n in sorted(databases.items())],
        **cells.document(),
        "unread_count": cells.faults_count,
    }


def tables(preview: Mapping[str, Any]) -> list[JSONDict]:
    """Machines and databases by type."""
    kinds = (Column("Type", "type"), Column("Count", "count", "count"))
    shown = [
        table("Machines", (*kinds, Column("Region", "region")), preview["planned"]),
        table("Databases", kinds, preview["databases"]),
    ]
    return [one for one in shown if one["rows"]]


def draft(preview: Mapping[str, Any], options: Options) -> Drafted:
    """Return the plan as a design, and the work that would fill its machines."""
    sizes = options.sizes_of({row["type"] for row in preview["planned"]})
    provider, region, rows = _largest(preview, sizes)
    origin = origin_of(options, "derived", rows="", what="planned")
    points = list(preview["notes"])
    work: JSONDict = {"kind": "demand"}
    if preview["block_tb"]:
        work["block_tb"] = preview["block_tb"]
    instances: list[JSONDict] = []
    origins: JSONDict = {}
    unpriced = []
    for row in rows[:_INSTANCES_MAX]:
        size, price = sizes[row["type"]], options.price_of(row["type"], row["region"])
        if price is None:
            unpriced.append(row["type"])
            continue
        ratio = size.perf_per_vcpu_ratio or THREAD_RATIO
        pointer = f"/instances/{len(instances)}"
        instances.append({
            "name": row["type"][:120], "usd_per_h": price.usd_per_h,
            "vcpu_count": size.vcpus_count, "ram_gib": size.ram_gib,
            "perf_per_vcpu_ratio": ratio, "spare_count": 0, "count": row["count"],
        })  # fmt: skip
        origins[f"{pointer}/usd_per_h"] = {"quality": "published", "source": price.source}
    _fill(work, instances)
    left = [row["type"] for row in preview["planned"] if row not in rows]
    if left:
        points.append(
            f"Not in the design, as their size is not known or they stand elsewhere than most: "
            f"{', '.join(sorted(set(left)))}."
        )
    if unpriced:
        points.append(
            "Not in the design, as the catalogue has no price of them there: "
            f"{', '.join(unpriced)}."
        )
    designs = []
    if instances:
        spec = {"provider": provider, "region": region or None, "instances": instances}
        designs.append({
            "title": f"Plan of {options.file_name}"[:120], "kind": "cloud", "spec": spec,
            "provenance": origins,
        })  # fmt: skip
        points.append(
            "The work is taken to fill the planned machines as far as a plan fills machines: "
            "enter how busy they will be."
        )
    return Drafted(
        title=f"Plan of {options.file_name}"[:120],
        workload=work,
        provenance={f"/{name}": origin for name in work if name not in {"kind", "reference_core"}},
        designs=designs,
        open_points=points,
    )


def _largest(
    preview: Mapping[str, Any], sizes: Mapping[str, Size]
) -> tuple[str, str, list[Mapping[str, Any]]]:
    """The provider and region that most vCPUs are planned in, and the machines there."""
    vcpus: Counter[tuple[str, str]] = Counter()
    for row in preview["planned"]:
        if row["type"] in sizes:
            vcpus[row["provider"], row["region"]] += row["count"] * sizes[row["type"]].vcpus_count
    if not vcpus:
        return OTHER, "", []
    place = max(vcpus, key=lambda one: (vcpus[one], one))
    rows = [
        row
        for row in preview["planned"]
        if (row["provider"], row["region"]) == place and row["type"] in sizes
    ]
    return place[0] if place[0] in PROVIDERS else OTHER, place[1], rows


def _fill(work: JSONDict, instances: list[JSONDict]) -> None:
    """The work that fills the machines, of which each has the share of its cores or its RAM."""
    room, cores, ram = Headroom(), [], []
    for one in instances:
        count = one.pop("count")
        cores.append(count * one["vcpu_count"] * one["perf_per_vcpu_ratio"])
        ram.append(count * one["ram_gib"])
    if not instances:
        return
    least = [min(a / sum(cores), b / sum(ram)) for a, b in zip(cores, ram, strict=True)]
    for one, share in zip(instances, least, strict=True):
        one["share_fraction"] = share / sum(least)
    work["busy_cores_count"] = sum(cores) * room.cores_target_fraction
    work["ram_gib"] = sum(ram) / (1.0 + room.ram_headroom_fraction)
    work["reference_core"] = "a core of Zen 4"


def sample() -> bytes:
    """Web servers in a module, a volume, a database, and a network."""
    web = [
        {
            "address": f"module.web.aws_instance.node[{n}]", "mode": "managed",
            "type": "aws_instance", "name": "node", "index": n,
            "values": {"instance_type": "m5.xlarge", "availability_zone": "us-east-1a",
                       "root_block_device": [{"volume_size": 50}]},
        }
        for n in range(3)
    ]  # fmt: skip
    root = [
        {"address": "aws_ebs_volume.data", "mode": "managed", "type": "aws_ebs_volume",
         "name": "data", "values": {"size": 1000, "availability_zone": "us-east-1a"}},
        {"address": "aws_db_instance.db", "mode": "managed", "type": "aws_db_instance",
         "name": "db", "values": {"instance_class": "db.r6g.large", "allocated_storage": 100}},
        {"address": "aws_vpc.main", "mode": "managed", "type": "aws_vpc", "name": "main",
         "values": {"cidr_block": "10.0.0.0/16"}},
    ]  # fmt: skip
    said = {
        "format_version": "1.2", "terraform_version": "1.9.5",
        "planned_values": {"root_module": {"resources": root, "child_modules": [
            {"address": "module.web", "resources": web}]}},
        "configuration": {"provider_config": {"aws": {"name": "aws", "expressions": {
            "region": {"constant_value": "us-east-1"}}}}},
    }  # fmt: skip
    return json.dumps(said).encode()


IMPORTER = Importer(
    id="terraform",
    title="Plan or state of Terraform (terraform show -json)",
    makes="fleet",
    fits=fits,
    read=read,
    tables=tables,
    draft=draft,
    sample=sample,
)
