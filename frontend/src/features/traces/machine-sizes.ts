import { readTyped } from '../../lib/units';
import type { MachineSizes } from '../../lib/trace-work';

/** Sizes of machines as they are typed. */
export interface TypedSizes {
  cores: string;
  ram: string;
  /** One machine a line: name, cores, RAM. */
  others: string;
}

export const NO_SIZES: TypedSizes = { cores: '', ram: '', others: '' };

export interface ReadSizes {
  sizes: MachineSizes | null;
  faults: { cores?: string; ram?: string; others: string[] };
}

const CORES = 'Enter the number of cores, more than 0.';
const RAM = 'Enter an amount more than 0, such as 512 GiB, or nothing.';

const positive = (value: number | null) => value !== null && value > 0;

/** What parts the cells of a line: a comma only where nothing else does, as it may be a decimal. */
const partsAt = (line: string) => /\t|;/.exec(line)?.[0] ?? /,\s/.exec(line)?.[0] ?? ',';

function machineOf(line: string, at: number): MachineSizes['machines'][number] | string {
  const [name = '', cores = '', ram = ''] = line.split(partsAt(line)).map((cell) => cell.trim());
  const count = readTyped(cores, 'cores');
  const ram_gib = ram === '' ? null : readTyped(ram, 'GiB');
  if (name === '') return `Line ${at}: the name is missing.`;
  if (!positive(count)) return `Line ${at}: ${CORES}`;
  if (ram !== '' && !positive(ram_gib)) return `Line ${at}: ${RAM}`;
  return { name, cores_count: count ?? 0, ram_gib };
}

/** Reads what was typed; every fault at once, and no sizes while there is one. */
export function readSizes(typed: TypedSizes): ReadSizes {
  const cores = readTyped(typed.cores, 'cores');
  const ram = typed.ram.trim() === '' ? null : readTyped(typed.ram, 'GiB');
  const lines = typed.others
    .split('\n')
    .map((line, at) => ({ line: line.trim(), at: at + 1 }))
    .filter(({ line }) => line !== '')
    .map(({ line, at }) => machineOf(line, at));
  const faults: ReadSizes['faults'] = { others: lines.filter((one) => typeof one === 'string') };
  if (!positive(cores)) faults.cores = CORES;
  if (typed.ram.trim() !== '' && !positive(ram)) faults.ram = RAM;
  const isSound = !faults.cores && !faults.ram && faults.others.length === 0;
  const machines = lines.filter((one) => typeof one !== 'string');
  return {
    sizes: isSound
      ? { cores_per_machine_count: cores ?? 0, ram_per_machine_gib: ram, machines }
      : null,
    faults,
  };
}
