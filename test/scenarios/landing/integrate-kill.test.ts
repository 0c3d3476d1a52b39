// The process that is integrated is killed with -9 at each step of it; what the next one finds and does is the same in the end.

import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { IntegrateOrder, IntegrateResult, IntegrateWork } from '../../../src/ports/integration-port.ts';
import { compiled } from '../../compiled.ts';
import { amount, isLong, withChance } from '../crash/storm-chance.ts';
import { bareOf, commitFiles, orderFor, run } from '../git/git-repositories.ts';
import { attemptOf, check, type IntegrateWorld, integratedAt, openIntegrateWorld } from './integrate-world.ts';

/** Without CHAOS one of so many steps; which ones is chance, so that in time all have their turn. */
const stride = amount('LAND_KILLS_STRIDE', 8, 1);
const victim = join(import.meta.dirname, 'integrate-victim.mjs');

let world: IntegrateWorld;
beforeEach(async () => {
  world = await openIntegrateWorld({ 'a.txt': 'one\n' });
});
afterEach(() => world.ground.remove());

it(`killed at ${stride === 1 ? 'each step' : `one step in ${stride}`}, an integration makes the same commits when it is tried again, and none twice [INT-15]`, {
  timeout: isLong ? 1_800_000 : 240_000,
}, async () => {
  const modules = compiled(['git/integrate/integrate.ts']);
  const order = await orderOfFour();
  const integrate = (root: string, asked: IntegrateOrder, dieAt: number) => {
    const task = JSON.stringify({ root, order: asked, dieAt, bad: 'bad' });
    const { stdout, stderr, signal } = spawnSync(process.execPath, [victim, modules, task], { encoding: 'utf8' });
    if (signal === 'SIGKILL') return null;
    expect(stderr).toBe('');
    return JSON.parse(stdout) as { steps: number; results: readonly IntegrateResult[] };
  };
  const undisturbed = integrate(copyOf(0), order, 0);
  if (undisturbed === null) throw new Error('killed without being told to be');
  const { steps, results } = undisturbed;
  expect(results.map(({ kind }) => kind)).toEqual(['integrated', 'failed', 'integrated', 'conflict']);
  const integrated = results.filter(({ kind }) => kind === 'integrated');
  const end = integratedAt(results[2]);
  expect(steps).toBeGreaterThan(50);

  const found = new Set<string>();
  await withChance(async (chance) => {
    for (let step = chance.between(1, stride); step <= steps; step += stride) {
      const root = copyOf(step);
      expect(integrate(root, order, step), `step ${step} of ${steps}`).toBeNull();
      const between = await branchIn(root);
      found.add(between ?? 'none');
      expect([null, end]).toContain(between);
      const again = integrate(root, order, 0)?.results;
      expect(again).toEqual(between === null ? results : integrated);
      expect(await branchIn(root)).toBe(end);
      // Works without a result get one the next time.
      const left = { ...order, head: end, works: order.works.filter((_, n) => n % 2 === 1) };
      expect(integrate(root, left, 0)?.results.map(({ kind }) => kind)).toEqual(['failed', 'conflict']);
      const bare = await bareOf({ root });
      expect(run(bare, 'rev-list', '--count', '--first-parent', `${order.head}..${end}`)).toBe('2');
      expect(run(bare, 'fsck', '--no-dangling')).toBe('');
    }
  });
  expect(found).toContain('none');
});

/** Of them the second fails, and the last conflicts with the first. */
async function orderOfFour(): Promise<IntegrateOrder> {
  const { runId, title, at } = orderFor(world.ground);
  const works: IntegrateWork[] = [];
  for (const files of [{ 'a.txt': 'first\n' }, { bad: '' }, { 'dir/b.txt': 'b\n' }, { 'a.txt': 'last\n' }]) {
    run(world.checkout, 'checkout', '-q', '--detach', world.start);
    await commitFiles(world.checkout, files as Record<string, string>, 'work');
    const work = { attemptId: attemptOf(works.length), commit: world.bring(), base: world.start, title, at };
    works.push({ ...work, trailers: [], checks: [], wanted: true });
  }
  return { runId, head: world.start, works, checks: [check('build')], sandboxed: false };
}

/** Everything as it was before anything integrated. */
function copyOf(step: number): string {
  const { root, home } = world.ground;
  const copy = join(home, `state-${step}`);
  execFileSync('cp', ['-a', root, copy]);
  return copy;
}

async function branchIn(root: string): Promise<string | null> {
  const bare = await bareOf({ root });
  return run(bare, 'for-each-ref', '--format=%(objectname)', world.integrations.ref('run_1')) || null;
}
