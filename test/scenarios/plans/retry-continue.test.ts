// Retries that go on with the session and the work of the attempt before, on real git and real processes.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunView } from '../../../src/wire/views.ts';
import type { World } from '../daemon/daemon-world.ts';
import { recordOf, taskNamed } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

const retry = ['--retries', '2', '--retry-how', 'continue'];
const write = (path: string, text: string): object => ({ write: { path, text } });

async function run(prompts: readonly string[], scripts: readonly (readonly object[])[], options: readonly string[]) {
  const given = scripts.flatMap((steps) => ['--script', world.script(steps)]);
  const { code, stderr } = await world.sb(['run', ...prompts, ...given, ...retry, ...options]);
  const { run: ended } = await world.only();
  expect(code, `${stderr}${JSON.stringify(ended.tasks.map(({ outcome }) => outcome))}`).toBe(0);
  return ended;
}

const branchFile = (ended: RunView, path: string): string => {
  const gitDir = ended.tasks[0]?.attempt?.gitDir ?? '';
  return world.git('--git-dir', gitDir, 'show', `${ended.branch?.head}:${path}`);
};

it('the second attempt has the files and the session of the first, and all of it is integrated as one [RETRY-2] [RETRY-3]', async () => {
  const steps = [write('one.txt', 'half'), { turn: 'That is it.' }, { append: { path: 'one.txt', text: ' whole' } }];
  const ended = await run(['mend'], [steps], ['--check', 'grep whole one.txt']);
  expect(branchFile(ended, 'one.txt')).toBe('half whole');
  const { attempt, attempts } = taskNamed(ended, 'mend');
  expect(attempts).toBe(2);
  expect(attempt?.base).toBe(ended.repo.base);
  const record = await recordOf(world, ended.id);
  const started = record.filter((event) => event.type === 'attempt.started');
  expect(started[1]).toMatchObject({ n: 2, agentId: started[0]?.agentId, continues: started[0]?.attemptId });
  const launch = join(world.home, 'launches', attempt?.launches[0] ?? '');
  expect(readFileSync(join(launch, 'spec.json'), 'utf8')).toContain('--resume');
  expect(readFileSync(join(launch, 'in'), 'utf8')).toContain(
    'It ended with check-failed: check \\"grep-whole-one-txt\\"',
  );
  const { stdout } = await world.sb(['diff', 'mend']);
  expect(stdout).toContain('+half whole');
});

it('the write-set is judged by everything the attempts changed together [RETRY-3] [LOCK-4]', async () => {
  const steps = [write('a/in.txt', 'in'), write('out.txt', 'out'), { turn: 'Done.' }, { run: 'rm out.txt' }];
  const ended = await run(['tidy'], [steps], ['--writes', 'a/**']);
  expect(taskNamed(ended, 'tidy').attempts).toBe(2);
  expect(branchFile(ended, 'a/in.txt')).toBe('in');
  expect(() => branchFile(ended, 'out.txt')).toThrow();
});

it('changes outside the write-set by the first attempt alone are found in the second [RETRY-3] [LOCK-4]', async () => {
  const steps = [
    write('out.txt', 'out'),
    { turn: 'Done.' },
    write('a/in.txt', 'in'),
    { turn: 'Done again.' },
    { say: '.' },
  ];
  const { code } = await world.sb(['run', 'untidy', '--script', world.script(steps), ...retry, '--writes', 'a/**']);
  expect(code).toBe(1);
  const { run: ended, task } = await world.only();
  expect(task.outcome).toMatchObject({ kind: 'failed', failure: { reason: 'out-of-scope' } });
  expect(task.outcome?.kind === 'failed' && task.outcome.failure.detail).toContain('out.txt');
  expect(ended.branch).toBeNull();
});

it('work that needed no further change is integrated, beside what was integrated meanwhile [RETRY-3] [INT-1]', async () => {
  // The check passes when the other task has been integrated; the agent has nothing to add.
  const seen = world.path('passes');
  const steps = [write('one.txt', 'one'), { turn: 'Done.' }, { waitFor: world.path('go') }];
  const other = [write('two.txt', 'two'), { run: `touch '${world.path('go')}' '${seen}'` }];
  const check = `test -e '${seen}' -o -e two.txt`;
  const ended = await run(['first', 'second'], [steps, other], ['--sandbox', 'none', '--check', check]);
  expect(branchFile(ended, 'one.txt')).toBe('one');
  expect(branchFile(ended, 'two.txt')).toBe('two');
  expect(taskNamed(ended, 'first').attempts).toBeLessThanOrEqual(2);
});

it('a lost session starts again on the existing work [RETRY-6]', async () => {
  const steps = [write('one.txt', 'half'), { forget: true }, { turn: 'Gone.' }];
  const options = ['--script', world.script(steps), '--check', 'test -e two.txt', ...retry];
  const { code } = await world.sb(['run', 'forgetful', ...options]);
  expect(code).toBe(1);
  const { task } = await world.only();
  // Sent back twice, beyond the three.
  expect(task.attempts).toBe(5);
  const launches = task.attempt?.launches ?? [];
  const told = launches.map((id) => {
    const file = join(world.home, 'launches', id, 'in');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  });
  expect(told.join('')).toContain('You have worked on this before, and that conversation was lost');
  expect(told.join('')).toContain('Its work is here.');
});
