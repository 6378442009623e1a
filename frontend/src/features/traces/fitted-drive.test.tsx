import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { fireEvent, render, screen } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { at, server } from '../../../tests/server';
import { makeClient } from '../../lib/query-client';
import type { Drive } from '../../lib/drives';
import { askedBy, type CalibrationAnswer } from './calibration';
import { FittedDrive } from './components/fitted-drive';

const loop = (users_count: number, wake_ms: number) => ({
  kind: 'closed' as const,
  users_count,
  think_ms: 0.017,
  think_times_vary: false,
  wake_ms,
});
const answer = {
  headline: 'Told.',
  drive: { name: 'S', kind: 'ssd' },
  depths: [
    { way: 'read', depth_count: 1, arrivals: loop(1, 0.009) },
    { way: 'read', depth_count: 4, arrivals: null },
    { way: 'write', depth_count: 64, arrivals: loop(64, 0) },
  ],
} as unknown as CalibrationAnswer;
const sheet = { name: 'S' } as Drive;

async function shown(asked?: ReturnType<typeof askedBy>) {
  const onUse = vi.fn();
  const routeTree = createRootRoute({
    component: () => (
      <FittedDrive id="a" answer={answer} sheet={sheet} trace="bay 7" asked={asked} onUse={onUse} />
    ),
  });
  const router = createRouter({ routeTree, history: createMemoryHistory() });
  render(
    <QueryClientProvider client={makeClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  await screen.findByRole('button', { name: 'Use in an array' });
  return onUse;
}
const keep = async () =>
  fireEvent.click(await screen.findByRole('button', { name: 'Keep in the catalogue' }));
const use = () => fireEvent.click(screen.getByRole('button', { name: 'Use in an array' }));

describe('a fitted drive', () => {
  it('is taken to an array with the host at the depth that is chosen', async () => {
    const onUse = await shown(askedBy(answer, { size_bytes: 4096 }));
    const field = screen.getByLabelText('Requests');
    expect([...field.querySelectorAll('option')].map((one) => one.textContent)).toEqual([
      'The page’s own',
      'Reads at depth 1, as measured',
      'Writes at depth 64, as measured',
    ]);
    use();
    expect(onUse.mock.calls[0]?.[1]).toBeUndefined();
    fireEvent.change(field, { target: { value: 'Reads at depth 1' } });
    use();
    expect(onUse).toHaveBeenLastCalledWith(
      { kind: 'ssd', name: 'S, calibrated' },
      { arrivals: loop(1, 0.009), size_bytes: 4096, read_fraction: 1 },
    );
  });

  it('knows no requests without their size', () => {
    expect(askedBy(answer, undefined)).toEqual([]);
  });

  it('asks for no requests where none are known', async () => {
    const onUse = await shown();
    expect(screen.queryByLabelText('Requests')).toBeNull();
    use();
    expect(onUse).toHaveBeenCalledTimes(1);
  });

  it('is kept in the catalogue with what it was before, and with its trace', async () => {
    const sent = vi.fn();
    server.use(
      http.post(at('/catalogue/drives'), async ({ request }) => {
        sent(await request.json());
        return HttpResponse.json({ slug: 's-calibrated', title: 'S, calibrated' }, { status: 201 });
      }),
    );
    await shown();
    await keep();
    const link = await screen.findByRole('link', { name: 'S, calibrated' });
    expect(link.getAttribute('href')).toBe('/catalogue?kind=drive&entry=s-calibrated');
    expect(sent).toHaveBeenCalledWith({
      title: 'S, calibrated',
      drive: { kind: 'ssd', name: 'S, calibrated' },
      sheet,
      trace: 'bay 7',
      told: 'Told.',
    });
    expect(screen.queryByRole('button', { name: 'Keep in the catalogue' })).toBeNull();
  });

  it('says why it cannot be kept', async () => {
    const detail = 'An entry of the catalogue has no fields for this drive’s geometry.';
    server.use(
      http.post(at('/catalogue/drives'), () =>
        HttpResponse.json(
          {
            title: 'Some values cannot be',
            status: 422,
            errors: [{ pointer: '/drive', code: 'not_kept', message: detail }],
          },
          { status: 422, headers: { 'content-type': 'application/problem+json' } },
        ),
      ),
    );
    await shown();
    await keep();
    expect(await screen.findByText(detail, { exact: false })).toBeInTheDocument();
  });
});
