import { isObject, join, type Json } from '../../lib/pointer';
import type { JsonSchema } from '../../lib/schema';
import { useForm } from './form-context';
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
  return grouped(schema, entries).map(({ title, entries: own }) => {
    const plain = own.filter(([, property]) => isPlain(property) || isScalarUnion(property));
    const others = own.filter((entry) => !plain.includes(entry));
    return (
      <section key={title} className={styles.properties} aria-label={title || undefined}>
        {title && <p className={styles.titled}>{title}</p>}
        <div>{plain.map(field)}</div>
        <div>{others.map(field)}</div>
      </section>
    );
  });
}

/** A scalar that may be null is a scalar still. */
function isScalarUnion(schema: JsonSchema): boolean {
  const real = (schema.anyOf ?? []).filter((option) => option.type !== 'null');
  return real.length === 1 && real.every(isPlain);
}
