"""Causes of cost: their order, their names, their formulas, and the numbers in each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from capmodels.plans.baseline import Baseline
from capmodels.plans.comparison import CauseAmount, Term
from capmodels.plans.owned_cost import (
    OwnedCase,
    backup_tb,
    node_price_usd,
    owned_pue,
    provisioned_kw,
)
from capmodels.plans.workload import UtilizationWorkload
from capmodels.units import MONTHS_PER_YEAR, WATTS_PER_KW

if TYPE_CHECKING:
    from capmodels.plans.book import CauseBooks, Discount, Side
    from capmodels.plans.cloud_cost import CloudCase
    from capmodels.plans.costing import Costed
    from capmodels.plans.scene import Scene

OWNED_ORDER = (
    "hardware",
    "finance",
    "energy",
    "cooling",
    "space",
    "network",
    "site",
    "staff",
    "support",
    "software",
    "spares",
    "backup",
    "migration",
    "carbon",
    "tax",
    "salvage",
)
RENTED_ORDER = (
    "instances",
    "commitment",
    "storage",
    "transfer",
    "copy",
    "support",
    "staff",
    "migration",
    "carbon",
    "tax",
)
LABELS: dict[tuple[str, str], str] = {
    ("hardware", "owned"): "Hardware",
    ("finance", "owned"): "Finance",
    ("energy", "owned"): "Energy",
    ("cooling", "owned"): "Cooling",
    ("space", "owned"): "Space",
    ("network", "owned"): "Network",
    ("site", "owned"): "Site",
    ("staff", "owned"): "Staff",
    ("support", "owned"): "Maintenance and support",
    ("software", "owned"): "Software",
    ("spares", "owned"): "Spares",
    ("backup", "owned"): "Backup",
    ("migration", "owned"): "Migration",
    ("carbon", "owned"): "Carbon price",
    ("tax", "owned"): "Tax saved",
    ("salvage", "owned"): "Salvage",
    ("instances", "rented"): "Instances on demand",
    ("commitment", "rented"): "Commitments",
    ("storage", "rented"): "Storage",
    ("transfer", "rented"): "Transfer",
    ("copy", "rented"): "Copying",
    ("support", "rented"): "Cloud support",
    ("staff", "rented"): "Staff",
    ("migration", "rented"): "Migration",
    ("carbon", "rented"): "Carbon price",
    ("tax", "rented"): "Tax saved",
}


def formula_id(cause: str, side: Side, scene: Scene) -> str:
    """Id of the formula of a cause."""
    if cause == "instances" and scene.demand is None:
        return "instances_by_use"
    if side == "rented" and cause in {"support", "storage", "transfer"}:
        return f"cloud_{cause}"
    return cause


def cause_amounts(
    item: Costed, book: CauseBooks, scene: Scene, discount: Discount
) -> tuple[CauseAmount, ...]:
    """Every cause of a design, in its fixed order, with what went into it."""
    sides: tuple[tuple[Side, tuple[str, ...]], ...] = (
        ("owned", OWNED_ORDER),
        ("rented", RENTED_ORDER),
    )
    amounts = []
    for side, order in sides:
        for cause in order:
            kept = book.causes.get((cause, side))
            if kept is None:
                continue
            amounts.append(
                CauseAmount(
                    cause=cause,
                    side=side,
                    label=LABELS[cause, side],
                    amount_usd=math.fsum(kept.account.timed()),
                    npv_usd=math.fsum(kept.account.present(discount)),
                    formula=formula_id(cause, side, scene),
                    terms=tuple(_terms(item, cause, side, scene)),
                )
            )
    return tuple(amounts)


def _terms(item: Costed, cause: str, side: Side, scene: Scene) -> list[Term]:
    if cause in {"staff", "migration"}:
        return _common_terms(item, cause)
    if side == "owned" and item.owned is not None:
        return _owned_terms(item.owned, cause, scene, f"/designs/{item.owned_letter}")
    if side == "rented" and item.rented is not None:
        return _rented_terms(item.rented, cause, scene, f"/designs/{item.rented_letter}")
    return []


def _common_terms(item: Costed, cause: str) -> list[Term]:
    design = item.design
    place = "/baseline" if isinstance(design, Baseline) else f"/designs/{item.letter}"
    if cause == "staff":
        return [
            Term(name="People", value=design.staff_fte, unit="FTE", pointer=f"{place}/staff_fte"),
            Term(
                name="Flat",
                value=design.staff_usd_per_year,
                unit="USD/yr",
                pointer=f"{place}/staff_usd_per_year",
            ),
        ]
    if isinstance(design, Baseline):
        return []
    move, at = design.migration, f"{place}/migration"
    return [
        Term(name="Labour", value=move.labour_usd, unit="USD", pointer=f"{at}/labour_usd"),
        Term(
            name="Months of both",
            value=move.parallel_months,
            unit="months",
            pointer=f"{at}/parallel_months",
        ),
        Term(name="Overrun", value=move.overrun_ratio, unit="ratio", pointer=f"{at}/overrun_ratio"),
    ]


def _owned_terms(case: OwnedCase, cause: str, scene: Scene, at: str) -> list[Term]:
    if cause in {"hardware", "finance", "salvage"}:
        return _hardware_terms(case, scene, at)
    if cause in {"energy", "cooling", "carbon"}:
        return _energy_terms(case, scene, at)
    owned = case.owned
    singles: dict[str, list[tuple[str, float, str, str]]] = {
        "space": [
            ("Provisioned power, year 1", provisioned_kw(case, 0), "kW", ""),
            (
                "Price per kW",
                owned.space.usd_per_kw_month,
                "USD/kW-month",
                "/space/usd_per_kw_month",
            ),
        ],
        "network": [
            (
                "Transit",
                owned.network.transit_usd_per_month,
                "USD/month",
                "/network/transit_usd_per_month",
            ),
            (
                "Cross-connects",
                owned.network.cross_connects_count,
                "count",
                "/network/cross_connects_count",
            ),
        ],
        "support": [
            (
                "Share a year",
                owned.support.fraction_per_year,
                "fraction/yr",
                "/support/fraction_per_year",
            ),
            ("Contract", owned.support.usd_per_year, "USD/yr", "/support/usd_per_year"),
        ],
        "software": [
            (
                "Per socket",
                owned.software.usd_per_socket_year,
                "USD/socket-yr",
                "/software/usd_per_socket_year",
            ),
            (
                "Per core",
                owned.software.usd_per_core_year,
                "USD/core-yr",
                "/software/usd_per_core_year",
            ),
        ],
        "spares": [
            (
                "Share a year",
                owned.spares_fraction_per_year,
                "fraction/yr",
                "/spares_fraction_per_year",
            ),
        ],
        "backup": [
            ("Data, year 1", backup_tb(case, 0), "TB", ""),
            ("Price", owned.backup.usd_per_tb_month, "USD/TB-month", "/backup/usd_per_tb_month"),
        ],
        "site": [
            (site.name, site.usd_per_year, "USD/yr", f"/sites/{index}/usd_per_year")
            for index, site in enumerate(owned.sites)
        ],
    }
    return [
        Term(name=name, value=value, unit=unit, pointer=f"{at}{tail}" if tail else None)
        for name, value, unit, tail in singles.get(cause, [])
    ]


def _hardware_terms(case: OwnedCase, scene: Scene, at: str) -> list[Term]:
    terms = []
    for index, plan in enumerate(case.plans):
        group, place = plan.group, f"{at}/node_groups/{index}"
        price = node_price_usd(group, scene, 0.0)
        terms += [
            Term(name=f"{group.name}, year 1", value=plan.counts[0], unit="nodes", pointer=None),
            Term(
                name=f"{group.name}, year {scene.years}",
                value=plan.counts[-1],
                unit="nodes",
                pointer=f"{place}/count",
            ),
            Term(name=f"{group.name}, a node", value=price, unit="USD", pointer=f"{place}/price"),
        ]
    ratio = case.owned.hardware_price_ratio
    pointer = f"{at}/hardware_price_ratio"
    terms.append(Term(name="Part prices", value=ratio, unit="ratio", pointer=pointer))
    return terms


def _energy_terms(case: OwnedCase, scene: Scene, at: str) -> list[Term]:
    assumptions, electricity = scene.assumptions, scene.assumptions.electricity
    it_kwh = sum(energy.it_kwh for energy in case.energies)
    hours = assumptions.hours_per_year * scene.months / MONTHS_PER_YEAR
    priced = sum(energy.priced_usd for energy in case.energies)
    pue_at = "/assumptions/pue" if case.owned.pue is None else f"{at}/pue"
    flat = electricity.kind == "flat"
    return [
        Term(name="Average power", value=it_kwh / hours * WATTS_PER_KW, unit="W"),
        Term(name="IT energy", value=it_kwh, unit="kWh"),
        Term(
            name="Mean price",
            value=priced / it_kwh if it_kwh else 0.0,
            unit="USD/kWh",
            pointer="/assumptions/electricity/usd_per_kwh" if flat else "/assumptions/electricity",
        ),
        Term(name="PUE", value=owned_pue(case.owned, scene), unit="ratio", pointer=pue_at),
    ]


def _rented_terms(case: CloudCase, cause: str, scene: Scene, at: str) -> list[Term]:
    if cause in {"instances", "commitment", "copy"}:
        return _instance_terms(case, cause, scene, at)
    cloud = case.cloud
    off = Term(
        name="Negotiated discount",
        value=cloud.negotiated_discount_fraction,
        unit="fraction",
        pointer=f"{at}/negotiated_discount_fraction",
    )
    if cause == "storage" and scene.demand is not None:
        timeline = scene.timeline
        return [
            Term(
                name="Block storage, today",
                value=timeline.block_tb.today,
                unit="TB",
                pointer="/workload/block_tb",
            ),
            Term(
                name="Object storage, today",
                value=timeline.object_tb.today,
                unit="TB",
                pointer="/workload/object_tb",
            ),
            off,
        ]
    if cause == "storage":
        return [
            Term(name="Stored", value=scene.stored_tb, unit="TB", pointer="/workload/storage_tb"),
            off,
        ]
    if cause == "transfer" and scene.demand is not None:
        return [
            Term(
                name="Egress, today",
                value=scene.timeline.egress_tb.today,
                unit="TB/month",
                pointer="/workload/egress_tb_per_month",
            ),
            Term(
                name="Cross-zone, today",
                value=scene.timeline.cross_zone_tb.today,
                unit="TB/month",
                pointer="/workload/cross_zone_tb_per_month",
            ),
            Term(
                name="Others",
                value=cloud.transfer.other_fraction,
                unit="fraction",
                pointer=f"{at}/transfer/other_fraction",
            ),
            off,
        ]
    return [off] if cause == "transfer" else []


def _instance_terms(case: CloudCase, cause: str, scene: Scene, at: str) -> list[Term]:
    terms = []
    for index, item in enumerate(case.cloud.instances):
        place = f"{at}/instances/{index}"
        terms.append(
            Term(
                name=f"{item.name}, an hour",
                value=item.usd_per_h,
                unit="USD/h",
                pointer=f"{place}/usd_per_h",
            )
        )
    work = scene.study.workload
    if isinstance(work, UtilizationWorkload):
        terms.append(
            Term(
                name="Utilisation",
                value=work.utilization_fraction,
                unit="fraction",
                pointer="/workload/utilization_fraction",
            )
        )
        return terms
    for mix in case.mixes:
        counts = mix.committed if cause == "commitment" else mix.on_demand
        kind = "committed" if cause == "commitment" else "on demand"
        terms.append(
            Term(
                name=f"{mix.item.name}, {kind}, mean", value=sum(counts) / len(counts), unit="count"
            )
        )
    if cause == "commitment":
        terms += [
            Term(
                name=f"Discount, {item.term_months} months",
                value=item.discount_fraction,
                unit="fraction",
                pointer=f"{at}/commitments/{index}/discount_fraction",
            )
            for index, item in enumerate(case.cloud.commitments)
        ]
    return terms
