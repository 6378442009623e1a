import { valueAxis } from '../../../lib/axis';
import type { Figure, Trace } from '../../../lib/figure';
import { dateTime, percent } from '../../../lib/format';
import { designLook, type Theme } from '../../../lib/tokens';
import type { Point } from './rows';

interface Options {
  theme: Theme;
  narrow: boolean;
}

function finding(runs: readonly Point[]): string {
  const [before, after] = [runs[0], runs.at(-1)];
  const winner = after?.winner ?? '';
  const share = (run: Point | undefined) => run?.odds?.[winner];
  const now = share(after);
  if (now === undefined) return 'How sure it was, run by run';
  const was = share(before);
  const earlier = was === undefined ? 'not a design' : percent(was);
  return `${winner} is cheapest in ${percent(now)} of the simulations, in the first run ${earlier}`;
}

/** In which share of the simulations each design was cheapest, run by run. */
export function oddsOverTime(all: readonly Point[], { theme, narrow }: Options): Figure | null {
  const runs = [...all].reverse().filter((run) => run.odds !== null);
  if (runs.length < 2) return null;
  const letters = [...new Set(runs.flatMap((run) => Object.keys(run.odds ?? {})))].sort();
  const line = (letter: string): Trace => {
    const { color, dashPx } = designLook(letter, theme);
    const shares = runs.map((run) => run.odds?.[letter] ?? null);
    return {
      type: 'scatter',
      mode: 'lines+markers',
      name: letter,
      x: runs.map((run) => run.submitted_at),
      y: shares,
      line: {
        color,
        dash: (dashPx.map((px) => `${px}px`).join(',') || 'solid') as 'solid',
        width: 2,
        shape: 'hv',
      },
      marker: { color, size: 6 },
      cliponaxis: false,
      hovertext: runs.map(
        (run, at) =>
          `<b>${letter}</b> cheapest in ${percent(shares[at])}<br>${dateTime(run.submitted_at)}`,
      ),
      hoverinfo: 'text',
    };
  };
  const title = finding(runs);
  return {
    title,
    summary: `${title}.`,
    data: letters.map(line),
    layout: {
      margin: { l: 56, r: 24, t: 12, b: 40 },
      showlegend: true,
      xaxis: { type: 'date', nticks: narrow ? 3 : 8 },
      yaxis: valueAxis('fraction', { low: 0, high: 1 }),
    },
    table: {
      columns: [
        { label: 'Run', unit: '' },
        { label: 'Cheapest', unit: '' },
        ...letters.map((letter) => ({ label: letter, unit: 'fraction' })),
      ],
      rows: runs.map((run) => [
        dateTime(run.submitted_at),
        run.winner,
        ...letters.map((letter) => run.odds?.[letter] ?? null),
      ]),
    },
  };
}
