"""What each cause of cost came to in a design, and the numbers in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from capmodels.amounts import fsum
from capmodels.plans.answer.placed_terms import service_terms, stored_terms, term
from capmodels.plans.causes import BY_KEY, CAUSES
from capmodels.plans.comparison import CauseAmount, Term
from capmodels.plans.costing.array_figures import array_terms
from capmodels.plans.costing.designs import cause_book
from capmodels.plans.costing.owned_cost import (
    OwnedCase,
    backup_tb,
    node_price_usd,
    owned_pue,
    provisioned_kw,
)
from capmodels.plans.document.baseline import Baseline
from capmodels.plans.document.workload import UtilizationWorkload
from capmodels.units import MONTHS_PER_YEAR, WATTS_PER_KW

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from capmodels.amounts import Amount
    from capmodels.plans.causes import Key, Side
    from capmodels.plans.costing.book import CauseBook, Discount
    from capmodels.plans.costing.cloud_cost import CloudCase
    from capmodels.plans.costing.designs import Costed
    from capmodels.plans.costing.scene import Scene
    from capmodels.series import Series
    from capmodels.spec import JSONDict

OF_PEOPLE = frozenset({"staff", "migration"})
# name, value, unit, and where it stands below the design
Single = tuple[str, "Amount", str, str]


@dataclass(frozen=True, slots=True)
class CauseFlow:
    """Payments of a cause by month, and their present values."""

    cash: Series
    present: Series


def cause_flows(book: CauseBook, discount: Discount) -> dict[Key, CauseFlow]:
    """Payments of every cause by month, as they are and at present value."""
    return {
        key: CauseFlow(account.cash(), account.present(discount))
        for key, account in book.causes.items()
    }


def formula_id(cause: str, side: Side, scene: Scene) -> str:
    """Id of the formula of a cause."""
    if cause == "instances" and scene.demand is None:
        return "instances_by_use"
    return BY_KEY[cause, side].formula.id


def terms_of(item: Costed, scene: Scene) -> dict[Key, tuple[Term, ...]]:
    """What went into each cause that a design has before its people, migration and tax."""
    return {
        key: tuple(Term(**told) for told in _terms(item, *key, scene))
        for key in cause_book(item).causes
        if key[0] not in OF_PEOPLE
    }


def cause_amounts(
    item: Costed,
    flows: dict[Key, CauseFlow],
    scene: Scene,
    terms: Mapping[Key, tuple[Term, ...]],
) -> list[JSONDict]:
    """Every cause of a design, in its fixed order, with what went into it, which may be known."""
    return [
        {
            "cause": cause.id,
            "side": cause.side,
            "label": cause.label,
            "amount_usd": fsum(flow.cash),
            "npv_usd": fsum(flow.present),
            "ranked_usd": fsum(flow.present if scene.by_value else flow.cash),
            "formula": formula_id(*cause.key, scene),
            "terms": terms.get(cause.key) or _terms(item, *cause.key, scene),
        }
        for cause in CAUSES
        if (flow := flows.get(cause.key)) is not None
    ]


def causes_with_draws(
    entered: Sequence[CauseAmount],
    drawn_usd: Mapping[Key, tuple[float, float, float]],
    scene: Scene,
) -> tuple[CauseAmount, ...]:
    """The causes with their mean, P10 and P90 over the trials, in their fixed order.

    A cause that costs something in a trial only, such as what is rented where owned machines
    fall short, is one of them.
    """
    told = {(item.cause, item.side): item for item in entered}
    return tuple(
        (told.get(key) or _unentered(key, scene)).model_copy(
            update={"ranked_usd": mean, "p10_usd": low, "p90_usd": high}
        )
        for key in BY_KEY
        if key in told or any(drawn_usd.get(key, ()))
        for mean, low, high in [drawn_usd.get(key, (0.0, 0.0, 0.0))]
    )


def _unentered(key: Key, scene: Scene) -> CauseAmount:
    return CauseAmount(
        cause=key[0],
        side=key[1],
        label=BY_KEY[key].label,
        amount_usd=0.0,
        npv_usd=0.0,
        ranked_usd=0.0,
        formula=formula_id(*key, scene),
    )


def _terms(item: Costed, cause: str, side: Side, scene: Scene) -> list[JSONDict]:
    if cause in OF_PEOPLE:
        return _common_terms(item, cause)
    if cause == "services":
        return service_terms(item, side)
    if side == "owned" and item.owned is not None:
        return _owned_terms(item.owned, cause, scene, f"/designs/{item.owned_letter}")
    if side == "rented" and item.rented is not None:
        return _rented_terms(item.rented, cause, scene, f"/designs/{item.rented_letter}")
    return []


def _common_terms(item: Costed, cause: str) -> list[JSONDict]:
    design = item.design
    place = "/baseline" if isinstance(design, Baseline) else f"/designs/{item.letter}"
    if cause == "staff":
        return [
            term(name="People", value=design.staff_fte, unit="FTE", pointer=f"{place}/staff_fte"),
            term(
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
        term(name="Labour", value=move.labour_usd, unit="USD", pointer=f"{at}/labour_usd"),
        term(
            name="Parallel running",
            value=move.parallel_months,
            unit="months",
            pointer=f"{at}/parallel_months",
        ),
        term(name="Overrun", value=move.overrun_ratio, unit="ratio", pointer=f"{at}/overrun_ratio"),
    ]


def _owned_terms(case: OwnedCase, cause: str, scene: Scene, at: str) -> list[JSONDict]:
    if cause in {"hardware", "finance", "salvage"}:
        return _hardware_terms(case, scene, at)
    if cause in {"energy", "cooling", "carbon"}:
        return _energy_terms(case, scene, at)
    if cause in {"drives", "enclosures", "replacements"} and case.arrays:
        return [
            told
            for arrays in case.arrays
            for told in array_terms(
                arrays, cause, scene, f"{at}{arrays.path}", case.owned.refresh_months
            )
        ]
    single = _SINGLE_TERMS.get(cause)
    return [
        term(name=name, value=value, unit=unit, pointer=f"{at}{tail}" if tail else None)
        for name, value, unit, tail in (single(case) if single else ())
    ]


def _space(case: OwnedCase) -> list[Single]:
    at = "/space/usd_per_kw_month"
    return [
        ("Provisioned power, year 1", provisioned_kw(case, 0), "kW", ""),
        ("Price per kW", case.owned.space.usd_per_kw_month, "USD/kW-month", at),
    ]


def _network(case: OwnedCase) -> list[Single]:
    network = case.owned.network
    transit, crossing = "/network/transit_usd_per_month", "/network/cross_connects_count"
    return [
        ("Transit", network.transit_usd_per_month, "USD/month", transit),
        ("Cross-connects", network.cross_connects_count, "count", crossing),
    ]


def _support(case: OwnedCase) -> list[Single]:
    support = case.owned.support
    return [
        ("Share a year", support.fraction_per_year, "fraction/yr", "/support/fraction_per_year"),
        ("Contract", support.usd_per_year, "USD/yr", "/support/usd_per_year"),
    ]


def _software(case: OwnedCase) -> list[Single]:
    software = case.owned.software
    socket, core = "/software/usd_per_socket_year", "/software/usd_per_core_year"
    return [
        ("Per socket", software.usd_per_socket_year, "USD/socket-yr", socket),
        ("Per core", software.usd_per_core_year, "USD/core-yr", core),
    ]


def _spares(case: OwnedCase) -> list[Single]:
    at = "/spares_fraction_per_year"
    return [("Share a year", case.owned.spares_fraction_per_year, "fraction/yr", at)]


def _backup(case: OwnedCase) -> list[Single]:
    price, at = case.owned.backup.usd_per_tb_month, "/backup/usd_per_tb_month"
    return [("Data, year 1", backup_tb(case, 0), "TB", ""), ("Price", price, "USD/TB-month", at)]


def _site(case: OwnedCase) -> list[Single]:
    return [
        (site.name, site.usd_per_year, "USD/yr", f"/sites/{index}/usd_per_year")
        for index, site in enumerate(case.owned.sites)
    ]


_SINGLE_TERMS: dict[str, Callable[[OwnedCase], list[Single]]] = {
    "space": _space,
    "network": _network,
    "support": _support,
    "software": _software,
    "spares": _spares,
    "backup": _backup,
    "site": _site,
}


def _hardware_terms(case: OwnedCase, scene: Scene, at: str) -> list[JSONDict]:
    terms = []
    for plan in case.plans:
        group, place = plan.group, f"{at}/node_groups/{plan.place}"
        price = node_price_usd(group, scene, 0.0)
        terms += [
            term(
                name=f"{group.name}, year 1",
                value=plan.counts[0],
                unit="nodes",
                pointer=None,
            ),
            term(
                name=f"{group.name}, year {scene.years}",
                value=plan.counts[-1],
                unit="nodes",
                pointer=f"{place}/count",
            ),
            term(
                name=f"{group.name}, a node",
                value=price,
                unit="USD",
                pointer=f"{place}/price",
            ),
        ]
    ratio = case.owned.hardware_price_ratio
    pointer = f"{at}/hardware_price_ratio"
    terms.append(term(name="Part prices", value=ratio, unit="ratio", pointer=pointer))
    return terms


def _energy_terms(case: OwnedCase, scene: Scene, at: str) -> list[JSONDict]:
    assumptions, electricity = scene.assumptions, scene.assumptions.electricity
    it_kwh = sum(energy.it_kwh for energy in case.energies)
    hours = assumptions.hours_per_year * scene.months / MONTHS_PER_YEAR
    priced = sum(energy.priced_usd for energy in case.energies)
    pue_at = "/assumptions/pue" if case.owned.pue is None else f"{at}/pue"
    flat = electricity.kind == "flat"
    return [
        term(name="Average power", value=it_kwh / hours * WATTS_PER_KW, unit="W"),
        term(name="IT energy", value=it_kwh, unit="kWh"),
        term(
            name="Mean price",
            value=priced / it_kwh if it_kwh else 0.0,
            unit="USD/kWh",
            pointer="/assumptions/electricity/usd_per_kwh" if flat else "/assumptions/electricity",
        ),
        term(name="PUE", value=owned_pue(case.owned, scene), unit="ratio", pointer=pue_at),
    ]


def _rented_terms(case: CloudCase, cause: str, scene: Scene, at: str) -> list[JSONDict]:
    if cause in {"instances", "commitment", "copy"}:
        return _instance_terms(case, cause, scene, at)
    cloud = case.cloud
    if cause == "credits":
        return [
            term("Credits", cloud.credits.usd, "USD", f"{at}/credits/usd"),
            term("Valid for", cloud.credits.months, "months", f"{at}/credits/months"),
        ]
    off = term(
        name="Negotiated discount",
        value=cloud.negotiated_discount_fraction,
        unit="fraction",
        pointer=f"{at}/negotiated_discount_fraction",
    )
    if cause == "storage" and scene.demand is not None:
        return [*stored_terms(case, at), off]
    if cause == "storage":
        return [
            term(
                name="Stored",
                value=scene.stored_tb,
                unit="TB",
                pointer="/workload/storage_tb",
            ),
            off,
        ]
    if cause == "transfer" and scene.demand is not None:
        return [
            term(
                name="Egress, today",
                value=scene.timeline.egress_tb.today,
                unit="TB/month",
                pointer="/workload/egress_tb_per_month",
            ),
            term(
                name="Cross-zone, today",
                value=scene.timeline.cross_zone_tb.today,
                unit="TB/month",
                pointer="/workload/cross_zone_tb_per_month",
            ),
            term(
                name="Others",
                value=cloud.transfer.other_fraction,
                unit="fraction",
                pointer=f"{at}/transfer/other_fraction",
            ),
            off,
        ]
    return [off] if cause == "transfer" else []


def _instance_terms(case: CloudCase, cause: str, scene: Scene, at: str) -> list[JSONDict]:
    terms = []
    for index, item in enumerate(case.cloud.instances):
        place = f"{at}/instances/{index}"
        terms.append(
            term(
                name=f"{item.name}, an hour",
                value=item.usd_per_h,
                unit="USD/h",
                pointer=f"{place}/usd_per_h",
            )
        )
    work = scene.study.workload
    if isinstance(work, UtilizationWorkload):
        terms.append(
            term(
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
            term(
                name=f"{mix.item.name}, {kind}, mean",
                value=sum(counts) / len(counts),
                unit="count",
            )
        )
    if cause == "commitment":
        terms += [
            term(
                name=f"Discount, {item.term_months} months",
                value=item.discount_fraction,
                unit="fraction",
                pointer=f"{at}/commitments/{index}/discount_fraction",
            )
            for index, item in enumerate(case.cloud.commitments)
            if len(item.prices) < len(case.cloud.instances)
        ]
        terms += [
            term(
                name=f"{price.name}, committed for {item.term_months} months, an hour",
                value=price.usd_per_h,
                unit="USD/h",
                pointer=f"{at}/commitments/{index}/prices/{place}/usd_per_h",
            )
            for index, item in enumerate(case.cloud.commitments)
            for place, price in enumerate(item.prices)
        ]
    return terms
