import type { Science } from '../../lib/science';
import type { HardDisk } from '../../lib/drives';
import type { TraceRef } from '../../lib/traces';

/** The documents of `storage.array`, as the designer holds them: complete, defaults written out. */

export type {
  DiskGeometry,
  Drive,
  GeometryZone,
  HardDisk,
  SleepState,
  SolidState,
} from '../../lib/drives';

export type ArrayDesign = Science['storage.array.ArrayDesign'];
export type Layout = Science['storage.array.Layout'];
export type LayoutKind = Layout['kind'];
export type Dispatch = Science['storage.array.Dispatch'];
export type Controller = Science['storage.array.Controller'];
export type Timeouts = Science['storage.array.Timeouts'];
export type CacheTier = Science['storage.array.CacheTier'];
export type FreeSpaceCopies = Science['storage.array.FreeSpaceCopies'];
export type SyntheticWorkload = Science['storage.array.SyntheticWorkload'];
export type Workload = SyntheticWorkload;
export type Arrivals = SyntheticWorkload['arrivals'];
export type Addresses = SyntheticWorkload['addresses'];
export type SizeShare = Science['storage.array.SizeShare'];
export type Replay = Science['storage.array.Replay'];

/** An array on the page: its letter stays with it, whatever else is added or removed. */
export interface Entry {
  letter: string;
  title: string;
  array: ArrayDesign;
  /** Drives whose place it takes; none of them sleeps. */
  replaces: Replaced | null;
}

export interface Replaced {
  drive: HardDisk;
  disks_count: number;
}

export type CarbonBasis = Science['plans.compare.Carbon']['basis'];

/** Where the arrays stand: what energy costs and emits there. */
export interface Site {
  usd_per_kwh: number;
  gco2e_per_kwh: number | null;
  /** What year, grid zone and kind the intensity is of; what is not known is empty. */
  carbon_year: number | null;
  carbon_zone: string | null;
  carbon_basis: CarbonBasis;
  /** Emissions of making one drive. */
  drive_kgco2e: number | null;
}

/** Recorded requests in place of drawn ones. */
export interface Recorded {
  trace: TraceRef;
  title: string;
  requests_count: number;
  /** As recorded, where the summary says it. */
  rate_per_s: number | null;
  replay: Partial<Replay>;
}

export interface ArraysState {
  entries: Entry[];
  workload: Workload;
  recorded: Recorded | null;
  site: Site;
  replicates_count: number;
  stop_interval_fraction: number;
  seed: number;
}
