import type { CatalogueEntry, Provenance } from '../../lib/types';
import { newerSnapshot } from '../../lib/snapshots';
import type { JsonObject } from '../../lib/pointer';
import { refilled } from './refill';

const value = (number: number, as_of: string) => ({
  value: number,
  unit: 'USD/h',
  quality: 'published' as const,
  source: 'Price list',
  url: null,
  as_of,
  low: number * 0.9,
  high: number * 1.1,
  note: '',
});
const entry: CatalogueEntry = {
  slug: 'm7a',
  kind: 'instance',
  title: 'm7a',
  is_own: false,
  drive: null,
  revision: 2,
  updated_at: '2026-11-20T10:00:00Z',
  values: {
    usd_per_h: value(0.5, '2026-11-01'),
    vcpu_count: { ...value(4, '2023-11-01'), unit: 'vCPU' },
  },
};
const entries = new Map([['m7a', entry]]);
const from = (slug: string) => ({ quality: 'published', source: 'Price list', entry: slug });
const rented = { usd_per_h: 0.3, vcpu_count: 2 };
const document: JsonObject = {
  instances: [{ usd_per_h: 0.4, vcpu_count: 4, price_as_of: '2026-07-01' }, rented],
};

describe('taking today’s prices', () => {
  it('changes what was taken from the catalogue, its date and its origin', () => {
    const provenance: Provenance = {
      '/instances/0/usd_per_h': from('m7a'),
      '/instances/0/vcpu_count': from('m7a'),
      '/instances/1/usd_per_h': { quality: 'typed', source: 'Typed in' },
    };
    const { value: after, lines, origins, lost } = refilled(document, provenance, entries);
    expect(after).toEqual({
      instances: [{ usd_per_h: 0.5, vcpu_count: 4, price_as_of: '2026-11-01' }, rented],
    });
    expect(lines).toEqual([{ pointer: '/instances/0/usd_per_h', before: 0.4, after: 0.5 }]);
    expect(origins['/instances/0/usd_per_h']).toMatchObject({ as_of: '2026-11-01', entry: 'm7a' });
    expect(origins['/instances/1/usd_per_h']).toEqual(provenance['/instances/1/usd_per_h']);
    expect(lost).toEqual([]);
  });

  it('names what the catalogue has no more, and leaves it as it is', () => {
    const gone = { '/instances/1/usd_per_h': from('old'), '/instances/1/ram_gib': from('m7a') };
    const after = refilled(document, gone, entries);
    expect(after.lost).toEqual(['/instances/1/usd_per_h', '/instances/1/ram_gib']);
    expect(after.value).toEqual(document);
  });

  it('is offered where a newer snapshot is loaded', () => {
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
