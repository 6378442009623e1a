import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { signIn } from '../sign-in.ts';

async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await new AxeBuilder({ page }).analyze();
  return found.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html}`));
}

async function addresses(page: Page): Promise<[name: string, path: string, ready: string][]> {
  await signIn(page);
  const href = await page
    .getByRole('link', { name: 'Rent or own', exact: true })
    .getAttribute('href');
  const study = (href ?? '').replace(/\/compare$/, '');
  return [
    ['studies', '/', 'article'],
    ['compare', `${study}/compare`, '[data-chart] .main-svg'],
    ['designs', `${study}/designs`, 'section[aria-label^="Design A"]'],
    ['assumptions', `${study}/designs?part=assumptions`, '[data-field="/pue"]'],
    ['report', `${study}/report`, '#reports-title'],
    ['tools', '/tools', 'main li'],
    ['node map', '/tools/nodes', '[data-chart] .main-svg'],
    ['scaling', '/tools/scaling', '[data-chart] .main-svg'],
    ['memory', '/tools/memory', '[data-chart] .main-svg'],
    ['workload advice', '/tools/advice', '[data-testid="answer"] strong'],
    ['device trends', '/tools/trends', '[data-chart] .main-svg'],
    ['arrays', '/tools/arrays', 'main h1'],
    ['traces', '/traces', 'main h1'],
    ['catalogue', '/catalogue?entry=aws-m7a-8xlarge', '[role=dialog] dl, [role=dialog] [title]'],
    ['models', '/models', 'main li'],
    ['model', '/models/cost.owned_vs_cloud', 'main table'],
    ['settings', '/settings', '#tokens-title'],
  ];
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no screen has a fault of access, ${colorScheme}`, async ({ page }) => {
    test.setTimeout(180_000);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const [name, path, ready] of await addresses(page)) {
      await page.goto(path);
      await page.locator(ready).first().waitFor({ state: 'attached' });
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
      expect.soft(await violations(page), name).toEqual([]);
    }
  });
}

test('the theme that was chosen stays', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await signIn(page);
  await page.getByRole('button', { name: 'Switch to the dark theme' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const background = await page.evaluate(
    () => getComputedStyle(document.documentElement).backgroundColor,
  );
  expect(background).toBe('rgb(15, 19, 24)');
});

test('nothing is wider than the screen of a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [name, path, ready] of await addresses(page)) {
    await page.goto(path);
    await page.locator(ready).first().waitFor({ state: 'attached' });
    const over = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect.soft(over, name).toBeLessThanOrEqual(0);
  }
});

test('the keyboard reaches a slider, a chart and its table', async ({ page }) => {
  const found = (await addresses(page)).find(([name]) => name === 'compare');
  await page.goto(found?.[1] ?? '/');
  await page.getByRole('slider').first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('One input is moved')).toBeVisible();
  const button = page.getByRole('button', { name: 'Cumulative cost: show as a table' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: 'Cumulative cost' })).toBeVisible();
});
