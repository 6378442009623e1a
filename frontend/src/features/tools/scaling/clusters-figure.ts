import { valueAxis } from '../../../lib/axis';
import type { Figure, Trace } from '../../../lib/figure';
import { significant } from '../../../lib/format';
import { designLook, type Theme } from '../../../lib/tokens';
import { PART_NAMES, PARTS, type ClusterAnswer } from './scaling';
import { plotText, sampled, short } from '../frame/figures';

const PIECES = [
  { key: 'fixed_w', label: 'Fixed' },
  { key: 'nodes_w', label: 'Nodes' },
  { key: 'disks_w', label: 'Disks' },
  { key: 'ports_w', label: 'Ports' },
] as const;

/** Average power of each cluster by part. */
export function powerParts(clusters: readonly ClusterAnswer[], theme: Theme): Figure {
  const colors = sampled(PIECES.length, theme);
  const totals = clusters.map((cluster) => cluster.power_w);
  const least = clusters[totals.indexOf(Math.min(...totals))];
  const title = `${least?.name ?? ''} uses the least power: ${significant((least?.power_w ?? 0) / 1000)} kW while it works`;
  return {
    title,
    summary: `${title}. ${clusters.map(({ name, power_w }) => `${name}: ${significant(power_w / 1000)} kW`).join('; ')}.`,
    data: PIECES.map(({ key, label: name }, at): Trace => ({
      type: 'bar',
      orientation: 'h',
      name,
      y: clusters.map((_, place) => place),
      x: clusters.map((cluster) => cluster.power_parts[key]),
      marker: { color: colors[at] },
      hovertext: clusters.map(
        (cluster) =>
          `<b>${plotText(cluster.name)}</b><br>${name}: ${significant(cluster.power_parts[key])} W`,
      ),
      hoverinfo: 'text',
    })),
    layout: {
      barmode: 'stack',
      margin: { l: 164, r: 16, t: 8, b: 64 },
      showlegend: true,
      legend: { orientation: 'h', y: -0.35, x: 0, traceorder: 'normal' },
      xaxis: { ...valueAxis('W', { low: 0, high: Math.max(...totals, 0) }), showgrid: true },
      yaxis: named(clusters),
    },
    table: {
      columns: [
        { label: 'Cluster', unit: '' },
        ...PIECES.map((piece) => ({ label: piece.label, unit: 'W' })),
      ],
      rows: clusters.map((cluster) => [
        cluster.name,
        ...PIECES.map(({ key }) => cluster.power_parts[key]),
      ]),
    },
  };
}

function named(clusters: readonly ClusterAnswer[]) {
  return {
    tickmode: 'array' as const,
    tickvals: clusters.map((_, at) => at),
    ticktext: clusters.map(({ name }) => plotText(short(name, 20))),
    range: [clusters.length - 0.4, -0.6],
    showgrid: false,
  };
}

/** How long each phase would take each part; the longest is what it waits for. */
export function phaseTimes(clusters: readonly ClusterAnswer[], theme: Theme): Figure {
  const lines = clusters.flatMap((cluster) => cluster.phases.map((phase) => ({ cluster, phase })));
  const colors = {
    cpu: designLook('A', theme).color,
    disk: designLook('E', theme).color,
    network: designLook('C', theme).color,
  };
  const high = Math.max(...lines.map(({ phase }) => phase.time_s), 0);
  const slow = lines.reduce(
    (most, line) => (line.phase.time_s > (most?.phase.time_s ?? -1) ? line : most),
    lines[0],
  );
  const title = slow
    ? `The longest phase is ${slow.phase.name} of ${slow.cluster.name}, waiting for ${PART_NAMES[slow.phase.bottleneck]}`
    : 'No phases';
  return {
    title,
    summary: title,
    data: PARTS.map((part): Trace => ({
      type: 'bar',
      orientation: 'h',
      name: PART_NAMES[part],
      y: lines.map((_, at) => at),
      x: lines.map(({ phase }) => phase[`${part}_s`]),
      marker: { color: colors[part] },
      hovertext: lines.map(
        ({ cluster, phase }) =>
          `<b>${plotText(cluster.name)}, ${plotText(phase.name)}</b><br>` +
          `${PART_NAMES[part]}: ${significant(phase[`${part}_s`])} s` +
          (phase.bottleneck === part ? '<br>this is what it waits for' : ''),
      ),
      hoverinfo: 'text',
    })),
    layout: {
      barmode: 'group',
      margin: { l: 164, r: 16, t: 8, b: 64 },
      showlegend: true,
      legend: { orientation: 'h', y: -0.3, x: 0 },
      xaxis: {
        ...valueAxis('ratio', { low: 0, high }),
        showgrid: true,
        title: { text: 'Seconds' },
      },
      yaxis: {
        tickmode: 'array',
        tickvals: lines.map((_, at) => at),
        ticktext: lines.map(({ cluster, phase }) =>
          plotText(`${short(cluster.name, 13)}, ${short(phase.name, 8)}`),
        ),
        range: [lines.length - 0.4, -0.6],
        showgrid: false,
      },
    },
    table: {
      columns: [
        { label: 'Cluster', unit: '' },
        { label: 'Phase', unit: '' },
        ...PARTS.map((part) => ({ label: PART_NAMES[part], unit: 's' })),
        { label: 'Waits for', unit: '' },
      ],
      rows: lines.map(({ cluster, phase }) => [
        cluster.name,
        phase.name,
        ...PARTS.map((part) => phase[`${part}_s`]),
        PART_NAMES[phase.bottleneck],
      ]),
    },
  };
}
