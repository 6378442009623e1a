import { legendOf } from '../../../lib/legend';
import { bestOf, tableRows } from '../table-rows';
import { at, cdf } from './cdf';
import { responseCurve } from './curve';
import { energyByCause, timeInState } from './energy';
import { FAST, OPTIONS, ROWS, said, saturated, SPARING } from './fixture';
import { decades } from './options';
import { powerOverTime } from './power';

describe('the distribution', () => {
  it('passes through the percentiles of an exponential response', () => {
    const figure = cdf(ROWS, OPTIONS);
    const median = figure?.table.rows.find(([share]) => share === 0.5);
    expect(median?.[1]).toBeCloseTo(5 * Math.LN2, 6);
    expect(median?.[2]).toBeCloseTo(20 * Math.LN2, 6);
    expect(at(FAST, 0.25)).toBeCloseTo(-5 * Math.log(0.75), 2);
    expect(said(figure?.title)).toContain('A within 15.0 ms, B within 59.9 ms');
  });

  it('withholds a saturated array and says why', () => {
    const rows = [FAST, saturated(SPARING)];
    expect(cdf(rows, OPTIONS)?.summary).toContain('B: a disk was busy at least 98% of the time');
    expect(cdf([saturated(FAST)], OPTIONS)).toBeNull();
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

  it('say beside the energy what it costs in wear', () => {
    const summary = said(energyByCause(ROWS, OPTIONS)?.summary);
    // 10 starts in 1,000 s are 864 a day; 2 years of them are the rating.
    expect(summary).toContain('12.0 W, 864 start-stops a day of 631,000 rated, worn in 24 months');
    expect(said(powerOverTime(FAST, OPTIONS)?.title)).toContain('; 864 start-stops a day');
  });

  it('show power as steps and time by state', () => {
    const power = powerOverTime(ROWS[1], OPTIONS);
    expect(power?.data[0]?.x).toHaveLength(4);
    expect(said(power?.title)).toContain('B draws 3.00 W on average, 3.00 W to 3.00 W; ');
    expect(timeInState(ROWS, OPTIONS)?.title).toBe('2 of 2 drives sleep for most of the time');
    expect(powerOverTime(undefined, OPTIONS)).toBeNull();
  });

  it.each([
    ['time by state', timeInState(ROWS, OPTIONS)],
    ['energy by cause', energyByCause(ROWS, OPTIONS)],
    ['power over time', powerOverTime(FAST, OPTIONS)],
  ])('of %s have a legend that toggles, with a line for each state', (_, figure) => {
    const lines = figure && legendOf(figure)?.entries;
    const states = figure?.table.columns.map(({ label }) => label);
    const named = [...(states ?? []), ...(figure?.table.rows.map(([label]) => label) ?? [])];
    expect(lines?.length).toBeGreaterThan(0);
    expect(new Set(lines?.map(({ color }) => color)).size).toBe(lines?.length);
    for (const { label } of lines ?? []) expect(named).toContain(label);
  });

  it('name the array that bears most', () => {
    expect(said(responseCurve(ROWS, OPTIONS)?.title)).toContain('100 per s');
    const bare = ROWS.map((row) => ({ ...row, result: { ...row.result, curve: [] } }));
    expect(responseCurve(bare, OPTIONS)).toBeNull();
  });
});

describe('the table', () => {
  it('marks the best of a row', () => {
    const rows = tableRows(ROWS, []);
    const of = (id: string) => {
      const found = rows.find((row) => row.id === id);
      if (!found) throw new Error(id);
      return found;
    };
    expect(bestOf(of('mean_ms'))).toBe('A');
    expect(bestOf(of('power'))).toBe('B');
    expect(bestOf({ ...of('power'), lowerIsBetter: null })).toBeNull();
  });

  it('shows what only some arrays have where one of them has it', () => {
    const ids = (rows: typeof ROWS) => tableRows(rows, []).map(({ id }) => id);
    expect(ids(ROWS)).not.toContain('cache_hits');
    const [first, second] = ROWS;
    if (!first || !second) throw new Error('Two rows are there.');
    const figures = first.result.figures.map((figure) =>
      figure.id === 'cache_hits' ? { ...figure, value: 0.4, text: '40%' } : figure,
    );
    const rows = tableRows([{ ...first, result: { ...first.result, figures } }, second], []);
    const row = rows.find(({ id }) => id === 'cache_hits');
    expect(row?.cells.get('A')?.text).toBe('40%');
    expect(row?.cells.get('B')?.value).toBeNull();
  });

  it('gives the reason where no model knows a figure', () => {
    const reason = 'Its emissions are unknown.';
    const beside = [{ letter: 'A', figures: { kgco2e_per_tb_year: { value: null, reason } } }];
    const row = tableRows(ROWS, beside).find(({ id }) => id === 'kgco2e_per_tb_year');
    expect(row?.cells.get('A')).toEqual({ value: null, text: '—', note: reason });
  });

  it('lets none be best that cannot keep up', () => {
    const power = tableRows([FAST, saturated(SPARING)], []).find(({ id }) => id === 'power');
    expect(power && bestOf(power)).toBeNull();
  });
});
