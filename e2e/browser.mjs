import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = dirname(fileURLToPath(import.meta.url));
const SYSTEM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

// The package's own list of flags turns web security off: not for tests.
const ARGS = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-gpu',
];

/** The fonts' own settings name folders below /tmp; a page with a text field crashes without any. */
function fontConfig(folder, fonts) {
  const settings = join(folder, 'fontconfig');
  mkdirSync(settings, { recursive: true });
  const lines = [
    '<?xml version="1.0"?>',
    '<!DOCTYPE fontconfig SYSTEM "fonts.dtd">',
    `<fontconfig><dir>${fonts}</dir><cachedir>${join(folder, 'font-cache')}</cachedir></fontconfig>`,
  ];
  writeFileSync(join(settings, 'fonts.conf'), `${lines.join('\n')}\n`);
  return settings;
}

async function unpacked() {
  const folder = join(HERE, '.browser');
  mkdirSync(folder, { recursive: true });
  const before = process.env.TMPDIR;
  // It unpacks into the temporary folder, which two users of a machine would share.
  process.env.TMPDIR = folder;
  try {
    const entry = fileURLToPath(import.meta.resolve('@sparticuz/chromium'));
    const { default: chromium } = await import('@sparticuz/chromium');
    const { inflate } = await import(join(dirname(entry), 'lambdafs.js'));
    const bin = join(dirname(entry), '..', '..', 'bin');
    const executablePath = await chromium.executablePath();
    const libraries = await inflate(join(bin, 'al2023.tar.br'));
    const fonts = fontConfig(folder, await inflate(join(bin, 'fonts.tar.br')));
    return { executablePath, libraries: join(libraries, 'lib'), fonts };
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/**
 * How to launch a browser without installing one: the Chromium that npm carries, or the
 * system's own. CHROMIUM names another.
 */
export async function launchOptions() {
  const named = process.env.CHROMIUM;
  if (named) return { executablePath: named, args: ARGS };
  try {
    const { executablePath, libraries, fonts } = await unpacked();
    const env = { ...process.env, LD_LIBRARY_PATH: libraries, FONTCONFIG_PATH: fonts };
    return { executablePath, args: ARGS, env: { ...env, HOME: env.HOME ?? tmpdir() } };
  } catch (error) {
    const system = SYSTEM.find((path) => existsSync(path));
    if (system) return { executablePath: system, args: ARGS };
    throw error;
  }
}
