import type { JsonObject } from '../../../lib/pointer';
import type { Science } from '../../../lib/science';

export type NodeMap = Science['performance.kv_node_choice.Result'];

/** A place on the map. */
export interface Place {
  dataset_tb: number;
  query_rate_per_s: number;
}

const GB_PER_TB = 1000;

/** The model's inputs at another place. */
export const withPlaceOf = (params: JsonObject, place: Place): JsonObject => ({
  ...params,
  query_rate_per_s: place.query_rate_per_s,
  dataset_gb: place.dataset_tb * GB_PER_TB,
});
