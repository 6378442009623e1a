import { expect, test } from '@playwright/test';
import { signIn } from '../sign-in.ts';

/** A FOCUS bill of two months: machines on demand, storage, a tax, and a charge nobody knows. */
function bill(): string {
  const head =
    'BillingCurrency,BillingPeriodStart,BilledCost,EffectiveCost,ListCost,ChargeCategory,' +
    'ChargeDescription,PricingQuantity,PricingUnit,ServiceCategory,ServiceName,RegionId';
  const month = (start: string) => [
    `USD,${start},1401.60,1401.60,1401.60,Usage,$0.192 per On Demand Linux m5.xlarge Instance Hour,7300,Hours,Compute,Amazon Elastic Compute Cloud,us-east-1`,
    `USD,${start},230.00,230.00,230.00,Usage,first 50 TB / month of storage used,10000,GB-Months,Storage,Amazon Simple Storage Service,us-east-1`,
    `USD,${start},15.25,15.25,15.25,Usage,Quux,1,Each,,Frobnication,us-east-1`,
    `USD,${start},99.00,99.00,99.00,Tax,Sales tax,1,Each,Other,Tax,us-east-1`,
  ];
  return [head, ...month('2026-08-01'), ...month('2026-09-01')].join('\n');
}

test('a bill is read, becomes a study whose baseline equals it, and is undone', async ({
  page,
}) => {
  await signIn(page);
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Imports' }).click();
  await page.getByLabel('File to import').setInputFiles({
    name: 'autumn.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(bill()),
  });
  await expect(page).toHaveURL(/\/imports\/[0-9a-f-]{36}/);
  const sums = page.getByRole('table', {
    name: 'Where the money of this bill goes',
  });
  await expect(sums.getByRole('row', { name: 'Invoiced' })).toContainText('$3,491.70', {
    timeout: 30_000,
  });
  await expect(sums.getByRole('row', { name: 'Taxes' })).toContainText('$198.00');
  await expect(page.getByRole('region', { name: 'Not recognised', exact: true })).toContainText(
    'Frobnication',
  );
  const address = page.url();
  await page.getByLabel('Title of the study (optional)').fill('From our bill');
  await page.getByRole('button', { name: 'Make a study of it' }).click();
  await expect(page).toHaveURL(/\/studies\/[0-9a-f-]{36}\/designs/);
  await expect(page.getByRole('heading', { name: 'From our bill' })).toBeVisible();
  await page.getByText('Baseline', { exact: true }).click();
  await expect(page.getByText('m5.xlarge us-east-1').first()).toBeVisible();
  await page.goto(address);
  await page.getByRole('button', { name: 'Undo the import' }).click();
  await expect(page.getByRole('button', { name: 'Make a study of it' })).toBeVisible();
  await navigation.getByRole('link', { name: 'Studies' }).click();
  await expect(page.getByRole('link', { name: 'From our bill' })).toHaveCount(0);
});

/** A quote for two servers, as a table with a head of its own words. */
const QUOTE = [
  'Article;Menge;Net price (EUR)',
  'ThinkSystem SR645 V3 server;2;2.000,00',
  'AMD EPYC 9554 64-Core processor;4;4.000,00',
  '64 GB RDIMM;48;300,00',
  'Premier support 3 years;2;900,00',
].join('\n');

test('a quote becomes an entry of the own catalogue, at the rate one enters', async ({ page }) => {
  await signIn(page);
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Imports' }).click();
  await page.getByLabel('File to import').setInputFiles({
    name: 'offer.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(QUOTE),
  });
  await expect(page.getByText('how many EUR one US dollar buys')).toBeVisible({ timeout: 30_000 });
  await page.getByLabel('EUR per US dollar').fill('0.8');
  const server = page.getByRole('region', { name: 'One server of this quote', exact: true });
  // (4,000 + 16,000 + 14,400) / 2 / 0.8
  await expect(server).toContainText('$21,500.00');
  await expect(server).toContainText('128');
  await page.getByLabel('Title of the entry (optional)').fill('SR645 as offered');
  await page.getByRole('button', { name: 'Add it to the catalogue' }).click();
  await expect(page.getByRole('heading', { name: 'In the catalogue' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo the import' }).click();
  await expect(page.getByRole('button', { name: 'Add it to the catalogue' })).toBeVisible();
});

/** An hour of two machines: their CPU and their RAM in use, in percent. */
const USE = [
  'time,name,cpu_percent,memory_percent',
  ...Array.from({ length: 12 }, (_, at) =>
    [1, 2].map((n) => `${1_700_000_000 + 300 * at},app-${n}.example.org,${10 * n},25`),
  ).flat(),
].join('\n');
const LIST = [
  'Name,vCPUs,Memory (GiB),Max CPU %',
  ...[1, 2, 3].map((n) => `APP-${n},16,64,80`),
  'app-4,16,64,',
].join('\n');

test('machines are sized to instance types by a trace, beside what they were given', async ({
  page,
}) => {
  test.setTimeout(180_000);
  await signIn(page, 'sized@example.org');
  await page.goto('/traces');
  await page.getByLabel('Trace file').setInputFiles({
    name: 'an hour.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(USE),
  });
  await expect(page.getByTestId('trace-summary')).toContainText('2 machines', {
    timeout: 30_000,
  });
  await page.goto('/imports');
  await page.getByLabel('File to import').setInputFiles({
    name: 'machines.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(LIST),
  });
  const whole = page.getByRole('region', {
    name: 'Sized to instance types',
    exact: true,
  });
  await expect(whole).toContainText('3 with a measured use of the CPU (3 by the peak)', {
    timeout: 60_000,
  });
  await page.getByLabel('Measured use: a trace of its machines').selectOption({ index: 1 });
  await expect(whole).toContainText('(2 by the 95th percentile of the trace, 1 by the peak)');
  await page.getByLabel(/Region of the prices/).fill('Frankfurt');
  const aws = page.getByRole('region', {
    name: 'Machines in types of AWS, eu-central-1',
  });
  await expect(aws.getByRole('row', { name: /^All/ })).toContainText('4 x', {
    timeout: 30_000,
  });
  await page.getByLabel('vCPUs busy at most, %').fill('50');
  await expect(whole).toContainText('By use at most 50% of the vCPUs are busy');
  await expect(page.getByLabel(/RAM kept free/)).toHaveAttribute('placeholder', '12.5');
});
