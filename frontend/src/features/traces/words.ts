import { date, percent, quantity, significant } from '../../lib/format';
import { numberTokens } from '../../lib/tokens';
import { figureOf, type Trace } from '../../lib/traces';
import type { SurvivalCurve } from './charts';

const SPACE = numberTokens.space;

function unit(value: number, name: string): string {
  return `${value}${SPACE}${name}`;
}

/** A length of time in the two units that matter: 2 h 5 min, 7 days 3 h, 48 s. */
export function span(seconds: number): string {
  if (seconds < 60) return seconds < 10 ? quantity(seconds, 's') : unit(Math.round(seconds), 's');
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return unit(minutes, 'min');
  const hours = Math.floor(minutes / 60);
  if (hours < 48) {
    return [unit(hours, 'h'), minutes % 60 > 0 && unit(minutes % 60, 'min')]
      .filter(Boolean)
      .join(SPACE);
  }
  const days = Math.floor(hours / 24);
  return [unit(days, 'days'), hours % 24 > 0 && unit(hours % 24, 'h')].filter(Boolean).join(SPACE);
}

const whole = (value: number) => Math.round(value).toLocaleString('en-GB');

/** A short time with its own unit: 610 µs, 6.3 ms, 1.05 s. */
export function shortTime(seconds: number): string {
  return seconds > 0 ? quantity(seconds, 's') : '0 s';
}

function need(trace: Trace) {
  return (name: string) => figureOf(trace, name) ?? 0;
}

function power(trace: Trace): string {
  const watts = figureOf(trace, 'power_mean_w');
  return watts === null ? '' : `, drawing ${quantity(watts, 'W')} on average`;
}

/** One sentence for the list. */
export function headline(trace: Trace): string {
  if (!trace.summary) return '';
  const at = need(trace);
  if (trace.kind === 'utilization') {
    const machines = at('machines_count');
    const who = machines === 1 ? 'One machine' : `${whole(machines)} machines`;
    if (figureOf(trace, 'cpu_mean_fraction') === null) {
      return `${who} over ${span(at('duration_s'))}${power(trace)}.`;
    }
    return `${who} over ${span(at('duration_s'))}, ${percent(at('cpu_mean_fraction'))} busy on average.`;
  }
  if (trace.kind === 'fleet') {
    return `${whole(at('drives_count'))} drives of ${whole(at('models_count'))} models, ${whole(
      at('failures_count'),
    )} failed: ${percent(at('afr_per_year'))} a year.`;
  }
  if (trace.format === 'fio_json') {
    return `${whole(trace.rows_count ?? 0)} measured points, up to ${whole(at('iops_peak_per_s'))} requests/s.`;
  }
  return `${whole(at('requests_count'))} requests in ${span(at('duration_s'))}, ${significant(
    at('rate_per_s'),
  )} per second, ${percent(at('read_fraction'))} reads.`;
}

function burst(trace: Trace): string {
  const at = need(trace);
  const peak = whole(at('peak_rate_per_s'));
  const ratio = at('peak_to_mean_ratio');
  const cv = at('gap_cv_ratio');
  if (at('duration_s') < 2) return '';
  const kind =
    cv > 1.3
      ? 'they come in bursts'
      : cv > 0.7
        ? 'they come about as a Poisson stream does'
        : 'they come evenly';
  return `The busiest second has ${peak} requests, ${significant(ratio, 2)} times the mean: ${kind} (the gaps vary by ${significant(cv, 2)} times their mean).`;
}

function places(trace: Trace): string {
  const at = need(trace);
  if (trace.kind !== 'block') return '';
  const about = (trace.summary as Record<string, unknown>).footprint_is_exact ? '' : 'about ';
  const days = at('duration_s') > 1.5 * 86_400;
  const perDay = days
    ? `; a day touches ${quantity(at('footprint_day_mean_bytes'), 'B')} on average, ${quantity(
        at('footprint_day_peak_bytes'),
        'B',
      )} at most`
    : '';
  return `They touch ${about}${quantity(at('footprint_bytes'), 'B')} of different data${perDay}; ${percent(
    at('sequential_fraction'),
  )} begin where the last one ended.`;
}

function idle(trace: Trace): string {
  const share = need(trace)('idle_above_10s_fraction');
  const short = need(trace)('idle_above_1s_fraction');
  if (share > 0.05) {
    return `${percent(share)} of the time lies in gaps above 10 s, long enough for a disk to sleep.`;
  }
  return short > 0.05
    ? `${percent(short)} of the time lies in gaps above 1 s, ${share > 0 ? 'little' : 'none'} above 10 s.`
    : 'There are no gaps long enough for a disk to sleep.';
}

function blockSentences(trace: Trace): string[] {
  const at = need(trace);
  const devices = at('devices_count');
  const where = devices > 1 ? ` on ${devices} devices` : '';
  // A log of averages gives no sizes.
  const sizes =
    figureOf(trace, 'size_mean_bytes') === null
      ? ''
      : `A request has ${quantity(at('size_mean_bytes'), 'B')} on average (median ${quantity(
          at('size_p50_bytes'),
          'B',
        )}); ${quantity(at('read_bytes'), 'B')} are read, ${quantity(at('write_bytes'), 'B')} written${where}.`;
  return [sizes, burst(trace), places(trace), idle(trace), responses(trace)].filter(Boolean);
}

function responses(trace: Trace): string {
  const found = (trace.summary as { response?: Record<string, number> | null }).response;
  if (!found) return '';
  const { mean_s: mean = 0, p95_s: p95 = 0, p99_s: p99 = 0 } = found;
  return `The file gives response times: ${shortTime(mean)} on average, 95% within ${shortTime(p95)}, 99% within ${shortTime(p99)}.`;
}

function cpuSentence(trace: Trace): string {
  const at = need(trace);
  if (figureOf(trace, 'cpu_mean_fraction') === null) return '';
  const highest = `the highest is ${percent(at('cpu_peak_fraction'))}`;
  if (at('machines_count') === 1) {
    return `One sample of 20 is above ${percent(at('cpu_p95_fraction'))}; ${highest}.`;
  }
  return `One sample of 20 is above ${percent(at('cpu_p95_fraction'))}; ${highest}. All together peak at ${percent(
    at('together_peak_fraction'),
  )}.`;
}

function utilizationSentences(trace: Trace): string[] {
  const at = need(trace);
  const rows = [cpuSentence(trace)];
  const step = `A step is ${span(at('step_s'))}`;
  const missing = at('missing_fraction');
  rows.push(
    missing > 0.0005
      ? `${step}; ${percent(missing)} of the samples are missing.`
      : `${step}; no sample is missing.`,
  );
  const hour = figureOf(trace, 'peak_hour');
  if (hour !== null && at('duration_s') >= 86_400) {
    rows.push(`The busiest hour of the day begins at ${String(hour).padStart(2, '0')}:00.`);
  }
  const memory = figureOf(trace, 'memory_mean_fraction');
  if (memory !== null) {
    rows.push(
      `Memory is ${percent(memory)} full on average, ${percent(at('memory_peak_fraction'))} at most.`,
    );
  }
  const watts = figureOf(trace, 'power_mean_w');
  if (watts !== null) {
    rows.push(
      `Together they draw ${quantity(watts, 'W')} on average, ${quantity(at('power_peak_w'), 'W')} at most.`,
    );
  }
  return rows.filter(Boolean);
}

function fleetSentences(trace: Trace): string[] {
  const at = need(trace);
  const { first_day, last_day } = trace.summary as Record<string, string>;
  const days = at('days_count');
  const when =
    days === 1 ? `On ${date(first_day)}` : `From ${date(first_day)} to ${date(last_day)}`;
  return [
    `${when}, ${whole(at('drive_days_count'))} drive days were recorded${
      days === 1 ? '' : ` on ${whole(days)} days`
    }.`,
    `Chance alone allows ${percent(at('afr_low_per_year'))} to ${percent(
      at('afr_high_per_year'),
    )} a year (95% interval).`,
  ];
}

/** In words: do failures grow with age? */
export function shapeSentence(curve: SurvivalCurve): string {
  const { weibull_shape_low_ratio: low, weibull_shape_high_ratio: high } = curve;
  const what =
    low > 1
      ? 'they fail more often as they age'
      : high < 1
        ? 'they fail less often as they age'
        : 'whether failures grow with age cannot be told';
  return `Weibull law: shape ${significant(curve.weibull_shape_ratio)} (${significant(
    low,
  )} to ${significant(high)}), so ${what}; scale ${significant(curve.weibull_scale_years)} years. ${whole(
    curve.failures_count,
  )} of ${whole(curve.drives_count)} drives failed.`;
}

/** The summary in sentences, the most telling first. */
export function sentences(trace: Trace): string[] {
  if (!trace.summary) return [];
  if (trace.kind === 'utilization') return utilizationSentences(trace);
  if (trace.kind === 'fleet') return fleetSentences(trace);
  return trace.format === 'fio_json' ? [] : blockSentences(trace);
}
