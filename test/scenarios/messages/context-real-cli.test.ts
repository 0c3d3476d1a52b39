// The real CLI compacts on request, and starts a session of its own beside the former one, or if that cannot be read.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../../until.ts';
import { model, onNewestCli } from '../spending/limits-real-cli.ts';
import { recordOf, submit } from '../spending/limits-world.ts';

const timeoutMs = 60_000;
const allowed = JSON.stringify({ permissions: { allow: ['Write', 'Bash'] } });
const work = { harness: 'claude', sandbox: 'none' } as const;

onNewestCli('a real agent', (begin) => {
  it('real CLI: compacts on request before its next turn, and then gets the message [HAND-4]', async (context) => {
    const { world, prompt, asked } = begin(context);
    const writes = [1, 2, 3, 4].map((n) => ({ write: { path: `f${n}.txt`, text: `${n}\n` } }));
    const full = { usage: { input_tokens: 150_000, output_tokens: 5 } };
    const text = prompt([...writes, full, { say: 'Made.' }]);
    const settings = { model, cliSettings: allowed };
    await world.up();
    await submit(world, [{ ...work, name: 'long', prompt: text, settings, context: { how: 'compact', percent: 50 } }]);
    expect((await world.ended()).run.outcome).toBe('succeeded');
    const before = asked().length;
    await world.sb(['send', 'long', prompt([{ write: { path: 'f5.txt', text: '5\n' } }, { say: 'Made that too.' }])]);
    const { run } = await world.ended();
    expect(run.outcome).toBe('succeeded');
    const record = await recordOf(world, run.id);
    const types = record.map(({ type }) => type);
    expect(types.filter((type) => type === 'context.filled')).toHaveLength(1);
    expect(record.find(({ type }) => type === 'context.compacted')).toMatchObject({ trigger: 'manual' });
    expect(types.indexOf('context.compacted')).toBeLessThan(types.lastIndexOf('record.delivered'));
    // The first request is for the summary; after it the session is short.
    const sizes = asked()
      .slice(before)
      .map(({ body }) => body.messages?.length ?? 0);
    expect(sizes.at(1)).toBeLessThan(sizes.at(0) ?? 0);
  });

  it('real CLI: an agent that does not hand over is started in a fresh session [HAND-6] [HAND-7]', async (context) => {
    const { world, prompt, asked } = begin(context);
    // For a window whose size the CLI does not report before its first turn is over: it is asked for, and the agent is asked to
    // hand over in that turn.
    const full = { usage: { input_tokens: 170_000, output_tokens: 5 } };
    const text = prompt([
      full,
      { write: { path: 'f.txt', text: 'x\n' } },
      full,
      { run: `until [ -e ${world.path('go')} ]; do sleep 0.05; done` },
      full,
      { say: 'That is all I say.' },
    ]);
    await world.up();
    const settings = { model, cliSettings: allowed };
    await submit(world, [{ ...work, name: 'long', prompt: text, settings, context: { how: 'handoff', percent: 80 } }]);
    const isAsked = async () => {
      const { run } = await world.only();
      return (await recordOf(world, run.id)).some(({ type }) => type === 'handoff.asked');
    };
    await until(isAsked, { timeoutMs, what: 'it to be told to hand over' });
    world.touch('go');
    const afresh = () => asked().find(({ conversation }) => conversation.includes('## What was handed over'));
    await until(() => afresh() !== undefined, { timeoutMs, what: 'a fresh session' });
    const { run, task } = await world.only();
    expect(await world.sb(['stop', 'long'])).toMatchObject({ code: 0 });
    await world.ended();
    const record = await recordOf(world, run.id);
    expect(record.filter(({ type }) => type === 'session.renewed').length).toBeGreaterThan(0);
    const sessions = record.flatMap((event) => (event.type === 'agent.session' ? event.session : []));
    expect(new Set(sessions).size).toBeGreaterThan(1);
    const said = afresh()?.conversation ?? '';
    expect(said).toContain('Said at the end of the last turn');
    // Nothing of the former session is in it.
    expect(said).not.toContain('Your context window is nearly full');
    const second = readFileSync(join(world.home, 'launches', task.attempt?.launches[1] ?? '', 'spec.json'), 'utf8');
    expect(second).toContain('--session-id');
    const types = record.map(({ type }) => type);
    expect(types.indexOf('handoff.asked')).toBeGreaterThan(0);
    expect(types.indexOf('handoff.asked')).toBeLessThan(types.indexOf('turn.ended'));
  });

  it('real CLI: an agent that hands over by our tool is started in a fresh session, and ends when nothing remains [HAND-7, HAND-17]', async (context) => {
    const { world, prompt, asked } = begin(context);
    const handoff = (remaining: string[]) => ({ found: ['the port is 4711'], changed: [], commands: [], remaining });
    const input = (said: string) => {
      const remaining = said.includes('## What was handed over') ? [] : ['the rest'];
      return { kind: 'handoff', value: handoff(remaining) };
    };
    const text = prompt([{ call: { tool: 'mcp__signalbox__submit_artifact', input } }, { say: 'restart me' }]);
    const { code, stderr } = await world.sb([
      'run',
      text,
      '--harness',
      'claude',
      '--model',
      model,
      '--sandbox',
      'none',
    ]);
    expect(code, stderr).toBe(0);
    const { run, task } = await world.only();
    expect(task.attempt?.launches).toHaveLength(2);
    const record = await recordOf(world, run.id);
    expect(record.filter(({ type }) => type === 'session.renewed')).toHaveLength(1);
    const last = asked().at(-1)?.conversation ?? '';
    expect(last).toContain('- the port is 4711');
    expect(last.split('restart me')).toHaveLength(1);
  });

  const spoilt: Readonly<Record<string, (file: string) => unknown>> = {
    'holds no words': (file) => writeFileSync(file, Buffer.alloc(4_096, 0xff)),
    'is a pipe': (file) => [rmSync(file), execFileSync('mkfifo', [file])],
  };
  for (const [what, spoil] of Object.entries(spoilt)) {
    it(`real CLI: a session whose file ${what} is rebuilt from the journal, and its agent told so [HAND-2]`, async (context) => {
      const { world, prompt, asked } = begin(context);
      const text = prompt([{ say: 'The port is 4711.' }]);
      await world.up();
      await submit(world, [{ ...work, name: 'long', prompt: text, settings: { model } }]);
      expect((await world.ended()).run.outcome).toBe('succeeded');
      const agents = join(world.home, 'agents');
      const files = readdirSync(agents, { recursive: true, encoding: 'utf8' });
      for (const file of files.filter((name) => /projects.*\.jsonl$/.test(name))) spoil(join(agents, file));
      await world.sb(['send', 'long', 'mind the gap']);
      const { run } = await world.ended();
      expect(run.outcome).toBe('succeeded');
      const last = asked().at(-1)?.conversation ?? '';
      for (const words of [text, 'that conversation was lost', 'The port is 4711.', 'mind the gap'])
        expect(last).toContain(words);
      const lost = (await recordOf(world, run.id)).filter(({ type }) => type === 'agent.sessionLost');
      expect(lost).toHaveLength(1);
    });
  }
});
