import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { PYTHON, signIn } from '../sign-in.ts';

/** Eight hosts of RVTools, 64 cores each, half busy; 384 GiB of 768 used; a datastore. */
const WORKBOOK = `
import sys
from openpyxl import Workbook
book = Workbook()
hosts = book.active
hosts.title = "vHost"
hosts.append(["Host", "CPU Model", "# CPU", "# Cores", "CPU usage %", "# Memory", "Memory usage %",
              "# VMs", "Vendor", "Model"])
for n in range(8):
    hosts.append([f"esx-{n}", "Intel(R) Xeon(R) Gold 6338 CPU @ 2.00GHz", 2, 64, 50, 786432, 50, 20,
                  "Dell Inc.", "PowerEdge R750"])
guests = book.create_sheet("vInfo")
guests.append(["VM", "Powerstate", "Template", "CPUs", "Memory", "Active Memory", "In Use MiB",
               "Provisioned MiB"])
for n in range(160):
    guests.append([f"vm-{n}", "poweredOn", False, 4, 16384, 8192, 102400, 204800])
stores = book.create_sheet("vDatastore")
stores.append(["Name", "Capacity MiB", "In Use MiB"])
stores.append(["san-1", 41943040, 20971520])
book.save(sys.argv[1])
`;
const QUOTE = [
  'Article;Quantity;Net price (USD)',
  'PowerEdge R7625 server;2;3000.00',
  'AMD EPYC 9554 64-Core processor;4;5000.00',
  '64 GB RDIMM;48;350.00',
  '3.84 TB NVMe SSD;16;600.00',
  'Support 3 years;2;1500.00',
].join('\n');
/** Machines on demand in Ireland, storage, a tax, and a charge that nobody knows. */
const BILL = [
  'BillingCurrency,BillingPeriodStart,BilledCost,EffectiveCost,ListCost,ChargeCategory,' +
    'ChargeDescription,PricingQuantity,PricingUnit,ServiceCategory,ServiceName,RegionId,ProviderName',
  ...['2026-08-01', '2026-09-01'].flatMap((start) => [
    `USD,${start},15768.00,15768.00,15768.00,Usage,$0.216 per On Demand Linux m5.xlarge Instance Hour,73000,Hours,Compute,Amazon Elastic Compute Cloud,eu-west-1,AWS`,
    `USD,${start},230.00,230.00,230.00,Usage,first 50 TB / month of storage used,10000,GB-Months,Storage,Amazon Simple Storage Service,eu-west-1,AWS`,
    `USD,${start},41.37,41.37,41.37,Usage,Quux,1,Each,,Frobnication,eu-west-1,AWS`,
    `USD,${start},99.00,99.00,99.00,Tax,Sales tax,1,Each,Other,Tax,eu-west-1,AWS`,
  ]),
].join('\n');
/** A month of the bill without its tax. */
const MONTH_USD = 15768 + 230 + 41.37;

async function drop(page: Page, name: string, buffer: Buffer): Promise<void> {
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Imports' }).click();
  await page.getByLabel('File to import').setInputFiles({
    name,
    mimeType: 'application/octet-stream',
    buffer,
  });
  await expect(page).toHaveURL(/\/imports\/[0-9a-f-]{36}/);
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}

interface Held {
  baseline: {
    lines: { count: number; hours_per_month: number; usd_per_h: number }[];
    other_usd_per_month: number;
  };
  baseline_provenance: Record<string, { file?: string; rows?: string }>;
  workload: Record<string, number>;
  designs: {
    letter: string;
    kind: string;
    spec: { region?: string; node_groups?: object[] };
  }[];
  verdict: { headline: string };
}

test('a bill, a fleet and a quote become one study that equals the bill', async ({ page }) => {
  test.setTimeout(240_000);
  await signIn(page, 'own-files@example.org');
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'fleet-')), 'esx.xlsx');
  execFileSync(PYTHON, ['-c', WORKBOOK, file]);

  await drop(page, 'esx.xlsx', readFileSync(file));
  await page.getByLabel('Title of the study (optional)').fill('Our racks and our cloud');
  await page.getByRole('button', { name: 'Make a study of it' }).click({ timeout: 60_000 });
  await expect(page).toHaveURL(/\/studies\/[0-9a-f-]{36}\/designs/);
  const study = /studies\/([0-9a-f-]{36})/.exec(page.url())?.[1];

  await drop(page, 'offer.csv', Buffer.from(QUOTE));
  await page.getByLabel('Title of the entry (optional)').fill('R7625 as offered');
  await page.getByRole('button', { name: 'Add it to the catalogue' }).click({ timeout: 60_000 });
  await expect(page.getByRole('heading', { name: 'In the catalogue' })).toBeVisible();

  await drop(page, 'bill.csv', Buffer.from(BILL));
  await page
    .getByLabel('Goes into')
    .selectOption({ label: 'Our racks and our cloud' }, { timeout: 60_000 });
  await page.getByLabel('The same, 3-year plan at its optimum').check();
  await page.getByLabel('Own servers in colocation').check();
  await page.getByLabel('Own base, rented peaks').check();
  await page.getByLabel('Own servers are').selectOption({ label: 'R7625 as offered' });
  const proposed = page.getByRole('region', {
    name: 'Designs proposed',
    exact: true,
  });
  // A head, three designs, and last the bill, which differs from itself by nothing.
  const rows = proposed.getByRole('row');
  await expect(rows).toHaveCount(5, { timeout: 60_000 });
  await expect(rows.last()).toContainText('Bill of Aug 2026 to Sep 2026');
  await expect(rows.last()).toContainText('$0.00');
  for (const at of [1, 2, 3]) await expect(rows.nth(at)).toContainText('yes');
  const open = page.getByRole('heading', { name: 'Not covered by this file' });
  await expect(open).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  const address = page.url();
  await page.getByRole('button', { name: 'Write it into the study' }).click();
  await expect(page).toHaveURL(new RegExp(`/studies/${study}/designs`), {
    timeout: 60_000,
  });

  const answer = await page.request.get(`/api/v1/studies/${study}`);
  const held = (await answer.json()) as Held;
  const monthly = held.baseline.lines.reduce(
    (sum, { count, hours_per_month, usd_per_h }) => sum + count * hours_per_month * usd_per_h,
    held.baseline.other_usd_per_month,
  );
  expect(Math.abs(monthly - MONTH_USD)).toBeLessThan(0.005);
  expect(held.baseline_provenance['/lines/0']?.file).toBe('bill.csv');
  // 8 hosts of 64 cores, half busy; half of 768 GiB.
  expect(held.workload.busy_cores_count).toBeCloseTo(256, 6);
  expect(held.workload.ram_gib).toBeCloseTo(8 * 384, 6);
  expect(held.designs.map(({ kind }) => kind)).toEqual(['cloud', 'owned_cluster', 'hybrid']);
  expect(held.designs[0]?.spec.region).toBe('eu-west-1');

  // The baseline says the file and the rows of a line beside its value.
  await page.getByText('Baseline', { exact: true }).click();
  await page.getByRole('button', { name: /^Lines/ }).click();
  await page.getByRole('button', { name: /^m5\.xlarge eu-west-1/ }).click();
  // Type, count, hours and price: none of them was typed in.
  await expect(page.getByText(/bill\.csv, 2 of rows 2 to 6/)).toHaveCount(4);
  await page.getByRole('button', { name: 'About Price', exact: true }).click();
  await expect(page.getByRole('dialog', { name: 'About Price' })).toContainText('bill.csv');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Compare', exact: true }).click();
  // The API writes what is bold between asterisks; with simulations the sentence goes on otherwise.
  // The hybrid rents nothing here: it is the owned design by another name.
  expect(held.verdict.headline).toMatch(
    /^\*\*.+ \(B\) and .+ \(C\)\*\* cost the same, and least.+ less than Bill of Aug 2026 to Sep 2026/,
  );
  // Over the ranges the two differ now and then, which does not decide, and the sentence says so.
  const said = page.locator('strong', { hasText: 'Too close to call' }).first();
  await expect(said).toContainText(/\(B\).+ \(C\)/, { timeout: 60_000 });

  // What was left open is told where the bill stands, with the difference of nothing.
  await page.goto(address);
  await expect(open).toBeVisible();
  await expect(page.getByText('GiB of RAM are rented').first()).toBeVisible();
  const explained = page.getByRole('region', { name: 'The bill explained' });
  // With its tax the invoice is 16,138.37 a month: the tax is told apart, and nothing else differs.
  const last = explained.getByRole('row').last();
  await expect(last).toContainText('$16,138.37', { timeout: 60_000 });
  await expect(last).toContainText('−$99.00');
  const differing = explained.getByRole('row').filter({ hasText: '−$99.00' });
  await expect(differing.first()).toContainText(/tax/i);
});
