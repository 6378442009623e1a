"""One column of the comparison: a costed design with its cash, years, energy and carbon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from pydantic import TypeAdapter

from capmodels.amounts import as_number, fsum
from capmodels.carbon.operational import operational_kgco2e
from capmodels.cost.equivalent_annual_cost import equivalent_annual_cost_usd
from capmodels.plans.answer.cause_amounts import cause_amounts, cause_flows
from capmodels.plans.answer.describe import (
    binding_of_design,
    owned_storage_tb,
    shortfall,
    sizing_of,
)
from capmodels.plans.answer.down_hours import down_figures
from capmodels.plans.answer.factors import factors_told
from capmodels.plans.answer.io_ceiling import io_figures
from capmodels.plans.answer.racking import rack_figures, rack_remark
from capmodels.plans.answer.rented_storage import (
    TbShare,
    arrays_bear_all,
    priced,
    rented_share,
    rented_storage,
    tb_share,
)
from capmodels.plans.answer.showback import owned_storage_fraction
from capmodels.plans.answer.site_envelope import envelope_figures, envelope_remark
from capmodels.plans.answer.statement import statement
from capmodels.plans.comparison import Between, CarbonAmount, CauseAmount, DesignResult, Energy
from capmodels.plans.costing.array_figures import array_figures
from capmodels.plans.costing.array_sums import all_tiers, tier_figures
from capmodels.plans.costing.designs import cause_book
from capmodels.plans.costing.finance import by_year, cumulative, depreciation_usd
from capmodels.plans.costing.footprint import (
    YearFootprint,
    coefficients_of,
    owned_embodied_kgco2e,
    owned_year,
    rented_embodied_kgco2e,
    rented_year,
    rents_gpus,
)
from capmodels.plans.costing.headroom import spare_of
from capmodels.plans.costing.lease import lease_owed_usd
from capmodels.plans.costing.node_memory import memory_figures, unknown_memory
from capmodels.plans.costing.owned_cost import booked
from capmodels.plans.costing.service_load import service_figures
from capmodels.plans.costing.tokens import api_usd
from capmodels.plans.document.owned import Lease
from capmodels.series import add
from capmodels.units import MONTHS_PER_YEAR
from capmodels.worked import named

if TYPE_CHECKING:
    from capmodels.plans.answer.cause_amounts import CauseFlow
    from capmodels.plans.causes import Key
    from capmodels.plans.costing.book import Discount
    from capmodels.plans.costing.cloud_cost import CloudCase
    from capmodels.plans.costing.designs import Costed
    from capmodels.plans.costing.owned_cost import OwnedCase
    from capmodels.plans.costing.scene import Scene
    from capmodels.series import Series
    from capmodels.spec import JSONDict


@dataclass(frozen=True, slots=True)
class Figures:
    """What of a column is no matter of its people, migration or tax.

    ``told`` are fields of the column by name, ``share`` is what each TB of its space bears,
    ``rented`` what each TB that it rents does.
    """

    told: JSONDict
    share: TbShare | None
    rented: TbShare | None


_FIELDS: dict[str, TypeAdapter[Any]] = {
    name: TypeAdapter(cast("Any", field.annotation))
    for name, field in DesignResult.model_fields.items()
}


def figures_of(item: Costed, scene: Scene) -> Figures:
    """Return what is known of a design before its people are paid."""
    scene = scene.of(item.design)
    short = shortfall(item, scene)
    racks = None if item.owned is None else rack_figures(item.owned)
    envelope = None if item.owned is None else envelope_figures(item.owned)
    remarks = (
        rack_remark(racks, item.owned_letter),
        envelope_remark(envelope, item.owned_letter),
    )
    remarked = tuple(remark for remark in remarks if remark is not None)
    footprints = footprints_of(item, scene)
    energy, by_cause = energy_of(item, footprints)
    carbon = carbon_of(item, scene, footprints)
    told: JSONDict = {
        "carries_load": short is None,
        "shortfall": short,
        "competes": short is None,
        "binding": binding_of_design(item, scene),
        "spare": spare_of(item, scene),
        "sizing": sizing_of(item, scene),
        "energy": energy,
        "energy_by_cause_kwh": by_cause,
        "carbon": carbon,
        "downtime": down_figures(item, scene),
        **_array(item, scene, carbon.kgco2e),
        "service": _service(item, scene),
        "memory": None if item.owned is None else memory_figures(item.owned.plans),
        "racks": racks,
        "envelope": envelope,
        "io": None if item.owned is None else io_figures(item.owned, item.owned.scene),
        "owned_storage_fraction": owned_storage_fraction(item, scene),
        "owned_storage_tb": owned_storage_tb(item, scene, -1),
        "remarks": remarked,
        "warnings": tuple(one.sentence for one in (short, *remarked) if one is not None),
    }
    # Checked here, once; the column takes instances as they are.
    checked = {name: _FIELDS[name].validate_python(value) for name, value in told.items()}
    rented = rented_share(item)
    return Figures(checked, tb_share(item, scene, rented), rented)


def column_of(item: Costed, scene: Scene, discount: Discount, figures: Figures) -> DesignResult:
    """Return everything that is known of a design before it is held against the others."""
    book = cause_book(item)
    flows = cause_flows(book, discount)
    nothing: Series = [0.0] * (scene.months + 1)
    cash = add(nothing, *(flow.cash for flow in flows.values()))
    present = add(nothing, *(flow.present for flow in flows.values()))
    npv_usd = fsum(present)
    total_usd = fsum(cash)
    causes = [CauseAmount(**one) for one in cause_amounts(flows, scene)]
    column = DesignResult(
        letter=item.letter,
        title=item.title,
        kind=item.kind,
        is_baseline=item.kind == "baseline",
        total_usd=total_usd,
        npv_usd=npv_usd,
        ranked_usd=npv_usd if scene.by_value else total_usd,
        eac_usd_per_year=equivalent_annual_cost_usd(
            npv_usd=npv_usd,
            discount_fraction_per_year=scene.assumptions.nominal_discount_fraction_per_year,
            life_years=scene.months / MONTHS_PER_YEAR,
        ),
        owed_after_horizon_usd=owed_after_usd(item, scene),
        causes=causes,
        cumulative_usd=tuple(cumulative(cash)),
        cumulative_npv_usd=tuple(cumulative(present)),
        cumulative_ranked_usd=tuple(cumulative(present if scene.by_value else cash)),
        years=_years(item, scene, flows, (cash, present, book.capital_cash())),
        statement=statement(item, scene),
        rented_storage=rented_storage(item, causes, figures.rented),
        **figures.told,
    )
    return priced(column, figures.share, figures.rented)


def _service(item: Costed, scene: Scene) -> JSONDict | None:
    """How the first group that carries the workload's service does."""
    if item.owned is None or scene.demand is None or scene.demand.service is None:
        return None
    serving = (plan for plan in item.owned.plans if plan.group.role == "service")
    plan = next(serving, None)
    return None if plan is None else service_figures(plan, scene)


def _array(item: Costed, scene: Scene, kgco2e: float | None) -> JSONDict:
    """The arrays of a design and its tiers."""
    case = item.owned
    if case is None or not case.arrays:
        return {}
    whole = (None, kgco2e if arrays_bear_all(item) else None)
    if len(case.arrays) == 1:
        found = array_figures(case.arrays[0], scene, case.owned.refresh_months, *whole)
        return {"array": found}
    tiers = tier_figures(case, scene)
    return {"array": all_tiers(case.arrays, tiers, scene, whole), "tiers": tiers}


def _years(
    item: Costed, scene: Scene, flows: dict[Key, CauseFlow], totals: tuple[Series, Series, Series]
) -> list[JSONDict]:
    """The table by year; the totals are cash, present value, and purchases less salvage."""
    causes = {
        (cause if side == "owned" or (cause, "owned") not in flows else f"cloud_{cause}"): (
            by_year(flow.cash)
        )
        for (cause, side), flow in flows.items()
    }
    cash, values, capital = (by_year(series) for series in totals)
    written = depreciation_by_year(item, scene)
    return [
        {
            "year": year + 1,
            "capex_usd": capital[year],
            "opex_usd": cash[year] - capital[year],
            "depreciation_usd": written[year],
            "cash_usd": cash[year],
            "npv_usd": values[year],
            "ranked_usd": values[year] if scene.by_value else cash[year],
            "causes": {cause: amounts[year] for cause, amounts in causes.items()},
        }
        for year in range(scene.years)
    ]


def depreciation_by_year(item: Costed, scene: Scene) -> list[float]:
    """What the books write off in each year; nothing of what goes back to a lessor."""
    rule, years = scene.assumptions.depreciation, scene.years
    written_off = [depreciation_usd(batch, rule, years) for batch in booked(item.owned)]
    return [fsum(year) for year in zip(*written_off, strict=True)] or [0.0] * years


def owed_after_usd(item: Costed, scene: Scene) -> float:
    """Payments already promised that fall after the horizon: leases and commitments. [USD]"""
    owed = 0.0
    finance = None if item.owned is None else item.owned.owned.finance
    if item.owned is not None and isinstance(finance, Lease):
        owed += fsum(lease_owed_usd(finance, one, scene.months) for one in item.owned.batches)
    if item.rented is not None:
        for mix in item.rented.mixes:
            for tranche in mix.tranches:
                left = max(tranche.end_month - scene.months, 0)
                hourly = tranche.count * tranche.usd_per_h * (1.0 - tranche.upfront_fraction)
                owed += as_number(hourly * scene.hours_per_month * left * item.rented.kept)
    return owed


Footprints = tuple[list[YearFootprint], list[YearFootprint]]


def footprints_of(item: Costed, scene: Scene) -> Footprints:
    """Electricity by year of the owned and of the rented part, where it is known."""
    if _unknown(item) is not None:
        return [], []
    owned = [] if item.owned is None else [owned_year(item.owned, y) for y in range(scene.years)]
    rented = (
        [] if item.rented is None else [rented_year(item.rented, y) for y in range(scene.years)]
    )
    if item.before is not None and item.rented is not None:
        for year, first in enumerate(rented):
            opens = item.rented.since_month - year * MONTHS_PER_YEAR
            share = min(max(opens / scene.months_of(year), 0.0), 1.0)
            first.add(rented_year(item.before, year), share)
    return owned, rented


def energy_of(item: Costed, footprints: Footprints) -> tuple[Energy, dict[str, float]]:
    """Electricity over the horizon: modelled, estimated with a range, or unknown."""
    reason = _unknown(item)
    if reason is not None:
        unknown = Energy(kwh=None, low_kwh=None, high_kwh=None, basis="unknown", reason=reason)
        return unknown, {}
    owned, rented = footprints
    by_cause: dict[str, float] = {}
    for year in (*owned, *rented):
        for cause, kwh in year.by_cause_kwh.items():
            by_cause[cause] = by_cause.get(cause, 0.0) + as_number(kwh)
    modelled = fsum(year.kwh for year in owned)
    estimated = fsum(year.kwh for year in rented)
    if item.rented is None:
        energy = Energy(kwh=modelled, low_kwh=None, high_kwh=None, basis="modelled")
        return energy, by_cause
    ratios = coefficients_of(item.rented)
    energy = Energy(
        kwh=modelled + estimated,
        low_kwh=modelled + estimated * ratios.low_ratio,
        high_kwh=modelled + estimated * ratios.high_ratio,
        basis="estimate",
        reason="What is rented is estimated by coefficients per vCPU; no provider meters it.",
    )
    return energy, by_cause


def _unknown(item: Costed) -> str | None:
    if item.kind == "baseline":
        return "What runs today is entered by its price, not by its power."
    if item.owned is not None and (reason := _unknown_nodes(item.owned)) is not None:
        return reason
    if item.rented is None:
        return None
    if item.before is not None and (reason := _unknown_rented(item.before, all_of_it=False)):
        return reason
    return _unknown_rented(item.rented, all_of_it=item.kind == "cloud")


def _unknown_rented(case: CloudCase, *, all_of_it: bool) -> str | None:
    """Why the draw of what is rented is unknown."""
    if case.cloud.energy is None:
        return "No coefficients are entered for the power of what is rented."
    if rents_gpus(case, all_of_it=all_of_it):
        return "There are no coefficients for the power of rented GPUs."
    if api_usd(case.cloud.token_prices, case.scene) is not None:
        return "How much energy an API takes is not known."
    return None


def _unknown_nodes(case: OwnedCase) -> str | None:
    """Why the draw of some nodes is unknown."""
    if any(plan.group.power is None for plan in case.plans):
        return "The power of some nodes is not entered."
    reasons = (unknown_memory(plan.group) for plan in case.plans)
    return next((reason for reason in reasons if reason is not None), None)


_WEIGHED = "Electricity, weighed by the intensity of its hours"


def carbon_parts(
    item: Costed, scene: Scene, footprints: Footprints
) -> list[tuple[str, float]] | None:
    """Emissions by what makes them, the most likely; None where they are unknown. [kg CO2e]

    Of electricity year by year, at the hours' own intensity; of making the machines once, where
    that is known of all of them.
    """
    intensity = scene.assumptions.carbon.gco2e_per_kwh
    if intensity is None or _unknown(item) is not None:
        return None
    parts = [
        (
            f"year {year + 1}, electricity",
            _emitted_kgco2e(named(as_number(used.carbon_kwh), _WEIGHED, "kWh"), intensity),
        )
        for side in footprints
        for year, used in enumerate(side)
    ]
    made = _embodied(item)
    return parts if made is None else [*parts, ("making the hardware", made[0])]


def carbon_of(item: Costed, scene: Scene, footprints: Footprints) -> CarbonAmount:
    """Emissions over the horizon: of electricity and of making the machines."""
    carbon = scene.assumptions.carbon
    reason = _unknown(item)
    if reason is None and carbon.gco2e_per_kwh is None:
        reason = "No carbon intensity is entered in the assumptions."
    if reason is not None or carbon.gco2e_per_kwh is None:
        return _unknown_carbon(reason)
    mode = carbon.gco2e_per_kwh
    low = mode if carbon.low_gco2e_per_kwh is None else carbon.low_gco2e_per_kwh
    high = mode if carbon.high_gco2e_per_kwh is None else carbon.high_gco2e_per_kwh
    owned, rented = footprints
    modelled = fsum(year.carbon_kwh for year in owned)
    estimated = fsum(year.carbon_kwh for year in rented)
    least = greatest = estimated
    if item.rented is not None:
        ratios = coefficients_of(item.rented)
        least, greatest = estimated * ratios.low_ratio, estimated * ratios.high_ratio
    embodied = _embodied(item)
    made = (0.0, 0.0, 0.0) if embodied is None else embodied
    operational = _emitted_kgco2e(modelled + estimated, mode)

    def between(gco2e_per_kwh: float) -> Between:
        return Between(
            low=_emitted_kgco2e(modelled + least, gco2e_per_kwh) + made[1],
            high=_emitted_kgco2e(modelled + greatest, gco2e_per_kwh) + made[2],
        )

    return CarbonAmount(
        kgco2e=operational + made[0],
        low_kgco2e=_emitted_kgco2e(modelled + least, low) + made[1],
        high_kgco2e=_emitted_kgco2e(modelled + greatest, high) + made[2],
        operational_kgco2e=operational,
        embodied_kgco2e=None if embodied is None else made[0],
        at_low_intensity=between(low),
        at_high_intensity=between(high),
        basis="modelled" if item.rented is None else "estimate",
        reason=None if embodied is not None else "Without the emissions of making the machines.",
        factors=factors_told(item, carbon),
    )


def _unknown_carbon(reason: str | None) -> CarbonAmount:
    return CarbonAmount(
        kgco2e=None,
        low_kgco2e=None,
        high_kgco2e=None,
        operational_kgco2e=None,
        embodied_kgco2e=None,
        basis="unknown",
        reason=reason,
    )


def _embodied(item: Costed) -> tuple[float, float, float] | None:
    parts = []
    if item.owned is not None:
        parts.append(owned_embodied_kgco2e(item.owned))
    if item.rented is not None:
        parts.append(rented_embodied_kgco2e(item.rented))
    known = [part for part in parts if part is not None]
    if not known or len(known) < len(parts):
        return None
    return (
        fsum(part[0] for part in known),
        fsum(part[1] for part in known),
        fsum(part[2] for part in known),
    )


def _emitted_kgco2e(kwh: float, gco2e_per_kwh: float) -> float:
    return operational_kgco2e(energy_kwh=[kwh], intensity_gco2e_per_kwh=[gco2e_per_kwh])
