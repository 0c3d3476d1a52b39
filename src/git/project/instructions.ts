// The repository's instructions for agents, as text: AGENTS.md, else CLAUDE.md, at the top of a commit in our bare
// repository. Links are followed within the commit only. What the text says or imports is for the agent to judge.

import { posix } from 'node:path';
import { git } from '../commands/git.ts';

export async function readInstructions(bare: string, commit: string, signal: AbortSignal): Promise<string | null> {
  for (const name of await present(bare, commit, signal)) {
    const found = (await find(bare, commit, name, signal)) ?? (await findLinked(bare, commit, name, signal));
    if (found === null) continue;
    if (found.bytes > bytesMax) return `${name} of the repository is left out here: it has ${found.bytes} bytes.`;
    const options = { env: { GIT_DIR: bare }, signal, stdoutMaxBytes: bytesMax };
    const { stdout } = await git(['cat-file', 'blob', found.id], options);
    if (stdout.trim() !== '') return bounded(stdout, name);
  }
  return null;
}

const instructionFiles = ['AGENTS.md', 'CLAUDE.md'] as const;
const bytesMax = 16 * 2 ** 20;

/** The maximum length of instructions, with the note about a cut. */
export const instructionsMax = 32_000;

/** Both are looked up at once: every launch needs it, and most repositories have none or one. */
async function present(bare: string, commit: string, signal: AbortSignal): Promise<readonly string[]> {
  const args = ['ls-tree', '-z', '--name-only', '--full-tree', commit, '--', ...instructionFiles];
  const { stdout } = await git(args, { env: { GIT_DIR: bare }, signal });
  const names = new Set(stdout.split('\0'));
  return instructionFiles.filter((name) => names.has(name));
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
