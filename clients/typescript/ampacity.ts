/**
 * What a client by openapi-fetch does not have of itself: the token, asking again when told to, refusals as
 * errors, jobs that end, and events. The types are those of `openapi-typescript`.
 */
import createClient, { type Client, type Middleware } from "openapi-fetch";

const TRIES = 5;
const ENDED = ["succeeded", "failed", "cancelled"];

/** The API refused: a problem document (RFC 9457), with every fault at its JSON pointer. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly document: {
      detail?: string;
      errors?: { pointer: string; message: string }[];
    },
  ) {
    super(document.detail ?? `HTTP ${status}`);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends a request again when the answer says after how long (`Retry-After`). */
async function patient(request: Request): Promise<Response> {
  for (let left = TRIES - 1; left > 0; left -= 1) {
    const answer = await fetch(request.clone());
    const seconds = Number(answer.headers.get("Retry-After") ?? NaN);
    if (![429, 503].includes(answer.status) || Number.isNaN(seconds))
      return answer;
    await pause(seconds * 1000);
  }
  return fetch(request);
}

async function refused(answer: Response): Promise<Problem> {
  const document: unknown = await answer.json().catch(() => ({}));
  return new Problem(answer.status, document as Problem["document"]);
}

const refusals: Middleware = {
  async onResponse({ response }) {
    if (response.status >= 400) throw await refused(response);
  },
};

/** A workspace's API: `ampacity<paths>('http://127.0.0.1:8000', 'amp_...')`. */
export function ampacity<Paths extends object>(
  baseUrl: string,
  token: string,
): Client<Paths> {
  const headers = { Authorization: `Bearer ${token}` };
  const client = createClient<Paths>({ baseUrl, headers, fetch: patient });
  client.use(refusals);
  return client;
}

interface Job {
  state: string;
  error?: { message?: string } | null;
}

/** A run, a report, an import or a trace once it has succeeded; an error with its reason if it ends otherwise. */
export async function ended<J extends Job>(
  ask: () => Promise<J>,
  timeoutMs = 600_000,
): Promise<J> {
  const until = Date.now() + timeoutMs;
  for (let wait = 100; ; wait = Math.min(1000, wait * 1.5)) {
    const job = await ask();
    if (job.state === "succeeded") return job;
    if (ENDED.includes(job.state))
      throw new Error(job.error?.message ?? `It was ${job.state}.`);
    if (Date.now() > until)
      throw new Error(`This has not ended after ${timeoutMs / 1000} s.`);
    await pause(wait);
  }
}

type Listen = (last: string) => Promise<Response>;

/**
 * What happens to jobs of the workspace, from now on and without a gap: a stream ends after 25 s, and the next one
 * goes on behind the last event that was heard. `address` is `events_url` of `GET /api/v1/session`.
 */
export async function events<
  E = { id: string; state: string; progress_fraction: number },
>(address: string, token: string): Promise<AsyncGenerator<E>> {
  const authorization = { Authorization: `Bearer ${token}` };
  const listen: Listen = async (last) => {
    const headers = last
      ? { ...authorization, "Last-Event-ID": last }
      : authorization;
    const answer = await patient(new Request(address, { headers }));
    if (!answer.ok) throw await refused(answer);
    return answer;
  };
  return heard(listen, await listen(""));
}

async function* heard<E>(listen: Listen, answer: Response): AsyncGenerator<E> {
  for (let last = ""; ; answer = await listen(last)) {
    let [text, kind] = ["", ""];
    for await (const piece of answer.body!.pipeThrough(
      new TextDecoderStream(),
    )) {
      const lines = (text + piece).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) {
        if (line.startsWith("id: ")) last = line.slice(4);
        if (line.startsWith("event: ")) kind = line.slice(7);
        // What of the service is away comes in the same stream.
        if (line.startsWith("data: ") && kind === "job")
          yield JSON.parse(line.slice(6)) as E;
      }
    }
  }
}
