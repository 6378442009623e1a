import { test as base, type Page } from '@playwright/test';

/** Journeys of several people: `secondBrowser` opens a page in a browser of its own. */
export const test = base.extend<{ secondBrowser: () => Promise<Page> }>({
  secondBrowser: async ({ browser }, use) => {
    const opened: Page[] = [];
    await use(async () => {
      const page = await (await browser.newContext()).newPage();
      opened.push(page);
      return page;
    });
    for (const page of opened) await page.context().close();
  },
});
