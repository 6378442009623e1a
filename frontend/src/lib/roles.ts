import type { Role } from './types';

interface RoleWords {
  label: string;
  /** What who has it is. */
  named: string;
  /** What all who have it do, in a sentence. */
  does: string;
  /** Whether it may change what the workspace holds; who may not reads and tries. */
  mayEdit: boolean;
}

export const ROLES: Record<Role, RoleWords> = {
  owner: { label: 'Owner', named: 'an owner', does: 'Owners may do everything.', mayEdit: true },
  editor: {
    label: 'Editor',
    named: 'an editor',
    does: 'Editors change what is in the workspace.',
    mayEdit: true,
  },
  viewer: {
    label: 'Viewer',
    named: 'a viewer',
    does: 'Viewers see it, try it and make reports.',
    mayEdit: false,
  },
};

export const ROLE_CHOICES = Object.entries(ROLES).map(([value, { label }]) => ({ value, label }));
