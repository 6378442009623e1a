/** One number, word or sentence of a result. */
export interface Fact {
  key: string;
  label: string;
  unit: string;
  value: string | number | boolean | null;
  description?: string;
  /** Why there is no value. */
  reason?: string;
}

export interface FactGroup {
  title: string;
  facts: Fact[];
}

/** A single value of a result. */
export type Scalar = string | number | boolean | null;

export type Cell = Scalar;

export interface Column {
  key: string;
  label: string;
  unit: string;
  description?: string;
}

/** Rows of a result; the first column names the row's group where there is one. */
export interface Rows {
  key: string;
  title: string;
  columns: Column[];
  rows: Cell[][];
  /** The column whose values tell the lines of a chart apart. */
  by: number | null;
}

/** Numbers over two axes. */
export interface Grid {
  key: string;
  title: string;
  unit: string;
  description?: string;
  x: { label: string; unit: string; values: number[] };
  y: { label: string; unit: string; values: number[] };
  /** A row for each y. */
  values: (number | null)[][];
}

export interface ResultParts {
  sentences: string[];
  warnings: string[];
  groups: FactGroup[];
  tables: Rows[];
  grids: Grid[];
}
