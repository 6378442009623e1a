import { comparison } from '../../../../tests/data';
import type { Comparison } from '../../../lib/comparison';
import { binding } from './binding';
import { causes } from './causes';
import { commitments } from './commitments';
import { cumulative } from './cumulative';
import { defaultPair, shortOf } from './options';
import { tornado } from './tornado';
import { waterfall } from './waterfall';

const narrow = { theme: 'light' as const, currency: comparison.currency, narrow: true };

interface Texts {
  x: number[];
  text: string[];
  textposition: string[] | string;
}

const francs = { ...narrow, currency: { code: 'CHF', per_usd: 0.8 } };
/** What a label of twelve pixels takes at most. */
const width = (label: string) => label.length * 6.5;

describe('the room that labels have', () => {
  it('holds amounts with the code of their currency beside the curves', () => {
    const figure = cumulative(comparison, {
      ...francs,
      ...defaultPair(comparison),
      discounted: true,
    });
    const ends = figure.data.find((trace) => trace.name === 'Ends') as unknown as Texts;
    const plain = ends.text.map((text) => text.replaceAll(/<[^>]*>/g, ''));
    const { l = 0, r = 0 } = figure.layout.margin ?? {};
    for (const text of plain) expect(text).toMatch(/CHF/);
    expect(r).toBeGreaterThanOrEqual(Math.max(...plain.map(width)));
    const ticks = (figure.layout.yaxis?.ticktext ?? []) as string[];
    expect(l).toBeGreaterThan(Math.max(...ticks.map(width)));
  });

  it('sets the title of the commitments beside the amounts of their axis', () => {
    const curve = {
      letter: 'A',
      label: 'Plan',
      committed_fraction: 0.5,
      cost_usd: 2.2e6,
      is_best: true,
      points: [
        { committed_fraction: 0, cost_usd: 3.6e6 },
        { committed_fraction: 1, cost_usd: 2.9e6 },
      ],
    };
    const result = { ...comparison, commitments: [curve] } as unknown as Comparison;
    const layout = commitments(result, francs)?.layout;
    const ticks = (layout?.yaxis?.ticktext ?? []) as string[];
    expect(layout?.margin?.l).toBeGreaterThan(Math.max(...ticks.map(width)) + 20);
  });

  it('keeps the letter of a design in a name that is cut', () => {
    expect(shortOf('Space: colocation per rack (F)', 17)).toBe('Space: coloc… (F)');
    expect(shortOf('Space: colocation per rack (F)', 17)).not.toBe(
      shortOf('Space: colocation per rack (A)', 17),
    );
    expect(shortOf('PUE', 17)).toBe('PUE');
  });

  it('holds the values at the ends of the bars of the tornado inside the plot', () => {
    const longest = { ...comparison.tornado[0], unit: 'USD/rack-month', low: 500, high: 1500 };
    const result = { ...comparison, tornado: [longest] } as Comparison;
    const figure = tornado(result, narrow);
    const [low = 0, high = 0] = (figure?.layout.xaxis?.range ?? []) as number[];
    const { x, text, textposition } = figure?.data.at(-1) as unknown as Texts;
    x.forEach((place, at) => {
      const reach = ((text[at]?.length ?? 0) * 6 * (high - low)) / 240;
      if (textposition[at] === 'middle left') expect(place - reach).toBeGreaterThanOrEqual(low);
      else expect(place + reach).toBeLessThanOrEqual(high);
    });
  });

  it('writes no amount of the waterfall over the names of its steps', () => {
    const figure = waterfall(comparison, { ...narrow, ...defaultPair(comparison) });
    const bars = figure?.data[0] as unknown as Texts & { base: number[] };
    const [low = 0, high = 0] = (figure?.layout.xaxis?.range ?? []) as number[];
    bars.x.forEach((length, at) => {
      const end = (bars.base[at] ?? 0) + length;
      const isCovered = length < 0 && end < low + (high - low) * 0.25;
      if (isCovered) expect(bars.textposition[at]).toBe('none');
    });
    const turned = figure?.data[1] as unknown as Texts | undefined;
    const hidden = (bars.textposition as string[]).filter((place) => place === 'none').length;
    expect(turned?.text.length ?? 0).toBe(hidden);
  });

  it('names only the pieces of a bar that have room for the name', () => {
    const { x, text } = causes(comparison, narrow).data[0] as unknown as Texts;
    const total = Math.max(...comparison.designs.map((design) => design.total_usd));
    text.forEach((label, at) => {
      if (label) expect(((x[at] ?? 0) / total) * 300).toBeGreaterThan(label.length * 5);
    });
    expect(text.some(Boolean)).toBe(true);
  });

  // Value left, credits and what is sold again lengthen a bar past its total.
  it.each([0, 0.4, 3])(
    'holds every bar inside its axis with gains of %s times the costs',
    (share) => {
      const gains = ['value_left', 'credits'].map((cause) => ({
        cause,
        label: cause,
        side: 'owned',
      }));
      const designs = comparison.designs.map((design) => {
        const usd = (design.ranked_usd * share) / 2;
        const causes = gains.map((gain) => ({ ...design.causes[0], ...gain, ranked_usd: -usd }));
        const ranked_usd = design.ranked_usd - 2 * usd;
        return { ...design, ranked_usd, causes: [...design.causes, ...causes] } as typeof design;
      });
      const result = { ...comparison, designs };
      for (const figure of [causes(result, narrow), tornado(result, narrow)]) {
        const [low = 0, high = 0] = (figure?.layout.xaxis?.range ?? []) as number[];
        const bars = (figure?.data ?? []).filter(({ type }) => type === 'bar');
        expect(bars.length).toBeGreaterThan(0);
        for (const { x, base } of bars as unknown as { x: number[]; base: number | number[] }[]) {
          x.forEach((length, at) => {
            const from = typeof base === 'number' ? base : (base[at] ?? 0);
            expect(Math.min(from, from + length)).toBeGreaterThanOrEqual(low);
            expect(Math.max(from, from + length)).toBeLessThanOrEqual(high);
          });
        }
      }
    },
  );

  it('begins what binds with a capital and counts many as many', () => {
    const of = (label: string) =>
      binding(
        {
          ...comparison,
          designs: comparison.designs.map((design) => ({
            ...design,
            carries_load: true,
            binding: { ...design.binding, label },
          })),
        },
        narrow,
      ).title;
    expect(of('disk')).toBe('Disk is the constraint in every design');
    expect(of('queries')).toBe('Queries are the constraint in every design');
  });
});
