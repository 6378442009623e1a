"""Rule 11: costs that every real design of its kind has, and nobody entered."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from capmodels.plans.check import typical
from capmodels.plans.check.rule import Change, Found, Rule, clouds, clusters, demand_of
from capmodels.plans.words import lowered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.plans.check.typical import Typical
    from capmodels.plans.document.cloud import Cloud
    from capmodels.plans.document.owned import OwnedCluster
    from capmodels.plans.document.study import StudySpec

NUMBER = 11


class Cost(NamedTuple):
    """A cost that may be missing: its name, its field, and what is usual or stands for it."""

    missing: bool
    name: str
    place: str
    usual: Typical
    value: object = None


def find(study: StudySpec) -> Iterator[Found]:
    """Costs of owned and of rented designs that are zero because they were left out."""
    everyone = all(d.staff_fte <= 0 and d.staff_usd_per_year <= 0 for d in study.designs)
    if demand_of(study) is None:
        return
    for owned in clusters(study):
        yield from _told(study, owned.letter, _owned(study, owned, everyone=everyone))
    for rented in clouds(study):
        yield from _told(study, rented.letter, _rented(study, rented, everyone=everyone))


def left_out(study: StudySpec) -> list[str]:
    """What is not counted and not accepted as such: "staff of A"."""
    accepted = {item.finding for item in study.assumptions.accepted}
    found = (item for item in find(study) if f"{NUMBER}:{item.pointer}" not in accepted)
    return [lowered(item.sentence.partition(":")[0]) for item in found]


def _told(study: StudySpec, letter: str, costs: list[Cost]) -> Iterator[Found]:
    currency = study.assumptions.currency
    for missing, name, place, usual, value in costs:
        if missing:
            pointer = place if place.startswith("/assumptions") else f"/designs/{letter}/{place}"
            yield Found(
                pointer,
                f"{name} of {letter}: not counted. Typical: {usual.told(currency)}.",
                (Change(pointer, value or usual.value),),
                not_counted=True,
            )


def _owned(study: StudySpec, design: OwnedCluster, *, everyone: bool) -> list[Cost]:
    space, network, work = design.space, design.network, demand_of(study)
    housed = space.usd_per_kw_month + space.usd_per_rack_month + space.usd_per_year
    sites = sum(site.usd_per_year for site in design.sites)
    support = design.support
    sends = work is not None and work.egress_tb_per_month > 0
    covered = support.fraction_per_year + support.usd_per_year > 0
    # A warranty has maintenance in the price; what follows it is a rule of its own.
    covered = covered or support.warranty_months > 0
    flat = study.assumptions.electricity
    free = flat.kind == "flat" and flat.usd_per_kwh <= 0 and not space.electricity_included
    return [
        Cost(everyone, "Staff", "staff_fte", typical.PEOPLE_OWNED),
        Cost(housed + sites <= 0, "Space", "space/usd_per_kw_month", typical.COLOCATION),
        Cost(free, "Power", "/assumptions/electricity/usd_per_kwh", typical.ELECTRICITY),
        Cost(
            sends and network.transit_usd_per_month + network.usd_per_tb <= 0,
            "Transit",
            "network/transit_usd_per_month",
            typical.TRANSIT,
        ),
        Cost(not covered, "Maintenance", "support/fraction_per_year", typical.MAINTENANCE),
        Cost(
            design.spares_fraction_per_year <= 0,
            "Spares",
            "spares_fraction_per_year",
            typical.SPARES,
        ),
    ]


def _rented(study: StudySpec, design: Cloud, *, everyone: bool) -> list[Cost]:
    work, tiers = demand_of(study), design.transfer.egress_tiers
    sends = work is not None and work.egress_tb_per_month > 0
    free = sends and all(tier.usd_per_gb <= 0 for tier in tiers)
    support = design.support
    alone = not support.bands and support.minimum_usd_per_month <= 0
    band = [{"up_to_usd_per_month": None, "fraction": typical.SUPPORT.value}]
    tier = [{"up_to_tb": None, "usd_per_gb": typical.EGRESS.value}]
    storage, use = design.storage, None if work is None else work.object_use
    writes = use is not None and use.writes_millions_per_month > 0
    reads = use is not None and use.reads_millions_per_month > 0
    return [
        Cost(
            writes and storage.usd_per_million_writes <= 0,
            "Requests that write objects",
            "storage/usd_per_million_writes",
            typical.WRITES,
        ),
        Cost(
            reads and storage.usd_per_million_reads <= 0,
            "Requests that read objects",
            "storage/usd_per_million_reads",
            typical.READS,
        ),
        Cost(everyone, "Staff", "staff_fte", typical.PEOPLE_CLOUD),
        Cost(free, "Egress", "transfer/egress_tiers", typical.EGRESS, tier),
        Cost(alone, "Support", "support/bands", typical.SUPPORT, band),
    ]


RULE = Rule(NUMBER, "Costs that were left out", find)
