import type { Json, JsonObject } from './pointer';
import { threeWay } from './three-way';

/** Mulberry32: the same documents at each run. */
function random(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Leaves = Map<string, string>;

const KEYS = ['a', 'b', 'c', 'd'];
const GROUPS = ['web', 'db', 'cache'];

/** A document by its leaves: two levels of objects, and a list whose entries have names. */
function documentOf(leaves: Leaves): JsonObject {
  const built: JsonObject = {};
  const groups: Record<string, JsonObject> = {};
  for (const [place, value] of leaves) {
    const [head = '', name = '', key = ''] = place.split('.');
    if (head === 'groups') groups[name] = { ...groups[name], name, [key]: value };
    else built[head] = { ...(built[head] as JsonObject), [name]: value };
  }
  return { ...built, groups: GROUPS.flatMap((name) => groups[name] ?? []) };
}

const places = [
  ...KEYS.flatMap((head) => KEYS.map((name) => `${head}.${name}`)),
  ...GROUPS.flatMap((group) => KEYS.map((key) => `groups.${group}.${key}`)),
];

function changed(leaves: Leaves, pick: (below: number) => number, by: string): Leaves {
  const after = new Map(leaves);
  for (const place of places) if (pick(6) === 0) after.set(place, `${by}${pick(3)}`);
  return after;
}

describe('three sides of a document', () => {
  it('take over what was changed here, and leave the rest as it is stored', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const pick = random(seed);
      const base = changed(new Map(), pick, 'base');
      const mine = changed(base, pick, 'mine');
      const theirs = changed(base, pick, 'theirs');
      const wanted = new Map(theirs);
      for (const [place, value] of mine) if (base.get(place) !== value) wanted.set(place, value);
      const merged = threeWay(documentOf(base), documentOf(mine), documentOf(theirs)) as JsonObject;
      const { groups, ...rest } = documentOf(wanted);
      const { groups: found, ...others } = merged;
      expect(others).toEqual(rest);
      expect(found).toHaveLength((groups as Json[]).length);
      expect(found).toEqual(expect.arrayContaining(groups as Json[]));
    }
  });

  const cases: [string, Json, Json, Json, Json | undefined][] = [
    ['a zero', { n: 1 }, { n: 0 }, { n: 1, m: 2 }, { n: 0, m: 2 }],
    ['an emptied text', { n: 'x' }, { n: '' }, { n: 'y' }, { n: '' }],
    ['a null', { n: 1 }, { n: null }, { n: 2 }, { n: null }],
    ['what I took away', { n: 1, m: 1 }, { m: 1 }, { n: 2, m: 3 }, { m: 3 }],
    ['what they took away', { n: 1, m: 1 }, { n: 1, m: 2 }, { m: 1 }, { m: 2 }],
    ['lists without names', [1, 2], [1, 2, 3], [9], [1, 2, 3]],
    [
      'lists that I left alone',
      { n: [1], m: 1 },
      { n: [1], m: 2 },
      { n: [9, 9], m: 1 },
      { n: [9, 9], m: 2 },
    ],
    [
      'an entry that I took away and one that they added',
      [{ name: 'web' }, { name: 'db' }],
      [{ name: 'db' }],
      [{ name: 'web' }, { name: 'db' }, { name: 'cache' }],
      [{ name: 'db' }, { name: 'cache' }],
    ],
    [
      'an order of mine',
      [{ name: 'web' }, { name: 'db' }],
      [{ name: 'db' }, { name: 'web' }],
      [{ name: 'web', n: 1 }, { name: 'db' }],
      [{ name: 'db' }, { name: 'web', n: 1 }],
    ],
    [
      'another kind, whole',
      { power: { kind: 'curve', idle: 1 } },
      { power: { kind: 'constant', watts: 5 } },
      { power: { kind: 'curve', idle: 2, peak: 3 } },
      { power: { kind: 'constant', watts: 5 } },
    ],
  ];
  it.each(cases)('merge %s', (_name, base, mine, theirs, wanted) => {
    expect(threeWay(base, mine, theirs)).toEqual(wanted);
  });

  it('stop at the level that is asked for', () => {
    const [base, mine] = [{ a: { low: 1, high: 2 } }, { a: { low: 0, high: 2 } }];
    expect(threeWay(base, mine, { a: { low: 1, high: 9 }, b: 1 }, 1)).toEqual({
      a: { low: 0, high: 2 },
      b: 1,
    });
  });
});
