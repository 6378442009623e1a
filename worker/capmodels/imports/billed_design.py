"""From a bill to the same machines as a design, so that its commitments can be chosen anew.

The machines become one kind of instance, the mean of those on the bill, at the list price of the
bill; storage and transfer have the prices that the bill's own amounts come to; everything else
is a service line. Without commitments the design costs what the bill does at list price.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from capmodels.imports.baseline import (
    BYTES_PER_GB,
    BYTES_PER_TB,
    DEMANDS,
    is_list_known,
    is_sized,
    rate_of,
    tb_of,
)
from capmodels.imports.bill import span_of
from capmodels.imports.kinds import KINDS, PURCHASE, SUPPORT, UNUSED
from capmodels.imports.origins import Span, origin_of, rows_said
from capmodels.numbers import counted, percent
from capmodels.plans.document.workload import Headroom
from capmodels.providers import provider_named
from capmodels.units import HOURS_PER_MONTH

if TYPE_CHECKING:
    from collections.abc import Mapping

    from capmodels.imports.registry import Options, Size
    from capmodels.spec import JSONDict

GB_PER_TB = BYTES_PER_TB / BYTES_PER_GB
# A hyperthread of a processor that the catalogue does not hold, over a reference core.
THREAD_RATIO, THREAD_RANGE = 0.5, (0.35, 0.6)
# What of a bill goes away with the machines: one's own have no such line.
LEFT_WITH_THE_CLOUD = frozenset(
    ("nat", "requests", "volume_extras", "balancers", "addresses", "network", "snapshots",
     "ingress", "cross_region", "support")
)  # fmt: skip
_LINES_MAX = 32


@dataclass(frozen=True, slots=True)
class Machines:
    """The machines of a bill taken together, on average over its hours."""

    count: float
    vcpus_count: float
    ram_gib: float
    core_ratio: float
    # None where neither the file nor the catalogue has it for all of them.
    list_usd_per_h: float | None
    unknown_count: float
    unknown_usd_per_month: float
    is_speed_known: bool
    name: str

    @property
    def cores_count(self) -> float:
        """Reference cores that they have."""
        return self.count * self.vcpus_count * self.core_ratio


@dataclass(slots=True)
class Billed:
    """What a bill gives to designs: the same machines rented, and what else goes on."""

    provider: str
    spec: JSONDict
    origins: JSONDict
    work: JSONDict
    work_origins: JSONDict
    kept_services: list[JSONDict] = field(default_factory=list)
    points: list[str] = field(default_factory=list)
    rented_cores_count: float = 0.0
    rented_ram_gib: float = 0.0


def billed_design(
    bill: Mapping[str, Any], options: Options, *, busy_fraction: float | None
) -> Billed | None:
    """Return the same machines as a design, and the work they do; None without known machines.

    ``busy_fraction`` is the mean use of the rented cores, where somebody knows it; else the work
    is taken to fill what is rented as far as the plan fills machines.
    """
    scale = Decimal(1) / (rate_of(bill["currency"], options.per_usd) * len(bill["months"]))
    cost = options.cost or bill["suggested_cost"]
    sizes = options.sizes_of({row["type"] for row in bill["machines"]})
    found = _machines(bill, sizes, scale, cost, options)
    if found is None:
        return None
    span = Span()
    for row in bill["machines"]:
        span.add(*row.get("rows", (0, 0, 0)))
    months = span_of([row["month"] for row in bill["months"]])
    origin = origin_of(options, "derived", rows=rows_said(span.document()), what=months)
    provider = provider_named(bill["providers"])
    made = Billed(provider, {}, {}, *_work(found, busy_fraction, origin))
    made.spec = {
        "provider": provider,
        "region": _region(bill),
        "instances": [
            {
                "name": found.name,
                "usd_per_h": found.list_usd_per_h,
                "vcpu_count": found.vcpus_count,
                "ram_gib": found.ram_gib,
                "perf_per_vcpu_ratio": found.core_ratio,
                # Those that were billed are all that there are.
                "spare_count": 0,
            }
        ],
        "discounts": _discounts(bill, cost),
        "storage": _storage(bill, cost, scale),
        "transfer": _transfer(bill, cost, scale),
        "services": _services(bill, cost, scale, found, origin["source"]),
    }
    if (supported := _support(bill, cost, scale)) > 0:
        made.spec["support"] = {"minimum_usd_per_month": supported}
    made.kept_services = [
        line for line in made.spec["services"] if line["name"] not in _LEFT_LABELS
    ]
    made.origins = {
        "/instances/0/usd_per_h": origin,
        "/instances/0/perf_per_vcpu_ratio": _speed_origin(found, origin),
    }
    made.rented_cores_count = found.cores_count
    made.rented_ram_gib = found.count * found.ram_gib
    made.points = _points(found, made)
    return made


def _machines(
    bill: Mapping[str, Any],
    sizes: Mapping[str, Size],
    scale: Decimal,
    cost: str,
    options: Options,
) -> Machines | None:
    months = len(bill["months"])
    hours = listed = vcpus = ram = cores = unknown = unknown_cost = Decimal(0)
    names: set[str] = set()
    is_speed_known = is_price_known = True
    for row in bill["machines"]:
        size, used = sizes.get(row["type"]), Decimal(row["hours"])
        if used <= 0 or size is None or size.ram_gib <= 0 or size.vcpus_count <= 0:
            unknown += max(used, Decimal(0))
            unknown_cost += Decimal(row[cost])
            continue
        ratio = THREAD_RATIO if size.perf_per_vcpu_ratio is None else size.perf_per_vcpu_ratio
        is_speed_known = is_speed_known and size.perf_per_vcpu_ratio is not None
        names.add(row["type"])
        hours += used
        vcpus += used * Decimal(size.vcpus_count)
        ram += used * Decimal(size.ram_gib)
        cores += used * Decimal(size.vcpus_count) * Decimal(ratio)
        price = _list_price(row, options, scale * months)
        is_price_known = is_price_known and price is not None
        listed += used * (price or 0)
    if not hours or (is_price_known and listed <= 0):
        return None
    mean = f"Mean of {len(names)} machine types of the bill"
    return Machines(
        count=float(hours / months) / HOURS_PER_MONTH,
        vcpus_count=float(vcpus / hours),
        ram_gib=float(ram / hours),
        core_ratio=float(cores / vcpus),
        list_usd_per_h=float(listed / hours) if is_price_known else None,
        unknown_count=float(unknown / months) / HOURS_PER_MONTH,
        unknown_usd_per_month=float(unknown_cost * scale),
        is_speed_known=is_speed_known,
        name=names.pop()[:120] if len(names) == 1 else mean,
    )


def _list_price(row: Mapping[str, Any], options: Options, usd_per_unit: Decimal) -> Decimal | None:
    """What an hour of a row's machines costs without any commitment, where that is known. [USD]"""
    if not row["is_committed"] or is_list_known(row):
        listed = max(Decimal(row["list"]), Decimal(row["effective"]))
        return listed * usd_per_unit / Decimal(row["hours"])
    price = options.price_of(row["type"], row["region"])
    return None if price is None else Decimal(price.usd_per_h)


def _speed_origin(found: Machines, origin: Mapping[str, Any]) -> JSONDict:
    if found.is_speed_known:
        return {**origin, "note": "Speed of these types as the catalogue has it"}
    low, high = THREAD_RANGE
    return {
        "quality": "assumed",
        "source": "A hyperthread, for types that the catalogue does not hold",
        "low": min(low, found.core_ratio),
        "high": max(high, found.core_ratio),
    }


def _work(
    found: Machines, busy_fraction: float | None, origin: Mapping[str, Any]
) -> tuple[JSONDict, JSONDict]:
    """The work: as measured, or as much as the plan would put on these machines."""
    room = Headroom()
    if busy_fraction is None:
        share, said = room.cores_target_fraction, "as full as the plan fills machines"
    else:
        share, said = busy_fraction, f"busy {percent(busy_fraction)} on average, as entered"
    work = {
        "busy_cores_count": found.cores_count * share,
        "ram_gib": found.count * found.ram_gib / (1.0 + room.ram_headroom_fraction),
        "reference_core": "a core of Zen 4",
    }
    noted = {**origin, "note": f"Rented machines, {said}"}
    return work, {"/busy_cores_count": noted, "/ram_gib": noted}


def _region(bill: Mapping[str, Any]) -> str | None:
    costs: dict[str, Decimal] = {}
    for row in bill["machines"]:
        costs[row["region"]] = costs.get(row["region"], Decimal(0)) + Decimal(row["list"])
    return max(costs, key=costs.__getitem__, default="") or None


def _discounts(bill: Mapping[str, Any], cost: str) -> JSONDict:
    """What was paid below the list price without any commitment: a discount that was agreed."""
    rows = [row for row in bill["machines"] if not row["is_committed"]]
    listed = sum((Decimal(row["list"]) for row in rows), Decimal(0))
    paid = sum((Decimal(row[cost]) for row in rows), Decimal(0))
    if listed <= 0 or not Decimal(0) < paid < listed:
        return {}
    return {"instances_fraction": float(1 - paid / listed)}


def _mean_price(
    bill: Mapping[str, Any], cost: str, scale: Decimal, demand: str
) -> tuple[float, float] | None:
    """Price of a GB that the bill's amounts of one demand come to, and its TB a month."""
    rows = [row for row in bill["stored"] if DEMANDS.get(row["kind"]) == demand and is_sized(row)]
    amount_tb = sum(tb_of(row) for row in rows) / len(bill["months"])
    paid = float(sum((Decimal(row[cost]) for row in rows), Decimal(0)) * scale)
    if amount_tb <= 0 or paid < 0:
        return None
    return paid / (amount_tb * GB_PER_TB), amount_tb


def _storage(bill: Mapping[str, Any], cost: str, scale: Decimal) -> JSONDict:
    storage: JSONDict = {"gb_per_tb": GB_PER_TB, "block_overhead_ratio": 1.0}
    for demand, tiers in (("block_tb", "block_tiers"), ("object_tb", "object_tiers")):
        price = _mean_price(bill, cost, scale, demand)
        if price is not None:
            storage[tiers] = [{"usd_per_gb_month": price[0]}]
    return storage


def _transfer(bill: Mapping[str, Any], cost: str, scale: Decimal) -> JSONDict:
    transfer: JSONDict = {"gb_per_tb": GB_PER_TB}
    sent = _mean_price(bill, cost, scale, "egress_tb_per_month")
    if sent is not None:
        transfer["egress_tiers"] = [{"usd_per_gb": sent[0]}]
    crossed = _mean_price(bill, cost, scale, "cross_zone_tb_per_month")
    if crossed is not None:
        transfer["cross_zone_usd_per_gb"] = crossed[0]
    return transfer


def _support(bill: Mapping[str, Any], cost: str, scale: Decimal) -> float:
    """What the provider's support costs a month on the bill. [USD]"""
    rows = [row for row in bill["kinds"] if row["kind"] == SUPPORT.id and row["place"] != "apart"]
    return float(sum((Decimal(row[cost]) for row in rows), Decimal(0)) * scale)


_LEFT_LABELS = frozenset(kind.label for kind in KINDS if kind.id in LEFT_WITH_THE_CLOUD)


def _services(
    bill: Mapping[str, Any], cost: str, scale: Decimal, found: Machines, source: str
) -> list[JSONDict]:
    """What the bill has besides machines, storage, transfer and support, kind by kind.

    What was paid for commitments and not used is left out: it is what is chosen anew.
    """
    priced: dict[str, Decimal] = {}
    for row in bill["stored"]:
        if row["kind"] in DEMANDS and is_sized(row):
            priced[row["kind"]] = priced.get(row["kind"], Decimal(0)) + Decimal(row[cost])
    left_out = {"instances", SUPPORT.id, UNUSED.id, PURCHASE.id}
    # Of a kind that has a price by the TB, what is billed by another unit stays.
    paid = {
        row["label"]: float((Decimal(row[cost]) - priced.get(row["kind"], Decimal(0))) * scale)
        for row in bill["kinds"]
        if row["place"] != "apart" and row["kind"] not in left_out
    }
    paid["Machines of unknown size"] = found.unknown_usd_per_month
    return [
        {"name": name, "usd_per_month": usd, "vendor": "As billed", "source": source}
        for name, usd in paid.items()
        if usd > 0
    ][:_LINES_MAX]


def work_said(made: Billed, busy_fraction: float | None, held: Mapping[str, Any]) -> list[str]:
    """What is told of the work that designs are sized to; ``held`` is that of their study."""
    cores, ram = (float(held.get(name) or 0.0) for name in ("busy_cores_count", "ram_gib"))
    if not cores:
        return [] if busy_fraction is not None else [
            "The work is taken to need all that is rented; enter how busy the rented cores are "
            "for smaller designs."
        ]  # fmt: skip
    said = (
        f"Designs are sized to the work that the study has: {cores:,.1f} busy cores and "
        f"{ram:,.0f} GiB of RAM"
    )
    if cores <= made.rented_cores_count and ram <= made.rented_ram_gib:
        return [f"{said}, not to what the bill rents."]
    return [
        f"{said}. That is more than the bill rents ({made.rented_cores_count:,.1f} cores and "
        f"{made.rented_ram_gib:,.0f} GiB): the baseline does not pay for all of it."
    ]


def _points(found: Machines, made: Billed) -> list[str]:
    points = []
    if found.unknown_count:
        points.append(
            f"{counted(found.unknown_count, 'machine')} of types whose size is not known: every "
            "design keeps these at what they cost."
        )
    if not found.is_speed_known:
        points.append(
            f"A vCPU is taken as {THREAD_RATIO:g} of a core of Zen 4 where the catalogue does "
            "not hold its type."
        )
    left = [line["name"] for line in made.spec["services"] if line not in made.kept_services]
    left += [SUPPORT.label] if "support" in made.spec else []
    if left:
        points.append(f"Own servers do without what the bill has for: {', '.join(left)}.")
    points.append("People are in the proposed designs and not in the baseline: no bill has them.")
    if "support" not in made.spec:
        points.append(
            "The bill has no support plan; the proposed designs in a cloud have their provider's."
        )
    return points
