import { read } from '../../lib/pointer';
import type { Design } from '../../lib/types';

/** The design whose nodes are racked: itself, or the owned design that a hybrid names. */
export function rackedDesign(design: Design, designs: readonly Design[]): Design | null {
  if (design.kind === 'owned_cluster') return design;
  if (design.kind !== 'hybrid') return null;
  const letter = read(design.spec, '/owned_letter');
  const named = designs.find((one) => one.letter === letter);
  return named?.kind === 'owned_cluster' ? named : null;
}
