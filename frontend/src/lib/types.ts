import type { components, operations } from '../api-types/schema';
import type { Json, JsonObject } from './pointer';

type Schemas = components['schemas'];

export type Session = Schemas['SessionOutput'];
export type StudyCard = Schemas['StudyCard'];
export type DesignVersion = Schemas['VersionOutput'];
export type DesignDiff = Schemas['DesignDiffOutput'];
export type Run = Schemas['RunOutput'];
export type Report = Schemas['ReportOutput'];
export type Archive = Schemas['ArchiveOutput'];
export type Deletion = Schemas['DeletionOutput'];
export type Member = Schemas['MemberOutput'];
export type MemberGroup = Schemas['ProvisionedGroupOutput'];
export type Workspace = Schemas['WorkspaceOutput'];
export type Role = Member['role'];
export type Invitation = Schemas['InvitationOutput'];
export type CreatedInvitation = Schemas['InvitationCreated'];
export type InvitationLook = Schemas['JoinLookOutput'];
export type Door = Schemas['DoorOutput'];
export type MailedLook = Schemas['MailedLookOutput'];
export type OwnEmail = Schemas['EmailOutput'];
export type Message = Schemas['Message'];
export type Comment = Schemas['CommentOutput'];
export type AuditEntry = Schemas['AuditOutput'];
export type AuditKind = NonNullable<
  NonNullable<operations['audit_list']['parameters']['query']>['kind']
>;
export type Webhook = Schemas['WebhookOutput'];
export type CreatedWebhook = Schemas['WebhookCreated'];
export type MailedEvents = Schemas['MailedEvents'];
export type WebhookEvent = NonNullable<Schemas['WebhookInputRequest']['events']>[number];
export type Delivery = Schemas['DeliveryOutput'];
export type OwnSession = Schemas['OwnSession'];
export type RunDetail = Schemas['RunDetailOutput'];
export type RunCauses = Schemas['RunCausesOutput'];
export type Outlook = Schemas['OutlookOutput'];
export type OutlookDetail = Schemas['OutlookDetail'];
export type StudyPrices = Schemas['StudyPrices'];
export type StudyOutlook = Schemas['StudyOutlook'];
export type Actuals = Schemas['ActualsOutput'];
export type ActualsInput = Schemas['ActualsInputRequest'];
export type ActualRow = Schemas['ActualRow'];
export type ActualComparison = Schemas['ActualComparison'];
export type Approval = Schemas['ApprovalOutput'];
export type Share = Schemas['ShareOutput'];
export type CreatedShare = Schemas['ShareCreated'];
export type Shared = Schemas['SharedOutput'];
export type PasswordState = Schemas['PasswordOutput'];
export type Token = Schemas['TokenOutput'];
export type Used = Schemas['UsageOutput'];
export type CreatedToken = Schemas['TokenCreatedOutput'];
export type CatalogueEntry = Schemas['CatalogueEntry'];
export type CatalogueValue = Schemas['CatalogueValue'];
export type CatalogueKind = Schemas['CatalogueKind'];
export type CatalogueSnapshot = Schemas['CatalogueSnapshot'];
export type StudiesStanding = Schemas['Standing'];
export type Pack = Schemas['Pack'];
export type PackDetail = Schemas['PackDetail'];
export type PackField = Schemas['PackField'];
export type PackInput = Schemas['PackInputRequest'];
export type StudyPack = Schemas['StudyPack'];
export type StudyPackNumber = Schemas['StudyPackField'];
export type Scope = Schemas['ScopesEnum'];
export type JobState = Schemas['StateEnum'];

export interface Origin {
  quality: string;
  source?: string | null;
  url?: string | null;
  as_of?: string | null;
  low?: number | null;
  high?: number | null;
  note?: string | null;
  entry?: string | null;
  /** The field of the entry, where it has another name there. */
  field?: string | null;
  /** How many of the entry's value it is. */
  times?: number | null;
  /** The run that it was taken from. */
  run?: string | null;
  /** The imported file that it was read from, and its rows there. */
  file?: string | null;
  rows?: string | null;
}

export type RegionPrices = Schemas['RegionPrices'];

/** Where the numbers of a document come from, by JSON pointer. */
export type Provenance = Record<string, Origin | undefined>;

export interface RangeEntry {
  pointer: string;
  low: number;
  high: number;
  /** The unknown that it is sampled with, where that is not by rule. */
  quantity?: string | null;
}

export interface Design extends Omit<Schemas['DesignOutput'], 'spec' | 'provenance'> {
  spec: JsonObject;
  provenance: Provenance;
}

type StudyDocuments =
  | 'workload'
  | 'workload_provenance'
  | 'assumptions'
  | 'assumptions_provenance'
  | 'baseline'
  | 'baseline_provenance'
  | 'ranges'
  | 'designs';

export interface Study extends Omit<Schemas['StudyOutput'], StudyDocuments> {
  workload: JsonObject;
  workload_provenance: Provenance;
  assumptions: JsonObject;
  assumptions_provenance: Provenance;
  baseline: JsonObject | null;
  baseline_provenance: Provenance;
  ranges: RangeEntry[];
  designs: Design[];
}

/** An input that may turn out otherwise, with odds. */
export interface ChoiceEntry {
  pointer: string;
  title?: string | null;
  others: readonly { value: Json; odds_fraction: number; along?: Json }[];
}

/** The study as the plan takes it. */
export interface StudyDocument extends JsonObject {
  designs: JsonObject[];
  workload: JsonObject;
  assumptions: JsonObject;
}

/** What every kind of background work says of itself. */
export type Job = Pick<
  Run,
  | 'id'
  | 'state'
  | 'progress_fraction'
  | 'progress_message'
  | 'seconds_left'
  | 'error'
  | 'submitted_at'
  | 'ended_at'
>;

export interface Page<T> {
  results: T[];
  next_cursor: string | null;
  previous_cursor: string | null;
}
