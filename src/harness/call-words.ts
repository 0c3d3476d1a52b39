// What a tool call does, in the words of a person: `npm test`, `edit src/main.ts`, `search for main(`. Every harness describes
// the calls of its agent with this. Pure.

import { visibleLine } from '../std/plain-text.ts';

const wordsMax = 200;

/** What stands before the subject of a call, by the agent's own name of the tool; empty = the subject says it all. */
export type ToolVerbs = Readonly<Record<string, string>>;

export function callWords(tool: string, input: unknown, verbs: ToolVerbs = {}): string {
  const known = Object.hasOwn(verbs, tool) ? verbs[tool] : undefined;
  const subject = tellingPart(input) ?? (known === undefined ? whole(input) : '');
  const verb = known ?? `${toolName(tool)}${subject === '' ? '' : ':'}`;
  return visibleLine(verb === '' && subject === '' ? tool : `${verb} ${subject}`, wordsMax);
}

/** An MCP tool `mcp__server__tool` as `server tool`. */
function toolName(tool: string): string {
  return tool.replace(/^mcp__(.+?)__/, '$1 ');
}

/** Parts of an input that say most of what a call does, the best first. */
const telling = [
  'command',
  'file_path',
  'notebook_path',
  'pattern',
  'path',
  'url',
  'query',
  'description',
  'name',
  'prompt',
  'question',
  'text',
];

function tellingPart(input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return typeof input === 'string' ? input : null;
  const given = input as Readonly<Record<string, unknown>>;
  for (const key of telling) {
    const value = Object.hasOwn(given, key) ? given[key] : undefined;
    if (typeof value === 'string' && value !== '') return value;
    // Some agents pass a command as its words.
    if (Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string'))
      return value.join(' ');
  }
  return null;
}

function whole(input: unknown): string {
  const text = JSON.stringify(input ?? '') ?? '';
  return ['{}', '[]', '""'].includes(text) ? '' : text;
}
