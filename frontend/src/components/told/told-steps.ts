import type { Figure, Trace } from '../../lib/figure';
import { moneyChange, USD } from '../../lib/format';
import { plotText, short, wrapped } from '../../lib/plotting';
import { chartTokens, designLetters, designLook, palette } from '../../lib/tokens';
import type { ToldFigure } from './told';
import { axisOf } from './told-axis';
import { numbers, rowsAxis, words, type Options, type Series } from './told-rows';

type Drawn = Pick<Figure, 'data' | 'layout'>;

// Closer to the names of the steps than this share of the span, an amount would cover them.
const NEAR_NAMES = { narrow: 0.34, wide: 0.18 };

const isLetter = (role: string | undefined) => designLetters.includes(role ?? '');

/** A step by its name; when the ends are of another time, that on two lines of a phone. */
const nameOf = (row: string, role: string | undefined, narrow: boolean) =>
  role || !narrow ? plotText(short(row, narrow ? 14 : 22)) : plotText(row).replace(', ', ',<br>');

/** From one total to another, one step a row. */
export function waterfall(of: ToldFigure, options: Options): Drawn {
  const { rows, row_roles: roles, row_notes: notes, series } = of;
  const { theme, narrow } = options;
  const lengths = numbers(series[0]?.values ?? []);
  const base = [...(series[0]?.base ?? [])];
  const steps = base.map((from, at) => ({ from, to: from + (lengths[at] ?? 0), at }));
  const ends = [...base, ...steps.map(({ to }) => to)];
  const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const near = low + (high - low) * NEAR_NAMES[narrow ? 'narrow' : 'wide'];
  // The amounts of those that end close to the names stand at the other end of their bars.
  const turned = steps.filter(({ from, to }) => to < from && to < near);
  const labels = turned.map(({ from, at }) => ({ x: from, y: at, text: `\u00a0${notes[at]}` }));
  const colors = roles.map((role) =>
    role === 'more' || role === 'less'
      ? chartTokens.waterfall[role][theme]
      : isLetter(role)
        ? designLook(role, theme).color
        : palette[theme].muted,
  );
  return {
    data: [
      {
        type: 'bar',
        orientation: 'h',
        y: rows.map((_, at) => at),
        x: lengths,
        base,
        text: [...notes],
        textposition: steps.map((step) => (turned.includes(step) ? 'none' : 'outside')),
        constraintext: 'none',
        textfont: { size: 12, color: palette[theme].text },
        cliponaxis: false,
        marker: { color: colors },
        hovertext: rows.map((row, at) => `<b>${plotText(row)}</b><br>${notes[at]}`),
        hoverinfo: 'text',
      },
      ...(labels.length > 0 ? [words('Amounts', labels, palette[theme].text)] : []),
    ],
    layout: {
      margin: { l: narrow ? 108 : 156, r: 24, t: 8, b: 40 },
      bargap: 0.28,
      xaxis: {
        ...axisOf(of.along, [low, high], {
          ...options,
          zero: true,
          room: narrow ? 0.3 : 0.16,
          count: narrow ? 2 : 4,
        }),
        showgrid: true,
      },
      yaxis: rowsAxis(
        rows.map((row, at) =>
          isLetter(roles[at]) ? `<b>${roles[at]}</b>` : nameOf(row, roles[at], narrow),
        ),
      ),
    },
  };
}

interface EndLabel {
  x: number;
  y: number;
  text: string;
  left: boolean;
}

/** The input's own value at the end of each bar. */
function endsOf({ rows, series }: ToldFigure, { narrow }: Options): EndLabel[] {
  return rows.flatMap((_, y) => {
    const values = series.map((one) => one.values[y] ?? 0);
    const now = series[0]?.base[y] ?? 0;
    const isOneSided = values.every((value) => value > now) || values.every((value) => value < now);
    return series.map(({ texts }, place) => {
      const [x = 0, other = 0] = place === 0 ? values : values.toReversed();
      // On a phone there is no room for "per rack and month"; the table has it.
      const text = narrow ? texts[y]?.replace(/\/.*$/, '') : texts[y];
      const label = { x, y, text: `\u00a0${text}\u00a0` };
      if (!isOneSided) return { ...label, left: x === other ? place === 0 : x < other };
      // With both ends on one side the inner value would stand in the bar of the outer one.
      const [off, otherOff] = [Math.abs(x - now), Math.abs(other - now)];
      const isInner = off < otherOff || (off === otherOff && place === 1);
      return { ...label, x: isInner ? now : x, left: x < now !== isInner };
    });
  });
}

// Widths in pixels: of a character of a label, and of the plot as it usually is.
const CHARACTER = 6.2;
const PLOT = { narrow: 240, wide: 440 };

/** Free space past the ends, as shares of the span, in which the labels of the bars fit. */
function roomFor(ends: readonly EndLabel[], { narrow }: Options): [number, number] {
  const low = Math.min(0, ...ends.map((end) => end.x));
  const high = Math.max(0, ...ends.map((end) => end.x));
  const span = high - low || 1;
  const share = CHARACTER / (narrow ? PLOT.narrow : PLOT.wide);
  let room: [number, number] = [0.04, 0.04];
  // More room makes the labels larger against the span; a few rounds settle it.
  for (let round = 0; round < 6; round += 1) {
    const whole = 1 + room[0] + room[1];
    const needed = (left: boolean) =>
      Math.max(
        0.04,
        ...ends
          .filter((end) => end.left === left)
          .map((end) => {
            const inside = left ? end.x - low : high - end.x;
            return end.text.length * share * whole - inside / span;
          }),
      );
    room = [Math.min(1, needed(true)), Math.min(1, needed(false))];
  }
  return room;
}

/** How far each row goes to either side of where things stand now. */
export function swings(of: ToldFigure, options: Options): Drawn {
  const { rows, row_roles: roles, series, along, measure } = of;
  const { theme, narrow, currency } = options;
  const values = series.flatMap((one) => numbers(one.values));
  const labels = endsOf(of, options);
  const colors = { low: chartTokens.tornado.low[theme], high: chartTokens.tornado.high[theme] };
  const now = series[0]?.base[0] ?? 0;
  const upright = (at: number, line: object) => ({
    ...{ type: 'line' as const, x0: at, x1: at, yref: 'paper' as const, y0: 0, y1: 1 },
    line: { width: 1, ...line },
  });
  const said = ({ texts, values: own }: Series) =>
    rows.map(
      (row, at) =>
        `<b>${plotText(row)}</b> at ${texts[at]}<br>` +
        `${measure?.title}: ${moneyChange(own[at] ?? 0, currency ?? USD)}`,
    );
  return {
    data: [
      ...series.map((one): Trace => ({
        type: 'bar',
        orientation: 'h',
        name: one.name,
        y: rows.map((_, at) => at),
        x: one.values.map((value, at) => (value ?? 0) - (one.base[at] ?? 0)),
        base: now,
        width: 0.62,
        marker: { color: colors[one.role === 'high' ? 'high' : 'low'] },
        hovertext: said(one),
        hoverinfo: 'text',
      })),
      words('Values', labels, palette[theme].muted, {
        size: 11,
        textposition: labels.map(({ left }) => (left ? 'middle left' : 'middle right')),
      }),
    ],
    layout: {
      margin: { l: narrow ? 132 : 204, r: 16, t: 8, b: 44 },
      barmode: 'overlay',
      xaxis: {
        ...axisOf(along, values, {
          ...options,
          zero: true,
          room: roomFor(labels, options),
          count: narrow ? 3 : 5,
        }),
        showgrid: true,
      },
      yaxis: rowsAxis(
        rows.map((row, at) => {
          const label = wrapped(row, narrow ? 17 : 28);
          return roles[at] === 'flips' ? `<b>${label}</b>` : label;
        }),
        [0.55, 0.55],
      ),
      shapes: [
        upright(0, { color: palette[theme].text }),
        upright(now, { color: palette[theme].muted, dash: 'dot' }),
      ],
    },
  };
}
