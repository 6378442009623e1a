import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { test } from '../second-browser.ts';
import { ROOT, signIn } from '../sign-in.ts';

const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '' } = process.env;
const carol = `carol-${Date.now()}@example.org`;
let provider: ChildProcess;

test.beforeAll(async ({ baseURL }) => {
  const words = [new URL(OIDC_ISSUER).port, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET];
  const command = [`${ROOT}/e2e/provider.mjs`, ...words, `${baseURL}/openid`];
  provider = spawn(process.execPath, command, {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (provider.stdout) await once(provider.stdout, 'data');
});

test.afterAll(() => {
  provider.kill();
});

async function come(page: Page, who: object): Promise<void> {
  const body = JSON.stringify({ sub: 'carol', email: carol, ...who });
  await fetch(`${OIDC_ISSUER}/who`, { method: 'PUT', body });
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in with Example' }).click();
}

test('somebody signs in by a provider once they are invited, and again', async ({
  page,
  secondBrowser,
}) => {
  test.slow();
  const guest = await secondBrowser();
  await come(guest, { email_verified: false });
  await expect(guest.getByRole('alert')).toContainText('has not confirmed that');
  await come(guest, { email_verified: true });
  await expect(guest.getByRole('alert')).toContainText(`There is no account with ${carol}`);
  expect(new URL(guest.url()).search).toBe('');
  const faults = await new AxeBuilder({ page: guest }).analyze();
  expect(faults.violations).toEqual([]);

  await signIn(page);
  await page.goto('/settings');
  await page.getByLabel('Invite (email, optional)').fill(carol);
  await page.getByRole('button', { name: 'Invite' }).click();
  await expect(page.getByRole('status').getByText(/A link is on its way/)).toBeVisible();

  await come(guest, { email_verified: true });
  await expect(guest.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect(guest).toHaveURL('/');
  await guest.goto('/settings');
  await expect(guest.getByText(carol).first()).toBeVisible();
  await guest.getByRole('button', { name: 'Sign out' }).click();
  // Leaving the page before it is said would end the request.
  await expect(guest.getByRole('button', { name: 'Sign in with Example' })).toBeVisible();
  await come(guest, { email_verified: true });
  await expect(guest.getByRole('navigation', { name: 'Main' })).toBeVisible();
});
