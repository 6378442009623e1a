import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { unanswered } from './problem';
import type { Job, JobState } from './types';

interface JobEvent {
  id: string;
  kind: string;
  state: JobState;
  progress_fraction: number;
  message: string;
}

const OPENED_AGAIN_MS = 2000;
// The server ends each stream after a while, and the browser opens the next at once.
const MISSED_AFTER_MS = 1000;

let live = false;

/** Whether the event stream is open: what it says need not be asked. */
export const isLive = () => live;

export function isEnded(state: JobState): boolean {
  return state === 'succeeded' || state === 'failed' || state === 'cancelled';
}

/**
 * How long to wait before asking again: 100 ms in the first second, then a tenth of the age
 * up to 1 s. While the event stream is open it is only a safety net.
 */
export function pollInterval(job: Job | undefined, now = Date.now()): number | false {
  if (job && isEnded(job.state)) return false;
  if (live) return 3000;
  const age = job ? Math.max(0, now - Date.parse(job.submitted_at)) : 0;
  return Math.min(1000, Math.max(100, age / 10));
}

export const SERVICE_KEY = ['service'] as const;

/** The key of one job's query: events are written to it. */
export const jobKey = (kind: string, id: string) => ['job', id, kind] as const;

function take(client: QueryClient, event: JobEvent): void {
  client.setQueriesData<Job>(
    { queryKey: ['job', event.id] },
    (job) =>
      job && {
        ...job,
        state: event.state,
        progress_fraction: event.progress_fraction,
        progress_message: event.message,
      },
  );
  if (isEnded(event.state)) void client.invalidateQueries({ queryKey: ['job', event.id] });
  void client.invalidateQueries({ queryKey: ['jobs'] });
}

/** Listens to the one event stream of this browser tab; without it, queries poll. */
export function useJobEvents(url: string): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!url || typeof EventSource === 'undefined') return;
    let source: EventSource;
    const timers = new Set<ReturnType<typeof setTimeout>>();
    const later = (act: () => void, ms: number) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        act();
      }, ms);
      timers.add(timer);
    };
    const open = () => {
      source = new EventSource(url, { withCredentials: true });
      source.onopen = () => {
        live = true;
      };
      source.onerror = () => {
        live = false;
        later(() => {
          if (!live) unanswered.dispatchEvent(new Event('request'));
        }, MISSED_AFTER_MS);
        // The browser connects again by itself, unless the server refused.
        if (source.readyState === EventSource.CLOSED) later(open, OPENED_AGAIN_MS);
      };
      source.addEventListener('job', (message: MessageEvent<string>) => {
        take(client, JSON.parse(message.data) as JobEvent);
      });
      source.addEventListener('service', (message: MessageEvent<string>) => {
        client.setQueryData(SERVICE_KEY, JSON.parse(message.data));
      });
    };
    open();
    return () => {
      live = false;
      timers.forEach(clearTimeout);
      source.close();
    };
  }, [client, url]);
}
