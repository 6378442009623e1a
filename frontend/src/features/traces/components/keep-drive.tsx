import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../../../components/button';
import { api, body } from '../../../lib/api';
import type { Drive } from '../../../lib/drives';
import { messageOf } from '../../../lib/problem';
import { useMayEdit } from '../../../lib/session';
import type { CatalogueEntry } from '../../../lib/types';

export interface KeepDriveProps {
  /** As it was fitted, under the name that it is kept by. */
  drive: Drive;
  sheet: Drive;
  /** What the trace is called, and what the calibration came to. */
  trace: string;
  told: string;
}

/** Puts a fitted drive into the workspace's own catalogue, with where its figures are from. */
export function KeepDrive({ drive, sheet, trace, told }: KeepDriveProps) {
  const client = useQueryClient();
  const mayEdit = useMayEdit();
  const keep = useMutation({
    mutationFn: () =>
      body<CatalogueEntry>(
        api.POST('/api/v1/catalogue/drives', {
          body: { title: drive.name, drive, sheet, trace, told } as never,
        }),
      ),
    onSuccess: () => client.invalidateQueries({ queryKey: ['catalogue'] }),
  });
  if (!mayEdit) return null;
  return (
    <>
      {!keep.isSuccess && (
        <Button icon="book" disabled={keep.isPending} onClick={() => keep.mutate()}>
          Keep in the catalogue
        </Button>
      )}
      <p className="muted small" aria-live="polite">
        {keep.error != null && messageOf(keep.error)}
        {keep.isSuccess && (
          <>
            In the catalogue as{' '}
            <Link to="/catalogue" search={{ kind: 'drive', entry: keep.data.slug }}>
              {keep.data.title}
            </Link>
            .
          </>
        )}
      </p>
    </>
  );
}
