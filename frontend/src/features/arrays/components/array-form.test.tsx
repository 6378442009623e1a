import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { http, HttpResponse } from 'msw';
import { at, server } from '../../../../tests/server';
import { makeClient } from '../../../lib/query-client';
import { presetOf, stateOfDrive } from '../presets';
import type { JsonSchema } from '../../../lib/schema';
import type { Outlook } from '../result';
import type { ArrayDesign, Layout } from '../types';
import { NOTHING_KNOWN, type Known } from '../use-outlooks';
import { ArrayForm } from './array-form';

const layout: Partial<Layout> = { kind: 'raid6', disks_count: 8 };
const raid6 = stateOfDrive(presetOf('laptops').array.drive).entries.map(({ array }) => ({
  ...array,
  layout: { ...array.layout, ...layout },
}))[0] as ArrayDesign;

const count: JsonSchema = { type: 'integer', minimum: 0 };
const onlyOf = (...kinds: string[]) => ({ kind: kinds });
const PARITIES = ['raid5', 'raid6', 'draid2'];

/** The part of the simulator's schema that is typed here. */
const root: JsonSchema = {
  $defs: {
    Layout: {
      properties: {
        kind: { title: 'Layout', enum: ['raid10', ...PARITIES], choices: { draid2: 'Spread' } },
        disks_count: { ...count, title: 'Disks' },
        stripe_disks_count: {
          ...count,
          title: 'Drives of a stripe',
          shown_when: onlyOf('draid2'),
        },
        distributed_spares_count: {
          ...count,
          title: 'Distributed spares',
          shown_when: onlyOf('draid2'),
        },
        locked_updates: {
          type: 'boolean',
          title: 'Small writes hold both disks',
          shown_when: onlyOf(...PARITIES),
        },
        failed_disk_count: { ...count, title: 'Disks lost', default: 0 },
        rebuild_mb_per_s: {
          anyOf: [{ type: 'number' }, { type: 'null' }],
          title: 'Rebuild at most at',
          default: null,
          empty: 'no rebuild',
          shown_when: { failed_disk_count: true },
        },
        spares_sleep: {
          type: 'boolean',
          title: 'Hot spares sleep',
          shown_when: { '../drive/standby': true, kind: ['raid10', 'raid5', 'raid6'] },
        },
      },
    },
    ArrayDesign: { properties: { layout: { title: 'Layout', $ref: '#/$defs/Layout' } } },
    HardDisk: { properties: { standby: {} } },
  },
};

/** What is known of an array that survives two losses. */
const outlook = {
  losses_survived_count: 2,
  tracks: null,
  estimated_tracks: null,
  low_power_idle_s: null,
  standby_s: null,
} as unknown as Outlook;

async function opened(start: ArrayDesign, known: Known = { ...NOTHING_KNOWN, outlook }) {
  server.use(
    http.get(at('/models/:id'), () => HttpResponse.json({ params_schema: root })),
    http.get(at('/catalogue/entries'), () => HttpResponse.json({ results: [], next_cursor: null })),
  );
  let last = start;
  function Form() {
    const [array, setArray] = useState(start);
    last = array;
    return <ArrayForm array={array} known={known} onChange={setArray} />;
  }
  const screen = render(
    <QueryClientProvider client={makeClient()}>
      <Form />
    </QueryClientProvider>,
  );
  await screen.findByLabelText('Disks');
  return { ...screen, user: userEvent.setup(), layout: (): Layout => last.layout };
}

async function typed(screen: Awaited<ReturnType<typeof opened>>, label: string, text: string) {
  const field = screen.getByLabelText(label);
  await screen.user.clear(field);
  await screen.user.type(field, `${text}{Enter}`);
}

describe('the form of an array', () => {
  it('asks how fast a lost disk is rebuilt, and forgets it when none is lost', async () => {
    const screen = await opened(raid6);
    expect(screen.queryByLabelText('Rebuild at most at')).toBeNull();
    await typed(screen, 'Disks lost', '1');
    await typed(screen, 'Rebuild at most at', '50');
    expect(screen.layout()).toMatchObject({ failed_disk_count: 1, rebuild_mb_per_s: 50 });
    await typed(screen, 'Disks lost', '0');
    expect(screen.layout()).toMatchObject({ failed_disk_count: 0, rebuild_mb_per_s: null });
    expect(screen.queryByLabelText('Rebuild at most at')).toBeNull();
  });

  it('makes a shelf of an array that becomes declustered, whose stripes and spares fit', async () => {
    const screen = await opened(raid6);
    expect(screen.queryByLabelText('Distributed spares')).toBeNull();
    await screen.user.selectOptions(screen.getByRole('combobox', { name: 'Layout' }), 'draid2');
    expect(screen.layout()).toMatchObject({ kind: 'draid2', disks_count: 12 });
    await typed(screen, 'Drives of a stripe', '8');
    await typed(screen, 'Distributed spares', '3');
    expect(screen.layout()).toMatchObject({ stripe_disks_count: 8, distributed_spares_count: 3 });
    // Spares of its own that would sleep it has none.
    expect(screen.queryByRole('switch', { name: 'Hot spares sleep' })).toBeNull();
  });

  it('has as many disks as another layout needs', async () => {
    const few = { ...raid6, layout: { ...raid6.layout, kind: 'raid10' as const, disks_count: 2 } };
    const screen = await opened(few);
    await screen.user.selectOptions(screen.getByRole('combobox', { name: 'Layout' }), 'raid6');
    expect(screen.layout()).toMatchObject({ kind: 'raid6', disks_count: 4 });
  });

  it('refuses an emptied number, and keeps the one before until another is typed', async () => {
    const lost = { ...raid6, layout: { ...raid6.layout, failed_disk_count: 2 } };
    const screen = await opened(lost);
    const field = screen.getByLabelText('Disks lost');
    await screen.user.clear(field);
    await screen.user.tab();
    expect(field).toHaveValue('');
    expect(field).toHaveAttribute('aria-invalid', 'true');
    expect(screen.getByText('Enter a value.')).toBeVisible();
    expect(screen.layout()).toMatchObject({ failed_disk_count: 2 });
    await typed(screen, 'Disks lost', '1');
    expect(screen.layout()).toMatchObject({ failed_disk_count: 1 });
    expect(screen.queryByText('Enter a value.')).toBeNull();
  });

  it('says beside the field what is wrong with it', async () => {
    const fault = { pointer: '/array/layout/disks_count', code: 'few', message: 'Too few disks.' };
    const screen = await opened(raid6, { ...NOTHING_KNOWN, faults: [fault] });
    expect(screen.getByText('Too few disks.')).toBeVisible();
    expect(screen.getByLabelText('Disks')).toHaveAttribute('aria-invalid', 'true');
  });

  it('holds both disks through a small write only where that is asked for', async () => {
    const screen = await opened(raid6);
    const held = screen.getByRole('switch', { name: 'Small writes hold both disks' });
    expect(held).not.toBeChecked();
    await screen.user.click(held);
    expect(screen.layout().locked_updates).toBe(true);
    await screen.user.selectOptions(screen.getByRole('combobox', { name: 'Layout' }), 'raid10');
    expect(screen.queryByRole('switch', { name: 'Small writes hold both disks' })).toBeNull();
  });
});
