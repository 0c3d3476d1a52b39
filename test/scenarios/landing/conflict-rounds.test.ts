// Work that conflicts with integrated work, round by round: back to its author in the same session, then to a resolver, then to
// a person. Real agents' processes, a real branch.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/wire/event-names.ts';
import { clientIds } from '../../../src/wire/id-pattern.ts';
import type { CreateRunInput } from '../../../src/wire/request-schemas.ts';
import type { RunView } from '../../../src/wire/views.ts';
import { root } from '../../source-files.ts';
import { until } from '../../until.ts';
import { launchFile } from '../crash/storm-record.ts';
import type { World } from '../daemon/daemon-world.ts';
import { ask, failureOf, recordOf, runEnd, runOf, taskEnd, taskNamed } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

type Task = CreateRunInput['tasks'][number];

const openWorld = shareDaemon();
let world: World;
beforeEach(async () => {
  world = openWorld();
  await world.up();
});
afterEach(() => world.close());

const scripted = (name: string, steps: readonly object[], more: Partial<Task> = {}): Task => ({
  name,
  prompt: `make ${name} known`,
  settings: { script: JSON.stringify(steps) },
  ...more,
});

async function begin(tasks: readonly Task[], integration: CreateRunInput['integration'] = {}): Promise<string> {
  const id = clientIds.run();
  const body: CreateRunInput = { id, name: 'rounds', repo: { path: world.repo }, integration, tasks: [...tasks] };
  const { status, body: told } = await ask(world, 'POST', '/runs', body);
  expect(status, JSON.stringify(told)).toBe(200);
  return id;
}

const write = (path: string, text: string): object => ({ write: { path, text } });
/** A task with these steps has started before anything is integrated. */
const hold = (name: string): object[] => [
  { run: `touch '${world.path(`here-${name}`)}'` },
  { waitFor: world.path(`go-${name}`) },
];
const isHere = (name: string) =>
  until(() => existsSync(world.path(`here-${name}`)), { timeoutMs: 60_000, what: `${name} to be at work` });

const showing = (run: RunView, path: string): string =>
  world.git('--git-dir', run.tasks[0]?.attempt?.gitDir ?? '', 'show', `${run.branch?.head}:${path}`);

const attemptsOf = (record: readonly RunEvent[], taskId: string) =>
  record.flatMap((event) => (event.type === 'attempt.started' && event.taskId === taskId ? [event] : []));

const toldTo = (attemptId: string): string => launchFile(world, `${attemptId.replace('attempt_', 'launch_')}-1`, 'in');

/** What its agent has in its home, brought out by itself. */
const takeOut = (name: string): object => ({ run: `cp "$HOME/inputs/conflict.json" '${world.path(name)}'` });
const asConflict = (name: string) => JSON.parse(readFileSync(world.path(name), 'utf8')) as { [key: string]: unknown };

it('a conflict goes back to its author, in the same session and from the new head, and is integrated when it is fixed [INT-4] [INT-9]', async () => {
  const firstCommit = `"$(grep -o '"commit": *"[0-9a-f]*"' "$HOME/inputs/conflict.json" | head -1 | cut -d'"' -f4)"`;
  const id = await begin([
    scripted('left', [...hold('left'), write('shared', 'left\n')]),
    scripted('right', [
      ...hold('right'),
      write('shared', 'right\n'),
      { turn: 'Done.' },
      takeOut('conflict.json'),
      // It has what was integrated, and its own work at hand.
      { run: 'test "$(cat shared)" = left' },
      { run: `test "$(git show ${firstCommit}:shared)" = right` },
      write('shared', 'left\nright\n'),
    ]),
  ]);
  await Promise.all([isHere('left'), isHere('right')]);
  world.touch('go-left');
  const left = await taskEnd(world, id, 'left');
  const { branch: before } = await runOf(world, id);
  world.touch('go-right');
  const run = await runEnd(world, id);
  expect(run.outcome, JSON.stringify(run.tasks.map(({ outcome }) => outcome))).toBe('succeeded');
  expect(showing(run, 'shared')).toBe('left\nright');

  const right = taskNamed(run, 'right');
  const record = await recordOf(world, id);
  const [first, second, ...more] = attemptsOf(record, right.id);
  expect(more).toEqual([]);
  expect(second).toMatchObject({ agentId: first?.agentId, continues: first?.attemptId, onHead: true });
  expect(right.attempt?.base).toBe(before?.head);
  expect(record.filter((event) => event.type === 'agent.session' && event.agentId === first?.agentId)).toHaveLength(1);
  const told = toldTo(second?.attemptId ?? '');
  expect(told).toContain('Your work on this task is good by itself, but has not been integrated.');
  expect(told).toContain('It conflicts with what was integrated, in: shared.');
  expect(told).toContain('> make left known');
  const saved = record.find((event) => event.type === 'workspace.saved' && event.attemptId === first?.attemptId);
  expect(asConflict('conflict.json')).toMatchObject({
    head: before?.head,
    paths: ['shared'],
    pathsTotal: 1,
    sides: [
      { task: 'right', prompt: 'make right known', commit: saved?.type === 'workspace.saved' ? saved.commit : '' },
      { task: 'left', prompt: 'make left known', commit: left.attempt?.commit },
    ],
  });
});

it('work that passes alone and fails together with another goes back with the check and the pair [INT-9] [INT-11]', async () => {
  const check = { name: 'one-each', argv: ['sh', '-c', 'test "$(cat list-* | wc -l)" -le 1'] };
  const id = await begin(
    [
      scripted('left', [...hold('left'), write('list-left', 'left\n')]),
      scripted('right', [
        ...hold('right'),
        write('list-right', 'right\n'),
        { turn: 'Done.' },
        takeOut('conflict.json'),
        { run: 'rm list-left' },
        write('list-right', 'left and right\n'),
      ]),
    ],
    { checks: [check] },
  );
  await Promise.all([isHere('left'), isHere('right')]);
  world.touch('go-left');
  await taskEnd(world, id, 'left');
  world.touch('go-right');
  const run = await runEnd(world, id);
  expect(run.outcome, JSON.stringify(run.tasks.map(({ outcome }) => outcome))).toBe('succeeded');
  expect(showing(run, 'list-right')).toBe('left and right');
  const told = (await recordOf(world, id)).filter((event) => event.type === 'integration.failed');
  expect(told).toMatchObject([{ with: taskNamed(run, 'left').attempt?.id, items: [{ check: 'one-each' }] }]);
  expect(asConflict('conflict.json')).toMatchObject({ paths: [], check: { name: 'one-each' }, sides: [{}, {}] });
});

it('work that conflicts again goes to a resolver, which is told both sides and to prefer none [INT-17]', async () => {
  const id = await begin([
    scripted('left', [...hold('left'), write('shared', 'left\n')]),
    scripted('middle', [...hold('middle'), write('shared', 'left\nmiddle\n')], { needs: ['left'] }),
    scripted('right', [
      // An agent that finds a conflict before it has done anything did not do the work.
      {
        run: `test ! -e "$HOME/inputs/conflict.json" || cp "$HOME/inputs/conflict.json" '${world.path('fresh.json')}'`,
      },
      ...hold('right'),
      { run: 'if test -e "$HOME/inputs/conflict.json"; then echo right >>shared; else echo right >shared; fi' },
      { turn: 'Done.' },
      ...hold('again'),
      write('shared', 'left\nright\n'),
    ]),
  ]);
  await Promise.all([isHere('left'), isHere('right')]);
  world.touch('go-left');
  await taskEnd(world, id, 'left');
  world.touch('go-right');
  await Promise.all([isHere('middle'), isHere('again')]);
  world.touch('go-middle');
  await taskEnd(world, id, 'middle');
  world.touch('go-again');
  const run = await runEnd(world, id);
  expect(run.outcome, JSON.stringify(run.tasks.map(({ outcome }) => outcome))).toBe('succeeded');
  expect(showing(run, 'shared')).toBe('left\nmiddle\nright');

  const [first, second, third] = attemptsOf(await recordOf(world, id), taskNamed(run, 'right').id);
  expect(second?.agentId).toBe(first?.agentId);
  expect(third?.agentId).not.toBe(first?.agentId);
  expect(third?.continues).toBeUndefined();
  const told = toldTo(third?.attemptId ?? '');
  expect(told).toContain('## The work is there, and does not fit');
  expect(told).toContain('Prefer neither side');
  expect(told).toContain('make right known');
  expect(told).toContain('> make middle known');
  expect(asConflict('fresh.json')).toMatchObject({ paths: ['shared'], sides: [{ task: 'right' }, { task: 'middle' }] });
});

it("the resolver of a plan works in the shipped role, not in the task's [INT-16]", async () => {
  const scripts = {
    left: [...hold('left'), write('shared', 'left\n')],
    middle: [...hold('middle'), write('shared', 'left\nmiddle\n')],
    right: [
      ...hold('right'),
      { run: 'if test -e "$HOME/inputs/conflict.json"; then echo right >>shared; else echo right >shared; fi' },
      { turn: 'Done.' },
      ...hold('again'),
      write('shared', 'left\nright\n'),
    ],
  };
  const settings = (name: keyof typeof scripts) => ({ settings: { script: JSON.stringify(scripts[name]) } });
  const plan = {
    name: 'rounds',
    defaults: { role: 'implementer', harness: 'scripted' },
    tasks: {
      left: { prompt: 'make left known', ...settings('left') },
      middle: { prompt: 'make middle known', needs: 'left', ...settings('middle') },
      right: { prompt: 'make right known', ...settings('right') },
    },
  };
  writeFileSync(world.path('rounds.plan.yaml'), JSON.stringify(plan));
  const cli = world.start(['run', world.path('rounds.plan.yaml')]);
  await Promise.all([isHere('left'), isHere('right')]);
  const { id } = (await world.only()).run;
  world.touch('go-left');
  await taskEnd(world, id, 'left');
  world.touch('go-right');
  await Promise.all([isHere('middle'), isHere('again')]);
  world.touch('go-middle');
  await taskEnd(world, id, 'middle');
  world.touch('go-again');
  expect((await cli.ended).code, cli.output()).toBe(0);
  const run = await runEnd(world, id);
  expect(showing(run, 'shared')).toBe('left\nmiddle\nright');
  const told = attemptsOf(await recordOf(world, id), taskNamed(run, 'right').id).map(({ attemptId }) =>
    toldTo(attemptId),
  );
  const [implementer, resolver] = ['implementer', 'resolver'].map((name) => {
    const text = readFileSync(join(root, `src/roles/${name}.md`), 'utf8');
    return JSON.stringify(/^You .*$|^Two .*$/m.exec(text)?.[0] ?? '').slice(1, -1);
  }) as [string, string];
  expect(told).toHaveLength(3);
  expect([told[0]?.includes(implementer), told[0]?.includes(resolver)]).toEqual([true, false]);
  // What the other side was asked follows, with the words of its role.
  const [own = '', facts = ''] = told[2]?.split('## The work is there, and does not fit') ?? [];
  expect([own.includes(implementer), own.includes(resolver)]).toEqual([false, true]);
  expect(facts).toContain('make middle known');
});

it('an unresolved conflict waits for a person, over a crash too: it is tried once more, or fails and is kept [INT-10]', async () => {
  const late = (name: string): Task =>
    scripted(name, [...hold(name), { append: { path: 'shared', text: `${name}\n` } }], { conflictsMax: 0 });
  const id = await begin([
    scripted('left', [...hold('left'), write('shared', 'left\n')]),
    late('tried'),
    late('left-out'),
  ]);
  await Promise.all(['left', 'tried', 'left-out'].map(isHere));
  world.touch('go-left');
  await taskEnd(world, id, 'left');
  world.touch('go-tried');
  world.touch('go-left-out');
  const asked = async (name: string) => taskNamed(await runOf(world, id), name).asks[0]?.state === 'open';
  for (const name of ['tried', 'left-out']) {
    await until(() => asked(name), { timeoutMs: 60_000, what: `somebody to be asked about ${name}` });
  }
  await world.killDaemon();
  const { code, stdout } = await world.sb(['inbox']);
  expect(code).toBe(3);
  expect(stdout).toContain(
    '"tried" has failed (conflict): its work does not fit what was integrated meanwhile ("left"), in shared',
  );
  expect((await world.sb(['approve', 'left-out', '--choose', 'continue'])).code).toBe(0);
  expect((await world.sb(['approve', 'tried', '--choose', 'retry'])).code).toBe(0);
  const run = await runEnd(world, id);
  expect(taskNamed(run, 'tried').outcome?.kind).toBe('succeeded');
  expect(showing(run, 'shared')).toBe('left\ntried');
  const out = taskNamed(run, 'left-out');
  expect(failureOf(out).reason).toBe('conflict');
  expect(world.git('--git-dir', out.attempt?.gitDir ?? '', 'show', `${out.attempt?.ref}:shared`)).toBe('left-out');
  expect(run.outcome).toBe('partial');
  expect((await world.sb(['inbox'])).stdout).toBe('Nothing waits for you.\n');
});
