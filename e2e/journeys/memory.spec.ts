import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { change } from '../change.ts';
import { test } from '../second-browser.ts';
import { PYTHON, ROOT, signIn } from '../sign-in.ts';

const PASSWORD = 'correct horse battery staple';
const SLUG = `hourly-${Date.now()}`;

/** What everything here was done at becomes a month older. */
const AGE = `
from django.db import connection
from accounts.crossing import account_by_email
from common.tenancy import workspace
with workspace(account_by_email("planner@ampacity.local").workspace_id):
    cursor = connection.cursor()
    cursor.execute(
        "UPDATE runs_run SET created_at = created_at - interval '31 days' "
        "WHERE study_id = '{study}'"
    )
    cursor.execute(
        "UPDATE jobs_job SET submitted_at = submitted_at - interval '31 days' "
        "WHERE id IN (SELECT id FROM runs_run WHERE study_id = '{study}')"
    )
    print(cursor.rowcount)
`;

function aMonthPasses(study: string): void {
  const shell = ['-m', 'ops.shell', '--', PYTHON, `${ROOT}/backend/manage.py`, 'shell', '-c'];
  const code = AGE.replaceAll('{study}', study);
  const told = execFileSync(PYTHON, [...shell, code], {
    encoding: 'utf8',
  }).trim();
  expect(Number(told.split('\n').at(-1))).toBeGreaterThan(0);
}

/** The price of the workspace's own entry, as of a day. */
async function price(page: Page, usd_per_h: number, as_of: string): Promise<void> {
  const value = {
    value: usd_per_h,
    quality: 'published',
    source: 'Price list',
    as_of,
  };
  const values = { usd_per_h: value };
  const entry = {
    slug: SLUG,
    kind: 'instance',
    title: `Hourly ${SLUG}`,
    values,
  };
  const made = await change(page, 'POST', 'catalogue/entries', entry);
  if (!made.ok()) {
    const changed = await change(page, 'PATCH', `catalogue/entries/${SLUG}`, {
      values,
    });
    expect(changed.ok()).toBe(true);
  }
}

function newStudy(title: string): object {
  return {
    title,
    workload: { kind: 'demand', busy_cores_count: 40, ram_gib: 160 },
    assumptions: { horizon_months: 36 },
    draws_count: 0,
    ranges: [],
    designs: [
      {
        title: 'Own',
        kind: 'owned_cluster',
        spec: {
          node_groups: [
            {
              name: 'node',
              count: 10,
              cores_per_node_count: 16,
              ram_gib: 64,
              price: { kind: 'typed', unit_price_usd: 4000 },
              power: { kind: 'linear', idle_w: 150, peak_w: 300 },
            },
          ],
          staff_fte: 0.25,
        },
      },
      {
        title: 'Rent',
        kind: 'cloud',
        spec: {
          instances: [{ name: 'hourly', usd_per_h: 0.01, vcpu_count: 8, ram_gib: 32 }],
        },
        provenance: {
          '/instances/0/usd_per_h': {
            quality: 'published',
            source: 'Price list',
            as_of: '2026-06-01',
            entry: SLUG,
          },
        },
      },
    ],
  };
}

/** Invites somebody by mail as a viewer; returns the browser that followed the mailed link. */
async function viewerByMail(page: Page, open: () => Promise<Page>): Promise<Page> {
  const vera = `vera-${Date.now()}@example.org`;
  await page.goto('/settings');
  await page.getByLabel('Invite (email, optional)').fill(vera);
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('link', { name: 'messages are kept here' }).click();
  const message = page.locator('section', { hasText: `to ${vera}` }).getByRole('link');
  await expect(message).toBeVisible({ timeout: 30_000 });
  const second = await open();
  await second.goto((await message.getAttribute('href')) ?? '');
  await second.getByLabel('New password').fill(PASSWORD);
  await second.getByRole('button', { name: 'Create an account and join' }).click();
  await expect(second.getByText('viewer', { exact: true })).toBeVisible();
  return second;
}

/** What `ampacity study check` says of the study with its prices times a factor. */
function checked(url: string, token: string, slug: string, factor: number): number | null {
  const folder = mkdtempSync(join(tmpdir(), 'ampacity-check-'));
  const env = {
    ...process.env,
    AMPACITY_URL: url,
    AMPACITY_TOKEN: token,
    PYTHONPATH: `${ROOT}/clients/python`,
  };
  const cli = (...argv: string[]) =>
    spawnSync(PYTHON, ['-m', 'ampacity_client.cli', 'study', ...argv], {
      env,
      encoding: 'utf8',
    });
  const stored = join(folder, 'stored.json');
  const pulled = cli('pull', slug, '-o', stored);
  expect(pulled.status, pulled.stderr).toBe(0);
  const text = readFileSync(stored, 'utf8').replace(
    /"usd_per_h": ([0-9.]+)/g,
    (_all, usd: string) => `"usd_per_h": ${Number(usd) * factor}`,
  );
  const changed = join(folder, 'changed.json');
  writeFileSync(changed, text);
  return cli('check', changed, '--against', slug, '--limit', '5%').status;
}

test('what was approved a month ago is opened by who joined since; prices move it, and say so', async ({
  page,
  secondBrowser,
}) => {
  test.setTimeout(300_000);
  await signIn(page);
  await price(page, 0.01, '2026-06-01');
  const title = `Memory ${Date.now()}`;
  const made = await change(page, 'POST', 'studies', newStudy(title));
  expect(made.status()).toBe(201);
  const study = (await made.json()) as { id: string; slug: string };

  const another = `Twice as much ${Date.now()}`;
  const twice = { ...newStudy(another), question: 'What if there is twice as much?' };
  const workload = { kind: 'demand', busy_cores_count: 80, ram_gib: 160 };
  expect((await change(page, 'POST', 'studies', { ...twice, workload })).status()).toBe(201);

  // The first person approves it, a month before anything else happens.
  await page.goto(`/studies/${study.id}/history`);
  await page.getByLabel('Name', { exact: true }).fill('Budget 2027');
  await page.getByLabel('Why, or for what').fill('We rent.');
  await page.getByRole('button', { name: 'Approve as saved now' }).click();
  await expect(page.getByText('approved: Budget 2027')).toBeVisible({
    timeout: 30_000,
  });
  await expect(page.getByRole('row', { name: /approved: Budget 2027/ })).toContainText('B $');
  aMonthPasses(study.id);

  // A second person joins by a mailed link and opens it.
  const vera = await viewerByMail(page, secondBrowser);
  await vera.goto(`/studies/${study.id}/history`);
  await vera
    .getByRole('row', { name: /approved: Budget 2027/ })
    .getByRole('link')
    .click();
  await expect(vera.getByTestId('verdict')).toContainText('(B) costs least');
  await expect(vera.getByText('it cannot be changed')).toBeVisible();

  // A program is to be told when a verdict changes.
  await page.goto('/settings');
  const hooks = page.getByRole('region', { name: 'Webhooks' });
  const hook = `https://hook-${Date.now()}.example.org/ampacity`;
  await hooks.getByLabel('Address').fill(hook);
  await hooks.getByLabel('A run finished').uncheck();
  await hooks.getByRole('button', { name: 'Add a webhook' }).click();
  await hooks.getByRole('button', { name: 'I have it' }).click();
  await expect(hooks.getByText(hook)).toBeVisible();

  // Newer prices arrive; the list counts the study as stale before anybody decides.
  await price(page, 5, '2026-11-01');
  await page.goto('/');
  await page.getByRole('button', { name: /^[1-9][0-9]* Stale$/ }).click();
  await expect(page.getByRole('article').filter({ hasText: title })).toBeVisible();
  await page.goto(`/studies/${study.id}/history`);
  const stale = page.getByRole('region', { name: /^Stale/ });
  await expect(stale).toContainText('(A) costs least', { timeout: 30_000 });
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await stale.getByRole('button', { name: 'Take the prices' }).click();

  // History says why, by cause, to the second person too.
  await expect(async () => {
    await vera.goto(`/studies/${study.id}/history`);
    await expect(vera.getByRole('cell', { name: /^A \$/ })).toBeVisible({
      timeout: 3_000,
    });
  }).toPass({ timeout: 60_000 });
  const changed = vera.getByRole('region', { name: 'What changed' });
  await expect(changed.getByRole('row', { name: /price.*Prices/ })).toContainText('$0.01');

  // What was approved stands beside what the study says now.
  await vera.getByRole('link', { name: /^Beside the latest run.*Budget 2027/ }).click();
  await expect(vera.getByRole('region', { name: 'Left run', exact: true })).toContainText(
    '(B) costs least',
  );
  await expect(vera.getByRole('region', { name: 'Right run', exact: true })).toContainText(
    '(A) costs least',
  );
  await vera.getByRole('link', { name: 'All runs' }).click();

  // Both runs side by side, then one of them beside a run of another study.
  await vera.getByRole('link', { name: 'Side by side' }).click();
  const left = vera.getByRole('region', { name: 'Left run', exact: true });
  const right = vera.getByRole('region', { name: 'Right run', exact: true });
  await expect(left).toContainText('(B) costs least');
  await expect(right).toContainText('(A) costs least');
  expect((await new AxeBuilder({ page: vera }).analyze()).violations).toEqual([]);
  await left.getByLabel('Left study').selectOption({ label: another });
  await expect(left.getByRole('rowheader', { name: 'Own' })).toBeVisible();
  await expect(vera.getByRole('region', { name: 'What changed' })).toContainText('Busy cores');
  await expect(vera.getByRole('button', { name: 'Take the prices' })).toHaveCount(0);

  // The program was told of it.
  await page.goto('/settings');
  const row = page.getByRole('listitem').filter({ hasText: hook });
  await row.getByRole('button', { name: 'What was sent' }).click();
  await expect(row.getByRole('rowheader', { name: 'The verdict changed' })).toBeVisible({
    timeout: 30_000,
  });

  // In a pipeline, a change that costs too much fails, and one that costs nothing does not.
  const token = await change(page, 'POST', 'tokens', {
    title: 'pipeline',
    scopes: ['read', 'run', 'write'],
  });
  const { token: secret } = (await token.json()) as { token: string };
  const url = new URL('/', page.url()).href.replace(/\/$/, '');
  expect(checked(url, secret, study.slug, 0.001)).toBe(1);
  expect(checked(url, secret, study.slug, 1)).toBe(0);
});
