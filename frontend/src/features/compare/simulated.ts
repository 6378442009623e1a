import type { Comparison } from '../../lib/comparison';
import type { components } from '../../api-types/schema';
import type { JsonObject } from '../../lib/pointer';

/** One group of a design's drives, or a cluster, as a simulation takes it. */
export interface Simulated {
  letter: string;
  /** Of which design and tier, and in which state. */
  title: string;
  /** What the button says it simulates. */
  of: string;
  tool: components['schemas']['ToolEnum'];
  model: string;
  params: JsonObject;
}

/** Storage of designs that can be simulated with their own values, tier by tier. */
export function simulated({ designs }: Comparison): Simulated[] {
  return designs.flatMap(({ letter, title, array, tiers = [] }) => {
    const parts = tiers.length > 0 ? tiers : array ? [{ name: '', array }] : [];
    return parts.flatMap(({ name, array: part }) =>
      part.simulations.map(({ title: of, tool, model, params }) => ({
        letter,
        title: [of, title, name].filter(Boolean).join(', '),
        of: [letter, name, of.toLowerCase()].filter(Boolean).join(', '),
        tool,
        model,
        params: params as JsonObject,
      })),
    );
  });
}
