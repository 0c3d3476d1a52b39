// Setup and teardown from the command line, in the sandbox: a second task has its dependencies without a run, and a setup
// that fails is the failure of its task.

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hasSandbox } from '../../conformance/sandbox-world.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { recordOf } from '../spending/limits-world.ts';

describe.skipIf(!hasSandbox)('setup in the sandbox', () => {
  let world: World;
  beforeEach(() => {
    world = openWorld({ SIGNALBOX_SANDBOX_WRITE: '' });
  });
  afterEach(() => world.close());

  const commit = (files: Record<string, string>) => {
    mkdirSync(join(world.repo, '.signalbox'), { recursive: true });
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(world.repo, name), text);
      chmodSync(join(world.repo, name), name.startsWith('.signalbox/') ? 0o755 : 0o644);
    }
    world.git('-C', world.repo, 'add', '-A');
    world.git('-C', world.repo, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', 'setup');
  };
  const run = (name: string, argv: string, ...more: string[]) =>
    world.sb(['run', name, '--harness', 'command', '--argv', argv, ...more]);

  it('two tasks share one setup, which reaches nothing outside, and teardown follows [WS-13] [WS-14] [WS-15]', async () => {
    const out = world.path('out');
    commit({
      '.gitignore': 'node_modules\n',
      'package-lock.json': '{}',
      '.signalbox/setup': `#!/bin/sh\nmkdir node_modules\necho out >'${out}' 2>/dev/null\ncat /proc/sys/kernel/random/uuid >node_modules/id\n`,
      '.signalbox/teardown': `#!/bin/sh\necho out >'${out}' 2>/dev/null\necho taking down\ntest -e copied.txt && exit 9\n`,
    });
    const ids: string[] = [];
    for (const name of ['first', 'second']) {
      const ended = await run(name, 'cp node_modules/id copied.txt');
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      const task = (await world.list()).flatMap(({ tasks }) => tasks).find((each) => each.name === name);
      const { gitDir = '', ref } = task?.attempt ?? {};
      ids.push(world.git('--git-dir', gitDir, 'show', `${ref}:copied.txt`));
    }
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(ids[1]).toBe(ids[0]);
    expect(world.text('out')).toBe('');
    for (const { id } of await world.list()) {
      const saved = (await recordOf(world, id)).find(({ type }) => type === 'workspace.saved');
      expect(saved).toMatchObject({
        notes: expect.arrayContaining(['.signalbox/teardown failed: exit 9: taking down']),
      });
    }
    expect((await world.sb(['gc', '--dry-run'])).stdout).toMatch(/kept +setup +.*: it was used today/);
    expect((await world.sb(['gc', '--setups'])).stdout).toMatch(/Removed \d+ workspaces? and 1 setup,/);
  });

  it('a failing setup runs once per attempt, and its last lines are reported [WS-31]', async () => {
    commit({ '.signalbox/setup': '#!/bin/sh\necho "no registry"\nexit 3\n' });
    const ended = await run('broken', 'true');
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('.signalbox/setup failed: exit 3: no registry');
    const { run: made, task } = await world.only();
    expect(JSON.stringify(task)).toContain('setup-failed');
    const failures = (await recordOf(world, made.id)).filter(({ type }) => type === 'effect.failed');
    expect(failures).toMatchObject([{ effect: 'prepare', code: 'setup_failed' }]);
  });
});
