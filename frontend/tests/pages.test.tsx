import { within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { http, HttpResponse } from 'msw';
import { violations } from './axe';
import { page, plan, run, study } from './data';
import { open } from './render';
import { at, problem, server } from './server';

const check = {
  model: 'plans.compare',
  check: 'A1',
  title: 'Power bill of a year',
  source: 'Zaranek et al. 2008',
  basis: 'published',
  kind: 'predicted',
  published: 26_805.6,
  printed: '$27,000',
  ours: 26_805.6,
  tolerance: 0.01,
  unit: 'USD',
  ok: true,
  outcome: 'holds',
  said: 'holds',
  note: null,
};

const paper = {
  id: 'fs2',
  title: 'FS2',
  citation: 'A thesis',
  question: 'What do copies in free space save?',
  checks_count: 2,
  opens: 'model',
  tool: '',
  model: 'storage.fs2_layer',
};

describe('method', () => {
  it('shows the figure of the paper beside ours, and whether it holds', async () => {
    const off = {
      ...check,
      check: 'A2',
      title: 'Rent of a year',
      ours: 1,
      outcome: 'differs',
      said: 'differs',
    };
    const known = {
      ...check,
      check: 'A3',
      title: 'Power',
      outcome: 'apart',
      said: 'off, as known',
      wider: 'As measured.',
    };
    server.use(
      http.get(at('/models/:id/checks'), () => HttpResponse.json(page([check, off, known]))),
    );
    const { findByRole, container } = open('/method/models/plans.compare');
    const good = await findByRole('row', { name: /Power bill/ });
    expect(good).toHaveTextContent('$27,000');
    expect(good).toHaveTextContent('$26,805.6');
    expect(good).toHaveTextContent('holds');
    expect(await findByRole('row', { name: /Rent of a year/ })).toHaveTextContent('differs');
    const apart = await findByRole('row', { name: /As measured/ });
    expect(apart).toHaveTextContent('off, as known');
    expect(apart).not.toHaveTextContent('holds');
    expect(await violations(container)).toEqual([]);
  });

  it('lists papers and models, and finds those that one looks for', async () => {
    server.use(
      http.get(at('/models'), () => HttpResponse.json(page([{ ...plan, checks_count: 1 }]))),
      http.get(at('/papers'), () => HttpResponse.json(page([paper]))),
    );
    const { findByRole, findByText, queryByRole } = open('/models');
    expect(await findByRole('link', { name: plan.title })).toBeVisible();
    expect(await findByText('1 check')).toBeVisible();
    await userEvent.type(await findByRole('searchbox'), 'free space');
    expect(await findByRole('link', { name: paper.title })).toBeVisible();
    expect(queryByRole('link', { name: plan.title })).toBeNull();
  });

  it('has a page for a paper: what was fitted, its figures, where to go on', async () => {
    const fitted = { ...check, check: 'A3', title: 'Rate', kind: 'fitted', fitted_to: 'Its table' };
    const figure = {
      kind: 'ranges',
      name: 'Printed and ours',
      title: 'All 2 figures are met as printed',
      along: { title: 'Cost', unit: 'USD' },
      rows: ['Power bill of a year', 'Rate'],
      series: [{ name: 'Our model', values: [26_805.6, null] }],
    };
    const behind = [{ id: plan.id, title: plan.title, summary: '', limits: ['No inflation.'] }];
    server.use(
      http.get(at('/papers/:id'), () =>
        HttpResponse.json({ ...paper, figure, errors: [], rows: [check, fitted], behind }),
      ),
    );
    const { findByRole, findByText, container } = open('/method/papers/fs2');
    expect(await findByRole('heading', { name: paper.title })).toBeVisible();
    expect(await findByText('(Rate)')).toBeVisible();
    expect(await findByText('No inflation.')).toBeVisible();
    expect(await findByRole('link', { name: 'Try it with your numbers' })).toHaveAttribute(
      'href',
      '/method/models/storage.fs2_layer',
    );
    expect(await violations(container)).toEqual([]);
  });
});

describe('the catalogue', () => {
  const value = {
    value: 1.85472,
    unit: 'USD/h',
    quality: 'published',
    source: 'Price list',
    url: null,
    as_of: '2026-07-01',
    low: null,
    high: null,
    note: '',
  };
  const entry = {
    slug: 'm7a',
    kind: 'instance',
    title: 'AWS m7a.8xlarge',
    is_own: false,
    revision: 1,
    updated_at: '2026-11-20T10:00:00Z',
    values: {
      usd_per_h: value,
      ram_gib: { ...value, value: 128, unit: 'GiB', quality: 'recalled', low: 120, high: 140 },
    },
  };

  it('shows entries, marks what is only recalled, and opens one with its sources', async () => {
    server.use(
      http.get(at('/catalogue/kinds'), () =>
        HttpResponse.json(page([{ kind: 'instance', entries_count: 1 }])),
      ),
      http.get(at('/catalogue/snapshots'), () => HttpResponse.json(page([]))),
      http.get(at('/catalogue/entries'), () => HttpResponse.json(page([entry]))),
      http.get(at('/catalogue/entries/:slug'), () => HttpResponse.json(entry)),
    );
    const { findByRole, user, container } = open('/catalogue');
    const row = await findByRole('row', { name: /m7a/ });
    expect(row).toHaveTextContent('$1.85/h');
    expect(row).toHaveTextContent(/128\sGiB \?/);
    expect(await violations(container)).toEqual([]);
    await user.click(within(row).getByRole('button'));
    const drawer = await findByRole('dialog', { name: 'AWS m7a.8xlarge' });
    expect(drawer).toHaveTextContent('$1.85472/h');
    expect(drawer).toHaveTextContent('1 Jul 2026');
    expect(drawer).toHaveTextContent(/range 120–140/);
  });
});

describe('settings', () => {
  it('shows a new token this once', async () => {
    const token = {
      id: 't-1',
      title: 'CI',
      prefix: 'amp_abc',
      scopes: ['read'],
      created_at: '2026-11-20T10:00:00Z',
      expires_at: null,
      last_used_at: null,
    };
    server.use(
      http.post(at('/tokens'), () =>
        HttpResponse.json({ ...token, token: 'amp_secret' }, { status: 201 }),
      ),
    );
    const { findByRole, findByText, getByLabelText, queryByText, user, container } =
      open('/settings');
    await user.type(await findByRole('textbox', { name: 'Name' }), 'CI');
    await user.selectOptions(getByLabelText('Ends after'), 'A year');
    await user.click(await findByRole('button', { name: 'Create' }));
    expect(await findByText('amp_secret')).toBeVisible();
    expect(await violations(container)).toEqual([]);
    await user.click(await findByRole('button', { name: 'I have it' }));
    expect(queryByText('amp_secret')).toBeNull();
  });

  it('lists the members with their roles', async () => {
    const { findByRole } = open('/settings');
    const members = await findByRole('region', { name: 'Members' });
    expect(
      await within(members).findByRole('row', { name: /alice@example.org you Owner/ }),
    ).toBeVisible();
  });

  it('says where to provision from, and lets an owner choose what a group gives', async () => {
    const sent: unknown[] = [];
    const group = { id: 'g', display_name: 'Planners', role: '' };
    server.use(
      http.get(at('/members/groups'), () =>
        HttpResponse.json({ results: [group], next_cursor: null, previous_cursor: null }),
      ),
      http.patch(at('/members/groups/g'), async ({ request }) => {
        sent.push(await request.json());
        return problem(409, 'A workspace needs an owner.');
      }),
    );
    const { findByRole, user } = open('/settings');
    const panel = within(await findByRole('region', { name: 'Provisioning' }));
    expect(panel.getByText(`${location.origin}/api/v1/scim/v2`)).toBeVisible();
    await user.selectOptions(await panel.findByLabelText('Role of the group Planners'), 'Editor');
    expect(await panel.findByText('A workspace needs an owner.')).toBeVisible();
    expect(sent).toEqual([{ role: 'editor' }]);
  });

  it('sets the first password, then asks for it before it is changed', async () => {
    const sent: unknown[] = [];
    server.use(
      http.post(at('/password'), async ({ request }) => {
        const change = (await request.json()) as { old?: string };
        sent.push(change);
        const message = 'This is not the password that is set now.';
        const errors = [{ pointer: '/old', code: 'wrong', message }];
        return change.old
          ? problem(422, message, { errors })
          : HttpResponse.json({ is_set: true, may_set: true });
      }),
    );
    const { findByLabelText, findByRole, findByText, queryByLabelText, user, container } =
      open('/settings');
    await user.type(await findByLabelText('New password'), 'a fine long sentence');
    expect(queryByLabelText('Password now')).toBeNull();
    await user.click(await findByRole('button', { name: 'Set the password' }));
    expect(await findByText(/The password is set/)).toBeVisible();
    await user.type(await findByLabelText('Password now'), 'wrong');
    await user.type(await findByLabelText('New password'), 'another fine sentence');
    await user.click(await findByRole('button', { name: 'Change the password' }));
    expect(await findByText('This is not the password that is set now.')).toBeVisible();
    expect(await findByLabelText('Password now')).toHaveAttribute('aria-invalid', 'true');
    expect(await violations(container)).toEqual([]);
    expect(sent).toEqual([
      { new: 'a fine long sentence' },
      { old: 'wrong', new: 'another fine sentence' },
    ]);
  });

  it('signs out', async () => {
    let isOut = false;
    server.use(
      http.delete(at('/session'), () => {
        isOut = true;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { findByRole, user } = open('/settings');
    await user.click(await findByRole('button', { name: 'Sign out' }));
    expect(await findByRole('heading', { name: 'Sign in' })).toBeVisible();
    expect(isOut).toBe(true);
  });
});

describe('reports', () => {
  const ADDRESS = `/studies/${study.id}/report`;
  const report = {
    ...run,
    id: 'p-1',
    run: null,
    title: 'Rent or own',
    format: 'pdf',
    paper: 'a4',
    file_name: 'rent-or-own.pdf',
    bytes_count: 312_000,
    sha256: '',
    created_at: run.submitted_at,
  };

  it('makes a PDF, follows its progress and offers the file', async () => {
    const sent: unknown[] = [];
    let made = 0;
    server.use(
      http.post(at('/reports'), async ({ request }) => {
        sent.push(await request.json());
        made = 1;
        return HttpResponse.json({ ...report, state: 'queued' }, { status: 202 });
      }),
      http.get(at('/reports'), () =>
        HttpResponse.json(
          page(made > 0 ? [{ ...report, state: 'running', progress_fraction: 0.4 }] : []),
        ),
      ),
      http.get(at('/reports/:id'), () => {
        made += 1;
        return HttpResponse.json(
          made > 3
            ? report
            : { ...report, state: 'running', progress_fraction: 0.6, seconds_left: 2 },
        );
      }),
    );
    const { findByRole, findByText, user, container } = open(ADDRESS);
    await user.click(await findByRole('button', { name: 'Create PDF' }));
    expect(await findByText(/60% · 2 s left/)).toBeVisible();
    const link = await findByRole('link', { name: 'Download' }, { timeout: 5000 });
    expect(link).toHaveAttribute('href', '/api/v1/reports/p-1/file');
    expect(sent).toEqual([{ study: study.id, format: 'pdf', paper: 'a4', appendix: false }]);
    expect(await violations(container)).toEqual([]);
  });

  it('asks to stop a run that works', async () => {
    const asked: string[] = [];
    server.use(
      http.get(at('/runs'), () =>
        HttpResponse.json(page([{ ...run, state: 'running', progress_fraction: 0.2 }])),
      ),
      http.post(at('/runs/:id/cancel'), ({ params }) => {
        asked.push(String(params.id));
        return HttpResponse.json({ ...run, state: 'cancelled' }, { status: 202 });
      }),
    );
    const { findByRole, user } = open(ADDRESS);
    await user.click(await findByRole('button', { name: 'Cancel' }));
    await vi.waitFor(() => expect(asked).toEqual(['r-1']));
  });
});
