import { useState } from 'react';
import parts from '../../../api-types/report-parts.json';
import { Button } from '../../../components/button';
import { Segments } from '../../../components/control';
import { messageOf, Problem } from '../../../lib/problem';
import { useCreateReport, type Format, type Paper } from '../api/reports';
import styles from './reports.module.css';

const FORMATS: { value: Format; label: string; text: string }[] = [
  { value: 'pdf', label: 'PDF', text: 'For who signs: verdict, costs, risk, energy, the check.' },
  { value: 'xlsx', label: 'XLSX', text: 'Year by year with live formulas, to change and check.' },
  { value: 'csv', label: 'CSV', text: 'Raw data.' },
];

export function MakeReport({ studyId }: { studyId: string }) {
  const [format, setFormat] = useState<Format>('pdf');
  const [paper, setPaper] = useState<Paper>('a4');
  const [appendix, setAppendix] = useState(false);
  const create = useCreateReport(studyId);
  return (
    <section className={`${styles.panel} stack gap-16`} aria-labelledby="make-title">
      <div>
        <h2 id="make-title">Create a report</h2>
        <p className="muted">A snapshot of the saved study; later edits do not change it.</p>
      </div>
      <div className="stack gap-8" role="radiogroup" aria-label="Format">
        {FORMATS.map((entry) => (
          <label key={entry.value} className={styles.format}>
            <input
              type="radio"
              name="format"
              value={entry.value}
              checked={format === entry.value}
              onChange={() => setFormat(entry.value)}
            />
            <strong>{entry.label}</strong>
            <span className="muted small">{entry.text}</span>
          </label>
        ))}
      </div>
      <p className="muted small">
        Contents:{' '}
        {parts
          .filter((part) => part.formats.includes(format))
          .filter((part) => format !== 'pdf' || appendix || !part.appendix)
          .map((part) => part.title)
          .join(' · ')}
      </p>
      {format === 'pdf' && (
        <Segments
          label="Length"
          value={appendix ? 'appendix' : 'brief'}
          choices={[
            { value: 'brief', label: 'Brief' },
            { value: 'appendix', label: 'With appendix' },
          ]}
          onChange={(value) => setAppendix(value === 'appendix')}
        />
      )}
      {format === 'pdf' && (
        <div className="stack gap-6">
          <span className="muted small">Paper</span>
          <div>
            <Segments
              label="Paper"
              value={paper}
              choices={[
                { value: 'a4', label: 'A4' },
                { value: 'letter', label: 'Letter' },
              ]}
              onChange={(value) => setPaper(value as Paper)}
            />
          </div>
        </div>
      )}
      {create.isError && (
        <div className="fault" role="alert">
          <p>{messageOf(create.error)}</p>
          {create.error instanceof Problem &&
            create.error.faults.slice(1, 5).map((fault) => (
              <p key={fault.pointer} className="small">
                {fault.message}
              </p>
            ))}
        </div>
      )}
      <div>
        <Button
          look="primary"
          icon="report"
          disabled={create.isPending}
          onClick={() => create.mutate({ format, paper, appendix })}
        >
          Create {format.toUpperCase()}
        </Button>
      </div>
    </section>
  );
}
