import { fireEvent, waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { violations } from './axe';
import type { CauseCost, DesignResult } from '../src/lib/comparison';
import { comparison, study } from './data';
import { open } from './render';
import { at, problem, server } from './server';

const ADDRESS = `/studies/${study.id}/compare`;
const plain = (text: string | null | undefined) => (text ?? '').replaceAll('\u00a0', ' ');

interface Asked {
  params: { draws_count: number; designs: { letter: string; staff_fte?: number }[] };
  study?: string;
  model?: string;
}

const CHECK = 'plans.like_for_like';
const checked = {
  sentence: '1 finding is neither fixed nor accepted; none alone makes another the cheapest.',
  open_count: 1,
  findings: [
    {
      key: '11:/designs/D/spares_fraction_per_year',
      keys: ['11:/designs/D/spares_fraction_per_year'],
      rule: '11',
      title: 'Costs that were left out',
      sentence: 'Spares of D: not counted.',
      pointer: '/designs/D/spares_fraction_per_year',
      not_counted: true,
      fix: [{ pointer: '/designs/D/spares_fraction_per_year', value: 0.02 }],
      money: '$12 k narrower lead of D',
      winner_after: null,
      accepted: null,
    },
  ],
  lease_or_buy: [{ letter: 'D', sentence: 'Leasing D costs $5.90 k less.' }],
};

/** Answers as the plan would, and keeps what was asked. */
function listen(): Asked[] {
  const asked: Asked[] = [];
  server.use(
    http.post(at('/evaluate'), async ({ request }) => {
      const body = (await request.json()) as Asked;
      if (body.model === CHECK) {
        return HttpResponse.json({ model: CHECK, version: '1', inputs_hash: 'b', result: checked });
      }
      asked.push(body);
      const isDrawn = body.params.draws_count > 0;
      const result = {
        ...comparison,
        odds: isDrawn ? comparison.odds : null,
        verdict: {
          ...comparison.verdict,
          headline: body.study
            ? comparison.verdict.headline
            : `Moved, drawn: ${body.params.draws_count}.`,
        },
      };
      return HttpResponse.json({ model: 'plans.compare', version: '1', inputs_hash: 'a', result });
    }),
  );
  return asked;
}

describe('the comparison', () => {
  it('says where the designs are not alike, what that is worth, and offers to count it', async () => {
    listen();
    const { findByRole } = open(`${ADDRESS}?view=check`);
    const check = await findByRole('region', { name: 'Like-for-like check' });
    expect(check).toHaveTextContent(checked.sentence);
    expect(check).toHaveTextContent(
      'Spares of D: not counted. ($12 k narrower lead of D) Go to the field',
    );
    expect(check).toHaveTextContent('Lease or buy. Leasing D costs $5.90 k less.');
    expect(within(check).getByRole('button', { name: 'Count it' })).toBeEnabled();
    expect(within(check).getByRole('button', { name: 'Accept' })).toBeEnabled();
  });

  it('names what a design lacks, leads to its field, and compares two designs', async () => {
    const [first, second] = comparison.designs as [DesignResult, DesignResult];
    const sentence = 'No disks for 60 TB of block storage: assign a group of nodes to it.';
    const pointer = `/designs/${second.letter}/node_groups`;
    const short = { ...second, carries_load: false, shortfall: { sentence, pointer } };
    const reason = `Only ${first.letter} meets demand, so there are no odds.`;
    const result = {
      ...comparison,
      designs: [first, short],
      winner: first.letter,
      runner_up: null,
      odds: null,
      flips: [],
      tornado: [],
      break_evens: [],
      drawn: { pair: [second.letter, first.letter], figures: [], years: {}, unsaid: {} },
      verdict: { ...comparison.verdict, kind: 'single', odds: null, odds_reason: reason },
    };
    server.use(
      http.post(at('/evaluate'), () =>
        HttpResponse.json({ model: 'plans.compare', version: '1', inputs_hash: 'a', result }),
      ),
    );
    const view = open(`${ADDRESS}?view=cost`);
    const lacking = await view.findByRole('list', { name: 'Problems of designs' });
    expect(lacking).toHaveTextContent(sentence);
    expect(within(lacking).getByRole('link').getAttribute('href')).toContain(
      `at=${encodeURIComponent(pointer)}`,
    );
    expect(view.getByLabelText('From design')).toHaveValue(second.letter);
    expect(view.getByLabelText('To design')).toHaveValue(first.letter);
    await view.user.click(view.getByRole('button', { name: 'Overview' }));
    expect(view.getAllByText('does not meet demand').length).toBeGreaterThan(0);
    expect(view.getAllByText(reason).length).toBeGreaterThan(0);
    expect(view.container).not.toHaveTextContent('nothing was drawn');
  });

  it('opens with the verdict, and asks for the study as it is saved', async () => {
    const asked = listen();
    const { findByTestId, container } = open(ADDRESS);
    const verdict = await findByTestId('verdict');
    expect(plain(verdict.textContent)).toBe(comparison.verdict.headline.replaceAll('**', ''));
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ study: study.id });
    expect(await violations(container)).toEqual([]);
  });

  it('has a slider for each of the three inputs that move the answer most', async () => {
    const { findAllByRole } = open(ADDRESS);
    const sliders = await findAllByRole('slider');
    expect(sliders.map((slider) => slider.getAttribute('aria-label'))).toEqual(
      comparison.tornado.slice(0, 3).map((bar) => bar.label),
    );
  });

  it('asks for few draws while a slider moves, for all once it is let go', async () => {
    const asked = listen();
    const { findAllByRole, findByTestId, findByText, router } = open(ADDRESS);
    const [slider] = await findAllByRole('slider');
    if (!slider) throw new Error('There is no slider.');
    const end = slider.getAttribute('min') ?? '';
    fireEvent.change(slider, { target: { value: end } });
    await findByText('Moved, drawn: 1000.');
    fireEvent.pointerUp(slider);
    await findByText('Moved, drawn: 10000.');
    expect(asked.slice(1).map((question) => question.params.draws_count)).toEqual([
      1000,
      asked[0]?.params.draws_count,
    ]);
    expect((router.state.location.search as { x?: string }).x).toMatch(new RegExp(`~${end}$`, 'u'));
    expect(await findByTestId('verdict')).toBeVisible();
  });

  it('opens a shared address with the inputs where they were', async () => {
    const asked = listen();
    const pointer = comparison.tornado[0]?.pointer.slice(1) ?? '';
    const { findByText, findByRole, user } = open(
      `${ADDRESS}?x=${encodeURIComponent(`${pointer}~3`)}`,
    );
    await findByText('Moved, drawn: 10000.');
    expect(await findByText('One input is moved')).toBeVisible();
    await user.click(await findByRole('button', { name: 'Check' }));
    const check = await findByRole('region', { name: 'Like-for-like check' });
    expect(check).toHaveTextContent('Lease or buy, as saved. Leasing D costs $5.90 k less.');
    await user.click(await findByRole('button', { name: 'Reset' }));
    expect(await findByText(/Nothing is moved/)).toBeVisible();
    expect(check).toHaveTextContent('Lease or buy. Leasing D costs $5.90 k less.');
    expect(asked.filter((question) => !question.study)).toHaveLength(1);
  });

  it('says every number of the first row, and what stands behind it', async () => {
    const { findByRole, user } = open(ADDRESS);
    const region = await findByRole('region', { name: 'Comparison of the designs' });
    const best = comparison.designs.find((design) => design.letter === comparison.rows[0]?.best);
    const cell = within(region).getAllByText('best')[0]?.closest('td');
    await user.click(within(cell as HTMLElement).getByRole('button'));
    const dialog = await findByRole('dialog');
    for (const cause of best?.causes.filter((entry) => entry.amount_usd !== 0) ?? []) {
      expect(dialog).toHaveTextContent(cause.label);
    }
  });

  it('writes what stands behind a number in the currency of the study', async () => {
    const currency = { code: 'EUR', per_usd: 0.5, as_of: null };
    const [design, ...others] = comparison.designs as [DesignResult, ...DesignResult[]];
    const cause = { ...(design.causes[0] as CauseCost), amount_usd: 1e6 };
    const working = {
      letter: 'A',
      cause: cause.cause,
      side: cause.side,
      label: cause.label,
      amount_usd: 1e6,
      lines: [{ formula: [0], payments: [{ when: 'month 0', amount_usd: 1e6 }] }],
      terms: [
        {
          name: 'A person',
          unit: 'USD/FTE-yr',
          values: [1000],
          pointer: '/designs/A/pue',
          formulas: [],
        },
      ],
      inputs: [],
    };
    const inEuro = {
      ...comparison,
      currency,
      designs: [{ ...design, causes: [cause] }, ...others],
    };
    server.use(
      http.post(at('/evaluate'), async ({ request }) => {
        const { model = 'plans.compare' } = (await request.json()) as { model?: string };
        const others: Record<string, object> = {
          [CHECK]: checked,
          'plans.workings': { causes: [working] },
        };
        const result = others[model] ?? inEuro;
        return HttpResponse.json({ model, version: '1', inputs_hash: 'a', result });
      }),
    );
    const { findByRole, user } = open(ADDRESS);
    const region = await findByRole('region', { name: 'Comparison of the designs' });
    const row = comparison.rows[0]?.label ?? '';
    await user.click(within(region).getByRole('button', { name: row }));
    const line = await within(region).findByRole('row', { name: new RegExp(cause.label, 'u') });
    await user.click(within(line).getAllByRole('button')[0] as HTMLElement);
    const dialog = await findByRole('dialog');
    await waitFor(() => expect(dialog).toHaveTextContent('€500/FTE-yr'));
    expect(dialog.textContent).not.toContain('$');
  });

  it('shows a chart as a table, with full values', async () => {
    const { findByRole, getByRole, user } = open(`${ADDRESS}?view=cost`);
    await user.click(await findByRole('button', { name: 'Why the difference: show as a table' }));
    const twin = getByRole('table', { name: 'Why the difference' });
    expect(within(twin).getAllByRole('row').length).toBeGreaterThan(5);
  });

  /** Answers that the document cannot be, in these places. */
  function refuse(...pointers: string[]) {
    const errors = pointers.map((pointer) => ({
      pointer,
      code: 'missing',
      message: `Enter a value at ${pointer}.`,
    }));
    server.use(http.post(at('/evaluate'), () => problem(422, 'A value is missing.', { errors })));
  }

  it('names every fault by its design, its field and the sentence of the server', async () => {
    refuse(
      '/designs/D/node_groups/0/ram_gib',
      '/designs/D/staff_fte',
      '/designs/A/staff_fte',
      '/workload/busy',
      '/assumptions/pue',
      '/ranges/0/low',
    );
    const { findByRole, container } = open(ADDRESS);
    const alert = await findByRole('alert');
    expect(alert).toHaveTextContent('cannot be compared yet: 6 inputs need attention');
    const parts = within(alert).getAllByRole('region');
    expect(parts.map((part) => part.getAttribute('aria-label'))).toEqual([
      'D',
      'A',
      'Workload',
      'Assumptions',
    ]);
    const [inD] = within(alert).getAllByRole('link');
    expect(inD).toHaveTextContent(/^Node groups · .+ · RAM per node/);
    expect(inD).toHaveTextContent('Enter a value at /designs/D/node_groups/0/ram_gib.');
    expect(within(alert).getByRole('link', { name: /Range Enter/ })).toBeVisible();
    expect(await violations(container)).toEqual([]);
  });

  it.each([
    ['/designs/A/staff_fte', 'Operations'],
    ['/workload/busy', 'Busy cores'],
    ['/assumptions/pue', 'PUE'],
  ])('leads from the fault at %s to its field', async (pointer, label) => {
    refuse(pointer);
    const { findByRole, user, router } = open(ADDRESS);
    await user.click(await findByRole('link', { name: new RegExp(`^${label} Enter`) }));
    await findByRole('radiogroup', { name: 'Part of the study' });
    expect(router.state.location.search).toMatchObject({ at: pointer });
    await waitFor(() => expect(window.document.activeElement).toHaveAccessibleName(label));
  });

  it('leads to the group where a fault has no field', async () => {
    refuse('/designs/D/power/bogus');
    const { findByRole, user } = open(ADDRESS);
    await user.click(await findByRole('link', { name: /Bogus/ }));
    await findByRole('radiogroup', { name: 'Part of the study' });
    await waitFor(() =>
      expect(window.document.activeElement?.closest('[data-field="/power"]')).not.toBeNull(),
    );
  });

  it('names a fault of the study as a whole', async () => {
    refuse('');
    const { findByRole } = open(ADDRESS);
    const part = within(await findByRole('alert')).getByRole('region', { name: 'The study' });
    expect(within(part).getByRole('link')).toHaveTextContent('All of it Enter a value at .');
  });

  it('says a failure that is no fault of the study', async () => {
    server.use(http.post(at('/evaluate'), () => problem(413, 'Too large to answer at once.')));
    const { findByRole } = open(ADDRESS);
    expect(await findByRole('alert')).toHaveTextContent('Too large to answer at once.');
  });
});
