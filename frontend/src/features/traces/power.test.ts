// @vitest-environment jsdom
import type { Trace } from '../../lib/traces';
import type { Design } from '../../lib/types';
import { groupsOf, hasLoad, hasPower, powerOf, withPower } from './power';
import type { PowerAnswer } from './power';

const ANSWER = {
  curve: {
    kind: 'two_segments',
    power_idle_w: 54,
    power_max_w: 243,
    knee_utilization_fraction: 0.1,
    knee_range_fraction: 0.13,
  },
  power_idle: { value_w: 54, low_w: 52, high_w: 56 },
  power_max: { value_w: 243, low_w: 238, high_w: 250 },
  median_error_fraction: 0.012,
  root_mean_square_w: 3,
  kinds: [],
  bands: [{ utilization_fraction: 0.5, samples_count: 40, measured_w: 130, curve_w: 128 }],
  samples_count: 1440,
  warnings: ['The load never passes 60%: full power is extrapolated from there.'],
} as unknown as PowerAnswer;

const trace = (summary: object) =>
  ({
    id: 't',
    kind: 'utilization',
    title: 'rack 4',
    sha256: 'f',
    created_at: '2026-11-21T08:00:00Z',
    summary,
  }) as unknown as Trace;

const design = (spec: object) =>
  ({
    id: 'd',
    letter: 'B',
    spec,
    provenance: {
      '/node_groups/1/power/family': { quality: 'recalled' },
      '/staff_fte': { quality: 'typed' },
    },
  }) as unknown as Design;

test('a trace needs watts to be calibrated, and load beside them', () => {
  const readings = trace({ power_mean_w: 120, cpu_mean_fraction: null });
  expect([hasPower(readings), hasLoad(readings)]).toEqual([true, false]);
  expect(hasPower(trace({ power_mean_w: null, cpu_mean_fraction: 0.2 }))).toBe(false);
});

test('the curve goes to one node group, with its source and range', () => {
  const owned = design({ node_groups: [{ name: 'web' }, { name: 'db', power: { kind: 'fan' } }] });
  expect(groupsOf(owned).map(({ name }) => name)).toEqual(['web', 'db']);
  const { spec, provenance } = withPower(owned, '/node_groups/1', ANSWER, trace({}));
  expect(spec).toMatchObject({
    node_groups: [
      { name: 'web' },
      { name: 'db', power: { kind: 'two_segments', idle_w: 54, knee_load_fraction: 0.1 } },
    ],
  });
  expect(provenance['/node_groups/1/power/idle_w']).toMatchObject({
    quality: 'measured',
    source: 'rack 4, calibrated',
    as_of: '2026-11-21',
    low: 52,
    high: 56,
  });
  // What was said of the curve before goes with it; of anything else it stays.
  expect(Object.keys(provenance)).not.toContain('/node_groups/1/power/family');
  expect(Object.keys(provenance)).toContain('/staff_fte');
});

test('a cloud has no node groups, nor a hybrid of its own', () => {
  expect(groupsOf(design({ instances: [] }))).toEqual([]);
  expect(groupsOf(design({ owned_letter: 'A', rented_letter: 'C' }))).toEqual([]);
});

test('each kind of curve is what a design takes', () => {
  const ends = { power_idle_w: 1, power_max_w: 2 };
  expect(powerOf({ kind: 'linear', ...ends })).toEqual({ kind: 'linear', idle_w: 1, peak_w: 2 });
  expect(powerOf({ kind: 'fan', ...ends, exponent: 1.3 })).toMatchObject({ exponent: 1.3 });
  expect(
    powerOf({ kind: 'family', ...ends, family: 'zen4', reading: null, result: null }),
  ).toMatchObject({
    family: 'zen4',
  });
});
