import type { LaunchOptions } from '@playwright/test';

export function launchOptions(): Promise<LaunchOptions>;
