// What a label covers, as shares of the plot.
const LABEL_HIGH = 0.075;
const LABEL_WIDE = { wide: 0.42, narrow: 0.1 };

interface Frame {
  costs: { low: number; high: number };
  others: { low: number; high: number };
  narrow: boolean;
}

/** Points whose labels would lie over each other, together; each group from the top down. */
export function labelGroups<P extends { usd: number; value: number }>(
  points: readonly P[],
  { costs, others, narrow }: Frame,
): { points: P[]; isLeft: boolean }[] {
  const right = costs.low + 0.6 * (costs.high - costs.low);
  const wide = (costs.high - costs.low) * LABEL_WIDE[narrow ? 'narrow' : 'wide'];
  const high = (others.high - others.low) * LABEL_HIGH;
  const covers = ({ usd }: P) => (usd > right ? [usd - wide, usd] : [usd, usd + wide]);
  const meet = (one: P, other: P) => {
    const [[from = 0, to = 0], [start = 0, end = 0]] = [covers(one), covers(other)];
    return from < end && start < to && Math.abs(one.value - other.value) < high;
  };
  const groups: P[][] = [];
  for (const point of points) {
    const near = groups.filter((group) => group.some((other) => meet(point, other)));
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push([...near.flat(), point]);
  }
  return groups.map((group) => ({
    points: group.sort((a, b) => b.value - a.value),
    isLeft: group.some(({ usd }) => usd > right),
  }));
}

/** One label above its point, two above and below, more in lines above the highest point. */
export function placed<P>(
  { points, isLeft }: { points: readonly P[]; isLeft: boolean },
  label: (point: P) => string,
) {
  const side = isLeft ? ('left' as const) : ('right' as const);
  const lines = points.length > 2 ? [points.map(label).join('<br>')] : points.map(label);
  return points.map((point, at) => {
    const text = [lines[at] ?? ''];
    return [point, { text, textposition: `${at === 0 ? 'top' : 'bottom'} ${side}` }] as const;
  });
}
