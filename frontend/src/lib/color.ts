function channel(hex: string, at: number): number {
  const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** Relative luminance of a #RRGGBB colour, WCAG 2.2. */
export function luminance(hex: string): number {
  return 0.2126 * channel(hex, 1) + 0.7152 * channel(hex, 3) + 0.0722 * channel(hex, 5);
}

export function contrast(first: string, second: string): number {
  const [light, dark] = [luminance(first), luminance(second)].sort((a, b) => b - a) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
}

const INKS = { light: '#FFFFFF', dark: '#11161C' };

/** Whether white or near-black letters read better on a fill. */
export function inkOn(fill: string): keyof typeof INKS {
  return contrast(fill, INKS.light) >= contrast(fill, INKS.dark) ? 'light' : 'dark';
}

/** The colour of letters on a fill. */
export const inkColor = (fill: string) => INKS[inkOn(fill)];

/** A #RRGGBB colour with an opacity, as Plotly wants it. */
export function withAlpha(hex: string, alpha: number): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return `rgba(${red},${green},${blue},${alpha})`;
}
