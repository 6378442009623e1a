import { useLayoutEffect, useRef, useState, type FocusEvent } from 'react';
import { USD, type Currency } from '../lib/format';
import { afterPress, watchPresses } from '../lib/press';
import { echoOf, refusalOf, type TypedContext } from '../lib/units';

/** Whether what was typed is no amount of a field's kind. */
export function isRefused(
  text: string,
  unit: string,
  currency: Currency = USD,
  context: TypedContext = {},
): boolean {
  return text.trim() !== '' && echoOf(text, unit, currency, context) === '';
}

interface EchoProps {
  id?: string;
  className?: string;
  text: string | null;
  unit: string;
  currency?: Currency;
  context?: TypedContext;
  /** What is wrong with an amount that was understood, by the limits of its field. */
  fault: string | null | undefined;
}

/** Below a field while one types: what was understood, with its unit, or what the field accepts. */
export function Echo({ id, className = '', text, unit, currency, context, fault }: EchoProps) {
  if (text === null || text.trim() === '') {
    return fault ? <Said id={id} className={className} text={fault} isFault /> : null;
  }
  const echo = echoOf(text, unit, currency, context);
  const wrong = echo === '' ? refusalOf(unit, currency, text, context) : fault;
  return <Said id={id} className={className} text={wrong ?? echo} isFault={Boolean(wrong)} />;
}

interface SaidProps {
  id?: string;
  className: string;
  text: string;
  isFault: boolean;
}

function Said({ id, className, text, isFault }: SaidProps) {
  return (
    <p
      id={id}
      role={isFault ? 'alert' : 'status'}
      className={`small ${isFault ? 'fault' : 'muted num'} ${className}`}
    >
      {text}
    </p>
  );
}

/**
 * The text of a field that holds a number: as it was typed while one types, in groups to read,
 * without groups as soon as one is in it, so that a digit taken out leaves no group of two. What
 * `isKept` stays as it was typed after one has left it: what is refused, beside the reason.
 */
export function useTyped(
  shown: (isGrouped: boolean) => string,
  isKept: (text: string) => boolean = () => false,
) {
  const [typed, setTyped] = useState<string | null>(null);
  const [isIn, setIn] = useState(false);
  // a field tabbed to has all of its text selected: it stays so when the groups leave it
  const whole = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (isIn) whole.current?.select();
    whole.current = null;
  }, [isIn]);
  return {
    typed,
    setTyped,
    input: {
      value: typed ?? shown(!isIn),
      autoComplete: 'off',
      onFocus: ({ target }: FocusEvent<HTMLInputElement>) => {
        watchPresses();
        // a script's select() moves the focus first, and selects then
        queueMicrotask(() => {
          if (document.activeElement !== target) return;
          const { selectionStart, selectionEnd, value } = target;
          if (selectionStart === 0 && selectionEnd === value.length) whole.current = target;
          setIn(true);
        });
      },
      onBlur: ({ target }: FocusEvent<HTMLInputElement>) => {
        setIn(false);
        // the sentence below stays until a press elsewhere has met what it was meant for
        afterPress(() => {
          if (document.activeElement === target) return;
          setTyped((text) => (text !== null && isKept(text) ? text : null));
        });
      },
    },
  };
}
