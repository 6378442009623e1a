import cases from '../../../worker/capmodels/tests/storage/drive_cases.json';
import { driveOf } from './drives';
import type { CatalogueEntry } from './types';

function entryOf(title: string, figures: object): CatalogueEntry {
  const values = Object.entries(figures).map(([field, value]) => [field, { value, unit: '' }]);
  return {
    slug: title,
    kind: 'drive',
    title,
    values: Object.fromEntries(values),
  } as CatalogueEntry;
}

/** Numbers to nine places, so that two languages may round the last one differently. */
function near(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(9));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, near(one)]));
}

describe('the drive of a catalogue entry', () => {
  it.each(cases)('is what the models make of it: $title', ({ title, values, drive }) => {
    const made = driveOf(entryOf(title, values)).drive;
    expect(near(made)).toMatchObject(near(drive) as object);
  });
});
