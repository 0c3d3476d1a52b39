// One daemon per home: who wins a race, what a damaged, newer, read-only or full home does, and who may connect.

import { spawn } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { probeNamespace } from '../../../src/process/confine.ts';
import { requestBytesMax } from '../../../src/wire/request-schemas.ts';
import { until } from '../../until.ts';
import { type Ended, mainFile, openWorld, type World } from './daemon-world.ts';

const { works: hasBwrap } = await probeNamespace();
let world: World;

beforeEach(() => {
  world = openWorld({}, 'process');
});

afterEach(() => world.close());

const daemons = () => world.processes().filter(({ command }) => command.includes(`${mainFile} daemon`));

/** A home with one finished run in it and no daemon. */
const usedHome = async (): Promise<string> => {
  expect((await world.sb(['run', 'x', '--script', world.script([{ say: 'x' }])])).code).toBe(0);
  await world.sb(['down']);
  return join(world.home, 'journal.db');
};

describe('one daemon', () => {
  it('results from twenty commands at once on a fresh home [CLI-1]', async () => {
    const ended = await Promise.all(Array.from({ length: 20 }, () => world.sb(['ps'])));
    expect(ended.map(({ code, stderr }) => (code === 0 ? '' : stderr))).toEqual(ended.map(() => ''));
    await until(() => daemons().length === 1, { timeoutMs: 10_000, what: 'the losers to be gone' });
    expect(readFileSync(join(world.home, 'daemon.log'), 'utf8').match(/daemon ready/g)).toHaveLength(1);
  });

  it('refuses a second one on its home [CLI-1] [JRN-7]', async () => {
    await world.sb(['up']);
    const second = await world.sb(['daemon']);
    expect(second.code).toBe(5);
    expect(second.stderr).toContain('daemon_running');
    expect((await world.sb(['ps'])).code).toBe(0);
    expect(daemons()).toHaveLength(1);
  });

  it("is reachable by its owner only, also if the home's path is too long for a socket", async () => {
    await world.sb(['up']);
    expect(statSync(world.home).mode & 0o777).toBe(0o700);
    expect(statSync(join(world.home, 'daemon.sock')).mode & 0o777).toBe(0o600);
    const long = { SIGNALBOX_HOME: join(world.dir, 'long'.repeat(40)), TMPDIR: world.dir };
    const up = await world.sb(['up'], { env: long });
    expect(up, up.stderr).toMatchObject({ code: 0 });
    expect((await world.sb(['down'], { env: long })).stdout).toContain('is down');
  });

  it('starts again over the socket of one that was killed', async () => {
    await world.sb(['up']);
    await world.killDaemon();
    expect(statSync(join(world.home, 'daemon.sock')).isSocket()).toBe(true);
    expect((await world.sb(['ps'])).code).toBe(0);
  });

  it('answers invalid requests with a reason', async () => {
    await world.sb(['up']);
    const ask = (path: string, body?: string) => askDaemon(join(world.home, 'daemon.sock'), path, body);
    expect(await ask('/nothing')).toMatchObject({ status: 404, error: { code: 'not_found' } });
    expect(await ask('/runs', '{')).toMatchObject({ status: 400, error: { code: 'bad_request' } });
    const unknown = await ask('/runs', '{"colour":"red"}');
    expect(unknown.error.message).toContain('colour');
    const large = await ask('/runs', `"${'x'.repeat(requestBytesMax)}"`);
    expect(large).toMatchObject({ status: 400, error: { message: expect.stringContaining('too large') as string } });
    expect(await ask('/tasks/task_x/log?launch=../../x')).toMatchObject({ error: { code: 'not_found' } });
    expect(await ask('/runs/run_x/events')).toMatchObject({ error: { code: 'not_found' } });
  });
});

describe('a home that cannot be used', () => {
  it('with a damaged journal is reported, and left as it is [CLI-9] [JRN-4]', async () => {
    const path = await usedHome();
    writeFileSync(path, 'this is no database, but it is somebody’s file');
    const before = readFileSync(path);
    const { code, stderr } = await world.sb(['ps']);
    expect(code).toBe(5);
    expect(stderr).toContain('the daemon could not start');
    expect(stderr).toContain('journal.db');
    expect(readFileSync(path).equals(before)).toBe(true);
    expect((await world.sb(['verify'])).code).not.toBe(0);
    await until(() => daemons().length === 0, { timeoutMs: 10_000, what: 'the refusing daemon to end' });
  });

  it('of a Signalbox before 0.2.0 is refused with one sentence, and left as it is [CLI-9] [JRN-5]', async () => {
    const path = await usedHome();
    for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
    copyFileSync(new URL('../../fixtures/journals/format-1.db', import.meta.url), path);
    const before = readFileSync(path);
    const { code, stderr } = await world.sb(['run', 'anything', '--harness', 'scripted']);
    expect(code).toBe(5);
    expect(stderr.trim().split('\n')).toEqual([
      `signalbox: the daemon could not start: ${path} was written by a Signalbox before 0.2.0, which this version cannot read: ` +
        `move ${world.home} aside, or set SIGNALBOX_HOME to another directory, and try again`,
    ]);
    expect(readFileSync(path).equals(before)).toBe(true);
    await until(() => daemons().length === 0, { timeoutMs: 10_000, what: 'the refusing daemon to end' });
  });

  it('of a newer Signalbox is reported, and left as it is [CLI-9] [JRN-5]', async () => {
    const path = await usedHome();
    const db = new DatabaseSync(path);
    db.exec("UPDATE meta SET value = 99 WHERE key = 'format'; PRAGMA wal_checkpoint(TRUNCATE)");
    db.close();
    const before = readFileSync(path);
    const { code, stderr } = await world.sb(['ps']);
    expect(code).toBe(5);
    expect(stderr).toContain('update Signalbox');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it.runIf(hasBwrap)('that is read-only is reported [CLI-9] [JRN-9]', async () => {
    await usedHome();
    const { code, stderr } = await inBwrap(['--ro-bind', world.home, world.home], [process.execPath, mainFile, 'ps']);
    expect(code).toBe(5);
    expect(stderr).toMatch(/permission|read-only/i);
    expect((await world.sb(['ps', '--all'])).stdout).toContain('succeeded');
  });

  it('with an invalid setting is refused as usage', async () => {
    const { code, stderr } = await world.sb(['ps'], { env: { SIGNALBOX_SLOTS: 'many' } });
    expect(code).toBe(2);
    expect(stderr).toContain('SIGNALBOX_SLOTS');
  });

  it.runIf(hasBwrap)(
    'with a full disk loses nothing, shows nothing that is not stored, and goes on when there is room [CLI-9] [JRN-6] [ENG-10]',
    async () => {
      const driver = resolve(import.meta.dirname, 'daemon-full-driver.mjs');
      const script = world.script([{ waitFor: world.path('go') }, { write: { path: 'done', text: 'yes' } }]);
      const argv = [process.execPath, driver, mainFile, world.home, script, world.path('go')];
      const tmpfs = ['--size', String(24 << 20), '--tmpfs', world.home];
      await world.sb(['status']);
      const { code, stdout, stderr } = await inBwrap(['--dir', world.home, ...tmpfs], argv);
      expect(code, `${stdout}\n${stderr}`).toBe(0);
    },
  );
});

function inBwrap(options: readonly string[], argv: readonly string[]): Promise<Ended> {
  const child = spawn('bwrap', ['--dev-bind', '/', '/', ...options, '--', ...argv], {
    cwd: world.repo,
    // A floor would freeze the agents of so small a disk, which is another scenario.
    env: { ...world.env, SIGNALBOX_CONFINE: 'none', SIGNALBOX_FREE_MIN: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done({ code, stdout, stderr }));
  });
}

interface Answer {
  readonly status: number | undefined;
  readonly error: { readonly code: string; readonly message: string };
}

function askDaemon(socketPath: string, path: string, body?: string): Promise<Answer> {
  return new Promise((done, fail) => {
    const asked = request({ socketPath, path, method: body === undefined ? 'GET' : 'POST' }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => done({ status: response.statusCode, ...(JSON.parse(text) as Omit<Answer, 'status'>) }));
    });
    asked.once('error', fail);
    asked.end(body);
  });
}
