import type { Layout, PlotData } from 'plotly.js';

/** One column of a chart's table twin; numbers stay numbers until they are shown. */
export interface TwinColumn {
  label: string;
  unit: string;
}

export interface TableTwin {
  columns: TwinColumn[];
  rows: (string | number | null)[][];
  /** How the numbers of a column are printed, by its place, where they are not rounded one by one. */
  printed?: Record<number, string[]>;
}

/** A Plotly trace, with what its published types leave out. */
export type Trace = Omit<Partial<PlotData>, 'textfont' | 'textposition'> & {
  base?: number | number[];
  insidetextfont?: { size?: number; color?: string | string[] };
  textfont?: { size?: number; color?: string | string[] };
  textposition?: string | string[];
};

/** A legend beside a drawing whose series share one trace. */
export interface Legend {
  entries: { id: string; label: string; color: string }[];
  /** The drawing without some of the entries. */
  without: (hidden: ReadonlySet<string>) => Trace[];
}

/** A chart as plain data: what it finds, how it is drawn, and the same numbers as a table. */
export interface Figure {
  title: string;
  summary: string;
  data: Trace[];
  layout: Partial<Layout>;
  legend?: Legend;
  table: TableTwin;
}
