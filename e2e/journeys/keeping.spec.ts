import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { signIn } from '../sign-in.ts';

/** What axe finds, and what is wider than the page. */
async function expectReachable(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.flatMap((rule) => rule.nodes.map((node) => node.html))).toEqual([]);
  const wider = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;
  expect(await page.evaluate(wider)).toBeLessThanOrEqual(0);
}

test('everything of a workspace moves elsewhere, is held against what happened, and is deleted after grace', async ({
  page,
}) => {
  test.slow();
  await signIn(page);
  await page.goto('/settings');
  const archives = page.getByRole('region', { name: 'Archive', exact: true });
  const made = archives.getByRole('list', { name: 'Archives made and read in' }).getByRole('link');
  const before = (await made.count()) > 0 ? await made.first().getAttribute('href') : null;
  await archives.getByRole('button', { name: 'Export everything' }).click();
  await expect(made.first()).not.toHaveAttribute('href', before ?? '', { timeout: 60_000 });
  const [download] = await Promise.all([page.waitForEvent('download'), made.first().click()]);
  const file = test.info().outputPath('workspace.zip');
  await download.saveAs(file);

  const mover = `mover-${Date.now()}@example.org`;
  await page.context().clearCookies();
  await signIn(page, mover);
  await page.goto('/settings');
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    archives.getByRole('button', { name: 'Read in an archive' }).click(),
  ]);
  await chooser.setFiles(file);
  await expect(archives.getByText(/^Brought: .*studies \d/)).toBeVisible({ timeout: 60_000 });

  await page.getByRole('link', { name: 'Studies', exact: true }).click();
  await page.getByRole('link', { name: 'Rent or own', exact: true }).click();
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByLabel('Name', { exact: true }).fill(`As moved ${Date.now()}`);
  await page.getByLabel('Why, or for what').fill('Agreed.');
  await page.getByRole('button', { name: 'Approve as saved now' }).click();
  const happened = page.getByRole('region', { name: 'Plan against what happened' });
  const first = happened.getByLabel('First month of the plan');
  await expect(first).toBeVisible({ timeout: 30_000 });
  const month = await first.inputValue();
  const [table] = await Promise.all([
    page.waitForEvent('filechooser'),
    // Charts above are still being drawn: a button that moves under the pointer is not pressed.
    happened.getByRole('button', { name: 'Read a CSV' }).press('Enter'),
  ]);
  const text = `month,cost_usd\n${month},1000\n`;
  await table.setFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await expect(happened.getByLabel('Cost (USD), row 1', { exact: true })).toHaveValue('1,000');
  await expect(
    happened.getByText(/1.month cost \$1\.00.k, [\d.]+% less than planned/).first(),
  ).toBeVisible();
  await expect(happened.getByRole('img').first()).toBeVisible();
  await expectReachable(page);

  await page.goto('/settings');
  const ends = page.getByRole('region', { name: 'Delete', exact: true });
  for (const what of ['workspace', 'account']) {
    const button = ends.getByRole('button', { name: `Delete the ${what}` });
    // Both come when they are known, in either order.
    const label = ends
      .locator('form')
      .filter({ has: page.getByRole('button', { name: `Delete the ${what}` }) })
      .getByText(/^Type .* to confirm$/);
    const name = ((await label.textContent()) ?? '').replace(/^Type | to confirm$/g, '');
    await ends.getByLabel(`Type ${name} to confirm`).fill('something else');
    await expect(button).toBeDisabled();
    await ends.getByLabel(`Type ${name} to confirm`).fill(name);
    await button.click();
    await expect(ends.getByText(/will be deleted on \d+ \w+ \d{4}\./).first()).toBeVisible();
    if (what === 'workspace') continue;
    await expectReachable(page);
  }
  for (const what of ['workspace', 'account']) {
    await ends.getByRole('button', { name: `Keep the ${what}` }).click();
    await expect(ends.getByRole('button', { name: `Delete the ${what}` })).toBeVisible();
  }
});
