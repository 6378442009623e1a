import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Button } from '../../../components/button';
import { ChartPanel } from '../../../components/chart-panel';
import { Failed, Loading } from '../../../components/query-state';
import { answerQueryOptions } from '../../../lib/answers';
import { useMedia } from '../../../lib/media';
import { modelQueryOptions } from '../../../lib/models';
import { isObject } from '../../../lib/pointer';
import { useTheme } from '../../../lib/theme';
import { cacheFlip, diskTrend, processorTrend } from './trends-figure';
import type { Row } from '../frame/table';
import {
  DISK_COLUMNS,
  PROCESSOR_COLUMNS,
  slopesSentence,
  TRENDS_MODEL,
  TRENDS_START,
  trendsParams,
  trendsSentence,
  type Trends as Found,
  type TrendsState,
} from './trends';
import { Refer } from '../frame/refer';
import { useToolState, type ToolProps } from '../frame/use-tool-state';
import { EditTable } from '../frame/edit-table';
import { Answer, Panel, Wrong } from '../frame/view-frame';
import styles from '../frame/tools.module.css';

/** What the model starts from, as its schema says. */
function useDefaults() {
  const model = useQuery(modelQueryOptions(TRENDS_MODEL));
  const rows = (key: string) => {
    const held = model.data?.params_schema.properties?.[key]?.default;
    return Array.isArray(held) ? (held as Row[]) : [];
  };
  const platforms = rows('platforms').map((one) =>
    isObject(one) && typeof one.name === 'string' ? one.name : '',
  );
  return { model, processors: rows('processors'), disks: rows('disks'), platforms };
}

function Charts({ found, platforms }: { found: Found; platforms: readonly string[] }) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const names = platforms.join('\n');
  const builds = useMemo(() => {
    const options = { theme, narrow };
    return {
      processors: () => processorTrend(found, options),
      disks: () => diskTrend(found, options),
      flip: () => cacheFlip(found, names.split('\n'), options),
    };
  }, [found, names, theme, narrow]);
  return (
    <>
      <div className={styles.two}>
        <ChartPanel name="Disks: work per joule" build={builds.disks} height={360} />
        <ChartPanel name="Processors: work per joule" build={builds.processors} height={360} />
      </div>
      <ChartPanel
        name="Working set and caches"
        build={builds.flip}
        height={320}
        controls={
          <p className="muted small">
            A platform is better while a cache of it still holds the working set. Platforms and
            access times are assumed.
          </p>
        }
      />
    </>
  );
}

interface ListsProps {
  state: TrendsState;
  defaults: { processors: Row[]; disks: Row[] };
  set: (change: Partial<TrendsState>) => void;
  reset: () => void;
}

function Lists({ state, defaults, set, reset }: ListsProps) {
  return (
    <>
      <div className={styles.two}>
        <Panel title="Disks compared">
          <EditTable
            label="Disks"
            columns={DISK_COLUMNS}
            rows={state.disks ?? defaults.disks}
            onRows={(disks) => set({ disks })}
            example={'disk,reads,power,turns,width\nSeagate ST320LT030,100,1.3,5400,2.5 inch'}
          />
        </Panel>
        <Panel title="Processors compared">
          <EditTable
            label="Processors"
            columns={PROCESSOR_COLUMNS}
            rows={state.processors ?? defaults.processors}
            onRows={(processors) => set({ processors })}
            example={'processor,speed,power\nAtom Z500,800,0.65'}
          />
        </Panel>
      </div>
      <p className="muted small">
        Rows whose values are not all known are left out. MIPS counts an instruction in a cycle of
        every core; power is the package’s design power, without memory, network and disks.
      </p>
      <div>
        <Button small icon="reset" onClick={reset}>
          Back to the catalogue
        </Button>
      </div>
    </>
  );
}

/** Work per joule of devices against their speed, and where caches turn the answer. */
export function TrendsTool(props: ToolProps) {
  const [state, set, reset] = useToolState(TRENDS_START, props);
  const { model, platforms, ...defaults } = useDefaults();
  const params = useMemo(() => trendsParams(state), [state]);
  const answer = useQuery(answerQueryOptions<Found>(TRENDS_MODEL, params));
  const found = answer.data?.result;
  if (model.isError) return <Failed error={model.error} onRetry={() => void model.refetch()} />;
  return (
    <>
      <Answer
        text={found ? trendsSentence(found) : null}
        more={found ? slopesSentence(found) : undefined}
        waiting={params ? undefined : 'Enter at least one device whose values are all known.'}
      />
      <Wrong error={answer.error} />
      {found && platforms.length > 0 ? (
        <Charts found={found} platforms={platforms} />
      ) : (
        <Loading minHeight={760} lines={10} />
      )}
      <Refer of={props} model={TRENDS_MODEL} params={params} />
      <Lists state={state} defaults={defaults} set={set} reset={reset} />
    </>
  );
}
