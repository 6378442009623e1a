"""A power curve from measured power and utilization: idle, full power, shape, and how sure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import ConfigDict, Field, field_validator

from capmodels.errors import Fault, ModelError, ParamsError
from capmodels.formats.trace_store import TraceRef
from capmodels.power.curves import (
    Curve,
    FamilyCurve,
    FanCurve,
    LinearCurve,
    PowerPoint,
    TwoSegmentsCurve,
)
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
from capmodels.told import Told
from capmodels.units import CountFromOne, Fraction, PowerW, Ratio, Whole

if TYPE_CHECKING:
    from capmodels.power.calibrate_kernel import Fit, Floats

_SAMPLES_MIN = 20
_SAMPLES_MAX = 20_000
_FITTED_MAX = 200_000
_FAN_EXPONENT = 1.4

Kind = Literal["linear", "fan", "two_segments", "family"]
# From plain to bent: of kinds that err about alike the first is taken.
_KINDS: tuple[Kind, ...] = ("linear", "fan", "family", "two_segments")
_BENT = ("fan", "two_segments")
_MARGIN = 1.01

Confidence = Annotated[Fraction, Field(gt=0, lt=1)]
Replicates = Annotated[CountFromOne, Field(ge=20, le=2_000)]
BlockSamples = Annotated[CountFromOne, Field(le=10_000)]
Seed = Annotated[Whole, Field(ge=0, le=2**32 - 1)]


class CalibrateParams(Params):
    """Samples of power and load, entered or of an uploaded trace, and what to fit."""

    model_config = ConfigDict(validate_default=True)

    samples: tuple[PowerPoint, ...] = preset(
        (), "Load and power at moments one after another.", max_length=_SAMPLES_MAX
    )
    trace: TraceRef | None = blank("An uploaded trace with power: sar, Prometheus, IPMI readings.")
    machine: str | None = blank(
        "A machine of the trace by its name; left out, all of them as one kind.", max_length=200
    )
    kind: Literal["best", "linear", "fan", "two_segments", "family"] = assumed(
        "best", "What to fit; best takes what predicts stretches left out best."
    )
    confidence_fraction: Confidence = assumed(0.9, "Share of refits that the intervals hold.")
    replicates_count: Replicates = assumed(400, "Refits to resampled measurements.", title="Refits")
    block_samples_count: BlockSamples = assumed(
        12, "Neighboring samples that are resampled together.", title="Samples in a block"
    )
    seed: Seed = preset(1, "Of the resampling.")

    @field_validator("trace")
    @classmethod
    def _one_source(cls, value: TraceRef | None, info: object) -> TraceRef | None:
        samples = getattr(info, "data", {}).get("samples")
        if samples is None:
            return value
        if value is None and len(samples) < _SAMPLES_MIN:
            raise refusal("missing", f"Choose a trace, or enter at least {_SAMPLES_MIN} samples.")
        if value is not None and samples:
            raise refusal("conflict", "Choose a trace or enter samples, not both.")
        return value


class Estimate(Result):
    """A power with the interval that the given share of refits lie in."""

    value_w: PowerW
    low_w: PowerW
    high_w: PowerW


class KindError(Result):
    """How a kind of curve predicts stretches of samples that it was not fitted to."""

    kind: Kind
    root_mean_square_w: PowerW
    median_error_fraction: Ratio


class LoadBand(Result):
    """Samples of a tenth of load: what they measured and what the curve says."""

    utilization_fraction: Fraction
    samples_count: CountFromOne
    measured_w: PowerW
    curve_w: PowerW


class CalibrateResult(Told):
    """The curve, its idle and full power with intervals, and its error."""

    curve: Curve
    power_idle: Estimate
    power_max: Estimate
    bend_low_ratio: Ratio | None
    bend_high_ratio: Ratio | None
    median_error_fraction: Ratio
    root_mean_square_w: PowerW
    kinds: tuple[KindError, ...]
    bands: tuple[LoadBand, ...]
    samples_count: CountFromOne
    highest_utilization_fraction: Fraction
    warnings: tuple[str, ...]


def _samples(params: CalibrateParams) -> tuple[Floats, Floats]:
    """Loads and watts in order, from the samples or the trace; gaps left out.

    Of a trace with more samples than are fitted, evenly spaced ones.
    """
    import numpy as np

    if params.trace is None:
        load = np.array([point.utilization_fraction for point in params.samples])
        return load, np.array([point.power_w for point in params.samples])
    from capmodels.formats.trace_store import utilization

    trace = utilization(params.trace)
    if trace.watts is None:
        message = "This trace has no power. Upload one with watts beside the load."
        raise ParamsError([Fault("/trace", "no_power", message)])
    rows = _rows(trace.names, params.machine)
    loads = np.asarray(trace.cpu_fraction[rows], float)
    load = loads.ravel()
    power = np.broadcast_to(np.asarray(trace.watts, float), trace.cpu_fraction.shape)[rows].ravel()
    known = np.isfinite(load) & np.isfinite(power) & (power > 0)
    # A machine whose load is nowhere above zero has power alone, as readings of IPMI do.
    known &= np.repeat((loads > 0).any(axis=1), loads.shape[1])
    every = max(1, -(-int(known.sum()) // _FITTED_MAX))
    return np.clip(load[known], 0.0, 1.0)[::every], power[known][::every]


def _rows(names: tuple[str, ...], machine: str | None) -> list[int] | slice:
    if machine is None:
        return slice(None)
    if machine not in names:
        message = f"The trace has no machine {machine!r}. Choose one of its {len(names)} machines."
        raise ParamsError([Fault("/machine", "not_a_choice", message)])
    return [names.index(machine)]


def _kind_errors(kinds: tuple[Kind, ...], load: Floats, power: Floats) -> tuple[KindError, ...]:
    import numpy as np

    from capmodels.power.calibrate_kernel import cross_validated

    found = []
    for kind in kinds:
        error = cross_validated(kind, load, power)
        found.append(
            KindError(
                kind=kind,
                root_mean_square_w=float(np.sqrt((error**2).mean())),
                median_error_fraction=float(np.median(np.abs(error) / power)),
            )
        )
    return tuple(found)


def _chosen(errors: tuple[KindError, ...]) -> Kind:
    least = min(row.root_mean_square_w for row in errors)
    return next(row.kind for row in errors if row.root_mean_square_w <= _MARGIN * least + 1e-9)


def _curve(fit: Fit) -> Curve:
    """Return a fit as a curve; a slope that falls is flat."""
    idle, full = fit.powers_w[0], max(fit.powers_w[0], fit.powers_w[-1])
    ends = {"power_idle_w": idle, "power_max_w": full}
    if fit.candidate.family is not None:
        return FamilyCurve(family=fit.candidate.family, **ends)
    if fit.candidate.kind == "fan":
        return FanCurve(exponent=fit.candidate.bend, **ends)
    if fit.candidate.kind == "linear":
        return LinearCurve(**ends)
    share = (fit.powers_w[1] - idle) / (full - idle) if full > idle else 0.0
    return TwoSegmentsCurve(
        knee_utilization_fraction=fit.candidate.bend,
        knee_range_fraction=min(1.0, max(0.0, share)),
        **ends,
    )


def _bands(fit: Fit, load: Floats, power: Floats) -> tuple[LoadBand, ...]:
    import numpy as np

    tenth = np.minimum((load * 10).astype(int), 9)
    ours = fit.at(load)
    return tuple(
        LoadBand(
            utilization_fraction=float(load[tenth == band].mean()),
            samples_count=int((tenth == band).sum()),
            measured_w=float(power[tenth == band].mean()),
            curve_w=float(ours[tenth == band].mean()),
        )
        for band in range(10)
        if (tenth == band).any()
    )


def _warnings(load: Floats) -> tuple[str, ...]:
    lowest, highest = float(load.min()), float(load.max())
    found = []
    if highest < 0.8:
        found.append(
            f"The load never passes {100 * highest:.0f}%: full power is extrapolated from there."
        )
    if lowest > 0.1:
        found.append(f"The load never falls below {100 * lowest:.0f}%: idle power is extrapolated.")
    if highest - lowest < 0.1:
        found.append("The load hardly moves: the curve between idle and full load is a guess.")
    return tuple(found)


def _estimate(value: float, draws: Floats, share: float) -> Estimate:
    import numpy as np

    low, high = np.quantile(draws, [(1 - share) / 2, (1 + share) / 2])
    return Estimate(value_w=value, low_w=min(value, float(low)), high_w=max(value, float(high)))


def _run(params: CalibrateParams, context: Context) -> CalibrateResult:
    import numpy as np

    from capmodels.power.calibrate_kernel import best, bootstrap, candidates

    load, power = _samples(params)
    if len(load) < _SAMPLES_MIN:
        message = f"There are {len(load)} samples with load and power; {_SAMPLES_MIN} are needed."
        raise ModelError(message)
    kinds = _KINDS if params.kind == "best" else (params.kind,)
    errors = _kind_errors(kinds, load, power)
    kind = _chosen(errors)
    context.report(0.5, "Drawing samples anew")
    fit = best(candidates(kind), load, power)
    ends, bends = bootstrap(
        kind,
        load,
        power,
        block=params.block_samples_count,
        replicates=params.replicates_count,
        seed=params.seed,
    )
    curve = _curve(fit)
    error = next(row for row in errors if row.kind == kind)
    share = params.confidence_fraction
    low, high = np.quantile(bends, [(1 - share) / 2, (1 + share) / 2])
    return _told(
        params.confidence_fraction,
        curve=curve,
        power_idle=_estimate(fit.powers_w[0], ends[:, 0], share),
        power_max=_estimate(max(fit.powers_w[0], fit.powers_w[-1]), ends[:, 1], share),
        bend_low_ratio=float(low) if kind in _BENT else None,
        bend_high_ratio=float(high) if kind in _BENT else None,
        median_error_fraction=error.median_error_fraction,
        root_mean_square_w=error.root_mean_square_w,
        kinds=errors,
        bands=_bands(fit, load, power),
        samples_count=len(load),
        highest_utilization_fraction=float(load.max()),
        warnings=_warnings(load),
    )


def _told(confidence: float, **found: Any) -> CalibrateResult:
    from capmodels.power.calibrate_told import power_told

    return CalibrateResult(**found, **power_told(found, confidence))


def _on_fan_curve() -> JSONDict:
    """Samples on Fan's published curve."""
    from capmodels.power.curves import watts

    given = FanCurve(power_idle_w=50.0, power_max_w=100.0, exponent=_FAN_EXPONENT)
    samples = tuple(
        PowerPoint(utilization_fraction=step / 40, power_w=watts(given, step / 40))
        for step in range(41)
    )
    return {"samples": samples, "replicates_count": 20}


def _fan_exponent() -> float:
    """Exponent that comes back from samples on Fan's published curve."""
    result = _run(CalibrateParams.model_validate(_on_fan_curve()), Context())
    return result.curve.exponent if isinstance(result.curve, FanCurve) else 0.0


SPEC = ModelSpec(
    id="power.calibrate",
    version="1.3.0",
    title="Power curve from measurements",
    summary="Idle power, full power and shape of a server from measured power and utilisation, "
    "with intervals, and the error on stretches of the series that were left out.",
    params=CalibrateParams,
    result=CalibrateResult,
    run=_run,
    points=one_point,
    instant=False,
    stochastic=True,
    citations=(
        Citation(
            text="X. Fan, W.-D. Weber, L. A. Barroso, Power provisioning for a "
            "warehouse-sized computer, ISCA 2007",
            url="https://doi.org/10.1145/1250662.1250665",
        ),
        Citation(
            text="H. R. Kuensch, The jackknife and the bootstrap for general stationary "
            "observations, Annals of Statistics 17(3), 1989",
            url="https://doi.org/10.1214/aos/1176347265",
        ),
    ),
    formulas=(
        Formula(
            "fit",
            "least sum of (P_measured - P(u))^2 over idle, full power and the bend: Fan's "
            "exponent, the knee of two segments, or the family",
            "least squares; the bend by trying each of a grid",
        ),
        Formula(
            "error",
            "each fifth of the series predicted from the other four",
            "cross-validation in stretches",
        ),
        Formula(
            "interval",
            "refits to blocks of neighboring samples, resampled with replacement",
            "block bootstrap, Kuensch 1989",
        ),
    ),
    checks=(
        derived_check(
            "PF1",
            "Exponent found from samples on Fan's curve with r = 1.4",
            1.4,
            _fan_exponent,
            source="Fan et al. 2007, the published exponent",
            tolerance=0.001,
            params=_on_fan_curve,
            tests="power.curves.FanCurve.exponent",
            kind="predicted",
        ),
    ),
    limits=(
        "Power follows the kind of work as well as its share of time; the curve is that of the "
        "work in the series.",
        "Fans and temperature make power lag behind load; samples of a minute or more hide it.",
        "The interval says how the samples scatter, not whether the meter is right.",
    ),
)
