// Codex from the command line to an integrated commit, inside the sandbox; what it used, how it asks, how it is taken up again after
// everything was killed, and that nothing of it stays.

import { existsSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { detached, recordOf, runEnd, submit, transcriptOf } from '../scenarios/spending/limits-world.ts';
import { nextAsk } from '../scenarios/world/inbox-world.ts';
import { until } from '../until.ts';
import { onCodex } from './codex-world.ts';

const timeoutMs = 60_000;

onCodex('a real run', (begin) => {
  it('from prompt to integrated commit: works in its sandbox, is proved by a check, and its cost is estimated [HAR-33]', async (context) => {
    const { world, prompt, asked } = begin(context);
    const text = prompt([
      { say: 'I look around.' },
      { usage: { input_tokens: 1_000, output_tokens: 100 } },
      { run: 'cat README.md; echo "key=[$OPENAI_API_KEY]"; ls /root 2>&1 | head -1' },
      { write: { path: 'made.txt', text: 'by hand\n' } },
      { run: 'git add made.txt && git commit -qm "Add made.txt"' },
      { say: 'Made.' },
    ]);
    const check = 'grep -q "by hand" made.txt';
    const ended = await world.sb(['run', text, '--harness', 'codex', '--check', check, '--max-usd', '1']);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(ended.stdout + ended.stderr).toContain('Agent: Codex, model gpt-6-sol');
    const { run, task } = await world.only();
    expect([run.outcome, task.outcome?.kind]).toEqual(['succeeded', 'succeeded']);
    const integrated = ['--git-dir', task.attempt?.gitDir ?? '', 'show', `${run.branch?.head}:made.txt`];
    expect(world.git(...integrated)).toBe('by hand');
    const transcript = transcriptOf(world, task).toString('utf8');
    expect(transcript).toContain('# Sample');
    // What the agent runs does not have the key.
    expect(transcript).toContain('key=[]');
    expect(asked().every(({ credential }) => credential === 'dummy')).toBe(true);
    // By the list price of gpt-6-sol: 2 dollars for a million tokens in, 10 out.
    const tokens = asked().reduce((sum, { used }) => sum + (used?.input_tokens ?? 0), 0);
    expect(task.usage).toMatchObject({ inputTokens: tokens, costMicroUsd: tokens * 2 + task.usage.outputTokens * 10 });
    expect(task.usage.estimatedMicroUsd).toBe(task.usage.costMicroUsd);
    expect((await world.sb(['logs', task.id])).stdout).toContain('I look around.');
    expect(world.processes().filter(({ command }) => command.includes('app-server'))).toEqual([]);
  });

  it('without a sandbox it asks in the inbox, does what was approved and is told why not [PERM-3]', async (context) => {
    const { world, prompt, asked } = begin(context);
    const made = (path: string) => ({ write: { path, text: 'x' } });
    const text = prompt([made('yes.txt'), made('no.txt'), { run: 'touch ruled.txt' }, { say: 'I am done.' }]);
    const settings = ['--harness', 'codex', '--allow', 'Bash(touch:*)', '--sandbox', 'none'];
    const check = 'test -e yes.txt -a ! -e no.txt -a -e ruled.txt';
    const waiting = await world.sb(['run', text, ...settings, '--check', check]);
    expect(waiting.code, waiting.stdout).toBe(3);
    const first = await nextAsk(world);
    expect(first).toMatchObject({ tool: 'Bash' });
    expect(JSON.stringify(first.input)).toContain('yes.txt');
    expect((await world.sb(['approve', first.id])).code).toBe(0);
    const second = await nextAsk(world, first);
    expect((await world.sb(['reject', second.id, '-m', 'not this one'])).code).toBe(0);
    expect((await world.ended()).run.outcome).toBe('succeeded');
    expect(asked().at(-1)?.conversation).toContain('Not permitted: not this one');
  });

  it('a typed output is held to its schema, and corrected where it does not fit', async (context) => {
    const { world, prompt } = begin(context);
    await world.up();
    const schema = { type: 'object', properties: { verdict: { enum: ['pass', 'fail'] } }, required: ['verdict'] };
    const bad = prompt([{ say: 'It passes.' }]);
    const { id } = await submit(world, [{ name: 'typed', prompt: bad, harness: 'codex', output: { schema } }]);
    const run = await runEnd(world, id, timeoutMs);
    expect(run.tasks[0]?.outcome).toMatchObject({ kind: 'failed', failure: { reason: 'invalid-output' } });
    const good = prompt([{ output: { verdict: 'pass' } }]);
    const again = await submit(world, [{ name: 'typed', prompt: good, harness: 'codex', output: { schema } }]);
    expect((await runEnd(world, again.id, timeoutMs)).outcome).toBe('succeeded');
  });

  it('killed with the daemon in the middle of a turn, it is resumed by its session and told nothing twice [REC-5]', async (context) => {
    const { world, prompt, asked } = begin(context);
    await world.up();
    const text = prompt([
      { run: `echo one >>${world.path('effects')}` },
      { run: `touch ${world.path('held')}; until [ -e ${world.path('go')} ]; do sleep 0.05; done` },
      { run: `echo two >>${world.path('effects')}; echo done >done.txt` },
      { say: 'Both are done.' },
    ]);
    const { id } = await submit(world, [{ name: 'hard', prompt: text, harness: 'codex' }]);
    await until(() => existsSync(world.path('held')), { timeoutMs, what: 'the agent to be held' });
    const before = await sessionsOf(world, id);
    for (const { pid } of world.processes()) killHard(pid);
    await until(() => world.processes().length === 0, { timeoutMs, what: 'all to be dead' });
    writeFileSync(world.path('go'), '');
    await world.up();
    const run = await runEnd(world, id, timeoutMs);
    const [task] = run.tasks;
    expect(run.outcome, JSON.stringify(task)).toBe('succeeded');
    expect(task?.attempts).toBe(1);
    expect(task?.attempt?.launches).toHaveLength(2);
    expect(world.text('effects')).toBe('one\ntwo\n');
    expect(await sessionsOf(world, id)).toEqual(before);
    const last = asked().at(-1)?.told.join('\n') ?? '';
    expect(count(last, text)).toBe(1);
    expect(count(last, 'Your process was interrupted and has been started again')).toBe(1);
  });

  it('stopped while a command of its runs that has left its group, it leaves no process', async (context) => {
    const { world, prompt } = begin(context);
    const flees = `setsid sh -c 'touch ${world.path('fled')}; while :; do sleep 0.1; done' & sleep 1000`;
    const { id } = await detached(world, [prompt([{ run: flees }]), '--harness', 'codex']);
    await until(() => existsSync(world.path('fled')), { timeoutMs, what: 'the command to have left' });
    expect((await world.sb(['stop', id])).code).toBe(0);
    await runEnd(world, id, timeoutMs);
    const left = () => world.processes().filter(({ command }) => /app-server|setsid|sleep/.test(command));
    await until(() => left().length === 0, { timeoutMs: 10_000, what: 'nothing to be left' });
  });

  it('a key that is refused fails at once and says so', async (context) => {
    const { world, prompt, server } = begin(context);
    server.refuseAll({ status: 401, message: 'Incorrect API key provided' });
    const ended = await world.sb(['run', prompt([{ say: 'x' }]), '--harness', 'codex']);
    expect(ended.code).not.toBe(0);
    const { task } = await world.only();
    expect(task.outcome).toMatchObject({ kind: 'failed', failure: { reason: 'auth' } });
    expect(task.attempts).toBe(1);
  });
});

async function sessionsOf(world: Parameters<typeof recordOf>[0], runId: string): Promise<string[]> {
  return (await recordOf(world, runId)).flatMap((event) => (event.type === 'agent.session' ? [event.session] : []));
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
