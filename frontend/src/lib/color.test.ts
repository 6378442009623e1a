import tokens from '../tokens.json';
import { contrast, inkOn } from './color';

describe('the colours', () => {
  it('agree with the contrast of WCAG at its ends', () => {
    expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21);
    expect(contrast('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2);
  });

  it.each(tokens.designs)('of design $letter read on the dark surface', ({ dark }) => {
    expect(contrast(dark, tokens.themes.dark.surface)).toBeGreaterThanOrEqual(4.5);
  });

  it.each(['light', 'dark'] as const)('of text read on the %s background', (theme) => {
    const { background, surface, text, muted, action, good, warning, bad } = tokens.themes[theme];
    for (const ink of [text, muted, action, good, warning, bad]) {
      expect(contrast(ink, background)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(ink, surface)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('of letters on a fill are those that read better', () => {
    expect([inkOn('#332288'), inkOn('#E69F00')]).toEqual(['light', 'dark']);
  });

  it('give every design a dash of its own', () => {
    const dashes = tokens.designs.map((design) => design.dash_px.join());
    expect(new Set(dashes).size).toBe(tokens.designs.length);
  });
});
