"""Inputs and results of a day of consolidation."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from capmodels.formats.trace_store import TraceRef
from capmodels.spec import Params, Result, assumed, blank, default, refusal
from capmodels.told import IN_TABLES, Told
from capmodels.units import (
    Count,
    CountFromOne,
    DurationH,
    EnergyJ,
    EnergyKwh,
    Fraction,
    PowerW,
    Ratio,
    Real,
    of_unit,
)

_SIMULATOR = "CloudSim 3.0.3, PlanetLab experiment"
_ARTICLE = "Beloglazov and Buyya 2012"
_MACHINES_MAX = 5_000
_STEPS_MAX = 3_000

Overload = Literal["npa", "dvfs", "thr", "iqr", "mad", "lr", "lrr"]
Selection = Literal["mmt", "mu", "rs", "mc"]
PositiveMips = Annotated[Real, of_unit("MIPS", gt=0)]
PositiveMb = Annotated[Real, of_unit("MB", gt=0)]
PositiveMbit = Annotated[Real, of_unit("Mbit/s", gt=0)]
PositiveS = Annotated[Real, of_unit("s", gt=0)]
PositiveRatio = Annotated[Real, of_unit("ratio", gt=0)]
MeanCount = Annotated[Real, of_unit("count", ge=0)]
PositiveH = Annotated[DurationH, Field(gt=0)]


class HostType(Params):
    """A kind of physical machine and how many there are."""

    name: str = Field(min_length=1, max_length=120)
    hosts_count: CountFromOne = Field(description="How many of this kind.")
    cores_count: CountFromOne = Field(description="Cores of one.")
    core_mips: PositiveMips = Field(description="Speed of one core.", title="Core speed")
    ram_mb: PositiveMb = Field(description="Memory of one.")
    network_mbit_per_s: PositiveMbit = Field(description="Half of it is used by migrations.")
    power_w: tuple[PowerW, ...] = Field(
        min_length=11, max_length=11, description="At 0, 10, ... 100% load, as SPECpower gives."
    )

    @field_validator("power_w")
    @classmethod
    def _power_rises(cls, value: tuple[float, ...]) -> tuple[float, ...]:
        for place in range(1, len(value)):
            if value[place] < value[place - 1]:
                raise refusal(
                    "power_falls",
                    f"Power at {place * 10}% ({value[place]:g} W) is below power at "
                    f"{place * 10 - 10}%. Enter at least {value[place - 1]:g} W.",
                    at=(place,),
                )
        return value


class MachineType(Params):
    """A kind of virtual machine with one core."""

    mips: PositiveMips = Field(description="Most that it may ask for.", title="Speed")
    ram_mb: PositiveMb = Field(description="Memory; it sets how long a migration takes.")


class Policy(Params):
    """How overload is detected, and which machine leaves."""

    model_config = ConfigDict(validate_default=True)

    overload: Overload = default(
        "thr",
        "npa: all on at full power. dvfs: no moves. thr: fixed threshold. iqr, mad: "
        "threshold from the spread of the past. lr, lrr: local regression, robust.",
        source=f"{_ARTICLE}, section 5.1",
        as_of="2012",
    )
    selection: Selection = default(
        "mmt",
        "mmt: quickest to move. mu: least busy. rs: random. mc: most correlated.",
        source=f"{_ARTICLE}, section 5.2",
        as_of="2012",
    )
    threshold_fraction: Fraction = default(
        0.8, "Load above which thr sees overload.", source=_SIMULATOR, as_of="2013"
    )
    safety_ratio: PositiveRatio = default(
        2.5,
        "How careful the adaptive policies are: 2.5 for mad, 1.5 for iqr, 1.2 for lr and lrr.",
        source=f"{_ARTICLE}, section 6",
        as_of="2012",
    )

    @property
    def name(self) -> str:
        """Short name, as in the article."""
        if self.overload in ("npa", "dvfs"):
            return self.overload.upper()
        last = self.threshold_fraction if self.overload == "thr" else self.safety_ratio
        return f"{self.overload.upper()}-{self.selection.upper()}-{last:g}"


def _server(name: str, core_mips: float, power_w: tuple[float, ...]) -> HostType:
    return HostType(
        name=name,
        hosts_count=400,
        cores_count=2,
        core_mips=core_mips,
        ram_mb=4096.0,
        network_mbit_per_s=1000.0,
        power_w=power_w,
    )


_HOSTS = (
    _server(
        "HP ProLiant ML110 G4",
        1860.0,
        (86.0, 89.4, 92.6, 96.0, 99.5, 102.0, 106.0, 108.0, 112.0, 114.0, 117.0),
    ),
    _server(
        "HP ProLiant ML110 G5",
        2660.0,
        (93.7, 97.0, 101.0, 105.0, 110.0, 116.0, 121.0, 125.0, 129.0, 133.0, 135.0),
    ),
)
_MACHINES = tuple(
    MachineType(mips=mips, ram_mb=ram)
    for mips, ram in ((2500.0, 870.0), (2000.0, 1740.0), (1000.0, 1740.0), (500.0, 613.0))
)


class GeneratedLoad(Params):
    """Load made up from a few numbers: machines that follow the day, each with its own mean."""

    model_config = ConfigDict(validate_default=True)

    machines_count: Annotated[CountFromOne, Field(le=_MACHINES_MAX)] = assumed(40, "Machines.")
    mean_fraction: Fraction = assumed(0.15, "Load of the middle machine over the day.")
    spread_ratio: Ratio = assumed(0.5, "How far machines' means lie apart, in log; 0: all equal.")
    swing_fraction: Fraction = assumed(0.6, "How far the day lifts and lowers the load.")
    noise_fraction: Fraction = assumed(0.04, "Standard deviation of the random part.")
    peak_h: DurationH = assumed(14.0, "Hour of the day of most load.")


# A value for each step: a month by five minutes, and more.
Row = Annotated[tuple[Fraction, ...], Field(max_length=10_000)]


class DynamicParams(Params):
    """Hosts, machines, what the machines ask for over time, and the policies to compare."""

    model_config = ConfigDict(validate_default=True)

    hosts: Annotated[tuple[HostType, ...], Field(max_length=50)] = default(
        _HOSTS, "Kinds of hosts, placed by turns.", source=_SIMULATOR, as_of="2013"
    )
    machine_types: Annotated[tuple[MachineType, ...], Field(max_length=50)] = default(
        _MACHINES,
        "Kinds of machines, over equal parts of the trace in this order.",
        source=_SIMULATOR,
        as_of="2013",
    )
    trace: TraceRef | None = blank("An uploaded trace of utilisation; its own steps count.")
    generated: GeneratedLoad | None = blank(
        "Load made up from a few numbers, where nothing was measured."
    )
    utilization_fraction: tuple[Row, ...] | None = blank(
        "A row for each machine, a value for each step: share of its most.",
        min_length=1,
        max_length=_MACHINES_MAX,
        extra={"unit": "fraction"},
    )
    policies: Annotated[tuple[Policy, ...], Field(max_length=20)] = assumed(
        (Policy(),), "Policies to compare."
    )
    step_s: PositiveS = default(300.0, source=_SIMULATOR, as_of="2013")
    duration_h: PositiveH | None = default(
        24.0, "Time replayed; empty: all that the trace covers.", source=_SIMULATOR, as_of="2013"
    )
    idle_ends_machine: bool = default(
        True,
        "Take a machine that asks for nothing at a step as ended. Say no for "
        "machines that are merely idle.",
        source=_SIMULATOR,
        as_of="2013",
    )
    memory_limits: bool = default(
        False,
        "Whether a machine moves only to where its memory fits, beside what leaves "
        "there in the same step. The simulator counts memory for the first placement only.",
        source=_SIMULATOR,
        as_of="2013",
    )
    percentile_fraction: Annotated[Fraction, Field(gt=0)] = assumed(
        0.95,
        "Percentile of a machine's load that a plan without moves reserves, and of the hosts on "
        "that the answer leads with.",
    )
    fill_fraction: Annotated[Fraction, Field(gt=0)] = assumed(
        0.8, "How full of CPU a host may be planned where nothing moves.", title="CPU filled to"
    )
    electricity_usd_per_kwh: Annotated[Real, of_unit("USD/kWh", ge=0)] = assumed(
        0.1, "Price of what is saved."
    )
    pue: Annotated[Real, of_unit("ratio", ge=1)] = assumed(
        1.0, "Power of the site over that of its hosts."
    )
    carbon_gco2e_per_kwh: Annotated[Real, of_unit("gCO2e/kWh", ge=0)] | None = blank(
        "Empty: carbon is unknown.", title="Carbon intensity"
    )
    overhead_w: PowerW = assumed(
        11.0, "Extra power at each end while a machine is copied.", title="Power of moving"
    )
    wake_j: EnergyJ = assumed(8_400.0, "Energy to switch a host off and on again.", title="Waking")
    fallback_fraction: Fraction = default(
        0.7,
        "Threshold of the adaptive policies until they have history.",
        source=_SIMULATOR,
        as_of="2013",
    )

    @field_validator("hosts", "machine_types", "policies")
    @classmethod
    def _some(cls, value: tuple[Any, ...]) -> tuple[Any, ...]:
        if not value:
            raise refusal("too_short", "Enter at least one.")
        return value

    @field_validator("utilization_fraction")
    @classmethod
    def _rows_are_even(cls, value: Any, info: ValidationInfo) -> Any:
        given = [name for name in ("trace", "generated") if info.data.get(name) is not None]
        if len(given) + (value is not None) > 1:
            raise refusal("too_many", "Enter one load only: rows, a trace, or a generated one.")
        if value is None and not given:
            raise refusal("missing", "Enter rows of load, choose a trace, or generate one.")
        if value is None:
            return value
        steps = len(value[0])
        if not 2 <= steps <= _STEPS_MAX:
            raise refusal(
                "length", f"The trace has {steps} steps. Enter 2 to {_STEPS_MAX:,}.", at=(0,)
            )
        for place, row in enumerate(value):
            if len(row) != steps:
                raise refusal(
                    "length",
                    f"This row has {len(row)} values and the first has {steps}. Enter {steps}.",
                    at=(place,),
                )
        return value

    @field_validator("duration_h")
    @classmethod
    def _trace_is_long_enough(cls, value: Any, info: ValidationInfo) -> Any:
        trace, step_s = info.data.get("utilization_fraction"), info.data.get("step_s")
        if trace and step_s and value and value * 3600 > len(trace[0]) * step_s:
            hours = len(trace[0]) * step_s / 3600
            raise refusal("too_long", f"The trace covers {hours:g} h. Enter at most {hours:g} h.")
        return value


class StepPoint(Result):
    """One step of the day."""

    at_h: DurationH
    energy_kwh: EnergyKwh
    hosts_on_count: Count
    migrations_count: Count


class StaticPlan(Result):
    """The hosts that meet the load if nothing ever moves.

    Each machine reserves a percentile of its own load and all of its memory. ``bound_count``
    is the fewest that the totals allow, on the largest hosts.
    """

    hosts_count: Count
    bound_count: Count
    binding: Literal["cpu", "memory"]
    fits: bool
    energy_kwh: EnergyKwh
    short_fraction: Fraction


class Saving(Result):
    """What a year of such days saves against all machines left where they are."""

    kwh_per_year: Real = of_unit("kWh")
    usd_per_year: Real = of_unit("USD", title="Cost saved")
    kgco2e_per_year: Real | None = of_unit("kgCO2e")


class DayResult(Result):
    """The day under one policy.

    SLATAH is the share of host time in which less was given than asked, PDM the share of
    MIPS withheld by migrations, SLAV their product, ESV energy times SLAV. What moving and
    switching draw is not in the energy; switches are hosts that go on, each having gone off.
    """

    policy: str
    energy_kwh: EnergyKwh
    migrations_count: Count
    moving_kwh: EnergyKwh
    switches_count: Count
    switching_kwh: EnergyKwh
    hosts_on_mean_count: MeanCount
    hosts_on_percentile_count: MeanCount
    hosts_on_most_count: Count
    moves_per_host_per_day: MeanCount
    saving: Saving | None = None
    slatah_fraction: Fraction
    pdm_fraction: Fraction
    slav_fraction: Fraction
    esv_kwh: EnergyKwh
    series: tuple[StepPoint, ...]

    @classmethod
    def without_moves(cls, policy: str, *, energy_kwh: float, hosts_on_mean_count: float) -> Self:
        """Return the day in which nothing moves and nothing is short."""
        return cls(
            policy=policy,
            energy_kwh=energy_kwh,
            migrations_count=0,
            moving_kwh=0.0,
            switches_count=0,
            switching_kwh=0.0,
            hosts_on_mean_count=hosts_on_mean_count,
            hosts_on_percentile_count=hosts_on_mean_count,
            hosts_on_most_count=round(hosts_on_mean_count),
            moves_per_host_per_day=0.0,
            slatah_fraction=0.0,
            pdm_fraction=0.0,
            slav_fraction=0.0,
            esv_kwh=0.0,
            series=(),
        )


class DynamicResult(Told):
    """The day under each policy."""

    best_policy: str | None
    static: StaticPlan = Field(json_schema_extra=IN_TABLES)
    machines_count: Count
    hosts_count: Count
    duration_h: DurationH
    days: tuple[DayResult, ...] = Field(json_schema_extra=IN_TABLES)


def arrangement(kinds: tuple[HostType, ...]) -> list[HostType]:
    """Return the hosts in order: the kinds by turns, as long as each lasts."""
    longest = max(kind.hosts_count for kind in kinds)
    return [kind for turn in range(longest) for kind in kinds if turn < kind.hosts_count]


def machine_types(params: DynamicParams, count: int) -> list[MachineType]:
    """Return each machine's kind: equal parts of the trace, in the order given."""
    part = -(-count // len(params.machine_types))
    return [params.machine_types[place // part] for place in range(count)]
