import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { expect, type Page } from '@playwright/test';
import { test } from '../second-browser.ts';
import { PYTHON, ROOT, signIn } from '../sign-in.ts';

const PORT = process.env.SAML_PORT ?? '';
const dora = `dora-${Date.now()}@example.org`;
let provider: ChildProcess;

test.beforeAll(async ({ baseURL }) => {
  const words = ['-m', 'accounts.tests.identity_provider', PORT, baseURL ?? ''];
  provider = spawn(PYTHON, words, { cwd: ROOT, stdio: ['pipe', 'pipe', 'inherit'] });
  if (provider.stdout) await once(provider.stdout, 'data');
});

test.afterAll(() => {
  provider.kill();
});

async function come(page: Page, who: object): Promise<void> {
  const body = JSON.stringify({ name: dora, attributes: { email: [dora] }, ...who });
  await fetch(`http://127.0.0.1:${PORT}/who`, { method: 'PUT', body });
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in with Corporate' }).click();
}

test('whom an identity provider has told of signs in by SAML, from another site', async ({
  page,
  secondBrowser,
}) => {
  test.slow();
  const guest = await secondBrowser();
  await come(guest, {});
  await expect(guest.getByRole('alert')).toContainText(`There is no account with ${dora}`);
  await come(guest, { audience: 'https://other.example' });
  await expect(guest.getByRole('alert')).toContainText('did not let you in');
  expect(new URL(guest.url()).search).toBe('');

  await signIn(page);
  await page.goto('/settings');
  await page.getByRole('textbox', { name: 'Name' }).last().fill('Provisioning');
  await page.getByLabel('provision', { exact: true }).check();
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const token = (await page.getByRole('status').locator('code').textContent()) ?? '';
  const scim = (method: string, path: string, data: object) =>
    guest.request.fetch(`/api/v1/scim/v2/${path}`, {
      method,
      data,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json' },
    });
  const made = await scim('POST', 'Users', { userName: dora });
  expect(made.status()).toBe(201);
  const { id } = (await made.json()) as { id: string };
  const group = await scim('POST', 'Groups', {
    displayName: `Planners ${id}`,
    members: [{ value: id }],
  });
  expect(group.status()).toBe(201);
  await page.goto('/settings');
  await page.getByLabel(`Role of the group Planners ${id}`).selectOption('Editor');
  await expect(page.getByLabel(`Role of ${dora}`)).toHaveValue('editor');

  await come(guest, {});
  await expect(guest.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect(guest).toHaveURL('/');
  const off = await scim('PATCH', `Users/${id}`, {
    Operations: [{ op: 'Replace', path: 'active', value: 'False' }],
  });
  expect(off.status()).toBe(200);
  await guest.goto('/settings');
  await expect(guest.getByRole('button', { name: 'Sign in with Corporate' })).toBeVisible();
});
