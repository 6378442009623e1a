import { newerSnapshot } from './snapshots';

describe('the newer snapshot', () => {
  it('is offered where it is loaded', () => {
    const snapshot = (id: string, as_of: string) => ({
      ...{ id, as_of, digest: id, entries_count: 1, kinds: {} },
      loaded_at: '2026-11-20T10:00:00Z',
    });
    const known = [snapshot('2026-11-01-b', '2026-11-01'), snapshot('2026-07-01-a', '2026-07-01')];
    expect(newerSnapshot('2026-07-01-a', known)?.id).toBe('2026-11-01-b');
    expect(newerSnapshot('2026-11-01-b', known)).toBeUndefined();
    expect(newerSnapshot('2008-06-22', known)?.id).toBe('2026-11-01-b');
    expect(newerSnapshot('2026-11-20', known)).toBeUndefined();
    expect(newerSnapshot('', known)?.id).toBe('2026-11-01-b');
    expect(newerSnapshot('', [])).toBeUndefined();
  });
});
