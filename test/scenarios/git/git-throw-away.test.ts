// Work that was never to be kept: nothing of it is imported, and nothing is said to be unsaved.
import { existsSync } from 'node:fs';
import { chmod, readdir, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorkspaces } from '../../../src/git/workspace/workspaces.ts';
import {
  bareOf,
  commitFiles,
  type Ground,
  makeDirectory,
  never,
  orderFor,
  pictureOf,
  put,
  run,
} from './git-repositories.ts';

let ground: Ground;
let path: string;
let base: string;
beforeEach(async () => {
  ground = await makeDirectory({ 'a.txt': 'one\n', 'dir/b.txt': 'two\n', '.gitignore': '*.log\n' });
  ({ path, base } = await ground.workspaces.prepare(order(), never));
});
afterEach(() => ground.remove());

const order = (n = 1) => ({ ...orderFor(ground, n), keeps: false });
const save = () => ground.workspaces.save(order(), never);
const kept = { ref: '', commitsImported: false, uncommitted: 0, files: [], archive: null };

/** Everything an agent can leave behind. */
async function makeMess(): Promise<void> {
  await commitFiles(path, { 'c.txt': 'c\n', 'a.txt': 'committed\n' }, 'mine');
  run(path, 'branch', 'other');
  await put(path, { 'd.txt': 'd\n', 'x.log': 'ignored\n', 'nested/file': '' });
  await unlink(join(path, 'dir/b.txt'));
  run(join(path, 'nested'), 'init', '-q');
  await commitFiles(join(path, 'nested'), {}, 'nested');
}

it('nothing is imported, no ref and no archive is made, and discarded paths are counted [WS-18]', async () => {
  await makeMess();
  const bare = await bareOf(ground);
  const before = pictureOf(bare);
  const changed = { paths: ['a.txt', 'c.txt', 'd.txt', 'dir/b.txt', 'nested/'], total: 5 };
  const saved = { ...kept, commit: base, changed, notes: ['changes to 5 paths were thrown away, as was said'] };
  expect(await save()).toEqual(saved);
  expect(await save()).toEqual(saved);
  expect(pictureOf(bare)).toEqual(before);
  expect(await readdir(join(ground.root, 'archives'))).toEqual([]);
});

it('unchanged discarded work is not mentioned [WS-18]', async () => {
  expect(await save()).toEqual({ ...kept, commit: base, changed: { paths: [], total: 0 }, notes: [] });
});

it('its workspace may be removed, and a missing one is no loss [WS-18]', async () => {
  await makeMess();
  await save();
  const [item] = await ground.workspaces.inspectSpace(never);
  expect(item).toMatchObject({ removable: true, why: 'its work was not to be kept and nobody holds it' });
  const { removed } = await ground.workspaces.reclaim('all', never);
  expect(removed.map(({ name }) => name)).toEqual(['attempt_1-1']);
  expect(existsSync(path)).toBe(false);
  expect(await save()).toMatchObject({ ...kept, commit: base, notes: [] });
});

it('its workspace is reused, and nothing of it is left there [WS-18]', async () => {
  const pooled = await openWorkspaces({ root: ground.root, recycle: true });
  await makeMess();
  await pooled.save(order(), never);
  const next = await pooled.prepare(orderFor(ground, 2), never);
  expect(existsSync(path)).toBe(false);
  expect(run(next.path, 'status', '--porcelain', '--ignored')).toBe('');
  expect((await readdir(next.path)).sort()).toEqual(['.git', '.gitignore', 'a.txt', 'dir']);
  const saved = await pooled.save(orderFor(ground, 2), never);
  expect(saved).toMatchObject({ ref: 'refs/signalbox/run_1/task_1/2', commit: base });
});

it('no code of the agent is run, and uncountable files do not keep it [WS-18]', async () => {
  const sentinel = join(ground.home, 'ran');
  await put(path, { 'evil.sh': `#!/bin/sh\ntouch ${sentinel}\ncat\n`, '.gitattributes': '* filter=evil\n' });
  await chmod(join(path, 'evil.sh'), 0o755);
  run(path, 'config', 'core.fsmonitor', join(path, 'evil.sh'));
  run(path, 'config', 'filter.evil.clean', join(path, 'evil.sh'));
  await put(path, { 'a.txt': 'two\n' });
  expect(await save()).toMatchObject({ commit: base, changed: { paths: ['.gitattributes', 'a.txt', 'evil.sh'] } });
  await rm(join(path, '.git'), { recursive: true });
  expect(await save()).toMatchObject({ commit: base, changed: { total: 3 } });
  expect(existsSync(sentinel)).toBe(false);
});

it('its teardown runs and its ports are free [WS-18]', async () => {
  const seen = join(ground.home, 'down');
  await put(ground.user, { '.signalbox/teardown': `#!/bin/sh\necho "$SIGNALBOX_PORT" > ${seen}\n` });
  await chmod(join(ground.user, '.signalbox/teardown'), 0o755);
  await commitFiles(ground.user, {}, 'teardown');
  await ground.workspaces.prepare(order(2), never);
  const { SIGNALBOX_PORT } = await ground.workspaces.environment('attempt_1-2');
  expect(SIGNALBOX_PORT).toBeDefined();
  await ground.workspaces.save(order(2), never);
  expect(existsSync(seen)).toBe(true);
  expect(await ground.workspaces.environment('attempt_1-2')).toEqual({});
});
