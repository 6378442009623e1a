import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { change } from '../change.ts';
import { signIn } from '../sign-in.ts';

test('a study is duplicated, renamed, tagged, found, edited, and its edits undone', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await signIn(page, 'studies@ampacity.local');
  const made = await page.request.post('/api/v1/studies', {
    data: {
      title: 'Where next?',
      workload: { kind: 'demand', busy_cores_count: 100, ram_gib: 400 },
      designs: [
        {
          title: 'Rent',
          kind: 'cloud',
          spec: { instances: [{ name: 'm7a', usd_per_h: 0.4, vcpu_count: 8, ram_gib: 32 }] },
        },
      ],
    },
    headers: {
      'X-CSRFToken':
        (await page.context().cookies()).find(({ name }) => name === 'csrftoken')?.value ?? '',
      Origin: new URL(page.url()).origin,
    },
  });
  expect(made.status()).toBe(201);
  await page.reload();
  await page.getByRole('button', { name: 'Actions for Where next?' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate' }).click();
  await page.getByRole('button', { name: 'Actions for Copy of Where next?' }).click();
  await page.getByRole('menuitem', { name: 'Rename …' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename the study' });
  await dialog.getByLabel('Title').fill('Frankfurt 2027');
  await dialog.getByLabel('Tags').fill('budget, EU, budget');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('link', { name: 'Frankfurt 2027' })).toBeVisible();

  const whole = page.getByRole('button', { name: '2 With a verdict' });
  await whole.click();
  await expect(whole).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('article')).toHaveCount(2);
  // What counts nothing has no tile.
  await expect(page.getByRole('button', { name: /Waiting for approval/ })).toHaveCount(0);

  await page.getByLabel('Tag').selectOption('EU');
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.getByLabel('Tag').selectOption('');
  await page.getByLabel('Order').selectOption('title');
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Frankfurt 2027',
    'Where next?',
  ]);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await page.getByRole('link', { name: 'What newer prices would move' }).click();
  await page.getByRole('button', { name: 'Look at all studies' }).click();
  // By the worker of long jobs, which yields to everything else.
  await expect(page.getByTestId('outlook')).toContainText('No study would move.', {
    timeout: 60_000,
  });
  await expect(page.getByText('All 2 complete studies cost the same')).toBeVisible();
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.goBack();

  await page.getByRole('link', { name: 'Frankfurt 2027' }).click();
  await expect(page).toHaveURL(/studies\/[0-9a-f-]{36}/);
  const id = /studies\/([^/]+)/.exec(page.url())?.[1] ?? '';
  await page.goto(`/studies/${id}/designs?part=workload`);
  const cores = page.getByRole('textbox', { name: 'Busy cores, mean' });
  await expect(cores).toHaveValue('100');
  await cores.fill('250');
  await cores.blur();
  await expect(page.getByText(/^Saved($| as typed)/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Undo (Ctrl+Z)' })).toBeEnabled();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Undo (Ctrl+Z)' })).toBeEnabled();
  await page.keyboard.press('Control+z');
  await expect(cores).toHaveValue('100');
  await page.keyboard.press('Control+Shift+z');
  await expect(cores).toHaveValue('250');
  await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
  await expect(cores).toHaveValue('100');

  // A removed design comes back.
  const design = await page.request.get(`/api/v1/studies/${id}/designs`);
  const [first] = ((await design.json()) as { results: { id: string }[] }).results;
  expect((await change(page, 'DELETE', `designs/${first?.id}`)).status()).toBe(204);
  await page.goto(`/studies/${id}/designs`);
  await page.getByRole('button', { name: 'Undo (Ctrl+Z)' }).click();
  await expect(page.getByLabel(/^Design A,/)).toBeVisible();

  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await dialog.getByLabel('Title').fill('Frankfurt or Dublin 2027');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(
    page.getByRole('heading', { level: 1, name: 'Frankfurt or Dublin 2027' }),
  ).toBeVisible();
});
