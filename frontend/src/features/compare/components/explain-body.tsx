import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Behind, ModelChecks } from '../../../components/behind';
import { QualityChip } from '../../../components/chip';
import { commentsQueryOptions } from '../../../lib/comments';
import type { FormulaTerm } from '../../../lib/comparison';
import { date, entered, exact, quantity, type Currency } from '../../../lib/format';
import { modelQueryOptions, PLAN, type Formula } from '../../../lib/models';
import { mathText } from '../../../lib/math-text';
import { originOf } from '../../../lib/origin';
import { read } from '../../../lib/pointer';
import { schemaAt, type JsonSchema } from '../../../lib/schema';
import { documentQueryOptions, studyQueryOptions } from '../../../lib/studies';
import type { Explanation } from '../explanation';
import type { StudyDocument } from '../../../lib/types';
import type { InputPlace } from '../behind';
import { substituted } from '../substitute';
import { Workings } from './workings';
import styles from './explain.module.css';

function TermOrigin({ studyId, pointer }: { studyId: string; pointer: string }) {
  const study = useQuery(studyQueryOptions(studyId)).data;
  const document = useQuery(documentQueryOptions(studyId)).data;
  const plan = useQuery(modelQueryOptions(PLAN)).data;
  const origin = study && document && originOf(study, document, plan?.params_schema, pointer);
  return (
    <div className={`${styles.origin} small`}>
      {origin && <QualityChip quality={origin.quality} />}
      {origin?.source && (
        <span className="muted">
          {origin.url ? (
            <a href={origin.url} target="_blank" rel="noreferrer">
              {origin.source}
            </a>
          ) : (
            origin.source
          )}
          {origin.as_of && `, ${date(origin.as_of)}`}
        </span>
      )}
      <Link to="/studies/$studyId/designs" params={{ studyId }} search={{ at: pointer }}>
        Go to the input
      </Link>
    </div>
  );
}

interface TermsProps {
  studyId: string;
  terms: readonly FormulaTerm[];
  currency: Currency;
}

function Terms({ studyId, terms, currency }: TermsProps) {
  return (
    <table className={`${styles.terms} full`}>
      <tbody>
        {terms.map((term) => (
          <tr key={`${term.name} ${term.pointer}`}>
            <th scope="row">
              {term.name}
              {term.pointer && <TermOrigin studyId={studyId} pointer={term.pointer} />}
            </th>
            <td title={exact(term.value, term.unit, currency)}>
              {(term.pointer ? entered : quantity)(term.value, term.unit, currency)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface FormulaTextProps {
  formula: Formula;
  terms: readonly FormulaTerm[];
  currency: Currency;
}

function FormulaText({ formula, terms, currency }: FormulaTextProps) {
  const filled = substituted(formula.text, terms, currency);
  return (
    <div className={styles.formula}>
      <code>{mathText(formula.text)}</code>
      {filled !== formula.text && <code>{mathText(filled)}</code>}
      <span className="muted small">{formula.source}</span>
      <Behind papers={formula.papers} models={formula.models} />
    </div>
  );
}

/** An input of the study as a term: its value there, or its default. */
function inputTerm(
  place: InputPlace,
  document: StudyDocument,
  plan: JsonSchema,
): FormulaTerm | undefined {
  for (const pointer of typeof place === 'string' ? [place] : place) {
    const schema = schemaAt(plan, plan, document, pointer);
    const value = read(document, pointer) ?? schema?.default;
    if (schema && typeof value === 'number') {
      return { name: schema.title ?? pointer, value, unit: schema.unit ?? '', pointer };
    }
  }
  return undefined;
}

interface ExplainBodyProps {
  studyId: string;
  document: StudyDocument;
  currency: Currency;
  explanation: Explanation;
}

/** What stands behind a number: formula, values put in, inputs with their sources, model. */
export function ExplainBody({ studyId, document, currency, explanation }: ExplainBodyProps) {
  const plan = useQuery(modelQueryOptions(PLAN)).data;
  const formula = plan?.formulas.find((entry) => entry.id === explanation.formula);
  const inputs = (explanation.inputs ?? []).flatMap(
    (place) => (plan && inputTerm(place, document, plan.params_schema)) ?? [],
  );
  const terms = [...explanation.terms, ...inputs];
  const comments = useQuery(commentsQueryOptions(studyId)).data ?? [];
  const said = comments.filter(
    (row) => row.place === explanation.title && row.resolved_at === null,
  ).length;
  return (
    <div className={styles.body}>
      <div className="stack gap-2">
        <span className="muted small">{explanation.title}</span>
        <span className={`${styles.value} num`}>{explanation.value}</span>
        {explanation.exact && <span className="muted small num">{explanation.exact}</span>}
      </div>
      {explanation.note && <p>{explanation.note}</p>}
      {formula && <FormulaText formula={formula} terms={terms} currency={currency} />}
      {explanation.opened && (
        <Workings
          studyId={studyId}
          document={document}
          opened={explanation.opened}
          currency={currency}
          origin={(pointer) => <TermOrigin studyId={studyId} pointer={pointer} />}
        />
      )}
      {terms.length > 0 && <Terms studyId={studyId} terms={terms} currency={currency} />}
      <div className={`${styles.foot} small`}>
        <span className="muted">
          Model{' '}
          <Link to="/method/models/$modelId" params={{ modelId: PLAN }}>
            {PLAN}
          </Link>{' '}
          {plan?.version}
        </span>
        <ModelChecks model={PLAN} />
        <Link
          to="/studies/$studyId/comments"
          params={{ studyId }}
          search={{ about: explanation.title }}
        >
          {said > 0 ? `Comments (${said})` : 'Comment'}
        </Link>
      </div>
    </div>
  );
}
