import type { FormulaTerm } from '../../lib/comparison';
import type { Opened } from './api/workings';
import type { InputPlace } from './behind';

export interface Explanation {
  title: string;
  /** The number as shown, and every digit of it. */
  value: string;
  exact?: string;
  formula?: string;
  terms: readonly FormulaTerm[];
  /** Inputs of the study that go into it, beside the terms. */
  inputs?: readonly InputPlace[];
  note?: string;
  /** The cause whose lines tell how it comes about. */
  opened?: Opened;
}
