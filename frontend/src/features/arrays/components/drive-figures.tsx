import { useMemo } from 'react';
import { DocumentForm } from '../../../components/form/document-form';
import type { JsonObject } from '../../../lib/pointer';
import { driveSchema } from '../../../lib/drives';
import { faultsBelow, type Fault } from '../../../lib/problem';
import type { JsonSchema } from '../../../lib/schema';
import { driveGroups, type DriveGroup } from '../drive-groups';
import type { Known } from '../use-outlooks';
import type { Drive } from '../types';
import { useDraft, useFrame } from '../../../components/form/use-draft';
import { useDriveOrigins } from '../use-drive-origins';
import { Part } from './fields';
import { SimulatorSchema } from './simulator-schema';

interface FiguresProps {
  drive: Drive;
  known: Known;
  onChange: (drive: Drive) => void;
}

function hasFault({ schema }: DriveGroup, faults: readonly Fault[]): boolean {
  const keys = Object.keys(schema.properties ?? {});
  return faults.some(({ pointer }) => keys.includes(pointer.split('/')[1] ?? ''));
}

function Groups({ root, drive, known, onChange }: FiguresProps & { root: JsonSchema }) {
  const schema = driveSchema(root, drive.kind) ?? {};
  const faults = useMemo(() => faultsBelow(known.faults, '/array/drive'), [known.faults]);
  const { form, isDraft } = useDraft({ schema, root, value: drive, faults, onChange });
  const tracks = known.outlook?.estimated_tracks ?? null;
  const starts = useMemo<Record<string, JsonObject> | undefined>(
    () => (tracks ? { '/geometry': tracks as unknown as JsonObject } : undefined),
    [tracks],
  );
  const provenance = useDriveOrigins(drive);
  const frame = useFrame('drive', ['/seek', '/buffer']);
  const groups = useMemo(() => driveGroups(root, drive.kind), [root, drive.kind]);
  return (
    <>
      {groups.map((group) => (
        <Part
          key={group.title}
          title={group.title}
          summary={hasFault(group, form.faults) ? 'has an error' : undefined}
          open={false}
        >
          <DocumentForm
            {...form}
            formId={`drive.${group.title}`}
            schema={group.schema}
            provenance={provenance}
            starts={starts}
            frame={frame}
          />
        </Part>
      ))}
      {isDraft && (
        <p className="muted small" role="status">
          The drive stays as it was until everything marked is filled in.
        </p>
      )}
    </>
  );
}

/** Every figure of a drive that the simulator takes, in groups that fold. */
export function DriveFigures(props: FiguresProps) {
  return <SimulatorSchema>{(root) => <Groups {...props} root={root} />}</SimulatorSchema>;
}
