// E3, and case 1 of the further ones: code under test tries to make its check pass, or the command of a setup succeed, by taking over
// whatever reports how it ended.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { environmentOf, keyOf } from '../../src/git/checks/check-key.ts';
import type { ConfineCommand } from '../../src/git/commands/confined-command.ts';
import { openSandboxWorld } from '../conformance/sandbox-world.ts';
import { type ChecksWorld, openChecksWorld, programs, sh } from '../scenarios/evidence/checks-world.ts';

const forge = readFileSync(join(import.meta.dirname, 'forge-exit.pl'), 'utf8');
const ways = ['pidfd_getfd', 'ptrace', 'mem', 'process_vm_writev', 'descriptors', 'kill'];
const cheat = (how: string, pid: string) => `perl forge.pl ${how} ${pid}; echo the tests FAILED; exit 9`;

let world: ChecksWorld;
let work: { commit: string };

beforeEach(async () => {
  world = await openChecksWorld(true);
  work = { commit: await world.save(2, { 'forge.pl': forge }) };
});

afterEach(() => world.ground.remove());

/** The arrangement before: bubblewrap's own init reports the end, and the command is the usual shell. */
const unguarded: ConfineCommand = (argv, cwd, reach) => {
  const wall = world.confine?.(argv, cwd, reach) ?? [];
  const options = wall.slice(0, wall.indexOf('--')).filter((option) => option !== '--as-pid-1');
  return [...options, '--', ...argv];
};

describe.each(ways)('by %s', (how) => {
  it('code under test cannot make its check pass through what supervises it [SBX-14]', async () => {
    const item = await world.one(sh(cheat(how, '1')), work);
    expect(item).toMatchObject({ passed: false, detail: 'exit 9: the tests FAILED' });
    expect(world.log(item)).toContain(`${how} of 1: refused`);
  });

  it("code under test cannot make its check pass through the check's own shell [SBX-14]", async () => {
    const item = await world.one(sh(cheat(how, '$$')), work);
    expect(item.passed).toBe(false);
    if (how === 'kill') expect(item.detail).toMatch(/^exit 137/);
    else expect(world.log(item)).toContain(': refused');
  });
});

it('both attacks are real: without the guarded shell a failing check passes [SBX-14]', async () => {
  world.reopen({ confine: unguarded });
  expect(await world.one(sh(cheat('pidfd_getfd', '1')), work)).toMatchObject({ passed: true });
  if (process.arch === 'x64') expect(await world.one(sh(cheat('ptrace', '$$')), work)).toMatchObject({ passed: true });
  for (const how of ['mem', 'process_vm_writev', 'descriptors']) {
    const item = await world.one(sh(cheat(how, '$$')), work);
    expect(world.log(item), how).toContain(': possible');
  }
});

it('a result that was computed before the guarded shell has another key, and is not used [SBX-14]', async () => {
  const argv = ['sh', '-c', 'exit 9'];
  const environment = await environmentOf(argv, { path: programs, sandboxed: true });
  const question = { tree: 'a'.repeat(40), argv, timeoutMs: 1, environment, setup: null };
  for (const format of [1, 2]) {
    expect(keyOf({ ...question, environment: { ...environment, format } })).not.toBe(keyOf(question));
  }
});

it('programs are debugged in the sandbox as ever [SBX-14]', async () => {
  const attach = "sleep 20 & perl -e 'exit(syscall($ARGV[1], 0x4206, $ARGV[0] + 0, 0, 0) < 0)' $!";
  const number = process.arch === 'arm64' ? 117 : 101;
  const item = await world.one(sh(`${attach} ${number} && echo attached; exit 3`), work);
  expect(world.log(item)).toContain('attached');
});

it("an agent's command cannot forge the exit status of its launch, nor can what it starts change the command's shell [SBX-14]", async () => {
  const sandbox = await openSandboxWorld();
  try {
    for (const how of ways) {
      const attack = (pid: string) => `cat >forge.pl <<'END'\n${forge}\nEND\nperl forge.pl ${how} ${pid}; exit 9`;
      const { status, out, err } = await sandbox.sh(attack('1'));
      expect({ how, status, out }, err).toEqual({ how, status: 9, out: `${how} of 1: refused` });
      const shell = await sandbox.sh(attack('$$'));
      expect(shell.status, how).toBe(how === 'kill' ? 137 : 9);
      if (how !== 'kill') expect(shell.out).toMatch(/: refused$/);
    }
  } finally {
    await sandbox.close();
  }
});
