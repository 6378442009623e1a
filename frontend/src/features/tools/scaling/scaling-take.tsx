import { useState } from 'react';
import { Button } from '../../../components/button';
import { Segments } from '../../../components/control';
import { Dialog } from '../../../components/dialog';
import { Empty } from '../../../components/query-state';
import { counted, quantity } from '../../../lib/format';
import { useStudy } from '../frame/use-study';
import { ofDesigns, ofServer, takenText, type Taken } from './take-cluster';
import { Servers } from '../frame/server-picker';
import styles from '../frame/tools.module.css';

const SOURCES = [
  { value: 'catalogue', label: 'Catalogue' },
  { value: 'designs', label: 'This study’s designs' },
];

function figures({ values }: Taken): string {
  const [cores, idle] = [values.cores_per_node_count, values['power/node_idle_w']];
  return [
    typeof values.nodes_count === 'number' ? counted(values.nodes_count, 'node') : '',
    typeof cores === 'number' ? `${cores} cores` : '',
    typeof idle === 'number' ? `${quantity(idle, 'W')} idle` : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

function Designs({
  studyId,
  onTake,
}: {
  studyId: string | undefined;
  onTake: (found: Taken) => void;
}) {
  const study = useStudy(studyId);
  const found = ofDesigns(study);
  if (found.length === 0) return <Empty>No design of this study owns nodes.</Empty>;
  return (
    <div className="stack gap-8 shrink">
      {found.map((one) => (
        <div key={one.name} className={styles.bar}>
          <Button small onClick={() => onTake(one)}>
            {one.name}
          </Button>
          <span className="muted small num">{figures(one)}</span>
        </div>
      ))}
    </div>
  );
}

interface TakeClusterProps {
  studyId: string | undefined;
  /** Of the cluster that it stands in for. */
  name: string;
  onTake: (found: Taken) => void;
}

/** Takes a cluster's nodes from the catalogue, or from a design of the study. */
export function TakeCluster({ studyId, name, onTake }: TakeClusterProps) {
  const [open, setOpen] = useState(false);
  const [source, setSource] = useState('catalogue');
  const [note, setNote] = useState('');
  const take = (found: Taken) => {
    onTake(found);
    setNote(takenText(found));
    setOpen(false);
  };
  return (
    <>
      <div>
        <Button small icon="book" onClick={() => setOpen(true)}>
          {`In place of ${name}`}
        </Button>
      </div>
      {note && <p className="muted small">{note}</p>}
      {open && (
        <Dialog title={`In place of ${name}`} onClose={() => setOpen(false)} width={560}>
          <div className="stack gap-8 shrink">
            <Segments label="Taken from" value={source} choices={SOURCES} onChange={setSource} />
            {source === 'catalogue' ? (
              <Servers onTake={(entry) => take(ofServer(entry))} />
            ) : (
              <Designs studyId={studyId} onTake={take} />
            )}
          </div>
        </Dialog>
      )}
    </>
  );
}
