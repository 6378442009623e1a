import { use } from 'react';
import { IconButton } from '../button';
import { percent } from '../../lib/format';
import { words } from '../../lib/schema';
import { ChoicesContext } from './choices';
import type { FieldProps } from './field-props';
import { FoldingGroup } from './folding-group';
import { useForm } from './form-context';

/** All inputs of a study that have alternatives; they are entered beside the inputs themselves. */
export function ChoicesField({ label, pointer, schema }: FieldProps) {
  const form = useForm();
  const choices = use(ChoicesContext);
  if (!choices) return null;
  const { all } = choices;
  return (
    <FoldingGroup
      pointer={pointer}
      title={label}
      summary={all.length === 0 ? 'none' : String(all.length)}
      description={schema.description}
      tools={null}
    >
      {all.length === 0 && (
        <p className="muted small">
          Press the mark beside a choice or a whole number to enter what else it may be.
        </p>
      )}
      <ul className="stack gap-2">
        {all.map((one) => (
          <li key={one.pointer} className="row gap-8">
            <span>
              {one.title ?? choices.label(one.pointer)}:{' '}
              {one.others.map(({ value, odds_fraction: odds }, at) => (
                <span key={String(value)} className="num">
                  {at > 0 && ', '}
                  {typeof value === 'string' ? words(value) : String(value)} {percent(odds)}
                </span>
              ))}
            </span>
            {!form.readOnly && (
              <IconButton
                small
                icon="trash"
                label={`Remove the alternatives of ${choices.label(one.pointer)}`}
                onClick={() => choices.set(one.pointer, null)}
              />
            )}
          </li>
        ))}
      </ul>
    </FoldingGroup>
  );
}
