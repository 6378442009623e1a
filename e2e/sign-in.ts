import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The planner whose workspace holds the example studies. */
export const PLANNER = 'planner@ampacity.local';

/** A one-time sign-in code; another address gets an account with an empty workspace. */
export function signInCode(email = PLANNER): string {
  const python = process.env.AMPACITY_PYTHON ?? `${root}/.venv/bin/python`;
  const command = ['-m', 'ops.shell', '--', python, `${root}/backend/manage.py`, 'planner', email];
  return execFileSync(python, command, { encoding: 'utf8' }).trim();
}

/** Opens the sign-in link, as `./run` prints it, and waits for the studies. */
export async function signIn(page: Page, email = PLANNER): Promise<void> {
  await page.goto(`/sign-in#code=${signInCode(email)}`);
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
}
