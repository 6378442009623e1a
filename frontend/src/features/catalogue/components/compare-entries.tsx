import { Dialog } from '../../../components/dialog';
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
      <div className={styles.table} tabIndex={0} role="region" aria-label="Entries side by side">
        <table>
          <thead>
            <tr>
              <th scope="col">Field</th>
              {entries.map((entry) => (
                <th key={entry.slug} scope="col" className={styles.number}>
                  {entry.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {fields.map((name) => (
              <tr key={name}>
                <th scope="row">{fieldLabel(name)}</th>
                {entries.map(({ slug, values }) => (
                  <td
                    key={slug}
                    className={styles.number}
                    title={values[name] && `${values[name].source}, ${date(values[name].as_of)}`}
                  >
                    {shortValue(values[name])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Dialog>
  );
}
