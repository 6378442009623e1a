import { expect, test, type Page } from '@playwright/test';
import { change } from '../change.ts';
import { signIn } from '../sign-in.ts';

let made = '';

test.afterEach(async ({ page }) => {
  if (made) await change(page, 'DELETE', `studies/${made}`);
  made = '';
});

const design = (page: Page, letter: string) =>
  page.locator(`section[aria-label^="Design ${letter},"]`);

interface Filled {
  letter: string;
  kind: string;
  list: string;
  words: string;
}

/** Adds a design and fills the first entry of its list from the catalogue. */
async function addFilled(page: Page, { letter, kind, list, words }: Filled): Promise<void> {
  await page.getByRole('button', { name: 'Add a design' }).click();
  await page.getByRole('menuitem', { name: new RegExp(`^${kind}`) }).click();
  const column = design(page, letter);
  await column.locator(`section[data-field="${list}"]`).getByRole('button').first().click();
  const first = column.locator(`section[data-field="${list}/0"]`);
  await first.getByRole('button').first().click();
  await first.getByRole('button', { name: 'Take from the catalogue' }).first().click();
  const dialog = page.getByRole('dialog', { name: /Take from the catalogue/ });
  await dialog.getByRole('searchbox').fill(words);
  await dialog.getByRole('button', { name: words }).first().click();
  await expect(column.getByText(/^Saved($| as typed)/)).toBeVisible();
}

test('a study of one’s own says how sure it is from the start', async ({ page }) => {
  await signIn(page);
  await page.getByRole('link', { name: 'New study' }).click();
  await page.getByRole('button', { name: 'Blank study' }).click();
  const dialog = page.getByRole('dialog', { name: 'New study' });
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Rent or own, from the catalogue');
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(page).toHaveURL(/\/studies\/[^/]+\/designs/);
  made = /studies\/([^/]+)/.exec(page.url())?.[1] ?? '';

  const parts = page.getByRole('radiogroup', { name: 'Part of the study' });
  await parts.getByText('Workload', { exact: true }).click();
  await page.getByLabel('Kind').first().selectOption('demand');
  await page.getByLabel('Busy cores, mean', { exact: true }).fill('600');
  await page.getByLabel('RAM in use', { exact: true }).fill('4000');
  await expect(page.getByText(/^Saved($| as typed)/)).toBeVisible();
  await parts.getByText('Designs', { exact: true }).click();
  await addFilled(page, {
    letter: 'A',
    kind: 'Cloud',
    list: '/instances',
    words: 'AWS m7a.4xlarge',
  });
  await addFilled(page, {
    letter: 'B',
    kind: 'Owned cluster',
    list: '/node_groups',
    words: 'Dual EPYC 9654 server',
  });

  // What was taken has the range of its source; typed over, it is a point.
  const price = design(page, 'B').locator('section[data-field="/node_groups/0/price"]');
  await price.getByRole('button').first().click();
  const about = price.getByRole('button', { name: 'About Price of a node' });
  const own = price.getByLabel('Price of a node', { exact: true });
  const taken = await own.inputValue();
  await expect(about).toHaveAttribute('title', /with a range/);
  await own.fill('50000');
  await expect(about).not.toHaveAttribute('title', /with a range/);
  await own.fill(taken);
  await expect(design(page, 'B').getByText(/^Saved($| as typed)/)).toBeVisible();

  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await expect(page.getByTestId('verdict')).toContainText('costs least');
  await expect(page.getByRole('region', { name: 'Verdict' })).toContainText('No single unknown');
  await expect(page.getByText(/of 10,000 simulations/).first()).toBeVisible();
  await expect(page.getByRole('slider')).toHaveCount(3);
});
