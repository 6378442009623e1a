import type { ArrayResult } from './result';
import { isMixed } from './sizes';
import type { ArrayDesign, ArraysState } from './types';
import { DISPATCHES, isMirrored, PARITIES, SCHEDULERS } from './words';

type Asked = Pick<ArraysState, 'workload' | 'recorded'>;

/** A sentence, and whether it is true of an array. */
type Rule = readonly [holds: boolean, sentence: string];

const quoted = (words: string) => `${words.charAt(0).toLowerCase()}${words.slice(1)}`;

function layoutRules(array: ArrayDesign): Rule[] {
  const { drive, layout, scheduler, dispatch, copies, controller } = array;
  const { kind, locked_updates: locked } = layout;
  const parity = kind in PARITIES;
  return [
    [kind === 'mirrored_set', 'The mirrored set is planned as RAID-1.'],
    [kind === 'concatenated', 'Disks one after another are planned as RAID-0.'],
    [
      isMirrored(kind),
      `Who serves a read (${quoted(DISPATCHES[dispatch.kind])}): the plan spreads reads over the copies that are awake.`,
    ],
    [
      scheduler !== 'fcfs',
      `The queue order (${quoted(SCHEDULERS[scheduler])}): the plan serves first come, first served.`,
    ],
    [
      layout.failed_disk_count > 0,
      'The lost disks and their rebuild: the plan counts with every disk at work.',
    ],
    [copies !== null, 'Copies in free space: in the plan every block is read where it lies.'],
    [parity && !locked, 'Small writes in two phases: the plan holds a disk until they are done.'],
    [drive.kind === 'hdd' && drive.buffer != null, 'The on-board cache of the disks.'],
    [controller != null, 'The controller: in the plan requests reach the drives at once.'],
    [
      drive.kind === 'ssd' && (drive.fill_fraction != null || drive.slc != null),
      'When flash moves data, and its SLC cache: the plan spreads what is moved over the writes.',
    ],
    [
      drive.kind === 'ssd' && drive.dies != null,
      'Reads that wait for their die: the plan serves them on any free channel.',
    ],
  ];
}

function sleepRules({ drive, layout, timeouts, dispatch }: ArrayDesign): Rule[] {
  if (timeouts === null || drive.kind === 'ssd') return [];
  const copies = isMirrored(layout.kind);
  const sleeps = drive.standby !== null;
  return [
    [
      sleeps && drive.low_power_idle !== null,
      'Low-power idle and its time: the plan knows standby only.',
    ],
    [
      !sleeps && drive.low_power_idle !== null,
      'Low-power idle: the plan knows standby only, so these disks are always on.',
    ],
    [
      copies && dispatch.lazy_writes,
      'Writes that wait for the next waking: in the plan a write wakes the copies.',
    ],
    [copies, 'Which disk stays awake, what a waking disk serves, and how many wake at once.'],
  ];
}

function cacheRules({ cache }: ArrayDesign, found: ArrayResult | undefined): Rule[] {
  if (cache === null) return [];
  const hit = cache.hit_fraction ?? found?.cache?.hit_fraction ?? null;
  return [
    [cache.mode === 'hp08_mirror', 'The mirrored write buffer is planned as write-back.'],
    [cache.mode !== 'write_through', 'When changed blocks go to the disks.'],
    [
      hit === null,
      'What the cache answers is not known before a run: the plan takes half of the reads.',
    ],
  ];
}

function workRules({ workload, recorded }: Asked): Rule[] {
  if (recorded)
    return [
      [true, 'The recorded requests: the plan takes their mean rate, with random mix and sizes.'],
    ];
  const { arrivals, addresses } = workload;
  const places = addresses.kind === 'zipf' || addresses.kind === 'regions';
  return [
    [
      arrivals.kind === 'pareto' || arrivals.kind === 'mmpp',
      'How requests bunch: the plan has them come at random at the same rate.',
    ],
    [
      arrivals.kind === 'closed',
      'The closed loop: the plan takes the rate that a run has found, else none.',
    ],
    [isMixed(workload), 'Sizes that differ: the plan takes their mean.'],
    [places, 'Blocks that are read more often: the plan has all read alike.'],
  ];
}

/** What a study's design made of an array does not carry over, a sentence each. */
export function leftOut(array: ArrayDesign, state: Asked, found?: ArrayResult): string[] {
  const rules = [
    ...layoutRules(array),
    ...sleepRules(array),
    ...cacheRules(array, found),
    ...workRules(state),
  ];
  return rules.flatMap(([holds, sentence]) => (holds ? [sentence] : []));
}
