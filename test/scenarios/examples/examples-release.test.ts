// The example of a release, for real: agents that do the work, a person who answers the gate, and the commands that it names.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parse } from 'yaml';
import { root } from '../../source-files.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { runEnd } from '../spending/limits-world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

/** The example as it is, but for who works: a scripted agent for each of its agents. */
function staged(name: string, scripts: Readonly<Record<string, readonly object[]>>): string {
  const plan = parse(readFileSync(join(root, `examples/${name}/${name}.plan.yaml`), 'utf8')) as {
    defaults: Record<string, unknown>;
    tasks: Record<string, Record<string, unknown>>;
  };
  plan.defaults['harness'] = 'scripted';
  for (const [task, steps] of Object.entries(scripts)) {
    plan.tasks[task] = { ...plan.tasks[task], settings: { script: JSON.stringify(steps) } };
  }
  const file = world.path(`${name}.plan.yaml`);
  writeFileSync(file, JSON.stringify(plan));
  return file;
}

it('release waits for a person, and tags what the person chose with its own commands [EX-3]', async () => {
  writeFileSync(join(world.repo, 'package.json'), '{ "name": "sample", "version": "1.3.0" }\n');
  writeFileSync(join(world.repo, 'CHANGELOG.md'), '# Changelog\n');
  world.git('add', '.');
  world.git('commit', '--quiet', '-m', 'Add a package');
  const file = staged('release', {
    audit: [{ output: { breaking: ['lists are paged'] } }],
    notes: [{ append: { path: 'CHANGELOG.md', text: '\n## Unreleased\n\n- Pages\n' } }, { commit: 'Write the notes' }],
  });
  const waiting = await world.sb(['run', file, '--yes']);
  expect(waiting.code, waiting.stdout + waiting.stderr).toBe(3);
  const { run } = await world.only();
  const inbox = await world.sb(['inbox']);
  expect(inbox.stdout).toContain('lists are paged');
  const approved = await world.sb(['approve', 'approve', '--set', 'version=1.4.0', '--set', 'channel=latest']);
  expect(approved.code, approved.stderr).toBe(0);
  const ended = await runEnd(world, run.id);
  expect(ended.outcome, JSON.stringify(ended.missing)).toBe('succeeded');
  const gitDir = ended.tasks.find(({ attempt }) => attempt !== null)?.attempt?.gitDir ?? '';
  const onBranch = (path: string): string => world.git('--git-dir', gitDir, 'show', `${ended.branch?.head}:${path}`);
  expect(JSON.parse(onBranch('package.json'))).toMatchObject({ version: '1.4.0' });
  expect(onBranch('CHANGELOG.md')).toContain('## 1.4.0 (latest)\n\n- Pages');
});
