import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { page } from '../../../../tests/data';
import { at, server } from '../../../../tests/server';
import { DocumentForm } from '../../../components/form/document-form';
import { makeClient } from '../../../lib/query-client';
import type { JsonSchema } from '../../../lib/schema';
import { OWN_FIELDS } from './array-drive';

const kind = (tag: string): JsonSchema => ({
  type: 'object',
  properties: { kind: { const: tag, default: tag }, name: { type: 'string' } },
});

const schema: JsonSchema = {
  type: 'object',
  properties: {
    array: {
      type: 'object',
      properties: {
        drive_price_usd: { type: 'number', unit: 'USD' },
        drive: { oneOf: [kind('hdd'), kind('ssd')], discriminator: { propertyName: 'kind' } },
      },
    },
  },
};

const DRIVE = {
  kind: 'ssd',
  name: 'QLC, 61 TB',
  capacity_gb: 61_440,
  read_latency_ms: 0.11,
  read_mb_per_s: 50,
  channels_count: 64,
  idle_w: 5,
  price_usd: 7000,
};

it('a drive of the catalogue is chosen for the array of a design, with its price', async () => {
  const made = { kind: 'ssd', drive: DRIVE, missing: [], origins: {} };
  const entry = { slug: 'qlc', kind: 'drive', title: 'QLC', values: {}, drive: made };
  server.use(http.get(at('/catalogue/entries'), () => HttpResponse.json(page([entry]))));
  const changed = vi.fn();
  const screen = render(
    <QueryClientProvider client={makeClient()}>
      <DocumentForm
        formId="design-A"
        schema={schema}
        root={schema}
        value={{ array: { drive: { kind: 'hdd', name: 'a disk' } } }}
        provenance={{}}
        faults={[]}
        ranges={[]}
        frame={{ filter: '', isOpen: () => true, setOpen: () => undefined }}
        own={OWN_FIELDS}
        onChange={changed}
      />
    </QueryClientProvider>,
  );
  await userEvent.click(screen.getByRole('button', { name: 'Choose a drive' }));
  await userEvent.click(await screen.findByRole('button', { name: /^QLC/, hidden: true }));
  expect(changed.mock.calls[0]?.[0]).toEqual({ array: { drive: DRIVE, drive_price_usd: 7000 } });
});
