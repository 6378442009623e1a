import type { Figure } from '../../lib/figure';
import type { Currency } from '../../lib/format';
import type { ToldFigure } from './told';
import { MANY_ROWS, textOf, type Series } from './told-rows';

export interface Point {
  name: string;
  x: number;
  y: number;
}

export const pointsOf = ({ names, at, values }: Series): Point[] =>
  values.flatMap((y, index) =>
    y === null ? [] : [{ name: names[index] ?? '', x: at[index] ?? 0, y }],
  );

/** What a figure shows, for who does not see it. */
export function summaryOf(of: ToldFigure, currency: Currency | undefined): string {
  const { rows, series, along } = of;
  if (of.summary) return of.summary;
  if (rows.length > MANY_ROWS) return `${of.title}.`;
  if (rows.length === 0) {
    const names = series.map(({ name }) => name).join('; ');
    return [`${of.title}. ${names}.`, of.note].filter(Boolean).join(' ');
  }
  const said = rows.map((row, at) => {
    const total = series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
    const own = series.map(
      ({ name, values }) => `${name} ${textOf(along, values[at] ?? null, currency)}`,
    );
    const all = of.kind === 'stacked' ? textOf(along, total, currency) : own.join(', ');
    return `${row}: ${of.row_notes[at] ?? all}`;
  });
  return `${of.title}. ${said.join('; ')}.`;
}

/** The values of a figure as a table. */
export function tableOf(of: ToldFigure): Figure['table'] {
  const { rows, series, along, across, kind } = of;
  const [first] = of.twin;
  if (first) {
    return {
      columns: of.twin.map(({ label, unit }) => ({ label, unit })),
      rows: first.values.map((_, at) => of.twin.map((column) => column.values[at] ?? null)),
      printed: Object.fromEntries(
        of.twin.flatMap(({ said = [] }, at) => (said.length > 0 ? [[at, [...said]]] : [])),
      ),
    };
  }
  const { unit } = of.measure ?? along;
  const values = series.map(({ name }) => ({ label: name, unit }));
  if (rows.length > 0) {
    return {
      columns: [{ label: of.name, unit: '' }, ...values],
      rows: rows.map((row, at) => [row, ...series.map((one) => one.values[at] ?? null)]),
    };
  }
  const head = { label: across?.title ?? '', unit: across?.unit ?? '' };
  if (kind === 'points') {
    return {
      columns: [
        { label: 'Name', unit: '' },
        { label: 'Kind', unit: '' },
        head,
        { label: along.title, unit: along.unit },
      ],
      rows: series.flatMap((one) => pointsOf(one).map(({ name, x, y }) => [name, one.name, x, y])),
    };
  }
  const shared = series[0]?.at ?? [];
  const places = [...new Set([...shared, ...series.flatMap((one) => one.at)])].sort(
    (a, b) => a - b,
  );
  const columns = series.map((one) => {
    const at = one.at.length > 0 ? one.at : shared;
    return new Map(at.map((place, index) => [place, one.values[index] ?? null]));
  });
  return {
    columns: [head, ...values],
    rows: places.map((at) => [at, ...columns.map((column) => column.get(at) ?? null)]),
  };
}
