"""Inputs and results of a plan that packs applications onto servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol

from pydantic import ConfigDict, Field, ValidationInfo, field_validator

from capmodels.consolidation.server_curves import PowerExponent, SteepnessExponent
from capmodels.spec import Params, Result, assumed, blank, derived, preset, refusal, refusals
from capmodels.units import (
    Count,
    CountFromOne,
    DataGb,
    DurationS,
    EnergyJ,
    Fraction,
    PowerW,
    Ratio,
    Real,
    of_unit,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_REFERENCE = "our extension of Srikantaiah et al. 2008"

Solver = Literal["auto", "greedy2008", "exhaustive", "v2", "exact", "search"]
Spread = Literal["server", "rack", "power_line"]
Status = Literal["ok", "infeasible"]

PositiveRatio = Annotated[Real, of_unit("ratio", gt=0)]
PositiveGbit = Annotated[Real, of_unit("Gbit/s", gt=0)]
PositiveS = Annotated[Real, of_unit("s", gt=0)]
DirtyFraction = Annotated[Real, of_unit("fraction", ge=0, lt=1)]
SignedW = Annotated[Real, of_unit("W")]
SignedJ = Annotated[Real, of_unit("J")]
BoxFraction = Annotated[Fraction, Field(gt=0)]


class Application(Params):
    """What has to run, and where it may."""

    id: str = Field(min_length=1, max_length=80)
    demand_fraction: tuple[Fraction, ...] = Field(
        min_length=1,
        max_length=8,
        description="Share of a reference server, for each resource in order.",
    )
    memory_gb: DataGb | None = blank("To copy when it moves.")
    allowed: tuple[str, ...] = preset(
        (), "Kinds of servers it may run on; empty: all.", max_length=100
    )
    together_with: tuple[str, ...] = preset(
        (), "Applications that must share its server.", max_length=50
    )
    apart_from: tuple[str, ...] = preset(
        (), "Applications that must not share its place.", max_length=500
    )
    apart: Spread = assumed("server", "What apart means: another server, rack or power line.")


class Tier(Params):
    """An application that is one tier of a service, and how it follows the service's load."""

    id: str = Field(
        min_length=1, max_length=80, title="Application", description="That is this tier."
    )
    fixed_fraction: Fraction = assumed(
        0.0,
        "Share of its demand that stays whatever the load: 0 follows it wholly.",
        title="Fixed share",
    )


class Service(Params):
    """Applications that serve the same load, as web, logic and database do."""

    name: str = Field(min_length=1, max_length=80)
    load_ratio: Ratio = assumed(1.0, "Load to plan for, against that of the demands entered.")
    tiers: tuple[Tier, ...] = Field(
        min_length=1, max_length=50, description="Applications that serve it."
    )


Faults = list[tuple[str, str, tuple[int | str, ...]]]


class Named(Protocol):
    """What has a name, and names others of its kind."""

    @property
    def id(self) -> str: ...

    @property
    def together_with(self) -> tuple[str, ...]: ...

    @property
    def apart_from(self) -> tuple[str, ...]: ...


def faults_of_names(applications: Sequence[Named]) -> Faults:
    """Names that stand twice, and names of others that nothing has."""
    known = {app.id for app in applications}
    seen: set[str] = set()
    faults: Faults = []
    for place, app in enumerate(applications):
        if app.id in seen:
            faults.append(("duplicate", f"{app.id!r} is there twice.", (place, "id")))
        seen.add(app.id)
        faults += [
            ("unknown", f"No application is called {other!r}.", (place, field))
            for field in ("together_with", "apart_from")
            for other in getattr(app, field)
            if other not in known
        ]
    return faults


def faults_of_tiers(services: Sequence[Service], known: Collection[str]) -> Faults:
    """Tiers that are no application, or stand in two services."""
    seen: set[str] = set()
    faults: Faults = []
    for place, service in enumerate(services):
        for number, tier in enumerate(service.tiers):
            at = (place, "tiers", number, "id")
            if tier.id not in known:
                faults.append(("unknown", f"No application is called {tier.id!r}.", at))
            elif tier.id in seen:
                faults.append(("duplicate", f"{tier.id!r} is a tier already.", at))
            seen.add(tier.id)
    return faults


class Curve(Params):
    """One resource of a kind of server."""

    capacity_ratio: PositiveRatio = assumed(1.0, "Against the reference server.")
    limit_fraction: BoxFraction = assumed(1.0, "Most of it that may be used.")
    power_w: PowerW = assumed(0.0, "What it adds at full use.")
    power_exponent: PowerExponent = assumed(1.0, "Bend of that power; 1 is a line.")
    degradation_ratio: Ratio = assumed(
        0.0, "How much longer work takes at full use.", title="Slower when full"
    )
    degradation_exponent: SteepnessExponent = assumed(
        1.0, "1: in proportion to use; above: late and steeply.", title="Steepness"
    )


class ServerType(Params):
    """A kind of server and how many there are."""

    name: str = Field(min_length=1, max_length=80)
    servers_count: CountFromOne = Field(description="How many of this kind.")
    power_idle_w: PowerW = Field(description="Power when on and idle.")
    curves: tuple[Curve, ...] = Field(
        min_length=1, max_length=8, description="Its resources, in order."
    )
    power_sleep_w: PowerW = assumed(10.0, "Power asleep, for the shortest useful sleep.")
    wake_j: EnergyJ = assumed(8_400.0, "Energy to sleep and wake.")


class Migration(Params):
    """What it takes to move an application (pre-copy)."""

    memory_gb: DataGb = assumed(4.0, "Memory of an application that gives none.")
    link_gbit_per_s: PositiveGbit = assumed(
        1.0, "Network rate for the copy.", title="Rate of the copy"
    )
    dirty_fraction: DirtyFraction = assumed(
        0.2, "Overwritten meanwhile, as a share of the rate of the copy.", title="Overwritten"
    )
    overhead_w: PowerW = assumed(11.0, "Extra power at each end.", title="Power of moving")


_TWO = (
    Curve(power_w=110.0, power_exponent=1.4, degradation_ratio=1.03, degradation_exponent=8.0),
    Curve(power_w=20.0, degradation_ratio=0.89, degradation_exponent=2.5),
)
_SERVER = ServerType(name="server", servers_count=4, power_idle_w=150.0, curves=_TWO)


class PlanParams(Params):
    """Applications, servers, what moving costs, and how to search."""

    model_config = ConfigDict(validate_default=True)

    resources: Annotated[tuple[str, ...], Field(max_length=8)] = assumed(
        ("cpu", "disk"), "Names of the resources, in order."
    )
    work_ratio: Annotated[tuple[Ratio, ...], Field(max_length=50)] = derived(
        (1.0, 0.8), "Work in a second of full use of each resource.", source=_REFERENCE
    )
    applications: tuple[Application, ...] = Field(max_length=1_000, description="What has to run.")
    services: tuple[Service, ...] = preset(
        (), "Tiers whose demands grow and shrink together.", max_length=200
    )
    servers: tuple[ServerType, ...] = preset(
        (_SERVER,), "Kinds of servers.", min_length=1, max_length=50
    )
    servers_per_rack_count: CountFromOne = assumed(20, "Servers that share a rack, in order.")
    power_lines_count: CountFromOne = assumed(2, "Power lines, dealt to servers by turns.")
    solver: Solver = assumed(
        "auto",
        "auto: exhaustive for few, else search. greedy2008: as published. v2: our planner for "
        "tens. exact: CP-SAT with a bound. search: our planner for hundreds.",
    )
    tolerance_ratio: Ratio | None = blank("How much longer work may take; empty: any.")
    box_fraction: Annotated[tuple[BoxFraction, ...], Field(max_length=8)] | None = blank(
        "How full greedy2008 may load a server; empty: where energy is least."
    )
    current_server_count: Annotated[tuple[Count, ...], Field(max_length=1_000)] | None = blank(
        "Server of each application today, counted from 0.", extra={"unit": "count"}
    )
    migration: Migration = preset(Migration(), "What moving costs.")
    hold_s: PositiveS = assumed(3_600.0, "How long a plan is kept.")
    effort_count: CountFromOne = assumed(300, "Steps of search before it gives up.")

    @field_validator("applications")
    @classmethod
    def _fit_the_resources(
        cls, value: tuple[Application, ...], info: ValidationInfo
    ) -> tuple[Application, ...]:
        width = len(info.data.get("resources", ()))
        faults = faults_of_names(value) + [
            ("length", f"Enter {width} shares.", (place, "demand_fraction"))
            for place, app in enumerate(value)
            if len(app.demand_fraction) != width
        ]
        if faults:
            raise refusals(faults)
        return value

    @field_validator("services")
    @classmethod
    def _hold_known_applications_once(
        cls, value: tuple[Service, ...], info: ValidationInfo
    ) -> tuple[Service, ...]:
        faults = faults_of_tiers(value, {app.id for app in info.data.get("applications", ())})
        if faults:
            raise refusals(faults)
        return value

    @field_validator("servers")
    @classmethod
    def _have_the_resources(
        cls, value: tuple[ServerType, ...], info: ValidationInfo
    ) -> tuple[ServerType, ...]:
        width = len(info.data.get("resources", ()))
        for place, kind in enumerate(value):
            if len(kind.curves) != width:
                raise refusal("length", f"Enter {width} resources.", at=(place, "curves"))
        return value

    @field_validator("work_ratio", "box_fraction")
    @classmethod
    def _one_each(cls, value: Any, info: ValidationInfo) -> Any:
        width = len(info.data.get("resources", ()))
        if value is not None and len(value) != width:
            raise refusal("length", f"Enter {width} values, one for each resource.")
        return value

    @field_validator("current_server_count")
    @classmethod
    def _is_on_servers(cls, value: Any, info: ValidationInfo) -> Any:
        apps, kinds = info.data.get("applications"), info.data.get("servers")
        if value is None or apps is None or kinds is None:
            return value
        if len(value) != len(apps):
            raise refusal("length", f"Enter {len(apps)} servers, one for each application.")
        servers = sum(kind.servers_count for kind in kinds)
        for place, server in enumerate(value):
            if server >= servers:
                raise refusal("out_of_range", f"Enter at most {servers - 1}.", at=(place,))
        return value


def at_load(params: PlanParams) -> PlanParams:
    """Return the params with every tier's demand at its service's load, and no services.

    A demand d of which a share f is fixed becomes d (f + (1 - f) load).
    """
    ratios = {
        tier.id: tier.fixed_fraction + (1 - tier.fixed_fraction) * service.load_ratio
        for service in params.services
        for tier in service.tiers
    }
    applications = tuple(
        app.model_copy(
            update={
                "demand_fraction": tuple(
                    share * ratios.get(app.id, 1.0) for share in app.demand_fraction
                )
            }
        )
        for app in params.applications
    )
    return params.model_copy(update={"applications": applications, "services": ()})


class ServerLoad(Result):
    """One server that is on."""

    server_count: Count
    kind: str
    applications: tuple[str, ...]
    load_fraction: tuple[Fraction, ...]
    degradation_ratio: Ratio
    power_w: PowerW


class Placed(Result):
    """Where one application runs."""

    id: str
    server_count: Count


class Move(Result):
    """One application that changes its server."""

    id: str
    source_count: Count
    target_count: Count
    duration_s: DurationS
    energy_j: EnergyJ


class PlanResult(Result):
    """The plan, its watts, what is known about better ones, and whether moving pays."""

    status: Status
    reason: str | None
    solver: Solver
    placement: tuple[Placed, ...]
    servers: tuple[ServerLoad, ...]
    servers_on_count: Count
    power_w: PowerW
    effective_power_w: PowerW
    energy_j: Annotated[Real, of_unit("J", ge=0)] | None
    bound_w: PowerW | None
    gap_fraction: Ratio | None
    binding: str | None
    moves: tuple[Move, ...]
    overhead_j: EnergyJ
    saving_w: SignedW | None
    net_saving_j: SignedJ | None
    moving_pays: bool | None
    shortest_sleep_s: DurationS | None
