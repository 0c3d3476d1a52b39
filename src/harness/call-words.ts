// Describes a tool call in plain words: `npm test`, `edit src/main.ts`, `search for main(`. Every harness describes the calls
// of its agent with this. Pure.

import { visibleLine } from '../std/plain-text.ts';

const wordsMax = 200;

/** The verb before the subject of a call, by the agent's name of the tool; empty = the subject is enough. */
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

/** Fields of an input that describe a call best, the best first. */
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
    // Some agents pass a command as a list of words.
    if (Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string'))
      return value.join(' ');
  }
  return null;
}

function whole(input: unknown): string {
  const text = JSON.stringify(input ?? '') ?? '';
  return ['{}', '[]', '""'].includes(text) ? '' : text;
}
