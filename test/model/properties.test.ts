// Rules that hold for every state, command and time, by random commands on random runs.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Command } from '../../src/model/core/command.ts';
import type { EffectKind, RunEvent } from '../../src/model/core/events.ts';
import { type FailureReason, failureReasons, isCuredByRetry, reasonOfEffect } from '../../src/model/core/failure.ts';
import { agentId, attemptId, createIds, isRunId, launchId, ownRecordId } from '../../src/model/core/ids.ts';
import * as states from '../../src/model/core/states.ts';
import { evolve } from '../../src/model/evolve.ts';
import { readEvent, readVersioned, writeEvent } from '../../src/model/format.ts';
import type { IntegrateResult } from '../../src/model/integrate/integration-queue.ts';
import { emptyRun } from '../../src/model/new-state.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { createHeap } from '../../src/std/heap.ts';
import { filesBelow, isTest, read } from '../source-files.ts';
import { type Story, submitted, task, taskId } from './story.ts';
import { wholeState } from './whole-state.ts';

/** Commands that fit the run's present state as often as not: most random ones would only be refused. */
function anyCommand(story: Story, r: () => number): Command {
  const pick = <T>(items: readonly T[]): T => items[Math.floor(r() * items.length)] as T;
  const live = [...story.run.live.values()];
  const one = pick(live);
  const id = one?.id ?? 'attempt_x-1';
  const launchOf = one?.launches.current?.id ?? 'launch_x-1-1';
  const records = one === undefined ? undefined : story.run.agents.get(one.agentId)?.mailbox.records[0];
  const name = pick(['a', 'b', 'c', 'd', 'g']);
  const turn = pick([
    { kind: 'ok', text: '', cut: false } as const,
    { kind: 'failed', failure: { reason: pick(failureReasons), detail: '' } } as const,
  ]);
  const results = [...story.run.integration.queue.keys()]
    .slice(0, pick([1, 2, 3]))
    .map((attemptId): IntegrateResult => {
      const result = pick([
        { kind: 'integrated', commit: `h${Math.floor(r() * 1e9)}`, tree: 't', items: [] } as const,
        { kind: 'conflict', paths: ['a'], pathsTotal: 1, with: [id] } as const,
        { kind: 'failed', items: [{ check: 'k', passed: false, detail: '' }], with: pick([id, null]) } as const,
        { kind: 'withdrawn' } as const,
      ]);
      return { attemptId, ...result };
    });
  const moved = { kind: 'moved', from: 'a', to: 'b' } as const;
  const aside = { kind: 'ended', outcome: { kind: 'aside', branch: 'b', commit: 'c', why: '' } } as const;
  const integration = { branch: 'main', commit: 'c', from: 'b', items: [], checkedOut: false } as const;
  const delivered = { kind: 'ended', outcome: { kind: 'landed', ...integration } } as const;
  return pick<Command>([
    { type: 'start', taskId: taskId(name), host: 'h' },
    { type: 'tick' },
    { type: 'prepared', attemptId: id, path: '/w', base: 'b' },
    { type: 'launched', launchId: launchOf, process: null },
    {
      type: 'output',
      launchId: launchOf,
      from: one?.launches.current?.offset ?? 0,
      to: (one?.launches.current?.offset ?? 0) + 10,
      codec: '{}',
      replies: [],
      facts: [
        { kind: 'session', session: 's' },
        { kind: 'delivered', recordId: records?.id ?? 'record_x' },
        ...(r() < 0.5 ? [{ kind: 'turnEnded', turn } as const] : []),
      ],
    },
    { type: 'written', launchId: launchOf, recordId: records?.id ?? 'record_x', end: 10 },
    { type: 'signalled', launchId: launchOf, rung: pick(['term', 'kill']) },
    { type: 'down', launchId: launchOf, status: pick([0, 1, 137, null]), turn: pick([null, turn]) },
    { type: 'saved', attemptId: id, ref: 'r', commit: 'c' },
    { type: 'proved', attemptId: id, items: [{ check: 'k', passed: r() < 0.7, detail: '' }] },
    { type: 'integrated', from: story.run.integration.head, results },
    { type: 'landed', n: story.run.landing?.n ?? 1, result: pick([moved, delivered, aside]) },
    { type: 'landingFailed', n: story.run.landing?.n ?? 1, code: pick(['x', 'stopped']), message: '' },
    {
      type: 'effectFailed',
      attemptId: id,
      effect: pick(['prepare', 'launch', 'watch', 'write', 'signal', 'save', 'prove', 'integrate']),
      code: 'x',
      message: '',
    },
    {
      type: 'answerAsk',
      askId: pick([...story.run.openAsks.keys()]) ?? 'ask_g-q1',
      approved: r() < 0.8,
      by: pick(['ann', 'bob', 'carl']),
      message: null,
      remember: null,
      choice: pick([null, 'retry', 'continue', 'stop']),
      values: pick([{}, { n: 1 }, { n: 'one' }]),
    },
    ...(r() < 0.1
      ? ([
          { type: 'stopRun', by: 'x' },
          { type: 'stopTask', taskId: taskId(name), by: 'x' },
          { type: 'resumeRun', by: 'x' },
          { type: 'land', by: 'x', into: pick(['main', null]), mayMoveCheckout: false, openPr: false },
          { type: 'retryTask', taskId: taskId(name), by: 'x' },
          { type: 'send', recordId: `record_${Math.floor(r() * 100)}`, taskId: taskId(name), from: 'x', text: 't' },
        ] as const)
      : []),
  ]);
}

function randomStory(seed: number, length: number): Story {
  let state = seed;
  const r = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const retry = { attemptsMax: 3, conflictsMax: 1, sendBacksMax: 1, delayMs: 100, delayMaxMs: 1_000 };
  const check = [{ name: 'k', argv: ['true'], timeoutMs: 1 }];
  const n = { name: 'n', type: 'number', label: '', options: [], required: true, usual: null } as const;
  const gate = {
    message: '',
    shows: [],
    form: [n],
    timeoutMs: 40_000,
    onTimeout: 'reject',
    who: ['ann', 'bob'],
  } as const;
  const story = submitted(
    task('a', { retry, timeoutMs: 20_000 }),
    task('b', { retry, checks: check, onFailure: 'ask' }),
    task('c', { retry, needs: [taskId('a')], onCrash: 'ask' }),
    task('g', { kind: 'gate', gate, needs: [taskId('a')], tolerates: [taskId('a')] }),
    task('d', { retry, needs: [taskId('b'), taskId('c'), taskId('g')], tolerates: [taskId('c')], priority: 2 }),
  );
  for (let i = 0; i < length; i++) {
    story.now += Math.floor(r() * 3_000) - (r() < 0.05 ? 100_000 : 0);
    const looks = i % 4 === seed % 4;
    const before = looks ? wholeState(story.run) : '';
    const command = anyCommand(story, r);
    const decision = story.ask(command);
    story.pending();
    if (looks) expect(wholeState(story.run)).toBe(before);
    if (decision.kind === 'decided') story.tell(command);
  }
  return story;
}

describe('the model', () => {
  it('answers every command at every time without throwing and without changing what it reads [EV-5]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1 }), (seed) => {
        randomStory(seed, 120);
      }),
      { numRuns: 150 },
    );
  });

  it('restored from a snapshot and the events after it equals the fold of all events [EV-4]', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1 }), fc.nat(), (seed, cut) => {
        const story = randomStory(seed, 150);
        const at = cut % (story.events.length + 1);
        const partly = emptyRun();
        for (const event of story.events.slice(0, at)) evolve(partly, event);
        const restored = at === 0 ? emptyRun() : readRun(writeRun(partly));
        for (const event of story.events.slice(at)) evolve(restored, event);
        expect(writeRun(restored)).toBe(writeRun(story.run));
        // Indices are not in the image: what they lead to must agree as well.
        expect([...restored.liveByLaunch.keys()].sort()).toEqual([...story.run.liveByLaunch.keys()].sort());
        expect(restored.graph.openTasks).toBe(story.run.graph.openTasks);
        expect([...restored.openAsks]).toEqual([...story.run.openAsks]);
        expect([...restored.asksOf]).toEqual([...story.run.asksOf]);
        const open = [...story.run.asks.values()].filter(({ state }) => state === 'open');
        expect([...story.run.openAsks.values()]).toEqual(open);
        expect([...restored.tasks.values()].map((each) => each.graph.dependants)).toEqual(
          [...story.run.tasks.values()].map((each) => each.graph.dependants),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('writes events that are read back as they were [EV-1]', () => {
    for (const event of randomStory(7, 300).events) {
      expect(readEvent<RunEvent>(writeEvent(event), event.at)).toEqual(event);
    }
  });
});

describe('event versions', () => {
  const newest = { thing: 3 };
  const casts = {
    thing: [(data: object) => ({ ...data, b: 1 }), (data: object) => ({ ...data, c: 2 })],
  };

  it('upcast an older shape step by step [EV-1]', () => {
    expect(readVersioned({ type: 'thing', data: '{"a":0}' }, 5, newest, casts)).toEqual({
      type: 'thing',
      at: 5,
      a: 0,
      b: 1,
      c: 2,
    });
    expect(readVersioned({ type: 'thing@2', data: '{}' }, 5, newest, casts)).toEqual({ type: 'thing', at: 5, c: 2 });
  });

  it('refuse a newer shape and an unknown event as newer [EV-2]', () => {
    for (const type of ['thing@4', 'other']) {
      expect(() => readVersioned({ type, data: '{}' }, 5, newest, casts)).toThrowError(
        expect.objectContaining({ code: 'journal_newer' }) as Error,
      );
    }
  });
});

describe('tables', () => {
  const tables = {
    run: states.runNext,
    task: states.taskNext,
    attempt: states.attemptNext,
    launch: states.launchNext,
    message: states.recordNext,
    workspace: states.workspaceNext,
    ask: states.askNext,
  } as const;

  it.each(Object.entries(tables))(
    'of %s are total, and every state is reached [RUN-1] [TASK-1] [ATT-1] [LAU-1] [REC-1] [LATER-1]',
    (_name, table: Readonly<Record<string, Readonly<Record<string, string | null>>>>) => {
      const moves = [...new Set(Object.values(table).flatMap((row) => Object.keys(row)))].sort();
      for (const row of Object.values(table)) {
        expect(Object.keys(row).sort()).toEqual(moves);
        for (const to of Object.values(row)) expect(to === null || to in table).toBe(true);
      }
      const reached = new Set(Object.values(table).flatMap((row) => Object.values(row)));
      const [first] = Object.keys(table);
      for (const state of Object.keys(table)) expect(state === first || reached.has(state)).toBe(true);
    },
  );

  it('have no way from unsaved work to removed work, and none out of a decided ask [LATER-1]', () => {
    expect(states.workspaceNext.held.removed).toBeNull();
    for (const decided of ['approved', 'rejected', 'expired'] as const) {
      expect(Object.values(states.askNext[decided])).toEqual([null, null, null]);
    }
    expect(() => states.next(states.workspaceNext, 'held', 'removed')).toThrow(/held cannot answer removed/);
  });
});

describe('failure reasons', () => {
  it('are one closed list, and each says whether another attempt may cure it [FAIL-1] [FAIL-2]', () => {
    expect(failureReasons).toHaveLength(27);
    expect(failureReasons.filter((reason) => !isCuredByRetry(reason))).toEqual([
      'refusal',
      'auth',
      'billing',
      'max-turns',
      'budget',
      'output-limit',
      'unverified',
      'rejected',
      'contract',
      'stopped',
    ]);
  });

  it('name for each effect the one reason for which an attempt is given up when it keeps failing', () => {
    expect(reasonOfEffect).toEqual({
      prepare: 'setup-failed',
      launch: 'spawn-refused',
      watch: 'lost',
      write: 'disk',
      signal: 'lost',
      save: 'disk',
      prove: 'unverified',
      integrate: 'unverified',
    } satisfies Record<EffectKind, FailureReason>);
  });

  it('are the only list of themselves: no set or union of reasons stands elsewhere in the sources', () => {
    const reason = `'(?:${failureReasons.join('|')})'`;
    const list = new RegExp(String.raw`${reason}(?:,\s*${reason}){2}|${reason}(?:\s*\|\s*${reason}){2}`);
    const sources = filesBelow('src').filter((file) => file.endsWith('.ts') && !isTest(file));
    expect(sources.filter((file) => list.test(read(file)))).toEqual([]);
    expect("new Set(['budget', 'quota', 'billing'])").toMatch(list);
    expect("'stall' | 'disk' | 'lost'").toMatch(list);
  });
});

describe('ids', () => {
  it('sort in the order in which they were made, within a millisecond and over a clock that goes back [ID-2]', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 50 }), (jumps) => {
        let now = 1_700_000_000_000;
        const ids = createIds(() => now, Math.random);
        const minted = jumps.map((jump) => {
          now += jump;
          return ids.run();
        });
        expect([...minted].sort()).toEqual(minted);
        expect(new Set(minted).size).toBe(minted.length);
        for (const id of minted) expect(isRunId(id)).toBe(true);
      }),
    );
  });

  it('increase also past the largest random number [ID-2]', () => {
    const ids = createIds(
      () => 1,
      () => 0.999999,
    );
    const minted = Array.from({ length: 3 }, () => ids.task());
    expect([...minted].sort()).toEqual(minted);
    expect(new Set(minted).size).toBe(3);
  });

  it('say what they name and derive from their task [ID-1] [ID-3]', () => {
    const attempt = attemptId('task_01abc', 2);
    expect(attempt).toBe('attempt_01abc-2');
    expect(agentId(attempt)).toBe('agent_01abc-2');
    expect(launchId(attempt, 3)).toBe('launch_01abc-2-3');
    expect(ownRecordId(attempt, 1)).toBe('record_01abc-2-1');
  });
});

describe('a heap', () => {
  it('gives its items in order, whatever the order of insertion [TASK-4]', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), (items) => {
        const heap = createHeap<number>((a, b) => a - b);
        for (const item of items) heap.push(item);
        const out = Array.from({ length: items.length }, () => heap.pop());
        expect(out).toEqual([...items].sort((a, b) => a - b));
        expect(heap.pop()).toBeUndefined();
      }),
    );
  });

  it('shows its items in order without a change, and gives up any of them by its place', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.array(fc.nat()), (numbers, removals) => {
        const heap = createHeap<{ n: number; place: number }>(
          (a, b) => a.n - b.n,
          (item, place) => {
            item.place = place;
          },
        );
        const left = numbers.map((n) => ({ n, place: -1 }));
        for (const item of left) heap.push(item);
        const sorted = () => left.map(({ n }) => n).sort((a, b) => a - b);
        for (const at of removals.slice(0, left.length)) {
          expect(Array.from(heap.inOrder(), ({ n }) => n)).toEqual(sorted());
          const [removed] = left.splice(at % left.length, 1);
          heap.removeAt(removed?.place ?? -1);
        }
        expect(Array.from({ length: heap.size }, () => heap.pop()?.n)).toEqual(sorted());
      }),
    );
  });
});
