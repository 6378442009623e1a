import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Button } from '../../../components/button';
import { Fault } from '../../../components/fault';
import { JobRow } from '../../../components/job-row';
import { Panel } from '../../../components/panel';
import { QueryState } from '../../../components/query-state';
import { ChooseFile, UploadRows, useUploads } from '../../../components/uploads';
import { quantity } from '../../../lib/format';
import type { Archive } from '../../../lib/types';
import { archivesQueryOptions, useExport, useRemoveArchive } from '../api/archives';
import styles from './settings.module.css';

/** "3 studies, 12 runs": what there is some of. */
function held(counts: Archive['counts']): string {
  const some = Object.entries(counts ?? {}).filter(([, count]) => count > 0);
  if (some.length === 0) return 'nothing that was not here already';
  return some.map(([what, count]) => `${what} ${count.toLocaleString('en-GB')}`).join(', ');
}

function ArchiveRow({ archive }: { archive: Archive }) {
  const remove = useRemoveArchive();
  const isMade = archive.way === 'export';
  const done = archive.state === 'succeeded';
  return (
    <li>
      <JobRow
        title={
          isMade && done ? (
            <a href={`/api/v1/archives/${archive.id}/file`} download={archive.file_name}>
              {archive.file_name}
            </a>
          ) : (
            archive.file_name
          )
        }
        job={archive}
      >
        <Button
          small
          look="danger"
          disabled={remove.isPending}
          onClick={() => remove.mutate(archive.id)}
        >
          Remove from the list
        </Button>
      </JobRow>
      {done && (
        <p className="muted small">
          {isMade ? `Holds: ${held(archive.counts)}` : `Brought: ${held(archive.counts)}`}
          {isMade && archive.bytes_count !== null && ` · ${quantity(archive.bytes_count, 'B')}`}
        </p>
      )}
      {archive.notes.map((note) => (
        <p key={note} className="small">
          {note}
        </p>
      ))}
    </li>
  );
}

/** Everything of the workspace as one file, and such a file read in. */
export function Archives() {
  const client = useQueryClient();
  const archives = useQuery(archivesQueryOptions);
  const start = useExport();
  const uploads = useUploads<Archive>('archive', () => undefined);
  const brought = archives.data?.results.filter(
    (one) => one.way === 'import' && one.state === 'succeeded',
  ).length;
  useEffect(() => {
    // What was read in shows at once.
    if (brought) void client.invalidateQueries({ queryKey: ['studies'] });
  }, [brought, client]);
  return (
    <Panel
      id="archives"
      title="Archive"
      about="Everything of this workspace as one file: studies, runs with their results, comments, approved versions, what is asked to be approved, what happened since, own catalogue entries, imports and traces. It can be read into another workspace, here or elsewhere. Members, tokens, webhooks, links, reports and the audit are not in it. Read in only archives that you trust: their results are taken at their word."
    >
      <div className="flow gap-8">
        <Button disabled={start.isPending} onClick={() => start.mutate()}>
          Export everything
        </Button>
        <ChooseFile label="Archive to read in" onFiles={(files) => files.forEach(uploads.send)}>
          Read in an archive
        </ChooseFile>
      </div>
      <UploadRows uploads={uploads} />
      <Fault of={start} />
      <QueryState query={archives} minHeight={40} empty="No archive was made or read in yet.">
        {(page) => (
          <ul className={`${styles.webhooks} stack gap-16`} aria-label="Archives made and read in">
            {page.results.map((archive) => (
              <ArchiveRow key={archive.id} archive={archive} />
            ))}
          </ul>
        )}
      </QueryState>
    </Panel>
  );
}
