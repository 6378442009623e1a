import { expect, test } from '@playwright/test';
import { signIn } from '../sign-in.ts';

interface Question {
  asks: string;
  /** Links from the first page to the answer, at most three. */
  links: (string | RegExp)[];
  answer: RegExp;
}

const TOOLS: Question[] = [
  {
    asks: 'work per joule',
    links: ['Tools', /^Scaling/],
    answer: /does the job .* energy a job/,
  },
  {
    asks: 'which node',
    links: ['Tools', /^Node map/],
    answer: /costs least: \$/,
  },
  {
    asks: 'which array',
    links: ['Tools', /^Disk arrays/],
    answer: /uses the least power/,
  },
  {
    asks: 'which DIMM policy',
    links: ['Tools', /^Memory/],
    answer: /Power-down saves/,
  },
  {
    asks: 'which servers to switch off',
    links: ['Tools', /^Consolidation/],
    answer: /fit on \d/,
  },
];

test.describe('the questions of the papers are answered within three clicks, each with a PDF', () => {
  for (const { asks, links, answer } of TOOLS) {
    test(asks, async ({ page }) => {
      await signIn(page);
      for (const name of links) {
        await page
          .getByRole('link', { name, exact: typeof name === 'string' })
          .first()
          .click();
      }
      // Kernels may still be compiled behind the first start.
      const wait = { timeout: 100_000 };
      await expect(page.getByText(answer).first()).toBeVisible(wait);
      await page.getByRole('button', { name: 'PDF', exact: true }).click();
      await expect(page.getByRole('link', { name: 'Save the PDF' })).toBeVisible(wait);
    });
  }

  test('own or rent, at which use', async ({ page }) => {
    await signIn(page);
    await page
      .getByRole('link', { name: /^Rent or own/ })
      .first()
      .click();
    await expect(page.getByText(/costs least/).first()).toBeVisible();
    await expect(page.getByRole('link', { name: 'Report' }).first()).toBeVisible();
  });

  test('how much free space', async ({ page }) => {
    await signIn(page);
    for (const name of ['Method', /^FS2/, /^Try it with your numbers/]) {
      await page
        .getByRole('link', { name, exact: typeof name === 'string' })
        .first()
        .click();
    }
    // It is asked without a press of Run.
    const asked = page.getByRole('button', { name: /^Running/ });
    await expect(asked.or(page.getByText(/of free space is enough/)).first()).toBeVisible();
  });
});
