import { driveSchema } from '../../lib/drives';
import type { JsonSchema } from '../../lib/schema';
import type { Drive } from './types';

export interface DriveGroup {
  title: string;
  schema: JsonSchema;
}

/** The figures of a drive in the groups that its schema has. */
export function driveGroups(root: JsonSchema, kind: Drive['kind']): DriveGroup[] {
  const drive = driveSchema(root, kind);
  const all = drive?.properties ?? {};
  return (drive?.groups ?? []).map(({ title, fields }) => {
    const held = fields.flatMap((key) => (all[key] ? [[key, all[key]] as const] : []));
    // The group has a head of its own; what a drive is needs no saying.
    const properties = Object.fromEntries(held);
    return { title, schema: { ...drive, description: undefined, groups: undefined, properties } };
  });
}
