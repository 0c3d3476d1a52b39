// Every command of docs/start.md is run as it stands there, in one shell, with a fresh home, in a repository that has a dependency and
// a test. The agent is the real Claude Code; its model is a scripted one on loopback.

import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { onNewestCli } from '../spending/limits-real-cli.ts';
import { mainFile, type World } from './daemon-world.ts';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const guide = read('docs/start.md');
const blocks = [...guide.matchAll(/^```sh ?(\S*)\n(.*?)^```$/gms)].map(([, mark = '', text = '']) => ({ mark, text }));

it('all commands of the guide are found, five of them lead to a landed change, and the README installs in the same way', () => {
  expect(guide.match(/^```/gm)).toHaveLength(blocks.length * 2);
  expect(blocks.slice(0, 5).map(({ text }) => text.split(' ').slice(0, 2).join(' '))).toEqual([
    'npm install',
    'signalbox login',
    'signalbox init',
    'signalbox run',
    'signalbox land\n',
  ]);
  expect(read('README.md')).toContain(blocks[0]?.text.trim());
});

onNewestCli('the guide', (begin) => {
  it('real CLI: every command of the guide works as it is written, from a fresh home to commits of the user [HIST-1] [CHECK-13]', async (context) => {
    const { world, act } = begin(context);
    // Which agent works is for Signalbox to find out.
    rmSync(join(world.dir, '.config'), { recursive: true });
    makeRepository(world);
    // Its first try forgets the old test, so that the check fails and the agent is told.
    act('exclamation', [{ write: { path: 'shout.js', text: shout('+ "!"') } }, { say: 'Done.' }]);
    act('shouts', [
      { write: { path: 'shout.test.js', text: testFile('HELLO, ANN!') } },
      { say: 'Let shout() end with an exclamation mark\n\nThe test expects it now.' },
    ]);
    act('whispers', [
      { write: { path: 'whisper.js', text: 'exports.whisper = (name) => name.toLowerCase();\n' } },
      { say: 'Add whisper()' },
    ]);
    act('Describe', [{ write: { path: 'USAGE.md', text: 'shout, whisper\n' } }, { say: 'Describe both functions' }]);
    const said = await runGuide(world);
    expect(said[2]).toMatch(/^Agent: Claude Code, its own default model/m);
    expect(said[2]).toMatch(/^succeeded: 1 of 1 tasks/m);
    expect(said[3]).toMatch(/^landed: branch \S+ of .* moved .*your checkout was updated/m);
    expect(said[4]).toMatch(/shout\.js .*\+.*^Author: Ada <ada@example.org>/ms);
    expect(said[5]).toMatch(/^succeeded: 2 of 2 tasks.*^landed: /ms);
    expect(said[6]?.match(/^succeeded: 1 of 1 tasks/gm)).toHaveLength(2);
    expect(said[7]).toMatch(/Claude Code has an API key, from .*Runs work here.*was not verified/s);
    const [first, ...more] = world.git('log', '--format=%an %s', '--reverse').split('\n').slice(2);
    expect(first).toBe('Ada Let shout() end with an exclamation mark');
    expect(more.sort()).toEqual(['Ada Add whisper()', 'Ada Describe both functions']);
    for (const args of [['ci'], ['test']]) {
      execFileSync('npm', args, { cwd: world.repo, env: { ...process.env, ...world.env }, stdio: 'ignore' });
    }
  });
});

const shout = (end: string): string => `const { greet } = require('greet');
exports.shout = (name) => greet(name).toUpperCase() ${end};
`;
const testFile = (expected: string): string => `const { test } = require('node:test');
const assert = require('node:assert');
const { shout } = require('./shout.js');
test('it shouts', () => assert.equal(shout('ann'), '${expected}'));
`;

/** With a dependency in a folder of its own: no registry is needed. */
function makeRepository(world: World): void {
  const files = {
    '.gitignore': 'node_modules\n',
    '.npmrc': 'offline=true\naudit=false\nfund=false\ninstall-links=true\n',
    'package.json': JSON.stringify({
      name: 'app',
      version: '1.0.0',
      scripts: { test: 'node --test' },
      dependencies: { greet: 'file:vendor/greet' },
    }),
    'vendor/greet/package.json': JSON.stringify({ name: 'greet', version: '1.0.0', main: 'index.js' }),
    'vendor/greet/index.js': 'exports.greet = (name) => `Hello, ${name}`;\n',
    'shout.js': shout(''),
    'shout.test.js': testFile('HELLO, ANN'),
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(world.repo, name)), { recursive: true });
    writeFileSync(join(world.repo, name), text);
  }
  const env = { ...process.env, ...world.env };
  execFileSync('npm', ['install', '--package-lock-only'], { cwd: world.repo, stdio: 'ignore', env });
  world.git('config', 'user.name', 'Ada');
  world.git('config', 'user.email', 'ada@example.org');
  world.git('add', '-A');
  world.git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', 'commit', '-qm', 'Shout');
}

/** What each block but the first printed. */
async function runGuide(world: World): Promise<string[]> {
  const bin = world.path('bin');
  mkdirSync(bin);
  writeFileSync(`${bin}/signalbox`, `#!/bin/sh\nexec '${process.execPath}' '${mainFile}' "$@"\n`, { mode: 0o755 });
  const script = blocks.filter(({ mark }) => mark !== 'install').map(({ text }, i) => `echo "== ${i}"\n${text}`);
  // Not synchronously: the model answers from this very process.
  const shell = spawn('bash', ['-e', '-c', `exec 2>&1\n${script.join('')}`], {
    cwd: world.repo,
    env: { ...world.env, PATH: `${bin}:${world.env['PATH']}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  expect(await new Promise((done) => shell.once('close', done)), stdout).toBe(0);
  return stdout.split(/^== \d+\n/m).slice(1);
}
