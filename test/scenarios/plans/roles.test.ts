// `signalbox roles` as people call it: in a repository with agents of its own, outside of any, and with wrong words.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

function put(file: string, text: string): void {
  mkdirSync(join(world.repo, file, '..'), { recursive: true });
  writeFileSync(join(world.repo, file), text);
}

const reviewer = '---\nname: reviewer\ndescription: "Reviews \\e[31mred."\ntools: Read\n---\nReview it.\n';

it("lists shipped roles and the repository's own, with where each comes from [ROLE-6]", async () => {
  put('.claude/agents/reviewer.md', reviewer);
  put('.signalbox/roles/broken.md', 'no head');
  mkdirSync(join(world.repo, 'deep'));
  const listed = await world.sb(['roles'], { cwd: join(world.repo, 'deep') });
  expect(listed.code).toBe(0);
  expect(listed.stdout).toMatch(/^judge +shipped +Decides between/m);
  expect(listed.stdout).toMatch(/^reviewer +\.claude\/agents +Reviews <U\+001B>\[31mred\.$/m);
  expect(listed.stderr).toContain('.signalbox/roles/broken.md:1:1: warning: there is no front matter');
  const { roles, problems } = JSON.parse((await world.sb(['roles', '--json'])).stdout);
  expect(roles).toHaveLength(9);
  expect(roles.at(-2)).toMatchObject({ name: 'synthesizer', source: 'shipped' });
  expect(roles.find(({ name }: { name: string }) => name === 'reviewer')).toMatchObject({
    tools: ['Read'],
    model: null,
  });
  expect(problems).toHaveLength(1);
  // Looking at files needs no daemon.
  expect((await world.sb(['status'])).stdout).toContain('No daemon is running');
});

it('shows one whole, and names similar ones [ROLE-6]', async () => {
  put('.claude/agents/reviewer.md', reviewer);
  put('.signalbox/roles/judge.md', '---\nname: judge\n---\nJudge.\n');
  const shown = await world.sb(['roles', 'reviewer']);
  expect(shown.stdout).toBe(
    "reviewer: Reviews <U+001B>[31mred.\ntools: Read\nmodel: the task's\nfrom: .claude/agents/reviewer.md\n\nReview it.\n",
  );
  expect(JSON.parse((await world.sb(['roles', 'reviewer', '--json'])).stdout).prompt).toBe('Review it.');
  const wrong = await world.sb(['roles', 'reveiwer']);
  expect([wrong.code, wrong.stdout]).toEqual([2, '']);
  expect(wrong.stderr).toContain('there is no role "reveiwer"; did you mean reviewer');
  const broken = await world.sb(['roles', 'judge']);
  expect(broken.code).toBe(2);
  expect(broken.stderr).toContain('.signalbox/roles/judge.md:1:1: error: a role needs a description');
});

it('needs no repository [ROLE-6]', async () => {
  const listed = await world.sb(['roles'], { cwd: world.dir });
  expect(listed.stdout).toMatch(/^verifier +shipped/m);
});
