import { differences, join, type Change, type Json } from '../../lib/pointer';
import { isStatus, messageOf, Offline } from '../../lib/problem';
import { threeWay } from '../../lib/three-way';

/** What a draft needs of the place where it is kept until the server has it. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

export interface Stored {
  revision: number;
}

export type DraftStatus =
  'saved' | 'waiting' | 'saving' | 'offline' | 'signed_out' | 'failed' | 'conflict';

interface Kept<T extends Stored> {
  revision: number;
  edits: Partial<T>;
  /** What the edited fields were before. */
  base?: Partial<T>;
}

export interface DraftState<T extends Stored> {
  /** The document with what was typed on top. */
  document: T;
  status: DraftStatus;
  message: string | null;
  /** What another saved meanwhile, and what keeping one's own changes of it. */
  conflict: { current: T; changes: Change[] } | null;
}

const changesOf = <T extends Stored>(current: T, edits: Partial<T>): Change[] =>
  (Object.keys(edits) as (keyof T & string)[]).flatMap((name) =>
    differences(current[name] as Json, edits[name] as Json, join('', name)),
  );

interface Options<T extends Stored> {
  key: string;
  initial: T;
  shelf: Shelf;
  /** Saves some fields over a revision and returns the document as it is stored then. */
  save: (edits: Partial<T>, revision: number) => Promise<T>;
  onSaved?: (document: T) => void;
}

const PAUSE_MS = 600;

/** An origin and a range are one value each: they are not merged within. */
const levelsOf = (name: string) => (/(^ranges|provenance)$/.test(name) ? 1 : Infinity);

/** Edits as they are over what another saved: where they change nothing, they are as it is. */
function editsOver<T extends Stored>(current: T, base: T, edits: Partial<T>): Partial<T> {
  const names = Object.keys(edits) as (keyof T & string)[];
  const merged = names.map((name) => {
    const sides = [base[name], edits[name], current[name]] as unknown as [Json, Json, Json];
    return [name, threeWay(...sides, levelsOf(name))] as const;
  });
  return Object.fromEntries(merged) as Partial<T>;
}
const RETRY_MS = [1000, 2000, 5000, 10_000, 30_000];

/**
 * A document that is saved as one types. What is typed is kept on the shelf until the server
 * has acknowledged it, so a reload or a lost connection loses nothing.
 */
export class Draft<T extends Stored> {
  #state: DraftState<T>;
  #base: T;
  #edits: Partial<T> = {};
  #timer: ReturnType<typeof setTimeout> | undefined;
  #inFlight = false;
  #failures = 0;
  #listeners = new Set<() => void>();

  constructor(private readonly options: Options<T>) {
    this.#base = options.initial;
    this.#state = { document: options.initial, status: 'saved', message: null, conflict: null };
    this.#takeFromShelf();
  }

  get state(): DraftState<T> {
    return this.#state;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  edit(fields: Partial<T>): void {
    this.#edits = { ...this.#edits, ...fields };
    this.#keep();
    this.#set({ status: this.#state.status === 'conflict' ? 'conflict' : 'waiting' });
    this.#schedule(PAUSE_MS);
  }

  /** What the server says now, when it was asked again; typed fields stay on top. */
  refresh(stored: T): void {
    if (stored.revision <= this.#base.revision || this.#inFlight) return;
    if (Object.keys(this.#edits).length > 0) return;
    this.#base = stored;
    this.#set({});
  }

  /** Saves what was changed here over what another saved, and only that. */
  keepMine(): void {
    const { conflict } = this.#state;
    if (!conflict) return;
    this.#edits = editsOver(conflict.current, this.#base, this.#edits);
    this.#base = conflict.current;
    this.#set({ conflict: null, status: 'waiting' });
    this.#keep();
    void this.flush();
  }

  takeTheirs(): void {
    const { conflict } = this.#state;
    if (!conflict) return;
    this.#base = conflict.current;
    this.#edits = {};
    this.options.shelf.removeItem(this.options.key);
    this.#set({ conflict: null, status: 'saved', message: null });
    this.options.onSaved?.(this.#base);
  }

  /** Send what is typed now, without waiting for a pause. */
  flush = async (): Promise<void> => {
    clearTimeout(this.#timer);
    const edits = this.#edits;
    if (this.#inFlight || this.#state.conflict || Object.keys(edits).length === 0) return;
    this.#inFlight = true;
    this.#set({ status: 'saving' });
    try {
      const stored = await this.options.save(edits, this.#base.revision);
      this.#inFlight = false;
      this.#acknowledge(edits, stored);
    } catch (error) {
      this.#inFlight = false;
      this.#refused(error, edits);
    }
  };

  close(): void {
    void this.flush();
    clearTimeout(this.#timer);
  }

  #acknowledge(sent: Partial<T>, stored: T): void {
    this.#failures = 0;
    this.#base = stored;
    const left = Object.entries(this.#edits).filter(
      ([name, value]) => sent[name as keyof T] !== value,
    );
    this.#edits = Object.fromEntries(left) as Partial<T>;
    const isDone = left.length === 0;
    if (isDone) this.options.shelf.removeItem(this.options.key);
    else this.#keep();
    this.#set({ status: isDone ? 'saved' : 'waiting', message: null });
    if (isDone) this.options.onSaved?.(stored);
    else this.#schedule(PAUSE_MS);
  }

  #refused(error: unknown, sent: Partial<T>): void {
    if (isStatus(error, 412)) {
      const { current, difference = [] } = error.body as { current?: T; difference?: unknown[] };
      // A save whose answer was lost with the page: what is stored is what was sent.
      if (current && difference.length === 0) {
        this.#acknowledge(sent, current);
        return;
      }
      if (current) {
        const changes = changesOf(current, editsOver(current, this.#base, this.#edits));
        this.#set({ status: 'conflict', message: error.message, conflict: { current, changes } });
        // Another saved the same.
        if (changes.length === 0) this.takeTheirs();
        return;
      }
    }
    if (isStatus(error, 401)) {
      this.#set({ status: 'signed_out', message: messageOf(error) });
      return;
    }
    const isPassing = error instanceof Offline;
    this.#set({ status: isPassing ? 'offline' : 'failed', message: messageOf(error) });
    if (!isPassing) return;
    this.#schedule(RETRY_MS[Math.min(this.#failures, RETRY_MS.length - 1)] ?? PAUSE_MS);
    this.#failures += 1;
  }

  #schedule(wait: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), wait);
  }

  #keep(): void {
    const names = Object.keys(this.#edits) as (keyof T)[];
    const base = Object.fromEntries(names.map((name) => [name, this.#base[name]]));
    const kept = { revision: this.#base.revision, edits: this.#edits, base };
    this.options.shelf.setItem(this.options.key, JSON.stringify(kept));
  }

  #takeFromShelf(): void {
    const text = this.options.shelf.getItem(this.options.key);
    if (text === null) return;
    try {
      const { revision, edits, base } = JSON.parse(text) as Kept<T>;
      this.#edits = edits;
      // Saved over the revision that was edited: a change made meanwhile shows as a conflict.
      this.#base = { ...this.#base, ...base, revision };
      this.#set({ status: 'waiting' });
      this.#schedule(0);
    } catch {
      this.options.shelf.removeItem(this.options.key);
    }
  }

  #set(change: Partial<DraftState<T>>): void {
    const document = { ...this.#base, ...this.#edits };
    this.#state = { ...this.#state, ...change, document };
    for (const listener of this.#listeners) listener();
  }
}
