import { expect, type Page } from '@playwright/test';
import { test } from '../second-browser.ts';
import { signIn, signInCode } from '../sign-in.ts';

const PASSWORD = 'correct horse battery staple';

/** Opens a link that was shown, in a browser of its own. */
async function follow(open: () => Promise<Page>, link: string): Promise<Page> {
  const other = await open();
  await other.goto(link);
  return other;
}

/** The secret that the page shows once. */
async function shownLink(page: Page): Promise<string> {
  const line = page.getByRole('status').locator('code');
  await expect(line).toBeVisible();
  return (await line.textContent()) ?? '';
}

test('a second person joins by a mailed link as viewer and opens what the first approved', async ({
  page,
  secondBrowser,
}) => {
  // Three browsers and two people, one after the other.
  test.slow();
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
  const approvals = page.getByRole('region', { name: 'Approved' });
  await expect(approvals.getByText(name, { exact: true })).toBeVisible();
  const history = page.url();

  await page.getByRole('button', { name: 'Make a link' }).click();
  const guest = await follow(secondBrowser, await shownLink(page));
  await expect(guest.getByTestId('verdict')).toContainText('costs least', {
    timeout: 30_000,
  });

  await page.goto('/settings');
  const vera = `vera-${Date.now()}@example.org`;
  await page.getByLabel('Invite (email, optional)').fill(vera);
  await page.getByRole('button', { name: 'Invite' }).click();
  await expect(page.getByRole('status').getByText(/A link is on its way/)).toBeVisible();
  await page.getByRole('link', { name: 'messages are kept here' }).click();
  const message = page.locator('section', { hasText: `to ${vera}` }).getByRole('link');
  await expect(message).toBeVisible({ timeout: 15_000 });
  const second = await follow(secondBrowser, (await message.getAttribute('href')) ?? '');
  await expect(second.getByRole('heading', { name: 'Join My workspace' })).toBeVisible();
  await expect(second.getByLabel('Email')).toHaveValue(vera);
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
  await expect(second.getByTestId('verdict')).toContainText('costs least');
});

test('a forgotten password is replaced by a mailed link', async ({ page, secondBrowser }) => {
  const forgetful = `forgetful-${Date.now()}@example.org`;
  signInCode(forgetful);
  await signIn(page);
  const guest = await follow(secondBrowser, new URL('/', page.url()).href);
  await guest.getByRole('button', { name: 'Forgot your password?' }).click();
  await guest.getByLabel('Email').fill(forgetful);
  await guest.getByRole('button', { name: 'Mail me a link' }).click();
  await expect(guest.getByRole('status')).toContainText('a link is on its way');
  await page.goto('/mail');
  const message = page
    .locator('section', { hasText: `to ${forgetful}` })
    .first()
    .getByRole('link');
  await expect(message).toBeVisible({ timeout: 15_000 });
  await guest.goto((await message.getAttribute('href')) ?? '');
  await guest.getByLabel('New password').fill(PASSWORD);
  await guest.getByRole('button', { name: 'Save and sign in' }).click();
  await expect(guest.getByRole('navigation', { name: 'Main' })).toBeVisible();
});
