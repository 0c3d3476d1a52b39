// Real agents from the command line to their end: what they do, what they used, and how they are resumed after everything was
// killed.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { model, onRealCli } from '../spending/limits-real-cli.ts';
import { detached, recordOf, runEnd, runOf, submit, transcriptOf } from '../spending/limits-world.ts';
import { nextAsk, questionsOf } from '../world/inbox-world.ts';

const timeoutMs = 60_000;
/** What an agent may do without asking in these tests. */
const allowed = JSON.stringify({ permissions: { allow: ['Write', 'Bash'] } });

onRealCli('a real agent', (begin) => {
  it('real CLI: works, and its usage and session are journalled', async (context) => {
    const { world, prompt, asked } = begin(context);
    const steps = [{ say: 'I look around.' }, { run: 'ls' }, { say: 'All is well.' }];
    const ended = await world.sb(['run', prompt(steps), '--harness', 'claude', '--model', model]);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const { run, task } = await world.only();
    expect(task.outcome?.kind).toBe('succeeded');
    expect(asked().every(({ body }) => body.model?.startsWith(model))).toBe(true);
    const turns = asked().filter(({ conversation }) => conversation.includes('Please act out')).length;
    expect(turns).toBe(2);
    expect(task.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
    expect(task.usage.costMicroUsd).toBeGreaterThan(0);
    const session = await sessionOf(world, run.id);
    const transcript = transcriptOf(world, task).toString('utf8');
    expect(transcript).toContain(`"session_id":"${session}"`);
    expect((await world.sb(['logs', task.id])).stdout).toContain('I look around.');
    // The command did run, and said what it found.
    expect(transcript).toMatch(/"tool_result".*README\.md/);
  });

  it('real CLI: leaves its work at its ref, and takes its settings from the command line [CLI-12]', async (context) => {
    const { world, prompt } = begin(context);
    const text = prompt([
      { write: { path: 'made.txt', text: 'by hand\n' } },
      { run: 'echo more >>made.txt' },
      { say: 'Made.' },
    ]);
    const settings = ['--model', model, '--effort', 'low', '--set', `cliSettings=${allowed}`, '--set', 'turnsMax=9'];
    const ended = await world.sb(['run', text, '--harness', 'claude', ...settings]);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const { task } = await world.only();
    const { gitDir = '', ref } = task.attempt ?? {};
    expect(world.git('--git-dir', gitDir, 'show', `${ref}:made.txt`)).toBe('by hand\nmore');
    expect(world.git('status', '--porcelain')).toBe('');
  });

  it('real CLI: asks in the inbox, does what was approved and goes on without the rest [PERM-3]', async (context) => {
    const { world, prompt, asked } = begin(context);
    const made = (path: string) => ({ write: { path, text: 'x' } });
    const text = prompt([made('yes.txt'), made('no.txt'), made('ruled.txt'), { say: 'I am done.' }]);
    const settings = ['--harness', 'claude', '--model', model, '--allow', 'Write(ruled.txt)', '--sandbox', 'none'];
    const check = 'test -e yes.txt -a ! -e no.txt -a -e ruled.txt';
    const waiting = await world.sb(['run', text, ...settings, '--check', check]);
    expect(waiting.code, waiting.stdout).toBe(3);
    const first = await nextAsk(world);
    expect(first).toMatchObject({ tool: 'Write', input: { content: 'x' } });
    expect(JSON.stringify(first.input)).toContain('yes.txt');
    expect((await world.sb(['approve', first.id])).code).toBe(0);
    const second = await nextAsk(world, first);
    expect((await world.sb(['reject', second.id, '-m', 'not this one'])).code).toBe(0);
    const { run } = await world.ended();
    expect(run.outcome).toBe('succeeded');
    expect(asked().at(-1)?.conversation).toContain('not this one');
  });

  it('real CLI: questions to its user come to the inbox, and the answers to the model as from its own interface [ASK-8]', async (context) => {
    const { world, prompt, asked } = begin(context);
    const options = [
      { label: 'Red', description: 'warm' },
      { label: 'Blue', description: 'cold' },
    ];
    const questions = [
      { question: 'Which colour shall it be?', header: 'Colour', options, multiSelect: false },
      { question: 'And which others?', header: 'Others', options, multiSelect: true },
    ];
    const text = prompt([{ call: { tool: 'AskUserQuestion', input: { questions } } }, { say: 'Thank you.' }]);
    const waiting = await world.sb(['run', text, '--harness', 'claude', '--model', model]);
    expect(waiting.code, waiting.stdout).toBe(3);
    expect((await world.sb(['inbox'])).stdout).toContain('Which colour shall it be?');
    const [question] = await questionsOf(world);
    expect((await world.sb(['answer', question?.id ?? '', 'A dark green', 'blue, red'])).code).toBe(0);
    expect((await world.ended()).run.outcome).toBe('succeeded');
    const told = /answered: \W+Which colour shall it be\?\W+A dark green\W+And which others\?\W+Blue, Red/;
    expect(told.exec(asked().at(-1)?.conversation ?? '')).not.toBeNull();
  });

  it('real CLI: is held when its tool round is over, and goes on in its session [PAUSE-1] [PAUSE-2]', async (context) => {
    const { world, prompt, asked } = begin(context);
    await world.up();
    const hold = `touch ${world.path('held')}; until [ -e ${world.path('go')} ]; do sleep 0.05; done`;
    const text = prompt([
      { run: hold },
      { wait: 3_000 },
      { run: `echo two >>${world.path('effects')}; echo done >done.txt` },
      { say: 'Both are done.' },
    ]);
    const settings = { model, cliSettings: allowed };
    const { id } = await submit(world, [{ name: 'long', prompt: text, harness: 'claude', settings }]);
    await until(() => existsSync(world.path('held')), { timeoutMs, what: 'the agent to be held' });
    const session = await sessionOf(world, id);
    expect((await world.sb(['pause'])).code).toBe(0);
    writeFileSync(world.path('go'), '');
    const waitsFor = async () => (await runOf(world, id)).tasks[0]?.wait?.kind;
    await until(async () => (await waitsFor()) === 'pause', { timeoutMs, what: 'the agent to be held' });
    await world.killDaemon();
    await world.up();
    const before = asked().length;
    expect(existsSync(world.path('effects'))).toBe(false);
    expect((await world.sb(['unpause'])).code).toBe(0);
    expect((await runEnd(world, id)).outcome).toBe('succeeded');
    expect(world.text('effects')).toBe('two\n');
    expect(await sessionOf(world, id)).toBe(session);
    expect(count(asked()[before]?.conversation ?? '', 'A person paused you, and lets you go on now.')).toBe(1);
  });

  it('S5: killed with the daemon in the middle of a turn, it is resumed by its session and told nothing twice [CLI-4] [REC-5]', async (context) => {
    const { world, prompt, asked, clis } = begin(context);
    await world.up();
    const text = prompt([
      { run: `echo one >>${world.path('effects')}` },
      { run: `touch ${world.path('held')}; until [ -e ${world.path('go')} ]; do sleep 0.05; done` },
      { run: `echo two >>${world.path('effects')}; echo done >done.txt` },
      { say: 'Both are done.' },
    ]);
    const { id } = await submit(world, [
      { name: 'hard', prompt: text, harness: 'claude', settings: { model, cliSettings: allowed } },
    ]);
    await until(() => existsSync(world.path('held')), { timeoutMs, what: 'the agent to be held' });
    const before = await sessionOf(world, id);
    expect(clis().length).toBeGreaterThan(0);
    for (const { pid } of world.processes()) killHard(pid);
    await until(() => world.processes().length === 0, { timeoutMs, what: 'all to be dead' });
    const askedBefore = asked().length;
    writeFileSync(world.path('go'), '');
    await world.up();
    const run = await runEnd(world, id);
    const [task] = run.tasks;
    expect(run.outcome, JSON.stringify(task)).toBe('succeeded');
    expect(task?.attempts).toBe(1);
    expect(task?.attempt?.launches).toHaveLength(2);
    expect(world.text('effects')).toBe('one\ntwo\n');
    // The same session, and in it every word of ours once.
    expect(await sessionOf(world, id)).toBe(before);
    expect(
      asked()
        .slice(askedBefore)
        .map(({ session }) => session),
    ).toEqual(
      asked()
        .slice(askedBefore)
        .map(() => before),
    );
    const last = asked().at(-1)?.conversation ?? '';
    expect(count(last, text)).toBe(1);
    expect(count(last, 'Your process was interrupted and has been started again')).toBe(1);
    const spec = JSON.parse(
      readFileSync(join(world.home, 'launches', task?.attempt?.launches.at(-1) ?? '', 'spec.json'), 'utf8'),
    ) as { argv: string[] };
    expect(spec.argv.join(' ')).toContain(`--resume ${before}`);
  });

  it('S5: killed before the model has answered, it gets its prompt once and ends', async (context) => {
    const { world, prompt, asked } = begin(context);
    const text = prompt([{ wait: 4_000 }, { say: 'At last.' }]);
    const { id } = await detached(world, [text, '--harness', 'claude', '--model', model]);
    await until(() => asked().length > 0, { timeoutMs, what: 'the model to be asked' });
    for (const { pid } of world.processes()) killHard(pid);
    await until(() => world.processes().length === 0, { timeoutMs, what: 'all to be dead' });
    await world.up();
    const run = await runEnd(world, id);
    expect(run.outcome).toBe('succeeded');
    expect(count(asked().at(-1)?.conversation ?? '', text)).toBe(1);
  });
});

async function sessionOf(world: World, runId: string): Promise<string> {
  const named = (await recordOf(world, runId)).filter((event) => event.type === 'agent.session');
  expect(named.length).toBeGreaterThan(0);
  return named.at(-1)?.session ?? '';
}

function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went with another one.
  }
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
