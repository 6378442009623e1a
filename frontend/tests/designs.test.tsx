import { screen, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { violations } from './axe';
import { page, session, study } from './data';
import { open } from './render';
import { at, problem, server } from './server';

const ADDRESS = `/studies/${study.id}/designs`;
const spec = {
  staff_fte: 2,
  power: { kind: 'linear', idle_w: 180, peak_w: 150 },
  node_groups: [{ name: 'compute', power: { kind: 'constant', power_w: 300 } }],
};
const fault = {
  pointer: '/power/peak_w',
  code: 'peak_below_idle',
  message: 'Peak power (150 W) is below idle power (180 W). Enter at least 180 W.',
};
const owned = {
  ...study.designs[0],
  id: 'd-owned',
  letter: 'D',
  title: 'Own, colocated',
  kind: 'owned_cluster',
  spec,
  provenance: { '/staff_fte': { quality: 'published', source: 'A survey', as_of: '2026-01-01' } },
};

interface Saved {
  body: Record<string, unknown>;
  match: string | null;
}

function serve(design: object = owned): Saved[] {
  const saved: Saved[] = [];
  let revision = 1;
  server.use(
    http.get(at('/studies/:id'), () => HttpResponse.json({ ...study, designs: [design] })),
    http.put(at('/designs/:id'), async ({ request }) => {
      const body = (await request.json()) as Record<string, unknown>;
      saved.push({ body, match: request.headers.get('If-Match') });
      revision += 1;
      return HttpResponse.json({ ...design, ...body, revision });
    }),
  );
  return saved;
}

async function column() {
  const opened = open(ADDRESS);
  const section = await opened.findByRole('region', { name: 'Design D, Own, colocated' });
  return { ...opened, form: within(section) };
}

describe('the form of a design', () => {
  it('has a field of the right sort for each type of the schema, with its unit', async () => {
    serve();
    const { form, user, container } = await column();
    expect(form.getByLabelText('Operations')).toHaveValue('2');
    expect(form.getByText('FTE')).toBeVisible();
    expect(form.getByLabelText('Method')).toHaveDisplayValue('Straight line');
    expect(form.getByRole('switch', { name: 'Leased' })).not.toBeChecked();
    await user.click(form.getByRole('button', { name: /^Power/ }));
    expect(form.getByLabelText('Kind')).toHaveDisplayValue('Linear');
    expect(form.getByLabelText('Idle power')).toHaveValue('180');
    await user.click(form.getByRole('button', { name: /^Node groups/ }));
    await user.click(form.getByRole('button', { name: /^compute/ }));
    expect(form.getByLabelText('Name')).toHaveValue('compute');
    expect(await violations(container)).toEqual([]);
  });

  it('is read-only for a viewer, who is told why; parts fold and sources are told still', async () => {
    const saved = serve();
    server.use(
      http.get(at('/session'), () =>
        HttpResponse.json({ ...session, workspace: { ...session.workspace, role: 'viewer' } }),
      ),
    );
    const { form, user, container, findByRole, queryByRole } = await column();
    expect(await findByRole('note')).toHaveTextContent(
      'You are a viewer of Alice: you can read and try values; only owners and editors change its studies, so fields are read-only.',
    );
    for (const name of ['Operations', 'Method', 'Leased', 'Title of design D']) {
      expect(form.getByLabelText(name)).toBeDisabled();
    }
    await user.click(form.getByRole('button', { name: /^Power/ }));
    expect(form.getByLabelText('Kind')).toBeDisabled();
    expect(form.getByLabelText('Idle power')).toBeDisabled();
    await user.click(form.getByRole('button', { name: /^Node groups/ }));
    expect(form.queryByRole('button', { name: 'Add' })).toBeNull();
    await user.click(form.getByRole('button', { name: 'About Operations' }));
    expect(await findByRole('button', { name: 'Set range' })).toBeDisabled();
    for (const name of ['Add a design', 'Rename', 'Undo (Ctrl+Z)']) {
      expect(queryByRole('button', { name })).toBeNull();
    }
    expect(await violations(container)).toEqual([]);
    expect(saved).toEqual([]);
  });

  it('saves as one types, over the revision that is known, shares as fractions', async () => {
    const saved = serve();
    const { form, user } = await column();
    await user.type(form.getByLabelText('Spares'), '2.5');
    await vi.waitFor(() => expect(saved).toHaveLength(1), { timeout: 3000 });
    expect(saved[0]).toEqual({
      body: { spec: { ...spec, spares_fraction_per_year: 0.025 } },
      match: '"1"',
    });
    expect(await form.findByText('Saved')).toBeVisible();
  });

  it('takes and shows amounts in the currency of the study', async () => {
    const saved = serve({ ...owned, spec: { ...spec, support_usd_per_month: 1000 } });
    server.use(
      http.get(at('/studies/:id'), () =>
        HttpResponse.json({
          ...study,
          assumptions: { ...study.assumptions, currency: { code: 'EUR', per_usd: 0.8 } },
          designs: [{ ...owned, spec: { ...spec, support_usd_per_month: 1000 } }],
        }),
      ),
    );
    const { form, user } = await column();
    const field = form.getByLabelText('Support');
    expect(field).toHaveValue('800');
    expect(field.parentElement).toHaveTextContent('€/month');
    await user.clear(field);
    await user.type(field, '€1.2k');
    await vi.waitFor(
      () => expect(saved.at(-1)?.body).toMatchObject({ spec: { support_usd_per_month: 1500 } }),
      { timeout: 3000 },
    );
    await user.tab();
    expect(field).toHaveValue('1,200');
    await user.click(form.getByRole('button', { name: 'About Support' }));
    expect(await screen.findByRole('dialog', { name: 'About Support' })).toHaveTextContent(
      '€1,200',
    );
  });

  it('keeps text that is no number, so that the server can say what is wrong', async () => {
    const saved = serve();
    const { form, user } = await column();
    await user.clear(form.getByLabelText('Operations'));
    await user.type(form.getByLabelText('Operations'), 'two');
    await vi.waitFor(
      () => expect(saved.at(-1)?.body).toMatchObject({ spec: { staff_fte: 'two' } }),
      {
        timeout: 3000,
      },
    );
  });

  it('says what is wrong beside the field, as the server words it', async () => {
    serve({ ...owned, faults: [fault] });
    const { form, user } = await column();
    expect(form.getByText('Saved as typed, with 1 value to correct')).toBeVisible();
    // The field lies in a folded group; its name above the form unfolds it.
    const names = within(form.getByRole('list', { name: 'Fields with an error' }));
    await user.click(names.getByRole('button', { name: 'Power · Peak power' }));
    const field = form.getByLabelText('Peak power');
    expect(field).toHaveAccessibleDescription(fault.message);
    expect(field).toBeInvalid();
  });

  it('tells where a value comes from, and its default', async () => {
    serve();
    const { form, user, findByRole } = await column();
    await user.click(form.getByRole('button', { name: 'About Operations' }));
    const about = await findByRole('dialog', { name: 'About Operations' });
    expect(about).toHaveTextContent('published');
    expect(about).toHaveTextContent('A survey, 1 Jan 2026');
    await user.click(within(about).getByRole('button', { name: 'Back to the default' }));
    expect(form.getByLabelText('Operations')).toHaveValue('');
    expect(form.getByLabelText('Operations')).toHaveAttribute('placeholder', '0');
  });

  it('changes the kind of a union and keeps what both kinds have', async () => {
    const saved = serve();
    const { form, user } = await column();
    await user.click(form.getByRole('button', { name: /^Power/ }));
    await user.selectOptions(form.getByLabelText('Kind'), 'Constant');
    await vi.waitFor(() => expect(saved).toHaveLength(1), { timeout: 3000 });
    expect(saved[0]?.body).toMatchObject({ spec: { power: { kind: 'constant' } } });
  });

  it('shows what somebody else saved, and saves over it only when asked to', async () => {
    serve();
    let refused = false;
    server.use(
      http.put(at('/designs/:id'), async ({ request }) => {
        const body = (await request.json()) as object;
        if (refused) return HttpResponse.json({ ...owned, ...body, revision: 9 });
        refused = true;
        return problem(412, 'This was changed elsewhere.', {
          current: { ...owned, spec: { ...spec, staff_fte: 4 }, revision: 8 },
          difference: [{ pointer: '/spec/staff_fte', stored: 4, sent: 3 }],
        });
      }),
    );
    const { form, user, findByRole } = await column();
    await user.clear(form.getByLabelText('Operations'));
    await user.type(form.getByLabelText('Operations'), '3');
    const dialog = await findByRole('dialog', { name: /was changed elsewhere/ }, { timeout: 3000 });
    expect(within(dialog).getByRole('row', { name: /Operations 4\sFTE 3\sFTE/ })).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Keep mine' }));
    expect(await form.findByText('Saved')).toBeVisible();
    expect(form.getByLabelText('Operations')).toHaveValue('3');
  });

  it('keeps what was typed without a connection, and says so', async () => {
    serve();
    server.use(http.put(at('/designs/:id'), () => HttpResponse.error()));
    const { form, user } = await column();
    await user.type(form.getByLabelText('Spares'), '3');
    expect(await form.findByText('Kept here, not saved yet')).toBeVisible();
    expect(localStorage.getItem('ampacity.draft.design.d-owned')).toContain(
      '"spares_fraction_per_year":0.03',
    );
  });

  it('finds an input by its name', async () => {
    serve();
    const { form, user, getByLabelText } = await column();
    await user.type(getByLabelText('Find an input'), 'idle');
    expect(await form.findByLabelText('Idle power')).toBeVisible();
    expect(form.queryByLabelText('Operations')).toBeNull();
  });

  it('opens the group of the input that the address points at', async () => {
    serve();
    const { findByLabelText } = open(
      `${ADDRESS}?at=${encodeURIComponent('/designs/D/power/peak_w')}`,
    );
    const field = await findByLabelText('Peak power');
    await vi.waitFor(() => expect(field).toHaveFocus());
  });
});

describe('the prices of a study', () => {
  it('are those of its day; newer ones are shown before they are taken', async () => {
    const snapshots = ['2026-11-01', '2026-07-01'].map((as_of) => ({ id: as_of, as_of }));
    const change = { pointer: '/pue', before: 1.4, after: 1.3, entry: 'staff', as_of: null };
    const changes = [{ ...change, letter: '', part: '/assumptions' }];
    let stored = { ...study, snapshot: '2026-07-01', assumptions: { pue: 1.4 } };
    server.use(
      http.get(at('/studies/:id'), () => HttpResponse.json(stored)),
      http.get(at('/catalogue/snapshots'), () => HttpResponse.json(page(snapshots))),
      http.get(at('/studies/:id/prices'), () => HttpResponse.json({ changes, gone_count: 1 })),
      http.post(at('/studies/:id/prices'), () => {
        const [snapshot, assumptions] = ['2026-11-01', { pue: 1.3 }];
        stored = { ...stored, snapshot, assumptions, revision: stored.revision + 1 };
        return HttpResponse.json(stored);
      }),
    );
    const { findByText, findByRole, queryByRole, user } = open(`${ADDRESS}?part=assumptions`);
    expect(await findByText('Made with the catalogue of 1 Jul 2026')).toBeVisible();
    await user.click(await findByRole('button', { name: 'Take today’s prices …' }));
    const dialog = await findByRole('dialog', {
      name: 'Take the prices of the catalogue of 1 Nov 2026',
    });
    expect(await within(dialog).findByText('1.3')).toBeVisible();
    expect(within(dialog).getByText(/^One value .* stays as it is/)).toBeVisible();
    expect(stored.revision).toBe(study.revision);
    await user.click(within(dialog).getByRole('button', { name: 'Take them' }));
    expect(await findByText('Made with the catalogue of 1 Nov 2026')).toBeVisible();
    expect(queryByRole('dialog')).toBeNull();
  });
});
