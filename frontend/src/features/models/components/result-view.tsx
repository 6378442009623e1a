import { useMemo } from 'react';
import { Icon } from '../../../components/icon';
import { MenuButton } from '../../../components/popover';
import { Rich } from '../../../components/rich';
import type { Model } from '../../../lib/models';
import type { JsonObject } from '../../../lib/pointer';
import { partsOf } from '../result';
import { savable } from '../save';
import { Facts } from './result-facts';
import { ResultGrids, ResultRows } from './result-rows';
import styles from './try.module.css';

interface ResultViewProps {
  model: Model;
  params: JsonObject;
  result: JsonObject;
  /** Whether the inputs have moved on since. */
  stale: boolean;
}

/** A result, drawn by its schema: sentences, warnings, figures, tables, charts. */
export function ResultView({ model, params, result, stale }: ResultViewProps) {
  const parts = useMemo(() => partsOf(result, model.result_schema), [result, model.result_schema]);
  return (
    <div className={`${styles.result} ${stale ? styles.stale : ''}`} data-testid="result">
      <header className={styles.resultHead}>
        <div>
          {parts.sentences.map((sentence) => (
            <p key={sentence} className={styles.sentence}>
              <Rich text={sentence} />
            </p>
          ))}
        </div>
        <MenuButton label="Download the result" icon="download" look="quiet" small text="Download">
          {savable(model, { params, result }, parts).map(({ label, save }) => (
            <button key={label} type="button" onClick={save}>
              {label}
            </button>
          ))}
        </MenuButton>
      </header>
      {parts.warnings.length > 0 && (
        <ul className={styles.warnings} aria-label="Warnings">
          {parts.warnings.map((warning) => (
            <li key={warning}>
              <Icon name="warning" size={14} />
              <Rich text={warning} />
            </li>
          ))}
        </ul>
      )}
      {parts.groups.length > 0 && (
        <div className={styles.factGroups}>
          {parts.groups.map((group) => (
            <Facts key={group.title} group={group} formulas={model.formulas} />
          ))}
        </div>
      )}
      {parts.grids.length > 0 && <ResultGrids grids={parts.grids} />}
      {parts.tables.map((table) => (
        <ResultRows key={table.key} table={table} />
      ))}
    </div>
  );
}
