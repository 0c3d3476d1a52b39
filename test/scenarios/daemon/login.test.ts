// `signalbox login` from outside: what is stored and how, what is refused, and that no output ever holds the secret.

import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LoginView } from '../../../src/wire/status-views.ts';
import { onNewestCli } from '../spending/limits-real-cli.ts';
import { type Ended, mainFile, openWorld, type World } from './daemon-world.ts';

const key = 'sk-ant-api03-CANARYCANARYCANARYCANARY-wxyz';
const token = 'sk-ant-oat01-CANARYCANARYCANARYCANARY-4321';

/** The CLI with something on its stdin. */
function give(world: World, text: string, args: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [mainFile, ...args], { cwd: world.repo, env: world.env, stdio: 'pipe' });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(text);
  return new Promise((done) => child.once('close', (code) => done({ code, stdout, stderr })));
}

const place = (world: World): string => join(world.home, 'credentials', 'claude');
const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** A program that prints this as its version. */
function standIn(world: World, says: string): string {
  const path = world.path(`claude-${says.split(' ')[0]}`);
  writeFileSync(path, `#!/bin/sh\necho '${says}'\n`);
  chmodSync(path, 0o755);
  return path;
}

describe('login', () => {
  let world: World;
  beforeEach(() => {
    world = openWorld({}, 'process');
  });
  afterEach(() => world.close());

  const view = async (env: Record<string, string> = {}): Promise<LoginView> =>
    JSON.parse((await world.sb(['login', 'claude', '--json'], { env })).stdout) as LoginView;

  it('stores stdin for its owner only, and prints its last characters but never the secret [LOG-2]', async () => {
    const ended = await give(world, `${token}\n`, ['login', 'claude', '--token-stdin']);
    expect([ended.code, ended.stdout + ended.stderr]).toEqual([0, expect.stringContaining('ending in …4321')]);
    expect(ended.stdout + ended.stderr).not.toContain('CANARY');
    expect(readFileSync(place(world), 'utf8')).toBe(`CLAUDE_CODE_OAUTH_TOKEN=${token}\n`);
    expect([place(world), join(world.home, 'credentials'), world.home].map(modeOf)).toEqual([0o600, 0o700, 0o700]);
    await give(world, key, ['login', 'claude', '--token-stdin']);
    expect(readFileSync(place(world), 'utf8')).toBe(`ANTHROPIC_API_KEY=${key}\n`);
    const { code, stdout } = await world.sb(['logout', 'claude']);
    expect([code, stdout, existsSync(place(world))]).toEqual([0, expect.stringContaining('is removed'), false]);
    expect((await world.sb(['logout', 'claude'])).stdout).toContain('No credential of Claude Code was stored');
  });

  it('says what is needed if there is no credential, without a daemon', async () => {
    const { code, stdout, stderr } = await world.sb(['login', 'claude']);
    expect([code, stdout]).toEqual([1, 'Claude Code has no credential.\n']);
    expect(stderr).toContain('claude setup-token');
    expect((await world.sb(['login'])).stdout).toContain(
      'Claude Code has no credential.\nCodex has no credential.\nThe scripted agent',
    );
    expect(existsSync(join(world.home, 'daemon.sock'))).toBe(false);
  });

  it('refuses what cannot be a key, and stores nothing', async () => {
    for (const text of ['', '  \n', 'two words', 'a\nb', '{"claudeAiOauth":{"accessToken":"x"}}', 'x'.repeat(70_000)]) {
      const ended = await give(world, text, ['login', 'claude', '--token-stdin']);
      expect([ended.code, ended.stdout, ended.stderr]).toEqual([2, '', expect.stringContaining('nothing was stored')]);
    }
    expect(existsSync(place(world))).toBe(false);
    for (const args of [
      ['login', 'clade'],
      ['logout', 'x'],
      ['login', '--check'],
      ['login', 'scripted'],
    ]) {
      expect((await world.sb(args)).code, args.join(' ')).toBe(2);
    }
  });

  it('takes the environment before the file, and of two variables the key [LOG-1]', async () => {
    await give(world, token, ['login', 'claude', '--token-stdin']);
    expect((await view()).credential).toMatchObject({ source: 'file', ending: '4321' });
    const env = { ANTHROPIC_API_KEY: key, CLAUDE_CODE_OAUTH_TOKEN: token };
    expect((await view(env)).credential).toMatchObject({ source: 'environment', variable: 'ANTHROPIC_API_KEY' });
    expect((await view({ ANTHROPIC_API_KEY: '' })).credential?.source).toBe('file');
  });

  it('reports that a key set after the daemon started does not reach it', async () => {
    await world.up();
    const { code, stdout, stderr } = await world.sb(['login', 'claude'], { env: { ANTHROPIC_API_KEY: key } });
    expect([code, stdout]).toEqual([1, 'Claude Code has no credential.\n']);
    expect(stderr).toContain('ANTHROPIC_API_KEY is set here, but the daemon was started without it: `signalbox down`');
  });

  it('does not use a file that others can use, a link or nonsense, and says so [LOG-3]', async () => {
    await give(world, key, ['login', 'claude', '--token-stdin']);
    const flaw = async (): Promise<string | null> => (await view()).flaw;
    chmodSync(place(world), 0o640);
    expect(await flaw()).toContain('can be used by others than you');
    chmodSync(place(world), 0o600);
    chmodSync(join(world.home, 'credentials'), 0o755);
    expect(await flaw()).toContain('can be used by others than you');
    chmodSync(join(world.home, 'credentials'), 0o700);
    expect(await flaw()).toBe(null);
    writeFileSync(place(world), 'AWS_SECRET_ACCESS_KEY=x\n');
    expect(await flaw()).toContain('does not hold ANTHROPIC_API_KEY=');
    rmSync(place(world));
    writeFileSync(world.path('elsewhere'), `ANTHROPIC_API_KEY=${key}\n`, { mode: 0o600 });
    symlinkSync(world.path('elsewhere'), place(world));
    expect(await flaw()).toContain('is a link');
    rmSync(place(world));
    mkdirSync(place(world), { mode: 0o700 });
    expect(await flaw()).toContain('is not a file');
  });

  it('shows nothing of what is typed at a terminal [LOG-2]', async (context) => {
    if (process.platform !== 'linux' || !existsSync('/usr/bin/script'))
      context.skip('there is no script(1) to make a terminal');
    const command = `${process.execPath} ${mainFile} login claude`;
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...world.env, TERM: 'xterm' },
      stdio: 'pipe',
    });
    let shown = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (!shown.includes('nothing is shown') && (shown + chunk).includes('nothing is shown'))
        child.stdin.write(`${key}\r`);
      shown += chunk;
    });
    const code = await new Promise((done) => child.once('close', done));
    expect([code, shown]).toEqual([0, expect.stringContaining('ending in …wxyz')]);
    expect(shown).not.toContain('CANARY');
    expect(readFileSync(place(world), 'utf8')).toBe(`ANTHROPIC_API_KEY=${key}\n`);
  });

  it('a run is refused before anything starts if its agent is missing, too old or has no credential [LOG-6]', async () => {
    const cases = [
      [{ SIGNALBOX_CLAUDE: 'no-such-claude' }, 'is not on the PATH of the daemon'],
      [{ SIGNALBOX_CLAUDE: standIn(world, '2.1.12 (Claude Code)') }, '2.1.12 (Claude Code) is too old: 2.1.197'],
      [
        { SIGNALBOX_CLAUDE: standIn(world, '2.1.325 (Claude Code)') },
        'has no credential: run `signalbox login claude`',
      ],
    ] as const;
    for (const [env, says] of cases) {
      const ended = await world.sb(['run', 'work', '--harness', 'claude'], { env });
      expect([ended.code, ended.stdout, ended.stderr]).toEqual([2, '', expect.stringContaining(says)]);
      expect(await world.list()).toEqual([]);
      await world.sb(['down']);
    }
    expect(existsSync(join(world.home, 'launches'))).toBe(false);
  });

  it('resume and retry are refused if the agent is missing, too old or has no credential [LOG-6]', async () => {
    const fine = { SIGNALBOX_CLAUDE: standIn(world, '2.1.325 (Claude Code)') };
    const failed = await world.sb(['run', 'work', '--harness', 'claude'], { env: { ...fine, ANTHROPIC_API_KEY: key } });
    expect(failed.code, failed.stderr).toBe(1);
    const { run, task } = await world.only();
    await world.sb(['down']);
    const cases = [
      [{ SIGNALBOX_CLAUDE: 'no-such-claude' }, 'is not on the PATH of the daemon'],
      [{ SIGNALBOX_CLAUDE: standIn(world, '2.1.12 (Claude Code)') }, 'is too old: 2.1.197'],
      [fine, 'has no credential: run `signalbox login claude`'],
    ] as const;
    for (const [env, says] of cases) {
      for (const order of [
        ['resume', run.id],
        ['retry', task.id],
      ]) {
        const ended = await world.sb(order, { env });
        expect([ended.code, ended.stdout, ended.stderr]).toEqual([2, '', expect.stringContaining(says)]);
      }
      expect((await world.only()).run.seq).toBe(run.seq);
      await world.sb(['down']);
    }
  });
});

onNewestCli('login with the real agent', (begin) => {
  it('real CLI: a stored login is used by the next agent, without a restart [LOG-4] [LOG-5]', async (context) => {
    const { world, prompt, asked } = begin(context);
    delete world.env['ANTHROPIC_API_KEY'];
    const none = await world.sb(['login', 'claude', '--check']);
    expect([none.code, none.stdout]).toEqual([1, expect.stringContaining('has no credential')]);
    const text = prompt([{ say: 'Here I am.' }]);
    const run = ['run', text, '--harness', 'claude', '--model', 'claude-haiku-4-5'];
    expect((await world.sb(run)).code).toBe(2);
    const daemon = world.daemonPid();
    for (const [secret, method] of [
      [key, 'api_key'],
      [token, 'oauth_token'],
    ] as const) {
      await give(world, secret, ['login', 'claude', '--token-stdin']);
      const checked = await world.sb(['login', 'claude', '--check']);
      expect([checked.code, checked.stdout]).toEqual([0, expect.stringMatching(`as ${method}.*was not verified`)]);
      const before = asked().length;
      const ended = await world.sb(run);
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      expect(asked().length).toBeGreaterThan(before);
      expect(
        new Set(
          asked()
            .slice(before)
            .map(({ credential }) => credential),
        ),
      ).toEqual(new Set([secret]));
    }
    await world.sb(['logout', 'claude']);
    expect((await world.sb(run)).code).toBe(2);
    expect(world.daemonPid()).toBe(daemon);
  });
});
