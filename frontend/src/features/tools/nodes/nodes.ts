import { significant } from '../../../lib/format';
import type { JsonObject } from '../../../lib/pointer';
import type { Science } from '../../../lib/science';

export type NodeMap = Science['performance.kv_node_choice.Result'];
export type NodeRank = NodeMap['ranking'][number];

/** A place on the map. */
export interface Place {
  dataset_tb: number;
  query_rate_per_s: number;
  copies_count: number;
}

const GB_PER_TB = 1000;

const numberIn = (params: JsonObject, key: string) => {
  const value = params[key];
  return typeof value === 'number' ? value : 0;
};

export function placeOf(params: JsonObject): Place {
  return {
    dataset_tb: numberIn(params, 'dataset_gb') / GB_PER_TB,
    query_rate_per_s: numberIn(params, 'query_rate_per_s'),
    copies_count: numberIn(params, 'copies_count'),
  };
}

/** The model's inputs at another place. */
export function withPlaceOf(params: JsonObject, place: Partial<Place>): JsonObject {
  const { dataset_tb, ...others } = place;
  return {
    ...params,
    ...others,
    ...(dataset_tb === undefined ? {} : { dataset_gb: dataset_tb * GB_PER_TB }),
  };
}

/** A rate as a planner says it: 1.00 M queries/s. */
export function rate(perS: number): string {
  const scales = [
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const;
  const [divide, letter] = scales.find(([from]) => perS >= from) ?? [1, ''];
  const shown = perS / divide;
  const text = Number.isInteger(shown) ? String(shown) : significant(shown);
  return `${text}${letter ? `\u00a0${letter}` : ''} queries/s`;
}
