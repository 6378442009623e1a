import { Button } from '../../../components/button';
import { Empty } from '../../../components/query-state';
import { initialObject, resolve, type JsonSchema } from '../../../lib/schema';
import { useMayEdit } from '../../../lib/session';
import { useCurrency } from '../../../lib/studies';
import type { Study } from '../../../lib/types';
import type { Draft } from '../draft';
import { BaselinePaste } from './baseline-paste';
import type { FormFrame } from '../../../components/form/document-form';
import { PartForm } from './part-form';
import styles from './designs.module.css';

interface BaselineFormProps {
  study: Study;
  draft: Draft<Study>;
  plan: JsonSchema;
  frame: FormFrame;
}

/** What runs today, if it is to stand beside the designs. */
export function BaselineForm({ study, draft, plan, frame }: BaselineFormProps) {
  const { baseline } = study;
  const currency = useCurrency(study.id);
  const mayEdit = useMayEdit();
  const schema = resolve(plan.properties?.baseline ?? {}, plan).schema;
  const start = () => draft.edit({ baseline: initialObject(schema, plan) });
  return (
    <div className={styles.split}>
      {baseline === null ? (
        <Empty minHeight={200}>
          <p>
            Without a baseline the designs are compared with each other only. Add what runs today,
            or doing nothing, to see it as one more column.
          </p>
          {mayEdit && (
            <Button icon="plus" onClick={start}>
              Add a baseline
            </Button>
          )}
        </Empty>
      ) : (
        <div>
          <PartForm
            part="baseline"
            plan={plan}
            currency={currency}
            value={baseline}
            provenance={study.baseline_provenance}
            faults={study.faults}
            ranges={[]}
            frame={frame}
            onChange={(value) => draft.edit({ baseline: value })}
            onRange={() => undefined}
          />
          {mayEdit && (
            <Button look="danger" onClick={() => draft.edit({ baseline: null })}>
              Remove the baseline
            </Button>
          )}
        </div>
      )}
      {mayEdit && <BaselinePaste study={study} draft={draft} frame={frame} />}
    </div>
  );
}
