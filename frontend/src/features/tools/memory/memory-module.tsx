import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { ChartPanel } from '../../../components/chart-panel';
import { Loading } from '../../../components/query-state';
import { answerQueryOptions } from '../../../lib/answers';
import { quantity } from '../../../lib/format';
import { useMedia } from '../../../lib/media';
import type { JsonObject } from '../../../lib/pointer';
import { useTheme } from '../../../lib/theme';
import { modulePower } from './policies-figure';
import { MODULE_MODEL, moduleSentence, type ModuleAnswer } from './memory-policies';
import { ModelForm } from '../frame/model-form';
import { Refer } from '../frame/refer';
import type { ToolProps } from '../frame/use-tool-state';
import { Answer, Beside, Panel, Wrong } from '../frame/view-frame';
import styles from '../frame/tools.module.css';

function States({ answer }: { answer: ModuleAnswer }) {
  if (answer.states.length === 0) return null;
  return (
    <Panel title="With nothing read, by state">
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="States compared">
        <table className={styles.ranking}>
          <thead>
            <tr>
              <th scope="col">State</th>
              <th scope="col">A module</th>
              <th scope="col">All modules</th>
              <th scope="col">Wakes in</th>
            </tr>
          </thead>
          <tbody>
            {answer.states.map((row) => (
              <tr key={row.state}>
                <th scope="row">{row.state}</th>
                <td>{quantity(row.module_w, 'W')}</td>
                <td>{quantity(row.all_w, 'W')}</td>
                <td>{row.exit_ns === 0 ? 'at once' : quantity(row.exit_ns, 'ns')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

interface MemoryModuleProps {
  of: ToolProps;
  value: JsonObject;
  onChange: (value: JsonObject) => void;
}

/** What modules draw, from the currents of their data sheet. */
export function MemoryModule({ of, value, onChange }: MemoryModuleProps) {
  const answer = useQuery(answerQueryOptions<ModuleAnswer>(MODULE_MODEL, value));
  const found = answer.data?.result;
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const build = useCallback(
    () => (found ? modulePower(found, { theme, narrow }) : null),
    [found, theme, narrow],
  );
  return (
    <>
      <Answer
        text={found ? moduleSentence(found) : null}
        more="Of all modules together, with the traffic spread evenly over them."
        waiting={answer.isError ? 'These inputs have no answer yet.' : undefined}
      />
      <Wrong error={answer.error} />
      <Beside
        inputs={
          <ModelForm model={MODULE_MODEL} value={value} error={answer.error} onChange={onChange} />
        }
      >
        {found ? (
          <>
            <ChartPanel
              name="Power of the modules"
              build={build}
              height={240}
              empty={found.reason ?? undefined}
            />
            <States answer={found} />
            <Refer of={of} model={MODULE_MODEL} params={value} />
          </>
        ) : (
          !answer.isError && <Loading minHeight={480} lines={8} />
        )}
      </Beside>
    </>
  );
}
