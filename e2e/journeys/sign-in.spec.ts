import { expect } from '@playwright/test';
import { test } from '../second-browser.ts';
import { signIn, signInCode } from '../sign-in.ts';

test('the link of the start signs in once and leaves no code behind', async ({
  page,
  secondBrowser,
}) => {
  const code = signInCode();
  await page.goto(`/sign-in#code=${code}`);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect(page).toHaveURL('/');

  const stranger = await secondBrowser();
  await stranger.goto(`/sign-in#code=${code}`);
  await expect(stranger.getByRole('alert')).toBeVisible();
});

test('eight example studies are there on the first start', async ({ page }) => {
  await signIn(page);
  for (const title of [
    'Free Factories, 48 nodes (2008)',
    'Free Factories, the two prototype clusters (2008)',
    'Rent or own',
    'SeaMicro against i7',
    'FAWN: which node for which data',
    'Consolidating PlanetLab',
    'A cluster of 2026, sized for a key-value load',
    'Disk arrays',
  ]) {
    await expect(page.getByText(title, { exact: true }).first()).toBeVisible();
  }
});
