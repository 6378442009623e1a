import { TracePicker } from '../trace-picker';
import { isObject } from '../../lib/pointer';
import type { JsonSchema } from '../../lib/schema';
import type { TraceRef } from '../../lib/traces';
import type { FieldProps } from './field-props';
import { FieldRow } from './field-row';
import { useForm } from './form-context';

/** Whether a schema is the reference to an uploaded trace. */
export function isTraceRef(schema: JsonSchema): boolean {
  return Boolean(schema.properties?.trace_id && schema.properties.sha256);
}

/** An uploaded trace, chosen from the workspace's. */
export function TraceField(field: FieldProps) {
  const form = useForm();
  const value = isObject(field.value) ? (field.value as unknown as TraceRef) : null;
  return (
    <FieldRow field={field}>
      {(control) => (
        <TracePicker
          {...control}
          kind={field.schema.trace_kind}
          value={value}
          onChange={(next) => form.change(field.pointer, next && { ...next })}
        />
      )}
    </FieldRow>
  );
}
