// Landing against the git that a person would merge with, and against a model of which edits meet.

import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { chmod, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { sized } from '../../size.ts';
import { run } from '../git/git-repositories.ts';
import { abortedAt, check, type IntegrateWorld, integratedAt, openIntegrateWorld } from './integrate-world.ts';

let world: IntegrateWorld;
afterEach(() => world.ground.remove());

const lines = 12;
const names = ['a', 'b', 'dir/c', 'dir/d', 'dir/sub/e', 'union'] as const;
const files = Object.fromEntries([
  ...names.map((name) => [name, Array.from({ length: lines }, (_, line) => `${name} ${line}\n`).join('')] as const),
  ['.gitattributes', 'union merge=union\n'] as const,
]);

type Edit =
  | { readonly kind: 'line'; readonly name: string; readonly line: number; readonly words: string }
  | { readonly kind: 'remove' | 'mode' | 'link' | 'folder'; readonly name: string }
  | { readonly kind: 'move'; readonly name: string; readonly to: string };

const name = fc.constantFrom(...names);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('line' as const),
      name,
      line: fc.nat(lines - 1),
      words: fc.constantFrom('x', 'y', 'z'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('remove', 'mode', 'link', 'folder'), name }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('move' as const), name, to: fc.constantFrom('m', 'dir/n', 'a') }),
  },
);

/** What cannot be done where an earlier edit was is not done. */
async function apply(edit: Edit): Promise<void> {
  const path = join(world.checkout, edit.name);
  if (!existsSync(path) || !lstatSync(path).isFile()) return;
  switch (edit.kind) {
    case 'line': {
      const text = readFileSync(path, 'utf8').split('\n');
      text[edit.line] = `${edit.name} ${edit.line} ${edit.words}`;
      return writeFile(path, text.join('\n'));
    }
    case 'mode':
      return chmod(path, 0o755);
    case 'remove':
      return rm(path);
    case 'link':
      await rm(path);
      return symlink('nowhere', path);
    case 'folder':
      await rm(path);
      await mkdir(path);
      return writeFile(join(path, 'inside'), `${edit.name}\n`);
    case 'move': {
      const to = join(world.checkout, edit.to);
      if (existsSync(to) || lstatSync(to, { throwIfNoEntry: false }) !== undefined) return;
      await mkdir(dirname(to), { recursive: true });
      return rename(path, to);
    }
  }
}

async function work(from: string, edits: readonly Edit[]): Promise<string> {
  run(world.checkout, 'checkout', '-q', '--force', '--detach', from);
  for (const each of edits) await apply(each);
  run(world.checkout, 'add', '-A');
  run(world.checkout, 'commit', '-q', '--allow-empty', '-m', 'work');
  return world.bring();
}

/** As a person does it, with the one setting in which we differ. */
function mergedByHand(head: string, commit: string): { tree: string } | { conflicts: string[] } {
  run(world.checkout, 'checkout', '-q', '--force', '--detach', head);
  try {
    run(world.checkout, '-c', 'merge.directoryRenames=false', 'merge', '-q', '--no-edit', commit);
    return { tree: run(world.checkout, 'rev-parse', 'HEAD^{tree}') };
  } catch {
    const unmerged = run(world.checkout, 'ls-files', '-u', '-z').split('\0').filter(Boolean);
    run(world.checkout, 'reset', '-q', '--hard');
    run(world.checkout, 'clean', '-q', '-ffd');
    const paths = unmerged.map((entry) =>
      entry.slice(entry.indexOf('\t') + 1).replace(/~(HEAD|[0-9a-f]{40})(_\d+)?$/, ''),
    );
    return { conflicts: [...new Set(paths)].sort() };
  }
}

it('integrated work is what a merge in a checkout gives, and a conflict is one there too [BRANCH-2]', async () => {
  world = await openIntegrateWorld(files);
  let count = 0;
  const kinds = { integrated: 0, conflict: 0 };
  const attempt = fc.record({ fresh: fc.boolean(), edits: fc.array(edit, { minLength: 1, maxLength: 4 }) });
  const stop = fc.nat(40);
  // Of a few cases by chance none may be in conflict.
  const inConflict = ['x', 'y'].map((words) => ({
    fresh: false,
    edits: [{ kind: 'line', name: 'a', line: 3, words } as const],
  }));
  await fc.assert(
    fc.asyncProperty(fc.array(attempt, { minLength: 2, maxLength: 3 }), stop, async (attempts, stopAt) => {
      count += 1;
      const runId = `run_${count}`;
      let head = world.start;
      for (const { fresh, edits } of attempts) {
        const base = fresh ? head : world.start;
        const commit = await work(base, edits);
        const byHand = mergedByHand(head, commit);
        const stopped = await world
          .integrate({ runId, head, base, commit }, abortedAt(stopAt).signal)
          .catch(() => null);
        const between = world.branch(runId);
        const outcome = await world.integrate({ runId, head, base, commit });
        if (outcome.kind !== 'integrated' && outcome.kind !== 'conflict') throw new Error(outcome.kind);
        kinds[outcome.kind] += 1;
        if (stopped !== null) expect(stopped).toEqual(outcome);
        if (outcome.kind === 'conflict') {
          expect({ conflicts: [...outcome.paths].sort() }).toEqual(byHand);
          expect([null, head]).toContain(between);
          expect([null, head]).toContain(world.branch(runId));
          continue;
        }
        expect({ tree: run(world.bare, 'rev-parse', `${outcome.commit}^{tree}`) }).toEqual(byHand);
        expect([null, head, outcome.commit]).toContain(between);
        expect(world.branch(runId)).toBe(outcome.commit);
        head = outcome.commit;
      }
    }),
    { numRuns: sized(10, 25), examples: [[inConflict, 40]] },
  );
  expect(Math.min(kinds.integrated, kinds.conflict)).toBeGreaterThan(0);
});

const slots = 6;
const apart = 8;

it('whatever the order, every edit that meets no other is there once, and a conflicting one changes nothing [BRANCH-3] [BRANCH-13]', async () => {
  const text = (words: ReadonlyMap<number, string>): string =>
    Array.from({ length: slots * apart }, (_, line) => `${words.get(line / apart) ?? `line ${line}`}\n`).join('');
  world = await openIntegrateWorld({ shared: text(new Map()) });
  let count = 0;
  const claims = fc.uniqueArray(fc.nat(slots - 1), { minLength: 1, maxLength: 2 });
  await fc.assert(
    fc.asyncProperty(fc.array(claims, { minLength: 2, maxLength: 5 }), async (attempts) => {
      count += 1;
      const runId = `run_${count}`;
      const integrated = new Map<number, string>();
      const own = new Set<string>();
      let head = world.start;
      for (const [at, claimed] of attempts.entries()) {
        const words = `by ${at}`;
        run(world.checkout, 'checkout', '-q', '--force', '--detach', world.start);
        await writeFile(join(world.checkout, 'shared'), text(new Map(claimed.map((slot) => [slot, words]))));
        await writeFile(join(world.checkout, `own-${at}`), words);
        run(world.checkout, 'add', '-A');
        run(world.checkout, 'commit', '-q', '-m', words);
        const outcome = await world.integrate({ runId, head, commit: world.bring() });
        const meets = claimed.some((slot) => integrated.has(slot));
        expect(outcome.kind).toBe(meets ? 'conflict' : 'integrated');
        if (outcome.kind !== 'integrated') continue;
        head = outcome.commit;
        own.add(`own-${at}`);
        for (const slot of claimed) integrated.set(slot, words);
      }
      expect(`${run(world.bare, 'show', `${head}:shared`)}\n`).toBe(text(integrated));
      const there = run(world.bare, 'ls-tree', '-r', '--name-only', head).split('\n');
      expect(there).toEqual([...own, 'shared'].sort());
    }),
    { numRuns: sized(6, 15) },
  );
});

it('with any batches and checks the branch is some serial order of merges, and has passed [INT-12]', async () => {
  world = await openIntegrateWorld(files);
  let count = 0;
  const kinds: Record<string, number> = {};
  const queue = fc.array(fc.record({ from: fc.nat(3), edits: fc.array(edit, { minLength: 1, maxLength: 2 }) }), {
    minLength: 2,
    maxLength: 5,
  });
  const property = fc.asyncProperty(
    fc.array(queue, { minLength: 1, maxLength: 2 }),
    fc.nat(),
    async (batches, seed) => {
      count += 1;
      const runId = `run_${count}`;
      const holds = (commit: string) => verdict(seed, run(world.bare, 'rev-parse', `${commit}^{tree}`));
      world.holds = (_, commit) => holds(commit);
      const heads = [world.start];
      for (const batch of batches) {
        const head = heads.at(-1) ?? '';
        const works = [];
        for (const { from, edits } of batch) {
          const base = heads[from % heads.length] ?? '';
          works.push({ base, commit: await work(base, edits) });
        }
        const results = await world.integrateAll({ runId, head, works, checks: [check('any')] });
        let at = head;
        for (const [n, result] of results.entries()) {
          kinds[result.kind] = (kinds[result.kind] ?? 0) + 1;
          const commit = works[n]?.commit ?? '';
          const byHand = mergedByHand(at, commit);
          if (result.kind === 'conflict') expect({ conflicts: [...result.paths].sort() }).toEqual(byHand);
          else if (result.kind === 'failed') expect('tree' in byHand && verdict(seed, byHand.tree)).toBe(false);
          else expect({ tree: run(world.bare, 'rev-parse', `${integratedAt(result)}^{tree}`) }).toEqual(byHand);
          if (result.kind === 'integrated') at = result.commit;
        }
        expect(results).toHaveLength(works.length);
        expect([world.branch(runId), at]).toEqual(at === world.start ? [null, at] : [at, at]);
        expect(at === world.start || holds(at)).toBe(true);
        heads.push(at);
      }
    },
  );
  // Few runs may draw no conflict or no failing check: then more are drawn, so that the test has seen each.
  const all = ['integrated', 'conflict', 'failed'];
  const isShort = () => all.some((kind) => kinds[kind] === undefined);
  for (let round = 1; round === 1 || (round <= 5 && isShort()); round++) {
    await fc.assert(property, { numRuns: sized(6, 12) });
  }
  for (const kind of all) expect(kinds[kind]).toBeGreaterThan(0);
});

/** Any answer, the same for the same tree. */
function verdict(seed: number, tree: string): boolean {
  return Number.parseInt(createHash('sha1').update(`${seed} ${tree}`).digest('hex').slice(0, 2), 16) < 180;
}
