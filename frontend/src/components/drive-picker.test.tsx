import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { page } from '../../tests/data';
import { at, server } from '../../tests/server';
import { makeClient } from '../lib/query-client';
import type { CatalogueEntry } from '../lib/types';
import { DrivePicker, solidState } from './drive-picker';

function entry(slug: string, kind: string, drive: object | null): CatalogueEntry {
  const made = { kind, drive, missing: drive ? [] : ['speed'], origins: {} };
  return { slug, kind: 'drive', title: slug, values: {}, drive: made } as unknown as CatalogueEntry;
}

const FLASH = {
  kind: 'ssd',
  name: 'flash',
  capacity_gb: 960,
  read_latency_ms: 0.08,
  read_mb_per_s: 300,
  channels_count: 10,
  idle_w: 3,
  price_usd: 250,
};

describe('the choice of a drive', () => {
  it('offers solid-state drives alone where only they fit, from whatever page they are on', async () => {
    server.use(
      http.get(at('/catalogue/entries'), ({ request }) =>
        new URL(request.url).searchParams.has('cursor')
          ? HttpResponse.json(
              page([entry('flash', 'ssd', FLASH), entry('unknown flash', 'ssd', null)]),
            )
          : HttpResponse.json({
              ...page([entry('a disk', 'hdd', null)]),
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
    expect(taken.mock.calls[0]?.[0]).toEqual(FLASH);
  });
});
