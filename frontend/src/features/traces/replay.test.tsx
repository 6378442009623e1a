import type { Trace } from '../../lib/traces';
import { replaySearch } from './replay';

const trace = (summary: object) =>
  ({ id: 't-1', sha256: 'a', summary, kind: 'utilization' }) as unknown as Trace;
const start = {
  hosts: [{ name: 'one', hosts_count: 16 }],
  generated: { machines_count: 240 },
  policies: [{ overload: 'dvfs' }, { overload: 'thr' }],
};

describe('a trace in the replay of a day', () => {
  it('takes the place of made-up load, on hosts in the proportion that the model begins with', () => {
    const moving = replaySearch(trace({ machines_count: 1000 }), start, 'moving');
    expect(moving).toEqual({
      trace: { kind: 'uploaded', trace_id: 't-1', sha256: 'a' },
      generated: null,
      hosts: [{ name: 'one', hosts_count: 67 }],
    });
    const still = replaySearch(trace({ machines_count: 3 }), start, 'still');
    expect(still.hosts).toEqual([{ name: 'one', hosts_count: 1 }]);
    expect(still.policies).toEqual([{ overload: 'dvfs' }]);
  });

  it('says which trace, where the model is not known yet or machines are not counted', () => {
    expect(replaySearch(trace({}), null, 'moving')).toMatchObject({ generated: null });
    expect(replaySearch(trace({}), start, 'moving').hosts).toEqual(start.hosts);
  });
});
