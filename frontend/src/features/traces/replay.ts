import { isObject, type JsonObject } from '../../lib/pointer';
import { figureOf, traceRef, type Trace } from '../../lib/traces';

export const REPLAY_MODEL = 'consolidation.dynamic';

const count = (value: unknown) => (typeof value === 'number' ? value : 0);

/** Hosts for so many machines, in the proportion that the model begins with. */
function hostsFor(machines: number, start: JsonObject): JsonObject[] {
  const hosts = Array.isArray(start.hosts) ? start.hosts.filter(isObject) : [];
  const generated = isObject(start.generated) ? count(start.generated.machines_count) : 0;
  const times = generated > 0 && machines > 0 ? machines / generated : 1;
  return hosts.map((host) => ({
    ...host,
    hosts_count: Math.max(1, Math.ceil(count(host.hosts_count) * times)),
  }));
}

/**
 * What the tool of a day's replay is opened with for a trace: its machines, on as many of the
 * model's hosts as they need. A plan in which nothing moves is part of every answer; asked for
 * alone, one policy stands beside it.
 */
export function replaySearch(
  trace: Trace,
  start: JsonObject | null,
  ask: 'still' | 'moving',
): JsonObject {
  const own: JsonObject = { trace: { ...traceRef(trace) }, generated: null };
  if (start === null) return own;
  const hosts = hostsFor(figureOf(trace, 'machines_count') ?? 0, start);
  const policies = Array.isArray(start.policies) ? start.policies : [];
  return { ...own, hosts, ...(ask === 'still' && { policies: policies.slice(0, 1) }) };
}

const DAYS_FROM_S = 60 * 86_400;

/** What the tool of forecasts is opened with for a trace: its hours, or its days if it is long. */
export function forecastSearch(trace: Trace): JsonObject {
  const long = (figureOf(trace, 'duration_s') ?? 0) >= DAYS_FROM_S;
  const steps = long ? { step: 'day', ahead_count: 90 } : { step: 'hour', ahead_count: 168 };
  return { trace: { ...traceRef(trace) }, trend: 'amount', ...steps };
}
