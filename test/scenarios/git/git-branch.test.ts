// What the parts of a run build on: a workspace from what was integrated, and what the repository says to agents.
import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIntegrations } from '../../../src/git/integrate/integrate.ts';
import { openWorkspaces, type Workspaces } from '../../../src/git/workspace/workspaces.ts';
import { integratedAt } from '../landing/integrate-world.ts';
import {
  commitFiles,
  contentOf,
  filesOf,
  type Ground,
  makeDirectory,
  never,
  orderFor,
  put,
  run,
} from './git-repositories.ts';

let ground: Ground;
beforeEach(async () => {
  ground = await makeDirectory();
});
afterEach(() => ground.remove());

/** Two attempts from the start, merged: a commit that the user's repository has not. */
async function integrateTwo(workspaces: Workspaces, { user, root }: Pick<Ground, 'user' | 'root'>): Promise<string> {
  const integrations = createIntegrations({ root, test: async () => [] });
  const order = orderFor({ user });
  let head = order.repo.base;
  for (const n of [1, 2]) {
    const each = { ...order, attemptId: `attempt_1-${n}`, n };
    const { path, base } = await workspaces.prepare(each, never);
    await put(path, { [`of-${n}.txt`]: `${n}\n` });
    const { commit } = await workspaces.save(each, never);
    const { runId, attemptId, title, at } = each;
    const work = { attemptId, title, at, base, commit, trailers: [], checks: [], wanted: true };
    const [integrated] = await integrations.integrate(
      { runId, head, works: [work], checks: [], sandboxed: false },
      never,
    );
    head = integratedAt(integrated);
  }
  return head;
}

describe("a workspace starts from integrated work that the user's repository does not have", () => {
  const third = (user: string, base: string) => ({ ...orderFor({ user }, 3), repo: { path: user, base } });

  it.each([
    ['a new one', false],
    ['one that is used again', true],
  ])('%s [BRANCH-5]', async (_, recycle) => {
    const workspaces = await openWorkspaces({ root: ground.root, recycle });
    const head = await integrateTwo(workspaces, ground);
    expect(() => run(ground.user, 'cat-file', '-e', head)).toThrow();
    const { path, base } = await workspaces.prepare(third(ground.user, head), never);
    expect(base).toBe(head);
    expect(run(path, 'ls-files').split('\n')).toEqual(['a.txt', 'dir/b.txt', 'of-1.txt', 'of-2.txt']);
    expect(run(path, 'status', '--porcelain')).toBe('');
    expect(existsSync(join(ground.root, 'workspaces', 'attempt_1-1'))).toBe(!recycle);
    await commitFiles(path, { 'mine.txt': 'mine\n' }, 'mine');
    await put(path, { 'of-1.txt': 'changed\n' });
    const { commit } = await workspaces.save(third(ground.user, head), never);
    expect(await filesOf(ground, commit)).toEqual(['a.txt', 'dir/b.txt', 'mine.txt', 'of-1.txt', 'of-2.txt']);
    expect(await contentOf(ground, commit, 'of-1.txt')).toBe('changed');
    expect(run(path, 'merge-base', commit, head)).toBe(head);
  });

  it('in a clone of the last commit only, and in a partial clone [BRANCH-5]', async () => {
    await commitFiles(ground.user, { 'later.txt': 'later\n' }, 'later');
    run(ground.user, 'config', 'uploadpack.allowFilter', 'true');
    for (const [at, kind] of [
      ['shallow', '--depth=1'],
      ['partial', '--filter=blob:none'],
    ] as const) {
      const copy = join(ground.home, at);
      run(ground.home, 'clone', '-q', kind, `file://${ground.user}`, copy);
      const root = join(ground.home, `${at}-state`);
      const workspaces = await openWorkspaces({ root });
      const head = await integrateTwo(workspaces, { user: copy, root });
      const { path } = await workspaces.prepare(third(copy, head), never);
      expect(run(path, 'ls-files').split('\n')).toContain('of-2.txt');
    }
  });
});

describe('instructions for agents are read from the base', () => {
  const instructions = (n = 1) => ground.workspaces.instructions(orderFor(ground, n), never);

  it('if there are none, none are given [WS-19]', async () => {
    expect(await instructions()).toBeNull();
  });

  it('both files count with what they import, and empty files do not [WS-19]', async () => {
    const claude = '@docs/style.md\n\n\nContents of docs/style.md:\n\nstyle\n';
    await commitFiles(ground.user, { 'CLAUDE.md': '@docs/style.md\n', 'docs/style.md': 'style\n' }, 'claude');
    expect(await instructions(1)).toBe(claude);
    await commitFiles(ground.user, { 'AGENTS.md': ' \n' }, 'empty');
    expect(await instructions(2)).toBe(claude);
    await commitFiles(ground.user, { 'AGENTS.md': 'Be kind, Jörg.\n' }, 'agents');
    expect(await instructions(3)).toBe(`Be kind, Jörg.\n\n\nContents of CLAUDE.md:\n\n${claude}`);
    await commitFiles(ground.user, { 'CLAUDE.md': 'See @AGENTS.md and @../secret @/etc/hostname\n' }, 'imports');
    const both = 'Be kind, Jörg.\n\n\nContents of CLAUDE.md:\n\nSee @AGENTS.md and @../secret @/etc/hostname\n';
    expect(await instructions(4)).toBe(both);
    expect(
      await ground.workspaces.instructions({ ...orderFor(ground), repo: { path: ground.user, base: 'HEAD~3' } }, never),
    ).toBe(claude);
  });

  it('those of folders are named, so that the agent reads them when it works there [WS-19]', async () => {
    await commitFiles(ground.user, { 'web/CLAUDE.md': 'web\n', 'api/v2/AGENTS.md': 'api\n' }, 'nested');
    const list = 'Before you work in such a folder, read its file: api/v2/AGENTS.md, web/CLAUDE.md';
    expect(await instructions(1)).toBe(`Some folders have instructions of their own. ${list}`);
  });

  it("a prepared attempt has those of its base, whatever happened to its files and the user's", async () => {
    await commitFiles(ground.user, { 'AGENTS.md': 'first\n' }, 'first');
    const order = { ...orderFor(ground), repo: { path: ground.user, base: 'main' } };
    const { path } = await ground.workspaces.prepare(order, never);
    await put(path, { 'AGENTS.md': 'mine\n' });
    await commitFiles(ground.user, { 'AGENTS.md': 'second\n' }, 'second');
    expect(await ground.workspaces.instructions(order, never)).toBe('first\n');
  });

  it.each([
    ['a link to the other', 'CLAUDE.md', 'words\n'],
    ['a link from here', './docs/words.md', 'docs\n\n\nContents of CLAUDE.md:\n\nwords\n'],
    ['a link through a folder', './linked/../docs/words.md', 'docs\n\n\nContents of CLAUDE.md:\n\nwords\n'],
    ['a link out of the tree', '../secret', 'words\n'],
    ['a link to a file of the machine', '/etc/hostname', 'words\n'],
    ['a link to itself', 'AGENTS.md', 'words\n'],
    ['a link to a folder', 'docs', 'words\n'],
  ])('%s [WS-19]', async (_, target, text) => {
    await put(ground.home, { secret: 'secret\n' });
    await put(ground.user, { 'CLAUDE.md': 'words\n', 'docs/words.md': 'docs\n' });
    await symlink('docs', join(ground.user, 'linked'));
    await symlink(target, join(ground.user, 'AGENTS.md'));
    await commitFiles(ground.user, {}, 'links');
    expect(await instructions()).toBe(text);
  });

  it('long ones are cut, and say so [WS-19]', async () => {
    await commitFiles(ground.user, { 'AGENTS.md': '🚂'.repeat(20_000) }, 'long');
    const text = (await instructions(1)) ?? '';
    expect(text.length).toBeLessThanOrEqual(32_000);
    expect(text.length).toBeGreaterThan(31_800);
    expect(text).toMatch(
      /^(🚂)+\n\n\[AGENTS\.md goes on: 40000 characters in all, of which this is the beginning\]\n$/u,
    );
    await commitFiles(ground.user, { 'AGENTS.md': 'x'.repeat(17 * 2 ** 20) }, 'huge');
    expect(await instructions(2)).toBe(`AGENTS.md of the repository is left out here: it has ${17 * 2 ** 20} bytes.`);
  });
});
