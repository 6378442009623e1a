import { ADVICE_START, limits, type Advice } from '../advice/advice';
import { ticksBetween } from './trends-figure';
import { shortName, sizeText, trendsParams, turns } from './trends';

describe('device trends', () => {
  test('turns lie where another platform becomes the better one', () => {
    const flips = ['a', 'a', 'b', 'a'].map((best, at) => ({
      working_set_bytes: 4 ** at,
      accesses_per_j: [1, 1],
      best,
    }));
    expect(turns(flips)).toEqual([8, 32]);
  });

  test('asks nothing while a list has no row with all its values', () => {
    expect(trendsParams({ processors: null, disks: null })).toEqual({});
    expect(trendsParams({ processors: [{ name: 'x', power_w: 1 }], disks: null })).toBeNull();
  });

  test('names and ticks are short', () => {
    expect(shortName('Atom Z500, 1 x 0.8 GHz (2008)')).toBe('Atom Z500');
    expect(sizeText(32_768)).toMatch(/^32\sKiB$/u);
    expect(ticksBetween(8, 60)).toEqual([10, 20, 50]);
  });
});

test('advice marks the limit that is passed', () => {
  const reason = { verdict: 'wimpy_lose', sentence: '', source: '' } as const;
  const advice: Advice = {
    verdict: 'wimpy_lose',
    headline: '',
    reasons: [{ ...reason, rule: 'few_tasks' }],
    next_model: '',
    slow_request_ms: 25,
    slot_use_fraction: 0.5,
  };
  const broken = limits(advice, ADVICE_START).filter((row) => row.broken);
  expect(broken.map((row) => row.rule)).toEqual(['few_tasks']);
});
