// `signalbox doctor` in real conditions: programs hidden, a home that can only be read, a journal of the future. What is
// hidden is covered by an empty file, in a mount namespace of its own.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, it, type TestContext } from 'vitest';
import { probeNamespace } from '../../../src/process/confine.ts';
import { type Ended, mainFile } from './daemon-world.ts';

interface Report {
  readonly works: boolean;
  readonly findings: readonly { name: string; state: string; says: string; fix: string | null }[];
}

const namespaces = await probeNamespace();
let dir: string;
let home: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-doctor-test-'));
  home = join(dir, 'home');
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** `around`: a command line to run it with. */
async function doctor(args: readonly string[] = [], env: object = {}, around: readonly string[] = []): Promise<Ended> {
  const [command = '', ...rest] = [...around, process.execPath, mainFile, 'doctor', ...args];
  const full = { PATH: '/usr/bin:/bin', HOME: dir, SIGNALBOX_HOME: home, ...env };
  const child = spawn(command, rest, { env: full, stdio: ['ignore', 'pipe', 'pipe'] });
  const [stdout, stderr]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => stdout.push(chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => stderr.push(chunk));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
}

async function findings(env: object = {}, around: readonly string[] = []) {
  const { code, stdout, stderr } = await doctor(['--json'], env, around);
  expect(stderr).toBe('');
  const { works, findings: all } = JSON.parse(stdout) as Report;
  expect(code).toBe(works ? 0 : 5);
  return { works, of: (name: string) => all.find((finding) => finding.name === name) };
}

const bwrap = ['bwrap', '--dev-bind', '/', '/', '--'];
const behind = (...options: string[]): string[] => [...bwrap.slice(0, -1), ...options, '--'];
const hidden = (program: string): string[] =>
  ['/usr/local/bin', '/usr/bin', '/bin']
    .map((folder) => join(folder, program))
    .filter((path) => existsSync(path))
    .flatMap((path) => ['--ro-bind', '/dev/null', path]);

function needsNamespaces(context: TestContext): void {
  if (!namespaces.works) context.skip(namespaces.why);
}

it('says in plain words what works, starts nothing and leaves nothing [CLI-10]', async () => {
  const { code, stdout, stderr } = await doctor();
  expect([code, stderr]).toEqual([0, '']);
  for (const line of [
    /^ok +node +Node \d/m,
    /^ok +git +git \d/m,
    /^ok +home +.* will be created by the first daemon\.$/m,
  ]) {
    expect(stdout).toMatch(line);
  }
  expect(stdout).toMatch(/^ok +daemon +No daemon is running/m);
  expect(stdout).toMatch(/^ok +journal +No journal yet\.$/m);
  expect(stdout).toMatch(/\nRuns work here.*\n$/);
  expect(readdirSync(dir)).toEqual([]);
});

it('what is missing comes with what to do', async () => {
  const { stdout } = await doctor(['--json'], { PATH: '/nowhere' });
  for (const { state, fix } of (JSON.parse(stdout) as Report).findings) {
    expect([state, fix === null]).toEqual([state, state === 'ok']);
  }
});

it('without git no run can work [CLI-10]', async (context) => {
  needsNamespaces(context);
  const { works, of } = await findings({}, behind(...hidden('git')));
  expect(works).toBe(false);
  expect(of('git')).toMatchObject({ state: 'missing', fix: expect.any(String) });
});

it('without bubblewrap runs work, and what could escape a stop is reported', async (context) => {
  needsNamespaces(context);
  const { works, of } = await findings({}, behind(...hidden('bwrap')));
  expect(works).toBe(true);
  expect(of('namespace')).toMatchObject({ state: 'degraded', says: expect.stringContaining('can outlive a stop') });
});

it('a disabled namespace is reported', async () => {
  const { works, of } = await findings({ SIGNALBOX_CONFINE: 'none' });
  expect(works).toBe(true);
  expect(of('namespace')).toMatchObject({ state: 'degraded', fix: 'Unset SIGNALBOX_CONFINE.' });
});

it('a read-only home is reported', async (context) => {
  needsNamespaces(context);
  mkdirSync(home);
  const { works, of } = await findings({}, behind('--ro-bind', home, home));
  expect(works).toBe(false);
  expect(of('home')).toMatchObject({ state: 'missing', says: expect.stringContaining('is read-only') });
});

it('a home that is no directory is reported', async () => {
  writeFileSync(home, '');
  const { works, of } = await findings();
  expect(works).toBe(false);
  expect(of('home')?.says).toContain('it is not a directory');
});

it('too little disk space is reported', async () => {
  const { works, of } = await findings({ SIGNALBOX_FREE_MIN: String(2 ** 40) });
  expect(works).toBe(false);
  expect(of('disk')).toMatchObject({ state: 'missing', says: expect.stringContaining('agents are frozen') });
});

it('a running daemon and its journal are shown, and not touched', async () => {
  const cli = (verb: string): string => {
    const env = { PATH: '/usr/bin:/bin', HOME: dir, SIGNALBOX_HOME: home };
    return execFileSync(process.execPath, [mainFile, verb], { env, encoding: 'utf8' });
  };
  cli('up');
  try {
    const { works, of } = await findings();
    expect(works).toBe(true);
    expect(of('daemon')?.says).toMatch(/^The daemon is running: version .*, pid \d+\.$/);
    expect(of('journal')?.says).toBe('The journal is readable, format 7.');
    expect(of('home')).toMatchObject({ state: 'ok', says: expect.stringContaining('is writable') });
  } finally {
    cli('down');
  }
  expect((await findings()).of('journal')?.says).toBe('The journal is readable, format 7.');
});

it('a newer journal, one from before 0.2.0, and a file that is none are reported [JRN-5]', async () => {
  mkdirSync(home);
  const path = join(home, 'journal.db');
  writeFileSync(path, 'not a database, and long enough to be taken for one'.repeat(40));
  expect(await findings().then(({ works, of }) => [works, of('journal')?.state])).toEqual([false, 'missing']);
  rmSync(path);
  const db = new DatabaseSync(path);
  db.exec("CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER); INSERT INTO meta VALUES ('format', 99)");
  db.close();
  const { works, of } = await findings();
  expect(works).toBe(false);
  expect(of('journal')?.says).toContain('update Signalbox');
  copyFileSync(new URL('../../fixtures/journals/format-1.db', import.meta.url), path);
  const before = readFileSync(path);
  const old = await findings();
  expect(old.works).toBe(false);
  expect(old.of('journal')).toMatchObject({
    state: 'missing',
    says: 'The journal was written by a Signalbox before 0.2.0, which this version cannot read.',
    fix: `Move ${home} aside, or set SIGNALBOX_HOME to another directory.`,
  });
  expect(readFileSync(path).equals(before)).toBe(true);
});

function standIn(says: string): string {
  const binary = join(dir, `claude-${says.split(' ')[0]}`);
  writeFileSync(binary, `#!/bin/sh\necho "${says}"\n`);
  chmodSync(binary, 0o755);
  return binary;
}

it("Claude Code's version is read without a credential, and no secret is printed", async () => {
  const binary = standIn('9.9.9 (Stand-in) key:$ANTHROPIC_API_KEY home:$HOME');
  const env = { SIGNALBOX_CLAUDE: binary, ANTHROPIC_API_KEY: 'sk-secret' };
  const { stdout } = await doctor(['--json'], env);
  expect(stdout).not.toContain('sk-secret');
  const { of } = await findings(env);
  expect(of('claude')).toMatchObject({
    state: 'ok',
    says: expect.stringMatching(
      /^Claude Code 9\.9\.9 \(Stand-in\) key: home:.* was tested with 2\.1\.197 and 2\.1\.325/,
    ),
  });
  expect(of('claude')?.says).not.toContain(`home:${dir}`);
  const says = 'Claude Code has an API key, from ANTHROPIC_API_KEY in the environment of this terminal.';
  expect(of('credential')).toMatchObject({ state: 'ok', says });
  const without = await findings({ SIGNALBOX_CLAUDE: binary });
  expect(without.of('credential')).toMatchObject({
    state: 'missing',
    fix: expect.stringContaining('signalbox login'),
  });
  expect(without.works).toBe(true);
});

it('a version is reported as tested or too old', async () => {
  const tested = await findings({ SIGNALBOX_CLAUDE: standIn('2.1.197 (Claude Code)') });
  expect(tested.of('claude')?.says).toBe('Claude Code 2.1.197 (Claude Code), a tested version.');
  const old = await findings({ SIGNALBOX_CLAUDE: standIn('2.0.1 (Claude Code)') });
  expect(old.of('claude')).toMatchObject({ state: 'missing', says: expect.stringContaining('is too old: 2.1.197') });
  expect(old.works).toBe(true);
});

it('other installed agents are named, and none is run', async () => {
  mkdirSync(join(dir, 'bin'));
  for (const name of ['gemini', 'qwen'])
    writeFileSync(join(dir, 'bin', name), `#!/bin/sh\ntouch ${dir}/ran\n`, { mode: 0o755 });
  const { of } = await findings({ PATH: `${join(dir, 'bin')}:/usr/bin:/bin` });
  expect(of('other agents')?.says).toContain('gemini, qwen: installed, but no harness yet');
  expect(existsSync(join(dir, 'ran'))).toBe(false);
});

it('a missing or broken Claude Code is reported', async () => {
  expect((await findings({ SIGNALBOX_CLAUDE: 'no-such-claude' })).of('claude')).toMatchObject({ state: 'missing' });
  const binary = join(dir, 'broken');
  writeFileSync(binary, '#!/bin/sh\necho "no good" >&2\nexit 7\n');
  chmodSync(binary, 0o755);
  const { works, of } = await findings({ SIGNALBOX_CLAUDE: binary });
  expect([works, of('claude')?.says]).toEqual([true, 'Claude Code does not work: no good.']);
});

function gonePid(): number {
  return spawnSync('true').pid;
}

it('leftovers of dead daemons and open permissions are reported, and fixed on request [FIX-1]', async () => {
  const [launches, credentials, pid] = [join(home, 'launches'), join(home, 'credentials'), gonePid()];
  const left = [
    join(launches, `.spare-${pid}-Ab3x9z`),
    join(home, `daemon.json.${pid}-3.tmp`),
    join(home, 'daemon.json'),
  ];
  mkdirSync(left[0] as string, { recursive: true });
  mkdirSync(credentials);
  writeFileSync(join(credentials, 'claude'), 'ANTHROPIC_API_KEY=sk-secret\n', { mode: 0o644 });
  writeFileSync(left[1] as string, '{');
  writeFileSync(left[2] as string, JSON.stringify({ pid }));
  const deaf = `require('node:net').createServer().listen('${join(home, 'daemon.sock')}', () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', deaf]);
  const kept = [join(launches, `.spare-${process.pid}-1`), join(launches, 'launch_x'), join(home, 'journal.db')];
  for (const path of kept) mkdirSync(path);
  chmodSync(home, 0o755);
  chmodSync(credentials, 0o755);
  mkdirSync(join(home, 'signing'), { mode: 0o700 });
  for (const name of ['key.pem', 'key.pub']) writeFileSync(join(home, 'signing', name), 'key\n', { mode: 0o644 });

  expect((await findings()).of('leftovers')).toMatchObject({
    state: 'degraded',
    fix: expect.stringContaining('--fix'),
  });
  expect(left.every((path) => existsSync(path))).toBe(true);

  const { stdout } = await doctor(['--fix']);
  expect(stdout.match(/^fixed .*$/gm)).toHaveLength(8);
  expect(stdout).toMatch(
    /^fixed +\S+credentials\/claude is accessible to other users.*consider replacing it: restricted to you\.$/m,
  );
  expect(stdout).not.toContain('sk-secret');
  expect(left.concat(join(home, 'daemon.sock')).filter((path) => existsSync(path))).toEqual([]);
  expect(kept.every((path) => existsSync(path))).toBe(true);
  const places = [home, credentials, join(credentials, 'claude'), join(home, 'signing', 'key.pem')];
  expect(places.map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700, 0o600, 0o600]);
  expect((await doctor(['--fix'])).stdout).toMatch(/^Nothing to fix/);
});

it('a living daemon loses nothing by --fix [FIX-1]', async () => {
  const env = { PATH: '/usr/bin:/bin', HOME: dir, SIGNALBOX_HOME: home };
  const cli = (verb: string): string => execFileSync(process.execPath, [mainFile, verb], { env, encoding: 'utf8' });
  cli('up');
  try {
    expect((await doctor(['--fix'])).stdout).toMatch(/^Nothing to fix/);
    expect(cli('up')).toContain('was already up');
  } finally {
    cli('down');
  }
});
