// Tasks that give typed outputs to each other, through the daemon and with real processes: what fits goes on, what does not
// goes back, and the work of all comes together on one branch.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { clientIds } from '../../../src/wire/id-pattern.ts';
import type { CreateRunInput } from '../../../src/wire/request-schemas.ts';
import type { RunView } from '../../../src/wire/views.ts';
import type { World } from '../daemon/daemon-world.ts';
import { ask, failureOf, recordOf, runEnd, submit, taskNamed } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

type Task = CreateRunInput['tasks'][number];

const openWorld = shareDaemon({ SIGNALBOX_SLOTS: '10' });
let world: World;
beforeEach(async () => {
  world = openWorld();
  await world.up();
});
afterEach(() => world.close());

const bugs = {
  type: 'object',
  properties: { bugs: { type: 'array', items: { type: 'string' } } },
  required: ['bugs'],
};

const scripted = (name: string, steps: readonly object[], more: Partial<Task> = {}): Task => ({
  name,
  prompt: `do ${name}`,
  settings: { script: JSON.stringify(steps) },
  ...more,
});

const command = (name: string, shell: string, more: Partial<Task> = {}): Task => ({
  name,
  prompt: `do ${name}`,
  harness: 'command',
  settings: { argv: JSON.stringify(['sh', '-c', shell]) },
  ...more,
});

const kinds = ({ tasks }: RunView): Record<string, string | undefined> =>
  Object.fromEntries(tasks.map(({ name, outcome }) => [name, outcome?.kind]));

const branchFile = (run: RunView, path: string): string => {
  const { gitDir = '' } = run.tasks.find(({ attempt }) => attempt !== null)?.attempt ?? {};
  const ref = world.git('--git-dir', gitDir, 'for-each-ref', '--format=%(refname)', `refs/signalbox-run/${run.id}`);
  return world.git('--git-dir', gitDir, 'show', `${ref}:${path}`);
};

it('an output reaches its references: a matrix is made from it, and all work is integrated on one branch [GRAPH-2] [OUT-2] [INT-2]', async () => {
  const { id } = await submit(world, [
    scripted('find', [{ output: { bugs: ['one', 'two', 'three'] } }], { output: bugs, keeps: false }),
    command('fix', 'cat >"fixed-$BUG"; printf \'{"fixed":"%s"}\' "$BUG" >"$SIGNALBOX_OUTPUT"', {
      kind: 'matrix',
      items: { ref: ['tasks', 'find', 'output', 'bugs'] },
      needs: ['find'],
      prompt: ['Fix ', { ref: ['matrix'] }, ' of ', { ref: ['tasks', 'find', 'output', 'bugs', 'length'] }],
      env: { BUG: [{ ref: ['matrix'] }] },
      output: { type: 'object', properties: { fixed: { type: 'string' } }, required: ['fixed'] },
    }),
    command('report', 'cat >report; ls fixed-* >>report', {
      needs: ['fix'],
      prompt: ['Fixed: ', { ref: ['tasks', 'fix', 'output', '2', 'fixed'] }, '\n'],
    }),
  ]);
  const run = await runEnd(world, id);
  expect(kinds(run)).toEqual({
    find: 'succeeded',
    fix: 'succeeded',
    report: 'succeeded',
    'fix.one': 'succeeded',
    'fix.two': 'succeeded',
    'fix.three': 'succeeded',
  });
  expect(taskNamed(run, 'fix').output).toEqual([{ fixed: 'one' }, { fixed: 'two' }, { fixed: 'three' }]);
  expect(branchFile(run, 'fixed-two').split('\n\n')[0]).toBe('Fix <task-output from="find">two</task-output> of 3');
  const report = branchFile(run, 'report');
  expect(report).toMatch(/^Fixed: <task-output from="fix">three<\/task-output>\n/);
  expect(report.endsWith('fixed-one\nfixed-three\nfixed-two')).toBe(true);
  const whole = await world.sb(['output', taskNamed(run, 'fix').id]);
  expect(JSON.parse(whole.stdout)).toHaveLength(3);
});

it('an output that does not match goes back with what is wrong, and the fixed one is accepted [OUT-1]', async () => {
  const { id } = await submit(world, [
    scripted('find', [{ output: { bugs: 'many' } }, { turn: 'Here it is.' }, { output: { bugs: [] } }], {
      output: bugs,
    }),
  ]);
  const run = await runEnd(world, id);
  const record = await recordOf(world, id);
  const told = record.flatMap((event) =>
    event.type === 'record.queued' && event.body.kind === 'text' ? [event.body.text] : [],
  );
  expect(told).toEqual([expect.stringContaining('- /bugs must be array')]);
  expect(taskNamed(run, 'find')).toMatchObject({ outcome: { kind: 'succeeded' }, output: { bugs: [] } });
});

it('an invalid schema is refused before anything starts [OUT-1]', async () => {
  const flawed = [{ type: 'objekt' }, { $ref: '#/nowhere' }, { properties: { a: { pattern: '(' } } }];
  for (const output of flawed) {
    const task = { name: 'find', prompt: 'find', output };
    const { status, body } = await ask(world, 'POST', '/runs', {
      id: clientIds.run(),
      name: 'flawed',
      repo: { path: world.repo },
      tasks: [task],
    });
    expect([status, JSON.stringify(body)]).toEqual([
      400,
      expect.stringContaining('task \\"find\\": its output schema is not'),
    ]);
  }
  expect(await world.list()).toEqual([]);
});

it('an output of 50 MB is refused with a sentence, and none of it is journalled [OUT-5]', async () => {
  const shell = `printf '{"bugs":["' >"$SIGNALBOX_OUTPUT"; head -c 50000000 /dev/zero | tr '\\0' x >>"$SIGNALBOX_OUTPUT"; printf '"]}' >>"$SIGNALBOX_OUTPUT"`;
  const { id } = await submit(world, [
    command('huge', shell, { output: bugs }),
    command('next', 'true', { needs: ['huge'] }),
  ]);
  const run = await runEnd(world, id);
  expect(failureOf(taskNamed(run, 'huge'))).toMatchObject({
    reason: 'invalid-output',
    detail: expect.stringContaining('it has 50000013 characters as JSON; 500000 fit'),
  });
  expect(kinds(run)['next']).toBe('skipped');
  expect(JSON.stringify(await recordOf(world, id)).length).toBeLessThan(100_000);
});

it('S16: twenty agents claim success without evidence: none succeeds, and no dependant starts [OUT-1] [ATT-3]', async () => {
  const lies: readonly Partial<Task>[] = [
    // No output at all, an invalid one, work that a check finds missing, paths it may not touch.
    { settings: { script: JSON.stringify([{ say: 'Done, all files are in place!' }]) }, output: bugs },
    { settings: { script: JSON.stringify([{ output: { bugs: 7 } }]) }, output: bugs },
    {
      settings: { script: JSON.stringify([{ say: 'Success.' }]) },
      checks: [{ name: 'made', argv: ['test', '-e', 'made'] }],
    },
    { settings: { script: JSON.stringify([{ write: { path: 'elsewhere', text: '' } }]) }, writes: ['src/**'] },
    // Says so in words of the protocol, and goes on in the background.
    { harness: 'command', settings: { argv: JSON.stringify(['sh', '-c', 'echo success; exit 0']) }, output: bugs },
  ];
  const liars = Array.from(
    { length: 20 },
    (_, i): Task => ({ name: `liar-${i}`, prompt: 'lie', ...lies[i % lies.length] }),
  );
  const waiting = liars.map(({ name }, i): Task => ({ name: `after-${i}`, prompt: 'go on', needs: [name] }));
  const { id } = await submit(world, [...liars, ...waiting]);
  const run = await runEnd(world, id, 120_000);
  expect(run.outcome).toBe('failed');
  for (const task of run.tasks) {
    expect(task.outcome?.kind, task.name).toBe(task.name.startsWith('liar') ? 'failed' : 'skipped');
  }
  expect((await recordOf(world, id)).filter(({ type }) => type === 'integration.succeeded')).toEqual([]);
});

it('S6: ten agents on one line on one branch: one is integrated, nine conflict, and all work is kept [INT-4]', async () => {
  const tasks = Array.from({ length: 10 }, (_, i) =>
    scripted(`agent-${i}`, [{ waitFor: world.path('go') }, { write: { path: 'line', text: `by ${i}\n` } }], {
      conflictsMax: 0,
      onConflict: 'fail',
    }),
  );
  const { id } = await submit(world, tasks);
  await world.sb(['ps']);
  world.touch('go');
  const run = await runEnd(world, id, 120_000);
  const failures = run.tasks.flatMap(({ outcome }) => (outcome?.kind === 'failed' ? [outcome.failure.reason] : []));
  expect(failures).toEqual(Array.from({ length: 9 }, () => 'conflict'));
  for (const [i, { attempt }] of run.tasks.entries()) {
    expect(world.git('--git-dir', attempt?.gitDir ?? '', 'show', `${attempt?.ref}:line`)).toBe(`by ${i}`);
  }
});

it("a task's own setup runs before its agent, and a failing one fails the task [WS-22]", async () => {
  const { id } = await submit(world, [
    command('good', 'cat seeded >seen', { setup: 'echo seed >seeded' }),
    command('bad', 'true', { setup: 'echo no database >&2; exit 3' }),
  ]);
  const run = await runEnd(world, id);
  expect(branchFile(run, 'seen')).toBe('seed');
  expect(failureOf(taskNamed(run, 'bad'))).toMatchObject({
    reason: 'setup-failed',
    detail: expect.stringContaining("the task's setup failed: exit 3: no database"),
  });
});
