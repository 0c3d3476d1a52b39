// A repository with dependencies, as a new user has one: `run --check "npm test"` passes when the work is right, because a
// check gets what the repository's setup installs. No registry is needed: the dependency is a folder of the repository.

import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { World } from '../daemon/daemon-world.ts';
import { recordOf } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
beforeEach(() => {
  world = openWorld();
  makeNpmRepository();
});
afterEach(() => world.close());

const testFile = `const { test } = require('node:test');
const assert = require('node:assert');
const { shout } = require('./shout.js');
test('it shouts', () => assert.equal(shout('ann'), 'HELLO, ANN'));
`;
const right = `const { greet } = require('greet');
exports.shout = (name) => greet(name).toUpperCase();
`;
const wrong = right.replace('.toUpperCase()', '');

function put(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(world.repo, name)), { recursive: true });
    writeFileSync(join(world.repo, name), text);
  }
}

function commitAll(message: string): void {
  world.git('-C', world.repo, 'add', '-A');
  world.git('-C', world.repo, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '-m', message);
}

/** A package that needs another one, with a lockfile, a test and a setup that leaves a line for each of its runs. */
function makeNpmRepository(): void {
  const install = 'npm ci --offline --install-links --no-audit --no-fund';
  put({
    '.gitignore': 'node_modules\n',
    'package.json': packageJson({ greet: 'file:vendor/greet' }),
    'vendor/greet/package.json': JSON.stringify({ name: 'greet', version: '1.0.0', main: 'index.js' }),
    'vendor/greet/index.js': 'exports.greet = (name) => `Hello, ${name}`;\n',
    'shout.test.js': testFile,
    '.signalbox/setup': `#!/bin/sh\nset -e\necho ran >>'${world.path('setups')}'\n${install}\n`,
  });
  chmodSync(join(world.repo, '.signalbox/setup'), 0o755);
  lock();
  commitAll('a package with a dependency');
}

function packageJson(dependencies: Record<string, string>): string {
  return JSON.stringify({ name: 'app', version: '1.0.0', scripts: { test: 'node --test' }, dependencies });
}

function lock(cwd = world.repo): void {
  const flags = ['--offline', '--install-links', '--no-audit', '--no-fund', '--package-lock-only'];
  execFileSync('npm', ['install', ...flags], { cwd, stdio: 'ignore', env: { ...process.env, HOME: world.dir } });
}

/** A command that writes these files, as an agent would. */
function writes(files: Record<string, string>): string[] {
  const script = world.path(`agent-${Object.keys(files).length}-${Date.now()}.sh`);
  const lines = Object.entries(files).map(
    ([name, text]) => `mkdir -p '${dirname(name)}' && cat >'${name}' <<'END_OF_FILE'\n${text}END_OF_FILE`,
  );
  writeFileSync(script, `${lines.join('\n')}\n`);
  return ['--harness', 'command', '--argv', `sh '${script}'`];
}

const setupRuns = () => world.text('setups').split('\n').length - 1;
const run = (name: string, ...more: string[]) => world.sb(['run', name, '--check', 'npm test', ...more]);

it('a check finds what the setup installs, and the setup runs once for workspace and check [CHECK-13]', async () => {
  const ended = await run('shout', ...writes({ 'shout.js': right }));
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  expect(setupRuns()).toBe(1);
});

it('work that is wrong fails by its own test, and not for want of a package [CHECK-13]', async () => {
  const ended = await run('shout', '--retries', '0', ...writes({ 'shout.js': wrong }));
  expect(ended.code, ended.stdout + ended.stderr).toBe(1);
  const { task } = await world.only();
  const shown = await world.sb(['logs', task.id, '--check', task.attempt?.checks?.at(-1)?.check ?? '']);
  expect(shown.stdout).toContain('Hello, ann');
  expect(shown.stdout).not.toContain('Cannot find module');
});

it('a landing is checked with the setup, on a tree that was not checked before [CHECK-20]', async () => {
  const ended = await run('shout', ...writes({ 'shout.js': right }));
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  world.git('-C', world.repo, 'checkout', '-q', '-b', 'other');
  put({ 'README.md': 'An app.\n' });
  commitAll('a page about it');
  world.git('-C', world.repo, 'checkout', '-q', '--detach');
  const { run: view } = await world.only();
  const landed = await world.sb(['land', view.id, '--into', 'other']);
  expect(landed.code, landed.stdout + landed.stderr).toBe(0);
  expect(world.git('-C', world.repo, 'show', 'other:shout.js')).toContain('greet');
  expect((await world.only()).run.landing?.outcome).toMatchObject({
    kind: 'landed',
    items: [{ check: 'npm-test', passed: true, known: false }],
  });
  expect(setupRuns()).toBe(1);
});

it('work that changes a lockfile is checked with the setup of its own tree [CHECK-14]', async () => {
  const name = world.path('next');
  cpSync(world.repo, name, { recursive: true });
  mkdirSync(join(name, 'vendor/loud'));
  const loud = {
    'vendor/loud/package.json': JSON.stringify({ name: 'loud', version: '1.0.0', main: 'index.js' }),
    'vendor/loud/index.js': 'exports.loud = (text) => text.toUpperCase();\n',
    'package.json': packageJson({ greet: 'file:vendor/greet', loud: 'file:vendor/loud' }),
  };
  for (const [file, text] of Object.entries(loud)) writeFileSync(join(name, file), text);
  lock(name);
  const files = {
    ...Object.fromEntries(Object.entries(loud).map(([file, text]) => [file, text.endsWith('\n') ? text : `${text}\n`])),
    'package-lock.json': readFileSync(join(name, 'package-lock.json'), 'utf8'),
    'shout.js': `const { loud } = require('loud');\nexports.shout = (name) => loud(require('greet').greet(name));\n`,
  };
  const ended = await run('louder', ...writes(files));
  expect(ended.code, ended.stdout + ended.stderr).toBe(0);
  // One for the workspace, one for the tree of the work: a check of the same tree again runs neither.
  expect(setupRuns()).toBe(2);
});

it('a setup that fails only in a check is reported as such, and not as a failed check of the agent [CHECK-15]', async () => {
  const broken = { 'package-lock.json': '{ "lockfileVersion": 3 }\n', 'shout.js': right };
  const ended = await run('shout', ...writes(broken));
  expect(ended.code, ended.stdout + ended.stderr).toBe(1);
  const { run: view, task } = await world.only();
  expect(task.outcome).toMatchObject({ kind: 'failed', failure: { reason: 'unverified' } });
  expect(ended.stdout).toMatch(/check "npm-test" could not be run: \.signalbox\/setup failed: exit 1: .*npm error/);
  const record = await recordOf(world, view.id);
  expect(record.filter(({ type }) => type === 'attempt.started')).toHaveLength(1);
  // One for the workspace, one for the check: what has failed is not run three times.
  expect(setupRuns()).toBe(2);
});
