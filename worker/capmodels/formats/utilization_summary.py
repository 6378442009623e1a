"""What a utilization trace is like, and the series of its charts."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from capmodels.formats.told_axes import peak_hours

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from capmodels.formats.utilization_grid import Grid

POINTS_MAX = 600
HEAT_MACHINES, HEAT_STEPS = 60, 240
_HOUR_S, _DAY_S = 3600.0, 86_400.0
_BAND = (5, 25, 50, 75, 95)


def utilization_summary(grid: Grid) -> dict[str, Any]:
    """Return the figures by name, each with its unit as suffix; None for what is not known."""
    cpu, memory, watts = (grid.known(n) for n in ("cpu_fraction", "memory_fraction", "watts"))
    some = next(v for v in (cpu, memory, watts) if v is not None)
    return {
        "machines_count": some.shape[0],
        "steps_count": grid.steps_count,
        "step_s": grid.step_s,
        "coarsened_from_s": grid.coarsened_from_s,
        "duration_s": grid.steps_count * grid.step_s,
        "start_s": grid.start_s,
        "samples_count": grid.samples_count,
        "missing_fraction": _missing(some),
        **_cpu_figures(cpu, grid),
        "memory_mean_fraction": _or_none(memory, np.nanmean),
        "memory_peak_fraction": _or_none(memory, np.nanmax),
        "power_mean_w": _or_none(watts, lambda v: np.nanmean(_together(v, np.nansum))),
        "power_peak_w": _or_none(watts, lambda v: np.nanmax(_together(v, np.nansum))),
    }


def _cpu_figures(cpu: NDArray[np.float32] | None, grid: Grid) -> dict[str, Any]:
    names = ("mean", "p50", "p95", "peak")
    if cpu is None:
        return {f"cpu_{name}_fraction": None for name in names}
    means = _together(cpu, np.nanmean)
    hours = _by_hour(cpu, grid)["mean_fraction"]
    p50, p95 = np.nanpercentile(cpu, [50, 95])
    figures = zip(names, (np.nanmean(cpu), p50, p95, np.nanmax(cpu)), strict=True)
    return {
        **{f"cpu_{name}_fraction": float(value) for name, value in figures},
        "together_peak_fraction": float(np.nanmax(means)),
        "peak_hours": [] if None in hours else peak_hours(hours),
    }


def _missing(values: NDArray[np.float32]) -> float:
    """Share of the steps between a machine's first and last sample that hold none."""
    known = np.isfinite(values)
    begun = np.maximum.accumulate(known, axis=1)
    goes_on = np.flip(np.maximum.accumulate(np.flip(known, axis=1), axis=1), axis=1)
    lives = begun & goes_on
    return float((lives & ~known).sum() / max(lives.sum(), 1))


def _or_none(values: NDArray[np.float32] | None, figure: Any) -> float | None:
    return None if values is None else float(figure(values))


def _together(values: NDArray[np.float32], figure: Any) -> NDArray[np.float64]:
    """A figure over the machines at each step; not a number where no machine is known."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found: NDArray[np.float64] = np.asarray(figure(values, axis=0), dtype=np.float64)
    found[np.isnan(values).all(axis=0)] = np.nan
    return found


def utilization_charts(grid: Grid) -> dict[str, Any]:
    """Return band, heat map, shape of the day, memory and watts, as far as they are known."""
    cpu, memory, watts = (grid.known(n) for n in ("cpu_fraction", "memory_fraction", "watts"))
    charts: dict[str, Any] = {}
    if cpu is not None:
        charts["band"] = _band(cpu, grid)
        charts["heat"] = _heat(cpu, grid)
        charts["hours"] = _by_hour(cpu, grid)
    for name, series, values, figure in (
        ("memory", "mean_fraction", memory, np.nanmean),
        ("power", "total_w", watts, np.nansum),
    ):
        if values is not None:
            step, thin = _thinned(_together(values, figure)[None, :], POINTS_MAX)
            charts[name] = {"step_s": grid.step_s * step, series: _listed(thin[0])}
    return charts


def _thinned(values: NDArray[Any], most: int) -> tuple[int, NDArray[np.float64]]:
    """Average neighbouring steps so that at most ``most`` are left."""
    step = -(-values.shape[1] // most)
    missing = -values.shape[1] % step
    padded = np.pad(values.astype(np.float64), ((0, 0), (0, missing)), constant_values=np.nan)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        found = np.nanmean(padded.reshape(values.shape[0], -1, step), axis=2)
    return step, found


def _band(cpu: NDArray[np.float32], grid: Grid) -> dict[str, Any]:
    step, thin = _thinned(cpu, POINTS_MAX)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        parts = np.nanpercentile(thin, _BAND, axis=0)
        mean = np.nanmean(thin, axis=0)
    rows = {f"p{share}": _listed(part) for share, part in zip(_BAND, parts, strict=True)}
    return {
        "step_s": grid.step_s * step,
        "start_s": grid.start_s,
        "mean": _listed(mean),
        **rows,
    }


def _heat(cpu: NDArray[np.float32], grid: Grid) -> dict[str, Any]:
    """Machines from the busiest to the idlest; of many, evenly chosen ones."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        means = np.nan_to_num(np.nanmean(cpu, axis=1))
    order = np.argsort(-means, kind="stable")
    if len(order) > HEAT_MACHINES:
        order = order[np.linspace(0, len(order) - 1, HEAT_MACHINES).round().astype(int)]
    step, thin = _thinned(cpu[order], HEAT_STEPS)
    return {
        "step_s": grid.step_s * step,
        "names": [grid.names[place] for place in order],
        "cpu_fraction": [_listed(row) for row in thin],
    }


def _by_hour(cpu: NDArray[np.float32], grid: Grid) -> dict[str, Any]:
    """Mean and 95th percentile of the samples by hour of the day."""
    middles = grid.start_s + (np.arange(cpu.shape[1]) + 0.5) * grid.step_s
    hours = ((middles % _DAY_S) // _HOUR_S).astype(int)
    means: list[float | None] = []
    tops: list[float | None] = []
    for hour in range(24):
        mine = cpu[:, hours == hour]
        known = mine[np.isfinite(mine)]
        means.append(float(known.mean()) if len(known) else None)
        tops.append(float(np.percentile(known, 95)) if len(known) else None)
    return {"mean_fraction": means, "p95_fraction": tops}


def _listed(values: NDArray[Any]) -> list[float | None]:
    return [None if np.isnan(value) else round(float(value), 5) for value in values]
