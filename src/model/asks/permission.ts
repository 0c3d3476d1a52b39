// What an agent may do without asking. A rule names a tool, `Bash`, or its use on something: `Bash(npm test:*)`,
// `Write(src/**)`. Rules are not a boundary: the sandbox confines what an allowed command does.

import { posix } from 'node:path';
import { globPattern, pathWild } from '../../std/glob-pattern.ts';
import type { Question } from './question.ts';

export interface PermissionRules {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly deny: readonly string[];
}

export const noRules: PermissionRules = { allow: [], ask: [], deny: [] };

/** A request of an agent for a permission, in its own words. */
export interface PermissionRequest {
  readonly requestId: string;
  readonly tool: string;
  readonly input: unknown;
  /** Questions to its user; then it is not a permission. */
  readonly questions?: readonly Question[];
}

/** A decision that also holds for later calls: for the same call, or for every call of the tool if `call` is null. */
export interface Remembered {
  readonly tool: string;
  readonly call: string | null;
  readonly approved: boolean;
}

export type Judgement = 'allow' | 'ask' | 'deny';

export interface Circumstances {
  readonly rules: PermissionRules;
  readonly remembered: readonly Remembered[];
  readonly sandboxed: boolean;
  /** Paths in rules are relative to it. */
  readonly workspace: string;
}

/** The strictest rule wins. Without a matching rule, a call is allowed inside a sandbox and asked about outside. */
export function judge(ask: PermissionRequest, { rules, remembered, sandboxed, workspace }: Circumstances): Judgement {
  const fits = (rule: string, how: Reading): boolean => ruleFits(rule, ask, workspace, how);
  const decided = remembered.filter(
    ({ tool, call }) => tool === ask.tool && (call === null || call === callOf(ask.input)),
  );
  if (rules.deny.some((rule) => fits(rule, 'wide')) || decided.some(({ approved }) => !approved)) return 'deny';
  // Only a person knows the answer.
  if (ask.questions !== undefined) return 'ask';
  if (rules.ask.some((rule) => fits(rule, 'wide'))) return decided.length > 0 ? 'allow' : 'ask';
  if (rules.allow.some((rule) => fits(rule, 'narrow')) || decided.length > 0) return 'allow';
  return sandboxed ? 'allow' : 'ask';
}

/** Equal calls have equal names, whatever the order of their arguments. */
export function callOf(input: unknown): string {
  return JSON.stringify(sorted(input));
}

/** One sentence on what is wrong with a rule; null = nothing. */
export function flawOfRule(rule: string): string | null {
  if (parseRule(rule) !== null) return null;
  return `"${rule}" is not a rule: it is a tool's name, as in Bash, or what it is used on, as in "Bash(npm test:*)" or "Write(src/**)"`;
}

/** A rule that allows is read narrowly, one that forbids widely: in doubt the call is asked about or refused. */
type Reading = 'narrow' | 'wide';

function ruleFits(rule: string, ask: PermissionRequest, workspace: string, how: Reading): boolean {
  const parsed = parseRule(rule);
  if (parsed === null || !globPattern(parsed.tool, plainWild).test(ask.tool)) return false;
  if (parsed.on === null) return true;
  const { command, path, url } = subjectOf(ask.input);
  if (command !== null) return commandFits(parsed.on, command, how);
  if (path !== null) return pathFits(parsed.on, path, workspace);
  return url !== null && globPattern(parsed.on, plainWild).test(url);
}

const plainWild = { star: '.*', globstar: '.*', one: '.' };
/** Characters that cannot make a shell do more than run one program. */
const tameWild = { star: '[^;&|<>`$()\\n\\\\]*', globstar: '[^;&|<>`$()\\n\\\\]*', one: '[^;&|<>`$()\\n\\\\]' };

function commandFits(pattern: string, command: string, how: Reading): boolean {
  // `npm test:*` is `npm test` and whatever follows it after a space.
  const patterns = pattern.endsWith(':*') ? [pattern.slice(0, -2), `${pattern.slice(0, -2)} *`] : [pattern];
  const wild = how === 'narrow' ? tameWild : plainWild;
  const commands = how === 'narrow' ? [command.trim()] : [command.trim(), ...partsOf(command)];
  return patterns.some((each) => commands.some((one) => globPattern(each, wild).test(one)));
}

/** The simple commands in a shell line, roughly: quotes are not parsed, so there may be too many. */
function partsOf(command: string): string[] {
  return command
    .split(/[;&|()`\n]|\$\(/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function pathFits(pattern: string, path: string, workspace: string): boolean {
  const full = posix.resolve(workspace, path);
  if (pattern.startsWith('/')) return globPattern(pattern, pathWild).test(full);
  return full.startsWith(`${workspace}/`) && globPattern(pattern, pathWild).test(full.slice(workspace.length + 1));
}

function parseRule(rule: string): { tool: string; on: string | null } | null {
  const [, tool, on] = /^([A-Za-z0-9_.*-]+)(?:\((.+)\))?$/s.exec(rule) ?? [];
  return tool === undefined ? null : { tool, on: on ?? null };
}

interface Subject {
  readonly command: string | null;
  readonly path: string | null;
  readonly url: string | null;
}

function subjectOf(input: unknown): Subject {
  const given = typeof input === 'object' && input !== null ? (input as Readonly<Record<string, unknown>>) : {};
  const text = (...names: string[]): string | null => {
    const value = names.map((name) => given[name]).find((each) => typeof each === 'string');
    return typeof value === 'string' ? value : null;
  };
  return { command: text('command'), path: text('file_path', 'notebook_path', 'path'), url: text('url') };
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, sorted(each)]),
  );
}
