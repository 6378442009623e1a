import { unitLabel } from './format';

const PERCENT = 100;

function isShare(unit: string): boolean {
  return unit === 'fraction' || unit.startsWith('fraction/');
}

/** Takes off what floating point adds: 0.07 x 100 is 7, not 7.000000000000001. */
function clean(value: number): number {
  return Number(value.toPrecision(12));
}

/** A stored value as it is typed: shares in percent, all else as stored. */
export function toTyped(value: number, unit: string): number {
  return isShare(unit) ? clean(value * PERCENT) : value;
}

export function fromTyped(value: number, unit: string): number {
  return isShare(unit) ? clean(value / PERCENT) : value;
}

/** The unit that stands beside a field. */
export function typedUnit(unit: string | undefined): string {
  return unitLabel(unit);
}

const SCALES: Record<string, number> = { k: 1e3, m: 1e6, b: 1e9 };

/** What somebody typed as a number: 1,234.5; 52.5k; −3; 1.5 M. Null when it is none. */
export function parseTyped(text: string): number | null {
  const tidy = text
    .trim()
    .replaceAll(/[,\s\u00a0']/g, '')
    .replace('−', '-');
  const match = /^(-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([kmb]?)$/i.exec(tidy);
  if (!match) return null;
  const scale = SCALES[match[2]?.toLowerCase() ?? ''] ?? 1;
  const value = Number(match[1]) * scale;
  return Number.isFinite(value) ? clean(value) : null;
}

const TINY = 1e-6;

/** A number in a field: every digit, thousands apart, true minus. */
export function typedText(value: number, unit: string): string {
  const shown = toTyped(value, unit);
  // 1e-14 is read, and typed, more surely than its zeros are counted.
  if (shown !== 0 && Math.abs(shown) < TINY) return String(shown).replace(/^-/, '−');
  const text = Math.abs(shown).toLocaleString('en-GB', { maximumSignificantDigits: 15 });
  return shown < 0 ? `−${text}` : text;
}
