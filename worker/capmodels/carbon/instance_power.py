"""Power, energy and carbon of a cloud instance that no one can measure.

Coefficients of Cloud Carbon Footprint, with the range over processor families.
"""

from __future__ import annotations

from typing import Annotated, Literal

from capmodels.providers import PROVIDERS, ProviderId
from capmodels.spec import (
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    blank,
    default,
    derived_check,
    one_point,
)
from capmodels.units import (
    GRAMS_PER_KG,
    HOURS_PER_YEAR,
    WATTS_PER_KW,
    CarbonGco2ePerKwh,
    CarbonKgco2e,
    DataGb,
    DataTb,
    DurationH,
    EnergyKwh,
    Fraction,
    PowerW,
    Pue,
    Real,
    of_unit,
)

Vcpus = Annotated[Real, of_unit("vCPU", ge=0)]
WPerGb = Annotated[Real, of_unit("W/GB", ge=0)]
WPerTb = Annotated[Real, of_unit("W/TB", ge=0)]
KwhPerGb = Annotated[Real, of_unit("kWh/GB", ge=0)]
RatioFromOne = Annotated[Real, of_unit("ratio", ge=1)]

_CCF = "Cloud Carbon Footprint, Methodology"


# Means and PUE: the methodology page. Families: the coefficients published beside it;
# the lowest is EPYC 2nd generation everywhere.
COEFFICIENTS = {one.id: one.coefficients for one in PROVIDERS.values() if one.coefficients}


def vcpu_w(*, idle_w: float, busy_w: float, utilization_fraction: float) -> float:
    """Power of one vCPU: idle + u (busy - idle). [W]

    >>> vcpu_w(idle_w=0.74, busy_w=3.50, utilization_fraction=0.5)
    2.12
    """
    return idle_w + utilization_fraction * (busy_w - idle_w)


class InstancePowerParams(Params):
    """An instance with its storage and traffic, over a time."""

    provider: ProviderId = assumed("aws", "Whose instances.")
    vcpus_count: Vcpus = assumed(1.0, "vCPUs.")
    utilization_fraction: Fraction = default(
        0.5, "Share of the vCPUs that is busy; 0.5 when not known.", source=_CCF
    )
    duration_h: DurationH = assumed(HOURS_PER_YEAR, "Time it runs.")
    extra_memory_gb: DataGb = assumed(0.0, "Memory above what the server's rating includes.")
    memory_w_per_gb: WPerGb = default(0.392, "Power of that memory.", source=_CCF)
    hdd_tb: DataTb = assumed(0.0, "Allocated disk storage.", title="Disk storage")
    hdd_w_per_tb: WPerTb = default(0.65, "Power of disk storage.", source=_CCF)
    ssd_tb: DataTb = assumed(0.0, "Allocated flash storage.", title="Flash storage")
    ssd_w_per_tb: WPerTb = default(1.2, "Power of flash storage.", source=_CCF)
    replication_ratio: RatioFromOne = assumed(
        1.0, "Copies the provider keeps of stored data.", low=1.0, high=3.0
    )
    moved_gb: DataGb = assumed(0.0, "Data moved between sites in the time.")
    network_kwh_per_gb: KwhPerGb = default(
        0.001, "Energy of moving data between sites.", source=_CCF
    )
    pue: Pue | None = blank("Power of the building over power of IT; the provider's if empty.")
    intensity_gco2e_per_kwh: CarbonGco2ePerKwh = default(
        379.0,
        "Carbon of a kilowatt-hour.",
        source="Cloud Carbon Footprint, SERC (Virginia)",
        low=355.0,
        high=424.0,
    )


class InstancePowerResult(Result):
    """Mean power without the building, energy with it, and carbon, each with its range."""

    power_w: PowerW
    low_power_w: PowerW
    high_power_w: PowerW
    energy_kwh: EnergyKwh
    low_energy_kwh: EnergyKwh
    high_energy_kwh: EnergyKwh
    compute_kwh: EnergyKwh
    memory_kwh: EnergyKwh
    storage_kwh: EnergyKwh
    network_kwh: EnergyKwh
    operational_kgco2e: CarbonKgco2e
    low_kgco2e: CarbonKgco2e
    high_kgco2e: CarbonKgco2e
    pue: Pue
    basis: Literal["estimate"]


def _compute_w(params: InstancePowerParams, watts: tuple[float, float]) -> float:
    idle_w, busy_w = watts
    return params.vcpus_count * vcpu_w(
        idle_w=idle_w, busy_w=busy_w, utilization_fraction=params.utilization_fraction
    )


def _run(params: InstancePowerParams, _context: Context) -> InstancePowerResult:
    known = COEFFICIENTS[params.provider]
    pue = known.pue if params.pue is None else params.pue
    to_kwh = pue * params.duration_h / WATTS_PER_KW
    memory_w = params.extra_memory_gb * params.memory_w_per_gb
    flash_w = params.ssd_tb * params.ssd_w_per_tb
    storage_w = params.replication_ratio * (params.hdd_tb * params.hdd_w_per_tb + flash_w)
    # Traffic between sites is not in the building, so the PUE leaves it alone.
    network_kwh = params.moved_gb * params.network_kwh_per_gb
    rest_w = memory_w + storage_w
    mean_w, low_w, high_w = (
        _compute_w(params, watts) + rest_w for watts in (known.mean, known.low, known.high)
    )
    energies = [watts * to_kwh + network_kwh for watts in (mean_w, low_w, high_w)]
    carbon = [energy * params.intensity_gco2e_per_kwh / GRAMS_PER_KG for energy in energies]
    return InstancePowerResult(
        power_w=mean_w,
        low_power_w=low_w,
        high_power_w=high_w,
        energy_kwh=energies[0],
        low_energy_kwh=energies[1],
        high_energy_kwh=energies[2],
        compute_kwh=_compute_w(params, known.mean) * to_kwh,
        memory_kwh=memory_w * to_kwh,
        storage_kwh=storage_w * to_kwh,
        network_kwh=network_kwh,
        operational_kgco2e=carbon[0],
        low_kgco2e=carbon[1],
        high_kgco2e=carbon[2],
        pue=pue,
        basis="estimate",
    )


SPEC = ModelSpec(
    id="carbon.instance_power",
    version="1.0.0",
    title="Power of a cloud instance",
    summary="An estimate of what a cloud instance draws and emits, from published coefficients, "
    "with the range over processor families.",
    params=InstancePowerParams,
    result=InstancePowerResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(
            text="Cloud Carbon Footprint, Methodology and coefficients by processor family",
            url="https://www.cloudcarbonfootprint.org/docs/methodology/",
            section="Appendix I",
        ),
    ),
    formulas=(
        Formula(
            "power",
            "P = vCPUs * (idle + u (busy - idle)) + GB * W/GB + copies * TB * W/TB",
            "Cloud Carbon Footprint, Methodology",
            {"u": "utilization_fraction"},
        ),
        Formula(
            "energy",
            "energy = P / 1000 * hours * PUE + GB moved * kWh/GB",
            "Cloud Carbon Footprint, Methodology",
        ),
    ),
    checks=(
        derived_check(
            "E14",
            "One vCPU of AWS for a year, 2.12 W at PUE 1.135",
            21.08,
            lambda: _run(InstancePowerParams(), Context()).energy_kwh,
            source="Cloud Carbon Footprint, coefficients",
            tolerance=0.01,
            unit="kWh",
            params=dict,
            tests="carbon.instance_power.vcpu_w",
        ),
        derived_check(
            "S65b",
            "Its carbon in SERC",
            7.99,
            lambda: _run(InstancePowerParams(), Context()).operational_kgco2e,
            source="Cloud Carbon Footprint, coefficients and factor",
            tolerance=0.01,
            unit="kg CO2e",
            params=dict,
            tests="carbon.instance_power.InstancePowerParams.intensity_gco2e_per_kwh",
        ),
    ),
    limits=(
        "An estimate: the providers do not publish power. Families differ by a factor of five.",
        "The embodied carbon of the machine is a model of its own.",
        "Idle machines that the provider keeps for others are not counted.",
    ),
)
