import { readFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { change } from '../change.ts';
import { fileOf, textsOf } from '../reading.ts';
import { signIn } from '../sign-in.ts';

test('a plan that keeps machines of today is ordered from, compared, printed and made again', async ({
  page,
}) => {
  test.setTimeout(180_000);
  await signIn(page);
  await page
    .getByRole('link', {
      name: 'A flat estate in its refresh year',
      exact: true,
    })
    .click();
  await expect(page).toHaveURL(/\/studies\/[0-9a-f-]{36}/);
  const example = /studies\/([^/?]+)/.exec(page.url())?.[1] ?? '';
  const copied = await change(page, 'POST', `studies/${example}/copy`);
  const { id } = (await copied.json()) as { id: string };

  await page.goto(`/studies/${id}/plan`);
  await expect(page.getByTestId('answer')).toContainText(/Order \d/, {
    timeout: 30_000,
  });
  await page.getByText('What this plan counts, and what it does not').click();
  await expect(page.getByText(/A machine carries .* GiB of RAM in use/)).toBeVisible();
  const list = page.getByRole('link', { name: 'Order list, CSV' });
  const [download] = await Promise.all([page.waitForEvent('download'), list.click()]);
  const [head = '', ...lines] = (await readFile(await download.path(), 'utf8'))
    .trim()
    .split('\r\n');
  expect(head.split(',')).toContain('Sized by');
  expect(lines.some((line) => line.includes('Spare machines'))).toBe(true);

  // The design keeps the 48 servers until they go, and pays them.
  await page.getByRole('button', { name: 'Add as a design' }).click();
  await expect(page.getByText(/is a design of the study/)).toBeVisible({
    timeout: 30_000,
  });
  await page.getByText('Cost by cause, beside the comparison').click();
  await expect(page.getByRole('row', { name: /^Existing machines .* none/ })).toBeVisible();

  const asked = await change(page, 'POST', 'reports', {
    study: id,
    format: 'pdf',
  });
  const { id: report } = (await asked.json()) as { id: string };
  const [text = ''] = await textsOf([await fileOf(page, report)]);
  const constraint = 'Which resource is the constraint';
  for (const part of ['What is bought and when', constraint, 'What is counted']) {
    expect(text).toContain(part);
  }

  await page.getByRole('button', { name: 'Plan again from there' }).click();
  await expect(page.getByText(/Orders of the first 3 months are taken as placed/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Demand as it was 3 / })).toBeVisible();
  await change(page, 'DELETE', `studies/${id}`);
});
