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
});

test('a study leaves as a file and comes back the same', async ({ page }) => {
  await signIn(page);
  await page.getByRole('button', { name: 'Actions for Rent or own', exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export as YAML' }).click(),
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
