import { Button } from '../../../components/button';
import { Dialog } from '../../../components/dialog';
import type { Currency } from '../../../lib/format';
import type { Json } from '../../../lib/pointer';
import type { JsonSchema } from '../../../lib/schema';
import type { Draft, DraftState, Stored } from '../draft';
import { DifferenceList } from './difference-list';

interface ConflictDialogProps<T extends Stored> {
  title: string;
  draft: Draft<T>;
  state: DraftState<T>;
  schema: JsonSchema | undefined;
  root: JsonSchema;
  document: Json | undefined;
  currency: Currency;
}

/** Somebody saved over what is being edited: both sides, and the choice between them. */
export function ConflictDialog<T extends Stored>(props: ConflictDialogProps<T>) {
  const { title, draft, state, schema, root, document, currency } = props;
  if (!state.conflict) return null;
  const lines = state.conflict.changes.filter(
    ({ pointer }) => !/^\/(\w+_)?provenance/.test(pointer),
  );
  return (
    <Dialog
      title={`${title} was changed elsewhere`}
      width={720}
      onClose={() => draft.takeTheirs()}
      footer={
        <>
          <Button onClick={() => draft.takeTheirs()}>Take what is stored</Button>
          <Button look="primary" onClick={() => draft.keepMine()}>
            Keep mine
          </Button>
        </>
      }
    >
      <p className="muted">
        Since you opened it, a newer version was saved. These are your changes: keeping yours saves
        them, and leaves everything else as it is stored.
      </p>
      <DifferenceList
        lines={lines}
        heads={['Stored now', 'Yours']}
        schema={schema}
        root={root}
        document={document}
        currency={currency}
      />
    </Dialog>
  );
}
