import { useCallback } from 'react';
import type { JsonSchema } from '../../../lib/schema';
import { PLAN_MODEL, RESOURCE_NAMES, type BoardState } from './board';
import { moreSchema } from './board-more';
import { ModelForm } from '../frame/model-form';
import { Panel } from '../frame/view-frame';
import styles from './board.module.css';

interface MoreProps {
  state: BoardState;
  error: unknown;
  set: (change: Partial<BoardState>) => void;
}

/** Services whose tiers scale together, how much longer work may take, and what moving costs. */
export function More({ state, error, set }: MoreProps) {
  const part = useCallback((schema: JsonSchema) => moreSchema(schema, RESOURCE_NAMES), []);
  return (
    <Panel title="Services, tolerance and moving">
      <p className="muted small">
        Demands of a service are planned at its load. The tolerance holds where slowing is entered.
      </p>
      <div className={styles.more}>
        <ModelForm
          model={PLAN_MODEL}
          value={state.more}
          error={error}
          part={part}
          onChange={(more) => set({ more })}
        />
      </div>
    </Panel>
  );
}
