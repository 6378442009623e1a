import { useState } from 'react';
import { Button } from '../../../components/button';
import { TextArea } from '../../../components/control';
import { Dialog } from '../../../components/dialog';
import { Form } from '../../../components/form';
import { NumbersChoice, NumbersRead } from '../../../components/numbers-choice';
import { ChooseFile } from '../../../components/uploads';
import { messageOf, Problem } from '../../../lib/problem';
import type { NumberFormat } from '../../../lib/typed-number';
import { words } from '../../../lib/schema';
import { useImportTable } from '../api/own-entries';

interface ImportTableProps {
  kind: string;
  columns: readonly string[];
  onClose: () => void;
}

/** Own entries from a table: all of its lines, or none and everything that is wrong. */
export function ImportTable({ kind, columns, onClose }: ImportTableProps) {
  const [text, setText] = useState('');
  const load = useImportTable();
  const faults = load.error instanceof Problem ? load.error.faults : [];
  const submit = (numbers: NumberFormat = '') => load.mutate({ kind, csv: text, numbers });
  const take = async (files: File[]) => setText((await files[0]?.text()) ?? '');
  return (
    <Dialog
      title={`Entries from a table: ${words(kind).toLowerCase()}`}
      width={720}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{load.isSuccess ? 'Close' : 'Cancel'}</Button>
          <Button
            look="primary"
            type="submit"
            form="import-table"
            disabled={load.isPending || text.trim() === ''}
          >
            Add these entries
          </Button>
        </>
      }
    >
      <Form id="import-table" className="dialog-form" onSend={() => submit()}>
        <p className="muted">
          One entry a line under a line of names: title, then fields whose names end in their unit,
          and where wanted slug, source, url, as_of, quality. An own entry of the same slug is
          changed. A table that was saved by CSV is read back whole.
        </p>
        <div>
          <ChooseFile onFiles={(files) => void take(files)} label="Table file">
            Choose a file
          </ChooseFile>
        </div>
        <label>
          Table
          <TextArea
            rows={10}
            value={text}
            placeholder={`title,${columns.join(',')},source,as_of`}
            onChange={({ target }) => setText(target.value)}
          />
        </label>
        {load.isSuccess && (
          <p role="status">
            {load.data.added} added, {load.data.changed} changed.
            {load.data.fields_new.length > 0 &&
              ` No entry of this kind had these fields before: ${load.data.fields_new.join(', ')}.`}
          </p>
        )}
        <NumbersRead notes={load.data?.numbers_read} />
        {load.isError && (
          <div className="fault" role="alert">
            <p>{faults.length > 0 ? 'Nothing was added.' : messageOf(load.error)}</p>
            <ul aria-label="Errors">
              {faults.map(({ pointer, message }) => (
                <li key={`${pointer} ${message}`}>{message}</li>
              ))}
            </ul>
            <NumbersChoice error={load.error} onChoose={submit} />
          </div>
        )}
      </Form>
    </Dialog>
  );
}
