import { expect, test } from '@playwright/test';
import { change } from '../change.ts';
import { signIn } from '../sign-in.ts';

const DRIVE = {
  kind: 'hdd',
  name: 'Nearline drive, 20 TB',
  capacity_gb: 20_000,
  speed_rpm: 7200,
  seek: { kind: 'three_point', min_ms: 0.6, avg_ms: 8.2, max_ms: 17 },
  outer_mb_per_s: 280,
  inner_mb_per_s: 130,
  active_w: 9,
  idle_w: 5.8,
  price_usd: 320,
  unrecoverable_per_bit: 1e-15,
  afr_fraction: 0.015,
};

const SHARED = {
  drive: DRIVE,
  drive_price_usd: 320,
  carries: 'object',
  together_ratio: 3,
  rebuild_mb_per_s: 40,
  stripe_unit_bytes: 1_048_576,
};

const SHELF = {
  ...SHARED,
  enclosure: { unit_price_usd: 6000, power_w: 300, rack_units_count: 4 },
  disks_per_group: 12,
  spares_count: 2,
  count: 2,
};

const NODE = { unit_price_usd: 6000, power_w: 250, rack_units_count: 2 };

const owned = (title: string, array: object) => ({
  title,
  kind: 'disk_array',
  spec: { array },
});

const STUDY = {
  title: 'Two petabytes',
  workload: {
    kind: 'demand',
    busy_cores_count: 0,
    ram_gib: 0,
    object_tb: 1200,
    block_io_per_s: 300,
    block_mix: { read_fraction: 0.8, request_bytes: 4_194_304 },
  },
  designs: [
    owned('8 + 3 on 12 nodes', {
      ...SHARED,
      disks_count: 144,
      enclosure: NODE,
      code: {},
    }),
    owned('RAID-6 shelves', { ...SHELF, layout: 'raid6', disks_count: 60 }),
    owned('Declustered shelves', {
      ...SHELF,
      layout: 'draid2',
      disks_count: 58,
    }),
  ],
};

test('a coded cluster is confirmed with its own values, and its run goes out of date with them', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await signIn(page, 'storage@ampacity.local');
  const made = await change(page, 'POST', 'studies', STUDY);
  const { id } = (await made.json()) as { id: string };
  await page.goto(`/studies/${id}/compare`);
  const nines = page.getByRole('row', { name: /Durability, nines a year/ });
  await expect(nines).toBeVisible();
  await page.getByRole('button', { name: 'More figures' }).click();
  await expect(page.getByRole('row', { name: /Cost per TB-year/ })).toBeVisible();
  await page.getByRole('button', { name: 'Capacity', exact: true }).click();
  await page.getByRole('button', { name: 'Simulate A, rebuild of a node' }).click();
  const results = page.getByRole('region', { name: 'Results of tools' });
  await expect(results).toContainText(/p99 of reads: .* before, .* during and .* after/, {
    timeout: 90_000,
  });
  await expect(results).toContainText('on design A');
  await expect(results).not.toContainText('Out of date');

  await change(page, 'PATCH', `studies/${id}`, {
    workload: { ...STUDY.workload, block_io_per_s: 350 },
  });
  await page.reload();
  await expect(results).toContainText('Out of date');
  await page.getByRole('button', { name: 'Simulate A, rebuild of a node' }).click();
  await expect(results).not.toContainText('Out of date', { timeout: 90_000 });
  await expect(results.getByText('on design A')).toHaveCount(1);
});

test('petabytes are compared in the cloud, on a coded cluster and on shelves, from the work alone', async ({
  page,
}) => {
  await signIn(page, 'petabytes@ampacity.local');
  await page.goto('/studies/new');
  await page.getByLabel('Object storage').fill('1600');
  await page.getByRole('checkbox', { name: 'Own servers in colocation' }).uncheck();
  await page.getByRole('checkbox', { name: 'Own storage cluster' }).check();
  await page.getByRole('checkbox', { name: 'Own RAID-6 shelves' }).check();
  await page.getByLabel('Name of the study').fill('Scans');
  await expect(page.getByRole('list', { name: 'Designs proposed' })).toContainText(
    'Own servers, RAID-6 shelves',
  );
  await page.getByRole('button', { name: 'Save and compare' }).click();
  const price = page.getByRole('row', { name: /Cost per TB-year/ });
  await page.getByRole('button', { name: 'More figures' }).click();
  await expect(price).toContainText(/TB-yr.*TB-yr.*TB-yr/s);
  await expect(page.getByRole('row', { name: /Durability, nines a year/ })).toBeVisible();

  await page.getByRole('link', { name: 'Designs', exact: true }).click();
  await page.getByRole('button', { name: 'Add a design' }).click();
  await page.getByRole('menuitem', { name: 'Own servers in colocation' }).click();
  const added = page.locator('section[aria-label^="Design D,"]');
  await expect(added.getByText(/^Saved($| as typed)/)).toBeVisible();
  // Half of a person for the servers, switches and disks that the work needs.
  await expect(added.getByRole('textbox', { name: 'Operations' })).toHaveValue(/^0\.5/);
  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  await page.getByRole('button', { name: 'More figures' }).click();
  await expect(price).toContainText(/TB-yr.*TB-yr.*TB-yr.*TB-yr/s);
});
