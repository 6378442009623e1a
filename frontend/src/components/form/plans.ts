import { isObject, join, type Json, type JsonObject } from '../../lib/pointer';
import type { RegionPrices } from '../../lib/types';
import { nothing, together, type Filling } from './places';

type RegionPrice = RegionPrices['prices'][number];
type PlanPrice = RegionPrice['plans'][number];

/** A plan with its price of each of a design's instances that has one. */
export interface HeldPlan extends Pick<
  PlanPrice,
  'title' | 'kind' | 'term_months' | 'upfront_fraction'
> {
  prices: (Pick<PlanPrice, 'entry' | 'field' | 'price'> & { name: string })[];
}

const objectsIn = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** The catalogue's entries that the priced parts of a document were taken from. */
export function entriesIn(document: JsonObject): string[] {
  const slugs = Object.values(document).flatMap((held) =>
    objectsIn(held).map(({ entry }) => entry),
  );
  return [...new Set(slugs.filter((slug): slug is string => typeof slug === 'string'))];
}

/** Plans that the catalogue holds for a design's instances, in the order of the price list. */
export function plansOf(document: JsonObject, found: RegionPrices): HeldPlan[] {
  const plans = new Map<string, HeldPlan>();
  for (const { name, entry } of objectsIn(document.instances)) {
    const held = found.prices.find(({ slug }) => slug === entry)?.plans ?? [];
    for (const { title, kind, term_months, upfront_fraction, ...price } of held) {
      const plan = plans.get(title) ?? { title, kind, term_months, upfront_fraction, prices: [] };
      plan.prices.push({ ...price, name: String(name) });
      plans.set(title, plan);
    }
  }
  return [...plans.values()];
}

/** What a plan puts into a commitment: its term, how it is paid, and its prices with sources. */
export function planFilling(pointer: string, plan: HeldPlan): Filling {
  const { title, kind, term_months, upfront_fraction } = plan;
  const at = join(pointer, 'prices');
  const prices = plan.prices.map(({ name, price }): JsonObject => ({
    name,
    usd_per_h: price.value as number,
    ...(price.as_of ? { price_as_of: price.as_of } : {}),
  }));
  const filled: Filling = {
    values: Object.entries({ plan: title, kind, term_months, upfront_fraction, prices }).map(
      ([name, value]) => [join(pointer, name), value],
    ),
    origins: plan.prices.map(({ price, entry, field }, place) => {
      const { quality, source, url, as_of, low, high } = price;
      const origin = { quality, source, url, as_of, low, high, entry, field };
      return [join(join(at, place), 'usd_per_h'), origin];
    }),
  };
  const [first] = plan.prices;
  if (!first) return filled;
  const { quality, source, url, as_of } = first.price;
  for (const name of ['term_months', 'upfront_fraction']) {
    filled.origins.push([join(pointer, name), { quality, source, url, as_of }]);
  }
  return filled;
}

/** Prices in another region of the plans that a document's commitments name. */
export function plansInRegion(document: JsonObject, found: RegionPrices | null): Filling {
  if (!found) return nothing();
  const plans = plansOf(document, found);
  const filled = objectsIn(document.commitments).map((commitment, place) => {
    const plan = plans.find(({ title }) => title === commitment.plan);
    return plan ? planFilling(join(join('', 'commitments'), place), plan) : nothing();
  });
  return together(...filled);
}
