import { isObject, type Json, type JsonObject } from '../../lib/pointer';
import { FIRST_STATE, KNOWN_DRIVES, LETTERS, PLAIN, SITE, WORKLOAD } from './presets';
import type {
  ArrayDesign,
  ArraysState,
  Entry,
  Recorded,
  Replaced,
  Site,
  SyntheticWorkload,
} from './types';

/** What the address of the page says: the whole set of arrays, and whether they were run. */
export interface ArraysSearch {
  s?: string;
  run?: true;
}

export function arraysSearch(search: Record<string, unknown>): ArraysSearch {
  const { s } = search;
  return {
    s: (typeof s === 'string' && s) || simulatedState(s),
    run: search.run === true ? true : undefined,
  };
}

const WHOLE = '=';
const KNOWN = '$';
const asJson = (value: unknown) => value as Json;
const BASE = asJson(PLAIN);
/** Requests whose arrivals and places are always written. */
const BARE = asJson({ ...WORKLOAD, arrivals: null, addresses: null });

function sameKind(first: Json | undefined, second: Json): boolean {
  return isObject(first) && isObject(second) && first.kind === second.kind;
}

/** Only what differs from a base; a drive that we know is named. */
function shortened(base: Json | undefined, value: Json): Json {
  if (!isObject(value)) return value;
  const known = KNOWN_DRIVES.find((drive) => JSON.stringify(drive) === JSON.stringify(value));
  if (known) return { [KNOWN]: known.name };
  if (!sameKind(base, value)) return { [WHOLE]: value };
  const held = base as JsonObject;
  const entries = Object.entries(value)
    .filter(([key, item]) => JSON.stringify(held[key]) !== JSON.stringify(item))
    .map(([key, item]) => [key, shortened(held[key], item)] as const);
  return Object.fromEntries(entries);
}

function restored(base: Json | undefined, short: Json | undefined): Json {
  if (short === undefined) return base ?? null;
  if (!isObject(short)) return short;
  if (typeof short[KNOWN] === 'string') {
    const known = KNOWN_DRIVES.find((drive) => drive.name === short[KNOWN]);
    return asJson(known ?? KNOWN_DRIVES[0]);
  }
  if (short[WHOLE] !== undefined) return short[WHOLE];
  const held = isObject(base) ? base : {};
  const changed = Object.entries(short).map(([key, item]) => [key, restored(held[key], item)]);
  return { ...held, ...Object.fromEntries(changed) };
}

function toBase64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64(text: string): string {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(binary, (sign) => sign.charCodeAt(0)));
}

export function writeState(state: ArraysState): string {
  const short = {
    a: state.entries.map(({ letter, title, array, replaces }) => ({
      l: letter,
      t: title,
      d: shortened(BASE, asJson(array)),
      ...(replaces && { p: { ...replaces, drive: shortened(undefined, asJson(replaces.drive)) } }),
    })),
    w: shortened(BARE, asJson(state.workload)),
    c: shortened(asJson(SITE), asJson(state.site)),
    t: asJson(state.recorded),
    n: state.replicates_count,
    i: state.stop_interval_fraction,
    r: state.seed,
  };
  return toBase64(JSON.stringify(short));
}

function isArray(value: Json): boolean {
  if (!isObject(value)) return false;
  const { drive, layout, dispatch, timeouts, cache } = value;
  const groups = isObject(layout) && isObject(dispatch) && isObject(drive);
  if (!groups || !['hdd', 'ssd'].includes(String(drive.kind))) return false;
  const seeks = drive.kind === 'ssd' || isObject(drive.seek);
  const cached = cache === null || (isObject(cache) && isObject(cache.device));
  return seeks && cached && (timeouts === null || isObject(timeouts));
}

function replacedOf(value: Json | undefined): Replaced | null {
  const held = restored(undefined, value);
  if (!isObject(held) || !isObject(held.drive) || !isObject(held.drive.seek)) return null;
  return numberOr(held.disks_count, 0) >= 1 ? (held as unknown as Replaced) : null;
}

function entriesOf(value: Json | undefined): Entry[] {
  if (!Array.isArray(value)) return [];
  const taken = new Set<string>();
  return value.flatMap((item) => {
    if (!isObject(item) || !isObject(item.d ?? null)) return [];
    const letter = String(item.l);
    const array = restored(BASE, item.d);
    if (taken.has(letter) || !LETTERS.some((known) => known === letter) || !isArray(array))
      return [];
    taken.add(letter);
    return [
      {
        letter,
        title: String(item.t ?? ''),
        array: array as unknown as ArrayDesign,
        replaces: replacedOf(item.p),
      },
    ];
  });
}

function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : fallback;
}

function workloadOf(value: Json | undefined): SyntheticWorkload {
  const held = restored(BARE, value ?? {}) as unknown as SyntheticWorkload;
  const { arrivals, addresses } = WORKLOAD;
  return { ...held, arrivals: held.arrivals ?? arrivals, addresses: held.addresses ?? addresses };
}

function recordedOf(value: Json | undefined): Recorded | null {
  if (!isObject(value) || !isObject(value.trace) || !isObject(value.replay)) return null;
  const known = typeof value.trace.trace_id === 'string' && typeof value.title === 'string';
  return known ? (value as unknown as Recorded) : null;
}

/** The address of one array and its workload, as `storage.array` was asked of them elsewhere. */
function simulatedState(asked: unknown): string | undefined {
  if (typeof asked !== 'object' || asked === null) return undefined;
  const { array, workload } = asked as JsonObject;
  if (!array || !isArray(array) || !isObject(workload)) return undefined;
  const entry = { letter: 'A', title: '', array: array as unknown as ArrayDesign, replaces: null };
  return writeState({
    ...FIRST_STATE,
    entries: [entry],
    workload: workload as unknown as ArraysState['workload'],
  });
}

/** The arrays that an address holds; those of the first visit where it holds none. */
export function readState(text: string | undefined): ArraysState {
  if (text === undefined) return FIRST_STATE;
  try {
    const value = JSON.parse(fromBase64(text)) as Json;
    if (!isObject(value)) return FIRST_STATE;
    const entries = entriesOf(value.a);
    if (entries.length === 0) return FIRST_STATE;
    return {
      entries,
      workload: workloadOf(value.w),
      recorded: recordedOf(value.t),
      site: restored(asJson(SITE), value.c ?? {}) as unknown as Site,
      replicates_count: numberOr(value.n, 1),
      stop_interval_fraction: numberOr(value.i, 0),
      seed: numberOr(value.r, 1),
    };
  } catch {
    return FIRST_STATE;
  }
}
