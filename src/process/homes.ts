// Agents' homes: a directory each, readable by its owner only, that outlives the agent's processes. Files of the
// harness are written whole or not at all; files that the agent keeps are read and moved, never changed.

import { constants, existsSync } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, realpath, rename } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import type { HomeLines, HomePort } from '../ports/home-port.ts';
import { assert } from '../std/assert.ts';
import { diskFault, errnoOf, writeAtomic } from '../std/files.ts';
import { globPattern, pathWild } from '../std/glob-pattern.ts';

export function openHomes(root: string): HomePort {
  const path = (agentId: string): string => below(root, agentId);
  return {
    path,
    async prepare(agentId, files) {
      const home = path(agentId);
      try {
        await mkdir(home, { recursive: true, mode: 0o700 });
        for (const file of files) {
          const target = below(home, file.path);
          await mkdir(dirname(target), { recursive: true, mode: 0o700 });
          await writeAtomic(target, file.text, file.executable === true ? { mode: 0o700 } : {});
        }
      } catch (error) {
        throw diskFault(error, home);
      }
    },
    lines: async (agentId, file) => readLines(await findFile(path(agentId), file)),
    tail: async (agentId, file, offset) => readTail(await findFile(path(agentId), file), offset),
    files: (agentId, folder) => namesIn(below(path(agentId), folder)),
    async move(agentId, from, to) {
      if (from === to) return;
      const home = path(agentId);
      const [source, target] = [below(home, from), below(home, to)];
      if (existsSync(target) || !existsSync(source)) return;
      try {
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        if ((await leadsOut(home, source)) || (await leadsOut(home, target))) return;
        await rename(source, target);
      } catch (error) {
        throw diskFault(error, home);
      }
    },
  };
}

/** The agent can replace its directories by links. */
async function leadsOut(home: string, file: string): Promise<boolean> {
  return !(await realpath(dirname(file))).startsWith((await realpath(home)) + sep);
}

/** A path below `base`, whatever the name says. */
function below(base: string, name: string): string {
  const target = normalize(join(base, name));
  assert(target.startsWith(base + sep), `${name} leads out of ${base}`);
  return target;
}

/** The file that fits, and of several the last by its name; what is not there keeps its `*`. */
async function findFile(home: string, pattern: string): Promise<string> {
  const target = below(home, pattern);
  return pattern.includes('*') ? ((await lastMatch(home, pattern.split('/'))) ?? target) : target;
}

async function lastMatch(folder: string, [part = '', ...rest]: readonly string[]): Promise<string | null> {
  const fits = globPattern(part, pathWild);
  const names = part.includes('*') ? (await namesIn(folder)).filter((name) => fits.test(name)) : [part];
  for (const name of names.toReversed()) {
    const found = rest.length === 0 ? join(folder, name) : await lastMatch(join(folder, name), rest);
    if (found !== null) return found;
  }
  return null;
}

// An agent may put anything in its home: links and pipes there are never followed or waited for.

const chunkBytes = 1 << 20;
const namesMax = 1_000;
const newline = 0x0a;

/** Whole lines only. A line that is longer than what is read at once comes in pieces. */
async function readTail(path: string, offset: number): Promise<HomeLines> {
  const nothing = { lines: [], end: offset };
  const file = await openIfFile(path);
  if (file === null) return { lines: [], end: 0 };
  try {
    const { size } = await file.stat();
    if (size === offset) return nothing;
    if (size < offset) return { lines: [], end: 0 };
    const buffer = Buffer.alloc(Math.min(chunkBytes, size - offset));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    const last = buffer.lastIndexOf(newline, bytesRead - 1);
    const cut = last < 0 && bytesRead === chunkBytes ? bytesRead : last + 1;
    if (cut === 0) return nothing;
    return { lines: linesOf(buffer.toString('utf8', 0, cut)), end: offset + cut };
  } finally {
    await file.close();
  }
}

/** All lines of the file. */
async function readLines(path: string): Promise<readonly string[]> {
  const file = await openIfFile(path);
  if (file === null) return [];
  try {
    return linesOf(await file.readFile('utf8'));
  } finally {
    await file.close();
  }
}

/** null = there is no such regular file. */
async function openIfFile(path: string): Promise<FileHandle | null> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
  if ((await file.stat()).isFile()) return file;
  await file.close();
  return null;
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

async function namesIn(path: string): Promise<readonly string[]> {
  try {
    return (await readdir(path)).toSorted().slice(0, namesMax);
  } catch (error) {
    if (isAbsent(error)) return [];
    throw error;
  }
}

/** Absent, or not a readable file: both count as nothing. */
function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO', 'EACCES'].includes(errnoOf(error) ?? '');
}
