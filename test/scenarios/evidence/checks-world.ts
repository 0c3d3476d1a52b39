// A commit of ours to check, checks that run for real, with or without the sandbox of this machine, and a place outside
// where those without one can leave a trace.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Checks, type ChecksOrder, createChecks } from '../../../src/git/checks/checks.ts';
import type { ConfineCommand } from '../../../src/git/commands/confined-command.ts';
import type { CheckSpec, EvidenceItem } from '../../../src/ports/proof-port.ts';
import { openSandbox, probeSandbox, type SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import { bareOf, type Ground, makeDirectory, never, orderFor, put } from '../git/git-repositories.ts';

export const programs = `${dirname(process.execPath)}:/usr/bin:/bin`;

export interface ChecksWorld {
  readonly ground: Ground;
  readonly bare: string;
  readonly commit: string;
  /** Where results are. */
  readonly results: string;
  checks: Checks;
  /** A file outside of every checkout. */
  outside(name: string): string;
  /** Its lines; none where it is not there. */
  lines(name: string): string[];
  run(checks: readonly Asked[], more?: Partial<ChecksOrder>, signal?: AbortSignal): Promise<readonly EvidenceItem[]>;
  one(check: Asked, more?: Partial<ChecksOrder>, signal?: AbortSignal): Promise<EvidenceItem>;
  /** As another daemon would find it: nothing but the disk is left. */
  reopen(options?: { path?: string; confine?: ConfineCommand }): void;
  /** The sandbox's, where there is one. */
  readonly confine: ConfineCommand | null;
  /** The kept results, as they are on disk. */
  kept(): Kept[];
  log(item: EvidenceItem): string;
  /** Saves further work on the same base. */
  save(n: number, files: Record<string, string>): Promise<string>;
}

export type Asked = Partial<CheckSpec> & Pick<CheckSpec, 'argv'>;

interface Kept {
  readonly key: string;
  readonly tree: string;
  readonly runs: readonly { passed: boolean; outcome: string; at: number; ms: number }[];
  readonly log: string;
}

export async function openChecksWorld(sandboxed = false): Promise<ChecksWorld> {
  const ground = await makeDirectory();
  const save = async (n: number, files: Record<string, string>): Promise<string> => {
    const order = orderFor(ground, n);
    const { path } = await ground.workspaces.prepare(order, never);
    await put(path, files);
    return (await ground.workspaces.save(order, never)).commit;
  };
  const commit = await save(1, { 'result.txt': 'saved\n', 'data.bin': 'not a program\n' });
  const probe = sandboxed ? await probeSandbox(sandboxOptions(ground)) : null;
  const sandbox = probe?.works ? await openSandbox(ground.root, probe) : null;
  const usual = sandbox?.command ?? null;
  const open = (path = programs, confine = usual) =>
    createChecks({ root: ground.root, path, ...(confine === null ? {} : { confine }) });
  const results = join(ground.root, 'checks');
  const world: ChecksWorld = {
    ground,
    bare: await bareOf(ground),
    commit,
    results,
    checks: open(),
    outside: (name) => join(ground.home, name),
    lines: (name) => textAt(join(ground.home, name)).split('\n').slice(0, -1),
    run: (checks, more = {}, signal = never) =>
      world.checks.run({ ...orderOf(world, sandboxed), checks: checks.map(whole), ...more }, signal),
    one: async (check, more, signal) => (await world.run([check], more, signal))[0] as EvidenceItem,
    reopen: ({ path, confine } = {}) => {
      world.checks = open(path, confine);
    },
    confine: usual,
    kept: () =>
      readdirSync(results)
        .filter((name) => name.endsWith('.json'))
        .map((name) => JSON.parse(readFileSync(join(results, name), 'utf8')) as Kept),
    log: ({ log = '' }) => readFileSync(join(results, log), 'utf8'),
    save,
  };
  return world;
}

export const sh = (script: string, more: Partial<CheckSpec> = {}): Asked => ({ argv: ['sh', '-c', script], ...more });

function whole(check: Asked): CheckSpec {
  return { name: 'check', timeoutMs: 60_000, ...check };
}

function orderOf({ bare, commit }: ChecksWorld, sandboxed: boolean): Omit<ChecksOrder, 'checks'> {
  return { bare, commit, sandboxed };
}

function sandboxOptions(ground: Ground): SandboxOptions {
  const { root: home, user: userHome } = ground;
  return { home, cache: null, userHome, path: programs, env: {}, readable: [], writable: [] };
}

function textAt(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

/** After a kill it may still be a zombie until its parent collects it. */
export function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z]/.test(stdout.trim());
}
