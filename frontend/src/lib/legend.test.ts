import type { Figure, Trace } from './figure';
import { legendOf, withLegend } from './legend';

const bar = (name: string, more: Partial<Trace> = {}): Trace => ({
  type: 'bar',
  name,
  x: [1],
  marker: { color: '#123456' },
  ...more,
});

const FIGURE: Figure = {
  title: 'Energy',
  summary: 'Energy.',
  data: [
    bar('R&amp;D'),
    bar('Cooling', { marker: { color: ['#abcdef', '#000000'] } }),
    bar('Range', { showlegend: false }),
    { type: 'scatter', mode: 'lines', name: 'Cooling', legendgroup: 'Cooling' },
  ],
  layout: { showlegend: true, width: 400, height: 200, margin: { l: 10, r: 10 } },
  table: { columns: [], rows: [] },
};

describe('the legend of a figure', () => {
  it('lists each series once, as text, by its colour', () => {
    expect(legendOf(FIGURE)?.entries).toEqual([
      { id: 'R&amp;D', label: 'R&D', color: '#123456' },
      { id: 'Cooling', label: 'Cooling', color: '#abcdef' },
    ]);
    expect(legendOf({ ...FIGURE, layout: {} })).toBeUndefined();
    const own = { entries: [], without: () => [] };
    expect(legendOf({ ...FIGURE, legend: own })).toBe(own);
  });

  it('takes all of a series out, and leaves the rest', () => {
    const left = legendOf(FIGURE)?.without(new Set(['Cooling'])) ?? [];
    expect(left.map(({ visible }) => visible)).toEqual([undefined, false, undefined, false]);
  });

  it('stands beside the drawing in a picture, however long it is', () => {
    const picture = withLegend(FIGURE, legendOf(FIGURE));
    const listed = picture.data.filter(({ showlegend }) => showlegend);
    expect(listed.map(({ name }) => name)).toEqual(['R&amp;D', 'Cooling']);
    expect(picture.layout.width).toBeGreaterThan(400);
    expect(withLegend(FIGURE, undefined)).toBe(FIGURE);
  });
});
