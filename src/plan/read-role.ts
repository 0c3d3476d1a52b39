// Reads a role from its Markdown file, as people keep them in `.claude/agents`: fields at the head, the prompt below. Pure.

import { rolePromptMax } from '../model/core/child-limits.ts';
import { contextWays } from '../model/session/context-spec.ts';
import { defined } from '../std/defined.ts';
import { type Field, type FrontMatter, readFrontMatter } from './file/front-matter.ts';
import type { Place, Problem } from './file/problem.ts';
import { definesServers, type Fields, refuseFields, type Wrong } from './refused-fields.ts';
import type { Role } from './role.ts';

export { rolePromptMax };

/** The same limit as for other names. */
const nameMax = 64;

/** The same limit as for a task. */
const fallbackMax = 10;

const ownFields = [
  'name',
  'description',
  'tools',
  'disallowedTools',
  'mcp',
  'model',
  'fallback',
  'context',
  'context-threshold',
];

/** Fields of such files; those that are not ours are ignored. */
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

/** The role, or the errors in the file (never an empty list). */
export function parseRole(text: string, file: string): Role | Problem[] {
  const read = readFrontMatter(text, file, { name: 'description', others: knownFields });
  if (Array.isArray(read)) return read;
  const { fields } = read;
  const problems: Problem[] = [];
  const wrong: Wrong = (message, { line, column }, suggestion) => {
    problems.push({ severity: 'error', message, file, line, column, suggestion });
  };
  const deniedTools = wordsOf(fields, 'disallowedTools', tools, wrong) ?? [];
  const role: Role = {
    name: nameOf(fields, wrong),
    // The generator of such files writes line breaks as two characters.
    description: neededText(fields, 'description', wrong).replaceAll('\\n', '\n'),
    tools: ownTools(fields, wrong),
    ...(deniedTools.length > 0 ? { deniedTools } : {}),
    ...serversOf(fields, wrong),
    model: modelOf(fields, wrong),
    ...fallbackOf(fields, wrong),
    ...contextOf(fields, wrong),
    prompt: promptOf(read, wrong),
    file,
  };
  refuseFields(fields, wrong);
  for (const [key, field] of fields) {
    const meant = slipOf(key);
    if (meant !== null) wrong(`"${key}" is no field of a role`, field, `did you mean "${meant}"?`);
  }
  return problems.length > 0 ? problems : role;
}

function nameOf(fields: Fields, wrong: Wrong): string {
  const name = neededText(fields, 'name', wrong);
  if (name === '' || (name.length <= nameMax && /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name))) return name;
  const near = name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+|-+$/g, '')
    .slice(0, nameMax);
  const rule = `a name has letters, digits, ".", "_" and "-", at most ${nameMax}`;
  wrong(rule, fields.get('name') ?? top, near === '' ? null : `name: ${near}`);
  return name;
}

function modelOf(fields: Fields, wrong: Wrong): string | null {
  const model = textOf(fields.get('model'), 'model', wrong);
  return model === 'inherit' ? null : model;
}

function fallbackOf(fields: Fields, wrong: Wrong): Pick<Role, 'fallback'> {
  const fallback = wordsOf(fields, 'fallback', models, wrong) ?? [];
  if (fallback.length > fallbackMax) {
    wrong(`"fallback" has ${fallback.length} models, more than ${fallbackMax}`, fields.get('fallback') ?? top, null);
  }
  return fallback.length === 0 ? {} : { fallback };
}

function contextOf(fields: Fields, wrong: Wrong): Pick<Role, 'context' | 'contextThreshold'> {
  const said = fields.get('context');
  const context = contextWays.find((way) => way === said?.value);
  if (said !== undefined && context === undefined) {
    wrong('"context" says what is done when the context window fills up', said, `write ${contextWays.join(', ')}`);
  }
  const threshold = fields.get('context-threshold');
  const percent = threshold === undefined ? undefined : Number(threshold.value);
  if (threshold !== undefined && !(percent !== undefined && percent >= 1 && percent <= 100)) {
    wrong('"context-threshold" is a number of percent', threshold, 'write context-threshold: 80');
  }
  return defined({ context, contextThreshold: percent });
}

function promptOf({ body, bodyLine }: FrontMatter, wrong: Wrong): string {
  const prompt = body.trim();
  const place = { line: bodyLine, column: 1 };
  if (prompt === '') wrong('a role needs a prompt', place, 'write it below the front matter');
  if (prompt.length > rolePromptMax) {
    wrong(`the prompt has ${prompt.length} characters, more than ${rolePromptMax}`, place, null);
  }
  return prompt;
}

/** Names alone, in `mcp` or as Claude Code has it in `mcpServers`: what a server runs is in a file that a person can trust. */
function serversOf(fields: Fields, wrong: Wrong): Pick<Role, 'mcp'> {
  if (definesServers(fields)) return {};
  const names = wordsOf(fields, 'mcp', servers, wrong) ?? wordsOf(fields, 'mcpServers', servers, wrong);
  return names === null ? {} : { mcp: names.filter((name) => name !== 'none') };
}

/** Names alone: an agent drops a tool that it does not know without a message. */
function ownTools(fields: Fields, wrong: Wrong): readonly string[] | null {
  const own = wordsOf(fields, 'tools', tools, wrong);
  for (const tool of own ?? []) {
    const [, bare] = /^(\w+)\(/.exec(tool) ?? [];
    if (bare === undefined) continue;
    const suggestion = `write "${bare}" here, and the rule under "permissions" in the plan`;
    wrong(`"${tool}" is a rule and not a tool`, fields.get('tools') ?? top, suggestion);
  }
  return own?.includes('*') === true ? null : own;
}

/** What the items of a list are, with an example. */
interface Kind {
  readonly of: string;
  readonly example: string;
}

const tools: Kind = { of: 'tools', example: 'Read, Grep' };
const servers: Kind = { of: 'MCP servers', example: 'github, postgres' };
const models: Kind = { of: 'models', example: 'opus, sonnet' };

/** `Read, Grep` or a list; null = not set. A comma inside a rule does not separate. */
function wordsOf(fields: Fields, name: string, kind: Kind, wrong: Wrong): readonly string[] | null {
  const field = fields.get(name);
  const value = typeof field?.value === 'string' ? field.value.split(/,(?![^(]*\))/) : field?.value;
  if (field === undefined || value === null) return null;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) {
    return value.map((word) => word.trim()).filter((word) => word !== '');
  }
  wrong(`"${name}" must be names of ${kind.of}`, field, `write ${name}: ${kind.example}, or a list of them`);
  return null;
}

/** Reports a missing field and returns an empty text. */
function neededText(fields: Fields, name: string, wrong: Wrong): string {
  const field = fields.get(name);
  if (field !== undefined && field.value !== null) return textOf(field, name, wrong) ?? '';
  wrong(`a role needs a ${name}`, field ?? top, `add "${name}: …" to the front matter`);
  return '';
}

function textOf(field: Field | undefined, name: string, wrong: Wrong): string | null {
  if (field === undefined || field.value === null) return null;
  const { value } = field;
  if (typeof value === 'string' && value.trim() !== '') return value.trim();
  const single = typeof value === 'number' || typeof value === 'boolean' ? `quote it: ${name}: "${value}"` : null;
  wrong(`"${name}" must be a text`, field, single);
  return null;
}

/** Other fields are ignored, except misspelt ones of ours: a limit must not vanish because of a typo. */
function slipOf(key: string): string | null {
  if (ownFields.includes(key)) return null;
  const bare = (word: string): string => word.toLowerCase().replace(/[^a-z]|s$/g, '');
  if (bare(key) === 'allowedtool') return 'tools';
  return ownFields.find((own) => bare(own) === bare(key)) ?? null;
}

const top: Place = { line: 1, column: 1 };
