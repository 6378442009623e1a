import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { page } from '../../tests/data';
import { at, server } from '../../tests/server';
import { makeClient } from '../lib/query-client';
import type { CatalogueEntry } from '../lib/types';
import { DrivePicker, solidState } from './drive-picker';

function entry(slug: string, values: Record<string, number | string>): CatalogueEntry {
  const held = Object.entries(values).map(([field, value]) => [field, { value, unit: '' }]);
  return { slug, kind: 'drive', title: slug, values: Object.fromEntries(held) } as CatalogueEntry;
}

const FLASH = {
  technology: 'NVMe SSD',
  capacity_gb: 960,
  read_latency_us: 80,
  write_latency_us: 20,
  read_mb_per_s: 3000,
  write_mb_per_s: 1500,
  channels_count: 10,
  active_w: 9,
  idle_w: 3,
  price_usd: 250,
  endurance_tb: 1700,
};

describe('the choice of a drive', () => {
  it('offers solid-state drives alone where only they fit, from whatever page they are on', async () => {
    server.use(
      http.get(at('/catalogue/entries'), ({ request }) =>
        new URL(request.url).searchParams.has('cursor')
          ? HttpResponse.json(
              page([entry('flash', FLASH), entry('unknown flash', { technology: 'SATA SSD' })]),
            )
          : HttpResponse.json({
              ...page([entry('a disk', { technology: 'HDD', capacity_gb: 4000 })]),
              next_cursor: 'more',
            }),
      ),
    );
    const taken = vi.fn();
    const screen = render(
      <QueryClientProvider client={makeClient()}>
        <DrivePicker only={solidState} onTake={taken} onClose={() => undefined} />
      </QueryClientProvider>,
    );
    const line = await screen.findByRole('button', { name: /^flash/, hidden: true });
    expect(screen.queryByText('a disk')).toBeNull();
    expect(screen.getByText('unknown flash').closest('button')).toBeDisabled();
    await userEvent.click(line);
    expect(taken.mock.calls[0]?.[0]).toMatchObject({
      kind: 'ssd',
      price_usd: 250,
      endurance_tb: 1700,
      active_w: 9,
      read_mb_per_s: 300,
    });
  });
});
