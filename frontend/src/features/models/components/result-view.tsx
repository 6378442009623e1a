import { useMemo } from 'react';
import { Icon } from '../../../components/icon';
import { MenuButton, MenuItem } from '../../../components/menu';
import { Rich } from '../../../components/rich';
import { toldOf } from '../../../components/told/told';
import { ToldFigures } from '../../../components/told/told-figures';
import { ToldTables } from '../../../components/told/told-tables';
import type { Model } from '../../../lib/models';
import type { JsonObject } from '../../../lib/pointer';
import { partsOf } from '../result';
import { savable } from '../save';
import { Facts } from './result-facts';
import { ResultGrids, ResultRows } from './result-rows';
import styles from './try.module.css';

export interface Answered {
  params: JsonObject;
  result: JsonObject;
}

interface ResultProps {
  model: Model;
  answered: Answered;
}

/** What of a result can be saved. */
export function Download({ model, answered }: ResultProps) {
  const parts = useMemo(() => partsOf(answered.result, model.result_schema), [answered, model]);
  return (
    <MenuButton label="Download the answer" icon="download" small text="Download">
      {savable(model, answered, parts).map(({ label, save }) => (
        <MenuItem key={label} onSelect={save}>
          {label}
        </MenuItem>
      ))}
    </MenuButton>
  );
}

/** A result, drawn by its schema: sentences, warnings, figures, maps, tables, charts. */
export function ResultView({ model, answered }: ResultProps) {
  const parts = useMemo(() => partsOf(answered.result, model.result_schema), [answered, model]);
  const { sentences, warnings, groups, grids, tables } = parts;
  const told = toldOf(answered.result);
  return (
    <div className="stack gap-16" data-testid="result">
      {sentences.map((sentence) => (
        <p key={sentence} className={styles.sentence}>
          <Rich text={sentence} />
        </p>
      ))}
      {warnings.length > 0 && (
        <ul className={`${styles.warnings} stack gap-4`} aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>
              <Icon name="warning" size={14} />
              <span>
                <Rich text={warning} />
              </span>
            </li>
          ))}
        </ul>
      )}
      <ToldFigures figures={told.figures ?? []} />
      <ToldTables tables={told.tables ?? []} />
      {groups.length > 0 && (
        <div className={`${styles.factGroups} ${groups.length === 1 ? styles.one : ''}`}>
          {groups.map((group) => (
            <Facts key={group.title} group={group} formulas={model.formulas} />
          ))}
        </div>
      )}
      {grids.length > 0 && <ResultGrids grids={grids} />}
      {tables.map((table) => (
        <ResultRows key={table.key} table={table} />
      ))}
    </div>
  );
}
