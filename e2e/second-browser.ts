import type { Page } from '@playwright/test';

/** A page of somebody else, in a browser of their own that is closed together with the first page. */
export async function secondBrowser(page: Page): Promise<Page> {
  const browser = page.context().browser();
  if (!browser) throw new Error('no browser');
  const context = await browser.newContext();
  page.once('close', () => void context.close());
  return context.newPage();
}
