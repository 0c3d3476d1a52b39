// Runs inside a mount namespace in which the home is a small disk: fills it, looks, makes room, looks again. Exits 0
// when all that was acknowledged before is there after, and says what is wrong otherwise.
// node daemon-full-driver.mjs <main.cjs> <home> <script> <file that lets the agent go>
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const [main, home, script, go] = process.argv.slice(2);
const filler = join(home, 'filler');

const sb = (...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
  return { code: status, stdout, stderr };
};
const runs = () => JSON.parse(sb('ps', '--all', '--json').stdout).runs;

const until = async (what, fn) => {
  for (let n = 0; n < 600; n++) {
    if (fn()) return;
    await delay(50);
  }
  assert.fail(`not in time: ${what}`);
};

const fill = () => {
  const file = openSync(filler, 'a');
  try {
    for (const size of [1 << 20, 4096, 1]) {
      try {
        for (;;) writeSync(file, Buffer.alloc(size));
      } catch (error) {
        assert.equal(error.code, 'ENOSPC');
      }
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const started = sb('run', 'before', '--detach', '--script', script);
assert.equal(started.code, 0, started.stderr);
await until('the agent is at work', () => runs()[0].tasks[0].attempt?.launchState === 'live');
await until('its prompt is taken up', () => sb('events', runs()[0].id).stdout.includes('record.delivered'));
/** An answer of the daemon itself: what the CLI shows, without the time that it takes. */
const ask = async (path, order = null) => {
  const headers = order === null ? {} : { 'content-type': 'application/json' };
  const asked = request({
    socketPath: join(home, 'daemon.sock'),
    path,
    method: order === null ? 'GET' : 'POST',
    headers,
  });
  const [response] = await once(asked.end(order === null ? '' : JSON.stringify(order)), 'response');
  const chunks = await response.toArray();
  return { status: response.statusCode, text: Buffer.concat(chunks).toString() };
};

/** Everything that can be looked at, but for what only shows that time passes and that the journal takes nothing. */
const views = async ({ id, tasks }) => {
  const paths = [
    '/status',
    '/runs',
    '/asks',
    '/usage?by=day',
    '/day-budget',
    `/usage?run=${id}`,
    `/tasks/${tasks[0].id}/log`,
    `/runs/${id}`,
    ...['budgets', 'limits', 'messages', 'teams', 'artifacts', 'events'].map((what) => `/runs/${id}/${what}`),
  ];
  const answers = await Promise.all(paths.map(async (path) => [path, await ask(path)]));
  return Object.fromEntries(
    answers.map(([path, { status, text }]) => [
      path,
      {
        status,
        text: text.replace(/"trouble":(null|\{[^}]*\})/, '').replaceAll(/"(\w+(?:Ms|Bytes))":[\d.]+/g, '"$1":0'),
      },
    ]),
  );
};

const before = await views(runs()[0]);
assert.ok(
  Object.values(before).every(({ status }) => status === 200),
  JSON.stringify(before),
);
fill();

// It is decided and not stored: right after the answer, and later, nothing of it is to be seen.
const [run] = runs();
const stop = await ask(`/tasks/${run.tasks[0].id}/stop`, { by: 'me' });
assert.match(stop.text, /disk_full/);
for (let n = 0; n < 3; n++) assert.deepEqual(await views(run), before);

const refused = sb('run', 'meanwhile', '--detach', '--script', script);
assert.equal(refused.code, 5, `${refused.stdout}${refused.stderr}`);
assert.match(refused.stderr, /full|space/);

// Also over the death of the daemon, which may not be able to start again until there is room.
process.kill(JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8')).pid, 'SIGKILL');
const without = sb('ps');
assert.ok(without.code === 0 || without.code === 5, without.stderr);
if (without.code === 5) assert.match(without.stderr, /full|space/);

rmSync(filler);
await until('the daemon stores again', () => sb('run', 'after', '--detach', '--script', script).code === 0);
writeFileSync(go, '');
await until('all have ended', () => runs().every((run) => run.state === 'ended'));
const ended = runs().map((run) => `${run.name} ${run.outcome}`);
assert.ok(ended.includes('before succeeded') && ended.includes('after succeeded'), ended.join(', '));
assert.ok(!ended.some((line) => line.startsWith('meanwhile')), 'what was refused did not happen');
assert.equal(runs()[0].tasks[0].attempt.launches.length, 1);
assert.equal(sb('verify').code, 0);
assert.equal(sb('down').code, 0);
