import createClient from 'openapi-fetch';
import type { paths } from '../api-types/schema';
import { Offline, Problem, unanswered } from './problem';

export function cookie(name: string): string {
  const entry = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`));
  return entry ? decodeURIComponent(entry.slice(name.length + 1)) : '';
}

/** Random, also where the page is not served over TLS and `randomUUID` is missing. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A proxy's word that nobody is there: the same to a planner as no connection. */
const PASSING = new Set([502, 503, 504]);

function offline(request: Request): Offline {
  // Of what asks whether there is an answer, there is nothing more to ask.
  if (!request.url.endsWith('/service')) unanswered.dispatchEvent(new Event('request'));
  return new Offline();
}

async function send(request: Request): Promise<Response> {
  if (request.method !== 'GET') request.headers.set('X-CSRFToken', cookie('csrftoken'));
  if (request.method === 'POST' && !new URL(request.url).pathname.endsWith('/evaluate')) {
    request.headers.set('Idempotency-Key', randomKey());
  }
  let response: Response;
  try {
    response = await globalThis.fetch(request);
  } catch (error) {
    if (request.signal.aborted) throw error;
    throw offline(request);
  }
  if (response.ok) return response;
  if (PASSING.has(response.status)) throw offline(request);
  const after = Number(response.headers.get('Retry-After') ?? Number.NaN);
  throw new Problem(
    response.status,
    (await response.json().catch(() => ({}))) as object,
    Number.isFinite(after) ? after : null,
  );
}

/** The typed client. Its answers are successes: everything else is thrown as a Problem. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: send });

/** What the API answers where `T` is read: a bare list only for a bare list, never for a page. */
type Answered<T> = T extends readonly unknown[] ? readonly unknown[] : unknown;

/** The body of an answer, as the type that the screen reads. */
export async function body<T>(answer: Promise<{ data?: Answered<T> }>): Promise<T> {
  return (await answer).data as T;
}

/** What a short list holds, all of it on one page. */
export async function rows<T>(
  answer: Promise<{ data?: { results: readonly unknown[] } }>,
): Promise<T[]> {
  return (await body<{ results: T[] }>(answer)).results;
}

export interface Tagged<T> {
  data: T;
  etag: string | null;
}

/** The body together with its ETag, for documents that are saved again. */
export async function tagged<T>(
  answer: Promise<{ data?: unknown; response: Response }>,
): Promise<Tagged<T>> {
  const { data, response } = await answer;
  return { data: data as T, etag: response.headers.get('ETag') };
}
