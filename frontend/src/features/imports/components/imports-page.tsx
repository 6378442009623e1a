import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Select } from '../../../components/control';
import { Fault } from '../../../components/fault';
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
  sampleFile,
  useCancelImport,
  type Import,
  type ImportDetail,
  type Way,
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
  { value: '', label: 'detected automatically' },
  { value: 'quote', label: 'a quote, whatever its columns are called' },
];

/** What can be brought, in the order in which planners have it. */
const WAYS: { way: Way; title: string; sentence: string }[] = [
  {
    way: 'bill',
    title: 'A bill',
    sentence: 'What is paid today becomes the baseline of a study, equal to the cent.',
  },
  {
    way: 'fleet',
    title: 'A fleet or a quote',
    sentence:
      'Machines and jobs become a study’s work; a supplier’s offer, a server of your catalogue.',
  },
  {
    way: 'prices',
    title: 'Prices',
    sentence:
      'Prices and measured watts go into your catalogue, tariffs and exchange rates into a study.',
  },
];

interface WaysProps {
  onFiles: (files: File[]) => void;
  onOpen: (id: string) => void;
}

/** What can be imported, and how. */
function Ways({ onFiles, onOpen }: WaysProps) {
  const formats = useQuery(formatsQueryOptions);
  const sample = useMutation({
    mutationFn: sampleFile,
    onSuccess: (file) => onFiles([file]),
  });
  return (
    <>
      <p className="muted">
        Drop a file anywhere on this page, plain or packed (gzip, zstd, zip, tar): its format is
        detected automatically. Nothing is written into a study before you accept it.
      </p>
      <div className={styles.ways}>
        {WAYS.map(({ way, title, sentence }) => {
          const known = formats.data?.formats.filter((one) => one.way === way) ?? [];
          const [first] = known;
          return (
            <section key={way} className={styles.way} aria-label={title}>
              <h2>{title}</h2>
              <p>{sentence}</p>
              <p className={styles.zone}>
                <span className="muted">Drop a file here, or</span>
                <ChooseFile onFiles={onFiles} label={`${title}: choose a file`} look="plain">
                  Choose a file
                </ChooseFile>
              </p>
              <p className="muted small line gap-8">
                No file at hand?
                <Button
                  small
                  disabled={!first || sample.isPending}
                  onClick={() => first && sample.mutate(first.id)}
                >
                  Import a sample
                </Button>
              </p>
              {way === 'prices' && (
                <details>
                  <summary>Fetch from the provider</summary>
                  <FetchPrices onOpen={onOpen} />
                </details>
              )}
              <details>
                <summary>What can be read{formats.data && `: ${known.length} formats`}</summary>
                <ul className={styles.formats}>
                  {known.map(({ id, title: name }) => (
                    <li key={id}>
                      {name}{' '}
                      <a href={`/api/v1/imports/formats/${id}/sample`} download>
                        sample
                      </a>
                    </li>
                  ))}
                </ul>
              </details>
            </section>
          );
        })}
      </div>
      <Fault of={sample} />
    </>
  );
}

interface ReadingProps {
  said: SaidOfFile;
  onSaid: (said: SaidOfFile) => void;
}

/** How files are read where they leave it open. */
function Reading({ said, onSaid }: ReadingProps) {
  return (
    <details className={styles.above}>
      <summary>How files are read: names, dates, numbers</summary>
      <div className={`${styles.fields} fill`}>
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
    </details>
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
      {mayEdit && (
        <>
          <Ways onFiles={take} onOpen={onOpen} />
          <Reading said={said} onSaid={setSaid} />
        </>
      )}
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
