"""Lines to the internet: ports by the peak and with one provider lost, transit, edge routers.

Transit is billed by the 95th percentile, cheaper on faster ports; each provider that is left
carries the peak at no more than a wanted fill.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from capmodels.spec import (
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    assumed,
    default,
    derived_check,
    one_point,
)
from capmodels.units import (
    Count,
    CountFromOne,
    NetworkGbitPerS,
    PowerKw,
    Real,
    Usd,
    UsdPerMonth,
    of_unit,
)

UsdPerMbit = Annotated[Real, of_unit("USD/(Mbit/s)-month", ge=0, le=10_000)]
UsdPerTb = Annotated[Real, of_unit("USD/TB", ge=0)]
PeakRatio = Annotated[Real, of_unit("ratio", ge=1, le=1000)]
Fill = Annotated[Real, of_unit("fraction", gt=0, le=1)]

# A month of 730.5 hours, and 8 bits a byte: 1 TB a month is 3.04 Mbit/s.
MBIT_PER_S_PER_TB_MONTH = 8e6 / (730.5 * 3600.0)


@dataclass(frozen=True, slots=True)
class Line:
    """A kind of port as carriers sell it, with the router that takes it."""

    gbit_per_s: float
    usd_per_mbit: tuple[float, float, float]
    port_usd: float
    router_usd: float
    router_ports: int
    router_w: float


# Value, low, high. 10G: $1.00 in London in 2015 falling 14% a year is $0.19 (TeleGeography), and
# 100G is 4.3 times the price for ten times the capacity. Ports and routers are assumed.
LINES = (
    Line(1.0, (0.80, 0.40, 1.20), 100.0, 2_500.0, 8, 60.0),
    Line(10.0, (0.40, 0.20, 0.60), 300.0, 8_000.0, 16, 150.0),
    Line(100.0, (0.17, 0.05, 0.30), 1_500.0, 28_000.0, 32, 450.0),
    Line(400.0, (0.10, 0.03, 0.17), 4_500.0, 90_000.0, 36, 1_300.0),
)


# Of a port, at the peak.
_FILL = 0.7


class OutsideParams(Params):
    """Traffic to the internet, and how many providers carry it."""

    mean_gbit_per_s: Annotated[NetworkGbitPerS, Field(le=1e6)] = assumed(
        1.0, "Mean of what leaves; of the busier direction."
    )
    peak_ratio: PeakRatio = assumed(
        2.0,
        "95th percentile of the hours over the mean.",
        source="Daily and weekly swing of services with people at their end",
        low=1.5,
        high=2.5,
    )
    providers_count: Annotated[CountFromOne, Field(le=8)] = assumed(
        2, "Carriers; with two or more, the others carry the peak when one is lost."
    )
    fill_fraction: Fill = assumed(_FILL, "Of a port, at the peak.", low=0.6, high=0.8)
    cross_connect_usd_per_month: UsdPerMonth = default(
        300.0,
        source="Large carrier-neutral sites",
        as_of="2025-06-01",
        quality="recalled",
        low=150.0,
        high=450.0,
    )
    router_life_months: CountFromOne = assumed(60, "Over which routers are spread in the choice.")


class OutsideResult(Result):
    """Ports, what they cost whether used or not, and what traffic costs on top."""

    port_gbit_per_s: NetworkGbitPerS
    ports_count: Count
    peak_gbit_per_s: NetworkGbitPerS
    cross_connects_count: Count
    ports_usd_per_month: UsdPerMonth = Field(description="Ports, without cross-connects.")
    usd_per_mbit_month: UsdPerMbit = Field(description="Of the 95th percentile.")
    low_usd_per_mbit_month: UsdPerMbit
    high_usd_per_mbit_month: UsdPerMbit
    usd_per_tb: UsdPerTb = Field(description="The same, per TB that leaves.")
    total_usd_per_month: UsdPerMonth = Field(description="Ports, cross-connects and traffic.")
    routers_count: Count
    router_usd: Usd = Field(description="Price of a router or firewall.")
    routers_kw: PowerKw
    sentence: str


def months_to_move(data_tb: float, gbit_per_s: float) -> float:
    """Months that data take over a line of which seven tenths are theirs.

    Parameters
    ----------
    data_tb
        Data to be moved. [TB]
    gbit_per_s
        Speed of the line, above 0. [Gbit/s]

    Returns
    -------
    float
        [months]

    Examples
    --------
    >>> round(months_to_move(50_000.0, 1.0)), round(months_to_move(50_000.0, 100.0), 1)
    (217, 2.2)
    """
    return data_tb * MBIT_PER_S_PER_TB_MONTH / (1000.0 * gbit_per_s * _FILL)


def outside(params: OutsideParams) -> OutsideResult:
    """Return the lines that cost least among ports of 1, 10, 100 and 400 Gbit/s.

    Notes
    -----
    ports of a provider = ceil(peak / (fill x speed x providers that are left)), at least one:
    traffic is shared by those that are left when one is lost. Routers are two, and more where
    ports are more than they have.
    """
    peak = params.mean_gbit_per_s * params.peak_ratio
    left = max(params.providers_count - 1, 1)
    found = []
    for line in LINES:
        each = max(1, math.ceil(peak / (params.fill_fraction * line.gbit_per_s * left) - 1e-9))
        ports = each * params.providers_count
        # One router lost leaves the other with every provider.
        routers = 2 * math.ceil(ports / line.router_ports)
        price, low, high = line.usd_per_mbit
        fixed = ports * (line.port_usd + params.cross_connect_usd_per_month)
        traffic = 1000.0 * peak * price
        spread = routers * line.router_usd / params.router_life_months
        found.append(
            (
                fixed + traffic + spread,
                OutsideResult(
                    port_gbit_per_s=line.gbit_per_s,
                    ports_count=ports,
                    peak_gbit_per_s=peak,
                    cross_connects_count=ports,
                    ports_usd_per_month=ports * line.port_usd,
                    usd_per_mbit_month=price,
                    low_usd_per_mbit_month=low,
                    high_usd_per_mbit_month=high,
                    usd_per_tb=price * MBIT_PER_S_PER_TB_MONTH * params.peak_ratio,
                    total_usd_per_month=fixed + traffic,
                    routers_count=routers,
                    router_usd=line.router_usd,
                    routers_kw=routers * line.router_w / 1000.0,
                    sentence=_sentence(line, ports, params, peak),
                ),
            )
        )
    return min(found, key=lambda one: one[0])[1]


def _sentence(line: Line, ports: int, params: OutsideParams, peak: float) -> str:
    lost = "with one provider lost" if params.providers_count > 1 else "on one provider"
    return (
        f"{ports} port{'s' if ports > 1 else ''} of {line.gbit_per_s:g} Gbit/s carry a peak of "
        f"{peak:.3g} Gbit/s {lost}."
    )


def _run(params: OutsideParams, _context: Context) -> OutsideResult:
    return outside(params)


def _of(**fields: Any) -> OutsideResult:
    return outside(OutsideParams.model_validate(fields))


SPEC = ModelSpec(
    id="network.outside",
    version="1.0.0",
    title="Lines to the internet",
    summary="Ports and transit for a peak that is carried with one provider lost, the routers "
    "that take them, and what a TB sent costs.",
    params=OutsideParams,
    result=OutsideResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(text="TeleGeography, IP transit prices 2009 to 2015, quoted by telecomnewsroom"),
        Citation(text="TeleGeography, 100G over 10G waves, quoted by fastnet.news, 2019"),
    ),
    formulas=(
        Formula(
            "ports",
            "ports of a provider = ceil(peak / (fill * speed * providers left))",
            "definition; one of the providers lost",
        ),
        Formula(
            "transit", "price = Mbit/s at the 95th percentile * price", "how transit is billed"
        ),
    ),
    checks=(
        derived_check(
            "transit-2026",
            "Least price of 10G transit",
            0.19,
            lambda: _of(mean_gbit_per_s=2.0).low_usd_per_mbit_month,
            source="TeleGeography: $1.00 in London, Q2 2015, falling 14% a year: 0.86^11",
            tolerance=0.02,
            unit="USD/(Mbit/s)-month",
            tests="network.outside.Line.usd_per_mbit",
        ),
        derived_check(
            "lost-port",
            "Ports of 10G for a peak of 6 Gbit/s, two providers",
            2.0,
            lambda: float(_of(mean_gbit_per_s=3.0).ports_count),
            source="6 / 0.7 fits one port; each of two providers has it",
            unit="count",
            params=lambda: {"mean_gbit_per_s": 3.0},
            tests="network.outside.OutsideParams.providers_count",
        ),
        derived_check(
            "tb-month",
            "A TB a month as Mbit/s",
            3.042,
            lambda: MBIT_PER_S_PER_TB_MONTH,
            source="8 x 10^6 Mbit over 2,629,800 s",
            tolerance=0.001,
            unit="Mbit/s",
            tests="network.outside.MBIT_PER_S_PER_TB_MONTH",
        ),
    ),
    limits=(
        "Carriers publish no list of transit: prices lie far apart between cities (Sao Paulo and "
        "Sydney many times London), and the range is wide.",
        "Protection against floods, addresses and peering are not counted.",
    ),
)
