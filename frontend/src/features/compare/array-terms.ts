import type { DesignResult } from '../../lib/comparison';
import { term, type Behind } from './behind';

type Arrays = NonNullable<DesignResult['array']>;

/** How many arrays there are, or clusters and their nodes. */
function sizeOf({ arrays_count: count, nodes_count: nodes }: Arrays) {
  if (!nodes) return term('Arrays', count, 'count');
  return [...term('Clusters', count, 'count'), ...term('Nodes', nodes, 'nodes')];
}

/** What stands behind a row of the arrays of a design. */
export function behindArray(design: DesignResult, id: string): Behind {
  const { letter, array, rented_storage: rented, owned_storage_tb: owned } = design;
  if (id.endsWith('_per_tb_year')) return { terms: [] };
  if (!array) {
    const held = [
      ...(owned === null ? [] : term('Drives of own nodes, copies and headroom off', owned, 'TB')),
      ...(rented ? term('Rented space, last month', rented.usable_tb, 'TB') : []),
    ];
    return { terms: held };
  }
  const place = (name: string) => `/designs/${letter}/array/${name}`;
  const size = [...sizeOf(array), ...term('Drives', array.drives_count, 'count')];
  const drive = [place('disks_count'), place('drive/capacity_gb')];
  if (id === 'array_mean_w') {
    const watts = Object.entries(array.watts).flatMap(([part, w]) => term(part, w, 'W'));
    return { terms: [...size, ...watts], inputs: [place('drive/active_w'), place('drive/idle_w')] };
  }
  if (/loss|failures|wear/.test(id)) {
    const inputs = ['drive/afr_fraction', 'together_ratio', 'mttr_h', 'drive/endurance_tb'].map(
      place,
    );
    return {
      terms: [...size, ...term('Starts of a drive', array.starts_per_drive_year, '1/yr')],
      inputs,
    };
  }
  if (id === 'array_usable_tb' || id === 'array_nodes_count') {
    const grown = ['count', 'expansion/step_count', 'code/nodes_count'].map(place);
    return {
      terms: [...size, ...term('Raw', array.raw_tb, 'TB')],
      inputs: [...drive, ...grown],
      note: array.growth ?? undefined,
    };
  }
  return {
    terms: [
      ...size,
      ...term('Requests', array.requests_per_s, '1/s'),
      ...term('Busy drives', array.drives_busy_count, 'count'),
    ],
    inputs: [place('disks_count'), place('stripe_unit_bytes')],
  };
}

/** What a tier holds, what moves through it, and its arrays; its place is the row's number. */
export function behindTier(
  { letter, tiers = [] }: DesignResult,
  id: string,
  label: string,
): Behind {
  const tier = tiers.find(({ name }) => label.startsWith(`${name}: `));
  if (!tier) return { terms: [] };
  const place = tiers.indexOf(tier);
  const at = `/designs/${letter}/tiering`;
  const terms = [
    ...term('Data of its ages', tier.data_tb, 'TB'),
    ...term('Moved in', tier.moved_in_tb_per_year, 'TB/yr'),
    ...term('Moved out', tier.moved_out_tb_per_year, 'TB/yr'),
    ...term('Requests', tier.array.requests_per_s, '1/s'),
    ...sizeOf(tier.array),
  ];
  const ages = place > 0 ? [`${at}/colder/${place - 1}/from_days`] : [];
  const next = place < tiers.length - 1 ? [`${at}/colder/${place}/from_days`] : [];
  const priced = id.endsWith('bought_usd') && place > 0;
  const price = priced ? [`${at}/colder/${place - 1}/array/drive_price_usd`] : [];
  return {
    terms,
    inputs: [...ages, ...next, `${at}/replaced_fraction_per_year`, ...price],
  };
}
