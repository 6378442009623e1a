import { useCallback, useState, type ReactNode } from 'react';
import { ChartPanel } from '../../../components/chart-panel';
import { Select } from '../../../components/control';
import { Table } from '../../../components/table';
import { exact } from '../../../lib/format';
import { useMedia } from '../../../lib/media';
import { useTheme } from '../../../lib/theme';
import { gridFigure } from '../figures/grid';
import { seriesFigure } from '../figures/series';
import type { Grid, Rows } from '../result-parts';
import { canDraw, isNumeric, xOffers, yOffers } from '../series';
import { textOf } from './result-facts';
import styles from './try.module.css';

// A longer table is read as a chart first; all of it stands behind the chart and in the CSV.
const SHORT = 16;
const SHOWN = 100;

/** A list of objects, a column for each of their fields. */
export function RowsTable({ table }: { table: Rows }) {
  const numeric = table.columns.map((_, at) => isNumeric(table, at));
  const more = table.rows.length - SHOWN;
  return (
    <section className={`${styles.panel} box shrink`} aria-label={table.title}>
      <h3>{table.title}</h3>
      <Table
        label={`${table.title}, table`}
        className={`${styles.scroll} table`}
        heads={table.columns.map((column, at) => ({
          label: column.label,
          title: column.description,
          className: numeric[at] ? 'figure' : '',
        }))}
      >
        {table.rows.slice(0, SHOWN).map((row, line) => (
          <tr key={line}>
            {row.map((cell, at) => {
              const unit = table.columns[at]?.unit ?? '';
              const names = [numeric[at] && 'figure', long(cell) && styles.text];
              return (
                <td
                  key={at}
                  className={names.filter(Boolean).join(' ')}
                  title={typeof cell === 'number' ? exact(cell, unit) : undefined}
                >
                  {textOf(cell, unit)}
                </td>
              );
            })}
          </tr>
        ))}
      </Table>
      {more > 0 && (
        <p className="muted small">
          The first {SHOWN} of {table.rows.length.toLocaleString('en-GB')} rows; the CSV has all.
        </p>
      )}
    </section>
  );
}

const long = (cell: unknown) => typeof cell === 'string' && cell.length > 40;

interface DrawnProps {
  name: string;
  table: Rows;
  x: number;
  /** Columns, as one text: the same choice is the same figure. */
  y: string;
  controls: ReactNode;
}

function Drawn({ name, table, x, y, controls }: DrawnProps) {
  const theme = useTheme();
  const narrow = useMedia('(width < 700px)');
  const build = useCallback(
    () =>
      y === '' ? null : seriesFigure(table, { x, y: y.split(' ').map(Number) }, { theme, narrow }),
    [table, x, y, theme, narrow],
  );
  return <ChartPanel name={name} build={build} height={320} controls={controls} />;
}

/** A chart of a table's columns; the planner chooses what runs over what. */
function SeriesChart({ table }: { table: Rows }) {
  const [wantedX, setX] = useState<number | null>(null);
  const [wantedY, setY] = useState<string | null>(null);
  const xs = xOffers(table);
  const x = xs.find((at) => at === wantedX) ?? xs[0] ?? 0;
  const ys = yOffers(table, x);
  const y = ys.find((offer) => offer.value === wantedY) ?? ys[0];
  const name = `Chart of ${table.title}`;
  return (
    <Drawn
      name={name}
      table={table}
      x={x}
      y={y?.columns.join(' ') ?? ''}
      controls={
        (xs.length > 1 || ys.length > 1) && (
          <div className={`${styles.axes} flow gap-8-16`}>
            {ys.length > 1 && (
              <label>
                Show
                <Select
                  aria-label={`${name}: show`}
                  value={y?.value}
                  choices={ys}
                  onChange={(event) => setY(event.target.value)}
                />
              </label>
            )}
            {xs.length > 1 && (
              <label>
                over
                <Select
                  aria-label={`${name}: over`}
                  value={String(x)}
                  choices={xs.map((at) => ({
                    value: String(at),
                    label: table.columns[at]?.label ?? '',
                  }))}
                  onChange={(event) => setX(Number(event.target.value))}
                />
              </label>
            )}
          </div>
        )
      }
    />
  );
}

/** A list of a result: as a table while it is short, and as a chart where it can be drawn. */
export function ResultRows({ table }: { table: Rows }) {
  const drawn = canDraw(table);
  return (
    <>
      {(table.rows.length <= SHORT || !drawn) && <RowsTable table={table} />}
      {drawn && <SeriesChart table={table} />}
    </>
  );
}

/** Numbers over two axes, one at a time. */
export function ResultGrids({ grids }: { grids: readonly Grid[] }) {
  const theme = useTheme();
  const narrow = useMedia('(width < 700px)');
  const [wanted, setWanted] = useState<string | null>(null);
  const grid = grids.find(({ key }) => key === wanted) ?? grids[0];
  const build = useCallback(
    () => (grid ? gridFigure(grid, { theme, narrow }) : null),
    [grid, theme, narrow],
  );
  return (
    <ChartPanel
      name="Map"
      build={build}
      height={380}
      controls={
        <div className={`${styles.axes} flow gap-8-16`}>
          {grids.length > 1 && (
            <label>
              Show
              <Select
                aria-label="Map: show"
                value={grid?.key}
                choices={grids.map(({ key, title }) => ({ value: key, label: title }))}
                onChange={(event) => setWanted(event.target.value)}
              />
            </label>
          )}
          {grid?.description && <p className="muted small">{grid.description}</p>}
        </div>
      }
    />
  );
}
