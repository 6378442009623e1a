import { createHmac } from 'node:crypto';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { signIn, signInCode } from '../sign-in.ts';

const PASSWORD = 'correct horse battery staple';

/** RFC 6238, so many steps from now. */
function codeOf(secret: string, steps = 0): string {
  const bits = [...secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  const key = Buffer.from(bytes.map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const sum = createHmac('sha1', key).update(counter).digest();
  const at = (sum.at(-1) ?? 0) & 15;
  return String((sum.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

async function clean(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations).toEqual([]);
}

test('codes of an authenticator are turned on, asked for, and turned off', async ({ page }) => {
  test.slow();
  const email = `codes-${Date.now()}@example.org`;
  signInCode(email);
  await signIn(page, email);
  await page.goto('/settings');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await expect(page.getByText('The password is set.')).toBeVisible();

  await page.reload();
  const panel = page.getByRole('region', { name: /^One-time codes/ });
  await panel.getByLabel('Your password').fill(PASSWORD);
  await panel.getByRole('button', { name: 'Set up' }).click();
  await expect(panel.getByRole('img', { name: /QR code/ })).toBeVisible();
  await clean(page);
  const secret = (await panel.locator('code').textContent()) ?? '';
  await panel.getByLabel('Code that the app shows').fill('000000');
  await panel.getByRole('button', { name: 'Turn on' }).click();
  await expect(panel.getByText('The code is not right')).toBeVisible();
  await panel.getByLabel('Code that the app shows').fill(codeOf(secret, -1));
  await panel.getByRole('button', { name: 'Turn on' }).click();
  await expect(panel.getByRole('listitem')).toHaveCount(10);
  const recovery = await panel.getByRole('listitem').allTextContents();
  await clean(page);
  await panel.getByRole('button', { name: 'I have kept them' }).click();
  await expect(panel.getByText('Recovery codes left: 10.')).toBeVisible();

  const enter = async (code: string) => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
    await clean(page);
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
    await page.goto('/settings');
  };
  await enter(codeOf(secret));
  await enter(recovery[0] ?? '');
  await expect(panel.getByText('Recovery codes left: 9.')).toBeVisible();

  await panel.getByLabel('Your password').fill(PASSWORD);
  await panel.getByLabel('Code, or a recovery code').fill(recovery[1] ?? '');
  await panel.getByRole('button', { name: 'Turn off' }).click();
  await expect(panel.getByRole('button', { name: 'Set up' })).toBeVisible();
});

test('a security key is added, answers instead of a code, and is removed', async ({ browser }) => {
  test.slow();
  // Browsers make keys for names alone.
  const baseURL = (process.env.AMPACITY_URL ?? '').replace('127.0.0.1', 'localhost');
  const context = await browser.newContext({ baseURL });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'usb',
      automaticPresenceSimulation: true,
    },
  });
  const email = `keys-${Date.now()}@example.org`;
  await page.goto(`/sign-in#code=${signInCode(email)}`);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await page.goto('/settings');
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set the password' }).click();
  await expect(page.getByText('The password is set.')).toBeVisible();
  await page.reload();
  const panel = page.getByRole('region', { name: /^One-time codes/ });
  await panel.getByLabel('Your password').fill(PASSWORD);
  await panel.getByRole('button', { name: 'Set up' }).click();
  const secret = (await panel.locator('code').textContent()) ?? '';
  await panel.getByLabel('Code that the app shows').fill(codeOf(secret));
  await panel.getByRole('button', { name: 'Turn on' }).click();
  await expect(panel.getByRole('listitem')).toHaveCount(10);
  const recovery = await panel.getByRole('listitem').allTextContents();
  await panel.getByRole('button', { name: 'I have kept them' }).click();

  await panel.getByLabel('Your password').fill(PASSWORD);
  await panel.getByLabel('Code, or a recovery code').fill(recovery[0] ?? '');
  await panel.getByLabel('Name of a new key').fill('Blue key');
  await panel.getByRole('button', { name: 'Add a key' }).click();
  const row = panel.getByRole('row', { name: /Blue key/ });
  await expect(row).toContainText('not used yet');
  await clean(page);

  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Use your security key' })).toBeVisible();
  await clean(page);
  await page.getByRole('button', { name: 'Use your security key' }).click();
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();

  await page.goto('/settings');
  await expect(row).toContainText('last used');
  await panel.getByLabel('Your password').fill(PASSWORD);
  await panel.getByRole('button', { name: 'Use a key instead of a code' }).click();
  await expect(panel.getByLabel('Code, or a recovery code')).toHaveValue('answered by your key');
  await row.getByRole('button', { name: 'Remove Blue key' }).click();
  await expect(row).toHaveCount(0);
  await context.close();
});
