import { use, useState } from 'react';
import { DesignBadge } from '../../../components/design-badge';
import { MenuButton, MenuItem } from '../../../components/menu';
import { labelOf } from '../../../lib/labels';
import type { JsonObject } from '../../../lib/pointer';
import { words, type JsonSchema } from '../../../lib/schema';
import { useMayEdit } from '../../../lib/session';
import { useCurrency } from '../../../lib/studies';
import type { Design, Provenance, RangeEntry, Study } from '../../../lib/types';
import { lengthOf } from '../../../lib/lengths';
import { useCopyDesign, useDeleteDesign } from '../api/designs';
import type { DocumentChange } from '../spreads';
import { rackedDesign } from '../racks';
import { removalQuestion } from '../referring';
import { useDesignDraft } from '../use-draft';
import { ConflictDialog } from './conflict-dialog';
import { DesignDrawing } from '../drawing';
import { DiffDialog } from './diff-dialog';
import { DocumentForm, type FormFrame } from '../../../components/form/document-form';
import { FaultNames } from '../../../components/form/fault-names';
import { designSchema } from './labels';
import { RackDetails } from './rack-view';
import { SaveState } from './save-state';
import { OWN_FIELDS } from './array-drive';
import { VersionsDialog } from './versions-dialog';
import styles from './designs.module.css';

const HEAD = ['letter', 'title', 'kind'] as const;

interface DesignColumnProps {
  design: Design;
  study: Study;
  plan: JsonSchema;
  ranges: readonly RangeEntry[];
  frame: FormFrame;
  shown: boolean;
  onRange: (pointer: string, range: { low: number; high: number } | null) => void;
  onFollow: (change: DocumentChange) => Provenance | null;
}

type Window = 'versions' | 'diff' | null;

/** One design: its head, and the form of its kind. Saved as one types. */
export function DesignColumn(props: DesignColumnProps) {
  const { design, study, plan, ranges, frame, shown, onRange, onFollow } = props;
  const { draft, state } = useDesignDraft(design);
  const draw = use(DesignDrawing);
  const mayEdit = useMayEdit();
  const currency = useCurrency(study.id);
  const [window, setWindow] = useState<Window>(null);
  const copy = useCopyDesign(study.id);
  const remove = useDeleteDesign(study.id);
  const { document } = state;
  const schema = designSchema(plan, document.kind);
  const owned = rackedDesign(document, study.designs);
  const faults = document.faults.length;
  const labels = (pointer: string) => labelOf(schema ?? plan, plan, document.spec, pointer);
  const change = (spec: JsonObject, given: Provenance | null) => {
    const { spec: held, provenance } = draft.state.document;
    const before = { value: held, provenance };
    const after = { value: spec, origins: given };
    const moved = schema && onFollow({ schema, root: plan, before, after });
    const origins = given ?? moved;
    draft.edit(origins ? { spec, provenance: origins } : { spec });
  };
  const confirmDelete = () => {
    if (confirm(removalQuestion(study.designs, document))) remove.mutate(design.id);
  };
  return (
    <section
      className={`${styles.column} ${shown ? '' : styles.notChosen}`}
      aria-label={`Design ${design.letter}, ${document.title}`}
    >
      <header className={styles.columnHead}>
        <div className="row gap-8">
          <DesignBadge letter={design.letter} large />
          <input
            className={styles.title}
            aria-label={`Title of design ${design.letter}`}
            title={document.title}
            value={document.title}
            maxLength={lengthOf('DesignUpdateInput.title')}
            disabled={!mayEdit}
            onChange={(event) => draft.edit({ title: event.target.value })}
          />
          <MenuButton small look="quiet" icon="more" label={`Actions for design ${design.letter}`}>
            {mayEdit && (
              <>
                <MenuItem onSelect={() => copy.mutate(design.id)}>Copy</MenuItem>
                <MenuItem onSelect={() => setWindow('versions')}>Versions …</MenuItem>
              </>
            )}
            <MenuItem onSelect={() => setWindow('diff')}>What differs from …</MenuItem>
            {mayEdit && <MenuItem onSelect={confirmDelete}>Remove …</MenuItem>}
          </MenuButton>
        </div>
        <div className={styles.kindLine}>
          <span className="muted small">{words(document.kind)}</span>
          {mayEdit && (
            <SaveState status={state.status} message={state.message} faultsCount={faults} />
          )}
        </div>
      </header>
      <div className={styles.columnBody}>
        {schema && <FaultNames faults={document.faults} labels={labels} setOpen={frame.setOpen} />}
        {owned && <RackDetails studyId={study.id} design={document} owned={owned} />}
        {draw?.(document)}
        {schema ? (
          <DocumentForm
            isPriced
            readOnly={!mayEdit}
            currency={currency}
            formId={`design-${design.letter}`}
            place={`/designs/${design.letter}`}
            schema={schema}
            root={plan}
            value={document.spec}
            provenance={document.provenance}
            faults={document.faults}
            cautions={document.cautions}
            ranges={ranges}
            frame={frame}
            omit={HEAD}
            own={OWN_FIELDS}
            onChange={change}
            onRange={onRange}
          />
        ) : (
          <p className="muted">Designs of the kind {words(document.kind)} are not known here.</p>
        )}
      </div>
      {window === 'versions' && (
        <VersionsDialog
          design={document}
          onRestore={({ spec, provenance, title }) => {
            draft.edit({ title });
            change(spec as JsonObject, provenance as Provenance);
          }}
          onClose={() => setWindow(null)}
        />
      )}
      {window === 'diff' && (
        <DiffDialog
          design={document}
          study={study}
          schema={schema}
          root={plan}
          onClose={() => setWindow(null)}
        />
      )}
      <ConflictDialog
        title={`Design ${design.letter}`}
        draft={draft}
        state={state}
        schema={schema}
        root={plan}
        document={document.spec}
        currency={currency}
      />
    </section>
  );
}
