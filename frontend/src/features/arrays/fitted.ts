import type { ArrayDesign, Layout } from './types';
import { fittingDisks, isDeclustered } from './words';

/** As many disks as another layout needs; it survives other losses. */
function refitted(layout: Layout): Layout {
  const { kind, stripe_disks_count: stripe, distributed_spares_count: spares } = layout;
  const disks = fittingDisks(kind, layout.disks_count);
  // A shelf, when an array becomes declustered, so that stripes and spares fit.
  const disks_count = isDeclustered(kind) ? Math.max(disks, stripe + spares) : disks;
  return { ...layout, disks_count, failed_disk_count: 0 };
}

/** An array as it was changed: what no longer goes with the rest is left out. */
export function fitted({ layout: before }: ArrayDesign, next: ArrayDesign): ArrayDesign {
  const layout = before.kind === next.layout.kind ? next.layout : refitted(next.layout);
  return {
    ...next,
    layout: layout.failed_disk_count === 0 ? { ...layout, rebuild_mb_per_s: null } : layout,
    // Sorted queues and copies in free space spare an arm.
    ...(next.drive.kind === 'hdd' ? {} : { scheduler: 'fcfs' as const, copies: null }),
  };
}
