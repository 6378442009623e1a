// @vitest-environment jsdom
import { joulesByPolicy, modulePower, slowDown } from './policies-figure';
import {
  bestPolicy,
  moduleSentence,
  policiesMore,
  policiesSentence,
  policyPoints,
} from './memory-policies';
import type { ModuleAnswer, PoliciesAnswer } from './memory-policies';

const row = (technique: string, watts: number, ratio: number) => ({
  technique,
  average_w: watts,
  saving_fraction: 1 - watts / 50,
  response_ns: 60,
  runtime_ratio: ratio,
  pdd_w: watts * ratio ** 2,
  reason: null,
});
const ANSWER: PoliciesAnswer = {
  rate_per_s: 1_769_500,
  techniques: [row('NOPM', 50, 1), row('ISR', 9, 2.6), row('PAVM_IPD', 15, 1.009)],
};
const OPTIONS = { theme: 'light', narrow: false } as const;

describe('memory power policies', () => {
  test('the best has the least power times delay squared, not the least power', () => {
    expect(bestPolicy(ANSWER)?.technique).toBe('PAVM_IPD');
    const sentence = policiesSentence(ANSWER);
    expect(sentence).toContain('**PAVM+IPD is best for this traffic: 15.0\u00a0W of 50.0\u00a0W**');
    expect(sentence).toContain('70% less, and the work takes 0.9% longer');
    expect(policiesMore(ANSWER)).toContain('1.77 million accesses a second');
  });

  test('a policy without a formula says why, and is no bar', () => {
    const none = { ...row('HW', 1, 1), average_w: null, pdd_w: null, runtime_ratio: null };
    const answer = { ...ANSWER, techniques: [{ ...none, reason: 'No formula.' }] };
    expect(policiesSentence(answer)).toContain('Simulate it');
    expect(policiesMore(answer)).toContain('HW: No formula.');
    expect(joulesByPolicy(policyPoints(answer), 'a second', OPTIONS)).toBeNull();
    expect(slowDown(policyPoints(answer), OPTIONS)).toBeNull();
  });

  test('joules of a second stand beside how much longer the work takes', () => {
    const points = policyPoints(ANSWER);
    const joules = joulesByPolicy(points, 'a second', OPTIONS);
    expect(joules?.title).toBe('ISR uses the least energy: 9.00\u00a0J in a second');
    expect(joules?.table.rows).toEqual([
      ['NOPM', 50],
      ['ISR', 9],
      ['PAVM+IPD', 15],
    ]);
    expect(slowDown(points, OPTIONS)?.title).toContain('ISR slows the work most: 160% longer');
  });

  test('simulated joules are split by cause, and the causes add up', () => {
    const causes = {
      standby_w: 4,
      powerdown_w: 3,
      self_refresh_w: 1,
      peripheral_w: 5,
      access_w: 2,
    };
    const answer = {
      ...ANSWER,
      techniques: [{ ...row('HW_SW', 15, 1), energy_j: 0.75, causes }],
    };
    const [point] = policyPoints(answer);
    // 15 W for 0.75 J: 50 ms.
    expect(point?.pieces.reduce((sum, { joules }) => sum + joules, 0)).toBeCloseTo(0.75);
    expect(joulesByPolicy(policyPoints(answer), 'x', OPTIONS)?.data).toHaveLength(5);
  });
});

describe('modules', () => {
  const policy = (name: 'ready' | 'power_down', watts: number) => ({
    policy: name,
    average_w: watts,
    standby_w: watts,
    powerdown_w: 0,
    refresh_w: 0,
    register_w: 0,
    traffic_w: 0,
    energy_kwh_per_year: watts * 10,
    electricity_usd_per_year: watts,
  });
  const known: ModuleAnswer = {
    states: [],
    policies: [policy('ready', 92), policy('power_down', 80)],
    powerdown_saving_w: 12,
    reason: null,
  };

  test('draw less with power-down, in watts, kilowatt hours and dollars', () => {
    expect(moduleSentence(known)).toContain('92.0\u00a0W always ready and 80.0\u00a0W');
    expect(moduleSentence(known)).toContain('saves 120\u00a0kWh and $12 a year');
    expect(modulePower(known, OPTIONS)?.table.rows).toHaveLength(2);
  });

  test('whose currents are not known draw nothing on screen', () => {
    const unknown = { ...known, policies: [], reason: 'IDD2P is not given.' };
    expect(moduleSentence(unknown)).toContain('**Power is not known.** IDD2P is not given.');
    expect(modulePower(unknown, OPTIONS)).toBeNull();
  });
});
