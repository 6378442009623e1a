"""The work that a utilisation trace holds: busy cores, their peak, their hours, RAM in use."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field, field_validator

from capmodels.errors import Fault, ModelError, ParamsError
from capmodels.formats.told_axes import peak_hours, peak_said
from capmodels.formats.trace_store import TraceRef
from capmodels.numbers import percent, quantity
from capmodels.seasons import YEAR_STEPS, seasons_of
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    JSONDict,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    derived_check,
    one_point,
    preset,
    refusal,
)
from capmodels.told import Axis, Figure, Series, Told
from capmodels.units import (
    SECONDS_PER_HOUR,
    Count,
    CountFromOne,
    DataGib,
    DurationH,
    DurationS,
    Fraction,
    GrowthFractionPerYear,
    Ratio,
    Real,
    of_unit,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from capmodels.formats.trace_types import UtilizationTrace

    Floats = NDArray[np.float64]

_DAY_H, _WEEK_H = 24, 168
# Unix time 0 was a Thursday; hour 0 of a week is Monday's first, as in every hourly shape.
_MONDAY_H = 72
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
# Below it a file counts seconds from its own start, and no hour of the week is known.
_CALENDAR_FROM_S = 365 * 86_400.0
_PEAK = 99.0
# From half a year on a trace says how demand grows: its mean is then a quarter of a year old or
# more. Growth is taken where it is sure to 99% that there is any; its range is that of the others.
_GROWS_FROM_DAYS, _SURE_FRACTION, _RANGE_FRACTION = 182, 0.99, 0.8
_DAY_S, _MANY_DAYS = 86_400.0, 10_000
_SAMPLES_MAX = 100_000

Shape = Literal["hour_of_week", "hour_of_day", "flat"]
Cores = Annotated[Real, of_unit("count", gt=0, le=100_000)]
Ram = Annotated[DataGib, Field(gt=0, le=1e7)]


class MachineSize(Params):
    """A machine of the trace whose size is not that of the others."""

    name: str = Field(min_length=1, max_length=200, description="As in the trace.")
    cores_count: Cores
    ram_gib: Ram | None = None


class WorkOfTraceParams(Params):
    """A trace, and how large its machines are: a trace holds shares of them alone."""

    samples_fraction: tuple[Fraction, ...] = preset(
        (),
        "CPU use of one machine at equal steps, instead of a trace.",
        max_length=_SAMPLES_MAX,
        title="CPU use",
    )
    step_s: Annotated[DurationS, Field(gt=0)] = assumed(300.0, "Between two entered samples.")
    trace: TraceRef | None = blank("An uploaded trace of utilisation.", validate_default=True)
    cores_per_machine_count: Cores = Field(
        title="Cores per machine", description="Of each machine that is not listed below."
    )
    ram_per_machine_gib: Ram | None = blank(
        "Of each machine that is not listed below. Empty: unknown.", title="RAM per machine"
    )
    machines: tuple[MachineSize, ...] = Field(
        default=(),
        max_length=10_000,
        title="Machines of another size",
    )

    @field_validator("trace")
    @classmethod
    def _one_source(cls, value: TraceRef | None, info: object) -> TraceRef | None:
        samples = getattr(info, "data", {}).get("samples_fraction")
        if value is None and samples == ():
            raise refusal("missing", "Choose a trace, or enter samples.")
        if value is not None and samples:
            raise refusal("conflict", "Choose a trace or enter samples, not both.")
        return value


class TraceGrowth(Result):
    """Growth over a trace, from a year to the next."""

    fraction_per_year: GrowthFractionPerYear
    low_fraction_per_year: GrowthFractionPerYear = Field(description="10 of 100 below it.")
    high_fraction_per_year: GrowthFractionPerYear = Field(description="10 of 100 above it.")


class WorkOfTraceResult(Told):
    """What the machines carried together at the end of the trace, in their own cores.

    Where demand grew over it, all hours are raised to the level of its end.
    """

    machines_count: CountFromOne
    cores_count: Ratio
    busy_cores_mean_count: Ratio
    busy_cores_p99_count: Ratio
    busy_cores_peak_count: Ratio
    busy_cores_of_all_count: Ratio = Field(description="Mean over the whole trace, as measured.")
    cores_growth: TraceGrowth | None
    ram_growth: TraceGrowth | None
    p99_ratio: Ratio
    shape: Shape
    shape_ratio: tuple[Ratio, ...]
    ram_installed_gib: DataGib | None
    ram_mean_gib: DataGib | None
    ram_p99_gib: DataGib | None
    duration_h: DurationH
    step_s: DurationS
    steps_count: Count
    warnings: tuple[str, ...]


def _six(value: float) -> float:
    """To six digits: shares are kept to seven."""
    return float(f"{value:.6g}")


def _trace(params: WorkOfTraceParams) -> UtilizationTrace:
    import numpy as np

    from capmodels.formats.trace_store import utilization
    from capmodels.formats.trace_types import UtilizationTrace

    if params.trace is not None:
        return utilization(params.trace)
    samples = np.array([params.samples_fraction], dtype=np.float32)
    return UtilizationTrace(params.step_s, ("machine",), samples)


def _sizes(params: WorkOfTraceParams, names: tuple[str, ...]) -> tuple[Floats, Floats]:
    """Cores and RAM of each machine of the trace; RAM that nobody entered is not a number.

    Raises
    ------
    ParamsError
        At each listed machine that the trace does not have, or that is listed twice.
    """
    import numpy as np

    places = {name: at for at, name in enumerate(names)}
    cores = np.full(len(names), params.cores_per_machine_count)
    ram = np.full(len(names), params.ram_per_machine_gib or np.nan)
    faults, seen = [], set()
    for at, machine in enumerate(params.machines):
        place, pointer = places.get(machine.name), f"/machines/{at}/name"
        if place is None:
            message = f"The trace has no machine {machine.name!r}. Enter a name as it has it."
            faults.append(Fault(pointer, "not_a_choice", message))
            continue
        if machine.name in seen:
            message = f"{machine.name!r} is listed twice. Keep one of the lines."
            faults.append(Fault(pointer, "duplicate", message))
        seen.add(machine.name)
        cores[place] = machine.cores_count
        ram[place] = np.nan if machine.ram_gib is None else machine.ram_gib
    if faults:
        raise ParamsError(faults)
    return cores, ram


def _hours(trace: UtilizationTrace, steps: int) -> tuple[Shape, NDArray[np.int64]]:
    """Hour of the week (of the day, below a week) of each step; all 0 where there is no shape."""
    import numpy as np

    duration_h = steps * trace.step_s / SECONDS_PER_HOUR
    whole = next((hours for hours in (_WEEK_H, _DAY_H) if duration_h >= hours), 0)
    if not whole or trace.step_s > SECONDS_PER_HOUR:
        return "flat", np.zeros(steps, dtype=np.int64)
    dated = trace.start_s >= _CALENDAR_FROM_S
    offset_h = trace.start_s / SECONDS_PER_HOUR + _MONDAY_H if dated else 0.0
    middles_h = offset_h + (np.arange(steps) + 0.5) * trace.step_s / SECONDS_PER_HOUR
    places = np.floor(middles_h).astype(np.int64) % whole
    return "hour_of_week" if whole == _WEEK_H else "hour_of_day", places


@dataclass(frozen=True, slots=True)
class _Trend:
    """What raises each step to the level at the end of a trace, and the growth that did."""

    to_end: Floats
    growth: TraceGrowth


def _trend(values: Floats, trace: UtilizationTrace) -> _Trend | None:
    """Growth by a share a year of the days' means; None where it is not sure that they grow.

    By a share, as a workload grows from year to year.
    """
    import numpy as np

    from capmodels.regression import fitted

    per_day = _DAY_S / trace.step_s
    if len(values) < _GROWS_FROM_DAYS * per_day:
        return None
    days = np.floor(np.arange(len(values)) / per_day).astype(np.int64)
    whole = int(len(values) // per_day)
    daily = (np.bincount(days, weights=values) / np.bincount(days))[:whole]
    if daily.min() <= 0:
        return None
    fit = fitted(np.log(daily), seasons_of("day", whole), is_correlated=True)
    if abs(fit.slope) <= max(fit.slope_off(_SURE_FRACTION), fit.least_slope(1.0)):
        return None
    wide = fit.slope_off(_RANGE_FRACTION)
    low, middle, high = (
        _six(math.expm1((fit.slope + off) * YEAR_STEPS["day"])) for off in (-wide, 0.0, wide)
    )
    ahead = (len(values) - 1 - np.arange(len(values))) / per_day
    return _Trend(
        np.exp(fit.slope * ahead),
        TraceGrowth(
            fraction_per_year=middle, low_fraction_per_year=low, high_fraction_per_year=high
        ),
    )


def _once(places: NDArray[np.int64]) -> Floats:
    """Weight of each step by which every hour counts once, however often the trace has it."""
    import numpy as np

    weights: Floats = 1.0 / np.bincount(places)[places]
    return weights / weights.sum()


def _p99(values: Floats, weights: Floats) -> float:
    import numpy as np

    return float(np.percentile(values, _PEAK, weights=weights, method="inverted_cdf"))


def _shape(busy: Floats, places: NDArray[np.int64], mean: float) -> tuple[float, ...]:
    import numpy as np

    means = np.bincount(places, weights=busy) / np.bincount(places)
    return tuple(np.round(means / mean, 4).tolist())


def _ram(
    trace: UtilizationTrace, ram_gib: Floats, weights: Floats
) -> tuple[float | None, float | None, TraceGrowth | None]:
    """Mean and 99th percentile of RAM in use, and its growth; unknown where a share or size is."""
    import numpy as np

    if trace.memory_fraction is None or np.isnan(ram_gib).any():
        return None, None, None
    used = ram_gib @ np.asarray(trace.memory_fraction, dtype=np.float64)
    trend = _trend(used, trace)
    used = used if trend is None else used * trend.to_end
    growth = None if trend is None else trend.growth
    return _six(float(weights @ used)), _six(_p99(used, weights)), growth


def _warnings(
    trace: UtilizationTrace, shape: Shape, ram_gib: Floats, *, has_grown: bool
) -> tuple[str, ...]:
    import numpy as np

    found = []
    days = trace.cpu_fraction.shape[1] * trace.step_s / _DAY_S
    if has_grown and len(seasons_of("day", int(days))) < len(seasons_of("day", _MANY_DAYS)):
        found.append(
            "A season of the year and growth are told apart from a year and a half on: a trace "
            "that ends in a busy season looks like growth."
        )
    if shape != "hour_of_week":
        found.append("The trace is shorter than a week: it says nothing of weekends.")
    if trace.step_s > SECONDS_PER_HOUR:
        found.append("Steps are longer than an hour: peaks within them are averaged out.")
    if shape != "flat" and trace.start_s < _CALENDAR_FROM_S:
        found.append("The file has no dates: its first sample is taken as Monday, 00:00.")
    if trace.memory_fraction is None:
        found.append("RAM in use is not in the trace. Enter it in the workload.")
    elif np.isnan(ram_gib).any():
        found.append("Enter the RAM of the machines to have RAM in use from the trace.")
    return tuple(found)


def _run(params: WorkOfTraceParams, _context: Context) -> WorkOfTraceResult:
    import numpy as np

    trace = _trace(params)
    cores, ram_gib = _sizes(params, trace.names)
    busy = cores @ np.asarray(trace.cpu_fraction, dtype=np.float64)
    if not busy.any():
        raise ModelError("No machine of this trace was ever busy: there is no work in it.")
    shape, places = _hours(trace, len(busy))
    weights = _once(places)
    of_all, trend = float(weights @ busy), _trend(busy, trace)
    busy = busy if trend is None else busy * trend.to_end
    mean, p99 = float(weights @ busy), _p99(busy, weights)
    ram_mean, ram_p99, ram_growth = _ram(trace, ram_gib, weights)
    return _told(
        machines_count=len(trace.names),
        cores_count=float(cores.sum()),
        busy_cores_mean_count=_six(mean),
        busy_cores_p99_count=_six(p99),
        busy_cores_peak_count=_six(float(busy.max())),
        busy_cores_of_all_count=_six(of_all),
        cores_growth=None if trend is None else trend.growth,
        ram_growth=ram_growth,
        p99_ratio=max(1.0, _six(p99 / mean)),
        shape=shape,
        shape_ratio=() if shape == "flat" else _shape(busy, places, mean),
        ram_installed_gib=None if np.isnan(ram_gib).any() else float(ram_gib.sum()),
        ram_mean_gib=ram_mean,
        ram_p99_gib=ram_p99,
        duration_h=len(busy) * trace.step_s / SECONDS_PER_HOUR,
        step_s=trace.step_s,
        steps_count=len(busy),
        warnings=_warnings(
            trace, shape, ram_gib, has_grown=trend is not None or ram_growth is not None
        ),
    )


def _change(grown: TraceGrowth) -> str:
    low, middle, high = (
        grown.low_fraction_per_year, grown.fraction_per_year, grown.high_fraction_per_year,
    )  # fmt: skip
    if middle < 0:
        low, middle, high = -high, -middle, -low
    which = "grow" if grown.fraction_per_year > 0 else "fall"
    return (
        f"{which} by {percent(middle)} a year ({percent(low)} to {percent(high)} in 8 of 10 cases)"
    )


def _told(**found: Any) -> WorkOfTraceResult:
    mean, p99, installed = (
        quantity(found[f"{name}_count"], "cores")
        for name in ("busy_cores_mean", "busy_cores_p99", "cores")
    )
    notes, shape, ram = [], found["shape"], found["ram_mean_gib"]
    grown: TraceGrowth | None = found["cores_growth"]
    when = "" if grown is None else " at the end of the trace"
    if grown is not None:
        notes.append(
            f"Busy cores {_change(grown)}. Over all of the trace "
            f"{quantity(found['busy_cores_of_all_count'], 'cores')} were busy on average."
        )
    if ram is not None:
        highest = quantity(found["ram_p99_gib"], "GiB")
        notes.append(
            f"RAM in use: {quantity(ram, 'GiB')} on average, {highest} at the 99th percentile."
        )
    if found["ram_growth"] is not None:
        notes.append(f"RAM in use {_change(found['ram_growth'])}; this is at the end of the trace.")
    if shape != "flat":
        notes.append(f"Demand is kept by {shape.replace('_of_', ' of the ')} (UTC).")
    return WorkOfTraceResult(
        headline=f"**{mean} busy on average{when}, {p99} at the 99th percentile**, of {installed} "
        "installed.",
        notes=(*notes, *found["warnings"]),
        figures=() if shape == "flat" else (_hours_figure(found),),
        **found,
    )


def _hours_figure(found: dict[str, Any]) -> Figure:
    """Busy cores by hour of the week, or of the day."""
    values = [ratio * found["busy_cores_mean_count"] for ratio in found["shape_ratio"]]
    is_week, highest = found["shape"] == "hour_of_week", max(values)
    whole = "week" if is_week else "day"
    names = [
        f"{_DAYS[at // _DAY_H]}, {at % _DAY_H:02d}:00" if is_week else f"{at:02d}:00"
        for at in range(len(values))
    ]
    ticks = range(0, len(values), _DAY_H if is_week else _DAY_H // 4)
    return Figure(
        kind="lines",
        name="Busy cores by hour",
        title=f"{peak_said(peak_hours(values), names, whole)}: "
        f"{quantity(highest, 'cores')} busy on average",
        along=Axis(title="Busy cores", unit="count"),
        across=Axis(
            title=f"Hour of the {whole} (UTC)",
            unit="count",
            ticks=tuple(ticks),
            ticks_said=tuple(names[at].partition(",")[0][: 3 if is_week else 5] for at in ticks),
        ),
        series=(
            Series(
                name="Busy cores",
                at=tuple(range(len(values))),
                values=tuple(values),
                names=tuple(names),
                style="steps",
            ),
        ),
    )


def _square() -> JSONDict:
    """A day of which twelve hours are 80% and twelve 20% busy, on 10 cores."""
    return {"samples_fraction": [0.8] * 12 + [0.2] * 12, "step_s": 3600.0} | {
        "cores_per_machine_count": 10.0
    }


SPEC = ModelSpec(
    id="performance.work_of_trace",
    version="1.2.0",
    title="Workload of a utilisation trace",
    summary="Busy cores on average and at the 99th percentile, how they move over the hours of "
    "the week, and RAM in use, from shares of machines whose size is known.",
    params=WorkOfTraceParams,
    result=WorkOfTraceResult,
    run=_run,
    points=one_point,
    instant=False,
    citations=(
        Citation(
            text="R. J. Hyndman, Y. Fan, Sample quantiles in statistical packages, "
            "The American Statistician 50(4), 1996 (definition 1)",
            url="https://doi.org/10.1080/00031305.1996.10473566",
        ),
        Citation(
            text="R. J. Hyndman, G. Athanasopoulos, Forecasting: Principles and Practice, 3rd "
            "edition, 2021",
            url="https://otexts.com/fpp3/",
            section="7.4, 10.5",
        ),
    ),
    formulas=(
        Formula(
            "busy",
            "busy(t) = sum over machines of cores_i u_i(t)",
            "definition of utilisation as a share of the cores",
        ),
        Formula(
            "growth",
            "log daily(d) = a + b d + weeks + e(d); busy(t) is raised by exp(b (end - t)), and "
            "growth = exp(365.25 b) - 1, where b is sure to 99%",
            "Hyndman and Athanasopoulos 2021, sections 7.4 and 10.5; from half a year on",
        ),
        Formula(
            "peak",
            "p99_ratio = 99th percentile of busy(t) / mean of busy(t)",
            "Hyndman and Fan 1996, definition 1",
        ),
        Formula(
            "shape",
            "shape(h) = mean of busy(t) over all t of hour h / mean over the hours, "
            "each of which counts once in mean and percentile too",
            "hour of the week from a week on, hour of the day from a day on; UTC",
        ),
        Formula(
            "ram",
            "ram(t) = sum over machines of ram_i m_i(t)",
            "definition of utilisation as a share of the RAM",
        ),
    ),
    checks=(
        derived_check(
            "WT1",
            "Half a day at 80%, half at 20%, of ten cores: busy on average",
            5.0,
            lambda: (
                _run(WorkOfTraceParams.model_validate(_square()), Context()).busy_cores_mean_count
            ),
            source="worked by hand: 10 x (0.8 + 0.2) / 2",
            tolerance=1e-6,
            unit="cores",
            params=_square,
            tests="performance.work_of_trace.WorkOfTraceParams.cores_per_machine_count",
        ),
    ),
    limits=(
        "Busy cores are of the machines that were measured: give newer cores their speed "
        "relative to these in each design.",
        "Where machines have hyper-threads, percent is of logical cores: enter those.",
        "What the machines would have done without a limit at 100% is not in the trace.",
        "Hours are those of UTC.",
    ),
)
