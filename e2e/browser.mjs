// Finds a Chromium for the tests and prints {executablePath, args, env} as JSON.
// First the one that npm ships (unpacked once into .browser/, no root needed), else the system's.
// It lags behind on security fixes: it may open nothing but our own pages on 127.0.0.1.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const home = join(here, '.browser');

// Not the package's own list: that one switches web security off.
const args = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-gpu',
];

const system = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
];

async function unpack() {
  if (existsSync(home)) return;
  const scratch = `${home}-${process.pid}`;
  mkdirSync(scratch, { mode: 0o700 });
  process.env.TMPDIR = scratch;
  try {
    const main = createRequire(import.meta.url).resolve('@sparticuz/chromium');
    const root = join(dirname(main), '..', '..');
    const { inflate } = await import(pathToFileURL(join(root, 'build/esm/lambdafs.js')).href);
    const packs = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br', 'swiftshader.tar.br'];
    await Promise.all(packs.map((pack) => inflate(join(root, 'bin', pack))));
    renameSync(scratch, home);
  } catch (error) {
    rmSync(scratch, { recursive: true, force: true });
    if (!existsSync(home)) throw error;
  }
}

function runs(executablePath, env) {
  try {
    execFileSync(executablePath, ['--version'], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
      timeout: 20_000,
    });
    return true;
  } catch {
    return false;
  }
}

export async function findBrowser() {
  const shipped = join(home, 'chromium');
  // Without its fonts no text is painted.
  const env = { LD_LIBRARY_PATH: join(home, 'al2023', 'lib'), FONTCONFIG_PATH: join(home, 'fonts') };
  const reasons = [];
  try {
    await unpack();
    if (runs(shipped, env)) return { executablePath: shipped, args, env };
    reasons.push('the one in @sparticuz/chromium does not start');
  } catch (error) {
    reasons.push(String(error.message ?? error));
  }
  for (const executablePath of system) {
    if (existsSync(executablePath) && runs(executablePath, {})) {
      return { executablePath, args, env: {} };
    }
  }
  throw new Error(
    `No browser: ${reasons.join('; ')}, and there is no ${system.join(' or ')}. ` +
      'Install Debian’s chromium-headless-shell package.',
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    console.log(JSON.stringify(await findBrowser()));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
