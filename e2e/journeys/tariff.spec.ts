import { readFile } from 'node:fs/promises';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { change } from '../change.ts';
import { signIn } from '../sign-in.ts';

/** A rate as the U.S. database writes it: summer noons dear, power with a ratchet, two seasons. */
const WINTER = Array(24).fill(0) as number[];
const SUMMER = WINTER.map((_, hour) => (hour >= 12 && hour < 20 ? 1 : 0));
const MONTHS = Array.from({ length: 12 }, (_, month) => month);
const isSummer = (month: number) => month >= 5 && month < 9;
const RATE = {
  utility: 'Prairie Power',
  name: 'Large general service, time of use',
  energyratestructure: [
    [
      { max: 20000, rate: 0.09, unit: 'kWh' },
      { rate: 0.07, adj: 0.004 },
    ],
    [{ rate: 0.19 }],
  ],
  energyweekdayschedule: MONTHS.map((month) => (isSummer(month) ? SUMMER : WINTER)),
  energyweekendschedule: MONTHS.map(() => WINTER),
  flatdemandstructure: [[{ rate: 8.5 }], [{ rate: 14.25 }]],
  flatdemandmonths: MONTHS.map((month) => (isSummer(month) ? 1 : 0)),
  demandratchetpercentage: Array(12).fill(0.8),
  lookbackRange: 11,
  lookbackMonths: Array(12).fill(true),
  fixedchargefirstmeter: 120,
  fixedchargeunits: '$/month',
};

let made = '';

test.afterEach(async ({ page }) => {
  if (made) await change(page, 'DELETE', `studies/${made}`);
  made = '';
});

test('a tariff of one’s own goes from a file into the cost and the report', async ({ page }) => {
  test.setTimeout(240_000);
  await signIn(page);
  const studies = (await (await page.request.get('/api/v1/studies?limit=50')).json()) as {
    results: { id: string; title: string }[];
  };
  const example = studies.results.find(({ title }) => title === 'Rent or own');
  const copied = await change(page, 'POST', `studies/${example?.id}/copy`);
  const study = (await copied.json()) as { id: string; title: string };
  made = study.id;
  const parts = page.getByRole('radiogroup', { name: 'Part of the study' });
  const electricity = page.locator('section[data-field$="/electricity"]');

  // By hand: the kind is chosen, what it needs is asked for, and its defaults can be opened.
  await page.goto(`/studies/${made}/designs`);
  await parts.getByText('Assumptions', { exact: true }).click();
  await electricity.getByRole('button').first().click();
  await electricity.getByLabel('Kind').first().selectOption({ label: 'Tariff' });
  await expect(electricity.getByText('Required: enter a value.')).toBeVisible();
  await electricity.getByRole('textbox', { name: 'Tariff', exact: true }).fill('By hand');
  await expect(electricity.getByText('Required: enter a value.')).toHaveCount(0);
  await expect(page.getByText(/^Saved($| as typed)/).first()).toBeVisible();
  await electricity.getByRole('button', { name: /^Energy/ }).click();
  await electricity.getByRole('button', { name: /^Highest power of a month/ }).click();

  // From a file, into the same study.
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Imports' }).click();
  await page.getByLabel('File to import').setInputFiles({
    name: 'rate.json',
    mimeType: 'application/json',
    buffer: Buffer.from(JSON.stringify({ items: [RATE] })),
  });
  await expect(page).toHaveURL(/\/imports\/[0-9a-f-]{36}/);
  await page.getByLabel('Goes into').selectOption(made, { timeout: 60_000 });
  await page.getByRole('button', { name: 'Write it into the study' }).click();
  await expect(page).toHaveURL(new RegExp(`/studies/${made}/designs`), { timeout: 60_000 });
  await parts.getByText('Assumptions', { exact: true }).click();
  // What was open stays open.
  await expect(electricity.getByText(/rate\.json/).first()).toBeVisible();
  await expect(electricity.getByRole('textbox', { name: 'Tariff', exact: true })).toHaveValue(
    /Prairie Power/,
  );
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);

  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await expect(page.getByRole('rowheader', { name: 'Energy', exact: true })).toBeVisible({
    timeout: 60_000,
  });

  await page
    .getByRole('navigation', { name: 'Study' })
    .getByRole('link', { name: 'Report' })
    .click();
  await page.getByRole('button', { name: 'Create PDF' }).click();
  const link = page.getByRole('link', { name: 'Download' }).first();
  await expect(link).toBeVisible({ timeout: 60_000 });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  const file = await readFile(await download.path());
  expect(file.subarray(0, 5).toString()).toBe('%PDF-');
});
