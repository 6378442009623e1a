import { Link } from '@tanstack/react-router';
import { lazy, Suspense, type ComponentType } from 'react';
import { Loading } from '../../components/query-state';
import { StudyChoice } from './frame/study-choice';
import type { ToolProps } from './frame/use-tool-state';
import { TOOLS, type Tool } from './search';
import styles from './tools-page.module.css';

const SHOWN: Record<Tool, ComponentType<ToolProps>> = {
  nodes: lazy(async () => ({ default: (await import('./nodes/nodes-tool')).NodesTool })),
  scaling: lazy(async () => ({ default: (await import('./scaling/scaling-tool')).ScalingTool })),
  consolidation: lazy(async () => ({
    default: (await import('./consolidation/consolidation-tool')).ConsolidationTool,
  })),
  replay: lazy(async () => ({ default: (await import('./replay/replay-tool')).ReplayTool })),
  memory: lazy(async () => ({ default: (await import('./memory/memory-tool')).MemoryTool })),
  codes: lazy(async () => ({ default: (await import('./clusters/clusters-tool')).CodesTool })),
  rebuilds: lazy(async () => ({
    default: (await import('./clusters/clusters-tool')).ClustersTool,
  })),
  advice: lazy(async () => ({ default: (await import('./advice/advice-tool')).AdviceTool })),
  forecast: lazy(async () => ({
    default: (await import('./forecast/forecast-tool')).ForecastTool,
  })),
  purchases: lazy(async () => ({
    default: (await import('./purchases/purchases-tool')).PurchasesTool,
  })),
  sweep: lazy(async () => ({ default: (await import('./sweep/sweep-tool')).SweepTool })),
  serving: lazy(async () => ({ default: (await import('./serving/serving-tool')).ServingTool })),
  'serving-day': lazy(async () => ({
    default: (await import('./serving/serving-tool')).ServingDayTool,
  })),
};

/** The tools, each with the question that it answers. */
export function ToolsPage() {
  return (
    <main className="page">
      <h1>Tools</h1>
      <p className="muted">
        Each answers one question by itself. Its result can be put into a study, which then says
        when it is out of date.
      </p>
      <ul className={styles.cards}>
        {TOOLS.map(({ slug, title, question }) => (
          <li key={slug}>
            <Link {...toTool(slug)} className={styles.card}>
              <strong>{title}</strong>
              <span className="muted">{question}</span>
            </Link>
          </li>
        ))}
      </ul>
    </main>
  );
}

const toTool = (slug: Tool | 'arrays') =>
  slug === 'arrays'
    ? ({ to: '/tools/arrays' } as const)
    : ({ to: '/tools/$tool', params: { tool: slug } } as const);

/** One tool, with the others in reach. */
export function ToolPage(props: ToolProps) {
  const { tool, search, onSearch } = props;
  const Shown = SHOWN[tool];
  const about = TOOLS.find(({ slug }) => slug === tool);
  return (
    <main className="page">
      <nav className={styles.tabs} aria-label="Tools">
        {TOOLS.map(({ slug, title }) => (
          <Link
            key={slug}
            {...toTool(slug)}
            search={search.study ? { study: search.study } : {}}
            activeOptions={{ includeSearch: false }}
          >
            {title}
          </Link>
        ))}
      </nav>
      <header className={styles.head}>
        <div>
          <h1>{about?.title}</h1>
          <p className="muted">{about?.question}</p>
        </div>
        <StudyChoice studyId={search.study} onChange={(study) => onSearch({ study })} />
      </header>
      <div className="stack gap-20 shrink" key={`${tool} ${search.study ?? ''}`}>
        <Suspense fallback={<Loading minHeight={560} lines={10} />}>
          <Shown {...props} />
        </Suspense>
      </div>
    </main>
  );
}
