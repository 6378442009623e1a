import type { components } from '../../api-types/schema';
import { isObject, type JsonObject } from '../../lib/pointer';

export { changes, fitsAddress } from '../../lib/changes';

export const TOOLS = [
  { slug: 'nodes', title: 'Node map', question: 'Which node type serves a data set most cheaply?' },
  { slug: 'scaling', title: 'Scaling', question: 'What does a batch job gain from a larger cluster?' },
  { slug: 'consolidation', title: 'Consolidation', question: 'How few servers run these applications?' },
  { slug: 'replay', title: 'Replay a day', question: 'How many hosts does a measured day need?' },
  { slug: 'memory', title: 'Memory', question: 'What does idle memory cost, and what does a module draw?' },
  { slug: 'arrays', title: 'Disk arrays', question: 'Which array answers fast enough, for least energy and risk?' },
  { slug: 'codes', title: 'Erasure-coded storage', question: 'What does a cluster with an erasure code cost, and how safe is it?' },
  { slug: 'rebuilds', title: 'Rebuilds', question: 'How slow is a coded cluster while a lost node is rebuilt?' },
  { slug: 'advice', title: 'Workload advice', question: 'Do many slow nodes suit this work?' },
  { slug: 'forecast', title: 'Forecast', question: 'How fast does the work grow?' },
  { slug: 'purchases', title: 'Purchases', question: 'What should be ordered, committed to and rented, and when?' },
  { slug: 'sweep', title: 'Sweep', question: 'Where in the space of inputs is which design cheapest, and by how much?' },
  { slug: 'serving', title: 'AI serving', question: 'Which accelerators serve a language model in time: owned, rented or by API?' },
  { slug: 'serving-day', title: 'AI serving, a day', question: 'Do so many replicas keep the limits on a day as it was logged?' },
] as const satisfies readonly { slug: components['schemas']['ToolEnum']; title: string; question: string }[]; // prettier-ignore

/** A tool, as its address names it; disk arrays have a page of their own. */
export type Tool = Exclude<(typeof TOOLS)[number]['slug'], 'arrays'>;

/** What the address of a tool says: the study that it works for, and what was changed in it. */
export interface ToolSearch {
  study?: string;
  /** What was changed in the tool, as it stands after the defaults. */
  s?: JsonObject;
  /** What a series among its inputs is of: a bill's months, as `import:` and its id. */
  of?: string;
}

export const isTool = (name: unknown): name is Tool =>
  name !== 'arrays' && TOOLS.some(({ slug }) => slug === name);

export function toolSearch(search: Record<string, unknown>): ToolSearch {
  return {
    study: typeof search.study === 'string' && search.study ? search.study : undefined,
    s: isObject(search.s) && Object.keys(search.s).length > 0 ? search.s : undefined,
    ...(typeof search.of === 'string' && search.of && { of: search.of }),
  };
}

// What tools were of a paper's model, by name or by the part of a tool: under *Method* today.
const FORMER_MODELS: Record<string, string> = {
  trends: 'performance.device_trends',
  'memory/policies': 'memory.power_policies_instant',
  'memory/simulated': 'memory.power_policies',
};

/** The model whose page an address of a tool meant, where a paper alone has a use for it. */
export function formerModel(tool: string, { s }: ToolSearch): string | undefined {
  return FORMER_MODELS[tool] ?? FORMER_MODELS[`${tool}/${String(s?.part)}`];
}

// The views that a study's page of explorations had, where their names have changed.
const FORMER: Record<string, Tool> = { board: 'consolidation' };

/** The tool that an address of a study's explorations meant; null for what Compare shows. */
export function formerTool(view: unknown): Tool | null {
  if (view === 'risk') return null;
  const tool = typeof view === 'string' ? (FORMER[view] ?? view) : 'nodes';
  return isTool(tool) ? tool : 'nodes';
}
