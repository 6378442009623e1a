import { useSyncExternalStore } from 'react';
import type { Theme } from './tokens';

export type ThemeChoice = Theme | 'auto';

const KEY = 'ampacity.theme';
const listeners = new Set<() => void>();

function systemDark(): MediaQueryList | null {
  return typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : null;
}

export function themeChoice(): ThemeChoice {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'auto';
}

function resolve(choice: ThemeChoice): Theme {
  if (choice !== 'auto') return choice;
  return systemDark()?.matches ? 'dark' : 'light';
}

function apply(): void {
  document.documentElement.dataset.theme = resolve(themeChoice());
  for (const listener of listeners) listener();
}

export function chooseTheme(choice: ThemeChoice): void {
  localStorage.setItem(KEY, choice);
  apply();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) systemDark()?.addEventListener('change', apply);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) systemDark()?.removeEventListener('change', apply);
  };
}

/** The theme in force: what the user chose, else what the system says. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => resolve(themeChoice()));
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, themeChoice);
}
