import { Popover } from '../../../components/popover';
import { exact, MISSING, quantity } from '../../../lib/format';
import { mathText } from '../../../lib/math-text';
import type { Formula } from '../../../lib/models';
import { formulaFor } from '../formulas';
import type { Cell, Fact, FactGroup } from '../result-parts';
import styles from './try.module.css';

const NOTHING = 1e-12;

/** A value of a result as it is read: three digits with the unit, words as they are. */
export function textOf(value: Cell, unit: string): string {
  // What rounding leaves of nothing is no share of one in so many.
  const isNothing = unit === 'fraction' && typeof value === 'number' && Math.abs(value) < NOTHING;
  if (typeof value === 'number') return quantity(isNothing ? 0 : value, unit);
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return value ?? MISSING;
}

function FormulaMark({ fact, formula }: { fact: Fact; formula: Formula }) {
  const symbols = Object.entries(formula.symbols);
  return (
    <Popover
      label={`Equation of ${fact.label}`}
      align="end"
      trigger={
        <button
          type="button"
          className={styles.mark}
          aria-label={`Equation of ${fact.label}`}
          title={mathText(formula.text)}
        >
          ƒ
        </button>
      }
    >
      <div className={styles.equation}>
        <code>{mathText(formula.text)}</code>
        {symbols.length > 0 && (
          <dl className="small">
            {symbols.map(([symbol, meaning]) => (
              <div key={symbol}>
                <dt>{symbol}</dt>
                <dd>{meaning}</dd>
              </div>
            ))}
          </dl>
        )}
        <p className="muted small">{formula.source}</p>
      </div>
    </Popover>
  );
}

function Line({ fact, formulas }: { fact: Fact; formulas: readonly Formula[] }) {
  const formula = formulaFor(fact.key, formulas);
  const { value, unit, reason } = fact;
  const isLong = typeof value === 'string' && value.length > 28;
  return (
    <tr>
      <th scope="row">
        {fact.label}
        {fact.description && <span className="muted small">{fact.description}</span>}
      </th>
      <td
        className={isLong ? styles.words : styles.value}
        title={typeof value === 'number' ? exact(value, unit) : reason}
      >
        {textOf(value, unit)}
        {value === null && reason && <span className="muted small">{reason}</span>}
      </td>
      <td className={styles.how}>{formula && <FormulaMark fact={fact} formula={formula} />}</td>
    </tr>
  );
}

interface FactsProps {
  group: FactGroup;
  formulas: readonly Formula[];
}

/** The single figures of a result, each with its unit, exact on hover, and its equation. */
export function Facts({ group, formulas }: FactsProps) {
  const title = group.title || 'Figures';
  return (
    <section className={`${styles.panel} box shrink`} aria-label={title}>
      <h3>{title}</h3>
      <table className={`${styles.facts} full`}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">Value</th>
            <th scope="col">Equation</th>
          </tr>
        </thead>
        <tbody>
          {group.facts.map((fact) => (
            <Line key={fact.key} fact={fact} formulas={formulas} />
          ))}
        </tbody>
      </table>
    </section>
  );
}
