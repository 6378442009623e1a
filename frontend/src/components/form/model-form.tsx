import { useQuery } from '@tanstack/react-query';
import { DocumentForm } from './document-form';
import { useOpenGroups } from './use-open';
import { QueryState } from '../query-state';
import { modelQueryOptions } from '../../lib/models';
import type { JsonObject } from '../../lib/pointer';
import { Problem } from '../../lib/problem';
import { statedCurrency } from '../../lib/format';
import { Button } from '../button';

interface ModelFormProps {
  model: string;
  value: JsonObject;
  /** What the model said of these values, if it refused them. */
  error: unknown;
  /** Fields that are asked for elsewhere. */
  omit?: readonly string[];
  onChange: (value: JsonObject) => void;
}

// Places that are unfolded at first: what a model is asked about most.
const OPEN = ['/memory', '/traffic', '/module', '/question', '/model', '/lengths'];

/** The inputs of a model, made of its schema; what is not entered has the model's own value. */
export function ModelForm({ model, value, error, omit, onChange }: ModelFormProps) {
  const query = useQuery(modelQueryOptions(model));
  const open = useOpenGroups(OPEN);
  return (
    <QueryState query={query} minHeight={480}>
      {({ params_schema: schema }) => (
        <div className="stack gap-12 shrink">
          <DocumentForm
            formId={model}
            schema={schema}
            root={schema}
            value={value}
            provenance={{}}
            faults={error instanceof Problem ? error.faults : []}
            ranges={[]}
            omit={omit}
            currency={statedCurrency(value.currency)}
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
