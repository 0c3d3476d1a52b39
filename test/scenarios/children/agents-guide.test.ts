// The examples of docs/agents.md and of the README on agents that ask for agents, run as they stand there.

import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mainFile, type World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

function blockOf(text: string, kind: string): string {
  return new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, 'ms').exec(text)?.[1] ?? '';
}

/** In one shell, as a reader would. */
async function type(script: string, commands: string): Promise<string> {
  writeFileSync(join(world.repo, 'lead.json'), script);
  const bin = world.path('bin');
  mkdirSync(bin);
  writeFileSync(`${bin}/signalbox`, `#!/bin/sh\nexec '${process.execPath}' '${mainFile}' "$@"\n`, { mode: 0o755 });
  const env = { ...world.env, PATH: `${bin}:${world.env['PATH']}` };
  const { stdout } = await promisify(execFile)('bash', ['-e', '-c', commands], { cwd: world.repo, env });
  return stdout;
}

it('the example of the guide to agents runs as it stands [CHILD-88]', async () => {
  const guide = read('docs/agents.md');
  const said = await type(blockOf(guide, 'json'), blockOf(guide, 'sh'));
  expect(said).toContain('succeeded: 3 of 3 tasks');
  expect(said).toMatch(/^ {2}have-two-notes-written +succeeded.*\n {4}left +succeeded.*\n {4}right +succeeded/m);
  expect(said).toMatch(/^\[uses signalbox read_output.*\]\nread_output answered: .*left/m);
  expect(said).toMatch(/<task-notification task="right" id="\w+" status="succeeded">/);
});

it('the example of the README runs as it stands, except for the paid agent [CHILD-88]', async () => {
  const readme = read('README.md').split('## Agents that spawn agents')[1] ?? '';
  const [free = '', paid = ''] = blockOf(readme, 'sh').trim().split('\n');
  expect(paid).toContain('--harness claude');
  const said = await type(blockOf(readme, 'json'), free);
  expect(said).toMatch(/scout +spawned by lead-two-agents$/m);
  expect(said).toContain('succeeded: 3 of 3 tasks');
});
