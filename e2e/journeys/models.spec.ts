import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { signIn } from '../sign-in.ts';

async function openModel(page: Page, id: string): Promise<void> {
  await signIn(page);
  await page.goto(`/method/models/${id}`);
  await expect(page.getByRole('heading', { name: 'Try it' })).toBeVisible();
}

async function hasNoFaults(page: Page): Promise<void> {
  const found = await new AxeBuilder({ page }).include('[aria-labelledby="try-title"]').analyze();
  expect(found.violations.map(({ id }) => id)).toEqual([]);
}

const modes = (page: Page) => page.getByRole('region', { name: 'Modes, table' });

test('the answer of a model follows its inputs, which its address keeps', async ({ page }) => {
  await openModel(page, 'performance.interrupt_model');
  // Vasudevan 2010, section 5.2.3: 23,000 reads a second by interrupts on the Atom.
  await expect(modes(page).getByRole('row', { name: /Interrupt/ })).toContainText('23,000');

  await page.getByLabel('Published case').selectOption({
    label: 'Atom N450, deferral of 200 us and the tuned path',
  });
  await expect(modes(page).getByRole('row', { name: /Defer/ })).toContainText(/35,50\d/);
  await page.getByLabel('Cores', { exact: true }).fill('2');
  await expect(modes(page).getByRole('row', { name: /Defer/ })).not.toContainText(/35,50\d/);
  await expect(page).toHaveURL(/cores_count/);
  await hasNoFaults(page);

  const answer = await modes(page).innerText();
  await page.reload();
  await expect(modes(page)).toHaveText(answer, { useInnerText: true });

  await page.getByLabel('Cores', { exact: true }).fill('0');
  await expect(page.getByText('Enter at least 1.').first()).toBeVisible();
});

test('a model that takes longer is run, and its answer is a table and a chart', async ({
  page,
}) => {
  await openModel(page, 'reliability.replica_placement');
  await page.getByLabel('Published case').selectOption({
    label: 'A run of 2,832 sectors, the replica beside its block: lost',
  });
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const strategies = page.getByRole('region', { name: 'Strategies, table' });
  // All blocks of a run but the last are followed by a bad one.
  await expect(strategies.getByRole('row', { name: /Same track/ })).toContainText('99.7%');
  await expect(strategies.getByRole('row', { name: /Few cylinders/ })).toContainText('0%');
  await expect(page.getByText('Chart of Strategies', { exact: true })).toBeVisible();
  await hasNoFaults(page);
});
