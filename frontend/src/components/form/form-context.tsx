import { createContext, use, type ComponentType } from 'react';
import type { Currency } from '../../lib/format';
import type { Json, JsonObject } from '../../lib/pointer';
import type { Fault } from '../../lib/problem';
import type { JsonSchema } from '../../lib/schema';
import type { Origin, Provenance, RangeEntry } from '../../lib/types';
import type { FieldProps, SchemaFieldProps } from './field-props';

export interface FormContext {
  /** Distinguishes the fields of several forms on one screen. */
  formId: string;
  /** Where its document stands in the study: /assumptions, /designs/D. */
  place?: string;
  /** Draws a field by its schema: fields hold fields. */
  Field: ComponentType<SchemaFieldProps>;
  /** The plan's whole schema, for its references. */
  root: JsonSchema;
  provenance: Provenance;
  faults: ReadonlyMap<string, readonly Fault[]>;
  /** What is worth knowing at a place without being a fault. */
  cautions: ReadonlyMap<string, readonly Fault[]>;
  /** Ranges by pointer relative to this form's document. */
  ranges: ReadonlyMap<string, RangeEntry>;
  /** What amounts are typed and shown in; they are held in US dollars. */
  currency: Currency;
  /** Only fields whose title holds this text are shown. */
  filter: string;
  /** Places that have no effect as the rest of the document is. */
  hidden: ReadonlySet<string>;
  /** Fields that the page draws itself, by their place. */
  own?: Readonly<Record<string, ComponentType<FieldProps>>>;
  /** What empty fields come to, by their place. */
  empties?: Readonly<Record<string, string>>;
  /** Whether its fields are shown without being for change. */
  readOnly: boolean;
  /** Whether nothing may be left out: what is emptied is refused, not taken at its default. */
  isWhole: boolean;
  isOpen: (path: string) => boolean;
  setOpen: (path: string, open: boolean) => void;
  /** What a part that is added begins with, by its place. */
  starts?: Readonly<Record<string, JsonObject>>;
  /** The document as it is now. */
  held: () => JsonObject;
  change: (pointer: string, value: Json | undefined) => void;
  fill: (
    values: readonly [pointer: string, value: Json][],
    origins: readonly [string, Origin][],
  ) => void;
  /** Missing where nothing is drawn from ranges. */
  setRange?: (pointer: string, range: { low: number; high: number } | null) => void;
}

const Context = createContext<FormContext | null>(null);

export const FormProvider = Context;

export function useForm(): FormContext {
  const form = use(Context);
  if (!form) throw new Error('A field stands outside of a form.');
  return form;
}

export function fieldId(form: FormContext, pointer: string): string {
  return `${form.formId}${pointer.replaceAll('/', '.')}`;
}

/** Faults at a place itself. */
export function useFaults(pointer: string): readonly Fault[] {
  return useForm().faults.get(pointer) ?? [];
}

/** How many faults lie at or below a place. */
export function countBelow(form: FormContext, pointer: string): number {
  let count = 0;
  for (const [at, faults] of form.faults) {
    if (at === pointer || at.startsWith(`${pointer}/`)) count += faults.length;
  }
  return count;
}
