import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { evaluate } from '../lib/answers';
import type { Drive } from '../lib/drives';
import { messageOf, Problem } from '../lib/problem';
import type { Science } from '../lib/science';
import { Button } from './button';
import { Select } from './control';
import { Dialog } from './dialog';
import { Rich } from './rich';
import { ToldTables } from './told/told-tables';
import { ChooseFile } from './uploads';

const READER = 'storage.disksim_drive';
type Params = Science['storage.disksim_drive.Params'];
type Read = Science['storage.disksim_drive.Result'];

/** What one question to the server holds, and some room for names. */
const BYTES_MAX = 1_900_000;

export interface OwnDriveProps {
  onTake: (drive: Drive) => void;
  onClose: () => void;
}

async function textsOf(files: readonly File[]): Promise<Params['files']> {
  if (files.reduce((sum, { size }) => sum + size, 0) > BYTES_MAX) {
    throw new Error(
      'These files are larger than 1.9 MB together. Choose the parameter files of one disk only.',
    );
  }
  return Promise.all(files.map(async (file) => ({ name: file.name, text: await file.text() })));
}

const sentencesOf = (error: unknown): string[] =>
  error instanceof Problem && error.faults.length > 0
    ? error.faults.map(({ message }) => message)
    : [messageOf(error)];

/** Files that were chosen, and the drive in them; files that are chosen later come beside them. */
function useFiles() {
  const [files, setFiles] = useState<readonly File[]>([]);
  // It stays in sight while another disk of the same files is read.
  const [found, setFound] = useState<Read | null>(null);
  const reading = useMutation({
    mutationFn: async ({ of, disk }: { of: readonly File[]; disk?: string }) =>
      (await evaluate<Read>(READER, { files: await textsOf(of), disk: disk ?? null })).result,
    onSuccess: setFound,
    onError: () => setFound(null),
  });
  const read = (of: readonly File[], disk?: string) => {
    setFiles(of);
    reading.mutate({ of, disk });
  };
  const add = (chosen: readonly File[]) => {
    const names = new Set(chosen.map(({ name }) => name));
    read([...files.filter(({ name }) => !names.has(name)), ...chosen]);
  };
  const clear = () => {
    setFiles([]);
    setFound(null);
    reading.reset();
  };
  return { files, found, reading, read, add, clear };
}

function Found({ of: { headline, notes = [], tables = [] } }: { of: Read }) {
  return (
    <>
      <div className="stack gap-6" data-testid="drive-read" aria-live="polite">
        <p className="lead">
          <Rich text={headline} />
        </p>
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
      </div>
      <ToldTables tables={tables} />
    </>
  );
}

/** A drive out of the parameter files of DiskSim, which are chosen together or one after another. */
export function DriveFiles({ onTake, onClose }: OwnDriveProps) {
  const { files, found, reading, read, add, clear } = useFiles();
  const footer = (
    <>
      <Button onClick={onClose}>Back</Button>
      {found && (
        <Button look="primary" disabled={reading.isPending} onClick={() => onTake(found.drive)}>
          Use this drive
        </Button>
      )}
    </>
  );
  return (
    <Dialog title="Read DiskSim’s files" width={860} footer={footer} onClose={onClose}>
      <div className="stack gap-12">
        <p className="muted">
          Choose the parameter files of a disk together: .diskspecs, .model and .seek, and a .layout
          or .parv file if there is one. Files refer to each other by name.
        </p>
        <div className="flow gap-8">
          <ChooseFile look={found ? 'plain' : 'primary'} label="DiskSim files" onFiles={add}>
            {files.length > 0 ? 'Add files' : 'Choose files'}
          </ChooseFile>
          {files.length > 0 && (
            <Button look="quiet" onClick={clear}>
              Start over
            </Button>
          )}
        </div>
        {files.length > 0 && (
          <p className="muted small anywhere">
            Chosen: {files.map(({ name }) => name).join(', ')}
            {reading.isPending && '; reading …'}
          </p>
        )}
        {reading.isError && (
          <div role="alert">
            {sentencesOf(reading.error).map((sentence) => (
              <p key={sentence} className="fault anywhere">
                {sentence}
              </p>
            ))}
          </div>
        )}
        {found && found.disks.length > 1 && (
          <label className="flow gap-8">
            Disk
            <Select
              value={reading.variables?.disk ?? found.disks[0] ?? ''}
              choices={found.disks.map((name) => ({ value: name, label: name }))}
              onChange={(event) => read(files, event.target.value)}
            />
          </label>
        )}
        {found && <Found of={found} />}
      </div>
    </Dialog>
  );
}
