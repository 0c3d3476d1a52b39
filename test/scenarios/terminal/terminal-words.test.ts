// What the program takes and gives besides pictures: completion in a real shell, prompts from files, pure JSON, and what
// it says to wrong words.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import { mainFile, openWorld as openOwnWorld, type World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;

/** What a real zsh makes of a line and a Tab, read back from the line itself. */
const zshLine = `zmodload zsh/zpty
zpty z "TERM=dumb zsh -f -i"
zpty -w z 'PS1=; autoload -Uz compinit; compinit -u -D; eval "$(signalbox completion zsh)"; echo REA""DY'
zpty -r z out '*READY*'
zpty -w -n z "signalbox $1"$'\\t'
zpty -w -n z $'\\C-a'"print -r -- '<"$'\\C-e'">'"$'\\n'
zpty -r z out '*<signalbox*>*<signalbox*>*'
print -r -- "$out"
zpty -d z`;

describe('completion', () => {
  const shell = (program: string, args: readonly string[]): string => {
    const bin = world.path('bin');
    mkdirSync(bin, { recursive: true });
    const text = `#!/bin/sh\nexec '${process.execPath}' '${mainFile}' "$@"\n`;
    writeFileSync(join(bin, 'signalbox'), text, { mode: 0o755 });
    const env = { ...world.env, PATH: `${bin}:${world.env['PATH']}` };
    return execFileSync(program, args, { encoding: 'utf8', env, timeout: 60_000 });
  };
  const greet = () => world.sb(['run', 'say hello', '--name', 'greet', '--script', world.script([{ say: 'hello' }])]);

  it('in bash offers verbs, options and names, with and without a daemon [CLI-13]', async (context) => {
    if (!has('bash')) context.skip('there is no bash');
    const complete = (...words: string[]): string[] => {
      const script = `eval "$(signalbox completion bash)"; COMP_WORDS=(signalbox "$@"); COMP_CWORD=$#; _signalbox; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return shell('bash', ['-c', script, 'bash', ...words])
        .trim()
        .split('\n');
    };
    expect(complete('di')).toEqual(['diff']);
    expect(complete('logs', '')).toEqual(['']);
    expect((await world.sb(['status'])).stdout).toContain('No daemon is running');
    await greet();
    expect(complete('logs', '')).toEqual(['say-hello', 'greet']);
    expect(complete('logs', '--f')).toEqual(['--follow']);
  });

  it('in fish offers them with their descriptions [CLI-13]', async (context) => {
    if (!has('fish')) context.skip('there is no fish');
    const complete = (line: string): string =>
      shell('fish', ['--no-config', '-c', `signalbox completion fish | source; complete -C "signalbox ${line}"`]);
    expect(complete('di')).toMatch(/^diff\tshow what a task changed/);
    expect(complete('logs --f')).toContain('--follow\t');
    await greet();
    expect(complete('logs gr')).toBe('greet\trun, succeeded\n');
  });

  it('in zsh completes the line [CLI-13]', async (context) => {
    if (!has('zsh')) context.skip('there is no zsh');
    const complete = (line: string): string | undefined =>
      /^<(signalbox .*)>\r?$/m.exec(shell('zsh', ['-f', '-c', zshLine, 'zsh', line]))?.[1];
    expect(complete('di')?.trim()).toBe('signalbox diff');
    await greet();
    expect(complete('logs gr')?.trim()).toBe('signalbox logs greet');
    expect(complete('logs --fo')?.trim()).toBe('signalbox logs --follow');
  });
});

describe('prompts', () => {
  it('from a file and from stdin are a task each', async () => {
    writeFileSync(world.path('prompts.txt'), 'first prompt\nwith a second line\n---\nsecond\n');
    const script = world.script([{ say: 'x' }]);
    const args = ['run', 'zeroth', '--file', world.path('prompts.txt'), '--script', script, '--json'];
    const run = JSON.parse((await world.sb(args)).stdout) as RunView;
    expect(run.tasks.map(({ name }) => name)).toEqual(['zeroth', 'first-prompt-second-line', 'second']);
    const input = { cwd: world.repo, env: world.env, input: 'from afar\n---\nand more' };
    const piped = execFileSync(process.execPath, [mainFile, 'run', '--file', '-', '--json', '--script', script], input);
    expect((JSON.parse(String(piped)) as RunView).tasks.map(({ name }) => name)).toEqual(['from-afar', 'and-more']);
    const missing = await world.sb(['run', '--file', world.path('none.txt')]);
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('none.txt cannot be read');
    const none = await world.sb(['run']);
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('a run needs a prompt');
  });
});

it('with --json every verb prints only JSON on stdout [CLI-7]', async () => {
  world = openOwnWorld();
  const script = world.script([{ write: { path: 'made', text: 'x' } }, { waitFor: world.path('go') }]);
  const documents = async (...args: string[]): Promise<unknown[]> => {
    const { code, stdout, stderr } = await world.sb([...args, '--json']);
    expect(code, `${args.join(' ')}: ${stderr}`).toBe(0);
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  };
  expect(await documents('up')).toMatchObject([{ started: true }]);
  expect(await documents('run', 'it', '-d', '--script', script)).toMatchObject([{ name: 'it' }]);
  expect(await documents('send', 'it', 'hello')).toMatchObject([{ id: expect.stringMatching(/^record_/) }]);
  world.touch('go');
  await world.ended();
  expect(await documents('take', 'it')).toMatchObject([{ branch: 'signalbox/it/it' }]);
  expect(await documents('diff', 'it')).toMatchObject([{ files: [{ path: 'made' }] }]);
  for (const verb of [
    ['ps', '-a'],
    ['ps', 'it'],
    ['ps', 'it', '--watch'],
    ['status'],
    ['verify'],
    ['doctor'],
    ['events', 'it'],
  ]) {
    expect((await documents(...verb)).length).toBeGreaterThan(0);
  }
  expect((await documents('attach', 'it')).length).toBeGreaterThan(0);
  await world.sb(['run', 'more', '-d', '--script', world.script([{ waitFor: world.path('never') }])]);
  expect(await documents('stop', 'more')).toMatchObject([{ runId: expect.stringMatching(/^run_/) }]);
  const over = async (): Promise<boolean> => (await world.list()).every(({ state }) => state === 'ended');
  await until(over, { timeoutMs: 30_000, what: 'the stopped run to end' });
  expect(await documents('down')).toMatchObject([{ pid: expect.any(Number) }]);
  expect(await documents('down')).toEqual([{ pid: null, agents: 0 }]);
});

describe('a wrong argument', () => {
  it.each([
    [['pz'], '(Did you mean ps?)'],
    [['ps', '--wach'], '(Did you mean --watch?)'],
    [['run', 'x', '--timeout', 'soon'], 'expected a number above 0'],
    [['run', 'x', '--retries', '-1'], 'expected a number from 0 to 999'],
    [['completion', 'csh'], 'Allowed choices are bash, zsh, fish'],
    [['send'], "missing required argument 'task'"],
  ])('%j is answered with what would be right [CLI-6]', async (args, words) => {
    const { code, stdout, stderr } = await world.sb(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
    expect(stderr).toContain('"signalbox help <verb>"');
  });
});

it.runIf(process.platform === 'linux')('a home that cannot be made is reported at once [CLI-9]', async () => {
  const { code, stdout, stderr } = await world.sb(['ps'], { env: { SIGNALBOX_HOME: '/proc/nowhere/home' } });
  expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
  expect(stderr).toMatch(
    /^signalbox: the home directory \/proc\/nowhere cannot be created: set SIGNALBOX_HOME to another place$/m,
  );
});

describe('an unsuitable repository', () => {
  it('is reported with what to do, and nothing is started [CLI-6]', async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: world.dir });
    git('init', '--quiet', '--bare', 'bare');
    git('init', '--quiet', 'empty');
    mkdirSync(world.path('gone'));
    const from = async (name: string): Promise<string> => {
      const { code, stdout, stderr } = await world.sb(['run', 'x'], { cwd: world.path(name) });
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      return stderr;
    };
    expect(await from('bare')).toContain('is a bare repository: clone it');
    expect(await from('empty')).toContain('has no commits yet: commit something first');
    const script = 'rmdir "$PWD"; exec "$@"';
    const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', process.execPath, mainFile, 'run', 'x'], {
      cwd: world.path('gone'),
      env: world.env,
      encoding: 'utf8',
    });
    expect(status, stderr).toBe(2);
    expect(stderr).toContain('the current directory does not exist any more');
    expect(await world.list()).toEqual([]);
  });

  it('an unreadable setting is named [CLI-6]', async () => {
    const { code, stderr } = await world.sb(['ps'], { env: { SIGNALBOX_SLOTS: 'many' } });
    expect(code).toBe(2);
    expect(stderr).toContain('SIGNALBOX_SLOTS is "many"');
  });
});

it('a daemon that answers something unknown is reported [CLI-6]', async () => {
  world = openOwnWorld();
  mkdirSync(world.home, { recursive: true });
  const server = createServer((_request, response) => response.end('{"runs":"many"}'));
  await new Promise<void>((resolve) => server.listen(join(world.home, 'daemon.sock'), resolve));
  const { code, stderr } = await world.sb(['ps']);
  server.close();
  expect(code).toBe(5);
  expect(stderr).toContain('sent an answer that this one does not understand (runs: ');
});

it('docs/cli.md names every verb', async () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/cli.md'), 'utf8');
  const help = (await world.sb(['help'])).stdout;
  const verbs = [...help.slice(help.indexOf('Commands:')).matchAll(/^ {2}([a-z]+) /gm)].map(([, verb]) => verb ?? '');
  expect(verbs).toContain('attach');
  expect(verbs.filter((verb) => verb !== 'help' && !page.includes(`\`${verb}`))).toEqual([]);
});
