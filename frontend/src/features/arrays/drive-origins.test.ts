import cases from '../../../../worker/capmodels/tests/storage/drive_cases.json';
import { driveOf } from '../../lib/drives';
import type { CatalogueEntry } from '../../lib/types';
import { originsOf } from './drive-origins';

function entryOf(title: string): CatalogueEntry {
  const figures = cases.find((one) => one.title === title)?.values ?? {};
  const values = Object.entries(figures).map(([field, value]) => [
    field,
    { value, unit: '', quality: 'published', source: 'Sheet', low: 1, high: 2 },
  ]);
  return {
    slug: title,
    kind: 'drive',
    title,
    values: Object.fromEntries(values),
  } as CatalogueEntry;
}

function drive(entry: CatalogueEntry) {
  const made = driveOf(entry).drive;
  if (!made) throw new Error(entry.title);
  return made;
}

describe('where the figures of a drive come from', () => {
  it('tells of every figure that an entry gives, and how where it is worked out', () => {
    const entry = entryOf('flash with a buffer');
    const origins = originsOf(entry, drive(entry));
    expect(origins['/idle_w']).toMatchObject({ source: 'Sheet', low: 1, high: 2 });
    expect(origins['/channels_count']).toMatchObject({
      note: 'random reads a second times the latency of one',
      low: null,
    });
    expect(origins).not.toHaveProperty('/afr_fraction');
  });

  it('tells of seeks and low states, and of what is taken from another figure', () => {
    const whole = originsOf(entryOf('disk'), drive(entryOf('disk')));
    expect(whole['/standby/up_j']).toMatchObject({ entry: 'disk' });
    expect(whole['/seek/min_ms']).toMatchObject({ low: 1 });
    const bare = entryOf('disk of unknown seeks');
    expect(originsOf(bare, drive(bare))['/seek/max_ms']).toMatchObject({
      note: 'twice the mean seek',
    });
  });

  it('says nothing of a figure that was changed', () => {
    const entry = entryOf('disk');
    const origins = originsOf(entry, { ...drive(entry), idle_w: 1 });
    expect(origins).not.toHaveProperty('/idle_w');
    expect(origins).toHaveProperty('/speed_rpm');
  });
});
