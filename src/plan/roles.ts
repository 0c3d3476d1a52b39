// A role from its Markdown file, as people keep them for Claude Code: fields at the head, the prompt below. Pure.

import { type Field, readFrontMatter } from './front-matter.ts';
import type { Problem } from './problem.ts';
import type { Role } from './role.ts';

export const rolePromptMax = 100_000;

/** As long as other names, so that it fits wherever one does. */
const nameMax = 64;

/** The role, or what is wrong with the file: never an empty list. */
export function parseRole(text: string, file: string): Role | Problem[] {
  const read = readFrontMatter(text, file, { name: 'description', others: knownFields });
  if (Array.isArray(read)) return read;
  const { fields } = read;
  const problems: Problem[] = [];
  const wrong = (message: string, place: { line: number; column: number }, suggestion: string | null): void => {
    problems.push({ severity: 'error', message, file, line: place.line, column: place.column, suggestion });
  };
  const textOf = (name: string, needed: boolean): string | null => {
    const field = fields.get(name);
    if (field === undefined || field.value === null) {
      if (needed)
        wrong(`a role needs a ${name}`, field ?? { line: 1, column: 1 }, `add "${name}: …" to the front matter`);
      return null;
    }
    if (typeof field.value === 'string' && field.value.trim() !== '') return field.value.trim();
    const single = ['number', 'boolean'].includes(typeof field.value) ? JSON.stringify(field.value) : null;
    wrong(`"${name}" must be a text`, field, single === null ? null : `quote it: ${name}: "${single}"`);
    return null;
  };
  const toolsOf = (name: string): readonly string[] | null => {
    const field = fields.get(name);
    if (field === undefined || field.value === null) return null;
    const tools = toolNames(field.value);
    if (tools === null)
      wrong(`"${name}" must be names of tools`, field, `write ${name}: Read, Grep, or a list of them`);
    return tools;
  };

  const name = textOf('name', true);
  const description = textOf('description', true);
  const tools = toolsOf('tools');
  const deniedTools = toolsOf('disallowedTools') ?? [];
  const model = textOf('model', false);
  const prompt = read.body.trim();
  if (name !== null) checkName(name, fields.get('name') as Field, wrong);
  for (const [key, field] of fields) {
    const meant = slipOf(key);
    if (meant !== null) wrong(`"${key}" is no field of a role`, field, `did you mean "${meant}"?`);
  }
  const bodyPlace = { line: read.bodyLine, column: 1 };
  if (prompt === '') wrong('a role needs a prompt', bodyPlace, 'write it below the front matter');
  if (prompt.length > rolePromptMax) {
    wrong(`the prompt has ${prompt.length} characters, more than ${rolePromptMax}`, bodyPlace, null);
  }
  if (name === null || description === null || problems.length > 0) return problems;
  return {
    name,
    // Claude Code's own generator writes line breaks as two characters.
    description: description.replaceAll('\\n', '\n'),
    tools: tools?.includes('*') === true ? null : tools,
    ...(deniedTools.length > 0 ? { deniedTools } : {}),
    model: model === 'inherit' ? null : model,
    prompt,
    file,
  };
}

const ownFields = ['name', 'description', 'tools', 'disallowedTools', 'model'];

/** Fields of Claude Code's agent files; those that are not ours mean nothing here. */
const knownFields = [
  ...ownFields,
  'background',
  'color',
  'effort',
  'hooks',
  'initialPrompt',
  'isolation',
  'maxTurns',
  'mcpServers',
  'memory',
  'permissionMode',
  'skills',
];

type Wrong = (message: string, place: Field, suggestion: string | null) => void;

function checkName(name: string, field: Field, wrong: Wrong): void {
  if (name.length <= nameMax && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) return;
  const suggestion = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '')
    .slice(0, nameMax);
  const rule = `a name has letters, digits, ".", "_" and "-", at most ${nameMax}`;
  wrong(rule, field, suggestion === '' ? null : `name: ${suggestion}`);
}

/** Other fields are people's own and left alone; one that almost limits an agent must not pass for nothing. */
function slipOf(key: string): string | null {
  if (ownFields.includes(key)) return null;
  const bare = (word: string): string => word.toLowerCase().replace(/[^a-z]|s$/g, '');
  if (bare(key) === 'allowedtool') return 'tools';
  return ownFields.find((own) => bare(own) === bare(key)) ?? null;
}

/** `Read, Bash(git log:*)` or a list; null = neither. */
function toolNames(value: unknown): readonly string[] | null {
  if (typeof value === 'string') return value.split(/,(?![^(]*\))/).flatMap(trimmed);
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) return null;
  return value.flatMap(trimmed);
}

function trimmed(word: string): string[] {
  const bare = word.trim();
  return bare === '' ? [] : [bare];
}
