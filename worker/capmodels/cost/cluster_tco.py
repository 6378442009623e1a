"""Cost of a cluster over its life: capital and energy, and performance per dollar of it.

After Sudan et al. ("cluster in a box", SeaMicro).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from capmodels.spec import (
    Check,
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
    preset,
)
from capmodels.units import (
    HOURS_PER_YEAR,
    Count,
    DurationYears,
    EnergyKwh,
    Fraction,
    PowerW,
    Pue,
    Real,
    Usd,
    UsdPerKwh,
    kwh_from_w,
    of_unit,
)

_PAPER = "Sudan et al., parameter table of the TCO section"

TariffUsdPerKwh = Annotated[UsdPerKwh, Field(ge=0)]
PositiveS = Annotated[Real, of_unit("s", gt=0)]
PerformancePerTco = Annotated[Real, of_unit("1/(s USD)", ge=0)]


def energy_kwh(*, power_w: float, pue: float, horizon_years: float) -> float:
    """Energy of the building for a constant power over years of 8760 h. [kWh]"""
    return pue * kwh_from_w(power_w, horizon_years * HOURS_PER_YEAR)


def tco_usd(*, capex_usd: float, energy_kwh: float, electricity_usd_per_kwh: float) -> float:
    """Capital and energy over the life. [USD]

    TCO = capital + PUE * lifetime * average watts * price of energy.
    """
    return capex_usd + energy_kwh * electricity_usd_per_kwh


class WholeCapital(Params):
    """One price for the cluster."""

    kind: Literal["whole"] = "whole"
    capex_usd: Usd = default(160_000.0, "List price of the cluster.", source=_PAPER)


class CapitalByPart(Params):
    """A price that follows the parts in use, without which performance per TCO cannot tell."""

    kind: Literal["by_part"] = "by_part"
    fixed_usd: Usd = Field(description="Price of what is bought once.")
    node_usd: Usd = Field(description="Price of one node.")
    nodes_count: Count = Field(description="Nodes in use.")
    disk_usd: Usd = Field(description="Price of one disk.")
    disks_count: Count = Field(description="Disks in use.")


Capital = Annotated[WholeCapital | CapitalByPart, Field(discriminator="kind")]


def capex_usd(capital: Capital) -> float:
    """Price of the cluster. [USD]"""
    if isinstance(capital, WholeCapital):
        return capital.capex_usd
    nodes_usd = capital.node_usd * capital.nodes_count
    return capital.fixed_usd + nodes_usd + capital.disk_usd * capital.disks_count


class ClusterTcoParams(Params):
    """A cluster's price, its average power, and how long it is kept."""

    capital: Capital = preset(WholeCapital(), "Price of the cluster.")
    pue: Pue = default(
        1.45, "Power of the building over power of the cluster.", source=_PAPER, low=1.1, high=1.6
    )
    horizon_years: DurationYears = default(3.0, "Time the cluster is kept.", source=_PAPER)
    power_w: PowerW = default(
        3_500.0, "Average power of the cluster.", source="Sudan et al., power rating"
    )
    electricity_usd_per_kwh: TariffUsdPerKwh = default(
        0.07, "Price of electricity.", source=_PAPER, low=0.05, high=0.40
    )
    job_s: PositiveS | None = blank("Time of a job on this cluster, for performance per TCO.")
    other_usd_per_year: Annotated[Real, of_unit("USD/yr", ge=0)] = assumed(
        0.0, "Yearly cost of anything else, which the paper leaves out."
    )


class ClusterTcoResult(Result):
    """Total cost, the share of energy, and the price at which energy equals the capital."""

    tco_usd: Usd
    capex_usd: Usd
    energy_usd: Usd
    other_usd: Usd
    energy_kwh: EnergyKwh
    energy_fraction: Fraction | None
    parity_usd_per_kwh: TariffUsdPerKwh | None
    parity_reason: Literal["no_power"] | None
    performance_per_s_per_usd: PerformancePerTco | None


def _run(params: ClusterTcoParams, _context: Context) -> ClusterTcoResult:
    capital = capex_usd(params.capital)
    energy = energy_kwh(power_w=params.power_w, pue=params.pue, horizon_years=params.horizon_years)
    other = params.other_usd_per_year * params.horizon_years
    total = other + tco_usd(
        capex_usd=capital,
        energy_kwh=energy,
        electricity_usd_per_kwh=params.electricity_usd_per_kwh,
    )
    energy_usd = energy * params.electricity_usd_per_kwh
    return ClusterTcoResult(
        tco_usd=total,
        capex_usd=capital,
        energy_usd=energy_usd,
        other_usd=other,
        energy_kwh=energy,
        energy_fraction=energy_usd / total if total > 0 else None,
        parity_usd_per_kwh=capital / energy if energy > 0 else None,
        parity_reason=None if energy > 0 else "no_power",
        performance_per_s_per_usd=(
            1 / (params.job_s * total) if params.job_s is not None and total > 0 else None
        ),
    )


def _paper() -> ClusterTcoResult:
    return _run(ClusterTcoParams(), Context())


SPEC = ModelSpec(
    id="cost.cluster_tco",
    version="1.0.0",
    title="Cluster TCO",
    summary="Capital and energy of a cluster over its life, the share of energy in it, and "
    "the performance bought per dollar.",
    params=ClusterTcoParams,
    result=ClusterTcoResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(
            text="K. Sudan, S. Balakrishnan, S. Lie, M. Xu, D. Mallick, G. Lauterbach, "
            "R. Balasubramonian, A Novel System Architecture for Web Scale Applications "
            "Using Lightweight CPUs and Virtualized I/O",
            section="TCO analysis",
        ),
    ),
    formulas=(
        Formula(
            "tco",
            "TCO = capital + PUE * years * 8760 * P / 1000 * price",
            "Sudan et al., TCO analysis",
            {
                "PUE": "pue",
                "years": "horizon_years",
                "P": "power_w",
                "price": "electricity_usd_per_kwh",
            },
        ),
        Formula(
            "parity",
            "parity price = capital / energy",
            "derived: the price at which energy costs as much as the cluster",
        ),
        Formula(
            "performance",
            "performance per TCO = 1 / (T * TCO)",
            "Sudan et al., performance as 1 / execution time",
            {"T": "job_s"},
        ),
    ),
    checks=(
        Check(
            "C8",
            "$160,000 and 3.5 kW for three years, PUE 1.45, $0.07/kWh",
            169_335.97,
            lambda: _paper().tco_usd,
            source="160,000 + 1.45 x 26,280 h x 3.5 kW x 0.07, after Sudan et al., figure 7",
            tolerance=0.01,
            unit="USD",
            params=dict,
            kind="arithmetic",
            tests="cost.cluster_tco.ClusterTcoParams.electricity_usd_per_kwh",
            basis="derived",
        ),
        derived_check(
            "C9",
            "Share of energy in that TCO",
            0.0551,
            lambda: _paper().energy_fraction or 0.0,
            source="Sudan et al., TCO formula and parameters",
            tolerance=0.0001,
            unit="fraction",
            tests="cost.cluster_tco.ClusterTcoParams.pue",
        ),
    ),
    limits=(
        "With one price for the whole cluster, energy is about 5% of the TCO, so performance "
        "per TCO is almost performance alone. Price it by part to compare configurations.",
        "No discounting, staff, space or residual value; anything else is one yearly amount.",
        "The paper's text explains PUE with 1.5, its table says 1.45.",
    ),
)
