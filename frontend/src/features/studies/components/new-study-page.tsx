import { useInfiniteQuery, useIsFetching, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { Button } from '../../../components/button';
import { Select, TextInput } from '../../../components/control';
import { Fault } from '../../../components/fault';
import { Failed, Loading } from '../../../components/query-state';
import { entered, range, USD, type Currency } from '../../../lib/format';
import { placeQueryOptions } from '../../../lib/catalogue';
import { modelQueryOptions, PLAN } from '../../../lib/models';
import { write, type JsonObject } from '../../../lib/pointer';
import { Problem } from '../../../lib/problem';
import type { JsonSchema } from '../../../lib/schema';
import { asTyped } from '../../../lib/typed-number';
import { lengthOf } from '../../../lib/lengths';
import { useCopyStudy } from '../api/change-studies';
import { studiesQueryOptions } from '../api/get-studies';
import {
  proposalQueryOptions,
  templatesQueryOptions,
  useKeepProposal,
  type Proposal,
  type Template,
} from '../api/propose';
import {
  askedOf,
  assumedFields,
  BLANK,
  chosenFor,
  fieldsOf,
  shownText,
  modelsOf,
  isMistyped,
  todayField,
  workFields,
  type Beginning,
  type Chosen,
  type Field,
  type Standing,
} from '../work';
import type { NewStudySearch } from '../search';
import { FIRST_ANSWER, FirstVerdict } from './first-verdict';
import { FromTrace, useTraced, type Traced } from './from-trace';
import { NewStudy } from './new-study';
import { GpuKind, Hours, ModelOf, Options, Place, useCurrencies } from './new-study-options';
import { useKept } from '../use-kept';
import { WorkField } from './work-field';
import styles from './new-study.module.css';

const PAUSE_MS = 350;
// The proposal, and the answer to it.
const ASKED: ReadonlySet<unknown> = new Set(['propose', FIRST_ANSWER]);
const START: Chosen = { aws: 36, owned: 0 };
const YEARS = Array.from({ length: 10 }, (_, at) => ({
  value: String(at + 1),
  label: at === 0 ? '1 year' : `${at + 1} years`,
}));

/**
 * A value once it has rested, and once what was asked before is answered: so that who types fast
 * never has more on the way than a workspace may, and no answer is asked for in vain.
 */
function useRested<T>(value: T, isAsking: boolean): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    if (isAsking) return;
    const timer = setTimeout(() => setRested(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value, isAsking]);
  return rested;
}

function Step({ at, title, children }: { at: number; title: string; children: ReactNode }) {
  return (
    <section className={`${styles.step} stack gap-12 shrink`} aria-labelledby={`step-${at}`}>
      <h2 id={`step-${at}`}>
        <span>{at}</span> {title}
      </h2>
      {children}
    </section>
  );
}

/** An example to copy, or a study without anything in it. */
function Otherwise() {
  const [blank, setBlank] = useState(false);
  const studies = useInfiniteQuery(studiesQueryOptions());
  const copy = useCopyStudy();
  const navigate = useNavigate();
  const examples = (studies.data?.pages ?? [])
    .flatMap((page) => page.results)
    .filter((study) => study.is_example);
  const take = (id: string) =>
    copy.mutate(id, {
      onSuccess: (study) => {
        if (study)
          void navigate({ to: '/studies/$studyId/compare', params: { studyId: study.id } });
      },
    });
  return (
    <div className={`${styles.others} line gap-8`}>
      <span className="muted">Or begin with</span>
      {examples.length > 0 && (
        <Select
          aria-label="Copy an example"
          value=""
          disabled={copy.isPending}
          choices={[
            { value: '', label: 'a copy of an example …' },
            ...examples.map(({ id, title }) => ({ value: id, label: title })),
          ]}
          onChange={(event) => event.target.value && take(event.target.value)}
        />
      )}
      <Button onClick={() => setBlank(true)}>Blank study</Button>
      <Link to="/imports">a bill, a fleet or a quote</Link>
      {blank && <NewStudy onClose={() => setBlank(false)} />}
    </div>
  );
}

interface SaveProps {
  suggested: string;
  proposal: ReturnType<typeof useProposal>;
}

function useProposal(begin: Beginning, plan: JsonSchema, paid: Currency) {
  const asked = useMemo(() => askedOf(begin, plan, paid), [begin, plan, paid]);
  const isAsking = useIsFetching({ predicate: ({ queryKey: [name] }) => ASKED.has(name) }) > 0;
  const rested = useRested(asked, isAsking);
  const query = useQuery(proposalQueryOptions(rested));
  const stale = rested !== asked || query.isPlaceholderData;
  return { asked, query, proposal: rested && asked ? query.data : undefined, stale };
}

function Save({ suggested, proposal }: SaveProps) {
  const [title, setTitle] = useKept('title', '');
  const keep = useKeepProposal();
  const navigate = useNavigate();
  const isWhole = !proposal.stale && proposal.proposal?.designs.length;
  const data = isWhole ? proposal.proposal : undefined;
  const save = () => {
    if (!data) return;
    keep.mutate(
      { title: title.trim() || suggested, proposal: data },
      {
        onSuccess: (study) =>
          void navigate({ to: '/studies/$studyId/compare', params: { studyId: study.id } }),
      },
    );
  };
  return (
    <div className={styles.save}>
      <label>
        Name of the study
        <TextInput
          value={title}
          maxLength={lengthOf('StudyCreateInput.title')}
          placeholder={suggested}
          onChange={(event) => setTitle(event.target.value)}
        />
      </label>
      <Button look="primary" disabled={!data || keep.isPending} onClick={save}>
        Save and compare
      </Button>
      <Fault of={keep} />
    </div>
  );
}

/** What fields show where nobody typed: the work, and what is proposed to assume of the place. */
function heldOf(begin: Beginning, proposal: Proposal | undefined): JsonObject {
  const assumptions = (proposal?.assumptions ?? {}) as JsonObject;
  return { workload: begin.workload, assumptions };
}

/** The currency of a code at the catalogue's rate: one object as long as it is the same. */
function usePaid(currencies: readonly Currency[], wanted: string): Currency {
  const { code, per_usd, as_of } = currencies.find((one) => one.code === wanted) ?? USD;
  return useMemo(() => ({ code, per_usd, as_of }), [code, per_usd, as_of]);
}

/** The place that a region names, and the currency of it until the planner has chosen one. */
function usePlace({ region, currency, isChosen }: Standing, currencies: readonly Currency[]) {
  const named = useRested(region.trim(), false);
  const query = useQuery(placeQueryOptions(named));
  const own = query.data?.currency;
  const code = isChosen ? currency : (currencies.find((one) => one.code === own) ?? USD).code;
  return {
    paid: usePaid(currencies, code),
    understood: named === region.trim() && !query.isPlaceholderData ? (query.data ?? null) : null,
    fault: named === region.trim() ? faultOf(query.error, '/named') : undefined,
  };
}

/** What is wrong with what was entered, by the end of its pointer. */
function faultOf(error: unknown, ending: string): string | undefined {
  const faults = error instanceof Problem ? error.faults : [];
  const message = faults.find(({ pointer }) => pointer.endsWith(ending))?.message;
  return message && asTyped(message);
}

/** Whether all that is wrong stands beside its field: then it is not said once more. */
function isMarked(error: unknown, fields: readonly Field[]): boolean {
  const faults = error instanceof Problem ? error.faults : [];
  const ends = ['/region', ...fields.map(({ pointer }) => pointer)];
  return (
    faults.length > 0 && faults.every(({ pointer }) => ends.some((end) => pointer.endsWith(end)))
  );
}

/** Between which values the odds have a field's number, as it is proposed. */
function rangeOf(proposal: Proposal | undefined, field: Field, paid: Currency) {
  const ranges = (proposal?.ranges ?? []) as unknown as {
    pointer: string;
    low: number;
    high: number;
  }[];
  const found = ranges.find(({ pointer }) => pointer === field.pointer);
  return found && asTyped(range(found.low, found.high, field.unit, paid, entered));
}

function waitsFor(isWrong: boolean): string {
  return isWrong
    ? 'Correct the values that are marked. The verdict appears here.'
    : 'Choose a kind of work or enter amounts, and at least one option. The verdict appears here.';
}

interface BodyProps {
  plan: JsonSchema;
  templates: readonly Template[];
  traced: Traced | null;
}

function Body({ plan, templates, traced }: BodyProps) {
  const [slug, setSlug] = useKept('template', '');
  const [begin, setBegin] = useKept<Beginning>('new', {
    workload: traced?.work.workload ?? BLANK,
    shape: '',
    origins: traced?.work.workload_provenance ?? {},
    typed: {},
    chosen: chosenFor(START, traced?.work.workload ?? BLANK),
    horizon_months: 36,
    gpu: '',
    place: { region: '', currency: 'USD' },
  });
  const template = templates.find((one) => one.slug === slug) ?? null;
  const first = useRef<HTMLInputElement>(null);
  const currencies = useCurrencies();
  const { paid, ...region } = usePlace(begin.place, currencies);
  const found = useProposal(begin, plan, paid);
  const held = heldOf(begin, found.proposal);
  // What was refused of a text goes as soon as the text is another.
  const refused = found.stale ? null : found.query.error;
  const fields = fieldsOf(begin, plan);
  const type = (pointer: string) => (text: string) =>
    setBegin((now) => ({
      ...now,
      typed: { ...now.typed, [pointer]: text },
      paidIn: { ...now.paidIn, [pointer]: paid.code },
    }));
  const choose = (one: Template) => {
    setSlug(one.slug);
    const workload = one.workload as Beginning['workload'];
    setBegin((now) => ({
      ...now,
      workload,
      shape: one.shape,
      origins: {},
      typed: {},
      gpu: typeof workload.gpu === 'string' ? workload.gpu : '',
      chosen: chosenFor(now.chosen, workload),
    }));
    first.current?.focus();
  };
  const field = (one: ReturnType<typeof workFields>[number], at: number, isWork: boolean) => (
    <WorkField
      key={one.pointer}
      ref={isWork && at === 0 ? first : undefined}
      field={one}
      text={shownText(one, begin.typed, held, paid)}
      otherwise={one.empty ? '' : shownText(one, {}, held, paid) || '0'}
      currency={paid}
      paidIn={begin.paidIn?.[one.pointer]}
      currencies={currencies}
      onCurrency={(currency) =>
        setBegin((now) => ({ ...now, place: { ...now.place, currency, isChosen: true } }))
      }
      range={found.stale ? undefined : rangeOf(found.proposal, one, paid)}
      touched={begin.typed[one.pointer] !== undefined}
      fault={faultOf(refused, one.pointer)}
      onType={type(one.pointer)}
    />
  );
  const models = modelsOf(begin.workload);
  const begun = template?.title ?? traced?.trace.title;
  const isWrong =
    isMistyped(begin, plan, paid) || region.fault !== undefined || isMarked(refused, fields);
  const waits = found.asked && !isWrong ? null : waitsFor(isWrong);
  return (
    <div className={styles.beside}>
      <div className="stack gap-24 shrink">
        <Step at={1} title="The work">
          <div className={styles.cards} role="group" aria-label="Kind of work">
            {templates.map((one) => (
              <button
                key={one.slug}
                type="button"
                className={styles.card}
                aria-pressed={one === template}
                onClick={() => choose(one)}
              >
                <strong>{one.title}</strong>
                <span className="muted small">{one.about}</span>
              </button>
            ))}
          </div>
          <Otherwise />
          {traced && template === null && <FromTrace traced={traced} />}
          <div className={styles.fields}>
            {models.map((of) => (
              <ModelOf
                key={of.pointer}
                plan={plan}
                of={of}
                onChange={(model) =>
                  setBegin((now) => ({
                    ...now,
                    workload: write(now.workload, `${of.pointer}/model`, model) as JsonObject,
                  }))
                }
              />
            ))}
            {workFields(plan, begin.workload).map((one, at) => field(one, at, true))}
            {field(todayField(plan), -1, false)}
            {models.length === 0 && (
              <GpuKind value={begin.gpu} onChange={(gpu) => setBegin((now) => ({ ...now, gpu }))} />
            )}
          </div>
          <Hours
            workload={begin.workload}
            shape={begin.shape}
            traced={template === null ? traced?.trace.title : undefined}
            onChange={(shape, held) =>
              setBegin((now) => ({ ...now, shape, workload: { ...now.workload, shape: held } }))
            }
          />
        </Step>
        <Step at={2} title="The options">
          <Options
            chosen={begin.chosen}
            onChange={(chosen) => setBegin((now) => ({ ...now, chosen }))}
          />
          <Place
            place={{ ...begin.place, currency: paid.code }}
            currencies={currencies}
            fault={region.fault}
            understood={region.understood}
            onChange={(place) => setBegin((now) => ({ ...now, place }))}
          />
        </Step>
        <Step at={3} title="The assumptions">
          <div className={styles.horizon}>
            <label>
              Horizon
              <Select
                aria-label="Horizon"
                value={String(begin.horizon_months / 12)}
                choices={YEARS}
                onChange={({ target }) =>
                  setBegin((now) => ({ ...now, horizon_months: Number(target.value) * 12 }))
                }
              />
            </label>
            <label>
              First month
              <TextInput
                type="month"
                aria-label="First month"
                value={begin.first_month ?? ''}
                onChange={({ target }) =>
                  setBegin((now) => ({ ...now, first_month: target.value || undefined }))
                }
              />
            </label>
          </div>
          <div className={styles.fields}>
            {assumedFields(plan).map((one, at) => field(one, at, false))}
          </div>
        </Step>
      </div>
      <section className="stack gap-12 at-hand" aria-labelledby="verdict">
        <h2 id="verdict">The verdict</h2>
        <FirstVerdict
          proposal={found.proposal}
          waits={waits}
          failure={found.asked ? found.query.error : null}
          stale={found.stale}
        />
        <Save suggested={begun ? `${begun}: rent or own` : 'Rent or own'} proposal={found} />
      </section>
    </div>
  );
}

/** A study begun with its work: what is proposed for it, and the first verdict, on one page. */
export function NewStudyPage({ search }: { search: NewStudySearch }) {
  const traced = useTraced(search);
  const plan = useQuery(modelQueryOptions(PLAN));
  const templates = useQuery(templatesQueryOptions);
  const error = plan.error ?? templates.error ?? traced.error;
  return (
    <main className={`page ${styles.page}`}>
      <header className={styles.head}>
        <div>
          <h1>New study</h1>
          <p className="muted">
            From the work alone, designs are proposed: sized, priced from the catalogue, with all
            running costs. Everything can be changed afterwards.
          </p>
        </div>
      </header>
      {plan.data && templates.data && traced.data !== undefined ? (
        <Body plan={plan.data.params_schema} templates={templates.data} traced={traced.data} />
      ) : error ? (
        <Failed error={error} minHeight={320} />
      ) : (
        <Loading minHeight={640} lines={10} />
      )}
    </main>
  );
}
