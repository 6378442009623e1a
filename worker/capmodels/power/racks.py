"""Machines in racks and racks in a site: what fills them, what it costs, what kW stay stranded.

A rack is full by height, by power, by weight or by ports; of the site's classes the one is
chosen that costs least for these machines, power strips and rack included.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from capmodels.spec import (
    Citation,
    Context,
    Formula,
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
from capmodels.units import (
    Count,
    PowerKw,
    PowerW,
    Real,
    Usd,
    UsdPerKwMonth,
    UsdPerMonth,
    of_unit,
)

Units = Annotated[Real, of_unit("count", gt=0, le=100)]
Kg = Annotated[Real, of_unit("kg", ge=0, le=100_000)]
UsdPerRackMonth = Annotated[Real, of_unit("USD/rack-month", ge=0)]
Binding = Literal["height", "power", "weight", "ports"]


@dataclass(frozen=True, slots=True)
class SiteClass:
    """Space as it is sold: what a rack there takes, how much one has to take, and the price.

    Prices are value, low, high; ``usd_per_rack_month`` stands in the place of a price by kW.
    """

    name: str
    rack_kw: float
    units: float
    kg: float
    least_kw: float
    most_kw: float
    usd_per_kw_month: tuple[float, float, float]
    usd_per_rack_month: tuple[float, float, float]
    rack_usd: float
    source: str
    as_of: str


_NONE = (0.0, 0.0, 0.0)
_CABINET = "Retail cabinets with some power, $500 to 2,000 a month (dpdatacenters.com)"
_CBRE = "CBRE, 250 to 500 kW, primary markets of North America, H2 2025, through ENCOR"
_DENSE = f"{_CBRE}; a tenth more for rear-door heat exchangers, assumed"
_LIQUID = f"{_CBRE}; a quarter more for liquid to the rack, assumed"
_CAGE = f"{_CBRE}, with a premium for small deals"
# Air to about 20 kW a rack, rear doors to 40, liquid above: the careful side of AFCOM's survey of
# 2026 (air to 20-30, hybrid 50-100). A rack of 72 GPUs weighs 1.36 t and is fed 132 kW.
CLASSES = (
    SiteClass("Cabinet, 5 kW", 5.0, 42, 1000, 0, 15, _NONE, (1250, 700, 1800), 0.0, _CABINET,
              "2026-01-01"),
    SiteClass("Cage, air, 10 kW a rack", 10.0, 42, 1000, 8, 250, (250, 200, 300), _NONE, 3500.0,
              _CAGE, "2025-12-31"),
    SiteClass("Cage, air, 20 kW a rack", 20.0, 48, 1300, 15, 250, (260, 210, 310), _NONE, 7000.0,
              _CAGE, "2025-12-31"),
    SiteClass("Cage, rear doors, 40 kW a rack", 40.0, 48, 1500, 30, 250, (285, 230, 340), _NONE,
              11_000.0, _DENSE, "2025-12-31"),
    SiteClass("Suite, air, 20 kW a rack", 20.0, 48, 1300, 250, 1e9, (196, 160, 232), _NONE, 7000.0,
              _CBRE, "2025-12-31"),
    SiteClass("Suite, rear doors, 40 kW a rack", 40.0, 48, 1500, 250, 1e9, (216, 175, 257), _NONE,
              11_000.0, _DENSE, "2025-12-31"),
    SiteClass("Suite, liquid, 132 kW a rack", 132.0, 48, 1800, 250, 1e9, (245, 190, 300), _NONE,
              30_000.0, _LIQUID, "2025-12-31"),
)  # fmt: skip
RACK_LIFE_MONTHS = 60


class Machine(Params):
    """Machines of one kind."""

    name: str = preset("Servers", "What they are called.", min_length=1, max_length=120)
    count: Count = assumed(40, "How many.")
    power_w: Annotated[PowerW, Field(gt=0, le=1e6)] = assumed(800.0, "Provisioned, of one.")
    rack_units_count: Units = assumed(2.0, title="Rack units of one")
    weight_kg: Kg | None = blank("Empty: 14 kg a rack unit.", title="Weight of one")
    ports_count: Annotated[Count, Field(le=64)] = assumed(
        3, "Ports of one in the switches of its rack: two of data and one of management."
    )


class RacksParams(Params):
    """Machines to put into racks."""

    machines: tuple[Machine, ...] = preset((Machine(),), "One kind after the other.", max_length=64)
    beside_units_count: Annotated[Real, of_unit("count", ge=0, le=40)] = assumed(
        3.0, "Rack units of switches in a rack."
    )
    beside_w: Annotated[PowerW, Field(le=1e5)] = assumed(670.0, "Power of switches in a rack.")
    ports_per_rack_count: Annotated[Count, Field(le=4096)] = assumed(
        144, "Ports that a rack's switches offer its machines: two of 48, and 48 of management."
    )
    years_of_growth_ratio: Annotated[Real, of_unit("ratio", ge=1, le=100)] = assumed(
        1.0, "Power at the end over power today: the site is chosen for the end."
    )

    @model_validator(mode="after")
    def _fits_somewhere(self) -> RacksParams:
        for place, machine in enumerate(self.machines):
            if all(_in_rack(machine, one, self)[0] == 0 for one in CLASSES):
                raise refusal(
                    "no_rack",
                    f"No rack takes {machine.name} ({machine.power_w / 1000:.3g} kW, "
                    f"{machine.rack_units_count:g} rack units). Enter smaller machines.",
                    at=("machines", place),
                )
        return self


class RackedMachine(Result):
    """How many of a kind are in a rack, and what fills it."""

    name: str
    per_rack_count: Count
    binding: Binding


class RacksResult(Result):
    """The class of site, and the racks."""

    site: str
    source: str
    as_of: str
    rack_kw: PowerKw = Field(description="What a rack there is fed.")
    machines: tuple[RackedMachine, ...]
    racks_count: Count
    provisioned_kw: PowerKw = Field(description="Of the machines and the switches.")
    stranded_kw: PowerKw = Field(description="Fed to the racks and not provisioned to machines.")
    usd_per_kw_month: UsdPerKwMonth
    low_usd_per_kw_month: UsdPerKwMonth
    high_usd_per_kw_month: UsdPerKwMonth
    usd_per_rack_month: UsdPerRackMonth
    low_usd_per_rack_month: UsdPerRackMonth
    high_usd_per_rack_month: UsdPerRackMonth
    rack_usd: Usd
    space_usd_per_month: UsdPerMonth
    sentence: str


def weight_kg(machine: Machine) -> float:
    """Weight of a machine; without one, 14 kg a rack unit (a full 2U server is near 30 kg)."""
    return 14.0 * machine.rack_units_count if machine.weight_kg is None else machine.weight_kg


def _in_rack(machine: Machine, site: SiteClass, params: RacksParams) -> tuple[int, Binding]:
    """How many of a machine a rack takes, and what is full first."""
    limits: dict[Binding, float] = {
        "height": (site.units - params.beside_units_count) / machine.rack_units_count,
        "power": (1000.0 * site.rack_kw - params.beside_w) / machine.power_w,
    }
    if weight := weight_kg(machine):
        limits["weight"] = site.kg / weight
    if machine.ports_count:
        limits["ports"] = params.ports_per_rack_count / machine.ports_count
    binding = min(limits, key=limits.__getitem__)
    return max(math.floor(limits[binding] + 1e-9), 0), binding


def racks(params: RacksParams) -> RacksResult:
    """Return the racks of the class of site that costs least.

    Notes
    -----
    per rack = floor(min over height, power, weight, ports); racks = ceil(sum of count / per
    rack): a rack may hold machines of several kinds. Stranded kW = racks x fed - provisioned.
    Classes are compared by what is fed to their racks, so that power that stays stranded counts.
    """
    found = []
    for site in CLASSES:
        taken = [_in_rack(machine, site, params) for machine in params.machines]
        if not all(count for count, _ in taken):
            continue
        pairs = list(zip(params.machines, taken, strict=True))
        needed = math.fsum(machine.count / per for machine, (per, _) in pairs)
        count = math.ceil(needed - 1e-9)
        watts = math.fsum(machine.count * machine.power_w for machine in params.machines)
        kw = (watts + count * params.beside_w) / 1000.0
        grown = kw * params.years_of_growth_ratio
        space = kw * site.usd_per_kw_month[0] + count * site.usd_per_rack_month[0]
        fed = needed * site.rack_kw * site.usd_per_kw_month[0]
        fed += count * site.usd_per_rack_month[0]
        cost = fed + count * site.rack_usd / RACK_LIFE_MONTHS
        off = max(site.least_kw - grown, grown - site.most_kw, 0.0)
        found.append((off, cost, site, pairs, count, kw, space))
    _, _, site, pairs, count, kw, space = min(found, key=lambda one: one[:2])
    machines = tuple(
        RackedMachine(name=machine.name, per_rack_count=per, binding=binding)
        for machine, (per, binding) in pairs
    )
    stranded = max(count * site.rack_kw - kw, 0.0)
    return RacksResult(
        site=site.name,
        source=site.source,
        as_of=site.as_of,
        rack_kw=site.rack_kw,
        machines=machines,
        racks_count=count,
        provisioned_kw=kw,
        stranded_kw=stranded,
        usd_per_kw_month=site.usd_per_kw_month[0],
        low_usd_per_kw_month=site.usd_per_kw_month[1],
        high_usd_per_kw_month=site.usd_per_kw_month[2],
        usd_per_rack_month=site.usd_per_rack_month[0],
        low_usd_per_rack_month=site.usd_per_rack_month[1],
        high_usd_per_rack_month=site.usd_per_rack_month[2],
        rack_usd=site.rack_usd,
        space_usd_per_month=space,
        sentence=f"{count:,} rack{'s' if count != 1 else ''} of {site.rack_kw:g} kW "
        f"({site.name}); {kw:,.4g} kW are provisioned, {stranded:,.3g} kW stay stranded.",
    )


def _run(params: RacksParams, _context: Context) -> RacksResult:
    return racks(params)


def _of(*machines: dict[str, Any]) -> RacksResult:
    return racks(RacksParams.model_validate({"machines": machines}))


_DGX = {"name": "8-GPU server", "count": 100, "power_w": 10_200.0, "rack_units_count": 8.0,
        "weight_kg": 130.0, "ports_count": 3}  # fmt: skip

SPEC = ModelSpec(
    id="power.racks",
    version="1.0.0",
    title="Racks and class of site",
    summary="How many racks some machines need, what fills them first, which class of site costs "
    "least for them, and what power stays stranded.",
    params=RacksParams,
    result=RacksResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(text="CBRE, North America Data Center Trends H2 2025, through ENCOR Advisors"),
        Citation(text="AFCOM State of the Data Center 2026: cooling by density"),
    ),
    formulas=(
        Formula(
            "per_rack",
            "per rack = floor(min(units / height, kW / power, kg / weight, ports / ports))",
            "definition; switches taken off height and power",
        ),
        Formula("racks", "racks = ceil(sum of count / per rack)", "kinds may share a rack"),
        Formula("stranded", "stranded = racks * kW fed - kW provisioned", "definition"),
    ),
    checks=(
        derived_check(
            "dgx",
            "8-GPU servers of 10.2 kW in a rack",
            3.0,
            lambda: float(_of(_DGX).machines[0].per_rack_count),
            source="DGX H100 data sheet: 10.2 kW; 40 kW less switches",
            unit="count",
            params=lambda: {"machines": [_DGX]},
            tests="power.racks.SiteClass.rack_kw",
        ),
        derived_check(
            "height",
            "2U servers of 400 W in a rack, and what fills it: 22 in 48 units",
            "22 height",
            lambda: _told(_of({"count": 4000, "power_w": 400.0, "ports_count": 0})),
            source="(48 - 3) / 2",
            tests="power.racks.Machine.rack_units_count",
        ),
    ),
    limits=(
        "Cross-connects, remote hands and installation are not in the price of space.",
        "An own hall is not among the classes: cost.facility prices one.",
    ),
)


def _told(found: RacksResult) -> str:
    return f"{found.machines[0].per_rack_count} {found.machines[0].binding}"
