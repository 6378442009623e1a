import type { DesignResult } from '../../../lib/comparison';
import { money, type Currency } from '../../../lib/format';

const HEIGHT = 22;
const BAR = 10;
const GAP = 3;

interface YearBarsProps {
  design: DesignResult;
  designs: readonly DesignResult[];
  currency: Currency;
}

/** The payments of each year as small bars, on one scale for all designs. */
export function YearBars({ design, designs, currency }: YearBarsProps) {
  const high = Math.max(1, ...designs.flatMap((entry) => entry.years.map((year) => year.cash_usd)));
  const text = design.years
    .map((year) => `year ${year.year} ${money(year.cash_usd, currency)}`)
    .join(', ');
  const width = design.years.length * (BAR + GAP) - GAP;
  return (
    <svg width={Math.max(width, 0)} height={HEIGHT} role="img" aria-label={text}>
      <title>{text}</title>
      {design.years.map((year, at) => {
        const tall = Math.max(1, (Math.max(0, year.cash_usd) / high) * HEIGHT);
        return (
          <rect
            key={year.year}
            x={at * (BAR + GAP)}
            y={HEIGHT - tall}
            width={BAR}
            height={tall}
            rx={1}
            fill={`var(--design-${design.letter})`}
          />
        );
      })}
    </svg>
  );
}
