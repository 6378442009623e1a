import type { ProxyOptions } from 'vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { precompress } from './precompress.ts';
import { preloadFonts } from './preload-fonts.ts';
import { tokensCss } from './tokens-css.ts';

const backend = process.env.BACKEND_URL ?? 'http://127.0.0.1:8000';

const toBackend: ProxyOptions = {
  target: backend,
  changeOrigin: true,
  // The server takes changes from its own pages only; in development it sees them as such.
  headers: { origin: backend },
};

export default defineConfig({
  plugins: [react(), tokensCss(), preloadFonts(), precompress()],
  server: { host: '127.0.0.1', proxy: { '/api': toBackend } },
  build: { target: 'es2023', chunkSizeWarningLimit: 1700, assetsInlineLimit: 0 },
  test: {
    globals: true,
    // Styles are left out, except where a test reads them as a text.
    css: { include: [/[?&]raw/] },
    restoreMocks: true,
    testTimeout: 30_000,
    setupFiles: ['tests/clock.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'plain',
          include: ['src/**/*.test.ts'],
          environment: 'node',
          // Functions without state: the files of a thread share what they import.
          pool: 'threads',
          isolate: false,
          unstubGlobals: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'pages',
          include: ['tests/**/*.test.{ts,tsx}', 'src/**/*.test.tsx'],
          environment: 'jsdom',
          setupFiles: ['tests/setup.ts'],
        },
      },
    ],
  },
});
