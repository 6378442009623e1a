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
