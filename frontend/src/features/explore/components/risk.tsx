import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ChartPanel } from '../../../components/chart-panel';
import { Segments } from '../../../components/control';
import { Empty, Failed, Loading } from '../../../components/query-state';
import type { Comparison } from '../../../lib/comparison';
import { useMedia } from '../../../lib/media';
import { PLAN } from '../../../lib/models';
import { documentQueryOptions } from '../../../lib/studies';
import { useTheme } from '../../../lib/theme';
import { answerQueryOptions } from '../../../lib/answers';
import { AGAINST, pareto, paretoPoints, spreadOfCost, type Against } from '../figures/risk';
import { useViewState, type ViewProps } from '../use-view-state';
import { Answer } from './view-frame';
import styles from './explore.module.css';

interface RiskState {
  against: Against;
}

const START: RiskState = { against: 'energy' };

interface LoadedProps {
  comparison: Comparison;
  studyId: string;
  state: RiskState;
  set: (change: Partial<RiskState>) => void;
}

function Loaded({ comparison, studyId, state, set }: LoadedProps) {
  const theme = useTheme();
  const narrow = useMedia('(width <= 640px)');
  const { currency } = comparison;
  const { against } = state;
  const builds = useMemo(() => {
    const options = { theme, currency, narrow };
    return {
      pareto: () => pareto(comparison, against, options),
      spread: () => spreadOfCost(comparison, options),
    };
  }, [comparison, theme, currency, narrow, against]);
  const { unknown } = paretoPoints(comparison, against);
  const { headline } = comparison.verdict;
  return (
    <>
      <Answer
        text={headline}
        more={
          <>
            What moves the answer, and the odds of each design, are on{' '}
            <Link to="/studies/$studyId/compare" params={{ studyId }}>
              Compare
            </Link>
            .
          </>
        }
      />
      <ChartPanel
        name="Cost against the rest"
        build={builds.pareto}
        height={400}
        currency={currency}
        empty="No design has this figure."
        controls={
          <>
            <Segments
              label="Against"
              value={against}
              choices={AGAINST}
              onChange={(value) => set({ against: value as Against })}
            />
            {unknown.map(({ design, reason }) => (
              <p key={design.letter} className="muted small">
                {design.letter} — {reason || 'not known'}
              </p>
            ))}
          </>
        }
      />
      <ChartPanel
        name="How sure each cost is"
        build={builds.spread}
        height={Math.max(220, comparison.designs.length * 56 + 72)}
        currency={currency}
        empty="No input has a range, so nothing was drawn."
      />
    </>
  );
}

/** Cost against energy, carbon and response time, and how far each cost may be off. */
export function Risk(props: ViewProps) {
  const { studyId } = props;
  const [state, set] = useViewState('risk', START, props);
  const document = useQuery(documentQueryOptions(studyId));
  const designs = document.data?.designs.length ?? 0;
  const answer = useQuery(
    answerQueryOptions<Comparison>(PLAN, designs > 0 ? (document.data ?? null) : null),
  );
  if (document.data && designs === 0) {
    return (
      <Empty minHeight={280}>
        <p>This study has no designs to compare.</p>
        <Link to="/studies/$studyId/designs" params={{ studyId }}>
          Add the first design
        </Link>
      </Empty>
    );
  }
  const error = document.error ?? answer.error;
  if (answer.data) {
    return (
      <div className={styles.stack}>
        <Loaded comparison={answer.data.result} studyId={studyId} state={state} set={set} />
      </div>
    );
  }
  if (error) return <Failed error={error} onRetry={() => void answer.refetch()} minHeight={280} />;
  return <Loading minHeight={640} lines={10} />;
}
