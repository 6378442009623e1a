import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { makeRouter } from '../src/app/router';
import { makeClient } from '../src/lib/query-client';

/** The whole application at an address, as the browser would show it. */
export function open(address: string) {
  const client = makeClient();
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } });
  const router = makeRouter(client, createMemoryHistory({ initialEntries: [address] }));
  const user = userEvent.setup();
  const screen = render(
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { ...screen, user, router };
}
