import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createChecks } from '../../../src/git/checks/checks.ts';
import { createProver } from '../../../src/git/checks/prove-attempt.ts';
import type { ProverPort } from '../../../src/ports/proof-port.ts';
import { isFault } from '../../../src/std/fault.ts';
import { type Ground, makeDirectory, never, orderFor, put } from './git-repositories.ts';

let ground: Ground;
let path: string;
let commit: string;
let prover: ProverPort;
beforeEach(async () => {
  ground = await makeDirectory();
  const order = orderFor(ground);
  ({ path } = await ground.workspaces.prepare(order, never));
  await put(path, { 'result.txt': 'saved\n', 'tool.sh': '#!/bin/sh\necho from the tool >&2\nexit 3\n' });
  await chmod(join(path, 'tool.sh'), 0o755);
  ({ commit } = await ground.workspaces.save(order, never));
  const { root } = ground;
  prover = createProver({ root, checks: createChecks({ root, path: `${dirname(process.execPath)}:/usr/bin:/bin` }) });
});
afterEach(async () => {
  expect(await readdir(join(ground.root, 'scratch'))).toEqual([]);
  ground.remove();
});

const prove = (checks: { name: string; argv: string[]; timeoutMs?: number }[], signal = never) =>
  prover.prove(
    {
      attemptId: 'attempt_1-1',
      commit,
      workspace: path,
      base: commit,
      sandboxed: false,
      writeSet: null,
      checks: checks.map((check) => ({ timeoutMs: 30_000, ...check })),
    },
    signal,
  );
const sh = (script: string, timeoutMs = 30_000) => ({ name: 'check', argv: ['/bin/sh', '-c', script], timeoutMs });

it('checks pass with exit 0 and fail with their last output', async () => {
  const items = await prove([
    { name: 'good', argv: ['grep', '-q', 'saved', 'result.txt'] },
    { name: 'bad', argv: ['sh', '-c', 'echo first; echo; printf "\\033[31mred\\007 words\\033[0m\\n\\n"; exit 1'] },
    { name: 'quiet', argv: ['false'] },
    { name: 'own', argv: ['./tool.sh'] },
    { name: 'killed', argv: ['sh', '-c', 'kill -SEGV $$'] },
  ]);
  expect(items).toMatchObject([
    { check: 'good', passed: true, detail: 'exit 0' },
    { check: 'bad', passed: false, detail: 'exit 1: red words' },
    { check: 'quiet', passed: false, detail: 'exit 1' },
    { check: 'own', passed: false, detail: 'exit 3: from the tool' },
    { check: 'killed', passed: false, detail: 'ended by SIGSEGV' },
  ]);
});

it('a command that cannot be started is a failed check', async () => {
  const items = await prove([
    { name: 'missing', argv: ['no-such-program'] },
    { name: 'data', argv: ['./result.txt'] },
    { name: 'empty', argv: [] },
    { name: 'nul', argv: ['echo', 'a\0b'] },
  ]);
  expect(items.map(({ passed }) => passed)).toEqual([false, false, false, false]);
  expect(items.map(({ detail }) => detail)).toEqual([
    'cannot start "no-such-program": not found',
    'cannot start "./result.txt": not executable',
    expect.stringContaining('cannot start ""'),
    expect.stringContaining('cannot start "echo"'),
  ]);
});

it('every check sees exactly the commit, whatever the workspace or other checks contain [WS-5]', async () => {
  await writeFile(join(path, 'result.txt'), 'changed since\n');
  const clean = sh('test -z "$(git status --porcelain --ignored)" && cat result.txt && git rev-parse HEAD && exit 1');
  const items = await prove([sh('echo broken > result.txt; rm -rf .git; touch junk'), clean]);
  expect(items.map(({ detail }) => detail)).toEqual(['exit 0', `exit 1: ${commit}`]);
  expect(await readFile(join(path, 'result.txt'), 'utf8')).toBe('changed since\n');
});

it('a check has an environment of its own and is not in the workspace', async () => {
  const [item] = await prove([sh(`env | sed 's/=.*//' | sort | tr '\\n' ' '; exit 1`)]);
  expect(item?.detail).toBe('exit 1: HOME LC_ALL PATH PWD TMPDIR');
  const [place] = await prove([sh('test -d "$HOME" && echo "$HOME $PWD"; exit 1')]);
  expect(
    place?.detail
      .split(' ')
      .slice(2)
      .every((at) => at.startsWith(join(ground.root, 'scratch'))),
  ).toBe(true);
});

it('a check that does not finish is killed with all its processes', async () => {
  const pids = join(ground.home, 'pids');
  const [item] = await prove([sh(`sleep 1000 & echo $! > ${pids}; echo waiting; wait`, 700)]);
  expect(item).toMatchObject({ check: 'check', passed: false, detail: 'not finished after 700 ms: waiting' });
  expect(isAlive(Number(await readFile(pids, 'utf8')))).toBe(false);
});

it('background processes of a finished check end with it', async () => {
  const pids = join(ground.home, 'pids');
  const [item] = await prove([sh(`sleep 1000 & echo $! > ${pids}`)]);
  expect(item?.detail).toBe('exit 0');
  expect(isAlive(Number(await readFile(pids, 'utf8')))).toBe(false);
});

it('endless output costs no memory, and its end is reported', async () => {
  const [item] = await prove([sh('head -c 50000000 /dev/zero | tr "\\0" x; echo; echo the end; exit 1')]);
  expect(item?.detail).toBe('exit 1: the end');
});

it('write-protected leftovers of a check are removed', async () => {
  expect(
    await prove([sh('mkdir -p "$HOME/cache/a" && touch "$HOME/cache/a/b" && chmod -R a-w "$HOME/cache"')]),
  ).toMatchObject([{ check: 'check', passed: true, detail: 'exit 0' }]);
});

it('a cancelled proof ends its check and rejects with the reason', async () => {
  const stop = new AbortController();
  const reason = new Error('shutting down');
  const pids = join(ground.home, 'pids');
  const proof = prove([sh(`mkfifo ${pids}.fifo; echo $$ > ${pids}; read x < ${pids}.fifo`)], stop.signal);
  const refusal = expect(proof).rejects.toBe(reason);
  await expect.poll(() => existsSync(`${pids}.fifo`) && existsSync(pids), { timeout: 20_000 }).toBe(true);
  stop.abort(reason);
  await refusal;
  expect(isAlive(Number(await readFile(pids, 'utf8')))).toBe(false);
});

it('a commit that is not ours is a fault, not a failed check', async () => {
  const order = {
    attemptId: 'attempt_1-1',
    workspace: path,
    base: commit,
    sandboxed: false,
    writeSet: null,
    checks: [sh('true')],
  };
  await expect(prover.prove({ ...order, commit: 'a'.repeat(40) }, never)).rejects.toSatisfy((e) =>
    isFault(e, 'git_failed'),
  );
  await expect(prover.prove({ ...order, commit: '--force' }, never)).rejects.toSatisfy((e) =>
    isFault(e, 'bad_request'),
  );
  const stranger = { ...order, attemptId: 'attempt_9-9', commit };
  await expect(prover.prove(stranger, never)).rejects.toThrow(/no saved work/);
});

/** After a kill it may still be a zombie until its parent collects it. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return /^[^Z]/.test(stdout.trim());
}
