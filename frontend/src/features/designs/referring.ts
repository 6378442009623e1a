import { isObject, type Json } from '../../lib/pointer';
import type { Design } from '../../lib/types';

function names(value: Json | undefined, letter: string): boolean {
  if (Array.isArray(value)) return value.some((one) => names(one, letter));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([key, held]) =>
    key.endsWith('_letter') ? held === letter : names(held, letter),
  );
}

/** The letters of the other designs that name this one: as the current site, or for what they rent. */
export function referring(designs: readonly Design[], letter: string): string[] {
  return designs
    .filter((one) => one.letter !== letter && names(one.spec, letter))
    .map((one) => one.letter);
}

/** What is asked before a design is removed. */
export function removalQuestion(designs: readonly Design[], { letter, title }: Design): string {
  const others = referring(designs, letter);
  const question = `Remove design ${letter}, ${title}?`;
  if (others.length === 0) return question;
  const who =
    others.length === 1 ? `Design ${others[0]} names` : `Designs ${others.join(', ')} name`;
  return `${question}\n\n${who} it as the current site or for what is rented: enter another there.`;
}
