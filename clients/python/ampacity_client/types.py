"""Generated from the API's schema by generate.py. Do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict


class AccountDeletionInputRequest(TypedDict):
    email: str



class ActualBill(TypedDict):
    id: str
    file_name: str
    months: list[str]



class ActualCause(TypedDict):
    months_count: int
    planned: float
    actual: float
    difference: float
    difference_fraction: float | None
    cause: str
    label: str
    offer: ActualOffer | None



class ActualComparison(TypedDict):
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
    figure: dict[str, Any]



class ActualDesign(TypedDict):
    letter: str
    title: str



class ActualDifference(TypedDict):
    months_count: int
    planned: float
    actual: float
    difference: float
    difference_fraction: float | None



class ActualKnownCause(TypedDict):
    cause: str
    label: str



class ActualMonth(TypedDict):
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
    pointer: str
    field: str
    unit: str
    value: float
    low: float
    high: float



class ActualRangeInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    cause: str



class ActualRow(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    month: str
    cause: NotRequired[str]
    cost_usd: NotRequired[float | None]
    energy_kwh: NotRequired[float | None]



class ActualRowRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    month: str
    cause: NotRequired[str]
    cost_usd: NotRequired[float | None]
    energy_kwh: NotRequired[float | None]



class ActualsInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    letter: NotRequired[str]
    starts_on: NotRequired[str | None]
    rows: NotRequired[list[ActualRowRequest]]
    csv: NotRequired[str]
    numbers: NotRequired[NumberFormatEnum | BlankEnum]
    bill: NotRequired[str]



class ActualsOutput(TypedDict):
    letter: str
    starts_on: str | None
    rows: list[ActualRow]
    approved: NotRequired[str | None]
    comparison: ActualComparison | None
    reason: str
    bills: list[ActualBill]



class AddressInputRequest(TypedDict):
    email: str



class ApprovalAskRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    sentence: str



class ApprovalInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    name: str
    sentence: str



class ApprovalOutput(TypedDict):
    id: str
    name: str
    sentence: str
    approved_by: str
    created_at: str
    run: RunOutput



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



class AuditOutput(TypedDict):
    id: str
    actor_email: str
    token_id: str | None
    action: str
    said: str
    target: str
    detail: dict[str, Any]
    created_at: str



class BaselineCsvInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    csv: str
    numbers: NotRequired[NumberFormatEnum | BlankEnum]


BasisEnum = Literal['published', 'derived', 'regression']

BlankEnum = Literal['']


class Burst(TypedDict):
    """The runs that one burst of editing made, of which a folded list shows the last."""

    runs_count: int
    first: FirstOfBurst



class Case(TypedDict):
    """The input behind a published figure, whole."""

    check: str
    title: str
    source: str
    params: dict[str, Any]



class CatalogueCsvInputRequest(TypedDict):
    kind: str
    csv: str
    numbers: NotRequired[NumberFormatEnum | BlankEnum]



class CatalogueCsvOutput(TypedDict):
    """How many entries a table made, and how many it changed."""

    added: int
    changed: int



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
    kind: str
    entries_count: int



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
    cause: str
    label: str
    amount_usd: float


ChangeEnum = Literal['added', 'removed', 'changed']


class ChangedInput(TypedDict):
    """One input that differs; of a list or a part that came or went, what stood there."""

    cause: str
    cause_label: str
    pointer: str
    label: str
    unit: str
    before: Any
    after: Any



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



class Citation(TypedDict):
    text: str
    url: str | None
    section: str | None



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



class CommentInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    text: str
    letter: NotRequired[str]
    place: NotRequired[str]
    place_title: NotRequired[str]



class CommentOutput(TypedDict):
    id: str
    text: str
    letter: str
    place: str
    place_title: str
    author: str
    created_at: str
    resolved_at: str | None
    resolved_by: str


CostEnum = Literal['effective', 'billed']


class DeletionOutput(TypedDict):
    deletes_at: str | None
    grace_days: int



class DeliveryOutput(TypedDict):
    id: str
    event: str
    study: str | None
    created_at: str
    attempts: int
    status: int | None
    answer: str
    delivered: bool
    ended_at: str | None



class DesignCreateInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    letter: NotRequired[LetterEnum]
    title: str
    kind: str
    spec: NotRequired[dict[str, Any]]
    provenance: NotRequired[dict[str, dict[str, Any]]]



class DesignDiffOutput(TypedDict):
    against: str
    against_title: str
    differences: list[Difference]



class DesignHead(TypedDict):
    """A design without its fields; ``designs/{id}`` has them."""

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
    spec: dict[str, Any]
    provenance: dict[str, dict[str, Any]]
    position: int
    revision: int
    faults: list[Fault]
    cautions: list[Fault]
    ranges_left: list[dict[str, Any]]
    updated_at: str



class DesignUpdateInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    title: NotRequired[str]
    kind: NotRequired[str]
    spec: NotRequired[dict[str, Any]]
    provenance: NotRequired[dict[str, dict[str, Any]]]
    position: NotRequired[int]



class Difference(TypedDict):
    pointer: str
    change: ChangeEnum
    before: Any
    after: Any



class DoorOutput(TypedDict):
    sign_up: SignUpEnum
    mail: bool
    openid: str | None



class EmailOutput(TypedDict):
    email: str
    verified_at: str | None
    mail: bool
    sees_mail: bool



class EnterInputRequest(TypedDict):
    workspace: str



class EntryDrive(TypedDict):
    """A drive as models take it, or what its entry lacks for one."""

    kind: str
    drive: dict[str, Any] | None
    missing: list[str]
    origins: dict[str, FigureOrigin]



class EvaluateInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    model: NotRequired[str]
    params: NotRequired[dict[str, Any]]
    draws_count: NotRequired[int]
    study: NotRequired[str]
    figures: NotRequired[str]
    moves: NotRequired[dict[str, float]]
    before: NotRequired[dict[str, Any]]
    ranges: NotRequired[RangesEnum]



class EvaluateOutput(TypedDict):
    model: str
    version: str
    inputs_hash: str
    result: dict[str, Any]
    drawn: NotRequired[dict[str, Any]]
    moved: NotRequired[dict[str, Any]]
    ranges_left: list[dict[str, Any]]


EventsEnum = Literal['run.finished', 'verdict.changed', 'breakeven.moved', 'prices.arrived', 'approval.asked', 'study.approved']


class Fault(TypedDict):
    """One thing that is wrong with the request, at a JSON pointer."""

    pointer: str
    code: str
    message: str



class FigureOrigin(TypedDict):
    """The field of an entry that a figure comes from."""

    field: str
    how: str | None



class FileInputRequest(TypedDict):
    file: bytes
    title: NotRequired[str]



class FirstOfBurst(TypedDict):
    """The first of the runs that one burst of editing made."""

    id: str
    submitted_at: str
    model_version: str
    winner: str
    cost_usd: float | None
    odds: dict[str, float] | None



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



class FleetTrace(TypedDict):
    """The trace that machines were found in by name."""

    title: str
    machines_count: int
    joined_count: int
    unjoined_count: float


FormatEnum = Literal['pdf', 'xlsx', 'csv']


class Formula(TypedDict):
    id: str
    text: str
    source: str
    symbols: dict[str, str]



class GrowthInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    run: str
    of: NotRequired[list[OfEnum]]
    series: NotRequired[SeriesRequest]
    state: NotRequired[dict[str, Any]]



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
    preview: dict[str, Any] | None
    tables: list[ImportTable]
    open_points: list[str]



class ImportDraft(TypedDict):
    """What a study would take from the file, and what stays open."""

    title: str
    baseline: dict[str, Any] | None
    entry: dict[str, Any] | None
    tables: list[ImportTable]
    workload: dict[str, Any]
    designs: list[ProposedDesign]
    in_types: FleetInTypes | None
    provenance: dict[str, Any]
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
    rows: list[list[Any]]



class InvitationCreated(TypedDict):
    id: str
    email: str
    role: RoleEnum
    invited_by: str
    created_at: str
    expires_at: str
    link: str
    mailed: bool



class InvitationInputRequest(TypedDict):
    role: RoleEnum
    email: NotRequired[str]



class InvitationOutput(TypedDict):
    id: str
    email: str
    role: RoleEnum
    invited_by: str
    created_at: str
    expires_at: str



class JobError(TypedDict):
    code: str
    message: str
    faults: list[Fault]



class JoinInputRequest(TypedDict):
    """Signed in, the link alone; else an address and a password for a new account."""

    token: str
    email: NotRequired[str]
    password: NotRequired[str]



class JoinLookInputRequest(TypedDict):
    token: str



class JoinLookOutput(TypedDict):
    workspace_name: str
    role: RoleEnum
    email: str
    invited_by: str
    expires_at: str



class KeptDriveInputRequest(TypedDict):
    title: str
    drive: dict[str, Any]
    sheet: dict[str, Any]
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


KindEnum = Literal['block', 'utilization', 'latency', 'fleet']


class KnownFileInputRequest(TypedDict):
    """A file that may have been read here before."""

    sha256: str
    name: NotRequired[str]
    names: NotRequired[str]
    dates: NotRequired[str]
    numbers: NotRequired[str]


LetterEnum = Literal['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H']


class LineFault(TypedDict):
    line: int
    message: str



class MailedEvents(TypedDict):
    events: list[EventsEnum]
    break_even_months: NotRequired[float]



class MailedEventsRequest(TypedDict):
    events: list[EventsEnum]
    break_even_months: NotRequired[float]



class MailedInputRequest(TypedDict):
    """With the password that is chosen, but for a link that confirms an address."""

    token: str
    password: NotRequired[str]
    otp: NotRequired[str]



class MailedLookInputRequest(TypedDict):
    token: str



class MailedLookOutput(TypedDict):
    purpose: PurposeEnum
    email: str
    expires_at: str
    needs_code: bool



class MemberOutput(TypedDict):
    id: str
    email: str
    role: RoleEnum
    by_group: bool
    created_at: str



class Message(TypedDict):
    to: str
    subject: str
    sent_at: str
    body: str



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
    start: dict[str, Any] | None
    start_source: str
    cases: list[Case]
    formulas: list[Formula]
    limits: list[str]
    params_schema: dict[str, Any]
    result_schema: dict[str, Any]



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



class MovedFigure(TypedDict):
    pointer: str
    before: Any
    after: Any
    relative_fraction: float | None


NullEnum = None


class NumberFormat(TypedDict):
    number_format: NumberFormatEnum | BlankEnum


NumberFormatEnum = Literal['point', 'comma']


class NumberFormatRequest(TypedDict):
    number_format: NumberFormatEnum | BlankEnum


OfEnum = Literal['cores', 'ram', 'block', 'object', 'archive', 'transfer', 'gpus']


class OpenIdAnswerInputRequest(TypedDict):
    """What the provider put into the address that it led back to."""

    state: str
    code: NotRequired[str]
    iss: NotRequired[str]
    error: NotRequired[str]



class OpenIdOutput(TypedDict):
    url: str


OriginEnum = Literal['import', 'run']


class OutlookChange(TypedDict):
    """A value that would move, in words."""

    letter: str
    pointer: str
    before: Any
    after: Any
    entry: str
    as_of: str | None
    label: str



class OutlookDetail(TypedDict):
    """The state of the job that makes a thing."""

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
    """The state of the job that makes a thing."""

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



class OwnSession(TypedDict):
    id: str
    agent: str
    began_at: str
    is_this: bool



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
    results: list[ApprovalOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedArchiveOutputList(TypedDict):
    results: list[ArchiveOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedAuditOutputList(TypedDict):
    results: list[AuditOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedCatalogueEntryList(TypedDict):
    results: list[CatalogueEntry]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedCatalogueKindList(TypedDict):
    results: list[CatalogueKind]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedCatalogueSnapshotList(TypedDict):
    results: list[CatalogueSnapshot]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedCheckOutputList(TypedDict):
    results: list[CheckOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedCommentOutputList(TypedDict):
    results: list[CommentOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedDeliveryOutputList(TypedDict):
    results: list[DeliveryOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedDesignHeadList(TypedDict):
    results: list[DesignHead]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedDesignOutputList(TypedDict):
    results: list[DesignOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedImportOutputList(TypedDict):
    results: list[ImportOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedInvitationOutputList(TypedDict):
    results: list[InvitationOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedKeptPriceListList(TypedDict):
    results: list[KeptPriceList]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedMemberOutputList(TypedDict):
    results: list[MemberOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedMessageList(TypedDict):
    results: list[Message]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedModelOutputList(TypedDict):
    results: list[ModelOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedOutlookOutputList(TypedDict):
    results: list[OutlookOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedOwnSessionList(TypedDict):
    results: list[OwnSession]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedPackFieldList(TypedDict):
    results: list[PackField]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedPackList(TypedDict):
    results: list[Pack]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedPlaceList(TypedDict):
    results: list[Place]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedReportOutputList(TypedDict):
    results: list[ReportOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedRunOutputList(TypedDict):
    results: list[RunOutput]
    next_cursor: str | None
    previous_cursor: str | None
    figures: NotRequired[list[dict[str, Any]]]



class PaginatedShareOutputList(TypedDict):
    results: list[ShareOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedStudyCardList(TypedDict):
    results: list[StudyCard]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedStudyTagList(TypedDict):
    results: list[StudyTag]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedStudyTemplateList(TypedDict):
    results: list[StudyTemplate]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedTokenOutputList(TypedDict):
    results: list[TokenOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedTraceOutputList(TypedDict):
    results: list[TraceOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedUsageOutputList(TypedDict):
    results: list[UsageOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedVersionOutputList(TypedDict):
    results: list[VersionOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedWebhookOutputList(TypedDict):
    results: list[WebhookOutput]
    next_cursor: str | None
    previous_cursor: str | None



class PaginatedWorkspaceOutputList(TypedDict):
    results: list[WorkspaceOutput]
    next_cursor: str | None
    previous_cursor: str | None


PaperEnum = Literal['a4', 'letter']


class PartOutput(TypedDict):
    """Where a part is to be sent by PUT; an address of another host needs no sign-in."""

    number: int
    bytes: int
    url: str



class PartsInputRequest(TypedDict):
    numbers: list[int]



class PasswordInputRequest(TypedDict):
    """The old password is left out where none is set yet."""

    old: NotRequired[str | None]
    new: str



class PasswordOutput(TypedDict):
    is_set: bool
    may_set: bool



class PatchedCatalogueEntryChangeInputRequest(TypedDict):
    title: NotRequired[str]
    values: NotRequired[dict[str, CatalogueValueInputRequest]]



class PatchedCommentChangeRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    resolved: NotRequired[bool]



class PatchedDesignUpdateInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    title: NotRequired[str]
    kind: NotRequired[str]
    spec: NotRequired[dict[str, Any]]
    provenance: NotRequired[dict[str, dict[str, Any]]]
    position: NotRequired[int]



class PatchedMemberInputRequest(TypedDict):
    role: NotRequired[RoleEnum]



class PatchedPackChangeInputRequest(TypedDict):
    title: NotRequired[str]
    values: NotRequired[dict[str, CatalogueValueInputRequest]]



class PatchedStudyUpdateInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    title: NotRequired[str]
    question: NotRequired[str]
    snapshot: NotRequired[str]
    as_of: NotRequired[str]
    tags: NotRequired[list[str]]
    workload: NotRequired[dict[str, Any]]
    workload_provenance: NotRequired[dict[str, dict[str, Any]]]
    assumptions: NotRequired[dict[str, Any]]
    assumptions_provenance: NotRequired[dict[str, dict[str, Any]]]
    baseline: NotRequired[dict[str, Any] | None]
    baseline_provenance: NotRequired[dict[str, dict[str, Any]]]
    ranges: NotRequired[list[dict[str, Any]]]
    draws_count: NotRequired[int]
    seed: NotRequired[int]



class PatchedTraceRenameInputRequest(TypedDict):
    title: NotRequired[str]



class PatchedWorkspaceInputRequest(TypedDict):
    name: NotRequired[str]



class Place(TypedDict):
    """A city that regions are held of, to choose from."""

    city: str
    country: str
    currency: str
    regions: list[str]



class PlacedValue(TypedDict):
    """Such a value, with the part of the study that its pointer is relative to."""

    letter: str
    pointer: str
    before: Any
    after: Any
    entry: str
    as_of: str | None
    part: str



class PlanPrice(TypedDict):
    """What an hour costs under a plan, what is paid in advance spread over its term."""

    title: str
    kind: str
    term_months: int
    upfront_fraction: float
    entry: str
    field: str
    price: CatalogueValue



class PriceChanges(TypedDict):
    """What changed from one price list to another; each table has the largest changes."""

    before: KeptPriceList
    after: KeptPriceList
    new_count: int
    gone_count: int
    changed_count: int
    same_count: int
    tables: list[ImportTable]


PriceListEnum = Literal['aws', 'aws_savings', 'azure', 'gcp', 'ecb']


class PriceListInputRequest(TypedDict):
    """A price list, or exchange rates, to be fetched from who publishes them."""

    provider: PriceListEnum
    region: NotRequired[str]



class PriceListSource(TypedDict):
    """A list that can be fetched from who publishes it."""

    provider: PriceListEnum
    title: str
    by_region: bool



class Problem(TypedDict):
    """RFC 9457 problem document with all faults at once."""

    type: str
    title: str
    status: int
    detail: str
    errors: list[Fault]



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


ProposalOptionOptionEnum = Literal['aws', 'azure', 'gcp', 'owned', 'coded', 'shelves', 'hybrid']


class ProposalOptionRequest(TypedDict):
    """A provider with the term of its plan, own servers, or own servers with rented peaks."""

    option: ProposalOptionOptionEnum
    term_months: NotRequired[TermMonthsEnum]
    region: NotRequired[str]



class ProposedDesign(TypedDict):
    letter: str
    title: str
    kind: str
    spec: dict[str, Any]
    provenance: dict[str, Any]


ProposedOptionOptionEnum = Literal['same', 'fleet', 'fewer', 'by_size', 'by_use', 'owned', 'hybrid', 'aws', 'azure', 'gcp']


class ProposedOptionRequest(TypedDict):
    """A design to propose, with the term of its plan."""

    option: ProposedOptionOptionEnum
    term_months: NotRequired[TermMonthsEnum]
    provider: NotRequired[ProviderEnum | NullEnum]


ProviderEnum = Literal['aws', 'azure', 'gcp']


class ProviderName(TypedDict):
    """A provider that designs are proposed of."""

    provider: ProviderEnum
    title: str


PurposeEnum = Literal['sign_up', 'reset', 'verify']

QualityEnum = Literal['measured', 'published', 'recalled', 'assumed', 'derived', 'typed']

RangesEnum = Literal['drop', 'move', 'keep']


class Reconciliation(TypedDict):
    what: str
    amount: str



class RecoveryOutput(TypedDict):
    recovery_codes: list[str]



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



class ReportCreateInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

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


RoleEnum = Literal['owner', 'editor', 'viewer']


class RunCausesOutput(TypedDict):
    """The cost that the verdicts of two runs go by, and what stands between them. The runs may be of two studies."""

    before: str
    after: str
    before_usd: float
    after_usd: float
    causes: list[Cause]
    measure: str
    simulations_count: int
    figure: dict[str, Any]
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
    """Refuses fields that it does not know, and text that cannot be stored."""

    study: NotRequired[str]
    model: NotRequired[str]
    params: NotRequired[dict[str, Any]]
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
    params: dict[str, Any]
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
    model: str
    version: str
    inputs_hash: str
    result: dict[str, Any]
    drawn: NotRequired[dict[str, Any]]


SaidAsEnum = Literal['text', 'count', 'fraction', 'date', 'money', 'quantity']

ScopesEnum = Literal['read', 'write', 'run']


class SeriesRequest(TypedDict):
    """The bill, by its months, or the run that a forecast's values are of."""

    origin: OriginEnum
    id: str
    pointer: NotRequired[str]



class SessionCreateInputRequest(TypedDict):
    """Either the code of a sign-in link, or e-mail and password."""

    code: NotRequired[str]
    email: NotRequired[str]
    password: NotRequired[str]
    otp: NotRequired[str]



class SessionOutput(TypedDict):
    user: SessionUser
    workspace: SessionWorkspace
    events_url: str



class SessionUser(TypedDict):
    id: str
    email: str



class SessionWorkspace(TypedDict):
    id: str
    name: str
    role: RoleEnum



class ShareCreated(TypedDict):
    id: str
    run: str | None
    with_inputs: bool
    created_by: str
    created_at: str
    expires_at: str
    last_opened_at: str | None
    link: str



class ShareInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    run: NotRequired[str | None]
    with_inputs: NotRequired[bool]
    days: NotRequired[int]



class ShareOutput(TypedDict):
    id: str
    run: str | None
    with_inputs: bool
    created_by: str
    created_at: str
    expires_at: str
    last_opened_at: str | None



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
    document: dict[str, Any] | None
    result: dict[str, Any]
    drawn: NotRequired[dict[str, Any]]


SignUpEnum = Literal['invitation', 'open', 'closed']


class Standing(TypedDict):
    stale: list[str]
    asked: list[str]


StandingEnum = Literal['followed', 'newer', 'differs', 'same']

StateEnum = Literal['queued', 'running', 'succeeded', 'failed', 'cancelled']


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
    verdict: dict[str, Any] | None
    snapshot: str
    as_of: str
    tags: list[str]
    created_at: str
    updated_at: str
    designs: list[StudyCardDesign]



class StudyCardDesign(TypedDict):
    id: str
    letter: str
    title: str
    kind: str



class StudyCreateInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    title: str
    question: NotRequired[str]
    snapshot: NotRequired[str]
    as_of: NotRequired[str]
    tags: NotRequired[list[str]]
    workload: NotRequired[dict[str, Any]]
    workload_provenance: NotRequired[dict[str, dict[str, Any]]]
    assumptions: NotRequired[dict[str, Any]]
    assumptions_provenance: NotRequired[dict[str, dict[str, Any]]]
    baseline: NotRequired[dict[str, Any] | None]
    baseline_provenance: NotRequired[dict[str, dict[str, Any]]]
    ranges: NotRequired[list[dict[str, Any]]]
    draws_count: NotRequired[int]
    seed: NotRequired[int]
    designs: NotRequired[list[DesignCreateInputRequest]]



class StudyDocumentOutput(TypedDict):
    """The study as plans.compare takes it."""

    designs: list[dict[str, Any]]
    workload: dict[str, Any]
    assumptions: dict[str, Any]
    baseline: dict[str, Any] | None
    ranges: list[dict[str, Any]]
    draws_count: int
    seed: int



class StudyOutlook(TypedDict):
    """What would move one study."""

    study: str
    title: str
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
    workload: dict[str, Any]
    workload_provenance: dict[str, dict[str, Any]]
    assumptions: dict[str, Any]
    assumptions_provenance: dict[str, dict[str, Any]]
    baseline: dict[str, Any] | None
    baseline_provenance: dict[str, dict[str, Any]]
    ranges: list[dict[str, Any]]
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
    verdict: dict[str, Any] | None
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
    """Refuses fields that it does not know, and text that cannot be stored."""

    entry: str
    left: NotRequired[list[str]]



class StudyPrices(TypedDict):
    """What the catalogue's present values would change."""

    changes: list[PlacedValue]
    gone_count: int



class StudyProposeInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    workload: dict[str, Any]
    workload_provenance: NotRequired[dict[str, Any]]
    assumptions: NotRequired[dict[str, Any]]
    options: list[ProposalOptionRequest]
    currency: NotRequired[str]



class StudyProposeOutput(TypedDict):
    """What a study is created of, and the same as the plan takes it."""

    workload: dict[str, Any]
    workload_provenance: dict[str, Any]
    assumptions: dict[str, Any]
    assumptions_provenance: dict[str, Any]
    designs: list[ProposedDesign]
    ranges: list[dict[str, Any]]
    notes: list[str]
    document: dict[str, Any]



class StudyPurchaseOutput(TypedDict):
    """What a study asks of a plan of purchases."""

    model: str
    params: dict[str, Any]
    owned_letter: str | None
    rented_letter: str | None
    notes: list[str]



class StudyTag(TypedDict):
    """A tag, and how many studies have it."""

    tag: str
    studies_count: int



class StudyTemplate(TypedDict):
    """A kind of work to begin with."""

    slug: str
    title: str
    about: str
    workload: dict[str, Any]



class StudyUpdateInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    title: NotRequired[str]
    question: NotRequired[str]
    snapshot: NotRequired[str]
    as_of: NotRequired[str]
    tags: NotRequired[list[str]]
    workload: NotRequired[dict[str, Any]]
    workload_provenance: NotRequired[dict[str, dict[str, Any]]]
    assumptions: NotRequired[dict[str, Any]]
    assumptions_provenance: NotRequired[dict[str, dict[str, Any]]]
    baseline: NotRequired[dict[str, Any] | None]
    baseline_provenance: NotRequired[dict[str, dict[str, Any]]]
    ranges: NotRequired[list[dict[str, Any]]]
    draws_count: NotRequired[int]
    seed: NotRequired[int]


TermMonthsEnum = Literal[0, 12, 36]


class TokenCreateInputRequest(TypedDict):
    title: str
    scopes: NotRequired[list[ScopesEnum]]
    expires_at: NotRequired[str | None]



class TokenCreatedOutput(TypedDict):
    id: str
    title: str
    prefix: str
    scopes: list[str]
    created_at: str
    expires_at: str | None
    last_used_at: str | None
    token: str



class TokenOutput(TypedDict):
    id: str
    title: str
    prefix: str
    scopes: list[str]
    created_at: str
    expires_at: str | None
    last_used_at: str | None



class ToolRunInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    run: str
    tool: str
    title: str
    design: NotRequired[str]
    state: NotRequired[dict[str, Any]]
    pointers: NotRequired[list[str]]
    entries: NotRequired[list[str]]



class ToolRunListOutput(TypedDict):
    results: list[ToolRunOutput]



class ToolRunOutput(TypedDict):
    """A run of a tool, as a study refers to it."""

    run: str
    tool: str
    title: str
    design: str
    model: str
    model_version: str
    params: dict[str, Any]
    state: dict[str, Any]
    inputs_hash: str
    headline: str
    stale: list[str]



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
    summary: dict[str, Any] | None
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
    summary: dict[str, Any] | None
    headline: str
    faults_count: int



class TwoStepBegunOutput(TypedDict):
    secret: str
    address: str
    picture: str



class TwoStepBothInputRequest(TypedDict):
    """One's password, and a code of the authenticator or a recovery code."""

    password: str
    code: str



class TwoStepCodeInputRequest(TypedDict):
    code: str



class TwoStepOutput(TypedDict):
    is_on: bool
    has_password: bool
    recovery_left: int



class TwoStepPasswordInputRequest(TypedDict):
    password: str



class TypeCount(TypedDict):
    """So many of an instance type, each at its price."""

    type: str
    entry: str
    count: float
    usd_per_h: float



class UploadInputRequest(TypedDict):
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



class UsageOutput(TypedDict):
    name: str
    title: str
    unit: str
    used: float
    limit: float | None



class VersionCreateInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    name: str



class VersionOutput(TypedDict):
    id: str
    name: str
    title: str
    kind: str
    spec: dict[str, Any]
    provenance: dict[str, dict[str, Any]]
    created_at: str


WayEnum = Literal['export', 'import']


class WebhookCreated(TypedDict):
    id: str
    url: str
    events: list[str]
    break_even_months: float
    created_by: str
    created_at: str
    secret: str



class WebhookInputRequest(TypedDict):
    """Refuses fields that it does not know, and text that cannot be stored."""

    url: str
    events: NotRequired[list[EventsEnum]]
    break_even_months: NotRequired[float]



class WebhookOutput(TypedDict):
    id: str
    url: str
    events: list[str]
    break_even_months: float
    created_by: str
    created_at: str



class WorkspaceDeletionInputRequest(TypedDict):
    name: str



class WorkspaceInputRequest(TypedDict):
    name: str



class WorkspaceOutput(TypedDict):
    id: str
    name: str
    role: RoleEnum
    created_at: str
