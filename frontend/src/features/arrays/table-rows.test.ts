import { FAST, ROWS, saturated, SPARING } from './fixture';
import { bestOf, tableRows } from './table-rows';

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
    const measures = first.result.measures.map((figure) =>
      figure.id === 'cache_hits' ? { ...figure, value: 0.4, text: '40%' } : figure,
    );
    const rows = tableRows([{ ...first, result: { ...first.result, measures } }, second], []);
    const row = rows.find(({ id }) => id === 'cache_hits');
    expect(row?.cells.get('A')?.text).toBe('40%');
    expect(row?.cells.get('B')?.value).toBeNull();
  });

  it('gives the reason where no model knows a figure', () => {
    const note = 'Its emissions are unknown.';
    const unknown = { id: 'kgco2e_per_tb_year', label: 'Carbon', unit: 'kgCO2e' };
    const measures = [{ ...unknown, value: null, text: '—', note, lower_is_better: true }];
    const refused = 'The plan needs a three-point seek curve.';
    const beside = [
      { letter: 'A', measures },
      { letter: 'B', measures: [], refused },
    ];
    const row = tableRows(ROWS, beside).find(({ id }) => id === 'kgco2e_per_tb_year');
    expect(row?.cells.get('A')).toMatchObject({ value: null, text: '—', note });
    expect(row?.cells.get('B')).toMatchObject({ value: null, text: '—', note: refused });
  });

  it('says why a figure of a saturated array is withheld', () => {
    const rows = tableRows([FAST, saturated(SPARING)], []);
    const mean = rows.find((row) => row.id === 'mean_ms');
    expect(mean?.cells.get('B')).toMatchObject({ text: '—', value: null });
    expect(mean?.cells.get('B')?.note).toContain('Withheld');
  });

  it('lets none be best that cannot keep up', () => {
    const power = tableRows([FAST, saturated(SPARING)], []).find(({ id }) => id === 'power');
    expect(power && bestOf(power)).toBeNull();
  });
});
