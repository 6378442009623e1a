import { useState } from 'react';
import { Button } from '../../../components/button';
import { TextArea } from '../../../components/control';
import { NumbersChoice, NumbersRead } from '../../../components/numbers-choice';
import type { FormFrame } from '../../../components/form/document-form';
import { isObject } from '../../../lib/pointer';
import { messageOf, Problem } from '../../../lib/problem';
import { asTyped, numberMark, numberText, type NumberFormat } from '../../../lib/typed-number';
import type { Study } from '../../../lib/types';
import { useReadBaseline } from '../api/baseline';
import type { Draft } from '../draft';

const ROWS = [
  ['type', 'count', 'hours', 'commitment end', 'price', 'price afterwards'],
  ['m7a.8xlarge', 40, 730, 18, 0.8346, 1.85472],
  ['m7a.8xlarge', 14, 320, '', 1.85472, ''],
];

/** Lines as a spreadsheet of one who writes numbers so has them. */
function example(): string {
  const mark = numberMark();
  const cell = (one: string | number) => (typeof one === 'number' ? numberText(one, mark) : one);
  return ROWS.map((row) => row.map(cell).join(mark === ',' ? ';' : ',')).join('\n');
}

const SHOWN = 8;

/** Each cell that cannot be read, by its line. */
function Refused({ error }: { error: unknown }) {
  const faults = error instanceof Problem ? error.faults : [];
  if (faults.length === 0)
    return (
      <p className="fault" role="alert">
        {messageOf(error)}
      </p>
    );
  return (
    <ul className="fault small" role="alert">
      {faults.slice(0, SHOWN).map(({ pointer, message }) => {
        const line = /^\/csv\/(\d+)/.exec(pointer)?.[1];
        return <li key={pointer}>{asTyped(line ? `Line ${line}: ${message}` : message)}</li>;
      })}
      {faults.length > SHOWN && <li>and {faults.length - SHOWN} more</li>}
    </ul>
  );
}

// Of more lines a page would hold nothing else.
const OPENED = 8;

interface BaselinePasteProps {
  study: Study;
  draft: Draft<Study>;
  /** Where the lines that were read are shown. */
  frame: FormFrame;
}

/** A bill as text, one line per kind of machine. */
export function BaselinePaste({ study, draft, frame }: BaselinePasteProps) {
  const [text, setText] = useState('');
  const load = useReadBaseline(study.id);
  const submit = async (numbers: NumberFormat = '') => {
    await draft.flush();
    const show = ({ baseline }: Study) => {
      setText('');
      const lines = isObject(baseline) && Array.isArray(baseline.lines) ? baseline.lines : [];
      const places = lines.slice(0, OPENED).map((_, at) => `/lines/${at}`);
      for (const place of ['/lines', ...places]) frame.setOpen(place, true);
    };
    load.mutate({ csv: text, numbers }, { onSuccess: show });
  };
  return (
    <aside className="stack box gap-12 padded surface">
      <h2>Paste what runs today</h2>
      <p className="muted">
        One line per kind of machine, from a spreadsheet or a file. A commitment runs off at its
        end, in months from the start or, where the study has a start date (Assumptions), on a day
        such as 2027-06-30; from then on the price afterwards holds. Prices are an hour, in the
        currency of the study, or in US dollars where a head or a cell says so; those left out come
        from the catalogue.
      </p>
      <TextArea
        rows={8}
        spellCheck={false}
        aria-label="Lines of the baseline as CSV"
        placeholder={example()}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <NumbersRead notes={load.data?.numbers_read} />
      {load.isError && <Refused error={load.error} />}
      <NumbersChoice error={load.error} onChoose={(numbers) => void submit(numbers)} />
      <div>
        <Button disabled={text.trim() === '' || load.isPending} onClick={() => void submit()}>
          {load.isPending ? 'Reading …' : 'Read the lines'}
        </Button>
      </div>
    </aside>
  );
}
