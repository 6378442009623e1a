import { AxeBuilder } from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { change } from '../change.ts';
import { signIn } from '../sign-in.ts';

const SURFACES = 4;
const TURN_MS = 60_000 / 7200;
const ZONES = [
  { first: 0, last: 1499, perTrack: 200 },
  { first: 1500, last: 2999, perTrack: 150 },
] as const;
const SEEKS = [
  [1, 1.0],
  [1000, 8.0],
  [2999, 14.0],
] as const;

const zone = ({ first, last, perTrack }: (typeof ZONES)[number]) =>
  `dm_layout_g1_zone { First cylinder number = ${first}, Last cylinder number = ${last},
   Blocks per track = ${perTrack}, Offset of first block = 0, Empty space at zone front = 0,
   Skew for track switch = 20, Skew for cylinder switch = 30,
   Number of spares = 0, slips = [], defects = [] }`;

const FILES = {
  'lab.diskspecs': `disksim_disk LAB_DISK { Model = source lab.model,
   Bulk sector transfer time = 0.02, Read miss over. after read = 0.4,
   Number of buffer segments = 1, Segment size (in blks) = 256, Enable caching in buffer = 0 }`,
  'lab.model': `dm_disk LAB_DISK_model { Number of data surfaces = ${SURFACES},
   Number of cylinders = 3000, Block count = 2100000,
   Mechanical Model = dm_mech_g1 { Access time type = trackSwitchPlusRotation,
    Seek type = extracted, Full seek curve = lab.seek, Add. write settling delay = 0.6,
    Head switch time = 0.9, Rotation speed (in rpms) = 7200 },
   Layout Model = dm_layout_g1 { LBN-to-PBN mapping scheme = 0, Sparing scheme used = 0,
    Rangesize for sparing = 1, Zones = [ ${ZONES.map(zone).join(', ')} ] } }`,
  'lab.seek': SEEKS.map(([distance, ms]) => `${distance}, ${ms}`).join('\n'),
};

const buffer = (name: keyof typeof FILES) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(FILES[name]),
});

/** Evenly spread numbers between 0 and 1, the same each time. */
function spread(): () => number {
  let state = 12_345;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

function seekMs(distance: number): number {
  if (distance === 0) return 0;
  const at = SEEKS.findIndex(([to]) => distance <= to);
  const [to, long] = SEEKS[at] ?? SEEKS[0];
  const [from, short] = SEEKS[at - 1] ?? [0, 1.0];
  return short + ((long - short) * (distance - from)) / (to - from);
}

/** What that disk takes of requests one after another, as DiskSim's validate files have it. */
function measured(requests: number): string {
  const next = spread();
  let arm = 0;
  const rows = Array.from({ length: requests }, () => {
    const cylinder = Math.floor(next() * 3000);
    const { first, perTrack } = ZONES[cylinder < 1500 ? 0 : 1];
    const before = cylinder < 1500 ? 0 : 1500 * SURFACES * 200;
    const start = Math.floor(next() * SURFACES) * perTrack + Math.floor(next() * (perTrack - 8));
    const block = before + (cylinder - first) * SURFACES * perTrack + start;
    const write = next() < 0.3;
    const turned = next() * TURN_MS + (8 / perTrack) * TURN_MS;
    const ms = 0.4 + seekMs(Math.abs(cylinder - arm)) + turned + (write ? 0.6 : 0);
    arm = cylinder;
    return `${write ? 'W' : 'R'} Miss ${block} 8 ${(ms * 1000).toFixed(1)} 25000.0`;
  });
  return `${rows.join('\n')}\n`;
}

async function expectReachable(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.flatMap((rule) => rule.nodes.map((node) => node.html))).toEqual([]);
}

/** Uploads what the disk takes of so many requests, and goes on to choosing the drive. */
async function choosing(page: Page, name: string, requests: number) {
  // A first fit may have to wait for its kernels to be compiled.
  test.setTimeout(300_000);
  await signIn(page);
  await page.goto('/traces');
  await page.getByLabel('Trace file').setInputFiles({
    name,
    mimeType: 'text/plain',
    buffer: Buffer.from(measured(requests)),
  });
  await expect(page.getByTestId('trace-summary')).toContainText(`${requests} requests`, {
    timeout: 30_000,
  });
  const panel = page.getByRole('region', { name: 'Calibrate a drive' });
  await panel.getByRole('button', { name: 'Choose the drive' }).click();
  return { panel, traceId: /traces\/([^/]+)/.exec(page.url())?.[1] ?? '' };
}

test('a drive that no catalogue has is read from its files and calibrated from its trace', async ({
  page,
}) => {
  const { panel, traceId } = await choosing(page, 'lab.validate', 900);
  await page.getByRole('button', { name: 'Read DiskSim’s files' }).click();
  const files = page.getByRole('dialog', { name: 'Read DiskSim’s files' });
  await files
    .getByLabel('DiskSim files')
    .setInputFiles([buffer('lab.diskspecs'), buffer('lab.seek')]);
  await expect(files.getByRole('alert')).toHaveText(
    'lab.diskspecs takes its model from lab.model: give that file as well.',
  );
  await expectReachable(page);
  await files.getByLabel('DiskSim files').setInputFiles([buffer('lab.model')]);
  const read = page.getByTestId('drive-read');
  await expect(read).toContainText(/LAB DISK is a disk of 1\.08.GB at 7,200.rpm, with 2 zones/);
  await expectReachable(page);
  await files.getByRole('button', { name: 'Use this drive' }).click();

  const answer = page.getByTestId('recorded-answer');
  await expect(answer).toContainText(/The fitted drive has a demerit of \d/, {
    timeout: 240_000,
  });
  const told = await answer.textContent();
  const demerit = Number(/demerit of ([\d.]+)%/.exec(told ?? '')?.[1]);
  // Its platter turns at random here, which 450 requests tell within a few percent.
  expect(demerit).toBeLessThan(8);
  await expect(panel.getByRole('button', { name: 'LAB DISK', exact: true })).toBeVisible();
  await expectReachable(page);
  await change(page, 'DELETE', `traces/${traceId}`);
});

test('a drive is described by its figures, and taken when nothing is wrong with it', async ({
  page,
}) => {
  const { panel, traceId } = await choosing(page, 'sheet.validate', 400);
  const describe = page.getByRole('button', { name: 'Describe a drive' });
  const sheet = page.getByRole('dialog', { name: 'Describe a drive' });
  await describe.press('Enter');
  await expect(sheet).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(describe).toBeFocused();
  await describe.press('Enter');
  await sheet.getByRole('textbox', { name: 'Name' }).fill('Lab disk');
  await sheet.getByLabel('Capacity', { exact: true }).fill('1.08');
  const inner = sheet.getByLabel('Inner rate', { exact: true });
  const use = sheet.getByRole('button', { name: 'Use this drive' });
  await sheet.getByLabel('Outer rate', { exact: true }).fill('12.3');
  await sheet.getByLabel('Outer rate', { exact: true }).blur();
  await use.click();
  await expect(sheet.getByText('no faster than outside').first()).toBeVisible();
  await expectReachable(page);
  await inner.fill('9.2');
  await inner.blur();
  await use.click();
  await expect(sheet).toHaveCount(0);
  await expect(page.getByTestId('recorded-answer')).toContainText('demerit of', {
    timeout: 240_000,
  });
  await expect(panel.getByRole('button', { name: 'Lab disk', exact: true })).toBeVisible();
  await panel.getByRole('button', { name: 'Keep in the catalogue' }).click();
  const kept = panel.getByRole('link', { name: 'Lab disk, calibrated' });
  await expect(kept).toBeVisible();
  await expectReachable(page);
  await kept.click();
  const entry = page.getByRole('complementary').or(page.getByRole('dialog'));
  await expect(entry.getByText('Calibrated from the trace sheet.validate').first()).toBeVisible();
  await change(page, 'DELETE', 'catalogue/entries/lab-disk-calibrated');
  await change(page, 'DELETE', `traces/${traceId}`);
});
