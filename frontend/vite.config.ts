import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { preloadFonts } from './preload-fonts.ts';
import { tokensCss } from './tokens-css.ts';

const backend = process.env.BACKEND_URL ?? 'http://127.0.0.1:8000';

export default defineConfig({
  plugins: [react(), tokensCss(), preloadFonts()],
  server: { host: '127.0.0.1', proxy: { '/api': backend, '/events': backend } },
  build: { target: 'es2023', chunkSizeWarningLimit: 1700, assetsInlineLimit: 0 },
  test: {
    environment: 'jsdom',
    globals: true,
    setupFiles: ['tests/setup.ts'],
    css: false,
    restoreMocks: true,
  },
});
