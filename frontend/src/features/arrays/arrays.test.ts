import { arraysSearch, readState, writeState } from './address';
import { driveOf } from './catalogue';
import { at, cdf } from './figures/cdf';
import { responseCurve } from './figures/curve';
import { energyByCause, timeInState } from './figures/energy';
import { decades } from './figures/options';
import { powerOverTime } from './figures/power';
import { planArray } from './plan-spec';
import { ADDRESSES, ARRIVALS, entryOf, FIRST_STATE, freeLetter, LETTERS, PRESETS } from './presets';
import type { Answered, ArrayResult, Responses } from './result';
import { bestOf, tableRows } from './table-rows';
import type { ArraysState } from './types';
import { verdict } from './verdict';
import { fittingDisks } from './words';
import { arrivalRate, atRate } from './workload';

const OPTIONS = { theme: 'light' as const, narrow: false };
/** With plain spaces, as one types them. */
function said(text: string | null | undefined): string {
  return (text ?? '').replaceAll('\u00a0', ' ');
}

const SHARES = Array.from({ length: 200 }, (_, index) => (index + 0.5) / 200);

/** A run of an M/M/1 queue: responses are exponential, so every figure is known in advance. */
function exponential(letter: string, mean: number, watts: number): Answered {
  const quantile = (share: number) => -mean * Math.log(1 - share);
  const all: Responses = {
    requests: 'all',
    requests_count: 100_000,
    mean_ms: mean,
    sd_ms: mean,
    p50_ms: quantile(0.5),
    p90_ms: quantile(0.9),
    p95_ms: quantile(0.95),
    p99_ms: quantile(0.99),
    p999_ms: quantile(0.999),
    max_ms: quantile(1 - 1e-5),
  };
  const states = [
    { state: 'active' as const, time_fraction: 0.25, energy_j: watts * 250 },
    { state: 'standby' as const, time_fraction: 0.75, energy_j: watts * 750 },
  ];
  const result = {
    duration_s: 1000,
    requests_count: 100_000,
    power_w: watts,
    energy_j: watts * 1000,
    energy_kwh: watts / 3600,
    energy_per_1000_requests_j: watts * 10,
    responses: [all],
    mean_interval_low_ms: mean * 0.98,
    mean_interval_high_ms: mean * 1.02,
    cdf_response_ms: SHARES.map(quantile),
    cdf_fraction: SHARES,
    throughput_per_s: 100,
    throughput_mb_per_s: 0.8,
    mean_in_system_count: 1,
    saturated: false,
    saturated_reason: null,
    devices: [
      {
        name: 'disk 0',
        power_w: watts,
        utilization_fraction: 0.25,
        states,
        spin_ups_count: 10,
        reads_count: 100_000,
        writes_count: 0,
        written_tb: 0,
        max_queue_count: 3,
        years_to_rating_years: 2,
      },
    ],
    power_over_time: [0, 500].map((start) => ({
      start_s: start,
      end_s: start + 500,
      power_w: watts,
      active_w: watts / 4,
      seek_w: 0,
      idle_w: 0,
      low_power_idle_w: 0,
      standby_w: (3 * watts) / 4,
      transition_w: 0,
    })),
    energy_by_cause: states.map(({ state, energy_j }) => ({
      cause: state,
      energy_j,
      energy_fraction: energy_j / (watts * 1000),
    })),
    curve: [50, 100].map((rate) => ({
      load_fraction: rate / 200,
      offered_per_s: rate,
      throughput_per_s: rate,
      mean_ms: mean,
      p95_ms: mean * 3,
      p99_ms: mean * 4.6,
      power_w: watts,
      saturated: false,
    })),
    stopped_early: false,
    cache: null,
    warnings: [],
  } satisfies ArrayResult;
  return { letter, title: `Array ${letter}`, result };
}

function saturated(row: Answered): Answered {
  const none = {
    mean_ms: null,
    p50_ms: null,
    p95_ms: null,
    p99_ms: null,
    p999_ms: null,
    max_ms: null,
  };
  return {
    ...row,
    result: {
      ...row.result,
      saturated: true,
      saturated_reason: 'utilization',
      responses: row.result.responses.map((responses) => ({ ...responses, ...none })),
      cdf_response_ms: [],
      cdf_fraction: [],
    },
  };
}

const ROWS = [exponential('A', 5, 12), exponential('B', 20, 3)];

describe('the address', () => {
  it('holds the whole set of arrays', () => {
    const state: ArraysState = {
      ...FIRST_STATE,
      entries: PRESETS.map((preset, place) => entryOf(preset, LETTERS[place] ?? 'A')),
      workload: {
        ...FIRST_STATE.workload,
        arrivals: ARRIVALS.mmpp,
        addresses: ADDRESSES.regions,
        read_fraction: 0.7,
      },
      site: { ...FIRST_STATE.site, gco2e_per_kwh: null },
      stop_interval_fraction: 0.01,
      seed: 7,
    };
    expect(readState(writeState(state))).toEqual(state);
  });

  it('keeps what was changed of a drive', () => {
    const [first] = FIRST_STATE.entries;
    if (!first || first.array.drive.kind !== 'hdd') throw new Error('The first is a disk.');
    const drive = { ...first.array.drive, name: 'Größer', capacity_gb: 146, standby: null };
    const entries = [{ ...first, array: { ...first.array, drive } }];
    expect(readState(writeState({ ...FIRST_STATE, entries })).entries).toEqual(entries);
  });

  it('is short enough to be sent', () => {
    expect(writeState(FIRST_STATE).length).toBeLessThan(900);
  });

  it.each([
    '',
    'nonsense',
    '%%%',
    btoa('{"a":[{"l":"Z"}]}'),
    btoa('{"a":[{"l":"A","d":{"drive":3}}]}'),
  ])('opens the first arrays where it cannot be read: %s', (text) => {
    expect(readState(text)).toEqual(FIRST_STATE);
  });

  it('drops what is not its own', () => {
    expect(arraysSearch({ s: 3, run: 'yes', other: 1 })).toEqual({ s: undefined, run: undefined });
  });

  it('gives a new array the first free letter', () => {
    const [, second] = FIRST_STATE.entries;
    expect(freeLetter(second ? [second] : [])).toBe('A');
    const all = LETTERS.map((letter) => ({ ...FIRST_STATE.entries[0]!, letter }));
    expect(freeLetter(all)).toBeUndefined();
  });
});

describe('the workload', () => {
  it.each(['exponential', 'pareto', 'mmpp'] as const)('keeps a rate through %s', (kind) => {
    const workload = { ...FIRST_STATE.workload, arrivals: atRate(ARRIVALS[kind], 37) };
    expect(arrivalRate(workload)).toBeCloseTo(37, 9);
  });

  it('has no rate of its own in a closed loop', () => {
    expect(arrivalRate({ ...FIRST_STATE.workload, arrivals: ARRIVALS.closed })).toBeNull();
  });

  it('fits the number of disks to the layout', () => {
    expect(fittingDisks('raid10', 3)).toBe(4);
    expect(fittingDisks('raid10', 7)).toBe(8);
    expect(fittingDisks('raid6', 2)).toBe(4);
    expect(fittingDisks('single', 9)).toBe(1);
  });
});

describe('the distribution', () => {
  it('passes through the percentiles of an exponential response', () => {
    const figure = cdf(ROWS, OPTIONS);
    const median = figure?.table.rows.find(([share]) => share === 0.5);
    expect(median?.[1]).toBeCloseTo(5 * Math.LN2, 6);
    expect(median?.[2]).toBeCloseTo(20 * Math.LN2, 6);
    expect(at(ROWS[0]!, 0.25)).toBeCloseTo(-5 * Math.log(0.75), 2);
    expect(said(figure?.title)).toContain('A within 15.0 ms, B within 59.9 ms');
  });

  it('withholds a saturated array and says why', () => {
    const rows = [ROWS[0]!, saturated(ROWS[1]!)];
    expect(cdf(rows, OPTIONS)?.summary).toContain('B: a disk was busy at least 98% of the time');
    expect(cdf([saturated(ROWS[0]!)], OPTIONS)).toBeNull();
    expect(verdict(rows)).toContain('**B** cannot keep up');
    const mean = tableRows(rows, []).find((row) => row.id === 'mean_ms');
    expect(mean?.cells.get('B')).toMatchObject({ text: '—', value: null });
    expect(mean?.cells.get('B')?.note).toContain('Withheld');
  });

  it('ticks a log axis at round times', () => {
    const axis = decades(0.05, 800, false);
    expect(axis.ticktext.map(said)).toEqual(['100 µs', '1 ms', '10 ms', '100 ms']);
    expect(axis.tickvals.every((tick) => tick > 0)).toBe(true);
  });
});

describe('the other charts', () => {
  it('split all of the energy by cause', () => {
    const figure = energyByCause(ROWS, OPTIONS);
    const bars = figure?.data.filter((trace) => trace.type === 'bar') ?? [];
    const sum = bars.reduce((total, trace) => total + Number((trace.x as number[])[0]), 0);
    expect(sum).toBeCloseTo(12, 9);
    expect(figure?.table.rows.at(-1)).toEqual(['All', 12, 3]);
  });

  it('show power as steps and time by state', () => {
    const power = powerOverTime(ROWS[1], OPTIONS);
    expect(power?.data[0]?.x).toHaveLength(4);
    expect(said(power?.title)).toBe('B draws 3.00 W on average, 3.00 W to 3.00 W');
    expect(timeInState(ROWS, OPTIONS)?.title).toBe('2 of 2 drives sleep for most of the time');
    expect(powerOverTime(undefined, OPTIONS)).toBeNull();
  });

  it('name the array that bears most', () => {
    expect(said(responseCurve(ROWS, OPTIONS)?.title)).toContain('100 per s');
    const bare = ROWS.map((row) => ({ ...row, result: { ...row.result, curve: [] } }));
    expect(responseCurve(bare, OPTIONS)).toBeNull();
  });
});

describe('the table', () => {
  it('marks the best of a row, and shows the interval of the mean', () => {
    const rows = tableRows(ROWS, []);
    const of = (id: string) => rows.find((row) => row.id === id)!;
    expect(bestOf(of('mean_ms'))).toBe('A');
    expect(bestOf(of('power'))).toBe('B');
    expect(bestOf(of('busy'))).toBeNull();
    expect(said(of('mean_ms').cells.get('A')?.note)).toBe('4.90 ms to 5.10 ms, 95% interval');
  });

  it('gives the reason where no model knows a figure', () => {
    const reason = 'Its emissions are unknown.';
    const beside = [{ letter: 'A', figures: { kgco2e_per_tb_year: { value: null, reason } } }];
    const row = tableRows(ROWS, beside).find(({ id }) => id === 'kgco2e_per_tb_year');
    expect(row?.cells.get('A')).toEqual({ value: null, text: '—', note: reason });
  });

  it('says who draws least and who answers first', () => {
    expect(said(verdict(ROWS))).toBe(
      '**B** draws least: 3.00 W, 75% below A. **A** answers 95% of requests within 15.0 ms, B within 59.9 ms.',
    );
  });
});

describe('a drive of the catalogue', () => {
  const value = (number: number | string) => ({ value: number }) as never;
  const disk = {
    slug: 'disk',
    kind: 'drive',
    title: 'A disk',
    values: {
      technology: value('hdd'),
      capacity_tb: value(24),
      rpm: value(7200),
      seek_min_ms: value(0.6),
      seek_ms: value(8.2),
      seek_max_ms: value(17),
      throughput_mb_per_s: value(285),
      read_w: value(8.9),
      idle_w: value(6.3),
      standby_w: value(1),
      standby_down_j: value(10),
      standby_down_s: value(2),
      standby_up_j: value(300),
      standby_up_s: value(20),
      unit_price_usd: value(479.99),
    },
  } as never;

  it('is taken with its power states', () => {
    const { drive } = driveOf(disk);
    expect(drive).toMatchObject({
      kind: 'hdd',
      capacity_gb: 24_000,
      seek: { kind: 'three_point', min_ms: 0.6, avg_ms: 8.2, max_ms: 17 },
      standby: { power_w: 1, up_s: 20 },
      price_usd: 479.99,
    });
  });

  it('says what is not known of it', () => {
    const bare = {
      slug: 'x',
      title: 'x',
      kind: 'drive',
      values: { technology: value('hdd'), capacity_tb: value(4) },
    };
    expect(driveOf(bare as never)).toEqual({
      drive: null,
      missing: ['speed', 'seek time', 'transfer rate', 'power at work', 'idle power'],
    });
  });

  it('shares the rate of a solid-state drive among its channels', () => {
    const flash = {
      slug: 'ssd',
      title: 'Flash',
      kind: 'drive',
      values: {
        technology: value('ssd'),
        capacity_tb: value(7.68),
        channels_count: value(100),
        read_mb_per_s: value(14_000),
        write_mb_per_s: value(6000),
        read_latency_ms: value(0.07),
        write_latency_ms: value(0.012),
        read_w: value(21),
        idle_w: value(6),
      },
    };
    expect(driveOf(flash as never).drive).toMatchObject({ read_mb_per_s: 140, write_mb_per_s: 60 });
  });
});

describe('an array as a design of a study', () => {
  it('sleeps by the threshold, and asks for what it is asked here', () => {
    const [, laptops] = FIRST_STATE.entries;
    const spec = planArray(laptops!.array, FIRST_STATE);
    expect(spec).toMatchObject({
      layout: 'raid1',
      disks_count: 3,
      drive_price_usd: 210,
      power_policy: { kind: 'threshold', idle_timeout_s: null },
      io: { requests_per_s: 20, read_fraction: 1, request_bytes: 8192, pattern: 'random' },
    });
  });
});
