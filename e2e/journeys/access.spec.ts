import { readFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { phrasesOf, refusing } from '../../frontend/tests/refused.ts';
import { signIn } from '../sign-in.ts';

const REFUSED = refusing(phrasesOf(readFileSync('../docs/glossary.md', 'utf8')));

/** What one may read of a page as it stands: its lines, labels, hints and the texts of its charts. */
const textsOf = () => [
  ...document.body.innerText.split('\n'),
  ...[...document.querySelectorAll('svg text')].map(({ textContent }) => textContent),
  ...['title', 'aria-label', 'placeholder', 'alt'].flatMap((name) =>
    [...document.querySelectorAll(`[${name}]`)].map((one) => one.getAttribute(name) ?? ''),
  ),
];

async function refusedWords(page: Page): Promise<string[]> {
  const texts = await page.evaluate(textsOf);
  expect(texts.length).toBeGreaterThan(10);
  return texts.filter((text) => REFUSED.test(text.trim()));
}

async function violations(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  const { violations: found } = await (rules ? axe.withRules(rules) : axe).analyze();
  return found.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${node.html}`));
}

/** Addresses of screens, those of the example's pages without its own, and what is there when they are. */
const SCREENS: readonly [name: string, path: string, ready: string][] = [
  ['studies', '/', 'article'],
  ['compare', 'STUDY/compare', '[data-chart] .main-svg'],
  ['designs', 'STUDY/designs', 'section[aria-label^="Design A"]'],
  ['assumptions', 'STUDY/designs?part=assumptions', '[data-field="/pue"]'],
  ['workload', 'STUDY/designs?part=workload', '[data-field="/busy_cores_count"]'],
  ['risk', 'STUDY/compare?view=risk', '[data-chart] .main-svg'],
  ['check', 'STUDY/compare?view=check', 'main h2'],
  ['plan', 'STUDY/plan', '[data-chart] .main-svg'],
  ['history', 'STUDY/history', 'main h2'],
  ['new study', '/studies/new', 'main h2'],
  ['imports', '/imports', 'main h2'],
  ['sweep', '/tools/sweep', '[data-chart] .main-svg'],
  ['explore designs', 'STUDY/catalogue', '[data-chart] .main-svg'],
  ['report', 'STUDY/report', '#reports-title'],
  ['tools', '/tools', 'main li'],
  ['node map', '/tools/nodes', '[data-chart] .main-svg'],
  ['scaling', '/tools/scaling', '[data-chart] .main-svg'],
  ['memory', '/tools/memory', '[data-chart] .main-svg'],
  ['workload advice', '/tools/advice', '[data-testid="answer"] strong'],
  ['device trends', '/method/models/performance.device_trends', '[data-chart] .main-svg'],
  ['arrays', '/tools/arrays', 'main h1'],
  ['traces', '/traces', 'main h1'],
  ['catalogue', '/catalogue?entry=aws-m7a-8xlarge', '[role=dialog] dl, [role=dialog] [title]'],
  ['method', '/method', 'main li'],
  ['paper', '/method/papers/fs2', '[data-chart] .main-svg'],
  ['model', '/method/models/cost.owned_vs_cloud', 'main table'],
  ['settings', '/settings', '#tokens-title'],
];

let study = '';

async function addressOf(page: Page, path: string): Promise<string> {
  await signIn(page);
  if (!study) {
    const link = page.getByRole('link', { name: 'Rent or own', exact: true });
    study = ((await link.getAttribute('href')) ?? '').replace(/\/compare$/, '');
  }
  return path.replace('STUDY', study);
}

// Of what is looked for, only colours differ between the themes.
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

for (const [name, path, ready] of SCREENS) {
  test(`${name}: no fault of access in either theme, no word that is not said, and no wider than a phone`, async ({
    page,
  }) => {
    const softly = expect.configure({ soft: true });
    const html = page.locator('html');
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(await addressOf(page, path));
    // In the page: the catalogue's stands behind its dialog.
    await page.locator('h1').first().waitFor({ state: 'attached' });
    await page.locator(ready).first().waitFor({ state: 'attached' });
    await expect(html).toHaveAttribute('data-theme', 'light');
    softly(await violations(page)).toEqual([]);
    softly(await refusedWords(page), 'words').toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
    await expect(html).toHaveAttribute('data-theme', 'dark');
    softly(await violations(page, OF_COLOURS), 'dark').toEqual([]);
    await page.setViewportSize({ width: 390, height: 844 });
    await softly
      .poll(() => page.evaluate(overflow), { message: 'on a phone' })
      .toBeLessThanOrEqual(0);
  });
}

function overflow() {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
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

test('the keyboard reaches a slider, a chart and its table', async ({ page }) => {
  await page.goto(await addressOf(page, 'STUDY/compare'));
  await page.getByRole('slider').first().focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('One input is moved')).toBeVisible();
  const button = page.getByRole('button', {
    name: 'Cumulative cost: show as a table',
  });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('table', { name: 'Cumulative cost' })).toBeVisible();
});
