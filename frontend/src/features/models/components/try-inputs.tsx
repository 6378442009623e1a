import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { Button } from '../../../components/button';
import { Select, TextInput } from '../../../components/control';
import { DocumentForm } from '../../../components/form/document-form';
import { FaultNames } from '../../../components/form/fault-names';
import { useOpenOf } from '../../../components/form/use-open';
import { same } from '../../../lib/changes';
import type { Model } from '../../../lib/models';
import type { JsonObject } from '../../../lib/pointer';
import type { Fault } from '../../../lib/problem';
import { numericLeaves, resolve, schemaAt, words } from '../../../lib/schema';
import type { Provenance } from '../../../lib/types';
import { beginnings, openAtFirst, originsOf } from '../start';
import styles from './try.module.css';

const OWN = ' own';
// Longer forms can be searched.
const LONG = 18;

interface TryInputsProps {
  model: Model;
  start: JsonObject;
  params: JsonObject;
  faults: readonly Fault[];
  onChange: (params: JsonObject) => void;
}

/** What the inputs begin with: the defaults or what a paper took. */
function Begin({ model, start, params, onChange }: Omit<TryInputsProps, 'faults'>) {
  const all = useMemo(() => beginnings(start, model.cases), [start, model.cases]);
  const chosen = all.find((entry) => same(entry.params, params));
  const choices = all.map(({ value, label }) => ({ value, label }));
  return (
    <div className={`${styles.begin} stack gap-2`}>
      <label htmlFor="try-case">Published case</label>
      <Select
        id="try-case"
        value={chosen ? chosen.value : OWN}
        choices={chosen ? choices : [{ value: OWN, label: 'Your own inputs' }, ...choices]}
        onChange={(event) => {
          const next = all.find(({ value }) => value === event.target.value);
          if (next) onChange(next.params);
        }}
      />
      <p className="muted small">{chosen?.source ?? ' '}</p>
    </div>
  );
}

/** The form of a model's inputs, made of their schema. */
export function TryInputs(props: TryInputsProps) {
  const { model, start, params, faults, onChange } = props;
  const schema = model.params_schema;
  const key = `ampacity.model.${model.id}.open`;
  const groups = useOpenOf(key, () => openAtFirst(schema, start));
  const [text, setText] = useState('');
  const filter = useDeferredValue(text.trim().toLowerCase());
  const [taken, setTaken] = useState<Provenance>({});
  const origins = useMemo(
    () => ({ ...originsOf(schema, start, params), ...taken }),
    [schema, start, params, taken],
  );
  const change = useCallback(
    (next: JsonObject, from: Provenance | null) => {
      if (from) setTaken(from);
      onChange(next);
    },
    [onChange],
  );
  const label = (pointer: string) => {
    const here = schemaAt(schema, schema, params, pointer);
    return (here && resolve(here, schema).schema.title) ?? words(pointer.split('/').at(-1) ?? '');
  };
  const isLong = numericLeaves(schema, schema, start).length > LONG;
  return (
    <div className="stack gap-8">
      <Begin model={model} start={start} params={params} onChange={onChange} />
      <div className={styles.formHead}>
        {isLong && (
          <TextInput
            type="search"
            aria-label="Find an input"
            placeholder="Find an input"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        <Button
          small
          look="quiet"
          icon="reset"
          disabled={same(params, start)}
          onClick={() => onChange(start)}
        >
          Start over
        </Button>
      </div>
      <FaultNames faults={faults} labels={label} setOpen={groups.setOpen} />
      <DocumentForm
        formId="try"
        schema={schema}
        root={schema}
        value={params}
        provenance={origins}
        faults={faults}
        ranges={NO_RANGES}
        frame={{ filter, ...groups }}
        onChange={change}
      />
    </div>
  );
}

const NO_RANGES: never[] = [];
