import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { exact, quantity, type Currency } from '../../../lib/format';
import type { StudyDocument } from '../../../lib/types';
import {
  workingQueryOptions,
  type FormulaTokens,
  type Opened,
  type Working,
  type WorkingTerm,
} from '../api/workings';
import styles from './explain.module.css';

/** The value of a term at a payment; one that is always the same stands once. */
const valueAt = ({ values }: WorkingTerm, payment: number) => values[payment] ?? values[0] ?? 0;

interface Shown {
  working: Working;
  payment: number;
  currency: Currency;
  origin: (pointer: string) => ReactNode;
}

function Tokens({ tokens, say }: { tokens: FormulaTokens; say: (term: number) => string }) {
  return (
    <code>{tokens.map((token) => (typeof token === 'string' ? token : say(token))).join('')}</code>
  );
}

/** A formula with the names of its terms, and with their values put in. */
function FormulaPair({ tokens, shown }: { tokens: FormulaTokens; shown: Shown }) {
  const { working, payment, currency } = shown;
  const term = (place: number) => working.terms[place];
  const value = (place: number) => {
    const found = term(place);
    return found ? quantity(valueAt(found, payment), found.unit, currency) : '';
  };
  return (
    <div className={styles.formula}>
      <Tokens tokens={tokens} say={(place) => term(place)?.name ?? ''} />
      <Tokens tokens={tokens} say={value} />
    </div>
  );
}

/** The terms of a formula, each with where it was entered or with its own formula. */
function TermsOf({ tokens, shown }: { tokens: FormulaTokens; shown: Shown }) {
  const { working, payment, currency, origin } = shown;
  const places = [...new Set(tokens.filter((token) => typeof token === 'number'))];
  return (
    <ul className={styles.steps}>
      {places.map((place) => {
        const term = working.terms[place];
        if (!term) return null;
        const value = valueAt(term, payment);
        const formula = term.formulas[payment] ?? term.formulas[0];
        const line = (
          <>
            {term.name}{' '}
            <span className="num" title={exact(value, term.unit, currency)}>
              {quantity(value, term.unit, currency)}
            </span>
          </>
        );
        return (
          <li key={place}>
            {formula ? (
              <details>
                <summary>{line}</summary>
                <FormulaPair tokens={formula} shown={shown} />
                <TermsOf tokens={formula} shown={shown} />
              </details>
            ) : (
              line
            )}
            {term.pointer && origin(term.pointer)}
          </li>
        );
      })}
    </ul>
  );
}

type PaidLine = Working['lines'][number];

interface LineProps extends Omit<Shown, 'payment'> {
  line: PaidLine;
}

/** Payments by one formula, one of them opened. */
function Line({ line, ...rest }: LineProps) {
  const [payment, setPayment] = useState(0);
  const shown = { ...rest, payment };
  const amount = (value: number) => quantity(value, rest.working.unit, rest.currency);
  const said = ({ when, months_count: count, each, value }: PaidLine['payments'][number]) =>
    count > 1
      ? `${amount(each)} in ${when}, ${amount(value)} together`
      : `${amount(value)}, ${when}`;
  return (
    <section className="stack gap-6">
      {line.payments.length > 1 ? (
        <select
          aria-label="Payment"
          value={payment}
          onChange={(event) => setPayment(Number(event.target.value))}
        >
          {line.payments.map((one, at) => (
            <option key={`${one.when} ${at}`} value={at}>
              {said(one)}
            </option>
          ))}
        </select>
      ) : (
        <span className="muted">{line.payments[0] && said(line.payments[0])}</span>
      )}
      <FormulaPair tokens={line.formula} shown={shown} />
      <TermsOf tokens={line.formula} shown={shown} />
    </section>
  );
}

interface WorkingsProps {
  studyId: string;
  document: StudyDocument;
  opened: Opened;
  currency: Currency;
  origin: (pointer: string) => ReactNode;
}

/** How a cause of cost comes about, line by line, as entered. */
export function Workings({ studyId, document, opened, ...rest }: WorkingsProps) {
  const query = useQuery(workingQueryOptions(studyId, document, opened));
  if (query.isPending) return <span className="muted">working it out …</span>;
  if (query.isError) return <span className="fault">Its workings did not arrive.</span>;
  const working = query.data;
  if (!working) return <span className="muted">Nothing is paid for it as entered.</span>;
  return working.lines.map((line, place) => (
    <Line key={place} line={line} working={working} {...rest} />
  ));
}
