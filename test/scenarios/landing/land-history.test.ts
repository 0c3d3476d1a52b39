// A landing makes the history that people push: one commit for each task in the user's name, however the branch moved
// meanwhile; the last tree is always the one that was tested.
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitStyles } from '../../../src/model/land/landing.ts';
import { sized } from '../../size.ts';
import { commitFiles, run } from '../git/git-repositories.ts';
import { type HistoryWorld, openHistoryWorld } from './history-world.ts';

let world: HistoryWorld;
beforeEach(async () => {
  world = await openHistoryWorld({ 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n' });
});
afterEach(() => world.remove());

const leaveMain = (): void => void run(world.user, 'checkout', '-q', '-b', 'other');
const show = (format: string, revision = 'main'): string =>
  run(world.user, 'show', '-s', `--format=${format}`, revision);

async function threeTasks(): Promise<void> {
  await world.integrate({ task: 'parser', commits: [{ 'p.txt': '1\n' }, { 'p.txt': '2\n' }] });
  await world.integrate({
    task: 'printer',
    commits: [{ 'q.txt': 'q\n' }],
    said: 'Done.\n\nFixed the printer, so that it prints.',
  });
  await world.integrate({ task: 'tests', commits: [{ 't.txt': 't\n' }] });
}

describe('one commit per task', () => {
  it("is linear, in the order of integration, in the user's name, with short trailers [HIST-1] [HIST-2]", async () => {
    leaveMain();
    await threeTasks();
    const outcome = await world.landAs('one-per-task');
    expect(outcome).toMatchObject({ kind: 'landed', count: 3, from: world.start });
    expect(world.subjects()).toEqual(['tests t.txt', 'printer q.txt', 'Add parser']);
    expect(run(world.user, 'rev-list', '--merges', '--count', 'main')).toBe('0');
    expect(run(world.user, 'log', '-3', '--format=%an <%ae> %cn <%ce>', 'main').split('\n')).toEqual(
      Array.from({ length: 3 }, () => 'Ann Author <ann@example.org> Ann Author <ann@example.org>'),
    );
    expect(show('%B', 'main~2').trim()).toBe(
      'Add parser\n\n- parser p.txt\n- parser p.txt\n\nSignalbox-Attempt: attempt_parser-2\nCo-authored-by: claude <claude@signalbox.invalid>',
    );
    expect(world.tree('main')).toBe(run(world.bare, 'rev-parse', `${world.head()}^{tree}`));
    expect(world.tested.map(({ commit }) => commit)).toEqual([run(world.user, 'rev-parse', 'main')]);
    expect(run(world.user, 'log', '--show-signature', 'main')).not.toMatch(/error|gpg|allowedSigners/);
    expect(run(world.user, 'fsck', '--strict')).not.toMatch(/error|missing/);
  });

  it('stands on a branch that went on, each step merged with it [HIST-1] [HIST-4]', async () => {
    const theirs = await commitFiles(world.user, { 'a.txt': 'ONE\ntwo\nthree\nfour\nfive\nsix\nseven\n' }, 'theirs');
    leaveMain();
    await world.integrate({ task: 'late', commits: [{ 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n' }] });
    await world.integrate({ task: 'new', commits: [{ 'n.txt': 'n\n' }] });
    expect(await world.landAs('one-per-task')).toMatchObject({ kind: 'landed', from: theirs, count: 2 });
    expect(world.subjects()).toEqual(['new n.txt', 'late a.txt', 'theirs']);
    expect(run(world.user, 'show', 'main:a.txt')).toBe('ONE\ntwo\nthree\nfour\nfive\nsix\nSEVEN');
    expect(run(world.user, 'diff', '--name-only', 'main~2', 'main~1')).toBe('a.txt');
  });

  it('joins work of one task in a row, and a step that conflicts alone with the next one [HIST-1]', async () => {
    await commitFiles(world.user, { 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n7\n' }, 'theirs');
    leaveMain();
    await world.integrate({ task: 'x', commits: [{ 'x.txt': 'x\n' }] });
    await world.integrate({ task: 'x', commits: [{ 'x2.txt': 'x\n' }], said: 'Added the rest of x.' });
    // Changes the line that the user changed, and then the next one changes it back.
    await world.integrate({ task: 'there', commits: [{ 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n' }] });
    await world.integrate({
      task: 'back',
      commits: [{ 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n', 'b.txt': 'b\n' }],
    });
    expect(await world.landAs('one-per-task')).toMatchObject({ kind: 'landed', count: 2 });
    expect(world.subjects().slice(0, 2)).toEqual(['Add back', 'Add the rest of x']);
    expect(show('%(trailers:key=Signalbox-Attempt,valueonly)').trim().split('\n')).toHaveLength(2);
  });

  it('lands only what is new when the run went on after a landing, also over changed lines [HIST-5]', async () => {
    leaveMain();
    await world.integrate({ task: 'first', commits: [{ 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n7\n' }] });
    await world.landAs('one-per-task');
    run(world.user, 'checkout', '-q', 'main');
    const on = await commitFiles(world.user, { 'mine.txt': 'm\n' }, 'mine');
    run(world.user, 'checkout', '-q', 'other');
    expect(await world.landAs('one-per-task', { n: 2 })).toMatchObject({
      kind: 'landed',
      from: on,
      commit: on,
      count: 0,
    });
    await world.integrate({ task: 'second', commits: [{ 'a.txt': 'one\ntwo\nthree\nfour\nfive\nsix\n7 and 8\n' }] });
    expect(await world.landAs('one-per-task', { n: 3 })).toMatchObject({ kind: 'landed', from: on, count: 1 });
    expect(world.subjects()).toEqual(['second a.txt', 'mine', 'first a.txt']);
  });

  it('leaves commits of the user that the branch has not as they are, and merges [HIST-6]', async () => {
    run(world.user, 'checkout', '-q', '-b', 'feature');
    const feature = await commitFiles(world.user, { 'f.txt': 'f\n' }, 'feature');
    run(world.bare, 'fetch', '-q', world.user, feature);
    world.begin(feature);
    await world.integrate({ task: 'late', commits: [{ 'l.txt': 'l\n' }] });
    // The branch is behind: nothing is to be merged.
    expect(await world.landAs('one-per-task', { base: feature })).toMatchObject({ kind: 'landed', count: 1 });
    expect([world.subjects(), show('%P')]).toEqual([['late l.txt', 'feature'], feature]);
    run(world.user, 'update-ref', 'refs/heads/main', world.start);
    run(world.user, 'checkout', '-q', 'main');
    const theirs = await commitFiles(world.user, { 'm.txt': 'm\n' }, 'theirs');
    run(world.user, 'checkout', '-q', 'feature');
    expect(await world.landAs('one-per-task', { base: feature, n: 2 })).toMatchObject({ kind: 'landed', count: 2 });
    expect(world.subjects().sort()).toEqual(['Merge tidy-up', 'feature', 'late l.txt', 'theirs']);
    expect(show('%P').split(' ')[0]).toBe(theirs);
  });
});

it.each(['merge', 'keep'] as const)('commits: %s [HIST-7]', async (style) => {
  leaveMain();
  await threeTasks();
  const outcome = await world.landAs(style);
  expect(outcome).toMatchObject({ kind: 'landed' });
  const tree = run(world.bare, 'rev-parse', `${world.head()}^{tree}`);
  expect(world.tree('main')).toBe(tree);
  if (style === 'merge') {
    expect(show('%P').split(' ')[0]).toBe(world.start);
    expect(show('%B').trim()).toBe('Merge tidy-up\n\n- Add parser\n- printer q.txt\n- tests t.txt');
    expect(run(world.user, 'rev-list', '--merges', '--count', 'main')).toBe('1');
  } else {
    expect(world.subjects()).toEqual(['tests t.txt', 'printer q.txt', 'parser p.txt', 'parser p.txt']);
    expect(show('%an|%cn')).toBe('Ann|Ann Author');
  }
});

it('a note on each commit says where it comes from, and lands with it [HIST-8]', async () => {
  leaveMain();
  await threeTasks();
  await world.landAs('one-per-task');
  const note = run(world.user, 'notes', '--ref=signalbox', 'show', 'main~1');
  expect(note).toMatch(
    new RegExp(`^Signalbox-Commit: ${run(world.user, 'rev-parse', 'main~1')}\n\nSignalbox-Integration: `),
  );
  expect(note).toMatch(/^Signalbox-Task: task_printer printer$/m);
  expect(note).toMatch(/^Signalbox-Run: run_1$/m);
  expect(note).toMatch(/-----END SSH SIGNATURE-----$/);
  expect(run(world.user, 'rev-list', '--count', 'refs/notes/signalbox')).toBe('1');
  expect(run(world.user, 'log', '-1', '--format=%s%n%N', 'main')).toBe('tests t.txt');
});

it('a repository that does not say who the user is refuses, with what to do [HIST-2]', async () => {
  leaveMain();
  await threeTasks();
  run(world.user, 'config', '--unset', 'user.name');
  run(world.user, 'config', '--unset', 'user.email');
  run(world.user, 'config', 'user.useConfigOnly', 'true');
  expect(await world.landAs('one-per-task')).toMatchObject({
    kind: 'refused',
    why: expect.stringMatching(/git config --global user\.name/),
  });
});

it('whatever tasks and people changed, the last tree is the one that a merge of both has and that was tested [HIST-4]', async () => {
  const lines = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];
  const edit = fc.record({
    line: fc.nat(6),
    to: fc.constantFrom('A', 'B', ''),
    file: fc.constantFrom('a.txt', 'b.txt', 'd/c.txt'),
  });
  const applied = (edits: readonly { line: number; to: string; file: string }[]): Record<string, string> => {
    const texts: Record<string, string[]> = {};
    for (const { file, line, to } of edits) (texts[file] ??= [...lines])[line] = to;
    return Object.fromEntries(Object.entries(texts).map(([file, text]) => [file, `${text.join('\n')}\n`]));
  };
  const edits = fc.array(edit, { minLength: 1, maxLength: 3 });
  const property = fc.asyncProperty(
    fc.array(
      fc.record({
        commits: fc.array(edits, { minLength: 1, maxLength: 2 }),
        task: fc.constantFrom('x', 'y', 'z'),
        stale: fc.boolean(),
      }),
      { minLength: 1, maxLength: 4 },
    ),
    fc.array(edits, { maxLength: 2 }),
    fc.constantFrom(...commitStyles),
    async (works, theirs, style) => {
      const each = await openHistoryWorld({ 'a.txt': `${lines.join('\n')}\n` });
      try {
        for (const { commits, task, stale } of works) {
          const on = stale ? { on: each.start } : {};
          await each.integrate({ task, commits: commits.map(applied), ...on }).catch(() => false);
        }
        for (const files of theirs.map(applied)) await commitFiles(each.user, files, 'theirs').catch(() => '');
        run(each.user, 'checkout', '-q', '-b', 'other');
        const tip = run(each.user, 'rev-parse', 'main');
        run(each.bare, 'fetch', '-q', each.user, tip);
        const expected = mergeTree(each.bare, tip, each.head());
        const outcome = await each.landAs(style);
        expect(outcome.kind).toBe(expected === null ? 'conflict' : 'landed');
        if (expected === null) return;
        expect(each.tree('main')).toBe(expected);
        const last = run(each.user, 'rev-parse', 'main');
        if (last !== tip) expect(each.tested.at(-1)?.commit).toBe(last);
        expect(run(each.user, 'rev-list', '--min-parents=2', '--count', `${tip}..main`)).toBe(
          style === 'merge' && last !== tip ? '1' : '0',
        );
        expect(run(each.user, 'fsck', '--strict')).not.toMatch(/error|missing/);
        // Asked once more, there is nothing left.
        expect(await each.landAs(style, { n: 2 })).toMatchObject({ kind: 'landed', from: last, commit: last });
      } finally {
        each.remove();
      }
    },
  );
  await fc.assert(property, { numRuns: sized(8, 60) });
}, 120_000);

function mergeTree(bare: string, ours: string, theirs: string): string | null {
  try {
    return run(bare, 'merge-tree', '--write-tree', '--no-messages', ours, theirs).split('\n')[0] ?? null;
  } catch {
    return null;
  }
}
