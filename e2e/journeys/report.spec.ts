import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { change } from '../change.ts';
import { signIn } from '../sign-in.ts';

test('a PDF is made by a worker, its progress is seen, and it is a PDF', async ({ page }) => {
  await signIn(page);
  await page.getByRole('link', { name: 'Rent or own', exact: true }).click();
  await page
    .getByRole('navigation', { name: 'Study' })
    .getByRole('link', { name: 'Report' })
    .click();
  await page.getByText('Letter').click();
  await page.getByRole('button', { name: 'Create PDF' }).click();
  const link = page.getByRole('link', { name: 'Download' }).first();
  await expect(link).toBeVisible({ timeout: 30_000 });
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toMatch(/\.pdf$/);
  const file = await readFile(await download.path());
  expect(file.subarray(0, 5).toString()).toBe('%PDF-');
  expect(file.length).toBeGreaterThan(20_000);

  page.once('dialog', (dialog) => {
    expect(dialog.message()).toContain('deleted for good');
    void dialog.accept();
  });
  const reports = page.getByRole('region', { name: 'Reports' });
  const before = await reports.getByRole('button', { name: /^Remove/ }).count();
  await reports
    .getByRole('button', { name: /^Remove/ })
    .first()
    .click();
  await expect(reports.getByRole('button', { name: /^Remove/ })).toHaveCount(before - 1);
});

test('a run is stored, and asked again it is answered from the store', async ({ page }) => {
  await signIn(page);
  await page.getByRole('link', { name: 'Free Factories, 48 nodes (2008)' }).click();
  await page
    .getByRole('navigation', { name: 'Study' })
    .getByRole('link', { name: 'Report' })
    .click();
  const runs = page.getByRole('region', { name: 'Stored runs' });
  await runs.getByRole('button', { name: 'Run now' }).click();
  await expect(runs.getByText('done').first()).toBeVisible({ timeout: 30_000 });
  await runs.getByRole('button', { name: 'Run now' }).click();
  await expect(runs.getByText('answered from an earlier run').first()).toBeVisible();

  // However long a headline is, the page keeps within the window, on a phone too.
  for (const width of [1400, 420]) {
    await page.setViewportSize({ width, height: 900 });
    const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(scrolled).toBeLessThanOrEqual(width);
    const card = await runs.boundingBox();
    const link = await runs.getByRole('link', { name: 'CSV' }).first().boundingBox();
    expect((link?.x ?? 0) + (link?.width ?? 0)).toBeLessThanOrEqual(
      (card?.x ?? 0) + (card?.width ?? 0),
    );
  }
  const models = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Method' });
  const place = await models.boundingBox();
  expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThanOrEqual(420);
  // So does the table of runs of History, with what it says to readers of the screen.
  await page
    .getByRole('navigation', { name: 'Study' })
    .getByRole('link', { name: 'History' })
    .click();
  await expect(page.getByRole('button', { name: /^Remove the run/ }).first()).toBeAttached();
  const scrolled = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(scrolled).toBeLessThanOrEqual(420);
});

test('an address that cannot be copied is offered selected', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
  });
  await signIn(page);
  await page.goto('/tools/arrays');
  await page.getByRole('button', { name: 'Share' }).click();
  const field = page.getByRole('dialog').getByLabel('Address');
  await expect(field).toHaveValue(/\/arrays/);
  expect(
    await field.evaluate((input: HTMLInputElement) =>
      input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0),
    ),
  ).toMatch(/\/arrays/);
});

test('a study leaves as a file and comes back the same', async ({ page }) => {
  await signIn(page);
  await page.getByRole('button', { name: 'Actions for Rent or own', exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'Export as YAML' }).click(),
  ]);
  const path = await download.path();
  const before = await readFile(path, 'utf8');
  await page.getByLabel('Study file').setInputFiles({
    name: 'study.yaml',
    mimeType: 'application/yaml',
    buffer: Buffer.from(before),
  });
  await expect(page).toHaveURL(/\/compare/);
  await expect(page.getByTestId('verdict')).toBeVisible();
  const id = /studies\/([^/]+)/.exec(page.url())?.[1] ?? '';
  const again = await page.request.get(`/api/v1/studies/${id}/export?as=yaml`);
  const after = await again.text();
  const withoutSlug = (text: string) => text.replace(/^ +slug: .*$/m, '');
  expect(withoutSlug(after)).toBe(withoutSlug(before));
  await change(page, 'DELETE', `studies/${id}`);
});
