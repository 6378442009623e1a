import { expect, test, type Page } from '@playwright/test';
import { change } from '../change.ts';
import { fileOf, textsOf } from '../reading.ts';
import { signIn } from '../sign-in.ts';

interface Question {
  asks: string;
  /** Links from the first page to the answer, at most three. */
  links: (string | RegExp)[];
  answer: RegExp;
}

const QUESTIONS: Question[] = [
  {
    asks: 'own or rent, at which use',
    links: ['Free Factories, 48 nodes (2008)'],
    answer: /owning begins to pay at \d+% use over 2 years/,
  },
  {
    asks: 'work per joule',
    links: ['Tools', /^Scaling/],
    answer: /Most work per joule: \d/,
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
    links: ['Method', 'Power-aware memory', /^Try it with your numbers/],
    answer: /is best for this traffic/,
  },
  {
    asks: 'which servers to switch off',
    links: ['Tools', /^Consolidation/],
    answer: /Switch off servers \d/,
  },
  {
    asks: 'how much free space',
    links: ['Method', /^FS2/, /^Try it with your numbers/],
    answer: /of free space is enough/,
  },
];

test.describe('the questions of the papers are answered within three clicks, each with a PDF', () => {
  for (const { asks, links, answer } of QUESTIONS) {
    test(asks, async ({ page }) => {
      test.setTimeout(180_000);
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
      const file = page.url().includes('/studies/')
        ? await fileOf(page, await reportOf(page))
        : await savedOf(page);
      const [text = ''] = await textsOf([file]);
      expect(text).toMatch(answer);
    });
  }
});

/** The PDF of an answer, as its page offers it. */
async function savedOf(page: Page): Promise<Buffer> {
  await page.getByRole('button', { name: 'PDF', exact: true }).click();
  const link = page.getByRole('link', { name: 'Save the PDF' });
  await expect(link).toBeVisible({ timeout: 100_000 });
  return (await page.request.get((await link.getAttribute('href')) ?? '')).body();
}

/** A report of the study that the page shows. */
async function reportOf(page: Page): Promise<string> {
  const study = /studies\/([^/]+)/.exec(page.url())?.[1] ?? '';
  const made = await change(page, 'POST', 'reports', { study, format: 'pdf' });
  return ((await made.json()) as { id: string }).id;
}
