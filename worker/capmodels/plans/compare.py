"""The plan: designs of one study compared by cost, energy, carbon and how sure we are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import ValidationError

from capmodels.errors import ModelError
from capmodels.plans.answer.cause_amounts import causes_with_draws
from capmodels.plans.answer.cautions import (
    bare_factors,
    borrowed_prices,
    owed_beyond,
    stretched_ranges,
)
from capmodels.plans.answer.choices import moves_most
from capmodels.plans.answer.commitment_curve import commitment_curves
from capmodels.plans.answer.down_hours import uncounted_downtime
from capmodels.plans.answer.formulas import CITATIONS, FORMULAS, LIMITS
from capmodels.plans.answer.memo import columns_of
from capmodels.plans.answer.ranking import (
    Returns,
    break_evens,
    ranking,
    rates_of_return,
    ties,
    with_design,
)
from capmodels.plans.answer.rented_storage import priced
from capmodels.plans.answer.rows import measure_of, table_rows
from capmodels.plans.answer.showback import team_costs
from capmodels.plans.answer.verdict import opposite, rival_of, verdict_of, with_left_out
from capmodels.plans.check.rules.not_counted import left_out
from capmodels.plans.checks import published_checks
from capmodels.plans.checks_machines import machine_checks
from capmodels.plans.comparison import Comparison, DesignResult, Money
from capmodels.plans.costing.book import Discount
from capmodels.plans.costing.scene import Scene
from capmodels.plans.document.combinations import combinations_of
from capmodels.plans.document.study import StudySpec
from capmodels.plans.document.upgrades import PARAMS_VERSION, UPGRADES
from capmodels.spec import Context, ModelSpec
from capmodels.units import MONTHS_PER_YEAR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.plans.answer.draws_kernel import Sureness
    from capmodels.plans.answer.memo import Column
    from capmodels.plans.comparison import Year


class AmountTooLarge(ModelError):
    """A study's numbers lead out of the range of numbers."""


DISCOUNTING = "monthly: what a month costs at its end, purchases when they are made"


def compare(study: StudySpec) -> Comparison:
    """Return the whole answer for a study; what has no answer is None with a reason.

    Raises
    ------
    AmountTooLarge
        When a sum leaves the range of numbers.
    """
    try:
        return _compare(study)
    except (OverflowError, FloatingPointError, ValidationError) as exc:
        message = "An amount is too large to be worked out. Enter smaller numbers."
        raise AmountTooLarge(message) from exc


def _compare(study: StudySpec) -> Comparison:
    scene = Scene(study)
    assumptions = study.assumptions
    kept = columns_of(study, scene)
    columns = [column.result for column in kept]
    sure = _sureness(study, columns, scene)
    columns = [_with_draws(item, sure, scene) for item in kept]
    order = ranking(columns)
    columns = _with_rates(columns, kept, order, assumptions.nominal_discount_fraction_per_year)
    if study.workload.teams:
        columns = [
            column.model_copy(update={"showback": team_costs(column, scene)}) for column in columns
        ]
    order = ranking(columns)
    rival = rival_of(order, sure)
    winner = order[0].letter if order else None
    even = break_evens(columns, winner, by_value=scene.by_value)
    of_winner = with_design(even, winner)
    discount = None
    if scene.by_value:
        discount = Discount(assumptions.nominal_discount_fraction_per_year, scene.months)
    tied = ties(study, columns, discount)
    verdict = verdict_of(
        order,
        columns,
        even=of_winner,
        tied=tied,
        sure=sure,
        scene=scene,
        certain=not study.ranges and not assumptions.choices,
    )
    return Comparison(
        horizon_months=scene.months,
        currency=Money(**assumptions.currency.model_dump(exclude={"paid_ratio"})),
        ranked_by=assumptions.ranked_by,
        measure=measure_of(columns, scene),
        discounting=DISCOUNTING,
        winner=winner,
        runner_up=None if rival is None else rival.letter,
        verdict=with_left_out(verdict, left_out(study)),
        designs=tuple(columns),
        break_evens=tuple(even),
        ties=tuple(tied),
        odds=None if sure is None else sure.odds,
        commitments=tuple(commitment_curves(study, scene)) if study.draws_count else (),
        quantities=() if sure is None else sure.quantities,
        flips=() if sure is None else sure.flips,
        choices=() if sure is None else sure.choices,
        tornado=() if sure is None else sure.tornado,
        tornado_center_usd=None if sure is None else sure.tornado_center_usd,
        moves_most=()
        if sure is None or winner is None or rival is None
        else moves_most(sure.tornado, sure.choices, winner, rival.letter),
        rows=table_rows(
            columns,
            even,
            scene,
            (order[0].letter, opposite(order).letter) if len(order) > 1 else None,
        ),
        warnings=(
            *borrowed_prices(study),
            *bare_factors(study),
            *uncounted_downtime(columns, scene),
            *owed_beyond(columns, scene, assumptions.choices),
            *(stretched_ranges(study) if study.draws_count else ()),
        ),
    )


def _sureness(study: StudySpec, columns: list[DesignResult], scene: Scene) -> Sureness | None:
    if study.draws_count == 0:
        return None
    from capmodels.plans.answer.draws_kernel import sureness

    return sureness(study, columns, scene.curves)


def _with_draws(kept: Column, sure: Sureness | None, scene: Scene) -> DesignResult:
    """The column with what the trials say of it."""
    column = kept.result
    if sure is None:
        return column
    found = sure.designs[column.letter]
    low, middle, high = found.quantiles_usd
    cumulative = found.cumulative_usd
    meant = column.model_copy(
        update={
            "competes": column.letter in sure.order,
            "ranked_usd": found.mean_usd,
            "mean_usd": found.mean_usd,
            "mean_error_usd": found.mean_error_usd,
            "p10_usd": low,
            "p50_usd": middle,
            "p90_usd": high,
            "regret_usd": found.regret_usd,
            "win_fraction": found.win_fraction,
            "near_fraction": found.near_fraction,
            "met_fraction": found.met_fraction,
            "unmet_h_per_year": found.unmet_h_per_year,
            "years": _with_means(column.years, found.cumulative_mean_usd),
            "causes": causes_with_draws(column.causes, found.causes_usd, scene),
            "cumulative_ranked_usd": found.cumulative_mean_usd,
            "cumulative_p10_usd": cumulative[0],
            "cumulative_p50_usd": cumulative[1],
            "cumulative_p90_usd": cumulative[2],
        }
    )
    return priced(meant, kept.figures.share, kept.figures.rented)


def _with_means(years: Sequence[Year], cumulative_usd: Sequence[float]) -> tuple[Year, ...]:
    """Years with what each adds to the mean of the simulations; the first has the start in it."""
    last = len(cumulative_usd) - 1
    ends = [cumulative_usd[min(year.year * MONTHS_PER_YEAR, last)] for year in years]
    return tuple(
        year.model_copy(update={"ranked_usd": end - before})
        for year, end, before in zip(years, ends, [0.0, *ends], strict=False)
    )


def _with_rates(
    columns: list[DesignResult], kept: list[Column], order: list[DesignResult], capital: float
) -> list[DesignResult]:
    timed = {item.result.letter: item.timed_usd for item in kept}
    rates = rates_of_return(timed, order, capital)
    results = []
    for item in columns:
        rate = rates.get(item.letter, Returns())
        told = {"irr_fraction": rate.irr, "irr_reason": rate.reason, "mirr_fraction": rate.mirr}
        results.append(item.model_copy(update=told))
    return results


# Amounts kept at once: 8 designs over 10 years in 10,000 draws are just below.
POINT_LIMIT = 10_000_000


def points_of(study: StudySpec) -> int:
    """Amounts that an answer keeps at once: designs, months, and draws of each."""
    columns = len(study.designs) + (study.baseline is not None)
    months = max(one.study.assumptions.horizon_months for one in combinations_of(study))
    return columns * (months + 1) * max(study.draws_count, 1)


def _run(params: StudySpec, _context: Context) -> Comparison:
    return compare(params)


SPEC = ModelSpec(
    id="plans.compare",
    version="2.82.0",
    title="Compare designs",
    summary="Sizes every design to the same work, and says which is cheapest over the "
    "horizon, when owning pays off, the energy and carbon of each, and how sure that is.",
    params=StudySpec,
    params_version=PARAMS_VERSION,
    upgrades=UPGRADES,
    result=Comparison,
    run=_run,
    citations=CITATIONS,
    formulas=FORMULAS,
    checks=(*published_checks(compare), *machine_checks(compare)),
    limits=LIMITS,
    stochastic=True,
    points=points_of,
    point_limit=POINT_LIMIT,
)
