// @vitest-environment jsdom
import { replayMore, savingOf, type Day, type Replay } from './replay';

const day = (policy: string, energy_kwh: number): Day => ({
  policy,
  energy_kwh,
  migrations_count: 5,
  hosts_on_mean_count: 20,
  slatah_fraction: 0.05,
  pdm_fraction: 0.01,
  slav_fraction: 5e-4,
  esv_kwh: 0.03,
  series: [{ at_h: 2, energy_kwh, hosts_on_count: 20, migrations_count: 5 }],
});
const kept = day('THR-MMT-0.8', 60);
const counted = { ...kept, moving_kwh: 1, switches_count: 12, switching_kwh: 3 };
const replay: Replay = {
  machines_count: 40,
  hosts_count: 40,
  duration_h: 24,
  days: [day('DVFS', 100), counted],
};
const price = { usd_per_kwh: 0.1, pue: 1, carbon: null };

test('moving and switching are taken off what is saved, and told', () => {
  expect(savingOf(replay, counted, price)?.kwh).toBeCloseTo((100 - 60 - 4) * 365);
  const told = replayMore(replay, counted, price).replaceAll('\u00a0', ' ');
  expect(told).toContain('Moving uses 1.00 kWh and switching 3.00 kWh, with 12 servers');
  expect(told).toContain('1.46 MWh and $146 a year, already taken off');
});

test('a run kept from before says that it does not count them', () => {
  expect(savingOf(replay, kept, price)?.kwh).toBeCloseTo(40 * 365);
  expect(replayMore(replay, kept, price)).toContain('not counted in this run');
});
