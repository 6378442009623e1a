"""Generated from the API's schema by generate.py. Do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Accelerator(TypedDict):
    """An accelerator: what it holds, reads, computes and draws."""

    name: str
    memory_gib: float
    bandwidth_tb_per_s: float
    half_tflop_per_s: float
    fp8_tflop_per_s: NotRequired[float | None]
    fp4_tflop_per_s: NotRequired[float | None]
    link_gb_per_s: float
    domain_count: NotRequired[int]
    tdp_w: NotRequired[float | None]
    generation: NotRequired[str]
    speed_known: NotRequired[bool]
    source: NotRequired[str]
    quality: NotRequired[Literal['measured', 'published', 'recalled', 'assumed', 'derived']]
    as_of: NotRequired[str]



class Accepted(TypedDict):
    """A finding of the like-for-like check that stays as it is, and why."""

    finding: str
    because: str



class AccountDeletionInputRequest(TypedDict):
    """Body of *have one's account deleted after the grace time, with workspaces that one is alone in*."""

    email: str



class ActualBill(TypedDict):
    """A bill that can be entered as what happened."""

    id: str
    file_name: str
    months: list[str]



class ActualCause(TypedDict):
    """What a cause of cost was planned to cost, and what it did."""

    months_count: int
    planned: float
    actual: float
    difference: float
    difference_fraction: float | None
    cause: str
    label: str
    offer: ActualOffer | None



class ActualComparison(TypedDict):
    """The approved plan beside what happened."""

    letter: str
    title: str
    starts_on: str
    sentence: str
    months: list[ActualMonth]
    total: ActualDifference
    energy: ActualDifference
    causes: list[ActualCause]
    known_causes: list[ActualKnownCause]
    designs: list[ActualDesign]
    figure: Figure | OpenDocument



class ActualDesign(TypedDict):
    """The design that what happened is held against."""

    letter: str
    title: str



class ActualDifference(TypedDict):
    """What was planned, and what happened."""

    months_count: int
    planned: float
    actual: float
    difference: float
    difference_fraction: float | None



class ActualKnownCause(TypedDict):
    """A cause of cost that can be entered."""

    cause: str
    label: str



class ActualMonth(TypedDict):
    """A month as planned and as it was."""

    month: str
    planned_usd: float
    actual_usd: float | None
    difference_usd: float | None
    planned_kwh: float | None
    actual_kwh: float | None
    planned_so_far_usd: float
    p10_so_far_usd: float | None
    p90_so_far_usd: float | None
    actual_so_far_usd: float | None
    is_within: bool | None



class ActualOffer(TypedDict):
    """A range that the months so far suggest for an input."""

    pointer: str
    field: str
    unit: str
    value: float
    low: float
    high: float



class ActualRangeInputRequest(TypedDict):
    """Body of *give the study the range that a cause offers*."""

    cause: str



class ActualRow(TypedDict):
    """What a month cost and used, in all or of one cause."""

    month: str
    cause: NotRequired[str]
    cost_usd: NotRequired[float | None]
    energy_kwh: NotRequired[float | None]



class ActualRowRequest(TypedDict):
    """What a month cost and used, in all or of one cause."""

    month: str
    cause: NotRequired[str]
    cost_usd: NotRequired[float | None]
    energy_kwh: NotRequired[float | None]



class ActualsInputRequest(TypedDict):
    """Body of *enter what happened, in place of what was entered before*."""

    letter: NotRequired[str]
    starts_on: NotRequired[str | None]
    rows: NotRequired[list[ActualRowRequest]]
    csv: NotRequired[str]
    numbers: NotRequired[NumberFormatEnum | BlankEnum]
    bill: NotRequired[str]



class ActualsOutput(TypedDict):
    """Answer of *return what was entered, and the differences by month, in total and by cause*."""

    letter: str
    starts_on: str | None
    rows: list[ActualRow]
    approved: NotRequired[str | None]
    comparison: ActualComparison | None
    reason: str
    bills: list[ActualBill]
    numbers_read: list[str]



class AddressInputRequest(TypedDict):
    """Body of *mail a link that sets a new password*."""

    email: str



class Along(TypedDict):
    """Another input that goes along with an alternative."""

    pointer: str
    value: bool | int | float | str | dict[str, Any] | None



class Alternative(TypedDict):
    """What an input may turn out to be instead, and how likely that is."""

    value: bool | int | float | str | dict[str, Any] | None
    odds_fraction: float
    along: NotRequired[list[Along]]



class AlternativeOdds(TypedDict):
    """What the simulations of one alternative say; `entered` marks the one of the document. `gap_usd` is the best rival's mean cost less the leader's, `cheapest` the design of the lowest mean, `tied` those that cost the same, and `wins` the share of these simulations in which each design is cheapest. All are None or empty where no simulation has it."""

    label: str
    odds_fraction: float
    entered: bool
    draws_count: int
    gap_usd: NotRequired[float | None]
    cheapest: NotRequired[str | None]
    tied: NotRequired[list[str]]
    wins: NotRequired[dict[str, float]]
    mean_usd: NotRequired[dict[str, float]]



class AlternativeRow(TypedDict):
    """One way, at this load."""

    kind: Literal['always_on', 'laptop', 'multi_speed', 'idle_array', 'concentrated']
    sold: bool
    note: str | None
    drives_count: int
    awake_count: float
    speed_rpm: float
    power_w: float
    saved_fraction: float
    kwh_per_year: float
    response_mean_ms: float | None
    starts_per_year: float | None
    rating_years: float | None
    proposed: bool
    sets_workload: bool
    title: str
    about: str
    told: str
    preset: str



class AlternativesParams(TypedDict):
    """A server's disks, what is asked of them, and what the alternatives are made of. Input of the model `storage.alternatives`."""

    server_drive: NotRequired[HardDisk]
    disks_count: NotRequired[int]
    arrival_rate_per_s: NotRequired[float]
    size_bytes: NotRequired[int]
    popularity_exponent: NotRequired[float]
    target_utilization_fraction: NotRequired[float]
    laptop_drive: NotRequired[HardDisk]
    laptop_copies_count: NotRequired[int]
    speeds_rpm: NotRequired[list[float]]
    speed_exponent: NotRequired[float]
    electronics_fraction: NotRequired[float]
    cache_disks_count: NotRequired[int]
    sleeping: NotRequired[SleepState]
    standby_after_s: NotRequired[float | None]



class AlternativesResult(TypedDict):
    """All ways, and the one that uses the least power among those that meet the load. Answer of the model `storage.alternatives`."""

    rows: list[AlternativeRow]
    least_power: Literal['always_on', 'laptop', 'multi_speed', 'idle_array', 'concentrated'] | None



class AlwaysOn(TypedDict):
    """Every drive spins all the time."""

    kind: str



class ApiBreakEvenParams(TypedDict):
    """A replica, its price and speed, and an API's prices. Input of the model `serving.api_break_even`."""

    usd_per_h: NotRequired[float]
    output_tokens_per_s: NotRequired[float]
    prompt_per_output_ratio: NotRequired[float]
    cached_fraction: NotRequired[float]
    use_fraction: NotRequired[float]
    api_input_usd_per_m: NotRequired[float]
    api_cached_usd_per_m: NotRequired[float]
    api_output_usd_per_m: NotRequired[float]



class ApiBreakEvenResult(TypedDict):
    """Both costs of a million output tokens with their prompts, and where they meet. Answer of the model `serving.api_break_even`."""

    own_usd_per_m_output: float
    own_usd_per_m_output_in_full_use: float
    api_usd_per_m_output: float
    break_even_use_fraction: float | None
    break_even_output_tokens_per_s: float | None
    own_usd_per_h: float
    api_usd_per_h: float
    told: str



class Application(TypedDict):
    """What has to run, and where it may."""

    id: str
    demand_fraction: list[float]
    memory_gb: NotRequired[float | None]
    allowed: NotRequired[list[str]]
    together_with: NotRequired[list[str]]
    apart_from: NotRequired[list[str]]
    apart: NotRequired[Literal['server', 'rack', 'power_line']]



class ApprovalAskRequest(TypedDict):
    """Body of *tell webhooks, and owners who chose that mail*."""

    sentence: str



class ApprovalInputRequest(TypedDict):
    """Body of *freeze the study as it is saved now*."""

    name: str
    sentence: str



class ApprovalOutput(TypedDict):
    """A row of *list the approved versions, the latest first*."""

    id: str
    name: str
    sentence: str
    approved_by: str
    created_at: str
    run: RunOutput



class Architecture(TypedDict):
    """A language model's shape."""

    name: str
    layers_count: int
    hidden_count: int
    heads_count: int
    kv_heads_count: int
    head_size_count: int
    ffn_count: int
    vocabulary_count: int
    tied: NotRequired[bool]
    mlp_matrices_count: NotRequired[int]
    experts_count: NotRequired[int]
    experts_per_token_count: NotRequired[int]
    expert_ffn_count: NotRequired[int]
    shared_ffn_count: NotRequired[int]
    moe_layers_count: NotRequired[int]
    kv_lora_count: NotRequired[int]
    q_lora_count: NotRequired[int]
    rope_count: NotRequired[int]
    nope_count: NotRequired[int]
    value_count: NotRequired[int]
    window_count: NotRequired[int | None]
    windowed_layers_count: NotRequired[int]
    linear_layers_count: NotRequired[int]
    experts_native_fp4: NotRequired[bool]
    source: NotRequired[str]



class ArchiveOutput(TypedDict):
    """An archive and the state of its job, without its file."""

    state: StateEnum
    progress_fraction: float
    progress_message: str
    seconds_left: float | None
    error: JobError | None
    submitted_at: str
    started_at: str | None
    ended_at: str | None
    id: str
    way: WayEnum
    file_name: str
    made_by: str
    bytes_count: int | None
    sha256: str
    counts: dict[str, int] | None
    notes: list[str]
    created_at: str



class ArchiveStorage(TypedDict):
    """Data that is hardly ever read."""

    usd_per_gb_month: float
    usd_per_gb_read: NotRequired[float]



class ArrayCache(TypedDict):
    """Solid-state drives in front of the disks."""

    device: SolidState
    unit_price_usd: NotRequired[float]
    count: NotRequired[int]
    hit_fraction: NotRequired[float]
    write_back: NotRequired[bool]
    absorbed_fraction: NotRequired[float]



class ArrayCode(TypedDict):
    """Drives spread over nodes, and data over them as coded shards or copies."""

    nodes_count: NotRequired[int]
    data_count: NotRequired[int]
    parity_count: NotRequired[int]
    local_groups_count: NotRequired[int]
    racks_count: NotRequired[int]
    sites_count: NotRequired[int]
    failure_domain: NotRequired[Literal['drive', 'node', 'rack', 'site']]
    rack_fraction_per_year: NotRequired[float]
    site_fraction_per_year: NotRequired[float]
    placement_groups_count: NotRequired[int]
    fill_fraction: NotRequired[float]
    network_gbit_per_s: NotRequired[float]
    hop_ms: NotRequired[float]
    site_hop_ms: NotRequired[float]
    code_gb_per_s: NotRequired[float]
    network_fraction: NotRequired[float]
    detection_h: NotRequired[float]
    node_fraction_per_year: NotRequired[float]



class ArrayDesign(TypedDict):
    """An array of equal drives."""

    drive: NotRequired[HardDisk | SolidState]
    layout: NotRequired[Layout]
    dispatch: NotRequired[Dispatch]
    timeouts: NotRequired[Timeouts | None]
    scheduler: NotRequired[Literal['fcfs', 'sstf', 'look', 'clook', 'sptf']]
    queue_count: NotRequired[int | None]
    ageing_ratio: NotRequired[float]
    cache: NotRequired[CacheTier | None]
    controller: NotRequired[Controller | None]
    copies: NotRequired[FreeSpaceCopies | None]



class ArrayDesignParams(TypedDict):
    """An array, its requests, what a run of it found, and where it stands. Input of the model `plans.array_design`."""

    array: NotRequired[ArrayDesign]
    workload: NotRequired[SyntheticWorkload]
    recorded: NotRequired[bool]
    recorded_rate_per_s: NotRequired[float | None]
    throughput_per_s: NotRequired[float | None]
    hit_fraction: NotRequired[float | None]
    energy_usd_per_kwh: NotRequired[float]
    carbon: NotRequired[Carbon]
    drive_kgco2e: NotRequired[float | None]



class ArrayDesignResult(TypedDict):
    """The array as a study's design enters it, and what the design does not have of it. Answer of the model `plans.array_design`."""

    array: dict[str, JsonValue] | None
    why_none: str | None
    left_out: list[str]
    figures: ArrayFigures | None
    why_no_figures: str | None
    measures: list[ArrayFigure]
    at_once: AtOnce



class ArrayDrawingParams(TypedDict):
    """What a drawing takes of a design's array; the rest of it is left aside. Input of the model `plans.array_drawing`."""

    layout: NotRequired[Literal['single', 'raid0', 'raid1', 'raid10', 'raid5', 'raid6', 'raid7', 'draid1', 'draid2', 'draid3', 'mirrored_sets']]
    disks_count: NotRequired[int]
    disks_per_group: NotRequired[int | None]
    spares_count: NotRequired[int]
    count: NotRequired[int | None]
    drive: NotRequired[DraftDrive]
    cache: NotRequired[DraftCache | None]
    code: NotRequired[DraftCode | None]



class ArrayDrawingResult(TypedDict):
    """The array as it is drawn, where it can be. Answer of the model `plans.array_drawing`."""

    drawn: DrawnArray | None
    arrays: str | None



class ArrayEmbodied(TypedDict):
    """Emissions of making the drives and what holds them."""

    drive_kgco2e: float
    enclosure_kgco2e: NotRequired[float]
    low_ratio: NotRequired[float]
    high_ratio: NotRequired[float]
    life_months: NotRequired[int]
    year: NotRequired[int | None]
    basis: NotRequired[Literal['cradle_to_gate', 'cradle_to_site', 'cradle_to_grave_without_use'] | None]
    factor_source: NotRequired[str | None]



class ArrayFigure(TypedDict):
    """A figure of a run, as a row of a table has it."""

    id: str
    label: str
    unit: str
    value: float | None
    text: str
    note: str | None
    lower_is_better: bool | None



class ArrayFigures(TypedDict):
    """The disk arrays of a design in its last year; what is None has a reason beside it."""

    arrays_count: float
    nodes_count: NotRequired[float | None]
    drives_count: float
    raw_tb: float
    usable_tb: float
    used_fraction: float | None
    iops_ceiling_per_s: float
    iops_bound_by: Literal['drives', 'cache', 'controller', 'network']
    throughput_ceiling_mb_per_s: float
    requests_per_s: float
    response_mean_ms: float | None
    response_p50_ms: NotRequired[float | None]
    response_p95_ms: NotRequired[float | None]
    response_p99_ms: NotRequired[float | None]
    response_p999_ms: NotRequired[float | None]
    mean_w: float
    watts: dict[str, float]
    drives_busy_count: float
    drives_asleep_count: float
    starts_per_drive_year: float
    wear_years: float | None
    wears_first: NotRequired[str | None]
    loss_fraction_per_year: float | None
    object_nines_count: float | None
    rebuild_h: float | None
    rebuild_mb_per_s: NotRequired[float | None]
    rebuild_bound: NotRequired[str | None]
    failures_per_year: float
    usd_per_tb_year: float | None
    kgco2e_per_tb_year: float | None
    growth: NotRequired[str | None]
    independent: NotRequired[bool]
    years: NotRequired[list[ArrayYear]]
    simulations: NotRequired[list[Simulation]]
    reasons: dict[str, str]



class ArrayInstantParams(TypedDict):
    """Equal disks and random requests. Input of the model `storage.array_instant`."""

    drive: NotRequired[HardDisk | SolidState]
    layout: NotRequired[Literal['mirrored_set', 'raid0', 'raid10', 'raid5', 'raid6', 'raid7', 'draid1', 'draid2', 'draid3']]
    disks_count: NotRequired[int]
    arrival_rate_per_s: NotRequired[float]
    read_fraction: NotRequired[float]
    size_bytes: NotRequired[int]
    sizes: NotRequired[list[SizeShare]]
    write_sizes: NotRequired[list[SizeShare]]
    locked_updates: NotRequired[bool]
    target_utilization_fraction: NotRequired[float]
    replaces: NotRequired[Replaced | None]
    energy_usd_per_kwh: NotRequired[float]



class ArrayInstantResult(TypedDict):
    """What can be said without a simulation. Answer of the model `storage.array_instant`."""

    service_mean_ms: float
    service_sd_ms: float
    max_rate_per_s: float
    utilization_ratio: float
    carries_load: bool
    response_mean_ms: float | None
    read_response_ms: float | None
    write_response_ms: NotRequired[float | None]
    busy_count: float
    awake_count: int
    always_on_w: float
    one_awake_w: float | None
    low_power_idle_s: float | None
    standby_s: float | None
    saved_w: float | None
    saved_usd_per_year: float | None
    payback_years: float | None
    by_depth: list[DepthPoint]
    flash: FlashUse | None



class ArrayLossParams(TypedDict):
    """An array, its drives' failures, and how it is repaired. Input of the model `reliability.array_loss`."""

    layout: NotRequired[Literal['raid0', 'mirror', 'raid5', 'raid6', 'raid7', 'raid10', 'draid1', 'draid2', 'draid3']]
    disks_count: NotRequired[int]
    stripe_disks_count: NotRequired[int]
    disk_gb: NotRequired[float]
    afr_fraction: NotRequired[float]
    mttr_h: NotRequired[float | None]
    repair: NotRequired[Repair]
    unrecoverable_per_bit: NotRequired[float]
    scrubbing: NotRequired[Scrubbing | None]
    shared_fate: NotRequired[SharedFate]
    mission_years: NotRequired[float]
    false_replacement_fraction: NotRequired[float]



class ArrayLossResult(TypedDict):
    """How long until data are lost, and how likely it is. Answer of the model `reliability.array_loss`."""

    rate_per_h: float
    repair_h: float
    mttdl_years: float
    loss_fraction: float
    rebuild_unreadable_fraction: float
    any_mttdl_years: float
    block_loss_per_year: float
    any_loss_fraction: float
    disk_failures_per_year: float
    replacements_per_year: float



class ArrayParams(TypedDict):
    """An array, a workload, and how long to look. Input of the model `storage.array`."""

    array: NotRequired[ArrayDesign]
    workload: NotRequired[SyntheticWorkload | TraceWorkload]
    trace: NotRequired[TraceRef | None]
    replay: NotRequired[Replay]
    replicates_count: NotRequired[int]
    stop_interval_fraction: NotRequired[float]
    curve_points_count: NotRequired[int]
    years: NotRequired[YearTerms]



class ArrayResult(TypedDict):
    """What was measured, and what it says; its notes are of the array. Answer of the model `storage.array`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    duration_s: float
    requests_count: int
    power_w: float
    energy_j: float
    energy_kwh: float
    energy_per_1000_requests_j: float
    responses: list[StorageSimulatorResultsResponses]
    mean_interval_low_ms: float | None
    mean_interval_high_ms: float | None
    percentile_intervals: list[PercentileInterval]
    cdf_response_ms: list[float]
    cdf_fraction: list[float]
    throughput_per_s: float
    throughput_mb_per_s: float
    mean_in_system_count: float
    saturated: bool
    saturated_reason: Literal['queue_overflow', 'utilization', 'response_grows'] | None
    devices: list[DeviceUse]
    power_over_time: list[PowerPiece]
    energy_by_cause: list[EnergyShare]
    curve: list[StorageCurvePoint]
    stopped_early: bool
    cache: CacheUse | None
    copies: CopiesUse | None
    buffer_hits_count: int
    parity_operations_count: int
    reconstructed_reads_count: int
    rebuild_mb_per_s: float | None
    rebuild_s: float | None
    per_year: PerYear
    warnings: list[Literal['few_requests', 'saturated', 'trace_folded']]
    withheld: str | None
    wear: str



class ArraySpec(TypedDict):
    """Equal drives that hold data together."""

    entry: NotRequired[str | None]
    drive: NotRequired[HardDisk | SolidState]
    drive_price_usd: float
    price_as_of: NotRequired[str | None]
    layout: NotRequired[Literal['single', 'raid0', 'raid1', 'raid10', 'raid5', 'raid6', 'raid7', 'draid1', 'draid2', 'draid3', 'mirrored_sets']]
    code: NotRequired[ArrayCode | None]
    reduction_ratio: NotRequired[float]
    deduplication_ratio: NotRequired[float]
    disks_count: NotRequired[int]
    disks_per_group: NotRequired[int | None]
    stripe_unit_bytes: NotRequired[int]
    spares_count: NotRequired[int]
    spares_sleep: NotRequired[bool]
    count: NotRequired[int | None]
    expansion: NotRequired[Expansion]
    carries: NotRequired[Literal['block', 'object', 'block_and_object']]
    cache: NotRequired[ArrayCache | None]
    power_policy: NotRequired[AlwaysOn | ThresholdPolicy]
    enclosure: NotRequired[Enclosure]
    io: NotRequired[IoLoad | None]
    mttr_h: NotRequired[float | None]
    rebuild_mb_per_s: NotRequired[float]
    together_ratio: NotRequired[float]
    false_replacement_fraction: NotRequired[float]
    warranty_months: NotRequired[int]
    embodied: NotRequired[ArrayEmbodied | None]
    note: NotRequired[str | None]



class ArrayVerdict(TypedDict):
    """The answer in one or two sentences that a planner could repeat, and what it is drawn as. Answer of the model `storage.array_verdict`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: list[FiguresTable]
    figures: NotRequired[list[Figure]]
    over_time: list[Figure]



class ArrayVerdictParams(TypedDict):
    """Arrays that the same requests were simulated on. Input of the model `storage.array_verdict`."""

    arrays: list[RunArray]



class ArrayYear(TypedDict):
    """The disk arrays of a design at the end of a year, as they have grown by then. Of a coded cluster `nodes_count` are its nodes."""

    year: int
    arrays_count: float
    nodes_count: float | None
    drives_count: float
    usable_tb: float
    used_fraction: float | None
    requests_per_s: float
    iops_ceiling_per_s: float
    response_mean_ms: float | None
    response_p99_ms: NotRequired[float | None]
    mean_w: float
    loss_fraction_per_year: float | None
    object_nines_count: float | None
    rebuild_h: float | None
    failures_per_year: float



class Asset(TypedDict):
    """Something that is bought, used and sold."""

    title: NotRequired[str]
    capex_usd: float
    opex_usd_per_year: NotRequired[float]
    salvage_usd: NotRequired[float]
    life_years: float
    useful_core_h_per_year: NotRequired[float | None]



class AssetCost(TypedDict):
    """Cost of one asset."""

    title: str
    npv_usd: float
    eac_usd_per_year: float
    levelised_usd_per_core_h: float | None
    levelised_reason: str | None



class Assumptions(TypedDict):
    """What holds for all designs of the study."""

    horizon_months: NotRequired[int]
    discount_fraction_per_year: NotRequired[float]
    discount_basis: NotRequired[Literal['nominal', 'real']]
    inflation_fraction_per_year: NotRequired[float]
    ranked_by: NotRequired[Literal['cash', 'present_value']]
    starts_on: NotRequired[str | None]
    hours_per_year: NotRequired[float]
    rounding: NotRequired[Literal['none', 'paper']]
    currency: NotRequired[Currency]
    staff_usd_per_fte_year: NotRequired[float]
    price_changes: NotRequired[ModelPriceChanges]
    electricity: NotRequired[FlatElectricity | TimeOfUseElectricity | HourlyElectricity | TariffElectricity]
    demand_charge_usd_per_kw_month: NotRequired[float]
    pue: NotRequired[float]
    carbon: NotRequired[Carbon]
    downtime: NotRequired[Downtime]
    depreciation: NotRequired[Depreciation]
    books: NotRequired[Books]
    tax: NotRequired[Tax]
    end: NotRequired[Literal['work_continues', 'work_stops']]
    ordering_interval: NotRequired[Literal['month', 'quarter', 'half_year', 'year']]
    until_delivery: NotRequired[Literal['not_settled', 'bridged', 'waits']]
    foresight: NotRequired[bool]
    correlations: NotRequired[list[Correlation]]
    choices: NotRequired[list[Choice]]
    accepted: NotRequired[list[Accepted]]
    note: NotRequired[str | None]



class AtOnce(TypedDict):
    """Load, limit, response and power of an array, and how it wears."""

    figures: list[ArrayFigure]
    overloaded: bool
    wear: str



class AuditOutput(TypedDict):
    """A row of *list what was done, by whom, newest first*."""

    id: str
    actor_email: str
    token_id: str | None
    action: str
    said: str
    target: str
    detail: dict[str, JsonValue]
    created_at: str



class Availability(TypedDict):
    """What may fail without the load suffering."""

    spare_nodes_count: NotRequired[int]
    sites_count: NotRequired[int]
    survive_site_loss: NotRequired[bool]



class Axis(TypedDict):
    """What an axis counts, and where it is ticked: empty, at round numbers of its unit. It has its zero wherever bars or lines stand on it, unless their differences are the point."""

    title: str
    unit: str
    is_log: NotRequired[bool]
    from_zero: NotRequired[bool]
    ticks: NotRequired[list[float]]
    ticks_said: NotRequired[list[str]]



class BackTest(TypedDict):
    """The last part of the series, forecast from what was before it."""

    steps_count: int
    mean_error: float
    mean_error_fraction: float | None
    naive_error: float
    naive_period_count: int
    is_better: bool
    within_fraction: float



class Backup(TypedDict):
    """Backup kept elsewhere."""

    usd_per_tb_month: NotRequired[float]
    covers: NotRequired[Literal['all', 'block']]
    data_tb: NotRequired[float | None]



class BandLine(TypedDict):
    """What falls into one band of the bill, and what support on it costs."""

    bill_usd_per_month: float
    cost_usd_per_month: float



class Banded(TypedDict):
    """A value with the band that holds it in four of five cases."""

    low: float
    value: float
    high: float



class Baseline(TypedDict):
    """The design that stands today, shown as a further column."""

    kind: NotRequired[Literal['today', 'do_nothing']]
    title: NotRequired[str]
    lines: NotRequired[list[BaselineLine]]
    other_usd_per_month: NotRequired[float]
    commitments_owed_by_all: NotRequired[bool]
    book_value_usd: NotRequired[float]
    resale_usd: NotRequired[float | None]
    staff_fte: NotRequired[float]
    staff_usd_per_year: NotRequired[float]



class BaselineCsvInputRequest(TypedDict):
    """Body of *replace the lines of the baseline by those of a table*."""

    csv: str
    numbers: NotRequired[NumberFormatEnum | BlankEnum]



class BaselineLine(TypedDict):
    """Some machines or instances of one type, as they are paid today."""

    type: str
    count: float
    hours_per_month: NotRequired[float]
    usd_per_h: float
    commitment_end_month: NotRequired[int | None]
    commitment_ends_on: NotRequired[str | None]
    after_usd_per_h: NotRequired[float | None]



class BaselineRead(TypedDict):
    """A study whose baseline was pasted, and how the numbers of the table were read."""

    id: str
    slug: str
    title: str
    question: str
    is_example: bool
    revision: int
    params_version: int
    workload: Workload | OpenDocument
    workload_provenance: dict[str, dict[str, JsonValue]]
    assumptions: Assumptions | OpenDocument
    assumptions_provenance: dict[str, dict[str, JsonValue]]
    baseline: Baseline | OpenDocument | None
    baseline_provenance: dict[str, dict[str, JsonValue]]
    ranges: list[Range | OpenDocument]
    draws_count: int
    seed: int
    snapshot: str
    as_of: str
    pack: str
    pack_version: int
    price_dates: str
    tags: list[str]
    can_undo: bool
    can_redo: bool
    winner: str
    cost_usd: float | None
    verdict: dict[str, JsonValue] | None
    faults: list[Fault]
    ranges_left: list[dict[str, Any]]
    created_at: str
    updated_at: str
    designs: list[DesignOutput]
    numbers_read: list[str]


BasisEnum: TypeAlias = "Literal['published', 'derived', 'regression']"


class BatchJob(TypedDict):
    """A kind of job and how often it ran."""

    title: NotRequired[str]
    runs_count: NotRequired[float]
    steps_count: NotRequired[float]
    step_s: NotRequired[float]
    reruns_ratio: NotRequired[float]



class BatchUtilizationParams(TypedDict):
    """Jobs of a period, and the nodes that ran them. Input of the model `cost.batch_utilization`."""

    jobs: NotRequired[list[BatchJob]]
    groups: NotRequired[list[SlotGroup]]
    period_h: NotRequired[float]
    year_h: NotRequired[float]



class BatchUtilizationResult(TypedDict):
    """Work done, what the nodes could do, and what that work would cost to rent. Answer of the model `cost.batch_utilization`."""

    work_s: float
    work_h: float
    capacity_s: float
    utilization_fraction: float | None
    spare_s: float
    slots_count: float
    spare_slots_count: float
    full_usd_per_h: float
    value_usd_per_year: float | None
    value_in_period_usd: float | None
    warnings: list[str]



class Between(TypedDict):
    """The least and the most that an amount may be."""

    low: float
    high: float



class Binding(TypedDict):
    """The resource that is nearest to its own limit. `used_fraction` is in use at the peak of what is there beside spare nodes, and `limit_fraction` may be; None where the limit is no share. `group` is whose it is, where there are several, in `month`."""

    resource: Literal['cores', 'ram', 'disk', 'iops', 'throughput', 'gpu', 'queries', 'latency', 'batch', 'hosts', 'none']
    label: str
    detail: str
    used_fraction: NotRequired[float | None]
    limit_fraction: NotRequired[float | None]
    group: NotRequired[str | None]
    month: NotRequired[int | None]


BlankEnum: TypeAlias = "Literal['']"


class Block(TypedDict):
    """An application on a server: its share of each resource, in order."""

    id: str
    share_ratio: list[float]



class Books(TypedDict):
    """How the statements by fiscal year are drawn up; what a design costs does not depend on it."""

    year_starts_in: NotRequired[Literal['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december']]
    standard: NotRequired[Literal['ifrs_16', 'asc_842']]
    budgets: NotRequired[list[Budget]]



class Boundary(TypedDict):
    """Where the cheapest type changes as queries per GB rise."""

    query_rate_per_s_per_gb: float
    below: str
    above: str



class Budget(TypedDict):
    """What may be spent in a fiscal year."""

    year: int
    usd: float



class Burst(TypedDict):
    """The runs that one burst of editing made, of which a folded list shows the last."""

    runs_count: int
    first: FirstOfBurst



class BurstTraffic(TypedDict):
    """Consecutive lines in a burst, again and again."""

    kind: str
    lines_count: NotRequired[int]
    period_ms: NotRequired[float]
    gap_ns: NotRequired[float]



class BurstyArrivals(TypedDict):
    """Poisson arrivals that switch between two rates (MMPP)."""

    kind: str
    quiet_mean_ms: NotRequired[float]
    busy_mean_ms: NotRequired[float]
    quiet_stay_ms: NotRequired[float]
    busy_stay_ms: NotRequired[float]



class CacheDay(TypedDict):
    """One day: what was touched, and what of it for the first time since the day before."""

    footprint_gb: float
    new_gb: float | None
    read_gb: float
    written_gb: float
    written_footprint_gb: float



class CacheLevel(TypedDict):
    """A cache of one core: up to which working set it serves, and how fast."""

    size_bytes: float
    access_ns: float



class CacheSize(TypedDict):
    """What a cache of one size does."""

    cache_gb: float
    holds_a_day: bool
    devices_count: int
    read_hit_fraction: float
    read_response_ms: float | None
    disks_w: float
    cache_w: float
    saved_w: float
    saved_fraction: float
    saved_kwh_per_year: float
    written_tb_per_year: float
    drive_writes_per_day: float
    wear_years: float | None
    purchase_usd: float
    net_usd: float



class CacheTier(TypedDict):
    """A solid-state cache above the disks."""

    mode: NotRequired[Literal['hp08_mirror', 'write_back', 'write_through']]
    device: NotRequired[SolidState]
    capacity_gb: NotRequired[float]
    block_bytes: NotRequired[int]
    hit_fraction: NotRequired[float | None]
    dirty_max_fraction: NotRequired[float]



class CacheUse(TypedDict):
    """What the cache did."""

    read_hits_count: int
    read_misses_count: int
    hit_fraction: float | None
    fills_count: int
    writes_count: int
    plain_copies_count: int
    destages_count: int
    woken_destages_count: int
    written_tb: float
    dirty_blocks_count: int
    dirty_tb: float



class CalibrateDriveParams(TypedDict):
    """A drive as its data sheet has it, and what was measured. Input of the model `storage.calibrate_drive`."""

    drive: NotRequired[HardDisk | SolidState]
    rows: NotRequired[list[DepthRow]]
    size_bytes: NotRequired[int]
    fit_seeks: NotRequired[bool]



class CalibrateDriveResult(TypedDict):
    """The fitted drive, each depth, and the demerit figures. Answer of the model `storage.calibrate_drive`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    drive: HardDisk | SolidState
    channels_count: int
    waits_for_dies: bool
    queue_count: int | None
    queue_order: Literal['fcfs', 'clook', 'sptf'] | None
    held_writes_count: int | None
    read_service_ms: float
    write_service_ms: float | None
    max_read_per_s: float
    max_write_per_s: float | None
    depths: list[DepthFit]
    depth_demerit_fraction: float
    write_depth_demerit_fraction: float | None
    demerit_fraction: float | None
    sheet_demerit_fraction: float | None



class CalibrateParams(TypedDict):
    """Samples of power and load, entered or of an uploaded trace, and what to fit. Input of the model `power.calibrate`."""

    samples: NotRequired[list[PowerPowerPoint]]
    trace: NotRequired[TraceRef | None]
    machine: NotRequired[str | None]
    kind: NotRequired[Literal['best', 'linear', 'fan', 'two_segments', 'family']]
    confidence_fraction: NotRequired[float]
    replicates_count: NotRequired[int]
    block_samples_count: NotRequired[int]
    seed: NotRequired[int]



class CalibrateResult(TypedDict):
    """The curve, its idle and full power with intervals, and its error. Answer of the model `power.calibrate`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    curve: MeasuredCurve | FamilyCurve | TwoSegmentsCurve | LinearCurve | FanCurve
    power_idle: Estimate
    power_max: Estimate
    bend_low_ratio: float | None
    bend_high_ratio: float | None
    median_error_fraction: float
    root_mean_square_w: float
    kinds: list[KindError]
    bands: list[LoadBand]
    samples_count: int
    highest_utilization_fraction: float
    warnings: list[str]



class CalibrateTraceParams(TypedDict):
    """A drive as its data sheet has it, and what was recorded of it. Input of the model `storage.calibrate_trace`."""

    drive: NotRequired[HardDisk | SolidState]
    demand: NotRequired[ServedRequests | RecordedRequests]



class CalibrateTraceResult(TypedDict):
    """The fitted drive, and the demerit figures. Answer of the model `storage.calibrate_trace`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    drive: HardDisk | SolidState
    requests_count: int
    alone_count: int
    alone_fraction: float
    classes: list[ClassFit]
    quantiles: list[QuantilePair]
    measured_mean_ms: float
    modelled_mean_ms: float
    demerit_fraction: float
    fitted_demerit_fraction: float
    sheet_demerit_fraction: float
    replay: ReplayFit | None
    tracks: TracksFit | None



class CapitalByPart(TypedDict):
    """A price that follows the parts in use, without which performance per TCO cannot tell."""

    kind: str
    fixed_usd: float
    node_usd: float
    nodes_count: int
    disk_usd: float
    disks_count: int



class Carbon(TypedDict):
    """Carbon intensity of electricity; every factor has a year, a basis and a zone."""

    gco2e_per_kwh: NotRequired[float | None]
    low_gco2e_per_kwh: NotRequired[float | None]
    high_gco2e_per_kwh: NotRequired[float | None]
    hourly_ratio: NotRequired[list[float] | None]
    year: NotRequired[int | None]
    zone: NotRequired[str | None]
    basis: NotRequired[Literal['direct_average', 'life_cycle_average', 'direct_marginal', 'life_cycle_marginal']]
    usd_per_t: NotRequired[float]



class CarbonAmount(TypedDict):
    """Emissions over the horizon; None with a reason when unknown. `factors` says of what year, place, basis and source the factors are. The carbon intensity is one unknown of all designs: what they may emit at its low and at its high end are held against each other."""

    kgco2e: float | None
    low_kgco2e: float | None
    high_kgco2e: float | None
    operational_kgco2e: float | None
    embodied_kgco2e: float | None
    at_low_intensity: NotRequired[Between | None]
    at_high_intensity: NotRequired[Between | None]
    basis: Literal['modelled', 'estimate', 'unknown']
    reason: NotRequired[str | None]
    factors: NotRequired[str | None]



class Case(TypedDict):
    """The input behind a published figure, whole."""

    check: str
    title: str
    source: str
    params: ModelParams | OpenDocument



class CasesChange(TypedDict):
    """A change each year that is one of some values."""

    kind: str
    cases: list[ChangeCase]



class CatalogueCsvInputRequest(TypedDict):
    """Body of *add or change own entries of one kind: all lines, or none and all that is wrong*."""

    kind: str
    csv: str
    numbers: NotRequired[NumberFormatEnum | BlankEnum]



class CatalogueCsvOutput(TypedDict):
    """How many entries a table made, and how many it changed."""

    added: int
    changed: int
    numbers_read: list[str]



class CatalogueEntry(TypedDict):
    """An entry; a field that is not there is unknown."""

    slug: str
    kind: str
    title: str
    is_own: bool
    revision: int
    updated_at: str
    values: dict[str, CatalogueValue]
    drive: EntryDrive | None



class CatalogueEntryInputRequest(TypedDict):
    """Body of *add an entry of the workspace's own*."""

    slug: NotRequired[str | None]
    kind: str
    title: str
    values: dict[str, CatalogueValueInputRequest]



class CatalogueFacets(TypedDict):
    """Numbers of entries by provider, by region, by day of their price."""

    provider: dict[str, int]
    region: dict[str, int]
    price_on: dict[str, int]



class CatalogueKind(TypedDict):
    """A kind of entry, and how many there are."""

    kind: str
    entries_count: int



class CataloguePrice(TypedDict):
    """A node of the catalogue, with its price there."""

    kind: str
    entry: str
    unit_price_usd: float
    discount_fraction: NotRequired[float]
    component: NotRequired[Literal['cpu', 'dram', 'ssd', 'hdd', 'gpu', 'chassis', 'network', 'server', 'facility', 'other']]
    price_as_of: NotRequired[str | None]



class CatalogueSnapshot(TypedDict):
    """The built-in catalogue as of the date of its newest price."""

    id: str
    as_of: str
    digest: str
    entries_count: int
    kinds: dict[str, int]
    loaded_at: str



class CatalogueValue(TypedDict):
    """One field of an entry, with its provenance."""

    value: float | str | list[float]
    unit: str | None
    quality: QualityEnum
    source: str
    url: str | None
    as_of: str | None
    low: float | None
    high: float | None
    note: str



class CatalogueValueInputRequest(TypedDict):
    """One field of an own entry; the unit is the end of the field's name."""

    value: float | str | list[float]
    unit: NotRequired[str | None]
    quality: NotRequired[QualityEnum]
    source: NotRequired[str]
    url: NotRequired[str | None]
    as_of: NotRequired[str | None]
    low: NotRequired[float | None]
    high: NotRequired[float | None]
    note: NotRequired[str]



class Cause(TypedDict):
    """What stands between the costs of two runs."""

    cause: str
    label: str
    amount_usd: float



class CauseAmount(TypedDict):
    """What one cause costs over the horizon. `ranked_usd` is its part of what the verdict goes by: the parts of a design add up to it."""

    cause: str
    side: Literal['owned', 'rented']
    label: str
    amount_usd: float
    npv_usd: float
    ranked_usd: float
    p10_usd: NotRequired[float | None]
    p90_usd: NotRequired[float | None]
    formula: str



class CausesResult(TypedDict):
    """Likely power of one server by cause."""

    standby_w: float
    powerdown_w: float
    self_refresh_w: float
    refresh_w: float
    register_w: float
    traffic_w: float



class Cell(TypedDict):
    """The cheapest type's nodes at one cell of the map, and what asks for them."""

    nodes_count: float
    cost_usd: float
    cost_usd_per_year: float
    reason: Literal['capacity', 'rate']



class Cells(TypedDict):
    """The grid: a row for each number of nodes, a column for each number of disks. `bottleneck` is the part that the job waits for longest, over its phases."""

    nodes_count: list[int]
    disks_count: list[int]
    time_s: list[list[float]]
    energy_j: list[list[float]]
    tco_usd: list[list[float]]
    bottleneck: list[list[Literal['cpu', 'disk', 'network']]]



class ChangeCase(TypedDict):
    """One value that a change each year may have."""

    value_fraction_per_year: float
    probability_fraction: float


ChangeEnum: TypeAlias = "Literal['added', 'removed', 'changed']"


class ChangedInput(TypedDict):
    """One input that differs; of a list or a part that came or went, what stood there."""

    cause: str
    cause_label: str
    pointer: str
    label: str
    unit: str
    before: JsonValue
    after: JsonValue



class CheckOutput(TypedDict):
    """A figure of a paper, ours beside it."""

    model: str
    check: str
    title: str
    source: str
    basis: BasisEnum
    published: float | bool | str | None
    printed: str | None
    ours: float | bool | str | None
    tolerance: float
    unit: str
    ok: bool
    note: str | None
    measured: str | None



class Choice(TypedDict):
    """An input that may turn out otherwise; as entered in all simulations that are left."""

    pointer: str
    others: list[Alternative]
    title: NotRequired[str | None]
    note: NotRequired[str | None]



class ChoiceOdds(TypedDict):
    """An input with alternatives; `explains_fraction` is its share of the variance of the difference between the leader and its strongest rival, `explains` as the simulations tell. `sentence` says what it comes to."""

    pointer: str
    label: str
    alternatives: list[AlternativeOdds]
    low: NotRequired[float | None]
    high: NotRequired[float | None]
    explains_fraction: NotRequired[float | None]
    explains: NotRequired[str | None]
    sentence: NotRequired[str | None]



class Citation(TypedDict):
    """A publication, and where in it."""

    text: str
    url: str | None
    section: str | None



class ClassFit(TypedDict):
    """Requests of one direction, near the one before or not."""

    way: Literal['read', 'write']
    sequential: bool
    requests_count: int
    path: Literal['platter', 'buffer']
    overhead_ms: float



class ClosedArrivals(TypedDict):
    """Users who wait for their answer and think."""

    kind: str
    users_count: NotRequired[int]
    think_ms: NotRequired[float]
    think_times_vary: NotRequired[bool]
    wake_ms: NotRequired[float]



class Cloud(TypedDict):
    """Public cloud instances."""

    provider: NotRequired[Literal['aws', 'azure', 'gcp', 'other']]
    region: NotRequired[str | None]
    instances: list[Instances]
    commitments: NotRequired[list[PlansCommitment]]
    spot: NotRequired[PlansSpot]
    negotiated_discount_fraction: NotRequired[float]
    discounts: NotRequired[ServiceDiscounts]
    credits: NotRequired[Credits]
    storage: NotRequired[CloudStorage]
    transfer: NotRequired[CloudTransfer]
    support: NotRequired[CloudSupport]
    services: NotRequired[list[ServiceLine]]
    copying: NotRequired[CloudCopy]
    exit: NotRequired[CloudExit]
    uptime: NotRequired[CloudUptime]
    staff_fte: NotRequired[float]
    staff_usd_per_year: NotRequired[float]
    migration: NotRequired[PlansMigration]
    energy: NotRequired[CloudEnergy | None]
    note: NotRequired[str | None]
    letter: str
    title: str
    kind: str



class CloudCopy(TypedDict):
    """Copying data to the instances before a job, while they wait."""

    data_tb: NotRequired[float]
    times_per_year: NotRequired[float]
    rate_gbit_per_s: NotRequired[float]
    billing: NotRequired[Literal['exact', 'started_hours']]



class CloudEnergy(TypedDict):
    """Estimate of the energy of rented capacity, which no provider meters for customers."""

    idle_w_per_vcpu: NotRequired[float]
    full_w_per_vcpu: NotRequired[float]
    low_ratio: NotRequired[float]
    high_ratio: NotRequired[float]
    pue: NotRequired[float]
    storage_w_per_tb: NotRequired[float]
    object_w_per_tb: NotRequired[float]
    copies_count: NotRequired[float]
    embodied_kgco2e_per_vcpu_year: NotRequired[float | None]
    embodied_origin: NotRequired[FactorOrigin | None]



class CloudExit(TypedDict):
    """Leaving at the end of the horizon."""

    counted: NotRequired[bool]
    usd_per_gb: NotRequired[float]



class CloudSpec(TypedDict):
    """Public cloud instances. As `spec` of a design of the kind `cloud`."""

    provider: NotRequired[Literal['aws', 'azure', 'gcp', 'other']]
    region: NotRequired[str | None]
    instances: list[Instances]
    commitments: NotRequired[list[PlansCommitment]]
    spot: NotRequired[PlansSpot]
    negotiated_discount_fraction: NotRequired[float]
    discounts: NotRequired[ServiceDiscounts]
    credits: NotRequired[Credits]
    storage: NotRequired[CloudStorage]
    transfer: NotRequired[CloudTransfer]
    support: NotRequired[CloudSupport]
    services: NotRequired[list[ServiceLine]]
    copying: NotRequired[CloudCopy]
    exit: NotRequired[CloudExit]
    uptime: NotRequired[CloudUptime]
    staff_fte: NotRequired[float]
    staff_usd_per_year: NotRequired[float]
    migration: NotRequired[PlansMigration]
    energy: NotRequired[CloudEnergy | None]
    note: NotRequired[str | None]



class CloudStorage(TypedDict):
    """Block, object and archive storage; IOPS and throughput above what is free."""

    block_tiers: NotRequired[list[PlansStorageTier]]
    object_tiers: NotRequired[list[PlansStorageTier]]
    usd_per_million_writes: NotRequired[float]
    usd_per_million_reads: NotRequired[float]
    object_classes: NotRequired[list[ObjectClass]]
    archive: NotRequired[ArchiveStorage | None]
    block_overhead_ratio: NotRequired[float | None]
    io_included_per_s: NotRequired[float]
    usd_per_iops_month: NotRequired[float]
    throughput_included_mb_per_s: NotRequired[float]
    usd_per_mb_per_s_month: NotRequired[float]
    backup_usd_per_tb_month: NotRequired[float]
    gb_per_tb: NotRequired[float]



class CloudSupport(TypedDict):
    """A support plan, priced by bands of the monthly bill."""

    bands: NotRequired[list[PlansSupportBand]]
    minimum_usd_per_month: NotRequired[float]
    valid_until: NotRequired[str | None]



class CloudTransfer(TypedDict):
    """Data that moves: to the internet, between zones, through gateways."""

    egress_tiers: NotRequired[list[PlansTransferTier]]
    free_gb_per_month: NotRequired[float]
    gb_per_tb: NotRequired[float | None]
    ingress_usd_per_gb: NotRequired[float]
    cross_zone_usd_per_gb: NotRequired[float]
    nat_usd_per_gb: NotRequired[float]
    nat_usd_per_month: NotRequired[float]
    other_fraction: NotRequired[float]



class CloudUptime(TypedDict):
    """Availability that the provider promises for what is rented."""

    one_zone_fraction: NotRequired[float | None]
    zones_fraction: NotRequired[float | None]



class CloudWatchInputRequest(TypedDict):
    """A metric of CloudWatch, one series for each value of a dimension, and keys that may read."""

    title: NotRequired[str]
    since: str
    until: str
    step_s: NotRequired[int]
    region: str
    namespace: NotRequired[str]
    metric: NotRequired[str]
    dimension: NotRequired[str]
    access_id: str
    secret: str
    token: NotRequired[str]



class Cluster(TypedDict):
    """One cluster: nodes, disks, ports, and what they draw and cost."""

    name: str
    nodes_count: int
    cores_per_node_count: int
    threads_per_node_count: int
    slots_per_node_count: int
    core_speed_ratio: float
    disks_count: int
    disk_mb_per_s: float
    packet_mb: NotRequired[float]
    reposition_ms: NotRequired[float]
    reposition_fraction: NotRequired[float]
    streams_per_disk_ratio: NotRequired[float | None]
    ports_count: NotRequired[int]
    port_mb_per_s: NotRequired[float]
    power: NotRequired[Power]
    price: NotRequired[Price]
    settings: NotRequired[list[Setting]]



class ClusterAnswer(TypedDict):
    """One cluster's time, power, energy and cost for the job."""

    name: str
    nodes_count: int
    disks_count: int
    time_s: float
    phases: list[PhaseTime]
    threads_per_disk_ratio: float | None
    disk_effective_mb_per_s: float
    cpu_utilization_fraction: float
    disk_utilization_fraction: float
    power_w: float
    power_parts: Parts
    full_power_w: float
    fixed_power_per_node_w: float
    energy_j: float
    energy_kwh: float
    price_usd: float
    tco_usd: float
    performance_per_w: float
    performance_per_wh: float
    performance_per_usd: float | None
    warnings: list[str]



class ClusterArrayParams(TypedDict):
    """A cluster, its code, the work, and what is lost. Input of the model `storage.cluster_array`."""

    machines: NotRequired[StorageMachines]
    drive: NotRequired[HardDisk | SolidState]
    code: NotRequired[ErasureCode]
    failure_domain: NotRequired[Literal['drive', 'node', 'rack', 'site']]
    placement_groups_count: NotRequired[int]
    fill_fraction: NotRequired[float]
    recovery: NotRequired[SimulatedRecovery]
    work: NotRequired[SimulatedWork]
    lost: NotRequired[Literal['drive', 'node']]
    pue_ratio: NotRequired[float]



class ClusterArrayResult(TypedDict):
    """A cluster before, during and after the rebuild of a drive or a node. Answer of the model `storage.cluster_array`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    requests_per_s: float
    phases: list[StoragePhase]
    rebuild: Rebuilt | None



class ClusterCodeParams(TypedDict):
    """A cluster, its code, and the work. Input of the model `storage.cluster_code`."""

    machines: NotRequired[StorageMachines]
    drive: NotRequired[HardDisk | SolidState]
    code: NotRequired[ErasureCode]
    failure_domain: NotRequired[Literal['drive', 'node', 'rack', 'site']]
    placement_groups_count: NotRequired[int]
    fill_fraction: NotRequired[float]
    recovery: NotRequired[Recovery]
    work: NotRequired[ClusterWork]
    terms: NotRequired[ClusterTerms]
    afr_fraction: NotRequired[float | None]



class ClusterCodeResult(TypedDict):
    """Space, durability, load, energy and cost. Answer of the model `storage.cluster_code`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    drives_count: int
    raw_tb: float
    usable_tb: float
    overhead_ratio: float
    drive_lost: Lost
    node_lost: Lost
    durability: Durability
    load: StorageLoad
    power_w: float
    energy_kwh_per_year: float
    repair_tb_per_year: float
    capital_usd: float | None
    usd_per_usable_tb_year: float | None



class ClusterIoParams(TypedDict):
    """Disks, network and clients of a cluster, and a job that reads. Input of the model `performance.cluster_io`."""

    disks_count: NotRequired[int]
    disk_mb_per_s: NotRequired[float]
    disk_efficiency_fraction: NotRequired[float]
    nodes_count: NotRequired[int]
    network_gbit_per_s: NotRequired[float]
    network_efficiency_fraction: NotRequired[float]
    node_service_mb_per_s: NotRequired[float | None]
    readers: NotRequired[Readers | None]
    hot_spot: NotRequired[HotSpot | None]
    read_amplification_ratio: NotRequired[float]
    data_tb: NotRequired[float]



class ClusterIoResult(TypedDict):
    """The ceiling that is the constraint, and all the others. Answer of the model `performance.cluster_io`."""

    throughput_mb_per_s: float
    limit: Literal['disk', 'network', 'node_service', 'readers', 'hot_disks']
    limits: list[IoLimit]
    job_h: float | None
    job_reason: str | None
    disk_utilization_fraction: float | None
    warnings: list[str]



class ClusterJobParams(TypedDict):
    """A job, the clusters to run it on (the last is what the others are held to), costs. Input of the model `performance.cluster_job`."""

    job: NotRequired[Job]
    clusters: NotRequired[list[Cluster]]
    equal: NotRequired[Literal['work', 'power', 'cost', 'time']]
    lifetime_years: NotRequired[float]
    electricity_usd_per_kwh: NotRequired[float]
    pue: NotRequired[float]
    reported: NotRequired[list[Reported]]
    map: NotRequired[PerformanceMap | None]



class ClusterJobResult(TypedDict):
    """Every cluster's answer, their ratios, what printed gains imply, and the grid. Answer of the model `performance.cluster_job`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    clusters: list[ClusterAnswer]
    ratios: list[Ratios]
    implied: list[Implied]
    map: Cells | None



class ClusterTcoParams(TypedDict):
    """A cluster's price, its average power, and how long it is kept. Input of the model `cost.cluster_tco`."""

    capital: NotRequired[WholeCapital | CapitalByPart]
    pue: NotRequired[float]
    horizon_years: NotRequired[float]
    power_w: NotRequired[float]
    electricity_usd_per_kwh: NotRequired[float]
    job_s: NotRequired[float | None]
    other_usd_per_year: NotRequired[float]



class ClusterTcoResult(TypedDict):
    """Total cost, the share of energy, and the price at which energy equals the capital. Answer of the model `cost.cluster_tco`."""

    tco_usd: float
    capex_usd: float
    energy_usd: float
    other_usd: float
    energy_kwh: float
    energy_fraction: float | None
    parity_usd_per_kwh: float | None
    parity_reason: str | None
    performance_per_s_per_usd: float | None



class ClusterTerms(TypedDict):
    """Money, time, and failures that do not come one by one."""

    years: NotRequired[float]
    energy_usd_per_kwh: NotRequired[float]
    pue_ratio: NotRequired[float]
    together_ratio: NotRequired[float]



class ClusterWork(TypedDict):
    """Requests to the cluster."""

    requests_per_s: NotRequired[float]
    read_fraction: NotRequired[float]
    size_bytes: NotRequired[int]



class Cohort(TypedDict):
    """Drives of one model, or of one age."""

    name: str
    drive_days_count: float
    failures_count: int



class CohortRate(TypedDict):
    """One cohort's rate and its interval."""

    name: str
    afr_per_year: float
    low_per_year: float
    high_per_year: float



class ColderTier(TypedDict):
    """An array that holds data from an age on, up to that of the next colder one."""

    name: NotRequired[str]
    from_days: NotRequired[float]
    older_reads_fraction: NotRequired[float]
    array: ArraySpec



class Column(TypedDict):
    """A column of a table: numbers in a unit, or names; how they are written, if not each alone."""

    label: str
    unit: NotRequired[str]
    values: list[str | float | None]
    said: NotRequired[list[str]]



class CommentInputRequest(TypedDict):
    """Body of *say something of a study, one of its designs, or a number*."""

    text: str
    letter: NotRequired[str]
    place: NotRequired[str]
    place_title: NotRequired[str]



class CommentOutput(TypedDict):
    """Answer of *call a comment settled, or open again*."""

    id: str
    text: str
    letter: str
    place: str
    place_title: str
    author: str
    created_at: str
    resolved_at: str | None
    resolved_by: str



class CommitmentCurve(TypedDict):
    """Cost of a cloud's instances against how much of the demand is committed, as entered. `committed_fraction` is where the design stands, `quantile_fraction` of which quantile of the demand that is, `is_best` whether it is left at the level that costs least."""

    letter: str
    pointer: str
    label: str
    is_best: bool
    quantile_fraction: float
    committed_fraction: float
    cost_usd: float
    points: list[CommitmentPoint]



class CommitmentParams(TypedDict):
    """Demand over time, the on-demand price, and the offer. Input of the model `cost.commitment`."""

    hourly_demand_count: list[float]
    on_demand_usd_per_h: NotRequired[float]
    offer: NotRequired[DiscountOffer | PriceOffer]
    committed_count: NotRequired[float | None]



class CommitmentPoint(TypedDict):
    """What instances cost over the horizon where so much of today's peak is committed first."""

    committed_fraction: float
    cost_usd: float



class CommitmentResult(TypedDict):
    """The best amount, what the asked amount costs, and from which use a commitment pays. Answer of the model `cost.commitment`."""

    optimal_count: float
    committed_count: float
    effective_usd_per_h: float
    price_ratio: float
    break_even_fraction: float
    exceeded_fraction: float
    used_fraction: float | None
    cost_usd_per_h: float
    optimal_usd_per_h: float
    on_demand_usd_per_h: float
    peak_committed_usd_per_h: float
    saved_fraction: float | None
    curve: list[CostPoint]



class CommittedPrice(TypedDict):
    """What an hour of one kind of instance costs while it is committed."""

    name: str
    usd_per_h: float
    price_as_of: NotRequired[str | None]



class Comparison(TypedDict):
    """Everything that the plan says about a study. Answer of the model `plans.compare`."""

    horizon_months: int
    currency: Money
    ranked_by: Literal['cash', 'present_value']
    measure: str
    discounting: str
    winner: str | None
    runner_up: str | None
    verdict: Verdict
    designs: NotRequired[list[DesignResult]]
    break_evens: NotRequired[list[PlansBreakEven]]
    ties: NotRequired[list[PlansTie]]
    odds: NotRequired[Odds | None]
    commitments: NotRequired[list[CommitmentCurve]]
    quantities: NotRequired[list[Quantity]]
    flips: NotRequired[list[Flip]]
    choices: NotRequired[list[ChoiceOdds]]
    tornado: NotRequired[list[TornadoBar]]
    tornado_center_usd: NotRequired[float | None]
    moves_most: NotRequired[list[str]]
    rows: NotRequired[list[Row]]
    warnings: NotRequired[list[str]]



class ConfiguredModel(TypedDict):
    """A model by the text of its `config.json`."""

    kind: str
    config_json: str



class ConsolidationLoad(TypedDict):
    """An application, what it asks of a reference server, and where it may run."""

    id: str
    cpu_fraction: float
    disk_fraction: float
    memory_fraction: float
    network_fraction: float
    memory_gb: NotRequired[float | None]
    server_count: NotRequired[int | None]
    together_with: NotRequired[list[str]]
    apart_from: NotRequired[list[str]]
    allowed: NotRequired[list[str]]



class ConsolidationMachineType(TypedDict):
    """A kind of virtual machine with one core."""

    mips: float
    ram_mb: float



class ConsolidationMigration(TypedDict):
    """What it takes to move an application (pre-copy)."""

    memory_gb: NotRequired[float]
    link_gbit_per_s: NotRequired[float]
    dirty_fraction: NotRequired[float]
    overhead_w: NotRequired[float]



class ConsolidationService(TypedDict):
    """Applications that serve the same load, as web, logic and database do."""

    name: str
    load_ratio: NotRequired[float]
    tiers: list[Tier]



class ConstantLoad(TypedDict):
    """One load for the whole time."""

    kind: str
    utilization_fraction: NotRequired[float]
    duration_h: NotRequired[float]



class ConstantPower(TypedDict):
    """The same draw at any load."""

    kind: str
    power_w: float



class Controller(TypedDict):
    """What stands between a host and its drives: every request passes it, one after another."""

    read_ms: NotRequired[float]
    write_ms: NotRequired[float]
    depth_count: NotRequired[int | None]



class CopiesUse(TypedDict):
    """What the copies in free space did."""

    hits_count: int
    hit_fraction: float | None
    copies_count: int
    copied_tb: float
    copy_writes_count: int
    invalidated_count: int
    reclaimed_count: int
    not_copied_count: int
    table_mb: float
    table_full: bool
    disks: list[DiskCopies]



class Copy(TypedDict):
    """Working data that is copied to the instances before they can compute."""

    data_tb: NotRequired[float]
    network_gbit_per_s: NotRequired[float]
    copies_per_year: NotRequired[float]
    instances_count: NotRequired[float | None]



class CoresPoint(TypedDict):
    """What is left of PAVM when so many cores each run a process."""

    cores_count: int
    awake_ranks_fraction: float
    average_w: float | None
    saving_w: float | None



class Correlation(TypedDict):
    """How two unknowns rise together: Spearman's rank correlation of them."""

    first: str
    second: str
    spearman_ratio: float
    note: NotRequired[str | None]



class CostBreakEven(TypedDict):
    """When owning becomes the cheaper one for the last time."""

    discounted: bool
    years: float | None
    reason: Literal['never', 'always'] | None
    crossings_count: int
    crossings_years: list[float]
    sentence: str


CostEnum: TypeAlias = "Literal['effective', 'billed']"


class CostNodeGroup(TypedDict):
    """Owned nodes of one kind, and what would be rented instead."""

    nodes_count: NotRequired[int]
    cores_per_node_count: NotRequired[int]
    disks_per_node_count: NotRequired[int]
    disk_tb: NotRequired[float]
    instance: NotRequired[Instance]
    equivalence: NotRequired[Literal['by_core', 'by_disk_count', 'by_capacity', 'max_of_all', 'explicit']]
    instances_count: NotRequired[float | None]
    utilization_fraction: NotRequired[float]



class CostOrder(TypedDict):
    """One order: when to place it at the latest, and what it brings."""

    order_years: float
    needed_years: float
    late: bool
    capacity_count: float



class CostPoint(TypedDict):
    """Cost of one amount."""

    committed_count: float
    cost_usd_per_h: float



class CostStorageTier(TypedDict):
    """A price that holds up to an amount of stored data."""

    up_to_tb: NotRequired[float | None]
    price_usd_per_gb_month: float



class CostSupportBand(TypedDict):
    """A share of the month's bill that holds up to a bill."""

    up_to_usd_per_month: NotRequired[float | None]
    share_fraction: float



class CostTie(TypedDict):
    """The utilisation, the same on all nodes, at which both sides cost the same."""

    utilization_fraction: float | None
    reason: Literal['owning_cheaper_idle', 'renting_cheaper_full'] | None
    sentence: str



class CostTransferTier(TypedDict):
    """A price that holds up to an amount of data moved in a month."""

    up_to_tb: NotRequired[float | None]
    price_usd_per_gb: float



class Credits(TypedDict):
    """Money of the provider's that bills are paid with at first."""

    usd: NotRequired[float]
    months: NotRequired[int]



class Currency(TypedDict):
    """The currency that amounts are shown in; prices are entered in US dollars."""

    code: NotRequired[str]
    per_usd: NotRequired[float]
    as_of: NotRequired[str | None]
    paid_ratio: NotRequired[float]



class Curve(TypedDict):
    """One resource of a kind of server."""

    capacity_ratio: NotRequired[float]
    limit_fraction: NotRequired[float]
    power_w: NotRequired[float]
    power_exponent: NotRequired[float]
    degradation_ratio: NotRequired[float]
    degradation_exponent: NotRequired[float]



class CurveError(TypedDict):
    """Error of a kind of curve at a load, over servers that it was not fitted to."""

    curve: Literal['family', 'two_segments', 'linear', 'fan']
    utilization_fraction: float
    median_error_fraction: float
    high_error_fraction: float



class CurveParams(TypedDict):
    """A server of which idle and full power are known, perhaps more, and a load. Input of the model `power.curve`."""

    power_idle_w: NotRequired[float]
    power_max_w: NotRequired[float]
    family: NotRequired[Literal['core', 'opteron', 'nehalem', 'entry', 'sandy_bridge', 'haswell', 'coffee_lake', 'skylake', 'ice_lake', 'sapphire_rapids', 'rocket_lake', 'zen1', 'zen2', 'zen3', 'zen4']]
    reading: NotRequired[Reading | None]
    result: NotRequired[PublishedResult | None]
    utilization_fraction: NotRequired[float]



class CurveResult(TypedDict):
    """Power at the load with the range that nine in ten servers held out lay in, and the curve. `family_error_fraction` is the median error at 10, 20, 30 and 50% load over all servers of the family, each third held out in turn; `loaded_idle_fraction` is the part of idle power that its shape keeps under load. With a reading, the family's errors are those of curves that pass a reading of each server at the nearest tenth, at the other loads; with a result, of curves with the mean power of each server's eleven. Answer of the model `power.curve`."""

    power_w: float
    power_low_w: float
    power_high_w: float
    knee_utilization_fraction: float
    knee_range_fraction: float
    points: list[PowerCurvePoint]
    errors: list[CurveError]
    fitted_count: int
    held_out_count: int
    family_error_fraction: float
    loaded_idle_fraction: float



class DayPrice(TypedDict):
    """A price for each hour of the day."""

    kind: str
    hourly_usd_per_kwh: NotRequired[list[float]]



class DayResult(TypedDict):
    """The day under one policy. SLATAH is the share of host time in which less was given than asked, PDM the share of MIPS withheld by migrations, SLAV their product, ESV energy times SLAV. What moving and switching draw is not in the energy; switches are hosts that go on, each having gone off."""

    policy: str
    energy_kwh: float
    migrations_count: int
    moving_kwh: float
    switches_count: int
    switching_kwh: float
    hosts_on_mean_count: float
    hosts_on_percentile_count: float
    hosts_on_most_count: int
    moves_per_host_per_day: float
    saving: NotRequired[Saving | None]
    slatah_fraction: float
    pdm_fraction: float
    slav_fraction: float
    esv_kwh: float
    series: list[StepPoint]



class DefectPatternsParams(TypedDict):
    """A disk and its bad sectors. Input of the model `reliability.defect_patterns`."""

    geometry: NotRequired[Geometry]
    defects: NotRequired[DrawnDefects | ListedDefects]
    block_sectors_count: NotRequired[int]
    cylinders_away_count: NotRequired[int]



class DefectPatternsResult(TypedDict):
    """The defects by surface, zone and track, what they look like, and where a replica is safe. Answer of the model `reliability.defect_patterns`."""

    sectors_count: int
    tracks_count: int
    surfaces: list[SharedBy]
    zones: list[SharedBy]
    worst_surface_fraction: float
    shared_track_fraction: float
    longest_run_count: int
    track_step_count: float | None
    offset_step_count: float | None
    surface_skew_count: int
    looks_like: Literal['scratch', 'track_start_cluster', 'run', 'crossing_scratch', 'servo', 'scatter']
    replicas: list[ReplicaExposure]
    places: list[DefectPlace]



class DefectPlace(TypedDict):
    """Where a bad sector lies."""

    sector: int
    zone: int
    cylinder: int
    surface: int
    track: int
    offset: int



class DeletionOutput(TypedDict):
    """Answer of *say when the account is deleted, if it is to be*."""

    deletes_at: str | None
    grace_days: int



class DeliveryOutput(TypedDict):
    """A row of *list the events with what the program answered, newest first*."""

    id: str
    event: str
    study: str | None
    created_at: str
    attempts: int
    status: int | None
    answer: str
    delivered: bool
    ended_at: str | None



class Demand(TypedDict):
    """What has to be carried: its level by the month, and how it varies within one."""

    unit: NotRequired[str]
    level: NotRequired[GrownLevel | EnteredLevel]
    steps: NotRequired[list[DemandStep]]
    season_ratio: NotRequired[list[float]]
    swing_fraction: NotRequired[float]
    profile_ratio: NotRequired[list[float]]



class DemandPath(TypedDict):
    """One course that demand may take: a forecast's, or an entered series."""

    name: str
    probability_fraction: float
    mean_count: list[float]



class DemandPeriod(TypedDict):
    """Hours or months whose highest power has one charge, or one list of tiers."""

    name: NotRequired[str]
    tiers: list[DemandTier]



class DemandPoint(TypedDict):
    """Demand and capacity at the end of a year, with every order delivered when needed."""

    time_years: float
    demand_count: float
    capacity_count: float



class DemandStep(TypedDict):
    """Demand that comes or goes at once: a launch, a customer won or lost."""

    name: str
    from_month: int
    latest_month: NotRequired[int | None]
    added_count: float
    probability_fraction: NotRequired[float]



class DemandTier(TypedDict):
    """A charge on power that holds up to a power."""

    up_to_kw: NotRequired[float | None]
    rate_usd_per_kw_month: float
    adjustment_usd_per_kw_month: NotRequired[float]



class DemandWorkload(TypedDict):
    """Work as demand: what runs, in reference cores, GiB and TB, today."""

    kind: str
    busy_cores_count: float
    p99_ratio: NotRequired[float | None]
    reference_core: NotRequired[str]
    shape: NotRequired[FlatShape | HourlyShape]
    ram_gib: float
    ram_fixed_fraction: NotRequired[float]
    block_tb: NotRequired[float]
    block_io_per_s: NotRequired[float]
    block_throughput_mb_per_s: NotRequired[float]
    block_mix: NotRequired[IoMix]
    object_tb: NotRequired[float]
    object_use: NotRequired[ObjectUse]
    archive_tb: NotRequired[float]
    archive_read_tb_per_month: NotRequired[float]
    egress_tb_per_month: NotRequired[float]
    ingress_tb_per_month: NotRequired[float]
    cross_zone_tb_per_month: NotRequired[float]
    gpu_peak_count: NotRequired[float]
    gpu_mean_count: NotRequired[float | None]
    gpu: NotRequired[str | None]
    jobs_per_day: NotRequired[float]
    service: NotRequired[PlansService | None]
    teams: NotRequired[list[Team]]
    growth: NotRequired[Growth]
    headroom: NotRequired[Headroom]
    availability: NotRequired[Availability]



class Depreciation(TypedDict):
    """How the books spread what was bought."""

    method: NotRequired[Literal['straight_line', 'macrs_5']]
    life_months: NotRequired[int]
    bonus_fraction: NotRequired[float]



class DepreciationParams(TypedDict):
    """An asset, the method, and the year's income that the tax is paid on. Input of the model `cost.depreciation`."""

    cost_usd: NotRequired[float]
    method: NotRequired[Literal['straight_line', 'macrs_5']]
    life_years: NotRequired[int]
    salvage_usd: NotRequired[float]
    revenue_usd_per_year: NotRequired[float]
    opex_usd_per_year: NotRequired[float]
    tax_fraction: NotRequired[float]



class DepreciationResult(TypedDict):
    """The asset by year. Answer of the model `cost.depreciation`."""

    years: list[DepreciationYear]
    depreciated_usd: float
    depreciated_fraction: float



class DepreciationYear(TypedDict):
    """One year of the asset."""

    year: int
    depreciation_usd: float
    book_value_usd: float
    tax_shield_usd: float
    after_tax_usd: float



class DepthFit(TypedDict):
    """One depth: measured, and as the fitted drive has it."""

    way: Literal['read', 'write']
    depth_count: int
    measured_ms: float
    modelled_ms: float | None
    error_fraction: float | None
    measured_per_s: float
    host_ms: float | None
    wake_ms: NotRequired[float]
    arrivals: NotRequired[ClosedArrivals | None]
    unused_reason: str | None



class DepthPoint(TypedDict):
    """One drive with so many of the requests always under way."""

    depth_count: int
    response_ms: float
    requests_per_s: float
    throughput_mb_per_s: float



class DepthRow(TypedDict):
    """Requests of one size, so many of them outstanding at all times."""

    way: NotRequired[Literal['read', 'write']]
    depth_count: int
    latency_ms: float
    rate_per_s: NotRequired[float | None]
    timed_out: NotRequired[bool]
    percentiles: NotRequired[list[Percentile]]


Design: TypeAlias = 'OwnedCluster | Cloud | Hybrid | DiskArray'


class DesignCreateInputRequest(TypedDict):
    """Body of *add a design under the next free letter, at most eight*."""

    letter: NotRequired[LetterEnum]
    title: str
    kind: str
    spec: NotRequired[DesignSpec | OpenDocument]
    provenance: NotRequired[dict[str, dict[str, JsonValue]]]



class DesignDiffOutput(TypedDict):
    """Answer of *return what leads from a named version, or another design, to this one*."""

    against: str
    against_title: str
    differences: list[Difference]



class DesignHead(TypedDict):
    """A design without its fields; `designs/{id}` has them."""

    id: str
    study: str
    letter: str
    title: str
    kind: str
    revision: int
    updated_at: str



class DesignOutput(TypedDict):
    """A design with its fields."""

    id: str
    study: str
    letter: str
    title: str
    kind: str
    spec: DesignSpec | OpenDocument
    provenance: dict[str, dict[str, JsonValue]]
    position: int
    revision: int
    faults: list[Fault]
    cautions: list[Fault]
    ranges_left: list[dict[str, Any]]
    updated_at: str



class DesignResult(TypedDict):
    """One column of the comparison. `ranked_usd` is what the verdict goes by: the mean over the simulations of the chosen measure, or the measure as entered where nothing was simulated. `cumulative_ranked_usd` leads there month by month; the P10, P50 and P90 beside it are of the same measure."""

    letter: str
    title: str
    kind: Literal['owned_cluster', 'cloud', 'hybrid', 'disk_array', 'baseline']
    is_baseline: NotRequired[bool]
    carries_load: bool
    shortfall: NotRequired[Remark | None]
    remarks: NotRequired[list[Remark]]
    competes: bool
    binding: Binding
    spare: Spare
    sizing: list[SizedYear]
    total_usd: float
    npv_usd: float
    eac_usd_per_year: float
    ranked_usd: float
    irr_fraction: NotRequired[float | None]
    irr_reason: NotRequired[str | None]
    mirr_fraction: NotRequired[float | None]
    owed_after_horizon_usd: NotRequired[float]
    causes: list[CauseAmount]
    cumulative_usd: list[float]
    cumulative_npv_usd: list[float]
    cumulative_ranked_usd: list[float]
    years: list[Year]
    statement: NotRequired[list[FiscalYear]]
    energy: Energy
    energy_by_cause_kwh: dict[str, float]
    carbon: CarbonAmount
    downtime: DowntimeFigures
    array: NotRequired[ArrayFigures | None]
    tiers: NotRequired[list[TierFigures]]
    rented_storage: NotRequired[RentedStorage | None]
    owned_storage_tb: NotRequired[float | None]
    owned_storage_usd_per_tb_year: NotRequired[float | None]
    service: NotRequired[ServiceFigures | None]
    memory: NotRequired[MemoryFigures | None]
    racks: NotRequired[RackFigures | None]
    envelope: NotRequired[EnvelopeFigures | None]
    io: NotRequired[IoFigures | None]
    owned_storage_fraction: NotRequired[float | None]
    showback: NotRequired[list[TeamCost]]
    mean_usd: NotRequired[float | None]
    mean_error_usd: NotRequired[float | None]
    p10_usd: NotRequired[float | None]
    p50_usd: NotRequired[float | None]
    p90_usd: NotRequired[float | None]
    regret_usd: NotRequired[float | None]
    win_fraction: NotRequired[float | None]
    near_fraction: NotRequired[float | None]
    met_fraction: NotRequired[float | None]
    unmet_h_per_year: NotRequired[float | None]
    cumulative_p10_usd: NotRequired[list[float] | None]
    cumulative_p50_usd: NotRequired[list[float] | None]
    cumulative_p90_usd: NotRequired[list[float] | None]
    warnings: NotRequired[list[str]]


DesignSpec: TypeAlias = 'CloudSpec | DiskArraySpec | HybridSpec | OwnedClusterSpec'


class DesignSummary(TypedDict):
    """What a design costs and uses over the horizon; what is null is not known."""

    letter: str
    title: str
    kind: Literal['owned_cluster', 'cloud', 'hybrid', 'disk_array', 'baseline']
    competes: bool
    cost_usd: float
    p10_usd: NotRequired[float | None]
    p90_usd: NotRequired[float | None]
    cheapest_fraction: float | None
    causes_usd: dict[str, float]
    energy_kwh: float | None
    carbon_kgco2e: float | None
    shortfall: str | None
    warnings: NotRequired[list[str]]



class DesignUpdateInputRequest(TypedDict):
    """Body of *replace each part that is named*."""

    title: NotRequired[str]
    kind: NotRequired[str]
    spec: NotRequired[DesignSpec | OpenDocument]
    provenance: NotRequired[dict[str, dict[str, JsonValue]]]
    position: NotRequired[int]



class DeviceTrendsParams(TypedDict):
    """Processors and disks to set side by side, and platforms with their caches. Input of the model `performance.device_trends`."""

    processors: NotRequired[list[Processor]]
    disks: NotRequired[list[Disk]]
    platforms: NotRequired[list[Platform]]
    working_sets_count: NotRequired[int]



class DeviceTrendsResult(TypedDict):
    """The figure: points, the trend's slopes, who wins, and where the platforms flip. A slope is of the logarithm of work per joule against the logarithm of speed: -1 would be speed bought at its full price in efficiency, 0 at none. Answer of the model `performance.device_trends`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    processors: list[ProcessorPoint]
    disks: list[DiskPoint]
    processor_slope_ratio: float | None
    disk_slope_ratio: float | None
    best_processor: str
    best_disk: str
    flips: list[FlipPoint]
    flips_count: int
    first_share_fraction: float



class DeviceUse(TypedDict):
    """What one device did."""

    name: str
    power_w: float
    utilization_fraction: float
    states: list[StateUse]
    spin_ups_count: int
    low_power_wakes_count: int
    reads_count: int
    writes_count: int
    read_tb: float
    written_tb: float
    max_queue_count: int
    mean_queue_count: float
    seek_mean_ms: float | None
    rotation_mean_ms: float | None
    transfer_mean_ms: float | None
    access_energy_j: float | None
    load_unloads_count: int
    write_amplification_ratio: float | None
    years_to_rating_years: float | None



class Devices(TypedDict):
    """Devices beside the processors, such as GPUs: idle, full power, and a load of their own."""

    power_idle_w: NotRequired[float]
    power_max_w: NotRequired[float]
    devices_count: NotRequired[int]
    utilization_fraction: NotRequired[float | None]



class Dies(TypedDict):
    """Dies that have the data, each with a queue of its own, behind one link."""

    page_bytes: NotRequired[int]
    link_read_ms: NotRequired[float]
    link_write_ms: NotRequired[float]



class Difference(TypedDict):
    """A value that differs between two designs."""

    pointer: str
    change: ChangeEnum
    before: JsonValue
    after: JsonValue



class DimmPowerParams(TypedDict):
    """Modules, and the traffic that they share evenly. Input of the model `memory.dimm_power`."""

    module: NotRequired[KnownModule | TypedModule | RdramDevices]
    modules_count: NotRequired[int]
    traffic_mb_per_s: NotRequired[float]
    read_fraction: NotRequired[float]
    row_hit_fraction: NotRequired[float]
    powerdown_reach_fraction: NotRequired[float]
    electricity_usd_per_kwh: NotRequired[float]
    pue: NotRequired[float]



class DimmPowerResult(TypedDict):
    """Watts by state and by policy; empty, with the reason, where a current is unknown. Answer of the model `memory.dimm_power`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    states: list[StateRow]
    policies: list[MemoryPolicyRow]
    powerdown_saving_w: float | None
    basis: Literal['modelled', 'unknown']
    reason: str | None



class DiscountOffer(TypedDict):
    """A discount on the on-demand price."""

    kind: str
    discount_fraction: NotRequired[float]



class Disk(TypedDict):
    """A disk: how fast it reads in order, and what it draws meanwhile."""

    name: str
    throughput_mb_per_s: float
    power_w: float
    rotation_rpm: NotRequired[float | None]
    form_factor: NotRequired[str]



class DiskArray(TypedDict):
    """Arrays of one kind that hold the workload's data and serve its requests."""

    letter: str
    title: str
    kind: str
    array: ArraySpec
    tiering: NotRequired[Tiering | None]
    hardware_price_ratio: NotRequired[float]
    racks: NotRequired[Racks]
    envelope: NotRequired[Envelope]
    space: NotRequired[Space]
    support: NotRequired[Support]
    spares_fraction_per_year: NotRequired[float]
    staff_fte: NotRequired[float]
    staff_usd_per_year: NotRequired[float]
    migration: NotRequired[PlansMigration]
    finance: NotRequired[Purchase | Lease]
    salvage: NotRequired[Salvage]
    refresh_months: NotRequired[int | None]
    pue: NotRequired[float | None]
    provision_ratio: NotRequired[float]



class DiskArraySpec(TypedDict):
    """Arrays of one kind that hold the workload's data and serve its requests. As `spec` of a design of the kind `disk_array`."""

    array: ArraySpec
    tiering: NotRequired[Tiering | None]
    hardware_price_ratio: NotRequired[float]
    racks: NotRequired[Racks]
    envelope: NotRequired[Envelope]
    space: NotRequired[Space]
    support: NotRequired[Support]
    spares_fraction_per_year: NotRequired[float]
    staff_fte: NotRequired[float]
    staff_usd_per_year: NotRequired[float]
    migration: NotRequired[PlansMigration]
    finance: NotRequired[Purchase | Lease]
    salvage: NotRequired[Salvage]
    refresh_months: NotRequired[int | None]
    pue: NotRequired[float | None]
    provision_ratio: NotRequired[float]



class DiskCopies(TypedDict):
    """What the copies on one disk, or on all, did."""

    hits_count: int
    hit_fraction: float | None
    copies_count: int
    copied_tb: float
    copy_writes_count: int
    invalidated_count: int
    reclaimed_count: int
    not_copied_count: int



class DiskGeometry(TypedDict):
    """Tracks of a disk, and at which angle they start: zones at the index mark, unless they say."""

    surfaces_count: int
    zones: list[GeometryZone]
    head_skew_ms: NotRequired[float]
    cylinder_skew_ms: NotRequired[float]
    follows_angle: NotRequired[bool]



class DiskPoint(TypedDict):
    """A disk in the figure."""

    name: str
    throughput_mb_per_s: float
    efficiency_mb_per_j: float
    rotation_rpm: float | None
    form_factor: str



class DiskSimDrive(TypedDict):
    """The drive, and what its files do not say. Answer of the model `storage.disksim_drive`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    drive: HardDisk
    taken: list[str]
    disks: list[str]



class DiskSimParams(TypedDict):
    """Files of one disk, or of several. Input of the model `storage.disksim_drive`."""

    files: list[NamedText]
    disk: NotRequired[str | None]



class Dispatch(TypedDict):
    """Which copy serves a read, and when sleeping copies wake."""

    kind: NotRequired[Literal['primary_first', 'response_time', 'shortest_queue', 'nearest_head', 'random', 'round_robin']]
    queue_threshold_count: NotRequired[int]
    response_max_ms: NotRequired[float]
    keep_primary_awake: NotRequired[bool]
    wake_binding: NotRequired[bool]
    concurrent_wakes_count: NotRequired[int]
    lazy_writes: NotRequired[bool]



class DoorOutput(TypedDict):
    """Answer of *say who may make an account here, and whether there is mail*."""

    sign_up: SignUpEnum
    mail: bool
    openid: str | None
    saml: str | None



class Dot(TypedDict):
    """A place that a figure points at: its words, and what there is to know beside them."""

    role: str
    at: float
    value: float
    text: str
    means: NotRequired[str]



class Downtime(TypedDict):
    """What may be down, for how long, and what an hour of it costs. Failures on their own, of sites and machines; not those of software, of operators, or of many machines by one fault."""

    usd_per_h: NotRequired[float]
    site_up_fraction: NotRequired[float]
    machine_afr_fraction: NotRequired[float]
    repair_h: NotRequired[float]
    recovery_h: NotRequired[float]



class DowntimeFigures(TypedDict):
    """Hours a year for which a design does not carry its demand; None with a reason when unknown. `what` says what the hours are made of."""

    h_per_year: NotRequired[float | None]
    sites_h_per_year: NotRequired[float | None]
    provider_h_per_year: NotRequired[float | None]
    machines_h_per_year: NotRequired[float | None]
    what: NotRequired[str | None]
    reason: NotRequired[str | None]



class DraftCache(TypedDict):
    """What a drawing takes of a cache."""

    device: DraftDevice
    count: NotRequired[int]
    write_back: NotRequired[bool]



class DraftCode(TypedDict):
    """A code over nodes: such a cluster is no array, whatever its layout says."""




class DraftDevice(TypedDict):
    """What a drawing takes of a cache's device."""

    capacity_gb: float



class DraftDrive(TypedDict):
    """What a drawing takes of a drive."""

    kind: NotRequired[Literal['hdd', 'ssd']]
    name: NotRequired[str]



class Drawn(TypedDict):
    """What charts draw of a comparison, and the two designs that they hold against each other. `years` are the lines of each design's years as they are printed, the total last, `statements` its fiscal years in the books, `unsaid` what a comparison of a version before 2.5 does not say of itself."""

    pair: list[str]
    figures: list[Figure]
    years: dict[str, dict[str, list[str]]]
    statements: dict[str, StatementTable]
    statement_note: str
    unsaid: dict[str, Any]



class DrawnArray(TypedDict):
    """An array as it is drawn."""

    says: str
    groups: list[DrawnGroup]
    is_flash: bool
    has_copies: bool
    cache: str | None
    cache_short: str | None



class DrawnChunk(TypedDict):
    """What lies at a place of a disk: the number of the data, or of the stripe of a parity."""

    kind: Literal['data', 'parity', 'second_parity', 'third_parity']
    label: str
    is_even: bool



class DrawnDefects(TypedDict):
    """Bad sectors drawn after a pattern."""

    kind: str
    pattern: NotRequired[Literal['scratch', 'track_start_cluster', 'run', 'crossing_scratch', 'scatter', 'servo', 'uniform']]
    sectors_count: NotRequired[int]



class DrawnDisk(TypedDict):
    """A disk: how it is, and what lies on it from its first place on."""

    state: Literal['awake', 'asleep', 'lost', 'rebuilt', 'spare']
    chunks: list[DrawnChunk]



class DrawnGroup(TypedDict):
    """Disks that stand together: the copies of a chunk, or the disks of a parity group."""

    disks: list[DrawnDisk]
    is_framed: bool



class DriveBuffer(TypedDict):
    """A drive's own memory: it reads ahead after a miss, and may take writes before the platter."""

    segments_count: NotRequired[int]
    segment_bytes: NotRequired[int]
    ahead_bytes: NotRequired[int]
    bus_mb_per_s: NotRequired[float]
    writes_behind: NotRequired[bool]
    held_writes_count: NotRequired[int]
    whole_tracks: NotRequired[bool]



class DriveTracks(TypedDict):
    """What a disk's tracks come to."""

    cylinders_count: int
    held_gb: float
    turn_ms: float
    zone_rates_mb_per_s: list[float]
    zones_said: list[str]
    says: str
    caption: str



class Drives(TypedDict):
    """The drives of a node that hold the group's data."""

    per_node_count: int
    capacity_tb: float
    kind: Literal['ssd', 'hdd']
    unit_price_usd: NotRequired[float]
    price_as_of: NotRequired[str | None]
    copies_count: NotRequired[int]
    io_per_s: NotRequired[float | None]
    throughput_mb_per_s: NotRequired[float | None]



class Durability(TypedDict):
    """How likely data are lost; empty where the time of a rebuild is unknown."""

    group_mttdl_years: float | None
    mttdl_years: float | None
    loss_fraction_per_year: float | None
    object_nines_count: float | None
    hit_fraction: float
    survives_count: int



class DynamicParams(TypedDict):
    """Hosts, machines, what the machines ask for over time, and the policies to compare. Input of the model `consolidation.dynamic`."""

    hosts: NotRequired[list[HostType]]
    machine_types: NotRequired[list[ConsolidationMachineType]]
    trace: NotRequired[TraceRef | None]
    generated: NotRequired[GeneratedLoad | None]
    utilization_fraction: NotRequired[list[list[float]] | None]
    policies: NotRequired[list[Policy]]
    step_s: NotRequired[float]
    duration_h: NotRequired[float | None]
    idle_ends_machine: NotRequired[bool]
    memory_limits: NotRequired[bool]
    percentile_fraction: NotRequired[float]
    fill_fraction: NotRequired[float]
    electricity_usd_per_kwh: NotRequired[float]
    pue: NotRequired[float]
    carbon_gco2e_per_kwh: NotRequired[float | None]
    overhead_w: NotRequired[float]
    wake_j: NotRequired[float]
    fallback_fraction: NotRequired[float]



class DynamicResult(TypedDict):
    """The day under each policy. Answer of the model `consolidation.dynamic`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    best_policy: str | None
    static: StaticPlan
    machines_count: int
    hosts_count: int
    duration_h: float
    days: list[DayResult]



class EfficiencyPoint(TypedDict):
    """Work per joule at one speed, with and without the fixed part."""

    speed_mips: float
    efficiency_mips_per_w: float
    core_efficiency_mips_per_w: float



class ElectricitySpread(TypedDict):
    """Price of energy."""

    low_usd_per_kwh: float
    mode_usd_per_kwh: float
    high_usd_per_kwh: float



class EmailOutput(TypedDict):
    """Answer of *say whether one's address is confirmed*."""

    email: str
    verified_at: str | None
    mail: bool
    sees_mail: bool



class Embodied(TypedDict):
    """Emissions of making a node."""

    kgco2e: NotRequired[float]
    low_kgco2e: NotRequired[float | None]
    high_kgco2e: NotRequired[float | None]
    life_months: NotRequired[int]
    year: NotRequired[int | None]
    basis: NotRequired[Literal['cradle_to_gate', 'cradle_to_site', 'cradle_to_grave_without_use'] | None]
    factor_source: NotRequired[str | None]



class EmbodiedParams(TypedDict):
    """Hardware, the part of it and the time it is used, and the work it does. Input of the model `carbon.embodied`."""

    embodied_kgco2e: NotRequired[float]
    life_years: NotRequired[float]
    duration_h: NotRequired[float]
    resource_fraction: NotRequired[float]
    operational_kgco2e: NotRequired[float]
    work_count: NotRequired[float]



class EmbodiedResult(TypedDict):
    """The amortised part, and carbon per unit of work. Answer of the model `carbon.embodied`."""

    share_kgco2e: float
    time_fraction: float
    sci_kgco2e_per_unit: float
    embodied_fraction: float | None
    reason: str | None



class Enclosure(TypedDict):
    """What holds and runs the drives of one array."""

    unit_price_usd: NotRequired[float]
    power_w: NotRequired[float]
    rack_units_count: NotRequired[float]
    io_per_s: NotRequired[float | None]
    throughput_mb_per_s: NotRequired[float | None]



class Energy(TypedDict):
    """Electricity over the horizon, cooling included; None with a reason when unknown."""

    kwh: float | None
    low_kwh: float | None
    high_kwh: float | None
    basis: Literal['modelled', 'estimate', 'unknown']
    reason: NotRequired[str | None]



class EnergyCharges(TypedDict):
    """What energy costs by the time of use, and by its amount."""

    weekday_schedule: NotRequired[list[list[int]]]
    weekend_schedule: NotRequired[list[list[int]]]
    periods: NotRequired[list[EnergyPeriod]]
    tiers_fill_with: NotRequired[Literal['period', 'month']]



class EnergyPeriod(TypedDict):
    """Hours whose energy has one price, or one list of tiers."""

    name: NotRequired[str]
    tiers: list[EnergyTier]



class EnergyShare(TypedDict):
    """Energy of one cause: what the disks did, or the cache's device as a whole."""

    cause: Literal['active', 'seek', 'idle', 'low_power_idle', 'standby', 'transition', 'solid_state_cache']
    energy_j: float
    energy_fraction: float



class EnergyTier(TypedDict):
    """A price of energy that holds up to an amount of a month."""

    up_to_kwh: NotRequired[float | None]
    rate_usd_per_kwh: float
    adjustment_usd_per_kwh: NotRequired[float]



class EnginePassParams(TypedDict):
    """A replica, and what it does in the pass. Input of the model `serving.engine_pass`."""

    replica: NotRequired[Replica]
    decoded_count: NotRequired[float]
    context_tokens: NotRequired[float]
    prefill_tokens: NotRequired[float]



class EnginePassResult(TypedDict):
    """The time of a pass, and its parts. Answer of the model `serving.engine_pass`."""

    pass_ms: Banded
    weights_ms: float
    work_ms: float
    cache_ms: float
    attention_ms: float
    links_ms: float
    host_ms: float
    bound: str
    nearness: Literal['measured', 'calibrated', 'interpolated', 'extrapolated']
    told: str



class EnterInputRequest(TypedDict):
    """Body of *go on in another of one's workspaces*."""

    workspace: str



class EnteredLevel(TypedDict):
    """Demand by the month, in one or several courses."""

    kind: str
    paths: list[DemandPath]



class EntryDrive(TypedDict):
    """A drive as models take it, or what its entry lacks for one."""

    kind: str
    drive: dict[str, JsonValue] | None
    missing: list[str]
    origins: dict[str, FigureOrigin]



class Envelope(TypedDict):
    """Limits of the place where a cluster stands; the plan says when they are exhausted."""

    power_kw: NotRequired[float | None]
    rack_units_count: NotRequired[float | None]



class EnvelopeFigures(TypedDict):
    """What a site has left, year by year, and when it is exhausted. `full_year` is the first year of the horizon in which the design no longer fits; `lasts_years` how long it fits if it grows on after the horizon as within it."""

    power_limit_kw: float | None
    rack_units_limit_count: float | None
    years: list[EnvelopeYear]
    full_year: int | None
    lasts_years: float | None
    limit: Literal['power', 'rack_units'] | None
    sentence: str
    reason: NotRequired[str | None]



class EnvelopeYear(TypedDict):
    """Power contracted and rack units taken in one year; None where it is not known."""

    year: int
    power_kw: float | None
    rack_units_count: float | None



class Equipment(TypedDict):
    """Something bought beside the nodes: switches, power strips, cabling."""

    name: str
    component: NotRequired[Literal['cpu', 'dram', 'ssd', 'hdd', 'gpu', 'chassis', 'network', 'server', 'facility', 'other']]
    purpose: NotRequired[Literal['host_switch', 'upper_switch', 'gpu_switch', 'management_switch', 'console_server', 'router', 'host_link', 'switch_link', 'gpu_host_link', 'gpu_switch_link'] | None]
    ports_count: NotRequired[int | None]
    count: NotRequired[float]
    per_nodes_count: NotRequired[int | None]
    group: NotRequired[str | None]
    unit_price_usd: float
    power_w: NotRequired[float]
    rack_units_count: NotRequired[float]
    price_as_of: NotRequired[str | None]



class EquivalentAnnualCostParams(TypedDict):
    """Assets to compare, and the discount rate. Input of the model `cost.equivalent_annual_cost`."""

    assets: list[Asset]
    discount_fraction_per_year: NotRequired[float]



class EquivalentAnnualCostResult(TypedDict):
    """Costs in the order given, and the position of the one that is cheapest a year. Answer of the model `cost.equivalent_annual_cost`."""

    assets: list[AssetCost]
    cheapest_index: int



class ErasureCode(TypedDict):
    """How an object becomes shards."""

    data_count: NotRequired[int]
    parity_count: NotRequired[int]
    local_groups_count: NotRequired[int]



class Estimate(TypedDict):
    """A power with the interval that the given share of refits lie in."""

    value_w: float
    low_w: float
    high_w: float



class EvaluateInputRequest(TypedDict):
    """Body of *evaluate a model now*."""

    model: NotRequired[str]
    params: NotRequired[ModelParams | OpenDocument]
    draws_count: NotRequired[int]
    study: NotRequired[str]
    moves: NotRequired[dict[str, float]]
    before: NotRequired[StudySpec | OpenDocument]
    ranges: NotRequired[RangesEnum]



class EvaluateOutput(TypedDict):
    """Answer of *evaluate a model now*."""

    model: str
    version: str
    inputs_hash: str
    summary: NotRequired[Summary]
    result: NotRequired[ModelResult | OpenDocument]
    drawn: NotRequired[Drawn]
    moved: NotRequired[dict[str, JsonValue]]
    ranges_left: NotRequired[list[dict[str, Any]]]


EventsEnum: TypeAlias = "Literal['run.finished', 'verdict.changed', 'breakeven.moved', 'prices.arrived', 'approval.asked', 'study.approved']"


class Expansion(TypedDict):
    """What is bought at once as the demand grows, where the number of arrays is left empty."""

    kind: NotRequired[Literal['steps', 'whole']]
    step_count: NotRequired[int | None]



class ExponentialArrivals(TypedDict):
    """Poisson arrivals."""

    kind: str
    mean_ms: NotRequired[float]



class FabricParams(TypedDict):
    """Hosts with their ports, and the switches that join them. Input of the model `network.fabric`."""

    hosts_count: NotRequired[int]
    ports_per_host_count: NotRequired[int]
    rails_count: NotRequired[int]
    port_gbit_per_s: NotRequired[float]
    oversubscription_ratio: NotRequired[float]
    leaf_ports_count: NotRequired[int]
    leaf_uplinks_count: NotRequired[int]
    uplink_gbit_per_s: NotRequired[float | None]
    spine_ports_count: NotRequired[int]
    even_uplinks: NotRequired[bool]
    leaf_usd: NotRequired[float]
    spine_usd: NotRequired[float]
    host_link_usd: NotRequired[float]
    switch_link_usd: NotRequired[float]
    leaf_w: NotRequired[float]
    spine_w: NotRequired[float]
    leaf_units_count: NotRequired[float]
    spine_units_count: NotRequired[float]



class FabricResult(TypedDict):
    """What the network consists of, all rails together, and what it is worth. Answer of the model `network.fabric`."""

    tiers_count: int
    leaves_count: int
    spines_count: int
    cores_count: int
    switches_count: int
    host_links_count: int
    switch_links_count: int
    hosts_per_leaf_count: int
    uplinks_per_leaf_count: int
    most_hosts_count: int
    oversubscription_ratio: float
    bisection_gbit_per_s: float
    power_kw: float
    rack_units_count: float
    switches_usd: float
    links_usd: float
    total_usd: float
    sentence: str



class FacilityLine(TypedDict):
    """One line of the monthly bill."""

    line: str
    label: str
    usd_per_month: float
    share_fraction: float



class FacilityParams(TypedDict):
    """Servers, network, building and power of a facility, and the cost of money. Input of the model `cost.facility`."""

    servers_count: NotRequired[int]
    server_usd: NotRequired[float]
    server_life_years: NotRequired[float]
    facility_usd: NotRequired[float]
    facility_life_years: NotRequired[float]
    network_usd: NotRequired[float]
    network_life_years: NotRequired[float]
    rate_fraction_per_year: NotRequired[float]
    critical_power_w: NotRequired[float]
    load_fraction: NotRequired[float]
    pue: NotRequired[float]
    electricity_usd_per_kwh: NotRequired[float]
    plant_fraction: NotRequired[float]
    month_h: NotRequired[float]



class FacilityResult(TypedDict):
    """The monthly bill. Answer of the model `cost.facility`."""

    total_usd_per_month: float
    lines: list[FacilityLine]
    facility_usd_per_month: float
    server_usd_per_month: float
    energy_kwh_per_month: float
    burdened_power_usd_per_month: float
    burdened_power_fraction: float



class FactorOrigin(TypedDict):
    """Of what year and basis a factor is, and who says so."""

    year: NotRequired[int | None]
    basis: NotRequired[Literal['cradle_to_gate', 'cradle_to_site', 'cradle_to_grave_without_use'] | None]
    factor_source: NotRequired[str | None]



class FamilyCurve(TypedDict):
    """The shape of a family of measured servers between this server's idle and full power."""

    power_idle_w: NotRequired[float]
    power_max_w: NotRequired[float]
    family: Literal['core', 'opteron', 'nehalem', 'entry', 'sandy_bridge', 'haswell', 'coffee_lake', 'skylake', 'ice_lake', 'sapphire_rapids', 'rocket_lake', 'zen1', 'zen2', 'zen3', 'zen4']
    reading: NotRequired[Reading | None]
    result: NotRequired[PublishedResult | None]
    kind: str



class FamilyPower(TypedDict):
    """Idle and full power, and between them the shape of the processor's family."""

    kind: str
    idle_w: float
    peak_w: float
    family: Literal['core', 'opteron', 'nehalem', 'entry', 'sandy_bridge', 'haswell', 'coffee_lake', 'skylake', 'ice_lake', 'sapphire_rapids', 'rocket_lake', 'zen1', 'zen2', 'zen3', 'zen4']
    reading: NotRequired[PowerReading | None]
    result: NotRequired[PublishedResult | None]



class FanCurve(TypedDict):
    """Fan's curve with a fitted exponent."""

    power_idle_w: NotRequired[float]
    power_max_w: NotRequired[float]
    kind: str
    exponent: NotRequired[float]



class FanPower(TypedDict):
    """Fan et al. 2007: idle + (peak - idle)(2u - u^r)."""

    kind: str
    idle_w: float
    peak_w: float
    exponent: NotRequired[float]



class Fault(TypedDict):
    """One thing that is wrong with the request, at a JSON pointer."""

    pointer: str
    code: str
    message: str



class Figure(TypedDict):
    """A chart as data: what it finds, its axes, its series. Bars, columns and ranges have a row each (`rows`, with `row_notes` at the ends of bars) and their values along `along`; lines, areas that add up and points stand at their series' `at`, along `across`. Steps are values that hold from one `at` to the next, on top of each other. Cells are a `measure`: a series a row, at its level on `along`. Regions are cells that are one of `kinds`, by its place there; dashes are lines over them, dots their names and what is `chosen`. A waterfall is one series of steps, swings are bars to either side of where things stand, which are a `measure`. `kinds` are what points may be, with a mark for each; `marks` are places on `across` where the finding changes, `limit` what values should stay below, `best` the row, series or point that the finding speaks of, `dots` where it points at. Of figures of one name one is shown, chosen by `of`. `twin` are its numbers as a table, where they are not those of its series. `row_roles` are what rows are: the letters of designs, before their names; steps of a waterfall that cost `more` or `less`; what `flips` a finding. `row_reasons` say why a row has no value."""

    kind: Literal['stacked', 'grouped', 'columns', 'ranges', 'waterfall', 'swings', 'lines', 'areas', 'steps', 'points', 'cells', 'regions']
    name: str
    of: NotRequired[str | None]
    title: str
    summary: NotRequired[str]
    along: Axis
    series: list[Series]
    across: NotRequired[Axis | None]
    rows: NotRequired[list[str]]
    row_roles: NotRequired[list[str]]
    row_notes: NotRequired[list[str]]
    row_reasons: NotRequired[list[str]]
    best: NotRequired[str | None]
    marks: NotRequired[list[float]]
    dots: NotRequired[list[Dot]]
    limit: NotRequired[float | None]
    kinds: NotRequired[list[str]]
    levels: NotRequired[list[float]]
    measure: NotRequired[Axis | None]
    less_is_better: NotRequired[bool]
    note: NotRequired[str | None]
    twin: NotRequired[list[Column]]



class FigureOrigin(TypedDict):
    """The field of an entry that a figure comes from."""

    field: str
    how: str | None



class FigureRow(TypedDict):
    """A figure of arrays side by side: what stands under its cells, and which of them is best."""

    head: str
    cells: list[str]
    means: NotRequired[str | None]
    is_best: NotRequired[bool]
    under: list[str | None]
    hints: list[str | None]
    best: str | None



class FiguresTable(TypedDict):
    """Figures of arrays side by side, a column for each."""

    title: str
    columns: list[str]
    rows: list[FigureRow]
    means: NotRequired[list[str | None]]
    note: NotRequired[str | None]
    letters: list[str]



class FileInputRequest(TypedDict):
    """Body of *read an archive into the workspace, all of it or, with the reason, nothing*."""

    file: bytes
    title: NotRequired[str]



class Fill(TypedDict):
    """What consolidation says of a group: how full its nodes may be, or how many there are."""

    target_utilization_fraction: NotRequired[float | None]
    hosts_count: NotRequired[int | None]
    source: NotRequired[str | None]



class Finding(TypedDict):
    """Where designs are not alike. `money_usd` is the change of the leader's mean gap to its best rival after the fix, None where it is unknown; `winner_after` another leader after it, and `then` says so of all that cost the same as that. `accepted` says why it was left as it is. What one remedy serves is one finding: `keys` are all that it takes to accept it, `key` is the first of them."""

    key: str
    keys: NotRequired[list[str]]
    rule: str
    title: str
    sentence: str
    pointer: str
    not_counted: bool
    fix: list[Patch]
    money_usd: NotRequired[float | None]
    money: str
    winner_after: NotRequired[str | None]
    then: NotRequired[str | None]
    accepted: NotRequired[str | None]



class FirstOfBurst(TypedDict):
    """The first of the runs that one burst of editing made."""

    id: str
    submitted_at: str
    model_version: str
    winner: str
    cost_usd: float | None
    odds: dict[str, float] | None



class FiscalYear(TypedDict):
    """One fiscal year of a design in the books of its owner, as entered and undiscounted. Costs are positive; EBITDA, result and free cash are negative where the design takes from them, as no income is modelled. Assets, payments in advance and the liability of leases are those at the end of the year. The budget is compared with capital and operating expenditure. Free cash is EBITDA and proceeds less capital expenditure, lease payments, what is paid ahead and tax."""

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
    budget_usd: NotRequired[float | None]
    over_budget_usd: NotRequired[float | None]



class FixedChange(TypedDict):
    """A change each year that is known."""

    kind: str
    value_fraction_per_year: NotRequired[float]



class FixedPowerParams(TypedDict):
    """A reference core, how its power grows, and the fixed part of a node. Input of the model `power.fixed_power`."""

    speed_ref_mips: NotRequired[float]
    efficiency_ref_mips_per_w: NotRequired[float]
    exponent: NotRequired[float]
    power_fixed_w: NotRequired[float]
    speed_low_mips: NotRequired[float]
    speed_high_mips: NotRequired[float]
    points_count: NotRequired[int]



class FixedPowerResult(TypedDict):
    """The curve, and the speed that does most work per joule. Answer of the model `power.fixed_power`."""

    curve: list[EfficiencyPoint]
    best_speed_mips: float | None
    best_efficiency_mips_per_w: float | None
    best_cpu_power_w: float | None
    best_reason: str | None



class FlashUse(TypedDict):
    """What random requests do to each solid-state drive of an array."""

    write_amplification_ratio: float
    drive_writes_per_day: float
    wear_years: float | None
    sustained_write_mb_per_s: float
    read_response_one_die_ms: float | None



class FlatCharges(TypedDict):
    """What a month's highest power costs, whatever its hour, with a ratchet."""

    periods: NotRequired[list[DemandPeriod]]
    seasons_by_months: NotRequired[list[int]]
    ratchet_fraction: NotRequired[list[float]]
    lookback_months: NotRequired[int]
    counted_months: NotRequired[list[int]]
    earlier_peaks_kw: NotRequired[list[float]]



class FlatElectricity(TypedDict):
    """One price at all hours."""

    kind: str
    usd_per_kwh: NotRequired[float]



class FlatPrice(TypedDict):
    """One price for every hour."""

    kind: str
    electricity_usd_per_kwh: NotRequired[float]



class FlatShape(TypedDict):
    """The same demand at every hour."""

    kind: str



class FleetGroup(TypedDict):
    """Like machines in types of one provider: as provisioned, and by what was measured."""

    name: str
    machines_count: float
    lost_count: float
    cpu: dict[str, float]
    by_size: list[TypeCount]
    by_size_usd_per_h: float
    by_size_usd_per_month: float
    by_use: list[TypeCount]
    by_use_usd_per_h: float
    by_use_usd_per_month: float
    difference_usd_per_month: float



class FleetInTypes(TypedDict):
    """A fleet sized to instance types by its machines' sizes and by their measured use."""

    percentile: float
    cores_target_fraction: float
    ram_headroom_fraction: float
    headroom_source: str
    machines_count: float
    unknown_count: float
    cpu: dict[str, float]
    ram: dict[str, float]
    trace: FleetTrace | None
    notes: list[str]
    providers: list[FleetProvider]



class FleetProvider(TypedDict):
    """A whole fleet in types of one provider, and its groups."""

    name: str
    machines_count: float
    lost_count: float
    cpu: dict[str, float]
    by_size: list[TypeCount]
    by_size_usd_per_h: float
    by_size_usd_per_month: float
    by_use: list[TypeCount]
    by_use_usd_per_h: float
    by_use_usd_per_month: float
    difference_usd_per_month: float
    provider: str
    region: str
    region_why: str
    unpriced_count: int
    groups: list[FleetGroup]



class FleetRatesParams(TypedDict):
    """Cohorts of a fleet. Input of the model `reliability.fleet_rates`."""

    cohorts: NotRequired[list[Cohort]]
    confidence_fraction: NotRequired[float]



class FleetRatesResult(TypedDict):
    """Every cohort, and all of them together. Answer of the model `reliability.fleet_rates`."""

    cohorts: list[CohortRate]
    fleet: CohortRate



class FleetTrace(TypedDict):
    """The trace that machines were found in by name."""

    title: str
    machines_count: int
    joined_count: int
    unjoined_count: float



class Flip(TypedDict):
    """The value of a quantity at which another design becomes cheapest on average. `rises` says that it does so above the value, not below it; `tied_after` are the designs that cost the same as `winner_after` there, and `then` says that all of them are cheapest."""

    pointer: str
    quantity: str
    label: str
    unit: str
    value: float
    low: float
    high: float
    flips_at: float | None
    rises: NotRequired[bool]
    winner_after: str | None
    tied_after: NotRequired[list[str]]
    then: NotRequired[str | None]
    reason: NotRequired[str | None]



class FlipPoint(TypedDict):
    """Accesses per joule of each platform at a working set, and the best platform."""

    working_set_bytes: float
    accesses_per_j: list[float]
    best: str



class ForecastParams(TypedDict):
    """A series without gaps, and how far ahead it is wanted. Input of the model `demand.forecast`."""

    step: NotRequired[Literal['hour', 'day', 'month', 'quarter']]
    values: NotRequired[list[float]]
    trace: NotRequired[TraceRef | None]
    ahead_count: NotRequired[int]
    interval_fraction: NotRequired[float]
    trend: NotRequired[Literal['amount', 'share']]
    errors: NotRequired[Literal['correlated', 'independent']]



class ForecastResult(TypedDict):
    """The forecast with its range, growth a year, and what the back-test found. Answer of the model `demand.forecast`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    forecast: list[float]
    range_low: list[float]
    range_high: list[float]
    growth_fraction_per_year: float | None
    growth_low_fraction_per_year: float | None
    growth_high_fraction_per_year: float | None
    change_per_year: float | None
    seasons: list[str]
    correlation_ratio: float
    back_test: BackTest | None


FormatEnum: TypeAlias = "Literal['pdf', 'xlsx', 'csv']"


class Formula(TypedDict):
    """An equation of a model."""

    id: str
    text: str
    source: str
    symbols: dict[str, str]



class FractionSpread(TypedDict):
    """A share."""

    low_fraction: float
    mode_fraction: float
    high_fraction: float



class FreeSpaceCopies(TypedDict):
    """Blocks that are read far away are copied into free space near the head (Huang 2006)."""

    free_fraction: NotRequired[float]
    epoch_s: NotRequired[float]
    region_bytes: NotRequired[int]
    files_gb_per_h: NotRequired[float]



class Fs2LayerParams(TypedDict):
    """A run of reads that is repeated, spread over hot regions of a disk. Input of the model `storage.fs2_layer`."""

    disk_gb: NotRequired[float]
    regions_count: NotRequired[int]
    files_count: NotRequired[int]
    runs_count: NotRequired[int]
    repeat_fraction: NotRequired[float]
    write_fraction: NotRequired[float]
    free_fraction: NotRequired[float]
    epoch_s: NotRequired[float]
    interval_s: NotRequired[float]



class Fs2LayerResult(TypedDict):
    """Every run, and what the replicas take. Answer of the model `storage.fs2_layer`."""

    runs: list[Fs2LayerRun]
    replicas_count: int
    copied_count: int
    suspended: bool



class Fs2LayerRun(TypedDict):
    """One run, copying included: per request."""

    seek_ms: float
    rotation_ms: float
    access_ms: float
    energy_j: float
    hit_fraction: float



class Fs2Params(TypedDict):
    """Parts of an access without replicas, and what replicas change in them. Input of the model `storage.fs2`."""

    seek_ms: NotRequired[float]
    rotation_ms: NotRequired[float]
    transfer_ms: NotRequired[float]
    seek_change_fraction: NotRequired[float]
    rotation_change_fraction: NotRequired[float]
    seek_w: NotRequired[float]
    idle_w: NotRequired[float]
    busy_fraction: NotRequired[float]



class Fs2Result(TypedDict):
    """An access before and after. Answer of the model `storage.fs2`."""

    access_ms: float
    access_after_ms: float
    access_change_fraction: float
    energy_j: float
    energy_after_j: float
    energy_change_fraction: float
    power_w: float
    power_after_w: float
    power_change_fraction: float



class GeneratedLoad(TypedDict):
    """Load made up from a few numbers: machines that follow the day, each with its own mean."""

    machines_count: NotRequired[int]
    mean_fraction: NotRequired[float]
    spread_ratio: NotRequired[float]
    swing_fraction: NotRequired[float]
    noise_fraction: NotRequired[float]
    peak_h: NotRequired[float]



class Geometry(TypedDict):
    """Zones, surfaces and skews of a disk; slipped and spare sectors are not known."""

    zones: NotRequired[list[ZoneOfTracks]]
    surfaces_count: NotRequired[int]
    head_skew_count: NotRequired[int]
    cylinder_skew_count: NotRequired[int]



class GeometryParams(TypedDict):
    """A disk's zones and skews, and a sector to find. Input of the model `storage.disk_geometry`."""

    zones: NotRequired[list[Zone]]
    surfaces_count: NotRequired[int]
    speed_rpm: NotRequired[float]
    head_skew_ms: NotRequired[float]
    cylinder_skew_ms: NotRequired[float]
    sector: NotRequired[int]



class GeometryResult(TypedDict):
    """The disk's size, and where the sector is. Answer of the model `storage.disk_geometry`."""

    sectors_count: int
    capacity_gb: float
    outer_mb_per_s: float
    inner_mb_per_s: float
    zone: int
    cylinder: int
    surface: int
    track: int
    offset: int
    angle_fraction: float
    head_skew_sectors_count: int
    cylinder_skew_sectors_count: int
    surface_skew_sectors_count: int



class GeometryZone(TypedDict):
    """Neighboring cylinders with the same number of sectors per track."""

    cylinders_count: int
    sectors_per_track_count: int
    spare_sectors_count: NotRequired[int]
    spared_tracks_count: NotRequired[int | None]
    spares_first: NotRequired[bool]
    spares_kept: NotRequired[bool]
    empty_sectors_count: NotRequired[int]
    slipped_sectors: NotRequired[list[int]]
    slipped_tracks: NotRequired[list[int]]
    head_skew_count: NotRequired[float | None]
    cylinder_skew_count: NotRequired[float | None]
    stretch_skew_count: NotRequired[float]
    offset_count: NotRequired[float]



class Gpus(TypedDict):
    """The GPUs of a node as devices: what one draws idle and at its limit, and how busy it is."""

    idle_w: float
    peak_w: float
    use_fraction: NotRequired[float | None]
    psu_efficiency_fraction: NotRequired[float]
    unit_price_usd: NotRequired[float]
    price_as_of: NotRequired[str | None]



class GrownLevel(TypedDict):
    """Demand that grows from what it is now."""

    kind: str
    now_count: NotRequired[float]
    growth: NotRequired[FixedChange | RangeChange | LogNormalChange | CasesChange]
    ceiling_count: NotRequired[float | None]



class Growth(TypedDict):
    """Growth of the work a year, by kind; the use of storage grows with it."""

    cores_fraction_per_year: NotRequired[float]
    ram_fraction_per_year: NotRequired[float]
    block_fraction_per_year: NotRequired[float]
    object_fraction_per_year: NotRequired[float]
    archive_fraction_per_year: NotRequired[float]
    transfer_fraction_per_year: NotRequired[float]
    gpus_fraction_per_year: NotRequired[float]



class GrowthInputRequest(TypedDict):
    """Body of *take a study's growth from a run of the forecast, with its range*."""

    run: str
    of: NotRequired[list[OfEnum]]
    series: NotRequired[SeriesRequest]
    state: NotRequired[dict[str, JsonValue]]



class GrowthParams(TypedDict):
    """Demand, capacity in the same unit, growth, and what ordering more takes. Input of the model `cost.growth`."""

    demand_count: NotRequired[float]
    capacity_count: NotRequired[float]
    growth_fraction_per_year: NotRequired[float]
    headroom_fraction: NotRequired[float]
    lead_months: NotRequired[float]
    block_count: NotRequired[float]
    horizon_years: NotRequired[float]



class GrowthResult(TypedDict):
    """When capacity is exhausted, and the orders that prevent it. Answer of the model `cost.growth`."""

    usable_count: float
    used_fraction: float
    exhausted_years: float | None
    reason: Literal['never', 'exhausted_now'] | None
    order_years: float | None
    doubling_years: float | None
    orders: list[CostOrder]
    orders_count: int
    years: list[DemandPoint]
    warnings: list[str]



class HardDisk(TypedDict):
    """A disk drive."""

    kind: str
    name: NotRequired[str]
    capacity_gb: float
    speed_rpm: float
    seek: ThreePointSeek | TwoRegimeSeek | TableSeek | LogicalSeek
    overhead_ms: NotRequired[float]
    write_settle_ms: NotRequired[float]
    same_cylinder_ms: NotRequired[float]
    outer_mb_per_s: float
    inner_mb_per_s: NotRequired[float | None]
    active_w: float
    idle_w: float
    seek_w: NotRequired[float | None]
    buffer: NotRequired[DriveBuffer | None]
    geometry: NotRequired[DiskGeometry | None]
    measured: NotRequired[MeasuredRules | None]
    low_power_idle: NotRequired[SleepState | None]
    standby: NotRequired[SleepState | None]
    price_usd: NotRequired[float]
    start_stop_rating_count: NotRequired[int]
    unrecoverable_per_bit: NotRequired[float]
    afr_fraction: NotRequired[float]
    on_sale: NotRequired[bool]



class Headroom(TypedDict):
    """How full each resource may be at the peak that a design is sized for."""

    cores_target_fraction: NotRequired[float]
    ram_headroom_fraction: NotRequired[float]
    disk_fill_fraction: NotRequired[float]
    io_target_fraction: NotRequired[float]
    gpu_target_fraction: NotRequired[float]



class HeldCommitment(TypedDict):
    """A commitment that runs already: it is owed whatever is decided."""

    name: str
    committed_count: float
    usd_per_unit_h: float
    until_month: int



class HeldMachines(TypedDict):
    """Machines that are there already."""

    name: str
    count: int
    capacity_count: float
    usable_fraction: NotRequired[float]
    upkeep_usd_per_month: float
    until_month: int
    power_kw: NotRequired[float | None]
    rack_units_count: NotRequired[int | None]



class HostType(TypedDict):
    """A kind of physical machine and how many there are."""

    name: str
    hosts_count: int
    cores_count: int
    core_mips: float
    ram_mb: float
    network_mbit_per_s: float
    power_w: list[float]



class HotSpot(TypedDict):
    """A share of the blocks that sits on few disks."""

    hot_fraction: float
    hot_disks_count: int



class HourlyElectricity(TypedDict):
    """A price for every hour of a day, a week or a year; prices may be negative."""

    kind: str
    usd_per_kwh: list[float]
    scale_ratio: NotRequired[float]



class HourlyIntensity(TypedDict):
    """A factor for each hour, repeated to fill the time."""

    kind: str
    hourly_gco2e_per_kwh: list[float]
    zone: NotRequired[str]
    factor_year: NotRequired[int | None]
    basis: NotRequired[Literal['direct', 'life_cycle']]



class HourlyLoad(TypedDict):
    """A load for every hour."""

    kind: str
    hourly_utilization_fraction: list[float]



class HourlyPrice(TypedDict):
    """A series of hourly prices, repeated to fill the year; prices may be negative."""

    kind: str
    hourly_usd_per_kwh: list[float]



class HourlyShape(TypedDict):
    """Demand hour by hour, as a series of any scale: it is divided by its mean."""

    kind: str
    values_ratio: list[float]



class Hybrid(TypedDict):
    """Some of the demand lives as in an owned design, the rest as in a rented one. The two designs are named, not copied, so that a change of a price, or its draw, holds for both. The base of the compute may be owned and the rest rented on demand."""

    letter: str
    title: str
    kind: str
    owned_letter: str
    rented_letter: str
    placement: NotRequired[Placement]
    own_quantile_fraction: NotRequired[float]
    burst_storage_tb: NotRequired[float]
    services: NotRequired[list[ServiceLine]]
    staff_fte: NotRequired[float]
    staff_usd_per_year: NotRequired[float]
    migration: NotRequired[PlansMigration]



class HybridSpec(TypedDict):
    """Some of the demand lives as in an owned design, the rest as in a rented one. The two designs are named, not copied, so that a change of a price, or its draw, holds for both. The base of the compute may be owned and the rest rented on demand. As `spec` of a design of the kind `hybrid`."""

    owned_letter: str
    rented_letter: str
    placement: NotRequired[Placement]
    own_quantile_fraction: NotRequired[float]
    burst_storage_tb: NotRequired[float]
    services: NotRequired[list[ServiceLine]]
    staff_fte: NotRequired[float]
    staff_usd_per_year: NotRequired[float]
    migration: NotRequired[PlansMigration]



class IdleCapacityParams(TypedDict):
    """Servers, their modules, what is used of them, and what that costs. Input of the model `memory.idle_capacity`."""

    servers_count: NotRequired[int]
    layout: NotRequired[MemoryLayout]
    used: NotRequired[UsedSpread]
    module: NotRequired[KnownModule | TypedModule]
    module_price: NotRequired[PriceSpread]
    traffic: NotRequired[TrafficSpread]
    powerdown_reach: NotRequired[FractionSpread]
    draw: NotRequired[FractionSpread]
    electricity: NotRequired[ElectricitySpread]
    pue: NotRequired[float]
    years: NotRequired[float]
    cores_count: NotRequired[int]
    process_ranks_count: NotRequired[int]
    draws_count: NotRequired[int]
    seed: NotRequired[int]



class IdleCapacityResult(TypedDict):
    """Idle gibibytes and money first, watts second. Answer of the model `memory.idle_capacity`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    idle_gib: float
    idle_p10_gib: float
    idle_p90_gib: float
    spare_gib: float
    spare_p10_gib: float
    spare_p90_gib: float
    spare_modules_count: int
    modules_count: int
    avoided_usd: float
    avoided_p10_usd: float
    avoided_p90_usd: float
    energy_usd: float | None
    energy_p10_usd: float | None
    energy_p90_usd: float | None
    energy_kwh: float | None
    policies: list[PolicyResult]
    cores: list[CoresPoint]
    basis: Literal['modelled', 'unknown']
    reason: str | None
    warnings: list[str]



class Implied(TypedDict):
    """What a printed gain and time cut say together."""

    name: str
    speedup_ratio: float
    power_ratio: float
    energy_ratio: float
    performance_per_wh_ratio: float



class ImportAcceptInputRequest(TypedDict):
    """What a file does not say of itself."""

    cost: NotRequired[CostEnum]
    per_usd: NotRequired[float | None]
    machines_count: NotRequired[float | None]
    study_id: NotRequired[str | None]
    designs: NotRequired[list[ProposedOptionRequest]]
    busy_fraction: NotRequired[float | None]
    server: NotRequired[str | None]
    region: NotRequired[str]
    trace_id: NotRequired[str | None]
    percentile: NotRequired[float | None]
    cores_target_fraction: NotRequired[float | None]
    ram_headroom_fraction: NotRequired[float | None]
    mapping: NotRequired[dict[str, str]]
    title: NotRequired[str]



class ImportAccepted(TypedDict):
    """The study that it went into, or the entry of the catalogue."""

    study_id: str | None
    entry_slug: str | None



class ImportColumn(TypedDict):
    """A column of a table."""

    title: str
    said_as: SaidAsEnum
    unit: str | None



class ImportDetail(TypedDict):
    """An import with what the file says."""

    state: StateEnum
    progress_fraction: float
    progress_message: str
    seconds_left: float | None
    error: JobError | None
    submitted_at: str
    started_at: str | None
    ended_at: str | None
    id: str
    file_name: str
    bytes: int
    format: str
    created_at: str
    version: str
    makes: str
    names: str
    study_id: str | None
    accepted_at: str | None
    preview: dict[str, JsonValue] | None
    tables: list[ImportTable]
    open_points: list[str]



class ImportDraft(TypedDict):
    """What a study would take from the file, and what stays open."""

    title: str
    baseline: Baseline | OpenDocument | None
    entry: dict[str, JsonValue] | None
    tables: list[ImportTable]
    workload: Workload | OpenDocument
    designs: list[ProposedDesign]
    in_types: FleetInTypes | None
    provenance: dict[str, dict[str, JsonValue]]
    reconciliation: list[Reconciliation]
    open_points: list[str]



class ImportFormat(TypedDict):
    """A kind of file that can be imported."""

    id: str
    title: str
    makes: str



class ImportFormats(TypedDict):
    """Every kind of file, and all of them as a sentence."""

    sentence: str
    formats: list[ImportFormat]
    price_lists: list[PriceListSource]
    providers: list[ProviderName]



class ImportMonths(TypedDict):
    """What a bill cost month by month: a series for a forecast."""

    months: list[str]
    values: list[float]



class ImportOptionsInputRequest(TypedDict):
    """What a file does not say of itself."""

    cost: NotRequired[CostEnum]
    per_usd: NotRequired[float | None]
    machines_count: NotRequired[float | None]
    study_id: NotRequired[str | None]
    designs: NotRequired[list[ProposedOptionRequest]]
    busy_fraction: NotRequired[float | None]
    server: NotRequired[str | None]
    region: NotRequired[str]
    trace_id: NotRequired[str | None]
    percentile: NotRequired[float | None]
    cores_target_fraction: NotRequired[float | None]
    ram_headroom_fraction: NotRequired[float | None]
    mapping: NotRequired[dict[str, str]]



class ImportOutput(TypedDict):
    """An import and the state of its job, without what the file says."""

    state: StateEnum
    progress_fraction: float
    progress_message: str
    seconds_left: float | None
    error: JobError | None
    submitted_at: str
    started_at: str | None
    ended_at: str | None
    id: str
    file_name: str
    bytes: int
    format: str
    created_at: str
    version: str
    makes: str
    names: str
    study_id: str | None
    accepted_at: str | None



class ImportTable(TypedDict):
    """A table of what the file says, to be drawn as it stands."""

    title: str
    note: str
    columns: list[ImportColumn]
    rows: list[list[JsonValue]]



class InFlightLoad(TypedDict):
    """Users who each wait for an answer before they ask again at once."""

    kind: str
    in_flight_count: NotRequired[float]
    starts_together: NotRequired[bool]



class Instance(TypedDict):
    """The rented machine that is counted in place of an owned node."""

    price_usd_per_h: NotRequired[float]
    cores_count: NotRequired[int]
    disks_count: NotRequired[int]
    storage_tb: NotRequired[float]



class InstancePowerParams(TypedDict):
    """An instance with its storage and traffic, over a time. Input of the model `carbon.instance_power`."""

    provider: NotRequired[Literal['aws', 'azure', 'gcp']]
    vcpus_count: NotRequired[float]
    utilization_fraction: NotRequired[float]
    duration_h: NotRequired[float]
    extra_memory_gb: NotRequired[float]
    memory_w_per_gb: NotRequired[float]
    hdd_tb: NotRequired[float]
    hdd_w_per_tb: NotRequired[float]
    ssd_tb: NotRequired[float]
    ssd_w_per_tb: NotRequired[float]
    replication_ratio: NotRequired[float]
    moved_gb: NotRequired[float]
    network_kwh_per_gb: NotRequired[float]
    pue: NotRequired[float | None]
    intensity_gco2e_per_kwh: NotRequired[float]



class InstancePowerResult(TypedDict):
    """Mean power without the building, energy with it, and carbon, each with its range. Answer of the model `carbon.instance_power`."""

    power_w: float
    low_power_w: float
    high_power_w: float
    energy_kwh: float
    low_energy_kwh: float
    high_energy_kwh: float
    compute_kwh: float
    memory_kwh: float
    storage_kwh: float
    network_kwh: float
    operational_kgco2e: float
    low_kgco2e: float
    high_kgco2e: float
    pue: float
    basis: str



class Instances(TypedDict):
    """One kind of instance of the mix."""

    name: str
    entry: NotRequired[str | None]
    usd_per_h: float
    price_as_of: NotRequired[str | None]
    vcpu_count: float
    ram_gib: NotRequired[float]
    gpus_count: NotRequired[float]
    gpu: NotRequired[str | None]
    network_gbit_per_s: NotRequired[float | None]
    perf_per_vcpu_ratio: NotRequired[float]
    share_fraction: NotRequired[float]
    spare_count: NotRequired[int | None]
    disks_count: NotRequired[float]
    disks_tb: NotRequired[float]
    replaces: NotRequired[str | None]
    equivalence: NotRequired[Literal['by_core', 'by_disk_count', 'by_capacity', 'max_of_all', 'explicit']]
    instances_count: NotRequired[float | None]



class InterruptParams(TypedDict):
    """A machine's processor times, its devices, and the modes' waits. Input of the model `performance.interrupt_model`."""

    path_us: NotRequired[float]
    interrupt_us: NotRequired[float]
    poll_us: NotRequired[float]
    timer_us: NotRequired[float]
    queued_count: NotRequired[int]
    deferral_us: NotRequired[float]
    completion_floor_us: NotRequired[float]
    cores_count: NotRequired[int]
    device_reads_per_s: NotRequired[float]
    devices_count: NotRequired[int]
    queue_count: NotRequired[int]
    device_us: NotRequired[float]
    latency_bound_us: NotRequired[float | None]
    rates_per_s: NotRequired[list[float]]
    paths: NotRequired[list[RequestPath]]



class InterruptResult(TypedDict):
    """The three modes, where they cross, and the paths of a request. Answer of the model `performance.interrupt_model`."""

    modes: list[ModeAnswer]
    best_mode: Literal['interrupt', 'spin', 'defer'] | None
    poll_window_us: float
    spin_peak_per_s: float | None
    defer_pays_from_per_s: float | None
    largest_deferral_us: float
    paths: list[PathAnswer]
    warnings: list[str]



class InvitationCreated(TypedDict):
    """Answer of *invite somebody: the answer is the only place where the link can be read*."""

    id: str
    email: str
    role: RoleEnum
    invited_by: str
    created_at: str
    expires_at: str
    link: str
    mailed: bool



class InvitationInputRequest(TypedDict):
    """Body of *invite somebody: the answer is the only place where the link can be read*."""

    role: RoleEnum
    email: NotRequired[str]



class InvitationOutput(TypedDict):
    """A row of *invitations to the workspace that nobody has taken yet*."""

    id: str
    email: str
    role: RoleEnum
    invited_by: str
    created_at: str
    expires_at: str



class IoFigures(TypedDict):
    """How fast all disks of a design can be read in its last year, and what the work asks."""

    disks_mb_per_s: float | None
    network_mb_per_s: float | None
    ceiling_mb_per_s: float | None
    limit: Literal['disk', 'network', 'controller'] | None
    needed_mb_per_s: float | None
    used_fraction: float | None
    read_all_h: float | None
    reasons: dict[str, str]



class IoLimit(TypedDict):
    """One ceiling."""

    limit: Literal['disk', 'network', 'node_service', 'readers', 'hot_disks']
    mb_per_s: float



class IoLoad(TypedDict):
    """Requests of an array's own, which neither grow nor follow the workload."""

    read_fraction: NotRequired[float]
    request_bytes: NotRequired[int]
    pattern: NotRequired[Literal['random', 'sequential']]
    requests_per_s: float



class IoMix(TypedDict):
    """What requests to block storage look like."""

    read_fraction: NotRequired[float]
    request_bytes: NotRequired[int]
    pattern: NotRequired[Literal['random', 'sequential']]



class IrrParams(TypedDict):
    """Payments at equal distances: what is spent is negative, what is gained positive. Input of the model `cost.irr`."""

    flows_usd: list[float]
    finance_fraction_per_year: NotRequired[float]
    reinvest_fraction_per_year: NotRequired[float]
    period: NotRequired[Literal['year', 'month']]



class IrrResult(TypedDict):
    """The rate, if there is exactly one. Answer of the model `cost.irr`."""

    irr_fraction_per_year: float | None
    mirr_fraction_per_year: float | None
    reason: Literal['no_rate', 'several_rates', 'no_payments'] | None
    rates_fraction_per_year: list[float]
    sign_changes_count: int



class Job(TypedDict):
    """What is to be done."""

    data_gb: NotRequired[float]
    block_bytes: NotRequired[float]
    copies_count: NotRequired[int]
    fixed_s: NotRequired[float]
    phases: NotRequired[list[PerformancePhase]]



class JobError(TypedDict):
    """Why a job failed."""

    code: str
    message: str
    faults: list[Fault]



class JoinInputRequest(TypedDict):
    """Signed in, the link alone; else an address and a password for a new account."""

    token: str
    email: NotRequired[str]
    password: NotRequired[str]



class JoinLookInputRequest(TypedDict):
    """Body of *say which workspace a link of invitation opens*."""

    token: str



class JoinLookOutput(TypedDict):
    """Answer of *say which workspace a link of invitation opens*."""

    workspace_name: str
    role: RoleEnum
    email: str
    invited_by: str
    expires_at: str


JsonValue: TypeAlias = 'str | float | bool | dict[str, Any] | list[JsonValue] | None'


class KeptDriveInputRequest(TypedDict):
    """Body of *keep a calibrated drive as an entry of the workspace's own, with where it is from*."""

    title: str
    drive: dict[str, JsonValue]
    sheet: dict[str, JsonValue]
    trace: str
    told: str



class KeptPriceList(TypedDict):
    """A price list that was read, and is kept whole."""

    id: str
    file_name: str
    provider: str
    currency: str
    as_of: str
    source: str



class Kind(TypedDict):
    """A kind of server and how many there are."""

    name: str
    servers_count: int
    size_ratio: NotRequired[float]
    power_idle_w: float
    power_full_w: float


KindEnum: TypeAlias = "Literal['block', 'utilization', 'latency', 'fleet']"


class KindError(TypedDict):
    """How a kind of curve predicts stretches of samples that it was not fitted to."""

    kind: Literal['linear', 'fan', 'two_segments', 'family']
    root_mean_square_w: float
    median_error_fraction: float



class KnownFileInputRequest(TypedDict):
    """A file that may have been read here before."""

    sha256: str
    name: NotRequired[str]
    names: NotRequired[str]
    dates: NotRequired[str]
    numbers: NotRequired[str]



class KnownMemory(TypedDict):
    """A preset."""

    kind: str
    name: NotRequired[Literal['thesis_calibrated', 'thesis_16rank', 'thesis_fig24', 'rdram']]
    ranks_count: NotRequired[int | None]



class KnownModule(TypedDict):
    """A module whose data sheet is at hand; that of DDR5 is not."""

    kind: str
    name: NotRequired[Literal['ddr4_3200_rdimm_32', 'ddr4_3200_rdimm_16', 'ddr4_2400_rdimm_32', 'ddr4_3200_lrdimm_64', 'ddr4_2400_udimm_16', 'ddr3l_1600_rdimm_16', 'ddr5_rdimm_64']]



class KnownWorth(TypedDict):
    """What it is worth to know one unknown before deciding anything."""

    unknown: str
    worth_usd: float



class KvNodeChoiceParams(TypedDict):
    """A data set, a query rate, and the node types to choose from. Input of the model `performance.kv_node_choice`."""

    dataset_gb: NotRequired[float]
    query_rate_per_s: NotRequired[float]
    copies_count: NotRequired[int]
    lifetime_years: NotRequired[float]
    electricity_usd_per_kwh: NotRequired[float]
    pue: NotRequired[float]
    whole_nodes: NotRequired[bool]
    nodes: NotRequired[list[NodeType]]
    map: NotRequired[PerformanceKvNodeParamsMap]



class KvNodeChoiceResult(TypedDict):
    """The ranking, the map of the cheapest (rows by data set, columns by rate), the boundaries. Answer of the model `performance.kv_node_choice`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    winner: str
    ranking: list[NodeRank]
    map_names: list[str]
    map_datasets_tb: list[float]
    map_query_rates_per_s: list[float]
    map_winners: list[list[int]]
    map_cells: list[list[Cell]]
    boundaries: list[Boundary]



class Layout(TypedDict):
    """How data lie on the disks."""

    kind: NotRequired[Literal['single', 'raid0', 'raid1', 'raid10', 'raid5', 'raid6', 'raid7', 'draid1', 'draid2', 'draid3', 'mirrored_set', 'concatenated']]
    disks_count: NotRequired[int]
    stripe_disks_count: NotRequired[int]
    distributed_spares_count: NotRequired[int]
    chunk_bytes: NotRequired[int]
    locked_updates: NotRequired[bool]
    failed_disk_count: NotRequired[int]
    rebuild_mb_per_s: NotRequired[float | None]
    spares_sleep: NotRequired[bool]



class Lease(TypedDict):
    """Paid month by month over a term."""

    kind: str
    rate_fraction_per_year: NotRequired[float]
    term_months: NotRequired[int]
    at_end: NotRequired[Literal['bought_out', 'returned']]
    residual_fraction: NotRequired[float]



class LeaseOrBuy(TypedDict):
    """What one design costs leased and bought, in present value over the horizon."""

    letter: str
    is_leased: bool
    rate_fraction_per_year: float
    term_months: int
    bought_usd: float
    leased_usd: float
    difference_usd: float
    difference_p10_usd: float | None
    difference_p90_usd: float | None
    lease_cheaper_fraction: float | None
    sentence: str



class LeftOut(TypedDict):
    """An accelerator that serves none of it, and why."""

    accelerator: str
    reason: str



class Lengths(TypedDict):
    """Mean tokens of a request."""

    prompt_tokens: NotRequired[float]
    output_tokens: NotRequired[float]


LetterEnum: TypeAlias = "Literal['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']"


class LifetimesParams(TypedDict):
    """Time in service of each group of drives, and whether it ended in failure. Input of the model `reliability.lifetimes`."""

    durations_years: NotRequired[list[float]]
    failed: NotRequired[list[bool]]
    drives_count: NotRequired[list[int] | None]
    entered_years: NotRequired[list[float] | None]



class LifetimesResult(TypedDict):
    """Survival by age, and the Weibull law that fits best. Answer of the model `reliability.lifetimes`."""

    curve: list[SurvivalPoint]
    weibull_scale_years: float
    weibull_shape_ratio: float
    weibull_shape_low_ratio: float
    weibull_shape_high_ratio: float



class LikeForLike(TypedDict):
    """What the check finds; `open_count` are the findings neither fixed nor accepted. Answer of the model `plans.like_for_like`."""

    sentence: str
    winner: str | None
    gap_usd: float | None
    open_count: int
    rules_count: int
    findings: list[Finding]
    lease_or_buy: NotRequired[list[LeaseOrBuy]]



class LimitsLoad(TypedDict):
    """As much as keeps two limits of latency."""

    kind: str
    ttft_ms: NotRequired[float]
    tpot_ms: NotRequired[float]



class LineFault(TypedDict):
    """A line that could not be read."""

    line: int
    message: str



class LinearCurve(TypedDict):
    """A straight line from idle to full power."""

    power_idle_w: NotRequired[float]
    power_max_w: NotRequired[float]
    kind: str



class LinearPower(TypedDict):
    """A straight line from idle to peak."""

    kind: str
    idle_w: float
    peak_w: float



class Link(TypedDict):
    """A line between two sites."""

    name: str
    rate_gbit_per_s: NotRequired[float | None]
    usd_per_month: NotRequired[float]
    once_usd: NotRequired[float]



class ListedAccelerator(TypedDict):
    """An accelerator of the list."""

    kind: str
    name: Literal['NVIDIA T4', 'NVIDIA A10', 'NVIDIA A10G', 'NVIDIA A30', 'NVIDIA L4', 'NVIDIA L40', 'NVIDIA L40S', 'NVIDIA A100 PCIe 40 GB', 'NVIDIA A100 SXM 40 GB', 'NVIDIA A100 PCIe 80 GB', 'NVIDIA A100 SXM 80 GB', 'NVIDIA H100 PCIe', 'NVIDIA H100 NVL', 'NVIDIA H100 SXM', 'NVIDIA H200 NVL', 'NVIDIA H200 SXM', 'NVIDIA GH200 96 GB', 'NVIDIA GH200 144 GB', 'NVIDIA B200 SXM', 'NVIDIA B300 SXM', 'NVIDIA GB200', 'NVIDIA GB300', 'NVIDIA RTX PRO 6000', 'AMD MI210', 'AMD MI250X', 'AMD MI300X', 'AMD MI325X', 'AMD MI350X', 'AMD MI355X', 'Intel Gaudi 2', 'Intel Gaudi 3', 'Google TPU v5e', 'Google TPU v5p', 'Google TPU v6e', 'AWS Trainium1', 'AWS Trainium2', 'AWS Inferentia2']



class ListedDefects(TypedDict):
    """Bad sectors of a drive, from its log or a surface scan."""

    kind: str
    sectors: list[int]



class LoadBand(TypedDict):
    """Samples of a tenth of load: what they measured and what the curve says."""

    utilization_fraction: float
    samples_count: int
    measured_w: float
    curve_w: float



class LoadPoint(TypedDict):
    """The group at one load: all on, and as few as carry it."""

    load_fraction: float
    all_on_w: float
    servers_on_count: int
    switched_w: float
    all_on_energy_ratio: float | None
    switched_energy_ratio: float | None



class LogNormalChange(TypedDict):
    """A factor a year, 1 + change, that is log-normal, by its 10th and 90th percentile."""

    kind: str
    p10_fraction_per_year: float
    p90_fraction_per_year: float



class LogicalSeek(TypedDict):
    """Seek by distance between logical sectors, the calibrated curve of Huang 2006."""

    kind: str



class Lost(TypedDict):
    """What a lost drive, or a lost node, sets off."""

    recovery_h: float | None
    read_tb: float
    network_tb: float
    bound_by: Literal['drives', 'network']



class LumpPrice(TypedDict):
    """One price for the whole group, whatever its count."""

    kind: str
    total_usd: float
    component: NotRequired[Literal['cpu', 'dram', 'ssd', 'hdd', 'gpu', 'chassis', 'network', 'server', 'facility', 'other']]
    price_as_of: NotRequired[str | None]



class Machine(TypedDict):
    """Machines of one kind."""

    name: NotRequired[str]
    count: NotRequired[int]
    power_w: NotRequired[float]
    rack_units_count: NotRequired[float]
    weight_kg: NotRequired[float | None]
    ports_count: NotRequired[int]



class MachineSize(TypedDict):
    """A machine of the trace whose size is not that of the others."""

    name: str
    cores_count: float
    ram_gib: NotRequired[float | None]



class MailedEvents(TypedDict):
    """Answer of *say which events one is mailed: none unless one has chosen*."""

    events: list[EventsEnum]
    break_even_months: NotRequired[float]



class MailedEventsRequest(TypedDict):
    """Body of *choose the events that one is mailed*."""

    events: list[EventsEnum]
    break_even_months: NotRequired[float]



class MailedInputRequest(TypedDict):
    """With the password that is chosen, but for a link that confirms an address."""

    token: str
    password: NotRequired[str]
    otp: NotRequired[str]



class MailedLookInputRequest(TypedDict):
    """Body of *say what a mailed link does, for whom*."""

    token: str



class MailedLookOutput(TypedDict):
    """Answer of *say what a mailed link does, for whom*."""

    purpose: PurposeEnum
    email: str
    expires_at: str
    needs_code: bool



class MeasuredCurve(TypedDict):
    """Measured points, joined by straight lines."""

    kind: str
    points: list[PowerPowerPoint]



class MeasuredPoint(TypedDict):
    """One point that was measured in closed loop: of a benchmark of this deployment."""

    in_flight_count: float
    prompt_tokens: float
    output_tokens: float
    tpot_ms: float
    ttft_ms: NotRequired[float | None]



class MeasuredPower(TypedDict):
    """Measured points, joined by straight lines."""

    kind: str
    points: list[PlansPowerPoint]



class MeasuredRules(TypedDict):
    """Overheads by kind of request, and what the drive's own cache does."""

    costs: NotRequired[list[RequestCost]]
    ahead_to_track_end: NotRequired[bool]
    hits_read_ahead: NotRequired[bool]
    keeps_passing_sectors: NotRequired[bool]
    drops_delivered: NotRequired[bool]
    ahead_in_runs: NotRequired[bool]
    written_ends: NotRequired[Literal['overlap', 'nothing', 'oldest']]
    stream_hold_ms: NotRequired[float | None]
    ahead_lost_fraction: NotRequired[float]
    write_end_ms: NotRequired[float | None]



class Member(TypedDict):
    """One input of a quantity, with its own range."""

    pointer: str
    label: str
    unit: str
    value: float
    low: float
    high: float



class MemberOutput(TypedDict):
    """A row of *who belongs to the workspace, and as what*."""

    id: str
    email: str
    role: RoleEnum
    by_group: bool
    created_at: str



class MemoryFigures(TypedDict):
    """Memory of all nodes in the last year: what stands idle, and what a policy saves."""

    installed_gib: float
    idle_gib: float
    spare_gib: float
    spare_usd: float | None
    saving_w: float | None
    reasons: dict[str, str]



class MemoryFitParams(TypedDict):
    """A model, an accelerator, how many of them, and the requests. Input of the model `serving.memory_fit`."""

    model: NotRequired[OpenModel | ConfiguredModel | ShapedModel]
    accelerator: NotRequired[ListedAccelerator | OwnAccelerator]
    precision: NotRequired[Literal['bf16', 'fp8', 'fp4', 'int4']]
    layout: NotRequired[Ranks]
    lengths: NotRequired[Lengths]
    kv_bits_count: NotRequired[int]
    usable_fraction: NotRequired[float]
    overhead_gb: NotRequired[float | None]



class MemoryFitResult(TypedDict):
    """Whether it fits, and what stands where. Answer of the model `serving.memory_fit`."""

    fits: bool
    fits_surely: bool
    weights_gb: float
    kv_room_gb: float
    kv_room_low_gb: float
    kv_room_high_gb: float
    kv_bytes_per_token: float
    kv_tokens: float
    requests_count: float
    parameters_count: float
    told: str



class MemoryLayout(TypedDict):
    """How much memory a server has, and how it is reached."""

    installed_gib: NotRequired[float]
    headroom_fraction: NotRequired[float]
    read_fraction: NotRequired[float]
    row_hit_fraction: NotRequired[float]
    interleaved_channels_count: NotRequired[int]
    ranks_interleaved: NotRequired[bool]
    always_on_ranks_count: NotRequired[int]
    wake_all_per_s: NotRequired[float]
    wake_all_s: NotRequired[float]



class MemoryMigration(TypedDict):
    """What moving pages costs, once."""

    pages_count: int
    line_accesses_count: int
    energy_j: float
    average_w: float



class MemoryPolicyRow(TypedDict):
    """All modules with the traffic, by cause."""

    policy: Literal['ready', 'power_down']
    average_w: float
    standby_w: float
    powerdown_w: float
    refresh_w: float
    register_w: float
    traffic_w: float
    energy_kwh_per_year: float
    electricity_usd_per_year: float



class MemoryPowerPoliciesInstantPolicyRow(TypedDict):
    """A technique's power and delay; empty where no formula holds."""

    technique: Literal['NOPM', 'IPD', 'ISR', 'HW', 'HW_SW', 'PAVM', 'PAVM_IPD']
    average_w: float | None
    saving_fraction: float | None
    response_ns: float | None
    runtime_ratio: float | None
    pdd_w: float | None
    reason: str | None



class Message(TypedDict):
    """A message that was not sent out."""

    to: str
    subject: str
    sent_at: str
    body: str



class MixTraffic(TypedDict):
    """Processes take turns; each reads clusters of lines in the ranks that hold its pages."""

    kind: str
    mix: NotRequired[Literal['low', 'high', 'mixed_1', 'mixed_2', 'mixed_3', 'mixed_4'] | str]
    processes: NotRequired[list[ProcessKind]]
    cluster_lines_from_count: NotRequired[int]
    cluster_lines_to_count: NotRequired[int]
    cluster_gap_ns: NotRequired[float]



class ModeAnswer(TypedDict):
    """One way of completing reads."""

    mode: Literal['interrupt', 'spin', 'defer']
    reads_per_s: float
    cap: Literal['cpu', 'device', 'queue']
    cpu_reads_per_s: float
    cpu_per_read_us: float
    latency_mean_us: float
    latency_worst_us: float
    overhead: list[OverheadPoint]



class ModelCause(TypedDict):
    """One cause of cost over the horizon."""

    cause: str
    side: Literal['owned', 'rented']
    label: str
    formula: str
    amount_usd: float
    npv_usd: float



class ModelDetailOutput(TypedDict):
    """A model with its schemas and formulas, and inputs to begin with."""

    id: str
    title: str
    summary: str
    family: str
    version: str
    params_version: int
    instant: bool
    stochastic: bool
    citations: list[Citation]
    checks_count: int
    start: ModelParams | OpenDocument | None
    start_source: str
    cases: list[Case]
    formulas: list[Formula]
    limits: list[str]
    params_schema: dict[str, JsonValue]
    result_schema: dict[str, JsonValue]



class ModelOutput(TypedDict):
    """A published relation as code."""

    id: str
    title: str
    summary: str
    family: str
    version: str
    params_version: int
    instant: bool
    stochastic: bool
    citations: list[Citation]
    checks_count: int


ModelParams: TypeAlias = 'AlternativesParams | ApiBreakEvenParams | ArrayDesignParams | ArrayDrawingParams | ArrayInstantParams | ArrayLossParams | ArrayParams | ArrayVerdictParams | BatchUtilizationParams | CalibrateDriveParams | CalibrateParams | CalibrateTraceParams | ClusterArrayParams | ClusterCodeParams | ClusterIoParams | ClusterJobParams | ClusterTcoParams | CommitmentParams | CurveParams | DefectPatternsParams | DepreciationParams | DeviceTrendsParams | DimmPowerParams | DiskSimParams | DynamicParams | EmbodiedParams | EnginePassParams | EquivalentAnnualCostParams | FabricParams | FacilityParams | FixedPowerParams | FleetRatesParams | ForecastParams | Fs2LayerParams | Fs2Params | GeometryParams | GrowthParams | IdleCapacityParams | InstancePowerParams | InterruptParams | IrrParams | KvNodeChoiceParams | LifetimesParams | MemoryFitParams | NodeDesignParams | NodeFailuresParams | NpvParams | OperationalParams | OutlookParams | OutsideParams | OwnedVsCloudParams | PeopleParams | PlanParams | PoliciesInstantParams | PowerPoliciesParams | ProportionalityParams | PurchasePlanParams | QueueParams | RacksParams | ReplicaPlacementParams | ServerNodesParams | ServerPowerParams | ServersParams | ShowbackParams | SimulateParams | SparesParams | SpotParams | SsdCacheParams | StudySpec | SurfaceParams | TariffParams | TaxonomyParams | TieredParams | TimeOfUseParams | TrainingParams | WorkOfTraceParams | WorkingsSpec | PerformanceSizeParams | ServingCapacityParams | ServingSizeParams | StorageCapacityParams'


class ModelPriceChanges(TypedDict):
    """Change of prices a year after the start, by component."""

    cpu_fraction_per_year: NotRequired[float]
    dram_fraction_per_year: NotRequired[float]
    ssd_fraction_per_year: NotRequired[float]
    hdd_fraction_per_year: NotRequired[float]
    gpu_fraction_per_year: NotRequired[float]
    chassis_fraction_per_year: NotRequired[float]
    network_fraction_per_year: NotRequired[float]
    server_fraction_per_year: NotRequired[float]
    facility_fraction_per_year: NotRequired[float]
    other_fraction_per_year: NotRequired[float]
    instances_fraction_per_year: NotRequired[float]
    storage_fraction_per_year: NotRequired[float]
    transfer_fraction_per_year: NotRequired[float]
    services_fraction_per_year: NotRequired[float]
    staff_fraction_per_year: NotRequired[float]
    software_fraction_per_year: NotRequired[float]
    space_fraction_per_year: NotRequired[float]
    electricity_fraction_per_year: NotRequired[float]


ModelResult: TypeAlias = 'AlternativesResult | ApiBreakEvenResult | ArrayDesignResult | ArrayDrawingResult | ArrayInstantResult | ArrayLossResult | ArrayResult | ArrayVerdict | BatchUtilizationResult | CalibrateDriveResult | CalibrateResult | CalibrateTraceResult | ClusterArrayResult | ClusterCodeResult | ClusterIoResult | ClusterJobResult | ClusterTcoResult | CommitmentResult | Comparison | CurveResult | DefectPatternsResult | DepreciationResult | DeviceTrendsResult | DimmPowerResult | DiskSimDrive | DynamicResult | EmbodiedResult | EnginePassResult | EquivalentAnnualCostResult | FabricResult | FacilityResult | FixedPowerResult | FleetRatesResult | ForecastResult | Fs2LayerResult | Fs2Result | GeometryResult | GrowthResult | IdleCapacityResult | InstancePowerResult | InterruptResult | IrrResult | KvNodeChoiceResult | LifetimesResult | LikeForLike | MemoryFitResult | NodeDesignResult | NodeFailuresResult | NpvResult | OperationalResult | OutlookResult | OutsideResult | OwnedVsCloudResult | PeopleResult | PlanResult | PoliciesInstantResult | PowerPoliciesResult | ProportionalityResult | PurchasePlanResult | QueueResult | RacksResult | ReplicaPlacementResult | ServerNodesResult | ServerPowerResult | ServersResult | ShowbackResult | SimulateResult | SparesResult | SpotResult | SsdCacheResult | SurfaceResult | TariffResult | TaxonomyResult | TieredResult | TimeOfUseResult | TrainingResult | WorkOfTraceResult | Workings | PerformanceSizeResult | ServingCapacityResult | ServingSizeResult | StorageCapacityResult'


class ModuleCurrents(TypedDict):
    """A module's data sheet: its shape, its supply currents, its times. Currents of one device are multiplied by the devices of a rank. Those of a whole module hold its register, and count one rank at work while the others stand by."""

    title: str
    generation: NotRequired[Literal['ddr3', 'ddr4', 'ddr5']]
    capacity_gib: float
    ranks_count: int
    devices_per_rank_count: NotRequired[int]
    currents_of: NotRequired[Literal['device', 'module']]
    supply_v: NotRequired[float]
    idd0_ma: NotRequired[float | None]
    idd2n_ma: NotRequired[float | None]
    idd2p_ma: NotRequired[float | None]
    idd3n_ma: NotRequired[float | None]
    idd4r_ma: NotRequired[float | None]
    idd4w_ma: NotRequired[float | None]
    idd5b_ma: NotRequired[float | None]
    idd6n_ma: NotRequired[float | None]
    pump_v: NotRequired[float]
    pump_ma: NotRequired[float]
    pump_asleep_ma: NotRequired[float]
    burst_ns: NotRequired[float]
    row_cycle_ns: NotRequired[float]
    row_open_ns: NotRequired[float]
    refresh_ns: NotRequired[float]
    refresh_interval_us: NotRequired[float]
    powerdown_exit_ns: NotRequired[float]
    self_refresh_exit_ns: NotRequired[float]
    register_w: NotRequired[float]
    register_asleep_w: NotRequired[float]



class Money(TypedDict):
    """The currency that amounts are shown in; all amounts here are US dollars."""

    code: str
    per_usd: float
    as_of: NotRequired[str | None]



class MonthBill(TypedDict):
    """The bill of one month."""

    month: int
    energy_kwh: float
    energy_usd: float
    peak_w: float
    demand_usd: float



class MonthOfTariff(TypedDict):
    """The bill of one month."""

    month: int
    energy_kwh: float
    peak_kw: float
    billed_kw: float
    energy_usd: float
    flat_demand_usd: float
    timed_demand_usd: float
    fixed_usd: float
    least_usd: float
    total_usd: float
    mean_usd_per_kwh: float | None



class Monthly(TypedDict):
    """Payments and running totals; the first entry is the start, the last the horizon."""

    time_months: list[float]
    own_usd: list[float]
    cloud_usd: list[float]
    own_cumulative_usd: list[float]
    cloud_cumulative_usd: list[float]
    own_cumulative_npv_usd: list[float]
    cloud_cumulative_npv_usd: list[float]



class Move(TypedDict):
    """One application that changes its server."""

    id: str
    source_count: int
    target_count: int
    duration_s: float
    energy_j: float



class MovedFigure(TypedDict):
    """A figure that differs between two results."""

    pointer: str
    before: JsonValue
    after: JsonValue
    relative_fraction: float | None



class NamedText(TypedDict):
    """A file: its name, by which others name it, and what is in it."""

    name: str
    text: str



class Network(TypedDict):
    """Transit and cross-connects."""

    transit_usd_per_month: NotRequired[float]
    cross_connects_count: NotRequired[float]
    cross_connect_usd_per_month: NotRequired[float]
    usd_per_tb: NotRequired[float]



class NoTraffic(TypedDict):
    """Nothing is read; processes still take turns."""

    kind: str
    quantum_ms: NotRequired[float]
    active_ranks_count: NotRequired[list[int]]



class Node(TypedDict):
    """One node of the kind to buy."""

    cores_count: NotRequired[int]
    memory_gb: NotRequired[float]
    disk_tb: NotRequired[float]
    io_per_s: NotRequired[float]



class NodeDesign(TypedDict):
    """One node type as an owned cluster of one group."""

    title: str
    spec: dict[str, JsonValue]



class NodeDesignParams(TypedDict):
    """The choice of a node type, and what the study carries. Input of the model `plans.node_design`."""

    choice: NotRequired[KvNodeChoiceParams]
    takes_service: NotRequired[bool]
    service: NotRequired[PlansService | None]
    sized_by: NotRequired[Literal['study', 'place']]



class NodeDesignResult(TypedDict):
    """Designs in the order of the ranking, and what they are sized by. Answer of the model `plans.node_design`."""

    said: str
    designs: list[NodeDesign]
    service: dict[str, JsonValue] | None
    service_place: dict[str, float] | None



class NodeFailuresParams(TypedDict):
    """A cluster that keeps copies of its data on different nodes. Input of the model `performance.node_failures`."""

    nodes_count: NotRequired[int]
    afr_fraction: NotRequired[float]
    data_per_node_tb: NotRequired[float]
    copies_count: NotRequired[int]
    detection_h: NotRequired[float]
    network_gbit_per_s: NotRequired[float]
    repair_fraction: NotRequired[float]
    spread_fraction: NotRequired[float]



class NodeFailuresResult(TypedDict):
    """Failures, repair, and mean time to the loss of all copies of something. Answer of the model `performance.node_failures`."""

    failures_per_year: float
    hours_between_h: float | None
    helpers_count: float
    repair_h: float
    copied_tb_per_year: float
    repairing_fraction: float
    loss_per_year: float
    mean_to_loss_years: float | None



class NodeMemory(TypedDict):
    """Memory modules of a node and how they are powered; see the model of memory."""

    module: Literal['ddr4_3200_rdimm_32', 'ddr4_3200_rdimm_16', 'ddr4_2400_rdimm_32', 'ddr4_3200_lrdimm_64', 'ddr4_2400_udimm_16', 'ddr3l_1600_rdimm_16', 'ddr5_rdimm_64']
    sheet: NotRequired[ModuleCurrents | None]
    used_gib: float
    policy: NotRequired[Literal['ready', 'power_down', 'aggregate', 'remove']]
    in_curve: NotRequired[bool]
    headroom_fraction: NotRequired[float]
    traffic_mb_per_s: NotRequired[float]
    channels_count: NotRequired[int]
    usd_per_gib: NotRequired[float | None]



class NodeRank(TypedDict):
    """One node type's answer to the workload."""

    name: str
    nodes_count: float
    whole_nodes_count: int
    cost_usd: float
    cost_usd_per_year: float
    power_w: float
    reason: Literal['capacity', 'rate']



class NodeType(TypedDict):
    """A node: what it costs, draws, serves and holds."""

    name: str
    price_usd: float
    power_w: float
    rate_per_s: float
    capacity_gb: float
    store: NotRequired[Literal['memory', 'ssd', 'disk'] | None]



class NpvParams(TypedDict):
    """Payments at equal distances, and the rate at which later ones count for less. Input of the model `cost.npv`."""

    flows_usd: list[float]
    period: NotRequired[Literal['year', 'month']]
    discount_fraction_per_year: NotRequired[float]



class NpvResult(TypedDict):
    """The present value as asked, and under both conventions. Answer of the model `cost.npv`."""

    npv_usd: float
    npv_by_year_usd: float
    npv_by_month_usd: float
    undiscounted_usd: float
    convention: str


NullEnum: TypeAlias = 'None'


class NumberFormat(TypedDict):
    """Answer of *return how one's numbers are written*."""

    number_format: NumberFormatEnum | BlankEnum


NumberFormatEnum: TypeAlias = "Literal['point', 'comma']"


class NumberFormatRequest(TypedDict):
    """Body of *choose how one's numbers are written*."""

    number_format: NumberFormatEnum | BlankEnum



class ObjectClass(TypedDict):
    """Objects kept in a cheaper class than the standard one, and what using them costs there."""

    name: str
    entry: NotRequired[str | None]
    share_fraction: float
    use_fraction: NotRequired[float]
    usd_per_gb_month: float
    usd_per_gb_read: NotRequired[float]
    usd_per_million_writes: NotRequired[float]
    usd_per_million_reads: NotRequired[float]



class ObjectUse(TypedDict):
    """How object storage is used: clouds bill requests, and data that crosses their border."""

    writes_millions_per_month: NotRequired[float]
    reads_millions_per_month: NotRequired[float]
    read_tb_per_month: NotRequired[float]



class Odds(TypedDict):
    """In which share of the simulations each design is cheapest, ties shared. `kinds` adds the shares up by kind of design, `owned_fraction` those of all designs that own in some form; `errors` are the half-widths of the 95% intervals of `wins`."""

    draws_count: int
    seed: int
    wins: dict[str, float]
    kinds: dict[str, float]
    owned_fraction: float
    pairs: list[Pair]
    errors: dict[str, float]


OfEnum: TypeAlias = "Literal['cores', 'ram', 'block', 'object', 'archive', 'transfer', 'gpus']"


class OnDemand(TypedDict):
    """Capacity rented by the hour."""

    usd_per_unit_h: NotRequired[float]
    price_change: NotRequired[FixedChange | RangeChange | LogNormalChange | CasesChange]
    most_count: NotRequired[float | None]


OpenDocument: TypeAlias = 'dict[str, JsonValue]'


class OpenIdAnswerInputRequest(TypedDict):
    """What the provider put into the address that it led back to."""

    state: str
    code: NotRequired[str]
    iss: NotRequired[str]
    error: NotRequired[str]



class OpenIdOutput(TypedDict):
    """Answer of *begin to sign in at the provider: good for ten minutes, in this browser*."""

    url: str



class OpenModel(TypedDict):
    """A model whose configuration is published."""

    kind: str
    name: Literal['DeepSeek-R1', 'DeepSeek-V3.2', 'GLM-5', 'GPT-J-6B', 'Kimi-K2', 'Kimi-K2.5', 'Llama-2-70B', 'Llama-2-7B', 'Llama-3.1-405B', 'Llama-3.1-70B', 'Llama-3.1-8B', 'Llama-3.2-1B', 'Llama-3.2-3B', 'Llama-3.3-70B', 'Llama-4-Maverick', 'Llama-4-Scout', 'MiniMax-M2.5', 'Mistral-7B-v0.3', 'Mixtral-8x22B', 'Mixtral-8x7B', 'Qwen2.5-72B', 'Qwen2.5-7B', 'Qwen3-0.6B', 'Qwen3-1.7B', 'Qwen3-235B-A22B', 'Qwen3-30B-A3B', 'Qwen3-32B', 'Qwen3-8B', 'Qwen3-Coder-480B-A35B', 'Qwen3.5-122B-A10B', 'Qwen3.5-397B-A17B', 'gpt-oss-120b', 'gpt-oss-20b']



class OperationalParams(TypedDict):
    """Power by the hour and the grid's intensity. Input of the model `carbon.operational`."""

    hourly_power_w: NotRequired[list[float]]
    duration_h: NotRequired[int]
    pue: NotRequired[float]
    intensity: NotRequired[YearlyIntensity | HourlyIntensity]
    certified_fraction: NotRequired[float]
    residual_gco2e_per_kwh: NotRequired[float | None]
    carbon_usd_per_t: NotRequired[float]



class OperationalResult(TypedDict):
    """Carbon of the electricity; no certificates in the location-based figure. Answer of the model `carbon.operational`."""

    energy_kwh: float
    location_kgco2e: float
    market_kgco2e: float
    mean_gco2e_per_kwh: float | None
    flat_mean_gco2e_per_kwh: float
    carbon_usd: float
    zone: str
    factor_year: int | None
    basis: Literal['direct', 'life_cycle']


OriginEnum: TypeAlias = "Literal['import', 'run']"


class OutlookChange(TypedDict):
    """A value that would move, in words."""

    letter: str
    pointer: str
    before: JsonValue
    after: JsonValue
    entry: str
    as_of: str | None
    label: str
    unit: str



class OutlookCurrency(TypedDict):
    """The currency that a study is read in."""

    code: str
    per_usd: float



class OutlookDetail(TypedDict):
    """Answer of *return every study that was looked at, what moves most first*."""

    state: StateEnum
    progress_fraction: float
    progress_message: str
    seconds_left: float | None
    error: JobError | None
    submitted_at: str
    started_at: str | None
    ended_at: str | None
    id: str
    snapshot: str
    studies_count: int
    moved_count: int | None
    rows: list[StudyOutlook] | None



class OutlookOutput(TypedDict):
    """A row of *list the latest, without what each study would do*."""

    state: StateEnum
    progress_fraction: float
    progress_message: str
    seconds_left: float | None
    error: JobError | None
    submitted_at: str
    started_at: str | None
    ended_at: str | None
    id: str
    snapshot: str
    studies_count: int
    moved_count: int | None



class OutlookParams(TypedDict):
    """An array, its requests, and what it takes the place of. Input of the model `storage.array_outlook`."""

    array: NotRequired[ArrayDesign]
    workload: NotRequired[SyntheticWorkload]
    recorded: NotRequired[bool]
    replaces: NotRequired[Replaced | None]
    energy_usd_per_kwh: NotRequired[float]



class OutlookResult(TypedDict):
    """What holds at once, and why the rest needs a simulation. Answer of the model `storage.array_outlook`."""

    closed_form: ArrayInstantResult | None
    no_closed_form: str | None
    response_withheld: str | None
    note: str | None
    arrival_rate_per_s: float | None
    request_bytes: float
    requests: str
    low_power_idle_s: float | None
    standby_s: float | None
    losses_survived_count: int
    wear: str | None
    swap: str | None
    tracks: DriveTracks | None
    estimated_tracks: DiskGeometry | None
    drawn: DrawnArray
    power_states: StateDiagram
    cache_device: str | None
    copies_region_bytes: float



class OutsideParams(TypedDict):
    """Traffic to the internet, and how many providers carry it. Input of the model `network.outside`."""

    mean_gbit_per_s: NotRequired[float]
    peak_ratio: NotRequired[float]
    providers_count: NotRequired[int]
    fill_fraction: NotRequired[float]
    cross_connect_usd_per_month: NotRequired[float]
    router_life_months: NotRequired[int]



class OutsideResult(TypedDict):
    """Ports, what they cost whether used or not, and what traffic costs on top. Answer of the model `network.outside`."""

    port_gbit_per_s: float
    ports_count: int
    peak_gbit_per_s: float
    cross_connects_count: int
    ports_usd_per_month: float
    usd_per_mbit_month: float
    low_usd_per_mbit_month: float
    high_usd_per_mbit_month: float
    usd_per_tb: float
    total_usd_per_month: float
    routers_count: int
    router_usd: float
    routers_kw: float
    sentence: str



class OverheadPoint(TypedDict):
    """Share of the cores that completions take at a rate."""

    reads_per_s: float
    overhead_fraction: float



class OwnAccelerator(TypedDict):
    """An accelerator by its data sheet."""

    kind: str
    sheet: Accelerator



class OwnRent(TypedDict):
    """What an hour of an accelerator costs you."""

    accelerator: Literal['NVIDIA T4', 'NVIDIA A10', 'NVIDIA A10G', 'NVIDIA A30', 'NVIDIA L4', 'NVIDIA L40', 'NVIDIA L40S', 'NVIDIA A100 PCIe 40 GB', 'NVIDIA A100 SXM 40 GB', 'NVIDIA A100 PCIe 80 GB', 'NVIDIA A100 SXM 80 GB', 'NVIDIA H100 PCIe', 'NVIDIA H100 NVL', 'NVIDIA H100 SXM', 'NVIDIA H200 NVL', 'NVIDIA H200 SXM', 'NVIDIA GH200 96 GB', 'NVIDIA GH200 144 GB', 'NVIDIA B200 SXM', 'NVIDIA B300 SXM', 'NVIDIA GB200', 'NVIDIA GB300', 'NVIDIA RTX PRO 6000', 'AMD MI210', 'AMD MI250X', 'AMD MI300X', 'AMD MI325X', 'AMD MI350X', 'AMD MI355X', 'Intel Gaudi 2', 'Intel Gaudi 3', 'Google TPU v5e', 'Google TPU v5p', 'Google TPU v6e', 'AWS Trainium1', 'AWS Trainium2', 'AWS Inferentia2']
    usd_per_h: float



class OwnSession(TypedDict):
    """A browser that one is signed in with."""

    id: str
    agent: str
    began_at: str
    is_this: bool



class OwnedCluster(TypedDict):
    """Servers you own, on-premises or in colocation."""

    node_groups: list[PlansNodeGroup]
    equipment: NotRequired[list[Equipment]]
    array: NotRequired[ArraySpec | None]
    tiering: NotRequired[Tiering | None]
    hardware_price_ratio: NotRequired[float]
    racks: NotRequired[Racks]
    envelope: NotRequired[Envelope]
    space: NotRequired[Space]
    network: NotRequired[Network]
    sites: NotRequired[list[Site]]
    links: NotRequired[list[Link]]
    support: NotRequired[Support]
    software: NotRequired[Software]
    backup: NotRequired[Backup]
    services: NotRequired[list[ServiceLine]]
    spares_fraction_per_year: NotRequired[float]
    staff_fte: NotRequired[float]
    staff_usd_per_year: NotRequired[float]
    migration: NotRequired[PlansMigration]
    finance: NotRequired[Purchase | Lease]
    salvage: NotRequired[Salvage]
    refresh_months: NotRequired[int | None]
    lead_time_months: NotRequired[int]
    bought_ahead_fraction: NotRequired[float]
    pue: NotRequired[float | None]
    provision_ratio: NotRequired[float]
    shortfall_letter: NotRequired[str | None]
    letter: str
    title: str
    kind: str



class OwnedClusterSpec(TypedDict):
    """Servers you own, on-premises or in colocation. As `spec` of a design of the kind `owned_cluster`."""

    node_groups: list[PlansNodeGroup]
    equipment: NotRequired[list[Equipment]]
    array: NotRequired[ArraySpec | None]
    tiering: NotRequired[Tiering | None]
    hardware_price_ratio: NotRequired[float]
    racks: NotRequired[Racks]
    envelope: NotRequired[Envelope]
    space: NotRequired[Space]
    network: NotRequired[Network]
    sites: NotRequired[list[Site]]
    links: NotRequired[list[Link]]
    support: NotRequired[Support]
    software: NotRequired[Software]
    backup: NotRequired[Backup]
    services: NotRequired[list[ServiceLine]]
    spares_fraction_per_year: NotRequired[float]
    staff_fte: NotRequired[float]
    staff_usd_per_year: NotRequired[float]
    migration: NotRequired[PlansMigration]
    finance: NotRequired[Purchase | Lease]
    salvage: NotRequired[Salvage]
    refresh_months: NotRequired[int | None]
    lead_time_months: NotRequired[int]
    bought_ahead_fraction: NotRequired[float]
    pue: NotRequired[float | None]
    provision_ratio: NotRequired[float]
    shortfall_letter: NotRequired[str | None]



class OwnedVsCloudParams(TypedDict):
    """What is owned, what would be rented instead, and over how long. Input of the model `cost.owned_vs_cloud`."""

    capex_usd: NotRequired[float]
    power_w: NotRequired[float]
    electricity_usd_per_kwh: NotRequired[float]
    pue: NotRequired[float]
    facility_usd_per_year: NotRequired[float]
    staff_usd_per_year: NotRequired[float]
    groups: NotRequired[list[CostNodeGroup]]
    storage_tb: NotRequired[float]
    storage_usd_per_gb_month: NotRequired[float]
    transfer: NotRequired[Transfer]
    copy_in: NotRequired[Copy]
    horizon_years: NotRequired[float]
    growth_fraction_per_year: NotRequired[float]
    discount_fraction_per_year: NotRequired[float]
    year_h: NotRequired[Literal[8760, 8784]]
    gb_per_tb: NotRequired[Literal[1000, 1024]]
    billing: NotRequired[Literal['exact', 'started_hours']]
    rounding: NotRequired[Literal['none', 'paper']]



class OwnedVsCloudResult(TypedDict):
    """Both sides' totals, their causes, and when and where they are equal. Answer of the model `cost.owned_vs_cloud`."""

    cheaper: Literal['owned', 'cloud', 'equal']
    own_total_usd: float
    cloud_total_usd: float
    own_npv_usd: float
    cloud_npv_usd: float
    own_printed_usd: float | None
    cloud_printed_usd: float | None
    own_usd_per_year: float
    cloud_usd_per_year: float
    cloud_once_usd: float
    instances_count: float
    compute_full_usd_per_h: float
    copy_h: float
    break_even: CostBreakEven
    break_even_discounted: CostBreakEven
    tie: CostTie
    causes: list[ModelCause]
    monthly: Monthly
    warnings: list[str]



class Pack(TypedDict):
    """A pack of assumptions as it is now."""

    slug: str
    title: str
    is_own: bool
    version: int
    updated_at: str
    values: dict[str, CatalogueValue]



class PackDetail(TypedDict):
    """A pack of assumptions as it is now."""

    slug: str
    title: str
    is_own: bool
    version: int
    updated_at: str
    values: dict[str, CatalogueValue]
    versions: list[PackVersion]



class PackField(TypedDict):
    """A number that a pack may hold."""

    name: str
    title: str
    unit: str



class PackInputRequest(TypedDict):
    """Body of *add a pack of the workspace's own*."""

    slug: NotRequired[str | None]
    title: str
    values: dict[str, CatalogueValueInputRequest]



class PackVersion(TypedDict):
    """What a pack was from some time on."""

    version: int
    title: str
    since: str
    values: dict[str, CatalogueValue]



class PaginatedApprovalOutputList(TypedDict):
    """A page of a list."""

    results: list[ApprovalOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedArchiveOutputList(TypedDict):
    """A page of a list."""

    results: list[ArchiveOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedAuditOutputList(TypedDict):
    """A page of a list."""

    results: list[AuditOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedCatalogueEntryList(TypedDict):
    """A page of a list."""

    results: list[CatalogueEntry]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedCatalogueKindList(TypedDict):
    """A page of a list."""

    results: list[CatalogueKind]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedCatalogueSnapshotList(TypedDict):
    """A page of a list."""

    results: list[CatalogueSnapshot]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedCheckOutputList(TypedDict):
    """A page of a list."""

    results: list[CheckOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedCommentOutputList(TypedDict):
    """A page of a list."""

    results: list[CommentOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedDeliveryOutputList(TypedDict):
    """A page of a list."""

    results: list[DeliveryOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedDesignHeadList(TypedDict):
    """A page of a list."""

    results: list[DesignHead]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedDesignOutputList(TypedDict):
    """A page of a list."""

    results: list[DesignOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedImportOutputList(TypedDict):
    """A page of a list."""

    results: list[ImportOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedInvitationOutputList(TypedDict):
    """A page of a list."""

    results: list[InvitationOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedKeptPriceListList(TypedDict):
    """A page of a list."""

    results: list[KeptPriceList]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedMemberOutputList(TypedDict):
    """A page of a list."""

    results: list[MemberOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedMessageList(TypedDict):
    """A page of a list."""

    results: list[Message]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedModelOutputList(TypedDict):
    """A page of a list."""

    results: list[ModelOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedOutlookOutputList(TypedDict):
    """A page of a list."""

    results: list[OutlookOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedOwnSessionList(TypedDict):
    """A page of a list."""

    results: list[OwnSession]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedPackFieldList(TypedDict):
    """A page of a list."""

    results: list[PackField]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedPackList(TypedDict):
    """A page of a list."""

    results: list[Pack]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedPlaceList(TypedDict):
    """A page of a list."""

    results: list[Place]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedProvisionedGroupOutputList(TypedDict):
    """A page of a list."""

    results: list[ProvisionedGroupOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedReportOutputList(TypedDict):
    """A page of a list."""

    results: list[ReportOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedRunOutputList(TypedDict):
    """A page of a list."""

    results: list[RunOutput]
    next_cursor: str | None
    previous_cursor: str | None
    figures: NotRequired[list[dict[str, Any]]]



class PaginatedShareOutputList(TypedDict):
    """A page of a list."""

    results: list[ShareOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedStudyCardList(TypedDict):
    """A page of a list."""

    results: list[StudyCard]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedStudyTagList(TypedDict):
    """A page of a list."""

    results: list[StudyTag]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedStudyTemplateList(TypedDict):
    """A page of a list."""

    results: list[StudyTemplate]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedTokenOutputList(TypedDict):
    """A page of a list."""

    results: list[TokenOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedTraceOutputList(TypedDict):
    """A page of a list."""

    results: list[TraceOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedUsageOutputList(TypedDict):
    """A page of a list."""

    results: list[UsageOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedVersionOutputList(TypedDict):
    """A page of a list."""

    results: list[VersionOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedWebhookOutputList(TypedDict):
    """A page of a list."""

    results: list[WebhookOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedWorkspaceOutputList(TypedDict):
    """A page of a list."""

    results: list[WorkspaceOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaidLine(TypedDict):
    """Payments by one formula; it gives what is paid each time."""

    formula: list[str | int]
    payments: list[Payment]



class Pair(TypedDict):
    """The leader against one rival: how often it is cheaper, ties by half, and by how much."""

    rival: str
    cheaper_fraction: float
    gap_usd: float
    gap_fraction: float


PaperEnum: TypeAlias = "Literal['a4', 'letter']"


class ParetoArrivals(TypedDict):
    """Heavy-tailed gaps: x_m U^(-1/exponent), x_m = mean (exponent - 1) / exponent."""

    kind: str
    mean_ms: NotRequired[float]
    exponent: NotRequired[float]



class Part(TypedDict):
    """One line of a bill of materials."""

    name: str
    component: Literal['cpu', 'dram', 'ssd', 'hdd', 'gpu', 'chassis', 'network', 'server', 'facility', 'other']
    count: float
    unit_price_usd: float
    discount_fraction: NotRequired[float]
    index_ratio: NotRequired[float]
    price_as_of: NotRequired[str | None]



class PartOutput(TypedDict):
    """Where a part is to be sent by PUT; an address of another host needs no sign-in."""

    number: int
    bytes: int
    url: str



class Parts(TypedDict):
    """Average power by part."""

    fixed_w: float
    nodes_w: float
    disks_w: float
    ports_w: float



class PartsInputRequest(TypedDict):
    """Body of *return the addresses that parts may be sent to within the hour*."""

    numbers: list[int]



class PartsPrice(TypedDict):
    """A node as a bill of materials, each part with its price, discount and date."""

    kind: str
    parts: list[Part]
    discount_fraction: NotRequired[float]



class PasswordInputRequest(TypedDict):
    """The old password is left out where none is set yet."""

    old: NotRequired[str | None]
    new: str



class PasswordOutput(TypedDict):
    """Answer of *say whether there is a password, and whether the first one may be set now*."""

    is_set: bool
    may_set: bool



class Patch(TypedDict):
    """One place of the document and what to write there; designs by letter."""

    pointer: str
    value: JsonValue



class PatchedCatalogueEntryChangeInputRequest(TypedDict):
    """Body of *change the workspace's own entry*."""

    title: NotRequired[str]
    values: NotRequired[dict[str, CatalogueValueInputRequest]]



class PatchedCommentChangeRequest(TypedDict):
    """Body of *call a comment settled, or open again*."""

    resolved: NotRequired[bool]



class PatchedDesignUpdateInputRequest(TypedDict):
    """Body of *merge into the draft (RFC 7396)*."""

    title: NotRequired[str]
    kind: NotRequired[str]
    spec: NotRequired[DesignSpec | OpenDocument]
    provenance: NotRequired[dict[str, dict[str, JsonValue]]]
    position: NotRequired[int]



class PatchedMemberInputRequest(TypedDict):
    """Body of *give a member another role*."""

    role: NotRequired[RoleEnum]



class PatchedPackChangeInputRequest(TypedDict):
    """Body of *make another version of the workspace's own pack*."""

    title: NotRequired[str]
    values: NotRequired[dict[str, CatalogueValueInputRequest]]



class PatchedProvisionedGroupInputRequest(TypedDict):
    """Body of *choose the role that a group gives*."""

    role: NotRequired[RoleEnum | BlankEnum]



class PatchedStudyUpdateInputRequest(TypedDict):
    """Body of *merge into the draft (RFC 7396)*."""

    title: NotRequired[str]
    question: NotRequired[str]
    snapshot: NotRequired[str]
    as_of: NotRequired[str]
    tags: NotRequired[list[str]]
    workload: NotRequired[Workload | OpenDocument]
    workload_provenance: NotRequired[dict[str, dict[str, JsonValue]]]
    assumptions: NotRequired[Assumptions | OpenDocument]
    assumptions_provenance: NotRequired[dict[str, dict[str, JsonValue]]]
    baseline: NotRequired[Baseline | OpenDocument | None]
    baseline_provenance: NotRequired[dict[str, dict[str, JsonValue]]]
    ranges: NotRequired[list[Range | OpenDocument]]
    draws_count: NotRequired[int]
    seed: NotRequired[int]



class PatchedTraceRenameInputRequest(TypedDict):
    """Body of *give a trace another title*."""

    title: NotRequired[str]



class PatchedWorkspaceInputRequest(TypedDict):
    """Body of *rename the workspace that the session is in*."""

    name: NotRequired[str]



class PathAnswer(TypedDict):
    """One way of a request, and the rate that it allows."""

    name: str
    cpu_per_request_us: float
    requests_per_s: float
    copies_per_request: float
    interrupts_per_request: float
    switches_per_request: float



class Payment(TypedDict):
    """When an amount is paid: at a point of time, or at the end of some months in a row. `each` is what is paid each time, `value` what it comes to over `months_count`. Of a row of the comparison both are a part of it, in the unit of its working."""

    when: str
    months_count: int
    each: float
    value: float



class PeakCharges(TypedDict):
    """What the highest power in hours of a kind costs."""

    weekday_schedule: NotRequired[list[list[int]]]
    weekend_schedule: NotRequired[list[list[int]]]
    periods: NotRequired[list[DemandPeriod]]



class PeopleParams(TypedDict):
    """What is run, and how much work each is beside a server of one kind among many. Input of the model `cost.people`."""

    hosts_count: NotRequired[int]
    storage_hosts_count: NotRequired[int]
    gpu_hosts_count: NotRequired[int]
    racks_count: NotRequired[int]
    switches_count: NotRequired[int]
    sites_count: NotRequired[int]
    instances_count: NotRequired[int]
    gpu_instances_count: NotRequired[int]
    providers_count: NotRequired[int]
    services_count: NotRequired[int]
    storage_host_ratio: NotRequired[float]
    gpu_host_ratio: NotRequired[float]
    rack_ratio: NotRequired[float]
    switch_ratio: NotRequired[float]
    site_ratio: NotRequired[float]
    instance_ratio: NotRequired[float]
    gpu_instance_ratio: NotRequired[float]
    provider_ratio: NotRequired[float]
    service_ratio: NotRequired[float]
    people_fte: NotRequired[float]
    exponent: NotRequired[float]
    on_call: NotRequired[Literal['shared', 'own']]
    on_call_fte: NotRequired[float]



class PeopleResult(TypedDict):
    """People, and of what they are. Answer of the model `cost.people`."""

    work_count: float
    fte: float
    low_fte: float
    high_fte: float
    hosts_per_person_count: float | None
    sentence: str



class PerYear(TypedDict):
    """A year of the array at the run's mean power, and its chance to lose data."""

    energy_kwh: float
    energy_usd_per_year: float
    capital_usd_per_year: float | None
    repair_h: float
    mttdl_years: float | None
    loss_fraction: float



class Percentile(TypedDict):
    """Share of requests that took at most a time."""

    percent_ratio: float
    latency_ms: float



class PercentileInterval(TypedDict):
    """95% interval of a percentile of all responses."""

    percentile_fraction: float
    low_ms: float
    high_ms: float



class PercentileTime(TypedDict):
    """Time within which a share of the requests is answered."""

    percentile_fraction: float
    response_ms: float



class Percentiles(TypedDict):
    """Response within which a share of the requests stays."""

    p50_ms: float
    p95_ms: float
    p99_ms: float
    p999_ms: float



class PerformanceKvNodeParamsMap(TypedDict):
    """The cells of the map of the cheapest: both axes logarithmic."""

    dataset_low_tb: NotRequired[float]
    dataset_high_tb: NotRequired[float]
    query_rate_low_per_s: NotRequired[float]
    query_rate_high_per_s: NotRequired[float]
    dataset_steps_per_decade: NotRequired[int]
    query_steps_per_decade: NotRequired[int]



class PerformanceMap(TypedDict):
    """A grid over nodes and disks of the first cluster, both axes even."""

    nodes_low_count: NotRequired[int]
    nodes_high_count: NotRequired[int]
    nodes_steps_count: NotRequired[int]
    disks_low_count: NotRequired[int]
    disks_high_count: NotRequired[int]
    disks_steps_count: NotRequired[int]
    measure: NotRequired[Literal['performance_per_w', 'energy_j', 'performance_per_usd', 'time_s']]



class PerformancePhase(TypedDict):
    """One phase of a job: all its tasks can run at once, the next waits for them."""

    name: str
    task_cpu_s: float
    tasks_count: NotRequired[int | None]
    read_gb: NotRequired[float]
    write_gb: NotRequired[float]
    shuffle_gb: NotRequired[float]



class PerformanceSizeParams(TypedDict):
    """A workload, a node, and how full nodes may be. Input of the model `performance.size_for_work`."""

    query_rate_per_s: NotRequired[float]
    service_ms: NotRequired[float]
    service_variation_ratio: NotRequired[float]
    latency_bound_ms: NotRequired[float | None]
    percentile_fraction: NotRequired[float]
    dataset_tb: NotRequired[float]
    copies_count: NotRequired[int]
    memory_gb: NotRequired[float]
    batch_core_h: NotRequired[float]
    batch_deadline_h: NotRequired[float]
    batch_beside_queries: NotRequired[bool]
    io_per_s: NotRequired[float]
    headroom_fraction: NotRequired[float]
    fill_fraction: NotRequired[float]
    spare_nodes_count: NotRequired[int]
    node: NotRequired[Node]



class PerformanceSizeResult(TypedDict):
    """Nodes to buy, the constraint, and how full each resource is with all but the spares up. Answer of the model `performance.size_for_work`."""

    nodes_count: int
    serving_nodes_count: int
    binding: Literal['queries', 'latency', 'data', 'batch', 'io', 'memory']
    requirements: list[Requirement]
    response_ms: float | None



class PeriodOfTariff(TypedDict):
    """Energy of the year in the hours of a period."""

    name: str
    energy_kwh: float
    energy_usd: float



class PeriodicTraffic(TypedDict):
    """One access after another at one rank, equally spaced."""

    kind: str
    gap_ns: NotRequired[float]



class PhaseTime(TypedDict):
    """How long a phase takes each part, and which one it waits for."""

    name: str
    tasks_count: int
    waves_count: int
    slot_use_fraction: float
    cpu_s: float
    disk_s: float
    network_s: float
    time_s: float
    bottleneck: Literal['cpu', 'disk', 'network']



class Place(TypedDict):
    """A city that regions are held of, to choose from."""

    city: str
    country: str
    currency: str
    regions: list[str]



class PlaceOnDrive(TypedDict):
    """How often a replica at a place is lost with its block, on one kind of drive."""

    drive: str
    lost_fraction: float | None
    low_fraction: float | None
    high_fraction: float | None
    lost_blocks_count: float | None



class PlaceResult(TypedDict):
    """One place for replicas: what it costs and what it is worth."""

    strategy: Literal['same_track', 'other_surface', 'neighbor_track', 'few_cylinders', 'far_zone']
    extra_write_ms: float
    drives: list[PlaceOnDrive]
    lost_fraction: float | None



class Placed(TypedDict):
    """Where one application runs."""

    id: str
    server_count: int



class PlacedValue(TypedDict):
    """Such a value, with the part of the study that its pointer is relative to."""

    letter: str
    pointer: str
    before: JsonValue
    after: JsonValue
    entry: str
    as_of: str | None
    part: str



class Placement(TypedDict):
    """Where each kind of demand lives: as in the owned design, or as in the rented one."""

    compute: NotRequired[Literal['owned_base', 'owned', 'rented']]
    block: NotRequired[Literal['owned', 'rented']]
    object: NotRequired[Literal['owned', 'rented']]
    archive: NotRequired[Literal['owned', 'rented']]
    gpus: NotRequired[Literal['owned', 'rented']]
    transfer: NotRequired[Literal['with_compute', 'owned', 'rented']]
    services: NotRequired[Literal['owned', 'rented']]



class PlanParams(TypedDict):
    """Applications, servers, what moving costs, and how to search. Input of the model `consolidation.plan`."""

    resources: NotRequired[list[str]]
    work_ratio: NotRequired[list[float]]
    applications: list[Application]
    services: NotRequired[list[ConsolidationService]]
    servers: NotRequired[list[ServerType]]
    servers_per_rack_count: NotRequired[int]
    power_lines_count: NotRequired[int]
    solver: NotRequired[Literal['auto', 'greedy2008', 'exhaustive', 'v2', 'exact', 'search']]
    tolerance_ratio: NotRequired[float | None]
    box_fraction: NotRequired[list[float] | None]
    current_server_count: NotRequired[list[int] | None]
    migration: NotRequired[ConsolidationMigration]
    hold_s: NotRequired[float]
    effort_count: NotRequired[int]



class PlanPrice(TypedDict):
    """What an hour costs under a plan, what is paid in advance spread over its term."""

    title: str
    kind: str
    term_months: int
    upfront_fraction: float
    entry: str
    field: str
    price: CatalogueValue



class PlanResult(TypedDict):
    """The plan, its watts, what is known about better ones, and whether moving pays. Answer of the model `consolidation.plan`."""

    status: Literal['ok', 'infeasible']
    reason: str | None
    solver: Literal['auto', 'greedy2008', 'exhaustive', 'v2', 'exact', 'search']
    placement: list[Placed]
    servers: list[ServerLoad]
    servers_on_count: int
    power_w: float
    effective_power_w: float
    energy_j: float | None
    bound_w: float | None
    gap_fraction: float | None
    binding: str | None
    moves: list[Move]
    overhead_j: float
    saving_w: float | None
    net_saving_j: float | None
    moving_pays: bool | None
    shortest_sleep_s: float | None



class PlannedMonth(TypedDict):
    """A month as planned: means over scenarios and hours."""

    owned_count: float
    committed_count: float
    owned_used_count: float
    committed_used_count: float
    on_demand_count: float
    spot_count: float
    unmet_count: float
    demand_mean_count: float
    demand_low_count: float
    demand_high_count: float



class PlansBreakEven(TypedDict):
    """When one design has cost less than another, for good within the horizon. All of an answer have one basis, the verdict's: `mean` of the simulations, of the measure that designs are ranked by; `as_entered` where nothing was simulated, of both measures. Without a crossing `reason` says why: `same` where both cost the same in every month."""

    challenger: str
    incumbent: str
    discounted: bool
    basis: Literal['mean', 'as_entered']
    first_month_cheaper: int | None
    exact_months: float | None
    crossings_count: int
    cost_usd: float | None
    reason: NotRequired[Literal['never', 'always', 'same'] | None]



class PlansCommitment(TypedDict):
    """A promise to pay for a base of instances over a term, at a discount or at a price."""

    kind: NotRequired[Literal['reserved', 'savings_plan']]
    term_months: NotRequired[int]
    discount_fraction: NotRequired[float]
    plan: NotRequired[str | None]
    prices: NotRequired[list[CommittedPrice]]
    upfront_fraction: NotRequired[float]
    base_quantile_fraction: NotRequired[float | None]
    renewed: NotRequired[bool]



class PlansMachineType(TypedDict):
    """A machine that can be ordered, in whole ones."""

    name: NotRequired[str]
    capacity_count: NotRequired[float]
    usable_fraction: NotRequired[float]
    price_usd: NotRequired[float]
    price_change: NotRequired[FixedChange | RangeChange | LogNormalChange | CasesChange]
    upkeep_usd_per_month: NotRequired[float]
    life_months: NotRequired[int]
    resale_fraction: NotRequired[float]
    lead_months: NotRequired[int]
    order_every_months: NotRequired[int]
    from_month: NotRequired[int]
    minimum_order_count: NotRequired[int]
    power_kw: NotRequired[float | None]
    rack_units_count: NotRequired[int | None]



class PlansMachines(TypedDict):
    """Machines whose use is known: the cluster that the work runs on, or would."""

    name: str
    node_count: int
    cores_per_node_count: float
    disks_per_node_count: NotRequired[float]
    disk_tb: NotRequired[float]
    utilization_fraction: NotRequired[float | None]
    note: NotRequired[str | None]



class PlansMigration(TypedDict):
    """Moving the work here: labour, months of paying both, and exit from the current site."""

    labour_usd: NotRequired[float]
    parallel_months: NotRequired[float]
    parallel_letter: NotRequired[str | None]
    parallel_usd_per_month: NotRequired[float]
    exit_tb: NotRequired[float]
    exit_usd_per_gb: NotRequired[float]
    overrun_ratio: NotRequired[float]



class PlansNodeGroup(TypedDict):
    """Nodes of one kind with one task."""

    name: str
    role: NotRequired[Literal['compute', 'compute_and_block', 'block', 'object', 'archive', 'gpu', 'service', 'other']]
    share_fraction: NotRequired[float]
    count: NotRequired[int | None]
    spare_nodes_count: NotRequired[int | None]
    cores_per_node_count: NotRequired[float]
    sockets_per_node_count: NotRequired[float]
    perf_per_core_ratio: NotRequired[float]
    ram_gib: NotRequired[float]
    gpus_per_node_count: NotRequired[float]
    gpu: NotRequired[str | None]
    gpus: NotRequired[Gpus | None]
    nic_gbit_per_s: NotRequired[float | None]
    drives: NotRequired[Drives | None]
    data_in: NotRequired[Literal['drives', 'memory']]
    fill: NotRequired[Fill | None]
    memory: NotRequired[NodeMemory | None]
    price: TypedPrice | CataloguePrice | PartsPrice | LumpPrice
    power: NotRequired[ConstantPower | LinearPower | FamilyPower | TwoSegmentsPower | FanPower | MeasuredPower | None]
    adder_w: NotRequired[float]
    psu_efficiency_fraction: NotRequired[float | None]
    provisioned_w: NotRequired[float | None]
    rack_units_count: NotRequired[float | None]
    nodes_per_rack_count: NotRequired[int | None]
    duty_fraction: NotRequired[float]
    embodied: NotRequired[Embodied | None]
    note: NotRequired[str | None]



class PlansOrder(TypedDict):
    """Machines that are ordered in a month."""

    machine: str
    month: int
    arrives_month: int
    ordered_count: int
    paid_usd: float
    trigger_p95_count: float



class PlansPowerPoint(TypedDict):
    """One measured point of a power curve."""

    load_fraction: float
    power_w: float



class PlansPurchaseParamsCommitment(TypedDict):
    """A term for which rented capacity is paid, used or not, at a discount."""

    name: str
    term_months: int
    discount_fraction: float
    payment: NotRequired[Literal['monthly', 'upfront']]



class PlansPurchaseParamsSpot(TypedDict):
    """Capacity rented by the hour that may be taken back."""

    usd_per_unit_h: float
    share_fraction: float
    repeated_fraction: NotRequired[float]



class PlansService(TypedDict):
    """What a service asks of its nodes, at its peak and today; see performance.size_for_work."""

    query_rate_per_s: NotRequired[float]
    service_ms: NotRequired[float]
    service_variation_ratio: NotRequired[float]
    latency_bound_ms: NotRequired[float | None]
    percentile_fraction: NotRequired[float]
    dataset_tb: NotRequired[float]
    copies_count: NotRequired[int]
    memory_gb: NotRequired[float]
    batch_core_h: NotRequired[float]
    batch_deadline_h: NotRequired[float]
    batch_beside_queries: NotRequired[bool]
    io_per_s: NotRequired[float]
    rate_growth_fraction_per_year: NotRequired[float]
    data_growth_fraction_per_year: NotRequired[float]



class PlansSpot(TypedDict):
    """Interruptible capacity in place of a part of what is on demand."""

    share_fraction: NotRequired[float]
    discount_fraction: NotRequired[float]
    waste_fraction: NotRequired[float]



class PlansStorageTier(TypedDict):
    """One band of a storage price."""

    up_to_tb: NotRequired[float | None]
    usd_per_gb_month: float



class PlansSupportBand(TypedDict):
    """One band of a support plan's price."""

    up_to_usd_per_month: NotRequired[float | None]
    fraction: float



class PlansTie(TypedDict):
    """The utilisation at which two designs cost the same over the horizon."""

    pointer: str
    value: float | None
    between: list[str]
    reason: NotRequired[str | None]



class PlansTransferTier(TypedDict):
    """One band of a transfer price."""

    up_to_tb: NotRequired[float | None]
    usd_per_gb: float



class Platform(TypedDict):
    """A processor whose speed depends on where the working set lies."""

    name: str
    cores_count: int
    power_w: float
    caches: list[CacheLevel]
    memory_ns: float



class Point(TypedDict):
    """One load."""

    cpu_fraction: float
    disk_fraction: float
    energy_j: float
    degradation_ratio: float
    power_w: float



class PoissonTraffic(TypedDict):
    """Accesses at random times; pages by popularity, each on a random rank."""

    kind: str
    rate_per_s: NotRequired[float]
    skew: NotRequired[list[SkewPoint]]
    pages_count: NotRequired[int]



class PoliciesInstantParams(TypedDict):
    """Memory and steady traffic. Input of the model `memory.power_policies_instant`."""

    memory: NotRequired[KnownMemory | PowerStates]
    traffic: NotRequired[RandomTraffic | TwoProcessTraffic | PeriodicTraffic]
    active_ranks_fraction: NotRequired[float]
    threshold_max_ratio: NotRequired[float]
    stall_fraction: NotRequired[float]



class PoliciesInstantResult(TypedDict):
    """One row for each technique, and the limits of any. Answer of the model `memory.power_policies_instant`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    rate_per_s: float
    techniques: list[MemoryPowerPoliciesInstantPolicyRow]
    all_self_refresh_w: float
    critical_rate_per_s: float
    powerdown_break_even_ns: float | None
    self_refresh_break_even_ns: float | None
    self_refresh_break_even_published_us: float



class Policy(TypedDict):
    """How overload is detected, and which machine leaves."""

    overload: NotRequired[Literal['npa', 'dvfs', 'thr', 'iqr', 'mad', 'lr', 'lrr']]
    selection: NotRequired[Literal['mmt', 'mu', 'rs', 'mc']]
    threshold_fraction: NotRequired[float]
    safety_ratio: NotRequired[float]



class PolicyResult(TypedDict):
    """A policy on all servers; empty where a current is unknown."""

    policy: Literal['ready', 'power_down', 'aggregate', 'remove']
    average_w: float | None
    average_p10_w: float | None
    average_p90_w: float | None
    saving_w: float | None
    saving_p10_w: float | None
    saving_p90_w: float | None
    saving_kwh_per_year: float | None
    saving_p10_kwh_per_year: float | None
    saving_p90_kwh_per_year: float | None
    saving_usd_per_year: float | None
    saving_p10_usd_per_year: float | None
    saving_p90_usd_per_year: float | None
    causes: CausesResult | None



class Power(TypedDict):
    """What the parts of a cluster draw."""

    fixed_w: NotRequired[float]
    node_idle_w: NotRequired[float]
    node_dynamic_w: NotRequired[float]
    disk_idle_w: NotRequired[float]
    disk_dynamic_w: NotRequired[float]
    port_w: NotRequired[float]



class PowerByCause(TypedDict):
    """Average power, split by cause; the parts add up."""

    standby_w: float
    powerdown_w: float
    self_refresh_w: float
    peripheral_w: float
    access_w: float



class PowerCharges(TypedDict):
    """As the model has them, but none until they are entered: a form shows what is billed."""

    periods: NotRequired[list[DemandPeriod]]
    seasons_by_months: NotRequired[list[int]]
    ratchet_fraction: NotRequired[list[float]]
    lookback_months: NotRequired[int]
    counted_months: NotRequired[list[int]]
    earlier_peaks_kw: NotRequired[list[float]]



class PowerCurvePoint(TypedDict):
    """Power at a load, by each kind of curve."""

    utilization_fraction: float
    family_w: float
    two_segments_w: float
    linear_w: float
    fan_w: float



class PowerLoad(TypedDict):
    """Power as it was measured or is planned."""

    kind: str
    hourly_power_kw: list[float]



class PowerPiece(TypedDict):
    """Mean power of all devices over a piece of the run, by state."""

    start_s: float
    end_s: float
    power_w: float
    active_w: float
    seek_w: float
    idle_w: float
    low_power_idle_w: float
    standby_w: float
    transition_w: float



class PowerPoliciesParams(TypedDict):
    """Memory, its traffic, and the techniques to compare. Input of the model `memory.power_policies`."""

    memory: NotRequired[KnownMemory | PowerStates]
    traffic: NotRequired[PoissonTraffic | TwoProcessTraffic | MixTraffic | BurstTraffic | PeriodicTraffic | TraceTraffic | NoTraffic]
    techniques: NotRequired[list[Literal['NOPM', 'IPD', 'ISR', 'HW', 'HW_SW', 'PAVM', 'PAVM_IPD']]]
    interleave: NotRequired[Literal['rank_fill', 'rank_spread']]
    reshaping: NotRequired[Reshaping]
    horizon_ms: NotRequired[float]
    threshold_max_ratio: NotRequired[float]
    threshold_first_ratio: NotRequired[float]
    stall_fraction: NotRequired[float]
    electricity_usd_per_kwh: NotRequired[float]
    pue: NotRequired[float]



class PowerPoliciesResult(TypedDict):
    """One row for each technique, on the same accesses. Answer of the model `memory.power_policies`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    accesses_count: int
    rate_per_s: float
    active_ranks_fraction: float
    techniques: list[TechniqueResult]
    migration: MemoryMigration | None
    warnings: list[str]



class PowerPowerPoint(TypedDict):
    """A measured load and its power."""

    utilization_fraction: float
    power_w: float



class PowerReading(TypedDict):
    """What a meter showed at one load."""

    load_fraction: float
    power_w: float



class PowerState(TypedDict):
    """A state of a drive."""

    id: Literal['active', 'write', 'idle', 'low_power_idle', 'standby']
    label: str
    power_w: float
    said: str



class PowerStates(TypedDict):
    """Powers and times of one rank, the smallest part whose state can be changed."""

    kind: str
    ranks_count: NotRequired[int]
    ranks_per_dimm_count: NotRequired[int]
    rank_mib: NotRequired[int]
    standby_w: NotRequired[float]
    powerdown_w: NotRequired[float]
    self_refresh_w: NotRequired[float]
    peripheral_w: NotRequired[float]
    peripheral_asleep_w: NotRequired[float]
    access_nj: NotRequired[float]
    powerdown_exit_ns: NotRequired[float]
    self_refresh_exit_ns: NotRequired[float]
    rank_busy_ns: NotRequired[float]
    controller_ns: NotRequired[float]
    issue_ns: NotRequired[float]
    refresh_interval_ns: NotRequired[float]



class PowerSupply(TypedDict):
    """Power supplies of a server, which share its load evenly. For a curve of what the parts draw behind the supply. Power measured at the wall has the loss in it already."""

    level: NotRequired[Literal['bronze', 'silver', 'gold', 'platinum', 'titanium']]
    rated_w: NotRequired[float]
    supplies_count: NotRequired[int]



class Price(TypedDict):
    """What a cluster costs to buy."""

    fixed_usd: NotRequired[float]
    node_usd: NotRequired[float]
    disk_usd: NotRequired[float]



class PriceChanges(TypedDict):
    """What changed from one price list to another; each table has the largest changes."""

    before: KeptPriceList
    after: KeptPriceList
    new_count: int
    gone_count: int
    changed_count: int
    same_count: int
    tables: list[ImportTable]


PriceListEnum: TypeAlias = "Literal['aws', 'aws_savings', 'azure', 'gcp', 'ecb']"


class PriceListInputRequest(TypedDict):
    """A price list, or exchange rates, to be fetched from who publishes them."""

    provider: PriceListEnum
    region: NotRequired[str]



class PriceListSource(TypedDict):
    """A list that can be fetched from who publishes it."""

    provider: PriceListEnum
    title: str
    by_region: bool



class PriceOffer(TypedDict):
    """An upfront payment and a price for every hour of the term."""

    kind: str
    upfront_usd: float
    hourly_usd_per_h: float
    term_years: float



class PriceSpread(TypedDict):
    """Price of one module."""

    low_usd: float
    mode_usd: float
    high_usd: float



class Problem(TypedDict):
    """RFC 9457 problem document with all faults at once."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[Fault]



class ProcessKind(TypedDict):
    """A process of a mix, while it runs."""

    title: str
    switches_count: int
    quantum_ms: float
    rate_per_s: float
    active_ranks_count: int



class Processor(TypedDict):
    """A processor: how much it does when its caches hold all, and what it draws."""

    name: str
    speed_mips: float
    power_w: float



class ProcessorPoint(TypedDict):
    """A processor in the figure."""

    name: str
    speed_mips: float
    efficiency_mips_per_w: float



class Project(TypedDict):
    """What one project used in the period."""

    title: str
    used_core_h: float
    stored_tb_months: float



class ProjectCost(TypedDict):
    """What one project costs; `printed_usd` is to the cent and adds up."""

    title: str
    compute_usd: float
    storage_usd: float
    total_usd: float
    printed_usd: float
    share_fraction: float



class PrometheusInputRequest(TypedDict):
    """A query of a Prometheus server, and the access to it, which is kept sealed until it ends."""

    title: NotRequired[str]
    since: str
    until: str
    step_s: NotRequired[int]
    address: str
    query: str
    token: NotRequired[str]
    user: NotRequired[str]
    password: NotRequired[str]



class ProportionalityParams(TypedDict):
    """A kind of server, how many, and how full they are kept while others are off. Input of the model `power.proportionality`."""

    power_idle_w: NotRequired[float]
    power_max_w: NotRequired[float]
    exponent: NotRequired[float]
    servers_count: NotRequired[int]
    target_fraction: NotRequired[float]
    always_on_count: NotRequired[int]
    power_sleep_w: NotRequired[float]
    wake_j: NotRequired[float]
    points_count: NotRequired[int]



class ProportionalityResult(TypedDict):
    """Curves by load, how proportional each way is, and the shortest sleep that pays. Answer of the model `power.proportionality`."""

    points: list[LoadPoint]
    dynamic_range_fraction: float
    all_on_proportionality_fraction: float
    switched_proportionality_fraction: float
    shortest_sleep_s: float | None


ProposalOptionOptionEnum: TypeAlias = "Literal['aws', 'azure', 'gcp', 'owned', 'coded', 'shelves', 'hybrid']"


class ProposalOptionRequest(TypedDict):
    """A provider with the term of its plan, own servers, or own servers with rented peaks."""

    option: ProposalOptionOptionEnum
    term_months: NotRequired[TermMonthsEnum]
    region: NotRequired[str]



class ProposedDesign(TypedDict):
    """A design that is proposed, sized and priced."""

    letter: str
    title: str
    kind: str
    spec: DesignSpec | OpenDocument
    provenance: dict[str, dict[str, JsonValue]]


ProposedOptionOptionEnum: TypeAlias = "Literal['same', 'fleet', 'fewer', 'by_size', 'by_use', 'owned', 'hybrid', 'aws', 'azure', 'gcp']"


class ProposedOptionRequest(TypedDict):
    """A design to propose, with the term of its plan."""

    option: ProposedOptionOptionEnum
    term_months: NotRequired[TermMonthsEnum]
    provider: NotRequired[ProviderEnum | NullEnum]


ProviderEnum: TypeAlias = "Literal['aws', 'azure', 'gcp']"


class ProviderName(TypedDict):
    """A provider that designs are proposed of."""

    provider: ProviderEnum
    title: str



class ProvisionedGroupOutput(TypedDict):
    """A row of *list the groups that an identity provider told of, and the role that each gives*."""

    id: str
    display_name: str
    role: RoleEnum | BlankEnum



class PublishedResult(TypedDict):
    """What SPEC prints of a server: its overall result, and its operations at full load."""

    overall_ssj_ops_per_w: float
    full_load_ssj_ops_per_s: float



class Purchase(TypedDict):
    """Paid when bought."""

    kind: str



class PurchasePlanParams(TypedDict):
    """A horizon, a demand that is not known for sure, and every way to carry it. Input of the model `plans.purchase_plan`."""

    months_count: NotRequired[int]
    first_month: NotRequired[str | None]
    demand: NotRequired[Demand]
    scenarios_count: NotRequired[int]
    machines: NotRequired[list[PlansMachineType]]
    held_machines: NotRequired[list[HeldMachines]]
    site_limits: NotRequired[list[SiteLimit]]
    budget_usd: NotRequired[list[float]]
    end: NotRequired[Literal['stops', 'continues']]
    on_demand: NotRequired[OnDemand | None]
    spot: NotRequired[PlansPurchaseParamsSpot | None]
    commitments: NotRequired[list[PlansPurchaseParamsCommitment]]
    held_commitments: NotRequired[list[HeldCommitment]]
    unmet_usd_per_unit_h: NotRequired[float | None]
    reviews: NotRequired[list[Review]]
    discount_fraction_per_year: NotRequired[float]
    gap_fraction: NotRequired[float]
    limit_s: NotRequired[float]
    currency: NotRequired[Currency]



class PurchasePlanResult(TypedDict):
    """The plan, its cost beside other ways, and what knowing more is worth. Answer of the model `plans.purchase_plan`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    expected_usd: float
    bound_usd: float
    gap_fraction: float
    p10_usd: float
    p90_usd: float
    scenarios_count: int
    orders: list[PlansOrder]
    commitments: list[StartedCommitment]
    all_rented_usd: float | None
    all_owned_usd: float | None
    perfect_usd: float | None
    mean_plan_usd: float | None
    redecided_usd: float | None
    redecided_gap_fraction: float | None
    later_usd: float | None
    next_best_usd: float | None
    next_best_orders: list[PlansOrder]
    unmet_hours_mean_h: float
    unmet_hours_worst_h: float
    months: list[PlannedMonth]
    quarters: list[QuarterCash]
    site: list[SiteUse]
    known: list[KnownWorth]


PurposeEnum: TypeAlias = "Literal['sign_up', 'reset', 'verify']"

QualityEnum: TypeAlias = "Literal['measured', 'published', 'recalled', 'assumed', 'derived', 'typed']"


class QuantilePair(TypedDict):
    """A percentile of the second half, measured and modelled."""

    percent_ratio: float
    measured_ms: float
    modelled_ms: float



class Quantity(TypedDict):
    """One unknown that was drawn; `explains_fraction` is its share of the variance of the difference between the leader and its strongest rival, `explains` as the simulations tell."""

    key: str
    label: str
    members: list[Member]
    by_hand: bool
    explains_fraction: NotRequired[float | None]
    explains: NotRequired[str | None]



class QuarterCash(TypedDict):
    """Money that is called in a quarter, not discounted."""

    machines_usd: float
    upkeep_usd: float
    committed_usd: float
    rented_usd: float



class QueueParams(TypedDict):
    """Arrivals, servers, and how service times vary. Input of the model `performance.queueing`."""

    arrival_rate_per_s: NotRequired[float]
    service_ms: NotRequired[float]
    service_variation_ratio: NotRequired[float]
    servers_count: NotRequired[int]
    percentiles_fraction: NotRequired[list[float]]
    latency_bound_ms: NotRequired[float | None]



class QueueResult(TypedDict):
    """Load, waiting and response. Answer of the model `performance.queueing`."""

    utilization_fraction: float
    waiting_fraction: float
    wait_mean_ms: float
    response_mean_ms: float
    in_queue_count: float
    in_system_count: float
    percentiles: list[PercentileTime]
    late_fraction: float | None
    exact: bool



class RackFigures(TypedDict):
    """The racks of the last year, the first few of them one by one, and the constraint."""

    racks_count: int
    slots_count: int
    nodes_count: int
    power_w: float | None
    limit_w: float
    groups: list[RackGroup]
    fullest: RackFill
    drawn: list[RackFill]
    fits: bool | None
    sentence: str



class RackFill(TypedDict):
    """What stands in one rack: nodes of each group, and the power provisioned for all of it."""

    nodes_count: list[int]
    slots_count: int
    power_w: float | None



class RackGroup(TypedDict):
    """Nodes of one group, and the power provisioned for one; None where it is not known."""

    name: str
    count: int
    power_w: float | None



class RackedMachine(TypedDict):
    """How many of a kind are in a rack, and what fills it."""

    name: str
    per_rack_count: int
    binding: Literal['height', 'power', 'weight', 'ports']



class Racks(TypedDict):
    """Racks, bought as the nodes need them."""

    nodes_per_rack_count: NotRequired[int]
    power_w: NotRequired[float]
    unit_price_usd: NotRequired[float]



class RacksParams(TypedDict):
    """Machines to put into racks. Input of the model `power.racks`."""

    machines: NotRequired[list[Machine]]
    beside_units_count: NotRequired[float]
    beside_w: NotRequired[float]
    ports_per_rack_count: NotRequired[int]
    years_of_growth_ratio: NotRequired[float]



class RacksResult(TypedDict):
    """The class of site, and the racks. Answer of the model `power.racks`."""

    site: str
    source: str
    as_of: str
    rack_kw: float
    machines: list[RackedMachine]
    racks_count: int
    provisioned_kw: float
    stranded_kw: float
    usd_per_kw_month: float
    low_usd_per_kw_month: float
    high_usd_per_kw_month: float
    usd_per_rack_month: float
    low_usd_per_rack_month: float
    high_usd_per_rack_month: float
    rack_usd: float
    space_usd_per_month: float
    sentence: str



class RandomArrivals(TypedDict):
    """Arrivals at random: Poisson, or burstier with a gamma of a higher variation."""

    kind: str
    requests_per_s: NotRequired[float]
    variation_ratio: NotRequired[float]



class RandomTraffic(TypedDict):
    """Accesses at random times, all ranks alike."""

    kind: str
    rate_per_s: NotRequired[float]



class Range(TypedDict):
    """How far a number may be off: least and most, with the number itself most likely."""

    pointer: str
    low: float
    high: float
    quantity: NotRequired[str | None]



class RangeChange(TypedDict):
    """A change each year between two ends, of a triangle or a PERT distribution."""

    kind: str
    low_fraction_per_year: float
    likely_fraction_per_year: float
    high_fraction_per_year: float
    shape: NotRequired[Literal['triangular', 'pert']]


RangesEnum: TypeAlias = "Literal['drop', 'move', 'keep']"


class RankResult(TypedDict):
    """What one rank did."""

    rank: int
    standby_fraction: float
    powerdown_fraction: float
    self_refresh_fraction: float
    idle_mean_ns: float | None



class Ranks(TypedDict):
    """How a replica is divided over accelerators."""

    tensor_count: NotRequired[int]
    data_count: NotRequired[int]
    pipeline_count: NotRequired[int]



class RateLoad(TypedDict):
    """Requests that arrive at random."""

    kind: str
    requests_per_s: NotRequired[float]



class Ratios(TypedDict):
    """One cluster against the last."""

    name: str
    baseline: str
    speedup_ratio: float
    time_cut_fraction: float
    power_ratio: float | None
    energy_ratio: float | None
    performance_per_w_gain_fraction: float | None
    performance_per_wh_ratio: float | None
    performance_per_usd_ratio: float | None



class RdramDevices(TypedDict):
    """Direct Rambus memory: each device has a state of its own."""

    kind: str
    devices_count: NotRequired[int]
    attention_w: NotRequired[float]
    standby_w: NotRequired[float]
    nap_w: NotRequired[float]
    powerdown_w: NotRequired[float]
    nap_exit_ns: NotRequired[float]
    powerdown_exit_ns: NotRequired[float]



class Readers(TypedDict):
    """Clients that read at the same time."""

    readers_count: int
    reader_mb_per_s: float



class Reading(TypedDict):
    """What a meter showed at one load."""

    utilization_fraction: float
    power_w: float



class Reason(TypedDict):
    """A rule that spoke, what it says, and where it comes from."""

    rule: Literal['serial_latency', 'memory_per_node', 'few_tasks', 'io_bound', 'cache_flip', 'fixed_power']
    verdict: Literal['wimpy_win', 'depends', 'wimpy_lose']
    sentence: str
    source: str



class Rebuilt(TypedDict):
    """The rebuild of what was lost."""

    recovery_h: float
    limit_h: float
    written_mb_per_s: float
    read_tb: float
    network_tb: float
    energy_kwh: float
    pieces_count: int



class Reconciliation(TypedDict):
    """A line of the sums of a file and of a draft."""

    what: str
    amount: str



class RecordedRequests(TypedDict):
    """An uploaded trace with response times; of several devices the one with most requests."""

    kind: str
    trace: TraceRef



class Recovery(TypedDict):
    """How lost shards come back."""

    drive_mb_per_s: NotRequired[float]
    network_fraction: NotRequired[float]
    detection_h: NotRequired[float]



class RecoveryOutput(TypedDict):
    """Answer of *ask for codes from now on, once one is right*."""

    recovery_codes: list[str]



class Region(TypedDict):
    """A stretch of the array that draws requests."""

    start_fraction: NotRequired[float]
    end_fraction: NotRequired[float]
    weight_ratio: NotRequired[float]
    stay_fraction: NotRequired[float]



class RegionAddresses(TypedDict):
    """Regions, uniform inside each."""

    kind: str
    regions: NotRequired[list[Region]]



class RegionPrice(TypedDict):
    """The price of an entry in a region; null where none is held."""

    slug: str
    home_region: str
    entry: str
    field: str
    price: CatalogueValue | None
    plans: list[PlanPrice]



class RegionPrices(TypedDict):
    """Prices in a region, whose code is told where a city named it."""

    provider: str
    region: str
    title: str
    prices: list[RegionPrice]



class Remark(TypedDict):
    """Something to know of a design, and the field that it is about (designs by letter)."""

    sentence: str
    pointer: str



class RentedStorage(TypedDict):
    """Rented storage at the end of the horizon, and its price. Usable are volumes as provisioned, objects and archives as stored; `covers` says whether the price is of all that the design costs, or of its rented storage alone."""

    usable_tb: float
    usd_per_tb_year: float
    covers: str



class Repair(TypedDict):
    """How soon a lost drive is whole again."""

    rebuild_mb_per_s: NotRequired[float]
    spares_count: NotRequired[int]
    spare_wake_s: NotRequired[float]
    replacement_h: NotRequired[float]



class Replaced(TypedDict):
    """Drives that the array would take the place of, none of which sleeps."""

    drive: NotRequired[HardDisk]
    disks_count: NotRequired[int]



class Replay(TypedDict):
    """How a trace is put to the array."""

    timing: NotRequired[Literal['recorded', 'scaled', 'closed']]
    time_ratio: NotRequired[float]
    users_count: NotRequired[int]
    think_ms: NotRequired[float | None]
    devices: NotRequired[Literal['side_by_side', 'folded']]



class ReplayFit(TypedDict):
    """The second half at its recorded times, its requests waiting for each other."""

    scheduler: Literal['fcfs', 'sptf']
    requests_count: int
    measured_mean_ms: float
    modelled_mean_ms: float
    error_fraction: float



class Replica(TypedDict):
    """A model that an engine serves on accelerators."""

    model: NotRequired[OpenModel | ConfiguredModel | ShapedModel]
    accelerator: NotRequired[ListedAccelerator | OwnAccelerator]
    precision: NotRequired[Literal['bf16', 'fp8', 'fp4', 'int4']]
    layout: NotRequired[Ranks]
    engine: NotRequired[Literal['vllm', 'sglang', 'trtllm', 'offline']]
    engine_years: NotRequired[float]
    kv_bits_count: NotRequired[int]
    most_rows_count: NotRequired[int]
    measured: NotRequired[MeasuredPoint | None]



class ReplicaExposure(TypedDict):
    """What a place for replicas is worth against these defects."""

    strategy: Literal['same_track', 'other_surface', 'neighbor_track', 'few_cylinders', 'far_zone']
    lost_fraction: float
    safe: Literal['yes', 'partly', 'no']



class ReplicaPlacementParams(TypedDict):
    """Drives that have begun to fail, and what a replica costs to write. Input of the model `reliability.replica_placement`."""

    geometry: NotRequired[Geometry | None]
    pattern: NotRequired[Literal['scratch', 'track_start_cluster', 'run', 'crossing_scratch', 'scatter', 'servo', 'uniform'] | None]
    sectors_count: NotRequired[int]
    draws_count: NotRequired[int]
    block_sectors_count: NotRequired[int]
    cylinders_away_count: NotRequired[int]
    head_switch_ms: NotRequired[float]
    seek_min_ms: NotRequired[float]
    seek_avg_ms: NotRequired[float]
    seek_max_ms: NotRequired[float]



class ReplicaPlacementResult(TypedDict):
    """Every place, and the cheapest of those that are as good as the best. Answer of the model `reliability.replica_placement`."""

    strategies: list[PlaceResult]
    bad_blocks_count: float
    advised: Literal['same_track', 'other_surface', 'neighbor_track', 'few_cylinders', 'far_zone']



class ReportCreateInputRequest(TypedDict):
    """Body of *have a study drawn from its saved version, or a run of any model from its stored result*."""

    study: NotRequired[str]
    run: NotRequired[str]
    format: NotRequired[FormatEnum]
    paper: NotRequired[PaperEnum]



class ReportOutput(TypedDict):
    """A report and the state of its job, without its file."""

    state: StateEnum
    progress_fraction: float
    progress_message: str
    seconds_left: float | None
    error: JobError | None
    submitted_at: str
    started_at: str | None
    ended_at: str | None
    id: str
    study: str | None
    run: str | None
    title: str
    format: FormatEnum
    paper: PaperEnum
    file_name: str
    bytes_count: int | None
    sha256: str
    model: str
    model_version: str
    inputs_hash: str
    snapshot: str
    created_at: str



class Reported(TypedDict):
    """What a source prints of one benchmark: gain in performance per watt, cut in time."""

    name: str
    performance_per_w_gain_fraction: float
    time_cut_fraction: float



class RequestCost(TypedDict):
    """What a kind of request costs beside seek, turn and transfer; below 0 it saves."""

    request: Literal['hit_in_stream', 'hit_after_read', 'hit_after_write', 'read_stream', 'miss_after_read', 'miss_after_write', 'miss_near', 'write_sequential', 'write_near_write', 'write_near_read', 'write_after_write', 'write_after_read']
    overhead_ms: float
    per_sector_ms: NotRequired[float]



class RequestList(TypedDict):
    """Requests in the document itself."""

    kind: str
    times_s: list[float]
    sectors: list[int]
    sectors_count: list[int]
    writes: list[bool]



class RequestPath(TypedDict):
    """What a key-value request costs the processor, and how many requests share it."""

    name: str
    app_us: NotRequired[float]
    copy_us: NotRequired[float]
    interrupt_us: NotRequired[float]
    switch_us: NotRequired[float]
    copies_count: NotRequired[int]
    interrupts_count: NotRequired[int]
    switches_count: NotRequired[int]
    coalesced_count: NotRequired[int]
    batch_count: NotRequired[int]



class Requirement(TypedDict):
    """What one resource asks for."""

    need: Literal['queries', 'latency', 'data', 'batch', 'io', 'memory']
    nodes_count: float
    used_fraction: float
    spare_fraction: float



class Reshaping(TypedDict):
    """Frequently used pages are moved to hot ranks before the run (section 4.4)."""

    migrate_fraction: NotRequired[float]
    hot_ranks_fraction: NotRequired[float]



class Resource(TypedDict):
    """How far a resource may be filled, what it draws, and how it slows work when full."""

    limit_fraction: NotRequired[float]
    power_fraction: NotRequired[float]
    power_exponent: NotRequired[float]
    degradation_ratio: NotRequired[float]
    degradation_exponent: NotRequired[float]



class ReusePoint(TypedDict):
    """Share of reads that a cache of a size holds."""

    cache_gb: float
    read_hit_fraction: float



class Review(TypedDict):
    """A month in which what is ordered from then on may follow what was learnt."""

    month: int
    reveals: NotRequired[Literal['observed', 'everything']]
    groups_count: NotRequired[int]


RoleEnum: TypeAlias = "Literal['owner', 'editor', 'viewer']"


class Row(TypedDict):
    """One row of the comparison table; a note says more of a value, a reason why there is none. `rivals` are the designs that values are held against, where they are of two designs; `is_opened` says that `plans.workings` has how it comes about, line by line."""

    id: str
    label: str
    unit: str
    values: dict[str, float | None]
    reasons: dict[str, str]
    notes: NotRequired[dict[str, str]]
    rivals: NotRequired[dict[str, str]]
    best: NotRequired[str | None]
    lower_is_better: NotRequired[bool | None]
    is_opened: NotRequired[bool]



class RowWorking(TypedDict):
    """How a figure of a row of the comparison comes about, such as energy or a cost per TB."""

    letter: str
    label: str
    unit: str
    value: float
    lines: list[PaidLine]
    terms: list[Term]
    inputs: list[Term]
    row: str



class RunArray(TypedDict):
    """What the run of one array said: its whole answer, or what is entered of it. Or what the plan says of it: nothing is entered of a run then."""

    letter: str
    power_w: NotRequired[float | None]
    wear: NotRequired[str]
    p95_ms: NotRequired[float | None]
    energy_usd_per_year: NotRequired[float | None]
    capital_usd_per_year: NotRequired[float | None]
    withheld: NotRequired[str | None]
    title: NotRequired[str]
    result: NotRequired[str | None]
    figures: NotRequired[list[ArrayFigure]]
    why_none: NotRequired[str | None]



class RunCausesOutput(TypedDict):
    """The cost that the verdicts of two runs go by, and what stands between them. The runs may be of two studies."""

    before: str
    after: str
    before_usd: float
    after_usd: float
    causes: list[Cause]
    measure: str
    simulations_count: int
    figure: Figure | OpenDocument
    changes: list[ChangedInput]
    changes_count: int



class RunCompareOutput(TypedDict):
    """Which figures of two results differ."""

    before: str
    before_version: str
    after: str
    after_version: str
    same: bool
    moved_count: int
    largest_relative_fraction: float | None
    moved: list[MovedFigure]



class RunCreateInputRequest(TypedDict):
    """Body of *start a run of a study, or of any model*."""

    study: NotRequired[str]
    model: NotRequired[str]
    params: NotRequired[ModelParams | OpenDocument]
    seed: NotRequired[int]



class RunDetailOutput(TypedDict):
    """A run with its frozen inputs."""

    state: StateEnum
    progress_fraction: float
    progress_message: str
    seconds_left: float | None
    error: JobError | None
    submitted_at: str
    started_at: str | None
    ended_at: str | None
    id: str
    model: str
    model_version: str
    study: str | None
    inputs_hash: str
    seed: int
    snapshot: str
    reused: bool
    reused_from: str | None
    again_of: str | None
    winner: str
    cost_usd: float | None
    headline: str
    odds: dict[str, float] | None
    moved_count: int | None
    moved_fraction: float | None
    burst: Burst | None
    params: ModelParams | OpenDocument
    params_version: int



class RunOutput(TypedDict):
    """A run and the state of its job, without inputs and result."""

    state: StateEnum
    progress_fraction: float
    progress_message: str
    seconds_left: float | None
    error: JobError | None
    submitted_at: str
    started_at: str | None
    ended_at: str | None
    id: str
    model: str
    model_version: str
    study: str | None
    inputs_hash: str
    seed: int
    snapshot: str
    reused: bool
    reused_from: str | None
    again_of: str | None
    winner: str
    cost_usd: float | None
    headline: str
    odds: dict[str, float] | None
    moved_count: int | None
    moved_fraction: float | None
    burst: Burst | None



class RunResultOutput(TypedDict):
    """Answer of *return what the run found, series reduced to 2,000 points*."""

    model: str
    version: str
    inputs_hash: str
    summary: NotRequired[Summary]
    result: NotRequired[ModelResult | OpenDocument]
    drawn: NotRequired[Drawn]


SaidAsEnum: TypeAlias = "Literal['text', 'count', 'fraction', 'date', 'money', 'quantity']"


class Salvage(TypedDict):
    """What machines are worth when they go."""

    fraction: NotRequired[float]
    disposal_fraction: NotRequired[float]
    method: NotRequired[Literal['flat', 'declining']]
    life_months: NotRequired[float]



class SamlAnswerInputRequest(TypedDict):
    """What the address held that the provider's answer led to."""

    state: str
    code: NotRequired[str]



class Saving(TypedDict):
    """What a year of such days saves against all machines left where they are."""

    kwh_per_year: float
    usd_per_year: float
    kgco2e_per_year: float | None


ScopesEnum: TypeAlias = "Literal['read', 'write', 'run', 'manage', 'provision']"


class Scrubbing(TypedDict):
    """Reading all sectors now and then, so that unreadable ones are found and written anew."""

    interval_h: NotRequired[float]
    errors_per_year: NotRequired[float]



class SequentialAddresses(TypedDict):
    """Runs: each request follows the last one with a given chance."""

    kind: str
    continue_fraction: NotRequired[float]



class Series(TypedDict):
    """Values with a name: a colour of bars, a line, or marks of one shape. `at` is where its values stand on the first axis, `names` what their places are called (of series without any, those of the first; where some are blank, only the others have a mark), `kinds` what each of them is, `texts` what is written at it, `low` and `high` how far each may be off, `base` where its bar begins, if not at zero. `end` is written at the end of a line. `role` is what has a look of its own wherever it is drawn: the letter of a design, the state of a drive, the side and name of a cause (`owned/hardware`), one of the tints of parts (`tint/2`), the `low` or `high` value of an input, what `actual` cost was. A `range` beside bars has only ends, or a mark between them where the bars do not say it."""

    name: str
    role: NotRequired[str]
    values: list[float | None]
    at: NotRequired[list[float]]
    names: NotRequired[list[str]]
    kinds: NotRequired[list[str]]
    low: NotRequired[list[float | None]]
    high: NotRequired[list[float | None]]
    base: NotRequired[list[float]]
    texts: NotRequired[list[str]]
    end: NotRequired[str]
    style: NotRequired[Literal['line', 'dashes', 'steps', 'dots', 'range']]



class SeriesRequest(TypedDict):
    """The bill, by its months, or the run that a forecast's values are of."""

    origin: OriginEnum
    id: str
    pointer: NotRequired[str]



class ServedRequests(TypedDict):
    """Requests in order of arrival, and how long each took."""

    kind: str
    times_s: list[float]
    sectors: list[int]
    sectors_count: list[int]
    writes: list[bool]
    responses_ms: list[float]



class Server(TypedDict):
    """An entry of the catalogue, as far as it says what a node needs; empty: not known."""

    name: str
    cores_per_node_count: NotRequired[int | None]
    ram_gib: NotRequired[float | None]
    ssd_tb: NotRequired[float | None]
    disk_tb: NotRequired[float | None]
    disks_count: NotRequired[int | None]
    peak_w: NotRequired[float | None]
    unit_price_usd: NotRequired[float | None]
    rate_per_s: NotRequired[float | None]
    queries_per_s: NotRequired[float | None]



class ServerLoad(TypedDict):
    """One server that is on."""

    server_count: int
    kind: str
    applications: list[str]
    load_fraction: list[float]
    degradation_ratio: float
    power_w: float



class ServerNode(TypedDict):
    """A node type; what neither the entry nor the planner says is empty."""

    name: str
    store: Literal['memory', 'ssd', 'disk']
    price_usd: float | None
    power_w: float | None
    rate_per_s: float | None
    capacity_gb: float | None



class ServerNodesParams(TypedDict):
    """Servers, what keeps the data, and what stands in where an entry is silent. Input of the model `performance.server_nodes`."""

    servers: list[Server]
    store: NotRequired[Literal['memory', 'ssd', 'disk']]
    core_rate_per_s: NotRequired[float | None]
    core_price_usd: NotRequired[float | None]
    store_tb: NotRequired[float | None]



class ServerNodesResult(TypedDict):
    """A node type of each server, in their order. Answer of the model `performance.server_nodes`."""

    nodes: list[ServerNode]



class ServerPowerParams(TypedDict):
    """A server's power curve, its load over time, and the price of energy. Input of the model `power.server`."""

    curve: NotRequired[MeasuredCurve | FamilyCurve | TwoSegmentsCurve | LinearCurve | FanCurve]
    load: NotRequired[ConstantLoad | HourlyLoad]
    devices: NotRequired[list[Devices]]
    supply: NotRequired[PowerSupply | None]
    pue: NotRequired[float]
    electricity_usd_per_kwh: NotRequired[float]



class ServerPowerResult(TypedDict):
    """Power and energy over the time given; energies and cost include the building. Answer of the model `power.server`."""

    power_w: float
    power_idle_w: float
    power_max_w: float
    dynamic_range_fraction: float
    mean_utilization_fraction: float
    duration_h: float
    it_energy_kwh: float
    energy_kwh: float
    cost_usd: float
    energy_per_work_ratio: float | None
    energy_per_work_reason: str | None
    hourly_power_w: list[float]
    devices_w: float
    supply_loss_w: float



class ServerType(TypedDict):
    """A kind of server and how many there are."""

    name: str
    servers_count: int
    power_idle_w: float
    curves: list[Curve]
    power_sleep_w: NotRequired[float]
    wake_j: NotRequired[float]



class ServersParams(TypedDict):
    """Applications, servers, and what a plan may and must do. Input of the model `consolidation.servers`."""

    applications: list[ConsolidationLoad]
    servers: list[Kind]
    services: NotRequired[list[ConsolidationService]]
    policy: NotRequired[Literal['planner', 'exact', 'greedy_as_published']]
    hold_h: NotRequired[float]
    tolerance_ratio: NotRequired[float | None]
    cpu: NotRequired[Resource]
    disk: NotRequired[Resource]
    memory: NotRequired[Resource]
    network: NotRequired[Resource]
    apart: NotRequired[Literal['server', 'rack', 'power_line']]
    servers_per_rack_count: NotRequired[int]
    power_lines_count: NotRequired[int]
    migration: NotRequired[ConsolidationMigration]
    wake_j: NotRequired[float]
    electricity_usd_per_kwh: NotRequired[float]
    pue: NotRequired[float]
    carbon_gco2e_per_kwh: NotRequired[float | None]



class ServersResult(TypedDict):
    """The plan, and the servers with their applications before and after it. Answer of the model `consolidation.servers`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    plan: PlanResult
    resources: list[str]
    limit_fraction: list[float]
    before: list[Stack]
    after: list[Stack]
    servers_today_count: int | None
    today_w: float | None
    saving: Saving | None



class ServiceDiscounts(TypedDict):
    """Discounts agreed on the prices of one service, before the one on the whole bill."""

    instances_fraction: NotRequired[float]
    block_fraction: NotRequired[float]
    object_fraction: NotRequired[float]
    transfer_fraction: NotRequired[float]



class ServiceFigures(TypedDict):
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



class ServiceLine(TypedDict):
    """A managed database, cache, search, CDN or software as a service."""

    name: str
    usd_per_month: float
    grows_with: NotRequired[Literal['nothing', 'cores', 'ram', 'block', 'object', 'archive', 'transfer', 'gpus']]
    vendor: NotRequired[str | None]
    source: NotRequired[str | None]
    price_as_of: NotRequired[str | None]



class ServingCapacityParams(TypedDict):
    """A replica, its requests and its load. Input of the model `serving.capacity`."""

    replica: NotRequired[Replica]
    lengths: NotRequired[Lengths]
    load: NotRequired[InFlightLoad | RateLoad | LimitsLoad]
    percentile_fraction: NotRequired[float]



class ServingCapacityResult(TypedDict):
    """What a replica serves, each value with the band that holds it in four of five cases. Answer of the model `serving.capacity`."""

    requests_per_s: Banded
    output_tokens_per_s: Banded
    ttft_ms: Banded
    ttft_at_percentile_ms: Banded
    tpot_ms: Banded
    tpot_at_percentile_ms: Banded
    end_to_end_ms: Banded
    in_flight_count: float
    most_requests_count: float
    capacity_per_s: Banded
    prefill_share_fraction: float
    nearness: Literal['measured', 'calibrated', 'interpolated', 'extrapolated']
    told: str



class ServingSizeParams(TypedDict):
    """A model, its users, the limits, and what accelerators cost. Input of the model `serving.size`."""

    model: NotRequired[OpenModel | ConfiguredModel | ShapedModel]
    precisions: NotRequired[list[Literal['bf16', 'fp8', 'fp4', 'int4']]]
    lengths: NotRequired[Lengths]
    users_count: NotRequired[int]
    requests_per_user_h: NotRequired[float]
    active_fraction: NotRequired[float]
    ttft_ms: NotRequired[float]
    tpot_ms: NotRequired[float]
    percentile_fraction: NotRequired[float]
    use_fraction: NotRequired[float]
    spares_count: NotRequired[int]
    engine: NotRequired[Literal['vllm', 'sglang', 'trtllm', 'offline']]
    kw_limit_kw: NotRequired[float | None]
    rents: NotRequired[list[OwnRent]]



class ServingSizeResult(TypedDict):
    """Plans by their cost, the best of each accelerator and precision, and what is left out. Answer of the model `serving.size`."""

    requests_per_s: float
    output_tokens_per_s: float
    plans: list[SizedPlan]
    left_out: list[LeftOut]
    plans_count: int
    told: str



class SessionCreateInputRequest(TypedDict):
    """Either the code of a sign-in link, or e-mail and password."""

    code: NotRequired[str]
    email: NotRequired[str]
    password: NotRequired[str]
    otp: NotRequired[str]



class SessionOutput(TypedDict):
    """Answer of *become a member, and go on in that workspace*."""

    user: SessionUser
    workspace: SessionWorkspace
    events_url: str



class SessionUser(TypedDict):
    """Who is signed in."""

    id: str
    email: str



class SessionWorkspace(TypedDict):
    """The workspace that the session is in."""

    id: str
    name: str
    role: RoleEnum



class Setting(TypedDict):
    """A choice whose effect the planner has measured; the original prints none."""

    kind: Literal['journal', 'interrupt_coalescing', 'jumbo_frames', 'data_placement']
    disk_rate_ratio: NotRequired[float]
    network_rate_ratio: NotRequired[float]
    cpu_time_ratio: NotRequired[float]



class ShapeLoad(TypedDict):
    """A shape, and the power that its highest hour has."""

    kind: str
    hourly_ratio: NotRequired[list[float]]
    peak_kw: NotRequired[float]



class ShapedModel(TypedDict):
    """A model by its shape."""

    kind: str
    shape: Architecture



class ShareCreated(TypedDict):
    """Answer of *make a link: the answer is the only place where it can be read*."""

    id: str
    run: str | None
    with_inputs: bool
    created_by: str
    created_at: str
    expires_at: str
    last_opened_at: str | None
    link: str



class ShareInputRequest(TypedDict):
    """Body of *make a link: the answer is the only place where it can be read*."""

    run: NotRequired[str | None]
    with_inputs: NotRequired[bool]
    days: NotRequired[int]



class ShareOutput(TypedDict):
    """A row of *list the links that are open, the latest first*."""

    id: str
    run: str | None
    with_inputs: bool
    created_by: str
    created_at: str
    expires_at: str
    last_opened_at: str | None



class SharedBy(TypedDict):
    """How many bad sectors a surface or a zone has."""

    number_count: int
    sectors_count: int



class SharedFate(TypedDict):
    """Failures that do not come one by one."""

    together_ratio: NotRequired[float]
    domains_count: NotRequired[int | None]
    domain_fraction_per_year: NotRequired[float]
    above_degrees: NotRequired[float]
    per_degree_fraction: NotRequired[float]



class SharedOutput(TypedDict):
    """What a link shows."""

    title: str
    question: str
    workspace_name: str
    shared_by: str
    expires_at: str
    with_inputs: bool
    run: RunOutput
    approved_as: str | None
    document: StudySpec | OpenDocument | None
    summary: NotRequired[Summary]
    result: NotRequired[ModelResult | OpenDocument]
    drawn: NotRequired[Drawn]



class ShowbackParams(TypedDict):
    """Cost of the period, and its projects. Input of the model `cost.showback`."""

    compute_usd: NotRequired[float]
    storage_usd: NotRequired[float]
    projects: list[Project]
    capacity_core_h: NotRequired[float | None]
    capacity_tb_months: NotRequired[float | None]



class ShowbackResult(TypedDict):
    """The cost by project and what no project used; they add up to the total. Answer of the model `cost.showback`."""

    total_usd: float
    core_h_usd: float | None
    tb_month_usd: float | None
    projects: list[ProjectCost]
    unused_compute_usd: float
    unused_storage_usd: float
    unused_printed_usd: float
    reason: str | None


SignUpEnum: TypeAlias = "Literal['invitation', 'open', 'closed']"


class SimulateParams(TypedDict):
    """A replica, its requests, and how they arrive. Input of the model `serving.simulate`."""

    replica: NotRequired[Replica]
    lengths: NotRequired[Lengths]
    prompt_spread_ratio: NotRequired[float]
    output_spread_ratio: NotRequired[float]
    arrivals: NotRequired[RandomArrivals | UserArrivals]
    trace: NotRequired[TraceRequests | None]
    requests_count: NotRequired[int]
    budget_tokens: NotRequired[int]
    percentile_fraction: NotRequired[float]



class SimulateResult(TypedDict):
    """What was measured of the simulated requests. Answer of the model `serving.simulate`."""

    ttft: Times
    tpot: Times
    end_to_end: Times
    requests_per_s: float
    output_tokens_per_s: float
    busy_fraction: float
    passes_count: float
    preemptions_count: float
    refused_count: float
    told: str



class SimulatedRecovery(TypedDict):
    """How lost shards come back, piece by piece."""

    drive_mb_per_s: NotRequired[float]
    network_fraction: NotRequired[float]
    detection_h: NotRequired[float]
    piece_bytes: NotRequired[int]
    at_once_count: NotRequired[int | None]



class SimulatedWork(TypedDict):
    """Requests to the cluster, in three phases of as many each."""

    requests_per_s: NotRequired[float]
    read_fraction: NotRequired[float]
    size_bytes: NotRequired[int]
    partial_fraction: NotRequired[float]
    partial_bytes: NotRequired[int]
    requests_count: NotRequired[int]



class Simulation(TypedDict):
    """A simulation that confirms a closed form: of what, the tool, the model, and its input."""

    title: str
    tool: str
    model: str
    params: dict[str, Any]



class Site(TypedDict):
    """A place, where space, power and network are one price or come on top."""

    name: str
    usd_per_year: NotRequired[float]
    once_usd: NotRequired[float]



class SiteLimit(TypedDict):
    """What a site holds, from a month on until the next limit."""

    from_month: NotRequired[int]
    machines_count: NotRequired[int | None]
    power_kw: NotRequired[float | None]
    rack_units_count: NotRequired[int | None]



class SiteUse(TypedDict):
    """A limit of the site: how full it gets, and what one more unit of it is worth."""

    limit: str
    unit: str
    reached_month: int | None
    most_fraction: float
    worth_usd: float



class SizeShare(TypedDict):
    """A size, and how often it is asked for."""

    size_bytes: NotRequired[int]
    weight_ratio: NotRequired[float]



class SizedGroup(TypedDict):
    """One group in one year: its count, and what each resource alone would need."""

    name: str
    count: float
    unit: NotRequired[str | None]
    usable_tb: NotRequired[float | None]
    binding: Literal['cores', 'ram', 'disk', 'iops', 'throughput', 'gpu', 'queries', 'latency', 'batch', 'hosts', 'none']
    required: dict[str, float]
    committed_count: NotRequired[float | None]
    spare_nodes_count: NotRequired[int | None]



class SizedPlan(TypedDict):
    """A way to serve the load."""

    accelerator: str
    precision: Literal['bf16', 'fp8', 'fp4', 'int4']
    tensor_count: int
    data_count: int
    replicas_count: int
    accelerators_count: int
    power_kw: float | None
    usd_per_h: float | None
    usd_per_m_output: float | None
    ttft_ms: Banded
    tpot_ms: Banded
    replica_tokens_per_s: Banded
    replicas_low_count: int
    replicas_high_count: int
    users_in_power_count: int | None
    on_front: bool
    nearness: Literal['measured', 'calibrated', 'interpolated', 'extrapolated']



class SizedYear(TypedDict):
    """All groups of a design in one year."""

    year: int
    groups: list[SizedGroup]



class SkewPoint(TypedDict):
    """A share of the pages, most used first, and the share of all accesses that it gets."""

    pages_fraction: float
    accesses_fraction: float



class SlcCache(TypedDict):
    """A part of the flash that takes writes with one bit a cell, until it is full."""

    size_gb: float
    least_gb: NotRequired[float]
    past_mb_per_s: float



class SleepState(TypedDict):
    """A state of low power, and what going there and back takes."""

    power_w: float
    down_j: float
    down_s: float
    up_j: float
    up_s: float



class SlotGroup(TypedDict):
    """Nodes that offer slots, and what would be rented instead of one of them."""

    nodes_count: NotRequired[int]
    slots_per_node_count: NotRequired[int]
    node_usd_per_h: NotRequired[float]



class Software(TypedDict):
    """Licences, by what they are counted."""

    usd_per_core_year: NotRequired[float]
    usd_per_socket_year: NotRequired[float]
    usd_per_node_year: NotRequired[float]
    usd_per_storage_node_year: NotRequired[float]
    usd_per_year: NotRequired[float]



class SolidState(TypedDict):
    """A solid-state drive."""

    kind: str
    name: NotRequired[str]
    capacity_gb: float
    read_latency_ms: float
    write_latency_ms: float
    read_mb_per_s: float
    write_mb_per_s: float
    channels_count: NotRequired[int]
    read_hold_ms: NotRequired[float]
    write_hold_ms: NotRequired[float]
    write_wait_ms: NotRequired[float]
    dies: NotRequired[Dies | None]
    active_w: float
    write_w: NotRequired[float | None]
    idle_w: float
    price_usd: NotRequired[float]
    endurance_tb: NotRequired[float | None]
    endurance_of: NotRequired[Literal['host', 'flash']]
    spare_fraction: NotRequired[float | None]
    fill_fraction: NotRequired[float | None]
    block_bytes: NotRequired[int]
    move_step_ms: NotRequired[float]
    slc: NotRequired[SlcCache | None]
    write_amplification_ratio: NotRequired[float | None]
    unrecoverable_per_bit: NotRequired[float]
    afr_fraction: NotRequired[float]
    on_sale: NotRequired[bool]



class Space(TypedDict):
    """Floor space or colocation, by what is provisioned."""

    usd_per_kw_month: NotRequired[float]
    usd_per_rack_month: NotRequired[float]
    usd_per_year: NotRequired[float]
    term_months: NotRequired[int]
    electricity_included: NotRequired[bool]



class Spare(TypedDict):
    """What is left at the tightest peak, as a share of what is there beside spare nodes. `tightest` says by resource of which group and month that is."""

    cores_fraction: NotRequired[float | None]
    ram_fraction: NotRequired[float | None]
    disk_fraction: NotRequired[float | None]
    throughput_fraction: NotRequired[float | None]
    iops_fraction: NotRequired[float | None]
    gpu_fraction: NotRequired[float | None]
    tightest: NotRequired[dict[str, Tightest]]



class SparesParams(TypedDict):
    """Units in use, how often they fail, and how long the next one takes. Input of the model `reliability.spares`."""

    units_count: NotRequired[int]
    failures_per_year: NotRequired[float]
    delivery_months: NotRequired[float]
    chance_fraction: NotRequired[float]
    least_count: NotRequired[int]



class SparesResult(TypedDict):
    """Spares, and how often they do not suffice. Answer of the model `reliability.spares`."""

    spares_count: int
    failed_count: float
    chance_fraction: float
    sentence: str



class SpotParams(TypedDict):
    """Price and interruptions of spot instances, and what a checkpoint takes. Input of the model `cost.spot`."""

    price_usd_per_h: NotRequired[float]
    on_demand_usd_per_h: NotRequired[float]
    checkpoint_h: NotRequired[float]
    restart_h: NotRequired[float]
    interruption_mean_h: NotRequired[float]
    interval_h: NotRequired[float | None]



class SpotResult(TypedDict):
    """Waste, and the price of useful work. Answer of the model `cost.spot`."""

    interval_h: float
    young_interval_h: float
    wasted_fraction: float
    useful_usd_per_h: float | None
    reason: str | None
    saved_fraction: float | None
    warnings: list[str]



class SsdCacheParams(TypedDict):
    """What is asked of the disks, the disks, and the device that is to go above them. Input of the model `storage.ssd_cache`."""

    demand: NotRequired[TypedDays | RequestList | UploadedTrace]
    disk: NotRequired[HardDisk]
    layout: NotRequired[Literal['raid0', 'mirrored_set', 'raid5']]
    disks_count: NotRequired[int]
    device: NotRequired[SolidState]
    mode: NotRequired[Literal['hp08_mirror', 'write_back', 'write_through']]
    block_bytes: NotRequired[int]
    spare_fraction: NotRequired[float]
    sizes_gb: NotRequired[list[float]]
    accesses_max_count: NotRequired[int]
    life_years: NotRequired[float]
    electricity_usd_per_kwh: NotRequired[float]



class SsdCacheResult(TypedDict):
    """Days, hits by size, and the size that holds a day. Answer of the model `storage.ssd_cache`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    days: list[CacheDay]
    covered_days_count: float
    sampled_fraction: float
    day_gb: float
    footprint_gb: float
    requests_per_s: float
    read_fraction: float
    uncached_w: float
    uncached_response_ms: float | None
    sizes: list[CacheSize]
    advised: CacheSize
    asleep_uncached_w: float | None
    asleep_cached_w: float | None
    warnings: list[Literal['less_than_a_day', 'overloaded_without_cache', 'wears_out_in_service', 'costs_more_than_it_saves', 'sampled']]



class Stack(TypedDict):
    """A server, counted from 1, with what runs on it; nothing where it is off."""

    server_count: int
    kind: str
    blocks: list[Block]



class Standing(TypedDict):
    """Studies that wait for approval, and studies that newer prices would change."""

    stale: list[str]
    asked: list[str]


StandingEnum: TypeAlias = "Literal['followed', 'newer', 'differs', 'same']"


class StartedCommitment(TypedDict):
    """A commitment that is started in a month."""

    commitment: str
    month: int
    ends_month: int
    committed_count: float
    paid_usd: float



class StateChange(TypedDict):
    """A way from one state to another."""

    start: Literal['active', 'write', 'idle', 'low_power_idle', 'standby']
    end: Literal['active', 'write', 'idle', 'low_power_idle', 'standby']
    cost: list[str]
    after: str | None



class StateDiagram(TypedDict):
    """The states of a drive from most to least power, and the ways between them."""

    states: list[PowerState]
    changes: list[StateChange]
    says: str


StateEnum: TypeAlias = "Literal['queued', 'running', 'succeeded', 'failed', 'cancelled']"


class StateRow(TypedDict):
    """All ranks of one module in one state, with nothing read."""

    state: Literal['standby', 'power-down', 'self-refresh']
    module_w: float
    all_w: float
    exit_ns: float



class StateUse(TypedDict):
    """Time and energy of a device in one state."""

    state: Literal['active', 'seek', 'idle', 'low_power_idle', 'standby', 'transition']
    time_fraction: float
    energy_j: float



class StatementLine(TypedDict):
    """A line of a statement as it is printed, the sum of the years last."""

    field: str
    label: str
    about: str
    balance: bool
    cells: list[str]



class StatementTable(TypedDict):
    """A design's statement as it is printed: a column a fiscal year, and the sum."""

    heads: list[str]
    lines: list[StatementLine]



class StaticPlan(TypedDict):
    """The hosts that meet the load if nothing ever moves. Each machine reserves a percentile of its own load and all of its memory. `bound_count` is the fewest that the totals allow, on the largest hosts."""

    hosts_count: int
    bound_count: int
    binding: Literal['cpu', 'memory']
    fits: bool
    energy_kwh: float
    short_fraction: float



class StepPoint(TypedDict):
    """One step of the day."""

    at_h: float
    energy_kwh: float
    hosts_on_count: int
    migrations_count: int



class StorageCapacityParams(TypedDict):
    """Nodes and disks of a store, how it keeps data, and how much there is. Input of the model `storage.capacity`."""

    nodes_count: NotRequired[int]
    disks_per_node_count: NotRequired[int]
    disk_tb: NotRequired[float]
    copies_count: NotRequired[int]
    fill_fraction: NotRequired[float]
    dedupe_ratio: NotRequired[float]
    used_tb: NotRequired[float]
    growth_fraction_per_year: NotRequired[float]
    mean_block_mb: NotRequired[float]
    names_per_s: NotRequired[float]
    append_old_tb: NotRequired[float]
    append_new_tb: NotRequired[float]
    append_referenced: NotRequired[bool]



class StorageCapacityResult(TypedDict):
    """Space, time until full, and the time to list every block. Answer of the model `storage.capacity`."""

    raw_tb: float
    usable_tb: float
    logical_tb: float
    used_fraction: float
    full_in_years: float | None
    full_reason: Literal['full_now', 'no_growth', 'no_data'] | None
    blocks_count: float
    listing_s: float
    appended_tb: float
    warnings: list[str]



class StorageCurvePoint(TypedDict):
    """The array at one load; times are empty where it is overloaded."""

    load_fraction: float
    offered_per_s: float
    throughput_per_s: float
    mean_ms: float | None
    p95_ms: float | None
    p99_ms: float | None
    power_w: float
    saturated: bool



class StorageLoad(TypedDict):
    """What the requests cost."""

    drive_operations_per_s: float
    drive_load_fraction: float
    network_mb_per_s: float
    network_load_fraction: float
    code_cores_count: float
    read_mean_ms: float | None
    degraded_read_mean_ms: float | None
    write_mean_ms: float | None
    read: Percentiles | None
    degraded_read: Percentiles | None
    write: Percentiles | None



class StorageMachines(TypedDict):
    """Nodes of the cluster, and how they are joined."""

    nodes_count: NotRequired[int]
    drives_per_node_count: NotRequired[int]
    racks_count: NotRequired[int]
    sites_count: NotRequired[int]
    network_gbit_per_s: NotRequired[float]
    hop_ms: NotRequired[float]
    site_hop_ms: NotRequired[float]
    code_gb_per_s: NotRequired[float]
    node_w: NotRequired[float]
    node_price_usd: NotRequired[float]
    node_fraction_per_year: NotRequired[float]
    rack_fraction_per_year: NotRequired[float]
    site_fraction_per_year: NotRequired[float]



class StoragePhase(TypedDict):
    """A stretch of time: what requests saw, and what they cost."""

    phase: Literal['before', 'during', 'after']
    read: StorageResponses | None
    write: StorageResponses | None
    degraded_read_fraction: float
    drive_load_fraction: float
    busiest_drive_fraction: float
    network_mb_per_s: float
    busiest_link_fraction: float
    code_cores_count: float
    power_w: float



class StorageResponses(TypedDict):
    """Response of requests of one kind."""

    count: int
    mean_ms: float
    p50_ms: float
    p95_ms: float
    p99_ms: float
    p999_ms: float



class StorageSimulatorResultsResponses(TypedDict):
    """Response times of one kind of request; percentiles are withheld when they mean nothing."""

    requests: Literal['all', 'reads', 'writes']
    requests_count: int
    mean_ms: float | None
    sd_ms: float | None
    p50_ms: float | None
    p90_ms: float | None
    p95_ms: float | None
    p99_ms: float | None
    p999_ms: float | None
    max_ms: float | None



class StudyCard(TypedDict):
    """A study as its card shows it."""

    id: str
    slug: str
    title: str
    is_example: bool
    revision: int
    faults_count: int
    winner: str
    cost_usd: float | None
    verdict: dict[str, JsonValue] | None
    snapshot: str
    as_of: str
    tags: list[str]
    created_at: str
    updated_at: str
    designs: list[StudyCardDesign]



class StudyCardDesign(TypedDict):
    """A design as a card names it."""

    id: str
    letter: str
    title: str
    kind: str



class StudyCreateInputRequest(TypedDict):
    """Body of *create a study*."""

    title: str
    question: NotRequired[str]
    snapshot: NotRequired[str]
    as_of: NotRequired[str]
    tags: NotRequired[list[str]]
    workload: NotRequired[Workload | OpenDocument]
    workload_provenance: NotRequired[dict[str, dict[str, JsonValue]]]
    assumptions: NotRequired[Assumptions | OpenDocument]
    assumptions_provenance: NotRequired[dict[str, dict[str, JsonValue]]]
    baseline: NotRequired[Baseline | OpenDocument | None]
    baseline_provenance: NotRequired[dict[str, dict[str, JsonValue]]]
    ranges: NotRequired[list[Range | OpenDocument]]
    draws_count: NotRequired[int]
    seed: NotRequired[int]
    designs: NotRequired[list[DesignCreateInputRequest]]



class StudyDocumentOutput(TypedDict):
    """The study as plans.compare takes it."""

    designs: list[Design | OpenDocument]
    workload: Workload | OpenDocument
    assumptions: Assumptions | OpenDocument
    baseline: Baseline | OpenDocument | None
    ranges: list[Range | OpenDocument]
    draws_count: int
    seed: int



class StudyOutlook(TypedDict):
    """What would move one study."""

    study: str
    title: str
    currency: NotRequired[OutlookCurrency]
    moved: bool
    cost_usd: float | None
    winner: str
    new_cost_usd: float | None
    new_winner: str
    new_headline: str
    error: str
    prices_usd: float | None
    prices_fraction: float | None
    model_usd: float | None
    model_version: str
    prices_count: int
    gone_count: int
    simulations_count: NotRequired[int]
    changes: list[OutlookChange]



class StudyOutput(TypedDict):
    """A whole study with its designs."""

    id: str
    slug: str
    title: str
    question: str
    is_example: bool
    revision: int
    params_version: int
    workload: Workload | OpenDocument
    workload_provenance: dict[str, dict[str, JsonValue]]
    assumptions: Assumptions | OpenDocument
    assumptions_provenance: dict[str, dict[str, JsonValue]]
    baseline: Baseline | OpenDocument | None
    baseline_provenance: dict[str, dict[str, JsonValue]]
    ranges: list[Range | OpenDocument]
    draws_count: int
    seed: int
    snapshot: str
    as_of: str
    pack: str
    pack_version: int
    price_dates: str
    tags: list[str]
    can_undo: bool
    can_redo: bool
    winner: str
    cost_usd: float | None
    verdict: dict[str, JsonValue] | None
    faults: list[Fault]
    ranges_left: list[dict[str, Any]]
    created_at: str
    updated_at: str
    designs: list[DesignOutput]



class StudyPack(TypedDict):
    """A pack beside a study."""

    followed: str
    version: int
    entry: str
    title: str
    latest_version: int
    is_gone: bool
    numbers: list[StudyPackField]



class StudyPackField(TypedDict):
    """A number of a pack, and that of the study in the same place."""

    place: str
    letter: str
    name: str
    title: str
    unit: str
    value: float | None
    pack_value: float
    source: str
    as_of: str | None
    quality: str
    standing: StandingEnum



class StudyPackInputRequest(TypedDict):
    """Body of *have the study follow a pack, or its newest version, but for the places left*."""

    entry: str
    left: NotRequired[list[str]]



class StudyPrices(TypedDict):
    """What the catalogue's present values would change."""

    changes: list[PlacedValue]
    gone_count: int



class StudyProposeInputRequest(TypedDict):
    """Body of *propose a design for each option, sized, and priced from the catalogue*."""

    workload: Workload | OpenDocument
    workload_provenance: NotRequired[dict[str, dict[str, JsonValue]]]
    assumptions: NotRequired[Assumptions | OpenDocument]
    options: list[ProposalOptionRequest]
    currency: NotRequired[str]



class StudyProposeOutput(TypedDict):
    """What a study is created of, and the same as the plan takes it."""

    workload: Workload | OpenDocument
    workload_provenance: dict[str, dict[str, JsonValue]]
    assumptions: Assumptions | OpenDocument
    assumptions_provenance: dict[str, dict[str, JsonValue]]
    designs: list[ProposedDesign]
    ranges: list[Range | OpenDocument]
    notes: list[str]
    place: str
    document: StudySpec | OpenDocument



class StudyPurchaseOutput(TypedDict):
    """What a study asks of a plan of purchases."""

    model: str
    params: ModelParams | OpenDocument
    owned_letter: str | None
    rented_letter: str | None
    notes: list[str]



class StudySpec(TypedDict):
    """One question: which of these designs should carry this work? Input of the model `plans.compare`. Input of the model `plans.like_for_like`."""

    designs: list[OwnedCluster | Cloud | Hybrid | DiskArray]
    workload: DemandWorkload | UtilizationWorkload
    assumptions: NotRequired[Assumptions]
    baseline: NotRequired[Baseline | None]
    ranges: NotRequired[list[Range]]
    draws_count: NotRequired[int]
    seed: NotRequired[int]



class StudyTag(TypedDict):
    """A tag, and how many studies have it."""

    tag: str
    studies_count: int



class StudyTemplate(TypedDict):
    """A kind of work to begin with."""

    slug: str
    title: str
    about: str
    workload: Workload | OpenDocument



class StudyUpdateInputRequest(TypedDict):
    """Body of *replace each part that is named*."""

    title: NotRequired[str]
    question: NotRequired[str]
    snapshot: NotRequired[str]
    as_of: NotRequired[str]
    tags: NotRequired[list[str]]
    workload: NotRequired[Workload | OpenDocument]
    workload_provenance: NotRequired[dict[str, dict[str, JsonValue]]]
    assumptions: NotRequired[Assumptions | OpenDocument]
    assumptions_provenance: NotRequired[dict[str, dict[str, JsonValue]]]
    baseline: NotRequired[Baseline | OpenDocument | None]
    baseline_provenance: NotRequired[dict[str, dict[str, JsonValue]]]
    ranges: NotRequired[list[Range | OpenDocument]]
    draws_count: NotRequired[int]
    seed: NotRequired[int]



class Summary(TypedDict):
    """The answer of the plan in short; `include` has the rest."""

    horizon_months: int
    measure: str
    currency: str
    per_usd: float
    winner: str | None
    runner_up: str | None
    verdict: Verdict
    draws_count: int
    designs: list[DesignSummary]
    causes: dict[str, str]
    warnings: list[str]



class Support(TypedDict):
    """Maintenance and support of the hardware."""

    fraction_per_year: NotRequired[float]
    warranty_months: NotRequired[int]
    usd_per_year: NotRequired[float]



class Surface(TypedDict):
    """A server with two resources, processor and disk."""

    power_idle_w: NotRequired[float]
    power_cpu_w: NotRequired[float]
    power_disk_w: NotRequired[float]
    power_exponent: NotRequired[float]
    degradation_cpu_ratio: NotRequired[float]
    degradation_disk_ratio: NotRequired[float]
    cpu_exponent: NotRequired[float]
    disk_exponent: NotRequired[float]
    work_cpu_ratio: NotRequired[float]
    work_disk_ratio: NotRequired[float]



class SurfaceParams(TypedDict):
    """A server's watts and degradation, the grid, and how much slower work may be. Input of the model `consolidation.surface`."""

    surface: NotRequired[Surface]
    step_fraction: NotRequired[float]
    tolerance_ratio: NotRequired[float | None]
    target_fraction: NotRequired[list[float] | None]



class SurfaceResult(TypedDict):
    """Grids by CPU (rows) and disk (columns), and the best loads; energy of a unit of work. Answer of the model `consolidation.surface`."""

    loads_fraction: list[float]
    energy_j: list[list[float | None]]
    energy_ratio: list[list[float | None]]
    degradation_ratio: list[list[float]]
    power_w: list[list[float]]
    optimum: Point
    bounded_optimum: Point | None
    optimum_on_edge: bool
    surface: Surface



class SurvivalPoint(TypedDict):
    """Share of drives that still run, with its 95% interval, and by the Weibull law."""

    age_years: float
    survival_fraction: float
    low_fraction: float
    high_fraction: float
    weibull_fraction: float



class SyntheticWorkload(TypedDict):
    """Random requests."""

    kind: str
    arrivals: NotRequired[ExponentialArrivals | ParetoArrivals | BurstyArrivals | ClosedArrivals]
    addresses: NotRequired[UniformAddresses | ZipfAddresses | RegionAddresses | SequentialAddresses]
    requests_count: NotRequired[int]
    read_fraction: NotRequired[float]
    size_bytes: NotRequired[int]
    sizes: NotRequired[list[SizeShare]]
    write_sizes: NotRequired[list[SizeShare]]



class Table(TypedDict):
    """A table; the first of its columns names the rows' heads."""

    title: str
    columns: list[str]
    rows: list[TableRow]
    means: NotRequired[list[str | None]]
    note: NotRequired[str | None]



class TableRow(TypedDict):
    """A row: what it is of, its cells, and what its head means."""

    head: str
    cells: list[str]
    means: NotRequired[str | None]
    is_best: NotRequired[bool]



class TableSeek(TypedDict):
    """Measured pairs of distance in cylinders and seek, interpolated."""

    kind: str
    cylinders_count: int
    distances_count: list[int]
    seeks_ms: list[float]



class Tariff(TypedDict):
    """A price for some hours of the day."""

    name: str
    days: NotRequired[Literal['all', 'weekdays', 'weekend']]
    from_h: int
    to_h: int
    usd_per_kwh: float



class TariffElectricity(TypedDict):
    """Time of use, tiers, charges on power with a ratchet: each month is billed by itself."""

    kind: str
    name: str
    year: NotRequired[int]
    energy: EnergyCharges
    flat_demand: NotRequired[PowerCharges]
    timed_demand: NotRequired[PeakCharges]
    fixed_usd_per_month: NotRequired[float]
    least_usd_per_month: NotRequired[float]
    scale_ratio: NotRequired[float]



class TariffParams(TypedDict):
    """A year's load by the hour, and the tariff that bills it. Input of the model `cost.tariff`."""

    year: NotRequired[int]
    load: NotRequired[PowerLoad | ShapeLoad]
    energy: NotRequired[EnergyCharges]
    flat_demand: NotRequired[FlatCharges]
    timed_demand: NotRequired[PeakCharges]
    fixed_usd_per_month: NotRequired[float]
    least_usd_per_month: NotRequired[float]



class TariffResult(TypedDict):
    """The year's bill, by month, by charge and by period. Answer of the model `cost.tariff`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    total_usd: float
    energy_usd: float
    demand_usd: float
    ratchet_usd: float
    fixed_usd: float
    least_usd: float
    energy_kwh: float
    peak_kw: float
    load_factor_fraction: float | None
    mean_usd_per_kwh: float | None
    months: list[MonthOfTariff]
    periods: list[PeriodOfTariff]



class Tax(TypedDict):
    """Income tax, which costs lower; off unless asked for."""

    counted: NotRequired[bool]
    rate_fraction: NotRequired[float]



class TaxonomyParams(TypedDict):
    """What is known of a workload, and of the slow node that is considered. Input of the model `performance.workload_taxonomy`."""

    bound_by: NotRequired[Literal['seeks', 'scans', 'network', 'cpu', 'memory_bandwidth']]
    serial_ms: NotRequired[float]
    latency_bound_ms: NotRequired[float | None]
    working_set_per_task_gb: NotRequired[float]
    parallel_tasks_count: NotRequired[int]
    utilization_fraction: NotRequired[float]
    slow_core_speed_ratio: NotRequired[float]
    slow_node_memory_gb: NotRequired[float]
    slow_slots_count: NotRequired[int]
    fixed_power_fraction: NotRequired[float]



class TaxonomyResult(TypedDict):
    """The class, the verdict and why, and what to look at next. Answer of the model `performance.workload_taxonomy`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    workload_class: Literal['io_bound', 'memory_or_cpu_bound', 'latency_critical', 'large_memory']
    verdict: Literal['wimpy_win', 'depends', 'wimpy_lose']
    reasons: list[Reason]
    next_model: str
    slow_request_ms: float
    slot_use_fraction: float



class Team(TypedDict):
    """What a team, an account or a tag uses of the work."""

    name: str
    compute_fraction: NotRequired[float]
    storage_fraction: NotRequired[float]



class TeamCost(TypedDict):
    """What a team, an account or a tag bears of a design's cost."""

    name: str
    compute_usd: float
    storage_usd: float
    total_usd: float
    share_fraction: float



class TechniqueResult(TypedDict):
    """What a technique draws, and what it costs in time."""

    technique: Literal['NOPM', 'IPD', 'ISR', 'HW', 'HW_SW', 'PAVM', 'PAVM_IPD']
    average_w: float
    closed_form_w: float | None
    saving_fraction: float
    energy_j: float
    response_ns: float
    runtime_ratio: float
    pdd_w: float
    delayed_powerdown_count: int
    delayed_self_refresh_count: int
    outside_count: int
    standby_fraction: float
    powerdown_fraction: float
    self_refresh_fraction: float
    energy_kwh_per_year: float
    saving_usd_per_year: float
    causes: PowerByCause
    ranks: list[RankResult]
    series_w: list[float]



class Term(TypedDict):
    """A number of a working: an input, or an amount on the way with a formula of its own. `values` has one value, or one for each payment of the line. A formula is of text and of terms, by their place in the working; there is one, or one for each payment. An input has none, but the pointer to its field."""

    name: str
    unit: str
    values: list[float]
    pointer: NotRequired[str | None]
    formulas: NotRequired[list[list[str | int]]]


TermMonthsEnum: TypeAlias = 'Literal[0, 12, 36]'


class ThreePointSeek(TypedDict):
    """Seek from a data sheet: single track, average, full stroke."""

    kind: str
    min_ms: float
    avg_ms: float
    max_ms: float



class ThresholdPolicy(TypedDict):
    """A drive sleeps after an idle time; of mirrored copies, as few as the load needs stay awake. Reads go to the copies that are awake, and writes wake the others."""

    kind: str
    idle_timeout_s: NotRequired[float | None]



class Tier(TypedDict):
    """An application that is one tier of a service, and how it follows the service's load."""

    id: str
    fixed_fraction: NotRequired[float]



class TierFigures(TypedDict):
    """One kind of arrays where data are placed by age: ages, data, what moves, what it costs."""

    name: str
    from_days: float
    to_days: float | None
    data_tb: float
    moved_in_tb_per_year: float
    moved_out_tb_per_year: float
    bought_usd: float
    array: ArrayFigures



class TierLine(TypedDict):
    """What falls into one tier, and what it costs."""

    amount_tb: float
    cost_usd_per_month: float



class TieredParams(TypedDict):
    """Amounts of a month, and the tiers that price them. Input of the model `cost.tiered`."""

    stored_tb: NotRequired[float]
    storage_tiers: NotRequired[list[CostStorageTier]]
    moved_tb_per_month: NotRequired[float]
    transfer_tiers: NotRequired[list[CostTransferTier]]
    free_gb_per_month: NotRequired[float]
    gb_per_tb: NotRequired[float]
    other_usd_per_month: NotRequired[float]
    support_bands: NotRequired[list[CostSupportBand]]
    support_least_usd_per_month: NotRequired[float]



class TieredResult(TypedDict):
    """A month's bill by tier. Answer of the model `cost.tiered`."""

    storage_usd_per_month: float
    storage: list[TierLine]
    storage_mean_usd_per_gb_month: float | None
    transfer_usd_per_month: float
    transfer: list[TierLine]
    transfer_mean_usd_per_gb: float | None
    support_usd_per_month: float
    support: list[BandLine]
    total_usd_per_month: float



class Tiering(TypedDict):
    """Data placed by age: new data enter the array above, and move on as they grow old."""

    replaced_fraction_per_year: NotRequired[float]
    colder: list[ColderTier]



class Tightest(TypedDict):
    """A resource where and when least of it is left: `needed * limit_fraction / there` is used. `needed` and `there` are in `unit`, without spare nodes; of what is rented `needed` is what is in use."""

    group: NotRequired[str | None]
    month: int
    needed: float
    limit_fraction: NotRequired[float]
    there: float
    unit: str



class TimeOfUseElectricity(TypedDict):
    """Prices by hour of the day; the last tariff that covers an hour holds."""

    kind: str
    base_usd_per_kwh: float
    tariffs: list[Tariff]
    scale_ratio: NotRequired[float]



class TimeOfUseParams(TypedDict):
    """Power by the hour, price by the hour, and what the month's peak costs. Input of the model `cost.time_of_use`."""

    hourly_power_w: NotRequired[list[float]]
    price: NotRequired[FlatPrice | DayPrice | HourlyPrice]
    pue: NotRequired[float]
    demand_usd_per_kw_month: NotRequired[float]
    year_h: NotRequired[Literal[8760, 8784]]



class TimeOfUseResult(TypedDict):
    """The year's bill. Answer of the model `cost.time_of_use`."""

    total_usd: float
    energy_usd: float
    demand_usd: float
    energy_kwh: float
    mean_usd_per_kwh: float | None
    flat_usd_per_kwh: float
    peak_w: float
    load_factor_fraction: float | None
    months: list[MonthBill]



class Timeouts(TypedDict):
    """Idle times after which a drive goes to sleep; empty: the break-even times."""

    low_power_idle_s: NotRequired[float | None]
    standby_s: NotRequired[float | None]



class Times(TypedDict):
    """Times of requests: mean with its 95% confidence by batch means, and percentiles."""

    mean_ms: float
    mean_low_ms: float
    mean_high_ms: float
    median_ms: float
    p90_ms: float
    at_percentile_ms: float



class TokenCreateInputRequest(TypedDict):
    """Body of *create a token*."""

    title: str
    scopes: NotRequired[list[ScopesEnum]]
    expires_at: NotRequired[str | None]



class TokenCreatedOutput(TypedDict):
    """Answer of *create a token*."""

    id: str
    title: str
    prefix: str
    scopes: list[str]
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    token: str



class TokenOutput(TypedDict):
    """A row of *the workspace's API tokens*."""

    id: str
    title: str
    prefix: str
    scopes: list[str]
    created_at: str
    expires_at: str | None
    last_used_at: str | None



class ToolRunInputRequest(TypedDict):
    """Body of *let a study refer to a run of a tool*."""

    run: str
    tool: str
    title: str
    design: NotRequired[str]
    state: NotRequired[dict[str, JsonValue]]
    pointers: NotRequired[list[str]]
    entries: NotRequired[list[str]]



class ToolRunListOutput(TypedDict):
    """Answer of *take a study's growth from a run of the forecast, with its range*."""

    results: list[ToolRunOutput]



class ToolRunOutput(TypedDict):
    """A run of a tool, as a study refers to it."""

    run: str
    tool: str
    title: str
    design: str
    model: str
    model_version: str
    params: ModelParams | OpenDocument
    state: dict[str, JsonValue]
    inputs_hash: str
    headline: str
    stale: list[str]



class TornadoBar(TypedDict):
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



class TraceDetail(TypedDict):
    """A trace with the lines that could not be read; the first hundred are kept."""

    state: StateEnum
    progress_fraction: float
    progress_message: str
    seconds_left: float | None
    error: JobError | None
    submitted_at: str
    started_at: str | None
    ended_at: str | None
    id: str
    file_name: str
    bytes: int
    format: str
    created_at: str
    title: str
    kind: KindEnum | BlankEnum
    format_title: str
    stored_bytes: int | None
    rows_count: int | None
    sha256: str
    summary: dict[str, JsonValue] | None
    headline: str
    faults_count: int
    faults: list[LineFault]



class TraceFormat(TypedDict):
    """A format of files that traces are read from."""

    name: str
    title: str
    kind: KindEnum
    sentence: str



class TraceFormats(TypedDict):
    """Every format, and all of them as a sentence."""

    sentence: str
    formats: list[TraceFormat]



class TraceOutput(TypedDict):
    """A trace and the state of its job, without charts and faults."""

    state: StateEnum
    progress_fraction: float
    progress_message: str
    seconds_left: float | None
    error: JobError | None
    submitted_at: str
    started_at: str | None
    ended_at: str | None
    id: str
    file_name: str
    bytes: int
    format: str
    created_at: str
    title: str
    kind: KindEnum | BlankEnum
    format_title: str
    stored_bytes: int | None
    rows_count: int | None
    sha256: str
    summary: dict[str, JsonValue] | None
    headline: str
    faults_count: int



class TraceRef(TypedDict):
    """An uploaded trace of the workspace. `sha256` is of the stored columns: with it the hash of a run's inputs sees the content."""

    kind: NotRequired[str]
    trace_id: str
    sha256: str



class TraceRequests(TypedDict):
    """Requests as they were logged, in order of arrival."""

    arrival_s: list[float]
    prompt_tokens: list[int]
    output_tokens: list[int]



class TraceTraffic(TypedDict):
    """A trace as text: a line for each access, `nanoseconds,address,R or W,process`."""

    kind: str
    csv: str



class TraceWorkload(TypedDict):
    """Requests as recorded, in the document itself."""

    kind: str
    starts_ms: list[float]
    sectors: list[int]
    sectors_count: list[int]
    writes: list[bool]
    devices: NotRequired[list[int]]
    time_ratio: NotRequired[float]



class TracksFit(TypedDict):
    """Platter and cache of a drive whose tracks are known, by the first half of the trace."""

    speed_rpm: float
    head_skew_ms: float
    cylinder_skew_ms: float
    agreement_fraction: float
    found_skews: bool
    follows_angle: bool
    pauses: Literal['after', 'before', 'untold']
    ahead_to_track_end: bool
    hits_read_ahead: bool
    keeps_passing_sectors: bool
    drops_delivered: bool
    ahead_in_runs: bool
    takes_whole_track: bool
    written_ends: Literal['overlap', 'nothing', 'oldest']
    stream_hold_ms: float | None
    ahead_lost_fraction: float



class TrafficSpread(TypedDict):
    """Memory traffic of a server."""

    low_mb_per_s: float
    mode_mb_per_s: float
    high_mb_per_s: float



class TrainingParams(TypedDict):
    """A model, the tokens it learns, and the accelerators. Input of the model `training.time`."""

    model: NotRequired[OpenModel | ConfiguredModel | ShapedModel]
    accelerator: NotRequired[ListedAccelerator | OwnAccelerator]
    accelerators_count: NotRequired[int]
    kind: NotRequired[Literal['full', 'lora']]
    train_tokens: NotRequired[float]
    sequence_tokens: NotRequired[float]
    reached_fraction: NotRequired[float | None]
    software_years: NotRequired[float]
    h_per_stop: NotRequired[float]
    restart_h: NotRequired[float]
    checkpoint_h: NotRequired[float]



class TrainingResult(TypedDict):
    """How long it takes, and where the time goes. Answer of the model `training.time`."""

    duration_h: Banded
    accelerator_h: Banded
    work_flop: float
    reached_fraction: float
    checkpoint_interval_h: float
    lost_fraction: float
    stops_count: float
    state_gb: float
    memory_gb: float
    fits: bool
    told: str



class Transfer(TypedDict):
    """Data moved into and out of the cloud."""

    in_tb: NotRequired[float]
    in_usd_per_gb: NotRequired[float]
    out_tb: NotRequired[float]
    out_usd_per_gb: NotRequired[float]
    period: NotRequired[Literal['once', 'yearly']]



class TwoProcessTraffic(TypedDict):
    """Two processes take turns: one misses the cache all the time, the other never."""

    kind: str
    quantum_ms: NotRequired[float]
    gap_ns: NotRequired[float]



class TwoRegimeSeek(TypedDict):
    """Square-root law up to a distance, a line beyond (Ruemmler and Wilkes 1994)."""

    kind: str
    cylinders_count: int
    join_count: int
    near_ms: float
    near_root_ms: float
    far_ms: float
    far_slope_ms: float



class TwoSegmentsCurve(TypedDict):
    """A jump at low load, then a slope."""

    power_idle_w: NotRequired[float]
    power_max_w: NotRequired[float]
    kind: str
    knee_utilization_fraction: NotRequired[float]
    knee_range_fraction: NotRequired[float]



class TwoSegmentsPower(TypedDict):
    """A jump at low load, then a second line: what many machines since 2010 show."""

    kind: str
    idle_w: float
    peak_w: float
    knee_load_fraction: NotRequired[float]
    knee_range_fraction: NotRequired[float]



class TwoStepBegunOutput(TypedDict):
    """Answer of *make a secret for an authenticator*."""

    secret: str
    address: str
    picture: str



class TwoStepBothInputRequest(TypedDict):
    """One's password, and a code of the authenticator or a recovery code."""

    password: str
    code: str



class TwoStepCodeInputRequest(TypedDict):
    """Body of *ask for codes from now on, once one is right*."""

    code: str



class TwoStepOutput(TypedDict):
    """Answer of *say whether one is asked for a code after the password*."""

    is_on: bool
    has_password: bool
    recovery_left: int



class TwoStepPasswordInputRequest(TypedDict):
    """Body of *make a secret for an authenticator*."""

    password: str



class TypeCount(TypedDict):
    """So many of an instance type, each at its price."""

    type: str
    entry: str
    count: float
    usd_per_h: float



class TypedDays(TypedDict):
    """A day as the planner knows it."""

    kind: str
    footprint_gb: NotRequired[float]
    new_gb: NotRequired[float]
    written_footprint_gb: NotRequired[float]
    requests_per_s: NotRequired[float]
    read_fraction: NotRequired[float]
    size_bytes: NotRequired[int]
    reuse: NotRequired[list[ReusePoint]]



class TypedModule(TypedDict):
    """A module by its data sheet."""

    title: str
    generation: NotRequired[Literal['ddr3', 'ddr4', 'ddr5']]
    capacity_gib: float
    ranks_count: int
    devices_per_rank_count: NotRequired[int]
    currents_of: NotRequired[Literal['device', 'module']]
    supply_v: NotRequired[float]
    idd0_ma: NotRequired[float | None]
    idd2n_ma: NotRequired[float | None]
    idd2p_ma: NotRequired[float | None]
    idd3n_ma: NotRequired[float | None]
    idd4r_ma: NotRequired[float | None]
    idd4w_ma: NotRequired[float | None]
    idd5b_ma: NotRequired[float | None]
    idd6n_ma: NotRequired[float | None]
    pump_v: NotRequired[float]
    pump_ma: NotRequired[float]
    pump_asleep_ma: NotRequired[float]
    burst_ns: NotRequired[float]
    row_cycle_ns: NotRequired[float]
    row_open_ns: NotRequired[float]
    refresh_ns: NotRequired[float]
    refresh_interval_us: NotRequired[float]
    powerdown_exit_ns: NotRequired[float]
    self_refresh_exit_ns: NotRequired[float]
    register_w: NotRequired[float]
    register_asleep_w: NotRequired[float]
    kind: str



class TypedPrice(TypedDict):
    """One price for a node, typed in."""

    kind: str
    unit_price_usd: float
    component: NotRequired[Literal['cpu', 'dram', 'ssd', 'hdd', 'gpu', 'chassis', 'network', 'server', 'facility', 'other']]
    price_as_of: NotRequired[str | None]



class UniformAddresses(TypedDict):
    """Every place equally often."""

    kind: str



class UploadInputRequest(TypedDict):
    """Body of *announce a file*."""

    name: str
    bytes: int



class UploadOutput(TypedDict):
    """A file on its way: what is here of it, and how it is cut."""

    id: str
    name: str
    bytes: int
    part_bytes: int
    parts_count: int
    parts_there: list[int]
    ended: bool



class UploadedTrace(TypedDict):
    """A block trace of the workspace."""

    kind: str
    trace: TraceRef



class UsageOutput(TypedDict):
    """A row of *return every quota with what is used of it*."""

    name: str
    title: str
    unit: str
    used: float
    limit: float | None



class UsedSpread(TypedDict):
    """Memory used at the busiest time."""

    low_gib: float
    mode_gib: float
    high_gib: float



class UserArrivals(TypedDict):
    """Users in closed loop: each asks again some time after its answer."""

    kind: str
    users_count: NotRequired[int]
    think_s: NotRequired[float]



class UtilizationWorkload(TypedDict):
    """Work as the utilisation of given machines, as studies of 2008 stated it."""

    kind: str
    utilization_fraction: float
    machines: list[PlansMachines]
    storage_tb: NotRequired[float]
    transfer_in_tb: NotRequired[float]
    transfer_out_tb: NotRequired[float]
    transfer_period: NotRequired[Literal['once', 'yearly']]
    teams: NotRequired[list[Team]]



class Verdict(TypedDict):
    """The answer in sentences; `**` marks what stands bold. `letters` are the designs that the headline names as its answer: those that cost the same, or that cannot be told apart. `entered` says where costs as entered differ from the means by more than what decides, and which ranges do it. `rests` names the cause without which the lead would not decide, and says where another design is the cheapest without the value left at the end, else how much of the lead that value is; `alternatives` how the odds are with each alternative of a choice. `excluded` says of each other design why it does not compete."""

    kind: Literal['clear', 'probable', 'same', 'open', 'as_entered', 'only', 'alone', 'none']
    letters: NotRequired[list[str]]
    headline: str
    payoff: NotRequired[str | None]
    odds: NotRequired[str | None]
    entered: NotRequired[str | None]
    rests: NotRequired[str | None]
    flips: NotRequired[str | None]
    alternatives: NotRequired[str | None]
    odds_reason: NotRequired[str | None]
    excluded: NotRequired[str | None]
    not_counted: NotRequired[str | None]



class VersionCreateInputRequest(TypedDict):
    """Body of *give the design's present state a name*."""

    name: str



class VersionOutput(TypedDict):
    """A row of *list the design's named versions, oldest first*."""

    id: str
    name: str
    title: str
    kind: str
    spec: DesignSpec | OpenDocument
    provenance: dict[str, dict[str, JsonValue]]
    created_at: str


WayEnum: TypeAlias = "Literal['export', 'import']"


class WebhookCreated(TypedDict):
    """Answer of *tell a program from now on: the answer is the only place where its secret can be read*."""

    id: str
    url: str
    events: list[str]
    break_even_months: float
    created_by: str
    created_at: str
    secret: str



class WebhookInputRequest(TypedDict):
    """Body of *tell a program from now on: the answer is the only place where its secret can be read*."""

    url: str
    events: NotRequired[list[EventsEnum]]
    break_even_months: NotRequired[float]



class WebhookOutput(TypedDict):
    """A row of *list the webhooks, the first ones first*."""

    id: str
    url: str
    events: list[str]
    break_even_months: float
    created_by: str
    created_at: str



class WholeCapital(TypedDict):
    """One price for the cluster."""

    kind: str
    capex_usd: NotRequired[float]



class WorkOfTraceParams(TypedDict):
    """A trace, and how large its machines are: a trace holds shares of them alone. Input of the model `performance.work_of_trace`."""

    samples_fraction: NotRequired[list[float]]
    step_s: NotRequired[float]
    trace: NotRequired[TraceRef | None]
    cores_per_machine_count: float
    ram_per_machine_gib: NotRequired[float | None]
    machines: NotRequired[list[MachineSize]]



class WorkOfTraceResult(TypedDict):
    """What the machines carried together, in their own cores. Answer of the model `performance.work_of_trace`."""

    headline: str
    notes: NotRequired[list[str]]
    tables: NotRequired[list[Table]]
    figures: NotRequired[list[Figure]]
    machines_count: int
    cores_count: float
    busy_cores_mean_count: float
    busy_cores_p99_count: float
    busy_cores_peak_count: float
    p99_ratio: float
    shape: Literal['hour_of_week', 'hour_of_day', 'flat']
    shape_ratio: list[float]
    ram_installed_gib: float | None
    ram_mean_gib: float | None
    ram_p99_gib: float | None
    duration_h: float
    step_s: float
    steps_count: int
    warnings: list[str]



class Working(TypedDict):
    """How a cause of cost of a design comes about."""

    letter: str
    label: str
    unit: str
    value: float
    lines: list[PaidLine]
    terms: list[Term]
    inputs: list[Term]
    cause: str
    side: Literal['owned', 'rented']



class Workings(TypedDict):
    """The workings of all designs, cause by cause in the order of the tables, and of rows. Answer of the model `plans.workings`."""

    causes: list[Working]
    rows: list[RowWorking]



class WorkingsSpec(TypedDict):
    """A study, and which of its causes to open; all of them where nothing is said. Input of the model `plans.workings`."""

    designs: list[OwnedCluster | Cloud | Hybrid | DiskArray]
    workload: DemandWorkload | UtilizationWorkload
    assumptions: NotRequired[Assumptions]
    baseline: NotRequired[Baseline | None]
    ranges: NotRequired[list[Range]]
    draws_count: NotRequired[int]
    seed: NotRequired[int]
    letter: NotRequired[str | None]
    cause: NotRequired[str | None]


Workload: TypeAlias = 'DemandWorkload | UtilizationWorkload'


class WorkspaceDeletionInputRequest(TypedDict):
    """Body of *have the workspace deleted with all that is in it, after the grace time*."""

    name: str



class WorkspaceInputRequest(TypedDict):
    """Body of *make a workspace, and own it*."""

    name: str



class WorkspaceOutput(TypedDict):
    """A row of *list the caller's workspaces, the first ones first*."""

    id: str
    name: str
    role: RoleEnum
    created_at: str



class Year(TypedDict):
    """One year of the table that a chief financial officer reads. As entered, but for `ranked_usd`, which adds up to what the verdict goes by."""

    year: int
    capex_usd: float
    opex_usd: float
    depreciation_usd: float
    cash_usd: float
    npv_usd: float
    ranked_usd: float
    causes: dict[str, float]



class YearTerms(TypedDict):
    """What turns a run into a year's dollars and the chance of losing data."""

    energy_usd_per_kwh: NotRequired[float]
    service_years: NotRequired[float]
    repair_h: NotRequired[float | None]
    replacement_h: NotRequired[float]
    spares_count: NotRequired[int]



class YearlyIntensity(TypedDict):
    """One factor for all hours, with its zone, year and basis."""

    kind: str
    intensity_gco2e_per_kwh: NotRequired[float]
    zone: NotRequired[str]
    factor_year: NotRequired[int | None]
    basis: NotRequired[Literal['direct', 'life_cycle']]



class ZipfAddresses(TypedDict):
    """Blocks by a power law of popularity, scattered over the array or sorted."""

    kind: str
    exponent: NotRequired[float]
    blocks_count: NotRequired[int]
    sorted_by_popularity: NotRequired[bool]



class Zone(TypedDict):
    """Neighboring cylinders with the same number of sectors per track."""

    last_cylinder: int
    per_track_count: int



class ZoneOfTracks(TypedDict):
    """Neighboring cylinders with the same number of sectors per track."""

    last_cylinder: int
    per_track_count: int
