import { useMemo, useState } from 'react';
import { sampled } from '../../../lib/plotting';
import type { Science } from '../../../lib/science';
import { useTheme } from '../../../lib/theme';
import { plannedDesigns } from '../frame/fleet';
import { ModelTool, type Answered } from '../frame/model-tool';
import { PutInStudy } from '../frame/put-in-study';
import type { ToolProps } from '../frame/use-tool-state';
import { Stacks } from './board-stacks';
import told from '../../../components/told/told.module.css';

type Planned = Science['consolidation.servers.Result'];

/** Every server with what runs on it, before and after; put into the study as designs. */
function Board({ result, of }: Answered<Planned>) {
  const theme = useTheme();
  const [lit, setLit] = useState<string | null>(null);
  const { before, after, resources, limit_fraction: limits } = result;
  const colors = useMemo(() => {
    const names = after.flatMap(({ blocks }) => blocks.map(({ id }) => id));
    const all = sampled(names.length, theme);
    return new Map(names.map((name, at) => [name, all[at] ?? '#888888']));
  }, [after, theme]);
  if (after.length === 0) return null;
  const shared = { colors, resources, limits, lit, onLit: setLit };
  return (
    <>
      <div className={`${told.panel} stack gap-20`}>
        <p className="muted small">
          A bar for each resource, named by its first letter. The dashed line is how full it may be.
        </p>
        {before.length > 0 && <Stacks title="Before" stacks={before} {...shared} />}
        <Stacks title="After" stacks={after} {...shared} />
      </div>
      <PutInStudy
        studyId={of.search.study}
        label={
          before.length > 0
            ? 'Put before and after into the study'
            : 'Put the servers into the study'
        }
        found={plannedDesigns(result)}
      />
    </>
  );
}

/** Which applications share which servers: before and after, and the moves between. */
export function ConsolidationTool(props: ToolProps) {
  return (
    <ModelTool<Planned> of={props} model="consolidation.servers" action="Plan" evidence={Board} />
  );
}
