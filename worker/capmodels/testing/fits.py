"""Parts of a random study made to fit each other, as its forms help a planner to.

What no rule here makes fit is found by validation, and leaves the study.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from capmodels.storage.drive.measured import REQUESTS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from capmodels.spec import JSONDict
    from capmodels.testing.documents import Drawer

UNIQUE = (
    *("node_groups", "instances", "machines", "parts", "tariffs", "sites", "links"),
    *("object_classes", "services", "teams", "streams", "trainings"),
)
BANDS = ("block_tiers", "object_tiers", "egress_tiers", "bands")
STORES = {
    "compute_and_block": "block",
    "block": "block",
    "object": "object",
    "archive": "archive",
}
# Numbers of a part that rise in this order.
ORDERED = (
    ("idle_w", "peak_w"),
    ("low_gco2e_per_kwh", "gco2e_per_kwh", "high_gco2e_per_kwh"),
    ("low_kgco2e", "kgco2e", "high_kgco2e"),
    ("gpu_mean_count", "gpu_peak_count"),
    ("from_h", "to_h"),
)
# A range of estimates lies around them; a module of memory holds some GiB.
ENDS = {
    "low_ratio": (0.01, 1.0),
    "high_ratio": (1.0, 100.0),
    "capacity_gib": (8.0, 128.0),
    "register_w": (0.0, 1.0),
    "register_asleep_w": (0.0, 0.3),
}
SHARED = (
    ("compute", "compute_and_block"),
    ("block", "compute_and_block"),
    ("object",),
    ("archive",),
    ("gpu",),
)


def fit_parts(document: JSONDict) -> None:
    """Sort bands, order powers, make names of lists unique: what one part needs of itself."""
    for part in _objects(document):
        for name in UNIQUE:
            _make_unique(part.get(name))
        for name in BANDS:
            _sort_bands(part.get(name))
        for names in ORDERED:
            _order(part, *names)
        for name, (low, high) in ENDS.items():
            if name in part:
                part[name] = min(max(part[name], low), high)
        _fit_choices(part)
        _fit_schedules(part)
        _share_out(part.get("teams") or ())


def _fit_schedules(part: JSONDict) -> None:
    """Let the hours of a tariff name periods that it has."""
    count = len(part.get("periods") or [None])
    for name in ("weekday_schedule", "weekend_schedule"):
        if name in part:
            part[name] = [[place % count for place in hours] for hours in part[name]]


def _fit_choices(part: JSONDict) -> None:
    """Let what is chosen and what it asks for go together."""
    kind = part.get("kind")
    if kind == "points":
        for place, point in enumerate(part["points"]):
            point["load_fraction"] = place / (len(part["points"]) - 1)
    if kind == "hdd" and "seek" in part:
        # The plan reads no other curve.
        part["seek"] = {"kind": "three_point", "min_ms": 0.5, "avg_ms": 8.0, "max_ms": 17.0}
        if part.get("geometry"):
            _fit_tracks(part, part["geometry"])
    if part.get("hosts_count") is not None:
        part.pop("target_utilization_fraction", None)
    if part.get("finance", {}).get("kind") == "lease" and part.get("refresh_months"):
        part["finance"]["term_months"] = part["refresh_months"]


def _share_out(teams: Sequence[JSONDict]) -> None:
    """Let the shares of all teams add up to no more than there is."""
    for team in teams:
        for share in team.keys() & {"compute_fraction", "storage_fraction"}:
            team[share] = team[share] / len(teams)


def _fit_tracks(drive: JSONDict, geometry: JSONDict) -> None:
    """Let zones fall towards the spindle and hold what the drive holds."""
    sectors = 0
    for place, zone in enumerate(geometry["zones"]):
        zone["cylinders_count"], zone["sectors_per_track_count"] = 20_000, 900 - 100 * place
        zone["slipped_sectors"] = [7, 11][: len(zone.get("slipped_sectors", ()))]
        zone["spare_sectors_count"] = min(zone.get("spare_sectors_count", 0), 100)
        sectors += geometry["surfaces_count"] * 20_000 * zone["sectors_per_track_count"]
    drive["capacity_gb"] = sectors * 512 / 1e9
    for skew in ("head_skew_ms", "cylinder_skew_ms"):
        geometry[skew] = 0.5 if geometry.get(skew) else 0.0


def _objects(value: Any) -> Iterator[JSONDict]:
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, dict | list):
            yield from _objects(inner)


def _make_unique(parts: Any) -> None:
    seen: set[str] = set()
    for number, part in enumerate(parts if isinstance(parts, list) else [], start=1):
        if part["name"] in seen:
            part["name"] = f"{part['name'][:110]} {number}"
        seen.add(part["name"])


def _sort_bands(bands: list[JSONDict] | None) -> None:
    if not bands:
        return
    end = "up_to_usd_per_month" if "fraction" in bands[0] else "up_to_tb"
    top = 0.0
    for band in bands[:-1]:
        top += (band.get(end) or 10.0) + 1.0
        band[end] = top
    bands[-1].pop(end, None)


def _order(part: JSONDict, *names: str) -> None:
    there = [name for name in names if isinstance(part.get(name), int | float)]
    for name, value in zip(there, sorted(part[name] for name in there), strict=True):
        part[name] = value


def fit_owned(design: JSONDict, workload: JSONDict, drawer: Drawer) -> None:
    """Give node groups what they need to carry their part of the work."""
    by_demand = workload["kind"] == "demand"
    roles = {group.get("role", "compute") for group in design["node_groups"]}
    array = design.get("array")
    carried = (array or {}).get("carries", "block") if array else ""
    for group in design["node_groups"]:
        role = group.get("role", "compute")
        if "compute_and_block" in roles and role in {"compute", "block"}:
            # A group has one share, of all that it carries.
            role = group["role"] = "compute_and_block"
        if STORES.get(role, "none") in carried or (
            role == "service" and not workload.get("service")
        ):
            role = group["role"] = "compute"
        _fit_group(group, role, drawer)
        if not by_demand and group.get("count") is None:
            group["count"] = drawer.rng.randint(1, 40)
    fit_arrays(design, drawer, by_demand=by_demand)
    for alike in SHARED:
        _fit_shares([g for g in design["node_groups"] if g.get("role", "compute") in alike])
    if design.get("links") and len(design.get("sites", ())) < 2:
        design["sites"] = [drawer.named("Site", name=f"Site {n}") for n in (1, 2)]


def _fit_group(group: JSONDict, role: str, drawer: Drawer) -> None:
    rng = drawer.rng
    group["cores_per_node_count"] = float(rng.choice((4, 8, 64, 128, 192)))
    group["ram_gib"] = float(rng.choice((16, 256, 1024)))
    if role in STORES or role == "service":
        drives = group.get("drives") or drawer.named("Drives")
        group["drives"] = {**drives, "io_per_s": drives.get("io_per_s") or 20_000.0}
    if role == "gpu" or group.get("gpus") is not None:
        group["gpus_per_node_count"] = float(rng.choice((1, 4, 8)))
    if group["price"]["kind"] == "lump" or role == "other":
        group["count"] = group.get("count") or rng.randint(1, 40)
    curve = rng.choice(("LinearPower", "FamilyPower"))
    group["power"] = group.get("power") or drawer.named(curve)
    _order(group["power"], "idle_w", "peak_w")
    _fit_held(group["power"])


def _fit_held(power: JSONDict) -> None:
    """Put what holds a family's curve between its ends: a result or a reading."""
    if power.get("result") and power.get("reading"):
        power["reading" if round(power["peak_w"]) % 2 else "result"] = None
    if power.get("result"):
        mean_w = (power["idle_w"] + power["peak_w"]) / 2
        result = power["result"]
        result["full_load_ssj_ops_per_s"] = 2 * result["overall_ssj_ops_per_w"] * mean_w
    if power.get("reading"):
        power["reading"]["power_w"] = (power["idle_w"] + power["peak_w"]) / 2


def _fit_shares(groups: Sequence[JSONDict], share: str = "share_fraction") -> None:
    """Shares of one demand add up to all of it; a group of two demands carries one share."""
    for group in groups:
        group[share] = 1.0 / len(groups)


def fit_array(array: JSONDict, drawer: Drawer, *, by_demand: bool) -> None:
    """Give an array as many drives as its layout takes, and a count where nothing sizes it."""
    if code := array.get("code"):
        _fit_code(array, code, drawer, by_demand=by_demand)
        return
    layout = array.get("layout", "raid5")
    least = {"raid1": 2, "raid10": 2, "raid5": 3, "raid6": 4, "raid7": 5, "mirrored_sets": 2}.get(
        layout, 1
    )
    spread = layout.startswith("draid")
    least = int(layout[-1]) + 1 if spread else least
    # Spares of drives that have a standby sleep as drawn; others spin.
    stands_by = array.get("drive", {}).get("standby") is not None
    array["spares_sleep"] = bool(array.get("spares_sleep")) and stands_by and not spread
    width = least + (drawer.rng.randint(0, 4) if least > 1 else 0)
    groups = 1 if layout in {"single", "raid1"} else drawer.rng.randint(2, 6)
    array["disks_count"] = width * groups
    array["disks_per_group"] = width if least > 1 else None
    if array.get("power_policy", {}).get("kind") == "threshold" and drawer.chance(0.8):
        drive = drawer.named("HardDisk", standby=drawer.named("SleepState"))
        fit_parts(drive)
        if drive.get("measured"):
            kinds = drawer.rng.sample(REQUESTS, 6)
            costs = [drawer.named("RequestCost", request=kind) for kind in kinds]
            drive["measured"]["costs"] = costs
        array["drive"] = drive
    if not by_demand and array.get("count", 1) is None:
        array["count"] = 2
    if (array.get("expansion") or {}).get("step_count"):
        step, most = array["expansion"]["step_count"], array["disks_count"]
        unit = 1 if spread else array["disks_per_group"] or most
        array["expansion"]["step_count"] = min(max(step // unit, 1) * unit, most)


def fit_arrays(design: JSONDict, drawer: Drawer, *, by_demand: bool) -> None:
    """Give a design's arrays what fits them; tiers grow older, and fewer reads go to them."""
    if not design.get("array"):
        design["tiering"] = None
        return
    fit_array(design["array"], drawer, by_demand=by_demand)
    if not design.get("tiering"):
        return
    days, reads = 0.0, 1.0
    for place, tier in enumerate(design["tiering"]["colder"]):
        days, reads = days + drawer.rng.uniform(1.0, 900.0), reads * drawer.rng.random()
        tier |= {"name": f"Tier {place}", "from_days": days, "older_reads_fraction": reads}
        tier["array"]["io"] = None
        fit_array(tier["array"], drawer, by_demand=by_demand)


def _fit_code(array: JSONDict, code: JSONDict, drawer: Drawer, *, by_demand: bool) -> None:
    """Give a cluster a node for each shard, and each node as many drives."""
    code["data_count"], code["parity_count"] = drawer.rng.randint(1, 8), drawer.rng.randint(1, 3)
    code["local_groups_count"] = drawer.rng.randint(0, 1)
    code["nodes_count"] = 12 + drawer.rng.randint(0, 4)
    # Racks and sites are as many as nodes, where each holds a shard at most.
    domain = code.get("failure_domain", "node")
    wide = domain in {"rack", "site"}
    code["racks_count"] = code["nodes_count"] if wide else 1 + code["nodes_count"] % 4
    code["sites_count"] = code["nodes_count"] if domain == "site" else 1
    array["spares_sleep"] = False
    array["disks_count"] = code["nodes_count"] * drawer.rng.randint(1, 12)
    array["power_policy"] = {"kind": "always_on"}
    if not (by_demand and "expansion" in array and "count" in array):
        array["count"] = array.get("count") or 1


def _fit_commitments(design: JSONDict) -> None:
    """Let prices while committed be of instances that there are, each of one of its own."""
    names = [item["name"] for item in design["instances"]]
    for commitment in design.get("commitments", ()):
        prices = commitment.get("prices", [])[: len(names)]
        commitment["prices"] = [
            {**price, "name": name} for price, name in zip(prices, names, strict=False)
        ]


def fit_cloud(design: JSONDict, workload: JSONDict, drawer: Drawer) -> None:
    """Give rented designs memory, shares and prices for what the work has."""
    names = [item["name"] for item in workload.get("machines", ())]
    _fit_commitments(design)
    for item in design["instances"]:
        if design.get("token_prices"):
            item["gpus_count"] = 0.0
        item["ram_gib"] = item.get("ram_gib") or 64.0
        item.pop("replaces", None)
        if names and drawer.chance(0.5):
            item["replaces"] = drawer.rng.choice(names)
        if item.get("equivalence") == "explicit":
            item["instances_count"] = item.get("instances_count") or 4.0
        if item.get("equivalence") in {"by_disk_count", "by_capacity"}:
            item |= {"disks_count": 4.0, "disks_tb": 8.0}
    plain = [item for item in design["instances"] if item.get("gpus_count", 0) <= 0]
    _fit_shares(plain)
    _fit_shares([item for item in design["instances"] if item not in plain])
    _fit_prices(design, workload, drawer)


def _fit_prices(design: JSONDict, workload: JSONDict, drawer: Drawer) -> None:
    storage, transfer = design.setdefault("storage", {}), design.setdefault("transfer", {})
    for share in ("share_fraction", "use_fraction"):
        _fit_shares(storage.get("object_classes", ()), share)
    if workload.get("archive_tb"):
        storage["archive"] = storage.get("archive") or drawer.named("ArchiveStorage")
    for part, name, band in (
        (storage, "block_tiers", "StorageTier"),
        (storage, "object_tiers", "StorageTier"),
        (transfer, "egress_tiers", "TransferTier"),
    ):
        if not part.get(name):
            part[name] = [drawer.named(band)]
            _sort_bands(part[name])


def fit_hybrid(design: JSONDict, designs: list[JSONDict], drawer: Drawer) -> bool:
    """Lead a hybrid to designs of the study; whether there are any."""
    for name, kind in (("owned_letter", "owned_cluster"), ("rented_letter", "cloud")):
        letters = [item["letter"] for item in designs if item["kind"] == kind]
        if not letters:
            return False
        design[name] = drawer.rng.choice(letters)
    return True


def fit_migration(design: JSONDict, study: JSONDict, drawer: Drawer) -> None:
    """Lead what runs meanwhile to a design that may, or to what runs today."""
    migration = design.get("migration")
    if migration is None or migration.get("parallel_letter") is None:
        return
    places = [
        item["letter"]
        for item in study["designs"]
        if item["kind"] != "hybrid" and item["letter"] != design["letter"]
    ]
    places += ["T"] if study.get("baseline") else []
    migration["parallel_letter"] = drawer.rng.choice(places) if places else None
