import { http, HttpResponse } from 'msw';
import { page, run, study } from './data';
import { open } from './render';
import { at, server } from './server';

it('draws the newest rows of a long history, and more when asked', async () => {
  const runs = Array.from({ length: 60 }, (_, number) => ({
    ...run,
    id: `run-${number}`,
    inputs_hash: `${number}`,
  }));
  server.use(http.get(at('/runs'), () => HttpResponse.json({ ...page(runs), figures: [] })));
  const { findByRole, user } = open(`/studies/${study.id}/history`);
  const table = await findByRole('region', { name: 'Runs of this study' });
  const rows = () => table.querySelectorAll('tbody tr').length;
  expect(rows()).toBe(25);
  await user.click(await findByRole('button', { name: 'Show more' }));
  expect(rows()).toBe(50);
});
