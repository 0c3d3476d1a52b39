// S23: a gate waits for a person over restarts and a week of clock, and is decided once: the journal has who and when.

import { writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AskView } from '../../../src/wire/ask-views.ts';
import type { CreateRunInput } from '../../../src/wire/request-schemas.ts';
import type { RunView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { ask, recordOf, runEnd, runOf, submit, taskEnd, taskNamed } from '../spending/limits-world.ts';
import { hasPty, sit } from '../terminal/terminal-world.ts';
import { questionsOf } from '../world/inbox-world.ts';

let world: World;

beforeEach(async () => {
  world = openWorld({ SIGNALBOX_SLOTS: '2' });
  await world.up();
});

afterEach(() => world.close());

type Task = CreateRunInput['tasks'][number];
type Gate = NonNullable<Task['gate']>;

const dayMs = 24 * 3_600_000;
const me = userInfo().username;
const command = (shell: string) => ({ harness: 'command', settings: { argv: JSON.stringify(['sh', '-c', shell]) } });
const work = (name: string, shell: string, more: Partial<Task> = {}): Task => {
  return { name, prompt: name, ...command(shell), ...more };
};
const gate = (more: Partial<Gate> = {}, task: Partial<Task> = {}): Task => {
  return { name: 'release', prompt: 'gate', kind: 'gate', gate: { message: 'Ship it?', ...more }, ...task };
};
const after = (): Task => work('after', `echo done >>'${world.path('shipped')}'`, { needs: ['release'] });

const questions = () => questionsOf(world);

function asked(): Promise<AskView> {
  return until(async () => (await questions())[0], { timeoutMs: 30_000, what: 'the question' });
}

const answer = (id: string, body: object) => ask(world, 'POST', `/asks/${id}`, body);

/** The daemon dies and another one comes, whose clock is ahead by so much. */
async function restarted(clockAheadMs: number): Promise<void> {
  await world.killDaemon();
  world.env['SIGNALBOX_CLOCK_AHEAD'] = String(clockAheadMs);
  await world.up();
}

describe('S23: a gate', () => {
  it('is open across three restarts and a week, and decided once, with who and when [GATE-5] [GATE-6] [GATE-7] [GATE-12]', async () => {
    const version = { type: 'object', properties: { version: { type: 'string' } } };
    const find = work('find', `echo new >made; printf '{"version":"2.0"}' >"$SIGNALBOX_OUTPUT"`, { output: version });
    const run = await submit(world, [
      find,
      gate(
        {
          message: ['Ship ', { ref: ['tasks', 'find', 'output', 'version'] }, '?'],
          shows: [{ kind: 'output', task: 'find' }, { kind: 'diff' }, { kind: 'cost' }],
          form: [
            { name: 'channel', type: 'choice', options: ['beta', 'stable'], label: 'where to' },
            { name: 'share', type: 'number', usual: 10 },
          ],
          who: [me, 'ann'],
          timeoutMs: 30 * dayMs,
        },
        { needs: ['find'] },
      ),
      after(),
    ]);
    const { id, since } = await asked();
    const shown = await world.sb(['inbox']);
    expect(shown.code).toBe(3);
    for (const part of [
      'Ship 2.0?',
      '"version": "2.0"',
      'made +1 -0',
      'changed so far: 1 file, +1 -0',
      'cost so far: unknown',
      'channel (choice of beta, stable): where to',
      'share (number; usually 10)',
      `may decide: ${me}, ann`,
      'then it is rejected',
      `signalbox approve ${id} --set channel=<value>`,
    ]) {
      expect(shown.stdout).toContain(part);
    }
    expect((await world.sb(['ps'])).stdout).toContain(`waits for a person: Ship 2.0? (${id})`);
    for (const days of [2, 5, 7]) {
      await restarted(days * dayMs);
      expect(await questions()).toMatchObject([{ id, since, state: 'open' }]);
      expect(world.agents()).toEqual([]);
    }
    const decided = await world.sb(['approve', 'release', '--set', 'channel=beta', '-m', 'go']);
    expect(decided, decided.stderr).toMatchObject({ code: 0, stdout: 'release: approved.\n' });
    await restarted(8 * dayMs);
    // The same answer again, by a client that missed that it arrived, is no error and does nothing.
    expect((await world.sb(['approve', id, '--set', 'channel=beta'])).code).toBe(0);
    expect((await world.sb(['approve', 'release', '--set', 'channel=beta'])).code).toBe(0);
    const ended = await runEnd(world, run.id);
    expect(ended.outcome).toBe('succeeded');
    expect(taskNamed(ended, 'release').output).toEqual({ channel: 'beta', share: 10 });
    expect(world.text('shipped')).toBe('done\n');
    const record = await recordOf(world, run.id);
    const answers = record.filter((event) => event.type === 'ask.answered');
    expect(answers).toMatchObject([{ askId: id, by: me, approved: true, message: 'go' }]);
    expect(Math.round(((answers[0]?.at ?? 0) - (since ?? 0)) / dayMs)).toBe(7);
    expect(record.filter((event) => event.type === 'ask.opened')).toHaveLength(1);
  });

  it('that two people answer at once is decided by one, and the other is told by whom [GATE-7]', async () => {
    const run = await submit(world, [gate(), after()]);
    const { id } = await asked();
    const racers = ['ann', 'bob', 'carl', 'dora'];
    const told = await Promise.all(racers.map((by, i) => answer(id, { approved: i % 2 === 0, by })));
    const won = told.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const ended = await runEnd(world, run.id);
    const decision = taskNamed(ended, 'release').asks[0]?.answer;
    expect(decision?.by).toBe(racers[told.findIndex(({ status }) => status === 200)]);
    for (const { status, body } of told.filter((each) => each.status !== 200)) {
      expect(status).toBe(409);
      expect(JSON.stringify(body)).toContain(`${decision?.by} has ${decision?.approved ? 'approved' : 'rejected'} it`);
    }
    expect((await recordOf(world, run.id)).filter(({ type }) => type === 'ask.answered')).toHaveLength(1);
  });

  it('refuses the wrong person, an invalid answer, and a second one [GATE-7] [GATE-8]', async () => {
    const form = [{ name: 'share', type: 'number' as const }];
    const run = await submit(world, [gate({ who: ['ann', me], form }), after()]);
    const { id } = await asked();
    const refused = async (body: object) => {
      const { status, body: told } = await answer(id, { approved: true, by: 'ann', ...body });
      expect(status).not.toBe(200);
      return JSON.stringify(told);
    };
    expect(await refused({ by: 'eve', values: { share: 1 } })).toContain(`ann, ${me} may decide it, eve may not`);
    expect(await refused({})).toContain('share');
    expect(await refused({ values: { share: 'many' } })).toContain('is a number');
    expect(await refused({ values: { share: 1, sahre: 2 } })).toContain('no field');
    expect(await refused({ values: { share: [1] } })).toContain('not understood');
    const { code, stderr } = await world.sb(['approve', 'release', '--set', 'share=lots']);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('"share" is a number') });
    expect((await world.sb(['approve', 'release', '--set', 'share'])).stderr).toContain('expected field=value');
    expect((await questions()).map((each) => each.id)).toEqual([id]);
    expect((await answer(id, { approved: false, by: 'ann', message: 'not now' })).status).toBe(200);
    const ended = await runEnd(world, run.id);
    expect(taskNamed(ended, 'release').outcome).toMatchObject({
      failure: { reason: 'rejected', detail: 'ann rejected it: not now' },
    });
    expect(taskNamed(ended, 'after').outcome?.kind).toBe('skipped');
    const again = await world.sb(['approve', id, '--set', 'share=1']);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain('ann has rejected it already');
    expect((await world.sb(['retry', 'release', '-d'])).code).toBe(0);
    expect((await asked()).id).toBe(id.replace(/1$/, '2'));
    expect((await world.sb(['approve', 'release', '--set', 'share=1'])).code).toBe(0);
    expect((await runEnd(world, run.id)).outcome).toBe('succeeded');
    // By its name as well, the same again is no error, and anything else is refused with who was first.
    expect((await world.sb(['approve', 'release', '--set', 'share=1'])).code).toBe(0);
    const other = await world.sb(['reject', 'release']);
    expect([other.code, other.stderr]).toEqual([1, expect.stringContaining('has approved it already')]);
  });

  it('is rejected by its timeout, and after it by nobody; a clock that went back makes nothing late [GATE-9, GATE-19]', async () => {
    const run = await submit(world, [gate({ timeoutMs: dayMs }), after()]);
    const { id } = await asked();
    await restarted(-3 * dayMs);
    expect(await questions()).toMatchObject([{ id, state: 'open' }]);
    await restarted(2 * dayMs);
    const late = await world.sb(['approve', id]);
    expect(late.code).toBe(1);
    expect(late.stderr).toContain('nobody decided');
    const ended = await runEnd(world, run.id);
    expect(taskNamed(ended, 'release').outcome).toMatchObject({ kind: 'failed', failure: { reason: 'rejected' } });
    expect((await world.sb(['approve', id])).stderr).toContain('nobody decided');
    expect(world.text('shipped')).toBe('');
  });

  it('of a stopped run is closed [GATE-10]', async () => {
    const run = await submit(world, [gate(), after()]);
    const { id } = await asked();
    expect((await world.sb(['stop', run.id])).code).toBe(0);
    expect((await runEnd(world, run.id)).outcome).toBe('stopped');
    expect(await questions()).toEqual([]);
    const { code, stderr } = await world.sb(['approve', id]);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('can be decided no more: it was stopped'),
    });
    expect(world.text('shipped')).toBe('');
  });

  it('that nobody could pass is refused with its run [GATE-11]', async () => {
    const tasks = [gate({ form: [{ name: 'where', type: 'choice' }] })];
    const body = { id: 'run_01jd0000000000000000000000', name: 'x', repo: { path: world.repo }, tasks };
    const { status, body: told } = await ask(world, 'POST', '/runs', body);
    expect({ status, told: JSON.stringify(told) }).toMatchObject({
      status: 409,
      told: expect.stringContaining('options'),
    });
  });
});

describe('a person at a gate', () => {
  /** A run that no terminal watches, followed as `run` does. */
  const follow = (run: RunView) => world.start(['ps', '--watch', run.id]);

  it('gets exit code 3 once only a person can help, also when that came later [PERM-5]', async () => {
    const slow = work('slow', `until [ -e '${world.path('go')}' ]; do sleep 0.05; done`);
    const run = await submit(world, [gate(), after(), slow]);
    await asked();
    const followed = follow(run);
    await until(async () => taskNamed(await runOf(world, run.id), 'slow').attempt?.state === 'running', {
      timeoutMs: 30_000,
      what: 'the other to be at work',
    });
    world.touch('go');
    const { code, stderr } = await followed.ended;
    expect(code).toBe(3);
    expect(stderr).toContain('The run waits for your answer: signalbox inbox');
    expect(stderr).toContain(`signalbox ps --watch ${run.id}`);
    // A later client gets the same, and after the answer the run is followed to its end.
    expect((await follow(run).ended).code).toBe(3);
    expect((await world.sb(['approve', 'release'])).code).toBe(0);
    expect((await follow(run).ended).code).toBe(0);
  });

  it('is notified once [NOTE-1]', async () => {
    world.env['SIGNALBOX_NOTIFY'] = `cat >>'${world.path('told')}'`;
    await restarted(0);
    const run = await submit(world, [gate()]);
    const { id } = await asked();
    expect((await follow(run).ended).code).toBe(3);
    expect((await follow(run).ended).code).toBe(3);
    await until(() => world.text('told') !== '', { timeoutMs: 30_000, what: 'somebody to be called' });
    await restarted(0);
    const told = world.text('told').trim().split('\n');
    expect(told.map((line) => JSON.parse(line) as object)).toMatchObject([
      { kind: 'asks', task: 'release', key: `asks ${id}`, words: 'asks you: Ship it?' },
    ]);
  });

  it('is notified of every question, also the last one [NOTE-1]', async () => {
    world.env['SIGNALBOX_NOTIFY'] = `cat >>'${world.path('told')}'`;
    await restarted(0);
    const failing = work('last', `until [ -e '${world.path('go')}' ]; do sleep 0.05; done; false`);
    const run = await submit(world, [gate(), { ...failing, onFailure: 'ask', attemptsMax: 1 }]);
    await asked();
    const followed = follow(run);
    await until(() => world.text('told') !== '', { timeoutMs: 30_000, what: 'somebody to be called' });
    world.touch('go');
    expect((await followed.ended).code).toBe(3);
    const told = () => world.text('told').trim().split('\n');
    await until(() => told().length === 2, { timeoutMs: 30_000, what: 'the second question to be told' });
    expect(told().map((line) => (JSON.parse(line) as { task: string }).task)).toEqual(['release', 'last']);
  });

  it.runIf(hasPty)('at a terminal is asked field by field [GATE-20]', async () => {
    const form = [
      { name: 'version', type: 'text' as const, label: 'what it is called' },
      { name: 'loud', type: 'boolean' as const, usual: false },
    ];
    const run = await submit(world, [gate({ form })]);
    await asked();
    const sitting = sit(world, ['approve', 'release']);
    await sitting.shows('version (text): what it is called?');
    sitting.type('3.1\r');
    await sitting.shows('loud (boolean; usually false)?');
    sitting.type('\r');
    expect(await sitting.ended).toBe(0);
    expect(taskNamed(await runEnd(world, run.id), 'release').output).toEqual({ version: '3.1', loud: false });
  });
});

describe('a task with on-failure: ask', () => {
  it('asks when it has failed for good, and does what a person chose [ASK-1] [ASK-2]', async () => {
    const fragile = (name: string): Task =>
      work(name, `test -e '${world.path(name)}'`, { onFailure: 'ask', attemptsMax: 1 });
    const run = await submit(world, [
      fragile('again'),
      work('then', 'true', { needs: ['again'] }),
      fragile('left'),
      work('never', 'true', { needs: ['left'] }),
    ]);
    await until(async () => (await questions()).length === 2, { timeoutMs: 30_000, what: 'both to ask' });
    await restarted(0);
    const { stdout } = await world.sb(['inbox']);
    expect(stdout).toMatch(/"again" has failed \(crash\)/);
    expect(stdout).toContain('--choose retry');
    const unclear = await world.sb(['approve', 'again']);
    expect(unclear.stderr).toContain('choose retry, continue, stop');
    expect((await world.sb(['retry', 'again'])).stderr).toContain('a person is asked');
    writeFileSync(world.path('again'), '');
    expect((await world.sb(['approve', 'again', '--choose', 'retry'])).stdout).toBe('again: retry.\n');
    expect((await taskEnd(world, run.id, 'then')).outcome?.kind).toBe('succeeded');
    expect((await world.sb(['approve', 'left', '--choose', 'continue'])).code).toBe(0);
    const ended = await runEnd(world, run.id);
    expect(ended.outcome).toBe('partial');
    expect(taskNamed(ended, 'left').outcome?.kind).toBe('failed');
    expect(taskNamed(ended, 'never').outcome?.kind).toBe('skipped');
  });
});

describe('a task with on-crash: ask', () => {
  it('resumes after its process was killed in a turn when a person allows it, also after a restart [ASK-4]', async () => {
    const script = [{ run: `echo once >>'${world.path('effects')}'` }, { waitFor: world.path('go') }, { say: 'ready' }];
    const settings = { script: JSON.stringify(script) };
    const run = await submit(world, [{ name: 'deploy', prompt: 'deploy', onCrash: 'ask', settings, sandbox: 'none' }]);
    await until(() => world.text('effects') !== '', { timeoutMs: 30_000, what: 'the agent to be in its turn' });
    await until(async () => taskNamed(await runOf(world, run.id), 'deploy').progress?.toolCalls === 2, {
      timeoutMs: 30_000,
      what: 'its second call to be seen',
    });
    for (const { pid } of world.agents()) process.kill(pid, 'SIGKILL');
    const { id } = await asked();
    const shown = (await world.sb(['inbox'])).stdout;
    expect(shown).toContain('its process died in the middle of a turn');
    expect(shown).toMatch(/These were under way:\n +- .*go/);
    expect((await ask(world, 'GET', '/status')).body).toMatchObject({ slots: { taken: 0 } });
    await restarted(dayMs);
    world.touch('go');
    expect((await world.sb(['approve', id])).code).toBe(0);
    const ended = await runEnd(world, run.id);
    expect(ended.outcome).toBe('succeeded');
    expect(taskNamed(ended, 'deploy')).toMatchObject({ attempts: 1, asks: [{ kind: 'crash', answer: { by: me } }] });
  });
});
