import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Select } from '../../../components/control';
import { JobRow } from '../../../components/job-row';
import { QueryState } from '../../../components/query-state';
import { ChooseFile, DropAnywhere, UploadRows, useUploads } from '../../../components/uploads';
import { ViewerNote } from '../../../components/viewer-note';
import { date, quantity } from '../../../lib/format';
import { useMayEdit } from '../../../lib/session';
import { numberMark } from '../../../lib/typed-number';
import type { Dates, Names, Numbers, SaidOfFile } from '../../../lib/upload';
import {
  formatsQueryOptions,
  importsQueryOptions,
  useCancelImport,
  type Import,
  type ImportDetail,
} from '../api/imports';
import { FetchPrices } from './fetch-prices';
import styles from './imports.module.css';

function placeOf({ accepted_at, study_id }: Import): string {
  if (!accepted_at) return 'not taken yet';
  return study_id ? 'in a study' : 'in the catalogue';
}

function ImportRow({ one }: { one: Import }) {
  const cancel = useCancelImport();
  const mayEdit = useMayEdit();
  const title = (
    <Link to="/imports/$importId" params={{ importId: one.id }} className="anywhere strong">
      {one.file_name}
    </Link>
  );
  if (one.state !== 'succeeded') {
    return (
      <div className={styles.row}>
        <JobRow
          title={title}
          job={one}
          cancelling={cancel.isPending}
          onCancel={mayEdit ? () => cancel.mutate(one.id) : undefined}
        />
      </div>
    );
  }
  return (
    <div className={styles.row}>
      {title}
      <p className="muted small num flow gap-4-12">
        <span>{placeOf(one)}</span>
        <span>{quantity(one.bytes, 'B')}</span>
        <span>{date(one.created_at)}</span>
      </p>
    </div>
  );
}

const NAMES: { value: Names; label: string }[] = [
  { value: 'keep', label: 'kept' },
  { value: 'hash', label: 'hashed, the same in every import' },
  { value: 'leave_out', label: 'left out' },
];

const DATES: { value: Dates; label: string }[] = [
  { value: '', label: 'as the file says' },
  { value: 'day_first', label: 'day first: 1/8/2026 is in August' },
  { value: 'month_first', label: 'month first: 1/8/2026 is in January' },
];

const NUMBERS: { value: Numbers; label: string }[] = [
  { value: '', label: 'as the file says, else refuse it' },
  { value: 'point', label: 'decimal point: 1,234 is 1,234.0' },
  { value: 'comma', label: 'decimal comma: 1,234 is 1.2340' },
];

const KINDS: { value: SaidOfFile['kind']; label: string }[] = [
  { value: '', label: 'found out' },
  { value: 'quote', label: 'a quote, whatever its columns are called' },
];

interface WaysProps {
  said: SaidOfFile;
  onSaid: (said: SaidOfFile) => void;
  onOpen: (id: string) => void;
}

/** What can be imported, and how. */
function Ways({ said, onSaid, onOpen }: WaysProps) {
  const formats = useQuery(formatsQueryOptions);
  return (
    <>
      <p className={styles.zone}>
        <strong>
          Drop a bill, a fleet, a quote, a price list or a job log anywhere on this page.
        </strong>{' '}
        <span className="muted">
          {formats.data?.sentence} The format is detected automatically. Nothing is written into a
          study before you accept it.
        </span>
      </p>
      <div className={`${styles.fields} fill ${styles.above}`}>
        <label>
          Names of people and things in files
          <Select
            choices={NAMES}
            value={said.names}
            onChange={({ target }) => onSaid({ ...said, names: target.value as Names })}
          />
        </label>
        <label>
          Kind of file
          <Select
            choices={KINDS}
            value={said.kind}
            onChange={({ target }) => onSaid({ ...said, kind: target.value as SaidOfFile['kind'] })}
          />
        </label>
        <label>
          Dates in files
          <Select
            choices={DATES}
            value={said.dates}
            onChange={({ target }) => onSaid({ ...said, dates: target.value as Dates })}
          />
        </label>
        <label>
          Numbers in files that could be read in two ways
          <Select
            choices={NUMBERS}
            value={said.numbers}
            onChange={({ target }) => onSaid({ ...said, numbers: target.value as Numbers })}
          />
        </label>
      </div>
      <FetchPrices onOpen={onOpen} />
    </>
  );
}

/** Bills that were dropped; a file dropped anywhere on the page is read. */
export function ImportsPage({ onOpen }: { onOpen: (id: string) => void }) {
  const query = useQuery(importsQueryOptions());
  const [said, setSaid] = useState<SaidOfFile>({
    names: 'keep',
    dates: '',
    numbers: numberMark() === ',' ? 'comma' : 'point',
    kind: '',
  });
  const uploads = useUploads<ImportDetail>('import', (made) => onOpen(made.id), said);
  const mayEdit = useMayEdit();
  const take = (files: File[]) => files.forEach(uploads.send);
  return (
    <main className="page">
      {mayEdit && <DropAnywhere onFiles={take} />}
      <div className="page-head">
        <h1>Imports</h1>
        {mayEdit && (
          <ChooseFile onFiles={take} label="File to import">
            Import a file
          </ChooseFile>
        )}
      </div>
      <ViewerNote can="read imports" cannot="upload files and take them into studies" />
      {mayEdit && <Ways said={said} onSaid={setSaid} onOpen={onOpen} />}
      <UploadRows uploads={uploads} />
      <QueryState
        query={query}
        minHeight={160}
        empty="Nothing imported yet. A bill becomes the baseline of a study, equal to the cent."
      >
        {(page) => (
          <div className="box">
            {page.results.map((one) => (
              <ImportRow key={one.id} one={one} />
            ))}
          </div>
        )}
      </QueryState>
    </main>
  );
}
