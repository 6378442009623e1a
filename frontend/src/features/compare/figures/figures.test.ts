import { comparison } from '../../../../tests/data';
import type { Comparison, DesignResult } from '../../../lib/comparison';
import type { Figure } from '../../../lib/figure';
import { binding } from './binding';
import { causes } from './causes';
import { commitments } from './commitments';
import { cumulative } from './cumulative';
import { carbon, energy } from './energy';
import { odds } from './odds';
import { defaultPair } from './options';
import { tornado } from './tornado';
import { causeDifferences, waterfall } from './waterfall';

function all(result: Comparison): (Figure | null)[] {
  const options = { theme: 'dark' as const, currency: result.currency, narrow: true };
  const pair = { ...options, ...defaultPair(result) };
  return [
    cumulative(result, { ...pair, discounted: false }),
    cumulative(result, { ...pair, discounted: true }),
    waterfall(result, pair),
    causes(result, options),
    energy(result, options),
    carbon(result, options),
    binding(result, options),
    odds(result, options),
    tornado(result, options),
  ];
}

function scaled(result: Comparison, factor: number): Comparison {
  const text = JSON.stringify(result, (key, value: unknown) =>
    key.endsWith('_usd') && typeof value === 'number' ? value * factor : value,
  );
  return JSON.parse(text) as Comparison;
}

function withDesigns(result: Comparison, designs: DesignResult[]): Comparison {
  const letters = new Set(designs.map((design) => design.letter));
  const winner = letters.has(result.winner ?? '') ? result.winner : (designs[0]?.letter ?? null);
  return {
    ...result,
    designs,
    winner,
    runner_up: designs.length > 1 ? result.runner_up : null,
    break_evens: result.break_evens.filter(
      (row) => letters.has(row.challenger) && letters.has(row.incumbent),
    ),
  };
}

const [first] = comparison.designs as [DesignResult, ...DesignResult[]];
const eight = 'ABCDEFGH'.split('').map((letter, at) => ({
  ...(comparison.designs[at % comparison.designs.length] ?? first),
  letter,
  title: 'A design with a name so long that it has to be cut somewhere <b>& here</b>',
}));

describe.each([
  ['one design', withDesigns(comparison, [first])],
  ['eight designs with long names', withDesigns(comparison, eight)],
  ['tiny amounts', scaled(comparison, 1e-6)],
  ['huge amounts', scaled(comparison, 1e9)],
  ['nothing drawn', { ...comparison, odds: null, tornado: [] }],
])('the figures of %s', (_name, result) => {
  it('say what they find, in words and as a table, with finite numbers', () => {
    for (const figure of all(result)) {
      if (!figure) continue;
      expect(figure.title).not.toMatch(/undefined|NaN|null/);
      expect(figure.summary).not.toMatch(/undefined|NaN|null/);
      expect(JSON.stringify(figure.data)).not.toMatch(/undefined|NaN|<b>&/);
      expect(figure.table.rows.every((row) => row.length === figure.table.columns.length)).toBe(
        true,
      );
    }
  });
});

describe('the cumulative cost', () => {
  const letters = comparison.designs.map((design) => design.letter);
  const pairs = letters.flatMap((from) =>
    letters.filter((to) => to !== from).map((to) => [from, to] as const),
  );
  const options = { theme: 'dark' as const, currency: comparison.currency, narrow: false };

  it.each(pairs)('says of %s and %s when either is cheaper, and on what basis', (from, to) => {
    for (const discounted of [false, true]) {
      const figure = cumulative(comparison, { ...options, from, to, discounted });
      expect(figure.title).toContain(from);
      expect(figure.title).toContain(to);
      expect(figure.title).toContain(discounted ? ', discounted' : ', undiscounted');
    }
  });

  it.each([
    [3, null, 'on, undiscounted, the last of 3 crossings'],
    [2, 'never' as const, 'in this time, undiscounted, after 2 crossings'],
    [1, null, 'on, undiscounted'],
  ])('says that it is one of %s crossings', (count, reason, said) => {
    const rows = comparison.break_evens.map((row) => ({ ...row, crossings_count: count, reason }));
    const pair = { ...defaultPair(comparison), discounted: false, bands: false };
    const figure = cumulative({ ...comparison, break_evens: rows }, { ...options, ...pair });
    expect(figure.title.endsWith(said)).toBe(true);
  });
});

describe('what binds', () => {
  it('shows IOPS and GPUs where a design has them', () => {
    const spare = { ...first.spare, iops_fraction: 0.3, gpu_fraction: 0.25 };
    const result = { ...comparison, designs: [{ ...first, spare }] };
    const figure = binding(result, {
      theme: 'light',
      currency: comparison.currency,
      narrow: false,
    });
    const heads = figure.table.columns.map(({ label }) => label);
    expect(heads).toContain('IOPS used');
    expect(heads).toContain('GPUs used');
    expect(figure.table.rows[0]).toContain(0.75);
  });
});

describe('the waterfall', () => {
  it.each(comparison.designs.map((design) => [first.letter, design.letter] as const))(
    'from %s to %s adds up to the difference',
    (from, to) => {
      const [a, b] = [from, to].map((letter) =>
        comparison.designs.find((design) => design.letter === letter),
      ) as [DesignResult, DesignResult];
      const steps = causeDifferences(a, b);
      const sum = steps.reduce((total, step) => total + step.change_usd, 0);
      expect(sum).toBeCloseTo(b.ranked_usd - a.ranked_usd, 4);
    },
  );

  it('is not drawn between a design and itself', () => {
    const options = { theme: 'light' as const, currency: comparison.currency, narrow: false };
    expect(waterfall(comparison, { ...options, from: 'A', to: 'A' })).toBeNull();
  });
});

interface Pieces {
  x: number[];
  base: number[];
}

describe('the bars', () => {
  const options = { theme: 'light' as const, currency: comparison.currency, narrow: false };

  it.each([causes(comparison, options), energy(comparison, options), carbon(comparison, options)])(
    'start at zero',
    (figure) => {
      expect(Number(figure.layout.xaxis?.range?.[0])).toBeLessThanOrEqual(0);
    },
  );

  it('of causes end at the total of each design', () => {
    const [bar] = causes(comparison, options).data as unknown as { x: number[]; y: number[] }[];
    comparison.designs.forEach((design, at) => {
      const sum = bar?.x.reduce((total, usd, piece) => total + (bar.y[piece] === at ? usd : 0), 0);
      expect(sum).toBeCloseTo(design.ranked_usd, 4);
    });
  });

  it('of causes lose what the legend switches off, and close up where it stood', () => {
    const figure = causes(comparison, options);
    const ids = figure.legend?.entries.map(({ id }) => id) ?? [];
    const labels = figure.legend?.entries.map(({ label }) => label) ?? [];
    expect(ids).toHaveLength(figure.table.rows.length - 1);
    expect(new Set(labels).size).toBe(ids.length);
    expect(figure.legend?.without(new Set())).toEqual(figure.data);

    const [off = ''] = ids;
    const kept = figure.table.rows.slice(1, -1);
    const [bar] = figure.legend?.without(new Set([off])) as unknown as Pieces[];
    expect(bar?.x).toEqual(kept.flatMap((row) => row.slice(2)));
    // What is left begins at zero: the piece at its place is the first of its bar.
    expect(bar?.base.slice(0, comparison.designs.length)).toEqual(comparison.designs.map(() => 0));
    const [none] = figure.legend?.without(new Set(ids)) as unknown as Pieces[];
    expect(none?.x).toEqual([]);
  });

  it('of what is not known are em dashes with the reason', () => {
    const unknown = comparison.designs.map((design) => ({
      ...design,
      energy: {
        kwh: null,
        low_kwh: null,
        high_kwh: null,
        basis: 'unknown' as const,
        reason: 'No meter',
      },
      energy_by_cause_kwh: {},
    }));
    const figure = energy({ ...comparison, designs: unknown }, options);
    expect(figure.title).toBe('Energy is not known for these designs');
    expect(figure.layout.annotations?.map((note) => note.text)).toEqual(
      unknown.map(() => expect.stringContaining('No meter')),
    );
  });
});

describe('why a commitment stands where it does', () => {
  const point = (committed_fraction: number, cost_usd: number) => ({
    committed_fraction,
    cost_usd,
  });
  const curve = {
    letter: 'A',
    pointer: '/designs/A/commitments/0/base_quantile_fraction',
    label: '36 months, 55% off',
    is_best: false,
    quantile_fraction: 0.3,
    committed_fraction: 0.3,
    cost_usd: 120_000,
    points: [point(0, 150_000), point(0.6, 100_000), point(1, 140_000)],
  };
  const options = { theme: 'light' as const, currency: comparison.currency, narrow: false };
  const of = (curves: (typeof curve)[], narrow = false) =>
    commitments({ ...comparison, commitments: curves }, { ...options, narrow });

  it('draws nothing where no design commits', () => {
    expect(of([])).toBeNull();
  });

  it('says what another level would save, and marks where the design stands', () => {
    const figure = of([curve]);
    expect(figure?.title).toMatch(/\$20.* above the level that costs least, 60%/);
    expect(figure?.data[0]?.x).toEqual([0, 0.3, 0.6, 1]);
    expect(figure?.data[1]?.x).toEqual([0.3]);
    expect(figure?.table.rows).toHaveLength(3);
  });

  it('writes letters alone beside the points of a narrow plot', () => {
    const both = [curve, { ...curve, letter: 'B', committed_fraction: 0.31 }];
    expect(of(both)?.data.at(-1)?.text).toEqual(['A  30%, $120\u00a0k', 'B  31%, $120\u00a0k']);
    expect(of(both, true)?.data.at(-1)?.text).toEqual(['A', 'B']);
  });

  it('says that the level is the best one where it is', () => {
    expect(of([{ ...curve, is_best: true }])?.title).toContain('the level that costs least');
    const both = of([
      { ...curve, is_best: true },
      { ...curve, letter: 'B', is_best: true },
    ]);
    expect(both?.title).toBe('Each commitment stands at the level that costs least');
  });
});
