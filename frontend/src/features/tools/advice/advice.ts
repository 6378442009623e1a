import { quantity } from '../../../lib/format';
import type { JsonObject } from '../../../lib/pointer';
import type { Tool } from '../search';

export const ADVICE_MODEL = 'performance.workload_taxonomy';

export type Verdict = 'wimpy_win' | 'depends' | 'wimpy_lose';

type Rule =
  'serial_latency' | 'memory_per_node' | 'few_tasks' | 'io_bound' | 'cache_flip' | 'fixed_power';

export interface Reason {
  rule: Rule;
  verdict: Verdict;
  sentence: string;
  source: string;
}

export interface Advice {
  verdict: Verdict;
  headline: string;
  reasons: Reason[];
  next_model: string;
  slow_request_ms: number;
  slot_use_fraction: number;
}

export interface AdviceState {
  bound_by: string;
  serial_ms: number;
  /** Nothing: a request may take as long as it takes. */
  latency_bound_ms: number | null;
  working_set_per_task_gb: number;
  parallel_tasks_count: number;
  utilization_fraction: number;
  slow_core_speed_ratio: number;
  slow_node_memory_gb: number;
  slow_slots_count: number;
  fixed_power_fraction: number;
}

export const ADVICE_START: AdviceState = {
  bound_by: 'seeks',
  serial_ms: 5,
  latency_bound_ms: null,
  working_set_per_task_gb: 0.5,
  parallel_tasks_count: 1000,
  utilization_fraction: 0.3,
  slow_core_speed_ratio: 0.2,
  slow_node_memory_gb: 4,
  slow_slots_count: 768,
  fixed_power_fraction: 0.5,
};

export const BOUNDS = [
  { value: 'seeks', label: 'Seeks of disks' },
  { value: 'scans', label: 'Scans of disks' },
  { value: 'network', label: 'The network' },
  { value: 'memory_bandwidth', label: 'Memory' },
  { value: 'cpu', label: 'The processor' },
] as const;

export const VERDICT_WORDS: Record<Verdict, string> = {
  wimpy_win: 'for slow nodes',
  depends: 'it depends',
  wimpy_lose: 'against slow nodes',
};

export const adviceParams = (state: AdviceState): JsonObject => ({ ...state });

/** The verdict and the rule that decides it. */
export function adviceSentence(advice: Advice): string {
  const decides = advice.reasons.find((reason) => reason.verdict === advice.verdict);
  return `**${advice.headline}** ${decides?.sentence ?? ''}`.trim();
}

/** Where to look next: a view of this page, or a model. */
export const NEXT: Record<string, { tool?: Tool; text: string }> = {
  'performance.kv_node_choice': { tool: 'nodes', text: 'Choose node types on the map' },
  'performance.device_trends': { tool: 'trends', text: 'See where caches turn the answer' },
  'performance.queueing': { text: 'See the model of response times' },
  'performance.size_for_work': { text: 'See the model that sizes nodes for work' },
};

export interface Limit {
  rule: Rule;
  loses: string;
  here: string;
  limit: string;
  broken: boolean;
}

/** When slow nodes lose, with the value here and the one that turns it. */
export function limits(advice: Advice, state: AdviceState): Limit[] {
  const broken = (rule: Rule) => advice.reasons.some((reason) => reason.rule === rule);
  const rows: Omit<Limit, 'broken'>[] = [
    {
      rule: 'serial_latency',
      loses: 'A request’s undivided part takes longer on a slow core than is allowed',
      here: quantity(advice.slow_request_ms, 'ms'),
      limit:
        state.latency_bound_ms === null ? 'no limit set' : quantity(state.latency_bound_ms, 'ms'),
    },
    {
      rule: 'memory_per_node',
      loses: 'A task needs more memory at once than a slow node has',
      here: quantity(state.working_set_per_task_gb, 'GB'),
      limit: quantity(state.slow_node_memory_gb, 'GB'),
    },
    {
      rule: 'few_tasks',
      loses: 'There are fewer tasks than places for them',
      here: `${state.parallel_tasks_count.toLocaleString('en-GB')} tasks`,
      limit: `${state.slow_slots_count.toLocaleString('en-GB')} places`,
    },
  ];
  return rows.map((row) => ({ ...row, broken: broken(row.rule) }));
}
