import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { DocumentForm } from '../../../components/form/document-form';
import { useOpenOf } from '../../../components/form/use-open';
import { Icon } from '../../../components/icon';
import { QueryState } from '../../../components/query-state';
import { modelQueryOptions } from '../../../lib/models';
import type { JsonObject } from '../../../lib/pointer';
import type { Fault } from '../../../lib/problem';
import type { JsonSchema } from '../../../lib/schema';
import { SIMULATOR } from '../api/run-array';
import { schemaFaults, withDefaults } from '../drive-faults';
import { driveGroups, driveSchema, type DriveGroup } from '../drive-groups';
import { faultsBelow, type Known } from '../use-outlooks';
import type { Drive } from '../types';
import { useDriveOrigins } from '../use-drive-origins';
import styles from './arrays.module.css';

interface FiguresProps {
  drive: Drive;
  known: Known;
  onChange: (drive: Drive) => void;
}

const asDocument = (drive: Drive) => drive as unknown as JsonObject;

/** The drive as it is typed; it is put to the array whenever nothing is wrong with it. */
function useDraft(root: JsonSchema, { drive, known, onChange }: FiguresProps) {
  const schema = useMemo(() => driveSchema(root, drive.kind) ?? {}, [root, drive.kind]);
  const [draft, setDraft] = useState<{ of: Drive; value: JsonObject } | null>(null);
  const value = draft?.of === drive ? draft.value : asDocument(drive);
  const own = useMemo(() => schemaFaults(schema, root, value), [schema, root, value]);
  const faults = useMemo(
    () => (own.length > 0 ? own : faultsBelow(known.faults, '/array/drive')),
    [own, known.faults],
  );
  const change = (next: JsonObject) => {
    const whole = withDefaults(schema, asDocument(drive), next);
    if (schemaFaults(schema, root, whole).length > 0) {
      setDraft({ of: drive, value: next });
      return;
    }
    setDraft(null);
    onChange(whole as unknown as Drive);
  };
  return { value, faults, draft: own.length > 0, change };
}

function hasFault({ schema }: DriveGroup, faults: readonly Fault[]): boolean {
  const keys = Object.keys(schema.properties ?? {});
  return faults.some(({ pointer }) => keys.includes(pointer.split('/')[1] ?? ''));
}

function Groups({ root, ...props }: FiguresProps & { root: JsonSchema }) {
  const { drive } = props;
  const { value, faults, draft, change } = useDraft(root, props);
  const tracks = props.known.outlook?.estimated_tracks ?? null;
  const starts = useMemo<Record<string, JsonObject> | undefined>(
    () => (tracks ? { '/geometry': tracks as unknown as JsonObject } : undefined),
    [tracks],
  );
  const provenance = useDriveOrigins(drive);
  const open = useOpenOf('ampacity.drive.open', () => ['/seek', '/buffer']);
  const groups = useMemo(() => driveGroups(root, drive.kind), [root, drive.kind]);
  return (
    <>
      {groups.map((group) => (
        <details key={group.title} className={styles.figures}>
          <summary>
            {group.title}
            {hasFault(group, faults) && <Icon name="warning" size={14} />}
          </summary>
          <DocumentForm
            formId={`drive.${group.title}`}
            schema={group.schema}
            root={root}
            value={value}
            provenance={provenance}
            faults={faults}
            ranges={[]}
            starts={starts}
            frame={{ filter: '', ...open }}
            onChange={change}
          />
        </details>
      ))}
      {draft && (
        <p className="muted small" role="status">
          The drive stays as it was until everything marked is filled in.
        </p>
      )}
    </>
  );
}

/** Every figure of a drive that the simulator takes, in groups that fold. */
export function DriveFigures(props: FiguresProps) {
  const query = useQuery(modelQueryOptions(SIMULATOR));
  return (
    <QueryState query={query} minHeight={150}>
      {({ params_schema: root }) => <Groups {...props} root={root} />}
    </QueryState>
  );
}
