import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useEffect, useState, type ReactNode } from 'react';
import { Segments } from '../../../components/control';
import { SearchInput } from '../../../components/search-input';
import { Failed, Loading } from '../../../components/query-state';
import { labelOf } from '../../../lib/labels';
import { modelQueryOptions, PLAN } from '../../../lib/models';
import type { JsonObject } from '../../../lib/pointer';
import { keep, kept } from '../../../lib/shelf';
import { useMayEdit } from '../../../lib/session';
import { resolve, type JsonSchema } from '../../../lib/schema';
import { studyQueryOptions, useCurrency } from '../../../lib/studies';
import type { ChoiceEntry, Provenance, Study } from '../../../lib/types';
import { relative, type DesignsSearch, type Part } from '../search';
import { useOutOfDate } from '../api/forecasts';
import { useStudyDraft } from '../use-draft';
import { ChoicesContext, withChoice } from '../../../components/form/choices';
import { prefixes, useOpenGroups } from '../../../components/form/use-open';
import { BaselineForm } from './baseline-form';
import { ConflictDialog } from './conflict-dialog';
import { DesignColumns } from './design-columns';
import type { FormFrame } from '../../../components/form/document-form';
import { designSchema } from './labels';
import { PackPanel } from './pack-panel';
import { PartForm } from './part-form';
import { Prices } from './prices';
import { RangesLeft } from './ranges-left';
import { SaveState } from './save-state';
import names from '../may-vary.json';
import { withRange } from '../ranges';
import { followedBelow, type DocumentChange } from '../spreads';
import styles from './designs.module.css';

interface DesignsPageProps {
  studyId: string;
  search: DesignsSearch;
  onSearch: (search: DesignsSearch) => void;
  /** What the study comes to, beside its inputs. */
  answer: ReactNode;
}

const BESIDE = 'ampacity.designs-side-by-side';

const CHOICES: { value: Part; label: string }[] = [
  { value: 'designs', label: 'Designs' },
  { value: 'workload', label: 'Workload' },
  { value: 'assumptions', label: 'Assumptions' },
  { value: 'baseline', label: 'Baseline' },
];

/** The titles on the way to an input of the study, with the letter of its design. */
function labelIn(plan: JsonSchema, study: Study, pointer: string): string {
  const [, part = '', letter = ''] = pointer.split('/');
  const design = study.designs.find((one) => part === 'designs' && one.letter === letter);
  if (design) {
    const schema = designSchema(plan, design.kind) ?? plan;
    return `${labelOf(schema, plan, design.spec, relative(pointer))} (${letter})`;
  }
  const { schema } = resolve(plan.properties?.[part] ?? {}, plan);
  const held = part === 'workload' ? study.workload : study.assumptions;
  return labelOf(schema, plan, held, relative(pointer));
}

/** The field at a place of a form; where it has none, the group around it, at last the form. */
function nearest(form: string, place: string): Element | null {
  const places = prefixes(place).reverse();
  const found = places.map((path) =>
    document.querySelector(`${form} [data-field=${JSON.stringify(path)}]`),
  );
  return found.find((field) => field !== null) ?? document.querySelector(form);
}

/** Brings the input that the address points at into view and puts the cursor in it. */
function usePointedAt(at: string | undefined, ready: boolean) {
  useEffect(() => {
    if (!at || !ready) return;
    const letter = at.startsWith('/designs/') ? (at.split('/')[2] ?? '') : '';
    const form = letter ? `[aria-label^="Design ${letter},"]` : 'main';
    const handle = setTimeout(() => {
      const field = nearest(form, relative(at));
      field?.scrollIntoView({ block: 'center', inline: 'nearest' });
      const control = field?.querySelector<HTMLElement>('input, select, textarea');
      (control ?? field?.querySelector<HTMLElement>('button'))?.focus();
    }, 60);
    return () => clearTimeout(handle);
  }, [at, ready]);
}

interface FormsProps extends DesignsPageProps {
  study: Study;
  plan: JsonSchema;
}

function Forms({ study, plan, search, onSearch, answer }: FormsProps) {
  const part = search.part ?? 'designs';
  const { draft, state } = useStudyDraft(study);
  const currency = useCurrency(study.id);
  const mayEdit = useMayEdit();
  const { document } = state;
  const outOfDate = useOutOfDate(study.id, document.workload_provenance);
  const groups = useOpenGroups(search.at ? prefixes(relative(search.at)) : []);
  const [text, setText] = useState('');
  const filter = useDeferredValue(text.trim().toLowerCase());
  const frame: FormFrame = { filter, ...groups };
  usePointedAt(search.at, true);
  const [isBeside, setBeside] = useState(() => kept<boolean>(sessionStorage, BESIDE) ?? false);
  const showBeside = (beside: boolean) => {
    setBeside(beside);
    keep(sessionStorage, BESIDE, beside);
  };
  // Side by side the designs take the page.
  const isWhole = part === 'designs' && isBeside;
  // From the newest draft: several calls may come before the next drawing.
  const setRange = (pointer: string, range: { low: number; high: number } | null) =>
    draft.edit({ ranges: withRange(draft.state.document.ranges, pointer, range) });
  const follow = (prefix: string, change: DocumentChange) => {
    const { ranges } = draft.state.document;
    const after = followedBelow(ranges, prefix, change);
    if (JSON.stringify(ranges) !== JSON.stringify(after.ranges))
      draft.edit({ ranges: after.ranges });
    return after.moved;
  };
  const editPart = (
    name: 'workload' | 'assumptions',
    value: JsonObject,
    given: Provenance | null,
  ) => {
    const { document: now } = draft.state;
    const [held, provenance] = [now[name], now[`${name}_provenance`]];
    const { schema } = resolve(plan.properties?.[name] ?? {}, plan);
    const moved = follow(`/${name}`, {
      schema,
      root: plan,
      before: { value: held, provenance },
      after: { value, origins: given },
    });
    const origins = given ?? moved;
    draft.edit({ [name]: value, ...(origins && { [`${name}_provenance`]: origins }) });
  };
  const all = (document.assumptions.choices ?? []) as unknown as readonly ChoiceEntry[];
  const choices = {
    all,
    takes: (pointer: string) =>
      !pointer.split('/').some((name) => names.of_the_answer.includes(name)),
    label: (pointer: string) => labelIn(plan, document, pointer),
    set: (pointer: string, others: ChoiceEntry['others'] | null) => {
      const { assumptions } = draft.state.document;
      draft.edit({ assumptions: { ...assumptions, choices: withChoice(all, pointer, others) } });
    },
  };
  return (
    <ChoicesContext value={choices}>
      <div className={styles.bar}>
        <Segments
          label="Part of the study"
          value={part}
          choices={CHOICES}
          onChange={(value) => onSearch({ part: value as Part })}
        />
        <SearchInput label="Find an input" value={text} onChange={setText} />
        <span className={styles.grow} />
        {mayEdit && (part !== 'designs' || state.status !== 'saved') && (
          <SaveState
            status={state.status}
            message={state.message}
            faultsCount={document.faults.length}
          />
        )}
      </div>
      {mayEdit && <RangesLeft study={document} plan={plan} onRange={setRange} />}
      {part !== 'baseline' && (
        <div className={isWhole ? '' : styles.beside}>
          <div className="shrink">
            {part === 'designs' && (
              <DesignColumns
                study={document}
                plan={plan}
                frame={frame}
                at={search.at}
                isBeside={isBeside}
                onBeside={showBeside}
                onRange={setRange}
                onFollow={follow}
              />
            )}
            {part === 'assumptions' && <Prices study={document} plan={plan} />}
            {part === 'assumptions' && <PackPanel study={study} />}
            {(part === 'workload' || part === 'assumptions') && (
              <PartForm
                key={part}
                part={part}
                plan={plan}
                currency={currency}
                value={document[part]}
                provenance={document[`${part}_provenance`]}
                faults={document.faults}
                cautions={part === 'workload' ? outOfDate : undefined}
                ranges={document.ranges}
                frame={frame}
                onChange={(value, origins) => editPart(part, value, origins)}
                onRange={setRange}
              />
            )}
          </div>
          {!isWhole && (
            <aside aria-label="Answer" className="at-hand">
              {answer}
            </aside>
          )}
        </div>
      )}
      {part === 'baseline' && (
        <BaselineForm study={document} draft={draft} plan={plan} frame={frame} />
      )}
      <ConflictDialog
        title="This study"
        draft={draft}
        state={state}
        schema={plan}
        root={plan}
        document={{ workload: document.workload, assumptions: document.assumptions }}
        currency={currency}
      />
    </ChoicesContext>
  );
}

export function DesignsPage(props: DesignsPageProps) {
  const study = useQuery(studyQueryOptions(props.studyId));
  const plan = useQuery(modelQueryOptions(PLAN));
  const error = study.error ?? plan.error;
  if (study.data && plan.data) {
    return <Forms {...props} study={study.data} plan={plan.data.params_schema} />;
  }
  if (error) {
    const retry = () => void Promise.all([study.refetch(), plan.refetch()]);
    return <Failed error={error} onRetry={retry} minHeight={320} />;
  }
  return <Loading minHeight={640} lines={14} />;
}
