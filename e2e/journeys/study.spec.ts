import { expect, test, type Page } from '@playwright/test';
import { change } from '../change.ts';
import { signIn } from '../sign-in.ts';

const copies: string[] = [];

/** A copy of the example of now, so that a journey may change what it likes. */
async function openCopy(page: Page): Promise<void> {
  await signIn(page);
  const example = page.getByRole('link', { name: 'Rent or own', exact: true });
  const id = /studies\/([^/]+)/.exec((await example.getAttribute('href')) ?? '')?.[1] ?? '';
  const copy = await change(page, 'POST', `studies/${id}/copy`);
  const { id: copyId } = (await copy.json()) as { id: string };
  copies.push(copyId);
  await page.goto(`/studies/${copyId}/compare`);
  await expect(page.getByTestId('verdict')).toBeVisible();
}

test.afterEach(async ({ page }) => {
  for (const id of copies.splice(0)) await change(page, 'DELETE', `studies/${id}`);
});

const verdict = (page: Page) => page.getByTestId('verdict');
const design = (page: Page, letter: string) =>
  page.locator(`section[aria-label^="Design ${letter},"]`);

test('a changed price moves the verdict, and the change is saved', async ({ page }) => {
  await openCopy(page);
  const before = await verdict(page).textContent();

  await page.getByRole('link', { name: 'Designs', exact: true }).click();
  const own = design(page, 'D');
  await own.getByLabel('Part prices', { exact: true }).fill('2');
  await expect(own.getByText(/^Saved($| as typed)/)).toBeVisible();

  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await expect(verdict(page)).not.toHaveText(before ?? '');
  await page.reload();
  await expect(verdict(page)).toBeVisible();
  await expect(verdict(page)).not.toHaveText(before ?? '');
});

test('a slider moves the answer while it is held, and the address keeps it', async ({ page }) => {
  await openCopy(page);
  const cost = page.locator('tbody tr').first();
  const before = await cost.textContent();
  const slider = page.getByRole('slider').first();
  await slider.focus();
  for (let presses = 0; presses < 15; presses += 1) await slider.press('ArrowRight');
  await expect(page.getByText('One input is moved')).toBeVisible();
  await expect(cost).not.toHaveText(before ?? '');
  await expect(page).toHaveURL(/x=/);

  await page.goto(page.url());
  await expect(page.getByText('One input is moved')).toBeVisible();
  await expect(cost).not.toHaveText(before ?? '');
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(cost).toHaveText(before ?? '');
});

test('a number opens its formula, its inputs and their sources', async ({ page }) => {
  await openCopy(page);
  await page.getByRole('button', { name: /^Present value, 3 years/ }).click();
  const row = page.getByRole('row', { name: /^Staff owned/ });
  await row.getByRole('button').first().click();
  const panel = page.getByRole('dialog');
  await expect(panel).toContainText('staff = (people');
  await expect(panel).toContainText('published checks hold');
  await panel.getByRole('link', { name: 'Go to the input' }).first().click();
  await expect(page).toHaveURL(/\/designs\?/);
  await expect(page.getByLabel('Operations', { exact: true }).first()).toBeVisible();
});

test('one design is edited at a time, or all side by side', async ({ page }) => {
  await openCopy(page);
  await page.getByRole('link', { name: 'Designs', exact: true }).click();
  const shown = page.getByRole('group', { name: 'Design shown' });
  await shown.getByTitle('Own, colocated').click();
  await expect(design(page, 'D')).toBeVisible();
  await expect(design(page, 'A')).toBeHidden();
  // Groups at their defaults are one, which names them; found by a search, they are open.
  const more = design(page, 'D').getByRole('button', { name: /^More/ });
  await expect(more).toHaveAttribute('aria-expanded', 'false');
  await page.getByRole('searchbox', { name: 'Find an input' }).fill('tiers');
  await expect(more).toHaveAttribute('aria-expanded', 'true');
  await page.getByRole('searchbox', { name: 'Find an input' }).fill('');
  await shown.getByRole('button', { name: 'Side by side' }).click();
  await expect(design(page, 'A')).toBeVisible();
  await expect(design(page, 'D')).toBeVisible();
});

test('a draft survives a lost connection and a reload', async ({ page, context }) => {
  await openCopy(page);
  await page.getByRole('link', { name: 'Designs', exact: true }).click();
  const own = design(page, 'D');
  const people = own.getByLabel('Operations', { exact: true });
  await expect(people).toBeVisible();

  await context.setOffline(true);
  await people.fill('3.25');
  await expect(own.getByText('Kept here, not saved yet')).toBeVisible();
  await expect(page.getByText(/No connection/)).toBeVisible();
  await context.setOffline(false);
  await expect(own.getByText(/^Saved($| as typed)/)).toBeVisible();

  // Reloaded before the pause after which a draft is sent.
  await people.fill('3.5');
  await page.reload();
  await expect(people).toHaveValue('3.5');
  await expect(own.getByText(/^Saved($| as typed)/)).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await expect(people).toHaveValue('3.5');
});

test('a fault stands beside its field, as the server words it', async ({ page }) => {
  await openCopy(page);
  await page.getByRole('link', { name: 'Designs', exact: true }).click();
  const own = design(page, 'D');
  const people = own.getByLabel('Operations', { exact: true });
  for (const wrong of ['two', '-1', '1e300']) {
    await people.fill(wrong);
    await expect(people).toHaveAttribute('aria-invalid', 'true');
    await expect(people).toHaveValue(wrong);
  }
  await expect(
    own.getByText('Saved as typed, with 1 value to correct', { exact: true }),
  ).toBeVisible();
  await people.fill('2');
  await expect(people).not.toHaveAttribute('aria-invalid', 'true');
});

test('two tabs on one design: keep mine keeps what I changed, only that', async ({
  page,
  context,
}) => {
  await openCopy(page);
  await page.getByRole('link', { name: 'Designs', exact: true }).click();
  const field = (tab: Page, label: string) => design(tab, 'D').getByLabel(label, { exact: true });
  const saved = (tab: Page) => design(tab, 'D').getByText(/^Saved($| as typed)/);
  await expect(field(page, 'Operations')).toBeVisible();
  const other = await context.newPage();
  await other.goto(page.url());
  await field(other, 'Operations').fill('4');
  await field(other, 'Spares').fill('7');
  await expect(saved(other)).toBeVisible();
  await other.close();

  await field(page, 'Operations').fill('5');
  const dialog = page.getByRole('dialog', { name: /was changed elsewhere/ });
  await expect(dialog).toContainText('Operations');
  await expect(dialog).not.toContainText('Spares');
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(field(page, 'Operations')).toHaveValue('5');
  await expect(field(page, 'Spares')).toHaveValue('7');
});
