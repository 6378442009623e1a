import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../components/button';
import list from '../../../components/catalogue-list.module.css';
import { Chip } from '../../../components/chip';
import { Dialog } from '../../../components/dialog';
import { QueryState } from '../../../components/query-state';
import { answerQueryOptions } from '../../../lib/answers';
import {
  ALTERNATIVES_MODEL,
  alternativePreset,
  alternativesParams,
  type Alternatives,
} from '../alternatives';
import type { Preset } from '../presets';
import type { Outlook } from '../result';
import type { SyntheticWorkload } from '../types';
import styles from './arrays.module.css';

interface AlternativesDialogProps {
  workload: SyntheticWorkload;
  outlook: Outlook | null;
  onAdd: (preset: Preset) => void;
  onClose: () => void;
}

/** Multi-speed disks, idle arrays and popular-data concentration: what they save, and to try. */
export function AlternativesDialog({ workload, outlook, onAdd, onClose }: AlternativesDialogProps) {
  const query = useQuery(
    answerQueryOptions<Alternatives, Alternatives>(
      ALTERNATIVES_MODEL,
      alternativesParams(outlook),
      ({ result }) => result,
    ),
  );
  return (
    <Dialog title="Proposed elsewhere" width={720} onClose={onClose}>
      <div className={styles.picker}>
        <p className="muted">
          Three ideas that sleeping laptop disks were held against, in closed form for the server
          disks of TR 837 at the rate of this page. Nothing of their papers can be reproduced: their
          traces and disks are not at hand.
        </p>
        <QueryState query={query} minHeight={240}>
          {({ rows }) => (
            <div className={list.entries}>
              {rows
                .filter(({ proposed }) => proposed)
                .map((row) => {
                  const preset = alternativePreset(row, workload);
                  return (
                    <div key={row.kind} className={list.entry}>
                      <div>
                        {row.title} {!row.sold && <Chip tone="warning">not sold</Chip>}
                        <br />
                        <span className="muted small">{row.about}</span>
                        <br />
                        <span className="muted small num">{row.told}</span>
                        {preset.workload && (
                          <p className="muted small">
                            Sets the workload too, for all arrays of the page.
                          </p>
                        )}
                      </div>
                      <Button small aria-label={`Add: ${row.title}`} onClick={() => onAdd(preset)}>
                        Add
                      </Button>
                    </div>
                  );
                })}
            </div>
          )}
        </QueryState>
      </div>
    </Dialog>
  );
}
