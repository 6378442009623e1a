import { evaluate } from '../../../lib/answers';
import type { Science } from '../../../lib/science';
import type { CatalogueEntry } from '../../../lib/types';
import type { Row } from '../frame/table';

type Server = Science['performance.server_nodes.Server'];
type Asked = Science['performance.server_nodes.Params'];
export type Store = Asked['store'];
/** What the planner takes for servers whose entry does not say it; null leaves it empty. */
export type Assumed = Pick<Asked, 'core_rate_per_s' | 'core_price_usd' | 'store_tb'>;

export const NOTHING_ASSUMED: Assumed = {
  core_rate_per_s: null,
  core_price_usd: null,
  store_tb: null,
};

/** What an entry may say of a node. */
const FIGURES: readonly Exclude<keyof Server, 'name'>[] = [
  'cores_per_node_count',
  'ram_gib',
  'ssd_tb',
  'disk_tb',
  'disks_count',
  'peak_w',
  'unit_price_usd',
  'rate_per_s',
  'queries_per_s',
];

const numberOf = (value: unknown) => (typeof value === 'number' ? value : null);

/** The entries as node types; what neither they nor the planner say stays empty. */
export async function nodesOf(
  entries: readonly CatalogueEntry[],
  store: Store,
  assumed: Assumed,
): Promise<Row[]> {
  if (entries.length === 0) return [];
  const servers = entries.map(({ title, values }) => ({
    name: title,
    ...Object.fromEntries(FIGURES.map((field) => [field, numberOf(values[field]?.value)])),
  }));
  type Found = Science['performance.server_nodes.Result'];
  const params = { servers, store, ...assumed };
  const { result } = await evaluate<Found>('performance.server_nodes', params);
  return result.nodes as unknown as Row[];
}
