import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { Button } from '../../../components/button';
import { Icon } from '../../../components/icon';
import { JobRow } from '../../../components/job-row';
import { Empty, Loading } from '../../../components/query-state';
import { answerQueryOptions } from '../../../lib/answers';
import { same } from '../../../lib/changes';
import { useModelRun } from '../../../lib/model-run';
import { PLAN, type Model } from '../../../lib/models';
import type { JsonObject } from '../../../lib/pointer';
import { messageOf, Problem, type Fault } from '../../../lib/problem';
import type { ModelSearch } from '../address';
import { useInputs, useRested } from '../use-inputs';
import { ResultView } from './result-view';
import { TryInputs } from './try-inputs';
import styles from './try.module.css';

// Long enough that a number being typed is asked about once.
const REST_MS = 120;
const NO_FAULTS: readonly Fault[] = [];

export interface TryItProps {
  model: Model;
  search: ModelSearch;
  onSearch: (search: ModelSearch) => void;
}

interface AskProps extends TryItProps {
  start: JsonObject;
}

const faultsOf = (error: unknown) => (error instanceof Problem ? error.faults : NO_FAULTS);

function Wrong({ error }: { error: unknown }) {
  if (error == null) return null;
  const count = faultsOf(error).length;
  return (
    <p className={styles.wrong} role="alert">
      <Icon name="warning" size={16} />
      {count > 0
        ? `${count === 1 ? 'One input is' : `${count} inputs are`} not right: what is wrong stands beside ${count === 1 ? 'it' : 'them'}.`
        : messageOf(error)}
    </p>
  );
}

function ShareButton({ shareable }: { shareable: boolean }) {
  const [done, setDone] = useState(false);
  useEffect(() => {
    if (!done) return;
    const timer = setTimeout(() => setDone(false), 2000);
    return () => clearTimeout(timer);
  }, [done]);
  const share = async () => {
    await navigator.clipboard.writeText(location.href);
    setDone(true);
  };
  return (
    <Button
      small
      icon={done ? 'check' : 'share'}
      disabled={!shareable}
      title={shareable ? undefined : 'These inputs are too long for an address; save them as JSON.'}
      onClick={() => void share()}
      aria-live="polite"
    >
      {done ? 'Address copied' : 'Share'}
    </Button>
  );
}

interface FrameProps extends AskProps {
  inputs: ReturnType<typeof useInputs>;
  faults: readonly Fault[];
  action?: ReactNode;
  children: ReactNode;
}

function Frame({ model, start, inputs, faults, action, children }: FrameProps) {
  return (
    <section aria-labelledby="try-title">
      <header className={styles.head}>
        <h2 id="try-title">Try it</h2>
        <p className="muted small">
          {model.instant
            ? 'The answer follows as the inputs change.'
            : 'It is computed as a job: change the inputs, then run it.'}
        </p>
        <div className={styles.actions}>
          <ShareButton shareable={inputs.shareable} />
          {action}
        </div>
      </header>
      <div className={styles.beside}>
        <aside className={styles.inputs} aria-label="Inputs">
          <TryInputs
            model={model}
            start={start}
            params={inputs.params}
            faults={faults}
            onChange={inputs.setParams}
          />
        </aside>
        <div className={styles.answer} aria-live="polite">
          {children}
        </div>
      </div>
    </section>
  );
}

/** A model that answers as its inputs move. */
function Instant(props: AskProps) {
  const { model, start, search, onSearch } = props;
  const inputs = useInputs(model.id, start, search, onSearch);
  const rested = useRested(inputs.params, REST_MS);
  const query = useQuery(answerQueryOptions<JsonObject>(model.id, rested));
  const [last, setLast] = useState<{ params: JsonObject; result: JsonObject } | null>(null);
  const fresh = query.data && !query.isPlaceholderData ? query.data.result : null;
  if (fresh && last?.result !== fresh) setLast({ params: rested, result: fresh });
  const failed = query.isError ? query.error : null;
  return (
    <Frame {...props} inputs={inputs} faults={faultsOf(failed)}>
      <Wrong error={failed} />
      {last ? (
        <ResultView model={model} {...last} stale={failed !== null} />
      ) : (
        failed === null && <Loading minHeight={280} />
      )}
    </Frame>
  );
}

type ModelRun = ReturnType<typeof useModelRun<JsonObject, JsonObject>>;

/** A run on its way or ended badly, and the result of the last one that ended well. */
function RunAnswer({ model, run, params }: { model: Model; run: ModelRun; params: JsonObject }) {
  const stale = run.result !== null && !same(run.asked ?? undefined, params);
  const open = run.run !== undefined && run.run.state !== 'succeeded';
  return (
    <>
      {open && run.run && (
        <JobRow
          title={model.title}
          job={run.run}
          cancelling={run.cancelling}
          onCancel={run.cancel}
        />
      )}
      {stale && (
        <p className={`${styles.moved} small`}>
          <Icon name="info" size={14} /> The inputs have changed since this run.
        </p>
      )}
      {run.result && (
        <ResultView model={model} params={run.asked ?? params} result={run.result} stale={stale} />
      )}
      {!run.result && !open && (
        <Empty minHeight={280}>Nothing was run yet. Press Run for an answer.</Empty>
      )}
    </>
  );
}

/** A model that is run as a job: started by hand, followed, and cancelled if need be. */
function AsRun(props: AskProps) {
  const { model, start, search, onSearch } = props;
  const inputs = useInputs(model.id, start, search, onSearch);
  const run = useModelRun<JsonObject, JsonObject>(model.id, `ampacity.model.${model.id}.run`);
  const [asked, setAsked] = useState<JsonObject | null>(null);
  // Faults belong to the inputs that were sent, until these change.
  const isAsked = asked !== null && same(asked, inputs.params);
  const error = isAsked ? run.error : null;
  const failed = isAsked ? run.run?.error : null;
  const begin = () => {
    setAsked(inputs.params);
    run.start({ params: inputs.params, context: inputs.params });
  };
  return (
    <Frame
      {...props}
      inputs={inputs}
      faults={failed?.faults ?? faultsOf(error)}
      action={
        <Button small look="primary" disabled={run.working} onClick={begin}>
          {run.working ? 'Running …' : 'Run'}
        </Button>
      }
    >
      <Wrong error={error} />
      <RunAnswer model={model} run={run} params={inputs.params} />
    </Frame>
  );
}

/** A place to ask a model: its inputs as a form, its answer drawn, both made of its schemas. */
export function TryIt(props: TryItProps) {
  const { model } = props;
  if (model.id === PLAN || model.start === null) {
    return (
      <section aria-labelledby="try-title">
        <h2 id="try-title">Try it</h2>
        <p>
          This is the plan behind every study: write its inputs on <em>Designs</em> and read its
          answer on <em>Compare</em>. <Link to="/">Open a study</Link>
        </p>
      </section>
    );
  }
  const asked = { ...props, start: model.start };
  return model.instant ? (
    <Instant key={model.id} {...asked} />
  ) : (
    <AsRun key={model.id} {...asked} />
  );
}
