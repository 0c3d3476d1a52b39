// S25, no fake work: a run without a named agent uses a real one, and says which and why, or ends with what to do and starts nothing.

import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openWorld, type World, writeConfiguration } from '../daemon/daemon-world.ts';
import { onNewestCli } from '../spending/limits-real-cli.ts';

/** Nothing that is installed on the machine of the tests. */
const noAgent = { SIGNALBOX_CLAUDE: '/nowhere/claude' };

let world: World;
beforeEach(() => {
  world = openWorld(noAgent);
  writeConfiguration(world.dir, '# nothing yet\n');
});
afterEach(() => world.close());

const plan = (tasks: string): string => {
  const file = world.path('work.plan.yaml');
  writeFileSync(file, `name: work\ntasks:\n${tasks}`);
  return file;
};

async function expectNothing(): Promise<void> {
  expect(await world.list()).toEqual([]);
  expect(world.git('for-each-ref', 'refs/signalbox')).toBe('');
  expect(readdirSync(join(world.home, 'work/attempts'))).toEqual([]);
}

describe('S25: on a machine without an agent', () => {
  it('a run ends with 2 and says what to install and how to log in; nothing is created [CHOICE-1]', async () => {
    for (const args of [['Fix the rounding bug'], [plan('  a: { prompt: Fix it }\n')], ['--plan', 'Fix it']]) {
      const { code, stdout, stderr } = await world.sb(['run', ...args]);
      expect(code, stderr).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toContain('no agent can work here');
      expect(stderr).toContain('npm install -g @anthropic-ai/claude-code');
      expect(stderr).toContain('signalbox login claude');
    }
    await expectNothing();
  });

  it('commands and agents that are named run all the same, and the scripted agent only then [CHOICE-2]', async () => {
    const commands = await world.sb(['run', plan('  a: { run: "true" }\n')]);
    expect(commands.code, commands.stderr).toBe(0);
    expect(commands.stderr).not.toContain('Agent:');
    const scripted = await world.sb(['run', 'look around', '--harness', 'scripted']);
    expect(scripted.code, scripted.stderr).toBe(0);
    expect(scripted.stderr.split('\n')[0]).toBe('Agent: the scripted agent (--harness)');
    const script = await world.sb(['run', 'look around', '--script', world.script([{ say: 'x' }])]);
    expect(script.stderr.split('\n')[0]).toBe('Agent: the scripted agent (--script: it calls no model)');
    const rehearsed = await world.sb(['run', plan('  a: { prompt: Fix it }\n'), '--stubs']);
    expect(rehearsed.code, rehearsed.stderr).toBe(0);
    const command = await world.sb(['run', 'look around', '--argv', 'echo "$1"']);
    expect(command.stderr.split('\n')[0]).toBe('Agent: a command (--argv)');
  });

  it('an agent that is too old is refused with how to update it, also when it is the configured one [CHOICE-1]', async () => {
    const old = world.path('old-claude');
    writeFileSync(old, '#!/bin/sh\necho "1.0.3 (Claude Code)"\n');
    chmodSync(old, 0o755);
    await world.sb(['down']);
    const env = { SIGNALBOX_CLAUDE: old, ANTHROPIC_API_KEY: 'sk-ant-api-nothing' };
    const { code, stderr } = await world.sb(['run', 'Fix it'], { env });
    expect(code).toBe(2);
    expect(stderr).toContain('1.0.3 (Claude Code) is too old');
    writeConfiguration(world.dir, 'harness: claude\n');
    const configured = await world.sb(['run', 'Fix it'], { env });
    expect(configured.code).toBe(2);
    expect(configured.stderr).toContain('claude update');
    await expectNothing();
  });
});

describe('a configuration', () => {
  it('of the repository goes before the own one, and the command line before both [CHOICE-3]', async () => {
    writeConfiguration(world.dir, 'harness: scripted\n');
    const own = await world.sb(['run', 'look around']);
    expect(own.stderr.split('\n')[0]).toBe(
      `Agent: the scripted agent (from ${world.dir}/.config/signalbox/config.yaml:1)`,
    );
    mkdirSync(join(world.repo, '.signalbox'));
    writeFileSync(join(world.repo, '.signalbox/config.yaml'), '# our agent\nharness: claude\nmodel: opus\n');
    const shared = await world.sb(['run', 'look around']);
    expect(shared.code).toBe(2);
    expect(shared.stderr.split('\n')[0]).toBe('Agent: Claude Code, model opus (from .signalbox/config.yaml:2)');
    const named = await world.sb(['run', 'look around', '--harness', 'scripted']);
    // The model is the one of another agent.
    expect([named.code, named.stderr.split('\n')[0]]).toEqual([0, 'Agent: the scripted agent (--harness)']);
  });
});

onNewestCli('S25: with one agent that is installed and has a credential', (begin) => {
  it('real CLI: a run without a named agent uses it with its own model and says so first [CHOICE-4]', async (context) => {
    const { world: real, prompt, asked } = begin(context);
    writeConfiguration(real.dir, '');
    const { code, stderr } = await real.sb(['run', prompt([{ say: 'All is well.' }])]);
    expect(code, stderr).toBe(0);
    expect(stderr.split('\n')[0]).toBe(
      'Agent: Claude Code, its own default model (the only one that is installed and logged in here)',
    );
    expect(asked().length).toBeGreaterThan(0);
  });

  it('real CLI: a key that is refused fails the task with what to do, and never succeeds [CHOICE-5]', async (context) => {
    const { world: real, prompt, refuseAll } = begin(context);
    writeConfiguration(real.dir, '');
    refuseAll({ status: 401 });
    const { code, stdout, stderr } = await real.sb(['run', prompt([{ say: 'All is well.' }])]);
    expect(code, stdout + stderr).toBe(1);
    const { task } = await real.only();
    expect(task.outcome).toMatchObject({ kind: 'failed' });
  });
});
