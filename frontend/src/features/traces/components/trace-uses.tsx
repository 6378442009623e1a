import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { buttonClass } from '../../../components/button';
import { modelQueryOptions } from '../../../lib/models';
import { traceRef, type Trace } from '../../../lib/traces';
import { forecastSearch, REPLAY_MODEL, replaySearch } from '../replay';
import styles from './traces.module.css';

/** What a trace of use can be asked: each a way to the tool or the study that answers. */
export function TraceUses({ trace }: { trace: Trace }) {
  const start = useQuery(modelQueryOptions(REPLAY_MODEL)).data?.start ?? null;
  const look = buttonClass();
  const ahead = forecastSearch(trace);
  return (
    <nav className={styles.uses} aria-label="Use this trace">
      <a className={buttonClass({ look: 'primary' })} href="#work">
        Make a workload
      </a>
      <Link
        className={look}
        to="/tools/$tool"
        params={{ tool: 'replay' }}
        search={{ s: replaySearch(trace, start, 'still') }}
      >
        Consolidate
      </Link>
      <Link
        className={look}
        to="/tools/$tool"
        params={{ tool: 'replay' }}
        search={{ s: replaySearch(trace, start, 'moving') }}
      >
        Replay on hosts
      </Link>
      <a className={look} href="#work">
        Size a cluster
      </a>
      <Link className={look} to="/tools/$tool" params={{ tool: 'forecast' }} search={{ s: ahead }}>
        Forecast
      </Link>
    </nav>
  );
}

/** What a log of requests to language models can be asked. */
export function RequestUses({ trace }: { trace: Trace }) {
  return (
    <nav className={styles.uses} aria-label="Use this trace">
      <Link
        className={buttonClass({ look: 'primary' })}
        to="/studies/new"
        search={{ trace: trace.id }}
      >
        New study with this stream
      </Link>
      <Link
        className={buttonClass()}
        to="/tools/$tool"
        params={{ tool: 'serving-day' }}
        search={{ s: { trace: { ...traceRef(trace) } } }}
      >
        Replay on accelerators
      </Link>
    </nav>
  );
}
