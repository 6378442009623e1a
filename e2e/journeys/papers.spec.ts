import { expect, test, type Page } from '@playwright/test';
import { change } from '../change.ts';
import { fileOf, literal, plain, published, textsOf, type Values } from '../reading.ts';
import { signIn } from '../sign-in.ts';

type Published = (check: string) => number;

interface PaperRow {
  study: string;
  row: string;
  letters: string[];
  /** The paper's figure, from the row of the example. */
  ours: (values: Values) => number;
  /** The same from what the registered checks expect, by model and check. */
  theirs: (published: Published) => number;
  /** How far the two may be apart, as a share. */
  within: number;
}

const YEARS = 3;

const PAPERS: PaperRow[] = [
  {
    study: 'Free Factories, 48 nodes (2008)',
    row: 'total_usd',
    letters: ['A', 'B'],
    ours: ({ A, B }) => (B ?? NaN) - (A ?? NaN),
    theirs: (published) => published('plans.compare/A9') - published('plans.compare/A3-exact'),
    within: 1e-6,
  },
  {
    // Storage is $36,000 a year beside the instances.
    study: 'Free Factories, the two prototype clusters (2008)',
    row: 'total_usd',
    letters: ['B'],
    ours: ({ B }) => (B ?? NaN) / YEARS - 36_000,
    theirs: (published) => published('plans.compare/A16'),
    // Printed to the nearest $1,000.
    within: 0.005,
  },
  {
    study: 'FAWN: which node for which data',
    row: 'total_usd',
    letters: ['E'],
    ours: ({ E }) => E ?? NaN,
    theirs: (published) =>
      published('plans.compare/P-fawn-nodes') * published('plans.compare/P-fawn-tco'),
    within: 1e-6,
  },
  {
    // TeraSort takes 65.0% less time; the plan has whole servers.
    study: 'SeaMicro against i7',
    row: 'energy_kwh',
    letters: ['A', 'B'],
    ours: ({ A, B }) => (B ?? NaN) / (A ?? NaN),
    theirs: (published) => published('performance.cluster_job/C5') * (1 - 0.65),
    within: 0.002,
  },
  {
    // The day of the trace for three years, at a PUE of 1.4.
    study: 'Consolidating PlanetLab',
    row: 'energy_kwh',
    letters: ['A'],
    ours: ({ A }) => (A ?? NaN) / 1.4 / (YEARS * 365),
    theirs: (published) => published('consolidation.dynamic/NPA'),
    within: 1e-5,
  },
  {
    // The check is of 1 request a second, the example of 10.
    study: 'Disk arrays',
    row: 'array_mean_w',
    letters: ['A', 'B'],
    ours: ({ A, B }) => 1 - (B ?? NaN) / (A ?? NaN),
    theirs: (published) => published('storage.alternatives/S10'),
    // Printed as up to 80%.
    within: 0.02,
  },
];

/** The ids of the examples, by their titles. */
async function idsOf(page: Page): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { study } of PAPERS) {
    const link = page.getByRole('link', { name: study, exact: true });
    const href = (await link.getAttribute('href')) ?? '';
    ids.set(study, /studies\/([^/]+)/.exec(href)?.[1] ?? '');
  }
  return ids;
}

interface Answer {
  designs: { letter: string }[];
  rows: { id: string; label: string; values: Values }[];
}

/** The row as the API answers it, the name of the one below, and the columns of its designs. */
async function asked(page: Page, id: string, { row }: PaperRow) {
  const document = await page.request.get(`/api/v1/studies/${id}/document`);
  const params: unknown = await document.json();
  const response = await change(page, 'POST', 'evaluate?include=designs,rows', {
    model: 'plans.compare',
    params,
  });
  const { result } = (await response.json()) as { result: Answer };
  const at = result.rows.findIndex((one) => one.id === row);
  const [found, next] = result.rows.slice(at, at + 2);
  if (at < 0 || !found || !next) throw new Error(`${row} is not among the rows with one below.`);
  return {
    ...found,
    below: next.label,
    columns: result.designs.map(({ letter }) => letter),
  };
}

/** A cell of Compare: what it prints, and the full value that it tells on hover. */
async function shown(page: Page, label: string, column: number) {
  const line = page
    .getByRole('region', { name: 'Comparison of the designs' })
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: label, exact: true }) });
  const cell = line.getByRole('cell').nth(column);
  const exact = (await cell.getAttribute('title')) ?? '';
  return {
    text: plain(await cell.getByRole('button').first().innerText()),
    value: Number(exact.replace(/[^\d.]/g, '')),
  };
}

test('a row of each paper is the same on screen, in the API, in the PDF and in its check', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const expecting = published();
  // Tables alone are read: charts would be drawn for nothing.
  await page.route(/plotly-cartesian/, (route) => route.abort());
  await signIn(page);
  const ids = await idsOf(page);
  // The worker draws while the pages are read.
  const reports = new Map<string, string>();
  for (const [study, id] of ids) {
    const made = await change(page, 'POST', 'reports', {
      study: id,
      format: 'pdf',
      appendix: true,
    });
    reports.set(study, ((await made.json()) as { id: string }).id);
  }
  const expected = await expecting;
  const printed = new Map<string, RegExp[]>();
  for (const paper of PAPERS) {
    const id = ids.get(paper.study) ?? '';
    const { label, below, values, columns } = await asked(page, id, paper);
    const ours = paper.ours(values);
    const theirs = paper.theirs((check) => expected[check] ?? NaN);
    expect(Math.abs(ours / theirs - 1), `${paper.study}: check`).toBeLessThan(paper.within);

    await page.goto(`/studies/${id}/compare`);
    await page.getByRole('button', { name: 'More figures' }).click();
    printed.set(paper.study, []);
    for (const letter of paper.letters) {
      const { text, value } = await shown(page, label, columns.indexOf(letter));
      expect(value / (values[letter] ?? NaN), `${paper.study}, ${letter}: screen`).toBeCloseTo(
        1,
        6,
      );
      const line = `${literal(label)} (?:(?!${literal(below)}).){0,200}?${literal(text)}`;
      printed.get(paper.study)?.push(new RegExp(line));
    }
  }
  const files: Buffer[] = [];
  for (const { study } of PAPERS) files.push(await fileOf(page, reports.get(study) ?? ''));
  const texts = await textsOf(files);
  PAPERS.forEach(({ study, letters }, at) => {
    const lines = printed.get(study) ?? [];
    expect(lines).toHaveLength(letters.length);
    for (const line of lines) expect(texts[at], `${study}: PDF`).toMatch(line);
  });
  for (const report of reports.values()) await change(page, 'DELETE', `reports/${report}`);
});

// Papers that no study reproduces: a model's check, and a run of it.
const MODELS: readonly { model: string; check: string }[] = [
  { model: 'memory.power_policies_instant', check: 'M3 high IPD' },
  { model: 'storage.fs2', check: 'S17d' },
  { model: 'reliability.array_loss', check: 'S35' },
  { model: 'storage.ssd_cache', check: 'S24' },
];

interface Checked {
  check: string;
  title: string;
  unit: string;
  published: number;
  ours: number;
  ok: boolean;
  said: string;
}

test('a check of each paper without a study is the same on its page, in the API and in the PDF of a run', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const expecting = published();
  await signIn(page);
  const reports: string[] = [];
  for (const { model } of MODELS) {
    const run = await change(page, 'POST', 'runs', { model, params: {} });
    const { id } = (await run.json()) as { id: string };
    const address = `/api/v1/runs/${id}`;
    await expect
      .poll(
        async () =>
          (
            (await (await page.request.get(address)).json()) as {
              state: string;
            }
          ).state,
        { timeout: 60_000 },
      )
      .toBe('succeeded');
    const made = await change(page, 'POST', 'reports', {
      run: id,
      format: 'pdf',
    });
    reports.push(((await made.json()) as { id: string }).id);
  }
  const expected = await expecting;
  const lines: RegExp[] = [];
  for (const { model, check } of MODELS) {
    const response = await page.request.get(`/api/v1/models/${model}/checks`);
    const { results } = (await response.json()) as { results: Checked[] };
    const found = results.find((one) => one.check === check);
    if (!found) throw new Error(`${model} has no check ${check}.`);
    expect(found.ok, check).toBe(true);
    expect(found.published).toBe(expected[`${model}/${check}`]);

    await page.goto(`/method/models/${model}`);
    const row = page
      .getByRole('region', { name: 'Published checks' })
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: found.title }) });
    await expect(row).toContainText(found.said);
    const ours = row.getByRole('cell').nth(2);
    const exact = (await ours.getAttribute('title')) ?? '';
    const shown = Number(exact.replace(/[^\d.]/g, '')) / (exact.includes('%') ? 100 : 1);
    expect(shown / found.ours, `${check}: screen`).toBeCloseTo(1, 6);
    // Three digits on paper; shares as percent.
    const digits =
      found.unit === 'fraction'
        ? `${Math.round(100 * found.ours)}%`
        : found.ours.toPrecision(3).replace(/\.?0+$/, '');
    lines.push(new RegExp(`${literal(found.title)}.{0,300}?${literal(digits)}`));
  }
  const files: Buffer[] = [];
  for (const report of reports) files.push(await fileOf(page, report));
  const texts = await textsOf(files);
  lines.forEach((line, at) => {
    expect(texts[at], MODELS[at]?.model).toMatch(line);
  });
  for (const report of reports) await change(page, 'DELETE', `reports/${report}`);
});
