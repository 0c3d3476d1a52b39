// Mail between two runs of one engine, which is killed at every point of it: each message arrives once and in order.

import { describe, expect, it } from 'vitest';
import type { Engine } from '../../src/engine/engine.ts';
import { readAddress } from '../../src/engine/tool-calls/find-other-run.ts';
import type { AskId, RunId, TaskId } from '../../src/model/core/ids.ts';
import { attemptId, launchId } from '../../src/model/core/ids.ts';
import type { Run } from '../../src/model/core/run.ts';
import { writeEvent } from '../../src/model/format.ts';
import type { Journal } from '../../src/ports/journal.ts';
import { Fault } from '../../src/std/fault.ts';
import { createMemoryDisk, type MemoryDisk, openMemoryJournal } from '../../src/store/memory/memory-journal.ts';
import { createStory, down, type Story, saved, task, turned } from '../model/story.ts';
import { runOf, write } from '../model/two-runs.ts';
import { until } from '../until.ts';
import { submit, withEngine } from './quiet-world.ts';

const ann: TaskId = 'task_a1';
const bob: TaskId = 'task_b1';
const gate: AskId = 'ask_a1-c1';

/** Takes `left` appends; the next one fails, stored or not, and so does all that follows. */
function dying(disk: MemoryDisk, left: number, stored: boolean): Journal & { readonly dead: boolean } {
  const journal = openMemoryJournal(disk);
  let appends = 0;
  return {
    ...journal,
    get dead() {
      return appends > left;
    },
    async append(parts) {
      appends += 1;
      if (appends <= left) return journal.append(parts);
      if (appends === left + 1 && stored) await journal.append(parts);
      throw new Fault('store_closed', 'killed');
    },
  };
}

const seen = (engine: Engine, runId: RunId): Promise<Run> =>
  engine.lookRun(runId, (run) => {
    if (run === null) throw new Error(`no ${runId}`);
    return run;
  });

/** A call of send_message, already read by src/engine/tool-calls. */
async function writes(engine: Engine, from: TaskId, to: TaskId, text: string): Promise<void> {
  const [fromRun, toRun] = [runOfTask(from), runOfTask(to)];
  const launch = launchId(attemptId(from, 1), 1);
  const running = async () => {
    const run = await seen(engine, fromRun);
    return (
      run.liveByLaunch.get(launch)?.state === 'running' && (run.liveByLaunch.get(launch)?.launches.current ?? false)
    );
  };
  const { offset } = await until(running, { what: `${from} to be at work` });
  const across = { runId: toRun, run: toRun.slice(4), repo: '/r', taskId: to, task: to.slice(5) };
  const request = { tool: 'send_message', to: `${toRun}/${to}`, text, type: null, across } as const;
  const call = { callId: text, requestId: text, rpcId: text, excerpt: '{}', worked: true, request };
  const facts = [{ kind: 'call', ...call } as const];
  const outcome = await engine.send(fromRun, {
    type: 'output',
    launchId: launch,
    from: offset,
    to: offset + 1,
    codec: '{}',
    replies: [],
    facts,
  });
  expect(outcome).toEqual({ kind: 'accepted' });
}

function runOfTask(id: TaskId): RunId {
  return `run_${id.slice(5, 6)}`;
}

async function inbox(engine: Engine, id: TaskId): Promise<string[]> {
  return ((await seen(engine, runOfTask(id))).tasks.get(id)?.mailbox.inbox ?? []).map(({ text }) => text);
}

async function agree(engine: Engine): Promise<unknown> {
  const decision = { approved: true, by: 'pat', message: null, remember: null };
  return engine.send('run_a', { type: 'answerAsk', askId: gate, ...decision });
}

const isEmpty = async (engine: Engine, id: RunId): Promise<boolean> =>
  [...(await seen(engine, id)).messages.otherRuns.values()].every(({ outbox }) => outbox.length === 0);

const texts = ['one', 'two', 'three'];

/** Two runs whose agents are at work; one has written to the other, and a person is asked. */
async function held(): Promise<MemoryDisk> {
  const disk = createMemoryDisk();
  await withEngine(openMemoryJournal(disk), async (engine) => {
    await engine.send(...submit('a', '1'));
    await engine.send(...submit('b', '1'));
    for (const text of texts) await writes(engine, ann, bob, text);
    expect(await inbox(engine, bob)).toEqual([]);
  });
  return disk;
}

describe('a message between runs', () => {
  it('arrives once and in order, wherever the engine is killed, and answers need no further consent [ACROSS-4]', async () => {
    let completed = false;
    for (let left = 0; !completed; left++) {
      for (const stored of [false, true]) {
        const disk = await held();
        const journal = dying(disk, left, stored);
        await withEngine(journal, async (engine) => {
          await agree(engine).catch(() => undefined);
          const done = async () =>
            journal.dead || ((await isEmpty(engine, 'run_a')) && (await inbox(engine, bob)).length > 0);
          await until(done, { what: 'all to be posted, or the end' });
          completed ||= !journal.dead;
        });
        await withEngine(openMemoryJournal(disk), async (engine) => {
          await agree(engine);
          await until(async () => (await inbox(engine, bob)).length >= texts.length, { what: 'the messages' });
          await until(() => isEmpty(engine, 'run_a'), { what: 'all to be posted' });
          expect(await inbox(engine, bob), `killed after ${left}`).toEqual(texts);
          await writes(engine, bob, ann, 'an answer');
          await until(async () => (await inbox(engine, ann)).length > 0, { what: 'the answer' });
          expect(await inbox(engine, ann)).toEqual(['an answer']);
        });
        const asked = disk.streams.get('run_b')?.events.filter(({ type }) => type.startsWith('consent.'));
        expect(asked?.map(({ type }) => type)).toEqual(['consent.given']);
      }
    }
  });

  it('of an ended run is sent after a restart, and only then the run is closed [ACROSS-11]', async () => {
    const [a, b] = [runOf('run_a', ['ann']), createStory()];
    const run = { id: 'run_b', name: 'b', repo: { path: '/r', base: 'b' }, limits: { parallelMax: 1 } } as const;
    b.tell({ type: 'submit', run, tasks: [task('bob')] });
    write(a, 'ann', b, 'bob', 'my last words');
    a.tell({ type: 'answerAsk', askId: 'ask_ann-c1', approved: true, by: 'pat', message: null, remember: null });
    turned(a, 'ann', false);
    down(a, 'ann', 1);
    saved(a, 'ann');
    expect(a.run.state).toBe('ended');
    let completed = false;
    for (let left = 0; !completed; left++) {
      const disk = createMemoryDisk();
      await keep(disk, 'run_a', a);
      await keep(disk, 'run_b', b);
      const journal = dying(disk, left, true);
      const isDone = async () => (await openMemoryJournal(disk).head('run_a'))?.open === false;
      await withEngine(journal, async () => {
        await until(async () => journal.dead || (await isDone()), { what: 'it is done with, or the end' });
        completed = !journal.dead;
      });
      await withEngine(openMemoryJournal(disk), async (engine) => {
        await until(async () => (await inbox(engine, 'task_bob')).length > 0, {
          what: `the message, killed after ${left}`,
        });
        await until(isDone, { what: 'it is done with' });
        expect(await inbox(engine, 'task_bob')).toEqual(['my last words']);
      });
    }
  });

  it('to a run whose journal cannot be read comes back, and names it [ACROSS-10]', async () => {
    const disk = await held();
    const events = disk.streams.get('run_b')?.events ?? [];
    const [first] = events;
    if (first !== undefined) events[0] = { ...first, type: 'run.created@9' };
    // Its slot is left alone with it.
    await withEngine(openMemoryJournal(disk), async (engine) => {
      await agree(engine);
      await until(async () => (await inbox(engine, ann)).length === texts.length, {
        what: 'the messages to come back',
      });
      expect((await inbox(engine, ann))[0]).toMatch(/^Not delivered: message_1 to run "b" \(run_b\)\. .*run_b/);
    });
  });
});

describe('the address of an agent in another run', () => {
  const [a, b] = [runOf('run_a', ['ann']), runOf('run_b', ['bob', 'ben'])];
  const find = (word: string) => readAddress(a.run, word, async (id, read) => read(id === 'run_b' ? b.run : null));

  it('is found by its run and name or id; one of its own run is refused [ACROSS-5]', async () => {
    const there = { runId: 'run_b', run: 'b', repo: '/repo/run_b' };
    expect(await find('run_b/bob')).toEqual({ ...there, taskId: 'task_bob', task: 'bob' });
    expect(await find('run_b/task_ben')).toEqual({ ...there, taskId: 'task_ben', task: 'ben' });
    expect([await find('ann'), await find('run_a/ann')]).toEqual([null, null]);
  });

  it('that is unknown is refused before a person is asked; similar names are shown to agents that may write [ACROSS-6]', async () => {
    expect(await find('run_x/bob')).toBe('there is no run run_x');
    const unreadable = () => Promise.reject(new Fault('journal_corrupt', 'torn'));
    expect(await readAddress(a.run, 'run_b/bob', unreadable)).toBe('run run_b cannot be read');
    expect(await find('run_b/bobb')).toBe('there is no task "bobb" of run "b" (run_b)');
    write(a, 'ann', b, 'bob', 'hello');
    a.tell({ type: 'answerAsk', askId: 'ask_ann-c1', approved: true, by: 'pat', message: null, remember: null });
    expect(await find('run_b/bobb')).toMatch(/did you mean "bob"/);
    turned(b, 'ben', false);
    down(b, 'ben', 1);
    saved(b, 'ben');
    expect(await find('run_b/ben')).toBe(
      '"ben" of run "b" (run_b) has ended (failed): nobody would read it; did you mean "bob"?',
    );
    b.tell({ type: 'stopRun', by: 'pat' });
    expect(await find('run_b/bob')).toBe('run "b" (run_b) is stopping: nobody of it would read it');
  });
});

async function keep(disk: MemoryDisk, stream: string, { events }: Story): Promise<void> {
  const written = events.map(writeEvent);
  await openMemoryJournal(disk).append([{ stream, expected: 0, at: 1, events: written, open: true }]);
}
