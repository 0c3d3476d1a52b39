// What an agent says of itself, and what it uses, in short. Its own words are made plain by whoever shows them. Pure.

import type { TaskView } from '../../wire/views.ts';

/** As in `50 %: half of the tests`; empty where it has said nothing. */
export function toldWords(told: TaskView['told'] | undefined): string {
  if (told === null || told === undefined) return '';
  return told.fraction === null ? told.line : `${Math.round(100 * told.fraction)} %: ${told.line}`;
}

/** Tools of a server as `server tool`, without the marks that part them. */
export function toolName(name: string): string {
  return name.replace(/^mcp__(.+?)__/, '$1 ');
}
