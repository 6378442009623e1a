import type { Figure, Trace } from './figure';
import { percent } from './format';

type Numbers = readonly unknown[] | undefined;

const lengthOf = (trace: Trace): Numbers =>
  (trace.orientation === 'h' ? trace.x : trace.y) as Numbers;
const placeOf = (trace: Trace): Numbers =>
  (trace.orientation === 'h' ? trace.y : trace.x) as Numbers;

/** The same traces; each segment of a stacked bar says on hover which share of its bar it is. */
export function withShares({ data, layout }: Figure): readonly Trace[] {
  if (layout.barmode !== 'stack') return data;
  const bars = data.filter((trace) => trace.type === 'bar');
  const totals = new Map<unknown, number>();
  for (const trace of bars) {
    placeOf(trace)?.forEach((place, at) => {
      const length = Number(lengthOf(trace)?.[at] ?? 0);
      totals.set(place, (totals.get(place) ?? 0) + Math.abs(length));
    });
  }
  const told = (trace: Trace, text: unknown, at: number) => {
    const total = totals.get(placeOf(trace)?.[at]) ?? 0;
    const length = Math.abs(Number(lengthOf(trace)?.[at] ?? 0));
    const known = typeof text === 'string' && !text.includes('%') && total > 0;
    return known ? `${text}, ${percent(length / total)} of the bar` : (text as string);
  };
  return data.map((trace) =>
    trace.type === 'bar' && Array.isArray(trace.hovertext)
      ? { ...trace, hovertext: trace.hovertext.map((text, at) => told(trace, text, at)) }
      : trace,
  );
}
