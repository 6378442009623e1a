import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState, type ReactNode } from 'react';
import { Button } from '../../../components/button';
import { Icon } from '../../../components/icon';
import { JobRow } from '../../../components/job-row';
import { Empty, Loading } from '../../../components/query-state';
import { RunPdf } from '../../../components/run-pdf';
import { ShareButton } from '../../../components/share-button';
import { answerQueryOptions } from '../../../lib/answers';
import { same } from '../../../lib/changes';
import { useModelRun } from '../../../lib/model-run';
import { PLAN, type Model } from '../../../lib/models';
import type { JsonObject } from '../../../lib/pointer';
import { messageOf, Problem, type Fault } from '../../../lib/problem';
import { useMayEdit } from '../../../lib/session';
import type { ModelSearch } from '../address';
import { useInputs, useRested } from '../use-inputs';
import { Download, ResultView, type Answered } from './result-view';
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
    <p className="alert" role="alert">
      <Icon name="warning" size={16} />
      {count > 0
        ? `${count === 1 ? 'One input is' : `${count} inputs are`} not right: what is wrong stands beside ${count === 1 ? 'it' : 'them'}.`
        : messageOf(error)}
    </p>
  );
}

function Moved({ children }: { children: ReactNode }) {
  return (
    <p className="alert surface muted small">
      <Icon name="info" size={14} /> {children}
    </p>
  );
}

const TOO_LONG = 'These inputs are too long for an address; save them as JSON.';

interface FrameProps extends AskProps {
  inputs: ReturnType<typeof useInputs>;
  faults: readonly Fault[];
  /** What was asked last, and its answer. */
  answered: Answered | null;
  action?: ReactNode;
  children: ReactNode;
}

function Frame({ model, start, inputs, faults, answered, action, children }: FrameProps) {
  return (
    <section aria-labelledby="try-title">
      <header className={styles.head}>
        <h2 id="try-title">Try it</h2>
        <p className="muted small">
          {model.instant
            ? 'The answer follows as the inputs change.'
            : 'It is computed as a job: change the inputs, then run it again.'}{' '}
          {model.formulas.length > 0 && <a href="#equations">Equations</a>}
        </p>
        <div className={styles.actions}>
          {answered && <Download model={model} answered={answered} />}
          {answered && <RunPdf model={model.id} params={answered.params} />}
          <ShareButton small unfit={inputs.shareable ? undefined : TOO_LONG} />
          {action}
        </div>
      </header>
      <div className="beside">
        <div className={styles.inputs} role="group" aria-label="Inputs">
          <TryInputs
            model={model}
            start={start}
            params={inputs.params}
            faults={faults}
            onChange={inputs.setParams}
          />
        </div>
        <div className="stack gap-12 shrink" aria-live="polite">
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
  const [last, setLast] = useState<Answered | null>(null);
  const fresh = query.data && !query.isPlaceholderData ? query.data.result : null;
  if (fresh && last?.result !== fresh) setLast({ params: rested, result: fresh });
  const failed = query.isError ? query.error : null;
  return (
    <Frame {...props} inputs={inputs} faults={faultsOf(failed)} answered={last}>
      <Wrong error={failed} />
      {failed !== null && last && (
        <Moved>Below is the answer to the inputs as they were before.</Moved>
      )}
      {last ? (
        <ResultView model={model} answered={last} />
      ) : (
        failed === null && <Loading minHeight={280} />
      )}
    </Frame>
  );
}

type ModelRun = ReturnType<typeof useModelRun<JsonObject, JsonObject>>;

interface RunAnswerProps {
  model: Model;
  run: ModelRun;
  params: JsonObject;
  answered: Answered | null;
}

/** A run on its way or ended badly, and the result of the last one that ended well. */
function RunAnswer({ model, run, params, answered }: RunAnswerProps) {
  const stale = answered !== null && !same(answered.params, params);
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
      {stale && <Moved>The inputs have changed since this run.</Moved>}
      {answered && <ResultView model={model} answered={answered} />}
      {!answered && !open && <Empty minHeight={280}>No answer yet. Press Run for one.</Empty>}
    </>
  );
}

/** A model that is run as a job: started by hand, followed, and cancelled if need be. */
function AsRun(props: AskProps) {
  const { model, start, search, onSearch } = props;
  const inputs = useInputs(model.id, start, search, onSearch);
  const mayAsk = useMayEdit();
  // It opens with an answer, as tools do: what was answered before is not computed again.
  const run = useModelRun<JsonObject, JsonObject>(
    model.id,
    `ampacity.model.${model.id}.run`,
    mayAsk ? { params: inputs.params, context: inputs.params } : undefined,
  );
  const [asked, setAsked] = useState<JsonObject | null>(null);
  // Faults belong to the inputs that were sent, until these change.
  const isAsked = asked !== null && same(asked, inputs.params);
  const error = isAsked ? run.error : null;
  const failed = isAsked ? run.run?.error : null;
  const answered = useMemo(
    () => run.result && { params: run.asked ?? start, result: run.result },
    [run.result, run.asked, start],
  );
  const begin = () => {
    setAsked(inputs.params);
    run.start({ params: inputs.params, context: inputs.params });
  };
  return (
    <Frame
      {...props}
      inputs={inputs}
      faults={failed?.faults ?? faultsOf(error)}
      answered={answered}
      action={
        <Button small look="primary" disabled={run.working} onClick={begin}>
          {run.working ? 'Running …' : 'Run'}
        </Button>
      }
    >
      <Wrong error={error} />
      <RunAnswer model={model} run={run} params={inputs.params} answered={answered} />
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
