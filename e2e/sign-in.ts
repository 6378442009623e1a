import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, type Cookie, type Page } from '@playwright/test';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
export const PYTHON = process.env.AMPACITY_PYTHON ?? `${ROOT}/.venv/bin/python`;

/** The planner whose workspace holds the example studies. */
export const PLANNER = 'planner@ampacity.local';

/** A one-time sign-in code; another address gets an account with an empty workspace. */
export function signInCode(email = PLANNER): string {
  const command = ['-m', 'ops.shell', '--', PYTHON, `${ROOT}/backend/manage.py`, 'planner', email];
  return execFileSync(PYTHON, command, { encoding: 'utf8' }).trim();
}

// A code is made by two new processes of Python: once an account is enough.
const sessions = new Map<string, Cookie[]>();

/** Signs in by the link that `./run` prints, later by the session of the first time. */
export async function signIn(page: Page, email = PLANNER): Promise<void> {
  // Most journeys look at several designs: they have them side by side until one chooses.
  await page.context().addInitScript(() => {
    const key = 'ampacity.designs-side-by-side';
    if (sessionStorage.getItem(key) === null) sessionStorage.setItem(key, 'true');
  });
  const held = sessions.get(email);
  if (held) await page.context().addCookies(held);
  await page.goto(held ? '/' : `/sign-in#code=${signInCode(email)}`);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await expect(page).toHaveURL('/');
  sessions.set(email, await page.context().cookies());
}
