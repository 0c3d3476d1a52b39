// The files of a checkout that would run something in an agent, or give it tools: MCP servers, settings with hooks, skills, and
// the scripts that these name. Reads only, and runs nothing. A link counts if it stays in the checkout.

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

export interface FoundFile {
  /** In the checkout, with `/`. */
  readonly path: string;
  readonly bytes: Buffer;
  readonly executable: boolean;
}

export interface ToolFiles {
  readonly files: readonly FoundFile[];
  /** Why a file is not used, in a sentence each. */
  readonly leftOut: readonly string[];
}

export const serversFile = '.mcp.json';
export const settingsFiles = ['.claude/settings.json', '.claude/settings.local.json'] as const;
export const skillsFolder = '.claude/skills';
const folders = [skillsFolder, '.claude/hooks'] as const;

/** Of one file, of all together, and how many. */
const bytesMax = 1_000_000;
const allBytesMax = 8_000_000;
const filesMax = 500;

/** `scriptsIn`: paths of scripts that the files so far would run. */
export async function findToolFiles(
  top: string,
  scriptsIn: (files: readonly FoundFile[]) => readonly string[],
): Promise<ToolFiles> {
  const root = await realpath(top);
  const files = new Map<string, FoundFile>();
  const leftOut: string[] = [];
  let bytes = 0;
  const add = async (path: string): Promise<void> => {
    if (files.has(path)) return;
    const found = await readInside(root, path);
    if (found === null) return;
    if (typeof found === 'string') {
      leftOut.push(`${path} ${found}`);
      return;
    }
    bytes += found.bytes.length;
    if (bytes > allBytesMax || files.size >= filesMax) {
      leftOut.push(`${path} is one too many: agents get at most ${filesMax} such files with ${allBytesMax} bytes`);
      return;
    }
    files.set(path, found);
  };
  for (const path of [serversFile, ...settingsFiles]) await add(path);
  for (const folder of folders) for (const path of await below(root, folder)) await add(path);
  const scripts = scriptsIn([...files.values()]);
  for (const path of scripts) await add(path);
  return { files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), leftOut };
}

/** One hash for all content: any change of a byte, a name or a permission to execute changes it. */
export function digestOf(files: readonly FoundFile[]): string {
  const all = createHash('sha256');
  for (const { path, bytes, executable } of files) {
    all.update(JSON.stringify([path, executable, createHash('sha256').update(bytes).digest('hex')]));
  }
  return all.digest('hex');
}

async function below(root: string, folder: string): Promise<string[]> {
  try {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => !entry.isDirectory());
    const paths = files.map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
    return paths.map((path) => path.split(sep).join('/')).sort();
  } catch {
    return [];
  }
}

/** null = there is no file; a text says why it is not used. */
async function readInside(root: string, path: string): Promise<FoundFile | string | null> {
  let real: string;
  try {
    real = await realpath(join(root, path));
  } catch {
    return null;
  }
  if (!real.startsWith(root + sep)) return 'is a link that leads out of the repository';
  try {
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return stats.isDirectory() ? null : 'is no file';
      if (stats.size > bytesMax) return `has ${stats.size} bytes, more than ${bytesMax}`;
      return { path, bytes: await file.readFile(), executable: (stats.mode & 0o111) !== 0 };
    } finally {
      await file.close();
    }
  } catch (error) {
    return `cannot be read: ${String(error)}`;
  }
}
