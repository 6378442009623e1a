import type { Verdict } from './comparison';
import type { JsonObject } from './pointer';
import type { Fault } from './problem';

export interface Session {
  user: { id: string; email: string };
  workspace: { id: string; name: string };
  events_url: string;
}

export interface Origin {
  quality: string;
  source?: string | null;
  url?: string | null;
  as_of?: string | null;
  low?: number | null;
  high?: number | null;
  note?: string | null;
  entry?: string | null;
}

/** Where the numbers of a document come from, by JSON pointer. */
export type Provenance = Record<string, Origin | undefined>;

export interface Design {
  id: string;
  study: string;
  letter: string;
  title: string;
  kind: string;
  spec: JsonObject;
  provenance: Provenance;
  revision: number;
  faults?: Fault[];
}

export interface DesignHead {
  id: string;
  letter: string;
  title: string;
  kind: string;
}

export interface StudyCard {
  id: string;
  slug: string;
  title: string;
  question?: string;
  is_example: boolean;
  revision: number;
  verdict: Verdict | null;
  winner?: string;
  cost_usd?: number | null;
  faults_count?: number;
  updated_at: string;
  designs: DesignHead[];
}

export interface RangeEntry {
  pointer: string;
  low: number;
  high: number;
}

export interface Study extends Omit<StudyCard, 'designs'> {
  question: string;
  workload: JsonObject;
  workload_provenance: Provenance;
  assumptions: JsonObject;
  assumptions_provenance: Provenance;
  baseline: JsonObject | null;
  ranges: RangeEntry[];
  draws_count: number;
  seed: number;
  snapshot: string | null;
  created_at: string;
  designs: Design[];
  faults?: Fault[];
}

export interface StudyDocument extends JsonObject {
  designs: JsonObject[];
  workload: JsonObject;
  assumptions: JsonObject;
}

export interface DesignVersion {
  id: string;
  name: string;
  created_at: string;
}

export interface DocumentDifference {
  pointer: string;
  change: 'added' | 'removed' | 'changed';
  before: unknown;
  after: unknown;
}

export type JobState = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled';

export interface Job {
  id: string;
  state: JobState;
  progress_fraction: number;
  progress_message: string;
  seconds_left: number | null;
  error: string | { detail?: string } | null;
  submitted_at: string;
  ended_at: string | null;
}

export interface Page<T> {
  results: T[];
  next_cursor: string | null;
  previous_cursor: string | null;
}
