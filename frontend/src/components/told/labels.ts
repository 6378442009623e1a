import { short } from '../../lib/plotting';

// What a line of a label covers of the plot, and a character of it, as shares of its sides.
const LINE_HIGH = 0.075;
const CHARACTER_WIDE = { wide: 0.0125, narrow: 0.03 };
const MARK = { wide: 0.015, high: 0.02 };
// Characters of a title where there is no room for all of it.
const SHORT = 22;
// From here on a label stands left of its point.
const LEFT_FROM = 0.6;

interface Span {
  low: number;
  high: number;
}

interface Frame {
  costs: Span;
  others: Span;
  narrow: boolean;
}

interface Labelled {
  usd: number;
  value: number;
  /** The letter of the design, and what else it is called. */
  letter: string;
  title: string;
  /** How far its value may be off, as a line through the point. */
  off?: readonly [number, number] | null;
}

interface Label<P> {
  /** A line for the point, and one for each other that found no room of its own. */
  lines: { of: P; title: string }[];
  textposition: string;
}

interface Box {
  x: Span;
  y: Span;
}

const crosses = (one: Span, other: Span) => one.low < other.high && other.low < one.high;
const meet = (one: Box, other: Box) => crosses(one.x, other.x) && crosses(one.y, other.y);
const spanOf = ({ low, high }: Span) => high - low || 1;

/**
 * A label at each point: above or below it, left or right, with its title where there is room,
 * else by its letter; where not even that fits, in a line more of the nearest.
 */
export function labelsOf<P extends Labelled>(points: readonly P[], frame: Frame): Map<P, Label<P>> {
  const { costs, others, narrow } = frame;
  const at = ({ usd, value }: P) => ({
    x: (usd - costs.low) / spanOf(costs),
    y: (value - others.low) / spanOf(others),
  });
  const marks = points.map((point): [P, Box] => {
    const { x, y } = at(point);
    return [
      point,
      {
        x: { low: x - MARK.wide, high: x + MARK.wide },
        y: { low: y - MARK.high, high: y + MARK.high },
      },
    ];
  });
  const heightOf = (value: number) => (value - others.low) / spanOf(others);
  const lines = points.flatMap((point): [P, Box][] => {
    if (!point.off) return [];
    const [low, high] = point.off;
    const { x } = at(point);
    const wide = MARK.wide / 4;
    return [
      [
        point,
        { x: { low: x - wide, high: x + wide }, y: { low: heightOf(low), high: heightOf(high) } },
      ],
    ];
  });
  const taken: Box[] = [];
  const labels = new Map<P, Label<P>>();
  const put = (point: P, title: string): boolean => {
    const { x, y } = at(point);
    const wide =
      (point.letter.length + title.length + 3) * CHARACTER_WIDE[narrow ? 'narrow' : 'wide'];
    const isLeft = x > LEFT_FROM;
    for (const left of [isLeft, !isLeft]) {
      const across = left ? { low: x - wide, high: x } : { low: x, high: x + wide };
      // The side that is usual for its place has room by the margins.
      if (left !== isLeft && (across.low < 0 || across.high > 1)) continue;
      for (const side of ['top', 'bottom'] as const) {
        const up = side === 'top' ? y : y - LINE_HIGH;
        const box = { x: across, y: { low: up, high: up + LINE_HIGH } };
        const isCovered = [...marks, ...(title ? lines : [])].some(
          ([{ usd, value }, mark]) =>
            (usd !== point.usd || value !== point.value) && meet(box, mark),
        );
        if (isCovered || taken.some((other) => meet(box, other))) continue;
        taken.push(box);
        const textposition = `${side} ${left ? 'left' : 'right'}`;
        labels.set(point, { lines: [{ of: point, title }], textposition });
        return true;
      }
    }
    return false;
  };
  const order = [...points].sort((a, b) => b.value - a.value);
  const titleOf = ({ title }: P) => (narrow ? '' : title);
  const crowded = order
    .filter((point) => !put(point, titleOf(point)))
    .filter((point) => !put(point, short(titleOf(point), SHORT)));
  for (const point of crowded.filter((one) => !put(one, ''))) {
    const far = ([other]: [P, Label<P>]) =>
      Math.hypot(at(other).x - at(point).x, at(other).y - at(point).y);
    const [nearest] = [...labels].sort((a, b) => far(a) - far(b));
    nearest?.[1].lines.push({ of: point, title: titleOf(point) });
  }
  return labels;
}
