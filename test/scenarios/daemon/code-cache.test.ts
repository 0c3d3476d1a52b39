// Compiled code of an earlier run: that it is used, who may have written it, and that nothing depends on it.

import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { hasSandbox, openSandboxWorld } from '../../conformance/sandbox-world.ts';
import { openWorld, type World } from './daemon-world.ts';

let world: World;
let cache: string;
beforeEach(() => {
  world = openWorld({ SIGNALBOX_CACHE: '' }, 'process');
  cache = join(world.home, 'cache');
});
afterEach(() => world.close());

/** Of the code of `completion`: which file it is. A file that was refused has been replaced by another. */
async function complete(): Promise<number | null> {
  const { code, stdout } = await world.sb(['completion', 'bash']);
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('complete') });
  const path = entry();
  return path === null ? null : statSync(path).ino;
}

function entry(): string | null {
  const name = existsSync(cache) ? readdirSync(cache).find((each) => each.startsWith('completion-')) : undefined;
  return name === undefined ? null : join(cache, name);
}

it("a command's compiled code is used by the next one, and is readable by its owner only [START-1]", async () => {
  // There is no home yet, and none is made for it.
  expect(await complete()).toBeNull();
  expect(existsSync(world.home)).toBe(false);
  mkdirSync(world.home);
  const first = await complete();
  expect(first).not.toBeNull();
  expect(await complete()).toBe(first);
  expect(readdirSync(cache)).toHaveLength(1);
  expect(statSync(cache).mode & 0o777).toBe(0o700);
  expect(statSync(entry() ?? '').mode & 0o777).toBe(0o600);
  // A word that is none of ours, or a command that fails, leaves nothing.
  expect((await world.sb(['completon'])).code).toBe(2);
  expect(readdirSync(cache)).toHaveLength(1);
});

it('a daemon keeps its compiled code when it leaves [START-1]', async () => {
  await world.up();
  expect((await world.sb(['down'])).code).toBe(0);
  expect(readdirSync(cache).map((name) => name.split('-')[0])).toContain('daemon');
});

it('damaged, incomplete or foreign compiled code is not run, and is replaced [START-2]', async () => {
  mkdirSync(world.home);
  await complete();
  const path = entry() ?? '';
  const whole = readFileSync(path);
  const flipped = Buffer.from(whole);
  flipped[whole.length >> 1] = (flipped[whole.length >> 1] ?? 0) ^ 0xff;
  for (const bad of [flipped, whole.subarray(0, whole.length >> 1), Buffer.alloc(whole.length), Buffer.alloc(0)]) {
    writeFileSync(path, bad);
    const refused = statSync(path).ino;
    const made = await complete();
    expect(made).not.toBe(refused);
    expect(await complete()).toBe(made);
  }
});

it('compiled code that others could have written is not run [START-2]', async () => {
  mkdirSync(world.home);
  const first = await complete();
  chmodSync(entry() ?? '', 0o622);
  const second = await complete();
  expect(second).not.toBe(first);
  chmodSync(cache, 0o777);
  const third = await complete();
  expect(third).not.toBe(second);
  expect(statSync(cache).mode & 0o777).toBe(0o700);
  if (process.getuid?.() !== 0) return;
  chownSync(entry() ?? '', 12_345, 12_345);
  const fourth = await complete();
  expect(fourth).not.toBe(third);
  // A directory of another user is neither read nor written to.
  chownSync(cache, 12_345, 12_345);
  expect(await complete()).toBe(fourth);
  writeFileSync(entry() ?? '', 'nonsense');
  await complete();
  expect(readFileSync(entry() ?? '', 'utf8')).toBe('nonsense');
});

it('without a writable cache everything works [START-3]', async () => {
  const off = await world.sb(['completion', 'bash'], { env: { SIGNALBOX_CACHE: 'off' } });
  expect(off.code).toBe(0);
  mkdirSync(world.home);
  writeFileSync(cache, 'a file where the directory would be');
  expect((await world.sb(['completion', 'bash'])).code).toBe(0);
  expect((await world.sb(['completion', 'bash'], { env: { SIGNALBOX_CACHE: '/proc/nowhere' } })).code).toBe(0);
  const { code, stderr } = await world.sb(['status'], { env: { SIGNALBOX_CACHE: 'here' } });
  expect(code).toBe(2);
  expect(stderr).toMatch(/SIGNALBOX_CACHE is "here": it takes an absolute path, or off/);
});

it('of many builds and versions the newest compiled code is kept [START-3]', async () => {
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  chmodSync(world.home, 0o700);
  for (let n = 0; n < 100; n += 1) writeFileSync(join(cache, `old-${n}`), '');
  await complete();
  expect(readdirSync(cache)).toHaveLength(80);
  expect(entry()).not.toBeNull();
});

it.skipIf(!hasSandbox)('no agent in a sandbox sees or makes compiled code, wherever it is kept [START-4]', async () => {
  const shared = world.path('shared');
  mkdirSync(shared);
  for (const kept of [join(shared, 'cache'), join(shared, 'later')]) {
    if (kept.endsWith('cache')) mkdirSync(kept, { mode: 0o700 });
    const sandbox = await openSandboxWorld({ cache: kept, writable: [shared] });
    try {
      const { out } = await sandbox.sh(
        `mkdir -p '${kept}'; echo planted >'${kept}/x'; echo ok >'${shared}/beside'; cat '${shared}/beside'`,
      );
      expect(out).toBe('ok');
      expect(existsSync(join(kept, 'x'))).toBe(false);
      expect(readFileSync(join(shared, 'beside'), 'utf8')).toBe('ok\n');
    } finally {
      await sandbox.close();
    }
  }
});
