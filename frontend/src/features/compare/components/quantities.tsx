import { useId, useState } from 'react';
import { Button, IconButton } from '../../../components/button';
import { AmountInput } from '../../../components/amount-field';
import { Select } from '../../../components/control';
import { Table } from '../../../components/table';
import type { Comparison } from '../../../lib/comparison';
import { entered, percent, range, significant, type Currency } from '../../../lib/format';
import type { Json } from '../../../lib/pointer';
import type { Study, StudyDocument } from '../../../lib/types';
import { byRule, join, split, type Correlation, type Quantity } from '../quantities';
import styles from './quantities.module.css';

type Changes = Record<string, Json>;

interface QuantitiesProps {
  study: Study;
  document: StudyDocument;
  comparison: Comparison;
  saving: boolean;
  onChange: (changes: Changes) => void;
}

interface LineProps extends Pick<QuantitiesProps, 'saving' | 'onChange'> {
  currency: Currency;
  quantity: Quantity;
  all: readonly Quantity[];
  held: Parameters<typeof join>[0];
}

function Line({ quantity, all, held, currency, saving, onChange }: LineProps) {
  const { label, members, by_hand: byHand, explains } = quantity;
  const others = all.filter(({ key }) => key !== quantity.key);
  return (
    <tr>
      <th scope="row">
        {label}
        {byHand && <span className="muted small"> changed by hand</span>}
      </th>
      <td>
        <ul className={`${styles.members} stack gap-2`}>
          {members.map((one) => (
            <li key={one.pointer}>
              <span>
                {one.label}{' '}
                <span className="muted num">
                  {range(one.low, one.high, one.unit, currency, entered)}
                </span>
              </span>
              {members.length > 1 && (
                <Button
                  small
                  look="quiet"
                  disabled={saving}
                  aria-label={`Split off ${one.label}`}
                  onClick={() => onChange(split(held, all, one.pointer))}
                >
                  Split off
                </Button>
              )}
            </li>
          ))}
        </ul>
      </td>
      <td className="num">{explains ?? '—'}</td>
      <td>
        <Select
          aria-label={`Join ${label} with`}
          disabled={saving}
          value=""
          choices={[
            { value: '', label: 'Join with …' },
            ...(byHand ? [{ value: ' rule', label: 'Back to the rule' }] : []),
            ...others.map(({ key, label: name }) => ({ value: key, label: name })),
          ]}
          onChange={({ target: { value } }) => {
            const other = others.find(({ key }) => key === value);
            if (other) onChange(join(held, quantity, other));
            else if (value === ' rule') onChange(byRule(held, quantity));
          }}
        />
      </td>
    </tr>
  );
}

/** An input with alternatives: which, and how likely each is. */
function ChoiceLine({ choice }: { choice: Comparison['choices'][number] }) {
  return (
    <tr>
      <th scope="row">{choice.label}</th>
      <td>
        <ul className={`${styles.members} stack gap-2`}>
          {choice.alternatives.map(({ label, odds_fraction: odds }) => (
            <li key={label}>
              <span>
                {label} <span className="muted num">{percent(odds)}</span>
              </span>
            </li>
          ))}
        </ul>
      </td>
      <td className="num">{choice.explains ?? '—'}</td>
      <td />
    </tr>
  );
}

interface CorrelationsProps extends Pick<QuantitiesProps, 'saving' | 'onChange'> {
  all: readonly Quantity[];
  correlations: readonly Correlation[];
}

function Correlations({ all, correlations, saving, onChange }: CorrelationsProps) {
  const id = useId();
  const [first, setFirst] = useState('');
  const [second, setSecond] = useState('');
  const [ratio, setRatio] = useState<number | null>(0.5);
  const choices = [
    { value: '', label: 'Choose' },
    ...all.map(({ key, label }) => ({ value: key, label })),
  ];
  const labelOf = (key: string) => all.find((one) => one.key === key)?.label ?? key;
  const same = (one: Correlation) =>
    [one.first, one.second].every((key) => key === first || key === second);
  const ready = first !== '' && second !== '' && first !== second && ratio !== null;
  const keep = (next: readonly Correlation[]) =>
    onChange({ '/assumptions/correlations': next as unknown as Json });
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>Rank correlations</h3>
      <p className="muted small">
        1: they always rise together; 0: not at all; −1: one rises as the other falls. Quantities
        without one are independent.
      </p>
      <ul className={`${styles.members} stack gap-2`}>
        {correlations.map((one) => (
          <li key={`${one.first} ${one.second}`}>
            <span>
              {labelOf(one.first)} and {labelOf(one.second)}:{' '}
              <span className="num">{significant(one.spearman_ratio)}</span>
            </span>
            <IconButton
              small
              icon="trash"
              label={`Remove the correlation of ${labelOf(one.first)}`}
              disabled={saving}
              onClick={() => keep(correlations.filter((other) => other !== one))}
            />
          </li>
        ))}
      </ul>
      <form
        className={styles.add}
        onSubmit={(event) => {
          event.preventDefault();
          if (!ready) return;
          const added = { first, second, spearman_ratio: ratio };
          keep([...correlations.filter((one) => !same(one)), added]);
        }}
      >
        <Select
          aria-label="Quantity"
          choices={choices}
          value={first}
          onChange={(event) => setFirst(event.target.value)}
        />
        <Select
          aria-label="Other quantity"
          choices={choices}
          value={second}
          onChange={(event) => setSecond(event.target.value)}
        />
        <span>
          <AmountInput
            aria-label="Rank correlation, −1 to 1"
            value={ratio}
            unit="1"
            faultOf={(value) => (Math.abs(value) <= 1 ? null : 'Enter −1 to 1.')}
            onAmount={setRatio}
          />
        </span>
        <Button small type="submit" disabled={!ready || saving}>
          Correlate
        </Button>
      </form>
    </section>
  );
}

/** Which inputs vary together in the simulations, by rule or changed by hand. */
export function Quantities({ study, document, comparison, saving, onChange }: QuantitiesProps) {
  const [open, setOpen] = useState(false);
  const { quantities: all, choices, moves_most: ranked, winner, runner_up: rival } = comparison;
  if (all.length + choices.length === 0) return null;
  const { correlations = [] } = document.assumptions as unknown as {
    correlations?: Correlation[];
  };
  const held = { ranges: study.ranges, correlations };
  const several = all.filter(({ members }) => members.length > 1).length;
  const inputs = all.reduce((sum, { members }) => sum + members.length, 0);
  const place = (key: string) => (ranked.includes(key) ? ranked.indexOf(key) : ranked.length);
  const lines = [
    ...all.map((quantity) => ({ at: place(quantity.key), quantity, choice: null })),
    ...choices.map((choice) => ({ at: place(choice.pointer), quantity: null, choice })),
  ].sort((a, b) => a.at - b.at);
  const of = winner && rival ? ` of the difference between ${winner} and ${rival}` : '';
  return (
    <section aria-label="Uncertain quantities">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <strong>Uncertain quantities.</strong> {inputs} inputs with a range stand for {all.length}{' '}
          quantities; {several} of them {several === 1 ? 'is' : 'are'} in several inputs, which vary
          together.
          {choices.length > 0 &&
            ` ${choices.length} more ${choices.length === 1 ? 'has' : 'have'} alternatives.`}
        </summary>
        {open && (
          <>
            <Table
              label="Quantities"
              className={styles.scroll}
              heads={[
                'Quantity',
                'Inputs and their ranges, or alternatives and their odds',
                `Explains, of the variance${of}`,
                'Change',
              ]}
            >
              {lines.map(({ quantity, choice }) =>
                quantity ? (
                  <Line
                    key={quantity.key}
                    quantity={quantity}
                    all={all}
                    held={held}
                    currency={comparison.currency}
                    saving={saving}
                    onChange={onChange}
                  />
                ) : (
                  <ChoiceLine key={choice.pointer} choice={choice} />
                ),
              )}
            </Table>
            <Correlations
              all={all}
              correlations={correlations}
              saving={saving}
              onChange={onChange}
            />
          </>
        )}
      </details>
    </section>
  );
}
