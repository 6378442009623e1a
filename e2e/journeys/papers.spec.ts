import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test, type Page } from '@playwright/test';
import { change } from '../change.ts';
import { PYTHON, ROOT, signIn } from '../sign-in.ts';

type Values = Record<string, number>;
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
    within: 1e-5,
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
    theirs: (published) => published('plans.compare/P-array'),
    within: 0.003,
  },
];

/** What a program says, while the pages are read. */
async function python(folder: string, code: string, input = ''): Promise<string> {
  const running = promisify(execFile)(PYTHON, ['-c', code], {
    cwd: `${ROOT}/${folder}`,
    maxBuffer: 2 ** 26,
  });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

/** What the registered checks of all models expect, as they stand in the code. */
async function published(): Promise<Values> {
  const code =
    'import json; from capmodels.registry import all_models; ' +
    'found = {f"{spec.id}/{one.id}": one.published for spec in all_models() for one in spec.checks}; ' +
    'print(json.dumps(found))';
  return JSON.parse(await python('worker', code)) as Values;
}

/** The text of each PDF, read by one program. */
async function textsOf(files: readonly Buffer[]): Promise<string[]> {
  const code =
    'import base64, json, sys; from reports.testing.pdf_reading import text_of; ' +
    'print(json.dumps([text_of(base64.b64decode(one)) for one in json.load(sys.stdin)]))';
  const sent = JSON.stringify(files.map((file) => file.toString('base64')));
  const texts = JSON.parse(await python('backend', code, sent)) as string[];
  return texts.map(plain);
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

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
  const response = await change(page, 'POST', 'evaluate', {
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

/** Waits for the worker, and takes what it made. */
async function fileOf(page: Page, report: string): Promise<Buffer> {
  const address = `/api/v1/reports/${report}`;
  await expect
    .poll(
      async () => ((await (await page.request.get(address)).json()) as { state: string }).state,
      {
        timeout: 60_000,
      },
    )
    .toBe('succeeded');
  return (await page.request.get(`${address}/file`)).body();
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
