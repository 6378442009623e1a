import type { CatalogueEntry } from '../../lib/types';
import { originsOf } from './drive-origins';
import type { Drive } from './types';

const value = { value: 5, unit: '', quality: 'published', source: 'Sheet', low: 1, high: 2 };
const drive = { kind: 'hdd', idle_w: 5, seek: { max_ms: 16 } } as unknown as Drive;
const entry = {
  slug: 'disk',
  kind: 'drive',
  title: 'A disk',
  values: { idle_w: value, seek_ms: { ...value, value: 8 } },
  drive: {
    kind: 'hdd',
    drive,
    missing: [],
    origins: {
      '/idle_w': { field: 'idle_w', how: null },
      '/seek/max_ms': { field: 'seek_ms', how: 'twice the mean seek' },
    },
  },
} as unknown as CatalogueEntry;

describe('where the figures of a drive come from', () => {
  it('tells of every figure that an entry gives, and how where it is worked out', () => {
    expect(originsOf(entry, drive)).toMatchObject({
      '/idle_w': { source: 'Sheet', entry: 'disk', low: 1, high: 2 },
      '/seek/max_ms': { source: 'Sheet', note: 'twice the mean seek', low: null },
    });
  });

  it('says nothing of a figure that was changed, nor of a drive of another kind', () => {
    expect(originsOf(entry, { ...drive, idle_w: 1 })).not.toHaveProperty('/idle_w');
    expect(originsOf(entry, { ...drive, kind: 'ssd' } as Drive)).toEqual({});
  });
});
