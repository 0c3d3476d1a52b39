// Every command of docs/start.md is run as it stands there, in one shell, by somebody with a fresh home.

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { onNewestCli } from '../spending/limits-real-cli.ts';
import { mainFile } from './daemon-world.ts';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const guide = read('docs/start.md');
const blocks = [...guide.matchAll(/^```sh ?(\S*)\n(.*?)^```$/gms)].map(([, mark = '', text = '']) => ({ mark, text }));

it('all commands of the guide are found, and installing is described as in the README', () => {
  expect(guide.match(/^```/gm)).toHaveLength(blocks.length * 2);
  expect(blocks.map(({ mark }) => mark)).toEqual(['install', '', '', '', '', '', '', 'claude', '', '']);
  expect(read('README.md')).toContain(blocks[0]?.text.trim());
});

onNewestCli('the guide', (begin) => {
  it('real CLI: every command of the guide works as it is written', async (context) => {
    const { world } = begin(context);
    const bin = world.path('bin');
    mkdirSync(bin);
    writeFileSync(`${bin}/signalbox`, `#!/bin/sh\nexec '${process.execPath}' '${mainFile}' "$@"\n`, { mode: 0o755 });
    const who = ['AUTHOR', 'COMMITTER'].flatMap((role) => [
      [`GIT_${role}_NAME`, 'A'],
      [`GIT_${role}_EMAIL`, 'a@b'],
    ]);
    const env = { ...world.env, ...Object.fromEntries(who), PATH: `${bin}:${world.env['PATH']}` };
    const script = blocks.filter(({ mark }) => mark !== 'install').map(({ text }, i) => `echo "== ${i}"\n${text}`);
    // Not synchronously: the model answers from this very process.
    const shell = spawn('bash', ['-e', '-c', script.join('')], {
      cwd: world.dir,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    shell.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
    shell.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
    expect(await new Promise((done) => shell.once('close', done)), stdout + stderr).toBe(0);
    const said = stdout.split(/^== \d+\n/m).slice(1);
    expect(said[0]).toContain('Runs work here');
    expect(said[2]).toContain('succeeded: 2 of 2 tasks');
    expect(said[3]).toContain('[turn ended');
    expect(said[4]).toMatch(/^\+\+\+ b\/signalbox-notes.*signalbox\/write-note-signals-and-1-more\//ms);
    expect(said[5]).toBe('');
    expect(said[6]).toMatch(/Claude Code has an API key, from .*\n.*was not verified[^]*succeeded: 1 of 1 tasks/);
    expect(said[7]).toContain('succeeded: 1 of 1 tasks');
  });
});
