import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QueryState } from '../../../components/query-state';
import { modelQueryOptions } from '../../../lib/models';
import type { JsonSchema } from '../../../lib/schema';
import { SIMULATOR } from '../api/run-array';

/** What the simulator says of its input, for the forms on this page. */
export function SimulatorSchema({ children }: { children: (root: JsonSchema) => ReactNode }) {
  const query = useQuery(modelQueryOptions(SIMULATOR));
  return (
    <QueryState query={query} minHeight={150}>
      {({ params_schema: root }) => children(root)}
    </QueryState>
  );
}
