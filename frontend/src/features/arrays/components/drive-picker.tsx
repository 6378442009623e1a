import { useInfiniteQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { Button } from '../../../components/button';
import { TextInput } from '../../../components/control';
import { Dialog } from '../../../components/dialog';
import { Empty, Failed, Loading } from '../../../components/query-state';
import { entriesQueryOptions } from '../../../lib/catalogue';
import { quantity } from '../../../lib/format';
import { driveOf } from '../catalogue';
import { KNOWN_DRIVES } from '../drives';
import type { Drive } from '../types';
import styles from './arrays.module.css';

interface DrivePickerProps {
  onTake: (drive: Drive) => void;
  onClose: () => void;
}

function figures(drive: Drive): string {
  const speed =
    drive.kind === 'hdd'
      ? `${drive.speed_rpm.toLocaleString('en-GB')} rpm`
      : `${quantity(drive.read_latency_ms / 1000, 's')} to read`;
  const price = drive.price_usd > 0 ? quantity(drive.price_usd, 'USD') : null;
  const parts = [
    quantity(drive.capacity_gb / 1000, 'TB'),
    speed,
    `${quantity(drive.idle_w, 'W')} idle`,
    price,
  ];
  return parts.filter(Boolean).join(' · ');
}

interface LineProps {
  title: string;
  drive: Drive | null;
  missing?: readonly string[];
  onTake: (drive: Drive) => void;
}

function Line({ title, drive, missing = [], onTake }: LineProps) {
  return (
    <button
      type="button"
      className={styles.entry}
      disabled={drive === null}
      onClick={() => drive && onTake(drive)}
    >
      <span>{title}</span>
      <span className="muted small num">
        {drive ? figures(drive) : `not known: ${missing.join(', ')}`}
      </span>
    </button>
  );
}

/** The drives of the catalogue, and those of the papers; one is taken. */
export function DrivePicker({ onTake, onClose }: DrivePickerProps) {
  const [typed, setTyped] = useState('');
  const wanted = useDeferredValue(typed.trim());
  const query = useInfiniteQuery(entriesQueryOptions({ kind: 'drive', q: wanted }));
  const found = (query.data?.pages ?? [])
    .flatMap((page) => page.results)
    .map((entry) => ({ entry, ...driveOf(entry) }));
  const ready = [...found].sort((a, b) => Number(b.drive !== null) - Number(a.drive !== null));
  const known = KNOWN_DRIVES.filter(({ name }) =>
    name.toLowerCase().includes(wanted.toLowerCase()),
  );
  return (
    <Dialog title="Choose a drive" width={720} onClose={onClose}>
      <div className={styles.picker}>
        <TextInput
          type="search"
          placeholder="Search the catalogue"
          aria-label="Search the catalogue"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className={styles.entries}>
          {known.map((drive) => (
            <Line key={drive.name} title={drive.name} drive={drive} onTake={onTake} />
          ))}
          {ready.map(({ entry, drive, missing }) => (
            <Line
              key={entry.slug}
              title={entry.title}
              drive={drive}
              missing={missing}
              onTake={onTake}
            />
          ))}
          {query.isPending && <Loading minHeight={160} lines={5} />}
          {query.isError && <Failed error={query.error} onRetry={() => void query.refetch()} />}
          {query.isSuccess && known.length + ready.length === 0 && (
            <Empty>Nothing in the catalogue fits.</Empty>
          )}
          {query.hasNextPage && (
            <Button look="quiet" onClick={() => void query.fetchNextPage()}>
              Show more
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}
