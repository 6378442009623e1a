import begun from '../../api-types/arrays.json';
import type { Asked } from '../../lib/drives';
import type {
  ArrayDesign,
  ArraysState,
  Drive,
  Entry,
  Replaced,
  Site,
  SyntheticWorkload,
} from './types';

/** What the models say that the page begins with and offers. */
interface Begun {
  drives: Drive[];
  presets: Preset[];
  /** What a trace meets. */
  traced: Preset[];
  workload: SyntheticWorkload;
}

export interface Preset {
  id: string;
  title: string;
  about: string;
  array: ArrayDesign;
  replaces: Replaced | null;
  /** Set with it, where the idea lies in what reaches the disks. */
  workload?: SyntheticWorkload;
}

export const {
  drives: KNOWN_DRIVES,
  presets: PRESETS,
  traced: TRACED,
  workload: WORKLOAD,
} = begun as unknown as Begun;

export const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F'] as const;

/** The plan's own price of energy, and Ember's intensity of the United States in 2024. */
export const SITE: Site = {
  usd_per_kwh: 0.1301,
  gco2e_per_kwh: 383.55,
  carbon_year: 2024,
  carbon_zone: 'United States',
  carbon_basis: 'life_cycle_average',
  drive_kgco2e: null,
};

export function presetOf(id: string): Preset {
  const found = PRESETS.find((preset) => preset.id === id);
  if (!found) throw new Error(`There is no preset ${id}.`);
  return found;
}

/** What an array is at first, whatever is entered of it. */
export const PLAIN = presetOf('server').array;

export function entryOf({ title, array, replaces }: Preset, letter: string): Entry {
  return { letter, title, array, replaces };
}

/** What the page opens with: the comparison of the paper. */
export const FIRST_STATE: ArraysState = {
  entries: PRESETS.slice(0, 2).map((preset, at) => entryOf(preset, LETTERS[at] ?? 'A')),
  workload: WORKLOAD,
  recorded: null,
  site: SITE,
  replicates_count: 1,
  stop_interval_fraction: 0,
  seed: 1,
};

/** The first letter that no array has; none when the page is full. */
export function freeLetter(entries: readonly Entry[]): string | undefined {
  return LETTERS.find((letter) => entries.every((entry) => entry.letter !== letter));
}

/** The page with one array of one drive, as found elsewhere, and what it was asked there. */
export function stateOfDrive(drive: Drive, asked?: Asked): ArraysState {
  const entry = { letter: 'A', title: drive.name, array: { ...PLAIN, drive }, replaces: null };
  return { ...FIRST_STATE, entries: [entry], workload: { ...WORKLOAD, ...asked } };
}
