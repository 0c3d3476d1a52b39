// The repository's instructions for agents, as text: AGENTS.md and CLAUDE.md at the top of a commit in our bare repository, with the
// files that they import, and a list of those in its folders. Links and imports are followed within the commit only. What the text
// says is for the agent to judge.

import { posix } from 'node:path';
import { isFault } from '../../std/fault.ts';
import { type Import, importsOf } from '../../std/imported-text.ts';
import { git } from '../commands/git.ts';

export async function readInstructions(bare: string, commit: string, signal: AbortSignal): Promise<string | null> {
  const read = (path: string): Promise<string | null> => readFrom(bare, commit, path, signal);
  const [top, nested] = await Promise.all([present(bare, commit, signal), nestedIn(bare, commit, signal)]);
  const parts: Import[] = [];
  // Often one file is a link to the other, or imports it.
  const isNew = ({ text }: Import): boolean => text.trim() !== '' && !parts.some((part) => part.text === text);
  for (const path of top) {
    const own = { path, text: (await read(path)) ?? '' };
    if (!isNew(own)) continue;
    parts.push(own);
    for (const each of await importsOf(own.text, path, read)) if (isNew(each)) parts.push(each);
  }
  const text = joined(parts, nested);
  return text === '' ? null : text;
}

async function readFrom(bare: string, commit: string, path: string, signal: AbortSignal): Promise<string | null> {
  if (/^(?:\/|~|\.\.)|\n/.test(path)) return null;
  const found = (await find(bare, commit, path, signal)) ?? (await findLinked(bare, commit, path, signal));
  if (found === null) return null;
  if (found.bytes > bytesMax) return `${path} of the repository is left out here: it has ${found.bytes} bytes.`;
  const options = { env: { GIT_DIR: bare }, signal, stdoutMaxBytes: bytesMax };
  return (await git(['cat-file', 'blob', found.id], options)).stdout;
}

/** In the order in which they are read; of two with the same content the first one counts. */
const instructionFiles = ['AGENTS.md', 'CLAUDE.md', '.claude/CLAUDE.md'] as const;
const bytesMax = 16 * 2 ** 20;

/** The maximum length of instructions, with the note about a cut. */
export const instructionsMax = 32_000;
const nestedMax = 50;
const namesBytesMax = 32 * 2 ** 20;

/** All are looked up at once: every launch needs it, and most repositories have none or one. */
async function present(bare: string, commit: string, signal: AbortSignal): Promise<readonly string[]> {
  const args = ['ls-tree', '-z', '--name-only', '--full-tree', commit, '--', ...instructionFiles];
  const { stdout } = await git(args, { env: { GIT_DIR: bare }, signal });
  const names = new Set(stdout.split('\0'));
  return instructionFiles.filter((name) => names.has(name));
}

/** Files for a part of the repository: the agent reads them when it works there. None where the repository is too large to look. */
async function nestedIn(bare: string, commit: string, signal: AbortSignal): Promise<readonly string[]> {
  const args = ['ls-tree', '-rz', '--name-only', '--full-tree', commit];
  try {
    const { stdout } = await git(args, { env: { GIT_DIR: bare }, signal, stdoutMaxBytes: namesBytesMax });
    const nested = stdout.split('\0').filter((path) => /.\/(?:AGENTS|CLAUDE)\.md$/.test(path));
    return nested.filter((path) => path !== '.claude/CLAUDE.md').slice(0, nestedMax);
  } catch (error) {
    if (isFault(error, 'git_failed')) return [];
    throw error;
  }
}

function joined(parts: readonly Import[], nested: readonly string[]): string {
  const [first, ...others] = parts.map(({ path, text }, i) => bounded(i === 0 ? text : titled(path, text), path));
  const list =
    nested.length === 0
      ? []
      : [
          `Some folders have instructions of their own. Before you work in such a folder, read its file: ${nested.join(', ')}`,
        ];
  const texts = [...(first === undefined ? [] : [first]), ...others, ...list];
  return bounded(texts.join('\n\n'), parts.at(-1)?.path ?? 'the list');
}

function titled(path: string, text: string): string {
  return `Contents of ${path}:\n\n${text}`;
}

interface Blob {
  readonly id: string;
  readonly bytes: number;
}

async function find(bare: string, commit: string, name: string, signal: AbortSignal): Promise<Blob | null> {
  const { stdout } = await git(['cat-file', '--batch-check', '--follow-symlinks'], {
    env: { GIT_DIR: bare },
    input: `${commit}:${name}\n`,
    signal,
  });
  // Any other answer is a directory, nothing, or a link that leads out of the commit, in a circle or nowhere.
  const [, id, bytes] = /^([0-9a-f]{40,64}) blob (\d+)\n$/.exec(stdout) ?? [];
  return id === undefined ? null : { id, bytes: Number(bytes) };
}

/** git takes the dot in a link to `./CLAUDE.md` for a name. */
async function findLinked(bare: string, commit: string, name: string, signal: AbortSignal): Promise<Blob | null> {
  const options = { env: { GIT_DIR: bare }, signal };
  const { stdout } = await git(['ls-tree', '-z', '--full-tree', commit, '--', name], options);
  const [, id] = /^120000 blob ([0-9a-f]+)\t/.exec(stdout) ?? [];
  if (id === undefined) return null;
  const target = posix.normalize((await git(['cat-file', 'blob', id], options)).stdout);
  return target.startsWith('/') || target.startsWith('..') ? null : find(bare, commit, target, signal);
}

function bounded(text: string, name: string): string {
  if (text.length <= instructionsMax) return text;
  const said = `\n\n[${name} goes on: ${text.length} characters in all, of which this is the beginning]\n`;
  // Do not cut within a character.
  return text.slice(0, instructionsMax - said.length).replace(/[\ud800-\udbff]$/, '') + said;
}
