import { useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { USD, type Currency } from '../../lib/format';
import { hiddenPlaces } from '../../lib/hidden';
import type { Json, JsonObject } from '../../lib/pointer';
import type { Fault } from '../../lib/problem';
import { writeSeeded, type JsonSchema } from '../../lib/schema';
import type { Origin, Provenance, RangeEntry } from '../../lib/types';
import { CataloguePicker } from './catalogue-picker';
import { FaultList } from './field-row';
import { FormProvider, type FormContext } from './form-context';
import { Properties } from './properties';
import { SchemaField } from './schema-field';
import styles from './form.module.css';

export interface FormFrame {
  filter: string;
  isOpen: (path: string) => boolean;
  setOpen: (path: string, open: boolean) => void;
}

export interface DocumentFormProps {
  formId: string;
  place?: string;
  schema: JsonSchema;
  root: JsonSchema;
  value: JsonObject;
  provenance: Provenance;
  faults: readonly Fault[];
  cautions?: readonly Fault[];
  /** Ranges of this document, pointers relative to it. */
  ranges: readonly RangeEntry[];
  frame: FormFrame;
  /** What a part that is added begins with, by its place; else with what its schema requires. */
  starts?: Readonly<Record<string, JsonObject>>;
  omit?: readonly string[];
  own?: FormContext['own'];
  empties?: FormContext['empties'];
  /** Whether its own fields can be taken from the catalogue. */
  isPriced?: boolean;
  readOnly?: boolean;
  isWhole?: boolean;
  /** The study's currency; US dollars where there is no study. */
  currency?: Currency;
  onChange: (value: JsonObject, origins: Provenance | null) => void;
  onRange?: (pointer: string, range: { low: number; high: number } | null) => void;
}

const NONE: readonly Fault[] = [];

function grouped(faults: readonly Fault[]): Map<string, Fault[]> {
  const map = new Map<string, Fault[]>();
  for (const fault of faults) map.set(fault.pointer, [...(map.get(fault.pointer) ?? []), fault]);
  return map;
}

/** A form for one document, made of its schema. */
export function DocumentForm(props: DocumentFormProps) {
  const { formId, schema, root, value, provenance, faults, ranges, frame, starts, omit } = props;
  const { own, empties, place } = props;
  const { cautions = NONE, readOnly = false, isWhole = false, currency = USD } = props;
  // Handlers stay the same while one types, so that only the touched fields are drawn anew.
  const now = useRef(props);
  useLayoutEffect(() => {
    now.current = props;
  });
  const change = useCallback((pointer: string, next: Json | undefined) => {
    const { schema: shape, root: whole, value: held, onChange } = now.current;
    onChange(writeSeeded(shape, whole, held, pointer, next) as JsonObject, null);
  }, []);
  const fill = useCallback<FormContext['fill']>((values, origins) => {
    const { schema: shape, root: whole, value: held, provenance: known, onChange } = now.current;
    const filled = values.reduce<Json>(
      (document, [pointer, next]) => writeSeeded(shape, whole, document, pointer, next),
      held,
    );
    const added = Object.fromEntries(origins) as Record<string, Origin>;
    onChange(filled as JsonObject, { ...known, ...added });
  }, []);
  const ranged = props.onRange !== undefined;
  const setRange = useCallback<NonNullable<FormContext['setRange']>>((pointer, range) => {
    now.current.onRange?.(pointer, range);
  }, []);
  const held = useCallback(() => now.current.value, []);
  const byPlace = useMemo(() => grouped(faults), [faults]);
  const cautioned = useMemo(() => grouped(cautions), [cautions]);
  const byRange = useMemo(() => new Map(ranges.map((entry) => [entry.pointer, entry])), [ranges]);
  const { filter, isOpen, setOpen } = frame;
  const hiddenText = hiddenPlaces(schema, root, value).join('\n');
  const hidden = useMemo(() => new Set(hiddenText.split('\n')), [hiddenText]);
  const form = useMemo<FormContext>(
    () => ({
      formId,
      place,
      Field: SchemaField,
      root,
      provenance,
      faults: byPlace,
      cautions: cautioned,
      ranges: byRange,
      currency,
      filter,
      hidden,
      own,
      empties,
      readOnly,
      isWhole,
      isOpen,
      setOpen,
      starts,
      held,
      change,
      fill,
      setRange: ranged ? setRange : undefined,
    }),
    [
      formId,
      place,
      root,
      provenance,
      byPlace,
      cautioned,
      byRange,
      currency,
      filter,
      hidden,
      own,
      empties,
      readOnly,
      isWhole,
      isOpen,
      setOpen,
      starts,
      held,
      change,
      fill,
      ranged,
      setRange,
    ],
  );
  return (
    <FormProvider value={form}>
      <FaultList faults={byPlace.get('') ?? []} />
      {props.isPriced && !readOnly && (
        <div className={styles.take}>
          <CataloguePicker schema={schema} pointer="" value={value} labelled />
        </div>
      )}
      <Properties schema={schema} pointer="" value={value} omit={omit} />
    </FormProvider>
  );
}
