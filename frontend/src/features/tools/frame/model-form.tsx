import { useQuery } from '@tanstack/react-query';
import { DocumentForm } from '../../../components/form/document-form';
import { useOpenGroups } from '../../../components/form/use-open';
import { QueryState } from '../../../components/query-state';
import { modelQueryOptions } from '../../../lib/models';
import type { JsonObject } from '../../../lib/pointer';
import { Problem } from '../../../lib/problem';
import type { JsonSchema } from '../../../lib/schema';
import { Button } from '../../../components/button';

interface ModelFormProps {
  model: string;
  value: JsonObject;
  /** What the model said of these values, if it refused them. */
  error: unknown;
  /** The part of the model's schema that is asked for here; all of it unless given. */
  part?: (schema: JsonSchema) => JsonSchema;
  /** Fields that are asked for elsewhere. */
  omit?: readonly string[];
  onChange: (value: JsonObject) => void;
}

// Places that are unfolded at first: what a model is asked about most.
const OPEN = ['/memory', '/traffic', '/module'];

/** The inputs of a model, made of its schema; what is not entered has the model's own value. */
export function ModelForm({ model, value, error, part, omit, onChange }: ModelFormProps) {
  const query = useQuery(modelQueryOptions(model));
  const open = useOpenGroups(OPEN);
  return (
    <QueryState query={query} minHeight={480}>
      {({ params_schema: schema }) => (
        <div className="stack gap-12 shrink">
          <DocumentForm
            formId={model}
            schema={part ? part(schema) : schema}
            root={schema}
            value={value}
            provenance={{}}
            faults={error instanceof Problem ? error.faults : []}
            ranges={[]}
            omit={omit}
            frame={{ filter: '', ...open }}
            onChange={onChange}
          />
          <div>
            <Button small icon="reset" onClick={() => onChange({})}>
              Back to the start
            </Button>
          </div>
        </div>
      )}
    </QueryState>
  );
}
