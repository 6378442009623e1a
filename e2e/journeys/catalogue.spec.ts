import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { signIn } from '../sign-in.ts';

test('the catalogue is sorted, narrowed, compared, and takes own entries', async ({ page }) => {
  test.setTimeout(120_000);
  await signIn(page, 'catalogue@ampacity.local');
  await page.goto('/catalogue?kind=instance');
  const table = page.getByRole('region', { name: 'Catalogue entries' });
  await expect(table.getByRole('columnheader', { name: /^vCPU/ })).toBeVisible();
  await expect(table.getByRole('columnheader', { name: /^Region/ })).toBeVisible();
  await expect(page.getByText(/^Prices of Jul 2026 \(\d+\)/)).toBeVisible();
  const kinds = page.getByRole('navigation', { name: 'Kinds of entries' });
  await expect(kinds.getByRole('button', { name: /^Server/ })).toBeVisible();
  await expect(kinds.getByRole('button', { name: /^(Coefficient|Shape)/ })).toHaveCount(0);

  const price = table.getByRole('columnheader', { name: /^Price/ });
  await price.getByRole('button').click();
  await expect(price).toHaveAttribute('aria-sort', 'ascending');
  await price.getByRole('button').click();
  await expect(price).toHaveAttribute('aria-sort', 'descending');
  await page.getByLabel('Provider or vendor').selectOption('azure');
  await page.getByLabel('Cores or vCPU, at least').fill('32');
  await expect(table.getByRole('row', { name: /AWS/ })).toHaveCount(0);
  await expect(table.getByRole('row').nth(1)).toContainText('Azure ND96isr_H100_v5');

  await page.getByLabel('Compare Azure D96as_v6').check();
  await page.getByLabel('Compare Azure D64as_v6').check();
  await page.getByRole('button', { name: 'Compare 2' }).click();
  const beside = page.getByRole('dialog', { name: 'Compare 2 entries' });
  await expect(beside.getByRole('row', { name: /^vCPU/ })).toContainText('96');
  await beside.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: /network_gbit_per_s/ }).uncheck();
  await page.keyboard.press('Escape');
  await expect(table.getByRole('columnheader', { name: /^Network/ })).toHaveCount(0);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await page.getByRole('button', { name: 'From a table' }).click();
  const from = page.getByRole('dialog', { name: /^Entries from a table/ });
  await from
    .getByRole('textbox', { name: /^Table/ })
    .fill('title,vcpu_count,usd_per_h\n,many,1\nB,x,y\n');
  await from.getByRole('button', { name: 'Add these entries' }).click();
  await expect(from.getByRole('list', { name: 'Errors' }).getByRole('listitem')).toHaveCount(3);
  await expect(from.getByText('Line 3, usd_per_h: Enter a number')).toBeVisible();
  await from
    .getByRole('textbox', { name: /^Table/ })
    .fill('title,vcpu_count,usd_per_h,source\nOur cloud large,64,1.5,Quote 17\n');
  await from.getByRole('button', { name: 'Add these entries' }).click();
  await expect(from.getByText('1 added, 0 changed.')).toBeVisible();
  await from.getByRole('button', { name: 'Close' }).first().click();
  await page.reload();
  await page.getByLabel('Whose entries').selectOption('true');
  await page.getByRole('button', { name: 'Our cloud large' }).click();
  const drawer = page.getByRole('dialog', {
    name: 'Our cloud large',
    exact: true,
  });
  await expect(drawer).toContainText('Quote 17');
  await drawer.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit Our cloud large' });
  await form.getByLabel('Value of usd_per_h').fill('1.25');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toHaveCount(0);
  await expect(drawer).toContainText('1.25');
  page.once('dialog', (asked) => void asked.accept());
  await drawer.getByRole('button', { name: 'Delete' }).click();
  await expect(page.getByText('Nothing in the catalogue fits.')).toBeVisible();

  await page.getByLabel('Whose entries').selectOption('');
  await page.getByRole('searchbox', { name: 'Search the catalogue' }).fill('staff');
  await page
    .getByText('Nothing of this kind fits.')
    .getByRole('button', { name: /^Staff/ })
    .click();
  await expect(kinds.getByRole('button', { name: /^Staff/ })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await expect(table.getByRole('row').nth(1)).toBeVisible();
});
