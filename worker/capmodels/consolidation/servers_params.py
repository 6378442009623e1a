"""Inputs and results of the question how few servers run given applications."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from capmodels.consolidation.dynamic_params import Saving
from capmodels.consolidation.plan_params import (
    Application,
    BoxFraction,
    Migration,
    PlanResult,
    Service,
    Spread,
    faults_of_names,
    faults_of_tiers,
)
from capmodels.consolidation.server_curves import PowerExponent, SteepnessExponent
from capmodels.forms import AS_TABLE, in_groups
from capmodels.spec import Params, Result, assumed, blank, default, preset, refusal, refusals
from capmodels.told import Told
from capmodels.units import (
    Count,
    CountFromOne,
    DataGb,
    EnergyJ,
    Fraction,
    PowerW,
    Pue,
    Ratio,
    Real,
    UsdPerKwh,
    of_unit,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

RESOURCES = ("cpu", "disk", "memory", "network")
_PAPER = "our choice for Srikantaiah et al. 2008, whose surface is not printed"

Policy = Literal["planner", "exact", "greedy_as_published"]
PositiveRatio = Annotated[Real, of_unit("ratio", gt=0)]
PositiveH = Annotated[Real, of_unit("h", gt=0)]


class Load(Params):
    """An application, what it asks of a reference server, and where it may run."""

    id: str = Field(min_length=1, max_length=80, title="Application")
    cpu_fraction: Fraction
    disk_fraction: Fraction
    memory_fraction: Fraction
    network_fraction: Fraction
    memory_gb: DataGb | None = Field(default=None, title="To copy")
    server_count: CountFromOne | None = Field(default=None, title="Server today")
    together_with: tuple[str, ...] = Field(default=(), max_length=50)
    apart_from: tuple[str, ...] = Field(default=(), max_length=500)
    allowed: tuple[str, ...] = Field(default=(), max_length=100, title="May run on")

    def as_planned(self, apart: Spread, resources: Iterable[str]) -> Application:
        """The application as a plan asks for it."""
        return Application(
            id=self.id,
            demand_fraction=tuple(getattr(self, f"{name}_fraction") for name in resources),
            memory_gb=self.memory_gb,
            together_with=self.together_with,
            apart_from=self.apart_from,
            allowed=self.allowed,
            apart=apart,
        )


class Kind(Params):
    """A kind of server and how many there are."""

    name: str = Field(min_length=1, max_length=80, title="Kind")
    servers_count: CountFromOne
    size_ratio: PositiveRatio = assumed(1.0, "Against the reference server.")
    power_idle_w: PowerW = Field(title="Idle")
    power_full_w: PowerW = Field(title="Full load")


class Resource(Params):
    """How far a resource may be filled, what it draws, and how it slows work when full."""

    limit_fraction: BoxFraction = assumed(1.0, "Most of it that may be used.", title="Filled to")
    power_fraction: Fraction = assumed(
        0.0, "Its share of the power between idle and full load.", title="Share of power"
    )
    power_exponent: PowerExponent = assumed(1.0, "Bend of that power; 1 is a line.")
    degradation_ratio: Ratio = assumed(
        0.0, "How much longer work takes at full use.", title="Slower when full"
    )
    degradation_exponent: SteepnessExponent = assumed(
        1.0, "1: in proportion to use; above: late and steeply.", title="Steepness"
    )


class ServersParams(Params):
    """Applications, servers, and what a plan may and must do."""

    model_config = ConfigDict(
        validate_default=True,
        **in_groups(
            {
                "Plan": ["policy", "hold_h", "tolerance_ratio", "services"],
                "Resources": list(RESOURCES),
                "Apart": ["apart", "servers_per_rack_count", "power_lines_count"],
                "Moving and waking": ["migration", "wake_j"],
                "Prices": ["electricity_usd_per_kwh", "pue", "carbon_gco2e_per_kwh"],
            }
        ),
    )

    applications: tuple[Load, ...] = Field(
        min_length=1,
        max_length=1_000,
        description="In percent of a reference server. Several names in a cell are parted by "
        "semicolons; nothing under “may run on” allows all kinds. Unless all say their server of "
        "today there is no before, and no moves.",
        json_schema_extra=AS_TABLE,
    )
    servers: tuple[Kind, ...] = Field(
        min_length=1,
        max_length=50,
        description="Servers of a kind are numbered in their order, kind after kind. Racks hold "
        "them in this order; power lines are dealt to them by turns.",
        json_schema_extra=AS_TABLE,
    )
    services: tuple[Service, ...] = preset(
        (), "Tiers whose demands grow and shrink together.", max_length=200
    )
    policy: Policy = assumed(
        "planner",
        "planner: ours, for hundreds of applications. exact: proves the best plan, slowly. "
        "greedy as published: the rule of 2008.",
    )
    hold_h: PositiveH = assumed(24.0, "How long a plan is kept.", title="Kept for")
    tolerance_ratio: Ratio | None = blank(
        "How much longer work may take, where resources slow it; empty: any."
    )
    cpu: Resource = default(
        Resource(
            limit_fraction=0.7,
            power_fraction=110.0 / 130.0,
            power_exponent=1.4,
            degradation_ratio=1.03,
            degradation_exponent=8.0,
        ),
        source=_PAPER,
        as_of="2008",
    )
    disk: Resource = default(
        Resource(
            limit_fraction=0.5,
            power_fraction=20.0 / 130.0,
            degradation_ratio=0.89,
            degradation_exponent=2.5,
        ),
        source=_PAPER,
        as_of="2008",
    )
    memory: Resource = assumed(Resource(), "Of servers and applications.")
    network: Resource = assumed(Resource(), "Of servers and applications.")
    apart: Spread = assumed(
        "server", "What applications apart must not share.", title="Apart means another"
    )
    servers_per_rack_count: CountFromOne = assumed(
        4, "Servers that share a rack, in order.", title="Servers of a rack"
    )
    power_lines_count: CountFromOne = assumed(2, "Power lines, dealt to servers by turns.")
    migration: Migration = preset(Migration(), "What moving costs.")
    wake_j: EnergyJ = assumed(
        8_400.0, "Energy to switch a server off and on again.", title="Waking"
    )
    electricity_usd_per_kwh: Annotated[UsdPerKwh, Field(ge=0)] = assumed(
        0.1, "Price of what is saved."
    )
    pue: Pue = assumed(1.0, "Power of the site over that of its servers.")
    carbon_gco2e_per_kwh: Annotated[Real, of_unit("gCO2e/kWh", ge=0)] | None = blank(
        "Empty: carbon is unknown.", title="Carbon intensity"
    )

    @field_validator("applications")
    @classmethod
    def _names_are_known(cls, value: tuple[Load, ...]) -> tuple[Load, ...]:
        if faults := faults_of_names(value):
            raise refusals(faults)
        return value

    @field_validator("servers")
    @classmethod
    def _hold_what_is_on_them(
        cls, value: tuple[Kind, ...], info: ValidationInfo
    ) -> tuple[Kind, ...]:
        for place, kind in enumerate(value):
            if kind.power_full_w < kind.power_idle_w:
                sentence = (
                    f"Power at full load ({kind.power_full_w:g} W) is below idle power "
                    f"({kind.power_idle_w:g} W). Enter at least {kind.power_idle_w:g} W."
                )
                raise refusal("power_falls", sentence, at=(place, "power_full_w"))
        count = sum(kind.servers_count for kind in value)
        names = {kind.name for kind in value}
        for load in info.data.get("applications", ()):
            strange = [name for name in load.allowed if name not in names]
            if strange:
                sentence = f"{load.id} may run on {strange[0]!r}, but no server is of this kind."
                raise refusal("unknown", sentence)
            if load.server_count is not None and load.server_count > count:
                sentence = f"{load.id} is on server {load.server_count} today, of {count}."
                raise refusal("out_of_range", sentence)
        return value

    @field_validator("services")
    @classmethod
    def _tiers_are_known_once(
        cls, value: tuple[Service, ...], info: ValidationInfo
    ) -> tuple[Service, ...]:
        known = {load.id for load in info.data.get("applications", ())}
        if "applications" in info.data and (faults := faults_of_tiers(value, known)):
            raise refusals(faults)
        return value

    @property
    def resources(self) -> dict[str, Resource]:
        """The processor, and what else is asked for."""
        asked = {
            name: any(getattr(load, f"{name}_fraction") > 0 for load in self.applications)
            for name in RESOURCES[1:]
        }
        return {"cpu": self.cpu} | {name: getattr(self, name) for name in asked if asked[name]}


class Block(Result):
    """An application on a server: its share of each resource, in order."""

    id: str
    share_ratio: tuple[Ratio, ...]


class Stack(Result):
    """A server, counted from 1, with what runs on it; nothing where it is off."""

    server_count: CountFromOne
    kind: str
    blocks: tuple[Block, ...]


class ServersResult(Told):
    """The plan, and the servers with their applications before and after it."""

    plan: PlanResult
    resources: tuple[str, ...] = Field(description="Those that applications ask for.")
    limit_fraction: tuple[Fraction, ...] = Field(description="How full each may be.")
    before: tuple[Stack, ...] = Field(description="Empty unless all say their server of today.")
    after: tuple[Stack, ...] = Field(description="Empty where there is no plan.")
    servers_today_count: Count | None
    today_w: PowerW | None
    saving: Saving | None = Field(description="In a year of servers loaded so.")


def on_servers(params: ServersParams) -> tuple[int, ...] | None:
    """Server of each application today, counted from 0; None unless all say so."""
    today = tuple(load.server_count - 1 for load in params.applications if load.server_count)
    return today if len(today) == len(params.applications) else None
