import type { JsonObject } from '../../lib/pointer';
import type { RegionPrices } from '../../lib/types';
import { planFilling, plansInRegion, plansOf } from './plans';

const price = (value: number) => ({
  value,
  unit: 'USD/h',
  quality: 'published' as const,
  source: 'AWS price list, plans.json',
  url: null,
  as_of: '2026-10-20',
  low: null,
  high: null,
  note: '',
});
const whole = { title: 'Savings plan 3 years, all upfront', kind: 'savings_plan' as const };
const plan = (slug: string, value: number) => ({
  ...whole,
  term_months: 36,
  upfront_fraction: 1,
  entry: 'aws-eu-west-1',
  field: `${slug}_savings_plan_3y_all_upfront_usd_per_h`,
  price: price(value),
});
const found: RegionPrices = {
  provider: 'aws',
  region: 'eu-west-1',
  title: 'Ireland',
  prices: [
    {
      slug: 'aws-m7a-large',
      home_region: 'us-east-1',
      entry: 'aws-eu-west-1',
      field: 'aws_m7a_large_usd_per_h',
      price: price(0.13),
      plans: [
        { ...plan('aws_m7a_large', 0.08), title: 'Reserved 1 year', kind: 'reserved' },
        plan('aws_m7a_large', 0.05),
      ],
    },
    {
      slug: 'aws-q9-large',
      home_region: 'eu-west-1',
      entry: '',
      field: '',
      price: null,
      plans: [plan('aws_q9_large', 0.2)],
    },
  ],
};
const document: JsonObject = {
  instances: [
    { name: 'Q', entry: 'aws-q9-large' },
    { name: 'M', entry: 'aws-m7a-large' },
    { name: 'typed by hand' },
  ],
  commitments: [{}, { plan: whole.title, discount_fraction: 0.4 }, { plan: 'of old' }],
};

describe('prices of plans', () => {
  it('lists each plan with the instances that it prices', () => {
    const listed = plansOf(document, found).map(({ title, prices }) => [
      title,
      prices.map(({ name, price: { value } }) => [name, value]),
    ]);
    expect(listed).toEqual([
      [
        whole.title,
        [
          ['Q', 0.2],
          ['M', 0.05],
        ],
      ],
      ['Reserved 1 year', [['M', 0.08]]],
    ]);
  });

  it('fills a commitment with term, payment and prices, each with its entry and field', () => {
    const [first] = plansOf(document, found);
    if (!first) throw new Error('No plan is listed.');
    const { values, origins } = planFilling('/commitments/0', first);
    expect(Object.fromEntries(values)).toEqual({
      '/commitments/0/plan': whole.title,
      '/commitments/0/kind': 'savings_plan',
      '/commitments/0/term_months': 36,
      '/commitments/0/upfront_fraction': 1,
      '/commitments/0/prices': [
        { name: 'Q', usd_per_h: 0.2, price_as_of: '2026-10-20' },
        { name: 'M', usd_per_h: 0.05, price_as_of: '2026-10-20' },
      ],
    });
    expect(Object.fromEntries(origins)['/commitments/0/prices/1/usd_per_h']).toMatchObject({
      quality: 'published',
      entry: 'aws-eu-west-1',
      field: 'aws_m7a_large_savings_plan_3y_all_upfront_usd_per_h',
    });
  });

  it('prices the plans that commitments name in another region, and no others', () => {
    const places = plansInRegion(document, found).values.map(([at]) => at);
    expect(places.length).toBe(5);
    expect(places.every((at) => at.startsWith('/commitments/1/'))).toBe(true);
    expect(plansInRegion(document, null).values).toEqual([]);
  });
});
