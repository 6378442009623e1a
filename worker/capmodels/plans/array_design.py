"""An array that was drawn and simulated, as a design of a study: what the study takes of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, JsonValue

from capmodels.errors import ModelError
from capmodels.forms import when_empty
from capmodels.numbers import quantity
from capmodels.plans.array_at_once import AtOnce, at_once
from capmodels.plans.compare import SPEC as PLAN
from capmodels.plans.document.assumptions import Carbon
from capmodels.plans.document.bounded import CarbonKgco2e
from capmodels.plans.left_out import left_out
from capmodels.plans.storage_figures import ArrayFigures
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    evaluate,
    one_point,
    preset,
)
from capmodels.storage.simulator.arrival_rates import mean_rate_per_s
from capmodels.storage.simulator.layout import DECLUSTERED
from capmodels.storage.simulator.params import ArrayDesign, SyntheticWorkload
from capmodels.storage.simulator.request_sizes import mixes_of
from capmodels.storage.simulator.results import ArrayFigure
from capmodels.units import Fraction, RatePerS, UsdPerKwh

if TYPE_CHECKING:
    from collections.abc import Iterator

    from capmodels.storage.simulator.params import CacheTier

# Others have the same name in a study.
_LAYOUTS = {"concatenated": "raid0", "mirrored_set": "raid1"}


class ArrayDesignParams(Params):
    """An array, its requests, what a run of it found, and where it stands."""

    array: ArrayDesign = ArrayDesign()
    workload: SyntheticWorkload = SyntheticWorkload()
    recorded: bool = preset(False, "Requests are recorded ones, not drawn.")
    recorded_rate_per_s: Annotated[RatePerS, Field(ge=0)] | None = blank("As recorded.")
    throughput_per_s: Annotated[RatePerS, Field(ge=0)] | None = blank("What a run has found.")
    hit_fraction: Fraction | None = blank("Share of the reads that its cache answered in a run.")
    energy_usd_per_kwh: Annotated[UsdPerKwh, Field(ge=0)] = assumed(
        0.10, "Price of energy.", title="Electricity"
    )
    carbon: Carbon = Carbon()
    drive_kgco2e: CarbonKgco2e | None = blank(
        "Emissions of making a drive. Empty: only the energy is counted.",
        title="Embodied carbon per drive",
        extra=when_empty("not counted"),
    )


class ArrayDesignResult(Result):
    """The array as a study's design enters it, and what the design does not have of it."""

    array: dict[str, JsonValue] | None
    why_none: str | None = Field(description="Why a study cannot have it.")
    left_out: tuple[str, ...] = Field(description="What is not taken over, a sentence each.")
    figures: ArrayFigures | None = Field(description="Of the design by itself, as it is built.")
    why_no_figures: str | None
    measures: tuple[ArrayFigure, ...] = Field(
        description="As rows of a table beside those of a run."
    )
    at_once: AtOnce


def _why_none(array: ArrayDesign) -> str | None:
    if array.drive.kind == "hdd" and array.drive.seek.kind != "three_point":
        return "The plan needs a three-point seek curve."
    return None


def _hit_fraction(params: ArrayDesignParams) -> float | None:
    cache = params.array.cache
    given = None if cache is None else cache.hit_fraction
    return params.hit_fraction if given is None else given


def _cache(cache: CacheTier, hit: float | None) -> dict[str, Any]:
    device = cache.device.model_copy(update={"capacity_gb": cache.capacity_gb})
    return {
        "device": device.model_dump(mode="json"),
        "unit_price_usd": cache.device.price_usd,
        "write_back": cache.mode != "write_through",
        **({} if hit is None else {"hit_fraction": hit}),
    }


def _policy(array: ArrayDesign) -> dict[str, Any]:
    if array.timeouts is None or array.drive.kind == "ssd" or array.drive.standby is None:
        return {"kind": "always_on"}
    return {"kind": "threshold", "idle_timeout_s": array.timeouts.standby_s}


def _drives(array: ArrayDesign) -> dict[str, Any]:
    """Drives without spares; of a declustered array the spare room counts apart."""
    layout = array.layout
    if layout.kind not in DECLUSTERED:
        return {"disks_count": layout.disks_count}
    spares, rate = layout.distributed_spares_count, layout.rebuild_mb_per_s
    return {
        "disks_count": layout.disks_count - spares,
        "spares_count": spares,
        "disks_per_group": layout.stripe_disks_count,
        **({} if rate is None else {"rebuild_mb_per_s": rate}),
    }


def _rate_per_s(params: ArrayDesignParams) -> float:
    """Of recorded requests what a run found, of drawn ones their own; 0 where neither is known."""
    found = params.throughput_per_s
    drawn = mean_rate_per_s(params.workload.arrivals)
    known = (found, params.recorded_rate_per_s) if params.recorded else (drawn, found)
    return next((rate for rate in known if rate is not None), 0.0)


def _load(params: ArrayDesignParams) -> dict[str, Any]:
    work = params.workload
    reads, mixes = work.read_fraction, mixes_of(work.size_bytes, work.sizes, work.write_sizes)
    mean_bytes = reads * mixes.reads.mean_bytes + (1 - reads) * mixes.writes.mean_bytes
    return {
        "requests_per_s": _rate_per_s(params),
        "read_fraction": reads,
        "request_bytes": round(mean_bytes),
        "pattern": "sequential" if work.addresses.kind == "sequential" else "random",
    }


def design_of(params: ArrayDesignParams) -> dict[str, Any]:
    """Return the array as a design of a study has it."""
    array, layout = params.array, params.array.layout
    # Disks one after another have no stripe: a chunk is a whole disk.
    chunk = {} if layout.kind == "concatenated" else {"stripe_unit_bytes": layout.chunk_bytes}
    made = (
        {} if params.drive_kgco2e is None else {"embodied": {"drive_kgco2e": params.drive_kgco2e}}
    )
    return {
        "drive": array.drive.model_dump(mode="json"),
        "drive_price_usd": array.drive.price_usd,
        "layout": _LAYOUTS.get(layout.kind, layout.kind),
        **_drives(array),
        **chunk,
        "power_policy": _policy(array),
        "cache": None if array.cache is None else _cache(array.cache, _hit_fraction(params)),
        "io": _load(params),
        **made,
    }


def _figures(params: ArrayDesignParams, array: dict[str, Any]) -> ArrayFigures | None:
    """What the plan says of the array by itself."""
    electricity = {"kind": "flat", "usd_per_kwh": params.energy_usd_per_kwh}
    study = {
        "designs": [{"letter": "A", "title": "Array", "kind": "disk_array", "array": array}],
        "workload": {"kind": "demand", "busy_cores_count": 0, "ram_gib": 0, "block_tb": 0},
        "assumptions": {"electricity": electricity, "carbon": params.carbon.model_dump()},
        "draws_count": 0,
    }
    return evaluate(PLAN, study).designs[0].array


# Rows beside those of a run: figure, label, unit, whether less is better.
_ROWS = (
    ("usable_tb", "Usable capacity", "TB", False),
    ("usd_per_tb_year", "Cost per TB and year", "USD", True),
    ("kgco2e_per_tb_year", "Carbon per TB and year", "kgCO2e", True),
    (
        "loss_fraction_per_year",
        "Chance of data loss in a year, unreadable sectors included",
        "fraction",
        True,
    ),
)


def _not_said(array: ArrayDesign) -> dict[str, str]:
    """What the plan would say of another array, or without a price, with the reason."""
    reasons = {}
    if array.layout.failed_disk_count > 0:
        # The plan counts with every disk at work.
        reasons["loss_fraction_per_year"] = "Disks are lost: see the mean time to data loss."
    if array.drive.price_usd == 0:
        reasons["usd_per_tb_year"] = "The price of the drive is not known: enter it."
    return reasons


def _bound(name: str, figures: ArrayFigures | None) -> str | None:
    """That rebuilds take longer than said, beside the chance of loss."""
    return figures.rebuild_bound if figures and name == "loss_fraction_per_year" else None


def _measures(
    array: ArrayDesign, figures: ArrayFigures | None, why: str | None
) -> Iterator[ArrayFigure]:
    reasons = _not_said(array)
    for name, label, unit, lower_is_better in _ROWS:
        value = None if figures is None or name in reasons else getattr(figures, name)
        known = {} if figures is None else figures.reasons
        yield ArrayFigure(
            id=name,
            label=label,
            unit=unit,
            value=value,
            text=quantity(value, unit),
            note=reasons.get(name) or why or known.get(name) or _bound(name, figures),
            lower_is_better=lower_is_better,
        )


def _run(params: ArrayDesignParams, _context: Context) -> ArrayDesignResult:
    why_none = _why_none(params.array)
    array = design_of(params) if why_none is None else None
    figures, why = None, why_none
    if array is not None:
        try:
            figures = _figures(params, array)
        except ModelError as error:
            why = str(error)
    return ArrayDesignResult(
        array=array,
        why_none=why_none,
        left_out=left_out(
            params.array, params.workload, _hit_fraction(params), recorded=params.recorded
        ),
        figures=figures,
        why_no_figures=why,
        measures=tuple(_measures(params.array, figures, why)),
        at_once=at_once(
            params.array, params.workload, recorded=params.recorded, plan=figures, why=why
        ),
    )


SPEC = ModelSpec(
    id="plans.array_design",
    version="1.10.0",
    title="Disk array as a design of a study",
    summary="Turns an array as it is drawn and simulated into what a study's design holds, says "
    "what the design leaves out, and gives the plan's figures of it.",
    params=ArrayDesignParams,
    result=ArrayDesignResult,
    run=_run,
    points=one_point,
    citations=(Citation(text="Follows plans.compare, which has its own sources"),),
    formulas=(
        Formula(
            "rate",
            "requests of the design = what a run found of recorded ones, else their mean rate",
            "in a closed loop the array sets the pace: what a run found, else none",
        ),
        Formula(
            "size",
            "request = reads x mean read + (1 - reads) x mean write",
            "the mean over sizes by weight",
        ),
    ),
    limits=(
        "The design serves its requests at their mean rate and mean size; what it does not have of "
        "the array is listed with the answer.",
    ),
)
