import { isObject, read, write, type JsonObject } from '../../lib/pointer';
import { schemaAt, type JsonSchema } from '../../lib/schema';
import { numberFault } from '../../lib/schema-faults';
import { isMoney, USD, type Currency } from '../../lib/format';
import { otherCurrency, readAmount, readTyped, refusalOf, typedText } from '../../lib/units';
import type { Provenance } from '../../lib/types';
import type { Asked } from './api/propose';
import { DESIGN_OPTIONS } from '../../lib/design-options';

/** What of the work is asked first; everything else of it is in the study's forms. */
export const AMOUNTS = [
  '/busy_cores_count',
  '/p99_ratio',
  '/ram_gib',
  '/block_tb',
  '/block_io_per_s',
  '/block_throughput_mb_per_s',
  '/object_tb',
  '/archive_tb',
  '/archive_read_tb_per_month',
  '/egress_tb_per_month',
  '/gpu_peak_count',
  '/gpu_mean_count',
] as const;

/** What of a stream of inference is asked in place of a count of GPUs. */
const STREAMED = [
  'users_count',
  'requests_per_user_h',
  'prompt_tokens',
  'output_tokens',
  'ttft_ms',
  'tpot_ms',
] as const;
/** What of a training job is asked likewise. */
const TRAINED = ['train_tokens', 'deadline_h', 'runs_per_month'] as const;
const OF_MODELS = { streams: STREAMED, trainings: TRAINED } as const;
const OF_GPUS: readonly string[] = ['/gpu_peak_count', '/gpu_mean_count'];

type ModelList = keyof typeof OF_MODELS;

/** A stream of inference or a training job of some work, and where it stands in it. */
export interface ModelWork {
  list: ModelList;
  pointer: string;
  one: JsonObject;
}

/** The streams of inference and the training jobs of some work. */
export const modelsOf = (workload: JsonObject): ModelWork[] =>
  (Object.keys(OF_MODELS) as ModelList[]).flatMap((list) => {
    const all = workload[list];
    return Array.isArray(all)
      ? all.filter(isObject).map((one, at) => ({ list, pointer: `/${list}/${at}`, one }))
      : [];
  });

/** What is asked of some work: of the models that it serves or trains, in place of GPUs. */
function amountsOf(workload: JsonObject): readonly string[] {
  const own = modelsOf(workload).flatMap(({ list, pointer }) =>
    OF_MODELS[list].map((name) => `${pointer}/${name}`),
  );
  return own.length > 0 ? [...own, ...AMOUNTS.filter((at) => !OF_GPUS.includes(at))] : AMOUNTS;
}

const RATIO = '/p99_ratio';
const KINDS = ['cores', 'ram', 'block', 'object', 'archive', 'transfer', 'gpus'] as const;
const GROWTH = KINDS.map((kind) => `/growth/${kind}_fraction_per_year`);
export const GROWS = '/growth/cores_fraction_per_year';

/** Assumptions that are asked beside; untouched they are the plan's. */
export const ASSUMED = [
  '/discount_fraction_per_year',
  '/electricity/usd_per_kwh',
  '/pue',
  '/staff_usd_per_fte_year',
] as const;

/** What runs today costs so much; nothing where the work is new. */
export const TODAY = '/baseline/other_usd_per_month';

export interface Field {
  pointer: string;
  label: string;
  unit: string;
  hint: string;
  /** The plan's own value, where the field is left as it is. */
  initial: number | null;
  /** What it means when nothing stands in the field, where that is not plain. */
  empty: string;
  /** Whether the plan has to have a value: nothing entered is none of it. */
  isRequired: boolean;
  /** What the plan allows. */
  bounds?: JsonSchema;
}

export const BLANK: JsonObject = { kind: 'demand', busy_cores_count: 0, ram_gib: 0 };

// A description says last what it means when nothing is entered.
const EMPTY = /\bEmpty: ([^.]*)\.?$/;

/** A field as the plan's schema words it. */
export function fieldOf(plan: JsonSchema, document: JsonObject, pointer: string): Field {
  const schema = schemaAt(plan, plan, document, pointer);
  const value = schema?.default;
  const title = schema?.title ?? pointer;
  // One word such as Price says nothing without the group that it is of.
  const above = pointer.split('/').slice(0, -1);
  const group = above.length > 2 ? schemaAt(plan, plan, document, above.join('/'))?.title : null;
  return {
    pointer,
    label: group ? `${group}: ${title.toLowerCase()}` : title,
    unit: schema?.unit ?? '',
    hint: schema?.description ?? '',
    initial: typeof value === 'number' ? value : null,
    empty: schema?.empty ?? EMPTY.exec(schema?.description ?? '')?.[1] ?? '',
    isRequired: Boolean(schema) && value === undefined,
    bounds: schema,
  };
}

/** The fields of the work, of which growth is one for all kinds. */
export function workFields(plan: JsonSchema, workload: JsonObject): Field[] {
  const document = { workload };
  const models = modelsOf(workload);
  const amounts = amountsOf(workload).map((at) => {
    const field = fieldOf(plan, document, `/workload${at}`);
    const model = models.find(({ pointer }) => at.startsWith(`${pointer}/`));
    if (!model) return field;
    const own = schemaAt(plan, plan, document, field.pointer)?.title ?? field.label;
    const label = models.length > 1 ? `${String(model.one.name)}: ${own}` : own;
    return { ...field, label };
  });
  const growth = fieldOf(plan, document, `/workload${GROWS}`);
  return [...amounts, { ...growth, label: 'Growth a year', hint: 'Of every kind of demand.' }];
}

export function assumedFields(plan: JsonSchema): Field[] {
  const electricity = { kind: 'flat' };
  const document = { assumptions: { electricity } };
  return ASSUMED.map((at) => fieldOf(plan, document, `/assumptions${at}`));
}

/** What is paid today for the same work, if it runs somewhere. */
export function todayField(plan: JsonSchema): Field {
  const field = fieldOf(plan, { baseline: {} }, TODAY);
  const hint = 'All that is paid a month where the work runs now. Imports reads it from a bill.';
  return { ...field, label: 'Paid for it today', hint, empty: 'new work, nothing runs today' };
}

/** What stands in a field: what was typed, else the template's value, else the plan's. */
export function shownText(
  field: Field,
  typed: Typed,
  held: JsonObject,
  currency: Currency = USD,
): string {
  const own = typed[field.pointer];
  if (own !== undefined) return own;
  const value = read(held, field.pointer);
  if (typeof value === 'number') return typedText(value, field.unit, currency);
  // The plan's own is none of it: nothing stands in the field.
  return field.initial !== null && field.initial !== 0
    ? typedText(field.initial, field.unit, currency)
    : '';
}

/** Texts of fields that were touched, by pointer. */
export type Typed = Record<string, string>;

/** Why a text that was typed is no value; nothing while it is one, or empty. */
export function textFault(
  text: string | undefined,
  { unit, label, bounds }: Field,
  currency: Currency,
): string | null {
  if (text === undefined || text.trim() === '') return null;
  const value = readTyped(text, unit, currency, { name: label });
  if (value === null) return refusalOf(unit, currency, text, { bounds });
  return bounds ? numberFault(bounds, value, currency) : null;
}

/** What a field says of an amount of money that was typed before the study's currency was chosen. */
export function keptNote(text: string, { unit }: Field, was: string | undefined, now: Currency) {
  if (!isMoney(unit) || was === undefined || was === now.code || text.trim() === '') return null;
  const isBare = readAmount(text, unit, { code: was, per_usd: 1 }) !== null && !NAMED.test(text);
  return isBare && otherCurrency(text, unit, now) === null
    ? `Typed in ${was}: the digits are kept, now in ${now.code}.`
    : null;
}

// An amount that names its currency is of it, whatever the study is planned in.
const NAMED = /[$€£¥]|\b(?:usd|euros?|dollars?|[A-Z]{3})\b/i;

/** The places that a field fills: the one growth is that of every kind of demand. */
const placesOf = (pointer: string): string[] =>
  pointer === `/workload${GROWS}` ? GROWTH.map((at) => `/workload${at}`) : [pointer];

/** The document with what was typed; what was emptied is not given, which is not zero. */
export function withTyped(
  held: JsonObject,
  fields: readonly Field[],
  typed: Typed,
  currency: Currency = USD,
): JsonObject {
  return fields.reduce((document, { pointer, unit, label, isRequired }) => {
    const text = typed[pointer];
    if (text === undefined) return document;
    const nothing = isRequired ? 0 : undefined;
    const value = text.trim() === '' ? nothing : readTyped(text, unit, currency, { name: label });
    if (value === null) return document;
    return placesOf(pointer)
      .filter((at) => value !== undefined || read(document, at) !== undefined)
      .reduce((here, at) => write(here, at, value) as JsonObject, document);
  }, held);
}

export const TERMS = [
  { value: '36', label: '3-year plan' },
  { value: '12', label: '1-year plan' },
  { value: '0', label: 'On demand' },
];

/** Chosen options with the term of each provider's plan, in months. */
export type Chosen = Record<string, number>;

/**
 * The options for some work: an API per token where it serves models, spot where it trains; a
 * cloud of GPUs is left to the planner, and goes with the models.
 */
export function chosenFor(
  { api: _api, spot: _spot, gpu_cloud, ...others }: Chosen,
  workload: JsonObject,
): Chosen {
  const lists = new Set(modelsOf(workload).map(({ list }) => list));
  return {
    ...others,
    ...(lists.has('streams') && !lists.has('trainings') && { api: 0 }),
    ...(lists.has('trainings') && { spot: 0 }),
    ...(lists.size > 0 && gpu_cloud !== undefined && { gpu_cloud }),
  };
}

/** Where the study stands: a region or a city, for all providers, and the currency shown. */
export interface Standing {
  region: string;
  currency: string;
  /** Whether the planner chose the currency: else it is the region's. */
  isChosen?: boolean;
}

export interface Beginning {
  workload: JsonObject;
  /** Name of the hours' shape; nothing where it is the same all day, or as a trace has it. */
  shape: string;
  /** Where the work's values come from; what is typed over is the planner's own. */
  origins: Provenance;
  typed: Typed;
  chosen: Chosen;
  horizon_months: number;
  /** First month, as 2027-01; orders of a plan have days then. */
  first_month?: string;
  /** Kind of GPU that the work runs on; nothing for any. */
  gpu: string;
  place: Standing;
  /** In which currency the study was when an amount was typed, by pointer. */
  paidIn?: Record<string, string>;
}

/** All that is asked. */
export const fieldsOf = (begin: Beginning, plan: JsonSchema) => [
  ...workFields(plan, begin.workload),
  todayField(plan),
  ...assumedFields(plan),
];

/** Whether a text that was typed is no value, so that nothing is asked until it is mended. */
export function isMistyped(begin: Beginning, plan: JsonSchema, paid: Currency): boolean {
  return fieldsOf(begin, plan).some((field) => textFault(begin.typed[field.pointer], field, paid));
}

const TYPED = { quality: 'typed', source: 'Typed in' } as const;

/** What is asked of the server; nothing while there is no work or no option. */
export function askedOf(begin: Beginning, plan: JsonSchema, paid: Currency = USD): Asked | null {
  const fields = fieldsOf(begin, plan);
  const held: JsonObject = { workload: begin.workload, assumptions: {} };
  const document = withTyped(held, fields, begin.typed, paid);
  const { workload, assumptions } = document;
  if (!isObject(workload) || !isObject(assumptions)) return null;
  const isWork = amountsOf(workload).some(
    (at) => at !== RATIO && Number(read(workload, at) ?? 0) > 0,
  );
  const options = DESIGN_OPTIONS.flatMap(({ option }) => {
    const term_months = begin.chosen[option];
    const region = begin.place.region.trim();
    return term_months === undefined ? [] : [{ option, term_months, region }];
  });
  if (!isWork || options.length === 0) return null;
  if (isMistyped(begin, plan, paid)) return null;
  const asked: JsonObject = { ...assumptions, horizon_months: begin.horizon_months };
  if (begin.first_month) asked.starts_on = `${begin.first_month}-01`;
  if (isObject(asked.electricity)) asked.electricity = { kind: 'flat', ...asked.electricity };
  const own = Object.keys(begin.typed)
    .filter((at) => at !== TODAY)
    .flatMap(placesOf)
    .map((at) => at.replace(/^\/workload/, ''));
  const kept = Object.entries(begin.origins).filter(([at]) => !own.includes(at));
  const origins = own
    .filter((at) => typeof read(workload, at) === 'number')
    .map((at) => [at, TYPED] as const);
  const workload_provenance = Object.fromEntries([...kept, ...origins]) as Provenance;
  const work = begin.gpu ? { ...workload, gpu: begin.gpu } : workload;
  const { baseline } = document;
  const isPaid = isObject(baseline) && Number(read(document, TODAY)) > 0;
  const today = isPaid ? { baseline: { kind: 'today', ...baseline } } : {};
  const currency = paid.code;
  return { workload: work, workload_provenance, assumptions: asked, ...today, options, currency };
}
