// What a repository's tools would run, in lines for a person who decides about them. Pure.

import { type AgentTools, skillNames } from '../../model/core/agent-tools.ts';
import type { Json, JsonObject } from '../../model/core/json.ts';
import { visibleLine } from '../../std/plain-text.ts';
import { objectIn, type RepositoryTools } from './repository-tools.ts';

/** Longer than any honest command: nothing that would run is hidden. */
const lineMax = 20_000;
const shown = (text: string): string => visibleLine(text, lineMax);

/** Everything that would run, or be given to agents. */
export function toolLines({ tools, paths, leftOut }: RepositoryTools): string[] {
  const { servers, settings = {} } = tools;
  const files = paths.map((path) => `  ${shown(path)}`);
  return [
    ...part('MCP servers, started in the sandbox of each agent:', Object.entries(servers).map(serverLine)),
    ...part('Hooks, run by the agent:', hookLines(objectIn(settings['hooks']))),
    ...part('Permissions:', ruleLines(objectIn(settings['permissions']))),
    ...part('Environment variables:', Object.entries(objectIn(settings['env'])).map(variableLine)),
    ...part('Skills, which tell agents what to do:', skillLines(tools)),
    ...part(
      'Not used:',
      leftOut.map((line) => `  ${shown(line)}`),
    ),
    ...part('The files that count; a change of any of them asks again:', files),
  ];
}

/** In a few words, for a line; empty = there is nothing. */
export function toolsInShort({ servers, settings, skills }: AgentTools): string {
  const names = Object.keys(servers);
  const parts = [
    ...(names.length === 0 ? [] : [`MCP servers ${names.map(shown).join(', ')}`]),
    ...(settings?.['hooks'] === undefined ? [] : ['hooks']),
    ...(settings !== undefined && settings['hooks'] === undefined ? ['settings'] : []),
    ...(skills.length === 0 ? [] : [`skills ${skillNames({ skills }).map(shown).join(', ')}`]),
  ];
  return parts.join('; ');
}

function part(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines, ''];
}

function serverLine([name, server]: [string, JsonObject]): string {
  const { command, args, url } = server;
  const words = Array.isArray(args) ? args.map(textOf) : [];
  const what = command === undefined ? textOf(url) : [textOf(command), ...words].join(' ');
  const variables = Object.keys({ ...objectIn(server['env']), ...objectIn(server['headers']) });
  return shown(`${name}: ${what}${variables.length === 0 ? '' : ` (sets ${variables.join(', ')})`}`).replace(/^/, '  ');
}

function hookLines(hooks: JsonObject): string[] {
  return Object.entries(hooks).flatMap(([event, groups]) =>
    listOf(groups).flatMap((group) => {
      const { matcher, hooks: own } = objectIn(group);
      const when = typeof matcher === 'string' && matcher !== '' ? `${event} (${matcher})` : event;
      return listOf(own).map((hook) => {
        const { command, prompt, url, type } = objectIn(hook);
        return `  ${shown(`${when}: ${textOf(command ?? prompt ?? url ?? type ?? null)}`)}`;
      });
    }),
  );
}

function ruleLines(permissions: JsonObject): string[] {
  return Object.entries(permissions).map(([kind, rules]) => `  ${shown(`${kind}: ${textOf(rules)}`)}`);
}

function variableLine([name, value]: [string, Json]): string {
  return `  ${shown(`${name}=${textOf(value)}`)}`;
}

function skillLines(tools: AgentTools): string[] {
  return skillNames(tools).map((name) => {
    const files = tools.skills.filter(({ path }) => path.startsWith(`${name}/`));
    const head = files.find(({ path }) => path === `${name}/SKILL.md`);
    const text = head === undefined ? '' : Buffer.from(head.data, 'base64').toString('utf8');
    const [, about = 'it has no description'] = /^description:[ \t]*(.*)$/m.exec(text) ?? [];
    return `  ${shown(`${name}: ${about}`)} (${files.length} ${files.length === 1 ? 'file' : 'files'})`;
  });
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}
