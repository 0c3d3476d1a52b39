// The roles that are sent with a run, for agents spawned by agents and for resolvers: the same prompts and settings as for a
// task of the plan.

import { rolesMax } from '../../model/core/child-limits.ts';
import { resolverRole } from '../../model/core/spec.ts';
import type { CreateRunInput } from '../../wire/request-schemas.ts';
import { contextOf } from '../defaults.ts';
import type { Role, Roles } from '../role.ts';

type RunRoles = NonNullable<CreateRunInput['roles']>;

export interface RoleSpecs {
  readonly roles: RunRoles;
  /** Names of the roles that did not fit. */
  readonly leftOut: readonly string[];
}

/**
 * As many roles as fit, the shortest first; the resolver's comes before all others. If no agent can spawn another, only the
 * resolver's; if no agent works at all, none.
 */
export function roleSpecs(found: Roles, { tasks, children }: Pick<CreateRunInput, 'tasks' | 'children'>): RoleSpecs {
  const canAsk = tasks.some(({ kind = 'work', harness }) => {
    return (kind === 'work' || kind === 'matrix') && harness !== 'command';
  });
  if (!canAsk) return { roles: {}, leftOut: [] };
  const wanted = [...found.values()].filter(({ name }) => name === resolverRole || children?.depthMax !== 1);
  const all = wanted.map((role) => {
    const context = contextOf(role);
    const spec = { prompt: role.prompt, settings: settingsOf(role), ...(context === null ? {} : { context }) };
    return { name: role.name, spec, size: JSON.stringify({ [role.name]: spec }).length };
  });
  const roles: RunRoles = {};
  const leftOut: string[] = [];
  let room = rolesMax;
  const first = ({ name }: { name: string }): number => (name === resolverRole ? 0 : 1);
  for (const { name, spec, size } of all.sort((a, b) => first(a) - first(b) || a.size - b.size)) {
    room -= size;
    if (room < 0) leftOut.push(name);
    else roles[name] = spec;
  }
  return { roles, leftOut };
}

function settingsOf(role: Role): Record<string, string> {
  const servers = role.mcp === undefined ? {} : { mcp: serversValue(role.mcp) };
  return { ...(role.model === null ? {} : { model: role.model }), ...toolsOf(role), ...servers };
}

/** The setting of a harness by which an agent has these MCP servers alone. */
export function serversValue(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(',');
}

export function toolsOf({ tools, deniedTools = [] }: Role): Record<string, string> {
  return {
    ...(tools === null ? {} : { builtInTools: tools.join(',') }),
    ...(deniedTools.length === 0 ? {} : { disallowedTools: deniedTools.join(',') }),
  };
}
