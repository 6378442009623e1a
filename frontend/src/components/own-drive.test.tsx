import { QueryClientProvider } from '@tanstack/react-query';
import { render, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { page } from '../../tests/data';
import { at, server } from '../../tests/server';
import { makeClient } from '../lib/query-client';
import { DrivePicker } from './drive-picker';

interface Asked {
  model: string;
  params: { files: { name: string; text: string }[]; disk: string | null };
}

const refused = (pointer: string, message: string) =>
  HttpResponse.json(
    { status: 422, detail: 'The input is not valid.', errors: [{ pointer, code: 'x', message }] },
    { status: 422 },
  );

function picker() {
  const taken = vi.fn();
  server.use(http.get(at('/catalogue/entries'), () => HttpResponse.json(page([]))));
  const screen = render(
    <QueryClientProvider client={makeClient()}>
      <DrivePicker own onTake={taken} onClose={() => undefined} />
    </QueryClientProvider>,
  );
  return { taken, screen, user: userEvent.setup() };
}

const file = (name: string, text = name) => new File([text], name);

describe('a drive out of DiskSim’s files', () => {
  const asked: Asked['params'][] = [];
  beforeEach(() => {
    asked.length = 0;
    server.use(
      http.post(at('/evaluate'), async ({ request }) => {
        const { params } = (await request.json()) as Asked;
        asked.push(params);
        if (params.files.length < 2) return refused('/files/0/text', 'Give x.model as well.');
        const name = params.disk ?? 'ONE';
        return HttpResponse.json({
          result: {
            headline: `**${name} is a disk**`,
            notes: ['Power is not in the files.'],
            tables: [],
            drive: { kind: 'hdd', name },
            taken: [],
            disks: ['ONE', 'TWO'],
          },
        });
      }),
    );
  });

  it('asks for a file that is missing, beside those chosen before', async () => {
    const { taken, screen, user } = picker();
    await user.click(screen.getByRole('button', { name: 'Read DiskSim’s files' }));
    const input = screen.getByLabelText('DiskSim files');
    await user.upload(input, [file('x.diskspecs')]);
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Give x\.model as well\.$/);
    expect(screen.queryByRole('button', { name: 'Use this drive' })).toBeNull();
    await user.upload(input, [file('x.model'), file('x.diskspecs', 'again')]);
    expect(await screen.findByTestId('drive-read')).toHaveTextContent('Power is not in the files.');
    expect(asked[1]?.files).toEqual([
      { name: 'x.model', text: 'x.model' },
      { name: 'x.diskspecs', text: 'again' },
    ]);
    const disk = screen.getByLabelText('Disk');
    await user.selectOptions(disk, 'TWO');
    expect(await screen.findByText('TWO is a disk')).toBeVisible();
    expect(screen.getByLabelText('Disk')).toBe(disk);
    await user.click(screen.getByRole('button', { name: 'Use this drive' }));
    expect(taken.mock.calls).toEqual([[{ kind: 'hdd', name: 'TWO' }]]);
  });

  it('sends no files that are too large, and starts over', async () => {
    const { screen, user } = picker();
    await user.click(screen.getByRole('button', { name: 'Read DiskSim’s files' }));
    const large = file('day.trace', 'x'.repeat(1_900_001));
    await user.upload(screen.getByLabelText('DiskSim files'), [large]);
    expect(await screen.findByRole('alert')).toHaveTextContent('larger than 1.9 MB together');
    expect(asked).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Start over' }));
    expect(screen.queryByRole('alert')).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Back' }));
    expect(screen.getByRole('button', { name: 'Describe a drive' })).toBeVisible();
  });
});

const rate = { type: 'number', unit: 'MB/s', exclusiveMinimum: 0 };
const schema = {
  $defs: {
    HardDisk: {
      properties: {
        name: { type: 'string' },
        outer_mb_per_s: { title: 'Outer rate', ...rate },
        inner_mb_per_s: { title: 'Inner rate', ...rate },
      },
      required: ['outer_mb_per_s'],
    },
    SolidState: { properties: { channels_count: { title: 'Channels', type: 'integer' } } },
  },
};

describe('a drive that is described', () => {
  it('is taken as soon as nothing is wrong with it', async () => {
    server.use(
      http.get(at('/models/storage.array_outlook'), () =>
        HttpResponse.json({ params_schema: schema }),
      ),
      http.post(at('/evaluate'), async ({ request }) => {
        const { params } = (await request.json()) as {
          params: { array: { drive: { outer_mb_per_s: number } } };
        };
        return params.array.drive.outer_mb_per_s < 135
          ? refused('/array/drive/inner_mb_per_s', 'No faster than outside.')
          : HttpResponse.json({ result: {} });
      }),
    );
    const { taken, screen, user } = picker();
    await user.click(screen.getByRole('button', { name: 'Describe a drive' }));
    const outer = await screen.findByLabelText('Outer rate');
    const use = screen.getByRole('button', { name: 'Use this drive' });
    const enter = async (text: string) => {
      await user.clear(outer);
      if (text) await user.type(outer, text);
      await user.tab();
    };
    await enter('');
    expect(use).toBeDisabled();
    await user.clear(screen.getByLabelText('Name'));
    await user.type(screen.getByLabelText('Name'), 'Lab');
    await enter('100');
    await user.click(use);
    const field = await screen.findAllByText('No faster than outside.');
    expect(field.length).toBeGreaterThan(0);
    expect(taken).not.toHaveBeenCalled();
    await enter('200');
    expect(screen.queryByText('No faster than outside.')).toBeNull();
    await user.click(use);
    await vi.waitFor(() => expect(taken).toHaveBeenCalled());
    expect(taken.mock.calls[0]?.[0]).toMatchObject({ name: 'Lab', outer_mb_per_s: 200 });
  });

  it('may be of another kind', async () => {
    server.use(
      http.get(at('/models/storage.array_outlook'), () =>
        HttpResponse.json({ params_schema: schema }),
      ),
    );
    const { screen, user } = picker();
    await user.click(screen.getByRole('button', { name: 'Describe a drive' }));
    await user.click(await screen.findByLabelText('Solid-state drive'));
    const sheet = within(screen.getByRole('dialog'));
    expect(sheet.getByLabelText('Channels')).toHaveValue('175');
    expect(sheet.queryByLabelText('Outer rate')).toBeNull();
  });
});
