import { expect, test } from '@playwright/test';
import { change } from '../change.ts';
import { signIn } from '../sign-in.ts';

test('a better design is found in the catalogue, and added to the study', async ({ page }) => {
  await signIn(page);
  const example = page.getByRole('link', { name: 'Rent or own', exact: true });
  const id = /studies\/([^/]+)/.exec((await example.getAttribute('href')) ?? '')?.[1] ?? '';
  const copy = await change(page, 'POST', `studies/${id}/copy`);
  const { id: copyId } = (await copy.json()) as { id: string };

  await page.goto(`/studies/${copyId}/compare`);
  await page.getByRole('link', { name: 'Explore designs' }).click();
  const result = page.getByRole('region', { name: 'Result', exact: true });
  await expect(result).toContainText('costs least of', { timeout: 30_000 });
  // Each design of the study is held against the best.
  await expect(result.getByRole('listitem')).toHaveCount(5);
  const rows = page.getByRole('region', { name: 'Designs found', exact: true }).locator('tbody tr');
  await expect(rows.first()).toContainText('$');
  // Within limits, what an own site cannot hold is none to take.
  await page.getByText('Limits of the search').click();
  const limits = page.getByRole('form', { name: 'Limits of the search' });
  await limits.getByLabel('Power, kW').fill('1');
  await limits.getByLabel('Provider').selectOption({ label: 'Google Cloud' });
  await limits.getByRole('button', { name: 'Search' }).click();
  await expect(rows.first()).toContainText(/C4D|C4A|N2/i, { timeout: 30_000 });
  await limits.getByLabel('Power, kW').fill('');
  await limits.getByLabel('Provider').selectOption({ label: 'Any' });
  await limits.getByRole('button', { name: 'Search' }).click();
  await expect(result).toHaveText(/costs least of/);
  await rows.first().getByRole('button', { name: 'Add' }).click();
  await expect(result.getByRole('listitem')).toHaveCount(6, {
    timeout: 30_000,
  });
  await page.getByRole('link', { name: 'Compare', exact: true }).first().click();
  await expect(page.getByTestId('verdict')).toBeVisible();
  // What the search said of the cheapest design stands with the verdict.
  const best = page.getByRole('group', { name: 'Best of the catalogue' });
  await expect(best.locator('summary')).toContainText('the best');
  await change(page, 'DELETE', `studies/${copyId}`);
});
