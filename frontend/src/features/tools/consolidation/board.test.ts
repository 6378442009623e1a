import { expect, test } from 'vitest';
import { BOARD_START, boardFaults, planParams, RESOURCES, type BoardState } from './board';
import type { JsonObject } from '../../../lib/pointer';
import { atLoad } from './board-more';
import type { Row } from '../frame/table';

test('apart may mean racks or power lines, and waking has its price', () => {
  const state = { ...BOARD_START, apart: 'power_line', power_lines: 3, wake_kj: 5 } as const;
  const params = planParams(state);
  expect(params).toMatchObject({ power_lines_count: 3, servers_per_rack_count: 4 });
  expect(params?.applications).toMatchObject([{ apart: 'power_line' }, ...Array(13).fill({})]);
  expect(params?.servers).toMatchObject([{ wake_j: 5000 }]);
});

const SERVICE: JsonObject = {
  name: 'shop',
  load_ratio: 2,
  tiers: [{ id: 'web 1' }, { id: 'shop', fixed_fraction: 0.5 }],
};

test('services, tolerance, slowing, allowed kinds and moving reach the model', () => {
  const [first, ...others] = BOARD_START.applications;
  const state: BoardState = {
    ...BOARD_START,
    applications: [{ ...first, allowed: 'server' } as Row, ...others],
    more: {
      services: [SERVICE],
      tolerance_ratio: 0.2,
      migration: { link_gbit_per_s: 10 },
      slowing: { disk: { degradation_ratio: 0.89 } },
    },
  };
  expect(boardFaults(state)).toEqual([]);
  const params = planParams(state);
  expect(params).toMatchObject({
    services: [SERVICE],
    tolerance_ratio: 0.2,
    migration: { link_gbit_per_s: 10 },
  });
  expect(params).not.toHaveProperty('slowing');
  expect(params?.applications).toMatchObject([{ allowed: ['server'] }, ...Array(13).fill({})]);
  expect(params?.servers).toMatchObject([{ curves: [{}, { degradation_ratio: 0.89 }, {}, {}] }]);
});

test('blocks stand at the load that is planned for, half of a fixed tier with it', () => {
  const at = atLoad(BOARD_START.applications, RESOURCES, { services: [SERVICE] });
  expect(at.map((row) => row.cpu).slice(0, 3)).toEqual([44, 22, 45]);
  expect(at[1]).toBe(BOARD_START.applications[1]);
});

test('a tier or a kind that is not there is named', () => {
  const [first, ...others] = BOARD_START.applications;
  const state: BoardState = {
    ...BOARD_START,
    applications: [{ ...first, allowed: 'blade' } as Row, ...others],
    more: { services: [{ ...SERVICE, tiers: [{ id: 'web 9' }] }] },
  };
  expect(boardFaults(state)).toEqual([
    'Service shop: no application is called “web 9”.',
    'web 1 may run on “blade”, but no server is of this kind.',
  ]);
});
