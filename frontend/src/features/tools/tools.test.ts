// @vitest-environment jsdom
import {
  boardFaults,
  BOARD_START,
  boardSentence,
  placesOf,
  planParams,
  stacks,
  today,
} from './consolidation/board';
import type { PlanAnswer } from './consolidation/board';
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

const cell = { nodes_count: 2, cost_usd: 300, reason: 'rate' as const };
const PLACE = { dataset_tb: 10, query_rate_per_s: 1e6, copies_count: 1, lifetime_years: 3 };
const MAP: NodeMap = {
  headline: '',
  notes: [],
  tables: [],
  figures: [],
  winner: 'small',
  ranking: [
    { name: 'small', nodes_count: 313, cost_usd: 168_838, power_w: 4695, reason: 'capacity' },
    { name: 'large', nodes_count: 63, cost_usd: 540_424, power_w: 13_860, reason: 'capacity' },
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

const PLAN: PlanAnswer = {
  status: 'ok',
  reason: null,
  solver: 'search',
  placement: BOARD_START.applications.map((row) => ({ id: String(row.id), server_count: 0 })),
  servers: [],
  servers_on_count: 3,
  power_w: 700,
  effective_power_w: 700,
  bound_w: 700,
  gap_fraction: 0,
  binding: 'memory',
  moves: [],
  overhead_j: 0,
  saving_w: 1000,
  net_saving_j: 1,
  moving_pays: true,
  shortest_sleep_s: 60,
};

describe('the board', () => {
  test('asks for shares of a server, and where things run today', () => {
    const params = planParams(BOARD_START);
    expect(params).toMatchObject({ solver: 'search', hold_s: 86_400, box_fraction: null });
    expect(params?.current_server_count).toEqual([0, 1, 0, 2, 3, 4, 4, 5, 5, 6, 6, 7, 7, 1]);
    const [first] = params?.applications as { demand_fraction: number[]; apart_from: string[] }[];
    expect(first).toMatchObject({
      demand_fraction: [0.22, 0.04, 0.14, 0.18],
      apart_from: ['web 2'],
    });
  });

  test('says which cell is missing, and has no before without the servers of today', () => {
    const rows = BOARD_START.applications.map((row) => ({ ...row, cpu: null, server: null }));
    expect(boardFaults({ ...BOARD_START, applications: rows })[0]).toBe(
      'Application 1: enter its cpu.',
    );
    expect(today(rows, BOARD_START.servers)).toBeNull();
  });

  test('stacks every application on its server, the empty servers too', () => {
    const after = stacks(
      BOARD_START.applications,
      BOARD_START.servers,
      placesOf(PLAN, BOARD_START.applications),
    );
    expect(after).toHaveLength(8);
    expect(after[0]?.blocks).toHaveLength(14);
    expect(after[1]?.blocks).toHaveLength(0);
  });

  test('speaks in servers, kilowatt hours and dollars', () => {
    const sentence = boardSentence(PLAN, 8, { usd_per_kwh: 0.1, pue: 1.5, carbon: null });
    expect(sentence).toContain('**These 8 servers fit on 3**');
    expect(sentence).toContain('13.1\u00a0MWh and $1.31\u00a0k a year');
    expect(
      boardSentence({ ...PLAN, status: 'infeasible', reason: 'Too few.' }, 8, {
        usd_per_kwh: null,
        pue: null,
        carbon: null,
      }),
    ).toBe('**No plan.** Too few.');
  });
});
