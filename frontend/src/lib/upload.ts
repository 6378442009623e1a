import { api, body, cookie, rows } from './api';
import { isStatus, Offline, Problem } from './problem';
import type { components } from '../api-types/schema';

export interface Upload<T> {
  done: Promise<T>;
  cancel: () => void;
}

/** Thrown when an upload was stopped by whoever started it. */
export class UploadStopped extends Error {}

type Begun = components['schemas']['UploadOutput'];
type Part = components['schemas']['PartOutput'];

const LANES = 2;
/** How long to wait before a part is sent again; after the last one the upload is given up. */
const WAITS_MS = [500, 1000, 2000, 4000, 8000];

/** What becomes of names of people and things in an imported file. */
export type Names = 'keep' | 'hash' | 'leave_out';

/** Which number of a date such as 1/8/2026 is the day, where a file leaves it open. */
export type Dates = '' | 'day_first' | 'month_first';

/** Which sign stands before decimals in a number such as 1,234, where a file leaves it open. */
export type Numbers = '' | 'point' | 'comma';

/** What is said of an imported file; of which kind it is where its columns do not say it. */
export interface SaidOfFile {
  names: Names;
  dates: Dates;
  numbers: Numbers;
  kind: '' | 'quote';
}

/** What a file that is sent becomes. */
export type UploadKind = 'trace' | 'import' | 'archive';

/**
 * Sends a file in parts, to us or straight to the bucket, as the server says; then has it read.
 * A file of which a part was sent before goes on from there, also after the page was closed.
 */
export function upload<T>(
  kind: UploadKind,
  file: File,
  onProgress: (fraction: number) => void,
  of?: SaidOfFile,
): Upload<T> {
  const stop = new AbortController();
  return {
    done: sent<T>(kind, file, onProgress, stop.signal, of),
    cancel: () => stop.abort(),
  };
}

async function sent<T>(
  kind: UploadKind,
  file: File,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
  of?: SaidOfFile,
): Promise<T> {
  let begun: Begun | null = null;
  try {
    const known = kind === 'import' ? await readBefore<T>(file, signal, of) : null;
    if (known) return known;
    begun = await beginning(kind, file, signal);
    await partsSent(begun, file, onProgress, signal);
    const path = { path: { upload_id: begun.id } };
    await again(
      () => api.POST('/api/v1/uploads/{upload_id}/end', { params: path, signal }),
      signal,
    );
    const made = (await asked(kind, { upload: begun.id }, signal, of)).data as T;
    localStorage.removeItem(placeOf(kind, file));
    return made;
  } catch (error) {
    if (!signal.aborted) throw error;
    localStorage.removeItem(placeOf(kind, file));
    if (begun) await given(begun);
    throw new UploadStopped();
  }
}

/** From this size on a file is asked after before it is sent, up to what is hashed at once. */
const ASKED_BYTES = { least: 8e6, most: 1e9 };

/** The import of a file that was read here before: known by its bytes, it is not sent again. */
async function readBefore<T>(file: File, signal: AbortSignal, of?: SaidOfFile): Promise<T | null> {
  const { least, most } = ASKED_BYTES;
  const hashes = globalThis.crypto?.subtle as SubtleCrypto | undefined;
  if (!hashes || file.size < least || file.size > most) return null;
  // What does not fit into memory as a whole is sent in parts, as it would be anyway.
  const held = await file.arrayBuffer().catch(() => null);
  if (!held) return null;
  const digest = await hashes.digest('SHA-256', held);
  const sha256 = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0'));
  // What is said of its kind changes what is found in it.
  if (of?.kind) return null;
  const about = {
    names: of?.names ?? 'keep',
    dates: of?.dates ?? '',
    numbers: of?.numbers ?? '',
  };
  const said = { sha256: sha256.join(''), name: file.name.slice(-200), ...about };
  try {
    return (await body<object>(api.POST('/api/v1/imports/again', { body: said, signal }))) as T;
  } catch (error) {
    if (isStatus(error, 404)) return null;
    throw error;
  }
}

function asked(kind: UploadKind, query: { upload: string }, signal: AbortSignal, of?: SaidOfFile) {
  if (kind === 'trace') return api.POST('/api/v1/traces', { params: { query }, signal });
  if (kind === 'archive') return api.POST('/api/v1/archives', { params: { query }, signal });
  const said = {
    names: of?.names,
    dates: of?.dates || undefined,
    numbers: of?.numbers || undefined,
    kind: of?.kind || undefined,
  };
  return api.POST('/api/v1/imports', { params: { query: { ...query, ...said } }, signal });
}

const placeOf = (kind: string, file: File) =>
  `ampacity-upload:${kind}:${file.name}:${file.size}:${file.lastModified}`;

async function beginning(kind: string, file: File, signal: AbortSignal): Promise<Begun> {
  const held = localStorage.getItem(placeOf(kind, file));
  if (held) {
    try {
      const params = { path: { upload_id: held } };
      return await body<Begun>(api.GET('/api/v1/uploads/{upload_id}', { params, signal }));
    } catch (error) {
      // it was read, given up or forgotten: begin again
      if (!isStatus(error, 404)) throw error;
    }
  }
  const about = { name: file.name.slice(-200), bytes: file.size };
  const begun = await body<Begun>(api.POST('/api/v1/uploads', { body: about, signal }));
  localStorage.setItem(placeOf(kind, file), begun.id);
  return begun;
}

async function partsSent(
  begun: Begun,
  file: File,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
) {
  const there = new Set(begun.parts_there);
  const waiting = Array.from({ length: begun.parts_count }, (_, at) => at + 1).filter(
    (number) => !there.has(number),
  );
  const blobOf = (number: number) =>
    file.slice((number - 1) * begun.part_bytes, number * begun.part_bytes);
  const bytes = new Map<number, number>([...there].map((n) => [n, blobOf(n).size]));
  const tell = (number: number, count: number) => {
    bytes.set(number, count);
    onProgress([...bytes.values()].reduce((sum, one) => sum + one, 0) / file.size);
  };
  const failed = new AbortController();
  const both = AbortSignal.any([signal, failed.signal]);
  const lane = async () => {
    for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
      const part = number;
      await again(async () => {
        const path = { upload_id: begun.id };
        const asked = { params: { path }, body: { numbers: [part] }, signal: both };
        const told = api.POST('/api/v1/uploads/{upload_id}/parts', asked);
        for (const { url } of await rows<Part>(told)) {
          await put(url, blobOf(part), (count) => tell(part, count), both);
        }
      }, both);
      tell(part, blobOf(part).size);
    }
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
  } finally {
    failed.abort();
  }
}

/** Sends one part; fetch cannot say how far it is, so this is an XHR. */
function put(url: string, part: Blob, onSent: (bytes: number) => void, signal: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.upload.onprogress = (event) => onSent(event.loaded);
    request.onload = () => {
      if (request.status < 300) resolve();
      // an address of the bucket that has run out is asked for again
      else if (request.status >= 500 || !url.startsWith('/')) reject(new Offline());
      else reject(new Problem(request.status, parsed(request.responseText)));
    };
    request.onerror = () => reject(new Offline());
    request.onabort = () => reject(new UploadStopped());
    const abort = () => request.abort();
    signal.addEventListener('abort', abort);
    request.onloadend = () => signal.removeEventListener('abort', abort);
    request.open('PUT', url);
    if (url.startsWith('/')) {
      request.setRequestHeader('Content-Type', 'application/octet-stream');
      request.setRequestHeader('X-CSRFToken', cookie('csrftoken'));
    }
    request.send(part);
  });
}

/** Does something until it succeeds, with longer and longer pauses while nobody answers. */
async function again<T>(what: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (const wait of WAITS_MS) {
    try {
      return await what();
    } catch (error) {
      const passes = error instanceof Offline || isStatus(error, 429);
      if (!passes || signal.aborted) throw error;
      await paused(wait, signal);
    }
  }
  return what();
}

function paused(ms: number, signal: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(new UploadStopped());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop);
  });
}

/** Gives up what was sent; if nobody hears of it, the server forgets it within days. */
async function given(begun: Begun) {
  try {
    await api.DELETE('/api/v1/uploads/{upload_id}', { params: { path: { upload_id: begun.id } } });
  } catch {
    // the connection may be what failed
  }
}

function parsed(text: string): object {
  try {
    return JSON.parse(text) as object;
  } catch {
    return {};
  }
}
