import { expect, it } from 'vitest';
import type { RunEvent } from '../../wire/event-names.ts';
import { createProgress, seconds } from './event-text.ts';

const event = (said: object): RunEvent => ({ at: 0, ...said }) as RunEvent;
const added = (id: string, name: string, more: object = {}): RunEvent =>
  event({ type: 'task.added', task: { id, name, kind: 'work', needs: [], ...more } });

it('tasks of a matrix are shown by name', () => {
  const progress = createProgress();
  progress(added('t1', 'fix', { kind: 'matrix' }));
  progress(event({ type: 'task.joined', taskId: 't1i1', matrix: 't1', name: 'fix.1', item: 5 }));
  expect(progress(event({ type: 'attempt.started', taskId: 't1i1', attemptId: 'a', agentId: 'b', n: 1 }))).toMatch(
    /^\d\d:\d\d:\d\d fix\.1 {2}started$/,
  );
});

it("lines are aligned, and a phase's wait is not shown", () => {
  const progress = createProgress(['one', 'the-other']);
  progress(added('t1', 'one'));
  expect(progress(added('t3', 'phase.research', { kind: 'milestone', needs: ['t1'] }))).toBeNull();
  expect(progress(event({ type: 'attempt.started', taskId: 't1', attemptId: 'a', agentId: 'b', n: 1 }))).toMatch(
    / one {13}started$/,
  );
});

it('a retried task says why', () => {
  const progress = createProgress();
  progress(added('t1', 'one'));
  progress(event({ type: 'attempt.started', taskId: 't1', attemptId: 'a', agentId: 'b', n: 1 }));
  const failure = { reason: 'conflict', detail: 'its work does not fit' };
  expect(progress(event({ type: 'attempt.ended', attemptId: 'a', verdict: { kind: 'failed', failure } }))).toBeNull();
  expect(progress(event({ type: 'task.delayed', taskId: 't1', delayMs: 900 }))).toMatch(
    / one {2}next attempt in 0\.9 s; failed \(conflict\): its work does not fit$/,
  );
});

it('an exhausted budget is shown with its amounts, and a pause once', () => {
  const progress = createProgress(['one']);
  progress(added('t1', 'one'));
  progress(event({ type: 'attempt.started', taskId: 't1', attemptId: 'a', agentId: 'b', n: 1 }));
  const scope = { of: 'run' };
  expect(
    progress(
      event({
        type: 'ask.opened',
        askId: 'ask_1',
        kind: 'budget',
        scope,
        what: 'microUsd',
        spent: 60_000,
        limit: 50_000,
      }),
    ),
  ).toMatch(/ run {2}the budget of the run is exhausted: \$0\.06 of \$0\.05$/);
  expect(
    progress(
      event({ type: 'ask.opened', askId: 'ask_1', kind: 'budget', scope, what: 'unknown', spent: 0, limit: 50_000 }),
    ),
  ).toMatch(/ is exhausted: some of its cost is unknown$/);
  expect(progress(event({ type: 'stop.asked', attemptId: 'a', reason: 'parked' }))).toBeNull();
  const why = { kind: 'quota', detail: 'too many requests' };
  expect(progress(event({ type: 'attempt.parked', attemptId: 'a', why }))).toMatch(
    / one {2}paused: too many requests \(until when: signalbox ps\)$/,
  );
});

it('events of children are one line each: spawned, wrote, waits, holds paths, refused [CHILD-86]', () => {
  const progress = createProgress(['lead', 'a']);
  progress(added('t1', 'lead'));
  progress(event({ type: 'attempt.started', taskId: 't1', attemptId: 'a1', agentId: 'b', n: 1 }));
  const words = (said: object): string | null => progress(event(said))?.slice(9) ?? null;
  expect(progress(added('t2', 'a', { parent: 't1', needs: ['t1'] }))?.slice(9)).toBe(
    'a     spawned by lead; waits for lead',
  );
  const message = { to: 't1', kind: 'message', fromName: 'a' };
  expect(words({ type: 'message.sent', message })).toBe('lead  message from a');
  expect(words({ type: 'message.sent', message: { ...message, kind: 'notification' } })).toBeNull();
  const waits = (tasks: string[]) => words({ type: 'attempt.waiting', attemptId: 'a1', waits: { tasks } });
  expect([waits(['t2']), waits([])]).toEqual(['lead  waits for a', null]);
  expect(words({ type: 'attempt.parked', attemptId: 'a1', why: { kind: 'waits', detail: 'x' } })).toBeNull();
  const holds = (paths: string[]) => words({ type: 'paths.claimed', attemptId: 'a1', paths });
  expect([holds(['src/**']), holds([])]).toEqual(['lead  claimed src/**', 'lead  released its paths']);
  expect(words({ type: 'progress.reported', taskId: 't1', line: 'half', fraction: 0.5 })).toBe('lead  50 %: half');
  expect(words({ type: 'limit.reached', taskId: 't1', detail: 'too deep (limit depth: 1)' })).toBe(
    'lead  limit reached: too deep (limit depth: 1)',
  );
  words({ type: 'ask.opened', askId: 'ask_1', kind: 'question', taskId: 't1', message: 'Which?' });
  expect(words({ type: 'ask.answered', askId: 'ask_1', by: 'ann', approved: true, choice: null, words: 'x' })).toBe(
    'lead  answered by ann',
  );
});

it('durations are shown in readable units', () => {
  expect([900, 12_000, 59_900, 2_232_000, 700_000_000].map(seconds)).toEqual([
    '0.9 s',
    '12 s',
    '59 s',
    '37m 12s',
    '8d',
  ]);
});
