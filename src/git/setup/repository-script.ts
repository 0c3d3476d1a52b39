// Runs a repository's `.signalbox/setup` and `.signalbox/teardown` of the base commit. They are the repository's code
// and run in the workspace, in the agent's sandbox, with an environment made for them. They are read from the commit,
// never from an agent's files.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConfineCommand, runConfined } from '../commands/confined-command.ts';
import { lastLines } from '../commands/failure-line.ts';
import { git } from '../commands/git.ts';
import { createMemory } from '../commands/memoize-by-commit.ts';
import { records } from '../commands/tree-index.ts';

export const scriptNames = { setup: '.signalbox/setup', teardown: '.signalbox/teardown' } as const;

export type FoundScript =
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable' }
  | { readonly kind: 'executable'; readonly blob: string };

export interface ScriptMeans {
  /** Where they find their programs. */
  readonly path: string;
  readonly confine: ConfineCommand | null;
}

/** What the commit has of that name. */
export async function findScript(bare: string, base: string, name: string, signal: AbortSignal): Promise<FoundScript> {
  return scripts([bare, base, name], () => lookForScript(bare, base, name, signal));
}

const scripts = createMemory<FoundScript>();

async function lookForScript(bare: string, base: string, name: string, signal: AbortSignal): Promise<FoundScript> {
  const args = ['ls-tree', '-z', '--full-tree', base, '--', name];
  const [found] = records((await git(args, { env: { GIT_DIR: bare }, signal })).stdout);
  if (found === undefined) return { kind: 'none' };
  const [mode, , id = ''] = found.slice(0, found.indexOf('\t')).split(' ');
  return mode === '100755' ? { kind: 'executable', blob: id } : { kind: 'unusable' };
}

export interface ScriptOrder extends ShellOrder {
  readonly file: string;
}

export interface ShellOrder {
  readonly workspace: string;
  readonly scratch: string;
  /** What it must read outside of the workspace. */
  readonly readable: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly sandboxed: boolean;
  readonly timeoutMs: number;
}

/** How it failed, with its last line; null: it succeeded. */
export function runScript(means: ScriptMeans, order: ScriptOrder, signal: AbortSignal): Promise<string | null> {
  // Through a shell, so that the sandbox shows the shell's files and nothing around the script.
  return runShell(means, { ...order, argv: ['sh', '-c', 'exec "$0"', order.file] }, signal);
}

/** The same for any command. */
export async function runShell(
  means: ScriptMeans,
  order: ShellOrder & { readonly argv: readonly string[] },
  signal: AbortSignal,
): Promise<string | null> {
  const { argv, workspace, scratch, readable, sandboxed, timeoutMs } = order;
  const home = join(scratch, 'home');
  await mkdir(home, { recursive: true });
  const command = { argv, cwd: workspace, home, path: means.path, env: order.env };
  const limits = { readable, sandboxed, timeoutMs, graceMs };
  const { ok, outcome, output } = await runConfined({ ...command, ...limits }, means.confine, signal);
  return ok ? null : [outcome, lastLines(output, linesShown).join(' | ')].filter((words) => words !== '').join(': ');
}

const linesShown = 5;
const graceMs = 2_000;
