import { waitFor, within } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import type { Model } from '../src/lib/models';
import { violations } from './axe';
import { plan, run } from './data';
import { open } from './render';
import { at, problem, server } from './server';

const bill: Model = {
  ...plan,
  id: 'cost.bill',
  title: 'Power bill',
  family: 'cost',
  start: { power_w: 1000, billing: 'hourly', year_h: 8760, trace: null },
  cases: [
    {
      check: 'A1',
      title: 'The cluster of the paper',
      source: 'Zaranek et al. 2008',
      params: { power_w: 18_000, billing: 'hourly', year_h: 8760, trace: null },
    },
  ],
  formulas: [
    {
      id: 'bill',
      text: 'bill = power * price',
      source: 'definition',
      symbols: {},
      papers: [],
      models: [],
    },
  ],
  params_schema: {
    type: 'object',
    properties: {
      power_w: {
        type: 'number',
        title: 'Power',
        unit: 'W',
        default: 1000,
        maximum: 1e6,
        default_source: { source: 'a data sheet', as_of: '2024-05-01', quality: 'published' },
      },
      billing: {
        type: 'string',
        title: 'Billing',
        enum: ['hourly', 'by_month'],
        default: 'hourly',
      },
      year_h: { type: 'integer', title: 'Hours in a year', enum: [8760, 8784], default: 8760 },
      trace: {
        title: 'Trace',
        anyOf: [
          {
            type: 'object',
            properties: { trace_id: { type: 'string' }, sha256: { type: 'string' } },
          },
          { type: 'null' },
        ],
        default: null,
      },
    },
  },
  result_schema: {
    type: 'object',
    properties: {
      bill_usd: { type: 'number', title: 'Bill', unit: 'USD' },
      months: {
        type: 'array',
        title: 'Months',
        items: {
          type: 'object',
          properties: {
            month: { type: 'integer', title: 'Month' },
            cost_usd: { type: 'number', title: 'Cost', unit: 'USD' },
          },
        },
      },
    },
  },
};

interface Asked {
  params: { power_w: number | string };
}

const answerTo = (power: number) => ({
  bill_usd: power * 1.5,
  months: [1, 2, 3, 4, 5, 6].map((month) => ({ month, cost_usd: (power * 1.5 * month) / 21 })),
});

function serve(model: Model) {
  const asked: Asked[] = [];
  server.use(
    http.get(at('/models/:id'), () => HttpResponse.json(model)),
    http.get(at('/traces'), () => HttpResponse.json({ results: [], next_cursor: null })),
    http.post(at('/evaluate'), async ({ request }) => {
      const body = (await request.json()) as Asked;
      asked.push(body);
      const { power_w: power } = body.params;
      if (typeof power === 'number') {
        const result = answerTo(power);
        return HttpResponse.json({ model: model.id, version: '1', inputs_hash: 'a', result });
      }
      return problem(422, 'The document is not valid.', {
        errors: [{ pointer: '/power_w', code: 'wrong_type', message: 'Enter a number.' }],
      });
    }),
  );
  return asked;
}

beforeEach(() => sessionStorage.clear());

describe('a model that answers at once', () => {
  it('follows its inputs, which the address keeps', async () => {
    const asked = serve(bill);
    const { findByRole, findByLabelText, router, user, container } = open('/models/cost.bill');
    expect(await findByRole('row', { name: /Bill/ })).toHaveTextContent('$1.50 k');
    expect(asked[0]?.params).toEqual(bill.start);

    const power = await findByLabelText('Power');
    await user.clear(power);
    await user.type(power, '2000');
    await waitFor(async () =>
      expect(await findByRole('row', { name: /Bill/ })).toHaveTextContent('$3.00 k'),
    );
    await waitFor(() => expect(router.state.location.search).toEqual({ s: { power_w: 2000 } }));
    expect(JSON.parse(sessionStorage.getItem('ampacity.model.cost.bill') ?? '')).toEqual({
      power_w: 2000,
    });
    expect(await violations(container)).toEqual([]);
  });

  it('says beside a field what is wrong, and keeps the answer before', async () => {
    serve(bill);
    const { findByRole, findByLabelText, findByText, user } = open('/models/cost.bill');
    await findByRole('row', { name: /Bill/ });
    const power = await findByLabelText('Power');
    await user.clear(power);
    await user.type(power, 'much');
    expect(await findByText(/^Enter an amount in .*, such as .*\.$/)).toBeVisible();
    expect(power).toHaveAttribute('aria-invalid', 'true');
    expect(await findByText(/the answer to the inputs as they were before/)).toBeVisible();
    expect(await findByRole('row', { name: /Bill/ })).toHaveTextContent('$1.50 k');
  });

  it('fills in a published case, and starts over', async () => {
    const asked = serve(bill);
    const { findByRole, findByLabelText, user } = open('/models/cost.bill');
    await user.selectOptions(await findByLabelText('Published case'), 'The cluster of the paper');
    expect(await findByLabelText('Power')).toHaveValue('18,000');
    await waitFor(async () =>
      expect(await findByRole('row', { name: /Bill/ })).toHaveTextContent('$27.0 k'),
    );
    await user.selectOptions(await findByLabelText('Hours in a year'), '8784');
    await waitFor(() => expect(asked.at(-1)?.params).toMatchObject({ year_h: 8784 }));
    await user.click(await findByRole('button', { name: 'Start over' }));
    expect(await findByLabelText('Power')).toHaveValue('1,000');
  });

  it('opens with the inputs of an address, shows the exact value, the equation and a chart', async () => {
    serve(bill);
    const search = encodeURIComponent(JSON.stringify({ power_w: 1234.5 }));
    const { findByRole, findByTitle, findByText, user } = open(`/models/cost.bill?s=${search}`);
    expect(await findByTitle('$1,851.75')).toHaveTextContent('$1.85 k');
    await user.click(await findByRole('button', { name: 'Equation of Bill' }));
    const about = await findByRole('dialog', { name: 'Equation of Bill' });
    expect(within(about).getByText('bill = power × price')).toBeVisible();
    const table = await findByRole('region', { name: 'Months, table' });
    expect(within(table).getAllByRole('row')).toHaveLength(7);
    expect(await findByText('Chart of Months')).toBeVisible();
  });
});

describe('a model that runs as a job', () => {
  it('starts by itself, and again when asked to', async () => {
    serve({ ...bill, instant: false });
    const started: Asked[] = [];
    const job = { ...run, id: 'r-9', model: bill.id, study: null };
    server.use(
      http.post(at('/runs'), async ({ request }) => {
        started.push((await request.json()) as Asked);
        return HttpResponse.json({ ...job, state: 'queued' }, { status: 202 });
      }),
      http.get(at('/runs/r-9'), () => HttpResponse.json(job)),
      http.get(at('/runs/r-9/result'), () => HttpResponse.json({ result: answerTo(1000) })),
    );
    const { findByRole, findByText, findByLabelText, user } = open('/models/cost.bill');
    expect(await findByRole('row', { name: /Bill/ })).toHaveTextContent('$1.50 k');
    expect(started[0]?.params).toEqual(bill.start);

    await user.type(await findByLabelText('Power'), '0');
    expect(await findByText(/inputs have changed since this run/)).toBeVisible();
    expect(started).toHaveLength(1);
    await user.click(await findByRole('button', { name: 'Run' }));
    await waitFor(() => expect(started).toHaveLength(2));
  });
});

describe('the plan of studies', () => {
  it('sends to the studies instead', async () => {
    const { findByRole } = open('/models/plans.compare');
    expect(await findByRole('link', { name: 'Open a study' })).toHaveAttribute('href', '/');
  });
});
