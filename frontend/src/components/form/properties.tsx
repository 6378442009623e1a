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

/** The fields of an object: plain ones first, as they come, then groups and lists. */
export function Properties({ schema, pointer, value, omit = [], found }: PropertiesProps) {
  const { Field } = useForm();
  const entries = Object.entries(schema.properties ?? {}).filter(([key]) => !omit.includes(key));
  const plain = entries.filter(([, property]) => isPlain(property) || isScalarUnion(property));
  const others = entries.filter((entry) => !plain.includes(entry));
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
  return (
    <div className={styles.properties}>
      <div>{plain.map(field)}</div>
      <div>{others.map(field)}</div>
    </div>
  );
}

/** A scalar that may be null is a scalar still. */
function isScalarUnion(schema: JsonSchema): boolean {
  const real = (schema.anyOf ?? []).filter((option) => option.type !== 'null');
  return real.length === 1 && real.every(isPlain);
}
