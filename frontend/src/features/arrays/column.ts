import type { ArrayResult } from './result';

export interface Column {
  id: string;
  label: string;
  unit: string;
  lowerIsBetter: boolean | null;
  read: (result: ArrayResult) => { value: number | null; note?: string | null };
}
