// Tools of the user's and of a trusted repository, as Codex takes them: servers in its configuration, skills and the user's own
// instructions as files of its home. It runs no hooks of a repository.

import { join } from 'node:path';
import { chosenServers } from '../../model/core/agent-tools.ts';
import type { Json, JsonObject } from '../../model/core/json.ts';
import type { AgentContext, HomeFile } from '../../ports/harness.ts';
import { tomlText } from './toml-text.ts';

/** Below the agent's home. */
export const homeFolder = 'codex';

/** Lines of `config.toml`. */
export function serverTables({ tools, settings }: Pick<AgentContext, 'tools' | 'settings'>): string[] {
  if (tools === undefined) return [];
  return Object.entries(chosenServers(tools, settings)).flatMap(([name, server]) => [
    `[mcp_servers.${tomlText(name)}]`,
    ...(typeof server['command'] === 'string' ? localServer(server['command'], server) : remoteServer(server)),
  ]);
}

/** Below its home. */
export function toolFiles({ tools }: Pick<AgentContext, 'tools'>): HomeFile[] {
  if (tools === undefined) return [];
  const own = tools.instructions['codex'];
  return [
    ...(own === undefined ? [] : [{ path: 'AGENTS.md', text: own }]),
    ...tools.skills.map(({ path, data, executable }) => ({
      path: `skills/${path}`,
      text: Buffer.from(data, 'base64'),
      executable,
    })),
  ];
}

/** What Codex would say of its skills: its own list would have those of the repository too, trusted or not. */
export function skillWords({ tools, home }: Pick<AgentContext, 'tools' | 'home'>): string | undefined {
  const heads = (tools?.skills ?? []).filter(({ path }) => /^[^/]+\/SKILL\.md$/.test(path));
  if (heads.length === 0) return undefined;
  const lines = heads.map(({ path, data }) => {
    const [, about = ''] = /^description:[ \t]*(.*)$/m.exec(Buffer.from(data, 'base64').toString('utf8')) ?? [];
    return `- ${path.split('/')[0]}: ${about} (file: ${join(home, homeFolder, 'skills', path)})`;
  });
  return `Skills are instructions for certain kinds of work. Before such work, read the file of the skill that fits:\n${lines.join('\n')}`;
}

function localServer(command: string, { args, env }: JsonObject): string[] {
  const variables = Object.entries(textsIn(env));
  // `"TOKEN": "${TOKEN}"`: it passes on what its own environment has.
  const passed = variables.filter(([name, value]) => value === `\${${name}}`).map(([name]) => name);
  const set = variables.filter(([name]) => !passed.includes(name));
  const words = Array.isArray(args) ? args.filter((word) => typeof word === 'string') : [];
  return [
    `command = ${tomlText(command)}`,
    `args = [${words.map(tomlText).join(', ')}]`,
    ...(set.length === 0 ? [] : [`env = ${tableOf(set)}`]),
    ...(passed.length === 0 ? [] : [`env_vars = [${passed.map(tomlText).join(', ')}]`]),
  ];
}

function remoteServer({ url, headers }: JsonObject): string[] {
  const given = Object.entries(textsIn(headers));
  return [
    `url = ${tomlText(typeof url === 'string' ? url : '')}`,
    ...(given.length === 0 ? [] : [`http_headers = ${tableOf(given)}`]),
  ];
}

function tableOf(entries: readonly (readonly [string, string])[]): string {
  return `{ ${entries.map(([name, value]) => `${tomlText(name)} = ${tomlText(value)}`).join(', ')} }`;
}

function textsIn(value: Json | undefined): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  const texts = Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(texts);
}
