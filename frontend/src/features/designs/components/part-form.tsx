import type { Currency } from '../../../lib/format';
import { type JsonObject } from '../../../lib/pointer';
import type { Fault } from '../../../lib/problem';
import { resolve, type JsonSchema } from '../../../lib/schema';
import { useMayEdit } from '../../../lib/session';
import type { Provenance, RangeEntry } from '../../../lib/types';
import { rangesOf } from '../ranges';
import { ChoicesField } from '../../../components/form/choices-field';
import { DocumentForm, type FormFrame } from '../../../components/form/document-form';
import { KindChoice, useKind } from '../../../components/form/kind-choice';
import styles from './designs.module.css';

interface PartFormProps {
  part: string;
  plan: JsonSchema;
  currency: Currency;
  value: JsonObject;
  provenance: Provenance;
  faults: readonly Fault[];
  cautions?: readonly Fault[];
  ranges: readonly RangeEntry[];
  frame: FormFrame;
  onChange: (value: JsonObject, origins: Provenance | null) => void;
  onRange: (pointer: string, range: { low: number; high: number } | null) => void;
}

const OWN = { '/choices': ChoicesField };

function faultsOf(faults: readonly Fault[], prefix: string): Fault[] {
  return faults
    .filter(({ pointer }) => pointer === prefix || pointer.startsWith(`${prefix}/`))
    .map((fault) => ({ ...fault, pointer: fault.pointer.slice(prefix.length) }));
}

/** The form of one part of the study: its workload, its assumptions or its baseline. */
export function PartForm(props: PartFormProps) {
  const { part, plan, currency, value, faults, ranges, frame, onChange } = props;
  const prefix = `/${part}`;
  const mayEdit = useMayEdit();
  const { schema } = resolve(plan.properties?.[part] ?? {}, plan);
  const kind = useKind({
    union: schema,
    root: plan,
    value,
    onChange: (next) => onChange(next, null),
  });
  const { key, current } = kind;
  const shape = schema.oneOf ? current?.schema : schema;
  return (
    <div className={styles.form}>
      {schema.description && <p className="muted">{schema.description}</p>}
      {schema.oneOf && (
        <KindChoice id={`${part}-kind`} kind={kind} none="Choose" disabled={!mayEdit} />
      )}
      {shape && (
        <DocumentForm
          isPriced
          readOnly={!mayEdit}
          currency={currency}
          formId={part}
          place={prefix}
          schema={shape}
          root={plan}
          value={value}
          provenance={props.provenance}
          faults={faultsOf(faults, prefix)}
          cautions={props.cautions}
          ranges={rangesOf(ranges, prefix)}
          frame={frame}
          omit={schema.oneOf ? [key] : []}
          own={OWN}
          onChange={onChange}
          onRange={(pointer, range) => props.onRange(`${prefix}${pointer}`, range)}
        />
      )}
    </div>
  );
}
