// Fields of a role that are refused by name instead of being ignored.

import type { FrontMatter } from './file/front-matter.ts';
import type { Place } from './file/problem.ts';

export type Wrong = (message: string, place: Place, suggestion: string | null) => void;
export type Fields = FrontMatter['fields'];

/** Fields of Claude Code's agents that would give an agent more, or less, than we could keep: not ignored silently. */
export function refuseFields(fields: Fields, wrong: Wrong): void {
  const servers = fields.get('mcpServers');
  if (servers !== undefined && definesServers(fields)) {
    const suggestion = 'define it in .mcp.json, which "signalbox trust" shows, and write its name here';
    wrong('an MCP server defined in a role is not used', servers, suggestion);
  }
  const hooks = fields.get('hooks');
  if (hooks !== undefined && hooks.value !== null) {
    const suggestion = 'write them into .claude/settings.json, which "signalbox trust" shows';
    wrong('"hooks" of a role are not run', hooks, suggestion);
  }
  const mode = fields.get('permissionMode');
  if (mode !== undefined && mode.value !== null && mode.value !== 'default') {
    const suggestion = 'say it in the plan: "permissions" (allow, ask, deny), or "writes: []" for one that only reads';
    wrong(
      `"permissionMode: ${JSON.stringify(mode.value).replaceAll('"', '')}" of a role is not used`,
      mode,
      suggestion,
    );
  }
}

/** Whether it has more than names of servers. */
export function definesServers(fields: Fields): boolean {
  const own = fields.get('mcpServers')?.value;
  return Array.isArray(own) ? own.some((each) => typeof each !== 'string') : typeof own === 'object' && own !== null;
}
