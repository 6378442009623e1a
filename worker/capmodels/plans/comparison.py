"""The answer of the plan: what each design costs, why, how sure, and what would change it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from capmodels.plans.causes import Side
from capmodels.plans.place_figures import EnvelopeFigures, IoFigures, TeamCost
from capmodels.plans.storage_figures import ArrayFigures, RentedStorage, TierFigures
from capmodels.spec import Result

Basis = Literal["modelled", "estimate", "unknown"]
Resource = Literal[
    "cores",
    "ram",
    "disk",
    "iops",
    "throughput",
    "gpu",
    "queries",
    "latency",
    "batch",
    "hosts",
    "none",
]


VerdictKind = Literal["clear", "probable", "same", "open", "as_entered", "only", "alone", "none"]


class Verdict(Result):
    """The answer in sentences; ``**`` marks what stands bold.

    ``letters`` are the designs that the headline names as its answer: those that cost the
    same, or that cannot be told apart. ``entered`` says where costs as entered differ from the
    means by more than what decides, and which ranges do it. ``because`` names the causes that make
    most of the lead over the best rival, where no single one decides it; ``rests`` names the cause
    without which the lead would not decide, and says where another design is the cheapest without
    the value left at the end, else how much of the lead that value is; ``alternatives`` how the
    odds are with each alternative of a choice. ``excluded`` says of each other design why it does
    not compete.
    """

    kind: VerdictKind
    letters: tuple[str, ...] = ()
    headline: str
    payoff: str | None = None
    odds: str | None = None
    entered: str | None = None
    because: str | None = None
    rests: str | None = None
    flips: str | None = None
    alternatives: str | None = None
    odds_reason: str | None = None
    excluded: str | None = None
    not_counted: str | None = None


class Remark(Result):
    """Something to know of a design, and the field that it is about (designs by letter)."""

    sentence: str
    pointer: str


class Binding(Result):
    """The resource that is nearest to its own limit.

    ``used_fraction`` is in use at the peak of what is there beside spare nodes, and
    ``limit_fraction`` may be; None where the limit is no share. ``group`` is whose it is, where
    there are several, in ``month``.
    """

    resource: Resource
    label: str
    detail: str
    used_fraction: float | None = None
    limit_fraction: float | None = None
    group: str | None = None
    month: int | None = None


class Tightest(Result):
    """A resource where and when least of it is left: ``needed * limit_fraction / there`` is used.

    ``needed`` and ``there`` are in ``unit``, without spare nodes; of what is rented ``needed`` is
    what is in use.
    """

    group: str | None = None
    month: int
    needed: float
    limit_fraction: float = 1.0
    there: float
    unit: str

    @property
    def used_fraction(self) -> float:
        """The share in use of what is there."""
        return self.needed * self.limit_fraction / self.there


class Spare(Result):
    """What is left at the tightest peak, as a share of what is there beside spare nodes.

    ``tightest`` says by resource of which group and month that is.
    """

    cores_fraction: float | None = None
    ram_fraction: float | None = None
    disk_fraction: float | None = None
    throughput_fraction: float | None = None
    iops_fraction: float | None = None
    gpu_fraction: float | None = None
    tightest: dict[str, Tightest] = Field(default_factory=dict)


class RackGroup(Result):
    """Nodes of one group, and the power provisioned for one; None where it is not known."""

    name: str
    count: int
    power_w: float | None


class RackFill(Result):
    """What stands in one rack: nodes of each group, and the power provisioned for all of it."""

    nodes_count: tuple[int, ...]
    slots_count: int
    power_w: float | None


class RackFigures(Result):
    """The racks of the last year, the first few of them one by one, and the constraint."""

    racks_count: int
    slots_count: int
    nodes_count: int
    power_w: float | None
    limit_w: float
    groups: tuple[RackGroup, ...]
    fullest: RackFill
    drawn: tuple[RackFill, ...]
    fits: bool | None
    sentence: str


class SizedGroup(Result):
    """One group in one year: its count, and what each resource alone would need."""

    name: str
    count: float
    unit: str | None = Field(
        default=None, description="What of arrays is counted: arrays, clusters, nodes or drives."
    )
    usable_tb: float | None = Field(default=None, description="Room for data, of arrays.")
    binding: Resource
    required: dict[str, float]
    committed_count: float | None = None
    spare_nodes_count: int | None = None


class SizedYear(Result):
    """All groups of a design in one year."""

    year: int
    groups: tuple[SizedGroup, ...]


class CauseAmount(Result):
    """What one cause costs over the horizon.

    ``ranked_usd`` is its part of what the verdict goes by: the parts of a design add up to it.
    """

    cause: str
    side: Side
    label: str
    amount_usd: float
    npv_usd: float
    ranked_usd: float
    p10_usd: float | None = None
    p90_usd: float | None = None
    formula: str


class Year(Result):
    """One year of the table that a chief financial officer reads.

    As entered, but for ``ranked_usd``, which adds up to what the verdict goes by.
    """

    year: int
    capex_usd: float
    opex_usd: float
    depreciation_usd: float
    cash_usd: float
    npv_usd: float
    ranked_usd: float
    causes: dict[str, float]


class FiscalYear(Result):
    """One fiscal year of a design in the books of its owner, as entered and undiscounted.

    Costs are positive; EBITDA, result and free cash are negative where the design takes from them,
    as no income is modelled. Assets, payments in advance and the liability of leases are those at
    the end of the year. The budget is compared with capital and operating expenditure. Free cash is
    EBITDA and proceeds less capital expenditure, lease payments, what is paid ahead and tax.
    """

    year: int
    months_count: int
    capex_usd: float
    opex_usd: float
    ebitda_usd: float
    depreciation_usd: float
    disposal_usd: float
    interest_usd: float
    tax_usd: float
    result_usd: float
    lease_payments_usd: float
    paid_ahead_usd: float
    proceeds_usd: float
    free_cash_usd: float
    assets_usd: float
    prepaid_usd: float
    lease_liability_usd: float
    budget_usd: float | None = None
    over_budget_usd: float | None = None


class Energy(Result):
    """Electricity over the horizon, cooling included; None with a reason when unknown."""

    kwh: float | None
    low_kwh: float | None
    high_kwh: float | None
    basis: Basis
    reason: str | None = None


class Between(Result):
    """The least and the most that an amount may be."""

    low: float
    high: float


class CarbonAmount(Result):
    """Emissions over the horizon; None with a reason when unknown.

    ``factors`` says of what year, place, basis and source the factors are. The carbon intensity is
    one unknown of all designs: what they may emit at its low and at its high end are held against
    each other.
    """

    kgco2e: float | None
    low_kgco2e: float | None
    high_kgco2e: float | None
    operational_kgco2e: float | None
    embodied_kgco2e: float | None
    at_low_intensity: Between | None = None
    at_high_intensity: Between | None = None
    basis: Basis
    reason: str | None = None
    factors: str | None = None


class DowntimeFigures(Result):
    """Hours a year for which a design does not carry its demand; None with a reason when unknown.

    ``what`` says what the hours are made of.
    """

    h_per_year: float | None = None
    sites_h_per_year: float | None = None
    provider_h_per_year: float | None = None
    machines_h_per_year: float | None = None
    what: str | None = None
    reason: str | None = None


class ServiceFigures(Result):
    """A service on its nodes at the end of the last year; what is None has a reason."""

    nodes_count: float
    serving_nodes_count: float
    query_rate_per_s: float
    response_p50_ms: float | None
    response_p95_ms: float | None
    response_p99_ms: float | None
    late_fraction: float | None
    spare_fractions: dict[str, float]
    reasons: dict[str, str]


class MemoryFigures(Result):
    """Memory of all nodes in the last year: what stands idle, and what a policy saves."""

    installed_gib: float
    idle_gib: float
    spare_gib: float
    spare_usd: float | None
    saving_w: float | None
    reasons: dict[str, str]


class DesignResult(Result):
    """One column of the comparison.

    ``ranked_usd`` is what the verdict goes by: the mean over the simulations of the chosen
    measure, or the measure as entered where nothing was simulated. ``cumulative_ranked_usd``
    leads there month by month; the P10, P50 and P90 beside it are of the same measure.
    """

    letter: str
    title: str
    kind: Literal["owned_cluster", "cloud", "hybrid", "disk_array", "baseline"]
    is_baseline: bool = False
    carries_load: bool
    shortfall: Remark | None = None
    remarks: tuple[Remark, ...] = ()
    competes: bool
    binding: Binding
    spare: Spare
    sizing: tuple[SizedYear, ...]
    total_usd: float
    npv_usd: float
    eac_usd_per_year: float
    ranked_usd: float
    irr_fraction: float | None = None
    irr_reason: str | None = None
    mirr_fraction: float | None = None
    owed_after_horizon_usd: float = 0.0
    causes: tuple[CauseAmount, ...]
    cumulative_usd: tuple[float, ...]
    cumulative_npv_usd: tuple[float, ...]
    cumulative_ranked_usd: tuple[float, ...]
    years: tuple[Year, ...]
    statement: tuple[FiscalYear, ...] = ()
    energy: Energy
    energy_by_cause_kwh: dict[str, float]
    carbon: CarbonAmount
    downtime: DowntimeFigures
    array: ArrayFigures | None = None
    tiers: tuple[TierFigures, ...] = ()
    rented_storage: RentedStorage | None = None
    # What the drives of its nodes hold in the last year, copies taken off [TB]; its price where
    # all of its nodes store.
    owned_storage_tb: float | None = None
    owned_storage_usd_per_tb_year: float | None = None
    service: ServiceFigures | None = None
    memory: MemoryFigures | None = None
    racks: RackFigures | None = None
    envelope: EnvelopeFigures | None = None
    io: IoFigures | None = None
    owned_storage_fraction: float | None = None
    showback: tuple[TeamCost, ...] = ()
    mean_usd: float | None = None
    mean_error_usd: float | None = None
    p10_usd: float | None = None
    p50_usd: float | None = None
    p90_usd: float | None = None
    regret_usd: float | None = None
    win_fraction: float | None = None
    near_fraction: float | None = None
    met_fraction: float | None = None
    unmet_h_per_year: float | None = None
    cumulative_p10_usd: tuple[float, ...] | None = None
    cumulative_p50_usd: tuple[float, ...] | None = None
    cumulative_p90_usd: tuple[float, ...] | None = None
    warnings: tuple[str, ...] = ()


class CommitmentPoint(Result):
    """What instances cost over the horizon where so much of today's peak is committed first."""

    committed_fraction: float
    cost_usd: float


class CommitmentCurve(Result):
    """Cost of a cloud's instances against how much of the demand is committed, as entered.

    ``committed_fraction`` is where the design stands, ``quantile_fraction`` of which quantile of
    the demand that is, ``is_best`` whether it is left at the level that costs least.
    """

    letter: str
    pointer: str
    label: str
    is_best: bool
    quantile_fraction: float
    committed_fraction: float
    cost_usd: float
    points: tuple[CommitmentPoint, ...]


class BreakEven(Result):
    """When one design has cost less than another, for good within the horizon.

    All of an answer have one basis, the verdict's: ``mean`` of the simulations, of the measure
    that designs are ranked by; ``as_entered`` where nothing was simulated, of both measures.
    Without a crossing ``reason`` says why: ``same`` where both cost the same in every month.
    """

    challenger: str
    incumbent: str
    discounted: bool
    basis: Literal["mean", "as_entered"]
    first_month_cheaper: int | None
    exact_months: float | None
    crossings_count: int
    cost_usd: float | None
    reason: Literal["never", "always", "same"] | None = None


class Tie(Result):
    """The utilisation at which two designs cost the same over the horizon."""

    pointer: str
    value: float | None
    between: tuple[str, str]
    reason: str | None = None


class Pair(Result):
    """The leader against one rival: how often it is cheaper, ties by half, and by how much."""

    rival: str
    cheaper_fraction: float
    gap_usd: float
    gap_fraction: float


class Odds(Result):
    """In which share of the simulations each design is cheapest, ties shared.

    ``kinds`` adds the shares up by kind of design, ``owned_fraction`` those of all designs
    that own in some form; ``errors`` are the half-widths of the 95% intervals of ``wins``.
    """

    draws_count: int
    seed: int
    wins: dict[str, float]
    kinds: dict[str, float]
    owned_fraction: float
    pairs: tuple[Pair, ...]
    errors: dict[str, float]


class Member(Result):
    """One input of a quantity, with its own range."""

    pointer: str
    label: str
    unit: str
    value: float
    low: float
    high: float


class Quantity(Result):
    """One unknown that was drawn; ``explains_fraction`` is its share of the variance of the
    difference between the leader and its strongest rival, ``explains`` as the simulations tell."""

    key: str
    label: str
    members: tuple[Member, ...]
    by_hand: bool
    explains_fraction: float | None = None
    explains: str | None = None


class Flip(Result):
    """The value of a quantity at which another design becomes cheapest on average.

    ``rises`` says that it does so above the value, not below it; ``tied_after`` are the designs
    that cost the same as ``winner_after`` there, and ``then`` says that all of them are cheapest.
    """

    pointer: str
    quantity: str
    label: str
    unit: str
    value: float
    low: float
    high: float
    flips_at: float | None
    rises: bool = False
    winner_after: str | None
    tied_after: tuple[str, ...] = ()
    then: str | None = None
    reason: str | None = None


class AlternativeOdds(Result):
    """What the simulations of one alternative say; ``entered`` marks the one of the document.

    ``gap_usd`` is the best rival's mean cost less the leader's, ``cheapest`` the design of the
    lowest mean, ``tied`` those that cost the same, and ``wins`` the share of these simulations in
    which each design is cheapest. All are None or empty where no simulation has it.
    """

    label: str
    odds_fraction: float
    entered: bool
    draws_count: int
    gap_usd: float | None = None
    cheapest: str | None = None
    tied: tuple[str, ...] = ()
    wins: dict[str, float] = Field(default_factory=dict)
    mean_usd: dict[str, float] = Field(default_factory=dict)


class ChoiceOdds(Result):
    """An input with alternatives; ``explains_fraction`` is its share of the variance of the
    difference between the leader and its strongest rival, ``explains`` as the simulations tell.
    ``sentence`` says what it comes to."""

    pointer: str
    label: str
    alternatives: tuple[AlternativeOdds, ...]
    low: float | None = None
    high: float | None = None
    explains_fraction: float | None = None
    explains: str | None = None
    sentence: str | None = None


class TornadoBar(Result):
    """Winner's mean cost less the runner-up's at the ends of a range, others at their means."""

    pointer: str
    quantity: str
    label: str
    unit: str
    value: float
    low: float
    high: float
    at_low_usd: float
    at_high_usd: float


class Row(Result):
    """One row of the comparison table; a note says more of a value, a reason why there is none.

    ``rivals`` are the designs that values are held against, where they are of two designs;
    ``is_opened`` says that ``plans.workings`` has how it comes about, line by line.
    """

    id: str
    label: str
    unit: str
    values: dict[str, float | None]
    reasons: dict[str, str]
    notes: dict[str, str] = Field(default_factory=dict)
    rivals: dict[str, str] = Field(default_factory=dict)
    best: str | None = None
    lower_is_better: bool | None = True
    is_opened: bool = False


class Money(Result):
    """The currency that amounts are shown in; all amounts here are US dollars."""

    code: str
    per_usd: float
    as_of: str | None = None


class Comparison(Result):
    """Everything that the plan says about a study."""

    horizon_months: int
    currency: Money
    ranked_by: Literal["cash", "present_value"]
    measure: str
    discounting: str
    winner: str | None
    runner_up: str | None
    verdict: Verdict
    designs: tuple[DesignResult, ...]
    break_evens: tuple[BreakEven, ...]
    ties: tuple[Tie, ...]
    odds: Odds | None
    commitments: tuple[CommitmentCurve, ...] = ()
    quantities: tuple[Quantity, ...] = ()
    flips: tuple[Flip, ...]
    choices: tuple[ChoiceOdds, ...] = ()
    tornado: tuple[TornadoBar, ...]
    tornado_center_usd: float | None = None  # winner's mean less the runner-up's: bars start there
    moves_most: tuple[str, ...] = Field(
        default=(),
        description="Keys of quantities and pointers of inputs with alternatives, the one that "
        "moves the winner's lead over the runner-up furthest first.",
    )
    rows: tuple[Row, ...]
    warnings: tuple[str, ...] = ()
