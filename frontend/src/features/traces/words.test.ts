// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import type { Trace } from '../../lib/traces';
import { headline, sentences, span } from './words';

const plain = (text: string) => text.replaceAll(/\s/gu, ' ');

function trace(kind: string, summary: Record<string, unknown>): Trace {
  return { kind, format: 'spc', rows_count: 1, summary } as unknown as Trace;
}

describe('a length of time', () => {
  it.each([
    [48, '48 s'],
    [600, '10 min'],
    [7200, '2 h'],
    [7500, '2 h 5 min'],
    [7 * 86_400 + 3 * 3600, '7 days 3 h'],
  ])('of %d seconds is %s', (seconds, text) => {
    expect(plain(span(seconds))).toBe(text);
  });
});

describe('a block trace', () => {
  const poisson = trace('block', {
    requests_count: 100_000,
    duration_s: 1000,
    rate_per_s: 100,
    read_fraction: 0.5,
    peak_rate_per_s: 130,
    peak_to_mean_ratio: 1.3,
    gap_cv_ratio: 1,
    size_mean_bytes: 8192,
    size_p50_bytes: 8192,
    footprint_bytes: 2e9,
    footprint_is_exact: false,
    idle_above_1s_fraction: 0,
    idle_above_10s_fraction: 0,
  });

  it('is told in one sentence', () => {
    expect(plain(headline(poisson))).toBe('100,000 requests in 17 min, 100 per second, 50% reads.');
  });

  it('says what its arrivals are like and what it touches', () => {
    const text = plain(sentences(poisson).join(' '));
    expect(text).toContain('about as a Poisson stream');
    expect(text).toContain('about 2.00 GB');
    expect(text).toContain('no gaps long enough');
  });
});

describe('a utilisation trace', () => {
  it('without CPU speaks of watts only', () => {
    const watts = trace('utilization', {
      machines_count: 2,
      duration_s: 7200,
      step_s: 60,
      missing_fraction: 0,
      cpu_mean_fraction: null,
      power_mean_w: 410,
      power_peak_w: 520,
    });
    expect(plain(headline(watts))).toBe('2 machines over 2 h, drawing 410 W on average.');
    expect(sentences(watts).join(' ')).not.toContain('%');
  });
});
