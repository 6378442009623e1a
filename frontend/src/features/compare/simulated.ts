import type { Comparison } from '../../lib/comparison';
import type { JsonObject } from '../../lib/pointer';

/** A design's storage as a simulation takes it. */
export interface Simulated {
  letter: string;
  title: string;
  model: string;
  params: JsonObject;
}

/** Designs whose storage can be simulated with their own values. */
export function simulated(comparison: Comparison): Simulated[] {
  return comparison.designs.flatMap(({ letter, title, array }) =>
    array?.simulation
      ? [
          {
            letter,
            title,
            model: array.simulation.model,
            params: array.simulation.params as JsonObject,
          },
        ]
      : [],
  );
}
