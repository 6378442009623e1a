import { defineConfig } from '@playwright/test';
import { launchOptions } from './browser.mjs';

export default defineConfig({
  testDir: 'journeys',
  outputDir: 'test-results',
  workers: 1,
  // Stacks start and stop beside the journeys in `./test`.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  reporter: [['list']],
  use: {
    baseURL: process.env.AMPACITY_URL,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    // A button that never comes fails as soon as a text that never comes.
    actionTimeout: 20_000,
    screenshot: 'only-on-failure',
    // A trace records every frame, which takes longer than many journeys: `--trace on` makes one.
    trace: 'off',
    launchOptions: await launchOptions(),
  },
});
