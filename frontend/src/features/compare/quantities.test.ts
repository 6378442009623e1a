import { byRule, join, split, type Quantity } from './quantities';

const member = (pointer: string, label = pointer) => ({
  pointer,
  label,
  unit: '',
  value: 1,
  low: 0,
  high: 2,
});
const of = (key: string, pointers: string[], by_hand = false): Quantity => ({
  key,
  label: `The ${key}`,
  members: pointers.map((pointer) => member(pointer)),
  by_hand,
  explains_fraction: null,
  explains: null,
});
const staff = of('staff', ['/a', '/b']);
const price = of('price', ['/c']);
const held = {
  ranges: ['/a', '/b', '/c'].map((pointer) => ({ pointer, low: 0, high: 2 })),
  correlations: [{ first: 'staff', second: 'price', spearman_ratio: 0.5 }],
};

describe('quantities of a study', () => {
  it('splits one input off, and keeps what the others are correlated with', () => {
    const changes = split(held, [staff, price], '/b');
    expect(changes).toEqual({
      '/ranges': [held.ranges[0], { ...held.ranges[1], quantity: '/b, apart' }, held.ranges[2]],
    });
    const taken = of('/b, apart', ['/d'], true);
    expect(split(held, [staff, taken], '/b')['/ranges']).toMatchObject([
      {},
      { quantity: '/b, apart 2' },
      {},
    ]);
  });

  it('joins two, and takes correlations of what is no more away', () => {
    const changes = join(held, staff, price);
    expect(changes['/ranges']).toMatchObject(Array(3).fill({ quantity: 'The price' }));
    expect(changes['/assumptions/correlations']).toEqual([]);
    const named = of('Ours', ['/c'], true);
    expect(join(held, staff, named)['/ranges']).toMatchObject(Array(3).fill({ quantity: 'Ours' }));
  });

  it('goes back to the rule', () => {
    const own = of('Ours', ['/a', '/c'], true);
    expect(byRule(held, own)['/ranges']).toMatchObject([
      { quantity: null },
      {},
      { quantity: null },
    ]);
    expect(byRule(held, own)['/assumptions/correlations']).toBeUndefined();
  });
});
