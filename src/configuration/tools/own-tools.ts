// The user's own tools for agents: what they keep for themselves in their home. They need no trust; a line of their configuration
// says which of them agents get.

import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { type AgentTools, noTools } from '../../model/core/agent-tools.ts';
import type { Json, JsonObject } from '../../model/core/json.ts';
import { withImports } from '../../std/imported-text.ts';
import { objectIn, serversIn } from './repository-tools.ts';

export const ownKinds = ['instructions', 'skills', 'mcp'] as const;
export type OwnKind = (typeof ownKinds)[number];

export interface OwnPlaces {
  /** The user's home directory. */
  readonly home: string;
  /** The folder of Claude Code's files, and Codex's. */
  readonly claude: string;
  readonly codex: string;
  /** The checkout: servers that the user added for it alone count too. null = none. */
  readonly top: string | null;
}

/** With why something of it cannot be used, in sentences. */
export async function ownTools(
  kinds: readonly OwnKind[],
  places: OwnPlaces,
): Promise<{ readonly tools: AgentTools; readonly flaws: readonly string[] }> {
  const flaws: string[] = [];
  const servers = kinds.includes('mcp') ? await ownServers(places, flaws) : {};
  const skills = kinds.includes('skills') ? await ownSkills(join(places.claude, 'skills'), flaws) : [];
  const instructions = kinds.includes('instructions') ? await ownInstructions(places) : {};
  const programs = Object.values(servers).flatMap(({ command }) =>
    typeof command === 'string' && isAbsolute(command) ? [command] : [],
  );
  return { tools: { ...noTools, servers, skills, instructions, programs }, flaws };
}

/** What Claude Code's `claude mcp add` wrote, for all repositories and for this one. */
async function ownServers({ home, top }: OwnPlaces, flaws: string[]): Promise<AgentTools['servers']> {
  const path = join(home, '.claude.json');
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) return {};
  const { servers, flaw } = serversIn({ path, bytes });
  if (flaw !== null) flaws.push(flaw);
  const here = top === null ? {} : objectIn(objectIn(parse(bytes)['projects'])[top]);
  const local = serversIn({ path, bytes: Buffer.from(JSON.stringify({ mcpServers: here['mcpServers'] ?? {} })) });
  return { ...servers, ...local.servers };
}

function parse(bytes: Buffer): JsonObject {
  try {
    return objectIn(JSON.parse(bytes.toString('utf8')) as Json);
  } catch {
    return {};
  }
}

const skillBytesMax = 8_000_000;

/** Links are the user's own. */
async function ownSkills(folder: string, flaws: string[]): Promise<AgentTools['skills']> {
  const names: string[] = await readdir(folder).catch(() => []);
  const files: AgentTools['skills'][number][] = [];
  let bytes = 0;
  for (const name of names.toSorted()) {
    const root = await realpath(join(folder, name)).catch(() => null);
    const entries = root === null ? [] : await readdir(root, { recursive: true }).catch(() => []);
    for (const entry of entries.sort()) {
      const found = await stat(join(root ?? '', entry)).catch(() => null);
      if (found?.isFile() !== true) continue;
      bytes += found.size;
      if (bytes > skillBytesMax) {
        flaws.push(`${folder} has more than ${skillBytesMax} bytes: agents do not get all of it`);
        return files;
      }
      const data = (await readFile(join(root ?? '', entry))).toString('base64');
      files.push({ path: `${name}/${entry}`, data, executable: (found.mode & 0o111) !== 0 });
    }
  }
  return files;
}

async function ownInstructions({ home, claude, codex }: OwnPlaces): Promise<Record<string, string>> {
  const texts = {
    claude: await readFile(join(claude, 'CLAUDE.md'), 'utf8').catch(() => ''),
    codex: await readFile(join(codex, 'AGENTS.md'), 'utf8').catch(() => ''),
  };
  const whole = await withImports(texts.claude, join(claude, 'CLAUDE.md'), (path) =>
    readFile(path.startsWith('~/') ? join(home, path.slice(2)) : path, 'utf8').catch(() => null),
  );
  const all = { claude: whole, codex: texts.codex };
  const said = Object.entries(all).filter(([, text]) => text.trim() !== '');
  return Object.fromEntries(said.map(([name, text]) => [name, text.slice(0, instructionsMax)]));
}

const instructionsMax = 100_000;
