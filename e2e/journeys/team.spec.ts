import { expect, test, type Page } from '@playwright/test';
import { signIn } from '../sign-in.ts';

const PASSWORD = 'correct horse battery staple';

/** Opens a link that was shown, in a browser of its own. */
async function follow(page: Page, link: string): Promise<Page> {
  const browser = page.context().browser();
  if (!browser) throw new Error('no browser');
  const other = await (await browser.newContext()).newPage();
  await other.goto(link);
  return other;
}

/** The secret that the page shows once. */
async function shownLink(page: Page): Promise<string> {
  const line = page.getByRole('status').locator('code');
  await expect(line).toBeVisible();
  return (await line.textContent()) ?? '';
}

test('a second person joins by a link as viewer and opens what the first approved', async ({
  page,
}) => {
  const name = `Budget ${Date.now()}`;
  await signIn(page);
  await page
    .getByRole('link', { name: /Rent or own/ })
    .first()
    .click();
  await page.getByRole('link', { name: 'History' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Why, or for what').fill('Agreed with finance.');
  await page.getByRole('button', { name: 'Approve as saved now' }).click();
  await expect(page.getByRole('region', { name: 'Approved' }).getByText(name)).toBeVisible();
  const history = page.url();

  await page.getByRole('button', { name: 'Make a link' }).click();
  const guest = await follow(page, await shownLink(page));
  await expect(guest.getByTestId('verdict')).toContainText('cheapest', {
    timeout: 30_000,
  });

  await page.goto('/settings');
  await page.getByRole('button', { name: 'Invite' }).click();
  const second = await follow(page, await shownLink(page));
  await expect(second.getByRole('heading', { name: 'Join My workspace' })).toBeVisible();
  await second.getByLabel('Email').fill(`vera-${Date.now()}@example.org`);
  await second.getByLabel('New password').fill(PASSWORD);
  await second.getByRole('button', { name: 'Create an account and join' }).click();
  await expect(second.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect(second.getByText('viewer', { exact: true })).toBeVisible();

  await second.goto(history);
  const approved = second.getByRole('row', {
    name: new RegExp(`approved: ${name}`),
  });
  await approved.getByRole('link').click();
  await expect(second.getByText('it cannot be changed')).toBeVisible();
  await expect(second.getByTestId('verdict')).toContainText('cheapest');
});
