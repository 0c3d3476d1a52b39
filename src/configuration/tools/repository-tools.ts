// What a repository would give its agents: read from its files and described in sentences, so that a person can decide. Nothing
// of it reaches an agent before `signalbox trust`.

import { type AgentTools, noTools } from '../../model/core/agent-tools.ts';
import type { Json, JsonObject } from '../../model/core/json.ts';
import { digestOf, type FoundFile, findToolFiles, serversFile, settingsFiles, skillsFolder } from './tool-files.ts';

export interface RepositoryTools {
  readonly tools: AgentTools;
  /** null = the repository has no such files. */
  readonly digest: string | null;
  /** Every file that counts for the hash. */
  readonly paths: readonly string[];
  /** Files and settings that agents never get, and why. */
  readonly leftOut: readonly string[];
}

/** `ownVariables`: variables that no repository may set. */
export async function repositoryTools(top: string, ownsVariable: (name: string) => boolean): Promise<RepositoryTools> {
  const { files, leftOut } = await findToolFiles(top, scriptsNamed);
  const notes = [...leftOut];
  const { servers, flaw } = serversIn(files.find(({ path }) => path === serversFile));
  if (flaw !== null) notes.push(flaw);
  const settings = settingsIn(files, ownsVariable, notes);
  const skills = files.flatMap(({ path, bytes, executable }) => {
    const inside = path.startsWith(`${skillsFolder}/`) ? path.slice(skillsFolder.length + 1) : '';
    return inside.includes('/') ? [{ path: inside, data: bytes.toString('base64'), executable }] : [];
  });
  return {
    tools: { ...noTools, servers, skills, ...(settings === null ? {} : { settings }) },
    digest: files.length === 0 ? null : digestOf(files),
    paths: files.map(({ path }) => path),
    leftOut: notes,
  };
}

type Servers = AgentTools['servers'];

/** Of a file in the format of `.mcp.json`: what is no server is left out. */
export function serversIn(file: Pick<FoundFile, 'path' | 'bytes'> | undefined): {
  readonly servers: Servers;
  readonly flaw: string | null;
} {
  if (file === undefined) return { servers: {}, flaw: null };
  const value = parsed(file.bytes);
  if (value === null) return { servers: {}, flaw: `${file.path} is not valid JSON` };
  const all = Object.entries(objectIn(value['mcpServers']));
  const good = all.filter((entry): entry is [string, JsonObject] => isServer(...entry));
  const bad = all.filter((entry) => !isServer(...entry)).map(([name]) => JSON.stringify(name));
  const flaw = bad.length === 0 ? null : `${file.path}: not a server that agents can use: ${bad.join(', ')}`;
  return { servers: Object.fromEntries(good), flaw };
}

/** `signalbox` is the name of our own server. */
function isServer(name: string, value: Json | undefined): boolean {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name) || ['signalbox', 'none'].includes(name.toLowerCase())) return false;
  const { command, url, type } = objectIn(value);
  if (type === 'sdk') return false;
  return typeof command === 'string' ? command !== '' : typeof url === 'string' && /^https?:\/\//.test(url);
}

/** Settings that agents get; others of the files are ignored and named. */
const usedSettings = ['hooks', 'permissions', 'env'] as const;

function settingsIn(
  files: readonly FoundFile[],
  ownsVariable: (name: string) => boolean,
  notes: string[],
): JsonObject | null {
  const result: Record<string, Json> = {};
  for (const path of settingsFiles) {
    const file = files.find((each) => each.path === path);
    if (file === undefined) continue;
    const value = parsed(file.bytes);
    if (value === null) {
      notes.push(`${path} is not valid JSON`);
      continue;
    }
    const unused = Object.keys(value).filter((name) => name !== '$schema' && !isUsed(name));
    if (unused.length > 0) notes.push(`${path}: agents do not get ${unused.join(', ')}`);
    const own = Object.keys(objectIn(value['env'])).filter((name) => isKept(name) || ownsVariable(name));
    if (own.length > 0) notes.push(`${path}: no repository may set ${own.join(', ')}`);
    for (const name of usedSettings) {
      const more = objectIn(value[name]);
      const kept = name === 'env' ? without(more, own) : more;
      if (Object.keys(kept).length > 0) result[name] = joined(objectIn(result[name]), kept);
    }
  }
  return Object.keys(result).length === 0 ? null : result;
}

function isUsed(name: string): boolean {
  return (usedSettings as readonly string[]).includes(name);
}

/** Variables that Signalbox sets itself, or by which any program can be replaced. */
function isKept(name: string): boolean {
  return /^(?:PATH|HOME|SIGNALBOX_.*|LD_.*|DYLD_.*|NODE_OPTIONS)$/i.test(name);
}

function without(value: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** Lists of two files are joined, as Claude Code does. */
function joined(a: JsonObject, b: JsonObject): JsonObject {
  const result: Record<string, Json> = { ...a };
  for (const [name, value] of Object.entries(b)) {
    const before = result[name];
    result[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : (value as Json);
  }
  return result;
}

/** Words of commands that may be paths of the checkout. */
function scriptsNamed(files: readonly FoundFile[]): string[] {
  const commands = files.flatMap(({ path, bytes }) => {
    const value = path === serversFile || path.endsWith('.json') ? parsed(bytes) : null;
    return value === null || path.startsWith(`${skillsFolder}/`) ? [] : textsIn(value);
  });
  const words = commands.flatMap((text) => text.split(/[\s"'`;|&()<>=]+/));
  const paths = words.map((word) => word.replace(/^\$\{?CLAUDE_PROJECT_DIR\}?\//, '').replace(/^\.\//, ''));
  return [...new Set(paths.filter((path) => path.length < 500 && /^[A-Za-z0-9._]/.test(path) && !path.includes('..')))];
}

/** All texts in a JSON value. */
function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((each) => textsIn(each as Json));
}

function parsed(bytes: Buffer): JsonObject | null {
  try {
    const value = JSON.parse(bytes.toString('utf8')) as Json;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
  } catch {
    return null;
  }
}

export function objectIn(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
