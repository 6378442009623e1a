import type { Comparison, DesignResult, Spare } from '../../../lib/comparison';
import type { Figure, Trace } from '../../../lib/figure';
import { percent } from '../../../lib/format';
import { designLook, palette } from '../../../lib/tokens';
import { nameOf, plotText, type FigureOptions } from './options';

const RESOURCES: { key: keyof Spare; id: string; label: string }[] = [
  { key: 'cores_fraction', id: 'cores', label: 'Cores' },
  { key: 'ram_fraction', id: 'ram', label: 'RAM' },
  { key: 'disk_fraction', id: 'disk', label: 'Disk' },
  { key: 'iops_fraction', id: 'iops', label: 'IOPS' },
  { key: 'throughput_fraction', id: 'throughput', label: 'Throughput' },
  { key: 'gpu_fraction', id: 'gpu', label: 'GPUs' },
];

function used(design: DesignResult, key: keyof Spare): number | null {
  const spare = design.spare[key];
  return spare == null ? null : 1 - spare;
}

function listed(letters: readonly string[]): string {
  if (letters.length < 2) return letters.join('');
  return `${letters.slice(0, -1).join(', ')} and ${letters.at(-1)}`;
}

function finding(designs: readonly DesignResult[]): string {
  const short = designs.filter((design) => !design.carries_load);
  if (short.length > 0) {
    return `${short.map((design) => design.letter).join(', ')} cannot meet demand`;
  }
  const labels = [...new Set(designs.map((design) => design.binding.label))];
  const [first = ''] = labels;
  const verb = first.endsWith('s') ? 'are' : 'is';
  if (labels.length === 1) return capital(`${first} ${verb} the constraint in every design`);
  const parts = labels.map((label, at) => {
    const letters = designs
      .filter((design) => design.binding.label === label)
      .map((design) => design.letter);
    return `${label} ${at === 0 ? `${verb} the constraint ` : ''}in ${listed(letters)}`;
  });
  return capital(parts.join(', '));
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** How full each resource is at peak, by design; the fullest is what binds. */
export function binding(comparison: Comparison, options: FigureOptions): Figure {
  const { designs } = comparison;
  const { theme } = options;
  const colors = palette[theme];
  const shown = RESOURCES.filter(({ key }) => designs.some((design) => used(design, key) !== null));
  const high = Math.max(
    1,
    ...designs.flatMap((design) => shown.map(({ key }) => used(design, key) ?? 0)),
  );
  const title = finding(designs);
  const data = designs.map((design): Trace => {
    const { color } = designLook(design.letter, theme);
    const values = shown.map(({ key }) => used(design, key));
    return {
      type: 'bar',
      name: plotText(nameOf(design)),
      x: shown.map(({ label }) => label),
      y: values.map((value) => value ?? 0),
      marker: { color },
      text: values.map((value, at) => {
        if (value === null) return '—';
        return shown[at]?.id === design.binding.resource
          ? `<b>${design.letter} ●</b>`
          : design.letter;
      }),
      textposition: 'outside',
      constraintext: 'none',
      cliponaxis: false,
      textfont: { size: 11, color: colors.muted },
      hovertext: values.map(
        (value, at) =>
          `<b>${plotText(nameOf(design))}</b><br>${shown[at]?.label} ` +
          (value === null ? 'not known' : `${percent(value)} used at peak`),
      ),
      hoverinfo: 'text',
    };
  });
  return {
    title,
    summary: `${title}. ${designs
      .map(
        (design) =>
          `${nameOf(design)}: ${shown.map(({ key, label }) => `${label} ${percent(used(design, key))}`).join(', ')}`,
      )
      .join('; ')}.`,
    data,
    layout: {
      margin: { l: 64, r: 16, t: 16, b: 32 },
      barmode: 'group',
      bargap: 0.3,
      bargroupgap: 0.12,
      xaxis: {},
      yaxis: {
        title: { text: 'Used at peak' },
        range: [0, high * 1.1],
        tickmode: 'array',
        tickvals: [0, 0.25, 0.5, 0.75, 1],
        ticktext: ['0%', '25%', '50%', '75%', '100%'],
      },
      shapes: [
        {
          type: 'line',
          xref: 'paper',
          x0: 0,
          x1: 1,
          y0: 1,
          y1: 1,
          line: { color: colors.bad, width: 1, dash: 'dot' },
        },
      ],
    },
    table: {
      columns: [
        { label: 'Design', unit: '' },
        { label: 'Constraint', unit: '' },
        ...shown.map(({ label }) => ({ label: `${label} used`, unit: 'fraction' })),
      ],
      rows: designs.map((design) => [
        nameOf(design),
        design.binding.label,
        ...shown.map(({ key }) => used(design, key)),
      ]),
    },
  };
}
