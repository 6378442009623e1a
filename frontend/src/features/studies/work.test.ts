import { USD } from '../../lib/format';
import type { JsonSchema } from '../../lib/schema';
import {
  askedOf,
  chosenFor,
  modelsOf,
  isMistyped,
  keptNote,
  shownText,
  textFault,
  TODAY,
  withTyped,
  workFields,
  type Beginning,
  type Field,
} from './work';

const begin: Beginning = {
  workload: { kind: 'demand' },
  shape: '',
  origins: {},
  typed: {},
  chosen: {},
  horizon_months: 36,
  gpu: '',
  place: { region: '', currency: 'USD' },
};

const amount = (title: string, unit: string, bounds: JsonSchema): JsonSchema => ({
  type: 'number',
  title,
  unit,
  ...bounds,
});

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
});

it('a value that the plan cannot take is to be corrected before anything is asked', () => {
  const growth = '/workload/growth/cores_fraction_per_year';
  const plan = object({
    workload: object({
      growth: object({
        cores_fraction_per_year: amount('Busy cores', 'fraction/yr', { exclusiveMinimum: -1 }),
      }),
    }),
    assumptions: object({ pue: amount('PUE', 'ratio', { minimum: 1 }) }),
  });
  const typed = (pointer: string, text: string) => ({ ...begin, typed: { [pointer]: text } });
  expect(isMistyped(begin, plan, USD)).toBe(false);
  for (const text of ['12', '0', '-5%', '−99']) {
    expect([text, isMistyped(typed(growth, text), plan, USD)]).toEqual([text, false]);
  }
  expect(isMistyped(typed(growth, '-100'), plan, USD)).toBe(true);
  expect(isMistyped(typed('/assumptions/pue', '0.9'), plan, USD)).toBe(true);
  expect(isMistyped(typed('/assumptions/pue', '1.2'), plan, USD)).toBe(false);
});

it('takes amounts with the name of the currency that the study is paid in', () => {
  const pay = { pointer: '/a', label: 'Pay', unit: 'USD/FTE-yr', hint: '', initial: null };
  const field: Field = { ...pay, empty: '', isRequired: false };
  const euros = { code: 'EUR', per_usd: 0.9 };
  expect(textFault('EUR 90,000', field, euros)).toBeNull();
  expect(textFault('EUR 90,000', field, USD)).toContain('USD');
  expect(textFault('ninety', field, euros)).toContain('EUR');
});

it('zero is a value and an empty field is none, in every field', () => {
  const held = { workload: { a: 3, b: 3 }, assumptions: { c: 3, electricity: { d: 3 } } };
  const field = (pointer: string, isRequired = false): Field => ({
    pointer,
    label: '',
    unit: '',
    hint: '',
    initial: 5,
    empty: '',
    isRequired,
  });
  const optional = ['/workload/b', '/assumptions/c', '/assumptions/electricity/d'];
  const fields = [field('/workload/a', true), ...optional.map((at) => field(at))];
  const all = (text: string) => Object.fromEntries(fields.map(({ pointer }) => [pointer, text]));
  expect(withTyped(held, fields, all('0'))).toEqual({
    workload: { a: 0, b: 0 },
    assumptions: { c: 0, electricity: { d: 0 } },
  });
  expect(withTyped(held, fields, all(' '))).toEqual({
    workload: { a: 0 },
    assumptions: { electricity: {} },
  });
  expect(withTyped({ assumptions: {} }, fields.slice(1), all(''))).toEqual({ assumptions: {} });
});

it('growth of every kind follows the one field, and so does where it comes from', () => {
  const plan = {} as JsonSchema;
  const grows = '/workload/growth/cores_fraction_per_year';
  const origins = {
    '/growth/block_fraction_per_year': { quality: 'measured', source: 'a trace' },
    '/busy_cores_count': { quality: 'measured', source: 'a trace' },
  } as Beginning['origins'];
  const asked = (typed: string) =>
    askedOf(
      {
        ...begin,
        workload: { kind: 'demand', busy_cores_count: 4, growth: { cores_fraction_per_year: 1 } },
        origins,
        typed: { [grows]: typed },
        chosen: { owned: 0 },
      },
      plan,
    );
  const growth = asked('0')?.workload.growth as Record<string, number>;
  expect(Object.values(growth)).toEqual(Array(7).fill(0));
  expect(asked('')?.workload.growth).toEqual({});
  const origin = { quality: 'typed', source: 'Typed in' };
  expect(asked('0')?.workload_provenance).toEqual({
    '/busy_cores_count': origins['/busy_cores_count'],
    ...Object.fromEntries(Object.keys(growth).map((name) => [`/growth/${name}`, origin])),
  });
  expect(Object.keys(asked('')?.workload_provenance ?? {})).toEqual(['/busy_cores_count']);
});

it('amounts of money are shown and read in the currency of the study', () => {
  const euro = { code: 'EUR', per_usd: 0.8 };
  const power: Field = {
    pointer: '/assumptions/electricity/usd_per_kwh',
    label: '',
    unit: 'USD/kWh',
    hint: '',
    initial: 0.25,
    empty: '',
    isRequired: false,
  };
  expect(shownText(power, {}, {}, euro)).toBe('0.2');
  const typed = { [power.pointer]: '0.2' };
  const held = withTyped({ assumptions: {} }, [power], typed, euro);
  expect(held).toEqual({ assumptions: { electricity: { usd_per_kwh: 0.25 } } });
});

test.each([
  ['90,000', 'EUR', 'Typed in USD: the digits are kept, now in EUR.'],
  ['90k a year', 'EUR', 'Typed in USD: the digits are kept, now in EUR.'],
  ['90,000', 'USD', null],
  ['$90,000', 'EUR', null],
  ['EUR 90,000', 'EUR', null],
  ['', 'EUR', null],
])('%s, typed in dollars, of a study that is then in %s, notes: %s', (text, code, note) => {
  const field: Field = {
    pointer: '/a',
    label: 'Pay',
    unit: 'USD/FTE-yr',
    hint: '',
    initial: null,
    empty: '',
    isRequired: false,
  };
  expect(keptNote(text, field, 'USD', { code, per_usd: 0.9 })).toBe(note);
  expect(keptNote(text, { ...field, unit: 'W' }, 'USD', { code, per_usd: 0.9 })).toBeNull();
});

it('of what is counted takes whole numbers only, with the word for it, and says so', () => {
  const gpus: Field = {
    pointer: '/workload/gpu_peak_count',
    label: 'GPUs at peak',
    unit: 'count',
    hint: '',
    initial: 0,
    empty: '',
    isRequired: false,
    bounds: { type: 'number', multipleOf: 1, minimum: 0, unit: 'count' },
  };
  for (const text of ['16', '16 GPUs', '16.0', '0']) {
    expect([text, textFault(text, gpus, USD)]).toEqual([text, null]);
  }
  for (const text of ['8.5', '0.5 GPUs', '8.5 pieces']) {
    expect([text, textFault(text, gpus, USD)]).toEqual([text, 'Enter a whole number, such as 12.']);
  }
});

describe('streams of inference', () => {
  const count = (title: string) => amount(title, 'count', {});
  const plan = object({
    workload: object({
      gpu_peak_count: count('GPUs at peak'),
      streams: {
        type: 'array',
        items: { ...object({ users_count: count('Users') }), title: 'InferenceStream' },
      },
    }),
    assumptions: object({}),
  });
  const stream = { name: 'Chat', model: 'Llama-3.1-70B', users_count: 2000 };
  const served = { kind: 'demand', streams: [stream] };

  it('are asked in place of a count of GPUs, each by its name where there are several', () => {
    const labels = (workload: Beginning['workload']) =>
      workFields(plan, workload).map(({ label }) => label);
    expect(labels({ kind: 'demand' })).toContain('GPUs at peak');
    expect(labels(served)).toContain('Users');
    expect(labels(served)).not.toContain('GPUs at peak');
    const two = { kind: 'demand', streams: [stream, { ...stream, name: 'Search' }] };
    expect(labels(two)).toContain('Search: Users');
  });

  it('are work by themselves, with what was typed of them, and may be served by an API', () => {
    const options = chosenFor({ owned: 0 }, served);
    expect(options).toEqual({ owned: 0, api: 0 });
    expect(chosenFor(options, { kind: 'demand' })).toEqual({ owned: 0 });
    const typed = { '/workload/streams/0/users_count': '5,000' };
    const asked = askedOf({ ...begin, workload: served, typed, chosen: options }, plan, USD);
    expect(asked?.workload).toMatchObject({ streams: [{ ...stream, users_count: 5000 }] });
    expect(asked?.options?.map(({ option }) => option)).toEqual(['api', 'owned']);
  });

  it('stand beside training jobs, which no API does and spot may', () => {
    const job = { name: 'Tuning', model: 'Llama-3.1-8B', train_tokens: 1e9 };
    const trained = { kind: 'demand', trainings: [job] };
    expect(modelsOf(trained)).toEqual([{ list: 'trainings', pointer: '/trainings/0', one: job }]);
    expect(chosenFor({ owned: 0, api: 0 }, trained)).toEqual({ owned: 0, spot: 0 });
    expect(chosenFor({ owned: 0, spot: 0 }, served)).toEqual({ owned: 0, api: 0 });
    const both = { ...served, trainings: [job] };
    expect(workFields(plan, both).map(({ label }) => label)).toContain('Chat: Users');
    expect(chosenFor({ owned: 0, api: 0 }, both)).toEqual({ owned: 0, spot: 0 });
  });
});

it('what is paid today goes with the work, as today; a shape alone is no work', () => {
  const plan = {} as JsonSchema;
  const work = { kind: 'demand', busy_cores_count: 4 };
  const asked = (workload: Beginning['workload'], typed: Beginning['typed']) =>
    askedOf({ ...begin, workload, typed, chosen: { owned: 0 } }, plan);
  expect(asked(work, {})?.baseline).toBeUndefined();
  expect(asked(work, { [TODAY]: '0' })?.baseline).toBeUndefined();
  const moved = asked(work, { [TODAY]: '5000' });
  expect(moved?.baseline).toEqual({ kind: 'today', other_usd_per_month: 5000 });
  expect(moved?.workload_provenance).toEqual({});
  expect(asked({ kind: 'demand' }, { '/workload/p99_ratio': '2' })).toBeNull();
});
