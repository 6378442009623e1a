import type { Trace } from '../../lib/traces';
import { readState, writeState } from './address';
import { stateOfTrace } from './recorded';

describe('a trace put to arrays', () => {
  it('meets drives of today, and what a cache answers is simulated', () => {
    const trace = {
      id: 't',
      sha256: 'a',
      title: 'mail',
      rows_count: 2000,
      summary: { rate_per_s: 15.8 },
    } as unknown as Trace;
    const state = stateOfTrace(trace);
    expect(state.entries.map(({ letter, array }) => [letter, array.drive.name])).toEqual([
      ['A', 'Samsung PM1743 7.68 TB'],
      ['B', 'Seagate Exos X24 24 TB'],
    ]);
    expect(state.entries[1]?.array.cache).toMatchObject({ hit_fraction: null });
    expect(state.recorded).toMatchObject({ title: 'mail', requests_count: 2000, rate_per_s: 15.8 });
    expect(readState(writeState(state))).toEqual(state);
  });
});
