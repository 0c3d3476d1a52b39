// A parent brings the integrated work of its children into its own workspace, by the command in their notifications.

import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { call, type Step, spawn } from '../children/children-world.ts';
import type { World } from '../daemon/daemon-world.ts';
import { detached, recordOf, runEnd } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const merges = /git merge --no-edit [0-9a-f]{40,64}/;

/** Runs what the test finds in the notification. */
const merge = (): Step => ({
  run: `until [ -e ${world.path('command')} ]; do sleep 0.05; done; sh ${world.path('command')}`,
});

for (const [what, before, writes] of [
  ['with nothing of its own', [], null],
  [
    'with uncommitted changes and paths of its own',
    [{ write: { path: 'mine/a.md', text: 'mine\n' } }],
    ['mine/**', 'left.md'],
  ],
  [
    'with commits on a branch of its own',
    [{ run: 'git checkout -q -b other; echo mine >mine.md; git add .; git commit -qm mine' }],
    null,
  ],
] as const) {
  it(`a parent ${what} has its children's files after the command of their notification [CHILD-98]`, async () => {
    const steps: Step[] = [
      ...before,
      spawn('left', [{ write: { path: 'left.md', text: 'left\n' } }], writes === null ? {} : { writes: ['left.md'] }),
      call('wait'),
      merge(),
      { run: `cat left.md >${world.path('seen')}` },
      { say: 'All is here.' },
    ];
    const options = writes === null ? [] : writes.flatMap((each) => ['--writes', each]);
    const open = ['--sandbox', 'none', '--allow', '*'];
    const { id } = await detached(world, [
      'lead',
      '--name',
      'lead',
      '--script',
      world.script(steps),
      ...options,
      ...open,
    ]);
    const command = await until(
      async () =>
        merges.exec(JSON.stringify((await recordOf(world, id)).filter(({ type }) => type === 'message.sent')))?.[0],
      { timeoutMs: 30_000, what: 'the notification' },
    );
    writeFileSync(world.path('command'), `${command}\n`);
    const run = await runEnd(world, id);
    expect(run.outcome, JSON.stringify(run.tasks.map(({ outcome }) => outcome))).toBe('succeeded');
    expect(world.text('seen')).toBe('left\n');
  });
}

it('the objects of integrated work are readable in the sandbox of the parent [CHILD-98]', async () => {
  // Its script cannot read the notification: it looks for a commit that has the file.
  const find = `git cat-file --batch-all-objects --batch-check | awk '$2=="commit" {print $1}' | while read c; do
    git merge-base --is-ancestor HEAD $c && git cat-file -e $c:left.md 2>/dev/null && echo $c; done | tail -1`;
  const steps: Step[] = [
    spawn('left', [{ write: { path: 'left.md', text: 'left\n' } }]),
    call('wait'),
    { run: `git merge --no-edit "$(${find})" && cp left.md copy.md` },
    { say: 'All is here.' },
  ];
  const ended = await world.sb(['run', 'lead', '--name', 'lead', '--script', world.script(steps)]);
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  const { task } = await world.only();
  const { gitDir = '', ref } = task.attempt ?? {};
  expect(world.git('--git-dir', gitDir, 'show', `${ref}:copy.md`)).toBe('left');
});
