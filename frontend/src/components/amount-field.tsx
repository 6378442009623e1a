import { useId, type ComponentProps, type ReactNode } from 'react';
import type { Currency } from '../lib/format';
import { readTyped, typedText, type TypedContext } from '../lib/units';
import { numberClass, TextInput } from './control';
import { Echo, isRefused, useTyped } from './echo';

interface AmountInputProps extends Omit<
  ComponentProps<typeof TextInput>,
  'value' | 'onChange' | 'onFocus' | 'onBlur'
> {
  value: number | null | undefined;
  unit?: string;
  currency?: Currency;
  context?: TypedContext;
  /** Why a number is not taken; nothing where it is. */
  faultOf?: (value: number) => string | null;
  /** A number that is taken; null once the field is empty. */
  onAmount: (value: number | null) => void;
  /** Between the input and the sentence below, as the unit. */
  beside?: ReactNode;
  /** Of the sentence below. */
  echoClass?: string;
}

/** A number with the words of its unit, and below it what was understood while one types. */
export function AmountInput(props: AmountInputProps) {
  const {
    value,
    unit = '',
    currency,
    context,
    faultOf,
    onAmount,
    beside,
    echoClass,
    ...rest
  } = props;
  const id = useId();
  const readOf = (text: string) => readTyped(text, unit, currency, context);
  const faultIn = (text: string) => {
    const read = readOf(text);
    return read === null ? null : (faultOf?.(read) ?? null);
  };
  const isWrong = (text: string) =>
    isRefused(text, unit, currency, context) || faultIn(text) !== null;
  const { typed, setTyped, input } = useTyped(
    (isGrouped) => (value == null ? '' : typedText(value, unit, currency, isGrouped)),
    isWrong,
  );
  return (
    <>
      <TextInput
        inputMode="decimal"
        {...rest}
        {...input}
        className={rest.className ?? numberClass}
        aria-invalid={(typed !== null && isWrong(typed)) || rest['aria-invalid'] || undefined}
        aria-describedby={typed ? id : rest['aria-describedby']}
        onChange={({ target }) => {
          setTyped(target.value);
          if (target.value.trim() === '') onAmount(null);
          else if (!isWrong(target.value)) onAmount(readOf(target.value));
        }}
      />
      {beside}
      <Echo
        id={id}
        className={echoClass}
        text={typed}
        unit={unit}
        currency={currency}
        context={context}
        fault={typed === null ? null : faultIn(typed)}
      />
    </>
  );
}

interface AmountFieldProps extends AmountInputProps {
  label: string;
}

/** An amount below its label. */
export function AmountField({ label, ...rest }: AmountFieldProps) {
  return (
    <label>
      {label}
      <AmountInput aria-label={label} {...rest} />
    </label>
  );
}
