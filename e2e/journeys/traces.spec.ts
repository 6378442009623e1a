import { expect, test, type Page } from '@playwright/test';
import { change } from '../change.ts';
import { signIn } from '../sign-in.ts';

const RECORD_BYTES = 32;
const READ10 = 0x28;
const WRITE10 = 0x2a;

/** A vscsi trace of version 1: 8 KiB each, every fourth one a write, one each 10 ms. */
function vscsi(requests: number): Buffer {
  const file = Buffer.alloc(requests * RECORD_BYTES);
  for (let at = 0; at < requests; at += 1) {
    const start = at * RECORD_BYTES;
    file.writeUInt32LE(at, start);
    file.writeUInt32LE(8192, start + 4);
    file.writeUInt32LE(1, start + 8);
    file.writeUInt16LE(at % 4 === 3 ? WRITE10 : READ10, start + 12);
    file.writeUInt16LE(0x0100, start + 14);
    file.writeBigUInt64LE(BigInt(at * 16), start + 16);
    file.writeBigUInt64LE(BigInt(at * 10_000), start + 24);
  }
  return file;
}

/** What the browser does when a file is held over the page, or let go there. */
async function drag(page: Page, type: 'dragenter' | 'drop', file: Buffer): Promise<void> {
  await page.evaluate(
    ([name, text]) => {
      const content = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], 'mail.vscsi'));
      window.dispatchEvent(new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true }));
    },
    [type, file.toString('base64')] as const,
  );
}

test('a file dropped on the page becomes a trace, and is put to arrays', async ({ page }) => {
  // The first simulation after a change of the kernels waits for their compiler.
  test.setTimeout(300_000);
  await signIn(page);
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Traces' }).click();
  await expect(page.getByRole('heading', { name: 'Traces', level: 1 })).toBeVisible();
  await drag(page, 'dragenter', vscsi(2000));
  await expect(page.getByText('Drop the file to read it')).toBeVisible();
  await drag(page, 'drop', vscsi(2000));
  await expect(page).toHaveURL(/\/traces\/[0-9a-f-]{36}/, { timeout: 15_000 });
  const summary = page.getByTestId('trace-summary');
  await expect(summary).toContainText('2,000 requests in 20', {
    timeout: 30_000,
  });
  await expect(summary).toContainText('75% reads');
  await expect(page.getByRole('figure')).toHaveCount(4);
  const rate = page.getByRole('figure', { name: /^Requests over time\./ });
  await expect(rate.locator('.main-svg').first()).toBeVisible();
  await page.getByRole('button', { name: 'Simulate on arrays' }).click();
  await expect(page.getByTestId('verdict')).toContainText('uses the least power', {
    timeout: 240_000,
  });
  await expect(page.getByTestId('verdict')).toContainText('a year for drives and energy');
  await expect(page.getByRole('figure', { name: /^Response times\./ })).toBeVisible();
  await page.goBack();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Delete the trace' }).click();
  await expect(page).toHaveURL(/\/traces$/);
  await expect(page.getByText('mail.vscsi')).toHaveCount(0);
});

test('a file that is no trace says what would be', async ({ page }) => {
  await signIn(page);
  await page.goto('/traces');
  await page.getByLabel('Trace file').setInputFiles({
    name: 'letter.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Dear planner,\nthis is a letter.\n'.repeat(20)),
  });
  await expect(page.getByText(/This is not a .*trace that we know/)).toBeVisible({
    timeout: 30_000,
  });
  const id = /traces\/([^/]+)/.exec(page.url())?.[1] ?? '';
  await change(page, 'DELETE', `traces/${id}`);
});

/** Minutes of two machines that draw 60 W idle and 200 W when busy, on a straight line. */
function watts(minutes: number): string {
  const rows = ['timestamp,host,cpu %,power (W)'];
  for (let at = 0; at < minutes; at += 1) {
    for (const host of ['web1', 'web2']) {
      const load = 50 + 48 * Math.sin((at + (host === 'web1' ? 0 : 30)) / 23);
      const noise = ((at * 7919) % 13) - 6;
      const drawn = 60 + 1.4 * load + noise / 4;
      const stamp = new Date(Date.UTC(2026, 10, 1) + at * 60_000).toISOString();
      rows.push(`${stamp},${host},${load.toFixed(2)},${drawn.toFixed(1)}`);
    }
  }
  return `${rows.join('\n')}\n`;
}

test('measured watts become the power curve of a design', async ({ page }) => {
  test.setTimeout(180_000);
  await signIn(page);
  const example = page.getByRole('link', { name: 'Rent or own', exact: true });
  const id = /studies\/([^/]+)/.exec((await example.getAttribute('href')) ?? '')?.[1] ?? '';
  const copied = await change(page, 'POST', `studies/${id}/copy`);
  const copy = (await copied.json()) as { id: string; title: string };
  await page.goto('/traces');
  await page.getByLabel('Trace file').setInputFiles({
    name: 'rack 4.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(watts(600)),
  });
  await expect(page.getByTestId('trace-summary')).toContainText('2 machines', { timeout: 30_000 });
  const traceId = /traces\/([^/]+)/.exec(page.url())?.[1] ?? '';

  await page.getByRole('button', { name: 'Calibrate', exact: true }).click();
  // A first fit may have to wait for its kernel to be compiled.
  const found = page.getByTestId('power-answer');
  await expect(found).toContainText(/draws (59|60)\.\d.W when idle/, { timeout: 120_000 });
  await expect(found).toContainText(/(199|200|201).W at full load/);
  await expect(page.getByRole('figure', { name: /^Power over load/ })).toBeVisible();

  await page.getByLabel('Study', { exact: true }).selectOption(copy.id);
  await page.getByLabel('Node group of a design').selectOption({ index: 0 });
  await page.getByRole('button', { name: 'Use in this node group' }).click();
  await page.getByRole('link', { name: 'Open it' }).click();
  await expect(page).toHaveURL(new RegExp(`/studies/${copy.id}/designs`));
  const saved = await page.request.get(`/api/v1/studies/${copy.id}`);
  const { designs } = (await saved.json()) as {
    designs: { provenance: Record<string, { source?: string }> }[];
  };
  const sources = designs.flatMap(({ provenance }) => Object.values(provenance));
  // Of idle power and of full power.
  expect(sources.filter(({ source }) => source === 'rack 4, calibrated')).toHaveLength(2);
  await change(page, 'DELETE', `traces/${traceId}`);
  await change(page, 'DELETE', `studies/${copy.id}`);
});

/** Eight days of two machines by quarters of an hour, busy in office hours. */
function office(): string {
  const rows = ['time,name,cpu_percent,memory_percent'];
  const monday = Date.UTC(2026, 10, 2) / 1000;
  for (let at = 0; at < 8 * 96; at += 1) {
    const hour = Math.floor(at / 4) % 24;
    const works = hour >= 9 && hour < 17 && Math.floor(at / 96) % 7 < 5;
    for (const [name, share] of [
      ['web-1', 1],
      ['db-1', 0.5],
    ] as const) {
      rows.push(`${monday + at * 900},${name},${(works ? 75 : 15) * share},50`);
    }
  }
  return `${rows.join('\n')}\n`;
}

test('a dropped trace of utilisation becomes the workload of a study', async ({ page }) => {
  test.setTimeout(120_000);
  await signIn(page);
  await page.goto('/traces');
  await page.getByLabel('Trace file').setInputFiles({
    name: 'office fleet.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(office()),
  });
  await expect(page.getByTestId('trace-summary')).toContainText('2 machines', { timeout: 30_000 });
  const traceId = /traces\/([^/]+)/.exec(page.url())?.[1] ?? '';

  const panel = page.getByRole('region', { name: 'Make a workload' });
  await panel.getByRole('button', { name: 'Make a workload' }).click();
  await expect(panel.getByText('Enter the number of cores, more than 0.')).toBeVisible();
  await panel.getByLabel('Cores per machine').fill('64');
  await panel.getByLabel('RAM per machine, GiB').fill('0.5 TiB');
  await panel.getByText('Machines of another size').click();
  await panel.getByLabel('One machine a line: name, cores, RAM').fill('db-1, 32, 256 GiB');
  await panel.getByRole('button', { name: 'Make a workload' }).click();
  const found = page.getByTestId('work-answer');
  await expect(found).toContainText('60 cores at the 99th percentile', { timeout: 60_000 });
  await expect(found).toContainText('of 96 cores installed');
  await expect(found).toContainText('by hour of the week');
  await expect(
    page.getByRole('figure', { name: /The busiest hours? of the week (is|are) Monday, 09:00/ }),
  ).toBeVisible();

  await panel.getByRole('link', { name: 'New study with this work' }).click();
  await expect(page.getByText('From the trace office fleet')).toBeVisible();
  await expect(page.getByLabel('RAM in use')).toHaveValue('384');
  await expect(page.getByTestId('verdict')).toContainText(/./, { timeout: 30_000 });
  await page.getByRole('button', { name: 'Save and compare' }).click();
  await expect(page).toHaveURL(/studies\/[0-9a-f-]{36}\/compare/);
  const studyId = /studies\/([^/]+)/.exec(page.url())?.[1] ?? '';
  const answer = await page.request.get(`/api/v1/studies/${studyId}`);
  const study = (await answer.json()) as {
    workload: { shape: { values_ratio: number[] } };
    workload_provenance: Record<string, { source: string; quality: string }>;
  };
  expect(study.workload.shape.values_ratio).toHaveLength(168);
  for (const pointer of ['/busy_cores_count', '/p99_ratio', '/ram_gib', '/shape/values_ratio']) {
    expect(study.workload_provenance[pointer]).toMatchObject({
      quality: 'measured',
      source: 'Trace office fleet, office fleet.csv, 10 Nov 2026',
    });
  }
  await change(page, 'DELETE', `studies/${studyId}`);
  await change(page, 'DELETE', `traces/${traceId}`);
});
