import type { Theme } from './tokens';

/** Plotly reads a small HTML in texts; names typed by users are text only. */
export function plotText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

export function short(text: string, length = 24): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}

/** A name on up to two lines, broken at a space; the second is cut where it is longer. */
export function wrapped(text: string, length: number): string {
  if (text.length <= length) return plotText(text);
  const at = text.lastIndexOf(' ', length);
  if (at <= 0) return plotText(short(text, length));
  return `${plotText(text.slice(0, at))}<br>${plotText(endOf(text.slice(at + 1), length))}`;
}

/** The end of a text in whole words: names of rows that begin alike differ there. */
function endOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const from = text.indexOf(' ', text.length - length);
  return from < 0 ? shortOf(text, length) : `…${text.slice(from + 1)}`;
}

/** A name cut to a length, with the letter of its design kept: Migration: months of … (D). */
export function shortOf(label: string, length: number): string {
  const letter = / \([^)]\)$/.exec(label)?.[0] ?? '';
  return short(label.slice(0, label.length - letter.length), length - letter.length) + letter;
}

// Viridis, from its dark end to its light one; the ends are left out on their own theme.
const VIRIDIS = [
  '#440154', '#482475', '#414487', '#355F8D', '#2A788E', '#21918C', '#22A884', '#44BF70', '#7AD151',
  '#BDDF26', '#FDE725',
]; // prettier-ignore

function mixed(from: string, to: string, share: number): string {
  const channel = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  const part = (at: number) =>
    Math.round(channel(from, at) * (1 - share) + channel(to, at) * share)
      .toString(16)
      .padStart(2, '0');
  return `#${part(1)}${part(3)}${part(5)}`.toUpperCase();
}

function viridis(share: number): string {
  const place = Math.min(1, Math.max(0, share)) * (VIRIDIS.length - 1);
  const low = Math.floor(place);
  return mixed(
    VIRIDIS[low] ?? '',
    VIRIDIS[Math.min(low + 1, VIRIDIS.length - 1)] ?? '',
    place - low,
  );
}

/** So many colours of one sequence, told apart also in greyscale. */
export function sampled(count: number, theme: Theme): string[] {
  const [from, to] = theme === 'dark' ? [0.2, 0.95] : [0.12, 0.88];
  if (count === 1) return [viridis(0.45)];
  return Array.from({ length: count }, (_, at) => viridis(from + ((to - from) * at) / (count - 1)));
}
