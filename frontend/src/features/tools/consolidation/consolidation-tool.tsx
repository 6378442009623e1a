import { useMemo, useState } from 'react';
import { Button, IconButton } from '../../../components/button';
import { Segments } from '../../../components/control';
import { JobRow } from '../../../components/job-row';
import { Empty } from '../../../components/query-state';
import { fileName, saveText, toCsv } from '../../../lib/csv';
import type { TableTwin } from '../../../lib/figure';
import { percent, quantity, significant } from '../../../lib/format';
import { isEnded } from '../../../lib/job-events';
import { useModelRun } from '../../../lib/model-run';
import { useStudy } from '../frame/use-study';
import { useTheme } from '../../../lib/theme';
import {
  APP_COLUMNS,
  BOARD_START,
  boardFaults,
  boardMore,
  boardSentence,
  PLAN_MODEL,
  placesOf,
  planParams,
  RESOURCES,
  SERVER_COLUMNS,
  stacks,
  today,
  type BoardState,
  type Move,
  type PlanAnswer,
  type Policy,
} from './board';
import { atLoad } from './board-more';
import { sampled } from '../../../lib/plotting';
import { boardDesigns } from '../frame/fleet';
import { PRICED, priceOf } from '../frame/price';
import { text } from '../frame/table';
import { Refer } from '../frame/refer';
import { useToolState, type ToolProps } from '../frame/use-tool-state';
import { Apart } from './board-apart';
import { More } from './more';
import { Stacks } from './board-stacks';
import { EditTable } from '../frame/edit-table';
import { NumberField } from '../frame/number-field';
import { PutInStudy } from '../frame/put-in-study';
import { Answer, Group, Panel, Wrong } from '../frame/view-frame';
import boardStyles from './board.module.css';
import told from '../../../components/told/told.module.css';
import styles from '../frame/tools.module.css';

const POLICIES = [
  { value: 'search', label: 'Planner' },
  { value: 'exact', label: 'Exact' },
  { value: 'greedy2008', label: 'Greedy, as published' },
];

const APP_EXAMPLE = `application,cpu,disk,memory,network,to copy,server today,together with,apart from
web 1,22,4,14,18,8,1,,web 2
web 2,22,4,14,18,8,2,,web 1`;
const SERVER_EXAMPLE = `kind,servers,size,idle,full load
server,8,1,150,280`;

function movesTable(moves: readonly Move[]): TableTwin {
  return {
    columns: [
      { label: 'Application', unit: '' },
      { label: 'From server', unit: '' },
      { label: 'To server', unit: '' },
      { label: 'Takes', unit: 's' },
      { label: 'Energy', unit: 'J' },
    ],
    rows: moves.map((move) => [
      move.id,
      move.source_count + 1,
      move.target_count + 1,
      move.duration_s,
      move.energy_j,
    ]),
  };
}

function Moves({ moves }: { moves: readonly Move[] }) {
  if (moves.length === 0) return null;
  const save = () => saveText(`${fileName('moves')}.csv`, toCsv(movesTable(moves)), 'text/csv');
  return (
    <Panel
      title={`${moves.length} moves`}
      actions={<IconButton small icon="download" label="Moves: values as CSV" onClick={save} />}
    >
      <div className={styles.tallScroll} tabIndex={0} role="region" aria-label="Moves">
        <table className={told.ranking}>
          <thead>
            <tr>
              <th scope="col">Application</th>
              <th scope="col">From</th>
              <th scope="col">To</th>
              <th scope="col">Takes</th>
              <th scope="col">Energy</th>
            </tr>
          </thead>
          <tbody>
            {moves.map((move) => (
              <tr key={move.id}>
                <th scope="row">{move.id}</th>
                <td>server {move.source_count + 1}</td>
                <td>server {move.target_count + 1}</td>
                <td>{significant(move.duration_s)} s</td>
                <td>{quantity(move.energy_j, 'J')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

interface TablesProps {
  state: BoardState;
  set: (change: Partial<BoardState>) => void;
}

function Tables({ state, set, error }: TablesProps & { error: unknown }) {
  return (
    <>
      <Panel title="Applications, in percent of a reference server">
        <EditTable
          label="Applications"
          columns={APP_COLUMNS}
          rows={state.applications}
          onRows={(applications) => set({ applications })}
          example={APP_EXAMPLE}
        />
        <p className="muted small">
          Several names under together, apart or may run on are parted by a semicolon; empty: all
          kinds. Without the server of today there is no before, and no moves.
        </p>
      </Panel>
      <Panel title="Servers">
        <EditTable
          label="Servers"
          columns={SERVER_COLUMNS}
          rows={state.servers}
          onRows={(servers) => set({ servers })}
          example={SERVER_EXAMPLE}
        />
      </Panel>
      <Apart state={state} set={set} />
      <More state={state} error={error} set={set} />
    </>
  );
}

interface PlanInputsProps extends TablesProps {
  working: boolean;
  ready: boolean;
  onPlan: () => void;
  onReset: () => void;
}

function PlanInputs({ state, set, working, ready, onPlan, onReset }: PlanInputsProps) {
  return (
    <div className={styles.bar}>
      <Segments
        label="Policy"
        value={state.policy}
        choices={POLICIES}
        onChange={(policy) => set({ policy: policy as Policy })}
      />
      <NumberField
        label="Fill to"
        unit="fraction"
        low={0.05}
        high={1}
        value={state.limit_fraction}
        onChange={(limit_fraction) => set({ limit_fraction })}
      />
      <NumberField
        label="Kept for"
        unit="h"
        low={0.01}
        value={state.hold_h}
        onChange={(hold_h) => set({ hold_h })}
      />
      <Button look="primary" disabled={working || !ready} onClick={onPlan}>
        {working ? 'Planning …' : 'Plan'}
      </Button>
      <Button icon="reset" onClick={onReset}>
        Back to the example
      </Button>
    </div>
  );
}

interface Planned {
  answer: PlanAnswer;
  /** The tables as they were when it was planned. */
  state: BoardState;
}

function Drawn({ answer, state }: Planned) {
  const theme = useTheme();
  const [lit, setLit] = useState<string | null>(null);
  const { servers, limit_fraction: limit } = state;
  const applications = useMemo(
    () => atLoad(state.applications, RESOURCES, state.more),
    [state.applications, state.more],
  );
  const slowest = Math.max(0, ...answer.servers.map((server) => server.degradation_ratio));
  const colors = useMemo(() => {
    const all = sampled(applications.length, theme);
    return new Map(applications.map((row, at) => [text(row, 'id'), all[at] ?? '#888888']));
  }, [applications, theme]);
  const before = today(applications, servers);
  const shared = { colors, limit, lit, onLit: setLit };
  return (
    <div className={`${told.panel} ${boardStyles.board}`}>
      <p className="muted small">
        Bars: C CPU, D disk, M memory, N network. The dashed line is how full a server may be.
      </p>
      {before && (
        <Stacks title="Before" stacks={stacks(applications, servers, before)} {...shared} />
      )}
      <Stacks
        title="After"
        stacks={stacks(applications, servers, placesOf(answer, applications))}
        {...shared}
      />
      <p className="muted small num">
        After: {quantity(answer.power_w, 'W')}
        {answer.saving_w !== null && `; saved: ${quantity(answer.saving_w, 'W')}`}
        {slowest > 0 && `; work takes at most ${percent(slowest)} longer`}
      </p>
    </div>
  );
}

/** Which applications share which servers: before and after, and the moves between. */
export function ConsolidationTool(props: ToolProps) {
  const { study: studyId } = props.search;
  const [state, set, reset] = useToolState(BOARD_START, props);
  const study = useStudy(studyId);
  const price = priceOf(study);
  const faults = boardFaults(state);
  const run = useModelRun<PlanAnswer, BoardState>(PLAN_MODEL, 'ampacity.tools.run.board');
  const params = planParams(state);
  const plan = () => {
    if (params) run.start({ params, context: state });
  };
  const planned = run.result
    ? { answer: run.result, state: { ...BOARD_START, ...(run.asked ?? state) } }
    : null;
  const places = planned && today(planned.state.applications, planned.state.servers);
  const before = places ? new Set(places).size : null;
  const known = planned && planned.answer.status === 'ok';
  return (
    <>
      <Answer
        text={planned ? boardSentence(planned.answer, before, price) : null}
        more={planned ? boardMore(planned.answer, price) : undefined}
        waiting="Plan the applications below, or paste your own."
      />
      <PlanInputs
        state={state}
        set={set}
        working={run.working}
        ready={params !== null}
        onPlan={plan}
        onReset={reset}
      />
      <Wrong error={run.error} />
      {run.run && (!isEnded(run.run.state) || run.run.state === 'failed') && (
        <JobRow title="Plan" job={run.run} cancelling={run.cancelling} onCancel={run.cancel} />
      )}
      {faults.length > 0 && (
        <ul className={styles.faults} role="alert">
          {faults.slice(0, 5).map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {known ? (
        <>
          <Drawn {...planned} />
          <Refer
            of={props}
            model={PLAN_MODEL}
            params={planParams(planned.state)}
            pointers={PRICED}
          />
          <PutInStudy
            studyId={studyId}
            label={
              before ? 'Put before and after into the study' : 'Put the servers into the study'
            }
            found={boardDesigns(planned.answer, planned.state, before)}
          />
          <Moves moves={planned.answer.moves} />
        </>
      ) : (
        !run.working && <Empty minHeight={160}>Nothing is planned yet.</Empty>
      )}
      <div className={styles.stack}>
        <Group title="What is planned">
          <Tables state={state} set={set} error={run.error} />
        </Group>
      </div>
    </>
  );
}
