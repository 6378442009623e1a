import { useState, type ReactNode } from 'react';
import { isObject, join, type Json, type JsonObject } from '../../lib/pointer';
import { resolve, words, type JsonSchema } from '../../lib/schema';
import { GroupHead } from './group-head';
import { countBelow, useForm } from './form-context';
import styles from './form.module.css';

interface PropertiesProps {
  schema: JsonSchema;
  pointer: string;
  value: Json | undefined;
  /** Keys drawn elsewhere, such as the tag of a union. */
  omit?: readonly string[];
  found?: boolean;
}

const isPlain = (schema: JsonSchema) =>
  !schema.properties && !schema.oneOf && !schema.items && !schema.$ref && !schema.anyOf;

type Entries = [string, JsonSchema][];

/** The fields of a class under the titles that it gives, those of none last. */
function grouped(schema: JsonSchema, entries: Entries): { title: string; entries: Entries }[] {
  const groups = schema.groups ?? [];
  const titled = new Set(groups.flatMap(({ fields }) => fields));
  return [
    ...groups.map(({ title, fields }) => ({
      title,
      entries: fields.flatMap((key) => entries.filter(([name]) => name === key)),
    })),
    { title: '', entries: entries.filter(([key]) => !titled.has(key)) },
  ].filter((group) => group.entries.length > 0);
}

// Where it is kept that the groups at their defaults are unfolded.
const MORE = '/more';

/**
 * The groups of a study's form that hold nothing of their own when it is opened. Asked once: a
 * group stays where it is while its first value is typed.
 */
function useQuiet(
  pointer: string,
  entries: Entries,
  held: JsonObject,
  required: readonly string[],
): ReadonlySet<string> {
  const { place } = useForm();
  const [quiet] = useState(() => {
    const isQuiet = ([key, property]: Entries[number]) =>
      !isScalar(property) && isUnused(held[key]) && !required.includes(key);
    const found = place !== undefined && pointer === '' ? entries.filter(isQuiet) : [];
    return new Set(found.length > 1 ? found.map(([key]) => key) : []);
  });
  return quiet;
}

const isUnused = (value: Json | undefined) =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

const isScalar = (schema: JsonSchema) => isPlain(schema) || isScalarUnion(schema);

/** Groups at their defaults, folded into one; open while one of them is, or is searched for. */
function More({ of, field }: { of: Entries; field: (entry: Entries[number]) => ReactNode }) {
  const form = useForm();
  const paths = of.map(([key]) => join('', key));
  const open =
    form.filter !== '' ||
    form.isOpen(MORE) ||
    paths.some((path) => form.isOpen(path) || countBelow(form, path) > 0);
  const names = of.map(([key, schema]) => resolve(schema, form.root).schema.title ?? words(key));
  return (
    <section className={styles.group}>
      <GroupHead
        pointer={MORE}
        title={`More (${of.length})`}
        summary={names.join(', ')}
        open={open}
      />
      {open && <div className={styles.groupBody}>{of.map(field)}</div>}
    </section>
  );
}

/** The fields of an object: plain ones first, as they come, then groups and lists. */
export function Properties({ schema, pointer, value, omit = [], found }: PropertiesProps) {
  const { Field, hidden } = useForm();
  const entries = Object.entries(schema.properties ?? {}).filter(
    ([key]) => !omit.includes(key) && !hidden.has(join(pointer, key)),
  );
  const held = isObject(value) ? value : {};
  const field = ([key, property]: [string, JsonSchema]) => (
    <Field
      key={key}
      schema={property}
      name={key}
      pointer={join(pointer, key)}
      value={held[key]}
      found={found}
    />
  );
  const quiet = useQuiet(pointer, entries, held, schema.required ?? []);
  const parts = grouped(
    schema,
    entries.filter(([key]) => !quiet.has(key)),
  ).map(({ title, entries: own }) => {
    const plain = own.filter(([, property]) => isScalar(property));
    const others = own.filter((entry) => !plain.includes(entry));
    return (
      <section key={title} className={styles.properties} aria-label={title || undefined}>
        {title && <p className={styles.titled}>{title}</p>}
        <div>{plain.map(field)}</div>
        <div>{others.map(field)}</div>
      </section>
    );
  });
  const more = entries.filter(([key]) => quiet.has(key));
  return (
    <>
      {parts}
      {more.length > 0 && <More of={more} field={field} />}
    </>
  );
}

/** A scalar that may be null is a scalar still. */
function isScalarUnion(schema: JsonSchema): boolean {
  const real = (schema.anyOf ?? []).filter((option) => option.type !== 'null');
  return real.length === 1 && real.every(isPlain);
}
