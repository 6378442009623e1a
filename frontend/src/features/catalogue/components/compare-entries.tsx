import { Dialog } from '../../../components/dialog';
import { Table } from '../../../components/table';
import { date } from '../../../lib/format';
import type { CatalogueEntry } from '../../../lib/types';
import { fieldLabel, NOT_KNOWN, ordered, shortValue } from '../words';
import styles from './catalogue.module.css';

interface CompareEntriesProps {
  entries: readonly CatalogueEntry[];
  onClose: () => void;
}

/** Entries side by side: a row for each field that any of them has. */
export function CompareEntries({ entries, onClose }: CompareEntriesProps) {
  const all = Object.assign({}, ...entries.map(({ values }) => values)) as CatalogueEntry['values'];
  const fields = ordered(all)
    .map(([name]) => name)
    .filter((name) => name !== NOT_KNOWN);
  return (
    <Dialog title={`Compare ${entries.length} entries`} width={1080} onClose={onClose}>
      <Table
        label="Entries side by side"
        className={`${styles.table} box table boxed`}
        heads={['Field', ...entries.map(({ title }) => ({ label: title, className: 'figure' }))]}
      >
        {fields.map((name) => (
          <tr key={name}>
            <th scope="row">{fieldLabel(name)}</th>
            {entries.map(({ slug, values }) => (
              <td
                key={slug}
                className="figure"
                title={values[name] && `${values[name].source}, ${date(values[name].as_of)}`}
              >
                {shortValue(values[name])}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </Dialog>
  );
}
