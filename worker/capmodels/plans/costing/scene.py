"""What one evaluation works with: the study, its timeline, its curves. Built once per run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from capmodels.amounts import is_zero, smallest
from capmodels.cost.npv import monthly_rate_fraction
from capmodels.plans.costing.duration import DurationCurve
from capmodels.plans.costing.serving import gpu_work, with_gpus_of_models
from capmodels.plans.costing.tariff_bill import TariffHours, tariff_hours
from capmodels.plans.costing.tariffs import HOURS_PER_DAY, hourly_prices, tariff_of_hours
from capmodels.plans.costing.timeline import Interval, Timeline
from capmodels.plans.document.workload import (
    DemandWorkload,
    HourlyShape,
    ObjectUse,
    UtilizationWorkload,
)
from capmodels.series import ListForm, each, tiled
from capmodels.units import MB_PER_TB, MONTHS_PER_YEAR, SECONDS_PER_HOUR
from capmodels.worked import is_worked, kept, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capmodels.amounts import Amount
    from capmodels.plans.document.assumptions import (
        Assumptions,
    )
    from capmodels.plans.document.baseline import Baseline
    from capmodels.plans.document.question import Design, Question
    from capmodels.plans.document.workload import Workload
    from capmodels.series import Series

# Months from one order to the next.
ORDER_MONTHS = {"month": 1, "quarter": 3, "half_year": 6, "year": 12}


@dataclass(frozen=True, slots=True)
class PartOfStudy:
    """A study with a part of its demand."""

    designs: tuple[Design, ...]
    workload: Workload
    assumptions: Assumptions
    baseline: Baseline | None


# Kinds of demand that may live apart, and what of the work is none where they do not.
DEMANDS: dict[str, tuple[tuple[str, object], ...]] = {
    "compute": (("busy_cores_count", 0.0), ("ram_gib", 0.0)),
    "block": (("block_tb", 0.0), ("block_io_per_s", 0.0), ("block_throughput_mb_per_s", 0.0)),
    "object": (("object_tb", 0.0), ("object_use", ObjectUse())),
    "archive": (("archive_tb", 0.0), ("archive_read_tb_per_month", 0.0)),
    "gpus": (("gpu_peak_count", 0.0), ("gpu_mean_count", 0.0), ("streams", ()), ("trainings", ())),
}


class Scene:
    """A study made ready for the equations."""

    def __init__(
        self,
        study: Question,
        curves: Curves | None = None,
        form: ListForm | None = None,
        *,
        beside: Scene | None = None,
        planned: Scene | None = None,
    ) -> None:
        """Take over a study; curves of the same shape may be handed on.

        ``form`` says how series are made: lists for a point, matrices for draws. A scene of
        the same work, horizon and form may be named whose timeline is taken over. In trials
        ``planned`` is the study as entered, which is all that is known at the start.
        """
        self.form = form or ListForm()
        self.study = study
        self.assumptions: Assumptions = study.assumptions
        self.months = study.assumptions.horizon_months
        self.years = -(-self.months // MONTHS_PER_YEAR)
        self.order_months = ORDER_MONTHS[study.assumptions.ordering_interval]
        self.intervals = tuple(
            Interval(first, min(first + self.order_months, self.months))
            for first in range(0, self.months, self.order_months)
        )
        self.hours_per_month = study.assumptions.hours_per_year / MONTHS_PER_YEAR
        self.curves = curves or Curves(study)
        self._beside = beside
        self.planned = planned
        self._foreseen: dict[Amount, Scene] = {}
        self._changes: dict[str, Amount] = {
            name.removesuffix("_fraction_per_year"): change
            for name, change in study.assumptions.price_changes
            if not is_zero(change)
        }

    @property
    def by_value(self) -> bool:
        """Whether designs are ranked by present value, not by what is paid."""
        return self.assumptions.ranked_by == "present_value"

    @property
    def explains(self) -> bool:
        """Whether its numbers remember how they were worked out."""
        return is_worked(self.months)

    @cached_property
    def demand(self) -> DemandWorkload | None:
        """The workload, when it is a demand."""
        work = self.study.workload
        return with_gpus_of_models(work) if isinstance(work, DemandWorkload) else None

    def gpu_work(self, kind: str | None, per_machine: Amount) -> Amount:
        """Work of a GPU of a kind over that of one of those in which the work is counted."""
        return gpu_work(self.work, kind, per_machine)

    @cached_property
    def work(self) -> DemandWorkload:
        """The demand, where the caller knows that the workload is one."""
        if self.demand is None:
            raise TypeError
        return self.demand

    @cached_property
    def timeline(self) -> Timeline:
        """The demand over time; only for a demand workload."""
        if self._beside is not None:
            return self._beside.timeline
        return Timeline(self.work, self.months, self.form)

    def decided(self, month: int, lead_months: int = 0) -> Scene:
        """The study as it is known to those who decide what is in place from a month on.

        They order a lead time before, by the demand that was observed an ordering interval
        before that, and expect it to grow from there as planned. Before anything was
        observed they know the plan alone. Without trials the plan is what comes to pass.
        """
        if self.planned is None:
            return self
        observed = month - lead_months - self.order_months
        if observed < 0 or self.demand is None:
            return self.planned
        if observed not in self._foreseen:
            scene = Scene(self.study, self.curves, self.form)
            scene.timeline = (
                self.timeline.foreseen(self.planned.timeline, observed)
                if self._beside is None
                else self._beside.decided(month, lead_months).timeline
            )
            self._foreseen[observed] = scene
        return self._foreseen[observed]

    def living(self, kinds: frozenset[str]) -> Scene:
        """The study with the demand of some kinds alone; the others live elsewhere."""
        if kinds >= DEMANDS.keys():
            return self
        gone = {name: value for kind in DEMANDS.keys() - kinds for name, value in DEMANDS[kind]}
        study = PartOfStudy(
            self.study.designs,
            self.work.model_copy(update=gone),
            self.study.assumptions,
            self.study.baseline,
        )
        planned = None if self.planned is None else self.planned.living(kinds)
        return Scene(study, self.curves, self.form, planned=planned)

    @cached_property
    def by_month(self) -> Scene:
        """The same with own machines looked at by the month, for a design that follows a plan."""
        if self.order_months == 1:
            return self
        monthly = self.study.assumptions.model_copy(update={"ordering_interval": "month"})
        study = PartOfStudy(self.study.designs, self.study.workload, monthly, self.study.baseline)
        planned = None if self.planned is None else self.planned.by_month
        return Scene(study, self.curves, self.form, beside=self, planned=planned)

    def of(self, design: Any) -> Scene:
        """The scene in which a design is costed: by the month where it follows a plan."""
        return self.by_month if getattr(design, "plan", None) is not None else self

    def planned_design(self, letter: str) -> Any:
        """A design as entered, whatever a trial makes of it; None without trials."""
        if self.planned is None:
            return None
        return next((item for item in self.planned.study.designs if item.letter == letter), None)

    @cached_property
    def mean_use(self) -> Amount:
        """Utilisation of all machines together; only for a utilisation workload."""
        work = self.study.workload
        if not isinstance(work, UtilizationWorkload):
            raise TypeError
        cores = [item.node_count * item.cores_per_node_count for item in work.machines]
        cores = [1.0 if is_zero(count) else count for count in cores]
        used = 0.0
        for item, weight in zip(work.machines, cores, strict=True):
            own = item.utilization_fraction
            used = used + weight * (work.utilization_fraction if own is None else own)
        return used / sum(cores)

    @cached_property
    def stored_tb(self) -> Amount:
        """Data kept; only for a utilisation workload."""
        work = self.study.workload
        if not isinstance(work, UtilizationWorkload):
            raise TypeError
        return work.storage_tb

    @cached_property
    def p99_ratio(self) -> Amount:
        """Peak over mean that owned capacity is sized to."""
        given = None if self.demand is None else self.demand.p99_ratio
        return self.curves.load.quantile(0.99) if given is None else given

    @property
    def mb_per_s_per_tb_month(self) -> Amount:
        """Mean rate of a TB a month. [MB/s]"""
        return MB_PER_TB / (self.hours_per_month * SECONDS_PER_HOUR)

    @cached_property
    def shrinks(self) -> bool:
        """Whether something of the demand falls over time, in some trial at least."""
        rates = [grower.growth_fraction_per_year for grower in vars(self.timeline).values()]
        if (service := self.work.service) is not None:
            rates += [service.rate_growth_fraction_per_year, service.data_growth_fraction_per_year]
        return any(smallest(rate) < 0 for rate in rates)

    def edges(self, interval: Interval, later_months: int = 0) -> tuple[int, ...]:
        """Months in one of which each need of an interval is largest, and of some months after it.

        A need is the largest of sums of exponentials of time, which is convex, and so largest at
        the end or on the first day; the latter where something shrinks.
        """
        end = interval.end + later_months
        return (end, interval.first) if self.demand is not None and self.shrinks else (end,)

    def months_of(self, year: int) -> int:
        """Months of a year (0 is the first) that are within the horizon."""
        return min(MONTHS_PER_YEAR, self.months - year * MONTHS_PER_YEAR)

    def intervals_of(self, year: int) -> range:
        """Places of the intervals of a year (0 is the first) among all."""
        a_year = MONTHS_PER_YEAR // self.order_months
        return range(year * a_year, min((year + 1) * a_year, len(self.intervals)))

    def year_end(self, year: int) -> int:
        """Place of the last interval of a year, 0 being the first."""
        return self.intervals_of(year)[-1]

    def price_factor(self, component: str, month: Amount) -> Amount:
        """Price of a component some months after the start over its price at the start."""
        change = self._changes.get(component)
        if change is None:
            return 1.0
        factor = (1.0 + change) ** (month / MONTHS_PER_YEAR)
        return named(factor, "Price over that at the start", "ratio")

    def present_factor(self, month: Amount) -> Amount:
        """Present value of a payment some months after the start, where designs go by that."""
        if not self.by_value:
            return 1.0
        rate = monthly_rate_fraction(self.assumptions.nominal_discount_fraction_per_year)
        return (1.0 + rate) ** -month

    def priced(self, component: str, amounts: Series) -> Series:
        """Monthly amounts at today's prices times the price factor in each month's middle."""
        change = self._changes.get(component)
        if change is None:
            return amounts
        factor = 1.0 + change
        return each(
            lambda amount, month: amount * factor ** (month / MONTHS_PER_YEAR),
            amounts,
            self.form.month_numbers(self.months),
        )

    def year_factor(self, component: str, year: int) -> Amount:
        """Price factor in the middle of a year, 0 being the first."""
        return self.price_factor(component, year * MONTHS_PER_YEAR + 0.5 * self.months_of(year))


class Curves:
    """Duration curves of a study: of the load, and of the load weighted by price or carbon."""

    def __init__(self, study: Question) -> None:
        """Build the curve of the load; the weighted ones follow when asked for."""
        work = study.workload
        shape = work.shape if isinstance(work, DemandWorkload) else None
        self._values = shape.values_ratio if isinstance(shape, HourlyShape) else (1.0,)
        self._assumptions = study.assumptions
        self.load = curve_of(self._values)

    @cached_property
    def price(self) -> DurationCurve | None:
        """Load weighted by the hour's price over its level; None for a flat price."""
        prices = hourly_prices(self._assumptions.electricity)
        return None if prices is None else self._weighted(prices)

    @cached_property
    def bands(self) -> tuple[DurationCurve, ...]:
        """Load in the hours at the base price, then at each tariff's. The price curve is their
        sum, each times its price; where prices are draws, this is the one way.
        """
        electricity = self._assumptions.electricity
        if electricity.kind != "time_of_use":
            return ()
        hours = tariff_of_hours(electricity)
        return tuple(
            self._weighted([float(at == band) for at in hours])
            for band in range(len(electricity.tariffs) + 1)
        )

    @cached_property
    def tariff(self) -> TariffHours | None:
        """The hours of the year by month and period of the tariff; None without one."""
        electricity = self._assumptions.electricity
        return tariff_hours(electricity, self._values) if electricity.kind == "tariff" else None

    @cached_property
    def carbon(self) -> DurationCurve | None:
        """Load weighted by the hour's carbon intensity over its mean; None when flat."""
        ratios = self._assumptions.carbon.hourly_ratio
        if ratios is None:
            return None
        mean = sum(ratios) / len(ratios)
        return self._weighted([ratio / mean for ratio in ratios])

    def _weighted(self, weights: Sequence[float]) -> DurationCurve:
        hours = max(len(self._values), len(weights), HOURS_PER_DAY)
        return curve_of(tuple(tiled(self._values, hours)), tuple(tiled(weights, hours)))


@kept(32)
def curve_of(values: tuple[float, ...], weights: tuple[float, ...] | None = None) -> DurationCurve:
    """Return the duration curve of a series; a slider leaves the series as it is."""
    return DurationCurve(values, weights)
