import type { Figure, Trace } from '../../../lib/figure';
import { significant } from '../../../lib/format';
import { chartTokens, designLook, palette, type Theme } from '../../../lib/tokens';
import { diskKind, shortName, sizeText, turns, type FlipPoint, type Trends } from './trends';
import { plotText, short } from '../frame/figures';

interface Options {
  theme: Theme;
  narrow: boolean;
}

interface Point {
  name: string;
  kind: string;
  x: number;
  y: number;
}

interface Words {
  title: string;
  xTitle: string;
  yTitle: string;
  xUnit: string;
  yUnit: string;
}

const SYMBOLS = ['circle', 'square', 'diamond'] as const;

/** Ticks at 1, 2 and 5 times powers of ten where they are few, else at powers only. */
export function ticksBetween(low: number, high: number): number[] {
  const decades = Math.log10(high / low);
  const steps = decades < 1.5 ? [1, 2, 5] : [1];
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power += 1) {
    found.push(...steps.map((step) => step * 10 ** power));
  }
  return found.filter((tick) => tick >= low && tick <= high);
}

function logAxis(values: readonly number[], title: string, room = 1.3) {
  const [low, high] = [Math.min(...values) / room, Math.max(...values) * room];
  const tickvals = ticksBetween(low, high);
  return {
    type: 'log' as const,
    range: [Math.log10(low), Math.log10(high)],
    tickmode: 'array' as const,
    tickvals,
    ticktext: tickvals.map((tick) => Number(tick.toPrecision(3)).toLocaleString('en-GB')),
    title: { text: `${title} (log)` },
  };
}

/** Points whose names do not meet that of another; the best one is always named. */
function namedPoints(points: readonly Point[], best: string): Set<string> {
  const spreadOf = (values: number[]) => Math.log(Math.max(...values) / Math.min(...values)) || 1;
  const wide = spreadOf(points.map(({ x }) => x));
  const high = spreadOf(points.map(({ y }) => y));
  const kept: Point[] = [];
  const ordered = [...points].sort((a, b) => Number(b.name === best) - Number(a.name === best));
  for (const point of ordered) {
    const meets = kept.some(
      (other) =>
        Math.abs(Math.log(point.x / other.x)) < 0.45 * wide &&
        Math.abs(Math.log(point.y / other.y)) < 0.05 * high,
    );
    if (!meets) kept.push(point);
  }
  return new Set(kept.map(({ name }) => name));
}

function scatter(points: readonly Point[], best: string, words: Words, options: Options): Figure {
  const { theme, narrow } = options;
  const kinds = [...new Set(points.map(({ kind }) => kind))];
  const { color } = designLook('A', theme);
  const names = narrow ? new Set([best]) : namedPoints(points, best);
  const middle = Math.sqrt(
    Math.max(...points.map(({ x }) => x)) * Math.min(...points.map(({ x }) => x)),
  );
  return {
    title: words.title,
    summary: `${words.title}. ${points
      .map(({ name, x, y }) => `${name}: ${significant(y)} ${words.yUnit} at ${significant(x)}`)
      .join('; ')}.`,
    data: kinds.map((kind, at): Trace => {
      const own = points.filter((point) => point.kind === kind);
      return {
        type: 'scatter',
        mode: 'text+markers',
        name: kind || 'Devices',
        x: own.map(({ x }) => x),
        y: own.map(({ y }) => y),
        text: own.map((point) =>
          names.has(point.name)
            ? point.name === best
              ? `<b>${plotText(short(shortName(point.name)))}</b>`
              : plotText(short(shortName(point.name), 18))
            : '',
        ),
        textposition: own.map(({ x }) => (x > middle ? 'middle left' : 'middle right')),
        textfont: { size: 11, color: palette[theme].text },
        marker: {
          size: own.map(({ name }) => (name === best ? 13 : 9)),
          symbol: SYMBOLS[at % SYMBOLS.length],
          color: at === 0 ? color : designLook('B', theme).color,
        },
        hovertext: own.map(
          ({ name, x, y }) =>
            `<b>${plotText(name)}</b><br>${significant(y)} ${words.yUnit}<br>at ${significant(x)} ${words.xUnit}`,
        ),
        hoverinfo: 'text',
        cliponaxis: false,
      };
    }),
    layout: {
      margin: { l: 64, r: 16, t: kinds.length > 1 ? 36 : 12, b: 48 },
      showlegend: kinds.length > 1,
      legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom' },
      xaxis: logAxis(
        points.map(({ x }) => x),
        words.xTitle,
      ),
      yaxis: logAxis(
        points.map(({ y }) => y),
        words.yTitle,
      ),
    },
    table: {
      columns: [
        { label: 'Device', unit: '' },
        { label: 'Kind', unit: '' },
        { label: words.xTitle.split(',')[0] ?? '', unit: words.xUnit },
        { label: words.yTitle.split(',')[0] ?? '', unit: words.yUnit },
      ],
      rows: points.map(({ name, kind, x, y }) => [name, kind, x, y]),
    },
  };
}

/** Instructions per joule against speed. */
export function processorTrend(found: Trends, options: Options): Figure {
  const points = found.processors.map((one) => ({
    name: one.name,
    kind: '',
    x: one.speed_mips,
    y: one.efficiency_mips_per_w,
  }));
  const best = points.find(({ name }) => name === found.best_processor);
  const title = `${shortName(found.best_processor)} does ${significant(best?.y ?? 0)} MIPS per watt`;
  return scatter(
    points,
    found.best_processor,
    {
      title,
      xTitle: 'Speed, MIPS',
      yTitle: 'Work, MIPS/W',
      xUnit: 'MIPS',
      yUnit: 'MIPS/W',
    },
    options,
  );
}

/** Megabytes per joule against throughput; the widths of disks have marks of their own. */
export function diskTrend(found: Trends, options: Options): Figure {
  const points = found.disks.map((one) => ({
    name: one.name,
    kind: one.form_factor,
    x: one.throughput_mb_per_s,
    y: one.efficiency_mb_per_j,
  }));
  const best = found.disks.find(({ name }) => name === found.best_disk);
  const title = best
    ? `A disk of ${diskKind(best)} moves most: ${significant(best.efficiency_mb_per_j)} MB per joule`
    : 'No disks';
  return scatter(
    points,
    found.best_disk,
    {
      title,
      xTitle: 'Throughput, MB/s',
      yTitle: 'Work, MB/J',
      xUnit: 'MB/s',
      yUnit: 'MB/J',
    },
    options,
  );
}

function platformLine(flips: readonly FlipPoint[], at: number, name: string, theme: Theme): Trace {
  const look = designLook(at === 0 ? 'A' : 'B', theme);
  return {
    type: 'scatter',
    mode: 'lines',
    name,
    x: flips.map((point) => point.working_set_bytes),
    y: flips.map((point) => point.accesses_per_j[at] ?? 0),
    line: { color: look.color, width: chartTokens.line_px, dash: at === 0 ? 'solid' : 'dash' },
    hovertext: flips.map(
      (point) =>
        `<b>${plotText(name)}</b><br>${significant((point.accesses_per_j[at] ?? 0) / 1e6)} M accesses per joule<br>` +
        `${sizeText(point.working_set_bytes)}; better: ${plotText(point.best)}`,
    ),
    hoverinfo: 'text',
  };
}

/** Accesses per joule of two platforms as the working set leaves one cache after the other. */
export function cacheFlip(found: Trends, names: readonly string[], options: Options): Figure {
  const { theme } = options;
  const { flips } = found;
  const places = turns(flips);
  const all = flips.flatMap((point) => point.accesses_per_j);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const title =
    places.length === 0
      ? 'One platform is better at every working set'
      : `The better platform changes at ${places
          .map(sizeText)
          .join(', ')
          .replace(/, ([^,]*)$/, ' and $1')}`;
  const sizes = options.narrow
    ? [4096, 262_144, 16_777_216]
    : [4096, 32_768, 262_144, 2_097_152, 16_777_216, 67_108_864];
  const axis = logAxis(all, '');
  return {
    title,
    summary: `${title}. Platforms: ${names.join('; ')}.`,
    data: [
      ...names.map((name, at) => platformLine(flips, at, name, theme)),
      ...places.map((place): Trace => ({
        type: 'scatter',
        mode: 'lines',
        name: 'Change',
        showlegend: false,
        x: [place, place],
        y: [low / 1.2, high * 1.2],
        line: { color: palette[theme].muted, width: 1, dash: 'dot' },
        hoverinfo: 'skip',
      })),
    ],
    layout: {
      margin: { l: 64, r: 28, t: options.narrow ? 56 : 36, b: 48 },
      showlegend: true,
      legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom' },
      xaxis: {
        type: 'log',
        tickmode: 'array',
        tickvals: sizes,
        ticktext: sizes.map(sizeText),
        tickangle: 0,
        title: { text: 'Working set (log)' },
      },
      yaxis: {
        ...axis,
        ticktext: axis.tickvals.map((tick) => `${Number((tick / 1e6).toPrecision(3))} M`),
        title: { text: 'Accesses per joule (log)' },
      },
    },
    table: {
      columns: [
        { label: 'Working set', unit: 'B' },
        ...names.map((label) => ({ label, unit: '1/J' })),
        { label: 'Better', unit: '' },
      ],
      rows: flips.map((point) => [point.working_set_bytes, ...point.accesses_per_j, point.best]),
    },
  };
}
