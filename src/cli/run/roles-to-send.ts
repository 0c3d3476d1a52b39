// The roles that a run gets for agents that spawn agents: those that exist here.

import { roleSpecs } from '../../plan/compile/role-specs.ts';
import type { Roles } from '../../plan/role.ts';
import type { CreateRunInput } from '../../wire/request-schemas.ts';
import type { Context } from '../client/context.ts';
import { here } from '../client/current-directory.ts';
import { checkoutTop } from '../client/user-git.ts';
import { findRoles } from './find-roles.ts';

/** `known`: roles found already. Invalid role files are reported where a plan names them, and by `signalbox roles`. */
export async function rolesToSend(
  { place, terminal }: Pick<Context, 'place' | 'terminal'>,
  request: Pick<CreateRunInput, 'tasks' | 'children'>,
  known: Roles | null = null,
): Promise<NonNullable<CreateRunInput['roles']>> {
  const found = known ?? (await findRoles(await checkoutTop(place, here()))).roles;
  const { roles, leftOut } = roleSpecs(found, request);
  if (leftOut.length > 0) {
    terminal.note(`These roles are too long together for agents to give them to others: ${leftOut.join(', ')}`);
  }
  return roles;
}
