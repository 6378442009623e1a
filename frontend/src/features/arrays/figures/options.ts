import { percent, quantity } from '../../../lib/format';
import type { Theme } from '../../../lib/tokens';

export { plotText } from '../../../lib/plotting';

export interface ArrayOptions {
  theme: Theme;
  narrow: boolean;
}

export function nameOf({ letter, title }: { letter: string; title: string }): string {
  return title ? `${letter}, ${title}` : letter;
}

export function short(text: string, length = 24): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`;
}

/** 6.30 ms, 85.0 µs, 1.25 s. */
export function milliseconds(value: number | null | undefined): string {
  return quantity(value == null ? value : value / 1000, 's');
}

/** How busy a drive is: 29%; shares too small to tell as less than that. */
export function loadText(share: number): string {
  return share > 0 && share < 0.0005 ? '< 0.1%' : percent(share);
}

/** Requests of a second, in millions where they are many: 159 per s, 5.78 M per s. */
export function rateText(rate: number): string {
  return rate < 1e6 ? quantity(rate, '1/s') : quantity(rate / 1e6, 'M per s');
}

/** A logarithmic axis of times in ms, ticked at 1, 2 and 5 where there is room. */
export function decades(low: number, high: number, narrow: boolean) {
  const from = Math.log10(Math.max(low, 1e-4));
  const to = Math.log10(Math.max(high, low * 1.01));
  const room = Math.max(0.02 * (to - from), 0.02);
  const span = to - from;
  const steps = span > (narrow ? 1.6 : 3.2) ? [1] : span > 0.8 ? [1, 3] : [1, 2, 3, 5];
  const tickvals: number[] = [];
  for (let power = Math.floor(from); power <= Math.ceil(to); power += 1) {
    for (const step of steps) {
      const value = step * 10 ** power;
      const place = Math.log10(value);
      if (place >= from - room && place <= to + room) tickvals.push(value);
    }
  }
  const ticktext = tickvals.map((value) =>
    milliseconds(value)
      .replace(/(\.\d*?)0+(?=\D|$)/, '$1')
      .replace(/\.(?=\D|$)/, ''),
  );
  return { range: [from - room, to + room], tickmode: 'array' as const, tickvals, ticktext };
}
