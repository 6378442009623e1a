import type { LayoutAxis } from 'plotly.js';
import type { Figure, TableTwin, Trace } from '../../../lib/figure';
import { valueAxis, spread } from '../../../lib/axis';
import { quantity, unitLabel } from '../../../lib/format';
import { plotText, short } from '../../../lib/plotting';
import { chartTokens, designLetters, designLook, palette, type Theme } from '../../../lib/tokens';
import type { Cell, Column, Rows } from '../result-parts';
import { groupsOf, isNumeric, type Choice } from '../series';

interface Options {
  theme: Theme;
  narrow: boolean;
}

interface Line {
  name: string;
  unit: string;
  x: (number | string)[];
  y: (number | null)[];
}

const LABELLED = 6;
const MARKED = 40;
// Signs of a label at the end of a line.
const LABEL = 20;
// Signs of the name below a bar.
const BAR = 28;
// A span of more than this reads better by powers of ten.
const WIDE = 1000;

const DASHES = ['solid', 'dash', 'dot', 'dashdot', 'longdash', 'longdashdot'] as const;

export function named(column: Column | undefined): string {
  const unit = unitLabel(column?.unit);
  return `${column?.label ?? ''}${unit ? ` (${unit})` : ''}`;
}

const numberOf = (cell: Cell | undefined) => (typeof cell === 'number' ? cell : null);

export function linesOf(table: Rows, { x, y }: Choice): Line[] {
  return groupsOf(table).flatMap(({ name, rows }) =>
    y.map((at) => ({
      name: name ?? table.columns[at]?.label ?? '',
      unit: table.columns[at]?.unit ?? '',
      x: rows.map((row) => row[x] as number | string),
      y: rows.map((row) => numberOf(row[at])),
    })),
  );
}

const isWide = (values: readonly number[]) =>
  values.length > 0 && Math.min(...values) > 0 && Math.max(...values) / Math.min(...values) > WIDE;

function logAxis(values: readonly number[], unit: string): Partial<LayoutAxis> {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.ceil(Math.log10(Math.max(...values)));
  const every = Math.max(1, Math.ceil((high - low) / 6));
  const powers = Array.from({ length: high - low + 1 }, (_, at) => low + at).filter(
    (power) => (power - low) % every === 0,
  );
  return {
    type: 'log',
    range: [Math.log10(Math.min(...values)), Math.log10(Math.max(...values)) + 0.02],
    tickmode: 'array',
    tickvals: powers.map((power) => 10 ** power),
    ticktext: powers.map((power) => quantity(10 ** power, unit).replace(/\.0+(?=\D|$)/, '')),
  };
}

/** An axis of numbers: by powers of ten where they span many. */
function numberAxis(values: readonly number[], unit: string, zero: boolean): Partial<LayoutAxis> {
  if (!zero && isWide(values)) return logAxis(values, unit);
  const low = Math.min(...values);
  const high = Math.max(...values);
  const near = low > 0 && low > high / 2 && !zero;
  return valueAxis(unit, {
    low: near ? low : Math.min(0, low),
    high: Math.max(high, zero ? 0 : high),
    room: [low < 0 || near ? 0.04 : 0, 0.06],
    count: 5,
  });
}

function look(at: number, count: number, theme: Theme): { color: string; dash: string } {
  if (count === 1) return { color: palette[theme].action, dash: 'solid' };
  const letter = designLetters[at % designLetters.length] ?? 'A';
  return { color: designLook(letter, theme).color, dash: DASHES[at % DASHES.length] ?? 'solid' };
}

function hover(line: Line, x: Column | undefined): string[] {
  return line.y.map((value, at) => {
    const place = line.x[at];
    const text = typeof place === 'number' ? quantity(place, x?.unit) : plotText(String(place));
    return `<b>${quantity(value, line.unit)}</b><br>${plotText(line.name)}<br>${x?.label ?? ''} ${text}`;
  });
}

function curve(
  line: Line,
  at: number,
  of: { count: number; x: Column | undefined; theme: Theme },
): Trace {
  const { color, dash } = look(at, of.count, of.theme);
  return {
    type: 'scatter',
    mode: line.x.length <= MARKED ? 'lines+markers' : 'lines',
    name: plotText(line.name),
    x: line.x as number[],
    y: line.y as number[],
    line: { color, width: chartTokens.line_px, dash: dash as 'solid' },
    marker: { size: 6, color },
    hovertext: hover(line, of.x),
    hoverinfo: 'text',
  };
}

function bars(
  line: Line,
  at: number,
  of: { count: number; x: Column | undefined; theme: Theme },
): Trace {
  return {
    type: 'bar',
    name: plotText(line.name),
    x: line.x.map((name) => plotText(short(String(name), BAR))),
    y: line.y as number[],
    marker: { color: look(at, of.count, of.theme).color },
    hovertext: hover(line, of.x),
    hoverinfo: 'text',
  };
}

/** The name of each line at its end, moved apart where they would meet. */
function endLabels(lines: readonly Line[], axis: Partial<LayoutAxis>, theme: Theme): Trace {
  const isLog = axis.type === 'log';
  const place = (value: number) => (isLog ? Math.log10(value) : value);
  const ends = lines.map((line) => {
    const at = line.y.findLastIndex((value) => value !== null);
    return { x: line.x[at] as number, y: place(line.y[at] ?? 0) };
  });
  const [low = 0, high = 1] = (axis.range ?? []) as number[];
  const y = spread(
    ends.map((end) => end.y),
    (high - low) * 0.065,
  );
  return {
    type: 'scatter',
    mode: 'text',
    x: ends.map((end) => end.x),
    y: isLog ? y.map((value) => 10 ** value) : y,
    text: lines.map((line) => `  ${plotText(short(line.name, LABEL))}`),
    textposition: 'middle right',
    textfont: { size: 12, color: lines.map((_, at) => look(at, lines.length, theme).color) },
    cliponaxis: false,
    hoverinfo: 'skip',
    showlegend: false,
  };
}

export function twinOf(table: Rows): TableTwin {
  return {
    columns: table.columns.map(({ label, unit }) => ({ label, unit })),
    rows: table.rows.map((row) =>
      row.map((cell) => (typeof cell === 'boolean' ? (cell ? 'Yes' : 'No') : cell)),
    ),
  };
}

/** What the chart finds: the least and the greatest value, and which bars these are. */
function titleOf(table: Rows, choice: Choice, lines: readonly Line[]): string {
  const [first = 0] = choice.y;
  const points = lines.flatMap((line) =>
    line.y.flatMap((value, at) => (value === null ? [] : [{ value, line, at }])),
  );
  const name = choice.y.length > 1 ? table.title : (table.columns[first]?.label ?? '');
  const over = (table.columns[choice.x]?.label ?? '').toLowerCase();
  const isLine = isNumeric(table, choice.x);
  const subject = isLine ? `${name} over ${over}` : name;
  const sorted = points.sort((one, other) => one.value - other.value);
  const [least, most] = [sorted[0], sorted.at(-1)];
  if (!least || !most) return `${subject}: no values`;
  const text = ({ value, line, at }: typeof least) => {
    const who = isLine
      ? ''
      : [lines.length > 1 && line.name, line.x[at]].filter(Boolean).join(', ');
    return `${quantity(value, line.unit)}${who && ` (${who})`}`;
  };
  return `${subject}: ${text(least)} to ${text(most)}`;
}

/** Whether the names below bars would run into each other. */
function isCrowded(lines: readonly Line[], narrow: boolean): boolean {
  const names = [...new Set(lines.flatMap((line) => line.x).map(String))];
  const longest = Math.max(0, ...names.map((name) => short(name, BAR).length));
  return names.length * (longest + 2) * 7 > (narrow ? 260 : 640);
}

const logged = (axis: Partial<LayoutAxis>) => (axis.type === 'log' ? ', log scale' : '');

/** The horizontal axis: numbers, or the names of bars. */
function xAxisOf(
  lines: readonly Line[],
  x: Column | undefined,
  slanted: boolean,
): Partial<LayoutAxis> {
  const values = lines.flatMap((line) => line.x).filter((value) => typeof value === 'number');
  if (values.length === 0) return { tickangle: slanted ? 30 : 0 };
  const axis = numberAxis(values, x?.unit ?? '', false);
  return { ...axis, title: { text: plotText(`${named(x)}${logged(axis)}`) } };
}

function yAxisOf(table: Rows, choice: Choice, axis: Partial<LayoutAxis>): Partial<LayoutAxis> {
  const column = table.columns[choice.y[0] ?? 0];
  const name = choice.y.length > 1 ? unitLabel(column?.unit) : named(column);
  return { ...axis, title: { text: plotText(`${name}${logged(axis)}`) } };
}

interface Room {
  isLine: boolean;
  slanted: boolean;
  /** Signs of the longest label at the end of a line. */
  labels: number;
}

function marginOf(axis: Partial<LayoutAxis>, { isLine, slanted, labels }: Room) {
  const ticks = Math.max(3, ...(axis.ticktext ?? []).map((text) => text.length));
  const right = labels > 0 ? 24 + labels * 7 : 20;
  const below = slanted ? 96 : 32;
  return { l: 40 + 7 * ticks, r: slanted ? 48 : right, t: 8, b: isLine ? 48 : below };
}

/** One column or more of a table over another: lines over numbers, bars over names. */
export function seriesFigure(table: Rows, choice: Choice, { theme, narrow }: Options): Figure {
  const x = table.columns[choice.x];
  const lines = linesOf(table, choice);
  const values = lines.flatMap((line) => line.y).filter((value) => value !== null);
  const isLine = isNumeric(table, choice.x);
  const title = titleOf(table, choice, lines);
  const axis = numberAxis(values.length > 0 ? values : [0], lines[0]?.unit ?? '', !isLine);
  const several = lines.length > 1;
  const labelled = isLine && several && lines.length <= LABELLED && !narrow;
  const longest = Math.max(0, ...lines.map((line) => short(line.name, LABEL).length));
  const of = { count: lines.length, x, theme };
  const slanted = !isLine && isCrowded(lines, narrow);
  return {
    title,
    summary: `${title}. ${several ? `${lines.length} lines` : 'One line'} of ${lines[0]?.x.length ?? 0} points.`,
    data: [
      ...lines.map((line, at) => (isLine ? curve : bars)(line, at, of)),
      ...(labelled ? [endLabels(lines, axis, theme)] : []),
    ],
    layout: {
      margin: marginOf(axis, { isLine, slanted, labels: labelled ? longest : 0 }),
      barmode: 'group',
      showlegend: several && !labelled,
      xaxis: xAxisOf(lines, x, slanted),
      yaxis: yAxisOf(table, choice, axis),
    },
    table: twinOf(table),
  };
}
