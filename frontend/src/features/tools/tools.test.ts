// @vitest-environment jsdom
import { middleOf, nodeMap, regions } from './nodes/node-map-figure';
import type { NodeMap } from './nodes/nodes';
import { changes, fitsAddress, formerTool, toolSearch } from './search';

describe('the address', () => {
  test('keeps only what differs from the defaults', () => {
    expect(changes({ a: 1, b: [1, 2] }, { a: 1, b: [1] })).toEqual({ b: [1, 2] });
    expect(changes({ a: 1 }, { a: 1 })).toBeUndefined();
    expect(fitsAddress({ text: 'x'.repeat(2000) })).toBe(false);
  });

  test('says the study and what was changed, and no more', () => {
    expect(toolSearch({ study: 'a', s: { policy: 'exact' }, x: 1 })).toEqual({
      study: 'a',
      s: { policy: 'exact' },
    });
    expect(toolSearch({ study: 3, s: 3 })).toEqual({ study: undefined, s: undefined });
  });

  test('of the page that tools had in a study leads to the tool of today', () => {
    expect(formerTool('board')).toBe('consolidation');
    expect(formerTool('memory')).toBe('memory');
    expect(formerTool(undefined)).toBe('nodes');
    expect(formerTool('arrays')).toBe('nodes');
    expect(formerTool('risk')).toBeNull();
  });
});

const cell = { nodes_count: 2, cost_usd: 300, cost_usd_per_year: 100, reason: 'rate' as const };
const capacity = { power_w: 4695, reason: 'capacity' as const };
const PLACE = { dataset_tb: 10, query_rate_per_s: 1e6, copies_count: 1 };
const MAP: NodeMap = {
  headline: '',
  notes: [],
  tables: [],
  figures: [],
  winner: 'small',
  ranking: [
    {
      ...{ name: 'small', nodes_count: 313, whole_nodes_count: 313, ...capacity },
      ...{ cost_usd: 168_838, cost_usd_per_year: 56_279 },
    },
    {
      ...{ name: 'large', nodes_count: 63, whole_nodes_count: 63, ...capacity },
      ...{ cost_usd: 540_424, cost_usd_per_year: 180_141 },
    },
  ],
  map_names: ['small', 'large', 'never'],
  map_datasets_tb: [1, 10],
  map_query_rates_per_s: [1e5, 1e6, 1e7],
  map_winners: [
    [0, 1, 1],
    [0, 0, 1],
  ],
  map_cells: [
    [cell, cell, cell],
    [cell, cell, cell],
  ],
  boundaries: [{ query_rate_per_s_per_gb: 1000, below: 'small', above: 'large' }],
};

describe('the map of node types', () => {
  test('colours only what wins, from few queries to many', () => {
    expect(regions(MAP, 'light').map(({ name, cells }) => [name, cells])).toEqual([
      ['small', 3],
      ['large', 3],
    ]);
    expect(middleOf(MAP.map_winners, 2)).toBeNull();
    expect(middleOf(MAP.map_winners, 1)?.[0]).toBeGreaterThan(0);
  });

  test('has every cell in its table, and a line of equal queries per GB', () => {
    const figure = nodeMap(MAP, { theme: 'light', narrow: false, place: PLACE });
    expect(figure.table.rows).toHaveLength(6);
    expect(figure.table.rows[0]).toEqual([1, 1e5, 'small', 2, 100, 'rate']);
    const [, line] = figure.data;
    // 1,000 queries/s per GB: a million a second at 1 TB.
    const [x, y] = [line?.x as number[], line?.y as number[]];
    expect((x[0] ?? 0) - (y[0] ?? 0)).toBeCloseTo(6);
  });
});
