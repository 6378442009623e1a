import { numberClass, Select, Switch, TextArea, TextInput } from '../control';
import { Echo, isRefused, useTyped } from '../echo';
import type { Currency } from '../../lib/format';
import type { Json } from '../../lib/pointer';
import { choiceText } from '../../lib/schema';
import { numberFault } from '../../lib/schema-faults';
import { readTyped, refusalOf, typedIn, typedText } from '../../lib/units';
import type { FieldProps } from './field-props';
import { FieldRow } from './field-row';
import { fieldId, useForm } from './form-context';
import styles from './form.module.css';

function textOf(
  value: Json | undefined,
  unit: string,
  currency?: Currency,
  isGrouped = true,
): string {
  if (typeof value === 'number') return typedText(value, unit, currency, isGrouped);
  return typeof value === 'string' ? value : '';
}

/** Whether empty is another thing than the default, which so is shown as if it were entered. */
const meansMore = ({ nullable, schema }: FieldProps) => nullable && schema.default !== null;

/** What an emptied field holds: null where that means more, or where nothing may be left out. */
function emptied(field: FieldProps, isWhole: boolean): null | undefined {
  return isWhole || meansMore(field) ? null : undefined;
}

function placeholderOf(field: FieldProps, currency?: Currency): string {
  const { default: fallback, unit = '', empty } = field.schema;
  if (empty !== undefined) return empty;
  if (field.value === null) return '—';
  if (typeof fallback === 'number') return typedText(fallback, unit, currency);
  if (typeof fallback === 'string') return fallback;
  return field.nullable ? '—' : '';
}

/** Whole sectors, where only those are taken; what is counted one by one is refused instead. */
function roundedTo(step: number, value: number): number {
  return step > 1 ? Math.round(value / step) * step : value;
}

export function NumberField(field: FieldProps) {
  const form = useForm();
  const { typed_unit: shown, unit: stored = '', multipleOf: step = 0 } = field.schema;
  const unit = shown ?? stored;
  const typedAs = typedIn(stored, shown);
  const held = field.value === undefined && meansMore(field) ? field.schema.default : field.value;
  const value = typeof held === 'number' ? typedAs.shown(held) : held;
  // While it is typed in, a field shows what was typed; else the stored number.
  const { typed, setTyped, input } = useTyped((isGrouped) =>
    textOf(value, unit, form.currency, isGrouped),
  );
  const context = {
    name: `${field.label} ${field.pointer.split('/').at(-1) ?? ''}`,
    bounds: unit === stored ? field.schema : undefined,
  };
  const change = (text: string) => {
    setTyped(text);
    if (text.trim() === '') {
      form.change(field.pointer, emptied(field, form.isWhole));
      return;
    }
    const number = readTyped(text, unit, form.currency, context);
    // Text that is no number is kept too, so that it is not taken for the value before.
    const exact = number === null ? null : typedAs.held(number);
    form.change(field.pointer, exact === null ? text : roundedTo(step, exact));
  };
  const text = typed ?? (typeof held === 'string' ? held : null);
  const refused = text !== null && isRefused(text, unit, form.currency, context);
  const read = text === null ? null : readTyped(text, unit, form.currency, context);
  const beyond =
    read === null
      ? null
      : numberFault(field.schema, roundedTo(step, typedAs.held(read)), form.currency);
  const echo = text?.trim() ? (
    <Echo
      id={`${fieldId(form, field.pointer)}.echo`}
      className={styles.echo}
      text={text}
      unit={unit}
      currency={form.currency}
      context={context}
      fault={beyond}
    />
  ) : undefined;
  return (
    <FieldRow
      field={field}
      withUnit
      below={echo}
      isRefused={refused || beyond !== null}
      accepts={refusalOf(unit, form.currency, '', { ...context, mark: '.' })}
    >
      {(control) => (
        <TextInput
          {...control}
          {...input}
          inputMode="decimal"
          className={numberClass}
          placeholder={form.empties?.[field.pointer] ?? placeholderOf(field, form.currency)}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </FieldRow>
  );
}

const DATE = String.raw`^\d{4}-`;
const MONTH = String.raw`^\d{4}-(0[1-9]|1[0-2])$`;

/** How a text is typed: a day or a month has a picker of its own. */
function typeOf({ format, pattern = '' }: FieldProps['schema']): 'date' | 'month' | 'text' {
  if (pattern === MONTH) return 'month';
  return format === 'date' || pattern.startsWith(DATE) ? 'date' : 'text';
}

export function TextField(field: FieldProps) {
  const form = useForm();
  const type = typeOf(field.schema);
  const isLong = (field.schema.maxLength ?? 0) > 200;
  const change = (text: string) =>
    form.change(field.pointer, text === '' ? emptied(field, form.isWhole) : text);
  const value = textOf(field.value, '');
  return (
    <FieldRow field={field}>
      {(control) =>
        isLong ? (
          <TextArea
            {...control}
            rows={2}
            maxLength={field.schema.maxLength}
            value={value}
            placeholder={field.schema.file ? `Drop ${field.schema.file}, or paste it` : undefined}
            onDragOver={(event) => field.schema.file && event.preventDefault()}
            onDrop={(event) => {
              const file = field.schema.file ? event.dataTransfer.files[0] : undefined;
              if (!file) return;
              event.preventDefault();
              void file.text().then(change);
            }}
            onChange={(event) => change(event.target.value)}
          />
        ) : (
          <TextInput
            {...control}
            type={type}
            autoComplete="off"
            maxLength={type === 'text' ? field.schema.maxLength : undefined}
            value={value}
            placeholder={placeholderOf(field)}
            onChange={(event) => change(event.target.value)}
          />
        )
      }
    </FieldRow>
  );
}

export function ChoiceField(field: FieldProps) {
  const form = useForm();
  const held = field.value ?? field.schema.default;
  const known = field.schema.enum ?? [];
  const options = known.map(String);
  const value = typeof held === 'string' || typeof held === 'number' ? String(held) : '';
  // What is chosen is the schema's own value, a number where that is one.
  const valueOf = (text: string) => known.find((option) => String(option) === text);
  const choices = options.map((option) => ({
    value: option,
    label: choiceText(field.schema, option),
  }));
  const blank = { value: '', label: field.nullable ? '—' : 'Choose' };
  const isBlank = field.nullable || !options.includes(value);
  return (
    <FieldRow field={field}>
      {(control) => (
        <Select
          {...control}
          choices={isBlank ? [blank, ...choices] : choices}
          value={value}
          onChange={(event) =>
            form.change(field.pointer, valueOf(event.target.value) ?? emptied(field, form.isWhole))
          }
        />
      )}
    </FieldRow>
  );
}

export function SwitchField(field: FieldProps) {
  const form = useForm();
  const held = field.value ?? field.schema.default;
  return (
    <FieldRow field={field}>
      {(control) => (
        <Switch
          id={control.id}
          describedBy={control['aria-describedby']}
          checked={held === true}
          onChange={(checked) => form.change(field.pointer, checked)}
        />
      )}
    </FieldRow>
  );
}
