import type { Comparison, DesignResult } from '../../lib/comparison';
import { term, type Behind, type OfRow } from './behind';

function behindIo({ io, letter }: DesignResult): Behind {
  const place = (name: string) => `/designs/${letter}/node_groups/0/${name}`;
  return {
    terms: [
      ...term('All disks', io?.disks_mb_per_s, 'MB/s'),
      ...term('Network', io?.network_mb_per_s, 'MB/s'),
      ...term('Asked for at peak', io?.needed_mb_per_s, 'MB/s'),
    ],
    inputs: [
      place('drives/throughput_mb_per_s'),
      place('nic_gbit_per_s'),
      '/workload/block_throughput_mb_per_s',
    ],
  };
}

function behindEnvelope({ envelope, letter }: DesignResult): Behind {
  return {
    terms: (envelope?.years ?? []).flatMap(({ year, power_kw, rack_units_count }) => [
      ...term(`Year ${year}, power`, power_kw, 'kW'),
      ...term(`Year ${year}, rack units`, rack_units_count, 'count'),
    ]),
    inputs: ['power_kw', 'rack_units_count'].map((name) => `/designs/${letter}/envelope/${name}`),
    note: envelope?.sentence,
  };
}

function behindShowback({ showback }: DesignResult, { measure }: Comparison): Behind {
  return {
    terms: showback.flatMap((team) => [
      ...term(`${team.name}, computing`, team.compute_usd, 'USD'),
      ...term(`${team.name}, storage`, team.storage_usd, 'USD'),
    ]),
    inputs: ['/workload/teams/0/compute_fraction', '/workload/teams/0/storage_fraction'],
    note: `${measure}.`,
  };
}

/** What stands behind the rows of a design's place and of who bears its cost. */
export const OF_GROUP: Record<string, OfRow | undefined> = {
  io: behindIo,
  envelope: behindEnvelope,
  showback: behindShowback,
};
