import { readFile } from 'node:fs/promises';
import { expect, test, type Locator, type Page } from '@playwright/test';
import { change } from '../change.ts';
import { signIn } from '../sign-in.ts';

let made = '';

test.afterEach(async ({ page }) => {
  if (made) await change(page, 'DELETE', `studies/${made}`);
  made = '';
});

/** Counts what a planner does. */
class Hand {
  clicks = 0;
  typed = 0;

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  /** Into a field: a click, and a value. */
  async type(target: Locator, text: string): Promise<void> {
    this.clicks += 1;
    this.typed += 1;
    await target.click();
    await target.fill(text);
  }
}

const amount = (page: Page, name: string) => page.getByLabel(name, { exact: true });

test('a study begun with its work has a verdict within 12 clicks and 8 values, a PDF within 14', async ({
  page,
}) => {
  await signIn(page);
  const hand = new Hand();
  await hand.click(page.getByRole('link', { name: 'New study' }));
  await expect(page.getByText('The verdict appears here.', { exact: false })).toBeVisible();
  await expect(page.locator('[aria-invalid="true"]')).toHaveCount(0);

  await hand.click(page.getByRole('button', { name: /^Web service/ }));
  await hand.type(amount(page, 'Busy cores, mean'), '300');
  await hand.type(amount(page, 'RAM in use'), '2 TiB');
  await hand.type(amount(page, 'Block storage'), '60 TB');
  await hand.type(amount(page, 'Object storage'), '200 TB');
  await hand.type(amount(page, 'Egress'), '40 TB');
  await hand.type(amount(page, 'Growth a year'), '30%');

  // AWS with a 3-year plan against own servers in colocation is what is chosen at first.
  await expect(page.getByTestId('verdict')).toContainText(/costs? |Too close to call/);
  const designs = page.getByRole('list', { name: 'Designs proposed' });
  await expect(designs).toContainText('AWS, 3-year plan');
  await expect(designs).toContainText('Own servers in colocation');
  await expect(page.getByText(/of 10,000/).first()).toBeVisible();

  await hand.click(page.getByRole('button', { name: 'Save and compare' }));
  await expect(page).toHaveURL(/\/studies\/[^/]+\/compare/);
  made = /studies\/([^/]+)/.exec(page.url())?.[1] ?? '';
  await expect(page.getByTestId('verdict')).toContainText(/costs? |Too close to call/);
  expect(hand.clicks).toBeLessThanOrEqual(12);
  expect(hand.typed).toBeLessThanOrEqual(8);
  await hand.click(page.getByRole('link', { name: 'Report' }).first());
  await hand.click(page.getByRole('button', { name: 'Create PDF' }));
  await hand.click(page.getByRole('link', { name: 'Download' }).first());
  expect(hand.clicks).toBeLessThanOrEqual(14);

  const { workload } = (await (await page.request.get(`/api/v1/studies/${made}`)).json()) as {
    workload: Record<string, unknown>;
  };
  expect(workload).toMatchObject({
    busy_cores_count: 300,
    ram_gib: 2048,
    block_tb: 60,
    object_tb: 200,
    egress_tb_per_month: 40,
    growth: { cores_fraction_per_year: 0.3, transfer_fraction_per_year: 0.3 },
  });
});

test('a backup and archive goes from an empty page to a verdict and its PDF', async ({ page }) => {
  await signIn(page);
  await page.goto('/studies/new');
  await page.getByRole('button', { name: /^Backup and archive/ }).click();
  await expect(amount(page, 'Archive')).toHaveValue('1,000');
  await amount(page, 'Archive').fill('2 PB');
  for (const name of ['Azure', 'Google Cloud']) await page.getByRole('checkbox', { name }).check();
  const designs = page.getByRole('list', { name: 'Designs proposed' });
  await expect(designs).toContainText('Google Cloud');
  await expect(designs.getByRole('listitem')).toHaveCount(4);
  await expect(page.getByTestId('verdict')).not.toBeEmpty();
  await page.getByRole('button', { name: 'Save and compare' }).click();
  await expect(page).toHaveURL(/\/studies\/[^/]+\/compare/);
  made = /studies\/([^/]+)/.exec(page.url())?.[1] ?? '';
  await expect(page.getByTestId('verdict')).not.toBeEmpty();
  await expect(page.getByRole('region', { name: 'Like-for-like check' })).toContainText(
    'no rule finds a difference in kind',
  );
  // No number is cut by the unit beside it.
  await page.getByRole('link', { name: 'Designs', exact: true }).click();
  const first = page.locator('section[aria-label^="Design A,"]');
  await first.locator('section[data-field="/storage"]').getByRole('button').first().click();
  const billed = first.getByLabel('Price of IOPS', { exact: true });
  await billed.fill('0.00525');
  const room = (input: HTMLInputElement) => input.clientWidth - input.scrollWidth;
  expect(await billed.evaluate(room)).toBeGreaterThanOrEqual(0);
  await page.goto(`/studies/${made}/report`);
  await page.getByRole('button', { name: 'Create PDF' }).click();
  const link = page.getByRole('link', { name: 'Download' }).first();
  await expect(link).toBeVisible({ timeout: 30_000 });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const file = await readFile(await download.path());
  expect(file.subarray(0, 5).toString()).toBe('%PDF-');
});

test('what was entered stays over a reload, and over going away and back', async ({ page }) => {
  await signIn(page);
  await page.goto('/studies/new');
  await page.getByRole('button', { name: /^Web service/ }).click();
  const values = () =>
    page.locator('main input, main select').evaluateAll((all) =>
      all.map((one) => {
        const { type, checked, value } = one as HTMLInputElement;
        return type === 'checkbox' ? String(checked) : value;
      }),
    );
  const fields = page.locator('main input[type=text]');
  const count = await fields.count();
  for (let at = 0; at < count; at += 1) await fields.nth(at).fill(String(30 + at));
  await page.getByLabel('Region: city, country or code').fill('Frankfurt am Main');
  await page.getByLabel('Currency').selectOption('EUR');
  await page.getByLabel('Horizon').selectOption('10');
  await page.getByLabel('Plan of AWS').selectOption('12');
  await page.getByRole('checkbox', { name: 'Azure' }).check();
  const entered = await values();
  expect(entered).toContain('Frankfurt am Main');
  await page.reload();
  await expect.poll(values).toEqual(entered);
  await page.getByRole('link', { name: 'Catalogue', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Catalogue' })).toBeVisible();
  await page.goBack();
  await expect.poll(values).toEqual(entered);
});

interface Held {
  workload: object;
  assumptions: object;
  designs: { id: string; kind: string; spec: object }[];
}

test('each finding of the like-for-like check is counted, or accepted with a reason', async ({
  page,
}) => {
  await signIn(page);
  await page.goto('/studies/new');
  await page.getByRole('button', { name: /^Web service/ }).click();
  await expect(page.getByTestId('verdict')).toContainText(/costs? |Too close to call/);
  await page.getByRole('button', { name: 'Save and compare' }).click();
  await expect(page).toHaveURL(/\/studies\/[^/]+\/compare/);
  made = /studies\/([^/]+)/.exec(page.url())?.[1] ?? '';
  const panel = page.getByRole('region', { name: 'Like-for-like check' });
  await expect(panel).toContainText('no rule finds a difference in kind');

  // Traffic between zones, which one site has not; spares that nobody counts.
  const study = (await (await page.request.get(`/api/v1/studies/${made}`)).json()) as Held;
  const workload = { ...study.workload, cross_zone_tb_per_month: 5 };
  await change(page, 'PATCH', `studies/${made}`, { workload });
  const own = study.designs.find(({ kind }) => kind === 'owned_cluster');
  await change(page, 'PATCH', `designs/${own?.id ?? ''}`, {
    spec: { ...own?.spec, spares_fraction_per_year: 0 },
  });
  await page.reload();
  await expect(panel).toContainText('2 findings are neither fixed nor accepted');
  await panel.getByRole('button', { name: 'See the check' }).click();
  await panel.getByRole('button', { name: 'Count it' }).click();
  await expect(panel).toContainText('1 finding is neither fixed nor accepted');
  await panel.getByRole('button', { name: 'Accept', exact: true }).click();
  await panel.getByLabel('Accepted, because').fill('One site is enough for this service');
  await panel.getByRole('button', { name: 'Accept', exact: true }).click();
  await expect(panel).toContainText('The one finding of the like-for-like check is accepted.');
  await expect(panel).toContainText('Accepted: One site is enough for this service');
  await page.reload();
  await panel.getByRole('button', { name: 'Reopen' }).click();
  await expect(panel).toContainText('1 finding is neither fixed nor accepted');
});

test('what is wrong is said beside the field that was touched', async ({ page }) => {
  await signIn(page);
  await page.goto('/studies/new');
  const ram = amount(page, 'RAM in use');
  await ram.fill('2 kW');
  await expect(ram).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByRole('alert')).toContainText('Enter an amount in GiB');
  await ram.fill('2 TiB');
  await expect(ram).not.toHaveAttribute('aria-invalid', 'true');
  // What a template says of GPUs beside their peak is seen, since clouds bill the mean.
  await page.getByRole('button', { name: /^GPU inference/ }).click();
  await expect(amount(page, 'GPUs, mean')).toHaveValue('8');
  await page.getByRole('button', { name: /^Web service/ }).click();
  // In another region and currency, and what the catalogue does not hold of it is said.
  // The place is named, and its currency taken, also while another value is refused.
  const pue = amount(page, 'PUE');
  await pue.fill('0.5');
  await amount(page, 'Region: city, country or code').fill('Frankfurt');
  await expect(page.getByText('= Frankfurt, Germany')).toBeVisible();
  await expect(page.getByLabel('Currency', { exact: true })).toHaveValue('EUR');
  await pue.fill('1.3');
  await expect(page.getByText('not held for eu-central-1 (Frankfurt)')).toBeVisible();
  await expect(page.getByTestId('verdict')).toContainText('€');
});
