import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, type Page } from '@playwright/test';
import { PYTHON, ROOT } from './sign-in.ts';

export type Values = Record<string, number>;

/** What a program says, while the pages are read. */
async function python(folder: string, code: string, input = ''): Promise<string> {
  const running = promisify(execFile)(PYTHON, ['-c', code], {
    cwd: `${ROOT}/${folder}`,
    maxBuffer: 2 ** 26,
  });
  running.child.stdin?.end(input);
  return (await running).stdout;
}

/** What the registered checks of all models expect, as they stand in the code. */
export async function published(): Promise<Values> {
  const code =
    'import json; from capmodels.registry import all_models; ' +
    'found = {f"{spec.id}/{one.id}": one.published for spec in all_models() for one in spec.checks}; ' +
    'print(json.dumps(found))';
  return JSON.parse(await python('worker', code)) as Values;
}

/** The text of each PDF, read by one program. */
export async function textsOf(files: readonly Buffer[]): Promise<string[]> {
  const code =
    'import base64, json, sys; from reports.testing.pdf_reading import text_of; ' +
    'print(json.dumps([text_of(base64.b64decode(one)) for one in json.load(sys.stdin)]))';
  const sent = JSON.stringify(files.map((file) => file.toString('base64')));
  const texts = JSON.parse(await python('backend', code, sent)) as string[];
  return texts.map(plain);
}

export const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
export const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Waits for the worker, and takes what it made. */
export async function fileOf(page: Page, report: string): Promise<Buffer> {
  const address = `/api/v1/reports/${report}`;
  await expect
    .poll(
      async () => ((await (await page.request.get(address)).json()) as { state: string }).state,
      {
        timeout: 60_000,
      },
    )
    .toBe('succeeded');
  return (await page.request.get(`${address}/file`)).body();
}
