import { expect, test, type Page } from '@playwright/test';
import { change } from '../change.ts';
import { signIn } from '../sign-in.ts';

const answer = (page: Page) => page.getByTestId('verdict');
const array = (page: Page, letter: string) =>
  page.locator(`section[aria-label^="Array ${letter},"]`);

async function openArrays(page: Page): Promise<void> {
  await signIn(page);
  await page.goto('/tools/arrays');
  await expect(array(page, 'B').getByRole('img', { name: /Mirrored set/ })).toBeVisible();
}

test('arrays are drawn as they change, simulated, shared, and added to a study', async ({
  page,
}) => {
  // The first simulation after a change of the kernels waits for their compiler.
  test.setTimeout(300_000);
  await openArrays(page);

  await page.getByRole('button', { name: 'Edit array B' }).click();
  const inputs = page.getByRole('complementary', { name: 'Inputs' });
  await inputs.getByLabel('Disks', { exact: true }).fill('4');
  await expect(array(page, 'B').getByRole('img', { name: /4 disks/ })).toBeVisible();
  await inputs.getByText('Simulation', { exact: true }).click();
  await inputs.getByLabel('Requests', { exact: true }).last().fill('50000');

  await page.getByRole('button', { name: 'Simulate', exact: true }).click();
  await expect(answer(page)).toContainText('uses the least power', {
    timeout: 240_000,
  });
  const chart = page.getByRole('figure', { name: /^Response times/ });
  await expect(chart).toHaveAttribute('aria-label', /A within .*ms/);
  await page.getByRole('button', { name: 'Response times: show as a table' }).click();
  await expect(page.getByRole('cell', { name: '99%', exact: true })).toBeVisible();
  await expect(page.getByRole('row', { name: /^Mean response/ })).toContainText('95% interval');
  await expect(page.getByRole('row', { name: /^Cost per TB and year/ })).toContainText('$');

  const said = (await answer(page).textContent()) ?? '';
  await page.goto(page.url());
  await expect(answer(page)).toHaveText(said);
  await expect(array(page, 'B').getByRole('img', { name: /4 disks/ })).toBeVisible();

  await page.getByRole('button', { name: 'Add to a study' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to a study' });
  const created = await page.request.get('/api/v1/studies?limit=1');
  const { results } = (await created.json()) as {
    results: { id: string; title: string }[];
  };
  const study = results[0];
  if (!study) throw new Error('There is no study.');
  await dialog
    .getByRole('button', { name: `Add to ${study.title}`, exact: true })
    .first()
    .click();
  await dialog.getByRole('link', { name: 'Go to the designs' }).click();
  const design = page.locator('section[aria-label$="Three laptop disks that sleep"]').last();
  await expect(design.getByRole('img', { name: /4 disks/ })).toBeVisible();

  const whole = await page.request.get(`/api/v1/studies/${study.id}`);
  const { designs } = (await whole.json()) as {
    designs: { id: string; kind: string }[];
  };
  for (const added of designs.filter(({ kind }) => kind === 'disk_array').slice(-2)) {
    await change(page, 'DELETE', `designs/${added.id}`);
  }
});

test('an array that cannot keep up is named, and its percentiles are withheld', async ({
  page,
}) => {
  test.setTimeout(300_000);
  await openArrays(page);
  const inputs = page.getByRole('complementary', { name: 'Inputs' });
  await inputs.getByLabel('Rate', { exact: true }).fill('180');
  await expect(array(page, 'A').getByText('overloaded')).toBeVisible();
  await inputs.getByText('Simulation', { exact: true }).click();
  await inputs.getByLabel('Requests', { exact: true }).last().fill('60000');
  await page.getByRole('button', { name: 'Simulate', exact: true }).click();
  await expect(answer(page)).toContainText('A cannot keep up', {
    timeout: 240_000,
  });
  const row = page.getByRole('row', { name: /^p95/ });
  await expect(row).toContainText('—');
  await expect(row).toContainText('Withheld');
});

test('a designer enters sizes, tracks, lost disks, copies and what is replaced', async ({
  page,
}) => {
  test.setTimeout(300_000);
  await openArrays(page);
  const inputs = page.getByRole('complementary', { name: 'Inputs' });
  const field = (name: string) => inputs.getByLabel(name, { exact: true });
  await expect(array(page, 'B').getByText('electricity alone pays that back')).toBeVisible();

  await field('Layout').selectOption('raid6');
  await field('Disks').fill('6');
  await field('Disks lost').fill('3');
  await expect(inputs.getByText(/survives the loss of at most 2 disks/)).toBeVisible();
  await field('Disks lost').fill('2');
  await field('Rebuild at most at').fill('20');
  const drawing = array(page, 'A').getByRole('img', {
    name: /disks 4 and 5 are lost and being/,
  });
  await expect(drawing).toBeVisible();
  await inputs.locator('[data-field="/copies"]').getByRole('button', { name: 'Add' }).click();
  await expect(array(page, 'A').getByRole('img', { name: /copies in free space/ })).toBeVisible();

  await inputs.getByText('Tracks and measured costs', { exact: true }).click();
  const tracks = inputs.locator('[data-field="/geometry"]');
  await tracks.getByRole('button', { name: 'Add' }).click();
  await expect(inputs.getByRole('img', { name: /^Zones of the platter: 8 zones/ })).toBeVisible();
  await field('Surfaces').fill('40');
  await expect(inputs.getByText(/Enter the zones of this drive/)).toBeVisible();
  await field('Surfaces').fill('2');

  const sizes = inputs.locator('[data-field="/sizes"]');
  const first = sizes.locator('[data-field="/sizes/0"]');
  await sizes.getByRole('button', { name: 'Add' }).click();
  await sizes.getByRole('button', { name: 'Copy No. 1' }).click();
  await first.getByLabel('Weight', { exact: true }).fill('3');
  await sizes.getByRole('button', { name: 'No. 1', exact: true }).click();
  await expect(first).toContainText('75%');

  await inputs.getByText('Simulation', { exact: true }).click();
  await field('Requests').last().fill('12000');
  await page.getByRole('button', { name: 'Simulate', exact: true }).click();
  await expect(answer(page)).toContainText('uses the least power', {
    timeout: 240_000,
  });
  await expect(page.getByRole('row', { name: /^Reads that a copy/ })).toBeVisible();
});
