// Tools that a repository or the user brings for agents besides those of Signalbox: MCP servers, hooks and other settings, skills,
// the user's own instructions. Only what a person trusted or configured gets this far. The definitions may hold secrets, so the
// journal has only their names and hash.

import type { JsonObject } from './json.ts';

export interface AgentTools {
  /** MCP servers by name, as `.mcp.json` describes them. */
  readonly servers: Readonly<Record<string, JsonObject>>;
  /** `hooks`, `permissions` and `env` as in `.claude/settings.json`; left out = none. */
  readonly settings?: JsonObject;
  /** Files below a folder of skills. */
  readonly skills: readonly ToolFile[];
  /** The user's own instructions, by harness. */
  readonly instructions: Readonly<Record<string, string>>;
  /** Programs outside the repository that the user's own servers start. */
  readonly programs: readonly string[];
}

export interface ToolFile {
  /** Below the folder of skills: the first part is the name of the skill. */
  readonly path: string;
  /** Base64. */
  readonly data: string;
  readonly executable: boolean;
}

/** What the journal says of them. */
export interface ToolsNamed {
  readonly digest: string;
  readonly servers: readonly string[];
  readonly skills: readonly string[];
  /** The events that hooks are for. */
  readonly hooks: readonly string[];
}

export const noTools: AgentTools = { servers: {}, skills: [], instructions: {}, programs: [] };

/** The setting by which a task or a role chooses among the servers. */
export const serversSetting = 'mcp';

/** The value of that setting for no server at all. */
export const noServers = 'none';

export function serverNames(setting: string): string[] {
  const names = setting.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '' && name !== noServers);
}

/** The servers of a task: those it names, or all. */
export function chosenServers(
  { servers }: Pick<AgentTools, 'servers'>,
  settings: Readonly<Record<string, string>>,
): Readonly<Record<string, JsonObject>> {
  const chosen = settings[serversSetting];
  if (chosen === undefined) return servers;
  const names = new Set(serverNames(chosen));
  return Object.fromEntries(Object.entries(servers).filter(([name]) => names.has(name)));
}

export function skillNames({ skills }: Pick<AgentTools, 'skills'>): string[] {
  return [...new Set(skills.map(({ path }) => path.split('/')[0] ?? ''))].sort();
}

export function hookNames({ settings }: Pick<AgentTools, 'settings'>): string[] {
  const hooks = settings?.['hooks'];
  return typeof hooks === 'object' && hooks !== null && !Array.isArray(hooks) ? Object.keys(hooks).sort() : [];
}
