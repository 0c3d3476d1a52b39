// Gates of a plan file, from the words to what comes after: what was filled in reaches the next task, and a rejection is a
// failure that others may go on after.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { questionsOf } from '../world/inbox-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

const plan = `name: x
tasks:
  build: { run: 'echo "{ \\"size\\": 7 }" >"$SIGNALBOX_OUTPUT"', output: { type: object, properties: { size: { type: integer } } } }
  ok:
    needs: build
    gate:
      message: "Release \${{ tasks.build.output.size }} bytes?"
      show: [tasks.build.output, cost]
      form: { version: { label: Which one? }, channel: { type: choice, options: [latest, next], default: next } }
  publish: { needs: ok, run: [sh, -c, 'printf "%s %s" "$1" "$2" >"$3"', sh, "\${{ tasks.ok.output.version }}", "\${{ tasks.ok.output.channel }}", PUBLISHED] }
  mourn: { run: "true", when: "\${{ tasks.ok.result == 'failed' }}", needs: ok }
`;

/** Begins the run, and waits until its gate asks. */
async function asked(): Promise<void> {
  writeFileSync(join(world.repo, 'a.plan.yaml'), plan.replace('PUBLISHED', world.path('published')));
  const begun = await world.sb(['run', 'a.plan.yaml', '--detach']);
  expect(begun.code, begun.stderr).toBe(0);
  const question = await until(async () => (await questionsOf(world))[0], { timeoutMs: 30_000, what: 'the question' });
  expect(question).toMatchObject({ message: 'Release 7 bytes?' });
}

async function outcomes(): Promise<object> {
  const { run } = await world.ended();
  return Object.fromEntries(run.tasks.map(({ name, outcome }) => [name, outcome?.kind]));
}

it("a gate's form values reach its dependants [PLAN-22]", async () => {
  await asked();
  const approved = await world.sb(['approve', 'ok', '--set', 'version=1.4.0 "$(date)"']);
  expect(approved.code, approved.stderr).toBe(0);
  expect(await outcomes()).toEqual({ build: 'succeeded', ok: 'succeeded', publish: 'succeeded', mourn: 'omitted' });
  expect(world.text('published')).toBe('1.4.0 "$(date)" next');
});

it('a rejected gate has failed, and a condition can ask for that [PLAN-22]', async () => {
  await asked();
  expect((await world.sb(['reject', 'ok', '-m', 'not today'])).code).toBe(0);
  expect(await outcomes()).toEqual({ build: 'succeeded', ok: 'failed', publish: 'skipped', mourn: 'succeeded' });
  expect(world.text('published')).toBe('');
});
