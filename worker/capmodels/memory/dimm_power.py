"""What today's memory modules draw, from their data sheets' currents.

Supply current times supply voltage in each state, plus refresh, register and traffic, after
Micron's technical note on DDR4 power. Direct Rambus memory as a preset by device.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Literal

from pydantic import Field

from capmodels.memory.currents import (
    CurrentMa,
    ModuleCurrents,
    RankWatts,
    TimeNs,
    rank_watts,
)
from capmodels.memory.modules import KnownModule, TypedModule, sheet_of
from capmodels.memory.planning import (
    MemoryFill,
    Policy,
    Population,
    by_cause_w,
    unknown_reason,
)
from capmodels.numbers import quantity
from capmodels.spec import (
    Check,
    Citation,
    Context,
    Formula,
    ModelSpec,
    Params,
    Result,
    default,
    derived_check,
    one_point,
    recalled,
)
from capmodels.spec import assumed as assumed_default
from capmodels.told import Axis, Figure, Table, TableRow, Told, parts_of
from capmodels.units import (
    HOURS_PER_YEAR,
    CountFromOne,
    EnergyKwh,
    Fraction,
    PowerW,
    Pue,
    Real,
    ThroughputMbPerS,
    kwh_from_w,
    of_unit,
)

ModulesCount = Annotated[CountFromOne, Field(le=100_000)]
DeviceW = Annotated[PowerW, Field(le=100)]
YearUsd = Annotated[Real, of_unit("USD/yr")]
Price = Annotated[Real, of_unit("USD/kWh", ge=0, le=1000)]
_PAVM = "Huang, Pillai and Shin 2003, section 2"
_RDRAM_TIMES = "Rambus data sheets of 2000, from memory"


class RdramDevices(Params):
    """Direct Rambus memory: each device has a state of its own."""

    kind: Literal["rdram"] = "rdram"
    devices_count: ModulesCount = default(16, "Of one module.", source=_PAVM)
    attention_w: DeviceW = default(0.313, "Serving.", source=_PAVM)
    standby_w: DeviceW = default(0.225, source=_PAVM)
    nap_w: DeviceW = default(0.011, source=_PAVM)
    powerdown_w: DeviceW = default(0.007, source=_PAVM)
    nap_exit_ns: TimeNs = recalled(225.0, source=_RDRAM_TIMES, low=60.0, high=225.0)
    powerdown_exit_ns: TimeNs = recalled(22_510.0, source=_RDRAM_TIMES, low=6_000.0, high=22_510.0)


class DimmPowerParams(Params):
    """Modules, and the traffic that they share evenly."""

    module: Annotated[KnownModule | TypedModule | RdramDevices, Field(discriminator="kind")] = (
        KnownModule()
    )
    modules_count: ModulesCount = assumed_default(32, "All alike.")
    traffic_mb_per_s: ThroughputMbPerS = assumed_default(
        20_000.0,
        "Read and written, of all modules together.",
        title="Traffic",
        low=5_000.0,
        high=60_000.0,
    )
    read_fraction: Fraction = assumed_default(0.67, "Share of the traffic that reads.")
    row_hit_fraction: Fraction = assumed_default(
        0.4, "Share of the traffic that finds its row open.", low=0.1, high=0.7
    )
    powerdown_reach_fraction: Fraction = assumed_default(
        1.0, "Share of a rank's idle time spent in power-down; 1: as soon as it is idle."
    )
    electricity_usd_per_kwh: Price = assumed_default(0.10, "Price of energy.", low=0.05, high=0.3)
    pue: Pue = assumed_default(1.5, "Energy of the site over that of IT.", low=1.1, high=2.0)


class StateRow(Result):
    """All ranks of one module in one state, with nothing read."""

    state: Literal["standby", "power-down", "self-refresh"]
    module_w: PowerW
    all_w: PowerW
    exit_ns: TimeNs = Field(description="Until the next access can start.")


class PolicyRow(Result):
    """All modules with the traffic, by cause."""

    policy: Literal["ready", "power_down"]
    average_w: PowerW
    standby_w: PowerW
    powerdown_w: PowerW
    refresh_w: PowerW
    register_w: PowerW
    traffic_w: PowerW
    energy_kwh_per_year: EnergyKwh = Field(description="With the site's overhead.")
    electricity_usd_per_year: YearUsd


class DimmPowerResult(Told):
    """Watts by state and by policy; empty, with the reason, where a current is unknown."""

    states: tuple[StateRow, ...]
    policies: tuple[PolicyRow, ...]
    powerdown_saving_w: PowerW | None
    basis: Literal["modelled", "unknown"]
    reason: str | None


def _rdram_watts(devices: RdramDevices) -> RankWatts:
    """A device is what a rank is elsewhere: nap stands for power-down."""
    burst_s = 40e-9
    access = max(0.0, devices.attention_w - devices.standby_w) * burst_s
    return RankWatts(
        rank_gib=1.0,
        ranks_count=devices.devices_count,
        standby_w=devices.standby_w,
        powerdown_w=devices.nap_w,
        self_refresh_w=devices.powerdown_w,
        refresh_w=0.0,
        read_j=access,
        write_j=access,
        row_j=0.0,
        busy_ns=40.0,
        powerdown_exit_ns=devices.nap_exit_ns,
        self_refresh_exit_ns=devices.powerdown_exit_ns,
        register_w=0.0,
        register_asleep_w=0.0,
    )


def _states(watts: RankWatts, modules: int) -> tuple[StateRow, ...]:
    ranks = watts.ranks_count
    awake = watts.refresh_w
    return tuple(
        StateRow(state=state, module_w=power, all_w=power * modules, exit_ns=exit_ns)
        for state, power, exit_ns in (
            ("standby", ranks * (watts.standby_w + awake) + watts.register_w, 0.0),
            (
                "power-down",
                ranks * (watts.powerdown_w + awake) + watts.register_w,
                watts.powerdown_exit_ns,
            ),
            (
                "self-refresh",
                ranks * watts.self_refresh_w + watts.register_asleep_w,
                watts.self_refresh_exit_ns,
            ),
        )
    )


def _policy(params: DimmPowerParams, watts: RankWatts, policy: Policy) -> PolicyRow:
    ranks = params.modules_count * watts.ranks_count
    counts = Population(
        modules_count=params.modules_count,
        ranks_count=ranks,
        needed_modules_count=params.modules_count,
        awake_ranks_count=ranks,
    )
    fill = MemoryFill(
        traffic_mb_per_s=params.traffic_mb_per_s,
        read_fraction=params.read_fraction,
        row_hit_fraction=params.row_hit_fraction,
        powerdown_reach_fraction=params.powerdown_reach_fraction,
    )
    causes = by_cause_w(fill, watts, counts, policy)
    average = sum(causes.values())
    year = kwh_from_w(average, HOURS_PER_YEAR) * params.pue
    return PolicyRow(
        policy="ready" if policy == "ready" else "power_down",
        average_w=average,
        standby_w=causes["standby"],
        powerdown_w=causes["powerdown"],
        refresh_w=causes["refresh"],
        register_w=causes["register"],
        traffic_w=causes["traffic"],
        energy_kwh_per_year=year,
        electricity_usd_per_year=year * params.electricity_usd_per_kwh,
    )


def _unknown(reason: str) -> DimmPowerResult:
    return DimmPowerResult(
        headline=f"**Power is not known.** {reason}",
        states=(),
        policies=(),
        powerdown_saving_w=None,
        basis="unknown",
        reason=reason,
    )


_CAUSES = {
    "standby_w": "Standby",
    "powerdown_w": "Power-down",
    "refresh_w": "Refresh",
    "register_w": "Registers",
    "traffic_w": "Traffic",
}


def _headline(ready: PolicyRow, down: PolicyRow) -> str:
    kwh = ready.energy_kwh_per_year - down.energy_kwh_per_year
    usd = ready.electricity_usd_per_year - down.electricity_usd_per_year
    return (
        f"**These modules draw {quantity(ready.average_w, 'W')} always ready and "
        f"{quantity(down.average_w, 'W')} with power-down**, which saves {quantity(kwh, 'kWh')} "
        f"and {quantity(usd, 'USD')} a year."
    )


def _figure(ready: PolicyRow, down: PolicyRow) -> Figure:
    return Figure(
        kind="stacked",
        name="Power of the modules",
        title=f"{quantity(ready.average_w, 'W')} always ready, "
        f"{quantity(down.average_w, 'W')} with power-down",
        along=Axis(title="Power", unit="W"),
        rows=("Always ready", "Power-down"),
        series=parts_of((ready, down), _CAUSES.items()),
    )


def _state_table(states: tuple[StateRow, ...]) -> Table:
    return Table(
        title="With nothing read, by state",
        columns=("State", "A module", "All modules", "Wakes in"),
        rows=tuple(
            TableRow(
                head=row.state,
                cells=(
                    quantity(row.module_w, "W"),
                    quantity(row.all_w, "W"),
                    "at once" if row.exit_ns == 0 else quantity(row.exit_ns, "ns"),
                ),
            )
            for row in states
        ),
    )


def _run(params: DimmPowerParams, _context: Context) -> DimmPowerResult:
    if isinstance(params.module, RdramDevices):
        watts = _rdram_watts(params.module)
    else:
        sheet = sheet_of(params.module)
        known = rank_watts(sheet)
        if known is None:
            return _unknown(unknown_reason(sheet))
        watts = known
    ready, down = (_policy(params, watts, policy) for policy in ("ready", "power_down"))
    states = _states(watts, params.modules_count)
    return DimmPowerResult(
        headline=_headline(ready, down),
        notes=("Of all modules together, with the traffic spread evenly over them.",),
        tables=(_state_table(states),),
        figures=(_figure(ready, down),),
        states=states,
        policies=(ready, down),
        powerdown_saving_w=max(0.0, ready.average_w - down.average_w),
        basis="modelled",
        reason=None,
    )


def supply_w(current_ma: CurrentMa, supply_v: float) -> float:
    """Power of a supply current. [W]

    >>> supply_w(1370.0, 1.2)
    1.644
    """
    return current_ma * supply_v / 1000


def _micron_rank(state: Literal["standby", "powerdown", "self_refresh"]) -> float:
    """A rank of 18 devices of 4 Gb at DDR4-2400. [W]"""
    known = dict.fromkeys(("idd0_ma", "idd3n_ma", "idd4r_ma", "idd4w_ma", "idd5b_ma"), 100.0)
    sheet = ModuleCurrents.model_validate(
        {"title": "a rank", "capacity_gib": 8.0, "ranks_count": 1, **known}
        | {"idd2n_ma": 38.25, "idd2p_ma": 17.0, "idd6n_ma": 20.25}
    )
    watts = rank_watts(sheet)
    return 0.0 if watts is None else float(getattr(watts, f"{state}_w"))


def _transcend(name: str, current_ma: float, printed_w: float) -> Check:
    return derived_check(
        f"M20 {name}",
        f"16 GB 2Rx4 DDR4-2133 module: {name}",
        printed_w,
        partial(supply_w, current_ma, 1.2),
        source="Transcend TS4GHR72V1C data sheet, p. 10",
        tests="memory.dimm_power.supply_w",
        tolerance=0.005,
        unit="W",
    )


def _device(state: Literal["standby", "powerdown", "self_refresh"], published: float) -> Check:
    return derived_check(
        f"M21 {state}",
        f"A rank of 18 devices of 4 Gb, DDR4-2400: {state.replace('_', '-')}",
        published,
        partial(_micron_rank, state),
        source="Micron MT40A data sheet, as in DRAMPower: 38.25, 17, 20.25 mA",
        tests="memory.currents.ModuleCurrents.supply_v",
        tolerance=0.005,
        unit="W",
    )


SPEC = ModelSpec(
    id="memory.dimm_power",
    version="1.1.0",
    title="Power of memory modules",
    summary="Watts of DDR3, DDR4, DDR5 and Rambus modules in standby, power-down and "
    "self-refresh, and with traffic, from the currents of their data sheets.",
    params=DimmPowerParams,
    result=DimmPowerResult,
    run=_run,
    points=one_point,
    citations=(
        Citation(text="Micron, TN-40-07: Calculating memory power for DDR4 SDRAM, 2017"),
        Citation(text="JEDEC JESD79-4: DDR4 SDRAM, definitions of IDD and IPP"),
        Citation(
            text="S. Li and others, DRAMsim3: configurations of Micron's devices",
            url="https://github.com/umd-memsys/DRAMsim3",
        ),
        Citation(
            text="H. Huang, P. Pillai, K. G. Shin, Design and Implementation of Power-Aware "
            "Virtual Memory, USENIX Annual Technical Conference 2003: Rambus devices",
            url="https://www.usenix.org/legacy/events/usenix03/tech/huang.html",
        ),
    ),
    formulas=(
        Formula(
            "state", "P_rank = devices (IDD VDD + IPP VPP)", "JEDEC's definition of supply currents"
        ),
        Formula("refresh", "P_refresh = (IDD5B - IDD3N) VDD tRFC / tREFI", "TN-40-07"),
        Formula(
            "traffic",
            "E_line = (IDD4 - IDD3N) VDD t_burst + misses E_row + 3 nJ on the bus",
            "TN-40-07; the bus is our assumption, 1 to 6 nJ",
        ),
        Formula("row", "E_row = VDD (IDD0 tRC - IDD3N tRAS - IDD2N (tRC - tRAS))", "TN-40-07"),
    ),
    checks=(
        _transcend("standby", 1370.0, 1.64),
        _transcend("power-down", 720.0, 0.86),
        _transcend("row open", 1540.0, 1.85),
        _transcend("reading", 2580.0, 3.10),
        _device("standby", 0.83),
        _device("powerdown", 0.37),
        _device("self_refresh", 0.44),
    ),
    limits=(
        "Currents of data sheets are maxima: real modules draw less, often 60 to 90%.",
        "No trustworthy public table of DDR5 currents is known: type in the vendor's.",
        "The power of a register is estimated from memory: 0.25 to 0.85 W; termination on the bus "
        "is assumed.",
        "In power-down rows are taken as closed (IDD2P), and refresh goes on as in standby.",
        "The memory controller in the processor, and its own savings, are left out.",
    ),
)
