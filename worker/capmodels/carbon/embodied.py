"""Carbon of making hardware, spread over its life, and carbon per unit of work (SCI)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import ConfigDict, ValidationInfo, field_validator

if TYPE_CHECKING:
    from capmodels.amounts import AmountT

from capmodels.equations import equation
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    default,
    one_point,
    refusal,
)
from capmodels.units import (
    GRAMS_PER_KG,
    HOURS_PER_YEAR,
    CarbonKgco2e,
    DurationH,
    DurationYears,
    Fraction,
    Real,
    of_unit,
)

UnitsOfWork = Annotated[Real, of_unit("count", gt=0)]
KgPerUnit = Annotated[Real, of_unit("kg CO2e/unit", ge=0)]


@equation("carbon.embodied")
def embodied_share_kgco2e(
    *,
    embodied_kgco2e: AmountT,
    duration_h: AmountT,
    life_years: AmountT,
    resource_fraction: AmountT,
) -> AmountT:
    """Part of the hardware's carbon for a time and a share of it. [kg CO2e]

    M = E_total (TiR / EL) (RR / ToR), Software Carbon Intensity specification 1.1, "Embodied
    emissions" (ISO/IEC 21031:2024).

    >>> round(1000 * embodied_share_kgco2e(
    ...     embodied_kgco2e=1000.0, duration_h=1.0, life_years=4.0, resource_fraction=1.0), 2)
    28.54
    """
    time_fraction = duration_h / (life_years * HOURS_PER_YEAR)
    return embodied_kgco2e * time_fraction * resource_fraction


def sci_kgco2e(*, operational_kgco2e: float, embodied_kgco2e: float, work_count: float) -> float:
    """Carbon of one unit of work. [kg CO2e/unit]

    SCI = (E I + M) / R, Software Carbon Intensity specification (ISO/IEC 21031:2024).
    """
    return (operational_kgco2e + embodied_kgco2e) / work_count


class EmbodiedParams(Params):
    """Hardware, the part of it and the time it is used, and the work it does."""

    model_config = ConfigDict(validate_default=True)

    embodied_kgco2e: CarbonKgco2e = default(
        1_000.0,
        "Carbon of making and disposing of the hardware.",
        source="Software Carbon Intensity specification, example",
        low=500.0,
        high=3_000.0,
    )
    life_years: DurationYears = default(
        4.0,
        "Time the hardware is expected to be used.",
        source="Software Carbon Intensity specification, example",
        low=3.0,
        high=6.0,
    )
    duration_h: DurationH = default(
        1.0, "Time it is reserved.", source="Software Carbon Intensity specification, example"
    )
    resource_fraction: Fraction = assumed(1.0, "Share of the hardware that is reserved.")
    operational_kgco2e: CarbonKgco2e = assumed(
        0.0, "Carbon of the electricity in the same time, for carbon per unit of work."
    )
    work_count: UnitsOfWork = assumed(1.0, "Units of work done in that time.")

    @field_validator("duration_h")
    @classmethod
    def _within_life(cls, value: float, info: ValidationInfo) -> float:
        life = info.data.get("life_years")
        if life is not None and value > life * HOURS_PER_YEAR:
            raise refusal(
                "beyond_life",
                f"The time is beyond the life. Enter at most {life * HOURS_PER_YEAR:g}.",
            )
        return value


class EmbodiedResult(Result):
    """The amortised part, and carbon per unit of work."""

    share_kgco2e: CarbonKgco2e
    time_fraction: Fraction
    sci_kgco2e_per_unit: KgPerUnit
    embodied_fraction: Fraction | None
    reason: Literal["no_carbon"] | None


def _run(params: EmbodiedParams, _context: Context) -> EmbodiedResult:
    share = embodied_share_kgco2e(
        embodied_kgco2e=params.embodied_kgco2e,
        duration_h=params.duration_h,
        life_years=params.life_years,
        resource_fraction=params.resource_fraction,
    )
    total = share + params.operational_kgco2e
    return EmbodiedResult(
        share_kgco2e=share,
        time_fraction=min(1.0, params.duration_h / (params.life_years * HOURS_PER_YEAR)),
        sci_kgco2e_per_unit=sci_kgco2e(
            operational_kgco2e=params.operational_kgco2e,
            embodied_kgco2e=share,
            work_count=params.work_count,
        ),
        embodied_fraction=share / total if total > 0 else None,
        reason=None if total > 0 else "no_carbon",
    )


SPEC = ModelSpec(
    id="carbon.embodied",
    version="1.0.0",
    title="Embodied carbon",
    summary="The part of a machine's making that falls on a share of it for a time, and the "
    "carbon of a unit of work.",
    params=EmbodiedParams,
    result=EmbodiedResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(
            text="Green Software Foundation, Software Carbon Intensity specification "
            "(ISO/IEC 21031)",
            url="https://sci.greensoftware.foundation/",
        ),
    ),
    formulas=(
        Formula(
            "embodied",
            "M = E_total * (TiR / EL) * (RR / ToR)",
            "Software Carbon Intensity specification",
            {
                "E_total": "embodied_kgco2e",
                "TiR": "duration_h",
                "EL": "life_years * 8760",
                "RR / ToR": "resource_fraction",
            },
        ),
        Formula(
            "sci",
            "SCI = (E I + M) / R",
            "Software Carbon Intensity specification; no offsets or certificates",
            {"E I": "operational_kgco2e", "R": "work_count"},
        ),
    ),
    checks=(
        Check(
            "E13",
            "1000 kg over 4 years, one hour",
            28.0,
            lambda: _run(EmbodiedParams(), Context()).share_kgco2e * GRAMS_PER_KG,
            source="Software Carbon Intensity specification, example",
            printed="around 28 g",
            tolerance=1.0,
            unit="g CO2e",
            params=dict,
            kind="arithmetic",
            tests="carbon.embodied.EmbodiedParams.embodied_kgco2e",
            wider="The source prints 'around'.",
        ),
    ),
    limits=(
        "Spread evenly over the life; a machine kept longer than expected costs nothing more.",
        "Published footprints of one machine differ by a factor of three between makers.",
    ),
)
