import type { Currency } from '../../../lib/format';
import { isObject, type JsonObject } from '../../../lib/pointer';
import type { Fault } from '../../../lib/problem';
import { initialObject, resolve, variantOf, type JsonSchema } from '../../../lib/schema';
import { useMayEdit } from '../../../lib/session';
import type { Provenance, RangeEntry } from '../../../lib/types';
import { Select } from '../../../components/control';
import { rangesOf } from '../ranges';
import { DocumentForm, type FormFrame } from '../../../components/form/document-form';
import formStyles from '../../../components/form/form.module.css';
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
  const { key, all, current } = variantOf(schema, plan, value);
  const shape = schema.oneOf ? current?.schema : schema;
  const choose = (tag: string) => {
    const next = all.find((variant) => variant.tag === tag);
    if (!next) return;
    const kept = Object.entries(isObject(value) ? value : {}).filter(
      ([name]) => name !== key && next.schema.properties?.[name],
    );
    onChange(
      { ...initialObject(next.schema, plan), ...Object.fromEntries(kept), [key]: tag },
      null,
    );
  };
  return (
    <div className={styles.form}>
      {schema.description && <p className="muted">{schema.description}</p>}
      {schema.oneOf && (
        <div className={`${formStyles.row} ${formStyles.wide} ${styles.kindRow}`}>
          <label htmlFor={`${part}-kind`}>Kind</label>
          <span />
          <Select
            id={`${part}-kind`}
            disabled={!mayEdit}
            value={current?.tag ?? ''}
            choices={[
              ...(current ? [] : [{ value: '', label: 'Choose' }]),
              ...all.map((variant) => ({ value: variant.tag, label: variant.title })),
            ]}
            onChange={(event) => choose(event.target.value)}
          />
        </div>
      )}
      {shape && (
        <div className={styles.wideForm}>
          <DocumentForm
            isPriced
            readOnly={!mayEdit}
            currency={currency}
            formId={part}
            schema={shape}
            root={plan}
            value={value}
            provenance={props.provenance}
            faults={faultsOf(faults, prefix)}
            cautions={props.cautions}
            ranges={rangesOf(ranges, prefix)}
            frame={frame}
            omit={schema.oneOf ? [key] : []}
            onChange={onChange}
            onRange={(pointer, range) => props.onRange(`${prefix}${pointer}`, range)}
          />
        </div>
      )}
    </div>
  );
}
