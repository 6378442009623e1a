import { qualityWord } from '../../../components/chip';
import { date, unitLabel } from '../../../lib/format';
import type { CatalogueEntry } from '../../../lib/types';
import { directionOf, keyOf, nextOrder, type Order } from '../filter';
import { fieldLabel, fullValue, shortValue } from '../words';
import styles from './catalogue.module.css';

const UNSURE = new Set(['recalled', 'assumed']);
const ARROWS = { ascending: ' ↑', descending: ' ↓' };

function unitOf(entries: readonly CatalogueEntry[], column: string): string {
  if (column === 'year') return '';
  const held = entries.find((entry) => entry.values[column]?.unit);
  return unitLabel(held?.values[column]?.unit);
}

interface EntriesTableProps {
  entries: readonly CatalogueEntry[];
  columns: readonly string[];
  sort: Order | undefined;
  onSort: (sort: Order | undefined) => void;
  chosen: ReadonlySet<string>;
  onChoose: (slug: string) => void;
  onOpen: (slug: string) => void;
}

/** Entries with their figures: sorted by a column's head, chosen to be compared. */
export function EntriesTable(props: EntriesTableProps) {
  const { entries, columns, sort, onSort, chosen, onChoose, onOpen } = props;
  const isNumber = (column: string) =>
    entries.some((entry) => typeof entry.values[column]?.value === 'number');
  const head = (label: string, key: string | undefined) =>
    key === undefined ? (
      label
    ) : (
      <button
        type="button"
        className={`${styles.sort} bare`}
        onClick={() => onSort(nextOrder(sort, key))}
      >
        {label}
        {ARROWS[directionOf(sort, key) ?? 'ascending'].repeat(directionOf(sort, key) ? 1 : 0)}
      </button>
    );
  return (
    <div
      className={`${styles.table} box table boxed`}
      tabIndex={0}
      role="region"
      aria-label="Catalogue entries"
    >
      <table>
        <thead>
          <tr>
            <th scope="col" aria-sort={directionOf(sort, 'title')}>
              {head('Entry', 'title')}
            </th>
            {columns.map((column) => (
              <th
                key={column}
                scope="col"
                className={isNumber(column) ? 'figure' : ''}
                aria-sort={directionOf(sort, keyOf(column))}
              >
                {head(fieldLabel(column), keyOf(column))}
                <span className={styles.unit}>{unitOf(entries, column)}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.slug}>
              <th scope="row">
                <span className="flex baseline gap-8">
                  <input
                    type="checkbox"
                    aria-label={`Compare ${entry.title}`}
                    checked={chosen.has(entry.slug)}
                    onChange={() => onChoose(entry.slug)}
                  />
                  <button type="button" onClick={() => onOpen(entry.slug)}>
                    {entry.title}
                  </button>
                </span>
              </th>
              {columns.map((column) => {
                const value = entry.values[column];
                const unsure = value && UNSURE.has(value.quality);
                return (
                  <td
                    key={column}
                    className={`${isNumber(column) ? 'figure' : ''} ${unsure ? 'warning' : ''}`}
                    title={
                      value
                        ? `${fullValue(value)} · ${qualityWord(value.quality)}: ${value.source}, ${date(value.as_of)}`
                        : 'not known'
                    }
                  >
                    {shortValue(value)}
                    {unsure && ' ?'}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
