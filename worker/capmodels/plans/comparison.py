"""The answer of the plan: what each design costs, why, how sure, and what would change it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from capmodels.plans.causes import Side
from capmodels.plans.place_figures import EnvelopeFigures, IoFigures, TeamCost
from capmodels.plans.storage_figures import ArrayFigures, RentedStorage, TierFigures
from capmodels.spec import Result, blank, preset

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
    """The answer in sentences."""

    kind: VerdictKind = Field(
        description="How sure the answer is: clear, probable, the same cost, open, as entered "
        "(nothing was simulated), one design only, one that competes alone, or none that does."
    )
    letters: tuple[str, ...] = preset(
        (),
        "Designs that the headline names: several where they cost the same or cannot be told "
        "apart.",
    )
    headline: str = Field(description="The answer in a sentence; `**` marks what stands bold.")
    payoff: str | None = blank("When the cheapest design has cost less than its rival, for good.")
    odds: str | None = blank("In which share of the simulations it is the cheapest.")
    entered: str | None = blank(
        "Where costs as entered differ from the means by more than what decides, and which "
        "ranges do it."
    )
    because: str | None = blank(
        "The causes that make most of the lead over the best rival, where no single one decides it."
    )
    rests: str | None = blank(
        "The cause without which the lead would not decide, or the value left at the end."
    )
    flips: str | None = blank(
        "The value of the one input at which another design becomes the cheapest."
    )
    alternatives: str | None = blank("How the odds are with each alternative of a choice.")
    odds_reason: str | None = blank("Why there are no odds.")
    excluded: str | None = blank("Why each other design does not compete.")
    not_counted: str | None = blank(
        "What is missing from the costs of a design, so that they are too low."
    )


class Remark(Result):
    """Something to know of a design, and the field that it is about (designs by letter)."""

    sentence: str = Field(description="What there is to know of the design.")
    pointer: str = Field(
        description="JSON pointer to the field that it is about; designs by letter."
    )


class Binding(Result):
    """The resource that is nearest to its own limit."""

    resource: Resource = Field(description="The resource.")
    label: str = Field(description="Its name.")
    detail: str = Field(description="What of it is in use, in words.")
    used_fraction: float | None = blank(
        "What is in use of it at the peak, of what is there beside spare nodes."
    )
    limit_fraction: float | None = blank(
        "How much may be in use; null where the limit is no share."
    )
    group: str | None = blank("Whose it is, of several groups of nodes.")
    month: int | None = blank("When it is nearest to its limit, counted from 0.")


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
    """What one cause costs over the horizon."""

    cause: str = Field(description="Key of the cause; the same for all designs.")
    side: Side = Field(description="Who is paid: owned, or the provider.")
    label: str = Field(description="Its name.")
    amount_usd: float = Field(description="Cash over the horizon.")
    npv_usd: float = Field(description="The same as a present value.")
    ranked_usd: float = Field(
        description="Its part of what the verdict goes by; the parts of a design add up to it."
    )
    p10_usd: float | None = blank("A tenth of the simulations are below.")
    p90_usd: float | None = blank("A tenth of the simulations are above.")
    formula: str = Field(description="The equation in words, with its symbols.")


class Year(Result):
    """One year of the table for a chief financial officer, as entered but for `ranked_usd`."""

    year: int = Field(description="Counted from 1; the first has what is paid at the start.")
    capex_usd: float = Field(description="Paid for what is owned.")
    opex_usd: float = Field(description="Paid for running and renting.")
    depreciation_usd: float = Field(description="Straight line, as in the books; no cash.")
    cash_usd: float = Field(description="All that is paid, less what is received.")
    npv_usd: float = Field(description="The same as a present value.")
    ranked_usd: float = Field(description="Its part of what the verdict goes by.")
    causes: dict[str, float] = Field(description="Cash of each cause, by its key.")


class FiscalYear(Result):
    """One fiscal year of a design in the books of its owner, as entered and undiscounted.

    Costs are positive; EBITDA, result and free cash are negative where the design takes from them,
    as no income is modelled.
    """

    year: int = Field(description="Calendar year of its end, or counted from 1 without dates.")
    months_count: int = Field(description="Months of the horizon that lie in it.")
    capex_usd: float = Field(description="Machines bought; nothing of what is leased.")
    opex_usd: float = Field(
        description="What running costs; payments in advance by the months that they pay for."
    )
    ebitda_usd: float = Field(description="Minus operating expenditure.")
    depreciation_usd: float = Field(description="Of what was bought and of leases that are assets.")
    disposal_usd: float = Field(description="Proceeds less the book value of what goes.")
    interest_usd: float = Field(description="At the rate of the lease on what it still asks.")
    tax_usd: float = Field(description="Negative where costs save it.")
    result_usd: float = Field(
        description="EBITDA less depreciation, interest and tax, with gains or losses on disposal."
    )
    proceeds_usd: float = Field(description="Received for machines; negative: paid for it.")
    lease_payments_usd: float = Field(description="Interest and repayment of what is leased.")
    paid_ahead_usd: float = Field(description="Less what of it was used in the year.")
    free_cash_usd: float = Field(
        description="EBITDA and proceeds less capital expenditure, lease payments, what is paid "
        "ahead and tax."
    )
    assets_usd: float = Field(description="Book value of machines, leased ones too.")
    prepaid_usd: float = Field(description="For months still to come.")
    lease_liability_usd: float = Field(description="What leases still ask.")
    budget_usd: float | None = blank("For capital and operating expenditure together.")
    over_budget_usd: float | None = blank("Expenditure less budget; negative: below it.")


class Energy(Result):
    """Electricity over the horizon, cooling included; None with a reason when unknown."""

    kwh: float | None = Field(description="Electricity with cooling.")
    low_kwh: float | None = Field(description="At the low ends of its estimates.")
    high_kwh: float | None = Field(description="At their high ends.")
    basis: Basis = Field(
        description="Where it is from: modelled from measured curves, an estimate, or unknown."
    )
    reason: str | None = blank("Why it is not known.")


class Between(Result):
    """The least and the most that an amount may be."""

    low: float
    high: float


class CarbonAmount(Result):
    """Emissions over the horizon; None with a reason when unknown."""

    kgco2e: float | None = Field(description="Emissions, operational and embodied.")
    low_kgco2e: float | None = Field(description="At the low ends of its ranges.")
    high_kgco2e: float | None = Field(description="At their high ends.")
    operational_kgco2e: float | None = Field(description="Of the electricity.")
    embodied_kgco2e: float | None = Field(
        description="Of making the machines, by the share of their life that is used."
    )
    at_low_intensity: Between | None = blank(
        "What it may be at the low end of the carbon intensity, which all designs share."
    )
    at_high_intensity: Between | None = blank("What it may be at its high end.")
    basis: Basis = Field(description="Where it is from: modelled, an estimate, or unknown.")
    reason: str | None = blank("Why it is not known.")
    factors: str | None = blank("Year, place, basis and source of the factors.")


class DowntimeFigures(Result):
    """Hours a year in which a design does not carry its demand, None with a reason."""

    h_per_year: float | None = blank("Hours in which it does not carry its demand.")
    sites_h_per_year: float | None = blank("Of these by its own sites.")
    provider_h_per_year: float | None = blank("By the provider.")
    machines_h_per_year: float | None = blank("By machines that fail beyond the spare ones.")
    what: str | None = blank("What the hours are made of.")
    reason: str | None = blank("Why they are not known.")


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
    """One column of the comparison; quantiles and cumulative costs are of the chosen measure."""

    letter: str = Field(description="Letter of the design in the study.")
    title: str = Field(description="Its name.")
    kind: Literal["owned_cluster", "cloud", "hybrid", "disk_array", "baseline"] = Field(
        description="What it is."
    )
    is_baseline: bool = preset(False, "It is what is there today.")
    carries_load: bool = Field(
        description="It carries the work at its peak in every month, as entered."
    )
    shortfall: Remark | None = blank("What it has too little of, where it does not carry the work.")
    remarks: tuple[Remark, ...] = preset((), "What to know of it that is no fault.")
    competes: bool = Field(
        description="It takes part in the ranking: it carries the work, as entered or often "
        "enough in the simulations."
    )
    binding: Binding = Field(description="The resource that is nearest to its limit.")
    spare: Spare = Field(description="What is left of each resource at its tightest peak.")
    sizing: tuple[SizedYear, ...] = Field(
        description="How many machines, instances or drives, by year and group."
    )
    total_usd: float = Field(description="Cash over the horizon, not discounted.")
    npv_usd: float = Field(description="The same as a present value at the study's discount rate.")
    eac_usd_per_year: float = Field(
        description="Equivalent annual cost: the present value as equal yearly amounts."
    )
    ranked_usd: float = Field(
        description="What the verdict goes by: the mean over the simulations of the chosen "
        "measure, or the measure as entered where nothing was simulated."
    )
    irr_fraction: float | None = blank(
        "Internal rate of return against its main rival: of what one pays more, then less, than "
        "the other."
    )
    irr_reason: str | None = blank("Why it has none.")
    mirr_fraction: float | None = blank(
        "Modified internal rate of return, reinvested at the discount rate."
    )
    owed_after_horizon_usd: float = preset(
        0.0, "Commitments and leases that run on after the horizon."
    )
    causes: tuple[CauseAmount, ...] = Field(
        description="What it costs, by cause, in a fixed order."
    )
    cumulative_usd: tuple[float, ...] = Field(
        description="Cash to the end of each month; the first is the start."
    )
    cumulative_npv_usd: tuple[float, ...] = Field(description="The same as present values.")
    cumulative_ranked_usd: tuple[float, ...] = Field(
        description="The same of what the verdict goes by: its last is `ranked_usd`."
    )
    years: tuple[Year, ...] = Field(description="What is paid by year.")
    statement: tuple[FiscalYear, ...] = preset((), "Its part in the owner's books, by fiscal year.")
    energy: Energy = Field(description="Electricity over the horizon.")
    energy_by_cause_kwh: dict[str, float] = Field(description="The same by what uses it.")
    carbon: CarbonAmount = Field(description="Emissions over the horizon.")
    downtime: DowntimeFigures = Field(
        description="Hours a year in which it does not carry its demand."
    )
    array: ArrayFigures | None = blank("Its array of drives.")
    tiers: tuple[TierFigures, ...] = preset((), "Its tiers of storage.")
    rented_storage: RentedStorage | None = blank("Storage that it rents.")
    owned_storage_tb: float | None = blank(
        "What the drives of its nodes hold in the last year, copies taken off."
    )
    owned_storage_usd_per_tb_year: float | None = blank(
        "Price of that, where all of its nodes store."
    )
    service: ServiceFigures | None = blank("The service that its nodes answer.")
    memory: MemoryFigures | None = blank("Memory of its nodes in the last year.")
    racks: RackFigures | None = blank("Its racks in the last year.")
    envelope: EnvelopeFigures | None = blank(
        "Space and power that it needs of what the sites have."
    )
    io: IoFigures | None = blank("Requests of its storage, and how fast they are answered.")
    owned_storage_fraction: float | None = blank("How much of the data is on drives of its own.")
    showback: tuple[TeamCost, ...] = preset((), "What it costs each team.")
    mean_usd: float | None = blank("Mean over the simulations of the chosen measure.")
    mean_error_usd: float | None = blank("Standard error of that mean.")
    p10_usd: float | None = blank("A tenth of the simulations are below.")
    p50_usd: float | None = blank("The median of the simulations.")
    p90_usd: float | None = blank("A tenth of the simulations are above.")
    regret_usd: float | None = blank(
        "Expected cost of choosing it: how much more it costs on average than the cheapest of"
        " each simulation."
    )
    win_fraction: float | None = blank(
        "Share of the simulations in which it is the cheapest; ties are shared."
    )
    near_fraction: float | None = blank("Share in which it is within 1% of the cheapest.")
    met_fraction: float | None = blank("Share in which it carries the work in every month.")
    unmet_h_per_year: float | None = blank("Mean hours in which it does not.")
    cumulative_p10_usd: tuple[float, ...] | None = blank(
        "A tenth of the simulations are below, to the end of each month."
    )
    cumulative_p50_usd: tuple[float, ...] | None = blank("Their median, to the end of each month.")
    cumulative_p90_usd: tuple[float, ...] | None = blank(
        "A tenth of them are above, to the end of each month."
    )
    warnings: tuple[str, ...] = preset((), "What to know before relying on it.")


class CommitmentPoint(Result):
    """What instances cost over the horizon where so much of today's peak is committed first."""

    committed_fraction: float
    cost_usd: float


class CommitmentCurve(Result):
    """Cost of a cloud's instances against how much of the demand is committed, as entered."""

    letter: str = Field(description="The design.")
    pointer: str = Field(description="JSON pointer to how much it commits.")
    label: str = Field(description="What is committed.")
    is_best: bool = Field(description="It is left at the level that costs least.")
    quantile_fraction: float = Field(description="Which quantile of the demand that level is.")
    committed_fraction: float = Field(
        description="Where the design stands: committed, of today's peak."
    )
    cost_usd: float = Field(description="What it costs there.")
    points: tuple[CommitmentPoint, ...] = Field(description="Cost at other levels.")


class BreakEven(Result):
    """When one design has cost less than another, for good within the horizon.

    All of an answer have one basis, the verdict's, and the measure that designs are ranked by; of
    both measures where nothing was simulated.
    """

    challenger: str = Field(description="Letter of the design that is cheaper in the end.")
    incumbent: str = Field(description="Letter of the other.")
    discounted: bool = Field(description="Present values are compared, not cash.")
    basis: Literal["mean", "as_entered"] = Field(
        description="`mean` of the simulations, or `as_entered` where nothing was simulated."
    )
    first_month_cheaper: int | None = Field(
        description="First whole month from which it has cost less, for good."
    )
    exact_months: float | None = Field(description="The crossing between two months.")
    crossings_count: int = Field(description="How often the cumulative costs cross.")
    cost_usd: float | None = Field(description="What both have cost there.")
    reason: Literal["never", "always", "same"] | None = blank(
        "Why there is no crossing: never, always, or both cost the same in every month."
    )


class Tie(Result):
    """The utilisation at which two designs cost the same over the horizon."""

    pointer: str = Field(description="JSON pointer to the utilisation.")
    value: float | None = Field(description="Utilisation at which both cost the same.")
    between: tuple[str, str] = Field(description="Letters of the two designs.")
    reason: str | None = blank("Why there is none.")


class Pair(Result):
    """The leader against one rival: how often it is cheaper, ties by half, and by how much."""

    rival: str = Field(description="Letter of the other design.")
    cheaper_fraction: float = Field(
        description="Share of the simulations in which the leader is cheaper; ties count half."
    )
    gap_usd: float = Field(description="Mean cost of the rival less the leader's.")
    gap_fraction: float = Field(description="The same as a share of the rival's cost.")


class Odds(Result):
    """In which share of the simulations each design is cheapest, ties shared."""

    draws_count: int = Field(description="Simulations.")
    seed: int = Field(description="With which they can be drawn again.")
    wins: dict[str, float] = Field(
        description="Share in which each design is the cheapest, by letter; ties are shared."
    )
    kinds: dict[str, float] = Field(description="The same added up by kind of design.")
    owned_fraction: float = Field(description="The same of all designs that own in some form.")
    pairs: tuple[Pair, ...] = Field(description="The leader against each rival.")
    errors: dict[str, float] = Field(description="Half-widths of the 95% intervals of `wins`.")


class Member(Result):
    """One input of a quantity, with its own range."""

    pointer: str = Field(description="JSON pointer to the input.")
    label: str = Field(description="Its name.")
    unit: str = Field(description="Its unit.")
    value: float = Field(description="As entered.")
    low: float = Field(description="Low end of its range.")
    high: float = Field(description="High end.")


class Quantity(Result):
    """One unknown that was drawn."""

    key: str = Field(description="Its key.")
    label: str = Field(description="Its name.")
    members: tuple[Member, ...] = Field(
        description="Inputs that vary together as this one unknown."
    )
    by_hand: bool = Field(description="Its range was entered, not taken from the default.")
    explains_fraction: float | None = blank(
        "Its share of the variance of the difference between the leader and its strongest rival."
    )
    explains: str | None = blank("The same in words.")


class Flip(Result):
    """The value of a quantity at which another design becomes cheapest on average."""

    pointer: str = Field(description="JSON pointer to the input.")
    quantity: str = Field(description="Key of the quantity.")
    label: str = Field(description="Its name.")
    unit: str = Field(description="Its unit.")
    value: float = Field(description="As entered.")
    low: float = Field(description="Low end of its range.")
    high: float = Field(description="High end of its range.")
    flips_at: float | None = Field(
        description="Value at which another design becomes the cheapest on average; null where "
        "none does."
    )
    rises: bool = preset(False, "It does so above that value, not below it.")
    winner_after: str | None = Field(description="Letter of the design that is the cheapest then.")
    tied_after: tuple[str, ...] = preset((), "Designs that cost the same as that.")
    then: str | None = blank("All that are the cheapest then, in words.")
    reason: str | None = blank("Why there is no such value.")


class AlternativeOdds(Result):
    """What the simulations of one alternative say; None or empty where no simulation has it."""

    label: str = Field(description="The alternative.")
    odds_fraction: float = Field(description="How probable it is.")
    entered: bool = Field(description="It is the one of the document.")
    draws_count: int = Field(description="Simulations that have it.")
    gap_usd: float | None = blank("The best rival's mean cost less the leader's.")
    cheapest: str | None = blank("Letter of the design of the lowest mean.")
    tied: tuple[str, ...] = preset((), "Those that cost the same.")
    wins: dict[str, float] = Field(
        default_factory=dict,
        description="Share of these simulations in which each design is the cheapest.",
    )
    mean_usd: dict[str, float] = Field(
        default_factory=dict, description="Mean cost of each design in them."
    )


class ChoiceOdds(Result):
    """An input with alternatives."""

    pointer: str = Field(description="JSON pointer to the input.")
    label: str = Field(description="Its name.")
    alternatives: tuple[AlternativeOdds, ...] = Field(description="What it may be.")
    low: float | None = blank("The least, of numbers.")
    high: float | None = blank("The most, of numbers.")
    explains_fraction: float | None = blank(
        "Its share of the variance of the difference between the leader and its strongest rival."
    )
    explains: str | None = blank("The same in words.")
    sentence: str | None = blank("What it comes to.")


class TornadoBar(Result):
    """Winner's mean cost less the runner-up's at the ends of a range, others at their means."""

    pointer: str = Field(description="JSON pointer to the input.")
    quantity: str = Field(description="Key of the quantity.")
    label: str = Field(description="Its name.")
    unit: str = Field(description="Its unit.")
    value: float = Field(description="As entered.")
    low: float = Field(description="Low end of its range.")
    high: float = Field(description="High end of its range.")
    at_low_usd: float = Field(
        description="Winner's mean cost less the runner-up's there, others at their means."
    )
    at_high_usd: float = Field(description="The same at the high end.")


class Row(Result):
    """One row of the comparison table."""

    id: str = Field(description="Key of the row.")
    label: str = Field(description="What is compared.")
    unit: str = Field(description="Unit of its values.")
    values: dict[str, float | None] = Field(
        description="Value of each design, by letter; null where there is none."
    )
    reasons: dict[str, str] = Field(description="Why a design has no value.")
    notes: dict[str, str] = Field(
        default_factory=dict, description="What else there is to know of a value."
    )
    rivals: dict[str, str] = Field(
        default_factory=dict,
        description="The design that a value is held against, where it is of two.",
    )
    best: str | None = blank("Letter of the best design.")
    lower_is_better: bool | None = preset(True, "Whether less is better; null where neither is.")
    is_opened: bool = preset(False, "`plans.workings` has how it comes about, line by line.")


class Money(Result):
    """The currency that amounts are shown in; all amounts here are US dollars."""

    code: str = Field(description="ISO 4217.")
    per_usd: float = Field(description="So much of it is one US dollar.")
    as_of: str | None = blank("Day of the rate.")


class Comparison(Result):
    """Everything that the plan says about a study."""

    horizon_months: int = Field(description="Months that are compared.")
    currency: Money = Field(
        description="The currency that amounts are shown in; all amounts here are US dollars."
    )
    ranked_by: Literal["cash", "present_value"] = Field(description="What designs are ranked by.")
    measure: str = Field(description="The same in words.")
    discounting: str = Field(description="How months are discounted.")
    winner: str | None = Field(
        description="Letter of the cheapest design; null where none competes."
    )
    runner_up: str | None = Field(description="Letter of the strongest rival.")
    verdict: Verdict = Field(description="The answer in sentences.")
    designs: tuple[DesignResult, ...] = Field(description="The designs, in the study's order.")
    break_evens: tuple[BreakEven, ...] = Field(
        description="When one design has cost less than another."
    )
    ties: tuple[Tie, ...] = Field(description="Utilisation at which two designs cost the same.")
    odds: Odds | None = Field(description="How sure it is; null where nothing was simulated.")
    commitments: tuple[CommitmentCurve, ...] = preset(
        (), "What more or less commitment would cost."
    )
    quantities: tuple[Quantity, ...] = preset((), "The unknowns that were drawn.")
    flips: tuple[Flip, ...] = Field(description="What would change the answer.")
    choices: tuple[ChoiceOdds, ...] = preset((), "What each alternative of an input would change.")
    tornado: tuple[TornadoBar, ...] = Field(
        description="How far each input moves the lead, the furthest first."
    )
    tornado_center_usd: float | None = preset(
        None, "Winner's mean cost less the runner-up's: where its bars start."
    )
    moves_most: tuple[str, ...] = Field(
        default=(),
        description="Keys of quantities and pointers of inputs with alternatives, the one that "
        "moves the winner's lead over the runner-up furthest first.",
    )
    rows: tuple[Row, ...] = Field(description="The table of the comparison.")
    warnings: tuple[str, ...] = preset((), "What to know before relying on the answer.")
