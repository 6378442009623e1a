import { http, HttpResponse } from 'msw';
import { nodesOf, NOTHING_ASSUMED } from '../src/features/tools/nodes/server-nodes';
import type { CatalogueEntry } from '../src/lib/types';
import { at, server } from './server';

const ENTRY = {
  title: 'A server',
  values: { ram_gib: { value: 512 }, maker: { value: 'x' }, peak_w: { value: 700 } },
} as unknown as CatalogueEntry;

test('servers go to the model with their numbers and come back as node types', async () => {
  const sent: unknown[] = [];
  const node = { name: 'A server', store: 'ssd', price_usd: null };
  server.use(
    http.post(at('/evaluate'), async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ result: { nodes: [node] } });
    }),
  );
  expect(await nodesOf([], 'ssd', NOTHING_ASSUMED)).toEqual([]);
  expect(await nodesOf([ENTRY], 'ssd', { ...NOTHING_ASSUMED, store_tb: 8 })).toEqual([node]);
  const servers = [{ name: 'A server', ram_gib: 512, peak_w: 700, ssd_tb: null }];
  expect(sent).toMatchObject([
    {
      model: 'performance.server_nodes',
      params: { servers, store: 'ssd', core_rate_per_s: null, core_price_usd: null, store_tb: 8 },
    },
  ]);
});
