import { expect, test, type Page } from '@playwright/test';
import { change } from '../change.ts';
import { signIn } from '../sign-in.ts';

const copies: string[] = [];

/** A tool for a copy of the example, so that a journey may add to it. */
async function openTool(page: Page, tool: string, title = 'Rent or own'): Promise<void> {
  await signIn(page);
  const example = page.getByRole('link', { name: title, exact: true });
  const id = /studies\/([^/]+)/.exec((await example.getAttribute('href')) ?? '')?.[1] ?? '';
  const copy = await change(page, 'POST', `studies/${id}/copy`);
  const { id: copyId } = (await copy.json()) as { id: string };
  copies.push(copyId);
  await page.goto(`/tools/${tool}?study=${copyId}`);
  await expect(page.getByTestId('answer')).toBeVisible();
}

test.afterEach(async ({ page }) => {
  for (const id of copies.splice(0)) await change(page, 'DELETE', `studies/${id}`);
});

const answer = (page: Page) => page.getByTestId('answer');

test('a place on the map of node types becomes a design that Compare holds to its work', async ({
  page,
}) => {
  await openTool(page, 'nodes', 'FAWN: which node for which data');
  await page.getByLabel('Begin with').selectOption({ label: 'As the paper has it' });
  // Figure 9 of the FAWN article: 10 TB at a million queries a second.
  await expect(answer(page)).toContainText('313 × FAWN+SSD');
  // A place that is pressed is asked for: about a terabyte at some hundred million.
  const plot = page.locator('.nsewdrag').first();
  const { width, height } = (await plot.boundingBox()) ?? {
    width: 0,
    height: 0,
  };
  await plot.click({ position: { x: 0.85 * width, y: 0.8 * height } });
  await expect(answer(page)).toContainText('× FAWN+DRAM');
  await page.getByLabel('Data set', { exact: true }).fill('10000');
  await page.getByLabel('Queries', { exact: true }).fill('100M');
  await expect(answer(page)).toContainText('Traditional+DRAM');
  await expect(page).toHaveURL(/query_rate_per_s/);

  // The study's own service stays what sizes a design until the place is chosen for that.
  await expect(page.getByText(/sized by the study’s service, 10.0.TB at 1.M/)).toBeVisible();
  await page.getByText('This place', { exact: true }).click();
  await page.getByRole('button', { name: 'Make Traditional+DRAM a design' }).click();
  await page.getByRole('link', { name: 'Open it' }).click();
  await expect(page).toHaveURL(/\/designs\?/);
  const added = page.locator('section[aria-label^="Design G,"]');
  await expect(added.getByLabel('Title of design G')).toHaveValue('Traditional+DRAM 2');

  await page.getByRole('link', { name: 'Compare', exact: true }).first().click();
  // A hundred million queries over a million of a node: each design has the nodes for that.
  await expect(page.getByRole('row', { name: /^Meets demand( yes)+/ })).toBeVisible();
});

test('pasted applications are planned onto fewer servers, kept apart as asked', async ({
  page,
}) => {
  // A first plan may have to wait for its kernel to be compiled.
  test.setTimeout(180_000);
  await openTool(page, 'consolidation');
  const tables = page.getByRole('region', {
    name: 'Applications',
    exact: true,
  });
  await tables.getByRole('button', { name: 'Paste rows' }).click();
  await tables
    .getByLabel('Rows as CSV')
    .fill(
      'application,cpu,disk,memory,network,server today,apart from\n' +
        'one,20,10,20,10,1,two\ntwo,20,10,20,10,2,one\nthree,20,10,20,10,3,\nfour,5,5,5,5,4,',
    );
  await tables.getByRole('button', { name: 'Replace by 4 rows' }).click();
  await page.getByRole('button', { name: 'Plan', exact: true }).click();

  // Two must stay apart, so two servers are the fewest.
  await expect(answer(page)).toContainText('These 4 servers fit on 2', {
    timeout: 150_000,
  });
  await expect(page.getByRole('heading', { name: 'After: 2 of 8 servers on' })).toBeVisible();
  await expect(page.getByRole('heading', { name: /\d moves?$/ })).toBeVisible();

  await page.getByRole('button', { name: 'Put before and after into the study' }).click();
  await expect(page.getByText(/Designs [A-H] and [A-H] are in the study/)).toBeVisible();
});

test('a service at twice its load needs more servers than its demands as entered', async ({
  page,
}) => {
  test.setTimeout(180_000);
  await openTool(page, 'consolidation');
  const tables = page.getByRole('region', {
    name: 'Applications',
    exact: true,
  });
  await tables.getByRole('button', { name: 'Paste rows' }).click();
  await tables
    .getByLabel('Rows as CSV')
    .fill(
      'application,cpu,disk,memory,network,server today,may run on\n' +
        'web,40,5,20,10,1,2 x EPYC 9965\ndb,40,20,20,5,2,',
    );
  await tables.getByRole('button', { name: 'Replace by 2 rows' }).click();
  const plan = page.getByRole('button', { name: 'Plan', exact: true });
  await plan.click();
  await expect(answer(page)).toContainText('These 2 servers fit on 1', {
    timeout: 150_000,
  });

  await page.getByRole('button', { name: /^Services/ }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill('shop');
  await page.getByLabel('Load', { exact: true }).fill('2');
  await page.getByRole('button', { name: /^Tiers/ }).click();
  await page.getByRole('button', { name: /^No. 1 defaults/ }).click();
  await page.getByRole('textbox', { name: 'Application', exact: true }).fill('web 9');
  await plan.click();
  await expect(page.getByText("No application is called 'web 9'").first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Application', exact: true }).fill('web');
  await plan.click();
  await expect(answer(page)).toContainText('stays there');
  await expect(page.getByRole('heading', { name: 'After: 2 of 8 servers on' })).toBeVisible();
});

test('memory answers by modules, and its power policies are found by their paper', async ({
  page,
}) => {
  await openTool(page, 'memory');
  await page.getByText('Modules', { exact: true }).click();
  await expect(answer(page)).toContainText('with power-down');
  await page.getByRole('link', { name: 'Method', exact: true }).click();
  await page.getByLabel('Search papers and models').fill('power policies');
  await page.getByRole('link', { name: 'Memory power policies', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Memory power policies' })).toBeVisible();
  // An address of the tool as it was leads there.
  await page.goto('/tools/memory?s=%7B%22part%22%3A%22policies%22%7D');
  await expect(page).toHaveURL(/\/method\/models\/memory\.power_policies_instant/);
});

test('each tool opens from an empty workspace, without a study', async ({ page }) => {
  await signIn(page, 'tools@ampacity.local');
  await page.getByRole('link', { name: 'Tools', exact: true }).click();
  const titles = await page.locator('main li strong').allTextContents();
  for (const title of titles) {
    await page.goto('/tools');
    await page.locator('main li').getByText(title, { exact: true }).click();
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
  for (const tool of ['nodes', 'scaling', 'memory', 'advice']) {
    await page.goto(`/tools/${tool}`);
    await expect(answer(page).locator('strong').first()).toBeVisible();
  }
});

test('a result goes into a study by reference, and is out of date once its input changes', async ({
  page,
}) => {
  await openTool(page, 'nodes');
  await page.getByRole('button', { name: 'Add this result to the study' }).click();
  await page.getByRole('link', { name: 'See it there' }).click();
  const results = page.getByRole('region', { name: 'Results of tools' });
  await expect(results).toContainText('Node map');
  await expect(results).not.toContainText('Out of date');

  const [, id = ''] = /studies\/([^/?#]+)/.exec(page.url()) ?? [];
  const before = await page.request.get(`/api/v1/studies/${id}`);
  const { workload } = (await before.json()) as {
    workload: Record<string, unknown>;
  };
  await change(page, 'PATCH', `studies/${id}`, {
    workload: { ...workload, note: 'moved' },
  });
  await page.reload();
  await expect(results).toContainText('Out of date');
  await results.getByRole('link', { name: 'Open it and add it again' }).click();
  await expect(page).toHaveURL(/\/tools\/nodes/);
});
