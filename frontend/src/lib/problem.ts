export interface Fault {
  pointer: string;
  code: string;
  message: string;
}

interface ProblemBody {
  type?: string;
  title?: string;
  detail?: string;
  errors?: Fault[];
  current?: unknown;
  /** What to ask a security key by, where one may answer instead of a code. */
  key_request?: object;
}

/** An answer of the server that is not a success, RFC 9457. */
export class Problem extends Error {
  readonly status: number;
  readonly faults: Fault[];
  readonly body: ProblemBody;
  /** When to ask again, where what refused passes by itself. [s] */
  readonly retryAfter: number | null;

  constructor(status: number, body: ProblemBody, retryAfter: number | null = null) {
    super(body.detail ?? body.title ?? `The server answered ${status}.`);
    this.name = 'Problem';
    this.status = status;
    this.faults = body.errors ?? [];
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

/** The connection failed before an answer came: what was asked may be asked again. */
export class Offline extends Error {
  constructor() {
    super('The server does not answer. Check the connection; your changes are kept.');
    this.name = 'Offline';
  }
}

/** Says `request` whenever one went unanswered. */
export const unanswered = new EventTarget();

export function messageOf(error: unknown): string {
  if (error instanceof Problem) {
    const first = error.faults[0]?.message;
    return first && !error.message.includes(first) ? `${error.message} ${first}` : error.message;
  }
  if (error instanceof Error) return error.message;
  return 'Something went wrong. Try again.';
}

export function isStatus(error: unknown, status: number): error is Problem {
  return error instanceof Problem && error.status === status;
}

/** The faults below a place, counted from there. */
export function faultsBelow(faults: readonly Fault[], pointer: string): Fault[] {
  return faults.flatMap((fault) =>
    fault.pointer === pointer || fault.pointer.startsWith(`${pointer}/`)
      ? [{ ...fault, pointer: fault.pointer.slice(pointer.length) }]
      : [],
  );
}
