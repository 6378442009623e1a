import { expect, test } from 'vitest';
import { BOARD_START, planParams } from './board';

test('apart may mean racks or power lines, and waking has its price', () => {
  const state = { ...BOARD_START, apart: 'power_line', power_lines: 3, wake_kj: 5 } as const;
  const params = planParams(state);
  expect(params).toMatchObject({ power_lines_count: 3, servers_per_rack_count: 4 });
  expect(params?.applications).toMatchObject([{ apart: 'power_line' }, ...Array(13).fill({})]);
  expect(params?.servers).toMatchObject([{ wake_j: 5000 }]);
});
