// Work that conflicts with the user's branch, round by round: back to its author, then to another agent, then to a person. The
// branch is moved only when both are together.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { launchFile } from '../crash/storm-record.ts';
import type { World } from '../daemon/daemon-world.ts';
import { recordOf } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
let main: string;
beforeEach(() => {
  world = openWorld();
  main = world.git('symbolic-ref', '--short', 'HEAD');
});
afterEach(() => world.close());

const write = (path: string, text: string): object => ({ write: { path, text } });

async function made(steps: readonly object[], ...more: string[]): Promise<void> {
  const other = world.script([write('other.txt', 'other\n'), { say: 'Done.' }]);
  const scripts = ['--script', world.script(steps), '--script', other];
  const { code, stdout, stderr } = await world.sb(['run', 'first', 'second', ...scripts, '--name', 'some', ...more]);
  expect(code, stdout + stderr).toBe(0);
}

/** The user changes the same file meanwhile, and another one. */
function commitMine(text: string): string {
  writeFileSync(join(world.repo, 'shared.txt'), text);
  writeFileSync(join(world.repo, 'mine.txt'), 'mine\n');
  world.git('add', '.');
  world.git('commit', '-qm', 'Mine');
  world.git('checkout', '-q', '-B', 'elsewhere');
  return world.git('rev-parse', main);
}

it("goes back to its author, in the same session, in a directory that has the user's branch, and lands [LAND-46]", async () => {
  const conflict = world.path('conflict.json');
  await made(
    [
      write('shared.txt', 'theirs\n'),
      { turn: 'Done.' },
      { run: `cp "$HOME/inputs/conflict.json" '${conflict}'` },
      // Everything of both is here, but what conflicts is as the user has it.
      { run: 'test "$(cat shared.txt mine.txt other.txt)" = "$(printf "mine\\nmine\\nother")"' },
      write('shared.txt', 'mine\ntheirs\n'),
      { say: 'Both are in.' },
    ],
    // The author may write what conflicts, and nothing else.
    '--writes',
    '*.txt',
  );
  const theirs = commitMine('mine\n');
  const { code, stdout, stderr } = await world.sb(['land', 'some', '--into', main]);
  expect(code, stdout + stderr).toBe(0);
  expect(stderr).toMatch(/conflict with \S+ in shared\.txt: back to its author/);
  expect(stdout).toMatch(/^landed: /);
  expect(world.git('show', `${main}:shared.txt`)).toBe('mine\ntheirs');
  expect(world.git('show', `${main}:mine.txt`)).toBe('mine');
  expect(world.git('show', `${main}:other.txt`)).toBe('other');
  expect(world.git('merge-base', '--is-ancestor', theirs, main)).toBe('');
  const [run] = await world.list();
  expect(run).toMatchObject({ state: 'ended', outcome: 'succeeded', landing: { n: 2 } });
  const author = run?.tasks.find(({ name }) => name === 'first');
  expect(author?.attempts).toBe(2);
  const record = await recordOf(world, run?.id ?? '');
  const started = record.flatMap((event) => (event.type === 'attempt.started' ? [event] : []));
  const [one, two] = started.filter(({ taskId }) => taskId === author?.id);
  expect(two).toMatchObject({ agentId: one?.agentId, continues: one?.attemptId, onHead: true });
  const told = launchFile(world, `${two?.attemptId.replace('attempt_', 'launch_')}-1`, 'in');
  expect(told).toContain(`conflicts with what others did on branch ${main} meanwhile, in: shared.txt`);
  expect(JSON.parse(readFileSync(conflict, 'utf8'))).toMatchObject({
    target: main,
    head: theirs,
    paths: ['shared.txt'],
  });
});

it('goes to another agent when its author changes nothing, then to a person; nothing is moved meanwhile [LAND-46] [INT-17]', async () => {
  // An agent that finds a conflict changes nothing.
  const timid = { run: 'test -e "$HOME/inputs/conflict.json" || echo theirs >shared.txt' };
  await made([timid, { turn: 'Done.' }, { say: 'I change nothing.' }]);
  const theirs = commitMine('mine\n');
  const landing = await world.sb(['land', 'some', '--into', main]);
  expect([landing.code, landing.stderr]).toEqual([3, expect.stringContaining('The run waits for your answer')]);
  expect(world.git('rev-parse', main)).toBe(theirs);
  const [run] = await world.list();
  const author = run?.tasks.find(({ name }) => name === 'first');
  const started = (await recordOf(world, run?.id ?? '')).flatMap((event) =>
    event.type === 'attempt.started' && event.taskId === author?.id ? [event] : [],
  );
  const [one, two, three] = started.map(({ agentId }) => agentId);
  expect([started.length, two === one, three === one]).toEqual([3, true, false]);
  expect(author?.asks.filter(({ state }) => state === 'open')).toHaveLength(1);
  expect((await world.sb(['stop', run?.id ?? ''])).code).toBe(0);
  const gone = await world.sb(['land', 'second', '--into', main]);
  expect(gone.code, gone.stdout + gone.stderr).toBe(0);
  expect(world.git('show', `${main}:other.txt`)).toBe('other');
});

it('is only reported where agents may not be asked again [LAND-46]', async () => {
  await made([write('shared.txt', 'theirs\n')], '--conflicts', '0');
  const theirs = commitMine('mine\n');
  const { code, stdout } = await world.sb(['land', 'some', '--into', main]);
  expect([code, stdout]).toEqual([1, expect.stringMatching(/conflict with branch .* in shared\.txt/)]);
  expect(world.git('rev-parse', main)).toBe(theirs);
});
