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
  const origins = {
    '/price_usd': { field: 'unit_price_usd', how: null },
    '/capacity_gb': { field: 'capacity_tb', how: null },
    '/read_latency_ms': { field: 'read_latency_ms', how: 'less the time to pass 4 KiB' },
  };
  const value = (of: number) => ({
    value: of,
    unit: null,
    quality: 'published',
    source: 'Data sheet',
    url: null,
    as_of: '2026-09-01',
    low: null,
    high: null,
    note: 'told',
  });
  const values = {
    unit_price_usd: value(7000),
    capacity_tb: value(61.44),
    read_latency_ms: value(0.2),
  };
  const made = { kind: 'ssd', drive: DRIVE, missing: [], origins };
  const entry = { slug: 'qlc', kind: 'drive', title: 'QLC', values, drive: made };
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
  const told = changed.mock.calls[0]?.[1] as Record<string, object>;
  const price = {
    source: 'Data sheet',
    as_of: '2026-09-01',
    entry: 'qlc',
    field: 'unit_price_usd',
  };
  expect(told['/array/drive_price_usd']).toMatchObject(price);
  expect(told['/array/drive/price_usd']).toMatchObject(price);
  // Worked out of the entry's: it says how, and stays when the entry changes.
  expect(told['/array/drive/capacity_gb']).toMatchObject({ source: 'Data sheet', entry: null });
  expect(told['/array/drive/read_latency_ms']).toMatchObject({
    note: 'less the time to pass 4 KiB',
    entry: null,
  });
});
