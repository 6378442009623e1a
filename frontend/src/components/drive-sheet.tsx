import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import begun from '../api-types/arrays.json';
import { evaluate } from '../lib/answers';
import { driveSchema, type Drive } from '../lib/drives';
import { modelQueryOptions } from '../lib/models';
import { faultsBelow, Problem } from '../lib/problem';
import type { JsonSchema } from '../lib/schema';
import { Button } from './button';
import { Segments, TextInput } from './control';
import { Dialog } from './dialog';
import type { OwnDriveProps } from './drive-files';
import { Fault } from './fault';
import { DocumentForm } from './form/document-form';
import { NONE, useDraft, useFrame } from './form/use-draft';
import { QueryState } from './query-state';

/** It is asked at once, and says what is wrong with a drive. */
const JUDGE = 'storage.array_outlook';
const ALONE = { layout: { kind: 'single', disks_count: 1 }, timeouts: null };

const EMPTY: JsonSchema = {};

const KINDS = [
  { value: 'hdd', label: 'Disk' },
  { value: 'ssd', label: 'Solid-state drive' },
] as const;

/** The newest drive of a kind that the models name. */
function knownOf(kind: Drive['kind']): Drive {
  const found = (begun.drives as unknown as Drive[]).findLast((drive) => drive.kind === kind);
  if (!found) throw new Error(`The models know no drive of kind ${kind}.`);
  return found;
}

const plainOf = (kind: Drive['kind']): Drive => ({
  ...knownOf(kind),
  name: kind === 'hdd' ? 'My disk' : 'My drive',
});

/** A drive that the server finds nothing wrong with is taken. */
function useCheck(onTake: (drive: Drive) => void) {
  const check = useMutation({
    mutationFn: (drive: Drive) => evaluate(JUDGE, { array: { ...ALONE, drive } }),
    onSuccess: (_answer, drive) => onTake(drive),
  });
  const faults =
    check.error instanceof Problem ? faultsBelow(check.error.faults, '/array/drive') : NONE;
  return { check, faults };
}

/** A drive entered by its figures: the fields are those of its schema. */
export function DriveSheet({ onTake, onClose }: OwnDriveProps) {
  const query = useQuery(modelQueryOptions(JUDGE));
  const root = query.data?.params_schema ?? EMPTY;
  const [drive, setDrive] = useState(() => plainOf('hdd'));
  const { check, faults } = useCheck(onTake);
  const put = (next: Drive) => {
    check.reset();
    setDrive(next);
  };
  const schema = driveSchema(root, drive.kind) ?? EMPTY;
  const { form, isDraft } = useDraft({ schema, root, value: drive, faults, onChange: put });
  const frame = useFrame('own-drive', NONE);
  const footer = (
    <>
      <Button onClick={onClose}>Back</Button>
      <Button
        look="primary"
        disabled={!query.data || isDraft || check.isPending}
        onClick={() => check.mutate(drive)}
      >
        Use this drive
      </Button>
    </>
  );
  return (
    <Dialog title="Describe a drive" width={720} footer={footer} onClose={onClose}>
      <div className="stack gap-12">
        <p className="muted">
          The form starts with the figures of {knownOf(drive.kind).name}. Enter those of your drive,
          from its data sheet.
        </p>
        <div className="flow">
          <Segments
            label="Kind of drive"
            value={drive.kind}
            choices={KINDS}
            onChange={(kind) => put(plainOf(kind as Drive['kind']))}
          />
        </div>
        <label className="field">
          Name
          <TextInput
            value={String(form.value.name ?? '')}
            maxLength={120}
            onChange={(event) => form.onChange({ ...form.value, name: event.target.value })}
          />
        </label>
        <QueryState query={query} minHeight={240}>
          {() => (
            <DocumentForm
              key={drive.kind}
              {...form}
              {...{ schema, frame }}
              formId="own-drive"
              provenance={{}}
              omit={['name', 'on_sale']}
            />
          )}
        </QueryState>
        {isDraft && (
          <p className="muted small" role="status">
            The drive can be used as soon as everything marked is filled in.
          </p>
        )}
        <Fault of={check} />
      </div>
    </Dialog>
  );
}
