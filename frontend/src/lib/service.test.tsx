import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import type { ReactNode } from 'react';
import { at, server } from '../../tests/server';
import { api, body } from './api';
import { makeClient } from './query-client';
import { useServiceWatch } from './service';

const BROKER = { part: 'broker', message: 'Runs wait.' };

/** A service whose parts go away, and a page that watches it and asks for its studies. */
function mount(first: object[] | null) {
  const state = { away: first };
  server.use(
    http.get(at('/service'), () =>
      state.away ? HttpResponse.json({ away: state.away }) : HttpResponse.error(),
    ),
    http.get(at('/studies'), () =>
      state.away?.length === 0
        ? HttpResponse.json({ results: [], next_cursor: null })
        : HttpResponse.json({}, { status: 503 }),
    ),
  );
  const client = makeClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const page = renderHook(
    () => {
      const away = useServiceWatch();
      const query = useQuery({
        queryKey: ['studies'],
        queryFn: () => body<object>(api.GET('/api/v1/studies', { params: { query: {} } })),
        retry: false,
      });
      return { away, query };
    },
    { wrapper },
  );
  return { state, page };
}

describe('what is away', () => {
  it('is said at once when a request goes unanswered, and asked again when it is back', async () => {
    const { state, page } = mount([BROKER]);
    await waitFor(() => expect(page.result.current.away).toEqual([BROKER]));
    await waitFor(() => expect(page.result.current.query.isError).toBe(true));
    state.away = [];
    await waitFor(() => expect(page.result.current.away).toEqual([]), { timeout: 5000 });
    await waitFor(() => expect(page.result.current.query.isSuccess).toBe(true));
  });

  it('is the server itself when it does not answer', async () => {
    const { page } = mount(null);
    await waitFor(() => expect(page.result.current.away).toHaveLength(1));
    expect(page.result.current.away[0]?.message).toMatch(/^The server does not answer/);
  });
});
