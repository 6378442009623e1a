import { useQuery } from '@tanstack/react-query';
import { DocumentForm, type DocumentFormProps } from '../../../components/form/document-form';
import { QueryState } from '../../../components/query-state';
import { modelQueryOptions } from '../../../lib/models';
import type { Fault } from '../../../lib/problem';
import type { JsonSchema } from '../../../lib/schema';
import { SIMULATOR } from '../api/run-array';
import { NONE, useDraft, useFrame } from '../../../components/form/use-draft';

interface SchemaFormProps<T> extends Pick<
  DocumentFormProps,
  'omit' | 'own' | 'starts' | 'empties'
> {
  name: string;
  /** Whose input it is part of; the simulator's unless given. */
  model?: string;
  part: (root: JsonSchema) => JsonSchema | undefined;
  value: T;
  /** Groups that are unfolded at first. */
  open?: readonly string[];
  faults?: readonly Fault[];
  fit?: (before: T, next: T) => T;
  onChange: (value: T) => void;
}

const EMPTY: JsonSchema = {};

function Fields<T extends object>(props: SchemaFormProps<T> & { root: JsonSchema }) {
  const { name, part, root, value, open = NONE, faults = NONE, fit, onChange } = props;
  const { omit, own, starts, empties } = props;
  const schema = part(root) ?? EMPTY;
  const { form } = useDraft({ schema, root, value, faults, fit, onChange });
  const frame = useFrame(name, open);
  return (
    <DocumentForm
      {...form}
      {...{ schema, frame, omit, own, starts, empties }}
      formId={name}
      provenance={{}}
    />
  );
}

/** A part of a model's input as a form; it is put to the page whenever nothing is wrong with it. */
export function SchemaForm<T extends object>(props: SchemaFormProps<T>) {
  const query = useQuery(modelQueryOptions(props.model ?? SIMULATOR));
  return (
    <QueryState query={query} minHeight={36}>
      {({ params_schema: root }) => <Fields {...props} root={root} />}
    </QueryState>
  );
}
