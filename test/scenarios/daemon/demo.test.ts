// `npm start` as a newcomer runs it: a fresh home, no agent installed, no terminal. And with the real agent, on the
// scripted model: what it would do is its own matter, that all around it works is ours.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { onNewestCli } from '../spending/limits-real-cli.ts';
import type { Ended } from './daemon-world.ts';

const file = resolve(import.meta.dirname, '../../../scripts/demo.mjs');

function demo(args: readonly string[], env: Record<string, string>): Promise<Ended> {
  const child = spawn(process.execPath, [file, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  return new Promise((done) => child.once('close', (code) => done({ code, stdout, stderr })));
}

let dir: string;
let env: Record<string, string>;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-demo-test-'));
  env = { PATH: process.env['PATH'] ?? '', HOME: dir, TMPDIR: dir, SIGNALBOX_CLAUDE: join(dir, 'no-claude') };
});

afterEach(() => rmSync(dir, { recursive: true, force: true }));

it.each([{ flags: [] }, { flags: ['--kill'] }])(
  'npm start $flags does four things at once and leaves nothing',
  async ({ flags }) => {
    const { code, stdout, stderr } = await demo(flags, env);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain(
      'call no model and cost nothing.\nNo other agent that Signalbox can run is installed here.',
    );
    expect(stdout).toContain('succeeded: 4 of 4 tasks, cost $0.00');
    expect(stdout).toMatch(/parse-accept-thousands-1 +check [\w-]+ failed/);
    expect(stdout).toContain('parse-accept-thousands-1: succeeded on attempt 2, cost $0.00');
    expect(stdout).toContain('+  return amounts.reduce((cents, amount) =>');
    expect(stdout).toContain('The journal is intact: every hash matches.');
    expect(stdout).toContain('checkout     not touched');
    if (flags.length > 0) expect(stderr).toContain('was killed with -9');
    // Neither in the temporary directory nor in the home.
    expect(readdirSync(dir)).toEqual([]);
  },
);

it('a missing agent, and an unknown flag, are reported', async () => {
  const missing = await demo(['--harness', 'claude'], { ...env, SIGNALBOX_HOME: join(dir, 'home') });
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('is not on the PATH of the daemon')]);
  await new Promise((done) =>
    spawn(process.execPath, [resolve(file, '../../dist/main.cjs'), 'down'], {
      env: { ...env, SIGNALBOX_HOME: join(dir, 'home') },
    }).once('close', done),
  );
  for (const flags of [['--harness', 'codex'], ['--hurry']]) {
    const { code, stderr } = await demo(flags, env);
    expect([code, stderr]).toEqual([2, expect.stringContaining('npm start -- [--harness claude]')]);
  }
});

onNewestCli('npm start with the real agent', (begin) => {
  it('real CLI: works in the home of its login, and its work is shown', async (context) => {
    const { world, asked } = begin(context);
    const { code, stdout, stderr } = await demo(['--harness', 'claude', '--model', 'claude-haiku-4-5'], {
      ...world.env,
      TMPDIR: dir,
    });
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain('The agents are Claude Code');
    expect(asked().length).toBeGreaterThanOrEqual(4);
    expect(stdout).toMatch(/succeeded: 4 of 4 tasks, cost \$0\.\d+/);
    expect(existsSync(join(world.home, 'journal.db'))).toBe(true);
  });
});
