import { useState } from 'react';
import { TextArea } from '../control';
import { entered } from '../../lib/format';
import { asTyped, numberText, parseNumber } from '../../lib/typed-number';
import { isMoney } from '../../lib/format';
import { readTyped, toTyped } from '../../lib/units';
import { resolve } from '../../lib/schema';
import type { FieldProps } from './field-props';
import { FaultList } from './field-row';
import { fieldId, useFaults, useForm } from './form-context';
import { GroupHead } from './group-head';
import styles from './form.module.css';

function numbersIn(value: unknown): number[] {
  return Array.isArray(value)
    ? value.filter((item): item is number => typeof item === 'number')
    : [];
}

/** A small line of a series, from its least to its greatest. */
export function Spark({ values }: { values: readonly number[] }) {
  const high = Math.max(...values, 0) || 1;
  const low = Math.min(...values, 0);
  const points = values
    .map((value, at) => {
      const x = (at / Math.max(1, values.length - 1)) * 300;
      const y = 42 - ((value - low) / (high - low)) * 40;
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
  return (
    <svg
      className={styles.spark}
      viewBox="0 0 300 44"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <polyline
        points={points}
        fill="none"
        stroke="var(--action)"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

/**
 * The numbers of a text: one a line, or with spaces or semicolons between them. What is no number
 * with its commas, or stands alone with commas that may part numbers, is a list of several.
 */
export function seriesParts(text: string): string[] {
  const parts = text.split(/[\s;]+|,(?=\s)/).filter(Boolean);
  const isOne = (part: string) =>
    parts.length === 1 ? parseNumber(part, '.') === parseNumber(part, ',') : true;
  return parts.flatMap((part) =>
    isOne(part) && parseNumber(part) !== null && !(parts.length === 1 && /,.*,/.test(part))
      ? [part]
      : part.split(',').filter(Boolean),
  );
}

/** A list of numbers, such as a price for every hour: pasted as text, shown as a line. */
export function SeriesField({ schema, pointer, label, nullable, value }: FieldProps) {
  const form = useForm();
  const faults = useFaults(pointer);
  const [typed, setTyped] = useState<string | null>(null);
  const values = numbersIn(value ?? schema.default);
  const unit = (schema.items && resolve(schema.items, form.root).schema.unit) ?? '';
  const open = form.isOpen(pointer) || form.filter !== '';
  const id = fieldId(form, pointer);
  const span =
    values.length > 0
      ? asTyped(
          `${values.length.toLocaleString('en-GB')} values, ${entered(Math.min(...values), unit, form.currency)} to ${entered(Math.max(...values), unit, form.currency)}`,
        )
      : 'none';
  const read = (text: string) => readTyped(text, isMoney(unit) ? unit : '', form.currency);
  const shown = isMoney(unit) ? values.map((one) => toTyped(one, unit, form.currency)) : values;
  const change = (text: string) => {
    setTyped(text);
    const parts = seriesParts(text);
    if (parts.length === 0) form.change(pointer, nullable ? null : undefined);
    // A part that is no number stays as it is, so that the server can say where.
    else
      form.change(
        pointer,
        parts.map((part) => read(part) ?? part),
      );
  };
  return (
    <section className={styles.group} data-field={pointer}>
      <GroupHead pointer={pointer} title={label} summary={span} open={open} />
      <FaultList faults={faults} />
      {open && (
        <div className={styles.series}>
          <label className="muted small" htmlFor={id}>
            {schema.description ?? 'One number per line, or separated by spaces.'} Now {span}.
          </label>
          {values.length > 1 && <Spark values={values} />}
          <TextArea
            id={id}
            rows={4}
            disabled={form.readOnly}
            spellCheck={false}
            value={typed ?? shown.map((one) => numberText(one, undefined, false)).join(' ')}
            aria-invalid={faults.length > 0 || undefined}
            onChange={(event) => change(event.target.value)}
            onBlur={() => setTyped(null)}
          />
        </div>
      )}
    </section>
  );
}
