// Short texts for an agent's own progress report and for tool names. Callers strip control characters. Pure.

import type { TaskView } from '../../wire/views.ts';

/** As in `50 %: half of the tests`; empty if it reported nothing. */
export function toldWords(told: TaskView['told'] | undefined): string {
  if (told === null || told === undefined) return '';
  return told.fraction === null ? told.line : `${Math.round(100 * told.fraction)} %: ${told.line}`;
}

/** An MCP tool `mcp__server__tool` as `server tool`. */
export function toolName(name: string): string {
  return name.replace(/^mcp__(.+?)__/, '$1 ');
}
