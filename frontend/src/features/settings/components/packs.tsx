import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../components/button';
import { Chip, qualityWord } from '../../../components/chip';
import { Dialog } from '../../../components/dialog';
import { Panel } from '../../../components/panel';
import { QueryState } from '../../../components/query-state';
import { Table } from '../../../components/table';
import { date, dateTime, entered, quantity, range, USD } from '../../../lib/format';
import {
  packFieldsQueryOptions,
  packQueryOptions,
  packsQueryOptions,
  useDeletePack,
} from '../../../lib/packs';
import type { Pack, PackDetail, PackField } from '../../../lib/types';
import { PackForm } from './pack-form';
import styles from './settings.module.css';

type Version = PackDetail['versions'][number];

function said(version: Version | undefined, field: PackField): string {
  const held = version?.values[field.name];
  return typeof held?.value === 'number' ? quantity(held.value, field.unit) : '—';
}

/** What a pack holds, with range, source and date, and what it was before. */
function PackDialog({ pack, fields, onClose }: PackDialogProps) {
  const detail = useQuery(packQueryOptions(pack.slug));
  const about = pack.values.about?.value;
  return (
    <Dialog title={pack.title} width={880} onClose={onClose}>
      {typeof about === 'string' && <p>{about}</p>}
      <QueryState query={detail} minHeight={200}>
        {({ versions }) => {
          const held = fields.filter(({ name }) => versions.some(({ values }) => values[name]));
          return (
            <Table
              label="Assumptions"
              className={`${styles.tokens} table`}
              heads={[
                'Assumption',
                ...versions.map(({ version, since }) => ({
                  label: `Version ${version}, ${date(since)}`,
                  title: dateTime(since),
                })),
                'Range',
                'Source',
              ]}
            >
              {held.map((field) => {
                const value = pack.values[field.name];
                return (
                  <tr key={field.name}>
                    <th scope="row">{field.title}</th>
                    {versions.map((version) => (
                      <td key={version.version} className="num">
                        {said(version, field)}
                      </td>
                    ))}
                    <td className="num">
                      {value?.low != null && value.high != null
                        ? range(value.low, value.high, field.unit, USD, entered)
                        : '—'}
                    </td>
                    <td>
                      {value &&
                        [value.source, qualityWord(value.quality), value.as_of && date(value.as_of)]
                          .filter(Boolean)
                          .join(', ')}
                      {value?.note && <div className="muted small">{value.note}</div>}
                    </td>
                  </tr>
                );
              })}
            </Table>
          );
        }}
      </QueryState>
    </Dialog>
  );
}

interface PackDialogProps {
  pack: Pack;
  fields: readonly PackField[];
  onClose: () => void;
}

interface RowProps {
  pack: Pack;
  mayChange: boolean;
  onDo: (what: Doing) => void;
}

interface Doing {
  what: 'show' | 'edit' | 'new';
  pack?: Pack;
}

function Row({ pack, mayChange, onDo }: RowProps) {
  const remove = useDeletePack();
  return (
    <tr>
      <th scope="row">
        {pack.title} {!pack.is_own && <Chip>all workspaces</Chip>}
      </th>
      <td>{pack.version}</td>
      <td>{date(pack.updated_at)}</td>
      <td>
        <Button
          small
          aria-label={`Show ${pack.title}`}
          onClick={() => onDo({ what: 'show', pack })}
        >
          Show
        </Button>{' '}
        {mayChange && (
          <Button
            small
            aria-label={`Copy ${pack.title}`}
            onClick={() => onDo({ what: 'new', pack })}
          >
            Copy
          </Button>
        )}{' '}
        {mayChange && pack.is_own && (
          <>
            <Button
              small
              aria-label={`Edit ${pack.title}`}
              onClick={() => onDo({ what: 'edit', pack })}
            >
              Edit
            </Button>{' '}
            <Button
              small
              look="danger"
              aria-label={`Delete ${pack.title}`}
              disabled={remove.isPending}
              ask={`Delete "${pack.title}"? Studies that follow it keep their numbers.`}
              onClick={() => remove.mutate(pack.slug)}
            >
              Delete
            </Button>
          </>
        )}
      </td>
    </tr>
  );
}

/** Packs of assumptions: everybody sees them, owners change them. */
export function Packs({ mayChange }: { mayChange: boolean }) {
  const packs = useQuery(packsQueryOptions);
  const fields = useQuery(packFieldsQueryOptions).data ?? [];
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  return (
    <Panel
      id="packs"
      title="Assumption packs"
      about={
        <>
          Rates, staff, energy, growth and discounts that studies follow, each with its source and
          date. {!mayChange && 'Owners change them.'}
        </>
      }
      actions={mayChange && <Button onClick={() => setDoing({ what: 'new' })}>New pack</Button>}
    >
      <QueryState query={packs} minHeight={80} empty="There are no packs.">
        {(rows) => (
          <Table
            label="Packs"
            className={`${styles.tokens} table`}
            heads={['Pack', 'Version', 'Changed']}
            acts
          >
            {rows.map((pack) => (
              <Row key={pack.slug} pack={pack} mayChange={mayChange} onDo={setDoing} />
            ))}
          </Table>
        )}
      </QueryState>
      {doing?.what === 'show' && doing.pack && (
        <PackDialog pack={doing.pack} fields={fields} onClose={close} />
      )}
      {doing && doing.what !== 'show' && fields.length > 0 && (
        <PackForm fields={fields} from={doing.pack} isNew={doing.what === 'new'} onClose={close} />
      )}
    </Panel>
  );
}
