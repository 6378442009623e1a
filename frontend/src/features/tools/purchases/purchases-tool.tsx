import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { buttonClass } from '../../../components/button';
import { Icon } from '../../../components/icon';
import { QueryState } from '../../../components/query-state';
import { api, body } from '../../../lib/api';
import type { JsonObject } from '../../../lib/pointer';
import { studyKey } from '../../../lib/studies';
import { toolRunsQueryOptions } from '../../../lib/tool-runs';
import { Again, type StudyPurchase } from './again';
import { AsDesign } from './as-design';
import { Moves, type Moving } from './moves';
import { ModelTool } from '../frame/model-tool';
import { useStudy } from '../frame/use-study';
import type { ToolProps } from '../frame/use-tool-state';

const MODEL = 'plans.purchase_plan';

const askedQueryOptions = (studyId: string, etag: unknown) =>
  queryOptions({
    queryKey: [...studyKey(studyId), 'purchase plan', etag],
    queryFn: () =>
      body<StudyPurchase>(
        api.GET('/api/v1/studies/{study_id}/purchase-plan', {
          params: { path: { study_id: studyId } },
        }),
      ),
    retry: false,
    // A design that was added changes the study: what was said of it stays while this is asked anew.
    placeholderData: keepPreviousData,
  });

/** The order list as procurement takes it. */
const orderList = (run: string) => (
  <>
    {(['xlsx', 'csv'] as const).map((kind) => (
      <a
        key={kind}
        className={buttonClass({ small: true })}
        href={`/api/v1/runs/${run}/orders.${kind}`}
        download
      >
        <Icon name="download" size={14} /> Order list, {kind.toUpperCase()}
      </a>
    ))}
  </>
);

function OfStudy({ studyId, ...of }: ToolProps & { studyId: string }) {
  const study = useStudy(studyId);
  const referred = useQuery(toolRunsQueryOptions(studyId));
  const last = referred.data?.findLast(({ model, tool }) => model === MODEL && tool === of.tool);
  const stored = last && { ...last, params: last.params as JsonObject };
  const query = useQuery({
    ...askedQueryOptions(studyId, study?.updated_at),
    enabled: study !== undefined && !referred.isPending,
  });
  return (
    <QueryState query={query} minHeight={560}>
      {(asked) => (
        <>
          {stored && stored.stale.length > 0 && (
            <p className="small">Out of date: {stored.stale.join(' ')}</p>
          )}
          <ModelTool<Moving>
            of={of}
            model={MODEL}
            action="Plan"
            evidence={Moves}
            start={stored?.stale.length === 0 ? stored.params : (asked.params as JsonObject)}
            stored={stored}
            pointers={asked.pointers}
            withRun={(run, onParams) => (
              <>
                {orderList(run)}
                <Again key={`${run} again`} studyId={studyId} run={run} onParams={onParams} />
                <AsDesign key={run} studyId={studyId} run={run} />
              </>
            )}
          />
          <details className="small">
            <summary>What this plan counts, and what it does not</summary>
            <ul className="stack gap-6 muted">
              {asked.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          </details>
        </>
      )}
    </QueryState>
  );
}

/** What to order, commit to and rent, and when: of a study, or of inputs of one's own. */
export function PurchasesTool(props: ToolProps) {
  const { study } = props.search;
  if (study === undefined) {
    return (
      <ModelTool<Moving>
        of={props}
        model={MODEL}
        action="Plan"
        evidence={Moves}
        withRun={orderList}
      />
    );
  }
  return <OfStudy key={study} studyId={study} {...props} />;
}
