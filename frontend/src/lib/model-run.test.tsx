import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import type { ReactNode } from 'react';
import { run as settled } from '../../tests/data';
import { at, server } from '../../tests/server';
import { useModelRun } from './model-run';
import { makeClient } from './query-client';

const KEY = 'ampacity.test.run';

/** A server whose runs go on until they are let end; each answers with its own number. */
function serve() {
  const states = new Map<string, string>();
  const shape = (id: string) => ({ ...settled, id, state: states.get(id) });
  server.use(
    http.post(at('/runs'), () => {
      const id = `run-${states.size + 1}`;
      states.set(id, 'running');
      return HttpResponse.json(shape(id), { status: 202 });
    }),
    http.get(at('/runs/:id'), ({ params }) => HttpResponse.json(shape(String(params.id)))),
    http.get(at('/runs/:id/result'), ({ params }) =>
      HttpResponse.json({ result: { of: params.id } }),
    ),
  );
  return { end: (id: string) => states.set(id, 'succeeded') };
}

function mount(first?: { params: object; context: string }) {
  const client = makeClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  return renderHook(() => useModelRun<{ of: string }, string>('a.model', KEY, first), { wrapper });
}

describe('a run of a model', () => {
  afterEach(() => sessionStorage.clear());

  it('shows the last result while the next is computed, and says which is which', async () => {
    const runs = serve();
    const { result } = mount();
    expect(result.current).toMatchObject({ result: null, current: null, working: false });
    result.current.start({ params: {}, context: 'first' });
    await waitFor(() => expect(result.current.working).toBe(true));
    runs.end('run-1');
    await waitFor(() => expect(result.current.current).toEqual({ of: 'run-1' }));
    result.current.start({ params: {}, context: 'second' });
    await waitFor(() => expect(result.current.run?.id).toBe('run-2'));
    expect(result.current).toMatchObject({
      result: { of: 'run-1' },
      current: null,
      working: true,
      asked: 'second',
    });
  });

  it('is found again where it was left', async () => {
    const runs = serve();
    const first = mount();
    first.result.current.start({ params: {}, context: 'kept' });
    await waitFor(() => expect(first.result.current.run?.id).toBe('run-1'));
    runs.end('run-1');
    first.unmount();
    const { result } = mount();
    await waitFor(() => expect(result.current.current).toEqual({ of: 'run-1' }));
    expect(result.current.asked).toBe('kept');
  });

  it('asks once by itself where there is a first question and nothing was kept', async () => {
    const runs = serve();
    const first = mount({ params: {}, context: 'of the study' });
    await waitFor(() => expect(first.result.current.run?.id).toBe('run-1'));
    runs.end('run-1');
    await waitFor(() => expect(first.result.current.current).toEqual({ of: 'run-1' }));
    first.rerender();
    first.unmount();
    const { result } = mount({ params: {}, context: 'of the study, changed' });
    await waitFor(() => expect(result.current.current).toEqual({ of: 'run-1' }));
    expect(result.current.asked).toBe('of the study');
  });
});
