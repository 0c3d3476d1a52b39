// What lists and tables look like on a terminal of 80 columns when names and values are long.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { mainFile, type World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';
import { hasPty, sitAt } from './terminal-world.ts';

const openWorld = shareDaemon({ SIGNALBOX_SLOTS: '4' });
let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const long = 'a-name-as-long-as-the-names-of-runs-may-be-for-whatever-reason';
const verbs = ['config', 'doctor', 'gc', 'inbox', 'ps', 'ps --all', 'queue', 'roles', 'status', 'usage'];

it.runIf(hasPty)('no line is wider than the terminal [TTY-9]', { timeout: 60_000 }, async () => {
  const ended = await world.sb(['run', 'one', '--name', long, '--script', world.script([{ say: 'Done.' }])]);
  expect(ended.code, ended.stderr).toBe(0);
  execFileSync('git', ['-C', world.repo, 'branch', 'trunk'], { env: world.env });
  const asking = world.script([{ write: { path: 'a.txt', text: 'a' }, ask: true }]);
  const named = ['--name', `${long}-2`, '--into', 'trunk'];
  const asked = await world.sb(['run', 'two', '-d', ...named, '--ask', 'Write', '--script', asking]);
  expect(asked.code, asked.stderr).toBe(0);
  await until(async () => (await world.sb(['inbox'])).code === 3, { what: 'its question' });
  mkdirSync(join(world.repo, '.signalbox'), { recursive: true });
  writeFileSync(
    join(world.repo, '.signalbox/config.yaml'),
    `checks: [${'"npm test -- --only some of them", '.repeat(4)}]\n`,
  );
  const each = verbs.map((verb) => `echo "== ${verb}"; ${process.execPath} ${mainFile} ${verb} 2>/dev/null`).join('; ');
  const tty = sitAt(world, ['sh', '-c', each], { columns: 80, rows: 24, env: { NO_COLOR: '1' } });
  await tty.ended;
  const lines = tty.bytes().split('\r\n');
  expect(lines.filter((line) => line.startsWith('== '))).toHaveLength(verbs.length);
  expect(lines.length).toBeGreaterThan(60);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(lines.join('\n')).toContain(`${long}-2`);
  await world.sb(['reject', (await world.sb(['inbox'])).stdout.match(/ask_\S+?(?=[\s)])/)?.[0] ?? '']);
});
