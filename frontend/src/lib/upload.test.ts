import { beforeEach, expect, it, vi } from 'vitest';
import { Offline, Problem } from './problem';
import { upload, UploadStopped } from './upload';

/** A server of three parts of 4 bytes, and what it was asked. */
const server = {
  there: new Set<number>(),
  asked: [] as string[],
  broken: new Set<number>(),
  /** What it says of a file's hash: the import of what it read before, or that it knows none. */
  known: null as object | Error | null,
};

vi.mock('./api', () => ({
  cookie: () => 'token',
  body: async (answer: Promise<{ data?: unknown }>) => (await answer).data,
  rows: async (answer: Promise<{ data: { results: unknown } }>) => (await answer).data.results,
  api: {
    GET: () => {
      server.asked.push('look');
      return Promise.resolve({ data: begun() });
    },
    POST: (path: string, given: { body?: { numbers?: number[]; sha256?: string } }) => {
      if (path.endsWith('/again')) {
        server.asked.push(`again ${given.body?.sha256?.slice(0, 8)}`);
        if (server.known instanceof Error) return Promise.reject(server.known);
        return Promise.resolve({ data: server.known });
      }
      const [number] = given.body?.numbers ?? [];
      if (number !== undefined) {
        return Promise.resolve({ data: { results: [{ url: `/parts/${number}` }] } });
      }
      server.asked.push(path.split('/').slice(-1).join(''));
      return Promise.resolve({ data: path.endsWith('/traces') ? { id: 'trace' } : begun() });
    },
    DELETE: () => {
      server.asked.push('drop');
      return Promise.resolve({});
    },
  },
}));

const begun = () => ({ id: 'u', part_bytes: 4, parts_count: 3, parts_there: [...server.there] });

class Sender {
  upload: { onprogress?: (event: { loaded: number }) => void } = {};
  status = 204;
  responseText = '';
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  onloadend?: () => void;
  private number = 0;
  open(_method: string, url: string) {
    this.number = Number(url.split('/').at(-1));
  }
  setRequestHeader() {}
  abort() {
    this.onabort?.();
  }
  send(part: Blob) {
    queueMicrotask(() => {
      this.onloadend?.();
      if (server.broken.has(this.number)) return this.onerror?.();
      server.asked.push(`part ${this.number} of ${part.size}`);
      server.there.add(this.number);
      this.upload.onprogress?.({ loaded: part.size });
      this.onload?.();
    });
  }
}

const held = new Map<string, string>();
const places = {
  getItem: (key: string) => held.get(key) ?? null,
  setItem: (key: string, value: string) => held.set(key, value),
  removeItem: (key: string) => held.delete(key),
};

const file = () => new File(['0123456789'], 'night.csv', { lastModified: 1 });

beforeEach(() => {
  held.clear();
  vi.stubGlobal('localStorage', places);
  server.there.clear();
  server.broken.clear();
  server.asked = [];
  vi.stubGlobal('XMLHttpRequest', Sender);
  vi.useFakeTimers();
});

it('sends the parts, ends the upload and has it read', async () => {
  const fractions: number[] = [];
  await expect(upload('trace', file(), (one) => fractions.push(one)).done).resolves.toEqual({
    id: 'trace',
  });
  expect(server.asked).toEqual([
    'uploads', 'part 1 of 4', 'part 2 of 4', 'part 3 of 2', 'end', 'traces',
  ]); // prettier-ignore
  expect(fractions.at(-1)).toBe(1);
  expect(held.size).toBe(0);
});

it('goes on from the last whole part after the connection broke', async () => {
  server.broken.add(2).add(3);
  const first = expect(upload('trace', file(), () => {}).done).rejects.toThrow(Offline);
  await vi.runAllTimersAsync();
  await first;
  server.broken.clear();
  server.asked = [];
  await upload('trace', file(), () => {}).done;
  expect(server.asked).toEqual(['look', 'part 2 of 4', 'part 3 of 2', 'end', 'traces']);
});

it('waits out a short break without being asked', async () => {
  server.broken.add(2);
  const { done } = upload('trace', file(), () => {});
  await vi.advanceTimersByTimeAsync(100);
  server.broken.clear();
  await vi.runAllTimersAsync();
  await expect(done).resolves.toEqual({ id: 'trace' });
});

it('gives up what was sent when it is cancelled', async () => {
  server.broken.add(2);
  const { done, cancel } = upload('import', file(), () => {});
  await vi.advanceTimersByTimeAsync(100);
  cancel();
  await expect(done).rejects.toThrow(UploadStopped);
  expect(server.asked.at(-1)).toBe('drop');
  expect(held.size).toBe(0);
});

const large = () => new File([new Uint8Array(8_000_000)], 'prices.json', { lastModified: 1 });

it('does not send a large file that was read before: its hash is asked first', async () => {
  server.known = { id: 'known' };
  await expect(upload('import', large(), () => {}).done).resolves.toEqual({ id: 'known' });
  // SHA-256 of eight million zeros.
  expect(server.asked).toEqual(['again 65066145']);
});

it('sends a large file that was not read before', async () => {
  server.known = new Problem(404, { title: 'Not found' });
  await upload('import', large(), () => {}).done;
  expect(server.asked.slice(0, 2)).toEqual(['again 65066145', 'uploads']);
  expect(server.asked.at(-1)).toBe('imports');
});

it('sends a large file that does not fit into memory', async () => {
  const file = large();
  file.arrayBuffer = () => Promise.reject(new RangeError('Array buffer allocation failed'));
  await upload('import', file, () => {}).done;
  expect(server.asked[0]).toBe('uploads');
  expect(server.asked.at(-1)).toBe('imports');
});
