"""What a large facility costs a month, by Hamilton's method: every asset as a loan."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from pydantic import Field

from capmodels.cost.cashflow import payment_usd
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    default,
    derived,
    one_point,
)
from capmodels.units import (
    HOURS_PER_MONTH,
    MONTHS_PER_YEAR,
    CountFromOne,
    DurationYears,
    EnergyKwh,
    Fraction,
    PowerW,
    Pue,
    Real,
    Usd,
    UsdPerKwh,
    UsdPerMonth,
    kwh_from_w,
    of_unit,
)

TariffUsdPerKwh = Annotated[UsdPerKwh, Field(ge=0)]
MonthH = Annotated[Real, of_unit("h", gt=0, le=744)]
UsdPerServerMonth = Annotated[Real, of_unit("USD/server-month", ge=0)]


def monthly_usd(*, principal_usd: float, life_years: float, rate_fraction_per_year: float) -> float:
    """Monthly payment for an asset at a yearly rate that is charged by twelfths. [USD/month]"""
    return payment_usd(
        principal_usd=principal_usd,
        rate_fraction_per_period=rate_fraction_per_year / MONTHS_PER_YEAR,
        periods=life_years * MONTHS_PER_YEAR,
    )


def monthly_energy_kwh(
    *, critical_power_w: float, load_fraction: float, pue: float, month_h: float = HOURS_PER_MONTH
) -> float:
    """Energy of the building in a month. [kWh]"""
    return kwh_from_w(critical_power_w * load_fraction * pue, month_h)


def _recalled(value: Any, description: str, **facets: Any) -> Any:
    return default(
        value,
        source="J. Hamilton, Overall Data Center Costs (inputs from memory)",
        quality="recalled",
        description=description,
        **facets,
    )


class FacilityParams(Params):
    """Servers, network, building and power of a facility, and the cost of money."""

    servers_count: CountFromOne = _recalled(46_000, "Servers in the facility.")
    server_usd: Usd = _recalled(1_450.0, "Price of one server.")
    server_life_years: DurationYears = _recalled(3.0, "Time a server is paid off.")
    facility_usd: Usd = _recalled(72_000_000.0, "Price of the building and its plant.")
    facility_life_years: DurationYears = _recalled(
        10.0, "Time the building is paid off.", low=10.0, high=15.0
    )
    network_usd: Usd = _recalled(12_800_000.0, "Price of the network.")
    network_life_years: DurationYears = _recalled(4.0, "Time the network is paid off.")
    rate_fraction_per_year: Annotated[Fraction, of_unit("fraction/yr")] = _recalled(
        0.05, "Cost of money.", low=0.03, high=0.12
    )
    critical_power_w: PowerW = _recalled(8_000_000.0, "Power the building can give to IT.")
    load_fraction: Fraction = _recalled(0.8, "Share of that power in use, on average.")
    pue: Pue = _recalled(1.45, "Power of the building over power of IT.")
    electricity_usd_per_kwh: TariffUsdPerKwh = _recalled(
        0.07, "Price of electricity.", low=0.05, high=0.15
    )
    plant_fraction: Fraction = default(
        0.82,
        "Share of the building's price that is power distribution and cooling.",
        source="J. Hamilton, as quoted in 2008",
        as_of="2008",
    )
    month_h: MonthH = derived(HOURS_PER_MONTH, "Hours in a month.", source="8760 h / 12")


class FacilityLine(Result):
    """One line of the monthly bill."""

    line: str
    label: str
    usd_per_month: UsdPerMonth
    share_fraction: Fraction


class FacilityResult(Result):
    """The monthly bill."""

    total_usd_per_month: UsdPerMonth
    lines: tuple[FacilityLine, ...]
    facility_usd_per_month: UsdPerMonth
    server_usd_per_month: UsdPerServerMonth
    energy_kwh_per_month: EnergyKwh
    burdened_power_usd_per_month: UsdPerMonth
    burdened_power_fraction: Fraction


_LABELS = {
    "servers": "Servers",
    "network": "Network",
    "plant": "Power and cooling plant",
    "other": "Other infrastructure",
    "power": "Power",
}


def facility_lines(params: FacilityParams) -> dict[str, float]:
    """The bill's lines, in the order of the published shares. [USD/month]"""
    rate = params.rate_fraction_per_year
    servers_usd = params.servers_count * params.server_usd
    facility = monthly_usd(
        principal_usd=params.facility_usd,
        life_years=params.facility_life_years,
        rate_fraction_per_year=rate,
    )
    energy_kwh = _energy_kwh(params)
    return {
        "servers": monthly_usd(
            principal_usd=servers_usd,
            life_years=params.server_life_years,
            rate_fraction_per_year=rate,
        ),
        "network": monthly_usd(
            principal_usd=params.network_usd,
            life_years=params.network_life_years,
            rate_fraction_per_year=rate,
        ),
        "plant": params.plant_fraction * facility,
        "other": (1 - params.plant_fraction) * facility,
        "power": energy_kwh * params.electricity_usd_per_kwh,
    }


def _energy_kwh(params: FacilityParams) -> float:
    return monthly_energy_kwh(
        critical_power_w=params.critical_power_w,
        load_fraction=params.load_fraction,
        pue=params.pue,
        month_h=params.month_h,
    )


def _run(params: FacilityParams, _context: Context) -> FacilityResult:
    lines = facility_lines(params)
    total = sum(lines.values())
    burdened = lines["power"] + lines["plant"]
    return FacilityResult(
        total_usd_per_month=total,
        lines=tuple(
            FacilityLine(
                line=line,
                label=_LABELS[line],
                usd_per_month=usd,
                share_fraction=_share(usd, total),
            )
            for line, usd in lines.items()
        ),
        facility_usd_per_month=lines["plant"] + lines["other"],
        server_usd_per_month=total / params.servers_count,
        energy_kwh_per_month=_energy_kwh(params),
        burdened_power_usd_per_month=burdened,
        burdened_power_fraction=_share(burdened, total),
    )


def _share(part: float, whole: float) -> float:
    return min(1.0, part / whole) if whole > 0 else 0.0


def _line(name: str) -> float:
    return facility_lines(FacilityParams())[name]


def _rounded_shares() -> str:
    lines = _run(FacilityParams(), Context()).lines
    return "/".join(f"{100 * line.share_fraction:.0f}" for line in lines)


_monthly_cost = partial(
    Check,
    source="Hamilton's shares; inputs reconstructed",
    unit="USD/month",
    tolerance=1.0,
    basis="derived",
    kind="arithmetic",
)

SPEC = ModelSpec(
    id="cost.facility",
    version="1.0.0",
    title="Facility cost a month",
    summary="Monthly cost of a large facility by servers, network, plant, building and power, "
    "each asset paid off over its own life.",
    params=FacilityParams,
    result=FacilityResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(
            text="J. Hamilton, Overall Data Center Costs, perspectives.mvdirona.com; shares as "
            "quoted in public in 2008",
        ),
    ),
    formulas=(
        Formula(
            "payment",
            "payment = P i / (1 - (1 + i)^-n), i = rate / 12; P / n when the rate is 0",
            "annuity",
            {"P": "price of the asset", "n": "months of its life"},
        ),
        Formula(
            "power", "power = critical W * load * PUE / 1000 * hours * price", "Hamilton's method"
        ),
        Formula(
            "burdened",
            "fully burdened power = power + plant share * facility",
            "Hamilton's method",
            {"plant share": "plant_fraction"},
        ),
    ),
    checks=(
        _monthly_cost(
            "E1",
            "Servers, 46,000 at $1,450 over 3 years at 5%",
            1_999_100.0,
            lambda: _line("servers"),
            tolerance=100.0,
            tests="cost.facility.FacilityParams.server_usd",
        ),
        _monthly_cost(
            "E2",
            "Facility, $72 M over 10 years at 5%",
            763_672.0,
            lambda: _line("plant") + _line("other"),
            tests="cost.facility.FacilityParams.facility_usd",
        ),
        _monthly_cost(
            "E3",
            "Power, 8 MW at 80%, PUE 1.45, $0.07/kWh, 730 h",
            474_208.0,
            lambda: _line("power"),
            tests="cost.facility.FacilityParams.pue",
        ),
        Check(
            "E4",
            "Shares of servers, network, plant, other, power in percent",
            "57/8/18/4/13",
            _rounded_shares,
            source="Hamilton's shares, as quoted in public in 2008",
            kind="fitted",
            tests="cost.facility.FacilityParams.rate_fraction_per_year",
            fitted_to="These shares: prices, lives, rate and PUE were reconstructed to give them.",
        ),
    ),
    limits=(
        "The inputs are from memory: together they give the published shares and total, but "
        "other inputs would too.",
        "Staff, software, taxes, network transit and the land are left out.",
    ),
)
