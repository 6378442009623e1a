import { useQuery } from '@tanstack/react-query';
import { useId, useMemo, type ComponentType, type ReactNode } from 'react';
import { Behind } from '../../../components/behind';
import { Button } from '../../../components/button';
import { Select } from '../../../components/control';
import { ModelForm } from '../../../components/form/model-form';
import { JobRow } from '../../../components/job-row';
import { Empty, QueryState } from '../../../components/query-state';
import type { Told } from '../../../components/told/told';
import { ToldFigures } from '../../../components/told/told-figures';
import { ToldTables } from '../../../components/told/told-tables';
import { answerQueryOptions } from '../../../lib/answers';
import { same } from '../../../lib/changes';
import { isEnded } from '../../../lib/job-events';
import { useModelRun } from '../../../lib/model-run';
import { modelQueryOptions, type Model } from '../../../lib/models';
import type { JsonObject } from '../../../lib/pointer';
import { statedCurrency } from '../../../lib/format';
import { useMayEdit } from '../../../lib/session';
import { carbonSource, pricedParams, priceOf, PRICED } from './price';
import { Refer } from './refer';
import { askedWith, RowTables, rowTables, type RowActions } from './row-tables';
import styles from './tools.module.css';
import { useStudy } from './use-study';
import { useToolState, type ToolProps } from './use-tool-state';
import { Answer, Beside, Wrong } from './view-frame';

export interface Answered<R> {
  params: JsonObject;
  result: R;
  of: ToolProps;
  /** Asks with other inputs. */
  onParams: (params: JsonObject) => void;
}

interface ModelToolProps<R> {
  of: ToolProps;
  model: string;
  /** What its button is called, where it runs as a job. */
  action?: string;
  /** What is shown beside the tables and figures of its answer. */
  evidence?: ComponentType<Answered<R>>;
  /** Whether that draws the tables and figures too. */
  drawsAll?: boolean;
  /** What else its tables of inputs offer. */
  rowActions?: RowActions;
  /** What its inputs begin with, where the study that it works for says them. */
  start?: JsonObject;
  /** An answer that is there already, of inputs of a study. */
  stored?: { run: string; params: JsonObject };
  /** What of a study the question rests on, beside its prices. */
  pointers?: readonly string[];
  /** What else may be done with the run that answered, such as to save its files. */
  withRun?: (run: string, onParams: (params: JsonObject) => void) => ReactNode;
}

interface AskedProps<R> extends Omit<ModelToolProps<R>, 'model'> {
  model: Model;
}

const OWN = ' own';

interface BeginProps {
  model: Model;
  start: JsonObject;
  /** Whether a study says them: then there is nothing to choose. */
  ofStudy: boolean;
  params: JsonObject;
  onChange: (params: JsonObject) => void;
}

/** What the inputs begin with: those of this decade, or as a paper has them. */
function Begin({ model, start, ofStudy, params, onChange }: BeginProps) {
  const id = useId();
  if (ofStudy) return null;
  const all = [
    { value: '', label: 'This decade', params: start, source: model.start_source },
    ...model.cases.map(({ check, title, source, params: own }) => ({
      value: check,
      label: title,
      params: own as JsonObject,
      source,
    })),
  ];
  const chosen = all.find((one) => same(one.params, params));
  return (
    <div className={styles.choice}>
      <label htmlFor={id}>Begin with</label>
      <Select
        id={id}
        value={chosen?.value ?? OWN}
        title={chosen?.source}
        choices={[...(chosen ? [] : [{ value: OWN, label: 'Your own inputs' }]), ...all]}
        onChange={(event) => {
          const next = all.find(({ value }) => value === event.target.value);
          if (next) onChange(next.params);
        }}
      />
      {chosen?.source && <p className="muted small whole">{chosen.source}</p>}
    </div>
  );
}

/** Inputs that the model has; an address of an earlier version may hold others. */
const ofModel = (params: JsonObject, model: Model): JsonObject =>
  Object.fromEntries(
    Object.entries(params).filter(([key]) => model.params_schema.properties?.[key]),
  );

function useAsked<R>({ of, model, start: own }: AskedProps<R>) {
  const study = useStudy(of.search.study);
  const start = useMemo(
    () => own ?? { ...model.start, ...pricedParams(study, model.params_schema) },
    [model, own, study],
  );
  const [params, set, reset] = useToolState<JsonObject>(start, of, own && of.search.study);
  const tables = useMemo(() => rowTables(model.params_schema), [model]);
  const whole = useMemo(() => askedWith(ofModel(params, model), tables), [params, model, tables]);
  const change = (next: JsonObject) => (Object.keys(next).length > 0 ? set(next) : reset());
  const priced = own === undefined && start !== model.start && study !== undefined;
  const asksCarbon = model.params_schema.properties?.carbon_gco2e_per_kwh !== undefined;
  const { carbon } = priceOf(study);
  return {
    start,
    params,
    whole,
    tables,
    change,
    priced,
    carbon: asksCarbon ? carbon : null,
    /** Whether what the study says is among the inputs by now. */
    ready: of.search.study === undefined || own !== undefined || study !== undefined,
  };
}

interface ShownProps<R> extends AskedProps<R> {
  asked: ReturnType<typeof useAsked<R>>;
  result: R | null;
  /** What the shown result was asked with. */
  answered: JsonObject;
  error: unknown;
  waiting: string;
  /** The run that answered, once it has ended. */
  run?: string;
}

function Shown<R extends Told>(props: ShownProps<R>) {
  const { of, model, evidence: Evidence, asked, result, answered, error, waiting } = props;
  const { start, params, tables, change } = asked;
  const said = [
    ...(result?.notes ?? []),
    ...(asked.carbon === null ? [] : [carbonSource(asked.carbon)]),
  ];
  const pointers = [...(props.pointers ?? []), ...(asked.priced ? PRICED : [])];
  return (
    <>
      {(result || !error) && (
        <Answer text={result?.headline ?? null} more={said.join(' ')} waiting={waiting} />
      )}
      <Behind papers={model.papers.map(({ id }) => id)} models={[model.id]} />
      <Wrong error={error} />
      {result && (
        <Refer
          of={of}
          model={model.id}
          params={answered}
          pointers={pointers.length > 0 ? pointers : undefined}
        />
      )}
      {result && props.run && props.withRun && (
        <div className={styles.bar}>{props.withRun(props.run, change)}</div>
      )}
      <Beside
        inputs={
          <>
            <Begin
              model={model}
              start={start}
              ofStudy={props.start !== undefined}
              params={params}
              onChange={change}
            />
            <ModelForm
              model={model.id}
              value={params}
              error={error}
              omit={[...tables.map(({ key }) => key), ...(props.start ? ['currency'] : [])]}
              onChange={change}
            />
          </>
        }
      >
        {result ? (
          <>
            {!props.drawsAll && (
              <>
                <ToldFigures
                  figures={result.figures ?? []}
                  currency={statedCurrency(answered.currency)}
                />
                <ToldTables tables={result.tables ?? []} />
              </>
            )}
            {Evidence && <Evidence params={answered} result={result} of={of} onParams={change} />}
          </>
        ) : (
          <Empty minHeight={480}>{error ? 'No answer: see the message above.' : waiting}</Empty>
        )}
        <RowTables
          model={model}
          tables={tables}
          params={params}
          actions={props.rowActions}
          onChange={change}
        />
      </Beside>
    </>
  );
}

function AtOnce<R extends Told>(props: AskedProps<R>) {
  const asked = useAsked(props);
  const answer = useQuery(answerQueryOptions<R>(props.model.id, asked.whole));
  return (
    <Shown
      {...props}
      asked={asked}
      result={answer.data?.result ?? null}
      answered={asked.whole}
      error={answer.error}
      waiting="Working it out …"
    />
  );
}

function AsRun<R extends Told>(props: AskedProps<R>) {
  const { model, action = 'Run', of, start, stored } = props;
  const asked = useAsked(props);
  const params = asked.whole;
  const kept = ['ampacity.tools.run', model.id, start && of.search.study].filter(Boolean);
  const mayAsk = useMayEdit();
  const run = useModelRun<R, JsonObject>(
    model.id,
    kept.join('.'),
    stored
      ? { ...stored, context: stored.params }
      : asked.ready && mayAsk
        ? { params, context: params }
        : undefined,
  );
  // A run kept from an earlier version may lack what is drawn now.
  const result = run.result && 'headline' in run.result ? run.result : null;
  // What is at work is given up for other inputs.
  const isAsked = run.working && run.asked !== null && same(run.asked, params);
  return (
    <>
      <div className={styles.bar}>
        <Button
          look="primary"
          disabled={isAsked}
          onClick={() => {
            if (run.working) run.cancel();
            run.start({ params, context: params });
          }}
        >
          {isAsked ? 'Running …' : action}
        </Button>
        {result && run.asked && !same(run.asked, params) && (
          <span className="muted small">The inputs have changed since this answer.</span>
        )}
      </div>
      {run.run && (!isEnded(run.run.state) || run.run.state === 'failed') && (
        <JobRow
          title={model.title}
          job={run.run}
          cancelling={run.cancelling}
          onCancel={run.cancel}
        />
      )}
      <Shown
        {...props}
        asked={asked}
        result={result}
        answered={run.asked ?? params}
        error={run.error}
        run={run.current ? run.run?.id : undefined}
        waiting={run.working ? 'Working it out …' : `Press ${action} for an answer.`}
      />
    </>
  );
}

/** A tool of one model: its inputs as a form made of their schema, its own words, its evidence. */
export function ModelTool<R extends Told>({ model: id, ...props }: ModelToolProps<R>) {
  const query = useQuery(modelQueryOptions(id));
  return (
    <QueryState query={query} minHeight={560}>
      {(model) =>
        model.instant ? <AtOnce {...props} model={model} /> : <AsRun {...props} model={model} />
      }
    </QueryState>
  );
}
