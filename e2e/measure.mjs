// What a planner waits for on screen, in a real browser, as one JSON object:
//
//   AMPACITY_URL=... node measure.mjs CODE [PATH SELECTOR]
//
// With a path: five times, with a cold cache, from the address to what the selector finds.
// slider: from the input event to the second frame after the last chart in view shows the
// answer, 100 moves, ten a second. first_page: largest paint with a cold cache, and what
// script is fetched for it. first_distribution: from the click on Simulate to the frame after
// the first curve, and after both, of two arrays; 1,000,000 requests each, a new seed every time.
import { chromium } from '@playwright/test';
import { launchOptions } from './browser.mjs';

const URL_BASE = process.env.AMPACITY_URL ?? 'http://127.0.0.1:8000';
const MOVES = Number(process.env.MOVES ?? 100);
const EVERY_MS = 100;
const DESIGNS = 4;
const DISTRIBUTIONS = 7;

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
}

async function call(page, method, path, body) {
  return page.evaluate(
    async ([verb, address, sent]) => {
      const token = /csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? '';
      const response = await fetch(`/api/v1/${address}`, {
        method: verb,
        headers: { 'Content-Type': 'application/json', 'X-CSRFToken': token },
        body: sent === undefined ? undefined : JSON.stringify(sent),
      });
      return response.status === 204 ? null : response.json();
    },
    [method, path, body],
  );
}

/** A copy of the example of now that has four designs. */
async function studyOfFour(page) {
  const { results } = await call(page, 'GET', 'studies?limit=200');
  const example = results.find((study) => study.slug === 'rent-or-own') ?? results[0];
  const copy = await call(page, 'POST', `studies/${example.id}/copy`);
  const kept = new Set(['A', 'B', 'C', 'D']);
  for (const design of copy.designs.filter((entry) => !kept.has(entry.letter))) {
    await call(page, 'DELETE', `designs/${design.id}`);
  }
  const ranges = copy.ranges.filter(
    ({ pointer }) => !pointer.startsWith('/designs/') || kept.has(pointer.split('/')[2]),
  );
  await call(page, 'PATCH', `studies/${copy.id}`, { ranges });
  return copy.id;
}

/** Runs in the page: moves the first slider and times each move to the frame that shows it. */
async function drag({ moves, every }) {
  const input = document.querySelector('input[type=range]');
  const setValue = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set;
  const charts = () => [...document.querySelectorAll('[data-chart][data-in-view=true]')];
  const shown = () => Math.min(...charts().map((chart) => Number(chart.dataset.revision ?? 0)));
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const [low, high, step] = [Number(input.min), Number(input.max), Number(input.step)];
  const steps = Math.round((high - low) / step);
  let place = -1;
  const waiting = [];
  const times = [];
  const watch = async () => {
    while (times.length < moves) {
      await frame();
      const now = shown();
      while (waiting.length > 0 && waiting[0].revision <= now) {
        const { started } = waiting.shift();
        // The frame just begun is the first after the drawing; the next one is the second.
        void frame().then(() => times.push(performance.now() - started));
      }
    }
  };
  const watched = watch();
  const begin = performance.now();
  for (let at = 0; at < moves; at += 1) {
    const due = begin + at * every;
    await new Promise((done) => setTimeout(done, Math.max(0, due - performance.now())));
    const next = Math.round(steps * (0.3 + 0.4 * Math.abs(((at / 25) % 2) - 1)));
    // A move to where the slider stands is none: nothing would be asked.
    place = next === place ? next + 1 : next;
    const now = shown();
    const started = performance.now();
    setValue.call(input, String(low + place * step));
    input.dispatchEvent(new Event('input', { bubbles: true }));
    // While an earlier move is on its way, this one is answered by the answer after that.
    const isBusy = waiting.some(({ revision }) => revision > now);
    waiting.push({ started, revision: now + (isBusy ? 2 : 1) });
  }
  await Promise.race([watched, new Promise((done) => setTimeout(done, 5000))]);
  return { times, in_view: charts().length };
}

async function slider(page, id, scrolled) {
  await page.goto(`${URL_BASE}/studies/${id}/compare`);
  await page.waitForSelector('[data-chart] .main-svg', { state: 'attached' });
  await page.evaluate((top) => window.scrollTo(0, top), scrolled);
  await page.waitForTimeout(1500);
  const { times, in_view } = await page.evaluate(drag, { moves: MOVES, every: EVERY_MS });
  return {
    designs: DESIGNS,
    charts_in_view: in_view,
    moves: times.length,
    p50_ms: quantile(times, 0.5),
    p95_ms: quantile(times, 0.95),
    max_ms: Math.max(...times),
  };
}

/** Runs in the page: presses Simulate and waits until the chart of this run is drawn. */
async function firstDistribution() {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  // A line and its marks for each array, and the letters.
  const drawn = () => document.querySelectorAll('[data-chart] .scatterlayer .trace').length;
  const button = [...document.querySelectorAll('button')].find(
    (one) => one.textContent.trim() === 'Simulate',
  );
  const started = performance.now();
  button.click();
  const until = async (traces) => {
    while (drawn() < traces && performance.now() - started < 120_000) await frame();
    await frame();
    return performance.now() - started;
  };
  return { first: await until(3), both: await until(5) };
}

async function arrays(page) {
  const times = [];
  for (let count = 0; count < DISTRIBUTIONS + 1; count += 1) {
    await page.goto(`${URL_BASE}/tools/arrays`);
    await page.getByText('Simulation', { exact: true }).click();
    // A question asked before would be answered from the stored result.
    const seed = Math.floor(Math.random() * 2 ** 30);
    await page.getByLabel('Seed', { exact: true }).fill(String(seed));
    await page.waitForTimeout(1500);
    times.push(await page.evaluate(firstDistribution));
    await page.waitForFunction(() => !document.querySelector('[role=progressbar]'));
  }
  // The first one finds the workers cold.
  const [cold, ...warm] = times;
  const first = warm.map((time) => time.first);
  const both = warm.map((time) => time.both);
  return {
    arrays: 2,
    requests: 1_000_000,
    cold_first_ms: cold.first,
    first_p50_ms: quantile(first, 0.5),
    first_max_ms: Math.max(...first),
    both_p50_ms: quantile(both, 0.5),
    both_max_ms: Math.max(...both),
  };
}

async function firstPage(browser, state) {
  const context = await browser.newContext({
    storageState: state,
    viewport: { width: 1440, height: 900 },
  });
  const page = await context.newPage();
  const scripts = [];
  page.on('response', async (response) => {
    if (!response.url().endsWith('.js') || response.url().includes('plotly')) return;
    const sizes = await response.request().sizes();
    scripts.push(sizes.responseBodySize);
  });
  await page.goto(URL_BASE, { waitUntil: 'networkidle' });
  const paint = await page.evaluate(
    () =>
      new Promise((done) => {
        new PerformanceObserver((list) => done(list.getEntries().at(-1).startTime)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
        setTimeout(() => done(null), 3000);
      }),
  );
  await context.close();
  return { largest_paint_ms: paint, script_bytes: scripts.reduce((a, b) => a + b, 0) };
}

/** When the page first painted, and when it first had what a selector finds. */
async function firstShown(browser, storageState, path, selector) {
  const context = await browser.newContext({
    storageState,
    viewport: { width: 1440, height: 900 },
  });
  const page = await context.newPage();
  await page.goto(`${URL_BASE}${path}`, { waitUntil: 'commit' });
  await page.waitForSelector(selector);
  const shown = await page.evaluate(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    return { paint_ms: paint?.startTime ?? null, shown_ms: performance.now() };
  });
  await context.close();
  return shown;
}

async function everything(page, context) {
  const id = await studyOfFour(page);
  const result = {
    slider: await slider(page, id, 620),
    first_distribution: await arrays(page),
    first_page: [],
  };
  const state = await context.storageState();
  for (let count = 0; count < 5; count += 1)
    result.first_page.push(await firstPage(browser, state));
  await call(page, 'DELETE', `studies/${id}`);
  return result;
}

const [code, path, selector] = process.argv.slice(2);
const browser = await chromium.launch(await launchOptions());
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(`${URL_BASE}/sign-in#code=${code}`);
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'));
  await page.waitForSelector('article');
  let result = [];
  if (path === undefined) result = await everything(page, context);
  else {
    const state = await context.storageState();
    for (let count = 0; count < 5; count += 1)
      result.push(await firstShown(browser, state, path, selector));
  }
  process.stdout.write(`${JSON.stringify(result, null, 1)}\n`);
} finally {
  await browser.close();
}
