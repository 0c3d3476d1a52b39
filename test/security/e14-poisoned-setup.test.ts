// E14: work on the branch of a run changes a script that the setup runs. What that makes must not reach a workspace of the user's own commit
// with the same lockfile.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { World } from '../scenarios/daemon/daemon-world.ts';
import { shareDaemon } from '../scenarios/world/shared-world.ts';

const openWorld = shareDaemon({ SIGNALBOX_SLOTS: '5' });
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

const put = (name: string, text: string) => {
  const file = join(world.repo, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
};
const commit = (message: string) => {
  const as = ['-c', 'user.name=u', '-c', 'user.email=u@example.org'];
  execFileSync('git', ['add', '-A'], { cwd: world.repo });
  execFileSync('git', [...as, 'commit', '--quiet', '-m', message], { cwd: world.repo });
};
const seen = 'echo "seen: $(cat node_modules/dep)"';

it("what a setup makes on the branch of a run reaches no workspace of the user's commits [WS-42]", async () => {
  put('.gitignore', 'node_modules/\n');
  put('package-lock.json', '{}\n');
  put('scripts/install.sh', 'mkdir -p node_modules && echo clean >node_modules/dep\n');
  put('.signalbox/setup', '#!/bin/sh\nsh scripts/install.sh\n');
  commit('setup');
  const poison = `echo '{"new":1}' >package-lock.json; echo 'mkdir -p node_modules && echo POISONED >node_modules/dep' >scripts/install.sh`;
  const tasks = { a: { run: poison }, b: { needs: ['a'], run: seen } };
  writeFileSync(join(world.repo, 'chain.plan.yaml'), JSON.stringify({ name: 'chain', tasks }));
  const chain = await world.sb(['run', 'chain.plan.yaml', '--sandbox', 'none', '--json']);
  expect(chain.code, chain.stderr + chain.stdout).toBe(0);
  expect((await world.sb(['logs', 'b'])).stdout).toContain('seen: POISONED');

  put('package-lock.json', '{"new":1}\n');
  commit('the same lockfile');
  writeFileSync(join(world.repo, 'victim.plan.yaml'), JSON.stringify({ name: 'victim', tasks: { v: { run: seen } } }));
  const victim = await world.sb(['run', 'victim.plan.yaml', '--sandbox', 'none', '--json']);
  expect(victim.code, victim.stderr + victim.stdout).toBe(0);
  expect((await world.sb(['logs', 'v'])).stdout).toContain('seen: clean');
});
