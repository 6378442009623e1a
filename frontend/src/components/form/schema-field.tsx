import { memo } from 'react';
import { resolve, words, type JsonSchema } from '../../lib/schema';
import type { SchemaFieldProps } from './field-props';
import { useForm } from './form-context';
import { GroupField } from './group-field';
import { ListField } from './list-field';
import { matchesFilter } from './matches';
import { RegionField } from './region-field';
import { ChoiceField, NumberField, SwitchField, TextField } from './scalar-fields';
import { SeriesField } from './series-field';
import { isTraceRef, TraceField } from './trace-field';
import { UnionField } from './union-field';

/** What is chosen from a list of the workspace's or the catalogue's. */
function chosenIn(schema: JsonSchema) {
  if (isTraceRef(schema)) return TraceField;
  return schema.catalogue === 'region' ? RegionField : null;
}

function kindOf(schema: JsonSchema, root: JsonSchema) {
  if (schema.const !== undefined) return null;
  if (schema.oneOf) return UnionField;
  const chosen = chosenIn(schema);
  if (chosen) return chosen;
  if (schema.properties) return GroupField;
  if (schema.enum) return ChoiceField;
  if (schema.type === 'array') {
    const item = schema.items && resolve(schema.items, root).schema;
    return item?.type === 'number' || item?.type === 'integer' ? SeriesField : ListField;
  }
  if (schema.type === 'boolean') return SwitchField;
  if (schema.type === 'number' || schema.type === 'integer') return NumberField;
  return TextField;
}

/** One field, drawn by what its schema says it is. There is no list of fields anywhere. */
export const SchemaField = memo(function SchemaField(props: SchemaFieldProps) {
  const { schema: written, name, pointer, value, found } = props;
  const { root, filter, own } = useForm();
  const { schema, nullable } = resolve(written, root);
  const label = schema.title ?? words(name);
  const Field = own?.[pointer] ?? kindOf(schema, root);
  if (!Field) return null;
  const hit = found || filter === '' || label.toLowerCase().includes(filter);
  if (!hit && !matchesFilter(schema, root, filter)) return null;
  const field = { schema, pointer, label, nullable, value };
  return <Field {...field} found={hit && filter !== ''} />;
});
